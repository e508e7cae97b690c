"""Odds of a battle from two multipliers."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from engine.ciais.tables import YES, CiaisConstants
from engine.decimals import ZERO
from engine.rule import rule

CERTAIN = Decimal(10)
"""The highest multiplier (CI-BASE-01)."""
HALF = Fraction(1, 2)
WINS, LOSES = 100, 0
"""The per cent of a certain victory and of a certain defeat."""


def chance(own: Decimal, enemy: Decimal, constants: CiaisConstants) -> Fraction:
    """Return own ÷ (own + enemy), 0 to 1 (CI-EQ-01, CI-OP-01; without attrition CI-BASE-02).

    Args:
        own: The own multiplier against the enemy's type after attrition; below 0 it counts as 0 (CI-OP-11).
        enemy: The enemy's multiplier against the own type, likewise.
        constants: The tables' single numbers, for the variant of CI-OP-13.
    """
    own, enemy = max(own, ZERO), max(enemy, ZERO)
    named = exception(own, enemy, constants)
    return per_cent(Fraction(own), Fraction(enemy)) / WINS if named is None else named.chance


class NamedChance(NamedTuple):
    """A chance with a name of its own in the rules, their id and the reason."""

    chance: Fraction
    id: str
    why: str


def exception(own: Decimal, enemy: Decimal, constants: CiaisConstants) -> NamedChance | None:
    """Return the exceptional chance for two multipliers, not below 0; None if they have odds."""
    if constants.ten_is_certain == YES and own != enemy and CERTAIN in (own, enemy):
        return NamedChance(Fraction(own > enemy), "CI-OP-13", "10 against less is certain in this game")
    return None if own + enemy else NamedChance(HALF, "CI-OP-12", "neither has any multiplier left")


@rule("CI-EQ-01", "Chance", own="multiplier", enemy="multiplier")
def per_cent(own: Fraction, enemy: Fraction) -> Fraction:
    """Return the chance in per cent: certain victory and certain defeat, weighted by the multipliers (CI-EQ-01)."""
    return (WINS * own + LOSES * enemy) / (own + enemy)


def percent(chance: Fraction) -> int:
    """Round a chance to whole per cent, halves up (CI-OP-14)."""
    return math.floor(100 * chance + HALF)
