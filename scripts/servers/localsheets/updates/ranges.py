"""Merged and protected ranges."""

from __future__ import annotations

from typing import Any

from localsheets.a1 import Box, grid_range
from localsheets.book import Book
from localsheets.errors import invalid
from localsheets.guarding import refusal
from localsheets.messages import SCHEMA
from localsheets.sheet import Record, Sheet
from localsheets.updates.common import target

MERGED = "You must select all cells in a merged range to merge or unmerge them."


def merge_cells(book: Book, request: Record, caller: str) -> None:
    """Apply `mergeCells`: the first value stays."""
    sheet, box = target(book, request.get("range"), caller)
    _drop_merges(sheet, box)
    if box.is_cell:
        return
    filled = [(row, column, cell) for row, column, cell in sheet.inside(box) if not cell.is_empty]
    for row, column, cell in filled:
        sheet.put(row, column, cell.holding(None))
    if filled:
        first = filled[0][2]
        sheet.put(box.top, box.left, sheet.cell(box.top, box.left).holding(first.value, first.formula))
    sheet.merges.append(grid_range(sheet.id, box))


def unmerge_cells(book: Book, request: Record, caller: str) -> None:
    """Apply `unmergeCells`: every merge in the range; none may be cut."""
    sheet, box = target(book, request.get("range"), caller)
    _drop_merges(sheet, box)


def add_protected_range(book: Book, request: Record, caller: str) -> dict[str, Any]:
    """Apply `addProtectedRange`; the account that adds it stays its editor."""
    wanted = dict(request.get("protectedRange", {}))
    id = wanted.setdefault("protectedRangeId", book.fresh_id())
    if id in book.protected_ids:
        raise invalid(f"Protected range with id {id} already exists.")
    sheet, record = _protected(book, wanted)
    shown = {**record, "requestingUserCanEdit": True, "editors": record.get("editors", {})}
    editors = dict(record.get("editors", {}))
    if caller and caller not in (book.owner, *editors.get("users", ())):
        editors["users"] = [*editors.get("users", ()), caller]
    sheet.protected_ranges.append({**record, "editors": editors})
    return {"protectedRange": SCHEMA.write("ProtectedRange", shown)}


def delete_protected_range(book: Book, request: Record, caller: str) -> None:
    """Apply `deleteProtectedRange`, for accounts that may edit it."""
    sheet, place = _home_of(book, request.get("protectedRangeId"))
    if not book.can_edit(sheet.protected_ranges[place], caller):
        raise refusal()
    del sheet.protected_ranges[place]


def unmerge(sheet: Sheet, box: Box) -> None:
    """Drop the merges that lie in a box."""
    sheet.merges = [merge for merge in sheet.merges if not box.holds(sheet.box(merge))]


def _drop_merges(sheet: Sheet, box: Box) -> None:
    """Drop the merges inside a box; refuse to cut one."""
    for found in sheet.merges:
        merged_box = sheet.box(found)
        if merged_box.meets(box) and not box.holds(merged_box):
            raise invalid(MERGED)
    unmerge(sheet, box)


def _bounded(sheet: Sheet, box: Box, wanted: Record) -> Record:
    """Return the requested range with its tab; ends beyond the grid are cut."""
    whole = sheet.range(box)
    return {name: item for name, item in whole.items() if name in wanted or name == "sheetId"}


def _protected(book: Book, wanted: Record) -> tuple[Sheet, Record]:
    """Return the tab and the record of a protection."""
    sheet, box = target(book, wanted.get("range"))
    spared_areas = [_bounded(*target(book, area), area) for area in wanted.get("unprotectedRanges", ())]
    found = {**wanted, "range": _bounded(sheet, box, wanted["range"]), "unprotectedRanges": spared_areas}
    return sheet, {name: item for name, item in found.items() if item or name != "unprotectedRanges"}


def _home_of(book: Book, id: object) -> tuple[Sheet, int]:
    """Return the tab of a protected range, and its place there."""
    for sheet in book.sheets:
        for place, record in enumerate(sheet.protected_ranges):
            if record["protectedRangeId"] == id:
                return sheet, place
    raise invalid(f"No protected range with id: {id}")


HANDLERS = {
    "mergeCells": merge_cells,
    "unmergeCells": unmerge_cells,
    "addProtectedRange": add_protected_range,
    "deleteProtectedRange": delete_protected_range,
}
