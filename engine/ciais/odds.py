"""Odds of a battle: two multipliers, weighed against each other."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

from engine.ciais.tables import YES, Constants
from engine.decimals import ZERO

CERTAIN = Decimal(10)
"""The highest multiplier there is (CI-BASE-01)."""
HALF = Fraction(1, 2)


def chance(own: Decimal, enemy: Decimal, constants: Constants) -> Fraction:
    """CI-EQ-01 (CI-OP-01), which without attrition is CI-BASE-02: own ÷ (own + enemy), 0 to 1.

    Args:
        own: Multiplier against the enemy's type after attrition; below 0 it counts as 0 (CI-OP-11).
        enemy: The enemy's against the own type, likewise.
        constants: For the reading of CI-OP-13.
    """
    own, enemy = max(own, ZERO), max(enemy, ZERO)
    if constants.ten_is_certain == YES and own != enemy and CERTAIN in (own, enemy):
        return Fraction(own > enemy)  # CI-OP-13
    if own + enemy == 0:
        return HALF  # CI-OP-12
    return Fraction(own) / (Fraction(own) + Fraction(enemy))


def percent(chance: Fraction) -> int:
    """To the nearest whole per cent, halves up (CI-OP-14)."""
    return math.floor(100 * chance + HALF)
