"""A worksheet cut down to some of its rows, so that a few cells of a large tab are read without all the others."""

from __future__ import annotations

import re
from collections.abc import Collection

_PREFIX = rb"(?:[A-Za-z_][\w.-]*:)?"
_ROW = re.compile(rb"<" + _PREFIX + rb"row(?=[\s/>])[^>]*")
_NUMBER = re.compile(rb"""\sr\s*=\s*["'](\d+)["']""")
_END = re.compile(rb"</" + _PREFIX + rb"sheetData\s*>")


def excerpt(part: bytes, rows: Collection[int]) -> bytes | None:
    """The worksheet with these rows only.

    Args:
        part: A worksheet's XML.
        rows: Row numbers, from 1.

    Returns:
        Everything up to the first row, the rows asked for that are there, everything after the last row; None when the
        rows cannot be told apart by their tags alone (no numbers, comments, another encoding).
    """
    end = _END.search(part)
    if end is None or b"<!--" in part or b"<![CDATA[" in part:
        return None
    pieces: list[bytes] = []
    start, is_wanted = 0, True
    for tag in _ROW.finditer(part, 0, end.start()):
        number = _NUMBER.search(tag[0])
        if number is None:
            return None
        if is_wanted:
            pieces.append(part[start : tag.start()])
        start, is_wanted = tag.start(), int(number[1]) in rows
    if is_wanted:
        pieces.append(part[start : end.start()])
    return b"".join([*pieces, part[end.start() :]])
