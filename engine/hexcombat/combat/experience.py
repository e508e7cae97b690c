"""Experience of the firing unit and its target from a fire (HX-EXP)."""

from __future__ import annotations

from engine.hexcombat.combat.odds import CombatOdds
from engine.hexcombat.setup.facts import HexConstants
from engine.hexcombat.setup.numbers import div

LEAST = 1
MARGIN = 6


def per_kill(odds: CombatOdds, unsuppressed: int, constants: HexConstants) -> int:
    """Return A's experience for each kill (HX-EXP-1 ... HX-EXP-3).

    Args:
        unsuppressed: P's SP that could fire back before this fire.
    """
    # HX-OP-20: multiplied by all of P's strength, so that most fires reach the maximum.
    threat = max(LEAST, odds.enemy_attack + MARGIN - odds.own_defence) * unsuppressed if odds.enemy_attack else 0
    toughness = max(LEAST, odds.enemy_defence + MARGIN - odds.own_attack)  # HX-EXP-2
    return min(constants.experience_most, threat + toughness)


def gained(gain: int, bars: int, constants: HexConstants) -> int:
    """Return a gain reduced by experience bars, if exp_bar_factor is set (HX-EXP-5)."""
    factor = constants.exp_bar_factor
    if factor <= 0 or bars < 1:
        return gain
    return div(gain * max(0, 100 - bars * factor) + 50, 100)
