"""Worksheets cut down to some of their rows, so that a few cells of a large tab can be read quickly."""

from __future__ import annotations

import re
from collections.abc import Collection

_PREFIX = rb"(?:[A-Za-z_][\w.-]*:)?"
_ROW = re.compile(rb"<" + _PREFIX + rb"row(?=[\s/>])[^>]*")
_NUMBER = re.compile(rb"""\sr\s*=\s*["'](\d+)["']""")
_MISLEADING = (b"<!--", b"<![CDATA[", b"extLst")  # what is inside may look like a row
_END = re.compile(rb"</" + _PREFIX + rb"sheetData\s*>")


def row_spans(part: bytes) -> dict[int, tuple[int, int]] | None:
    """Return start and end of each row of a worksheet by its number, in file order, with the space that follows it.

    Args:
        part: XML of a worksheet.

    Returns:
        None if the rows cannot be distinguished by their tags alone (no numbers or one twice, comments, extensions,
        another encoding).
    """
    end = _END.search(part)
    if end is None or any(part.find(mark, 0, end.start()) >= 0 for mark in _MISLEADING):
        return None
    starts: dict[int, int] = {}
    for tag in _ROW.finditer(part, 0, end.start()):
        number = _NUMBER.search(tag[0])
        if number is None or int(number[1]) in starts:
            return None
        starts[int(number[1])] = tag.start()
    ends = [*starts.values(), end.start()][1:]
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
