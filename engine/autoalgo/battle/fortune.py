"""The distribution of the fortunes of the day (R-28)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.autoalgo.battle.draw_ids import FORTUNE_FLANK, FORTUNE_SIDE
from engine.autoalgo.battle.draw_names import FixedDraw, drawn_in
from engine.autoalgo.battle.state import Battle
from engine.elementary import LOG_2, exp


def fortune(draw: float, doublings: float) -> float:
    """Return a factor from 2**-doublings to 2**doublings whose logarithm is evenly distributed.

    Args:
        draw: A random number in [0, 1).
        doublings: Width of the distribution, at least 0, which means no fortune; 1.5 means 0.35 to 2.83.
    """
    return exp(LOG_2 * doublings * (2.0 * draw - 1.0))


def decide_fortunes(fixed: Sequence[FixedDraw], battle: Battle, side: float, flank: float, panic: float) -> None:
    """Write the fortunes whose draws a moderator set (OVR-11).

    Args:
        side: The doublings of a side's fortune, as in `fortune`.
        flank: Those of a flank's fortune.
        panic: Those of a side's panic.
    """
    for draw in drawn_in(fixed, 0):
        [purpose], index, value = draw.place.purposes, draw.place.index, draw.decided.value
        if purpose == FORTUNE_SIDE:
            battle.fortune_side[index] = fortune(value, side)
        elif purpose == FORTUNE_FLANK:
            battle.fortune_flank[index] = fortune(value, flank)
        else:
            battle.fortune_panic[index] = fortune(value, panic)
