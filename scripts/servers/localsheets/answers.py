"""The answer of `spreadsheets.get`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from localsheets import colours, metadata
from localsheets.a1 import Area, Box
from localsheets.book import Book
from localsheets.cells import Cell, Fault, extended
from localsheets.display import shown
from localsheets.formulas import value_of
from localsheets.mask import Mask, below, select, wants
from localsheets.messages import SCHEMA
from localsheets.sheet import Record, Sheet
from localsheets.values import check_start

_WHITE = colours.normal({"backgroundColor": {"red": 1, "green": 1, "blue": 1}})
DEFAULT_FORMAT: Mapping[str, Any] = {
    **_WHITE,
    "padding": {"top": 2, "right": 3, "bottom": 2, "left": 3},
    "verticalAlignment": "BOTTOM",
    "wrapStrategy": "OVERFLOW_CELL",
    "textFormat": {
        "foregroundColor": {},
        "fontFamily": "arial,sans,sans-serif",
        "fontSize": 10,
        "bold": False,
        "italic": False,
        "strikethrough": False,
        "underline": False,
        "foregroundColorStyle": {"rgbColor": {}},
    },
}
"""The format of a cell in a new spreadsheet."""
THEME: Mapping[str, Any] = {
    "primaryFontFamily": "Arial",
    "themeColors": [
        {"colorType": name, "color": {"rgbColor": colours.colour(steps)}} for name, steps in colours.THEME.items()
    ],
}


def new_properties(title: str, locale: str, time_zone: str) -> dict[str, Any]:
    """Return the SpreadsheetProperties of a new spreadsheet."""
    return {
        "title": title,
        "locale": locale,
        "autoRecalc": "ON_CHANGE",
        "timeZone": time_zone,
        "defaultFormat": DEFAULT_FORMAT,
        "spreadsheetTheme": THEME,
    }


def spreadsheet(
    book: Book, id: str, places: Sequence[tuple[Sheet, Area]] | None, has_grid: bool, mask: Mask, caller: str
) -> dict[str, Any]:
    """Return the answer of `spreadsheets.get`.

    Args:
        book: The spreadsheet's state.
        id: The spreadsheet's id.
        places: The ranges that were asked for, or None for everything.
        has_grid: Include cells, as far as the mask selects them.
        mask: The part of the answer that is wanted.
        caller: The e-mail of the account for whose rights protections are shown.
    """
    sheets = [sheet for sheet in book.sheets if places is None or any(sheet is other for other, _ in places)]
    whole: dict[str, Any] = {
        "spreadsheetId": id,
        "properties": book.properties,
        "sheets": [_sheet(book, sheet, places, has_grid, mask, caller) for sheet in sheets],
        "namedRanges": book.named_ranges,
        "spreadsheetUrl": f"https://docs.google.com/spreadsheets/d/{id}/edit",
        "developerMetadata": [
            record for record in book.developer_metadata if record["location"]["locationType"] == "SPREADSHEET"
        ],
    }
    found: dict[str, Any] = select(mask, SCHEMA.write("Spreadsheet", whole))
    return found


def sheet_properties(book: Book, sheet: Sheet) -> dict[str, Any]:
    """Return a tab's SheetProperties with its index."""
    index = next(place for place, other in enumerate(book.sheets) if other is sheet)
    ordered = {"sheetId": sheet.id, "title": sheet.title, "index": index, **sheet.properties}
    return SCHEMA.write("SheetProperties", ordered)


def protected_range(book: Book, record: Record, caller: str) -> dict[str, Any]:
    """Return a protection as an account sees it: only editors are shown the editors."""
    if not book.can_edit(record, caller):
        return {name: item for name, item in record.items() if name != "editors"}
    editors = record.get("editors", {})
    users = list(editors.get("users", ()))
    if book.owner and book.owner not in users:
        users.insert(0, book.owner)
    return {**record, "requestingUserCanEdit": True, "editors": {**editors, "users": users}}


