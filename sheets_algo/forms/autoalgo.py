"""Wars: the War Requests and Flanks tabs, and what must hold between a request and the rows it names."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.autoalgo.bands import legend_list, occupation_list, stability_list
from engine.autoalgo.inputs import SIDES, Belligerent, FlankOrder, WarInputs
from engine.autoalgo.records import (
    EARLIEST_YEAR,
    GENERIC,
    LATEST_YEAR,
    NONE_ON_PURPOSE,
    Leader,
    Location,
    Military,
    Nation,
    Unit,
)
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.strategy import StrategyProblem, flank_table, has_water, ship_number, strategy_message
from engine.autoalgo.tables import SETTABLE_WORDS, Tables
from engine.fields import Tab, ValueList, choice, columns, loosely, number, reference, result, text, whole, yes_no
from engine.terrain import Feature, TerrainMap
from engine.words import nearest
from sheets_algo.book import Book, Vocabulary
from sheets_algo.forms.base import Filled, Form, Legend, Reading, Request, request_id
from sheets_algo.forms.settings import SchemaCheck, SettingRow, SettingsTab
from sheets_algo.maps import BadMap, MapFolder
from sheets_algo.problems import Problem, one_of
from sheets_algo.tables import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class WarRequest(Request):
    """One row of the War Requests tab: one war."""

    tab: ClassVar[Tab] = Tab(
        "War Requests",
        key="request",
        one="request",
        unique=False,  # two rows with one id are the desk's to tell (REQ-01)
        about="One row is one war to be ruled.",
    )

    war: str = text(
        "War", id="WAR-01", required=True, longest=20_000, note="Name on the receipt; any text, wiki markup too."
    )
    year: int = whole(
        "Year",
        id="WAR-02",
        low=EARLIEST_YEAR,
        high=LATEST_YEAR,
        required=True,
        unit="year",
        aliases=("Date", "War Year"),
        note="-3500 to 2020; years BC are negative.",
    )
    attacker: str = reference(
        "Attacker", "Nations", id="WAR-03", also=(GENERIC,), required=True, note="The nation that attacks."
    )
    attacker_military: str = reference(
        "Attacker Military",
        "Militaries",
        id="WAR-04",
        also=(GENERIC,),
        default="",
        note="Its force; may be blank when the nation has exactly one.",
    )
    defender: str = reference(
        "Defender", "Nations", id="WAR-05", also=(GENERIC,), required=True, note="The nation that is attacked."
    )
    defender_military: str = reference(
        "Defender Military",
        "Militaries",
        id="WAR-06",
        also=(GENERIC,),
        default="",
        note="Its force; may be blank when the nation has exactly one.",
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
    commit_stability: bool = yes_no(
        "Commit Stability",
        id="WAR-10",
        default=True,
        note="Yes: write the new stability and the fate of leaders into the database. No: only into the receipt.",
    )
    winner: str = result("Winner", id="WAR-11", note="The nation that won.")
    occupation: str = result("Occupation", id="WAR-12", note="Occupation result and its band.")
    attacker_losses: str = result("Attacker Losses", id="WAR-13", note="Killed, died and captured, of how many.")
    defender_losses: str = result("Defender Losses", id="WAR-14", note="Killed, died and captured, of how many.")
    duration: str = result("Duration", id="WAR-15", note="Of the battle; a day has 12 hours.")


@dataclass(frozen=True, slots=True, kw_only=True)
class FlankRow:
    """One row of the Flanks tab: one flank of one side of one request."""

    tab: ClassVar[Tab] = Tab(
        "Flanks",
        one="flank",
        optional=True,
        about="The strategy, optional: without rows a side gets three even flanks.",
    )

    request: str = reference("Request", "War Requests", id="FLR-01", required=True, note="The request's id.")
    side: str = choice("Side", "Side", id="FLR-02", required=True, note="Attacker or Defender.")
    flank: str = text("Flank", id="FLR-03", note="Label; blank: numbered.")
    x: float | None = number("X", id="FLR-04", low=0, high=399, note="Pixels from the map's left edge; blank: default.")
    y: float | None = number("Y", id="FLR-05", low=0, high=399, note="Pixels from the map's top edge; blank: default.")
    infantry: int | None = whole(
        "Infantry", id="FLR-06", low=0, unit="people", note="Men; all four counts blank on every flank: evenly divided."
    )
    cavalry: int | None = whole("Cavalry", id="FLR-07", low=0, unit="people", note="Men.")
    artillery: int | None = whole("Artillery", id="FLR-08", low=0, unit="people", note="Men.")
    ships: int | None = whole("Ships", id="FLR-09", low=0, unit="ships", note="Ships.")
    maneuver: str = choice("Maneuver", "Maneuver", id="FLR-10", default="Normal", note="How the flank fights.")
    end_x: float = result("End X", id="FLR-11", note="Where it ended, pixels.")
    end_y: float = result("End Y", id="FLR-12", note="Where it ended, pixels.")
    end_infantry: int = result("End Infantry", id="FLR-13", note="Men left.")
    end_cavalry: int = result("End Cavalry", id="FLR-14", note="Men left.")
    end_artillery: int = result("End Artillery", id="FLR-15", note="Men left.")
    end_ships: int = result("End Ships", id="FLR-16", note="Ships afloat.")
    end_morale: float = result("End Morale", id="FLR-17", note="Morale left.")
    end_status: str = result("End Status", id="FLR-18", note="Inactive, Routed, Retreating, Ready or Idle (STRAT-10).")


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoalgoSetting(SettingRow):
    """One row of the Autoalgo Settings tab: a number of the tables that this workbook has otherwise."""

    tab: ClassVar[Tab] = Tab(
        "Autoalgo Settings",
        key="name",
        one="setting",
        unique=False,  # one number has many spellings, so the reader looks for it (SET-01)
        optional=True,
        about="Optional: numbers of the rules that this game has otherwise, by name.",
    )


class WarReading(Reading):
    """Reads one war with the workbook's own numbers (SET-03)."""

    def __init__(self, book: Book, tables: Tables, maps: MapFolder) -> None:
        super().__init__(book)
        self.tables = tables
        self.maps = maps


