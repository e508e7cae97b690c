"""SC-03 General: the commander's fate, and the bonus that his experience is worth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.exact import exact
from engine.luck import Luck
from engine.scorecard import purposes
from engine.scorecard.inputs import SIDES, Side
from engine.scorecard.records import Leader
from engine.scorecard.tables import Constants, FateBand

FACES = (0, 9)
"""Every random number is a whole number from 0 to 9, both included."""


@dataclass(frozen=True, slots=True)
class Rolls:
    """One commander's random numbers, given or drawn; None where there is none, or none yet.

    Args:
        fate: 0 to 9 (SC-03a).
        exp: 0 to 9 (SC-03b).
    """

    fate: int | None = None
    exp: int | None = None


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a commander.

    Args:
        band: The band that f fell into.
        f: Roll × enemy ÷ friendly soldiers.
        turns: For how many turns he cannot serve; 0 unless wounded.
    """

    band: FateBand
    f: Fraction
    turns: int

    @property
    def shown(self) -> str:
        """`wounded (3 turns)`."""
        return f"{self.band.name} ({self.turns} turns)" if self.turns else self.band.name


def roll(side: Side, luck: Luck) -> Rolls:
    """What chance decides about a side's commander: the fate unless given, Exp unless already fixed (SC-OP-08)."""
    known = known_rolls(side)
    if side.general is None:
        return known
    index = SIDES.index(side.side)
    fate = luck.whole(purposes.GENERAL_FATE, *FACES, index=index) if known.fate is None else known.fate
    exp = luck.whole(purposes.EXP, *FACES, index=index) if known.exp is None else known.exp
    return Rolls(fate, exp)


def known_rolls(side: Side) -> Rolls:
    """What is settled about a side's commander before anything is drawn."""
    if side.general is None:
        return Rolls()
    return Rolls(side.general_roll, side.general.exp)


def fate(rolled: int, odds: Fraction, bands: Sequence[FateBand]) -> Fate:
    """SC-03a: the worst band that f reaches; bands are half-open, so none is left out (SC-OP-05).

    Args:
        rolled: 0 to 9.
        odds: Enemy ÷ friendly soldiers.
        bands: The worst first; the last begins at 0.
    """
    f = rolled * odds
    band = next(band for band in bands if f >= band.at_least)
    return Fate(band, f, 0 if band.turns_divisor is None else math.floor(f / band.turns_divisor))


def odds(own: Side, enemy: Side) -> Fraction:
    """Enemy ÷ friendly soldiers; 1 when either number is unknown (SC-OP-11)."""
    if own.soldiers is None or enemy.soldiers is None:
        return Fraction(1)
    return exact(enemy.soldiers) / exact(own.soldiers)


@dataclass(frozen=True, slots=True)
class Bonus:
    """SC-03b, before a dead general's zero.

    Args:
        record: (wins + 1) ÷ (battles + 1), as a fraction of whole numbers not reduced: `4/6`.
        exp: 0 to 9.
        multiplier: 1.3 for a general who never lost, else 1.
        exactly: multiplier × (record + Exp).
        points: That, rounded up, last of all (SC-OP-22).
    """

    record: str
    exp: int
    multiplier: Fraction
    exactly: Fraction
    points: int


def bonus(general: Leader, exp: int, constants: Constants) -> Bonus:
    """SC-03b, with both ones inside the division (SC-OP-06).

    Args:
        general: Wins and battles before this war.
        exp: 0 to 9.
        constants: For the multiplier and the battles it takes.
    """
    is_undefeated = general.battles > constants.undefeated_battles and general.wins == general.battles
    multiplier = constants.undefeated_factor if is_undefeated else Fraction(1)
    exactly = multiplier * (Fraction(general.wins + 1, general.battles + 1) + exp)
    return Bonus(f"{general.wins + 1}/{general.battles + 1}", exp, multiplier, exactly, math.ceil(exactly))
