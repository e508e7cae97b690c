"""A write under which people moved rows or columns: each value goes where it belongs, what it covered comes back.

A spreadsheet in a browser takes writes by coordinates alone. Between the last look and the write somebody may sort the
nations, so that England's stability lands beside Normandy. What was read before the write says what stood beside each
name; so the cells that were hit, and those that were meant, can be put right by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.fields import tab_of
from sheets_algo.changes import shows
from sheets_algo.forms.base import Form
from sheets_algo.tables import Row, Table
from sheets_algo.values import shown
from sheets_algo.workbook.base import AppendRow, ChangeSet, SetCell, Snapshot, Value, tab_key
from sheets_algo.workbook.base import Plain as Written

Place = tuple[int, int]
_Id = str | int


def healed(before: Snapshot, changes: ChangeSet, found: Snapshot, forms: Iterable[type[Form[Any]]]) -> ChangeSet:
    """What puts a displaced write right.

    Args:
        before: The snapshot that the write was planned on.
        changes: What was written, by the coordinates of `before`.
        found: A snapshot since.
        forms: Rulesets whose tabs may have been hit.

    Returns:
        A change set without a guard; empty when every cell is where it belongs.
    """
    records = {tab_key(tab_of(record).name): record for form in forms for record in form.records()}
    cells: dict[tuple[str, Place], SetCell] = {}
    rows: list[AppendRow] = []
    for name, record in records.items():
        written = [cell for cell in changes.cells if _is_of(cell.tab, before, name)]
        added = [row for row in changes.rows if _is_of(row.tab, before, name)]
        if written or added:
            tab = _Tab(Table(record, before.sheet(name)), Table(record, found.sheet(name)), written)
            healing = (*tab.healed(), *(cell for row in added for cell in tab.straightened(row)))
            cells |= {(cell.tab, (cell.row, cell.column)): cell for cell in healing}
            rows += tab.lost()
    return ChangeSet(cells=tuple(cells[key] for key in sorted(cells)), rows=tuple(rows))


def _is_of(tab: str, snapshot: Snapshot, key: str) -> bool:
    """Whether a cell's tab, which is spelled as the workbook spells it, is the one of a record class."""
    sheet = snapshot.sheet(key)
    return sheet is not None and tab_key(sheet.name) == tab_key(tab)


