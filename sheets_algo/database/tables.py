"""Tabs as tables, with columns found by header, rows found by name and cell addresses for problems."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from engine.columns import ColumnPlace, Field, Kind, columns, loosely, row_label, tab_of
from engine.suggest import misspelt, nearest
from sheets_algo.database.cells import ReadError, is_answer, is_blank, number_of, shown, split_names, trimmed
from sheets_algo.database.problems import CellRef, Problem, Severity, shortened
from sheets_algo.workbook.changes import ComparedCells
from sheets_algo.workbook.snapshot import Columns, Sheet, Snapshot, tab_key
from sheets_algo.workbook.values import PerCent, Plain, Value

HEADER_SEARCH = 10
"""Number of first rows that are searched for the headers, which may follow a title."""

ALL_KINDS = frozenset(Kind)
WORDLESS = frozenset({Kind.NUMBER, Kind.WHOLE, Kind.YES_NO, Kind.TIME})
"""Kinds of columns in which no word may be typed, but yes and no."""
FEW_CELLS = 8
"""Cells of a row of which one is a header, if the row has headers again."""

LONGEST_HEADER = 500
"""Number of characters of the longest text that is compared with headers; a receipt's cells hold far longer ones."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table."""

    table: Table
    number: int

    def value(self, attribute: str) -> Value:
        """Return the cell of an attribute's column, in the column's unit, or None if the table lacks the column."""
        if (self.number, attribute) in self.table.overlay:
            return self.table.overlay[self.number, attribute]
        place = self.table.places.get(attribute)
        cells = self.table.cells(self.number)
        value = cells[place - 1] if place is not None and place <= len(cells) else None
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
        return CellRef(self.table.name, self.number, self.table.places.get(attribute, 0))

    @property
    def name(self) -> str:
        """Return the row's name, blank for tabs without a key column."""
        key = tab_of(self.table.record).key
        return shown(self.value(key)) if key else ""

    @property
    def label(self) -> str:
        """Return what tells the row in messages: its name, or in a tab without names some of its cells."""
        cells = (shown(self.value(attribute)) for attribute in tab_of(self.table.record).told_by)
        return self.name or ", ".join(filter(None, cells))

    def problem(self, attribute: str, id: str, says: str, **more: Any) -> Problem:
        """Return a problem of one cell of this row; `more` are further arguments of `Problem`."""
        return Problem(
            cell=self.cell(attribute),
            row=shortened(self.label),
            column=shortened(self.table.header(attribute)) if attribute else "",
            says=says,
            found=shown(self.value(attribute)) if attribute else "",
            id=id,
            **more,
        )

    def warning(self, attribute: str, id: str, says: str, **more: Any) -> Problem:
        """Return a problem that does not prevent the request from being ruled."""
        return self.problem(attribute, id, says, severity=Severity.WARNING, **more)

    def note(self, attribute: str, id: str, says: str) -> Problem:
        """Return a note of a value that changes nothing, which only `check` tells."""
        return self.problem(attribute, id, says, severity=Severity.NOTE)

    def read_problem(self, attribute: str, column: Field, error: ReadError) -> Problem:
        """Return the problem of a cell that could not be read."""
        return self.problem(
            attribute,
            error.id or column.id,
            error.says,
            allowed=error.allowed,
            nearest=error.nearest,
            severity=Severity.WARNING if column.lenient else Severity.ERROR,
        )


NEEDED = ("request", "ready")
"""Columns that a request tab must have, though cells may be blank: otherwise nothing would be ruled, or all again."""


