"""Inserting, deleting and moving rows and columns, with everything that lies on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from localsheets.book import MAX_CELLS, Book
from localsheets.cells import EMPTY, Cell
from localsheets.errors import invalid
from localsheets.references import shifted
from localsheets.sheet import ENDS, Record, Sheet
from localsheets.shifts import Deleted, Inserted, Moved, Shift

FROZEN = {"ROWS": "frozenRowCount", "COLUMNS": "frozenColumnCount"}


def insert(book: Book, sheet: Sheet, dimension: str, start: int, count: int, inherit_from_before: bool) -> None:
    """Insert rows or columns before `start`, formatted like those before or after them."""
    size = sheet.size(dimension)
    if (sheet.rows * sheet.columns // size) * count > MAX_CELLS:
        raise invalid(
            f"This action would increase the number of cells in the workbook above the limit of {MAX_CELLS} cells."
        )
    sheet.resize(dimension, size + count)
    book.check_size()
    frozen = sheet.grid.get(FROZEN[dimension], 0)
    if start < frozen:
        _freeze(sheet, dimension, frozen + count)
    apply(book, sheet, dimension, Inserted(start, count))
    model = start - 1 if inherit_from_before else start + count
    _copy_looks(sheet, dimension, model, range(start, start + count))


def delete(book: Book, sheet: Sheet, dimension: str, start: int, end: int) -> None:
    """Delete rows or columns, and what lies only on them."""
    frozen = sheet.grid.get(FROZEN[dimension], 0)
    gone = max(0, min(end, frozen) - start)
    if end - start >= sheet.size(dimension):
        raise invalid(f"You can't delete all the {dimension.lower()} on the sheet.")
    if (end - start) - gone >= sheet.size(dimension) - frozen:
        raise invalid(f"Sorry, it is not possible to delete all non-frozen {dimension.lower()}.")
    apply(book, sheet, dimension, Deleted(start, end))
    sheet.resize(dimension, sheet.size(dimension) - (end - start))
    if gone:
        _freeze(sheet, dimension, frozen - gone)


def move(book: Book, sheet: Sheet, dimension: str, start: int, end: int, to: int) -> None:
    """Move rows or columns before the present place `to`."""
    apply(book, sheet, dimension, Moved(start, end, to))


def grow(book: Book, sheet: Sheet, dimension: str, size: int) -> None:
    """Make the grid at least so large."""
    if sheet.size(dimension) < size:
        sheet.resize(dimension, size)
        book.check_size()


def apply(book: Book, sheet: Sheet, dimension: str, shift: Shift) -> None:
    """Move cells, sizes, ranges, metadata and references."""
    _shift_cells(sheet, dimension, shift)
    sheet.dimensions[dimension] = _keys(sheet.dimensions[dimension], shift)
    sheet.merges = [merge for merge in _ranges(sheet.merges, dimension, shift) if _is_several(merge)]
    sheet.protected_ranges = _with_ranges(sheet.protected_ranges, dimension, shift)
    if sheet.basic_filter:
        sheet.basic_filter = next(iter(_with_ranges([sheet.basic_filter], dimension, shift)), None)
    rules = [
        {**rule, "ranges": _ranges(rule.get("ranges", ()), dimension, shift)} for rule in sheet.conditional_formats
    ]
    sheet.conditional_formats = [rule for rule in rules if rule["ranges"]]
    sheet.groups[dimension] = [
        {**group, "range": found}
        for group in sheet.groups[dimension]
        if (found := dimension_range(group["range"], shift)) is not None
    ]
    here = [record for record in book.named_ranges if record.get("range", {}).get("sheetId", 0) == sheet.id]
    kept = {record["namedRangeId"]: record for record in _with_ranges(here, dimension, shift)}
    others = [kept.get(record["namedRangeId"]) if record in here else record for record in book.named_ranges]
    book.named_ranges = [record for record in others if record is not None]
    moved = [_metadata(record, sheet, dimension, shift) for record in book.developer_metadata]
    book.developer_metadata = [record for record in moved if record is not None]
    _shift_formulas(book, sheet, dimension, shift)
    book.changed()


def grid_range(found: Record, dimension: str, shift: Shift) -> Record | None:
    """Return a GridRange after a shift; None if nothing is left of it."""
    first, last = ENDS[dimension]
    if last not in found:
        start = found.get(first, 0)
        return {**found, first: shift.index(start) or 0} if start else found
    span = shift.span(found.get(first, 0), found[last])
    return None if span is None else {**found, first: span[0], last: span[1]}


def dimension_range(found: Record, shift: Shift) -> Record | None:
    """Return a DimensionRange after a shift; None if nothing is left of it."""
    span = shift.span(found.get("startIndex", 0), found["endIndex"])
    return None if span is None else {**found, "startIndex": span[0], "endIndex": span[1]}


def _keys(found: dict[int, Any], shift: Shift) -> dict[int, Any]:
    return {place: item for at, item in found.items() if (place := shift.index(at)) is not None}


def _shift_cells(sheet: Sheet, dimension: str, shift: Shift) -> None:
    if dimension == "ROWS":
        sheet.cells = _keys(sheet.cells, shift)
        return
    lines = {row: _keys(line, shift) for row, line in sheet.cells.items()}
    sheet.cells = {row: line for row, line in lines.items() if line}


def _ranges(found: Iterable[Record], dimension: str, shift: Shift) -> list[Record]:
    return [kept for record in found if (kept := grid_range(record, dimension, shift)) is not None]


def _with_ranges(records: list[Record], dimension: str, shift: Shift) -> list[Record]:
    """Return records with one range each after a shift, without those whose range is gone."""
    kept: list[Record] = []
    for record in records:
        found = grid_range(record["range"], dimension, shift) if "range" in record else {}
        if found is not None:
            changed = {**record, "range": found} if "range" in record else dict(record)
            if record.get("unprotectedRanges"):
                changed["unprotectedRanges"] = _ranges(record["unprotectedRanges"], dimension, shift)
            kept.append(changed)
    return kept


def _is_several(found: Record) -> bool:
    """Return True if a merge covers more than one cell."""
    return bool(
        found["endRowIndex"] - found["startRowIndex"] > 1 or found["endColumnIndex"] - found["startColumnIndex"] > 1
    )


def _metadata(record: Record, sheet: Sheet, dimension: str, shift: Shift) -> Record | None:
    """Return metadata after a shift: that of a row or column moves with it, and is removed with it."""
    place = record["location"].get("dimensionRange")
    if not place or place.get("sheetId", 0) != sheet.id or place["dimension"] != dimension:
        return record
    if (at := shift.index(place.get("startIndex", 0))) is None:
        return None
    moved = {**place, "startIndex": at, "endIndex": at + 1}
    return {**record, "location": {**record["location"], "dimensionRange": moved}}


def _shift_formulas(book: Book, sheet: Sheet, dimension: str, shift: Shift) -> None:
    for other in book.sheets:
        for row, column, cell in [*other.inside(other.all)]:
            if cell.formula is not None:
                text = shifted(cell.formula, other.title, sheet.title, dimension, shift)
                if text != cell.formula:
                    other.put(row, column, replace(cell, formula=text))


def _copy_looks(sheet: Sheet, dimension: str, model: int, new: Iterable[int]) -> None:
    """Give new rows or columns the formats, rules and size of a neighbour."""
    if not 0 <= model < sheet.size(dimension):
        return
    if model in sheet.dimensions[dimension]:
        sheet.dimensions[dimension] |= dict.fromkeys(new, sheet.dimensions[dimension][model])
    if dimension == "ROWS":
        looks = {column: _look(cell) for column, cell in sheet.cells.get(model, {}).items()}
        pairs = [(row, column, look) for row in new for column, look in looks.items()]
    else:
        rows = {row: _look(line[model]) for row, line in sheet.cells.items() if model in line}
        pairs = [(row, column, look) for row, look in rows.items() for column in new]
    for row, column, look in pairs:
        sheet.put(row, column, look)


def _look(cell: Cell) -> Cell:
    return replace(EMPTY, format=cell.format, validation=cell.validation)


def _freeze(sheet: Sheet, dimension: str, count: int) -> None:
    sheet.properties = {**sheet.properties, "gridProperties": {**sheet.grid, FROZEN[dimension]: count}}
