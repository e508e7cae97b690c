"""A tab before a write and now, by key, and the identification of its rows, which people may have moved or edited."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Hashable, Iterable, Mapping
from types import MappingProxyType

from engine.columns import loosely, tab_of
from sheets_algo.database.cell_text import as_text, is_typed, trimmed
from sheets_algo.database.tables import Table
from sheets_algo.workbook.values import PerCent, Plain, Value

RowCells = Mapping[str, Value]
"""Values of a row by column key, without blanks and unticked boxes."""

Mark = tuple[str, Hashable]
"""Normalised value for comparison: 7 equals 7.0, a number differs from its text."""


class TabState:
    """A tab before the write or now, with columns and cells by key.

    Args:
        is_computed: True if the program's columns are computed on every pass, False if they are data.
    """

    def __init__(self, table: Table, is_computed: bool) -> None:
        self.table = table
        self.places = self._columns()
        self.keys = {place: key for key, place in self.places.items()}
        self.programs = {
            self.keys[table.places[attribute]]
            for attribute, column, _ in table.placed
            if is_computed and column.place.is_computed and table.places[attribute] in self.keys
        }
        self.undeclared = self.places.keys() - {self.keys.get(place, "") for _, _, place in table.placed}
        """Keys of people's own columns, whose cells may change at any time."""
        self.rows: dict[int, RowCells] = {}
        self.box_rows: set[int] = set()
        """Numbers of rows with only unticked boxes."""
        for number in sorted(table.sheet.rows if table.sheet else ()):
            if number > table.header_row:
                cells = self._cells(number)
                if cells:
                    self.rows[number] = cells
                else:
                    self.box_rows.add(number)

    def value(self, row: int, key: str) -> Value:
        """Return the value of a row in a column, or None if the column is gone."""
        place = self.places.get(key)
        return self.table.value(row, place) if place else None

    def digest(self, row: int, without: str, changed: RowCells = MappingProxyType({})) -> str:
        """Return the digest of the cells of a row except for one column and people's own.

        Args:
            without: The key of the column that is left out.
            changed: The cells of the row that are about to be changed.
        """
        left_out = {without, *self.undeclared, *self.programs}
        cells = {key: value for key, value in {**self.rows[row], **changed}.items() if key not in left_out}
        words = sorted(f"{key}={mark(value)}" for key, value in cells.items() if is_typed(value))
        return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]

    def _columns(self) -> dict[str, int]:
        """Return the column numbers by key: the header, or for a column without one the last header and a count."""
        headers = self.table.sheet.rows.get(self.table.header_row, ()) if self.table.sheet else ()
        places: dict[str, int] = {}
        last_header, blanks = "", 0
        for place in range(1, max(self.table.width, len(headers)) + 1):
            header = headers[place - 1] if place <= len(headers) else None
            text = loosely(trimmed(header)) if isinstance(header, str) else as_text(header)
            last_header, blanks = (text, 0) if text else (last_header, blanks + 1)
            key = f"{last_header}\n{blanks}" if blanks else last_header
            places.setdefault(key, place)
        return places

    def _cells(self, number: int) -> RowCells:
        return {
            key: value
            for key, place in self.places.items()
            if key not in self.programs and is_typed(value := self.table.value(number, place))
        }


def mark(value: Value) -> Mark:
    """Return a value normalised for comparison."""
    if isinstance(value, bool):
        return ("tick", value)
    if isinstance(value, (int, float)):
        return ("number", float(value))
    return ("text", as_text(value))


def plain(value: Value) -> Plain:
    """Return a value in writable form, None for one that cannot be written."""
    if isinstance(value, PerCent):
        return float(value)
    return value if isinstance(value, (bool, int, float, str)) else None


ALIKE = 0.5
"""Minimum share of equal cells that identifies an edited row with the row that was read."""

MOST_COMPARED = 100_000
"""Most pairs of rows that are compared cell by cell; only rows not identified by content or name need it."""


