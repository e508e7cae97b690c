"""Columns of the Score Requests, Score Sides and Score Settings tabs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.columns import (
    Kind,
    TabDeclaration,
    choice,
    number,
    reference,
    result,
    text,
    time_of_day,
    whole,
    yes_no,
)
from engine.scorecard.records import MOST
from engine.scorecard.resolve import SIDES_TAB
from sheets_algo.forms.request_columns import Request, ends_war_column, part_of_column, request_tab
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
        id="SC-24",
        required=True,
        longest=20_000,
        decides=False,
        note="Name on the receipt; any text, need not be unique.",
    )
    date: str = text("Date", id="SC-24", decides=False, note="Text or year; only printed on the receipt.")
    near_water: bool = yes_no(
        "Near water", id="SC-09", note="Yes: navies that are nearby score 3 points for each point of naval score."
    )
    beach_landing: bool = yes_no(
        "Beach landing",
        id="SC-02a",
        note="Yes: the defender meets a landing at the beach and has at least high ground.",
    )
    attacking_countries: int | None = whole(
        "Attacking countries",
        id="SC-21",
        low=1,
        high=1000,
        note="For a full transplant; blank: nations of the attacker's list with L or M and without W (SC-OP-10).",
    )
    territory_taken: float | None = number(
        "Territory taken %",
        id="SC-OP-15",
        low=0,
        high=100,
        unit="per cent",
        shares=True,
        aliases=("Territory taken", "Territory taken in %"),
        note="What the winner takes before SC-20 and SC-22, the moderator's figure; blank: not printed.",
    )
    part_of: str = part_of_column()
    ends_war: bool = ends_war_column()
    notes: str = text(
        "Notes", id="SC-OP-20", longest=100_000, decides=False, note="Anything; the program does not read it."
    )
    winner: str = result("Winner", id="SC-24", note="The nation that won, or that the defender holds at a tie.")
    attacker_total: float = result("Attacker Total", id="SC-24", kind=Kind.NUMBER, note="The attacker's grand total.")
    defender_total: float = result("Defender Total", id="SC-24", kind=Kind.NUMBER, note="The defender's grand total.")


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
        "Request",
        "Score Requests",
        id="SC-24",
        required=True,
        note="The war's request id, or its name if no other war has it.",
    )
    side: str = choice("Side", "Side", id="SC-24", required=True, decides=True, note="Attacker or Defender.")
    nation: str = reference(
        "Nation", "Score Nations", id="SC-01", required=True, decides=True, note="Whose scores count."
    )
    location: str | float = choice(
        "Location",
        "Location",
        id="SC-01",
        required=True,
        numeric=True,
        low=0,
        high=5,
        note="Where the war is, from the capital: 5 at its location, 4 next to it, 3 close, 2 far, 1 other side of the"
        " world, 0 Antarctica. The label, or the points as a number.",
    )
    tactical_advantage: str | float = choice(
        "Tactical advantage",
        "Tactical advantage",
        id="SC-02",
        default=1,
        numeric=True,
        low=1,
        high=5,
        note="1 open field, 2 high ground or ambush; a defender also 3 basic earthworks, 4 fortifications, 5 fortress."
        " The label, or the level as a number.",
    )
    belligerents: str = text(
        "Belligerents",
        id="SC-04",
        note="Name (letters), Name (letters)...: L leader +4, M military aid +3, S supplies +2, V vassal −1, W withdrew"
        " −1. Blank: the nation itself with L.",
    )
    motive: str = choice(
        "Motive", "Motive", id="SC-05", required=True, note="The one told to the army, when there are several."
    )
    navy_nearby: bool = yes_no("Navy nearby", id="SC-09", note="Yes: its navy is stationed near the war.")
    general: str = reference(
        "General", "Score Leaders", id="SC-03", default="", note="The commander, of the same nation; blank: none."
    )
    soldiers: float | None = number(
        "Soldiers",
        id="SC-13",
        low=LEAST_SOLDIERS,
        high=MOST,
        unit="people",
        note="More than 0, may be approximate; blank: unknown, and SC-13 is left out for both sides.",
    )
    declared_at: str | None = time_of_day(
        "Declared at",
        id="SC-11",
        note="UTC time at which this side declared or acknowledged the war; needed unless Chance is filled.",
    )
    opponent_edits: int | None = whole(
        "Opponent edits",
        id="SC-11",
        low=1,
        high=MOST,
        note="The opponent's wiki edit count at that moment; blank: the Edits of the opponent's nation.",
    )
    chance: int | None = whole(
        "Chance", id="SC-11", low=0, high=9, note="The moderator's value in place of SC-11; blank: worked out."
    )
    general_roll: int | None = whole(
        "General roll", id="SC-03a", low=0, high=9, note="The moderator's roll for the general's fate; blank: drawn."
    )
    leader_killed: bool = yes_no(
        "Leader killed", id="SC-OP-07", note="Yes: the moderator rules that this side's leader is killed, −10."
    )
    overrides: str = text(
        "Overrides",
        id="SC-OP-27",
        note="Factor=points; Factor=points. The moderator's points in place of a factor's, named on the receipt.",
    )
    total: float = result("Total", id="SC-24", kind=Kind.NUMBER, note="Grand total.")
    fate: str = result("Fate", id="SC-03a", note="Of the commander; blank without one.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSetting(SettingRow):
    """One row of the Score Settings tab: a number of the rules that this workbook overrides."""

    tab: ClassVar[TabDeclaration] = settings_tab("Score Settings")
