"""Copying, cutting and pasting cells, filling, shifting ranges, splitting texts."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from itertools import pairwise

from localsheets import a1
from localsheets.a1 import Box
from localsheets.book import Book
from localsheets.cells import EMPTY, Cell
from localsheets.dimensions import grow
from localsheets.errors import invalid
from localsheets.guarding import check
from localsheets.references import carried
from localsheets.sheet import Record, Sheet
from localsheets.updates.common import corner, target
from localsheets.updates.ranges import unmerge
from localsheets.values import entered

DELIMITERS = {"COMMA": ",", "SEMICOLON": ";", "PERIOD": ".", "SPACE": " "}


def copy_paste(book: Book, request: Record, caller: str) -> None:
    """`copyPaste`: repeated to fill a larger destination."""
    source, box = target(book, request.get("source"), name="source")
    sheet, there = target(book, request.get("destination"), caller, "destination")
    is_turned = request.get("pasteOrientation") == "TRANSPOSE"
    how = request.get("pasteType", "PASTE_NORMAL")
    height, width = (box.width, box.height) if is_turned else (box.height, box.width)
    rows = max(there.height // height, 1) * height
    columns = max(there.width // width, 1) * width
    pasted = Box(there.top, there.left, min(there.top + rows, sheet.rows), min(there.left + columns, sheet.columns))
    check(book, sheet, pasted, caller)
    taken = {}
    for row in range(pasted.top, pasted.bottom):
        for column in range(pasted.left, pasted.right):
            down, right = (row - pasted.top) % height, (column - pasted.left) % width
            if is_turned:
                down, right = right, down
            taken[row, column] = (box.top + down, box.left + right)
    cells = {
        place: _pasted(book, source, from_, sheet.cell(*place), how, (place[0] - from_[0], place[1] - from_[1]))
        for place, from_ in taken.items()
    }
    for (row, column), cell in cells.items():
        sheet.put(row, column, cell)
    if how in ("PASTE_NORMAL", "PASTE_FORMAT", "PASTE_NO_BORDERS") and not is_turned:
        _copy_merges(source, box, sheet, pasted)


def cut_paste(book: Book, request: Record, caller: str) -> None:
    """`cutPaste`: cells leave with all they have; references stay as they are."""
    source, box = target(book, request.get("source"), caller, "source")
    sheet, top, left = corner(book, request.get("destination"), "destination")
    how = request.get("pasteType", "PASTE_NORMAL")
    there = Box(top, left, min(top + box.height, sheet.rows), min(left + box.width, sheet.columns))
    check(book, sheet, there, caller)
    moved = {
        (row, column): _pasted(
            book, source, (box.top + row - top, box.left + column - left), sheet.cell(row, column), how, (0, 0)
        )
        for row in range(there.top, there.bottom)
        for column in range(there.left, there.right)
    }
    _copy_merges(source, box, sheet, there)
    if source is not sheet or box != there:
        kept = [it for it in source.merges if not box.holds(source.box(it)) or there.holds(source.box(it))]
        source.merges = kept
    for row, column, _ in list(source.inside(box)):
        source.put(row, column, EMPTY)
    for (row, column), cell in moved.items():
        sheet.put(row, column, cell)


def paste_data(book: Book, request: Record, caller: str) -> None:
    """`pasteData`: text by a delimiter, as if typed; the grid grows if it has to."""
    sheet, top, left = corner(book, request.get("coordinate"), "coordinate")
    if request.get("html"):
        raise invalid("The local Sheets server pastes no HTML: send the data with a delimiter.")
    delimiter = request.get("delimiter") or "\t"
    if len(delimiter) != 1:
        raise invalid("The delimiter must be a single character.")
    rows = list(csv.reader(io.StringIO(request.get("data", "")), delimiter=delimiter))
    width = max(map(len, rows), default=0)
    check(book, sheet, Box(top, left, top + max(len(rows), 1), left + max(width, 1)), caller)
    grow(book, sheet, "ROWS", top + len(rows))
    grow(book, sheet, "COLUMNS", left + width)
    for row, line in enumerate(rows, top):
        for column, text in enumerate(line, left):
            sheet.put(row, column, entered(book, sheet.cell(row, column), text, "USER_ENTERED"))


def insert_range(book: Book, request: Record, caller: str) -> None:
    """`insertRange`: empty cells; what was there moves down or right, and the grid grows by what would fall off."""
    sheet, box = target(book, request.get("range"), caller)
    dimension = _shift_dimension(request)
    for row, column, cell in reversed(list(sheet.inside(_rest(sheet, box, dimension)))):
        sheet.put(row, column, EMPTY)
        down, right = (box.height, 0) if dimension == "ROWS" else (0, box.width)
        grow(book, sheet, "ROWS", row + down + 1)
        grow(book, sheet, "COLUMNS", column + right + 1)
        sheet.put(row + down, column + right, cell)


def delete_range(book: Book, request: Record, caller: str) -> None:
    """`deleteRange`: cells go; what is below or to the right takes their place."""
    sheet, box = target(book, request.get("range"), caller)
    dimension = _shift_dimension(request)
    for row, column, cell in list(sheet.inside(_rest(sheet, box, dimension))):
        sheet.put(row, column, EMPTY)
        if dimension == "ROWS" and row >= box.bottom:
            sheet.put(row - box.height, column, cell)
        if dimension == "COLUMNS" and column >= box.right:
            sheet.put(row, column - box.width, cell)


def auto_fill(book: Book, request: Record, caller: str) -> None:
    """`autoFill`: numbers with an even step go on, anything else repeats."""
    if "sourceAndDestination" in request:
        asked = request["sourceAndDestination"]
        sheet, box = target(book, asked.get("source"), name="source")
        length, dimension = asked.get("fillLength", 0), asked.get("dimension", "ROWS")
    else:
        sheet, whole = target(book, request.get("range"), caller)
        filled = [(row, column) for row, column, cell in sheet.inside(whole) if not cell.is_empty]
        if not filled:
            return
        bottom, right = max(row for row, _ in filled) + 1, max(column for _, column in filled) + 1
        dimension = "ROWS" if bottom < whole.bottom else "COLUMNS"
        box = Box(
            whole.top,
            whole.left,
            bottom if dimension == "ROWS" else whole.bottom,
            right if dimension != "ROWS" else whole.right,
        )
        length = whole.bottom - bottom if dimension == "ROWS" else whole.right - right
    is_down = dimension == "ROWS"
    for line in range(box.left, box.right) if is_down else range(box.top, box.bottom):
        start, end = (box.top, box.bottom) if is_down else (box.left, box.right)
        series = [sheet.cell(at, line) if is_down else sheet.cell(line, at) for at in range(start, end)]
        size = sheet.rows if is_down else sheet.columns
        new = range(end, min(end + length, size)) if length >= 0 else range(start - 1, max(start + length, 0) - 1, -1)
        for at in new:
            cell = _continued(series, at - start, is_down)
            sheet.put(*((at, line) if is_down else (line, at)), cell)


def text_to_columns(book: Book, request: Record, caller: str) -> None:
    """`textToColumns`: a column of texts, each split over the columns to its right."""
    sheet, box = target(book, request.get("source"), caller, "source")
    if box.width != 1:
        raise invalid("The source range must span exactly one column.")
    kind = request.get("delimiterType", "AUTODETECT")
    for row in range(box.top, box.bottom):
        cell = sheet.cell(row, box.left)
        if not isinstance(cell.value, str):
            continue
        delimiter = request.get("delimiter") if kind == "CUSTOM" else DELIMITERS.get(kind)
        mark = delimiter or next((it for it in DELIMITERS.values() if it in cell.value), None)
        if not mark:
            continue
        parts = [part.strip() for part in cell.value.split(mark)]
        grow(book, sheet, "COLUMNS", box.left + len(parts))
        for column, text in enumerate(parts, box.left):
            sheet.put(row, column, entered(book, sheet.cell(row, column), text, "USER_ENTERED"))


def _pasted(book: Book, source: Sheet, from_: tuple[int, int], old: Cell, how: str, by: tuple[int, int]) -> Cell:
    """The cell that a paste leaves."""
    cell = source.cell(*from_)
    formula = carried(cell.formula, *by) if cell.formula is not None else None
    if how == "PASTE_NORMAL":
        return replace(cell, formula=formula)
    if how == "PASTE_NO_BORDERS":
        plain = {name: item for name, item in cell.format.items() if name != "borders"}
        return replace(cell, formula=formula, format=plain)
    if how == "PASTE_VALUES":
        return old.holding(book.value(source, *from_))
    if how == "PASTE_FORMULA":
        return old.holding(cell.value, formula)
    if how == "PASTE_FORMAT":
        return replace(old, format=cell.format)
    if how == "PASTE_DATA_VALIDATION":
        return replace(old, validation=cell.validation)
    return old


def _copy_merges(source: Sheet, box: Box, sheet: Sheet, there: Box) -> None:
    inside = [found for it in source.merges if box.holds(found := source.box(it))]
    unmerge(sheet, there)
    for found in inside:
        down, right = there.top - box.top, there.left - box.left
        moved = Box(found.top + down, found.left + right, found.bottom + down, found.right + right)
        if there.holds(moved) and not any(sheet.box(it) == moved for it in sheet.merges):
            sheet.merges.append(a1.grid_range(sheet.id, moved))


def _shift_dimension(request: Record) -> str:
    if "shiftDimension" not in request:
        raise invalid("shiftDimension is required")
    return str(request["shiftDimension"])


def _rest(sheet: Sheet, box: Box, dimension: str) -> Box:
    """The cells of the range and those behind it."""
    if dimension == "ROWS":
        return Box(box.top, box.left, sheet.rows, box.right)
    return Box(box.top, box.left, box.bottom, sheet.columns)


def _continued(series: list[Cell], at: int, is_down: bool) -> Cell:
    """The cell that a series has at a place, before or behind its own ones."""
    source = series[at % len(series)]
    numbers = [it.value for it in series if isinstance(it.value, int | float) and not isinstance(it.value, bool)]
    if len(numbers) == len(series) > 1:
        steps = {later - former for former, later in pairwise(numbers)}
        if len(steps) == 1:
            return source.holding(numbers[0] + at * steps.pop())
    if source.formula is not None:
        by = at - at % len(series)
        return source.holding(None, carried(source.formula, *((by, 0) if is_down else (0, by))))
    return source


HANDLERS = {
    "copyPaste": copy_paste,
    "cutPaste": cut_paste,
    "pasteData": paste_data,
    "insertRange": insert_range,
    "deleteRange": delete_range,
    "autoFill": auto_fill,
    "textToColumns": text_to_columns,
}
