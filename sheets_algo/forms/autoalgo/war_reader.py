"""Reader of a war: the rows that its request names, with their problems."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.autoalgo.inputs import SIDES, Belligerent, FlankOrder, Relief, WarInputs
from engine.autoalgo.records import GENERIC, NONE_ON_PURPOSE, SIZE_MOST, Leader, Location, Military, Nation, Unit
from engine.autoalgo.setup.ages import Age
from engine.autoalgo.setup.army import armies_of, belligerent
from engine.autoalgo.setup.points import mix_text, points_of
from engine.autoalgo.setup.sizes import GARRISON, estimated_size, is_size
from engine.autoalgo.setup.strategy import army_table
from engine.autoalgo.setup.tables import Tables
from engine.columns import loosely, row_label
from engine.receipt import counted
from engine.terrain import TerrainMap
from sheets_algo.config.maps import BadMap, MapFolder
from sheets_algo.database.cell_text import ReadError
from sheets_algo.database.members import PLUS, nation_and_party
from sheets_algo.database.problems import CellRef, quoted
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.database.typed_numbers import number_of
from sheets_algo.forms.autoalgo import checks
from sheets_algo.forms.autoalgo.age_presets import age_of
from sheets_algo.forms.autoalgo.columns import FlankRow, LocationRow, MilitaryRow, NationRow, UnitRow
from sheets_algo.forms.autoalgo.flank_rows import PlacedFlank, placed_flanks, strategy_column, strategy_problems
from sheets_algo.forms.autoalgo.refit import KINDS, SideCounts
from sheets_algo.forms.base import DeadLeader
from sheets_algo.forms.row_reader import RowReader

ArmyRows = Mapping[str, list[list[Row]]]
"""Rows of Flanks by side, a list for each of its armies."""
RELIEF = re.compile(r"(?P<men>.+?)(?:\s+on|\s*,)?\s+day\s+(?P<day>.+)|(?P<none>0)", re.IGNORECASE)
"""A relief as people type it: `3,000 on day 20`, or 0 for none (WAR-19)."""


class WarReader(RowReader):
    """Reader of the rows of one war, with the tables and maps of the workbook's settings (SET-03)."""

    def __init__(self, database: Database, tables: Tables, maps: MapFolder) -> None:
        super().__init__(database)
        self.tables = tables
        self.maps = maps
        self.leads: dict[str, dict[str, list[CellRef]]] = {}
        """The cells that name a leader, by his name and the side."""
        self.used_again: set[str] = set()
        """The sides with the strategy of another war (WAR-16)."""
        self.shared: set[str] = set()
        """The sides with rows of Flanks for several armies (R-130)."""
        self.unread: set[str] = set()
        """The sides with a row of Flanks that cannot be read, whose counts sum to nothing."""

    def location(self, name: str | None) -> Location | None:
        """Return the location with a name, or the generic one; None without a name, or if it has errors."""
        if name == GENERIC:
            return self.tables.defaults.location
        place = self.named(LocationRow, name) if name is not None else None
        if place and place.owner and "occupied_by" not in self.database.table(LocationRow).places:
            return dataclasses.replace(place, owner="")  # no ruling names its holder (LOC-10)
        return place

    def relief(self, row: Row, typed: str) -> Relief | None:
        """Return the relief of a siege; None for a blank cell, and for one with a problem (WAR-19)."""
        if not typed:
            return None
        match, last_day = RELIEF.fullmatch(typed.strip()), self.tables.constants.r_100.most
        if match and match["none"]:
            return Relief(men=0, day=0)
        try:
            men = number_of(match["men"], is_whole=True, unit="people") if match else None
            day = number_of(match["day"], is_whole=True) if match else None
        except ReadError:
            men = day = None
        if men is None or day is None or men != int(men) or day != int(day):
            says = f"{quoted(typed)} is not a number of men and a day"
            allowed = "Type both, such as 3,000 on day 20, or 0 for no relief"
        elif not (0 <= men <= SIZE_MOST and 1 <= day <= last_day):
            says = f"{quoted(typed)} is out of range"
            allowed = f"Type at most {SIZE_MOST:,} men, and a day of the siege from 1 to {last_day:,}"
        else:
            return Relief(men=int(men), day=int(day) if men else 0)
        self.add(row.problem("relief", "WAR-19", says, allowed=allowed))
        return None

    def terrain(self, row: Row, values: Mapping[str, Any], location: Location | None) -> TerrainMap | None:
        """Return the map of the request, otherwise that of the location; None if neither can be read."""
        name = values.get("terrain_map") or (location.terrain if location else None)
        if name is None:
            return None
        try:
            return self.maps.load(name)
        except BadMap as error:
            self.add(
                row.problem("terrain_map" if "terrain_map" in values else "location", "MAP-03", str(error).rstrip("."))
            )
            return None

    def side(
        self, row: Row, values: Mapping[str, Any], side: str, year: int | None, terrain: TerrainMap | None
    ) -> Belligerent | None:
        """Return one side without its flanks; None if a nation or a military is missing or has errors."""
        column = side.lower()
        members = [self._member(name) for name in values.get(column, ())]
        names = [name for name, _ in members]
        nations = [self._nation(name, year) for name in names]
        armies: list[Belligerent | None] = []
        estimate = self._estimate(values, column, names)
        for place, force, military in [(0, None, None)] if estimate else self._forces(row, values, column, names):
            nation, party = nations[place], members[place][1]
            if estimate and nation is not None:
                military = self._estimated(estimate, nation, values)
            army = None
            if nation is not None and military is not None:
                army = self._army(side, nation, party, force, military, year, terrain)
            armies.append(dataclasses.replace(army, estimate=estimate) if army and estimate else army)
        known = [army for army in armies if army is not None]
        if not known or len(known) < len(armies) or None in nations:
            return None
        return dataclasses.replace(known[0], allies=tuple(known[1:]))

    def _member(self, name: str) -> tuple[str, str]:
        """Return the nation of a member of a side, and its fighting party (R-133)."""
        return nation_and_party(name, (*self.database.table(NationRow).names, GENERIC))

    def _army(
        self,
        side: str,
        nation: Nation,
        party: str,
        force: Row | None,
        military: Military,
        year: int | None,
        terrain: TerrainMap | None,
    ) -> Belligerent | None:
        """Return one army of a side with its nation; None if its men cannot be counted."""
        military = _with_basic_unit(military, self.tables)
        units = self.units(military, nation.name)
        head = "" if party else nation.leader  # the nation's leader does not lead its rebels
        leaders = [self.named(Leader, name) if name else None for name in (military.leader, head)]
        self.add(*checks.check_leaders(self.database, nation, leaders, year))
        named = (force, *self.database.find(NationRow, nation.name)[:1])
        for leader, place in zip(leaders, named, strict=False):  # a generic nation has no row and no leader
            if leader is None or place is None:
                continue
            self.leads.setdefault(leader.name, {}).setdefault(side, []).append(place.cell("leader"))
            if leader.status:
                dead = DeadLeader(self.database.find(Leader, leader.name)[0], place)
                self.dead[place.cell()] = dead
        belligerent = Belligerent(
            nation=nation,
            military=military,
            units=(units[0], units[1], units[2], units[3]),
            military_leader=leaders[0],
            national_leader=leaders[1],
            party=party,
        )
        if force is not None:
            slots = zip(checks.UNIT_COLUMNS, units, strict=True)
            missing = [name for name, unit in slots if unit is None and _is_unit(getattr(military, name))]
            self.add(*checks.check_units(force, military, missing, self.database))
            if missing:
                return None  # its men cannot be counted
            if year is not None:
                self.add(*checks.check_unit_years(force, units, year, self.database))
            self.add(*checks.check_transport(force, belligerent, terrain, self.tables))
            self.add(*checks.check_military(force, belligerent, self.tables))
        return belligerent

    def _nation(self, name: str | None, year: int | None) -> Nation | None:
        if name == GENERIC:
            return self.tables.defaults.nation(year) if year is not None else None
        if name is None:
            return None
        nation = self.named(NationRow, name)
        if nation and year is not None:
            self.add(*checks.check_nation_years(self.database.find(NationRow, name)[0], nation, year))
        return nation

    def _forces(
        self, row: Row, values: Mapping[str, Any], column: str, nations: Sequence[str]
    ) -> Iterator[tuple[int, Row | None, Military | None]]:
        """Yield the armies of a side, each with the place of its nation and its row, in the order of the nations.

        Those that the request names, and of each other nation its only one (DB-10, R-130).
        """
        attribute = f"{column}_military"
        named: tuple[str, ...] = values.get(attribute) or ()
        if len(nations) == 1 and (named == (GENERIC,) or (nations[0] == GENERIC and not named)):
            yield 0, None, self.tables.defaults.military
            return
        if not nations or (not named and not row.is_blank(attribute)):
            return  # a nation or a military's name has a problem already
        listed = [self.database.table(MilitaryRow).rows_listing("nation", nation) for nation in nations]
        chosen: list[list[Row]] = [[] for _ in nations]
        for name in named:
            matches = {force.number: force for of in listed for force in of if self._is_called(force, name)}
            force = next(iter(matches.values()), None)
            if force is None or len(matches) > 1 or any(force in of for of in chosen):
                whose, forces = PLUS.join(nations), [*{force.number: force for of in listed for force in of}.values()]
                self.add(checks.force_problem(row, attribute, whose, name, forces, [*matches.values()]))
                return
            chosen[next(place for place, of in enumerate(listed) if force in of)].append(force)
        for place, nation in enumerate(nations):
            if not chosen[place]:
                if len(listed[place]) != 1 or any(listed[place][0] in of for of in chosen):
                    garrison = self._garrison(values, nation)
                    self.add(checks.force_problem(row, attribute, nation, None, listed[place], [], garrison=garrison))
                    return
                chosen[place] = [*listed[place]]
            for force in chosen[place]:
                yield place, force, self.row(force, MilitaryRow).record

    def _estimate(self, values: Mapping[str, Any], column: str, nations: Sequence[str]) -> str:
        """Return the size in place of an army's name, blank for none; names of armies take precedence (R-132).

        A side of several nations has no such size, since its owner would be unclear.
        """
        typed = values.get(f"{column}_military") or ("",)
        if len(nations) != 1 or len(typed) != 1 or not is_size(typed[0], self.tables):
            return ""
        forces = self.database.table(MilitaryRow).rows_listing("nation", nations[0])
        return "" if any(self._is_called(force, typed[0]) for force in forces) else str(typed[0])

    def _estimated(self, size: str, nation: Nation, values: Mapping[str, Any]) -> Military | None:
        """Return a force of an estimated size, with the units of its nation's Age; None without a place."""
        place = self.location(values.get("location"))
        if place is None:
            return None
        age = self.tables.ages.get(getattr(nation, "age", ""))
        usual = age.military({}) if age else {}
        return Military(name=size, nation=(), size=estimated_size(size, nation, place, self.tables), **usual)

    def _garrison(self, values: Mapping[str, Any], nation: str) -> int:
        """Return the men in the place of a war without an army; 0 if unknown (R-132)."""
        place, rows = self.location(values.get("location")), self.database.find(NationRow, nation)
        record = self.database.read(rows[0], NationRow).record if rows else None
        return estimated_size(GARRISON, record, place, self.tables) if record and place else 0

    def _is_called(self, force: Row, name: str) -> bool:
        """Return True if a name is that of an army, or its label `Guard (England)`."""
        owners = self.database.read(force, MilitaryRow).values.get("nation", ())
        labels = [row_label(force.name, owner) for owner in owners]
        return loosely(name) in map(loosely, (force.name, *labels))

    def units(self, military: Military, nation: str = "") -> tuple[Unit | None, ...]:
        """Return the unit of each type of a military, the transport last; None for a type that it lacks.

        A unit has the training of the military, or else its own, a word's by the Age (MIL-15).

        Args:
            nation: The nation whose Age counts for a military without a row.
        """
        age = age_of(self.database, next(iter(military.nation), nation), self.tables.ages)
        counts = self.tables.constants.mil_15.applies
        of_force = military.tactical_training if isinstance(military, MilitaryRow) and counts else None
        return tuple(self._unit(getattr(military, name), of_force, age) for name in checks.UNIT_COLUMNS)

    def _unit(self, name: str, of_force: str | float | None, age: Age | None) -> Unit | None:
        if not _is_unit(name):
            return None
        rows = self.database.find(UnitRow, name)
        unit = self.row(rows[0], UnitRow).record if rows else self.tables.units.get(name)
        if unit is None:
            return None
        if rows:
            self.add(*checks.check_blank_numbers(rows[0], unit, self.database))
        typed = unit.tactical_training if of_force is None else of_force
        number = self.tables.training.number(typed, age) if isinstance(typed, str) else typed
        return dataclasses.replace(unit, tactical_training=number)

    def flanks(self, request: Row, war: WarInputs) -> tuple[ArmyRows, Mapping[str, list[tuple[FlankOrder, ...]]]]:
        """Return the rows of Flanks of each army, none for an army with a link, and the order of each flank.

        Both are lists by side, in the order of its armies. A row without an army counts for each army that no row names
        (R-130).
        """
        for row in self.rows_of(FlankRow, request):
            if self.row(row, FlankRow).values.get("side") not in SIDES:
                self.unread |= {*SIDES}
        self.add(*strategy_problems(request, self.database))
        rows: dict[str, list[list[Row]]] = {}
        orders: dict[str, list[tuple[FlankOrder, ...]]] = {}
        for number, (side, placed) in enumerate(placed_flanks(request, self.database, self.tables.strategy).items()):
            self.add(*(problem for flank in placed if flank.read for problem in flank.read.problems))
            self.unread |= {side for flank in placed if flank.read and flank.read.record is None}
            placed = [flank for flank in placed if flank.read is None or flank.read.record is not None]
            self.used_again |= {side for flank in placed if flank.is_used_again}
            armies = armies_of(war, number)
            for flank in placed:
                if flank.military and not flank.is_used_again and not any(_is_of(flank, army) for army in armies):
                    row, column = (flank.read.row, "military") if flank.read else (request, strategy_column(side))
                    self.add(checks.foreign_flank(row, column, PLUS.join(flank.military), side, armies))
            flanks = by_army(placed, armies)
            numbers = [id(flank) for own in flanks for flank in own]
            self.shared |= {side} if len({*numbers}) < len(numbers) else set()
            rows[side] = [[flank.read.row for flank in own if flank.read] for own in flanks]
            orders[side] = [tuple(flank.order for flank in own) for own in flanks]
        return rows, orders

    def counts(self, row: Row, war: WarInputs, side: int, rows: Sequence[Row]) -> SideCounts:
        """Return the counts of the flanks of the army that leads a side (`led_by`)."""
        are_own = SIDES[side] not in self.used_again | self.shared
        return SideCounts(war, side, row, rows, are_own, self.database, self.tables)

    def strategy(self, row: Row, war: WarInputs, side: int, rows: Sequence[Row]) -> str:
        """Return the strategy of the army that leads a side in a line, and add its problems (STRAT-06, STRAT-07)."""
        counts, plans = self.counts(row, war, side, rows), army_table(war, side, self.tables)
        strategy, military = counts.strategy, belligerent(war, side).military
        self.add(*([counts.problem] if counts.wrong and SIDES[side] not in self.unread else []))
        for problem in (problem for problem in strategy.problems if problem.kind not in KINDS):
            flank = problem.flank or 0
            target = rows[flank] if flank < len(rows) else row
            one_of = plans[flank].label if sum(of is target for of in rows) > 1 else ""
            self.add(checks.strategy_problem(target, problem, SIDES[side], is_request=target is row, one_of=one_of))
        army = counted(len(plans), "flank")
        if (points := points_of(belligerent(war, side), self.tables)) is not None:
            army += f", {counted(points, 'point')}"
        army += mix_text(war, side, self.tables)
        says = [f"{counts.label}: {strategy.text}, {army}."]
        if len(military.nation) > 1:
            of, bearer = " and ".join(military.nation), belligerent(war, side).nation.name
            says.append(f"Of {of}, {bearer} alone wins or loses Stability.")  # MIL-01
        return " ".join((*says, *strategy.warnings))


def by_army(placed: Sequence[PlacedFlank], armies: Sequence[Belligerent]) -> list[list[PlacedFlank]]:
    """Return the flanks of each army of a side: those that name it, or else those without an army (R-130)."""
    free = [flank for flank in placed if not any(_is_of(flank, army) for army in armies)]
    return [[flank for flank in placed if _is_of(flank, army)] or free for army in armies]


def _is_of(flank: PlacedFlank, army: Belligerent) -> bool:
    return any(loosely(name) in map(loosely, (army.military.name, army.military.label)) for name in flank.military)


def _is_unit(name: str) -> bool:
    return name not in ("", NONE_ON_PURPOSE)


def _with_basic_unit(military: Military, tables: Tables) -> Military:
    """Return a military with a unit type: without any, the whole force is infantry of the basic unit (MD-03)."""
    if military.infantry_type or military.cavalry_type or military.artillery_type:
        return military
    return dataclasses.replace(military, infantry_type=tables.basic_unit, infantry_proportion=1.0)
