"""The values of a workbook: the snapshot that is read, the change set that is committed as a whole or not at all.

A snapshot holds cells as the spreadsheet holds them (a number typed as text is text); they are interpreted elsewhere.
Rows and columns count from 1, as in A1 addresses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.errors import ExpectedError

if TYPE_CHECKING:
    from sheets_algo.workbook.template_spec import TabSpec


@dataclass(frozen=True, slots=True)
class CellError:
    """A cell that shows an error, e.g. `#REF!`."""

    code: str

    def __str__(self) -> str:
        """Return the error as the cell shows it."""
        return self.code


@dataclass(frozen=True, slots=True)
class Uncalculated:
    """A formula whose result is not stored in the file."""

    formula: str

    def __str__(self) -> str:
        """Return the formula, which is all that is known of the cell."""
        return self.formula


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


Value = None | str | bool | int | float | date | datetime | time | CellError | Uncalculated
"""Value of one cell. A formula with a stored result reads as that result; a `float` may be a `PerCent`."""

Plain = None | str | bool | int | float
"""Value that the program writes to a cell: never a formula or a date."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One tab as read.

    Args:
        name: The tab's name as the workbook spells it.
        rows: Row number to that row's cells from column A, without trailing blank cells; blank rows are absent.
        merged: Ranges of merged cells that touch the rows read, as (first row, first column, last row, last column).
    """

    name: str
    rows: Mapping[int, Sequence[Value]]
    merged: Sequence[tuple[int, int, int, int]] = ()

    @property
    def last_row(self) -> int:
        """Number of the last row that holds anything, 0 for an empty tab."""
        return max(self.rows, default=0)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The content of a workbook at one time of reading.

    Args:
        sheets: Tab key (see `tab_key`) to sheet; tabs that do not exist are absent.
        revision: Identifier of the state that was read; `commit` refuses any other state.
        others: Titles of the tabs that were not asked for, so that a misspelt one can be named.
    """

    sheets: Mapping[str, Sheet]
    revision: str = ""
    others: tuple[str, ...] = ()

    def sheet(self, name: str) -> Sheet | None:
        """Return the tab of that name, regardless of case and surrounding spaces; None if it is absent."""
        return self.sheets.get(tab_key(name))


Columns = Mapping[str, Sequence[int]]
"""Tab key to numbers of columns, from 1."""


def tab_key(name: str) -> str:
    """Return the key by which tab names are compared: without regard to case and to surrounding or repeated spaces."""
    return " ".join(name.split()).casefold()


@dataclass(frozen=True, slots=True)
class SetCell:
    """A new value for one cell.

    Args:
        tab: Tab name.
        row: Row number, from 1.
        column: Column number, from 1.
        value: New value; None empties the cell, and a text is stored as text whatever its first character.
        before: Value in the snapshot; if the cell has another one when it is committed, the workbook is stale.
    """

    tab: str
    row: int
    column: int
    value: Plain
    before: Value = None


@dataclass(frozen=True, slots=True)
class AppendRow:
    """A row to add below the last row of a tab that holds anything; `values` start at column A."""

    tab: str
    values: tuple[Plain, ...]


@dataclass(frozen=True, slots=True)
class NewTab:
    """A tab of the program, with its header row, that the workbook lacks.

    Args:
        name: Name of the tab.
        header: Texts of its first row.
        spec: Its description, if it is to look as in a new workbook.
    """

    name: str
    header: tuple[str, ...]
    spec: TabSpec | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture for a tab of the program; it replaces the pictures that the tab showed before.

    Args:
        tab: Tab name, e.g. `Battle Map`.
        png: Content of the PNG, for a workbook that can show images.
        row: Row of the top left corner, from 1.
        column: Column of the top left corner, from 1.
        text: Where the picture is to be found, which stands in cell A1 of a workbook that cannot show images.
    """

    tab: str
    png: bytes
    row: int = 1
    column: int = 1
    text: str = ""


Address = tuple[str, int, int]
"""Tab, row and column of a cell; row and column 0 mean any row below the tab's last one."""


