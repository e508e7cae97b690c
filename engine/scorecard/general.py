"""The factor General (SC-03): the commander's fate and the bonus for experience."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.exact import exact
from engine.receipt import counted
from engine.rng import Rng
from engine.rule import Label, TracedNumber, named, part, plain, rule
from engine.scorecard.inputs import SIDES, ScoredSide
from engine.scorecard.records import ScoreLeader
from engine.scorecard.tables import FateBand, ScoreConstants

GENERAL_FATE, EXP = 0, 1
"""Purposes of the draws; index: 0 attacker, 1 defender. A number is never changed or reused, for replays."""
FACES = (0, 9)
"""Bounds of every random number: a whole number from 0 to 9, both included."""


@dataclass(frozen=True, slots=True)
class CommanderRolls:
    """One commander's random numbers, given or drawn; None without a commander or before the roll."""

    fate: int | None = None  # The roll for the fate, 0 to 9 (SC-03a)
    exp: int | None = None  # The experience, 0 to 9 (SC-03b)


@dataclass(frozen=True, slots=True)
class CommanderFate:
    """Fate of a commander."""

    band: FateBand  # The band of f
    f: Fraction  # The roll times enemy ÷ friendly soldiers
    turns: int  # The number of turns without service; 0 unless wounded

    @property
    def text(self) -> str:
        """Return the fate as text: `wounded (3 turns)`."""
        return f"{self.band.name} ({counted(self.turns, 'turn')})" if self.turns else self.band.name


def roll(side: ScoredSide, rng: Rng) -> CommanderRolls:
    """Roll for a side's commander: the fate unless given, Exp unless already fixed (SC-OP-08)."""
    known = known_rolls(side)
    if side.general is None:
        return known
    index = SIDES.index(side.side)
    fate = rng.whole(GENERAL_FATE, *FACES, index=index) if known.fate is None else known.fate
    exp = rng.whole(EXP, *FACES, index=index) if known.exp is None else known.exp
    return CommanderRolls(fate, exp)


def known_rolls(side: ScoredSide) -> CommanderRolls:
    """Return a commander's random numbers that are known before any draw."""
    if side.general is None:
        return CommanderRolls()
    return CommanderRolls(side.general_roll, side.general.exp)


def is_open(side: ScoredSide) -> bool:
    """Return True if a side's commander needs a draw."""
    known = known_rolls(side)
    return side.general is not None and None in (known.fate, known.exp)


def fate(rolled: int, odds: Fraction, bands: Sequence[FateBand]) -> CommanderFate:
    """Return the worst band that f reaches; bands are half-open, so there are no gaps (SC-03a, SC-OP-05).

    Args:
        rolled: The roll, 0 to 9.
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
    """The numbers of the bonus of SC-03b, with both ones inside the division (SC-OP-06)."""

    won: int  # The wins, including this one
    fought: int  # The battles, including this one
    exp: int  # The experience, 0 to 9
    multiplier: Fraction  # 1.3 for an undefeated general, else 1

    @property
    def record(self) -> str:
        """Return the record unreduced: `4/6`."""
        return f"{self.won}/{self.fought}"

    @property
    def terms(self) -> tuple[TracedNumber, int, Fraction]:
        """Return the arguments of `exactly`, the record with its text."""
        record = named(Fraction(self.won, self.fought), Label("record", spell=lambda _: self.record))
        return record, self.exp, self.multiplier

    @property
    def exactly(self) -> Fraction:
        """Return the bonus before it is rounded."""
        return exactly(*map(plain, self.terms))

    @property
    def points(self) -> int:
        """Return the bonus of a living commander."""
        record, exp, multiplier = map(plain, self.terms)
        return commander_points(record, exp, multiplier, 1)


@part(record="record", exp=Label("Exp", spell=str), multiplier="undefeated")
def exactly(record: Fraction, exp: int, multiplier: Fraction) -> Fraction:
    """Return the bonus of SC-03b before rounding."""
    return (record + exp) * multiplier


@rule("SC-03", "General", gen="Gen")
def commander_points(record: Fraction, exp: int, multiplier: Fraction, gen: int) -> int:
    """Return the commander's points: the bonus, 0 if killed, rounded up as the last step (SC-OP-22)."""
    return math.ceil(exactly(record, exp, multiplier) * gen)


def bonus(general: ScoreLeader, exp: int, constants: ScoreConstants) -> Bonus:
    """Return the numbers of the bonus of SC-03b, for a commander before this war with some experience, 0 to 9."""
    is_undefeated = general.battles > constants.undefeated_battles and general.wins == general.battles
    multiplier = constants.undefeated_factor if is_undefeated else Fraction(1)
    return Bonus(general.wins + 1, general.battles + 1, exp, multiplier)
