"""The form of wars, which reads request rows with the database rows that they name."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from engine.autoalgo.cases import CASES
from engine.autoalgo.inputs import SIDES, Belligerent, FlankOrder, WarInputs
from engine.autoalgo.names import side_names
from engine.autoalgo.records import GENERIC, PRINTED_YEAR, Leader
from engine.autoalgo.report.figures import joined_results
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.setup.ages import preset_lines
from engine.autoalgo.setup.army import armies_of, army_places, belligerent, led_by
from engine.autoalgo.setup.bands import legend_list, occupation_list, stability_list
from engine.autoalgo.setup.source import SOURCE
from engine.autoalgo.setup.strategy import default_maneuver, flank_table
from engine.autoalgo.setup.tables import TABLES, Tables
from engine.battle_map import Rgb
from engine.columns import column, columns, folded, loosely
from engine.dated import YEAR
from engine.place_map import MapPlace
from engine.receipt import on_one_line
from engine.ruleset import Outcome, Plain
from sheets_algo.config.maps import BadMap
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.colours import colour_of, nation_colours
from sheets_algo.database.problems import Problem, Rejected, quoted
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.autoalgo import checks, notes
from sheets_algo.forms.autoalgo.age_presets import note_presets, presets_of, roads_of
from sheets_algo.forms.autoalgo.board_data import BOARD_ROWS, WarBoard
from sheets_algo.forms.autoalgo.cell_actions import CELL_ACTIONS
from sheets_algo.forms.autoalgo.columns import (
    FlankRow,
    LocationRow,
    MilitaryRow,
    NationRow,
    UnitRow,
    WarRequest,
    YearRequest,
)
from sheets_algo.forms.autoalgo.flank_rows import placed_flanks
from sheets_algo.forms.autoalgo.place_legend import place_legend
from sheets_algo.forms.autoalgo.shared_form import OWN_MAPS, SharedForm
from sheets_algo.forms.autoalgo.war_reader import ArmyRows, WarReader, by_army
from sheets_algo.forms.base import COMPARISON_BATTLES, FormResult, FormSource, Legend, NotAtHand, Written
from sheets_algo.forms.capabilities import BoardForm, MapForm, PictureForm, WarForm, WorldRows, typed_players
from sheets_algo.forms.row_reader import typed_fields

FLANK_BATTLES = 600
"""Maximum number of flanks times comparison battles, which Python simulates in well below a second (FC-07)."""
PYTHON_BATTLES = 10_000
"""Most comparison battles for all rulings of a pass that Python simulates, in about half a minute (FC-07)."""
SHARE_LEAST = 5
"""Minimum number of comparison battles of a ruling."""
FLANKS_MOST = 30
"""Maximum number of flanks of both sides that are compared; fewer battles would make a percentile meaningless."""


class AutoalgoForm(
    SharedForm[WarInputs], BoardForm[WarInputs], PictureForm[WarInputs], MapForm[WarInputs], WarForm[WarInputs]
):
    """Reader of wars."""

    key = "autoalgo"
    declared = TABLES
    cases = CASES
    prefix = "W-"
    request = WarRequest
    parts = (FlankRow,)
    board_rows = BOARD_ROWS
    cell_actions = CELL_ACTIONS
    inputs = WarInputs
    derived = frozenset({"presets", "military_leader", "national_leader"})
    ruleset: Autoalgo

    def __init__(self, source: FormSource) -> None:
        super().__init__(source)
        self.ruleset = self.wars

    def read(self, row: Row, database: Database) -> FormResult[WarInputs]:
        """Read one war with the rows it names.

        Raises:
            Rejected: The war has errors.
        """
        reading, war, rows = self.placed(row, database)
        reading.add(*checks.check_debts(row, war, database, self.tables))
        reading.add(*checks.check_places(war, rows, reading.tables))
        if not reading.failed:  # the rules predict sieges, and accept no war with errors
            reading.add(*checks.check_siege(war, row, reading.tables))
        remarks, parts = [], list[Row | None]()
        for number, place in sorted(army_places(war)):
            of_army = rows[SIDES[number]][place]
            remarks.append(reading.strategy(row, led_by(war, number, place), number, of_army))
            parts += of_army or [None] * len(armies_of(war, number)[place].flanks)
        warnings, dead = reading.finish(), tuple(reading.dead.values())
        return FormResult(war, tuple(remarks), warnings, {FlankRow.tab.name: parts}, dead)

    def placed(self, row: Row, database: Database) -> tuple[WarReader, WarInputs, ArmyRows]:
        """Read one war with its flanks, and the row of each flank by side and army; none where a link has them.

        Raises:
            Rejected: A part of the war is missing.
        """
        reading, war = self._war(row, database)
        rows, orders = reading.flanks(row, war)
        return reading, _ordered(war, orders, reading.tables), rows

    def board(self, row: Row, database: Database) -> WarBoard:
        """Return the strategy board of a war, even with errors in its flanks: a wrong cell counts as blank.

        Raises:
            Rejected: The war has other errors.
        """
        reading, war = self._war(row, database)
        reading.finish()
        placed = placed_flanks(row, database, reading.tables.strategy)
        flanks = {side: by_army(placed[side], armies_of(war, number)) for number, side in enumerate(SIDES)}
        wrong = {
            (SIDES.index(side), army, number)
            for side, armies in flanks.items()
            for army, own in enumerate(armies)
            for number, flank in enumerate(own)
            if flank.read and flank.read.record is None
        }
        orders = {side: [tuple(flank.order for flank in own) for own in armies] for side, armies in flanks.items()}
        ordered = _ordered(war, orders, reading.tables)
        colours = self.colours(database)
        return WarBoard(row.name, ordered, reading.tables, reading.maps, colours, wrong=frozenset(wrong))

    def ruled_board(self, request: str, inputs: str, outcome: Outcome, database: Database) -> WarBoard:
        """Return the strategy board of a ruled war, with its flanks before and after the battle."""
        war = self.deserialize(inputs)
        tables = self.ruleset.tables_having(war.settings)
        return WarBoard(request, war, tables, self._maps(tables), self.colours(database), outcome.recording)

    def subject(self, inputs: WarInputs) -> str:
        """Return both nations, in an order that does not depend on the attacker, the location and the year."""
        nations = sorted(folded(name) for name in side_names(inputs))
        return "|".join((*nations, folded(inputs.location.name), str(inputs.year)))

    def parties(self, inputs: WarInputs) -> tuple[str, ...]:
        """Return the nations, armies and leaders of both sides, which other rulings may change."""
        parties: set[str] = set()
        for army in _armies(inputs):
            parties |= {f"nation {folded(army.nation.name)}"}
            parties |= set() if army.estimate else {f"army {folded(army.military.label)}"}
            parties |= {f"leader {folded(name)}" for name in _leaders(army)}
        return tuple(sorted(parties - {f"nation {folded(GENERIC)}"}))

    def risks(self, inputs: WarInputs) -> tuple[str, ...]:
        """Return the armies of both sides and the leaders who fight with them."""
        armies = _armies(inputs)
        leaders = [army.military_leader.name for army in armies if army.military_leader]
        return *(f"army {folded(army.military.label)}" for army in armies if not army.estimate), *(
            f"leader {folded(name)}" for name in leaders
        )

    def leaders(self, inputs: WarInputs) -> tuple[tuple[str, str, str], ...]:
        """Return the cells of the leaders of both sides (LDR-11)."""
        names = {name for army in _armies(inputs) for name in _leaders(army)}
        status = column(Leader, "status").header
        return tuple((Leader.tab.name, loosely(name), status) for name in sorted(names))

    def after(self, inputs: WarInputs, written: Written) -> WarInputs:
        """Return a war after other rulings: an army without Transport has no ships."""
        war = super().after(inputs, written)
        attacker, defender = (_without_ships(belligerent(war, side)) for side in (0, 1))
        return dataclasses.replace(war, attacker=attacker, defender=defender)

    def row_result(self, results: Sequence[Mapping[str, Plain]]) -> Mapping[str, Plain]:
        """Return the end columns of a row with several flanks (STRAT-13)."""
        return joined_results(results)

    def check(self, database: Database) -> Iterator[Problem]:
        """Yield the problems of the database tabs and of the flanks, including flanks of unknown requests."""
        yield from super().check(database)
        yield from database.problems_of(FlankRow)
        for row in database.table(NationRow):
            yield from checks.check_player(row)
        yield from self._notes(database)

    def _notes(self, database: Database) -> Iterator[Problem]:
        """Yield notes on hired ships and on rows and numbers without effect; warn of a Budget above the GDP."""
        tables = self.ruleset.tables_having(self.settings.read(database).settings)
        reading = WarReader(database, tables, self._maps(tables))
        for row in database.table(LocationRow):
            if (place := database.read(row, LocationRow).record) is not None:
                yield from notes.note_unused_people(row, place, tables)
        yield from notes.note_rows_without_flanks(database)
        yield from note_presets(database, self.tables.ages)
        for row in database.table(UnitRow):
            if (unit := database.read(row, UnitRow).record) is not None:
                yield from checks.check_blank_numbers(row, unit, database)
        for row in database.table(MilitaryRow):
            if (military := database.read(row, MilitaryRow).record) is not None:
                units = [unit for unit in reading.units(military)[:3] if unit is not None]
                nations = [nation_row for name in military.nation for nation_row in database.find(NationRow, name)]
                yield from notes.note_unused_means(row, military, units, nations, database, tables)
                yield from checks.check_budget(row, military, nations, database)
                yield from notes.note_unused_training(row, military, tables)
                yield from notes.note_words_of_training(row, military, database, tables)
        yield from notes.note_unnamed_leaders(database)
        yield from notes.note_unused_armies(database)
        for row in notes.wars_to_come(database):
            with suppress(Rejected):  # its problems give the reason
                yield from notes.note_hired_ships(self._war(row, database)[1], database, tables)

    def comparison_battles(self, inputs: WarInputs, rulings: int, *, is_compiled: bool = False) -> int:
        """Return 100 for a war with up to six flanks, 20 for thirty, 0 for more; fewer in Python for many (FC-07)."""
        tables = self.ruleset.tables_having(inputs.settings)
        flanks = sum(len(flank_table(inputs, side, tables)) for side in (0, 1))
        if flanks > FLANKS_MOST:
            return 0
        fair_share = COMPARISON_BATTLES if is_compiled else max(PYTHON_BATTLES // rulings, SHARE_LEAST)
        return min(COMPARISON_BATTLES, FLANK_BATTLES // flanks, fair_share)

    @property
    def ranks(self) -> Mapping[str, Sequence[str]]:
        """Return the ranked value lists, worst first (VAR-02), with the words of training (MIL-15)."""
        ranked = {name: sorted(ranks, key=ranks.__getitem__) for name, ranks in self.tables.scores.ranks.items()}
        return {**ranked, "Training": [*self.tables.training.words]}

    def colours(self, database: Database) -> Mapping[str, Rgb]:
        """Return the colour of each nation for pictures: that of its flag if typed (NAT-27)."""
        cells = {on_one_line(row.name): colour_of(as_text(row.value("color"))) for row in database.table(NationRow)}
        return nation_colours(cells)

    def place_table(self, database: Database) -> Table:
        """Return the table Locations."""
        return database.table(LocationRow)

    def world(self, database: Database) -> WorldRows:
        """Return the places with a pixel, their holders, and the capitals (MAP-09)."""
        nations, locations = database.table(NationRow), database.table(LocationRow)
        if not {"map_x", "map_y"} <= locations.places.keys():
            return WorldRows()
        cells = ("map_x", "map_y", "owner", "occupied_by")
        placed = (row for row in locations if not all(map(row.is_blank, cells)))
        records = {row.name: (row, database.read(row, LocationRow).values) for row in placed}
        return WorldRows(
            tuple(
                MapPlace(
                    name, values["map_x"], values["map_y"], is_sea=values.get("climate") == self.tables.climate.ocean
                )
                for name, (_, values) in records.items()
                if values.get("map_x") is not None and values.get("map_y") is not None
            ),
            {name: row for name, (row, _) in records.items()},
            {
                name: (values.get("owner") or "", values.get("occupied_by") or "")
                for name, (_, values) in records.items()
            },
            self.colours(database),
            {row.name: as_text(row.value("capital")) for row in nations if not row.is_blank("capital")},
        )

    @property
    def has_own_maps(self) -> bool:
        """Return True if moderators have maps of their own."""
        return self._maps(self.tables).own_folder is not None

    def own_maps(self, inputs: WarInputs | None = None) -> Iterable[str]:
        """Return the map of a war, or all maps, that replace the release's of their names (MAP-04)."""
        if inputs is None:
            return self._maps(self.tables).differences()
        return self._maps(self.ruleset.tables_having(inputs.settings)).differences([inputs.terrain.name])

    def own_rows(self, inputs: WarInputs) -> Iterable[str]:
        """Yield the numbers of units that a row of Units replaces, and a map that replaces a released one (MAP-04).

        Tactical Training is also a number of armies (MIL-15).
        """
        yield from self.own_maps(inputs)
        builtin = {loosely(name): unit for name, unit in self.vocabulary.builtin["Units"].items()}
        for unit in dict.fromkeys(unit for army in _armies(inputs) for unit in army.units if unit):
            known = builtin.get(loosely(unit.name), unit)
            for attribute, field in columns(type(unit)):
                value, listed = (checks.spelled(getattr(each, attribute)) for each in (unit, known))
                if value != listed and attribute not in ("name", "tactical_training"):
                    yield f"unit {unit.name}, {field.header}: {value}, in the tables {listed}"

    def players(self, database: Database) -> Mapping[str, Sequence[str]]:
        """Return the players of each nation (NAT-28)."""
        return typed_players(database.table(NationRow))

    def presets(self, inputs: WarInputs) -> Sequence[str]:
        """Return the cells that the Ages of both nations have filled in (NAT-29)."""
        return tuple(preset_lines(inputs))

    def motives(self, inputs: WarInputs) -> Sequence[str]:
        """Return the motive of a war."""
        return (inputs.motive,)

    def legends(self) -> Sequence[Legend]:
        """Return the bands of occupation and stability, the places of flanks, and the colours of maps (RCPT-03)."""
        colours = tuple(feature.rgb for feature in self.tables.terrain)
        return (
            Legend("Occupation results", occupation_list(self.tables), columns=("Occupation",)),
            Legend("Stability", stability_list(self.tables), columns=("Stability",)),
            place_legend(self.tables.strategy),
            Legend("Terrain colours of a map", legend_list(self.tables), colours, columns=("Terrain Map", "Terrain")),
        )

    def complete(self, frozen: dict[str, Any]) -> None:
        """Restore the terrain map from the name and digest in decoded inputs.

        Raises:
            NotAtHand: The map is missing, cannot be read or has changed.
            ValueError: A setting names no value of the tables.
        """
        tables = self.ruleset.tables_having(self.settings.deserialize(frozen))
        reference = frozen["terrain"]
        maps, name, digest = self._maps(tables), reference["name"], reference["digest"]
        if name not in maps.names:
            raise NotAtHand(f"there is no terrain map {quoted(name)} here: name its folder with {OWN_MAPS}", OWN_MAPS)
        try:
            terrain = maps.load(name)
        except BadMap as error:
            raise NotAtHand(f"{str(error).rstrip('.')}: name another folder with {OWN_MAPS}", OWN_MAPS) from error
        if terrain.digest != digest:
            says = f"the terrain map {quoted(name)} here is another picture than the one this war was fought on"
            raise NotAtHand(f"{says}: name that one's folder with {OWN_MAPS}", OWN_MAPS)
        reference["codes"] = terrain.codes

    def _war(self, row: Row, database: Database) -> tuple[WarReader, WarInputs]:
        """Read one war without its flanks.

        Raises:
            Rejected: A part of the war is missing.
        """
        year = database.read(row, WarRequest).values.get("year")
        own_settings = self.settings.in_force(database, row, {YEAR: year})
        tables = self.ruleset.tables_having(own_settings.settings)
        reading = WarReader(database, tables, self._maps(tables))
        reading.add(*own_settings.problems)
        request = reading.row(row, WarRequest)
        if tables.strategy.rules == SOURCE and year is not None and year > PRINTED_YEAR:
            says = f"{year} is out of range of the printed rules"
            reading.add(row.problem("year", "WAR-02", says, allowed=f"Enter a year up to {PRINTED_YEAR}"))
        location = reading.location(request.values.get("location"))
        terrain = reading.terrain(row, request.values, location)
        attacker, defender = (reading.side(row, request.values, side, year, terrain) for side in SIDES)
        roads = roads_of(database, request.values, self.tables.ages)
        relief = reading.relief(row, request.values.get("relief") or "")
        reading.add(*checks.check_nations_differ(row, request.values))
        reading.add(*checks.check_leaders_differ(row, reading.leads))
        if request.record is None or attacker is None or defender is None or location is None or terrain is None:
            reading.finish()
            raise AssertionError("a part is missing without a problem")  # cannot happen
        given = typed_fields(request.record, WarInputs) | {
            "name": request.record.war,
            "month": request.record.month or None,
            "attacker": attacker,
            "defender": defender,
            "location": dataclasses.replace(location, **roads),
            "terrain": terrain,
            "relief": relief,
            "settings": own_settings.settings,
            "seed_given": request.record.seed is not None,
            "wounded_return": not has_years(database),
            "presets": tuple(presets_of(database, (attacker, defender), roads, self.tables.ages)),
        }
        war = WarInputs(**given)
        reading.add(*checks.check_armies_differ(row, war), *checks.check_taken_for(row, request.values))
        return reading, war


