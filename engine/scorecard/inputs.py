"""Inputs of one war: two sides and the place, read and checked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.scorecard.records import ScoreLeader, ScoreNation
from engine.settings import Setting

ATTACKER, DEFENDER = "Attacker", "Defender"
SIDES = (ATTACKER, DEFENDER)
LEADS = "L"
"""Letter of the nation that leads a side."""


def year_of(date: str) -> int | None:
    """Return the year of a date, BC negative; None for any other text."""
    return int(date) if YEAR.fullmatch(date) else None


YEAR = re.compile(r"-?[0-9]{1,4}")
"""A date that consists of a year."""


@dataclass(frozen=True, slots=True)
class ScoreBelligerent:
    """One nation on a side's list (SC-04)."""

    name: str  # The nation's name; it need not be in the database
    letters: str  # Letters of LMSVW in any order; each occurrence counts (SC-OP-25)

    def __str__(self) -> str:
        """Return `Portugal (V)`."""
        return f"{self.name} ({self.letters})" if self.letters else self.name


@dataclass(frozen=True, slots=True)
class Override:
    """A moderator's points that replace a factor's own."""

    factor: str  # The factor's id: `SC-01`
    points: float  # The points, any number


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredSide:
    """One side of a war."""

    side: str  # `Attacker` or `Defender`
    nation: ScoreNation  # The nation whose scores count
    location: str | float  # The label of SC-01, or points from 0 to 5
    motive: str  # The motive given to the army (SC-05)
    tactical: str | float  # The label of SC-02, or a level from 1 to 5 (attacker: 1 to 2)
    # The list of SC-04; empty for the nation itself as leader (SC-OP-03).
    belligerents: tuple[ScoreBelligerent, ...] = ()
    navy_nearby: bool = False  # True if the navy is stationed nearby (SC-09)
    general: ScoreLeader | None = None  # The commander (SC-03)
    soldiers: float | None = None  # The number of soldiers, more than 0; None when unknown (SC-OP-11)
    declared_at: str | None = None  # The time of declaration, UTC, `HH:MM`; needed unless `chance` is given
    # The opponent's edit count, at least 1; None for the opponent nation's own (SC-OP-21).
    opponent_edits: int | None = None
    chance: int | None = None  # The moderator's points, 0 to 9, in place of SC-11
    general_roll: int | None = None  # The moderator's roll, 0 to 9, in place of a drawn one
    leader_killed: bool = False  # True if the moderator ruled the leader killed (SC-OP-07)
    overrides: tuple[Override, ...] = ()  # The moderator's points, at most once for each factor

    @property
    def title(self) -> str:
        """Return `France (Defender)`."""
        return f"{self.nation.name} ({self.side})"

    @property
    def listed(self) -> tuple[ScoreBelligerent, ...]:
        """Return the list of SC-04; if it is blank, the nation itself as leader of the side (SC-OP-03)."""
        return self.belligerents or (ScoreBelligerent(self.nation.name, LEADS),)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreInputs:
    """Inputs of one war.

    The order of the sides' rows does not matter (invariant 12).

    Raises:
        ValueError: The sides are swapped.
    """

    name: str  # The war's name on the receipt; any text
    attacker: ScoredSide  # The side that starts the war
    defender: ScoredSide  # The side that holds at a tie
    date: str = ""  # The date, any text; only printed
    near_water: bool = False  # True if the battle is near water (SC-09)
    beach_landing: bool = False  # True if the defender's tactical level is at least high ground (SC-02a)
    attacking_countries: int | None = None  # X of SC-21; None to count it from the attacker's list (SC-OP-10)
    territory_taken: float | None = None  # The winner's territory in per cent, 0 to 100, before SC-20 and SC-22
    settings: tuple[Setting, ...] = ()  # The numbers of the tables that this war replaces (SET-04)
    seed_given: bool = False  # True if the moderator typed the seed; the receipt then prints it

    @property
    def year(self) -> int | None:
        """Return the year of the date; None for any other text."""
        return year_of(self.date)

    def __post_init__(self) -> None:
        sides = (self.attacker.side, self.defender.side)
        if sides != SIDES:
            raise ValueError(f"a war has an Attacker and a Defender in their places, not {' and '.join(sides)}")
