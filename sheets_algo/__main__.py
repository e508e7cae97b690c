"""Entry point of `sheets-algo` and `python -m sheets_algo`."""

from __future__ import annotations

import signal


def start() -> None:
    """Run the command line; Ctrl+C during its imports ends the program without a message."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from sheets_algo.cli import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    main(prog_name="sheets-algo")


if __name__ == "__main__":
    start()
