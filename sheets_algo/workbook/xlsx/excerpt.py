"""Worksheets cut down to some of their rows, so that a few cells of a large tab can be read quickly."""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection
from typing import NamedTuple

_ROOT = re.compile(rb"<([A-Za-z_][\w.-]*:)?worksheet(?=[\s>])")
_NUMBERED = rb"""row(?: r="(\d{1,9})"|(?=[\s/>])(?:[^>]*?\sr\s*=\s*["'](\d{1,9})["'])?)"""
_MISLEADING = (b"<!", b"extLst")  # what is inside may look like a row


class RowOffsets(NamedTuple):
    """The rows of a worksheet, in file order.

    Args:
        numbers: Number of each row.
        offsets: Start of each row, and the end of the last one; the space that follows a row belongs to it.
    """

    numbers: array[int]
    offsets: array[int]


def row_offsets(part: bytes) -> RowOffsets | None:
    """Return where the rows of a worksheet stand.

    Args:
        part: XML of a worksheet.

    Returns:
        None if the rows cannot be distinguished by their tags alone (no numbers or one twice, comments, extensions,
        another encoding).
    """
    root = _ROOT.search(part)
    prefix = root[1] or b"" if root else b""
    end = part.find(b"</" + prefix + b"sheetData")
    if root is None or end < 0 or any(part.find(mark, 0, end) >= 0 for mark in _MISLEADING):
        return None
    numbers, offsets = array("q"), array("q")
    # With the prefix as written, tags are looked for as bytes; any prefix would be tried at every tag.
    for tag in re.compile(b"<" + re.escape(prefix) + _NUMBERED).finditer(part, root.end(), end):
        if tag.lastindex is None:
            return None
        numbers.append(int(tag[tag.lastindex]))
        offsets.append(tag.start())
    offsets.append(end)
    return RowOffsets(numbers, offsets) if len(set(numbers)) == len(numbers) else None


def excerpt(part: bytes, rows: Collection[int]) -> bytes | None:
    """Return the worksheet with some of its rows only.

    Args:
        part: XML of a worksheet.
        rows: Row numbers, from 1.

    Returns:
        Everything up to the first row, those of the given rows that exist, and everything after the last row; None if
        the rows cannot be distinguished by their tags alone (see `row_offsets`).
    """
    found = row_offsets(part)
    if found is None:
        return None
    numbers, offsets = found
    kept = (part[offsets[at] : offsets[at + 1]] for at, number in enumerate(numbers) if number in rows)
    return b"".join([part[: offsets[0]], *kept, part[offsets[-1] :]])
