"""Rows and columns: inserting, deleting, moving, sizes, groups."""

from __future__ import annotations

from typing import Any

from localsheets.a1 import Box
from localsheets.book import Book
from localsheets.dimensions import delete, grow, insert, move
from localsheets.errors import invalid
from localsheets.guarding import check
from localsheets.mask import for_update, merged
from localsheets.messages import SCHEMA
from localsheets.sheet import PIXELS, Record, Sheet
from localsheets.updates.common import lines, stretch
from localsheets.widths import text_pixels


def insert_dimension(book: Book, request: Record, caller: str) -> None:
    """Apply `insertDimension`."""
    sheet, dimension, start, end = stretch(book, request.get("range"))
    if start > sheet.size(dimension):
        raise invalid(f"range.startIndex[{start}] is after the end of the grid[{sheet.size(dimension)}]")
    inherits = bool(request.get("inheritFromBefore"))
    if inherits and start == 0:
        raise invalid("inheritFromBefore cannot be true when inserting at index 0.")
    _check_around(book, sheet, dimension, start, caller)
    insert(book, sheet, dimension, start, end - start, inherits)


def delete_dimension(book: Book, request: Record, caller: str) -> None:
    """Apply `deleteDimension`."""
    sheet, dimension, start, end = stretch(book, request.get("range"))
    one, size = dimension[:-1].lower(), sheet.size(dimension)
    if start >= size:
        raise invalid(
            f"Cannot delete a {one} that doesn't exist. "
            f"Tried to delete {one} index {start} but there are only {size} {one}s."
        )
    check(book, sheet, lines(sheet, dimension, start, min(end, size)), caller)
    delete(book, sheet, dimension, start, min(end, size))


def append_dimension(book: Book, request: Record, caller: str) -> None:
    """Apply `appendDimension`."""
    sheet, length = book.sheet(request.get("sheetId", 0)), request.get("length", 0)
    if "dimension" not in request:
        raise invalid("dimension is required")
    if length < 1:
        raise invalid("length must be at least 1")
    grow(book, sheet, request["dimension"], sheet.size(request["dimension"]) + length)


def move_dimension(book: Book, request: Record, caller: str) -> None:
    """Apply `moveDimension`."""
    sheet, dimension, start, end = stretch(book, request.get("source"))
    to, size = request.get("destinationIndex", 0), sheet.size(dimension)
    if end > size or to > size:
        raise invalid(f"Cannot move {dimension.lower()} beyond the grid of {size}.")
    if start <= to <= end:
        raise invalid("The destination index cannot be inside the source range.")
    check(book, sheet, lines(sheet, dimension, start, end), caller)
    move(book, sheet, dimension, start, end, to)


def update_dimension_properties(book: Book, request: Record, caller: str) -> None:
    """Apply `updateDimensionProperties`: size, hidden."""
    sheet, dimension, start, end = stretch(book, request.get("range"))
    mask = for_update(request.get("fields"), "DimensionProperties")
    wanted = {name: item for name, item in request.get("properties", {}).items() if name != "hiddenByFilter"}
    if wanted.get("pixelSize", 0) < 0:
        raise invalid("pixelSize must be at least 0")
    if start >= sheet.size(dimension):
        raise invalid(f"range.startIndex[{start}] is after the end of the grid[{sheet.size(dimension)}]")
    found = sheet.dimensions[dimension]
    for index in range(start, min(end, sheet.size(dimension))):
        new = {name: item for name, item in merged(found.get(index, {}), wanted, mask).items() if item}
        if new.get("pixelSize") == PIXELS[dimension]:
            del new["pixelSize"]
        found[index] = new
        if not new:
            del found[index]


def auto_resize_dimensions(book: Book, request: Record, caller: str) -> None:
    """Apply `autoResizeDimensions`: as wide as the widest text; rows as high as their lines."""
    sheet, dimension, start, end = stretch(book, request.get("dimensions"))
    for index in range(start, min(end, sheet.size(dimension))):
        box = lines(sheet, dimension, index, index + 1)
        sizes = [text_pixels(book, sheet, row, column, dimension) for row, column, _ in sheet.inside(box)]
        if size := max(sizes, default=0):
            found = {**sheet.dimensions[dimension].get(index, {}), "pixelSize": size}
            sheet.dimensions[dimension][index] = found


