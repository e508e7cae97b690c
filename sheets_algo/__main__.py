"""Entry point of `sheets-algo` and `python -m sheets_algo`."""

from __future__ import annotations

import gc
import signal
import sys
from io import TextIOWrapper

OBJECTS_BETWEEN_SEARCHES = 100_000
"""New objects after which Python looks for unused cycles; a large workbook makes millions that are in none."""


def start() -> None:
    """Run the command line; Ctrl+C during its imports ends the program without a message.

    A character that the output's encoding lacks is printed as `?`.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.set_threshold(OBJECTS_BETWEEN_SEARCHES)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    from sheets_algo.cli import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    main(prog_name="sheets-algo")


if __name__ == "__main__":
    start()
