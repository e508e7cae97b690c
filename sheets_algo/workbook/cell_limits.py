"""Conversion of values to what every spreadsheet can store: bad characters are replaced visibly, nothing is cut.

The limits are those of the narrowest backend (an XLSX cell), so that a workbook can be moved between backends.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from sheets_algo.workbook.addresses import Address, a1
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.values import Plain

LONGEST = 32_767
"""Maximum number of UTF-16 code units in a cell."""

_EXACT = 1 << 53
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LINE_END = re.compile("\r\n?")
_CHANGED = re.compile(f"\r|{_FORBIDDEN.pattern}")


class TooLong(ValueError):
    """A text too long for a cell; the message states its length."""


@dataclass(frozen=True, slots=True)
class CellText:
    """A text that a cell can store."""

    text: str  # The text as it will be read back
    replaced: int  # Number of characters replaced by a visible one; line ends are not counted


def fit(title: str, row: int, column: int, value: Plain, remarks: list[str]) -> Plain:
    """Convert a value to what a cell of a tab can store, with a remark if characters were replaced; "" becomes None.

    Raises:
        RefusedChange: A text has more than 32,767 characters, or a number is not finite or too large to be exact in a
            cell.
    """
    if isinstance(value, str) and len(value) <= LONGEST // 2 and not _CHANGED.search(value):  # nearly every text
        return value or None
    return fit_at(f"{title}!{a1(row, column)}", value, remarks)


def fit_at(location: str, value: Plain, remarks: list[str]) -> Plain:
    """Convert a value as `fit` does, for a cell whose address is not known yet.

    Args:
        remarks: List to which a remark about replaced characters is added.

    Raises:
        RefusedChange: For the same reasons as `fit`.
    """
    if isinstance(value, str):
        try:
            fitted = cell_text(value)
        except TooLong as problem:
            raise _refusal(location, str(problem)) from problem
        if fitted.replaced:
            remarks.append(
                f"{location}: {fitted.replaced} characters that no cell can hold were replaced by a visible sign."
            )
        return fitted.text or None
    if isinstance(value, float) and not isfinite(value):
        raise _refusal(location, f"{value} is not a number that a cell can hold")
    if isinstance(value, int) and not -_EXACT <= value <= _EXACT:
        raise _refusal(location, f"the number {value:,} has more digits than a cell keeps; write it as text")
    return value


def cell_text(text: str) -> CellText:
    """Convert a text to one that a cell can store.

    Carriage returns become line feeds; control characters become their visible symbols (U+2400 and following); lone
    surrogates, U+FFFE and U+FFFF become U+FFFD.

    Raises:
        TooLong: The text has more than 32,767 UTF-16 code units.
    """
    fitted, replaced = _FORBIDDEN.subn(_replacement, _LINE_END.sub("\n", text))
    units = len(fitted) if fitted.isascii() else len(fitted.encode("utf-16-le")) // 2
    if units > LONGEST:
        raise TooLong(f"the text has {units:,} characters; a cell holds {LONGEST:,}")
    return CellText(fitted, replaced)


UNMERGE = "unmerge them"
TYPE_VALUE = "put a value there, for the program writes this cell"


def refused(cell: Address, title: str, reason: str, remedy: str = "") -> RefusedChange:
    """Return the error for one cell that may not be written; of row 0, for a whole tab.

    Args:
        title: The title of the cell's tab.
    """
    _, row, column = cell
    text = str(_refusal(f"{title}!{a1(row, column)}" if row else title, reason, remedy))
    return RefusedChange(text, {cell: f"{reason}{remedy and ': '}{remedy}"})


def refused_together(refusals: Sequence[RefusedChange]) -> RefusedChange:
    """Combine several errors into one, which gives the first in full and counts the others."""
    obstacles = {cell: reason for refusal in refusals for cell, reason in refusal.obstacles.items()}
    rest = f" So are {len(refusals) - 1:,} more cells." if len(refusals) > 1 else ""
    return RefusedChange(f"{refusals[0]}{rest}", obstacles)


def _refusal(location: str, reason: str, remedy: str = "") -> RefusedChange:
    return RefusedChange(f"{location}: {reason}; nothing was written{remedy and ': '}{remedy}.")


def _replacement(match: re.Match[str]) -> str:
    code = ord(match[0])
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"
