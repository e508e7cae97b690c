"""Tabs with their headers: places of columns, and missing, misspelt or duplicate ones."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from engine.columns import ColumnPlace, Field, columns, loosely, tab_of
from engine.suggest import misspelt, nearest
from sheets_algo.database.cell_text import as_text, is_typed, trimmed
from sheets_algo.database.problems import CellRef, Problem, quoted, shortened
from sheets_algo.database.typed_numbers import is_share, readings_of
from sheets_algo.workbook.changes import ComparedCells
from sheets_algo.workbook.snapshot import Columns, Sheet, Snapshot
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.values import BlankFormula, PerCent, Value


def key_of(record: type[Any]) -> TabKey:
    """Return the key of the tab that a record class declares."""
    return TabKey.named(tab_of(record).name)


HEADER_SEARCH = 10
"""Number of first rows that are searched for the headers, which may follow a title."""
LONGEST_HEADER = 500
"""Number of characters of the longest text that is compared with headers; a receipt's cells hold far longer ones."""
NEEDED = ("request", "ready")
"""Columns that a request tab must have, though cells may be blank: otherwise nothing would be ruled, or all again."""


@dataclass(frozen=True, eq=False)
class HeadedTab:
    """The tab of one record class in one snapshot, with its columns found by header."""

    record: type  # The record class that declares the tab
    sheet: Sheet | None  # The tab as read, or None if the workbook lacks it
    lookalike: str = ""  # The title of a tab similar to this one, which is missing; blank if there is none
    foreign: str = ""  # The title of a tab of people's own that has the name of this one; blank if there is none
    own: str = ""  # The title of the tab of people's own that stands for this one (DB-17); blank if there is none
    _placed: list[tuple[str, Field, int]] = field(default_factory=list, init=False)

    @classmethod
    def of(cls, snapshot: Snapshot, record: type, **more: Any) -> Self:
        """Return the tab of a record class in a snapshot; `more` are further fields of the class."""
        key = key_of(record)
        sheet, own = snapshot.sheet(key), snapshot.own.get(key, "")
        lookalike = "" if sheet or own else titled_like(tab_of(record).name, snapshot.others)
        return cls(record, sheet, lookalike=lookalike, foreign=snapshot.foreign.get(key, ""), own=own, **more)

    @property
    def columns(self) -> Sequence[tuple[str, Field]]:
        """Return every attribute with its declared column."""
        return columns(self.record)

    @property
    def key(self) -> TabKey:
        """Return the key under which the tab is written; it never means a tab of people's own."""
        return key_of(self.record).beside if self.foreign else key_of(self.record)

    @property
    def title(self) -> str:
        """Return the tab's title in the workbook, else the one that it would get."""
        return self.sheet.title if self.sheet else self.own or self.key.name

    @functools.cached_property
    def header_row(self) -> int:
        """Return the number of the row with the most declared headers among the first ten, or 0."""
        best, highest = 0, 0
        for number in range(1, HEADER_SEARCH + 1):
            count = sum(1 for cell in self._typed(number) if self._attribute(cell) is not None)
            if count > highest:
                best, highest = number, count
        return best

    @functools.cached_property
    def places(self) -> dict[str, int]:
        """Return the column number of each attribute; the first column if two have the same header."""
        places: dict[str, int] = {}
        for column, cell in enumerate(self._typed(self.header_row), start=1):
            for attribute in self._attributes(cell):
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
        if self.sheet is None and self.own:
            says = f'the tab is missing that stands for {tab.name} by the tab "Columns"'
            return (_problem(self.own, says, "DB-17", 'Bring it back, or change "Your Tab" there'),)
        if self.sheet is None and self.lookalike and not tab.program_only:
            return (misspelt_title(self.lookalike, self.key.name),)
        if self.sheet is None and self.foreign and not tab.program_only:
            heads = ", ".join(column.header for _, column in self.columns[:4])
            says = f"has the name, but not the columns, of the program's {tab.name}, so nothing of it is read"
            allowed = (
                f"Put the headers ({heads} ...) into row 1; or, if it is a tab of your own, rename it, or run init"
            )
            return (_problem(self.foreign, says, "DB-04", f'{allowed} --rename, which makes "{self.key}" beside it'),)
        if self.sheet is None:
            if tab.optional or tab.program_only:
                return ()
            allowed = "If it has another title, rename it; else run init, which makes it"
            return (_problem(self.title, "the tab is missing", "DB-03", allowed),)
        if not self.header_row:
            if tab.optional and not any(is_typed(cell) for cells in self.sheet.rows.values() for cell in cells):
                return ()  # an empty optional tab counts as missing
            heads = ", ".join(column.header for _, column in columns(self.record)[:4])
            return (_problem(self.title, "no header row found", "DB-03", f"Put the headers ({heads} ...) into row 1"),)
        return (
            *self._unknown_headers(),
            *(self._lost_headers() if self.sheet.own else ()),
            *self._missing_columns(),
            *self._duplicate_columns(),
            *self._misspelt_columns(),
        )

    @property
    def signs(self) -> int:
        """Count the signs, three at most, that a tab is the program's (DB-04).

        All columns that it must have are there, of a tab that only the program writes all; half of its headers are;
        and they are more than other headers.
        """
        if self.sheet and self.sheet.own:
            return 3
        is_programs = tab_of(self.record).program_only
        needed = (name for name, column in self.columns if is_programs or _is_needed(name, column))
        count = len(self.places)
        return sum(
            (
                all(name in self.places for name in needed),
                2 * count >= len(self.columns),
                count > len(self.own_headers),
            )
        )

    @functools.cached_property
    def own_headers(self) -> Mapping[int, str]:
        """Return the headers that declare no column of the program, by column number."""
        return {
            number: trimmed(cell)
            for number, cell in enumerate(self._typed(self.header_row), start=1)
            if isinstance(cell, str) and 0 < len(cell) <= LONGEST_HEADER and self._attribute(cell) is None
        }

    def renamed(self, attribute: str) -> int:
        """Return the number of the column whose header was probably that of an absent column; 0 if none was.

        That is the most similar header; else the header in its place, if own headers and absent columns between two
        declared ones are equally many.
        """
        header = dict(self.columns)[attribute].header
        numbers = {own: number for number, own in self.own_headers.items()}
        if near := nearest(header, numbers):
            return numbers[near]
        names = [name for name, _ in self.columns]
        at = names.index(attribute)
        before = next((name for name in reversed(names[:at]) if name in self.places), "")
        after = next((name for name in names[at:] if name in self.places), "")
        first, last = self.places.get(before, 0), self.places.get(after, self.width + 1)
        own = [number for number in self.own_headers if first < number < last]
        absent = names[names.index(before) + 1 if before else 0 : names.index(after) if after else None]
        needed = [name for name in absent if _is_needed(name, dict(self.columns)[name])]
        lists = (lacking for lacking in (needed, absent) if attribute in lacking and len(lacking) == len(own))
        return next((own[lacking.index(attribute)] for lacking in lists), 0)

    @property
    def optional(self) -> Sequence[tuple[str, Field]]:
        """Return attribute and column of each column that people fill and that the tab may lack."""
        return [
            (attribute, column)
            for attribute, column in self.columns
            if column.place in (ColumnPlace.PERSON, ColumnPlace.CONTROL) and not _is_needed(attribute, column)
        ]

    @property
    def absent(self) -> Sequence[tuple[str, Field]]:
        """Return attribute and column of each optional column that the sheet lacks, whose default counts."""
        return [(attribute, column) for attribute, column in self.optional if attribute not in self.places]

    @functools.cached_property
    def lookalikes(self) -> Mapping[int, str]:
        """Return the header of an absent optional column for each own header that looks like it, by column number."""
        absent = [column.header for _, column in self.absent]
        own = self.sheet.own.columns if self.sheet and self.sheet.own else ()
        headers = {number: header for number, header in self.own_headers.items() if header not in own}
        similar = {number: misspelt(header, absent) for number, header in headers.items()}
        return {number: meant for number, meant in similar.items() if meant}

    def header(self, attribute: str) -> str:
        """Return the header of an attribute's column as the sheet spells it, else as declared."""
        place = self.places.get(attribute)
        cells = self._typed(self.header_row)
        spelled = as_text(cells[place - 1]) if place is not None and place <= len(cells) else ""
        return spelled or dict(self.columns)[attribute].header

    @functools.cached_property
    def width(self) -> int:
        """Return the number of the last column that any row uses."""
        return max((len(cells) for cells in self.sheet.rows.values()), default=0) if self.sheet else 0

    def value(self, row: int, column: int) -> Value:
        """Return one cell of the snapshot."""
        cells = self.sheet.rows.get(row, ()) if self.sheet else ()
        return cells[column - 1] if column <= len(cells) else None

    def cells(self, row: int) -> Sequence[Value]:
        """Return the cells of a row from column A, numbers in the units of their columns (DB-17).

        Cells merged downwards have the first one's value in each row.
        """
        return self._scaled_rows[row] if self._is_scaled and row in self._scaled_rows else self._typed(row)

    @functools.cached_property
    def _is_scaled(self) -> bool:
        return bool(self.sheet and self.sheet.own and self.sheet.own.factors)

    @functools.cached_property
    def _scaled_rows(self) -> Mapping[int, Sequence[Value]]:
        factors = {self.places[name]: factor for name in self.places if (factor := self.factor(name)) != 1}
        return {
            row: [scaled(cell, factors.get(place, 1)) for place, cell in enumerate(self._typed(row), start=1)]
            for row in (self.sheet.rows if self.sheet else ())
            if row > self.header_row
        }

    @property
    def is_beside(self) -> bool:
        """Return True if the rows are those of another tab, in a tab of people's own for both (DB-17)."""
        return len({*self.places.values()}) < len(self.places)

    def factor(self, attribute: str) -> float:
        """Return the factor of the numbers in an attribute's column: 1000 for `Troops (k)`."""
        if not (self._is_scaled and self.sheet and self.sheet.own):
            return 1
        by_header = {_compared(header): factor for header, factor in self.sheet.own.factors.items()}
        return by_header.get(_compared(self.header(attribute)), 1)

    def _typed(self, row: int) -> Sequence[Value]:
        """Return the cells of a row as they are typed, but for those merged downwards."""
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

    def _attribute(self, cell: Value) -> str | None:
        return next(iter(self._attributes(cell)), None)

    def _attributes(self, cell: Value) -> Sequence[str]:
        """Return the attributes of a column's header; several if people's own column is mapped to several."""
        if not isinstance(cell, str) or len(cell) > LONGEST_HEADER:
            return ()
        return self._by_header.get(_compared(cell), ())

    @functools.cached_property
    def _assigned(self) -> frozenset[str]:
        """Return the attributes for whose columns the tab Columns names headers of people's own."""
        own = self.sheet.own.columns if self.sheet and self.sheet.own else {}
        declared = _headers(self.record)
        return frozenset(name for names in own.values() for each in names for name in declared.get(_compared(each), ()))

    @functools.cached_property
    def _by_header(self) -> Mapping[str, Sequence[str]]:
        declared = _headers(self.record)
        if self.sheet is None or self.sheet.own is None:
            return declared
        own = {
            _compared(header): [name for named in names for name in declared.get(_compared(named), ())]
            for header, names in self.sheet.own.columns.items()
        }
        return {header: names for header, names in declared.items() if self._assigned.isdisjoint(names)} | own

    def _lost_headers(self) -> Iterator[Problem]:
        """Yield headers of people's own that stand for a column and are no longer there (DB-17)."""
        own = self.sheet.own.columns if self.sheet and self.sheet.own else {}
        for header, names in own.items():
            if names and any(name not in self.places for name in self._by_header.get(_compared(header), ())):
                others = {typed: number for number, typed in self.own_headers.items() if typed not in own}
                near = nearest(header, others) or (next(iter(others)) if len(others) == 1 else "")
                number = others.get(near, 0)
                says = f"says {quoted(near)}" if near else f"no column {quoted(header)}"
                says = f'{says}, where the tab "Columns" has {quoted(header)} for {" and ".join(names)}'
                allowed = 'Name it as it was, or change "Your Header" in the tab "Columns"'
                yield self._header_problem(number, says, "DB-17", allowed)

    @property
    def lacks_columns(self) -> bool:
        """Return True if the sheet lacks a column that people fill."""
        needed = (attribute for attribute, column in self.columns if _is_needed(attribute, column))
        return bool(self.absent) or any(attribute not in self.places for attribute in needed)

    def _unknown_headers(self) -> Iterator[Problem]:
        """Yield formulas among the headers that show nothing, where a column is missing whose header they may be."""
        for number, cell in enumerate(self._typed(self.header_row), start=1):
            if isinstance(cell, BlankFormula) and self.lacks_columns:
                may_be = "holds a formula that shows nothing, and may be the header of a column"
                says, allowed = f"{may_be}: {shortened(cell.formula)}", "Let it show a header, or clear the cell"
                yield self._header_problem(number, says, "DB-01", allowed, is_pending=True)

    def _missing_columns(self) -> Iterator[Problem]:
        for attribute, column in self.columns:
            if not _is_needed(attribute, column) or attribute in self.places or attribute in self._assigned:
                continue
            says, allowed = f'no column "{column.header}" found', "Add it"
            if number := self.renamed(attribute):
                says = f"says {quoted(self.own_headers[number])}"
                allowed = f'Rename the header, or add a column "{column.header}"'
            yield self._header_problem(number, says, column.id, allowed, nearest=column.header if number else "")

    def _duplicate_columns(self) -> Iterator[Problem]:
        for number, cell in enumerate(self._typed(self.header_row), start=1):
            attribute = self._attribute(cell)
            if attribute is not None and self.places[attribute] != number:
                first = CellRef(self.title, self.header_row, self.places[attribute])
                says = f'a second column "{as_text(cell)}"; the first is {first}'
                yield self._header_problem(number, says, "DB-03", "Keep one of them")

    def _misspelt_columns(self) -> Iterator[Problem]:
        """Yield headers similar to that of an absent optional column, whose default would count (DB-04)."""
        for number, meant in self.lookalikes.items():
            says = f'the header "{self.own_headers[number]}" looks like "{meant}", which is missing'
            allowed = f'Rename it to "{meant}"; if it is a column of your own, give it a name less alike'
            yield self._header_problem(number, says, "DB-04", allowed)

    def _header_problem(self, column: int, says: str, id: str, allowed: str, **more: Any) -> Problem:
        """Return the problem of a header, or of all headers for column 0; `more` are arguments of `Problem`."""
        return Problem(cell=CellRef(self.title, self.header_row, column), says=says, id=id, allowed=allowed, **more)


