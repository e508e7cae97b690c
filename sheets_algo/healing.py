"""A write under which people moved rows or columns: each value goes where it belongs, what it covered comes back.

A spreadsheet in a browser takes writes by coordinates alone. Between the last look and the write somebody may sort the
nations, so that England's stability lands beside Normandy. What was read before the write says what stood beside each
name; so the cells that were hit, and those that were meant, can be put right by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.fields import tab_of
from sheets_algo.changes import shows
from sheets_algo.forms.base import Form
from sheets_algo.tables import Row, Table
from sheets_algo.workbook.base import ChangeSet, SetCell, Snapshot, Value, tab_key
from sheets_algo.workbook.base import Plain as Written

Place = tuple[int, int]


def healed(before: Snapshot, changes: ChangeSet, found: Snapshot, forms: Iterable[type[Form[Any]]]) -> ChangeSet:
    """What puts a displaced write right.

    Args:
        before: The snapshot that the write was planned on.
        changes: What was written, by the coordinates of `before`.
        found: A snapshot since.
        forms: Rulesets whose tabs may have been hit; only tabs whose rows have names can be healed.

    Returns:
        A change set without a guard; empty when every cell is where it belongs.
    """
    records = {tab_key(tab_of(record).name): record for form in forms for record in form.records()}
    cells: dict[tuple[str, Place], SetCell] = {}
    for name, record in records.items():
        written = [cell for cell in changes.cells if _is_of(cell.tab, before, name)]
        if written and tab_of(record).key:
            tab = _Tab(Table(record, before.sheet(name)), Table(record, found.sheet(name)), written)
            cells |= {(cell.tab, (cell.row, cell.column)): cell for cell in tab.healed()}
    return ChangeSet(cells=tuple(cells[key] for key in sorted(cells)))


def _is_of(tab: str, snapshot: Snapshot, key: str) -> bool:
    """Whether a cell's tab, which is spelled as the workbook spells it, is the one of a record class."""
    sheet = snapshot.sheet(key)
    return sheet is not None and tab_key(sheet.name) == tab_key(tab)


class _Tab:
    """One tab as it was planned on and as it is now."""

    def __init__(self, before: Table, now: Table, written: Iterable[SetCell]) -> None:
        self._now = now
        self._written = {(cell.row, cell.column): cell for cell in written}
        self._was = _State(before, {row.number: row.name for row in before})
        self._is = _State(now, {row.number: self._name(row, self._was) for row in now})

    def _name(self, row: Row, was: _State) -> str:
        """A row's name; where a moved column brought a value over the name, the one that stood there."""
        key = tab_of(self._now.record).key
        place = (row.number, self._now.places.get(key, 0))
        if place in self._written and shows(self._value(place), self._written[place].value):
            return was.names.get(row.number, "")
        return row.name

    def healed(self) -> Iterator[SetCell]:
        for place, cell in self._written.items():
            meant = self._was.place_in(self._is, place)
            if meant == place:
                continue
            if meant is not None and shows(self._value(meant), _plain(cell.before)):
                yield SetCell(self._now.name, *meant, cell.value, self._value(meant))
            if shows(self._value(place), cell.value):
                yield from self._uncovered(place)

    def _uncovered(self, place: Place) -> Iterator[SetCell]:
        """What a cell showed before it was hit, or was to show after the same write."""
        origin = self._is.place_in(self._was, place)
        if origin in self._written:
            value = self._written[origin].value
        else:
            value = _plain(self._was.table.value(*origin)) if origin else None
        if not shows(self._value(place), value):
            yield SetCell(self._now.name, *place, value, self._value(place))

    def _value(self, place: Place) -> Value:
        return self._now.value(*place)


@dataclass(frozen=True)
class _State:
    """A table, and its row numbers to names."""

    table: Table
    names: Mapping[int, str]

    def place_in(self, other: _State, place: Place) -> Place | None:
        """Where a cell stands in another state, by name and header; None if that is gone, or no longer certain."""
        row, column = place
        attribute = next((name for name, at in self.table.places.items() if at == column), "")
        compared = self.table.compared
        name = compared(self.names.get(row, ""))
        twins = [number for number, its in other.names.items() if name and compared(its) == name]
        if not attribute or attribute not in other.table.places or len(twins) != 1:
            return None
        return twins[0], other.table.places[attribute]


def _plain(value: Value) -> Written:
    return value if isinstance(value, (bool, int, float, str)) else None
