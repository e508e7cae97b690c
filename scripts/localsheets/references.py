"""Cell references in formulas: finding them, moving them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from localsheets.a1 import Area, column_of, letters
from localsheets.shifts import Shift

_CORNER = r"\$?[A-Za-z]{1,3}\$?\d+"
REFERENCE = (
    r"(?<![\w.$!])(?:(?:'(?:[^']|'')*'|[^\W\d]\w*)!)?"
    rf"(?:{_CORNER}(?::\$?[A-Za-z]{{1,3}}\$?\d*)?|\$?[A-Za-z]{{1,3}}:\$?[A-Za-z]{{1,3}}\$?\d*|\$?\d+:\$?\d+)(?![\w(.!])"
)
"""`A1`, `$A$1:B2`, `A:A`, `2:3`, each after a title or not."""

_TOKEN = re.compile(rf'"(?:[^"]|"")*"|({REFERENCE})|[^"]', re.DOTALL)
_PART = re.compile(r"(\$?)([A-Za-z]{0,3})(\$?)(\d*)")
LOST = "#REF!"


@dataclass(frozen=True, slots=True)
class Corner:
    """One end of a reference; a part that is not said is None.

    Attributes:
        is_fixed: Whether the column, and whether the row, has a `$`.
    """

    row: int | None
    column: int | None
    is_fixed: tuple[bool, bool]

    @classmethod
    def of(cls, text: str) -> Corner:
        """From `$A1`, `A`, `$1`."""
        found = _PART.fullmatch(text)
        if found is None:
            raise ValueError(f"no corner of a reference: {text}")
        column = column_of(found[2]) if found[2] else None
        row = int(found[4]) - 1 if found[4] else None
        is_row_fixed = bool(found[3] if found[2] else found[1])
        return cls(row, column, (bool(found[1] and found[2]), is_row_fixed))

    @property
    def text(self) -> str:
        """As written."""
        column = "" if self.column is None else "$" * self.is_fixed[0] + letters(self.column)
        return column + ("" if self.row is None else "$" * self.is_fixed[1] + str(self.row + 1))


@dataclass(frozen=True, slots=True)
class Reference:
    """Cells that a formula names.

    Attributes:
        prefix: The title as written, with its `!`; empty for the formula's own tab.
        last: None for one cell.
    """

    prefix: str
    first: Corner
    last: Corner | None

    @classmethod
    def of(cls, text: str) -> Reference:
        """From its text."""
        prefix, mark, cells = text.rpartition("!")
        first, colon, last = cells.partition(":")
        return cls(prefix + mark, Corner.of(first), Corner.of(last) if colon else None)

    @property
    def title(self) -> str | None:
        """The tab's name, None for the formula's own."""
        name = self.prefix.removesuffix("!")
        return (name[1:-1].replace("''", "'") if name.startswith("'") else name) or None

    @property
    def text(self) -> str:
        """As written."""
        return self.prefix + self.first.text + (f":{self.last.text}" if self.last else "")

    def area(self) -> Area:
        """Its cells."""
        last = self.last or self.first
        top, bottom = _ends(self.first.row, last.row)
        left, right = _ends(self.first.column, last.column)
        return Area(top, left, bottom, right)


def references(formula: str) -> list[Reference]:
    """All of a formula, in order."""
    return [Reference.of(it[1]) for it in _TOKEN.finditer(formula) if it[1]]


def shifted(formula: str, home: str, title: str, dimension: str, shift: Shift) -> str:
    """A formula after rows or columns of a tab were shifted.

    Args:
        formula: Its text.
        home: Title of the tab that the formula stands in.
        title: Title of the tab that was changed.
        dimension: Which of the two was.
        shift: How.
    """

    def moved(found: Reference) -> str:
        if (found.title or home).casefold() != title.casefold():
            return found.text
        name = "row" if dimension == "ROWS" else "column"
        first, last = getattr(found.first, name), getattr(found.last or found.first, name)
        if first is None and last is None:
            return found.text
        if first is None or last is None:
            ends: list[Any] = [None if it is None else shift.index(it) or 0 for it in (first, last)]
        else:
            span = shift.span(min(first, last), max(first, last) + 1)
            if span is None:
                return found.prefix + LOST
            ends = [span[0], span[1] - 1]
        changed = replace(found, first=replace(found.first, **{name: ends[0]}))
        return (replace(changed, last=replace(found.last, **{name: ends[1]})) if found.last else changed).text

    return _rewritten(formula, moved)


def carried(formula: str, down: int, right: int) -> str:
    """A formula in another cell: what has no `$` moves along."""

    def moved(found: Reference) -> str:
        corners = [_carried(it, down, right) for it in (found.first, found.last) if it is not None]
        if any((it.row or 0) < 0 or (it.column or 0) < 0 for it in corners):
            return LOST
        return replace(found, first=corners[0], last=corners[1] if found.last else None).text

    return _rewritten(formula, moved) if down or right else formula


def _carried(corner: Corner, down: int, right: int) -> Corner:
    row = corner.row if corner.row is None or corner.is_fixed[1] else corner.row + down
    column = corner.column if corner.column is None or corner.is_fixed[0] else corner.column + right
    return replace(corner, row=row, column=column)


def _rewritten(formula: str, change: Callable[[Reference], str]) -> str:
    return _TOKEN.sub(lambda it: change(Reference.of(it[1])) if it[1] else it[0], formula)


def _ends(first: int | None, last: int | None) -> tuple[int, int | None]:
    if first is None or last is None:
        return first or last or 0, None
    return min(first, last), max(first, last) + 1