class AutoalgoForm(Form[WarInputs]):
    """How a war is read.

    Args:
        raw: The ruleset's parsed tables.
        open_maps: Gives the maps folder for a legend.
        schema: What the schemas say of a table that settings changed.
    """

    key = "autoalgo"
    prefix = "W-"
    request = WarRequest
    parts = (FlankRow,)
    database = (Nation, Military, Location, Leader, Unit, AutoalgoSetting)
    inputs = WarInputs
    ruleset: Autoalgo

    def __init__(
        self, raw: Mapping[str, Any], open_maps: Callable[[Sequence[Feature]], MapFolder], schema: SchemaCheck
    ) -> None:
        self.tables = Tables.of(raw)
        self.ruleset = Autoalgo(self.tables)
        self.settings = SettingsTab(AutoalgoSetting, raw, SETTABLE_WORDS, schema, self.ruleset.tables_having)
        self._open_maps = open_maps
        self._folders: dict[tuple[tuple[int, int, int], ...], MapFolder] = {}
        self.vocabulary = Vocabulary(
            lists={**self.tables.lists, "Terrain": self._terrains()},
            builtin={"Units": self.tables.units},
            spellings={"Units": self.tables.unit_aliases},
            checks={
                Nation: (not_reserved,),
                Military: (not_reserved, proportions_fit, proportions_given),
                Location: (not_reserved,),
                Leader: (not_reserved,),
            },
        )

    def read(self, row: Row, book: Book) -> Filled[WarInputs]:
        """One war with everything it names.

        Raises:
            Rejected: With every problem.
        """
        own = self.settings.read(book)
        tables = self.ruleset.tables_having(own.settings)
        reading = WarReading(book, tables, self._maps(tables))
        reading.add(*own.problems)
        asked = reading.row(row, WarRequest)
        year = asked.values.get("year")
        location = self._location(reading, asked.values.get("location"))
        terrain = self._terrain(reading, row, asked.values, location)
        attacker, defender = (self._side(reading, row, asked.values, side, year, terrain) for side in SIDES)
        reading.add(*_against_itself(row, asked.values))
        if asked.record is None or attacker is None or defender is None or location is None or terrain is None:
            reading.finish()
            raise AssertionError("a part is missing without a problem")  # a bug of this form
        rows, orders = self._orders(reading, request_id(row))
        war = WarInputs(
            name=asked.record.war,
            year=asked.record.year,
            motive=asked.record.motive,
            attacker=dataclasses.replace(attacker, flanks=orders["Attacker"]),
            defender=dataclasses.replace(defender, flanks=orders["Defender"]),
            location=location,
            terrain=terrain,
            commit_stability=asked.record.commit_stability,
            settings=own.settings,
            seed_given=asked.record.seed is not None,
        )
        reading.add(*self._debts(row, war, book))
        remarks = tuple(self._strategy(reading, row, war, side, rows[SIDES[side]]) for side in (0, 1))
        return Filled(war, remarks, reading.finish(), {FlankRow.tab.name: [*rows["Attacker"], *rows["Defender"]]})

    def check(self, book: Book) -> Iterator[Problem]:
        """Database tabs, leaders' nations, and flanks of requests that do not exist."""
        yield from super().check(book)
        yield from book.problems_of(FlankRow)

    def legends(self) -> Sequence[Legend]:
        """RCPT-03: the bands of occupation and stability, and the colours of the maps."""
        colours = tuple(feature.rgb for feature in self.tables.terrain)
        return (
            Legend("Occupation results", occupation_list(self.tables), columns=("Occupation",)),
            Legend("Stability", stability_list(self.tables), columns=("Stability",)),
            Legend("Terrain colours of a map", legend_list(self.tables), colours, columns=("Terrain Map", "Terrain")),
        )

    def complete(self, frozen: dict[str, Any]) -> None:
        """A map is frozen as its name and digest: put the picture back, if it is still the same.

        Raises:
            ValueError: It is gone or another picture, or a setting names no place of the tables any more.
        """
        tables = self.ruleset.tables_having(self.settings.thawed(frozen))
        named = frozen["terrain"]
        terrain = self._maps(tables).load(named["name"])
        if terrain.digest != named["digest"]:
            raise ValueError(f'the terrain map "{terrain.name}" is no longer the picture this war was fought on')
        named["codes"] = terrain.codes

    def _maps(self, tables: Tables) -> MapFolder:
        """The maps as the legend reads them, whose colours settings may change; one folder for each legend."""
        colours = tuple(feature.rgb for feature in tables.terrain)
        if colours not in self._folders:
            self._folders[colours] = self._open_maps(tables.terrain)
        return self._folders[colours]

    def _terrains(self) -> ValueList:
        listed = self.tables.lists.get("Terrain")
        names = self._maps(self.tables).names
        return ValueList("Terrain", names, listed.meanings if listed else {}, listed.aliases if listed else {})

    def _side(
        self,
        reading: WarReading,
        row: Row,
        asked: Mapping[str, Any],
        side: str,
        year: int | None,
        terrain: TerrainMap | None,
    ) -> Belligerent | None:
        column = side.lower()
        nation = self._nation(reading, row, asked.get(column), column, year)
        force, military = self._military(reading, row, asked, column)
        if nation is None or military is None:
            return None
        military = self._with_basic_unit(military)
        units = tuple(self._unit(reading, name) for name in _unit_names(military))
        leaders = [reading.named(Leader, name) if name else None for name in (military.leader, nation.leader)]
        reading.add(*_doubtful_leaders(reading.book, row, nation, military, leaders))
        own = Belligerent(
            nation=nation,
            military=military,
            units=(units[0], units[1], units[2], units[3]),
            military_leader=leaders[0],
            national_leader=leaders[1],
        )
        if force is not None:
            reading.add(*_no_room(force, own, terrain, reading.tables))
        return own

    def _nation(self, reading: WarReading, row: Row, name: str | None, column: str, year: int | None) -> Nation | None:
        if name == GENERIC:
            return reading.tables.defaults.nation(year) if year is not None else None
        if name is None:
            return None
        nation = reading.named(Nation, name)
        if nation and year is not None:
            reading.add(*_years_to_come(reading.book.find(Nation, name)[0], nation, year))
        return nation

    def _military(
        self, reading: WarReading, row: Row, asked: Mapping[str, Any], column: str
    ) -> tuple[Row | None, Military | None]:
        """The named force of the named nation with its row; without a name the nation's only one (DB-10)."""
        nation, name = asked.get(column), asked.get(f"{column}_military")
        if name == GENERIC or (nation == GENERIC and name is None):
            return None, reading.tables.defaults.military
        if nation is None or (name is None and not row.is_blank(f"{column}_military")):
            return None, None  # said already: the nation is wrong, or the military's name
        book = reading.book
        own = book.table(Military).listing("nation", nation)
        found = own if name is None else [force for force in own if loosely(force.name) == loosely(name)]
        if len(found) == 1:
            return found[0], reading.row(found[0], Military).record
        reading.add(_no_single_force(row, f"{column}_military", nation, name, own, found))
        return None, None

    def _debts(self, row: Row, war: WarInputs, book: Book) -> Iterator[Problem]:
        """DB-16: an attacker in debt."""
        nation = war.attacker.nation
        if nation.revenue == self.tables.scores.worst("Revenue"):
            found = book.find(Nation, nation.name)
            says = f"{nation.name} attacks while in debt (Revenue {nation.revenue})"
            yield (found[0] if found else row).warning("revenue" if found else "attacker", "DB-16", says)

    def _with_basic_unit(self, military: Military) -> Military:
        """MD-03: without any type the whole force is infantry of the basic unit."""
        if military.infantry_type or military.cavalry_type or military.artillery_type:
            return military
        return dataclasses.replace(military, infantry_type=self.tables.basic_unit, infantry_proportion=1.0)

    def _unit(self, reading: WarReading, name: str) -> Unit | None:
        if name in ("", NONE_ON_PURPOSE):
            return None
        return reading.named(Unit, name) if reading.book.find(Unit, name) else reading.tables.units.get(name)

    def _location(self, reading: WarReading, name: str | None) -> Location | None:
        if name == GENERIC:
            return reading.tables.defaults.location
        return reading.named(Location, name) if name is not None else None

    def _terrain(
        self, reading: WarReading, row: Row, asked: Mapping[str, Any], location: Location | None
    ) -> TerrainMap | None:
        name = asked.get("terrain_map") or (location.terrain if location else None)
        if name is None:
            return None
        try:
            return reading.maps.load(name)
        except BadMap as bad:
            reading.add(
                row.problem("terrain_map" if "terrain_map" in asked else "location", "MAP-03", str(bad).rstrip("."))
            )
            return None

    def _orders(
        self, reading: Reading, request: str
    ) -> tuple[Mapping[str, list[Row]], Mapping[str, tuple[FlankOrder, ...]]]:
        """The request's flanks by side: their rows and what they order."""
        rows: dict[str, list[Row]] = {side: [] for side in SIDES}
        orders: dict[str, list[FlankOrder]] = {side: [] for side in SIDES}
        for row in reading.rows_of(FlankRow, request) if request else ():
            flank = reading.row(row, FlankRow).record
            if flank is not None:
                rows[flank.side].append(row)
                orders[flank.side].append(
                    FlankOrder(
                        label=flank.flank,
                        x=flank.x,
                        y=flank.y,
                        infantry=flank.infantry,
                        cavalry=flank.cavalry,
                        artillery=flank.artillery,
                        ships=flank.ships,
                        maneuver=flank.maneuver,
                    )
                )
        return rows, {side: tuple(flanks) for side, flanks in orders.items()}

    def _strategy(self, reading: WarReading, row: Row, war: WarInputs, side: int, rows: Sequence[Row]) -> str:
        """STRAT-06, STRAT-07, R-34: one side's strategy in a line; what keeps it from running is noted."""
        said = strategy_message(war, side, reading.tables)
        for problem in said.problems:
            at = rows[problem.flank or 0] if rows and (problem.flank or 0) < len(rows) else row
            reading.add(at.problem(*_strategy_problem(problem, SIDES[side], at is row)))
        flanks = len(flank_table(war, side, reading.tables))
        counted = f"{flanks} flank" if flanks == 1 else f"{flanks} flanks"
        return " ".join((f"{SIDES[side]}: {said.text}, {counted}.", *said.warnings))


