"""The machine code of battles that all tests share; it is kept for other processes and for the next run."""

from __future__ import annotations

import fcntl
import functools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.fight.kernel import Kernel
from engine.autoalgo.series.compile import compiled_kernel
from scripts.support.pinned_tables import tables
from scripts.support.small_battles import war
from sheets_algo.forecasts.compiler.machine import ENDING
from sheets_algo.forecasts.machine_code import numba_compiler

CACHES = Path(__file__).parents[2] / ".pytest_cache" / "d" / "caches"
"""For `XDG_CACHE_HOME`."""
KERNEL = CACHES / "sheets-algo" / "kernel"
"""Where the program looks for machine code below it."""


@functools.cache
def kernel() -> Kernel:
    """Return the kernel, compiled by one process while others wait for it; Python's where there is no compiler."""
    with _locked():
        found = compiled_kernel(numba_compiler(str(KERNEL)))
        if found.is_compiled:
            Battlefield.of(war(), tables(), 1).fight(0, 1, found)
    return found


def link_kernel(caches: Path) -> None:
    """Let programs with this folder as `XDG_CACHE_HOME` find the machine code, if there is any, or keep it there."""
    KERNEL.mkdir(parents=True, exist_ok=True)
    link = caches / KERNEL.relative_to(CACHES)
    link.parent.mkdir(parents=True)
    link.symlink_to(KERNEL)


@contextmanager
def empty_caches(folder: Path) -> Iterator[str]:
    """Give a folder for `XDG_CACHE_HOME` without machine code: the shared one if it has none yet, else this one.

    What a test compiles into the shared one serves all others; they wait for the end of the test.
    """
    with _locked():
        yield str(folder if any(KERNEL.rglob(f"*{ENDING}")) else CACHES)


@contextmanager
def _locked() -> Iterator[None]:
    KERNEL.mkdir(parents=True, exist_ok=True)
    with (CACHES / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def caches() -> str:
    """Return a folder for `XDG_CACHE_HOME` that holds the machine code."""
    kernel()
    return str(CACHES)
