"""Hex combats: the Combat Requests tab, and what must hold between a combat and the units it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from engine.hexcombat.hexes import Hex
from engine.hexcombat.inputs import CombatInputs
from engine.hexcombat.records import Facility, Side, Terrain, Unit, UnitType
from engine.hexcombat.resolve import HexCombat
from engine.hexcombat.tables import SETTABLE_WORDS, Tables, settable
from engine.terrain import Feature
from sheets_algo.book import Book, Vocabulary
from sheets_algo.forms import hexcombat_cells as cells
from sheets_algo.forms.base import Filled, Form, Reading
from sheets_algo.forms.hexcombat_board import Board
from sheets_algo.forms.hexcombat_checks import combat_fits, dice_fit
from sheets_algo.forms.hexcombat_columns import CombatRequest, HexSetting
from sheets_algo.forms.settings import SchemaCheck, SettingsTab
from sheets_algo.problems import Problem
from sheets_algo.tables import Row, Table

COMBATS_BESIDE = 20
"""Of its seed, with which a combat is compared: a thousand in one pass take some three seconds more (FC-07)."""


class HexCombatForm(Form[CombatInputs]):
    """How a hex combat is read.

    Args:
        raw: The ruleset's parsed tables.
        open_maps: Not needed: these combats have no map.
        schema: What the schemas say of a table that settings changed.
    """

    key = "hexcombat"
    prefix = "H-"
    request = CombatRequest
    database = (Unit, UnitType, Terrain, Side, Facility, HexSetting)
    inputs = CombatInputs

    def __init__(
        self, raw: Mapping[str, Any], open_maps: Callable[[Sequence[Feature]], object], schema: SchemaCheck
    ) -> None:
        self.tables = Tables.of(raw)
        self.ruleset = self._rules = HexCombat(self.tables)
        self.settings = SettingsTab(HexSetting, settable(raw), SETTABLE_WORDS, schema, self.tables.having)
        self.vocabulary = Vocabulary(
            lists=self.tables.lists,
            builtin={Terrain.tab.name: self.tables.terrains},
            checks={
                Unit: (cells.suppressed_within_strength, cells.mounted_on_something, cells.hex_fits),
                Facility: (cells.hex_fits, self._is_the_only_one),
            },
        )
        self._facilities: WeakKeyDictionary[Table, Mapping[Hex, int]] = WeakKeyDictionary()

    def read(self, row: Row, book: Book) -> Filled[CombatInputs]:
        """One combat with everybody who takes part.

        Raises:
            Rejected: With every problem.
        """
        reading = Reading(book)
        own = self.settings.read(book)
        reading.add(*own.problems)
        asked = reading.row(row, CombatRequest)
        tables = self.tables.having(own.settings)
        board = Board(reading, row, asked, self._by_hex(book.table(Facility)))
        combat = board.combat(own.settings, seed_given=asked.values.get("seed") is not None)
        if combat is None:
            reading.finish()
            raise AssertionError("a part is missing without a problem")  # a bug of this form
        reading.add(*combat_fits(row, combat, tables))
        if not reading.failed:
            reading.add(*dice_fit(row, combat, tables))
        return Filled(combat, (), reading.finish())

    def forecast(self, inputs: CombatInputs) -> str:
        """The source's own formula, without a die (HX-FOR-1)."""
        return self._rules.forecast(inputs)

    def battles_beside(self, inputs: CombatInputs) -> int:
        """Twenty: a turn has many combats, each with many a die (FC-07)."""
        return COMBATS_BESIDE

    def _is_the_only_one(self, row: Row, it: Facility) -> Iterator[Problem]:
        """HX-STR-2: a hex has one facility, however its column and row are written."""
        at = cells.hex_or_none(it.hex)
        first = self._by_hex(row.table).get(at) if at else None
        if first not in (None, row.number):
            says = f"hex {at} has its facility in row {first} already"
            yield row.problem("hex", "HX-STR-2", says, allowed="Keep one row for each hex")

    def _by_hex(self, facilities: Table) -> Mapping[Hex, int]:
        """The rows of Hex Facilities, by number, of each hex: looked up once a pass, and kept no longer than it."""
        if facilities not in self._facilities:
            self._facilities[facilities] = cells.by_hex(facilities)
        return self._facilities[facilities]
