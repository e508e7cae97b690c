"""The program's installation, and the command that adds the requirements of an extra.

The command names the packages of the extra and not the program. So it needs neither a package index that has the
program, nor the folder or address that it was installed from, and other extras stay.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from importlib.metadata import requires
from importlib.util import find_spec
from pathlib import Path

PROGRAM = "sheets-algo"
PIPX = "pipx_metadata.json"
"""File that pipx writes into its environments."""
WITH_COMMANDS = ("cluster",)
"""Extras with commands of their own (`dask worker`), which pipx exposes only on request."""
EXTRA = re.compile(r"extra == ['\"](.+)['\"]")


def packages_of(extra: str) -> list[str]:
    """Return the requirements of an extra, such as `matplotlib>=3.8`."""
    split = (line.partition(";") for line in requires(PROGRAM) or ())
    return [needed.strip() for needed, _, marker in split if (match := EXTRA.search(marker)) and match[1] == extra]


def command_for(extra: str) -> str:
    """Return the command line that installs the requirements of an extra beside this program."""
    environment = Path(sys.prefix)
    if (environment / PIPX).exists():
        words = ["pipx", "inject", *(["--include-deps"] if extra in WITH_COMMANDS else []), environment.name]
    elif find_spec("pip"):
        words = [sys.executable, "-m", "pip", "install"]
    else:  # uv makes environments without pip
        words = ["uv", "pip", "install", "--python", sys.executable]
    return " ".join(map(_quoted, [*words, *packages_of(extra)]))


def missing(library: str, extra: str) -> str:
    """Return the sentence on a library that is not installed; it ends with the command, to be copied."""
    return f"{library} is not installed here. Type: {command_for(extra)}"


def _quoted(word: str) -> str:
    """Return a word as the shell of this system reads it."""
    if os.name != "nt":
        return shlex.quote(word)
    return word if re.fullmatch(r"[\w.:\\/-]+", word) else f'"{word}"'
