"""Values of cells: as the spreadsheet holds them, and as the program writes them.

A number typed as text is text; what it means is interpreted elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time


@dataclass(frozen=True, slots=True)
class CellError:
    """A cell that shows an error, e.g. `#REF!`."""

    code: str

    def __str__(self) -> str:
        """Return the error as the cell shows it."""
        return self.code


LINKED = CellError("#VALUE!, a linked data type or a picture")
"""Content of a cell with Geography, Stocks ... or a picture: Excel stores it as an error without a formula."""


@dataclass(frozen=True, slots=True)
class Uncalculated:
    """A formula whose result is not stored in the file."""

    formula: str

    def __str__(self) -> str:
        """Return the formula, since the cell has no known value."""
        return self.formula


@dataclass(frozen=True, slots=True)
class BlankFormula:
    """A formula without a visible value: a blank one, or one that is still loading."""

    formula: str

    def __str__(self) -> str:
        """Return the visible text of the cell."""
        return ""


SPILLS = re.compile(
    r"\{|\b(IMPORT[A-Z]+|GOOGLEFINANCE|ARRAYFORMULA|QUERY|FILTER|UNIQUE|SORTN?|TRANSPOSE|FLATTEN|SEQUENCE|MAP|SCAN"
    r"|BYROW|BYCOL|MAKEARRAY|[VH]STACK|TOCOL|TOROW|WRAPROWS|WRAPCOLS|CHOOSEROWS|CHOOSECOLS)\b",
    re.IGNORECASE,
)
"""Parts of formulas that may fill the cells below too."""


class SerialDate(date):
    """A date whose cell holds another number of days than the usual count from 30 December 1899.

    Dates of the 1904 system have one, and those of the 1900 system before its 29 February 1900, which did not exist.
    """

    serial: int

    @classmethod
    def of(cls, day: date, serial: int) -> SerialDate:
        """Return the date with the number of days in its cell."""
        made = cls(day.year, day.month, day.day)
        made.serial = serial
        return made


def serial_of(day: date) -> int:
    """Return the number of days that the cell of a date holds."""
    return day.serial if isinstance(day, SerialDate) else day.toordinal() - FIRST_DAY.toordinal()


FIRST_DAY = date(1899, 12, 30)
"""Day 0 of Google Sheets, LibreOffice and, from March 1900 on, Excel."""


class PerCent(float):
    """A number whose cell is formatted as per cent: 0.3, of which the cell shows 30 %."""

    __slots__ = ()


Value = None | str | bool | int | float | date | datetime | time | CellError | Uncalculated | BlankFormula
"""Value of one cell. A formula with a stored result reads as that result; a `float` may be a `PerCent`."""


Plain = None | str | bool | int | float
"""Value that the program writes to a cell: never a formula or a date."""
