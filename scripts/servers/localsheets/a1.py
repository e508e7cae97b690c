"""Ranges in A1 notation: `'War Requests'!A1:K`, whole tabs, columns, rows, R1C1."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

MAX_COLUMNS = 18_278
"""The number of the column ZZZ, the last that a tab can have."""

_CELL = re.compile(r"\$?([A-Za-z]{0,3})\$?(\d*)")
_R1C1 = re.compile(r"[Rr](\d+)[Cc](\d+)")
_BARE_TITLE = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of cells of one tab, from 0, ends excluded; an end of None is the tab's end."""

    top: int = 0
    left: int = 0
    bottom: int | None = None
    right: int | None = None

    @property
    def is_cell(self) -> bool:
        """Return True if the area is one cell."""
        return self.bottom == self.top + 1 and self.right == self.left + 1

    def within(self, rows: int, columns: int) -> Box:
        """Return the part of the area inside a grid of that size."""
        bottom = rows if self.bottom is None else min(self.bottom, rows)
        right = columns if self.right is None else min(self.right, columns)
        return Box(self.top, self.left, max(bottom, self.top), max(right, self.left))


@dataclass(frozen=True, slots=True)
class Box(Area):
    """An area whose ends are known."""

    bottom: int = 0
    right: int = 0

    @property
    def height(self) -> int:
        """Return the number of rows."""
        return self.bottom - self.top

    @property
    def width(self) -> int:
        """Return the number of columns."""
        return self.right - self.left

    def meets(self, other: Box) -> bool:
        """Return True if the boxes share a cell."""
        return (
            self.top < other.bottom and other.top < self.bottom and self.left < other.right and other.left < self.right
        )

    def holds(self, other: Box) -> bool:
        """Return True if the other box lies inside this one."""
        return (
            self.top <= other.top
            and other.bottom <= self.bottom
            and self.left <= other.left
            and other.right <= self.right
        )

    def text(self) -> str:
        """Return the box in A1 notation: `A1:C2`; one cell is `A1`."""
        first = f"{letters(self.left)}{self.top + 1}"
        return (
            first
            if self.is_cell
            else f"{first}:{letters(max(self.right - 1, self.left))}{max(self.bottom, self.top + 1)}"
        )


def letters(column: int) -> str:
    """Return the letters of a column: 0 is `A`, 26 is `AA`."""
    text = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def column_of(text: str) -> int:
    """Return the number of a column: `A` is 0, `aa` is 26."""
    number = 0
    for letter in text.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1


def parse_area(text: str) -> Area | None:
    """Return the area of `A1`, `A1:C`, `2:3`, `D4:A1` or `R1C1:R2C2`; None for anything else."""
    ends = text.split(":")
    if len(ends) > 2:
        return None
    corners = [_corner(end.strip()) for end in ends]
    if None in corners:
        return None
    (row, column), (last_row, last_column) = corners[0], corners[-1]  # type: ignore[misc] # None was ruled out
    if len(ends) == 1:
        if row is None or column is None:
            return None
        return Area(row, column, row + 1, column + 1)
    top, bottom = span(row, last_row)
    left, right = span(column, last_column)
    if row is None and last_row is None and (column is None or last_column is None):
        return None
    if column is None and last_column is None and (row is None or last_row is None):
        return None
    return Area(top, left, bottom, right)


def split(text: str) -> tuple[str | None, str | None]:
    """Split a range into title and cells; each may be missing.

    A lone quoted text is a title; a lone bare one may be cells, a title or a named range, and is returned as cells.
    """
    if text.startswith("'"):
        match = re.fullmatch(r"'((?:[^']|'')*)'(?:!(.*))?", text, re.DOTALL)
        if match:
            return match[1].replace("''", "'"), match[2]
    title, mark, cells = text.rpartition("!")
    return (title, cells) if mark else (None, text)


def quoted(title: str) -> str:
    """Return a title as answers show it: in quotes unless it cannot be misread."""
    is_bare = _BARE_TITLE.fullmatch(title) and parse_area(title) is None
    return title if is_bare else "'" + title.replace("'", "''") + "'"


def box_of(grid_range: dict[str, Any], rows: int, columns: int) -> Box:
    """Return the cells of a GridRange in a grid of that size."""
    area = Area(
        grid_range.get("startRowIndex", 0),
        grid_range.get("startColumnIndex", 0),
        grid_range.get("endRowIndex"),
        grid_range.get("endColumnIndex"),
    )
    return area.within(rows, columns)


def grid_range(sheet_id: int, box: Box) -> dict[str, Any]:
    """Return cells as a GridRange."""
    return {
        "sheetId": sheet_id,
        "startRowIndex": box.top,
        "endRowIndex": box.bottom,
        "startColumnIndex": box.left,
        "endColumnIndex": box.right,
    }


def _corner(text: str) -> tuple[int | None, int | None] | None:
    """Return (row, column) of one end, from 0, with None for a missing part; None if the text is no corner."""
    if match := _R1C1.fullmatch(text):
        row, column = int(match[1]) - 1, int(match[2]) - 1
        return None if row < 0 or column < 0 else (row, column)
    found = _CELL.fullmatch(text)
    if not found or not text or found[2] == "0" or (found[2] and int(found[2]) == 0):
        return None
    return int(found[2]) - 1 if found[2] else None, column_of(found[1]) if found[1] else None


def span(first: int | None, last: int | None) -> tuple[int, int | None]:
    """Return start and end of two ends of one dimension; a missing one leaves the span open."""
    if first is None or last is None:
        return first or last or 0, None
    return min(first, last), max(first, last) + 1
