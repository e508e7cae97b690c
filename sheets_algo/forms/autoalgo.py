"""How a war is read: a row of War Requests, its flanks, and every database row it names."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from engine.autoalgo.bands import legend_list, occupation_list, stability_list
from engine.autoalgo.inputs import SIDES, Belligerent, FlankOrder, WarInputs
from engine.autoalgo.records import (
    GENERIC,
    NONE_ON_PURPOSE,
    Leader,
    Location,
    Military,
    Nation,
    Unit,
)
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.strategy import flank_table, strategy_message
from engine.autoalgo.tables import SETTABLE_WORDS, Tables
from engine.fields import ValueList, loosely
from engine.terrain import Feature, TerrainMap
from sheets_algo.book import Book, Vocabulary
from sheets_algo.forms import autoalgo_checks as checks
from sheets_algo.forms.autoalgo_columns import AutoalgoSetting, FlankRow, WarRequest
from sheets_algo.forms.base import BATTLES_BESIDE, Filled, Form, Legend, Reading, request_id
from sheets_algo.forms.settings import SchemaCheck, SettingsTab
from sheets_algo.maps import BadMap, MapFolder
from sheets_algo.problems import Problem
from sheets_algo.tables import Row

FLANK_BATTLES = 600
"""Flanks, times the battles that a ruling is compared with: what Python fights in well below a second (FC-07)."""
FLANKS_MOST = 30
"""Both sides together; with fewer battles than this leaves, a percentile says nothing."""


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
                Nation: (checks.not_reserved,),
                Military: (checks.not_reserved, checks.proportions_fit, checks.proportions_given),
                Location: (checks.not_reserved,),
                Leader: (checks.not_reserved,),
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
        reading.add(*checks.against_itself(row, asked.values))
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

    def battles_beside(self, inputs: WarInputs) -> int:
        """A hundred of a war with six flanks or fewer, twenty with thirty, none with more (FC-07)."""
        tables = self.ruleset.tables_having(inputs.settings)
        flanks = sum(len(flank_table(inputs, side, tables)) for side in (0, 1))
        return min(BATTLES_BESIDE, FLANK_BATTLES // flanks) if flanks <= FLANKS_MOST else 0

    @property
    def ranks(self) -> Mapping[str, Sequence[str]]:
        """VAR-02: the ordered lists, worst first."""
        return {name: sorted(ranks, key=ranks.__getitem__) for name, ranks in self.tables.scores.ranks.items()}

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
        reading.add(*checks.doubtful_leaders(reading.book, row, nation, military, leaders))
        own = Belligerent(
            nation=nation,
            military=military,
            units=(units[0], units[1], units[2], units[3]),
            military_leader=leaders[0],
            national_leader=leaders[1],
        )
        if force is not None:
            reading.add(*checks.no_room(force, own, terrain, reading.tables))
        return own

    def _nation(self, reading: WarReading, row: Row, name: str | None, column: str, year: int | None) -> Nation | None:
        if name == GENERIC:
            return reading.tables.defaults.nation(year) if year is not None else None
        if name is None:
            return None
        nation = reading.named(Nation, name)
        if nation and year is not None:
            reading.add(*checks.years_to_come(reading.book.find(Nation, name)[0], nation, year))
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
        reading.add(checks.no_single_force(row, f"{column}_military", nation, name, own, found))
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
            reading.add(at.problem(*checks.strategy_problem(problem, SIDES[side], at is row)))
        flanks = len(flank_table(war, side, reading.tables))
        counted = f"{flanks} flank" if flanks == 1 else f"{flanks} flanks"
        return " ".join((f"{SIDES[side]}: {said.text}, {counted}.", *said.warnings))


def _unit_names(military: Military) -> tuple[str, str, str, str]:
    return (military.infantry_type, military.cavalry_type, military.artillery_type, military.transport)
