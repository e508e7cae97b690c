"""Reading of the cells of one tab in one pass over its XML, without trusting the sizes that the file states."""

from __future__ import annotations

import re

from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.snapshot import Sheet
from sheets_algo.workbook.xlsx.file import xml
from sheets_algo.workbook.xlsx.file.guard import refusal
from sheets_algo.workbook.xlsx.file.package import Package, SheetEntry
from sheets_algo.workbook.xlsx.read.rows import scan

_DIMENSION = re.compile(rb"<(?:[\w.-]+:)?dimension\s[^>]*?ref\s*=\s*[\"'][A-Z]+\d+:[A-Z]+(\d{1,7})[\"']")
_PREFIX = re.compile(rb"<([A-Za-z_][\w.-]*:)worksheet[\s>]")


def read_sheet(package: Package, entry: SheetEntry, max_rows: int | None = None) -> Sheet:
    """Read the values of one tab.

    Args:
        entry: The tab, one of `package.sheets`.
        max_rows: Last row to read; merged ranges, which follow the rows in the file, are not read then. None reads all.

    Raises:
        WorkbookUnavailable: The tab has no cells, is not well-formed, or exceeds the limits.
    """
    if not entry.part:
        raise package.without_part(entry)
    if not entry.is_worksheet:
        raise _refusal(package, entry, "it is a chart or another kind of tab without cells")
    try:
        if max_rows is None:
            _check_cells(package, entry)
        rows, merged = scan(package.chunks(entry.part), package.decoder, package.limits, max_rows)
    except xml.Refused as refused:
        raise _refusal(package, entry, str(refused)) from refused
    return Sheet(entry.name, rows, merged, height=_stated_rows(package, entry) if max_rows else 0)


def _stated_rows(package: Package, entry: SheetEntry) -> int:
    """Return the number of the last row by the tab's own statement; 0 without one, which follows before the rows."""
    stated = _DIMENSION.search(next(iter(package.chunks(entry.part)), b""))
    return int(stated[1]) if stated else 0


def _check_cells(package: Package, entry: SheetEntry) -> None:
    """Refuse a tab with too many cells before it is parsed, since counting bytes is much faster.

    A tab is counted only if it is long enough to hold that many cells.
    """
    most, shortest = package.limits.cells, len(b"<c/>")
    if package.size(entry.part) < most * shortest:
        return
    count, cell = 0, b"<c"
    for index, piece in enumerate(package.chunks(entry.part)):
        chunk = piece.replace(b"\0", b"") if b"\0" in piece[:16] else piece  # UTF-16
        if index == 0 and (prefix := _PREFIX.search(chunk)):
            cell = b"<" + prefix[1] + b"c"
        count += chunk.count(cell)
        if count > most:
            raise xml.Refused(f"it has more than {most:,} cells, the limit")


def _refusal(package: Package, entry: SheetEntry, reason: str) -> WorkbookUnavailable:
    return refusal(package.name, f"its tab {entry.name} cannot be read: {reason}")
