"""Conversion of Google's cells to the values of a snapshot.

A poll gets plain JSON values, in which a cell that shows an error holds the error's text, `#REF!`, like any other text.
A reading before a write gets typed cells; their errors become the same texts, so that both can be compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from types import MappingProxyType
from typing import Any

from sheets_algo.workbook.addresses import letters
from sheets_algo.workbook.google.read.blank_formulas import with_blank_formulas
from sheets_algo.workbook.google.read.live_cells import LiveCell, Place, grid_cells, live_cells
from sheets_algo.workbook.google.read.titles import GoogleTab, quoted
from sheets_algo.workbook.number_formats import is_per_cent
from sheets_algo.workbook.snapshot import Areas, Columns, Sheet, Snapshot
from sheets_algo.workbook.values import PerCent, Value, serial_of

DETAIL_FIELDS = (
    "sheets(properties(title),data(startRow,startColumn,"
    "rowData(values(userEnteredValue,effectiveValue,effectiveFormat(numberFormat)))))"
)
"""The mask of the fields that `with_details` reads."""

NO_DATES: Mapping[tuple[int, int], date] = MappingProxyType({})


def sheet(
    tab: GoogleTab, rows: Sequence[Sequence[Any]], most: int | None = None, dates: Mapping[Place, date] = NO_DATES
) -> Sheet:
    """Return a tab from its rows.

    Args:
        tab: The tab, for its title and merged cells.
        rows: The rows from row 1, as `values:batchGet` gives them.
        most: The number of rows that were asked for, None for all.
        dates: The known cells with dates; elsewhere a date reads as its number.
    """
    merged = tuple(area for area in tab.merged if most is None or area[0] <= most)
    cells = numbered(rows)
    for (row, column), day in dates.items():
        values = cells.get(row, ())
        if values[column - 1 : column] == (serial_of(day),):
            cells[row] = (*values[: column - 1], day, *values[column:])
    return Sheet(tab.title, cells, merged, height=tab.rows if most else 0)


def numbered(rows: Sequence[Sequence[Any]]) -> dict[int, tuple[Value, ...]]:
    """Return the cells of each row by its number, from 1, without blank rows and trailing blanks."""
    return {number: row for number, values in enumerate(rows, start=1) if (row := _trim(values))}


def _trim(values: Sequence[Any]) -> tuple[Value, ...]:
    """Return a row without its trailing blanks; a blank cell inside is an empty text in the answer."""
    cells = [None if value == "" else value for value in values]
    while cells and cells[-1] is None:
        cells.pop()
    return tuple(cells)


def number_ranges(snapshot: Snapshot, columns: Columns) -> Iterator[str]:
    """Yield the range of each of some columns from its first number other than 0 to its last one, in A1 notation."""
    for key, places in columns.items():
        for place in places:
            rows = [row for row, _ in _numbers(snapshot.sheets[key], (place,))]
            if rows:
                column = letters(place)
                yield f"{quoted(snapshot.sheets[key].title)}!{column}{min(rows)}:{column}{max(rows)}"


def area_ranges(snapshot: Snapshot, areas: Areas) -> Iterator[str]:
    """Yield areas in A1 notation."""
    for key, (top, left, bottom, right) in areas:
        first, last = (letters(column) if column else "" for column in (left, right))
        yield f"{quoted(snapshot.sheets[key].title)}!{first}{top}:{last}{bottom}"


def with_details(snapshot: Snapshot, columns: Columns, areas: Areas, answer: Mapping[str, Any]) -> Snapshot | None:
    """Return a snapshot with the `PerCent`s and dates of some columns, and the `BlankFormula`s of some areas.

    Args:
        answer: The cells of `number_ranges` and `area_ranges`, with `DETAIL_FIELDS`.

    Returns:
        The snapshot; None if a cell has another number than in it, or is no longer blank.
    """
    by_title = {sheet["properties"]["title"]: sheet.get("data", ()) for sheet in answer["sheets"]}
    grids = {title: dict(grid_cells(data)) for title, data in by_title.items()}
    sheets = dict(snapshot.sheets)
    for key in dict.fromkeys(key for key, _ in areas):
        live = dict(live_cells(by_title.get(sheets[key].title, ())))
        blanked = with_blank_formulas(sheets[key], [area for tab, area in areas if tab == key], live)
        if blanked is None:
            return None
        sheets[key] = blanked
    for key, places in columns.items():
        sheet, cells = sheets[key], grids.get(sheets[key].title, {})
        rows = {number: list(values) for number, values in sheet.rows.items()}
        for (row, column), number in _numbers(sheet, places).items():
            cell = cells.get((row, column), {})
            if cell.get("effectiveValue", {}).get("numberValue") != number:
                return None
            format = cell.get("effectiveFormat", {}).get("numberFormat", {})
            if is_per_cent(format.get("pattern") or _PATTERNS.get(format.get("type", ""), "")):
                rows[row][column - 1] = PerCent(number)
            elif day := LiveCell(effective=cell["effectiveValue"], number_type=format.get("type", "")).day:
                rows[row][column - 1] = day
        sheets[key] = replace(sheet, rows=rows)
    return replace(snapshot, sheets=sheets)


_PATTERNS = {"PERCENT": "0.00%"}
"""The default pattern of each type of number format."""


def _numbers(sheet: Sheet, columns: Iterable[int]) -> dict[tuple[int, int], float]:
    """Return the numbers of some columns by row and column, without 0, which is 0 in each format."""
    return {
        (row, column): value
        for row, values in sheet.rows.items()
        for column in columns
        if column <= len(values)
        and isinstance(value := values[column - 1], int | float)
        and not isinstance(value, bool)
        and value
    }
