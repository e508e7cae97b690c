"""The requests of a batch that several modules send, in the API's terms; rows and columns count from 0 here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

from sheets_algo.workbook.google.read.titles import MARK_KEY
from sheets_algo.workbook.template_spec import CellCheck
from sheets_algo.workbook.values import Plain

Request = dict[str, Any]
Dimension = Literal["ROWS", "COLUMNS"]


def extended_value(value: Plain) -> Mapping[str, Any]:
    """Return a value as the API's `ExtendedValue`: typed, never parsed, so that no text becomes a formula."""
    match value:
        case None:
            return {}
        case bool():
            return {"boolValue": value}
        case str():
            return {"stringValue": value}
        case _:
            return {"numberValue": value}


def update_cells(
    sheet_id: int, row: int, column: int, rows: Sequence[Sequence[Mapping[str, Any]]], fields: str
) -> Request:
    """Return a request that writes a block of cells.

    Args:
        sheet_id: The tab's id.
        row: The first cell's row.
        column: The first cell's column.
        rows: The `CellData` of each cell, row by row.
        fields: The mask of what is set; everything else about the cells stays.
    """
    start = {"sheetId": sheet_id, "rowIndex": row, "columnIndex": column}
    return {"updateCells": {"start": start, "rows": [{"values": cells} for cells in rows], "fields": fields}}


def resize(sheet_id: int, dimension: Dimension, first: int, end: int, pixels: int) -> Request:
    """Return a request that sets the size of rows or columns from `first` up to `end`, which is excluded."""
    place = {"sheetId": sheet_id, "dimension": dimension, "startIndex": first, "endIndex": end}
    return {"updateDimensionProperties": {"range": place, "properties": {"pixelSize": pixels}, "fields": "pixelSize"}}


def append_dimensions(sheet_id: int, rows: int, columns: int) -> list[Request]:
    """Return the requests that add rows and columns at the ends of the grid, none if there is nothing to add."""
    counts: Mapping[Dimension, int] = {"ROWS": rows, "COLUMNS": columns}
    return [
        {"appendDimension": {"sheetId": sheet_id, "dimension": dimension, "length": length}}
        for dimension, length in counts.items()
        if length > 0
    ]


def mark_tab(sheet_id: int, name: str) -> Request:
    """Return a request that marks a tab with a name, which identifies it after a renaming."""
    return create_metadata(MARK_KEY, name, sheet_id=sheet_id)


def create_metadata(key: str, value: str, id: int | None = None, sheet_id: int | None = None) -> Request:
    """Return a request that adds an entry to the developer metadata of the spreadsheet, or of a tab.

    Args:
        id: The entry's id, which Google accepts once; None for any.
        sheet_id: The tab's id; None for the spreadsheet.
    """
    location = {"spreadsheet": True} if sheet_id is None else {"sheetId": sheet_id}
    entry = {"metadataKey": key, "metadataValue": value, "location": location, "visibility": "DOCUMENT"}
    return {"createDeveloperMetadata": {"developerMetadata": entry if id is None else entry | {"metadataId": id}}}


LONGEST_HINT = 400
"""The maximum number of characters of the hint that a cell shows while it is edited."""


def validation(area: Mapping[str, int], condition: Mapping[str, Any], check: CellCheck) -> Request:
    """Return the request for a check of some cells, which warns and refuses nothing."""
    rule: dict[str, Any] = {"condition": condition, "strict": False, "showCustomUi": True}
    if check.hint or check.says:
        rule["inputMessage"] = (check.hint or check.says)[:LONGEST_HINT]
    return {"setDataValidation": {"range": area, "rule": rule}}


def one_of(words: tuple[str, ...]) -> dict[str, Any]:
    """Return the condition of a drop-down list of words."""
    return condition_of("ONE_OF_LIST", *words)


def condition_of(type: str, *values: str) -> dict[str, Any]:
    """Return a condition of the API, with values as they would be typed."""
    return {"type": type, "values": [{"userEnteredValue": value} for value in values]}


def digits(number: float | None) -> str:
    """Return a number in a form that every locale reads: fractions as formulas, since the decimal sign differs."""
    exact = Fraction(str(number))
    return str(exact.numerator) if exact.denominator == 1 else f"={exact.numerator}/{exact.denominator}"