def columns_to_format(snapshot: Snapshot, records: Iterable[type], *, with_years: bool = False) -> Columns:
    """Return the columns of some records' tabs whose numbers change their meaning in the format of per cent (NUM-03).

    Args:
        with_years: True to return columns of years too, whose numbers may be shown as dates.
    """
    places_by_tab: dict[TabKey, list[int]] = {}
    for record in records:
        tab = HeadedTab.of(snapshot, record)
        places = [
            place
            for _, column, place in tab.placed
            if column.is_format_needed
            or (with_years and column.unit == "year" and not column.place.is_programs)
            or (column.is_number and not column.has_shares and _has_fractions(tab.sheet, place))
        ]
        if places:
            places_by_tab[tab.key] = places
    return places_by_tab


def _has_fractions(sheet: Sheet | None, place: int) -> bool:
    """Return True if a column has a number between 0 and 1, which may be shown in per cent."""
    rows = sheet.rows.values() if sheet else ()
    cells = (row[place - 1] for row in rows if len(row) >= place)
    return any(isinstance(cell, float) and 0 < cell < 1 for cell in cells)


def columns_read(snapshot: Snapshot, records: Iterable[type]) -> Columns:
    """Return the columns of some records' tabs that people fill, in which a formula decides rulings."""
    tabs = (HeadedTab.of(snapshot, record) for record in records)
    places = {tab.key: [place for _, column, place in tab.placed if not column.place.is_programs] for tab in tabs}
    return {key: numbers for key, numbers in places.items() if numbers}


