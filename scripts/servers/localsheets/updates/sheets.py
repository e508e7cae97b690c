"""Tabs and the properties of the spreadsheet."""

from __future__ import annotations

from typing import Any

from localsheets import answers, colours
from localsheets.a1 import MAX_COLUMNS
from localsheets.book import Book
from localsheets.dimensions import delete, grow
from localsheets.errors import invalid
from localsheets.guarding import check_sheet
from localsheets.mask import for_update, merged
from localsheets.sheet import COLUMNS, ROWS, Record, Sheet, new_properties

MAX_TITLE = 100


def add_sheet(book: Book, request: Record, caller: str) -> dict[str, Any]:
    """Apply `addSheet`."""
    sheet = add(book, request.get("properties", {}))
    return {"properties": answers.sheet_properties(book, sheet)}


def add(book: Book, wanted: Record) -> Sheet:
    """Add a tab with the requested properties."""
    id = wanted.get("sheetId")
    if id is not None and book.find(id):
        raise invalid(f"Sheet with id {id} already exists.")
    if id is not None and id < 0:
        raise invalid("properties.sheetId must be at least 0")
    title = wanted.get("title") or _free_title(book, "Sheet{}", len(book.sheets) + 1)
    check_title(book, title, None)
    grid = {"rowCount": ROWS, "columnCount": COLUMNS, **wanted.get("gridProperties", {})}
    _check_grid(grid)
    first = not book.sheets
    fresh = new_properties((0 if first else book.fresh_id()) if id is None else id, title)
    asked = {name: item for name, item in colours.normal(wanted).items() if name not in ("index", "sheetId", "title")}
    sheet = Sheet({**fresh, **asked, "gridProperties": grid})
    index = wanted.get("index", len(book.sheets))
    book.sheets.insert(min(index, len(book.sheets)), sheet)
    book.check_size()
    return sheet


def delete_sheet(book: Book, request: Record, caller: str) -> None:
    """Apply `deleteSheet`, with all that belongs to the tab."""
    sheet = book.sheet(request.get("sheetId", 0))
    check_sheet(book, sheet, caller, drops=True)
    if len(book.sheets) == 1:
        raise invalid("You can't remove all the sheets in a document.")
    if not any(other is not sheet and not other.properties.get("hidden") for other in book.sheets):
        raise invalid("You can't remove all the visible sheets in a document.")
    book.sheets = [other for other in book.sheets if other is not sheet]
    book.named_ranges = [record for record in book.named_ranges if record["range"].get("sheetId", 0) != sheet.id]
    book.developer_metadata = [record for record in book.developer_metadata if not _is_on(record, sheet)]


def duplicate_sheet(book: Book, request: Record, caller: str) -> dict[str, Any]:
    """Apply `duplicateSheet`."""
    source = book.sheet(request.get("sourceSheetId", 0))
    title = request.get("newSheetName") or _free_title(
        book, f"Copy of {source.title}" + " {}", 1, f"Copy of {source.title}"
    )
    check_title(book, title, None)
    id = request.get("newSheetId")
    if id is not None and book.find(id):
        raise invalid(f"Sheet with id {id} already exists.")
    twin = _twin(source, book, title, id)
    index = request.get("insertSheetIndex", 0)
    book.sheets.insert(min(index, len(book.sheets)), twin)
    book.check_size()
    here = {"locationType": "SHEET", "sheetId": source.id}
    for record in [record for record in book.developer_metadata if record["location"] == here]:
        copied = {**record, "metadataId": book.fresh_id(), "location": {**here, "sheetId": twin.id}}
        book.developer_metadata.append(copied)
    return {"properties": answers.sheet_properties(book, twin)}


def update_sheet_properties(book: Book, request: Record, caller: str) -> None:
    """Apply `updateSheetProperties`."""
    wanted = request.get("properties", {})
    sheet = book.sheet(wanted.get("sheetId", 0))
    mask = for_update(request.get("fields"), "SheetProperties")
    check_sheet(book, sheet, caller)
    asked = {"title": "", "index": 0, **colours.normal(wanted)}
    every = not mask or "*" in mask
    new = merged(sheet.properties, {**asked, "sheetId": sheet.id}, {} if every else {**mask, "sheetId": {}})
    new["sheetType"] = sheet.properties["sheetType"]
    index = new.pop("index", None)
    grid = new.get("gridProperties") or {}
    if every or ("gridProperties" in mask and not mask["gridProperties"]):
        grid = {"rowCount": sheet.rows, "columnCount": sheet.columns, **grid}
    _check_grid(grid)
    if new["title"] != sheet.title:
        check_title(book, new["title"], sheet)
    if new.get("hidden") and not any(
        other is not sheet and not other.properties.get("hidden") for other in book.sheets
    ):
        raise invalid("You can't hide all the sheets in a document.")
    sheet.properties = {**new, "gridProperties": {**sheet.grid}}
    _fit(book, sheet, grid)
    if index is not None and (every or "index" in mask):
        _reorder(book, sheet, index)


