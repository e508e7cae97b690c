"""The conversion of one cell's type, style and text in the file to a value.

A cell that makes no sense becomes a `CellError` with the reason, so that only readers of that cell are affected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite

from sheets_algo.workbook.values import CellError, PerCent, Value
from sheets_algo.workbook.xlsx.file.dates import PER_CENT, from_iso, from_serial
from sheets_algo.workbook.xlsx.file.text import decode

_SHOWN = 40


@dataclass(frozen=True, slots=True)
class CellDecoder:
    """Decoder of cells, with what the whole workbook says about them."""

    strings: Sequence[str]  # Shared strings of the workbook
    kinds: Sequence[str]  # Kind of value of each cell style, from `dates.format_kinds`; empty if the file has no styles
    uses_1904: bool  # True if dates count from 1904
    plain: frozenset[str | None] = field(init=False)  # Numbers, as text, of the styles that show numbers as they are

    def __post_init__(self) -> None:
        plain = [str(number) for number, kind in enumerate(self.kinds) if not kind]
        is_first_plain = not self.kinds or not self.kinds[0]  # the style of a cell that names none
        object.__setattr__(self, "plain", frozenset([None, *plain] if is_first_plain else plain))

    def value(self, kind: str | None, style: str | None, text: str) -> Value:
        """Return the value of a cell that has one.

        Args:
            kind: Attribute `t` of the cell; None means a number.
            style: Attribute `s` of the cell.
            text: Content of its `v`, or its inline text.
        """
        if kind is None or kind == "n":
            number = int(text) if text.isdecimal() and len(text) < 16 else parse_number(text)
            return number if style in self.plain or number is None else self._number(number, style)
        if kind == "s":
            return self._shared_string(text)
        if kind in ("inlineStr", "str"):
            return decode(text) if "_x" in text else text
        return self._other_value(kind, text)

    def _shared_string(self, text: str) -> Value:
        try:
            index = int(text)
            if index >= 0:
                return self.strings[index]
        except (ValueError, IndexError):
            if not text.strip():
                return None
        return CellError(f"no shared string {clip(text)}")

    def _number(self, number: float | CellError, style: str | None) -> Value:
        if not self.kinds or isinstance(number, CellError):
            return number
        try:
            kind = self.kinds[int(style or 0)]
        except (ValueError, IndexError):
            return CellError(f"no cell style {clip(style or '')}")
        if kind == PER_CENT:
            return PerCent(number)
        try:
            return from_serial(number, kind, self.uses_1904) if kind else number
        except OverflowError:
            return CellError(f"not a date: {clip(str(number))}")

    def _other_value(self, kind: str, text: str) -> Value:
        word = text.strip()
        if not word:
            return None
        if kind == "b":
            if word.lower() in ("1", "true"):
                return True
            return False if word.lower() in ("0", "false") else CellError(f"neither true nor false: {clip(word)}")
        if kind == "e":
            return CellError(word[:_SHOWN])
        if kind == "d":
            try:
                return from_iso(word)
            except ValueError:
                return CellError(f"not a date: {clip(word)}")
        return CellError(f"no cell type {clip(kind)}")


def parse_number(text: str) -> int | float | CellError | None:
    """Parse a number of a cell: int if it is written as a whole number, else float; None for a blank text."""
    if text.isdecimal() and len(text) < 16:
        return int(text)
    try:
        number = float(text)
    except ValueError:
        return CellError(f"not a number: {clip(text)}") if text.strip() else None
    if not isfinite(number) or "_" in text:
        return CellError(f"not a number: {clip(text)}")
    return number if "." in text or "e" in text or "E" in text else int(text)


def clip(text: str) -> str:
    """Return the text on one line, shortened for a message."""
    line = " ".join(text[: 2 * _SHOWN].split())
    return line if len(line) <= _SHOWN and len(text) <= 2 * _SHOWN else f"{line[:_SHOWN]}…"
