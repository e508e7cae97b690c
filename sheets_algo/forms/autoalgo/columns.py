"""Columns of the War Requests, Flanks, Leader Requests, Years and Autoalgo Settings tabs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from engine.autoalgo.inputs import Count
from engine.autoalgo.records import (
    EARLIEST_YEAR,
    GENERIC,
    LATEST_YEAR,
    NO_ARMS,
    PRINTED_YEAR,
    SIZE_MOST,
    Location,
    Military,
    Nation,
    Unit,
)
from engine.autoalgo.setup.ages import Age, TrainingWords
from engine.columns import (
    ColumnPlace,
    Kind,
    TabDeclaration,
    choice,
    colour,
    count,
    number,
    reference,
    references,
    result,
    text,
    whole,
    yes_no,
)
from sheets_algo.database.records import PREVIEW
from sheets_algo.forms.request_columns import (
    ACTION_NOTE,
    Request,
    asked_in_column,
    deadline_column,
    ends_war_column,
    part_of_column,
    request_tab,
)
from sheets_algo.forms.settings_tab import SettingRow, settings_tab

SIZES = "Army Size"
"""Value list of the words for an estimated size of an army (R-132)."""
SWITCH_SIDES = "Switch sides"
"""Action that exchanges the sides of a war (REQ-14)."""
REFIT = "Refit"
"""Action that fits the counts of flanks to the armies (REQ-23)."""
WAR_ACTIONS = {
    PREVIEW: "Draw the map of the war before its battle; nothing is ruled.",
    SWITCH_SIDES: "Exchange attacker and defender, and the sides of the flanks; nothing is ruled.",
    REFIT: "Write counts of flanks that fit the armies in place of those that do not; nothing is ruled.",
}
"""The actions of wars beside those of all requests, with their meanings."""

LINK_MOST = 50_000
"""Maximum number of characters of the link of a strategy board: as many as a cell of Google has."""

OLDEST = 120
"""Maximum age of a new leader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WarRequest(Request):
    """One row of the War Requests tab: one war."""

    tab: ClassVar[TabDeclaration] = replace(
        request_tab("War Requests", "One row is one war to be ruled.", one="war", title="war"),
        in_view=("request", "motive", "ready", "status", "message", "winner"),
    )

    war: str = text(
        "War",
        id="WAR-01",
        required=True,
        longest=20_000,
        decides=False,
        note="Name on the receipt; any text, wiki markup too.",
    )
    year: int = whole(
        "Year",
        id="WAR-02",
        low=EARLIEST_YEAR,
        high=LATEST_YEAR,
        required=True,
        unit="year",
        aliases=("Date", "War Year"),
        note=f"-3500 to {LATEST_YEAR}, under source to {PRINTED_YEAR}; years BC are negative. After 1914 {NO_ARMS}.",
    )
    attacker: tuple[str, ...] = reference(
        "Attacker",
        "Nations",
        id="WAR-03",
        also=(GENERIC,),
        required=True,
        several=True,
        note="The nation that attacks, or several with + between them, of which the first leads (WRS-02).",
    )
    attacker_military: tuple[str, ...] = reference(
        "Attacker Military",
        "Militaries",
        id="WAR-04",
        also=(GENERIC,),
        default="",
        several=True,
        words=SIZES,
        note="Its force, or several with + between them; may be blank when each nation has exactly one (R-130). Or a "
        "size: small, medium, large, host, ~5000, garrison or nobody (R-132).",
    )
    defender: tuple[str, ...] = reference(
        "Defender",
        "Nations",
        id="WAR-05",
        also=(GENERIC,),
        required=True,
        several=True,
        note="The nation that is attacked, or several likewise.",
    )
    defender_military: tuple[str, ...] = reference(
        "Defender Military",
        "Militaries",
        id="WAR-06",
        also=(GENERIC,),
        default="",
        several=True,
        words=SIZES,
        note="Its force, or several with + between them; may be blank when each nation has exactly one (R-130). Or a "
        "size: small, medium, large, host, ~5000, garrison or nobody (R-132).",
    )
    location: str = reference(
        "Location", "Locations", id="WAR-07", also=(GENERIC,), required=True, note="Where they fight."
    )
    motive: str = choice("Motive", "Motive", id="WAR-08", default="Conquest", note="One for both sides; moves morale.")
    terrain_map: str = choice(
        "Terrain Map",
        "Terrain",
        id="WAR-09",
        default="",
        note="Another map than the location's; blank: the location's.",
    )
    month: str | None = choice(
        "Month",
        "Month",
        id="WAR-17",
        note="When they fight; winter feeds fewer men and makes sieges harder (R-114). South of the equator type the "
        "month that has the same weather in the north. Blank: no winter.",
    )
    part_of: str = part_of_column()
    ends_war: bool = ends_war_column()
    action: str = choice(
        "Action", "War Action", id="REQ-02", default="Rule", place=ColumnPlace.CONTROL, note=ACTION_NOTE
    )
    attacker_strategy: str = text(
        "Attacker Strategy",
        id="WAR-16",
        longest=LINK_MOST,
        note="Without rows of its own in Flanks: the link of this side's strategy board, or the name in the column"
        " Strategy there, of rows to be used again.",
    )
    defender_strategy: str = text("Defender Strategy", id="WAR-16", longest=LINK_MOST, note="Likewise.")
    commit_stability: bool = yes_no(
        "Commit Stability",
        id="WAR-10",
        default=True,
        note="Yes: write the new stability, the fate of leaders and, in a season with losses = apply, the losses into "
        "the database. No: only into the receipt.",
    )
    taken_for: str = reference(
        "For",
        "Nations",
        id="WAR-18",
        default="",
        note="Of several nations that attack, the one that has the place if they take it; blank: the first (R-131).",
    )
    relief: str = text(
        "Relief",
        id="WAR-19",
        note="Men who relieve a besieged defender, and the day of the siege: 3,000 on day 20, or 0 for none. As many as"
        " the besiegers have even chances. Blank: what else the nation can arm may come, by luck (R-100).",
    )
    winner: str = result("Winner", id="WAR-11", note="The nation that won.")
    occupation: str = result(
        "Occupation",
        id="WAR-12",
        note="The occupation, a band and its number; of a defender who won, that nothing is taken.",
    )
    attacker_losses: str = result("Attacker Losses", id="WAR-13", note="Men lost, and what became of them (R-125).")
    defender_losses: str = result("Defender Losses", id="WAR-14", note="Men lost, and what became of them (R-125).")
    duration: str = result(
        "Duration",
        id="WAR-15",
        note="Of the fight, from the first blow to the decision, or of the siege; a day has 12 hours.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FlankRow:
    """One row of the Flanks tab: one flank of one side of one request, or several in a formation."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Flanks",
        one="flank",
        optional=True,
        told_by=("request", "side", "flank"),
        about="The strategy, optional: without rows a side gets three even flanks.",
    )

    request: str = reference(
        "Request",
        "War Requests",
        id="FLR-01",
        required=True,
        note="The request's id, or the war's name if no other war has it.",
    )
    side: str = choice("Side", "Side", id="FLR-02", required=True, note="Attacker or Defender.")
    flank: str = text("Flank", id="FLR-03", note="Label; blank: numbered.")
    x: float | None = number("X", id="FLR-04", low=0, high=399, note="Pixels from the map's left edge; blank: default.")
    y: float | None = number("Y", id="FLR-05", low=0, high=399, note="Pixels from the map's top edge; blank: default.")
    infantry: Count = count(
        "Infantry",
        id="FLR-06",
        unit="people",
        note="Men, or a share of the army's infantry such as 40 %, which follows its size; blank on every flank: evenly"
        " divided (R-124).",
    )
    cavalry: Count = count("Cavalry", id="FLR-07", unit="people", note="Men, or a share.")
    artillery: Count = count("Artillery", id="FLR-08", unit="people", note="Men, or a share.")
    ships: Count = count("Ships", id="FLR-09", unit="ships", note="Ships, or a share.")
    maneuver: str = choice(
        "Maneuver",
        "Maneuver",
        id="FLR-10",
        default="",
        note="How the flank fights. Blank: Normal; of a defender who has works, Position (R-86).",
    )
    flanks: int | None = whole(
        "Flanks",
        id="FLR-19",
        low=1,
        high=99,
        note="Flanks that this row stands for, with its men divided over them; blank: one.",
    )
    formation: str = choice(
        "Formation", "Formation", id="FLR-20", default="", note="How they stand around X, Y; blank: in a line."
    )
    to_x: float | None = number(
        "To X", id="FLR-21", low=0, high=399, note="End of a line that begins at X, Y; blank: a formation."
    )
    to_y: float | None = number("To Y", id="FLR-22", low=0, high=399, note="Likewise.")
    strategy: str = text(
        "Strategy", id="FLR-23", note="A name for this side's rows, by which other wars can use them again."
    )
    military: tuple[str, ...] = reference(
        "Military",
        "Militaries",
        id="FLR-25",
        default="",
        several=True,
        note="Of a side of several armies, the one whose flank this is; blank: a flank of each army that has no row of"
        " its own (R-130).",
    )
    message: str = result(
        "Message",
        id="FLR-24",
        place=ColumnPlace.STATUS,
        note="Of a row that belongs to no war: the wars that wait for it, why, and what to do.",
    )
    end_x: float = result("End X", id="FLR-11", note="Where it ended, pixels.")
    end_y: float = result("End Y", id="FLR-12", note="Where it ended, pixels.")
    end_infantry: int = result("End Infantry", id="FLR-13", note="Men left.")
    end_cavalry: int = result("End Cavalry", id="FLR-14", note="Men left.")
    end_artillery: int = result("End Artillery", id="FLR-15", note="Men left.")
    end_ships: int = result("End Ships", id="FLR-16", note="Ships afloat.")
    end_morale: float = result("End Morale", id="FLR-17", note="Morale left.")
    end_status: str = result("End Status", id="FLR-18", note="Inactive, Routed, Retreating, Ready or Idle (STRAT-10).")


@dataclass(frozen=True, slots=True, kw_only=True)
class NationRow(Nation):
    """One row of the Nations tab as people see it: a nation, its Age, and its colour and player, which rule nothing."""

    tab: ClassVar[TabDeclaration] = replace(Nation.tab, in_view=("stability", "player", "age"))

    color: tuple[int, int, int] | None = colour(
        "Color",
        id="NAT-27",
        lenient=True,
        aliases=("Colour", "Flag Color", "Flag Colour"),
        note="Colour of the nation's flag in battle pictures: #rrggbb or a name. It changes no ruling.",
    )
    player: str = text(
        "Player",
        id="NAT-28",
        aliases=("Players", "Discord"),
        note=(
            "Who plays the nation, for posts: the Discord id of a player (18 digits or so, as text), whom posts of its"
            " wars mention, or a name; several with ; between them. It changes no ruling."
        ),
    )
    contact: str = text(
        "Contact",
        id="NAT-30",
        longest=1_000,
        note="Addresses of its players, with ; between them: from these a Form's requests for it are taken (YRS-15).",
    )
    age: str = choice(
        "Age",
        "Age",
        id="NAT-29",
        default="",
        note=(
            "Time and part of the world. It fills what is blank: Religion, Ethnicity, both governments, Civilization"
            " Type, Diet, Domesticated Animals, Medicine, Writing, Urban Population and Steel Production here, the"
            " units and proportions of forces whose first Nation this is, and the Road System of a location that the"
            f" nation defends. What you type counts before it. The last Age ends in 1914: {NO_ARMS}."
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LocationRow(Location):
    """One row of the Locations tab as people see it: a place, and its pixel on the map of the game."""

    map_x: int | None = whole(
        "Map X",
        id="LOC-20",
        low=0,
        lenient=True,
        unit="pixel",
        note="A pixel inside its area on the map of the game, counted from the left. It changes no ruling.",
    )
    map_y: int | None = whole(
        "Map Y", id="LOC-21", low=0, lenient=True, unit="pixel", note="Likewise, counted from the top."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MilitaryRow(Military):
    """One row of the Militaries tab as people see it: a force, and how well its men are trained.

    The training is an input of a ruling as that of the force's units (`trained`), so a blank one changes nothing.
    """

    tab: ClassVar[TabDeclaration] = replace(Military.tab, in_view=("leader", "tactical_training"))

    tactical_training: str | float | None = choice(
        "Tactical Training",
        "Training",
        id="MIL-15",
        numeric=True,
        low=0,
        high=10,
        aliases=("Training",),
        note=(
            "Discipline and skill of these men: a word, or a number from 0 to 10, where 5 is average. If blank, that of"
            " each unit counts. Few columns decide more."
        ),
    )

    keep: int | None = whole(
        "Keep",
        id="MIL-17",
        low=0,
        high=SIZE_MOST,
        unit="people",
        note="Men whom the nation keeps under arms, which a year's recruits near (YRS-05). If blank, at least the Size"
        " at the beginning of the season.",
    )

    def trained(self, units: Iterable[Unit | None], words: TrainingWords, age: Age | None) -> tuple[Unit | None, ...]:
        """Return the units of this force, with its training if one is typed, a word's by the Age (MIL-15)."""
        if self.tactical_training is None:
            return tuple(units)
        number = words.number(self.tactical_training, age)
        return tuple(unit and replace(unit, tactical_training=number) for unit in units)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderRequest(Request):
    """One row of the Leader Requests tab: one new leader."""

    tab: ClassVar[TabDeclaration] = request_tab(
        "Leader Requests",
        "Optional: one row draws the skills of a new leader and adds it to Leaders.",
        one="leader",
        optional=True,
    )

    leader: str = text(
        "Leader", id="LDR-21", required=True, longest=200, makes="Leaders", note="A name that is not in Leaders yet."
    )
    nation: tuple[str, ...] = references(
        "Nation", "Nations", id="LDR-22", required=True, note="Nations to serve, with ; between them."
    )
    year: int = whole(
        "Year",
        id="LDR-23",
        low=EARLIEST_YEAR,
        high=LATEST_YEAR,
        required=True,
        unit="year",
        note="The present year; with the age it gives the birth year.",
    )
    age: int = whole("Age", id="LDR-24", low=0, high=OLDEST, required=True, unit="years", note="In that year.")
    trait: str = choice("Strongest Trait", "Trait", id="LDR-25", required=True, note="The skill that is set high.")
    trait_value: int = whole("Trait Value", id="LDR-26", low=0, high=10, default=9, note="What it is set to.")
    others_most: int = whole(
        "Others Up To", id="LDR-27", low=0, high=10, default=8, note="Each other skill is drawn from 0 to this."
    )
    skills: str = result("Skills", id="LDR-28", note="The seven skills.")


@dataclass(frozen=True, slots=True, kw_only=True)
class YearRequest(Request):
    """One row of the Years tab: one year of the game."""

    tab: ClassVar[TabDeclaration] = request_tab(
        "Years",
        "Optional: one row ends one year: men return and are recruited, leaders age, states recover.",
        one="year",
        optional=True,
    )

    year: int = whole(
        "Year",
        id="YRS-01",
        low=EARLIEST_YEAR,
        high=LATEST_YEAR,
        required=True,
        unit="year",
        note="The year that ends. Years without a row of their own end with the next one.",
    )
    deadline: str = deadline_column(id="YRS-03", note="When Ready is ticked by itself, UTC: 2026-11-28 20:00.")
    asked_in: str = asked_in_column()
    returned: int = result("Returned", id="YRS-04", kind=Kind.WHOLE, note="Wounded men and prisoners who came back.")
    recruits: int = result("Recruits", id="YRS-05", kind=Kind.WHOLE, note="Men recruited, without those sent home.")
    deserted: int = result("Deserted", id="YRS-10", kind=Kind.WHOLE, note="Men who deserted.")
    deaths: str = result("Deaths", id="YRS-08", note="Leaders who died; heirs follow.")
    revolts: str = result("Revolts", id="YRS-11", note="Nations with a revolt, and its men. War Requests has a row.")
    peace: str = result("Peace", id="YRS-13", note="Places, capitals and tribute by a peace.")


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoalgoSetting(SettingRow):
    """One row of the Autoalgo Settings tab: a value of the tables that this workbook overrides."""

    tab: ClassVar[TabDeclaration] = settings_tab("Autoalgo Settings")
