"""Database tabs of `scorecard`: nations and leaders, one record class each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.columns import TabDeclaration, choice, number, reference, text, whole, yes_no

ACTIVE = "Active"
SERVING = (ACTIVE, "Wounded")
"""Statuses in which a leader can command."""
MOST = 1_000_000_000_000
"""Upper bound of all numbers in these tabs (SC-OP-30)."""

RULER = "Ruler"
"""Role of a commander whose death is also the death of the side's leader (SC-OP-07)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreNation:
    """One row of the Score Nations tab; a ruling never changes it."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Score Nations", key="name", one="nation", about="The nations of the score game; a ruling never changes them."
    )

    name: str = text("Nation", required=True, id="SC-01", note="The nation's name, unique.")
    player: str = text("Player", id="SC-11", note="Who plays it; blank for a nation without a player.")
    edits: int = whole(
        "Edits",
        low=0,
        high=MOST,
        default=0,
        id="SC-11",
        note="The player's wiki edit count; the opponent's Chance is worked out with it.",
    )
    army_score: float = number(
        "Army score", low=0, high=MOST, default=0, id="SC-07", note="Current army score, worth 10 points each."
    )
    industry_score: float = number(
        "Industry score",
        low=0,
        high=MOST,
        default=0,
        id="SC-08",
        note="Industrial score, worth 4 points each in defence.",
    )
    navy_score: float = number(
        "Navy score",
        low=0,
        high=MOST,
        default=0,
        id="SC-09",
        note="Naval score, worth 3 points each when the navy is nearby and the battle is near water.",
    )
    stability: float = number(
        "Stability", low=-MOST, high=MOST, required=True, id="SC-06", note="Current stability; half of it is scored."
    )
    expansion_turns: int = whole(
        "Expansion turns",
        low=0,
        high=MOST,
        default=0,
        id="SC-10",
        note="Turns used for expansion in the last 10 years, counted by the moderator (SC-OP-19); −1 point each.",
    )
    civil_disarray: bool = yes_no(
        "Civil disarray",
        id="SC-20",
        note="Yes: as defender its total is multiplied by 1.5, and it may not take territory abroad.",
    )
    fully_united: bool = yes_no(
        "Fully united", default=True, id="SC-22", note="No: territory taken from it is multiplied by 1.5."
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

    name: str = text("Leader", required=True, id="SC-03", note="The leader's name, unique.")
    nation: str = reference("Nation", "Score Nations", required=True, id="SC-03", note="The nation served.")
    role: str = choice(
        "Role",
        "Role",
        default="General",
        id="SC-OP-07",
        note="General or Ruler; a ruler killed in command costs the side 10 points.",
    )
    wins: int = whole("Wins", low=0, high=MOST, default=0, id="SC-03b", note="Battles won in command, at most Battles.")
    battles: int = whole("Battles", low=0, high=MOST, default=0, id="SC-03b", note="All battles in command.")
    exp: int | None = whole(
        "Exp",
        low=0,
        high=9,
        id="SC-OP-08",
        note="0 to 9, fixed once; blank: drawn at the leader's first war and written here.",
    )
    status: str = choice(
        "Status",
        "Leader status",
        default=ACTIVE,
        id="SC-03a",
        note="Retired and Dead leaders cannot command; Wounded ones can when no unavailable turns are left.",
    )
    unavailable_turns: int = whole(
        "Unavailable turns",
        low=0,
        high=MOST,
        default=0,
        id="SC-03a",
        note="Turns without service of a wounded leader, from the year in Wounded in on; without one the moderator"
        " counts them down.",
    )
    wounded_in: int | None = whole(
        "Wounded in",
        low=-MOST,
        high=MOST,
        id="SC-03a",
        unit="year",
        note="Year of the war in which the leader was wounded, if its Date is one; a turn is a year. Written by"
        " rulings.",
    )

    def turns_left(self, year: int | None) -> int:
        """Return the turns without service that are left in a year (SC-03a).

        Args:
            year: The war's year; None without one.
        """
        if year is None or self.wounded_in is None:
            return self.unavailable_turns
        return max(0, self.unavailable_turns - max(0, year - self.wounded_in))
