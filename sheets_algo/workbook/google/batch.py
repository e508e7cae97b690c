"""Requests of a batch in the API's words, as more than one room sends them; rows and columns count from 0 here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from sheets_algo.workbook.base import Plain

Request = dict[str, Any]
Dimension = Literal["ROWS", "COLUMNS"]

MARK_KEY = "sheets-algo-tab"
"""Developer metadata of a tab: the name by which the program knows it, whatever its title."""


def entered(value: Plain) -> Mapping[str, Any]:
    """A value as `userEnteredValue`: typed, never parsed, so that no text becomes a formula."""
    match value:
        case None:
            return {}
        case bool():
            return {"boolValue": value}
        case str():
            return {"stringValue": value}
        case _:
            return {"numberValue": value}


def written(sheet_id: int, row: int, column: int, rows: Sequence[Sequence[Mapping[str, Any]]], fields: str) -> Request:
    """Cells from one on.

    Args:
        sheet_id: The tab.
        row: Of the first cell.
        column: Of the first cell.
        rows: `CellData` of each.
        fields: What of the cells is set; the rest of them stays.
    """
    start = {"sheetId": sheet_id, "rowIndex": row, "columnIndex": column}
    return {"updateCells": {"start": start, "rows": [{"values": cells} for cells in rows], "fields": fields}}


def sized(sheet_id: int, dimension: Dimension, first: int, end: int, pixels: int) -> Request:
    """Rows or columns, `end` not included, made so high or wide."""
    place = {"sheetId": sheet_id, "dimension": dimension, "startIndex": first, "endIndex": end}
    return {"updateDimensionProperties": {"range": place, "properties": {"pixelSize": pixels}, "fields": "pixelSize"}}


def grown(sheet_id: int, rows: int, columns: int) -> list[Request]:
    """So many rows and columns more at the ends of the grid, if any."""
    more: Mapping[Dimension, int] = {"ROWS": rows, "COLUMNS": columns}
    return [
        {"appendDimension": {"sheetId": sheet_id, "dimension": dimension, "length": length}}
        for dimension, length in more.items()
        if length > 0
    ]


def marked(sheet_id: int, name: str) -> Request:
    """A tab's name for ever, by which it is found when somebody renames it."""
    mark = {
        "metadataKey": MARK_KEY,
        "metadataValue": name,
        "location": {"sheetId": sheet_id},
        "visibility": "DOCUMENT",
    }
    return {"createDeveloperMetadata": {"developerMetadata": mark}}
