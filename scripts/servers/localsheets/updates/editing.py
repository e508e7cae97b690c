"""Editing existing cells: sorting, finding and replacing, cleaning up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from localsheets.a1 import Box
from localsheets.book import Book
from localsheets.cells import Cell, Fault, Scalar
from localsheets.display import shown
from localsheets.errors import invalid
from localsheets.formulas import value_of
from localsheets.guarding import check
from localsheets.references import carried
from localsheets.sheet import Record, Sheet
from localsheets.updates.common import target
from localsheets.values import entered


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


def find_replace(book: Book, request: Record, caller: str) -> dict[str, Any]:
    """Apply `findReplace`."""
    places = _scope(book, request)
    find = request.get("find", "")
    if not find:
        raise invalid("find must not be empty")
    pattern = _pattern(find, request)
    replacement = request.get("replacement", "")
    if request.get("searchByRegex"):
        replacement = re.sub(r"\$(\d+)", r"\\g<\1>", replacement.replace("\\", "\\\\"))
    else:
        replacement = replacement.replace("\\", "\\\\")
    counts = {"valuesChanged": 0, "formulasChanged": 0, "occurrencesChanged": 0}
    rows, tabs = set(), set()
    for sheet, box in places:
        for row, column, cell in list(sheet.inside(box)):
            kind, text = _searched(book, cell, bool(request.get("includeFormulas")))
            new, hits = pattern.subn(replacement, text) if text is not None else ("", 0)
            if not hits:
                continue
            check(book, sheet, Box(row, column, row + 1, column + 1), caller)
            sheet.put(row, column, entered(book, cell, new, "USER_ENTERED"))
            counts[kind] += 1
            counts["occurrencesChanged"] += hits
            rows.add((sheet.id, row))
            tabs.add(sheet.id)
    found = {**counts, "rowsChanged": len(rows), "sheetsChanged": len(tabs)}
    return {name: number for name, number in found.items() if number}


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


def _scope(book: Book, request: Record) -> list[tuple[Sheet, Box]]:
    if "range" in request:
        return [target(book, request["range"])]
    if "sheetId" in request:
        sheet = book.sheet(request["sheetId"])
        return [(sheet, sheet.all)]
    if request.get("allSheets"):
        return [(sheet, sheet.all) for sheet in book.sheets]
    raise invalid("Must specify a range, a sheet or all sheets.")


def _pattern(find: str, request: Record) -> re.Pattern[str]:
    text = find if request.get("searchByRegex") else re.escape(find)
    if request.get("matchEntireCell"):
        text = rf"\A(?:{text})\Z"
    try:
        return re.compile(text, 0 if request.get("matchCase") else re.IGNORECASE)
    except re.error as error:
        raise invalid(f"Invalid regular expression: {find}") from error


def _searched(book: Book, cell: Cell, in_formulas: bool) -> tuple[str, str | None]:
    """Return the counter for changes of a cell, and its text to search."""
    if cell.formula is not None:
        return "formulasChanged", cell.formula if in_formulas else None
    return "valuesChanged", shown(cell.value, cell.pattern, book.properties["locale"]) or None


HANDLERS = {
    "sortRange": sort_range,
    "findReplace": find_replace,
}
