"""A tab as a table: columns found by header, rows by name, every cell with its address."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.fields import Field, Place, columns, loosely, tab_of
from engine.words import nearest
from sheets_algo.problems import Cell, Problem, Severity, shortened
from sheets_algo.values import Trouble, is_blank, shown, split_names, trimmed
from sheets_algo.workbook.base import Sheet, Value

HEADER_SEARCH = 10
"""A header row may stand this far down, under a title."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table."""

    table: Table
    number: int

    def value(self, attribute: str) -> Value:
        """The cell of an attribute's column; None where the table lacks the column."""
        if (self.number, attribute) in self.table.overlay:
            return self.table.overlay[self.number, attribute]
        place = self.table.places.get(attribute)
        cells = self.table.cells(self.number)
        return cells[place - 1] if place is not None and place <= len(cells) else None

    def values(self) -> Iterator[tuple[str, Field, Value]]:
        """Attribute, declared column and cell of every column that the table has, in declared order."""
        cells = self.table.cells(self.number)
        for attribute, column, place in self.table.placed:
            value = cells[place - 1] if place <= len(cells) else None
            yield attribute, column, self.table.overlay.get((self.number, attribute), value)

    def is_blank(self, attribute: str) -> bool:
        """Whether nothing was typed there."""
        return is_blank(self.value(attribute))

    def cell(self, attribute: str = "") -> Cell:
        """Where the attribute stands; the whole row without one or where the column is missing."""
        return Cell(self.table.name, self.number, self.table.places.get(attribute, 0))

    @property
    def name(self) -> str:
        """What the row is called in messages."""
        key = tab_of(self.table.record).key
        return shown(self.value(key)) if key else ""

    def problem(self, attribute: str, id: str, says: str, **more: Any) -> Problem:
        """A problem at one cell of this row."""
        return Problem(
            cell=self.cell(attribute),
            row=shortened(self.name),
            column=shortened(self.table.header(attribute)) if attribute else "",
            says=says,
            found=shown(self.value(attribute)) if attribute else "",
            id=id,
            **more,
        )

    def warning(self, attribute: str, id: str, says: str, **more: Any) -> Problem:
        """A problem that does not keep the request from being ruled."""
        return self.problem(attribute, id, says, severity=Severity.WARNING, **more)

    def trouble(self, attribute: str, column: Field, trouble: Trouble) -> Problem:
        """What reading a cell ran into, at its place."""
        return self.problem(
            attribute,
            trouble.id or column.id,
            trouble.says,
            allowed=trouble.allowed,
            nearest=trouble.nearest,
            severity=Severity.WARNING if column.lenient else Severity.ERROR,
        )


NEEDED = ("request", "ready")
"""Columns that a tab of requests cannot do without, blank as a cell may be: nothing would be ruled, or all again."""


