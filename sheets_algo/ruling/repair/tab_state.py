"""A tab before a write or now, with columns and cells by key for a comparison in spite of moved rows."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping
from types import MappingProxyType

from engine.columns import loosely
from sheets_algo.database.cell_text import as_text, is_blank, trimmed
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
        words = sorted(f"{key}={mark(value)}" for key, value in cells.items() if _is_content(value))
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
            if key not in self.programs and _is_content(value := self.table.value(number, place))
        }


def _is_content(value: Value) -> bool:
    """Return True if a cell is neither blank nor an unticked box."""
    return value is not False and not is_blank(value)


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
