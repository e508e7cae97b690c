"""The check of an edited copy before it replaces the workbook: only planned parts differ, planned cells read back.

New parts are as in the templates that they were copied from, but for what is planned.

The zip is read with the standard library, not with the code that wrote it. Unchanged entries must have the same
compressed bytes as in the old file, whose checksums were verified when it was read.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterable
from itertools import chain
from xml.etree.ElementTree import ParseError

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.snapshot import Sheet
from sheets_algo.workbook.staleness import cell_of, is_same_value
from sheets_algo.workbook.xlsx.edit.patch import Patch, Placed
from sheets_algo.workbook.xlsx.file import xml
from sheets_algo.workbook.xlsx.file.guard import part_key
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.read.reader import read_rows, read_sheet
from sheets_algo.workbook.xlsx.verify.additions import invalid
from sheets_algo.workbook.xlsx.verify.differences import unplanned

_LOCAL_HEADER = 30
_NAME_AND_EXTRA = struct.Struct("<HH")


def check_parts(name: str, old: bytes, new: bytes, patch: Patch) -> None:
    """Check that an edited package differs from its original only in the planned parts.

    Raises:
        RefusedChange: The edited package is damaged, or differs in other parts.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(old)) as before, zipfile.ZipFile(io.BytesIO(new)) as after:
            _compare(name, (old, before), (new, after), patch)
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError) as error:
        raise _failure(name, f"its zip structure is damaged ({error})") from error


def check_cells(name: str, edited: Package, placed: Iterable[Placed]) -> None:
    """Check that the planned cells read back from an edited package with their planned values.

    Args:
        placed: Tab, row, column and value of every planned cell.

    Raises:
        RefusedChange: A cell does not have its planned value.
    """
    entries = {entry.name: entry for entry in reversed(edited.sheets)}
    by_tab: dict[str, list[Placed]] = {}
    for cell in placed:
        by_tab.setdefault(cell[0], []).append(cell)
    for tab, cells in by_tab.items():
        if tab not in entries:
            raise _failure(name, f"the tab {tab} is missing")
        if _first_difference(read_rows(edited, entries[tab], {row for _, row, _, _ in cells}), cells):
            # The excerpt is incomplete if a cell is stored in another row's element, so read all rows before failing.
            difference = _first_difference(read_sheet(edited, entries[tab]), cells)
            if difference:
                _, row, column, _ = difference
                raise _failure(name, f"{tab}!{a1(row, column)} does not read back as it was written")


def check_content(name: str, package: Package, edited: Package, patch: Patch) -> None:
    """Check that the changed parts differ from the original only as planned, and new ones from their templates.

    Raises:
        RefusedChange: Something differs beside the plan, or a part is not well-formed.
    """
    try:
        difference = next(chain(invalid(package, edited, patch), unplanned(package, edited, patch)), None)
    except (ParseError, xml.Refused) as error:
        raise _failure(name, f"a part is not well-formed XML ({error})") from error
    if difference:
        raise _failure(name, difference)


def _first_difference(sheet: Sheet, cells: Iterable[Placed]) -> Placed | None:
    """Return the first planned cell whose value in a sheet differs, None if there is none."""
    return next((cell for cell in cells if not is_same_value(cell_of(sheet, cell[1], cell[2]), cell[3])), None)


def _compare(name: str, old: tuple[bytes, zipfile.ZipFile], new: tuple[bytes, zipfile.ZipFile], patch: Patch) -> None:
    before = {part_key(info.filename): info for info in old[1].infolist()}
    after = {part_key(info.filename): info for info in new[1].infolist()}
    planned = {part_key(part): content for part, content in patch.changed.items()}
    added = {part_key(part): content for part, content in patch.added.items()}
    planned |= added
    removed = {part_key(part) for part in patch.removed}
    if len(after) != len(new[1].infolist()) or after.keys() != (before.keys() - removed) | added.keys():
        raise _failure(name, "it does not hold the planned parts")
    for part, info in after.items():
        content = planned.get(part)
        if content is not None:
            is_right = new[1].read(info) == content
        else:
            is_right = info.CRC == before[part].CRC and _compressed_bytes(new[0], info) == _compressed_bytes(
                old[0], before[part]
            )
        if not is_right:
            raise _failure(name, f"the part {part} is not as planned")


def _compressed_bytes(data: bytes, info: zipfile.ZipInfo) -> memoryview:
    name, extra = _NAME_AND_EXTRA.unpack_from(data, info.header_offset + _LOCAL_HEADER - _NAME_AND_EXTRA.size)
    start = info.header_offset + _LOCAL_HEADER + name + extra
    return memoryview(data)[start : start + info.compress_size]


def _failure(name: str, what: str) -> RefusedChange:
    return RefusedChange(f"{name}: the edited copy failed its check: {what}; nothing was written. Please report this.")
