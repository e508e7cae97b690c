"""Form of hex combats, which reads a Combat Requests row with the units that it names or changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeVar, cast
from weakref import WeakKeyDictionary

from engine.dated import TURN
from engine.hexcombat.cases import CASES
from engine.hexcombat.resolve import HexCombat
from engine.hexcombat.setup.hexes import Hex
from engine.hexcombat.setup.inputs import (
    ALL_TARGETS,
    ATTACK,
    FIRST_TURN,
    LISTS,
    NEW_TURN,
    CombatInputs,
    HexInputs,
    NewTurnInputs,
    TargetsInputs,
)
from engine.hexcombat.setup.records import Facility, HexSide, HexUnit, HexUnitType, Terrain
from engine.hexcombat.setup.tables import TABLES, HexTables
from sheets_algo.database.problems import Problem
from sheets_algo.database.records import TURN_ACTIONS, Database, Vocabulary
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import FormResult, FormSource
from sheets_algo.forms.capabilities import CurrentTurn, TurnForm
from sheets_algo.forms.hexcombat import cells as cells
from sheets_algo.forms.hexcombat import limits as limits
from sheets_algo.forms.hexcombat.board import Board
from sheets_algo.forms.hexcombat.columns import CombatRequest, HexSetting
from sheets_algo.forms.hexcombat.combats import FORECAST, CombatReader
from sheets_algo.forms.hexcombat.scan import SHORTEST_REACH, MapReader
from sheets_algo.forms.hexcombat.sides import TURN_OF, UNIT_GONE
from sheets_algo.forms.hexcombat.supports import BESIDE
from sheets_algo.forms.hexcombat.turns import check_turn, first_turn, game_turn, read_new_turn
from sheets_algo.forms.row_reader import RowReader

Source = TypeVar("Source", Table, Database)
Made = TypeVar("Made")

COMPARISON_COMBATS = 20
"""Combats that a ruling is compared with; a thousand rulings in one pass take some three seconds longer (FC-07)."""


class HexCombatForm(TurnForm[HexInputs]):
    """Reader of hex combats and new turns."""

    key = "hexcombat"
    declared = TABLES
    cases = CASES
    prefix = "H-"
    request = CombatRequest
    database = (HexUnit, HexUnitType, Terrain, HexSide, Facility, HexSetting)
    inputs = CombatInputs
    derived = frozenset(
        {"defender", "target", "ground", "transport", *BESIDE, *LISTS, "enemies_beside_defender", "retreat_free"}
    ) | {"range", "map_range", "facility_row", "turn", "game_turn", "sides", "units", "types", "terrains"}
    inputs_by_kind: ClassVar[Mapping[str, type]] = {NEW_TURN: NewTurnInputs, ALL_TARGETS: TargetsInputs}
    turn_column = "turn"
    end_of_turn: ClassVar = {"kind": NEW_TURN}
    objects: ClassVar = {"attacker": (UNIT_GONE,), "defender": (UNIT_GONE,)}

    def __init__(self, source: FormSource) -> None:
        self.tables = source.built(HexTables.of)
        self.ruleset = HexCombat(self.tables)
        self.settings = source.settings_of(HexSetting, self.tables, TABLES, (TURN,))
        self.vocabulary = Vocabulary(
            lists={**self.tables.lists, TURN_ACTIONS.name: TURN_ACTIONS},
            builtin={Terrain.tab.name: self.tables.facts.terrains},
            checks={
                HexUnit: (cells.check_suppressed, cells.check_mounted, cells.check_hex, self._check_strength),
                Facility: (cells.check_hex, self._check_single_facility),
            },
        )
        self._made: WeakKeyDictionary[Table, dict[Callable[..., Any], Any]] = WeakKeyDictionary()

    def read(self, row: Row, database: Database) -> FormResult[HexInputs]:
        """Read one combat with the units that take part, an attack on all targets, or a new turn with all units."""
        reading = RowReader(database)
        request = reading.row(row, CombatRequest)
        values = request.values
        turn = game_turn(reading)
        settings = self.read_settings(reading, row, turn=values.get("turn") if turn is None else turn)
        reading.add(*check_turn(row, values.get("turn"), turn))
        if values.get("kind") == NEW_TURN:
            ending = int(values.get("turn", FIRST_TURN if turn is None else turn))
            seed_given = values.get("seed") is not None
            new_turn = read_new_turn(reading, row, values.get("war", ""), ending, settings, seed_given=seed_given)
            return FormResult(new_turn, (), reading.finish())
        tables = self.tables.having(settings)
        facilities = self._rows_by_hex(database.table(Facility))
        board = Board(reading, row, request, facilities, settings, turn, tables.facts)
        rows = self._rows_by_hex(database.table(HexUnit))
        reach = self._once(database.table(HexUnitType), _longest_reach, database)
        around = MapReader(reading, board, rows, reach, tables.facts, turn)
        combats = CombatReader(reading, row, tables, board, around)
        requests = database.table(CombatRequest)
        attacks = self._once(requests, limits.Attacks.of, requests)
        reading.add(*limits.check_second_attack(row, turn, database, attacks))
        has_all_targets = (
            row.is_blank("defender") and not row.is_blank("attacker") and values.get("kind", ATTACK) == ATTACK
        )
        if has_all_targets and values.get("action") == FORECAST:
            return combats.targets(values.get("war", ""))
        return combats.combat()

    def check(self, database: Database) -> Iterator[Problem]:
        """Yield the problems of the database tabs, and warnings of unusual units and positions."""
        yield from super().check(database)
        yield from limits.check_stores(database)
        yield from limits.check_stacks(database, self._rows_by_hex(database.table(HexUnit)))

    def current_turn(self, row: Row, database: Database) -> CurrentTurn | None:
        """Return the game's turn; before the first New turn the one that this will end, if a row asks for it."""
        turn = self.turn_of_all(database)
        ends = database.read(row, CombatRequest).values.get("kind") == NEW_TURN
        return turn and replace(turn, ends=ends)

    def turn_of_all(self, database: Database) -> CurrentTurn | None:
        """Return the game's turn; before the first New turn the one that this will end, if anything asks for it."""
        current = game_turn(RowReader(database))
        turn = self._once(database.table(CombatRequest), first_turn, database) if current is None else current
        if turn is None:
            return None
        counters = tuple(cell for side in database.table(HexSide) for cell in TURN_OF.of(side.name).cells)
        return CurrentTurn(turn, ends=True, is_begun=current is not None, counters=counters)

    def begin(self, database: Database, turn: int) -> None:
        """Start the turn of the tab Turns in a game without turns, unless a New turn ends another one (HX-OP-49)."""
        if self.turn_of_all(database) is None:
            self._made.setdefault(database.table(CombatRequest), {})[first_turn] = turn

    def comparison_battles(self, inputs: HexInputs, rulings: int, *, is_compiled: bool = False) -> int:
        """Return 20, since a turn has many combats with many rolls each (FC-07)."""
        return COMPARISON_COMBATS

    def _check_strength(self, row: Row, unit: HexUnit) -> Iterator[Problem]:
        """Warn of a strength that is impossible at any experience (HX-DEF-07)."""
        most = limits.FULL_STRENGTH + self.tables.facts.constants.max_bars
        if unit.strength > most:
            says = f"{unit.strength} is more than the {most} of a unit with all bars"
            yield row.warning("strength", "HX-DEF-07", says)

    def _check_single_facility(self, row: Row, facility: Facility) -> Iterator[Problem]:
        """Check that a hex has one facility, however its column and row are written (HX-STR-2)."""
        hex = cells.parse_hex_or_none(facility.hex)
        rows = self._rows_by_hex(row.table).get(hex) if hex else None
        if rows and rows[0] != row.number:
            says = f"hex {hex} has its facility in row {rows[0]} already"
            yield row.problem("hex", "HX-STR-2", says, allowed="Keep one row for each hex")

    def _rows_by_hex(self, table: Table) -> Mapping[Hex | None, Sequence[int]]:
        """Return the rows of a tab by hex."""
        return self._once(table, cells.rows_by_hex, table)

    def _once(self, table: Table, make: Callable[[Source], Made], source: Source) -> Made:
        """Return the result of a function on a table or its database, cached with the table (one pass)."""
        made = self._made.setdefault(table, {})
        if make not in made:
            made[make] = make(source)
        return cast(Made, made[make])


def _longest_reach(database: Database) -> int:
    ranges = (database.read(row, HexUnitType).values.get("range", 0) for row in database.table(HexUnitType))
    return int(max(SHORTEST_REACH, *ranges, 0))
