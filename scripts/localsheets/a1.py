"""Ranges as people write them: `'War Requests'!A1:K`, whole tabs, columns, rows, R1C1."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

MAX_COLUMNS = 18_278
"""The column ZZZ: what no tab can exceed."""

_CELL = re.compile(r"\$?([A-Za-z]{0,3})\$?(\d*)")
_R1C1 = re.compile(r"[Rr](\d+)[Cc](\d+)")
_BARE_TITLE = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of cells of one tab, from 0, ends excluded; an end of None is the tab's own."""

    top: int = 0
    left: int = 0
    bottom: int | None = None
    right: int | None = None

    @property
    def is_cell(self) -> bool:
        """Whether it is one cell."""
        return self.bottom == self.top + 1 and self.right == self.left + 1

    def within(self, rows: int, columns: int) -> Box:
        """The part of it inside a grid of that size."""
        bottom = rows if self.bottom is None else min(self.bottom, rows)
        right = columns if self.right is None else min(self.right, columns)
        return Box(self.top, self.left, max(bottom, self.top), max(right, self.left))


@dataclass(frozen=True, slots=True)
class Box(Area):
    """A rectangle whose ends are known."""

    bottom: int = 0
    right: int = 0

    @property
    def height(self) -> int:
        """Rows."""
        return self.bottom - self.top

    @property
    def width(self) -> int:
        """Columns."""
        return self.right - self.left

    def meets(self, other: Box) -> bool:
        """Whether they share a cell."""
        return (
            self.top < other.bottom and other.top < self.bottom and self.left < other.right and other.left < self.right
        )

    def holds(self, other: Box) -> bool:
        """Whether the other lies inside."""
        return (
            self.top <= other.top
            and other.bottom <= self.bottom
            and self.left <= other.left
            and other.right <= self.right
        )

    def text(self) -> str:
        """`A1:C2`; one cell is `A1`."""
        first = f"{letters(self.left)}{self.top + 1}"
        return (
            first
            if self.is_cell
            else f"{first}:{letters(max(self.right - 1, self.left))}{max(self.bottom, self.top + 1)}"
        )


def letters(column: int) -> str:
    """0 as `A`, 26 as `AA`."""
    text = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def column_of(text: str) -> int:
    """`A` as 0, `aa` as 26."""
    number = 0
    for letter in text.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1


def parse_area(text: str) -> Area | None:
    """`A1`, `A1:C`, `2:3`, `D4:A1`, `R1C1:R2C2`; None for anything else."""
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
    top, bottom = _span(row, last_row)
    left, right = _span(column, last_column)
    if row is None and last_row is None and (column is None or last_column is None):
        return None
    if column is None and last_column is None and (row is None or last_row is None):
        return None
    return Area(top, left, bottom, right)


def split(text: str) -> tuple[str | None, str | None]:
    """The title and the cells of a range; each may be missing.

    A lone quoted text is a title; a lone bare one may be cells, a title or a named range: it comes back as cells.
    """
    if text.startswith("'"):
        quoted = re.fullmatch(r"'((?:[^']|'')*)'(?:!(.*))?", text, re.DOTALL)
        if quoted:
            return quoted[1].replace("''", "'"), quoted[2]
    title, mark, cells = text.rpartition("!")
    return (title, cells) if mark else (None, text)


def quoted(title: str) -> str:
    """A title as answers show it: bare when nothing could be misread."""
    is_bare = _BARE_TITLE.fullmatch(title) and parse_area(title) is None
    return title if is_bare else "'" + title.replace("'", "''") + "'"


def box_of(found: dict[str, Any], rows: int, columns: int) -> Box:
    """A GridRange's cells in a grid of that size."""
    area = Area(
        found.get("startRowIndex", 0),
        found.get("startColumnIndex", 0),
        found.get("endRowIndex"),
        found.get("endColumnIndex"),
    )
    return area.within(rows, columns)


def grid_range(sheet_id: int, box: Box) -> dict[str, Any]:
    """Cells as a GridRange."""
    return {
        "sheetId": sheet_id,
        "startRowIndex": box.top,
        "endRowIndex": box.bottom,
        "startColumnIndex": box.left,
        "endColumnIndex": box.right,
    }


def _corner(text: str) -> tuple[int | None, int | None] | None:
    """(row, column) of one end, from 0; None for a part that is not said, None alone for no corner at all."""
    if spoken := _R1C1.fullmatch(text):
        row, column = int(spoken[1]) - 1, int(spoken[2]) - 1
        return None if row < 0 or column < 0 else (row, column)
    cell = _CELL.fullmatch(text)
    if not cell or not text or cell[2] == "0" or (cell[2] and int(cell[2]) == 0):
        return None
    return int(cell[2]) - 1 if cell[2] else None, column_of(cell[1]) if cell[1] else None


def _span(first: int | None, last: int | None) -> tuple[int, int | None]:
    """Start and end of two ends of one dimension; a missing one leaves it open."""
    if first is None or last is None:
        return first or last or 0, None
    return min(first, last), max(first, last) + 1