class _Tab:
    """One tab as it was planned on and as it is now.

    A row is known by its name; one without, or with a name that others have too, by what people put into it.
    """

    def __init__(self, before: Table, now: Table, written: Iterable[SetCell]) -> None:
        self._now = now
        self._written = {(cell.row, cell.column): cell for cell in written}
        named = Counter(before.compared(row.name) for row in before)
        self._new = self._named_by_write(before)
        self._was = _State(before, {row.number: _known(row, named) for row in before} | self._new)
        self._named = {id for id in self._was.ids.values() if isinstance(id, str)}
        self._in_sight = {it for it in map(self._named_in_sight, now) if it is not None}
        self._is = _State(now, {row.number: self._same(row) for row in now})

    def _named_by_write(self, before: Table) -> dict[int, _Id]:
        """Rows that the write was to make out of rows that waited for it: number to name."""
        key = before.places.get(tab_of(before.record).key, 0)
        rows = {row.number for row in before}
        return {
            row: before.compared(shown(cell.value))
            for (row, column), cell in self._written.items()
            if column == key and row not in rows and row > before.header_row and cell.value is not None
        }

    def _same(self, row: Row) -> _Id | None:
        """Which row of before this one is."""
        name = self._named_in_sight(row)
        if name is not None:
            return name
        alike = [it.number for it in self._was.table if self._is_alike(row, it)]
        if self._new.get(row.number) == self._now.compared(row.name):
            # A row of people's may lie under the new one: one that stands nowhere else now.
            missed = [id for id in map(self._was.ids.get, alike) if id not in self._in_sight]
            return self._new[row.number] if not missed else missed[0] if len(missed) == 1 else None
        number = row.number if row.number in alike else alike[0] if len(alike) == 1 else 0
        return self._was.ids.get(number)

    def _named_in_sight(self, row: Row) -> str | None:
        """The name of a row of before that still stands beside it, not covered by the write."""
        name = self._now.compared(row.name)
        is_seen = name in self._named and not self._is_covered(row.number, tab_of(self._now.record).key)
        return name if is_seen else None

    def _is_alike(self, row: Row, before: Row) -> bool:
        """Whether people's cells are the same, as far as the write has not covered them."""
        places = self._was.table.places
        return all(
            self._is_covered(row.number, attribute) or shows(row.value(attribute), _plain(before.value(attribute)))
            for attribute, column, _ in self._now.placed
            if attribute in places and not column.place.is_programs
        )

    def _is_covered(self, row: int, attribute: str) -> bool:
        place = (row, self._now.places.get(attribute, 0))
        return place in self._written and shows(self._value(place), self._written[place].value)

    def healed(self) -> Iterator[SetCell]:
        for place, cell in self._written.items():
            meant = self._was.place_in(self._is, place)
            if meant == place:
                continue
            if meant is not None and shows(self._value(meant), _plain(cell.before)):
                yield SetCell(self._now.name, *meant, cell.value, self._value(meant))
            if shows(self._value(place), cell.value):
                yield from self._uncovered(place)

    def lost(self) -> Iterator[AppendRow]:
        """New rows that came to stand in rows of people's and are nowhere else: they go below the last row."""
        for number, name in self._new.items():
            if name not in self._is.ids.values():
                cells = {column: cell.value for (row, column), cell in self._written.items() if row == number}
                yield self._appended(cells)

    def straightened(self, row: AppendRow) -> Iterator[SetCell]:
        """An appended row whose columns were moved, put under its headers."""
        wanted = {place: value for place, value in enumerate(row.values, start=1) if value not in (None, "")}
        if self._was.table.places == self._now.places:
            return
        before = {id for id in self._was.ids.values() if isinstance(id, str)}
        for number in (it.number for it in self._now if self._now.compared(it.name) not in before):
            if all(shows(self._value((number, place)), value) for place, value in wanted.items()):
                meant = dict(enumerate(self._appended(wanted).values, start=1))
                for place in sorted({*wanted, *meant}):
                    if not shows(self._value((number, place)), meant.get(place)):
                        yield SetCell(self._now.name, number, place, meant.get(place), self._value((number, place)))
                return

    def _appended(self, cells: Mapping[int, Written]) -> AppendRow:
        """Cells by the columns of before, in the columns of now."""
        attributes = {place: attribute for attribute, place in self._was.table.places.items()}
        places = {place: self._now.places.get(attributes.get(place, ""), 0) for place in cells}
        values = {places[place]: value for place, value in cells.items() if places[place]}
        return AppendRow(self._now.name, tuple(values.get(place) for place in range(1, max(values, default=0) + 1)))

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


def _known(row: Row, named: Mapping[str, int]) -> _Id:
    name = row.table.compared(row.name)
    return name if name and named[name] == 1 else row.number


@dataclass(frozen=True)
class _State:
    """A table, and its row numbers to what the rows are known by: a name, or the number before."""

    table: Table
    ids: Mapping[int, _Id | None]

    def place_in(self, other: _State, place: Place) -> Place | None:
        """Where a cell stands in another state, by row and header; None if that is gone, or no longer certain."""
        row, column = place
        attribute = next((name for name, at in self.table.places.items() if at == column), "")
        id = self.ids.get(row)
        twins = [number for number, its in other.ids.items() if its == id] if id is not None else []
        if not attribute or attribute not in other.table.places or len(twins) != 1:
            return None
        return twins[0], other.table.places[attribute]


def _plain(value: Value) -> Written:
    return value if isinstance(value, (bool, int, float, str)) else None