def compared_cells(snapshot: Snapshot, records: Iterable[type]) -> Mapping[TabKey, ComparedCells]:
    """Return the cells of some records' tabs on which plans rest (RCP-35).

    Columns of people's own, and those that are declared to decide nothing, may change at any time. The names of rows
    may not, since rows are found by them.
    """
    cells_by_tab: dict[TabKey, ComparedCells] = {}
    for record in records:
        table = HeadedTab.of(snapshot, record)
        places = {
            place
            for attribute, column, place in table.placed
            if column.decides is not False or attribute == tab_of(record).key
        }
        if places:
            known = cells_by_tab.get(table.key, ComparedCells(table.header_row, frozenset()))
            cells_by_tab[table.key] = ComparedCells(known.header, known.columns | places)
    return cells_by_tab


def titled_like(name: str, titles: Sequence[str]) -> str:
    """Return the title similar to a tab's name, or with signs around it (⚔️ War Requests); blank if there is none."""
    plain = {loosely(re.sub(r"^[\W_]+|[\W_]+$", "", title)): title for title in reversed(titles)}
    return plain.get(loosely(name)) or misspelt(name, titles)


def misspelt_title(title: str, meant: str) -> Problem:
    """Return the problem of a tab whose title is almost that of one that is missing (DB-04)."""
    return _problem(
        title,
        f'the title of this tab looks like "{meant}", which is missing',
        "DB-04",
        f'Rename it to "{meant}"; if it is a tab of your own, give it a title less alike',
    )


