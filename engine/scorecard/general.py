"""The factor General (SC-03): the commander's fate and the bonus for experience."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.exact import exact
from engine.rng import Rng
from engine.scorecard import purposes
from engine.scorecard.inputs import SIDES, ScoredSide
from engine.scorecard.records import ScoreLeader
from engine.scorecard.tables import FateBand, ScoreConstants

FACES = (0, 9)
"""Bounds of every random number: a whole number from 0 to 9, both included."""


@dataclass(frozen=True, slots=True)
class CommanderRolls:
    """One commander's random numbers, given or drawn; None without a commander or before the roll.

    Args:
        fate: The roll for the fate, 0 to 9 (SC-03a).
        exp: The experience, 0 to 9 (SC-03b).
    """

    fate: int | None = None
    exp: int | None = None


@dataclass(frozen=True, slots=True)
class CommanderFate:
    """Fate of a commander.

    Args:
        band: The band into which f fell.
        f: The roll times enemy ÷ friendly soldiers.
        turns: The number of turns without service; 0 unless wounded.
    """

    band: FateBand
    f: Fraction
    turns: int

    @property
    def shown(self) -> str:
        """Return the fate as text: `wounded (3 turns)`."""
        return f"{self.band.name} ({self.turns} turns)" if self.turns else self.band.name


def roll(side: ScoredSide, rng: Rng) -> CommanderRolls:
    """Roll for a side's commander: the fate unless given, Exp unless already fixed (SC-OP-08)."""
    known = known_rolls(side)
    if side.general is None:
        return known
    index = SIDES.index(side.side)
    fate = rng.whole(purposes.GENERAL_FATE, *FACES, index=index) if known.fate is None else known.fate
    exp = rng.whole(purposes.EXP, *FACES, index=index) if known.exp is None else known.exp
    return CommanderRolls(fate, exp)


def known_rolls(side: ScoredSide) -> CommanderRolls:
    """Return a commander's random numbers that are known before anything is drawn."""
    if side.general is None:
        return CommanderRolls()
    return CommanderRolls(side.general_roll, side.general.exp)


def fate(rolled: int, odds: Fraction, bands: Sequence[FateBand]) -> CommanderFate:
    """Return the worst band that f reaches; bands are half-open, so there are no gaps (SC-03a, SC-OP-05).

    Args:
        rolled: The roll, 0 to 9.
        odds: The ratio of enemy to friendly soldiers.
        bands: The bands, the worst first; the last begins at 0.
    """
    f = rolled * odds
    band = next(band for band in bands if f >= band.at_least)
    return CommanderFate(band, f, 0 if band.turns_divisor is None else math.floor(f / band.turns_divisor))


def odds(own: ScoredSide, enemy: ScoredSide) -> Fraction:
    """Return enemy ÷ friendly soldiers; 1 when either number is unknown (SC-OP-11)."""
    if own.soldiers is None or enemy.soldiers is None:
        return Fraction(1)
    return exact(enemy.soldiers) / exact(own.soldiers)


@dataclass(frozen=True, slots=True)
class Bonus:
    """Bonus of SC-03b, before it is set to 0 for a killed commander.

    Args:
        record: The unreduced fraction (wins + 1) ÷ (battles + 1): `4/6`.
        exp: The experience, 0 to 9.
        multiplier: 1.3 for an undefeated general, else 1.
        exactly: The product multiplier × (record + Exp).
        points: The exact value rounded up, as the last step (SC-OP-22).
    """

    record: str
    exp: int
    multiplier: Fraction
    exactly: Fraction
    points: int


def bonus(general: ScoreLeader, exp: int, constants: ScoreConstants) -> Bonus:
    """Compute the bonus of SC-03b, with both ones inside the division (SC-OP-06).

    Args:
        general: The commander, with wins and battles before this war.
        exp: The experience, 0 to 9.
        constants: The tables' single numbers.
    """
    is_undefeated = general.battles > constants.undefeated_battles and general.wins == general.battles
    multiplier = constants.undefeated_factor if is_undefeated else Fraction(1)
    exactly = multiplier * (Fraction(general.wins + 1, general.battles + 1) + exp)
    return Bonus(f"{general.wins + 1}/{general.battles + 1}", exp, multiplier, exactly, math.ceil(exactly))