COUNTS = {"Inf": "infantry", "Cav": "cavalry", "Art": "artillery", "Navy": "ships", "Size": "infantry"}
"""Of a strategy message's totals, the Flanks column that a moderator mends."""


def _strategy_problem(problem: StrategyProblem, side: str, is_request: bool) -> tuple[str, str, str]:
    """Attribute, rule and sentence of a strategy that cannot run, at a flank's row or at the request's."""
    attribute = COUNTS.get(problem.kind, loosely(problem.kind))
    at = "location" if is_request else attribute if attribute in dict(columns(FlankRow)) else "flank"
    if problem.excess:
        says = f"{side}: Invalid {problem.kind} ({problem.found:g}/{problem.allowed}), {problem.excess}"
    else:
        says = f"{side}: {problem.kind} {problem.found:g} is not allowed; {problem.allowed}"
    return at, problem.id, says


def not_reserved(row: Row, it: Nation | Military | Location | Leader) -> Iterator[Problem]:
    """DB-10: `default` names the generic entry and no row."""
    if loosely(it.name) == GENERIC:
        yield row.problem("name", "DB-10", f'"{it.name}" is reserved for the generic entry', allowed="Use another name")


SLOTS = ("infantry", "cavalry", "artillery")


def proportions_fit(row: Row, it: Military) -> Iterator[Problem]:
    """MD-04: the three slots hold at most the whole force, and men in no slot do not fight."""
    shares = [getattr(it, f"{slot}_proportion") for slot in SLOTS]
    total = sum(shares)
    if total > 1 + 1e-9:
        says = f"the proportions sum to {total:g}"
        yield row.problem("infantry_proportion", "MD-04", says, allowed="Use shares that sum to at most 1")
    elif 0 < total < 1 - 1e-9:
        says = f"the proportions sum to {total:g}, so {1 - total:.0%} of the force fight in no slot"
        yield row.warning("infantry_proportion", "MD-04", says)


