"""Machine code of rulesets: whether it may be used, where it is kept, and when it pays."""

from __future__ import annotations

import os
from pathlib import Path
from shutil import rmtree
from typing import Any

from platformdirs import user_cache_path

from engine.ruleset import MachineCode, Ruleset

VARIABLE = "SHEETS_ALGO_FAST"
"""Environment variable; 0 lets Python fight every battle."""
MANY = 5_000
"""Number of battles from which it is noticeable that Python fights them."""

KEPT_MOST = 8
"""Maximum number of folders with machine code; a version of the program has two."""


def cache_folder() -> Path:
    """Return the folder of the user account in which machine code is kept."""
    return user_cache_path("sheets-algo") / "kernel"


def compile_ruleset(ruleset: Ruleset[Any], inputs: Any, battles: int, code: MachineCode) -> str:
    """Let a ruleset fight with machine code cached for the user account; return why it cannot, as a clause.

    Args:
        ruleset: The ruleset.
        inputs: The inputs of a war that is about to be fought.
        battles: The number of battles to be fought.
        code: Where the machine code is put.
    """
    folder = cache_folder()
    reason = ruleset.compile(inputs, str(folder), battles, code)
    remove_old_code(folder)
    return reason


def can_compile() -> bool:
    """Return True unless the environment asks for Python."""
    return os.environ.get(VARIABLE, "").strip() != "0"


def remove_old_code(folder: Path) -> None:
    """Delete the machine code of all but the last few versions; one still in use is compiled again."""
    try:
        folders = [path for path in folder.iterdir() if path.is_dir()]
        folders.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:  # there is no code yet, or another process deletes it too
        return
    for old in folders[KEPT_MOST:]:
        rmtree(old, ignore_errors=True)
