"""Entry point of `sheets-algo` and `python -m sheets_algo`."""

from __future__ import annotations

import codecs
import gc
import signal
import sys
from io import TextIOWrapper

OBJECTS_BETWEEN_SEARCHES = 100_000
"""Number of new objects between searches for unused cycles; a large workbook makes millions outside cycles."""
PLAIN = {"−": "-", "–": "-", "→": "->"}
"""Signs of numbers and results, with their replacements where the output's encoding lacks them."""


def plainly(error: UnicodeError) -> tuple[str, int]:
    """Return the replacement (`?` or a sign) for characters that the output's encoding lacks, and their end."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(PLAIN.get(char, "?") for char in error.object[error.start : error.end]), error.end


def start() -> None:
    """Run the command line; Ctrl+C during its imports ends the program without a message."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.set_threshold(OBJECTS_BETWEEN_SEARCHES)
    codecs.register_error("plainly", plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="plainly")
    from sheets_algo.cli import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    main(prog_name="sheets-algo")


if __name__ == "__main__":
    start()
