"""Columns of the Score Requests, Score Sides and Score Settings tabs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.columns import (
    Kind,
    TabDeclaration,
    choice,
    reference,
    result,
    text,
    time_of_day,
    yes_no,
)
from engine.scorecard.records import number, whole
from engine.scorecard.resolve import SIDES_TAB
from sheets_algo.forms.request_columns import Request, ends_war_column, notes_column, part_of_column, request_tab
from sheets_algo.forms.settings_tab import SettingRow, settings_tab

LEAST_SOLDIERS = 0.001
"""Minimum number of soldiers; greater than rounding errors of a spreadsheet's arithmetic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRequest(Request):
    """One row of the Score Requests tab: one war."""

    tab: ClassVar[TabDeclaration] = request_tab(
        "Score Requests", "One row is one war to be scored; Score Sides has its two sides.", one="war", title="war"
    )

    war: str = text(
        "War",
        "SC-24",
        "Name on the receipt; any text, need not be unique.",
        required=True,
        longest=20_000,
        decides=False,
    )
    date: str = text("Date", "SC-24", "Text or year; only printed on the receipt.", decides=False)
    near_water: bool = yes_no(
        "Near water", "SC-09", "Yes: navies that are nearby score 3 points for each point of naval score."
    )
    beach_landing: bool = yes_no(
        "Beach landing", "SC-02a", "Yes: the defender meets a landing at the beach and has at least high ground."
    )
    attacking_countries: int | None = whole(
        "Attacking countries",
        "SC-21",
        "For a full transplant; blank: nations of the attacker's list with L or M and without W (SC-OP-10).",
        low=1,
        high=1000,
    )
    territory_taken: float | None = number(
        "Territory taken %",
        "SC-OP-15",
        "What the winner takes before SC-20 and SC-22, the moderator's figure; blank: not printed.",
        high=100,
        unit="per cent",
        shares=True,
        aliases=("Territory taken", "Territory taken in %"),
    )
    part_of: str = part_of_column()
    ends_war: bool = ends_war_column()
    notes: str = notes_column("SC-OP-20")
    winner: str = result("Winner", "SC-24", "The nation that won, or that the defender holds at a tie.")
    attacker_total: float = result("Attacker Total", "SC-24", "The attacker's grand total.", kind=Kind.NUMBER)
    defender_total: float = result("Defender Total", "SC-24", "The defender's grand total.", kind=Kind.NUMBER)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSide:
    """One row of the Score Sides tab: one side of one war."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        SIDES_TAB,
        key="nation",
        unique=False,
        one="side",
        about="Two rows for each war of Score Requests: one Attacker, one Defender.",
    )

    request: str = reference(
        "Request", "Score Requests", "SC-24", "The war's request id, or its name if no other war has it.", required=True
    )
    side: str = choice("Side", "Side", "SC-24", "Attacker or Defender.", required=True, decides=True)
    nation: str = reference("Nation", "Score Nations", "SC-01", "Whose scores count.", required=True, decides=True)
    location: str | float = choice(
        "Location",
        "Location",
        "SC-01",
        "Where the war is, from the capital: 5 at its location, 4 next to it, 3 close, 2 far, 1 other side of the"
        " world, 0 Antarctica. The label, or the points as a number.",
        required=True,
        numeric=True,
        low=0,
        high=5,
    )
    tactical_advantage: str | float = choice(
        "Tactical advantage",
        "Tactical advantage",
        "SC-02",
        "1 open field, 2 high ground or ambush; a defender also 3 basic earthworks, 4 fortifications, 5 fortress."
        " The label, or the level as a number.",
        default=1,
        numeric=True,
        low=1,
        high=5,
    )
    belligerents: str = text(
        "Belligerents",
        "SC-04",
        "Name (letters), Name (letters)...: L leader +4, M military aid +3, S supplies +2, V vassal −1, W withdrew"
        " −1. Blank: the nation itself with L.",
    )
    motive: str = choice(
        "Motive", "Motive", "SC-05", "The one told to the army, when there are several.", required=True
    )
    navy_nearby: bool = yes_no("Navy nearby", "SC-09", "Yes: its navy is stationed near the war.")
    general: str = reference(
        "General", "Score Leaders", "SC-03", "The commander, of the same nation; blank: none.", default=""
    )
    soldiers: float | None = number(
        "Soldiers",
        "SC-13",
        "More than 0, may be approximate; blank: unknown, and SC-13 is left out for both sides.",
        low=LEAST_SOLDIERS,
        unit="people",
    )
    declared_at: str | None = time_of_day(
        "Declared at",
        "SC-11",
        "UTC time at which this side declared or acknowledged the war; needed unless Chance is filled.",
    )
    opponent_edits: int | None = whole(
        "Opponent edits",
        "SC-11",
        "The opponent's wiki edit count at that moment; blank: the Edits of the opponent's nation.",
        low=1,
    )
    chance: int | None = whole("Chance", "SC-11", "The moderator's value in place of SC-11; blank: worked out.", high=9)
    general_roll: int | None = whole(
        "General roll", "SC-03a", "The moderator's roll for the general's fate; blank: drawn.", high=9
    )
    leader_killed: bool = yes_no(
        "Leader killed", "SC-OP-07", "Yes: the moderator rules that this side's leader is killed, −10."
    )
    overrides: str = text(
        "Overrides",
        "SC-OP-27",
        "Factor=points; Factor=points. The moderator's points in place of a factor's, named on the receipt.",
    )
    total: float = result("Total", "SC-24", "Grand total.", kind=Kind.NUMBER)
    fate: str = result("Fate", "SC-03a", "Of the commander; blank without one.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSetting(SettingRow):
    """One row of the Score Settings tab: a number of the rules that this workbook overrides."""

    tab: ClassVar[TabDeclaration] = settings_tab("Score Settings")
