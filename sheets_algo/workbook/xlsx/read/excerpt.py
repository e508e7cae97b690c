"""The rows of a worksheet as its bytes have them, read piece by piece, so that a large tab is never held whole.

Rows are distinguished by their tags, without a parser.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import lt

from sheets_algo.workbook.xlsx.file import sizes

_ROOT = re.compile(rb"<([A-Za-z_][\w.-]*:)?worksheet(?=[\s>])")
_NUMBERED = rb"""row(?: r="(\d{1,9})"|(?=[\s/>])(?:[^>]*?\sr\s*=\s*["'](\d{1,9})["'])?)"""
_PLAINLY_NUMBERED = rb'row r="(\d{1,9})"'
_OTHER_ENCODING = re.compile(rb"""[^<]*<\?xml[^>]*?\sencoding\s*=\s*["'](?!utf-8["'])""", re.IGNORECASE)
_NONE = -1  # number of a row that states none


class Indistinct(Exception):
    """Rows that tags alone do not distinguish: no numbers or not in order, comments, extensions ..."""


@dataclass(frozen=True)
class RowBlock:
    """Rows of a worksheet that follow one another."""

    numbers: array[int]  # Number of each row, in order
    text: bytes  # The rows; the space that follows a row belongs to it
    start: int  # Offset of the rows in the part
    tag: re.Pattern[bytes]  # Pattern of the beginning of a row

    @cached_property
    def offsets(self) -> array[int]:
        """Start of each row in `text`, and the end of the last one."""
        return array("q", [tag.start() for tag in self.tag.finditer(self.text)] + [len(self.text)])

    def row(self, at: int) -> bytes:
        """Return the bytes of a row by its index."""
        return self.text[self.offsets[at] : self.offsets[at + 1]]


class RowScanner:
    """Scanner of the rows of a worksheet, and of the content around them.

    Args:
        chunks: The worksheet's part in pieces.
    """

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self.head = b""
        """Everything up to the first row, once the first block is read."""
        self.tail = b""
        """Everything after the last row, once all blocks are read."""
        self.prefix = b""
        """Prefix of its elements, with colon, once the first block is read."""

    def blocks(self) -> Iterator[RowBlock]:
        """Yield the rows in blocks, in the order of their numbers.

        Raises:
            Indistinct: The rows cannot be told apart by their tags.
        """
        text = self._more(0)
        root = _ROOT.search(text)
        if root is None or _OTHER_ENCODING.match(text):
            raise Indistinct
        # With the prefix as written, tags are looked for as bytes; any prefix would be tried at every tag.
        prefix, last = root[1] or b"", _NONE
        self.prefix = prefix
        row, close = re.compile(b"<" + re.escape(prefix) + _NUMBERED), b"</%bsheetData" % prefix
        plain = re.compile(b"<" + re.escape(prefix) + _PLAINLY_NUMBERED)
        while (end := text.find(close)) < 0 and not row.search(text):
            text += self._more(len(text))
        first = row.search(text, 0, end if end >= 0 else len(text))
        start = first.start() if first else end
        self.head, text = text[:start], text[start:]
        _refuse_misleading(self.head.partition(b"?>")[2] or self.head)
        while (end := text.find(close)) != 0:
            stop = end if end > 0 else max(text.rfind(b"<%brow " % prefix), 0)
            if stop:
                rows = text[:stop]
                _refuse_misleading(rows)
                numbers = plain.findall(rows)
                if len(numbers) != rows.count(b"<%brow" % prefix):
                    numbers = [tag[1] or tag[2] or _NONE for tag in row.finditer(rows)]
                block = RowBlock(array("q", map(int, numbers)), rows, start, row)
                if not (last < block.numbers[0] and all(map(lt, block.numbers, block.numbers[1:]))):
                    raise Indistinct
                last = block.numbers[-1]
                yield block
            text, start = text[stop:], start + stop
            if end < 0:
                text += self._more(len(text))
        self.tail = b"".join([text, *self._chunks])

    def _more(self, least: int) -> bytes:
        """Return the next pieces, of at least so many bytes together.

        Raises:
            Indistinct: There are none.
        """
        pieces, size = [], 0
        for piece in self._chunks:
            pieces.append(piece)
            size += len(piece)
            if size >= max(least, sizes.BLOCK):
                break
        if not size:
            raise Indistinct
        return b"".join(pieces)


def _refuse_misleading(text: bytes) -> None:
    """Refuse comments, sections, instructions and extensions, since what is inside may look like a row."""
    # A single byte is found much sooner.
    if b"extLst" in text or (b"!" in text and b"<!" in text) or (b"?" in text and b"<?" in text):
        raise Indistinct


def excerpt(chunks: Iterable[bytes], rows: Collection[int]) -> bytes | None:
    """Return a worksheet with some of the rows only, without what follows them.

    Args:
        chunks: XML of a worksheet, in pieces.
        rows: Row numbers, from 1.

    Returns:
        Everything up to the first row, those of the given rows that exist, and the end tags; None if the rows cannot be
        told apart by their tags.
    """
    reader = RowScanner(chunks)
    try:
        kept = [block.row(at) for block in reader.blocks() for at, number in enumerate(block.numbers) if number in rows]
    except Indistinct:
        return None
    return b"".join([reader.head, *kept, b"</%bsheetData></%bworksheet>" % (reader.prefix, reader.prefix)])
