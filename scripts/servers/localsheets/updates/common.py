"""Helpers of all kinds of requests: finding cells, and errors for what is missing."""

from __future__ import annotations

from collections.abc import Sequence

from localsheets.a1 import Box
from localsheets.book import Book
from localsheets.errors import ApiError, invalid
from localsheets.guarding import check
from localsheets.sheet import Record, Sheet


def target(book: Book, found: Record | None, caller: str | None = None, name: str = "range") -> tuple[Sheet, Box]:
    """Return the tab and the cells of a GridRange; parts outside the grid are cut off.

    Args:
        book: The spreadsheet.
        found: The GridRange.
        caller: The e-mail of the account that is about to change the cells; None if they are not changed.
        name: The name of the range in the request.

    Raises:
        ApiError: 400 for no range, no such tab, a start outside the grid, ends before starts, protected cells.
    """
    if found is None:
        raise invalid(f"{name} is required")
    sheet = book.sheet(found.get("sheetId", 0), "grid")
    for start, end in (("startRowIndex", "endRowIndex"), ("startColumnIndex", "endColumnIndex")):
        first, last = found.get(start, 0), found.get(end)
        if first < 0:
            raise invalid(f"{name}.{start}[{first}] must be at least 0")
        if last is not None and last <= first:
            raise invalid(f"{name}.{end}[{last}] must be greater than {name}.{start}[{first}]")
    check_inside(
        sheet,
        found.get("startRowIndex", 0),
        found.get("startColumnIndex", 0),
        "GridRange.startRow",
        "GridRange.startColumn",
    )
    box = sheet.box(found)
    if caller is not None:
        check(book, sheet, box, caller)
    return sheet, box


def corner(book: Book, found: Record | None, name: str = "start") -> tuple[Sheet, int, int]:
    """Return the tab, row and column of a GridCoordinate."""
    if found is None:
        raise invalid(f"{name} is required")
    sheet = book.sheet(found.get("sheetId", 0), "grid")
    row, column = found.get("rowIndex", 0), found.get("columnIndex", 0)
    check_inside(sheet, row, column)
    return sheet, row, column


def check_inside(
    sheet: Sheet,
    row: int,
    column: int,
    row_name: str = "GridCoordinate.row",
    column_name: str = "GridCoordinate.column",
) -> None:
    """Refuse a cell outside the grid."""
    if row >= sheet.rows:
        raise invalid(f"{row_name}Index[{row}] is after last row in grid[{sheet.rows - 1}]")
    if column >= sheet.columns:
        raise invalid(f"{column_name}Index[{column}] is after last column in grid[{sheet.columns - 1}]")


def stretch(book: Book, found: Record | None) -> tuple[Sheet, str, int, int]:
    """Return the tab, dimension, start and end of a DimensionRange; a missing end is the grid's."""
    if found is None:
        raise invalid("range is required")
    if "dimension" not in found:
        raise invalid("dimension is required")
    sheet = book.sheet(found.get("sheetId", 0))
    dimension = found["dimension"]
    start, end = found.get("startIndex", 0), found.get("endIndex", sheet.size(dimension))
    if start < 0:
        raise invalid(f"range.startIndex[{start}] must be at least 0")
    if end <= start:
        raise invalid(f"range.endIndex[{end}] must be greater than range.startIndex[{start}]")
    return sheet, dimension, start, end


def lines(sheet: Sheet, dimension: str, start: int, end: int) -> Box:
    """Return whole rows or columns as cells."""
    return Box(start, 0, end, sheet.columns) if dimension == "ROWS" else Box(0, start, sheet.rows, end)


def place_of(records: Sequence[Record], name: str, id: object, what: str) -> int:
    """Return the place of the record with an id.

    Raises:
        ApiError: 400 `No protected range with id: 404`.
    """
    for place, record in enumerate(records):
        if record[name] == id:
            return place
    raise no_such(what, id)


def no_such(what: str, id: object) -> ApiError:
    """Return the 400 for an unknown id."""
    return invalid(f"No {what} with id: {id}")
