"""Columns of the War Requests, Flanks, Leader Requests, Years and Autoalgo Settings tabs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from engine.autoalgo.inputs import Count
from engine.autoalgo.records import (
    GENERIC,
    LATEST_YEAR,
    NO_ARMS,
    PRINTED_YEAR,
    SIZE_MOST,
    Location,
    Military,
    Nation,
    Unit,
    dated,
)
from engine.columns import (
    ColumnPlace,
    Kind,
    TabDeclaration,
    choice,
    colour,
    count,
    listed,
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

training = partial(choice, "Tactical Training", "Training", numeric=True, low=0, high=10, aliases=("Training",))
"""Declare a column of training, a word or a number (MIL-15)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WarRequest(Request):
    """One row of the War Requests tab: one war."""

    tab: ClassVar[TabDeclaration] = replace(
        request_tab("War Requests", "One row is one war to be ruled.", one="war", title="war"),
        in_view=("request", "motive", "ready", "status", "message", "winner"),
    )

    war: str = text(
        "War", "WAR-01", "Name on the receipt; any text, wiki markup too.", required=True, longest=20_000, decides=False
    )
    year: int = dated(
        "Year",
        "WAR-02",
        f"-3500 to {LATEST_YEAR}, under source to {PRINTED_YEAR}; years BC are negative. After 1914 {NO_ARMS}.",
        aliases=("Date", "War Year"),
    )
    attacker: tuple[str, ...] = reference(
        "Attacker",
        "Nations",
        "WAR-03",
        "The nation that attacks, or several with + between them, of which the first leads (WRS-02).",
        also=(GENERIC,),
        required=True,
        several=True,
    )
    attacker_military: tuple[str, ...] = reference(
        "Attacker Military",
        "Militaries",
        "WAR-04",
        "Its force, or several with + between them; may be blank when each nation has exactly one (R-130). Or a "
        "size: small, medium, large, host, ~5000, garrison or nobody (R-132).",
        also=(GENERIC,),
        default="",
        several=True,
        words=SIZES,
    )
    defender: tuple[str, ...] = reference(
        "Defender",
        "Nations",
        "WAR-05",
        "The nation that is attacked, or several likewise.",
        also=(GENERIC,),
        required=True,
        several=True,
    )
    defender_military: tuple[str, ...] = reference(
        "Defender Military",
        "Militaries",
        "WAR-06",
        "Its force, or several with + between them; may be blank when each nation has exactly one (R-130). Or a "
        "size: small, medium, large, host, ~5000, garrison or nobody (R-132).",
        also=(GENERIC,),
        default="",
        several=True,
        words=SIZES,
    )
    location: str = reference("Location", "Locations", "WAR-07", "Where they fight.", also=(GENERIC,), required=True)
    motive: str = listed("Motive", "WAR-08", "One for both sides; moves morale.", default="Conquest")
    terrain_map: str = choice(
        "Terrain Map", "Terrain", "WAR-09", "Another map than the location's; blank: the location's.", default=""
    )
    month: str | None = listed(
        "Month",
        "WAR-17",
        "When they fight; winter feeds fewer men and makes sieges harder (R-114). South of the equator type the "
        "month that has the same weather in the north. Blank: no winter.",
    )
    part_of: str = part_of_column()
    ends_war: bool = ends_war_column()
    action: str = choice("Action", "War Action", "REQ-02", ACTION_NOTE, default="Rule", place=ColumnPlace.CONTROL)
    attacker_strategy: str = text(
        "Attacker Strategy",
        "WAR-16",
        "Without rows of its own in Flanks: the link of this side's strategy board, or the name in the column"
        " Strategy there, of rows to be used again.",
        longest=LINK_MOST,
    )
    defender_strategy: str = text("Defender Strategy", "WAR-16", "Likewise.", longest=LINK_MOST)
    commit_stability: bool = yes_no(
        "Commit Stability",
        "WAR-10",
        "Yes: write the new stability, the fate of leaders and, in a season with losses = apply, the losses into "
        "the database. No: only into the receipt.",
        default=True,
    )
    taken_for: str = reference(
        "For",
        "Nations",
        "WAR-18",
        "Of several nations that attack, the one that has the place if they take it; blank: the first (R-131).",
        default="",
    )
    relief: str = text(
        "Relief",
        "WAR-19",
        "Men who relieve a besieged defender, and the day of the siege: 3,000 on day 20, or 0 for none. As many as"
        " the besiegers have even chances. Blank: what else the nation can arm may come, by luck (R-100).",
    )
    winner: str = result("Winner", "WAR-11", "The nation that won.")
    occupation: str = result(
        "Occupation", "WAR-12", "The occupation, a band and its number; of a defender who won, that nothing is taken."
    )
    attacker_losses: str = result("Attacker Losses", "WAR-13", "Men lost, and what became of them (R-125).")
    defender_losses: str = result("Defender Losses", "WAR-14", "Men lost, and what became of them (R-125).")
    duration: str = result(
        "Duration", "WAR-15", "Of the fight, from the first blow to the decision, or of the siege; a day has 12 hours."
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
        "FLR-01",
        "The request's id, or the war's name if no other war has it.",
        required=True,
    )
    side: str = listed("Side", "FLR-02", "Attacker or Defender.", required=True)
    flank: str = text("Flank", "FLR-03", "Label; blank: numbered.")
    x: float | None = number("X", "FLR-04", "Pixels from the map's left edge; blank: default.", high=399)
    y: float | None = number("Y", "FLR-05", "Pixels from the map's top edge; blank: default.", high=399)
    infantry: Count = count(
        "Infantry",
        "FLR-06",
        "Men, or a share of the army's infantry such as 40 %, which follows its size; blank on every flank: evenly"
        " divided (R-124).",
        unit="people",
    )
    cavalry: Count = count("Cavalry", "FLR-07", "Men, or a share.", unit="people")
    artillery: Count = count("Artillery", "FLR-08", "Men, or a share.", unit="people")
    ships: Count = count(
        "Ships", "FLR-09", "Ships, or a share; blank: divided as the men are, under source evenly (R-58).", unit="ships"
    )
    maneuver: str = listed(
        "Maneuver",
        "FLR-10",
        "How the flank fights. Blank: Normal; of a defender who has works, Position (R-86).",
        default="",
    )
    flanks: int | None = whole(
        "Flanks",
        "FLR-19",
        "Flanks that this row stands for, with its men divided over them; blank: one.",
        low=1,
        high=99,
    )
    formation: str = listed("Formation", "FLR-20", "How they stand around X, Y; blank: in a line.", default="")
    to_x: float | None = number("To X", "FLR-21", "End of a line that begins at X, Y; blank: a formation.", high=399)
    to_y: float | None = number("To Y", "FLR-22", "Likewise.", high=399)
    strategy: str = text("Strategy", "FLR-23", "A name for this side's rows, by which other wars can use them again.")
    military: tuple[str, ...] = reference(
        "Military",
        "Militaries",
        "FLR-25",
        "Of a side of several armies, the one whose flank this is; blank: a flank of each army that has no row of"
        " its own (R-130).",
        default="",
        several=True,
    )
    message: str = result(
        "Message",
        "FLR-24",
        "Of a row that belongs to no war: the wars that wait for it, why, and what to do.",
        place=ColumnPlace.STATUS,
    )
    end_x: float = result("End X", "FLR-11", "Where it ended, pixels.")
    end_y: float = result("End Y", "FLR-12", "Where it ended, pixels.")
    end_infantry: int = result("End Infantry", "FLR-13", "Men left.")
    end_cavalry: int = result("End Cavalry", "FLR-14", "Men left.")
    end_artillery: int = result("End Artillery", "FLR-15", "Men left.")
    end_ships: int = result("End Ships", "FLR-16", "Ships afloat.")
    end_morale: float = result("End Morale", "FLR-17", "Morale left.")
    end_status: str = result("End Status", "FLR-18", "Inactive, Routed, Retreating, Ready or Idle (STRAT-10).")


