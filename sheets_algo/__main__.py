"""Entry point of `sheets-algo` and `python -m sheets_algo`."""

from __future__ import annotations

import gc
import signal

OBJECTS_BETWEEN_SEARCHES = 100_000
"""New objects after which Python looks for unused cycles; a large workbook makes millions that are in none."""


def start() -> None:
    """Run the command line; Ctrl+C during its imports ends the program without a message."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.set_threshold(OBJECTS_BETWEEN_SEARCHES)
    from sheets_algo.cli import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    main(prog_name="sheets-algo")


if __name__ == "__main__":
    start()
