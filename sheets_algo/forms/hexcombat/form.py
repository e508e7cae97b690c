"""Form of hex combats, which reads a Combat Requests row with the units that it names or changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar
from weakref import WeakKeyDictionary

from engine.dated import TURN
from engine.hexcombat.cases import CASES
from engine.hexcombat.resolve import HexCombat
from engine.hexcombat.setup.hexes import Hex
from engine.hexcombat.setup.inputs import (
    ALL_TARGETS,
    ATTACK,
    FIRST_TURN,
    NEW_TURN,
    CombatInputs,
    HexInputs,
    NewTurnInputs,
    TargetsInputs,
)
from engine.hexcombat.setup.records import Facility, HexSide, HexUnit, HexUnitType, Terrain
from engine.hexcombat.setup.tables import SETTABLE_WORDS, TABLES, HexTables, settable
from sheets_algo.database.problems import Problem
from sheets_algo.database.records import TURN_ACTIONS, Database, Vocabulary
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import FormResult, FormSource
from sheets_algo.forms.capabilities import CurrentTurn, TurnForm
from sheets_algo.forms.hexcombat import cells as cells
from sheets_algo.forms.hexcombat import limits as limits
from sheets_algo.forms.hexcombat.board import Board
from sheets_algo.forms.hexcombat.causes import TURN_OF
from sheets_algo.forms.hexcombat.columns import CombatRequest, HexSetting
from sheets_algo.forms.hexcombat.combats import FORECAST, CombatReader
from sheets_algo.forms.hexcombat.scan import SHORTEST_REACH, MapReader, Positions
from sheets_algo.forms.hexcombat.turns import check_turn, first_turn, game_turn, read_new_turn
from sheets_algo.forms.row_reader import RowReader

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
    inputs_by_kind: ClassVar[Mapping[str, type]] = {NEW_TURN: NewTurnInputs, ALL_TARGETS: TargetsInputs}
    turn_column = "turn"
    end_of_turn: ClassVar = {"kind": NEW_TURN}

    def __init__(self, source: FormSource) -> None:
        self.tables = source.built(HexTables.of)
        self.ruleset = self._rules = HexCombat(self.tables)
        self.settings = source.settings_tab(HexSetting, settable, SETTABLE_WORDS, TABLES, self.tables.having, (TURN,))
        self.vocabulary = Vocabulary(
            lists={**self.tables.lists, TURN_ACTIONS.name: TURN_ACTIONS},
            builtin={Terrain.tab.name: self.tables.terrains},
            checks={
                HexUnit: (cells.check_suppressed, cells.check_mounted, cells.check_hex, self._check_strength),
                Facility: (cells.check_hex, self._check_single_facility),
            },
        )
        self._rows: WeakKeyDictionary[Table, Mapping[Hex | None, Sequence[int]]] = WeakKeyDictionary()
        self._reaches: WeakKeyDictionary[Table, int] = WeakKeyDictionary()
        self._attacks_of: WeakKeyDictionary[Table, limits.Attacks] = WeakKeyDictionary()
        self._first_turns: WeakKeyDictionary[Table, int | None] = WeakKeyDictionary()

    def read(self, row: Row, database: Database) -> FormResult[HexInputs]:
        """Read one combat with the units that take part, an attack on all targets, or a new turn with all units.

        Raises:
            Rejected: The request has errors.
        """
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
        around = MapReader(reading, board, self._positions(database), tables.facts, turn)
        combats = CombatReader(reading, row, tables, board, around)
        reading.add(*limits.check_second_attack(row, turn, database, self._attacks(database)))
        has_all_targets = (
            row.is_blank("defender") and not row.is_blank("attacker") and values.get("kind", ATTACK) == ATTACK
        )
        if has_all_targets and values.get("action") == FORECAST:
            return combats.targets(values.get("war", ""))
        return combats.combat()

    def check(self, database: Database) -> Iterator[Problem]:
        """Yield the problems of the database tabs, and warnings of what units hardly have or where they hardly are."""
        yield from super().check(database)
        yield from limits.check_stores(database)
        yield from limits.check_stacks(database, self._rows_by_hex(database.table(HexUnit)))

    def current_turn(self, row: Row, database: Database) -> CurrentTurn | None:
        """Return the game's turn; before the first New turn the one that this will end, if a row asks for it."""
        turn = self.turn_of_all(database)
        ends = database.read(row, CombatRequest).values.get("kind") == NEW_TURN
        return turn and replace(turn, ends=ends)

    def turn_of_all(self, database: Database) -> CurrentTurn | None:
        """Return the game's turn; before the first New turn the one that this will end, if a row asks for it."""
        current = game_turn(RowReader(database))
        turn = self._first_turn(database) if current is None else current
        if turn is None:
            return None
        counters = tuple(cell for side in database.table(HexSide) for cell in TURN_OF.of(side.name).cells)
        return CurrentTurn(turn, ends=True, is_begun=current is not None, counters=counters)

    def forecast(self, inputs: HexInputs) -> str:
        """Return the forecast of the source's formula, without rolls (HX-FOR-1)."""
        return self._rules.forecast(inputs)

    def comparison_battles(self, inputs: HexInputs, rulings: int, *, is_compiled: bool = False) -> int:
        """Return 20, since a turn has many combats with many rolls each (FC-07)."""
        return COMPARISON_COMBATS

    def _first_turn(self, database: Database) -> int | None:
        """Return the turn that the first New turn ends, cached as long as the table exists (one pass)."""
        requests = database.table(CombatRequest)
        if requests not in self._first_turns:
            self._first_turns[requests] = first_turn(database)
        return self._first_turns[requests]

    def _attacks(self, database: Database) -> limits.Attacks:
        """Return the rows of the request tab by what they order, cached as long as the table exists (one pass)."""
        requests = database.table(CombatRequest)
        if requests not in self._attacks_of:
            self._attacks_of[requests] = limits.Attacks.of(requests)
        return self._attacks_of[requests]

    def _check_strength(self, row: Row, unit: HexUnit) -> Iterator[Problem]:
        """Warn of a strength that no experience gives (HX-DEF-07)."""
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

    def _positions(self, database: Database) -> Positions:
        """Return the places of all units; neither these nor the types change in a pass."""
        types = database.table(HexUnitType)
        if types not in self._reaches:
            ranges = (database.read(row, HexUnitType).values.get("range", 0) for row in types)
            self._reaches[types] = max(SHORTEST_REACH, *ranges, 0)
        return Positions(self._rows_by_hex(database.table(HexUnit)), self._reaches[types])

    def _rows_by_hex(self, table: Table) -> Mapping[Hex | None, Sequence[int]]:
        """Return the rows of a tab by hex, cached as long as the table exists (one pass)."""
        if table not in self._rows:
            self._rows[table] = cells.rows_by_hex(table)
        return self._rows[table]
