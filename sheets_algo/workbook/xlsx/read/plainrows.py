"""Rows of a large tab that are spelled as programs spell them, read with one pattern a row, several times as fast.

A parser calls back for every element. Here a whole row is matched at once, with one group for each of its columns, and
cells that are spelled alike are decoded alike. A row that does not match, or has attributes that the parser has not
accepted in an earlier row, is left to the parser; so what is read here is well-formed and in the right namespace.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from sheets_algo.workbook.addresses import column_number, letters
from sheets_algo.workbook.values import Value
from sheets_algo.workbook.xlsx.file import xml
from sheets_algo.workbook.xlsx.file.cells import CellDecoder
from sheets_algo.workbook.xlsx.file.guard import Limits
from sheets_algo.workbook.xlsx.file.text import plain

ROW_END = "</row>"
MOST_COLUMNS = 64
"""Last column of a row that is read here; wider rows are mostly blank."""

_OTHER_ENCODING = re.compile(rb"""[^<]*<\?xml[^>]*?\sencoding\s*=\s*["'](?!utf-8["'])""", re.IGNORECASE)
_NOT_IN_XML = bytes({*range(0x20)} - {0x09, 0x0A})  # a carriage return is, but a parser replaces it
_NOT_CHARACTERS = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")
_OTHER_ENTITY = re.compile(b"&(?!(?:amp|lt|gt|quot|apos);)")
_ROW = r'<row r="([1-9][0-9]{0,6})"([^<>/]*+)>'
_INLINE = '<is><t(?: xml:space="preserve")?>'
_LAST_CELL = re.compile(r'<c r="([A-Z]{1,3})[0-9]')
_KIND_OR_STYLE = re.compile(r"""(?<=\s)([ts])\s*=\s*["']([^"']*)""")
_SHARED = re.compile(r'<f[^>]* si="([0-9]+)"[^>]*>([^<]+)')
_FORMULA = (
    r'<f(?: aca="(?:false|true|0|1)")?(?: t="(?:shared|array)")?(?: ref="[A-Z0-9:]+")?(?: si="[0-9]+")?'
    r"(?:/>|>[^<>]*+</f>)"
)
_IS_ARRAY = re.compile(r'<f[^>]* ref="[A-Z]+[0-9]+:')
_MOST_REMEMBERED = 50_000
_STEP = 8  # columns that a pattern gets more at a time


class PlainRow(NamedTuple):
    """A row as its pattern finds it, not decoded yet."""

    number: int  # Number of the row
    # Attributes of the row and of each column's cell, as spelled; None where there is no cell.
    attributes: tuple[str | None, ...]
    formulas: tuple[str | None, ...]  # Formula elements of the columns, None where there is none
    texts: tuple[str | None, ...]  # Texts of the columns, None where the cell is blank
    cell_count: int  # Number of cells, blank ones included

    def shared_formulas(self) -> Mapping[str, str]:
        """Return the texts of shared formulas by their index."""
        if not any(self.formulas):
            return {}
        matches = (_SHARED.match(formula) for formula in self.formulas if formula and "shared" in formula)
        return {match[1]: plain(match[2].encode()) for match in matches if match}


class PlainRows:
    """Reader of the plainly spelled rows of one tab."""

    def __init__(self, decoder: CellDecoder, limits: Limits) -> None:
        self._decoder = decoder
        self._limits = limits
        self._width = 0
        self._accepted: set[str] = set()
        self._values: dict[str, _Values] = {}
        self._columns: dict[tuple[str | None, ...], list[Mapping[str | None, Value]]] = {}

    def match(self, text: str, start: int, end: int) -> PlainRow | None:
        """Return a row, which ends with its end tag, as its pattern finds it; None if it does not match."""
        match = _pattern(self._width).fullmatch(text, start, end)
        if match is None and self._widen(text, start, end):
            match = _pattern(self._width).fullmatch(text, start, end)
        if match is None:
            return None
        groups = match.groups()
        count = text.count("<c ", start, end)
        return PlainRow(int(groups[0]), groups[1:2] + groups[2::4], groups[3::4], groups[5::4], count)

    def accept(self, row: PlainRow) -> None:
        """Remember that the parser has accepted the attributes of a row."""
        plainly = {spelled for spelled in row.attributes if spelled and not _is_odd(spelled)}
        self._accepted |= {"", *plainly}

    def values(self, row: PlainRow) -> tuple[Value, ...] | None:
        """Return the values of a row without blank ones at its end; None if the parser has to read it.

        It reads formulas that show nothing, or whose results are in several cells.

        Raises:
            xml.Refused: A text is too long.
        """
        columns = self._columns.get(row.attributes) or self._accepted_columns(row.attributes)
        if columns is None or any(map(_is_for_parser, row.formulas, row.texts)):
            return None
        return _strip_blanks([known[text] for known, text in zip(columns, row.texts, strict=True)])

    def _accepted_columns(self, attributes: tuple[str | None, ...]) -> list[Mapping[str | None, Value]] | None:
        """Return the values of each column by text; None if the parser has not accepted one of the attributes."""
        if any(spelled is not None and spelled not in self._accepted for spelled in attributes):
            return None
        if len(self._columns) > _MOST_REMEMBERED // MOST_COLUMNS:
            self._columns.clear()
        columns = self._columns[attributes] = [self._values_of(spelled) for spelled in attributes[1:]]
        return columns

    def _values_of(self, spelled: str | None) -> Mapping[str | None, Value]:
        """Return the values of cells with these attributes by their texts."""
        if spelled is None:
            return {None: None}
        if spelled not in self._values:
            self._values[spelled] = _Values(self._decoder, self._limits, dict(_KIND_OR_STYLE.findall(spelled)))
        return self._values[spelled]

    def _widen(self, text: str, start: int, end: int) -> bool:
        """Extend the pattern to the last column of a row; return False if that changes nothing."""
        last = _LAST_CELL.match(text, max(text.rfind('<c r="', start, end), start))
        width = column_number(last[1]) if last else 0
        if not self._width < width <= MOST_COLUMNS:
            return False
        self._width = -(-width // _STEP) * _STEP
        return True


def is_utf8(head: bytes) -> bool:
    """Return True if the first bytes of a part state no other encoding than UTF-8."""
    return _OTHER_ENCODING.match(head) is None


def decoded(block: bytes) -> str | None:
    """Return rows of a worksheet as text; None if they have characters or entities that only a parser can judge."""
    if len(block.translate(None, _NOT_IN_XML)) < len(block) or any(character in block for character in _NOT_CHARACTERS):
        return None
    if b"&" in block and _OTHER_ENTITY.search(block):
        return None
    try:
        return block.decode()
    except UnicodeDecodeError:
        return None


class _Values(dict[str | None, Value]):
    """The values of cells that have the same attributes, by text; each is decoded once, as far as memory allows."""

    def __init__(self, decoder: CellDecoder, limits: Limits, attributes: Mapping[str, str]) -> None:
        super().__init__({None: None})
        self._decoder = decoder
        self._longest = limits.text
        self._kind = attributes.get("t")
        self._style = attributes.get("s")

    def __missing__(self, text: str) -> Value:
        if len(text) > self._longest:
            raise xml.Refused(f"a text in it is longer than {self._longest:,} characters, the limit")
        if len(self) > _MOST_REMEMBERED:
            self.clear()
            self[None] = None
        value = self._decoder.value(self._kind, self._style, plain(text.encode()) if "&" in text else text)
        self[text] = value
        return value


def _is_for_parser(formula: str | None, text: str | None) -> bool:
    return formula is not None and (not (text or "").strip() or _IS_ARRAY.match(formula) is not None)


def _strip_blanks(values: Sequence[Value]) -> tuple[Value, ...]:
    end = len(values)
    while end and values[end - 1] is None:
        end -= 1
    return tuple(values[:end])


def _is_odd(spelled: str) -> bool:
    """Return True for attributes that may mean something else than they seem to: a namespace, an entity, metadata."""
    return "xmlns" in spelled or " vm=" in spelled or any(mark in spelled for mark in "&\t\n")


@lru_cache(maxsize=MOST_COLUMNS // _STEP + 1)
def _pattern(width: int) -> re.Pattern[str]:
    """Return a pattern of a row: its number and attributes, and four groups for each column.

    These are the attributes of the cell, its formula, the tag of an inline text, and the text.
    """
    cells = (
        rf'(?:<c r="{letters(column)}\1"([^<>/]*+)(?:/>|>(?:'
        rf"({_FORMULA})?<v>|({_INLINE}))([^<>]++)(?({4 * column + 1})</t></is>|</v>)</c>))?+"
        for column in range(1, width + 1)
    )
    return re.compile(_ROW + "".join(cells) + ROW_END)
