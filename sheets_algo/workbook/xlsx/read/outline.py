"""A large worksheet without the cells that a rehearsal does not need, so that it is never held whole."""

from __future__ import annotations

import re
from collections.abc import Collection
from io import BytesIO
from itertools import pairwise

from sheets_algo.workbook.xlsx.file.package import Package

_LARGE = _LONGEST = 8_000_000
"""Least bytes of a worksheet that is not taken whole, and most bytes of one of its rows."""
_PLAIN = re.compile(rb"\s*(?:<\?xml[^>]*\?>\s*)?<worksheet[\s>]")
_BOUND = re.compile(rb"<row[\s/>]|</sheetData")
_ROW = re.compile(rb"<row(?:\s[^>]*?)??(?:\sr\s*=\s*[\"'](\d+)[\"'][^>]*)?>")
_VALUE = re.compile(rb"<[vt](?:\s[^>]*)?(?<!/)>[^<]")


def outline(package: Package, part: str, rows: Collection[int]) -> bytes:
    """Return a worksheet with one cell in place of those of each row, but for some rows and those with formulas.

    One that is small, or not spelled plainly, is returned whole.

    Raises:
        WorkbookUnavailable: The part cannot be read.
    """
    if package.size(part) < _LARGE:
        return package.part(part)
    file, rest, number, is_behind = BytesIO(), b"", 0, False
    for chunk in package.chunks(part):
        text = rest + chunk
        is_plain = file.tell() or _PLAIN.match(text)
        if not is_plain or b"<!" in text or text.find(b"<?", 2) >= 0 or len(rest) > _LONGEST:
            return package.part(part)
        bounds = [] if is_behind else [match.start() for match in _BOUND.finditer(text)]
        for start, end in pairwise([0, *bounds]):
            piece = text[start:end]
            if row := _ROW.match(piece):
                number = int(row[1] or number + 1)
                if b"extLst" in piece:
                    return package.part(part)
                if number not in rows and b"<f" not in piece:
                    cell = b"<c><v>0</v></c>" if _VALUE.search(piece) else b""
                    piece = b'<row r="%d">%b</row>' % (number, cell)
            file.write(piece)
        rest = text[bounds[-1] :] if bounds else text
        if is_behind or rest.startswith(b"</sheetData"):
            file.write(rest)
            rest, is_behind = b"", True
    return file.getvalue() if is_behind else package.part(part)
