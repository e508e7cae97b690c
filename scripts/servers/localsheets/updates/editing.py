"""Sorting of existing cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from localsheets.a1 import Box
from localsheets.book import Book
from localsheets.cells import Cell, Fault, Scalar
from localsheets.errors import invalid
from localsheets.formulas import value_of
from localsheets.references import carried
from localsheets.sheet import Record, Sheet
from localsheets.updates.common import target


def sort_range(book: Book, request: Record, caller: str) -> None:
    """Apply `sortRange`."""
    sheet, box = target(book, request.get("range"), caller)
    specs = request.get("sortSpecs", [])
    if not specs:
        raise invalid("At least one sort spec must be specified.")
    for spec in specs:
        if not box.left <= spec.get("dimensionIndex", 0) < box.right:
            raise invalid(f"dimensionIndex[{spec.get('dimensionIndex', 0)}] is outside of the range.")
    sort(book, sheet, box, specs)


def sort(book: Book, sheet: Sheet, box: Box, specs: Sequence[Record]) -> None:
    """Sort rows: numbers, then text, then booleans, then errors; empty ones last either way."""
    values = {
        (row, spec.get("dimensionIndex", 0)): value_of(book, sheet, row, spec.get("dimensionIndex", 0))
        for row in range(box.top, box.bottom)
        for spec in specs
    }
    order = list(range(box.top, box.bottom))
    for spec in reversed(specs):
        column, is_descending = spec.get("dimensionIndex", 0), spec.get("sortOrder") == "DESCENDING"
        filled = [row for row in order if values[row, column] is not None]
        empty = [row for row in order if values[row, column] is None]
        ranks = {row: rank(values[row, column]) for row in filled}
        order = sorted(filled, key=ranks.__getitem__, reverse=is_descending) + empty
    _reorder(sheet, box, order)


def rank(value: Scalar) -> tuple[int, Any]:
    """Return a value's sort key."""
    if isinstance(value, bool):
        return 2, value
    if isinstance(value, Fault):
        return 3, value.text
    return (1, value.casefold()) if isinstance(value, str) else (0, value)


def _reorder(sheet: Sheet, box: Box, order: Sequence[int]) -> None:
    """Give the rows of a box the content of others, notes and formats included; rows left over are emptied."""
    old = {(row, column): cell for row, column, cell in sheet.inside(box)}
    for row, column in old:
        sheet.put(row, column, Cell())
    for place, source in enumerate(order, box.top):
        for column in range(box.left, box.right):
            if cell := old.get((source, column)):
                if cell.formula is not None:
                    cell = cell.holding(None, carried(cell.formula, place - source, 0))
                sheet.put(place, column, cell)


HANDLERS = {"sortRange": sort_range}