def add_dimension_group(book: Book, request: Record, caller: str) -> dict[str, Any]:
    """Apply `addDimensionGroup`: one level deeper over the range; the pieces it cuts keep their own."""
    sheet, dimension, start, end = stretch(book, request.get("range"))
    depths = _depths(sheet, dimension)
    for index in range(start, end):
        depths[index] = depths.get(index, 0) + 1
    _regroup(sheet, dimension, depths)
    return _groups(sheet, dimension)


def update_dimension_group(book: Book, request: Record, caller: str) -> None:
    """Apply `updateDimensionGroup`: collapsed hides all rows or columns of a group, expanded shows them."""
    wanted = request.get("dimensionGroup", {})
    sheet, dimension, start, end = stretch(book, wanted.get("range"))
    mask = for_update(request.get("fields"), "DimensionGroup")
    keys, depth = [*map(_key, sheet.groups[dimension])], wanted.get("depth", 0)
    if (start, end, depth) not in keys:
        raise invalid(f"No group of depth {depth} found over range [{start}, {end}).")
    place = keys.index((start, end, depth))
    changed = merged(sheet.groups[dimension][place], wanted, mask)
    sheet.groups[dimension][place] = changed
    hidden = {"range": wanted["range"], "properties": {"hiddenByUser": changed.get("collapsed", False)}}
    update_dimension_properties(book, hidden | {"fields": "hiddenByUser"}, caller)


def _groups(sheet: Sheet, dimension: str) -> dict[str, Any]:
    found = [SCHEMA.write("DimensionGroup", group) for group in sheet.groups[dimension]]
    return {"dimensionGroups": found} if found else {}


def _key(group: Record) -> tuple[int, int, int]:
    return group["range"]["startIndex"], group["range"]["endIndex"], group["depth"]


def _depths(sheet: Sheet, dimension: str) -> dict[int, int]:
    depths: dict[int, int] = {}
    for group in sheet.groups[dimension]:
        for index in range(group["range"]["startIndex"], group["range"]["endIndex"]):
            depths[index] = max(depths.get(index, 0), group["depth"])
    return depths


def _regroup(sheet: Sheet, dimension: str, depths: dict[int, int]) -> None:
    """Replace the groups by those of these depths; existing ones keep whether they are collapsed."""
    known = {_key(group): group for group in sheet.groups[dimension]}
    groups = []
    for depth in range(1, max(depths.values(), default=0) + 1):
        inside = sorted(index for index, found in depths.items() if found >= depth)
        for first in [index for index in inside if index - 1 not in inside]:
            last = first
            while last + 1 in depths and depths[last + 1] >= depth:
                last += 1
            place = {"sheetId": sheet.id, "dimension": dimension, "startIndex": first, "endIndex": last + 1}
            groups.append(known.get((first, last + 1, depth), {"range": place, "depth": depth}))
    sheet.groups[dimension] = groups


def _check_around(book: Book, sheet: Sheet, dimension: str, start: int, caller: str) -> None:
    """Refuse to separate protected cells for an account that may not edit them."""
    for at in (start - 1, start):
        if at < 0 or at >= sheet.size(dimension):
            return
    before, after = lines(sheet, dimension, start - 1, start), lines(sheet, dimension, start, start + 1)
    for record in sheet.protected_ranges:
        area: Box = sheet.box(record.get("range", {}))
        if area.meets(before) and area.meets(after) and not book.can_edit(record, caller):
            check(book, sheet, area, caller)


HANDLERS = {
    "insertDimension": insert_dimension,
    "deleteDimension": delete_dimension,
    "appendDimension": append_dimension,
    "moveDimension": move_dimension,
    "updateDimensionProperties": update_dimension_properties,
    "autoResizeDimensions": auto_resize_dimensions,
    "addDimensionGroup": add_dimension_group,
    "updateDimensionGroup": update_dimension_group,
}
