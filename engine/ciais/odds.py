"""Odds of a battle from two multipliers."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

from engine.ciais.tables import YES, CiaisConstants
from engine.decimals import ZERO

CERTAIN = Decimal(10)
"""The highest multiplier (CI-BASE-01)."""
HALF = Fraction(1, 2)


def chance(own: Decimal, enemy: Decimal, constants: CiaisConstants) -> Fraction:
    """Return own ÷ (own + enemy), 0 to 1 (CI-EQ-01, CI-OP-01; without attrition CI-BASE-02).

    Args:
        own: The own multiplier against the enemy's type after attrition; below 0 it counts as 0 (CI-OP-11).
        enemy: The enemy's multiplier against the own type, likewise.
        constants: The tables' single numbers, for the variant of CI-OP-13.
    """
    own, enemy = max(own, ZERO), max(enemy, ZERO)
    if constants.ten_is_certain == YES and own != enemy and CERTAIN in (own, enemy):
        return Fraction(own > enemy)  # CI-OP-13
    if own + enemy == 0:
        return HALF  # CI-OP-12
    return Fraction(own) / (Fraction(own) + Fraction(enemy))


def percent(chance: Fraction) -> int:
    """Round a chance to whole per cent, halves up (CI-OP-14)."""
    return math.floor(100 * chance + HALF)