NO_TABLES: Mapping[str, Table] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Table:
    """The tab of one record class in one snapshot."""

    record: type  # The record class that declares the tab
    sheet: Sheet | None  # The tab as read, or None if the workbook lacks it
    # The cells that earlier rulings of the same pass changed, by row number and attribute.
    overlay: dict[tuple[int, str], Value] = field(default_factory=dict)
    lookalike: str = ""  # The title of a tab that is almost that of this one, which is missing; blank if there is none
    # The tables to which cells of this one may refer, by the keys of their tabs.
    others: Mapping[str, Table] = field(default_factory=dict, repr=False)
    _listings: dict[str, Mapping[str, list[Row]]] = field(default_factory=dict, init=False)
    _placed: list[tuple[str, Field, int]] = field(default_factory=list, init=False)

    @classmethod
    def of(cls, snapshot: Snapshot, record: type, others: Mapping[str, Table] = NO_TABLES) -> Table:
        """Return the tab of a record class in a snapshot; `others` are those to which its cells may refer."""
        name = tab_of(record).name
        sheet = snapshot.sheet(name)
        return cls(record, sheet, lookalike="" if sheet else titled_like(name, snapshot.others), others=others)

    @property
    def columns(self) -> Sequence[tuple[str, Field]]:
        """Return every attribute with its declared column."""
        return columns(self.record)

    @property
    def name(self) -> str:
        """Return the tab's name as the workbook spells it."""
        return self.sheet.name if self.sheet else tab_of(self.record).name

    @functools.cached_property
    def header_row(self) -> int:
        """Return the number of the row with the most declared headers among the first ten, or 0."""
        best, highest = 0, 0
        for number in range(1, HEADER_SEARCH + 1):
            count = sum(1 for cell in self.cells(number) if self._attribute(cell) is not None)
            if count > highest:
                best, highest = number, count
        return best

    @functools.cached_property
    def places(self) -> dict[str, int]:
        """Return the column number of each attribute; the first column if two have the same header."""
        places: dict[str, int] = {}
        for column, cell in enumerate(self.cells(self.header_row), start=1):
            attribute = self._attribute(cell)
            if attribute is not None:
                places.setdefault(attribute, column)
        return places

    @property
    def placed(self) -> Sequence[tuple[str, Field, int]]:
        """Return attribute, declared column and column number of every column that the sheet has."""
        if len(self._placed) != len(self.places):
            self._placed[:] = [
                (attribute, column, self.places[attribute])
                for attribute, column in self.columns
                if attribute in self.places
            ]
        return self._placed

    @functools.cached_property
    def header_problems(self) -> tuple[Problem, ...]:
        """Return problems of a missing tab, missing required columns, duplicate and misspelt headers (DB-03, DB-04)."""
        tab = tab_of(self.record)
        if self.sheet is None and self.lookalike and not tab.program_only:
            return (misspelt_title(self.lookalike, tab.name),)
        if self.sheet is None:
            if tab.optional or tab.program_only:
                return ()
            return (
                _problem(
                    self.name, "the tab is missing", "DB-03", "Add it with its headers, or run init on the workbook"
                ),
            )
        if not self.header_row:
            if tab.optional and not any(_is_typed(cell) for cells in self.sheet.rows.values() for cell in cells):
                return ()  # an optional tab without any content counts as missing
            heads = ", ".join(column.header for _, column in columns(self.record)[:4])
            return (_problem(self.name, "no header row found", "DB-03", f"Put the headers ({heads} ...) into row 1"),)
        return (*self._missing_columns(), *self._duplicate_columns(), *self._misspelt_columns())

    @functools.cached_property
    def rows(self) -> Sequence[Row]:
        """Return every row below the header in which people have typed something, but for further headers."""
        return tuple(row for row in self._begun_rows if row.number not in self._further_headers)

    @functools.cached_property
    def further_header_problems(self) -> tuple[Problem, ...]:
        """Return the problem of each row below the headers that has headers or their legend again."""
        allowed = "Move it above the headers, or out of the tab"
        return tuple(
            Problem(
                cell=CellRef(self.name, number),
                says=f"row {number} looks like headers",
                id="DB-03",
                allowed=allowed,
                severity=Severity.WARNING,
            )
            for number in sorted(self._further_headers)
        )

    @functools.cached_property
    def _further_headers(self) -> frozenset[int]:
        if tab_of(self.record).program_only:
            return frozenset()
        heads = {cell for cell in self.cells(self.header_row) if isinstance(cell, str)}
        plain = [place for attribute, _, place in self.placed if self._is_row_content(attribute, WORDLESS)]
        probes = {*plain[:1], *plain[-1:]}
        found = []
        for row in self._begun_rows:
            cells = self.cells(row.number)
            is_possible = not heads.isdisjoint(cells[:FEW_CELLS])
            for place in probes:  # a generator for each of many rows would take as long as all else
                is_possible = is_possible or (place <= len(cells) and type(cells[place - 1]) is str)
            if is_possible and self._looks_like_headers(cells, plain):
                found.append(row.number)
        return frozenset(found)

    def _looks_like_headers(self, cells: Sequence[Value], plain: Sequence[int]) -> bool:
        """Return True if most cells have their own headers, or those of a request different words for numbers.

        A row of another tab that only has words where numbers are due stays one: a battle would be fought without it.
        """
        wordless = [cell for cell in _at(cells, plain) if _is_typed(cell)]
        if not all(isinstance(cell, str) and not any(map(str.isdigit, cell)) for cell in wordless):
            return False
        typed = sum(map(_is_typed, cells))
        heads = sum(
            place <= len(cells) and self._attribute(cells[place - 1]) == attribute
            for attribute, place in self.places.items()
        )
        is_legend = "ready" in self.places and 3 <= len(set(wordless)) == len(wordless)
        return (heads >= 2 and 2 * heads >= typed) or (is_legend and not any(map(is_answer, wordless)))

    @functools.cached_property
    def _begun_rows(self) -> Sequence[Row]:
        if self.sheet is None or not self.header_row or self._is_without_ids:
            return ()
        content = [cell for cell in self.placed if self._is_row_content(cell[0])]
        typed = [(place, column.also) for attribute, column, place in content if not _is_prefilled(attribute, column)]
        typed = typed or [(place, ()) for _, _, place in content]
        rows = []
        for number, cells in sorted(self.sheet.rows.items()):
            if number > self.header_row:
                if number in self._merged_rows and any(_is_typed_at(cells, place) for _, _, place in content):
                    cells = self._merged_rows[number]
                for place, also in typed:  # a generator for each of many rows would take as long as all else
                    if _is_typed_at(cells, place) and not (also and loosely(shown(cells[place - 1])) in also):
                        rows.append(Row(self, number))
                        break
        return tuple(rows)

    @functools.cached_property
    def by_name(self) -> dict[str, list[Row]]:
        """Return the rows by name, without regard to capitals and spaces (DB-07)."""
        return self._index(tab_of(self.record).key, loosely)

    @functools.cached_property
    def has_namesakes(self) -> bool:
        """Return True if two rows have the same name."""
        return any(len(rows) > 1 for rows in self.by_name.values())

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
    def by_request(self) -> dict[str, list[Row]]:
        """Return the rows by normalised request id, for tabs with a Request column."""
        return self._index("request", loosely)

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
        other = self.others.get(tab_key(column.to))
        return other is not None and loosely(text) in other.by_name

    def _names_in(self, attribute: str, value: Value) -> list[str]:
        text = value if isinstance(value, str) else shown(value)
        return split_names(text, functools.partial(self.is_name, dict(self.columns)[attribute]))

    def _index(self, attribute: str, compared: Callable[[str], str]) -> dict[str, list[Row]]:
        index: dict[str, list[Row]] = {}
        place = self.places.get(attribute, 0)
        for row in self.rows if place else ():
            cells = self.cells(row.number)
            text = shown(cells[place - 1]) if place <= len(cells) else ""
            if text:
                index.setdefault(compared(text), []).append(row)
        return index

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """Return the distinct names of the rows as typed, in sheet order."""
        return tuple(rows[0].name for rows in self.by_name.values())

    def texts(self, attribute: str) -> Iterator[str]:
        """Yield the texts of a column below the header, including those of numbered rows that are otherwise blank."""
        place = self.places.get(attribute)
        for number, cells in self.sheet.rows.items() if self.sheet and place else ():
            if place and number > self.header_row and place <= len(cells) and not is_blank(cells[place - 1]):
                yield shown(cells[place - 1])

    def header(self, attribute: str) -> str:
        """Return the header of an attribute's column as the sheet spells it, else as declared."""
        place = self.places.get(attribute)
        cells = self.cells(self.header_row)
        spelled = shown(cells[place - 1]) if place is not None and place <= len(cells) else ""
        return spelled or dict(self.columns)[attribute].header

    def add_row(self, values: Mapping[str, Value]) -> Row:
        """Add a row in memory, so that later rulings of the pass find it.

        Args:
            values: The values by attribute.

        Returns:
            The row, whose number is `next_number`.
        """
        indexes = [(self.by_name, tab_of(self.record).key, loosely), (self.by_request, "request", loosely)]
        row = Row(self, self.next_number)
        self.overlay.update({(row.number, attribute): value for attribute, value in values.items()})
        self.__dict__["rows"] = (*self.rows, row)  # replaces the cached property
        for index, attribute, compared in indexes:
            if name := shown(values.get(attribute)):
                index.setdefault(compared(name), []).append(row)
        self.__dict__.pop("names", None)
        self.__dict__.pop("has_namesakes", None)
        self.__dict__.pop("by_label", None)
        self._listings.clear()
        return row

    def add_column(self, attribute: str) -> int:
        """Assign a column that the sheet lacks to the first free place at the right end, and return its number."""
        self.places[attribute] = max((self.width, *self.places.values())) + 1
        return self.places[attribute]

    @functools.cached_property
    def width(self) -> int:
        """Return the number of the last column that any row uses."""
        return max((len(cells) for cells in self.sheet.rows.values()), default=0) if self.sheet else 0

    @property
    def last_row(self) -> int:
        """Return the number of the last row with content in the snapshot."""
        return self.sheet.last_row if self.sheet else 0

    @property
    def next_number(self) -> int:
        """Return the first row number below the people's rows whose row is empty but for unticked boxes (RCP-32)."""
        number = max([self.header_row, *(row.number for row in self.rows[-1:])]) + 1
        while any(_is_typed(cell) for cell in self.cells(number)) or self._is_merged(number):
            number += 1
        return number

    def _is_merged(self, row: int) -> bool:
        return any(top <= row <= bottom for top, _, bottom, _ in (self.sheet.merged if self.sheet else ()))

    def write(self, row: int, attribute: str, value: Value) -> None:
        """Set a cell in memory, so that later rulings of the same pass read the new value."""
        self.overlay[row, attribute] = value
        self._listings.pop(attribute, None)

    def value(self, row: int, column: int) -> Value:
        """Return one cell of the snapshot."""
        cells = self.sheet.rows.get(row, ()) if self.sheet else ()
        return cells[column - 1] if column <= len(cells) else None

    def cells(self, row: int) -> Sequence[Value]:
        """Return the cells of a row from column A; cells merged downwards have the first one's value in each row."""
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
        """Yield the rows in sheet order."""
        return iter(self.rows)

    def _attribute(self, cell: Value) -> str | None:
        if not isinstance(cell, str) or len(cell) > LONGEST_HEADER:
            return None
        return _headers(self.record).get(_compared(cell))

    def _is_row_content(self, attribute: str, kinds: Collection[Kind] = ALL_KINDS) -> bool:
        """Return True if a value here may make a row; request ids and the program's own cells do not."""
        column = dict(self.columns)[attribute]
        if tab_of(self.record).program_only:
            return True
        return column.kind in kinds and column.place in (ColumnPlace.PERSON, ColumnPlace.CONTROL)

    @property
    def _is_without_ids(self) -> bool:
        """Return True for a request tab without its id column: with new ids all requests would be ruled again."""
        return "ready" in dict(self.columns) and "request" not in self.places

    @functools.cached_property
    def own_headers(self) -> Mapping[int, str]:
        """Return the headers that declare no column of the program, by column number."""
        return {
            number: trimmed(cell)
            for number, cell in enumerate(self.cells(self.header_row), start=1)
            if isinstance(cell, str) and len(cell) <= LONGEST_HEADER and self._attribute(cell) is None
        }

    @property
    def optional(self) -> Sequence[tuple[str, Field]]:
        """Return attribute and column of each column that people fill and that the tab may lack."""
        return [
            (attribute, column)
            for attribute, column in self.columns
            if column.place in (ColumnPlace.PERSON, ColumnPlace.CONTROL) and not _is_needed(attribute, column)
        ]

    @property
    def absent(self) -> Sequence[Field]:
        """Return the optional columns that the sheet lacks, whose defaults count."""
        return [column for attribute, column in self.optional if attribute not in self.places]

    @functools.cached_property
    def lookalikes(self) -> Mapping[int, str]:
        """Return the header of an absent optional column for each own header that looks like it, by column number."""
        absent = [column.header for column in self.absent]
        found = {number: misspelt(header, absent) for number, header in self.own_headers.items()}
        return {number: meant for number, meant in found.items() if meant}

    def _missing_columns(self) -> Iterator[Problem]:
        for attribute, column in self.columns:
            if _is_needed(attribute, column) and attribute not in self.places:
                near = nearest(column.header, self.own_headers.values())
                says = f'no column "{column.header}" found'
                yield _problem(
                    self.name, says, column.id, f'Add it, or rename "{near}"' if near else "Add it", self.header_row
                )

    def _duplicate_columns(self) -> Iterator[Problem]:
        for number, cell in enumerate(self.cells(self.header_row), start=1):
            attribute = self._attribute(cell)
            if attribute is not None and self.places[attribute] != number:
                first = CellRef(self.name, self.header_row, self.places[attribute])
                says = f'a second column "{shown(cell)}"; the first is {first}'
                yield Problem(
                    cell=CellRef(self.name, self.header_row, number), says=says, id="DB-03", allowed="Keep one of them"
                )

    def _misspelt_columns(self) -> Iterator[Problem]:
        """Yield headers that look like that of an optional column that is absent, whose default would count (DB-04)."""
        for number, meant in self.lookalikes.items():
            yield Problem(
                cell=CellRef(self.name, self.header_row, number),
                says=f'the header "{self.own_headers[number]}" looks like "{meant}", which is missing',
                id="DB-04",
                allowed=f'Rename it to "{meant}"; if it is a column of your own, give it a name less alike',
            )


