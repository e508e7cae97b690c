"""Tabs as tables, with rows found by name and cell addresses for problems."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, overload

from engine.columns import ColumnPlace, Field, Kind, loosely, row_label, tab_of
from sheets_algo.database.cell_text import NotYetKnown, OutOfRange, ReadError, as_text, is_answer, is_blank, is_typed
from sheets_algo.database.cells import split_names
from sheets_algo.database.headers import HeadedTab
from sheets_algo.database.problems import CellRef, Problem, Severity, shortened
from sheets_algo.database.typed_numbers import number_of
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.values import PerCent, Plain, Value

T = TypeVar("T")
ALL_KINDS = frozenset(Kind)
WORDLESS = frozenset({Kind.NUMBER, Kind.WHOLE, Kind.COUNT, Kind.YES_NO, Kind.TIME})
"""Kinds of columns in which no word may be typed, but yes and no."""
FEW_CELLS = 8
"""Number of cells per repeated header: a row with one header in so many is a header row."""


NEAR = 4
"""Gap up to which columns are read together, since addresses of requests have a maximum length."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table."""

    table: Table
    number: int

    def value(self, attribute: str) -> Value:
        """Return the cell of an attribute's column, in the column's unit, or None if the table lacks the column."""
        place = self.table.places.get(attribute)
        cells = self.table.cells(self.number)
        value = cells[place - 1] if place is not None and place <= len(cells) else None
        value = self.table.overlay.get((self.number, attribute), value)
        is_share = isinstance(value, PerCent) or (isinstance(value, str) and value.endswith("%"))
        return self._in_unit(attribute, value) if is_share else value

    def _in_unit(self, attribute: str, value: Value) -> Value:
        """Return a share as the number that a column in per cent counts by: 20 for a cell that shows 20 % (NUM-03)."""
        if not dict(self.table.columns)[attribute].is_in_per_cent:
            return value
        try:
            number = number_of(value, is_in_per_cent=True)
        except ReadError:
            return value
        return value if number is None else number

    def values(self) -> Iterator[tuple[str, Field, Value]]:
        """Yield attribute, declared column and cell of every column that the table has, in declared order."""
        cells, overlay = self.table.cells(self.number), self.table.overlay
        for attribute, column, place in self.table.placed:
            value = cells[place - 1] if place <= len(cells) else None
            yield attribute, column, overlay.get((self.number, attribute), value) if overlay else value

    def is_blank(self, attribute: str) -> bool:
        """Return True if the cell of an attribute is blank."""
        return is_blank(self.value(attribute))

    def cell(self, attribute: str = "") -> CellRef:
        """Return the address of an attribute's cell, or of the whole row if there is no such column."""
        return CellRef(self.table.title, self.number, self.table.places.get(attribute, 0))

    @property
    def name(self) -> str:
        """Return the row's name, blank for tabs without a key column."""
        key = tab_of(self.table.record).key
        return as_text(self.value(key)) if key else ""

    @property
    def title(self) -> str:
        """Return the text by which rows of other tabs may name the row, beside its name; blank for none."""
        title = tab_of(self.table.record).title
        return as_text(self.value(title)) if title else ""

    @property
    def own_names(self) -> Sequence[str]:
        """Return the texts by which rows of other tabs name this one: its name, and its title if no other has it."""
        is_alone = self.table.by_title.get(loosely(self.title)) == [self]
        return [text for text in (self.name, self.title if is_alone else "") if text]

    @property
    def label(self) -> str:
        """Return the name of the row in messages: its own, or in a tab without names some of its cells."""
        cells = (as_text(self.value(attribute)) for attribute in tab_of(self.table.record).told_by)
        return self.name or ", ".join(filter(None, cells))

    def problem(self, attribute: str, id: str, says: str, **more: Any) -> Problem:
        """Return a problem of one cell of this row; `more` are further arguments of `Problem`."""
        return Problem(
            cell=self.cell(attribute),
            row=shortened(self.label),
            column=shortened(self.table.header(attribute)) if attribute else "",
            says=says,
            value=as_text(self.value(attribute)) if attribute else "",
            id=id,
            **more,
        )

    def warning(self, attribute: str, id: str, says: str, **more: Any) -> Problem:
        """Return a problem that does not prevent the request from being ruled."""
        return self.problem(attribute, id, says, severity=Severity.WARNING, **more)

    def note(self, attribute: str, id: str, says: str, **more: Any) -> Problem:
        """Return a note of a value that changes nothing, which only `check` reports."""
        return self.problem(attribute, id, says, severity=Severity.NOTE, **more)

    def read_problem(self, attribute: str, column: Field, error: ReadError) -> Problem:
        """Return the problem of a cell that could not be read."""
        is_pending = isinstance(error, NotYetKnown)
        is_forgiven = column.lenient and not is_pending
        limits = tab_of(self.table.record).limits if isinstance(error, OutOfRange) else ""
        return self.problem(
            attribute,
            error.id or column.id,
            "; ".join(filter(None, (error.says, limits, "the cell counts as blank" if is_forgiven else ""))),
            allowed=error.allowed,
            nearest=error.nearest,
            severity=Severity.WARNING if is_forgiven else Severity.ERROR,
            is_pending=is_pending,
        )


