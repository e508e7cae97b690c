"""Check an edited copy before it takes the workbook's place: only planned parts differ, planned cells read back.

The zip is read with the standard library here, not with the code that wrote it. Kept entries must have the very bytes
of the old file, compressed, whose checksums were compared when it was read.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterable

from sheets_algo.workbook.base import RefusedChange, Sheet, a1, tab_key
from sheets_algo.workbook.staleness import cell_of, same
from sheets_algo.workbook.xlsx.guard import part_key
from sheets_algo.workbook.xlsx.package import Package
from sheets_algo.workbook.xlsx.patch import Patch, Placed
from sheets_algo.workbook.xlsx.reader import read_rows, read_sheet

_LOCAL_HEADER = 30
_PIECE = 1 << 20
_NAME_AND_EXTRA = struct.Struct("<HH")


def only_planned_parts_differ(name: str, old: bytes, new: bytes, patch: Patch) -> None:
    """Compare an edited package with the one it was made from, entry by entry.

    Args:
        name: The workbook's name, for the message.
        old: The package as read.
        new: The edited package.
        patch: What was to change.

    Raises:
        RefusedChange: The edited package is damaged, or differs elsewhere.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(old)) as before, zipfile.ZipFile(io.BytesIO(new)) as after:
            _compare(name, (old, before), (new, after), patch)
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError) as error:
        raise _failed(name, f"its zip structure is damaged ({error})") from error


def planned_cells_read_back(name: str, edited: Package, placed: Iterable[Placed]) -> None:
    """Read the planned cells from an edited package.

    Args:
        name: The workbook's name, for the message.
        edited: The edited package.
        placed: Tab, row, column and value of every planned cell.

    Raises:
        RefusedChange: A cell does not hold what was to be written.
    """
    entries = {tab_key(entry.name): entry for entry in reversed(edited.sheets)}
    by_tab: dict[str, list[Placed]] = {}
    for cell in placed:
        by_tab.setdefault(tab_key(cell[0]), []).append(cell)
    for key, cells in by_tab.items():
        if key not in entries:
            raise _failed(name, f"the tab {cells[0][0]} is missing")
        if _differing(read_rows(edited, entries[key], {row for _, row, _, _ in cells}), cells):
            # The rows alone may mislead where a cell stands outside its row; all of them decide.
            cell_now = _differing(read_sheet(edited, entries[key]), cells)
            if cell_now:
                tab, row, column, _ = cell_now
                raise _failed(name, f"{tab}!{a1(row, column)} does not read back as it was written")


def _differing(sheet: Sheet, cells: Iterable[Placed]) -> Placed | None:
    """The first planned cell that a sheet does not show."""
    return next((cell for cell in cells if not same(cell_of(sheet, cell[1], cell[2]), cell[3])), None)


def _compare(name: str, old: tuple[bytes, zipfile.ZipFile], new: tuple[bytes, zipfile.ZipFile], patch: Patch) -> None:
    before = {part_key(info.filename): info for info in old[1].infolist()}
    after = {part_key(info.filename): info for info in new[1].infolist()}
    changed = {part_key(part): content for part, content in patch.changed.items()}
    added = {part_key(part): content for part, content in patch.added.items()}
    removed = {part_key(part) for part in patch.removed}
    if len(after) != len(new[1].infolist()) or after.keys() != (before.keys() - removed) | added.keys():
        raise _failed(name, "it does not hold the planned parts")
    for part, info in after.items():
        content = added.get(part, changed.get(part))
        if content is not None:
            kept = _holds(new[1], info, content)
        else:
            kept = info.CRC == before[part].CRC and _packed(new[0], info) == _packed(old[0], before[part])
        if not kept:
            raise _failed(name, f"the part {part} is not as planned")


def _holds(archive: zipfile.ZipFile, info: zipfile.ZipInfo, content: bytes) -> bool:
    """Whether an entry inflates to this content, compared piece by piece."""
    start = 0
    with archive.open(info) as stream:
        while piece := stream.read(_PIECE):
            if content[start : start + len(piece)] != piece:
                return False
            start += len(piece)
    return start == len(content)


def _packed(data: bytes, info: zipfile.ZipInfo) -> memoryview:
    """The bytes of an entry as they stand in the file, compressed."""
    name, extra = _NAME_AND_EXTRA.unpack_from(data, info.header_offset + _LOCAL_HEADER - _NAME_AND_EXTRA.size)
    start = info.header_offset + _LOCAL_HEADER + name + extra
    return memoryview(data)[start : start + info.compress_size]


def _failed(name: str, what: str) -> RefusedChange:
    return RefusedChange(f"{name}: the edited copy failed its check: {what}; nothing was written. Please report this.")
