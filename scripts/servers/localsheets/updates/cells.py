"""Writing cells: typed values, formats, notes, borders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from localsheets import colours
from localsheets.a1 import Box
from localsheets.book import Book
from localsheets.cells import EMPTY, MAX_CHARACTERS, Cell, content
from localsheets.dimensions import grow
from localsheets.errors import invalid
from localsheets.guarding import check
from localsheets.mask import Mask, for_update, merged
from localsheets.references import carried
from localsheets.sheet import Record
from localsheets.updates.common import check_inside, corner, target

VALUES = ("numberValue", "stringValue", "boolValue", "formulaValue", "errorValue")


def update_cells(book: Book, request: Record, caller: str) -> None:
    """Apply `updateCells`: from a corner as far as the rows reach, or in a range, whose rest is cleared."""
    mask = for_update(request.get("fields"), "CellData")
    rows = request.get("rows", [])
    if ("start" in request) == ("range" in request):
        raise invalid("Must specify exactly one of start and range.")
    if "start" in request:
        sheet, top, left = corner(book, request["start"])
        box = Box(top, left, top + len(rows), left + max((len(line.get("values", ())) for line in rows), default=0))
        check_inside(sheet, box.bottom - 1, box.right - 1)
        check(book, sheet, box, caller)
    else:
        sheet, box = target(book, request["range"], caller)
        _check_room(rows, box)
        widths_written = [(row, len(line.get("values", ()))) for row, line in enumerate(rows, box.top)]
        ends = dict(widths_written)
        for row, column, cell in list(sheet.inside(box)):
            if column >= box.left + ends.get(row, 0):
                sheet.put(row, column, changed(cell, {}, mask))
    for row, line in enumerate(rows, box.top):
        values = enumerate(line.get("values", ()), box.left)
        sheet.put_row(row, {column: changed(sheet.cell(row, column), data, mask) for column, data in values})


def append_cells(book: Book, request: Record, caller: str) -> None:
    """Apply `appendCells`: below the last row that holds anything, whatever the column."""
    mask = for_update(request.get("fields"), "CellData")
    sheet, rows = book.sheet(request.get("sheetId", 0)), request.get("rows", [])
    width = max((len(line.get("values", ())) for line in rows), default=0)
    if width > sheet.columns:
        raise invalid(
            f"Attempting to write column: {sheet.columns}, beyond the last requested column of: {sheet.columns - 1}"
        )
    filled = (row for row, line in sheet.cells.items() if any(not cell.is_empty for cell in line.values()))
    top = max(filled, default=-1) + 1
    check(book, sheet, Box(top, 0, top + max(len(rows), 1), sheet.columns), caller)
    grow(book, sheet, "ROWS", top + len(rows))
    for row, line in enumerate(rows, top):
        values = enumerate(line.get("values", ()))
        sheet.put_row(row, {column: changed(sheet.cell(row, column), data, mask) for column, data in values})


def repeat_cell(book: Book, request: Record, caller: str) -> None:
    """Apply `repeatCell`: the same into every cell; relative references of a formula move along."""
    mask = for_update(request.get("fields"), "CellData")
    sheet, box = target(book, request.get("range"), caller)
    data = request.get("cell", {})
    formula = changed(EMPTY, data, mask).formula
    done: dict[int, tuple[Cell, Cell]] = {}  # many cells of a range are one object, which is changed once
    for row in range(box.top, box.bottom):
        cells = {}
        for column in range(box.left, box.right):
            old = sheet.cell(row, column)
            if id(old) not in done:
                done[id(old)] = old, changed(old, data, mask)
            cell = done[id(old)][1]
            if formula is not None:
                cell = replace(cell, formula=carried(formula, row - box.top, column - box.left))
            cells[column] = cell
        sheet.put_row(row, cells)


def changed(cell: Cell, data: Mapping[str, Any], mask: Mask) -> Cell:
    """Return a cell with the masked fields of a CellData; fields that the data lacks are removed."""
    every = not mask or "*" in mask
    if every or "userEnteredValue" in mask:
        value, formula = content(_checked(data.get("userEnteredValue")))
        if value != cell.value or type(value) is not type(cell.value) or formula != cell.formula:
            cell = replace(cell, value=value, formula=formula, runs=())
    if every or "userEnteredFormat" in mask:
        inner = {} if every else mask["userEnteredFormat"]
        new = merged(cell.format, colours.normal(data.get("userEnteredFormat", {})), inner)
        cell = replace(cell, format=_styled(new))
    if every or "note" in mask:
        cell = replace(cell, note=data.get("note", ""))
    if every or "dataValidation" in mask:
        cell = replace(cell, validation=data.get("dataValidation"))
    if every or "textFormatRuns" in mask:
        cell = replace(cell, runs=tuple(colours.normal(data.get("textFormatRuns", []))))
    return cell


def _checked(found: Record | None) -> Record | None:
    if found is None:
        return None
    given = [name for name in VALUES if name in found]
    if len(given) > 1:
        raise invalid("Only one value may be set in an ExtendedValue.")
    if "errorValue" in found:
        raise invalid("Cannot set an error value.")
    if len(found.get("stringValue", "")) > MAX_CHARACTERS:
        raise invalid("Your input contains more than the maximum of 50000 characters in a single cell.")
    return found


def _check_room(rows: list[Any], box: Box) -> None:
    """Refuse rows that do not fit the range."""
    if len(rows) > box.height:
        raise invalid(f"Attempting to write row: {box.bottom}, beyond the last requested row of: {box.bottom - 1}")
    if any(len(line.get("values", ())) > box.width for line in rows):
        raise invalid(f"Attempting to write column: {box.right}, beyond the last requested column of: {box.right - 1}")


def _styled(found: dict[str, Any]) -> dict[str, Any]:
    """Return a format without empty borders and number formats."""
    if "numberFormat" in found and not found["numberFormat"]:
        found = {name: item for name, item in found.items() if name != "numberFormat"}
    if "borders" in found:
        return _bordered({name: item for name, item in found.items() if name != "borders"}, found["borders"])
    return found


_WIDTHS = {"SOLID_MEDIUM": 2, "SOLID_THICK": 3, "DOUBLE": 3}


def _bordered(format: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    borders = dict(format.get("borders", {}))
    for side, border in colours.normal(dict(wanted)).items():
        if border.get("style", "NONE") == "NONE":
            borders.pop(side, None)
        else:
            style = border["style"]
            black: Record = {"color": {}, "colorStyle": {"rgbColor": {}}}
            borders[side] = {**black, **border, "width": _WIDTHS.get(style, 1)}
    found = {name: item for name, item in format.items() if name != "borders"}
    return {**found, "borders": borders} if borders else found


HANDLERS = {
    "updateCells": update_cells,
    "appendCells": append_cells,
    "repeatCell": repeat_cell,
}