class RowList(Sequence[Row]):
    """Rows of a tab in their order; each is made when it is asked for, since there may be 300,000."""

    __slots__ = ("numbers", "table")

    def __init__(self, table: Table, numbers: Sequence[int]) -> None:
        self.table, self.numbers = table, numbers

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[Row]:
        return map(functools.partial(Row, self.table), self.numbers)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> RowList: ...
    def __getitem__(self, index: int | slice) -> Row | RowList:
        if isinstance(index, slice):
            return RowList(self.table, self.numbers[index])
        return Row(self.table, self.numbers[index])


Numbers = Mapping[str, int | tuple[int, ...]]
"""Numbers of rows by a text; several in their order."""


class RowIndex(Mapping[str, Sequence[Row]]):
    """Rows by a text, those of one text in the order of their numbers.

    Args:
        numbers: Numbers of the rows; copied before they are changed.
    """

    __slots__ = ("_changed", "_numbers", "_table")

    def __init__(self, table: Table, numbers: Numbers) -> None:
        self._table, self._numbers = table, numbers
        self._changed: dict[str, int | tuple[int, ...]] | None = None

    def __getitem__(self, text: str) -> Sequence[Row]:
        return [Row(self._table, number) for number in _several(self._numbers[text])]

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, text: object) -> bool:
        return text in self._numbers

    @property
    def has_several(self) -> bool:
        """True if a text has several rows."""
        return not all(isinstance(numbers, int) for numbers in self._numbers.values())

    def add(self, text: str, number: int) -> None:
        """Add a row, unless the text is blank."""
        if text:
            self._put(text, sorted((*_several(self._numbers.get(text, ())), number)))

    def remove(self, text: str, number: int) -> None:
        """Remove a row, if it is there."""
        self._put(text, [other for other in _several(self._numbers.get(text, ())) if other != number])

    def _put(self, text: str, numbers: Sequence[int]) -> None:
        if self._changed is None:
            self._numbers = self._changed = dict(self._numbers)
        if numbers:
            self._changed[text] = numbers[0] if len(numbers) == 1 else tuple(numbers)
        else:
            self._changed.pop(text, None)


def _several(numbers: int | tuple[int, ...]) -> tuple[int, ...]:
    return (numbers,) if isinstance(numbers, int) else numbers