def columns_to_format(snapshot: Snapshot, records: Iterable[type], *, with_years: bool = False) -> Columns:
    """Return the columns of some records' tabs whose numbers mean others if they are formatted as per cent (NUM-03).

    Args:
        snapshot: The snapshot.
        records: The record classes.
        with_years: True to return columns of years too, whose numbers may be shown as dates.
    """
    found = {}
    for record in records:
        placed = Table.of(snapshot, record).placed
        places = [
            place
            for _, column, place in placed
            if column.is_format_needed or (with_years and column.unit == "year" and not column.place.is_programs)
        ]
        if places:
            found[tab_key(tab_of(record).name)] = places
    return found


def compared_cells(snapshot: Snapshot, records: Iterable[type]) -> Mapping[str, ComparedCells]:
    """Return the cells of some records' tabs on which plans rest, by `tab_key` (RCP-35).

    Columns of people's own, and those that are declared to decide nothing, may change at any time. The names of rows
    may not, since rows are found by them.
    """
    found: dict[str, ComparedCells] = {}
    for record in records:
        table, key = Table.of(snapshot, record), tab_key(tab_of(record).name)
        places = {
            place
            for attribute, column, place in table.placed
            if column.decides is not False or attribute == tab_of(record).key
        }
        if places:
            known = found.get(key, ComparedCells(table.header_row, frozenset()))
            found[key] = ComparedCells(known.header, known.columns | places)
    return found


