"""Merged, named and protected ranges."""

from __future__ import annotations

import re
from typing import Any

from localsheets.a1 import Box, grid_range, parse_area
from localsheets.book import Book
from localsheets.errors import invalid
from localsheets.guarding import refusal
from localsheets.mask import for_update, merged
from localsheets.messages import SCHEMA
from localsheets.sheet import Record, Sheet
from localsheets.updates.common import no_such, place_of, target

MERGED = "You must select all cells in a merged range to merge or unmerge them."


def merge_cells(book: Book, request: Record, caller: str) -> None:
    """Apply `mergeCells`: the first value of each merge stays."""
    sheet, box = target(book, request.get("range"), caller)
    merge_type = request.get("mergeType", "MERGE_ALL")
    _drop_merges(sheet, box)
    if merge_type == "MERGE_COLUMNS":
        boxes = [Box(box.top, column, box.bottom, column + 1) for column in range(box.left, box.right)]
    elif merge_type == "MERGE_ROWS":
        boxes = [Box(row, box.left, row + 1, box.right) for row in range(box.top, box.bottom)]
    else:
        boxes = [box]
    for merged_box in boxes:
        if merged_box.is_cell:
            continue
        filled = [(row, column, cell) for row, column, cell in sheet.inside(merged_box) if not cell.is_empty]
        for row, column, cell in filled:
            sheet.put(row, column, cell.holding(None))
        if filled:
            first = filled[0][2]
            sheet.put(
                merged_box.top,
                merged_box.left,
                sheet.cell(merged_box.top, merged_box.left).holding(first.value, first.formula),
            )
        sheet.merges.append(grid_range(sheet.id, merged_box))


def unmerge_cells(book: Book, request: Record, caller: str) -> None:
    """Apply `unmergeCells`: every merge in the range; none may be cut."""
    sheet, box = target(book, request.get("range"), caller)
    _drop_merges(sheet, box)


def add_named_range(book: Book, request: Record, caller: str) -> dict[str, Any]:
    """Apply `addNamedRange`."""
    wanted = request.get("namedRange", {})
    name = _checked_name(book, wanted.get("name", ""), None)
    sheet, box = target(book, wanted.get("range"))
    id = wanted.get("namedRangeId") or str(book.fresh_id())
    if any(named_range["namedRangeId"] == id for named_range in book.named_ranges):
        raise invalid(f"Named range with id {id} already exists.")
    record = {"namedRangeId": id, "name": name, "range": _bounded(sheet, box, wanted["range"])}
    book.named_ranges.append(record)
    return {"namedRange": SCHEMA.write("NamedRange", record)}


def update_named_range(book: Book, request: Record, caller: str) -> None:
    """Apply `updateNamedRange`."""
    wanted = request.get("namedRange", {})
    mask = for_update(request.get("fields"), "NamedRange")
    place = place_of(book.named_ranges, "namedRangeId", wanted.get("namedRangeId"), "named range")
    old = book.named_ranges[place]
    new = {**merged(old, wanted, mask), "namedRangeId": old["namedRangeId"]}
    if new.get("name") != old["name"]:
        _checked_name(book, new.get("name", ""), old)
    if new.get("range") != old["range"]:
        sheet, box = target(book, new.get("range"))
        new["range"] = _bounded(sheet, box, new["range"])
    book.named_ranges[place] = new


def delete_named_range(book: Book, request: Record, caller: str) -> None:
    """Apply `deleteNamedRange`."""
    del book.named_ranges[place_of(book.named_ranges, "namedRangeId", request.get("namedRangeId"), "named range")]


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


def _checked_name(book: Book, name: str, old: Record | None) -> str:
    is_cells = parse_area(name) is not None or re.fullmatch(r"(?i)true|false|r\d*c\d*", name)
    if not re.fullmatch(r"[^\W\d]\w*", name) or len(name) > 250 or is_cells:
        raise invalid(f'Invalid named range: the name "{name}" is not valid.')
    found = book.named(name)
    if found is not None and found is not old:
        raise invalid(f'A named range with the name "{name}" already exists.')
    return name


def _bounded(sheet: Sheet, box: Box, wanted: Record) -> Record:
    """Return the requested range with its tab; ends beyond the grid are cut."""
    whole = sheet.range(box)
    return {name: item for name, item in whole.items() if name in wanted or name == "sheetId"}


def _protected(book: Book, wanted: Record) -> tuple[Sheet, Record]:
    """Return the tab and the record of a protection."""
    if "namedRangeId" in wanted and "range" not in wanted:
        place = place_of(book.named_ranges, "namedRangeId", wanted["namedRangeId"], "named range")
        return book.sheet(book.named_ranges[place]["range"].get("sheetId", 0)), wanted
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
    raise no_such("protected range", id)


HANDLERS = {
    "mergeCells": merge_cells,
    "unmergeCells": unmerge_cells,
    "addNamedRange": add_named_range,
    "updateNamedRange": update_named_range,
    "deleteNamedRange": delete_named_range,
    "addProtectedRange": add_protected_range,
    "deleteProtectedRange": delete_protected_range,
}