def proportions_given(row: Row, it: Military) -> Iterator[Problem]:
    """MD-04: a type with no proportion, or a proportion with no type, is probably a slip."""
    if not (it.infantry_type or it.cavalry_type or it.artillery_type):
        return
    for slot in SLOTS:
        unit, share = getattr(it, f"{slot}_type"), getattr(it, f"{slot}_proportion")
        if unit not in ("", NONE_ON_PURPOSE) and row.is_blank(f"{slot}_proportion"):
            yield row.warning(f"{slot}_proportion", "MD-04", f"blank counts as 0, so no {unit} fights")
        if unit in ("", NONE_ON_PURPOSE) and share > 0:
            yield row.problem(
                f"{slot}_type",
                "MD-04",
                f"a share of {share:g} has no unit type",
                allowed="Enter a type or empty the share",
            )


def _unit_names(military: Military) -> tuple[str, str, str, str]:
    return (military.infantry_type, military.cavalry_type, military.artillery_type, military.transport)


def _against_itself(row: Row, asked: Mapping[str, Any]) -> Iterator[Problem]:
    nation = asked.get("attacker")
    if nation is not None and nation == asked.get("defender") and nation != GENERIC:
        yield row.problem("defender", "WAR-05", f"{nation} cannot fight itself", allowed="Enter another nation")


