"""Database tabs of `scorecard`: nations and leaders, one record class each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from engine import columns
from engine.columns import TabDeclaration, choice, reference, text, yes_no

ACTIVE = "Active"
SERVING = (ACTIVE, "Wounded")
"""Statuses in which a leader can command."""
MOST = 1_000_000_000_000
"""Upper bound of all numbers in these tabs (SC-OP-30)."""
number, whole = partial(columns.number, high=MOST), partial(columns.whole, high=MOST)

RULER = "Ruler"
"""Role of a commander whose death is also the death of the side's leader (SC-OP-07)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreNation:
    """One row of the Score Nations tab; a ruling never changes it."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Score Nations", key="name", one="nation", about="The nations of the score game; a ruling never changes them."
    )

    name: str = text("Nation", "SC-01", "The nation's name, unique.", required=True)
    player: str = text("Player", "SC-11", "Who plays it; blank for a nation without a player.")
    edits: int = whole(
        "Edits", "SC-11", "The player's wiki edit count; the opponent's Chance is worked out with it.", default=0
    )
    army_score: float = number("Army score", "SC-07", "Current army score, worth 10 points each.", default=0)
    industry_score: float = number(
        "Industry score", "SC-08", "Industrial score, worth 4 points each in defence.", default=0
    )
    navy_score: float = number(
        "Navy score",
        "SC-09",
        "Naval score, worth 3 points each when the navy is nearby and the battle is near water.",
        default=0,
    )
    stability: float = number(
        "Stability", "SC-06", "Current stability; half of it is scored.", low=-MOST, required=True
    )
    expansion_turns: int = whole(
        "Expansion turns",
        "SC-10",
        "Turns used for expansion in the last 10 years, counted by the moderator (SC-OP-19); −1 point each.",
        default=0,
    )
    civil_disarray: bool = yes_no(
        "Civil disarray",
        "SC-20",
        "Yes: as defender its total is multiplied by 1.5, and it may not take territory abroad.",
    )
    fully_united: bool = yes_no(
        "Fully united", "SC-22", "No: territory taken from it is multiplied by 1.5.", default=True
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLeader:
    """One row of the Score Leaders tab: a commander and the commander's record."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Score Leaders",
        key="name",
        one="leader",
        about="Generals and rulers; a ruling counts their battles and wins and writes down their fate.",
    )

    name: str = text("Leader", "SC-03", "The leader's name, unique.", required=True)
    nation: str = reference("Nation", "Score Nations", "SC-03", "The nation served.", required=True)
    role: str = choice(
        "Role",
        "Role",
        "SC-OP-07",
        "General or Ruler; a ruler killed in command costs the side 10 points.",
        default="General",
    )
    wins: int = whole("Wins", "SC-03b", "Battles won in command, at most Battles.", default=0)
    battles: int = whole("Battles", "SC-03b", "All battles in command.", default=0)
    exp: int | None = whole(
        "Exp", "SC-OP-08", "0 to 9, fixed once; blank: drawn at the leader's first war and written here.", high=9
    )
    status: str = choice(
        "Status",
        "Leader status",
        "SC-03a",
        "Retired and Dead leaders cannot command; Wounded ones can when no unavailable turns are left.",
        default=ACTIVE,
    )
    unavailable_turns: int = whole(
        "Unavailable turns",
        "SC-03a",
        "Turns without service of a wounded leader, from the year in Wounded in on; without one the moderator"
        " counts them down.",
        default=0,
    )
    wounded_in: int | None = whole(
        "Wounded in",
        "SC-03a",
        "Year of the war in which the leader was wounded, if its Date is one; a turn is a year. Written by rulings.",
        low=-MOST,
        unit="year",
    )

    def turns_left(self, year: int | None) -> int:
        """Return the turns without service that are left in a year (SC-03a).

        Args:
            year: The war's year; None without one.
        """
        if year is None or self.wounded_in is None:
            return self.unavailable_turns
        return max(0, self.unavailable_turns - max(0, year - self.wounded_in))
