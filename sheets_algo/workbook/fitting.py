"""What a value becomes in a cell of any spreadsheet: what no cell can hold is replaced visibly, nothing is cut.

The bounds are those of the narrowest backend (an XLSX cell), so that a workbook stays portable between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from sheets_algo.workbook.base import Plain, RefusedChange, a1

LONGEST = 32_767
"""Most UTF-16 units a cell holds."""

_EXACT = 1 << 53
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LINE_END = re.compile("\r\n?")


class TooLong(ValueError):
    """A text that no cell holds; the text says how long it is."""


@dataclass(frozen=True, slots=True)
class CellText:
    """A text ready for a cell.

    Args:
        text: As it will read back.
        replaced: How many characters were replaced by a visible sign; line ends are not counted.
    """

    text: str
    replaced: int


def fit(tab: str, row: int, column: int, value: Plain, remarks: list[str]) -> Plain:
    """The value as a cell can hold it: a text cleaned, with a remark if a character was replaced; "" is an empty cell.

    Raises:
        RefusedChange: A text of more than 32,767 characters, a number that is not finite or not exact in a cell.
    """
    return fit_at(f"{tab}!{a1(row, column)}", value, remarks)


def fit_at(where: str, value: Plain, remarks: list[str]) -> Plain:
    """The same for a cell whose address is not known yet.

    Args:
        where: The cell in words.
        value: To be written.
        remarks: Takes what was replaced.

    Raises:
        RefusedChange: As `fit`.
    """
    if isinstance(value, str):
        try:
            fitting = cell_text(value)
        except TooLong as problem:
            raise _refused(where, str(problem)) from problem
        if fitting.replaced:
            remarks.append(
                f"{where}: {fitting.replaced} characters that no cell can hold were replaced by a visible sign."
            )
        return fitting.text or None
    if isinstance(value, float) and not isfinite(value):
        raise _refused(where, f"{value} is no number that a cell can hold")
    if isinstance(value, int) and not -_EXACT <= value <= _EXACT:
        raise _refused(where, f"the number {value:,} has more digits than a cell keeps; write it as text")
    return value


def cell_text(text: str) -> CellText:
    """Prepare a text for a cell.

    Carriage returns become line feeds; control characters become their pictures (U+2400 and following), lone
    surrogates, U+FFFE and U+FFFF become U+FFFD.

    Raises:
        TooLong: It has more than 32,767 UTF-16 units.
    """
    fitting, replaced = _FORBIDDEN.subn(_visible, _LINE_END.sub("\n", text))
    units = len(fitting) if fitting.isascii() else len(fitting.encode("utf-16-le")) // 2
    if units > LONGEST:
        raise TooLong(f"the text has {units:,} characters; a cell holds {LONGEST:,}")
    return CellText(fitting, replaced)


UNMERGE = "unmerge them"
TYPE_VALUE = "put a value there, for the program writes this cell"


def refused(tab: str, row: int, column: int, reason: str, remedy: str = "") -> RefusedChange:
    """The refusal of one cell."""
    said = str(_refused(f"{tab}!{a1(row, column)}", reason, remedy))
    return RefusedChange(said, {(tab, row, column): f"{reason}{remedy and ': '}{remedy}"})


def refused_together(refusals: Sequence[RefusedChange]) -> RefusedChange:
    """Several refusals as one, which tells the first and counts the rest."""
    obstacles = {place: why for refusal in refusals for place, why in refusal.obstacles.items()}
    more = f" So are {len(refusals) - 1:,} more cells." if len(refusals) > 1 else ""
    return RefusedChange(f"{refusals[0]}{more}", obstacles)


def _refused(where: str, reason: str, remedy: str = "") -> RefusedChange:
    return RefusedChange(f"{where}: {reason}; nothing was written{remedy and ': '}{remedy}.")


def _visible(match: re.Match[str]) -> str:
    code = ord(match[0])
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"
