"""Worksheets cut down to some of their rows, so that a few cells of a large tab can be read quickly."""

from __future__ import annotations

import re
from collections.abc import Collection

_PREFIX = rb"(?:[A-Za-z_][\w.-]*:)?"
_ROW = re.compile(rb"<" + _PREFIX + rb"row(?=[\s/>])[^>]*")
_NUMBER = re.compile(rb"""\sr\s*=\s*["'](\d+)["']""")
_MISLEADING = (b"<!--", b"<![CDATA[", b"extLst")  # what is inside may look like a row
_END = re.compile(rb"</" + _PREFIX + rb"sheetData\s*>")


def excerpt(part: bytes, rows: Collection[int]) -> bytes | None:
    """Return the worksheet with some of its rows only.

    Args:
        part: XML of a worksheet.
        rows: Row numbers, from 1.

    Returns:
        Everything up to the first row, those of the given rows that exist, and everything after the last row; None if
        the rows cannot be distinguished by their tags alone (no numbers, comments, extensions, another encoding).
    """
    end = _END.search(part)
    if end is None or any(part.find(mark, 0, end.start()) >= 0 for mark in _MISLEADING):
        return None
    pieces: list[bytes] = []
    start, is_included = 0, True
    for tag in _ROW.finditer(part, 0, end.start()):
        number = _NUMBER.search(tag[0])
        if number is None:
            return None
        if is_included:
            pieces.append(part[start : tag.start()])
        start, is_included = tag.start(), int(number[1]) in rows
    if is_included:
        pieces.append(part[start : end.start()])
    return b"".join([*pieces, part[end.start() :]])