def has_years(database: Database) -> bool:
    """Return True if a workbook has years, whose rulings return the wounded (YRS-04)."""
    return database.knows(YearRequest) and any(not row.is_blank("year") for row in database.table(YearRequest))


def _ordered(war: WarInputs, orders: Mapping[str, Sequence[tuple[FlankOrder, ...]]], tables: Tables) -> WarInputs:
    """Return a war whose armies have these flanks; a blank maneuver is the default of the army (R-86)."""
    sides = []
    for number, side in enumerate(SIDES):
        armies = []
        for place, army in enumerate(armies_of(war, number)):
            default = default_maneuver(led_by(war, number, place), number, tables)
            flanks = (dataclasses.replace(order, maneuver=order.maneuver or default) for order in orders[side][place])
            armies.append(dataclasses.replace(army, flanks=tuple(flanks)))
        sides.append(dataclasses.replace(armies[0], allies=tuple(armies[1:])))
    return dataclasses.replace(war, attacker=sides[0], defender=sides[1])


def _armies(war: WarInputs) -> list[Belligerent]:
    return [armies_of(war, side)[place] for side, place in army_places(war)]


def _leaders(army: Belligerent) -> list[str]:
    return [leader.name for leader in (army.military_leader, army.national_leader) if leader is not None]


def _without_ships(army: Belligerent) -> Belligerent:
    allies = tuple(map(_without_ships, army.allies))
    if army.military.transport and allies == army.allies:
        return army
    units = army.units if army.military.transport else (*army.units[:3], None)
    return dataclasses.replace(army, units=units, allies=allies)