def _years_to_come(row: Row, nation: Nation, year: int) -> Iterator[Problem]:
    """DATE-04, R-09: a state that is founded, or a crisis that comes, after the war."""
    for attribute, what in (("year_founded", "founded"), ("year_crisis", "in its crisis")):
        if getattr(nation, attribute) > year:
            says = f"{nation.name} is {what} only in {getattr(nation, attribute)}, after the war year {year}"
            yield row.problem(attribute, "DATE-04", says, allowed=f"Enter a year of at most {year}")


def _no_single_force(
    row: Row, attribute: str, nation: str, name: str | None, own: Sequence[Row], found: Sequence[Row]
) -> Problem:
    """DB-10: the menu of forces lists those of the chosen nation."""
    forces = [force.name for force in own]
    if name is None:
        says = f"{nation} has {len(own)} militaries, so one must be named" if own else f"{nation} has no military"
        allowed = one_of(forces) if own else "Add one to the tab Militaries, or use default"
        return row.problem(attribute, "DB-10", says, allowed=allowed)
    if found:
        others = " and ".join(str(force.number) for force in found)
        return row.problem(
            attribute, "MIL-02", f'"{name}" stands twice among the militaries of {nation}, in rows {others}'
        )
    return row.problem(
        attribute,
        "DB-10",
        f'"{name}" is not a military of {nation}',
        allowed=one_of(forces),
        nearest=nearest(name, forces),
    )


def _doubtful_leaders(
    book: Book, row: Row, nation: Nation, military: Military, leaders: Sequence[Leader | None]
) -> Iterator[Problem]:
    """DB-06, LDR-11: leaders of other nations, and dead ones, are warned of and lead all the same."""
    for leader in dict.fromkeys(leader for leader in leaders if leader is not None):
        own = book.find(Leader, leader.name)[0]
        if nation.name not in leader.nation and nation.name != GENERIC:
            says = f"{leader.name} leads for {nation.name} but is listed for {', '.join(leader.nation)}"
            yield own.warning("nation", "DB-06", says)
        if leader.status:
            yield own.warning("status", "LDR-11", f"{leader.name} leads again, though {leader.status}")


def _no_room(row: Row, own: Belligerent, terrain: TerrainMap | None, tables: Tables) -> Iterator[Problem]:
    """MD-09: a transport carries somebody; where there is water, men who find no room are warned of (R-90)."""
    transport, size = own.units[3], own.military.size
    if transport is None:
        return
    if transport.capacity < 1:
        says = f'"{transport.name}" is no ship, for its Capacity is {transport.capacity}'
        yield row.problem("transport", "MD-09", says, allowed="Name a unit with a Capacity of at least 1")
        return
    ships = ship_number(own)
    if ships * transport.capacity < size and terrain is not None and has_water(terrain, tables):
        says = f"{ships} {transport.name} carry {ships * transport.capacity:,} of {size:,} men"
        yield row.warning("ship_number", "MD-09", says)