@dataclass(frozen=True, eq=False)
class Table:
    """One record class's tab in one snapshot.

    Args:
        record: The record class that declares the tab.
        sheet: The tab as read, or None if the workbook lacks it.
        overlay: Cells that earlier rulings of the same pass changed, by row and attribute.
    """

    record: type
    sheet: Sheet | None
    overlay: dict[tuple[int, str], Value] = field(default_factory=dict)
    _listings: dict[str, Mapping[str, list[Row]]] = field(default_factory=dict, init=False)
    _placed: list[tuple[str, Field, int]] = field(default_factory=list, init=False)

    @property
    def columns(self) -> Sequence[tuple[str, Field]]:
        """Attribute and declared column."""
        return columns(self.record)

    @property
    def name(self) -> str:
        """The tab's name as the workbook spells it."""
        return self.sheet.name if self.sheet else tab_of(self.record).name

    @functools.cached_property
    def header_row(self) -> int:
        """The row with the most headers of ours among the first ten; 0 when there is none."""
        best, most = 0, 0
        for number in range(1, HEADER_SEARCH + 1):
            found = sum(1 for cell in self.cells(number) if self._attribute(cell) is not None)
            if found > most:
                best, most = number, found
        return best

    @functools.cached_property
    def places(self) -> dict[str, int]:
        """Attribute to column number; the first column wins where two have the same header."""
        places: dict[str, int] = {}
        for column, cell in enumerate(self.cells(self.header_row), start=1):
            attribute = self._attribute(cell)
            if attribute is not None:
                places.setdefault(attribute, column)
        return places

    @property
    def placed(self) -> Sequence[tuple[str, Field, int]]:
        """Attribute, declared column and column number of every column that the sheet has."""
        if len(self._placed) != len(self.places):
            self._placed[:] = [
                (attribute, column, self.places[attribute])
                for attribute, column in self.columns
                if attribute in self.places
            ]
        return self._placed

    @functools.cached_property
    def header_problems(self) -> tuple[Problem, ...]:
        """The tab or a required column is missing, or two columns have one header (DB-03)."""
        tab = tab_of(self.record)
        if self.sheet is None:
            if tab.optional or tab.program_only:
                return ()
            return (
                _at(self.name, "the tab is missing", "DB-03", "Add it with its headers, or run init on the workbook"),
            )
        if not self.header_row:
            if tab.optional and not any(_is_typed(cell) for cells in self.sheet.rows.values() for cell in cells):
                return ()  # emptied, headers and all, is as good as missing
            heads = ", ".join(column.header for _, column in columns(self.record)[:4])
            return (_at(self.name, "no header row found", "DB-03", f"Put the headers ({heads} ...) into row 1"),)
        return (*self._missing_columns(), *self._double_columns())

    @functools.cached_property
    def rows(self) -> Sequence[Row]:
        """Every row below the header in which a person put something."""
        if self.sheet is None or not self.header_row or self._is_without_ids:
            return ()
        people = [place for attribute, place in self.places.items() if self._makes_a_row(attribute)]
        return tuple(
            Row(self, number)
            for number, cells in sorted(self.sheet.rows.items())
            if number > self.header_row and any(place <= len(cells) and _is_typed(cells[place - 1]) for place in people)
        )

    @functools.cached_property
    def by_name(self) -> dict[str, list[Row]]:
        """Name, as names are compared in this tab, to its rows."""
        return self._index(tab_of(self.record).key, self.compared)

    @functools.cached_property
    def by_request(self) -> dict[str, list[Row]]:
        """Request id to the rows that belong to it, for tabs with a Request column."""
        return self._index("request", loosely)

    def listing(self, attribute: str, name: str) -> Sequence[Row]:
        """The rows whose list of names, in one cell, holds a name (DB-05)."""
        if attribute not in self._listings:
            index: dict[str, list[Row]] = {}
            for row in self.rows:
                cell = row.value(attribute)
                for part in {loosely(part) for part in split_names(cell if isinstance(cell, str) else shown(cell))}:
                    index.setdefault(part, []).append(row)
            self._listings[attribute] = index
        return self._listings[attribute].get(loosely(name), ())

    def _index(self, attribute: str, compared: Callable[[str], str]) -> dict[str, list[Row]]:
        index: dict[str, list[Row]] = {}
        place = self.places.get(attribute, 0)
        for row in self.rows if place else ():
            cells = self.cells(row.number)
            words = shown(cells[place - 1]) if place <= len(cells) else ""
            if words:
                index.setdefault(compared(words), []).append(row)
        return index

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """Every row's name as typed, in sheet order."""
        return tuple(rows[0].name for rows in self.by_name.values())

    def typed(self, attribute: str) -> Iterator[str]:
        """What stands in a column below the header, in rows of people and in rows that only a template filled."""
        place = self.places.get(attribute)
        for number, cells in self.sheet.rows.items() if self.sheet and place else ():
            if place and number > self.header_row and place <= len(cells) and not is_blank(cells[place - 1]):
                yield shown(cells[place - 1])

    @property
    def compared(self) -> Callable[[str], str]:
        """How names of this tab are compared."""
        return str if tab_of(self.record).exact else loosely

    def header(self, attribute: str) -> str:
        """The header of an attribute's column, as the sheet spells it, else as declared."""
        place = self.places.get(attribute)
        cells = self.cells(self.header_row)
        spelled = shown(cells[place - 1]) if place is not None and place <= len(cells) else ""
        return spelled or dict(self.columns)[attribute].header

    def grow(self, values: Mapping[str, Value]) -> Row:
        """A row more, attribute to value, where the next one belongs; later rulings of the pass see it."""
        listed = [(self.by_name, tab_of(self.record).key, self.compared), (self.by_request, "request", loosely)]
        row = Row(self, self.next_number)
        self.overlay.update({(row.number, attribute): value for attribute, value in values.items()})
        self.__dict__["rows"] = (*self.rows, row)  # as if it had been found when the rows were first asked for
        for index, attribute, compared in listed:
            if words := shown(values.get(attribute)):
                index.setdefault(compared(words), []).append(row)
        self.__dict__.pop("names", None)
        self._listings.clear()
        return row

    def add(self, attribute: str) -> int:
        """Give a column that the sheet lacks its place at the right end: there its cells will stand."""
        self.places[attribute] = max((self.width, *self.places.values())) + 1
        return self.places[attribute]

    @functools.cached_property
    def width(self) -> int:
        """Number of the last column that the header row or any row uses."""
        return max((len(cells) for cells in self.sheet.rows.values()), default=0) if self.sheet else 0

    @property
    def last_row(self) -> int:
        """Number of the last row that holds anything, as the snapshot has it."""
        return self.sheet.last_row if self.sheet else 0

    @property
    def next_number(self) -> int:
        """The first row below the last one of people's in which nothing stands but unticked boxes (RCP-32)."""
        number = max([self.header_row, *(row.number for row in self.rows[-1:])]) + 1
        while any(_is_typed(cell) for cell in self.cells(number)) or self._is_merged(number):
            number += 1
        return number

    def _is_merged(self, row: int) -> bool:
        return any(top <= row <= bottom for top, _, bottom, _ in (self.sheet.merged if self.sheet else ()))

    def write(self, row: int, attribute: str, value: Value) -> None:
        """Let later rulings of the same pass see a changed cell."""
        self.overlay[row, attribute] = value
        self._listings.pop(attribute, None)

    def value(self, row: int, column: int) -> Value:
        """One cell, as the snapshot has it."""
        cells = self.sheet.rows.get(row, ()) if self.sheet else ()
        return cells[column - 1] if column <= len(cells) else None

    def cells(self, row: int) -> Sequence[Value]:
        """One row from column A as a person sees it: cells merged downwards show the first one's value in each row."""
        if row in self._merged_rows:
            return self._merged_rows[row]
        return self.sheet.rows.get(row, ()) if self.sheet else ()

    @functools.cached_property
    def _merged_rows(self) -> Mapping[int, list[Value]]:
        if self.sheet is None or not self.sheet.merged:
            return {}
        rows, last = self.sheet.rows, self.sheet.last_row
        filled: dict[int, list[Value]] = {}
        for top, left, bottom, _ in self.sheet.merged:
            for row in range(top + 1, min(bottom, last) + 1):
                if row in rows:
                    cells = filled.setdefault(row, list(rows[row]))
                    cells.extend([None] * (left - len(cells)))
                    cells[left - 1] = self.value(top, left)
        return filled

    def __iter__(self) -> Iterator[Row]:
        """Row by row, in sheet order."""
        return iter(self.rows)

    def _attribute(self, cell: Value) -> str | None:
        return _headers(self.record).get(loosely(trimmed(cell))) if isinstance(cell, str) else None

    def _makes_a_row(self, attribute: str) -> bool:
        """A request's id is filled in advance (Place.FIRST) and makes no row, nor does what the program wrote."""
        if tab_of(self.record).program_only:
            return True
        return dict(self.columns)[attribute].place in (Place.PERSON, Place.CONTROL)

    @property
    def _is_without_ids(self) -> bool:
        """Whether it is a tab of requests whose ids are gone: under new ones all would be ruled a second time."""
        return "ready" in dict(self.columns) and "request" not in self.places

    def _missing_columns(self) -> Iterator[Problem]:
        others = [shown(cell) for cell in self.cells(self.header_row) if self._attribute(cell) is None]
        for attribute, column in self.columns:
            if (column.required or attribute in NEEDED) and attribute not in self.places:
                near = nearest(column.header, others)
                says = f'no column "{column.header}" found'
                yield _at(
                    self.name, says, column.id, f'Add it, or rename "{near}"' if near else "Add it", self.header_row
                )

    def _double_columns(self) -> Iterator[Problem]:
        for number, cell in enumerate(self.cells(self.header_row), start=1):
            attribute = self._attribute(cell)
            if attribute is not None and self.places[attribute] != number:
                first = Cell(self.name, self.header_row, self.places[attribute])
                says = f'a second column "{shown(cell)}"; the first is {first}'
                yield Problem(
                    cell=Cell(self.name, self.header_row, number), says=says, id="DB-03", allowed="Keep one of them"
                )


def _at(tab: str, says: str, id: str, allowed: str, row: int = 0) -> Problem:
    return Problem(cell=Cell(tab, row), says=says, id=id, allowed=allowed)


def _is_typed(value: Value) -> bool:
    """An unticked checkbox and a pre-filled blank do not make a row."""
    return value is not False and not is_blank(value)


@functools.cache
def _headers(record: type) -> Mapping[str, str]:
    heads = {loosely(alias): name for name, column in columns(record) for alias in column.aliases}
    return heads | {loosely(column.header): name for name, column in columns(record)}