def update_spreadsheet_properties(book: Book, request: Record, caller: str) -> None:
    """Apply `updateSpreadsheetProperties`."""
    mask = for_update(request.get("fields"), "SpreadsheetProperties")
    new = merged(book.properties, colours.normal(request.get("properties", {})), mask)
    if not new.get("title"):
        raise invalid("The title of a spreadsheet cannot be empty.")
    book.properties = {**book.properties, **new}


def check_title(book: Book, title: str, sheet: Sheet | None) -> None:
    """Refuse a title that is empty, too long or in use."""
    if not title:
        raise invalid("Sheet name cannot be empty.")
    if len(title) > MAX_TITLE:
        raise invalid("Sheet name cannot be longer than 100 characters.")
    if any(other is not sheet and other.title.casefold() == title.casefold() for other in book.sheets):
        raise invalid(f'A sheet with the name "{title}" already exists. Please enter another name.')


def _check_grid(grid: Record) -> None:
    for name in ("rowCount", "columnCount"):
        if grid.get(name, 0) < 1:
            raise invalid(f"gridProperties.{name}[{grid.get(name, 0)}] must be at least 1")
    if grid["columnCount"] > MAX_COLUMNS:
        raise invalid(f"gridProperties.columnCount[{grid['columnCount']}] must be at most {MAX_COLUMNS}")
    for name, size, what in (("frozenRowCount", "rowCount", "rows"), ("frozenColumnCount", "columnCount", "columns")):
        if grid.get(name, 0) < 0:
            raise invalid(f"gridProperties.{name}[{grid[name]}] must be at least 0")
        if grid.get(name, 0) >= grid[size]:
            raise invalid(f"You can't freeze all visible {what} on the sheet.")


def _fit(book: Book, sheet: Sheet, grid: Record) -> None:
    """Resize the grid to its new properties."""
    for dimension, name in (("ROWS", "rowCount"), ("COLUMNS", "columnCount")):
        size = grid[name]
        if size < sheet.size(dimension):
            frozen = {**sheet.grid, "frozenRowCount": 0, "frozenColumnCount": 0}
            sheet.properties = {**sheet.properties, "gridProperties": frozen}
            delete(book, sheet, dimension, size, sheet.size(dimension))
        else:
            grow(book, sheet, dimension, size)
    sheet.properties = {**sheet.properties, "gridProperties": dict(grid)}


def _reorder(book: Book, sheet: Sheet, index: int) -> None:
    """Move a tab before the one that has that index now."""
    if not 0 <= index <= len(book.sheets):
        raise invalid(f"Sheet index {index} is outside of [0, {len(book.sheets)}].")
    old = next(place for place, other in enumerate(book.sheets) if other is sheet)
    others = [other for other in book.sheets if other is not sheet]
    others.insert(index - 1 if index > old else index, sheet)
    book.sheets = others


def _free_title(book: Book, pattern: str, number: int, first: str = "") -> str:
    title = first or pattern.format(number)
    while book.titled(title):
        number += 1
        title = pattern.format(number)
    return title


def _twin(source: Sheet, book: Book, title: str, id: int | None) -> Sheet:
    """Return a copy of a tab under its own id; everything on it gets new ids."""
    twin = source.copy()
    new = book.fresh_id() if id is None else id
    twin.properties = {**source.properties, "sheetId": new, "title": title}
    twin.merges = [_with_sheet_id(merge, new) for merge in source.merges]
    twin.conditional_formats = [
        {**rule, "ranges": [_with_sheet_id(found, new) for found in rule["ranges"]]}
        for rule in source.conditional_formats
    ]
    twin.protected_ranges = [
        {**record, "protectedRangeId": book.fresh_id(), "range": _with_sheet_id(record.get("range", {}), new)}
        for record in source.protected_ranges
    ]
    if source.basic_filter:
        twin.basic_filter = {**source.basic_filter, "range": _with_sheet_id(source.basic_filter["range"], new)}
    twin.groups = {
        dimension: [{**group, "range": _with_sheet_id(group["range"], new)} for group in found]
        for dimension, found in source.groups.items()
    }
    return twin


def _with_sheet_id(found: Record, id: int) -> Record:
    return {**found, "sheetId": id}


def _is_on(record: Record, sheet: Sheet) -> bool:
    location = record["location"]
    return bool(location.get("sheetId", location.get("dimensionRange", {}).get("sheetId")) == sheet.id)


HANDLERS = {
    "addSheet": add_sheet,
    "deleteSheet": delete_sheet,
    "duplicateSheet": duplicate_sheet,
    "updateSheetProperties": update_sheet_properties,
    "updateSpreadsheetProperties": update_spreadsheet_properties,
}
