"""Machine code of rulesets: permission, cache, and the number of battles that justifies it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryFile
from typing import Any

from platformdirs import user_cache_path

from engine.ruleset import NOT_COMPILED, Compiler, Function, MachineCode, Ruleset

VARIABLE = "SHEETS_ALGO_FAST"
"""Environment variable; 0 lets Python fight every battle."""
MANY = 5_000
"""Battles that Python fights in about the time of compiling."""
MISSING = "numba, which makes it, is not installed; it has no packages for some systems and versions of Python"

ROOM = 1_000_000
"""Bytes of free space for machine code, which has 0.15 million."""
KEPT_MOST = 8
"""Maximum number of folders with machine code; a version of the program has two."""


def cache_folder() -> Path:
    """Return the cache folder of machine code in the user account."""
    return user_cache_path("sheets-algo") / "kernel"


def compile_ruleset(ruleset: Ruleset[Any], inputs: Any, battles: int, code: MachineCode) -> str:
    """Let a ruleset fight with machine code cached for the user account; return the obstacle, if any, as a clause."""
    folder = cache_folder()
    reason = ruleset.compile(inputs, numba_compiler(str(folder), battles), code)
    remove_old_code(folder)
    return reason


def numba_compiler(cache: str | None = None, battles: int = MANY) -> Compiler:
    """Return the compiler if numba is installed; `fastest` of a ruleset tries whether it computes as Python does.

    Compiling takes about ten seconds; code in the folder `cache` serves other processes at once.

    Args:
        cache: None keeps nothing.
        battles: The number of battles; few battles justify only cached code.
    """

    def compile_function(function: Function, instead: Mapping[Function, Function]) -> Function | str:
        try:
            from sheets_algo.forecasts.compiler.machine import compiled, has_compiler
        except ModuleNotFoundError:
            return MISSING
        except ImportError as error:
            return f"numba cannot be loaded: {error}"
        machine = compiled(function, instead, cache)
        if not machine.is_kept:
            if not has_compiler():
                return MISSING
            if battles < MANY:
                return NOT_COMPILED
        return machine

    return compile_function


def can_compile() -> bool:
    """Return True unless the environment asks for Python."""
    return os.environ.get(VARIABLE, "").strip() != "0"


def has_room(folder: Path) -> bool:
    """Return True if machine code can be written into a folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder) as file:
            file.write(bytes(ROOM))
    except OSError:
        return False
    return True


def remove_old_code(folder: Path) -> None:
    """Delete the machine code of all but the last few versions; one still in use is compiled again."""
    try:
        folders = [path for path in folder.iterdir() if path.is_dir()]
        folders.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:  # there is no code yet, or another process deletes it too
        return
    for old in folders[KEPT_MOST:]:
        rmtree(old, ignore_errors=True)