@dataclass(frozen=True, slots=True)
class Note:
    """A record of a change set in a tab of the program, whose previous content it replaces.

    A backend that writes by coordinates (Google) writes `open` in the same step as the changes, and `closed` once it
    has checked that every cell is in the intended place. A backend that refuses a commit unless the workbook is
    unchanged writes `closed` at once.

    Args:
        tab: Tab name.
        open: Rows from row 1, the header first, that describe the changes.
        closed: Rows from row 1, the header first, that remain when the changes are in place.
        covers: Cells that the changes set. In the same step, the value of each just before is copied into the last
            column of the header, from row 2 down, so that no overwritten value is lost.
    """

    tab: str
    open: tuple[tuple[Plain, ...], ...]
    closed: tuple[tuple[Plain, ...], ...]
    covers: tuple[Address, ...] = ()


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a chain of receipts (RCP-19): the number of the last one, and the digest of it and all before it.

    Args:
        seq: The number; 0 before the first receipt.
        digest: 32 hexadecimal digits; blank where only the number is known.
    """

    seq: int = 0
    digest: str = ""

    def __str__(self) -> str:
        """Return `8-03f7c2...`, as it is published and typed."""
        return f"{self.seq}-{self.digest}" if self.digest else str(self.seq)

    @classmethod
    def parse(cls, text: str) -> Head | None:
        """Return the head that a text spells as `str` does, None if it spells none."""
        number, _, digest = text.strip().partition("-")
        is_number = number.isascii() and number.isdecimal() and len(number) <= 15
        return cls(int(number), digest) if is_number and re.fullmatch("[0-9a-f]{0,32}", digest) else None


NO_RECEIPT = Head()
"""The head of a workbook without receipts."""


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """All changes that one pass writes, applied in the order new tabs, cells, rows, pictures.

    Args:
        guard: Number of the first receipt that this change set writes, None if it writes none. A backend accepts each
            number once, so that a repeated or late commit changes nothing.
        head: The end of the chain of receipts after this change set, for a backend that notes it with the guard.
        known: The last receipt of which the plan knows, in the tab or noted elsewhere; a backend that has noted a later
            one refuses the change set. None for no check.
        forced: True to write into protected sheets, and signed or final workbooks, too.
        note: Description of the changes for the next reader of the workbook, None for no description.
        season: SHA-256 of the season secret; a backend that stores it with the guards refuses another one. Blank before
            the season has begun, and where no secret is needed.
    """

    tabs: tuple[NewTab, ...] = ()
    cells: tuple[SetCell, ...] = ()
    rows: tuple[AppendRow, ...] = ()
    pictures: tuple[Picture, ...] = ()
    guard: int | None = None
    head: Head = NO_RECEIPT
    known: Head | None = None
    forced: bool = False
    note: Note | None = None
    season: str = ""

    def __bool__(self) -> bool:
        """Return True if there is anything to write."""
        return bool(self.tabs or self.cells or self.rows or self.pictures or self.note)

    @property
    def tab_names(self) -> tuple[str, ...]:
        """Names of the tabs that are added, or that get cells or rows."""
        names = [tab.name for tab in self.tabs]
        names += [cell.tab for cell in self.cells] + [row.tab for row in self.rows]
        return tuple(dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class Committed:
    """The result of a commit.

    Args:
        remarks: Messages for the log (a character replaced, a backup made ...).
        is_displaced: True if rows or columns were moved between the last check and the write, so that a value may be in
            a wrong row.
    """

    remarks: tuple[str, ...] = field(default=())
    is_displaced: bool = False


class WorkbookError(ExpectedError):
    """An error outside the rows; its text is one sentence that names the place, the problem and the remedy."""


class BadAddress(WorkbookError):
    """A text that names no workbook; the message says what it is, or what to type instead."""


class BadSetting(WorkbookError):
    """A setting that cannot be used; the text names the file or variable, the value, and the allowed values."""

    exit_code = 2


class WorkbookUnavailable(WorkbookError):
    """The workbook cannot be read or written: missing, damaged, refused by a check, no access (exit code 3)."""


class WorkbookLocked(WorkbookError):
    """Another program or another run has the workbook open (exit code 4)."""

    exit_code = 4


class Interrupted(WorkbookError):
    """The program was asked to stop while it waited for a service."""

    def __init__(self) -> None:
        super().__init__("Stopped while waiting for an answer.")


class SeasonMismatch(WorkbookError):
    """The season secret is not the one under which the workbook's receipts were ruled."""


class StaleWorkbook(WorkbookError):
    """The workbook changed between read and commit; nothing was written, so it must be read and planned again."""


class UnknownOutcome(StaleWorkbook):
    """A commit was not answered, so it may have been carried out, or may still be.

    The workbook must be read again, and the commit never be repeated unseen. The guard accepts either this commit or
    the next one, not both.
    """


class RefusedChange(WorkbookError):
    """A planned cell may not be written (inside a merged range, a foreign formula, a protected sheet ...).

    Args:
        text: Message of one sentence.
        obstacles: Cells that prevent the change, with the reason for each; empty if single cells are not the cause.
    """

    exit_code = 1

    def __init__(self, text: str, obstacles: Mapping[Address, str] | None = None) -> None:
        super().__init__(text)
        self.obstacles = obstacles or {}


Needs = Mapping[str, Sequence[str]]
"""Tab name to the names of the tabs that it depends on."""

NO_NEEDS: Needs = MappingProxyType({})


def a1(row: int, column: int) -> str:
    """Return the A1 address of a cell: `a1(14, 3) == "C14"`."""
    return f"{letters(column)}{row}"


def letters(column: int) -> str:
    """Return the letters of a column: `letters(28) == "AB"`."""
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text