class RowMatching:
    """Identification of the rows before the write with the current rows, by the most certain criteria first.

    Args:
        intended: The intended cells of each row after the write.
        columns: The keys of the written columns.
    """

    def __init__(
        self, was: TabState, now: TabState, intended: Mapping[int, RowCells], columns: set[str], values: set[Mark]
    ) -> None:
        self._was, self._now, self._intended, self._columns, self._values = was, now, intended, columns, values
        self._old = dict.fromkeys(sorted(intended))
        self._new = dict.fromkeys(now.rows)
        self._found: dict[int, int] = {}

    def pairs(self) -> dict[int, int]:
        """Return the row numbers now by row number before, without rows that are gone."""
        intended = {_marks(cells) for cells in self._intended.values()}
        missed = {row: cells for row, cells in self._was.rows.items() if _marks(cells) not in intended}
        self._pair_equal(missed)  # first: of two equal rows one may show by mistake what the other one shall show
        self._pair_equal(self._intended)
        self._pair_equal(self._was.rows)
        self._pair_equal(self._was.rows, self._columns)
        self._pair_equal(self._was.rows, self._covered_columns())
        self._pair_equal(self._was.rows, self._covered_columns() | self._was.undeclared | self._now.undeclared)
        self._pair_by_name()
        self._pair_similar()
        self._pair_numbered()
        return self._found

    def _pair_equal(self, rows: Mapping[int, RowCells], without: Collection[str] = ()) -> None:
        """Pair rows with equal cells apart from some columns, several equal ones in their order."""
        unmatched: dict[Hashable, list[int]] = {}
        for row in self._new:
            unmatched.setdefault(_marks(self._now.rows[row], without), []).append(row)
        for row in list(self._old):
            marks = _marks(rows.get(row, {}), without)
            if marks and unmatched.get(marks):
                self._pair(row, unmatched[marks].pop(0))

    def _covered_columns(self) -> set[str]:
        """Return the columns in which an unidentified row shows a written value."""
        rows = [self._now.rows[row] for row in self._new]
        return self._columns | {key for cells in rows for key, value in cells.items() if mark(value) in self._values}

    def _pair_by_name(self) -> None:
        key = tab_of(self._was.table.record).key
        place = self._was.table.places.get(key) if key else None
        column = self._was.keys.get(place, "") if place else ""
        if not column:
            return
        old = {row: loosely(as_text(self._intended[row].get(column))) for row in self._old}
        new = {row: loosely(as_text(self._now.rows[row].get(column))) for row in self._new}
        for row, name in old.items():
            rows_now = [row_now for row_now, other in new.items() if name and other == name]
            if len(rows_now) == 1 and list(old.values()).count(name) == 1:
                self._pair(row, rows_now[0])

    def _pair_similar(self) -> None:
        """Pair edited rows with the rows of most shared cells, if these are unique."""
        old = [row for row in self._old if row in self._was.rows]
        if len(old) * len(self._new) > MOST_COMPARED:
            return
        shares_of_old: dict[int, list[tuple[float, int]]] = {row: [] for row in old}
        shares_of_new: dict[int, list[tuple[float, int]]] = {row_now: [] for row_now in self._new}
        for row in old:
            for row_now in self._new:
                if (share := _share(self._intended[row], self._now.rows[row_now])) >= ALIKE:
                    shares_of_old[row].append((share, row_now))
                    shares_of_new[row_now].append((share, row))
        for row, shares in shares_of_old.items():
            best = _best(shares)
            if best is not None and _best(shares_of_new[best]) == row:
                self._pair(row, best)

    def _pair_numbered(self) -> None:
        """Pair request rows that have nothing but a prefilled id in their order."""
        place = self._was.table.places.get("request", 0)
        id_only = {self._was.keys.get(place, "")}
        old = [row for row in self._old if self._was.rows.get(row, {}).keys() == id_only]
        new = [row for row in self._new if self._now.rows[row].keys() == id_only]
        if len(old) == len(new):
            for row, row_now in zip(old, new, strict=True):
                self._pair(row, row_now)

    def _pair(self, row: int, row_now: int) -> None:
        self._found[row] = row_now
        del self._old[row], self._new[row_now]


def _marks(cells: RowCells, without: Collection[str] = ()) -> frozenset[tuple[str, Mark]]:
    return frozenset((key, mark(value)) for key, value in cells.items() if key not in without)


def _share(old: RowCells, new: RowCells) -> float:
    equal = len(_marks(old) & _marks(new))
    return equal / max(len(old), len(new), 1)


def _best(shares: Iterable[tuple[float, int]]) -> int | None:
    """Return the row with the largest share, or None if there is none or two have it."""
    first, *rest = sorted(shares, reverse=True) or [(0.0, 0)]
    return first[1] if first[1] and not (rest and rest[0][0] == first[0]) else None
