"""Where rows, cells and formulas are in a worksheet's bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sheets_algo.workbook.xlsx.file.areas import Area
from sheets_algo.workbook.xlsx.file.markup import Tag


class RowSpan(NamedTuple):
    """A `<row>`: its number, its tag, and the ends of its content and of itself (equal for `<row/>`)."""

    number: int
    tag: Tag
    content_end: int
    end: int


class CellSpan(NamedTuple):
    """A `<c>`: its address, its tag, and the ends of its content and of itself (equal for `<c/>`)."""

    row: int
    column: int
    tag: Tag
    content_end: int
    end: int


class FormulaCell(NamedTuple):
    """A cell with a formula."""

    row: int  # Row of the cell
    column: int  # Column of the cell
    start: int  # Offset of the cell's start tag
    tag_end: int  # Offset after it
    kind: str  # `normal`, `shared`, `array` or `dataTable`
    text: str  # Text of the formula, blank for a shared one whose text is in another cell
    reach: Area | None  # Cells that show its result or share it, None if not stated
    attributes: Mapping[str, str]  # Attributes of the `<f>`
    results: Sequence[int]  # Start and end of the element that holds its result, of each if there are several
    is_described: bool = True  # True if the cell's tag says of what kind its result is
