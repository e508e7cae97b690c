"""Tabs and the spreadsheet itself."""

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
    """`addSheet`."""
    sheet = add(book, request.get("properties", {}))
    return {"properties": answers.sheet_properties(book, sheet)}


def add(book: Book, wanted: Record) -> Sheet:
    """A new tab with the properties that were asked for."""
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
    """`deleteSheet`, with all that hangs on it."""
    sheet = book.sheet(request.get("sheetId", 0))
    check_sheet(book, sheet, caller, drops=True)
    if len(book.sheets) == 1:
        raise invalid("You can't remove all the sheets in a document.")
    if not any(it is not sheet and not it.properties.get("hidden") for it in book.sheets):
        raise invalid("You can't remove all the visible sheets in a document.")
    book.sheets = [it for it in book.sheets if it is not sheet]
    book.named_ranges = [it for it in book.named_ranges if it["range"].get("sheetId", 0) != sheet.id]
    book.developer_metadata = [it for it in book.developer_metadata if not _is_on(it, sheet)]


def duplicate_sheet(book: Book, request: Record, caller: str) -> dict[str, Any]:
    """`duplicateSheet`."""
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
    for record in [it for it in book.developer_metadata if it["location"] == here]:
        copied = {**record, "metadataId": book.fresh_id(), "location": {**here, "sheetId": twin.id}}
        book.developer_metadata.append(copied)
    return {"properties": answers.sheet_properties(book, twin)}


def copy_to(source: Sheet, book: Book) -> Sheet:
    """A tab of another book, at the end of this one."""
    name = f"Copy of {source.title}"
    twin = _twin(source, book, _free_title(book, name + " {}", 1, name), None)
    book.sheets.append(twin)
    book.check_size()
    return twin


def update_sheet_properties(book: Book, request: Record, caller: str) -> None:
    """`updateSheetProperties`."""
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
    if new.get("hidden") and not any(it is not sheet and not it.properties.get("hidden") for it in book.sheets):
        raise invalid("You can't hide all the sheets in a document.")
    sheet.properties = {**new, "gridProperties": {**sheet.grid}}
    _fit(book, sheet, grid)
    if index is not None and (every or "index" in mask):
        _reorder(book, sheet, index)


def update_spreadsheet_properties(book: Book, request: Record, caller: str) -> None:
    """`updateSpreadsheetProperties`."""
    mask = for_update(request.get("fields"), "SpreadsheetProperties")
    new = merged(book.properties, colours.normal(request.get("properties", {})), mask)
    if not new.get("title"):
        raise invalid("The title of a spreadsheet cannot be empty.")
    book.properties = {**book.properties, **new}


def check_title(book: Book, title: str, sheet: Sheet | None) -> None:
    """Refuse a name that is empty, too long or another tab's."""
    if not title:
        raise invalid("Sheet name cannot be empty.")
    if len(title) > MAX_TITLE:
        raise invalid("Sheet name cannot be longer than 100 characters.")
    if any(it is not sheet and it.title.casefold() == title.casefold() for it in book.sheets):
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
    """Grow or cut the grid to its new properties."""
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
    """Put a tab before the one that has that index now."""
    if not 0 <= index <= len(book.sheets):
        raise invalid(f"Sheet index {index} is outside of [0, {len(book.sheets)}].")
    old = next(place for place, it in enumerate(book.sheets) if it is sheet)
    others = [it for it in book.sheets if it is not sheet]
    others.insert(index - 1 if index > old else index, sheet)
    book.sheets = others


def _free_title(book: Book, pattern: str, number: int, first: str = "") -> str:
    title = first or pattern.format(number)
    while book.titled(title):
        number += 1
        title = pattern.format(number)
    return title


def _twin(source: Sheet, book: Book, title: str, id: int | None) -> Sheet:
    """A copy of a tab under its own id; what lies on it gets ids of its own."""
    twin = source.copy()
    new = book.fresh_id() if id is None else id
    twin.properties = {**source.properties, "sheetId": new, "title": title}
    twin.merges = [_moved(it, new) for it in source.merges]
    twin.conditional_formats = [
        {**it, "ranges": [_moved(found, new) for found in it["ranges"]]} for it in source.conditional_formats
    ]
    for name, key in (
        ("protected_ranges", "protectedRangeId"),
        ("filter_views", "filterViewId"),
        ("banded_ranges", "bandedRangeId"),
    ):
        copies = [
            {**it, key: book.fresh_id(), "range": _moved(it.get("range", {}), new)} for it in getattr(source, name)
        ]
        setattr(twin, name, copies)
    if source.basic_filter:
        twin.basic_filter = {**source.basic_filter, "range": _moved(source.basic_filter["range"], new)}
    twin.groups = {
        dimension: [{**it, "range": _moved(it["range"], new)} for it in found]
        for dimension, found in source.groups.items()
    }
    return twin


def _moved(found: Record, id: int) -> Record:
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