def _sheet(
    book: Book, sheet: Sheet, places: Sequence[tuple[Sheet, Area]] | None, has_grid: bool, mask: Mask, caller: str
) -> dict[str, Any]:
    found: dict[str, Any] = {"properties": sheet_properties(book, sheet)}
    if has_grid and wants(mask, "sheets", "data"):
        areas = [Area()] if places is None else [area for other, area in places if other is sheet]
        inner = below(mask, "sheets", "data")
        found["data"] = [_grid(book, sheet, area, inner) for area in areas]
    found["merges"] = sheet.merges
    found["conditionalFormats"] = sheet.conditional_formats
    found["protectedRanges"] = [protected_range(book, record, caller) for record in sheet.protected_ranges]
    found["basicFilter"] = sheet.basic_filter
    here = {"locationType": "SHEET", "sheetId": sheet.id}
    found["developerMetadata"] = [record for record in book.developer_metadata if record["location"] == here]
    found["rowGroups"] = sheet.groups["ROWS"]
    found["columnGroups"] = sheet.groups["COLUMNS"]
    return found


def _grid(book: Book, sheet: Sheet, area: Area, mask: Mask) -> dict[str, Any]:
    check_start(sheet, area)
    box = area.within(sheet.rows, sheet.columns)
    found: dict[str, Any] = {"startRow": box.top, "startColumn": box.left}
    if wants(mask, "rowData"):
        found["rowData"] = _rows(book, sheet, box, below(mask, "rowData", "values"))
    if wants(mask, "rowMetadata"):
        found["rowMetadata"] = [_dimension(book, sheet, "ROWS", row) for row in range(box.top, box.bottom)]
    if wants(mask, "columnMetadata"):
        found["columnMetadata"] = [_dimension(book, sheet, "COLUMNS", column) for column in range(box.left, box.right)]
    return found


def _rows(book: Book, sheet: Sheet, box: Box, mask: Mask) -> list[dict[str, Any]]:
    """Return the rows up to the last cell that has any of the wanted fields."""
    rows: list[dict[str, Any]] = []
    for row, column, cell in sheet.inside(box):
        data = cell_data(book, sheet, row, column, cell, mask)
        if not data:
            continue
        rows.extend({} for _ in range(row - box.top + 1 - len(rows)))
        values = rows[row - box.top].setdefault("values", [])
        values.extend({} for _ in range(column - box.left - len(values)))
        values.append(data)
    return rows


def cell_data(book: Book, sheet: Sheet, row: int, column: int, cell: Cell, mask: Mask) -> dict[str, Any]:
    """Return a CellData with the wanted fields."""
    value = value_of(book, sheet, row, column)
    makers: dict[str, Callable[[], Any]] = {
        "userEnteredValue": cell.entered,
        "effectiveValue": lambda: extended(value),
        "formattedValue": lambda: shown(value, cell.pattern, book.properties["locale"]),
        "userEnteredFormat": lambda: cell.format,
        "effectiveFormat": lambda: None if cell.is_empty and not cell.format else effective_format(cell, value),
        "hyperlink": lambda: hyperlink(cell),
        "note": lambda: cell.note,
        "textFormatRuns": lambda: list(cell.runs),
        "dataValidation": lambda: cell.validation,
    }
    return {name: found for name, make in makers.items() if wants(mask, name) and (found := make())}


def effective_format(cell: Cell, value: object) -> dict[str, Any]:
    """Return a cell's effective format: the default under its own; numbers to the right, booleans in the middle."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    side = "RIGHT" if is_number else "CENTER" if isinstance(value, bool | Fault) else "LEFT"
    text = {**DEFAULT_FORMAT["textFormat"], "fontFamily": "Arial", **cell.format.get("textFormat", {})}
    base = {**DEFAULT_FORMAT, "horizontalAlignment": side, "hyperlinkDisplayType": "PLAIN_TEXT"}
    return {**base, **cell.format, "textFormat": text}


def hyperlink(cell: Cell) -> str | None:
    """Return the link of a cell: of its HYPERLINK formula or of its text."""
    if cell.formula and cell.formula.upper().startswith('=HYPERLINK("'):
        return cell.formula[12:].partition('"')[0]
    found: str | None = cell.format.get("textFormat", {}).get("link", {}).get("uri")
    return found


def _dimension(book: Book, sheet: Sheet, dimension: str, index: int) -> dict[str, Any]:
    found = dict(sheet.dimension(dimension, index))
    place = {"sheetId": sheet.id, "dimension": dimension, "startIndex": index, "endIndex": index + 1}
    if book.developer_metadata:
        pieces = [record for record in book.developer_metadata if record["location"].get("dimensionRange") == place]
        found["developerMetadata"] = [metadata.written(record) for record in pieces]
    return found
