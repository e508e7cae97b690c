"""HX-EXP: what a fire teaches the unit that fires and the one it hits."""

from __future__ import annotations

from engine.hexcombat.facts import Constants
from engine.hexcombat.numbers import div
from engine.hexcombat.odds import Odds

LEAST = 1
MARGIN = 6


def per_kill(odds: Odds, unsuppressed: int, constants: Constants) -> int:
    """HX-EXP-1 ... HX-EXP-3: what A gains for each kill.

    Args:
        odds: Of A firing at P.
        unsuppressed: P's SP that could fire back, before this fire.
        constants: Of the tables.
    """
    # HX-OP-20: times all of P's strength, so that most fires reach the most.
    threat = max(LEAST, odds.enemy_attack + MARGIN - odds.own_defence) * unsuppressed if odds.enemy_attack else 0
    toughness = max(LEAST, odds.enemy_defence + MARGIN - odds.own_attack)  # HX-EXP-2
    return min(constants.experience_most, threat + toughness)


def gained(gain: int, bars: int, constants: Constants) -> int:
    """HX-EXP-5: experienced units learn more slowly, where exp_bar_factor is set."""
    factor = constants.exp_bar_factor
    if factor <= 0 or bars < 1:
        return gain
    return div(gain * max(0, 100 - bars * factor) + 50, 100)
