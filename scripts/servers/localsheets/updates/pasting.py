"""Copying, cutting and pasting cells, filling, shifting ranges, splitting text."""

from __future__ import annotations

from dataclasses import replace

from localsheets import a1
from localsheets.a1 import Box
from localsheets.book import Book
from localsheets.cells import EMPTY, Cell
from localsheets.formulas import value_of
from localsheets.guarding import check
from localsheets.references import carried
from localsheets.sheet import Record, Sheet
from localsheets.updates.common import corner, target
from localsheets.updates.ranges import unmerge


def copy_paste(book: Book, request: Record, caller: str) -> None:
    """Apply `copyPaste`: repeated to fill a larger destination."""
    source, box = target(book, request.get("source"), name="source")
    sheet, destination = target(book, request.get("destination"), caller, "destination")
    is_transposed = request.get("pasteOrientation") == "TRANSPOSE"
    paste_type = request.get("pasteType", "PASTE_NORMAL")
    height, width = (box.width, box.height) if is_transposed else (box.height, box.width)
    rows = max(destination.height // height, 1) * height
    columns = max(destination.width // width, 1) * width
    pasted = Box(
        destination.top,
        destination.left,
        min(destination.top + rows, sheet.rows),
        min(destination.left + columns, sheet.columns),
    )
    check(book, sheet, pasted, caller)
    sources = {}
    for row in range(pasted.top, pasted.bottom):
        for column in range(pasted.left, pasted.right):
            down, right = (row - pasted.top) % height, (column - pasted.left) % width
            if is_transposed:
                down, right = right, down
            sources[row, column] = (box.top + down, box.left + right)
    cells = {
        place: _pasted(
            book,
            source,
            source_place,
            sheet.cell(*place),
            paste_type,
            (place[0] - source_place[0], place[1] - source_place[1]),
        )
        for place, source_place in sources.items()
    }
    for (row, column), cell in cells.items():
        sheet.put(row, column, cell)
    if paste_type in ("PASTE_NORMAL", "PASTE_FORMAT", "PASTE_NO_BORDERS") and not is_transposed:
        _copy_merges(source, box, sheet, pasted)


def cut_paste(book: Book, request: Record, caller: str) -> None:
    """Apply `cutPaste`: cells move with all they have; references stay unchanged."""
    source, box = target(book, request.get("source"), caller, "source")
    sheet, top, left = corner(book, request.get("destination"), "destination")
    paste_type = request.get("pasteType", "PASTE_NORMAL")
    destination = Box(top, left, min(top + box.height, sheet.rows), min(left + box.width, sheet.columns))
    check(book, sheet, destination, caller)
    moved = {
        (row, column): _pasted(
            book, source, (box.top + row - top, box.left + column - left), sheet.cell(row, column), paste_type, (0, 0)
        )
        for row in range(destination.top, destination.bottom)
        for column in range(destination.left, destination.right)
    }
    _copy_merges(source, box, sheet, destination)
    if source is not sheet or box != destination:
        kept = [
            merge for merge in source.merges if not box.holds(source.box(merge)) or destination.holds(source.box(merge))
        ]
        source.merges = kept
    for row, column, _ in list(source.inside(box)):
        source.put(row, column, EMPTY)
    for (row, column), cell in moved.items():
        sheet.put(row, column, cell)


def _pasted(
    book: Book, source: Sheet, source_place: tuple[int, int], old: Cell, paste_type: str, offset: tuple[int, int]
) -> Cell:
    """Return the cell that a paste leaves."""
    cell = source.cell(*source_place)
    formula = carried(cell.formula, *offset) if cell.formula is not None else None
    if paste_type == "PASTE_NORMAL":
        return replace(cell, formula=formula)
    if paste_type == "PASTE_NO_BORDERS":
        plain = {name: item for name, item in cell.format.items() if name != "borders"}
        return replace(cell, formula=formula, format=plain)
    if paste_type == "PASTE_VALUES":
        return old.holding(value_of(book, source, *source_place))
    if paste_type == "PASTE_FORMULA":
        return old.holding(cell.value, formula)
    if paste_type == "PASTE_FORMAT":
        return replace(old, format=cell.format)
    if paste_type == "PASTE_DATA_VALIDATION":
        return replace(old, validation=cell.validation)
    return old


def _copy_merges(source: Sheet, box: Box, sheet: Sheet, destination: Box) -> None:
    inside = [found for merge in source.merges if box.holds(found := source.box(merge))]
    unmerge(sheet, destination)
    for found in inside:
        down, right = destination.top - box.top, destination.left - box.left
        moved = Box(found.top + down, found.left + right, found.bottom + down, found.right + right)
        if destination.holds(moved) and not any(sheet.box(merge) == moved for merge in sheet.merges):
            sheet.merges.append(a1.grid_range(sheet.id, moved))


HANDLERS = {
    "copyPaste": copy_paste,
    "cutPaste": cut_paste,
}
