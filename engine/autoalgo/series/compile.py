"""Machine code for the battle, if available and worthwhile."""

from __future__ import annotations

from collections.abc import Mapping

from engine.autoalgo.fight.battlefield import Battlefield, BattleResults
from engine.autoalgo.fight.kernel import PLAIN, Kernel, fight_all
from engine.rng import draw, draw_singly, fill, fill_singly, ranked, ranked_singly
from engine.ruleset import Compiler, Function

COMPILED_INSTEAD: Mapping[Function, Function] = {fill: fill_singly, draw: draw_singly, ranked: ranked_singly}
"""Replacements of functions in compiled code, with the same results."""


def compiled_kernel(compiler: Compiler) -> Kernel:
    """Return the battle as machine code if the compiler produces it, else in Python; compiled at the first battle."""
    made = compiler(fight_all, COMPILED_INSTEAD)
    return Kernel(fight_all, made) if isinstance(made, str) else Kernel(made)


def fastest(field: Battlefield, compiler: Compiler) -> Kernel:
    """Return the battle functions: machine code that passed a trial, or Python.

    Args:
        field: The battlefield of the trial, a battle fought in both.
    """
    kernel = compiled_kernel(compiler)
    if not kernel.is_compiled:
        return kernel
    try:
        compiled = field.fight(0, 1, kernel)
    except Exception as error:  # an unknown version of numba may raise any error: Python fights on
        return Kernel(fight_all, f"numba cannot compile the battle here ({type(error).__name__})")
    if bits(compiled) != bits(field.fight(0, 1, PLAIN)):
        return Kernel(fight_all, "a battle in machine code did not end as in Python")
    return kernel


def bits(fought: BattleResults) -> list[bytes]:
    """Return the bytes of every column of the outcome."""
    return [column.tobytes() for column in (*fought.ends, *fought.consequences)]