@dataclass(frozen=True, slots=True, kw_only=True)
class NationRow(Nation):
    """One row of the Nations tab as people see it: a nation, its Age, and its colour and player, which rule nothing."""

    tab: ClassVar[TabDeclaration] = replace(Nation.tab, in_view=("stability", "player", "age"))

    color: tuple[int, int, int] | None = colour(
        "Color",
        "NAT-27",
        "Colour of the nation's flag in battle pictures: #rrggbb or a name. It changes no ruling.",
        lenient=True,
        aliases=("Colour", "Flag Color", "Flag Colour"),
    )
    player: str = text(
        "Player",
        "NAT-28",
        "Who plays the nation, for posts: the Discord id of a player (18 digits or so, as text), whom posts of its"
        " wars mention, or a name; several with ; between them. It changes no ruling.",
        aliases=("Players", "Discord"),
    )
    contact: str = text(
        "Contact",
        "NAT-30",
        "Addresses of its players, with ; between them: from these a Form's requests for it are taken (YRS-15).",
        longest=1_000,
    )
    age: str = listed(
        "Age",
        "NAT-29",
        "Time and part of the world. It fills what is blank: Religion, Ethnicity, both governments, Civilization"
        " Type, Diet, Domesticated Animals, Medicine, Writing, Urban Population and Steel Production here, the"
        " units and proportions of forces whose first Nation this is, and the Road System of a location that the"
        f" nation defends. What you type counts before it. The last Age ends in 1914: {NO_ARMS}.",
        default="",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LocationRow(Location):
    """One row of the Locations tab as people see it: a place, and its pixel on the map of the game."""

    map_x: int | None = whole(
        "Map X",
        "LOC-20",
        "A pixel inside its area on the map of the game, counted from the left. It changes no ruling.",
        lenient=True,
        unit="pixel",
    )
    map_y: int | None = whole("Map Y", "LOC-21", "Likewise, counted from the top.", lenient=True, unit="pixel")


@dataclass(frozen=True, slots=True, kw_only=True)
class MilitaryRow(Military):
    """One row of the Militaries tab as people see it: a force, and how well its men are trained.

    The training is an input of a ruling as that of the force's units, so a blank one changes nothing.
    """

    tab: ClassVar[TabDeclaration] = replace(Military.tab, in_view=("leader", "tactical_training"))

    tactical_training: str | float | None = training(
        "MIL-15",
        "Discipline and skill of these men: a word, or a number from 0 to 10, where 5 is average. If blank, that of"
        " each unit counts. Few columns decide more.",
    )

    keep: int | None = whole(
        "Keep",
        "MIL-17",
        "Men whom the nation keeps under arms, which a year's recruits near (YRS-05). If blank, at least the Size"
        " at the beginning of the season.",
        high=SIZE_MOST,
        unit="people",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitRow(Unit):
    """One row of the Units tab as people see it: a unit, whose training may be a word until a force names it."""

    tactical_training: str | float = training(  # type: ignore[assignment]
        "UNIT-11",
        "Discipline and skill: a word, or a number from 0 to 10, where 5 is average. Few columns decide more.",
        default=5,
    )


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
        "Leader", "LDR-21", "A name that is not in Leaders yet.", required=True, longest=200, makes="Leaders"
    )
    nation: tuple[str, ...] = references(
        "Nation", "Nations", "LDR-22", "Nations to serve, with ; between them.", required=True
    )
    year: int = dated(
        "Year",
        "LDR-23",
        "The present year; with the age it gives the birth year.",
    )
    age: int = whole("Age", "LDR-24", "In that year.", high=OLDEST, required=True, unit="years")
    trait: str = choice("Strongest Trait", "Trait", "LDR-25", "The skill that is set high.", required=True)
    trait_value: int = whole("Trait Value", "LDR-26", "What it is set to.", high=10, default=9)
    others_most: int = whole("Others Up To", "LDR-27", "Each other skill is drawn from 0 to this.", high=10, default=8)
    skills: str = result("Skills", "LDR-28", "The seven skills.")


@dataclass(frozen=True, slots=True, kw_only=True)
class YearRequest(Request):
    """One row of the Years tab: one year of the game."""

    tab: ClassVar[TabDeclaration] = request_tab(
        "Years",
        "Optional: one row ends one year: men return and are recruited, leaders age, states recover.",
        one="year",
        optional=True,
    )

    year: int = dated(
        "Year",
        "YRS-01",
        "The year that ends. Years without a row of their own end with the next one.",
    )
    deadline: str = deadline_column(id="YRS-03", note="When Ready is ticked by itself, UTC: 2026-11-28 20:00.")
    asked_in: str = asked_in_column()
    returned: int = result("Returned", "YRS-04", "Wounded men and prisoners who came back.", kind=Kind.WHOLE)
    recruits: int = result("Recruits", "YRS-05", "Men recruited, without those sent home.", kind=Kind.WHOLE)
    deserted: int = result("Deserted", "YRS-10", "Men who deserted.", kind=Kind.WHOLE)
    deaths: str = result("Deaths", "YRS-08", "Leaders who died; heirs follow.")
    revolts: str = result("Revolts", "YRS-11", "Nations with a revolt, and its men. War Requests has a row.")
    peace: str = result("Peace", "YRS-13", "Places, capitals and tribute by a peace.")


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoalgoSetting(SettingRow):
    """One row of the Autoalgo Settings tab: a value of the tables that this workbook overrides."""

    tab: ClassVar[TabDeclaration] = settings_tab("Autoalgo Settings")