@dataclass(frozen=True, eq=False)
class Table(HeadedTab):
    """A tab with its rows."""

    # The cells that earlier rulings of the same pass changed, by row number and attribute.
    overlay: dict[tuple[int, str], Value] = field(default_factory=dict)
    # The tables to which cells of this one may refer.
    others: Mapping[TabKey, Table] = field(default_factory=dict, repr=False)
    _listings: dict[str, Mapping[str, list[Row]]] = field(default_factory=dict, init=False)

    @functools.cached_property
    def rows(self) -> RowList:
        """Return every row below the header with typed content, except for further headers."""
        numbers, further = self._begun, self._further_headers
        return RowList(self, [number for number in numbers if number not in further] if further else numbers)

    @functools.cached_property
    def further_header_problems(self) -> tuple[Problem, ...]:
        """Return the problem of each row below the headers that has headers or their legend again."""
        allowed = "Move it above the headers, or out of the tab"
        return tuple(
            Problem(
                cell=CellRef(self.title, number),
                says=f"row {number} looks like headers",
                id="DB-03",
                allowed=allowed,
                severity=Severity.WARNING,
            )
            for number in sorted(self._further_headers)
        )

    @functools.cached_property
    def _further_headers(self) -> frozenset[int]:
        return self._derived("further headers", self._find_further_headers)

    def _find_further_headers(self) -> frozenset[int]:
        if tab_of(self.record).program_only:
            return frozenset()
        heads = {cell for cell in self.cells(self.header_row) if isinstance(cell, str)}
        plain = [place for _, column, place in self.placed if self._is_row_content(column, WORDLESS)]
        probes = {*plain[:1], *plain[-1:]}
        numbers = []
        for number in self._begun:
            cells = self.cells(number)
            is_possible = not heads.isdisjoint(cells[:FEW_CELLS])
            for place in probes:  # a generator for each of many rows would take as long as all else
                is_possible = is_possible or (place <= len(cells) and type(cells[place - 1]) is str)
            if is_possible and self._looks_like_headers(cells, plain):
                numbers.append(number)
        return frozenset(numbers)

    def _looks_like_headers(self, cells: Sequence[Value], plain: Sequence[int]) -> bool:
        """Return True if most cells have their own headers, or those of a request different words for numbers.

        A row of another tab that only has words where numbers are due stays one: a battle would be fought without it.
        """
        wordless = [cells[place - 1] for place in plain if place <= len(cells) and is_typed(cells[place - 1])]
        if not all(isinstance(cell, str) and not any(map(str.isdigit, cell)) for cell in wordless):
            return False
        typed = sum(map(is_typed, cells))
        width = len(cells)
        placed = [(attribute, cells[place - 1]) for attribute, place in self.places.items() if place <= width]
        heads = sum(self._attribute(cell) == attribute for attribute, cell in placed)
        is_legend = "ready" in self.places and 3 <= len(set(wordless)) == len(wordless)
        return (heads >= 2 and 2 * heads >= typed) or (is_legend and not any(map(is_answer, wordless)))

    @functools.cached_property
    def _begun(self) -> Sequence[int]:
        """Numbers of the rows below the header with typed content."""
        return self._derived("begun rows", self._find_begun)

    def _derived(self, what: str, find: Callable[[], T]) -> T:
        """Return the data that follow from the tab's cells alone, found once for all tables of it."""
        derived: dict[tuple[type, str], T] = self.sheet.derived if self.sheet else {}
        key = self.record, what
        if key not in derived:
            derived[key] = find()
        return derived[key]

    def _find_begun(self) -> Sequence[int]:
        if self.sheet is None or not self.header_row or self._is_without_ids:
            return ()
        content = [cell for cell in self.placed if self._is_row_content(cell[1])]
        typed = [(place, column.also) for attribute, column, place in content if not _is_prefilled(attribute, column)]
        typed = typed or [(place, ()) for _, _, place in content]
        rows = []
        for number, cells in sorted(self.sheet.rows.items()):
            if number > self.header_row:
                if number in self._merged_rows and any(_is_typed_at(cells, place) for _, _, place in content):
                    cells = self._merged_rows[number]
                for place, also in typed:  # a generator for each of many rows would take as long as all else
                    if _is_typed_at(cells, place) and not (also and loosely(as_text(cells[place - 1])) in also):
                        rows.append(number)
                        break
        return rows

    @functools.cached_property
    def by_name(self) -> RowIndex:
        """Return the rows by name, without regard to capitals and spaces (DB-07)."""
        return self._index(tab_of(self.record).key)

    @functools.cached_property
    def has_namesakes(self) -> bool:
        """Return True if two rows have the same name."""
        return self.by_name.has_several

    @functools.cached_property
    def by_label(self) -> dict[str, list[Row]]:
        """Return the rows of a tab in which rows may share a name by loosely compared label, name and first owner."""
        within = tab_of(self.record).within
        index: dict[str, list[Row]] = {}
        for row in self.rows:
            first = next(iter(self._names_in(within, row.value(within))), "")
            index.setdefault(loosely(row_label(row.name, first)), []).append(row)
        return index

    @functools.cached_property
    def by_request(self) -> RowIndex:
        """Return the rows by the normalised content of their column Request, for tabs that have one."""
        return self._index("request")

    @functools.cached_property
    def by_title(self) -> Mapping[str, Sequence[Row]]:
        """Return the rows by their normalised titles; a title that is the key of a row names that row instead."""
        tab = tab_of(self.record)
        keys = set(map(loosely, self.texts(tab.key))) if tab.title else set()
        return {title: rows for title, rows in self._index(tab.title).items() if title not in keys}

    def rows_of(self, request: Row) -> Sequence[Row]:
        """Return the rows that belong to a request: by its id, or by its title if no other row has that (FLR-01)."""
        rows = (row for text in request.own_names for row in self.by_request.get(loosely(text), ()))
        return sorted(rows, key=lambda row: row.number)

    def rows_listing(self, attribute: str, name: str) -> Sequence[Row]:
        """Return the rows whose cell of an attribute lists a name (DB-05)."""
        if attribute not in self._listings:
            index: dict[str, list[Row]] = {}
            for row in self.rows:
                for part in {loosely(part) for part in self._names_in(attribute, row.value(attribute))}:
                    index.setdefault(part, []).append(row)
            self._listings[attribute] = index
        return self._listings[attribute].get(loosely(name), ())

    def is_name(self, column: Field, text: str) -> bool:
        """Return True if a text is the name of a row to which a column refers."""
        other = self.others.get(TabKey.named(column.to))
        return other is not None and loosely(text) in other.by_name

    def _names_in(self, attribute: str, value: Value) -> list[str]:
        text = value if isinstance(value, str) else as_text(value)
        return split_names(text, functools.partial(self.is_name, dict(self.columns)[attribute]))

    def _index(self, attribute: str) -> RowIndex:
        find = functools.partial(self._find_numbers, self.places.get(attribute, 0))
        numbers = find() if self.overlay else self._derived(attribute, find)
        return RowIndex(self, numbers)

    def _find_numbers(self, place: int) -> Numbers:
        """Return the numbers of the rows by the loosely compared text of a column; none of column 0."""
        numbers: dict[str, int | tuple[int, ...]] = {}
        several: dict[str, list[int]] = {}
        for number in self.rows.numbers if place else ():
            cells = self.cells(number)
            text = as_text(cells[place - 1]) if place <= len(cells) else ""
            if text and (key := loosely(text)):
                first = numbers.setdefault(key, number)
                if first != number:
                    several.setdefault(key, [*_several(first)]).append(number)
        numbers.update((key, tuple(rows)) for key, rows in several.items())
        return numbers

    def _indexes_of(self, attribute: str) -> Iterator[RowIndex]:
        """Yield the existing indexes of a column's content."""
        attributes = {"by_name": tab_of(self.record).key, "by_request": "request"}
        yield from (self.__dict__[name] for name, of in attributes.items() if of == attribute and name in self.__dict__)

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """Return the distinct names of the rows as typed, in sheet order."""
        return tuple(rows[0].name for rows in self.by_name.values())

    def texts(self, attribute: str) -> Iterator[str]:
        """Yield the texts of a column below the header, including those of numbered rows that are otherwise blank."""
        place = self.places.get(attribute)
        for number, cells in self.sheet.rows.items() if self.sheet and place else ():
            if place and number > self.header_row and place <= len(cells) and not is_blank(cells[place - 1]):
                yield as_text(cells[place - 1])

    def merged_downwards(self, attribute: str, row: int) -> tuple[int, int, int, int] | None:
        """Return the vertically merged area around the cell of an attribute; None if there is none."""
        place, merged = self.places.get(attribute, 0), self.sheet.merged if self.sheet else ()
        return next((area for area in merged if area[1] == place and area[0] <= row <= area[2] > area[0]), None)

    def add_row(self, values: Mapping[str, Value], number: int | None = None) -> Row:
        """Add a row in memory, so that later rulings of the pass find it.

        Args:
            number: The number of the row; None for `next_number`.
        """
        indexes = ((self.by_name, tab_of(self.record).key), (self.by_request, "request"))
        row = Row(self, self.next_number if number is None else number)
        self.overlay.update({(row.number, attribute): value for attribute, value in values.items()})
        self.__dict__["rows"] = RowList(self, [*self.rows.numbers, row.number])  # replaces the cached property
        for index, attribute in indexes:
            index.add(loosely(as_text(values.get(attribute))), row.number)
        self._forget()
        return row

    def drop_row(self, row: Row) -> None:
        """Remove the row that was added last."""
        self.__dict__["rows"] = self.rows[:-1]
        for index, attribute in ((self.by_name, tab_of(self.record).key), (self.by_request, "request")):
            index.remove(loosely(as_text(row.value(attribute))), row.number)
        for key in [key for key in self.overlay if key[0] == row.number]:
            del self.overlay[key]
        self._forget()

    def _forget(self) -> None:
        """Forget what follows from the rows, to be found again."""
        for name in ("names", "has_namesakes", "by_label", "by_title"):
            self.__dict__.pop(name, None)
        self._listings.clear()

    def add_column(self, attribute: str) -> int:
        """Assign a column that the sheet lacks to the first free place at the right end, and return its number."""
        self.places[attribute] = max((self.width, *self.places.values())) + 1
        return self.places[attribute]

    @property
    def last_row(self) -> int:
        """Return the number of the last row with content in the snapshot."""
        return self.sheet.last_row if self.sheet else 0

    @property
    def next_number(self) -> int:
        """Return the number of the first empty row, except for unticked boxes, below the people's rows (RCP-32)."""
        number = max([self.header_row, *self.rows.numbers[-1:]]) + 1
        while any(is_typed(cell) for cell in self.cells(number)) or self._is_merged(number):
            number += 1
        return number

    @property
    def next_request(self) -> int:
        """Return the number of the first row below the people's rows with only an id and unticked boxes."""
        number, place = max([self.header_row, *self.rows.numbers[-1:]]) + 1, self.places.get("request")
        while self._is_merged(number) or any(
            is_typed(cell) for column, cell in enumerate(self.cells(number), start=1) if column != place
        ):
            number += 1
        return number

    def _is_merged(self, row: int) -> bool:
        return any(top <= row <= bottom for top, _, bottom, _ in (self.sheet.merged if self.sheet else ()))

    def write(self, row: int, attribute: str, value: Value) -> None:
        """Set a cell in memory, so that later rulings of the same pass read the new value and find the row by it."""
        for index in self._indexes_of(attribute):
            index.remove(loosely(as_text(Row(self, row).value(attribute))), row)
            index.add(loosely(as_text(value)), row)
        self.overlay[row, attribute] = value
        self._listings.pop(attribute, None)

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows in sheet order."""
        return iter(self.rows)

    def _is_row_content(self, column: Field, kinds: Collection[Kind] = ALL_KINDS) -> bool:
        """Return True if a value here may make a row; request ids and the program's own cells do not."""
        if tab_of(self.record).program_only:
            return True
        return column.kind in kinds and column.place in (ColumnPlace.PERSON, ColumnPlace.CONTROL)

    @property
    def _is_without_ids(self) -> bool:
        """Return True for a request tab without its id column: with new ids all requests would be ruled again."""
        return "ready" in dict(self.columns) and "request" not in self.places


