"""Options of scripts that play schedules, and their start by the Python that has the packages."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from pathlib import Path

from scripts.support import toys

PYTHON = Path(__file__).parents[2] / ".venv" / "bin" / "python"


def script_parser(text: str | None) -> argparse.ArgumentParser:
    """Return the parser of a script that explains itself by its docstring."""
    return argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)


def schedule_parser(text: str | None, schedules: int, of_what: str = "") -> argparse.ArgumentParser:
    """Return the parser of a script that plays so many schedules unless it is told otherwise."""
    parser = script_parser(text)
    number = f"how many{of_what} (default: {schedules})"
    parser.add_argument("--schedules", type=int, default=schedules, metavar="N", help=number)
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first one (default: 0)")
    parser.add_argument("--minutes", type=float, metavar="M", help="stop after so long, whatever is left")
    return parser


def use_venv(parser: argparse.ArgumentParser) -> None:
    """Start the script anew if this is not the Python that has the packages."""
    if Path(sys.prefix) != PYTHON.parent.parent:
        if not PYTHON.exists():
            parser.error("there is no .venv yet; scripts/setup-venv makes it")
        os.execv(PYTHON, [str(PYTHON), *sys.argv])


def parse(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Return the options, in the Python that has the packages and the toys, and with nothing logged.

    `end` is when to stop by `time.monotonic`; `seeds` are those of the schedules.
    """
    args = parser.parse_args()
    use_venv(parser)
    toys.install()
    logging.disable(logging.CRITICAL)
    if "schedules" in args:
        if args.schedules < 1:
            parser.error(f"--schedules is {args.schedules}; give 1 or more")
        args.seeds = range(args.seed, args.seed + args.schedules)
        args.end = time.monotonic() + (args.minutes or float("inf")) * 60
    return args