def titled_like(name: str, titles: Sequence[str]) -> str:
    """Return the title that is almost a tab's name, or has it between signs (⚔️ War Requests); blank if none is."""
    plain = {tab_key(re.sub(r"^[\W_]+|[\W_]+$", "", title)): title for title in reversed(titles)}
    return plain.get(tab_key(name)) or misspelt(name, titles)


def misspelt_title(title: str, meant: str) -> Problem:
    """Return the problem of a tab whose title is almost that of one that is missing (DB-04)."""
    return _problem(
        title,
        f'the title of this tab looks like "{meant}", which is missing',
        "DB-04",
        f'Rename it to "{meant}"; if it is a tab of your own, give it a title less alike',
    )


def _problem(tab: str, says: str, id: str, allowed: str, row: int = 0) -> Problem:
    return Problem(cell=CellRef(tab, row), says=says, id=id, allowed=allowed)


def _is_prefilled(attribute: str, column: Field) -> bool:
    """Return True for drop-downs and boxes, which people fill in advance in many rows; Ready is ticked for one."""
    return column.kind in (Kind.CHOICE, Kind.YES_NO) and attribute != "ready"


def _at(cells: Sequence[Value], places: Sequence[int]) -> Iterator[Value]:
    return (cells[place - 1] for place in places if place <= len(cells))


def _is_typed_at(cells: Sequence[Value], place: int) -> bool:
    return place <= len(cells) and _is_typed(cells[place - 1])


def _is_typed(value: Value) -> bool:
    """Return True if a cell is neither blank nor an unticked checkbox."""
    return value is not False and not is_blank(value)


@functools.lru_cache(maxsize=10_000)
def _compared(cell: str) -> str:
    """Return a cell's text as headers are compared; a watcher asks for the same first rows at every look."""
    return loosely(trimmed(cell))


@functools.cache
def _headers(record: type) -> Mapping[str, str]:
    headers = {loosely(alias): name for name, column in columns(record) for alias in column.aliases}
    return headers | {loosely(column.header): name for name, column in columns(record)}


def _is_needed(attribute: str, column: Field) -> bool:
    """Return True if a tab must have a column."""
    return column.required or column.column_required or attribute in NEEDED


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
        return f"{self.row.table.name}!{row}!{self.column.header}"