def missing_title(name: str, titles: Sequence[str]) -> Problem:
    """Return the problem of a request tab that the season had and that is gone (REQ-11), with the tab it may be now."""
    first = loosely(name.partition(" ")[0])
    near = nearest(name, titles) or next((title for title in titles if loosely(title).startswith(first)), "")
    rename = f" (rename {quoted(near)} if that is it)" if near else ""
    allowed = f"Bring it back{rename}, or accept that with run --accept-columns"
    return _problem(name, "the tab is missing, so none of its requests is ruled", "REQ-11", allowed)


def _problem(tab: str, says: str, id: str, allowed: str) -> Problem:
    return Problem(cell=CellRef(tab), says=says, id=id, allowed=allowed)


@functools.lru_cache(maxsize=10_000)
def _compared(cell: str) -> str:
    """Return a cell's text for comparing headers; cached, since a watcher reads the same rows at every poll."""
    return loosely(trimmed(cell))


@functools.cache
def _headers(record: type) -> Mapping[str, Sequence[str]]:
    headers = {loosely(alias): (name,) for name, column in columns(record) for alias in column.aliases}
    return headers | {loosely(column.header): (name,) for name, column in columns(record)}


def scaled(value: Any, factor: float) -> Any:
    """Return a number times a factor, to the 15 digits that spreadsheets keep; any other value as it is.

    A text that is a plain number is one too.
    """
    if factor == 1 or isinstance(value, bool | PerCent):
        return value
    if isinstance(value, str) and len(readings := readings_of(value)) == 1 and not is_share(value):
        value = readings[0]
    if not isinstance(value, int | float) or not math.isfinite(value):
        return value
    product = float(f"{float(value) * factor:.15g}")
    return int(product) if product.is_integer() and abs(product) < 1e15 else product


def _is_needed(attribute: str, column: Field) -> bool:
    """Return True if a tab must have a column."""
    return column.required or column.column_required or attribute in NEEDED
