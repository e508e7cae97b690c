"""Cell references in formulas: finding and moving them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from localsheets.a1 import Area, column_of, letters, span
from localsheets.shifts import Shift

_CORNER = r"\$?[A-Za-z]{1,3}\$?\d+"
REFERENCE = (
    r"(?<![\w.$!])(?:(?:'(?:[^']|'')*'|[^\W\d]\w*)!)?"
    rf"(?:{_CORNER}(?::\$?[A-Za-z]{{1,3}}\$?\d*)?|\$?[A-Za-z]{{1,3}}:\$?[A-Za-z]{{1,3}}\$?\d*|\$?\d+:\$?\d+)(?![\w(.!])"
)
"""A reference: `A1`, `$A$1:B2`, `A:A`, `2:3`, each with or without a title."""

_TOKEN = re.compile(rf'"(?:[^"]|"")*"|({REFERENCE})|[^"]', re.DOTALL)
_PART = re.compile(r"(\$?)([A-Za-z]{0,3})(\$?)(\d*)")
LOST = "#REF!"


@dataclass(frozen=True, slots=True)
class Corner:
    """One end of a reference; a missing part is None.

    Attributes:
        is_fixed: True for the column, and for the row, if it has a `$`.
    """

    row: int | None
    column: int | None
    is_fixed: tuple[bool, bool]

    @classmethod
    def of(cls, text: str) -> Corner:
        """Parse a corner: `$A1`, `A`, `$1`."""
        match = _PART.fullmatch(text)
        if match is None:
            raise ValueError(f"no corner of a reference: {text}")
        column = column_of(match[2]) if match[2] else None
        row = int(match[4]) - 1 if match[4] else None
        is_row_fixed = bool(match[3] if match[2] else match[1])
        return cls(row, column, (bool(match[1] and match[2]), is_row_fixed))

    @property
    def text(self) -> str:
        """Return the corner as written."""
        column = "" if self.column is None else "$" * self.is_fixed[0] + letters(self.column)
        return column + ("" if self.row is None else "$" * self.is_fixed[1] + str(self.row + 1))


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference of a formula to cells.

    Attributes:
        prefix: The title as written, with its `!`; empty for the formula's own tab.
        last: The second corner, None for one cell.
    """

    prefix: str
    first: Corner
    last: Corner | None

    @classmethod
    def of(cls, text: str) -> Reference:
        """Parse a reference."""
        prefix, mark, cells = text.rpartition("!")
        first, colon, last = cells.partition(":")
        return cls(prefix + mark, Corner.of(first), Corner.of(last) if colon else None)

    @property
    def title(self) -> str | None:
        """Return the tab's title, None for the formula's own."""
        name = self.prefix.removesuffix("!")
        return (name[1:-1].replace("''", "'") if name.startswith("'") else name) or None

    @property
    def text(self) -> str:
        """Return the reference as written."""
        return self.prefix + self.first.text + (f":{self.last.text}" if self.last else "")

    def area(self) -> Area:
        """Return the cells of the reference."""
        last = self.last or self.first
        top, bottom = span(self.first.row, last.row)
        left, right = span(self.first.column, last.column)
        return Area(top, left, bottom, right)


@lru_cache(maxsize=4096)
def references(formula: str) -> tuple[Reference, ...]:
    """Return all references of a formula, in order."""
    return tuple(Reference.of(match[1]) for match in _TOKEN.finditer(formula) if match[1])


def shifted(formula: str, home: str, title: str, dimension: str, shift: Shift) -> str:
    """Return a formula after rows or columns of a tab were shifted.

    Args:
        formula: The formula's text.
        home: The title of the formula's own tab.
        title: The title of the tab that was changed.
        dimension: The dimension that was changed, "ROWS" or "COLUMNS".
        shift: The change.
    """

    def move(found: Reference) -> str:
        if (found.title or home).casefold() != title.casefold():
            return found.text
        name = "row" if dimension == "ROWS" else "column"
        first, last = getattr(found.first, name), getattr(found.last or found.first, name)
        if first is None and last is None:
            return found.text
        if first is None or last is None:
            ends: list[Any] = [None if end is None else shift.index(end) or 0 for end in (first, last)]
        else:
            span = shift.span(min(first, last), max(first, last) + 1)
            if span is None:
                return found.prefix + LOST
            ends = [span[0], span[1] - 1]
        changed = replace(found, first=replace(found.first, **{name: ends[0]}))
        return (replace(changed, last=replace(found.last, **{name: ends[1]})) if found.last else changed).text

    return _rewrite(formula, move)


def carried(formula: str, down: int, right: int) -> str:
    """Return a formula moved to another cell: parts without `$` move along."""

    def move(found: Reference) -> str:
        corners = [_carry_corner(corner, down, right) for corner in (found.first, found.last) if corner is not None]
        if any((corner.row or 0) < 0 or (corner.column or 0) < 0 for corner in corners):
            return LOST
        return replace(found, first=corners[0], last=corners[1] if found.last else None).text

    return _rewrite(formula, move) if down or right else formula


def _carry_corner(corner: Corner, down: int, right: int) -> Corner:
    row = corner.row if corner.row is None or corner.is_fixed[1] else corner.row + down
    column = corner.column if corner.column is None or corner.is_fixed[0] else corner.column + right
    return replace(corner, row=row, column=column)


def _rewrite(formula: str, change: Callable[[Reference], str]) -> str:
    return _TOKEN.sub(lambda match: change(Reference.of(match[1])) if match[1] else match[0], formula)
