"""Worksheets cut down to some of their rows, so that a few cells of a large tab can be read quickly."""

from __future__ import annotations

import re
from collections.abc import Collection

_ROOT = re.compile(rb"<([A-Za-z_][\w.-]*:)?worksheet(?=[\s>])")
_NUMBERED = rb"""row(?=[\s/>])(?:[^>]*?\sr\s*=\s*["'](\d+)["'])?"""
_MISLEADING = (b"<!--", b"<![CDATA[", b"extLst")  # what is inside may look like a row


def row_spans(part: bytes) -> dict[int, tuple[int, int]] | None:
    """Return start and end of each row of a worksheet by its number, in file order, with the space that follows it.

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
    starts: dict[int, int] = {}
    # With the prefix as written, tags are looked for as bytes; any prefix would be tried at every tag.
    for tag in re.compile(b"<" + re.escape(prefix) + _NUMBERED).finditer(part, root.end(), end):
        if tag[1] is None or int(tag[1]) in starts:
            return None
        starts[int(tag[1])] = tag.start()
    ends = [*starts.values(), end][1:]
    return {number: (start, stop) for (number, start), stop in zip(starts.items(), ends, strict=True)}


def excerpt(part: bytes, rows: Collection[int]) -> bytes | None:
    """Return the worksheet with some of its rows only.

    Args:
        part: XML of a worksheet.
        rows: Row numbers, from 1.

    Returns:
        Everything up to the first row, those of the given rows that exist, and everything after the last row; None if
        the rows cannot be distinguished by their tags alone (see `row_spans`).
    """
    spans = row_spans(part)
    if not spans:
        return part if spans is not None else None
    first, last = next(iter(spans.values()))[0], max(end for _, end in spans.values())
    kept = (part[start:end] for number, (start, end) in spans.items() if number in rows)
    return b"".join([part[:first], *kept, part[last:]])
