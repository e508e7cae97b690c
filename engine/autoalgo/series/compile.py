"""Machine code for the battle, where it can be had and is worth its making."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.autoalgo.series.kernel import PLAIN, Kernel, fight_all
from engine.autoalgo.series.replicates import Battlefield, BattleResults
from engine.rng import draw, draw_singly, fill, fill_singly, ranked, ranked_singly
from engine.ruleset import NOT_COMPILED

COMPILED_INSTEAD: Mapping[Callable[..., Any], Callable[..., Any]] = {
    fill: fill_singly,
    draw: draw_singly,
    ranked: ranked_singly,
}
"""Functions that compiled code has in the place of others, with the same results."""
MISSING = "numba, which makes it, is not installed; it has no packages for some systems and versions of Python"
WORTH_COMPILING = 5_000
"""Battles that Python fights in about the time that compiling takes."""


def compiled_kernel(cache: str | None = None, battles: int = WORTH_COMPILING) -> Kernel:
    """Return the battle as machine code if numba is installed and computes as Python does, else in Python.

    Compiling happens at the first battle and takes about fifteen seconds; in the folder `cache` it is kept for other
    processes, who begin at once.

    Args:
        cache: None keeps nothing.
        battles: The number of battles to be fought; for a few, only a kernel that is kept already is worth its time.
    """
    try:
        from engine import machine_code
    except ModuleNotFoundError:
        return Kernel(fight_all, MISSING)
    except ImportError as error:
        return Kernel(fight_all, f"numba cannot be loaded: {error}")
    machine = machine_code.compiled(fight_all, COMPILED_INSTEAD, cache)
    if not machine.is_kept:
        if not machine_code.has_compiler():
            return Kernel(fight_all, MISSING)
        if battles < WORTH_COMPILING:
            return Kernel(fight_all, NOT_COMPILED)
    why_not = machine_code.differs(cache)
    return Kernel(fight_all, why_not) if why_not else Kernel(machine)


def fastest(field: Battlefield, cache: str | None, battles: int) -> Kernel:
    """Return the functions that fight the battles: machine code that passed a trial, or Python.

    Args:
        field: The battlefield of the trial, a battle fought both ways.
        cache: As in `compiled_kernel`.
        battles: Likewise.
    """
    kernel = compiled_kernel(cache, battles)
    if not kernel.is_compiled:
        return kernel
    try:
        found = field.fight(0, 1, kernel)
    except Exception as error:  # whatever a version of numba that we do not know may raise: Python fights on
        return Kernel(fight_all, f"numba cannot compile the battle here ({type(error).__name__})")
    if bits(found) != bits(field.fight(0, 1, PLAIN)):
        return Kernel(fight_all, "a battle in machine code did not end as in Python")
    return kernel


def bits(fought: BattleResults) -> list[bytes]:
    """Return the bytes of every column of the outcome."""
    return [column.tobytes() for column in (*fought.ends, *fought.consequences)]