def _is_prefilled(attribute: str, column: Field) -> bool:
    """Return True for drop-downs and boxes, which people fill in advance in many rows; Ready is ticked for one."""
    return column.kind in (Kind.CHOICE, Kind.YES_NO) and attribute != "ready"


def _is_typed_at(cells: Sequence[Value], place: int) -> bool:
    return place <= len(cells) and is_typed(cells[place - 1])


def blank_areas(tables: Iterable[Table]) -> Iterator[tuple[TabKey, tuple[int, int, int, int]]]:
    """Yield the areas of tabs whose blank cells affect rulings: incomplete columns, and headers (DB-01)."""
    for table in tables:
        rows = table.rows.numbers
        if not rows:
            continue
        key, head, last = table.key, table.header_row, rows[-1]
        runs: list[tuple[int, int]] = []
        for place in sorted(
            place
            for _, column, place in table.placed
            if not column.place.is_programs and column.decides is not False
            if any(is_blank(table.value(row, place)) for row in rows)
        ):
            is_near = bool(runs) and place - runs[-1][1] <= NEAR
            runs[-1:] = [(runs[-1][0], place)] if is_near else [*runs[-1:], (place, place)]
        yield from ((key, (head, first, last, end)) for first, end in runs)
        if table.lacks_columns:
            yield key, (table.header_row, 0, table.header_row, 0)


@dataclass(frozen=True, slots=True)
class Edit:
    """One cell with another value."""

    row: Row  # The row of the cell
    attribute: str  # The record's attribute for the column
    value: Plain  # The new value; None empties the cell

    @property
    def column(self) -> Field:
        """Return the column that declares the cell."""
        return dict(self.row.table.columns)[self.attribute]

    @property
    def name(self) -> str:
        """Return the name of the cell, such as `Militaries!Harold's Host!Size`."""
        tab = tab_of(self.row.table.record)
        row = self.row.name if tab.key else f"row {self.row.number}"
        return f"{self.row.table.title}!{row}!{self.column.header}"
