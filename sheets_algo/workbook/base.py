"""The contract every workbook backend keeps: read a snapshot, commit a change set, all of it or none of it.

A snapshot holds cells as the spreadsheet holds them (a number that was typed as text is text); what they mean is
read elsewhere. Rows and columns count from 1, as in A1 addresses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from types import MappingProxyType
from typing import Protocol


@dataclass(frozen=True, slots=True)
class CellError:
    """A cell that shows an error, e.g. `#REF!`."""

    code: str


@dataclass(frozen=True, slots=True)
class Uncalculated:
    """A formula without a cached value: its result is not in the file."""

    formula: str


Value = None | str | bool | int | float | date | datetime | time | CellError | Uncalculated
"""One cell. A formula with a cached value reads as that value."""

Plain = None | str | bool | int | float
"""What the program itself writes: never a formula, never a date."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One tab as read.

    Args:
        name: The tab's name as the workbook spells it.
        rows: Row number to that row's cells from column A, trailing blanks cut; blank rows are left out.
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
    """What one read of a workbook saw.

    Args:
        sheets: Lower-cased, trimmed tab name to sheet; tabs that do not exist are absent.
        revision: Identifies the state that was read; `commit` refuses another one.
    """

    sheets: Mapping[str, Sheet]
    revision: str = ""

    def sheet(self, name: str) -> Sheet | None:
        """The tab of that name, whatever its capitals and outer spaces."""
        return self.sheets.get(tab_key(name))


def tab_key(name: str) -> str:
    """How tab names are compared: without regard to capitals and spaces around or doubled."""
    return " ".join(name.split()).casefold()


@dataclass(frozen=True, slots=True)
class SetCell:
    """One cell gets a new value.

    Args:
        tab: Tab name.
        row: From 1.
        column: From 1.
        value: The new value; None empties the cell, a text is stored as text whatever it starts with.
        before: What the snapshot showed there; another value at commit time makes the workbook stale.
    """

    tab: str
    row: int
    column: int
    value: Plain
    before: Value = None


@dataclass(frozen=True, slots=True)
class AppendRow:
    """One row below the last row of a tab that holds anything; `values` stand from column A."""

    tab: str
    values: tuple[Plain, ...]


@dataclass(frozen=True, slots=True)
class NewTab:
    """A tab of the program's own that the workbook lacks, with its header row."""

    name: str
    header: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mosaic:
    """A picture as coloured cells, for a spreadsheet in which no picture can be placed.

    Args:
        title: What it shows, e.g. `Before the battle`.
        colours: RRGGBB, row by row from the top left, at most 100 rows of at most 100 cells, all rows equally long.
        marks: (row, column) from 0 to a sign or two that stand on that cell.
    """

    title: str
    colours: Sequence[Sequence[str]]
    marks: Mapping[tuple[int, int], str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture for a tab of the program's own; it replaces what the tab showed before.

    Args:
        tab: Tab name, e.g. `Battle Map`.
        png: The picture, for a workbook that takes one.
        row: Row of its top left corner.
        column: Column of its top left corner.
        title: Above it, where it is made of cells: the battle.
        mosaics: The same as coloured cells, side by side, for a workbook that takes none.
        legend: Colour, RRGGBB, and what it stands for.
    """

    tab: str
    png: bytes
    row: int = 1
    column: int = 1
    title: str = ""
    mosaics: tuple[Mosaic, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()


Address = tuple[str, int, int]
"""Tab, row and column of a cell; row and column 0 stand for any row below a tab's last one."""


@dataclass(frozen=True, slots=True)
class Note:
    """What the program writes down about a change set in a tab of its own, in place of whatever stands in that tab.

    A spreadsheet that takes writes by coordinates gets `open` in the same step as the changes, and `closed` once it was
    seen that every cell stands where it was meant. A workbook that refuses a commit unless it still is what was read
    gets `closed` at once.

    Args:
        tab: Tab name.
        open: Rows from row 1, the header first: what the changes mean.
        closed: Rows from row 1, the header first: what is left when the changes are in their place.
        covers: Cells that the changes set. In the same step, what stands in each of them just before is copied into the
            last column of the header, from row 2 down, so that whatever the changes cover is not lost.
    """

    tab: str
    open: tuple[tuple[Plain, ...], ...]
    closed: tuple[tuple[Plain, ...], ...]
    covers: tuple[Address, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Everything one pass writes, in the order new tabs, cells, rows, pictures.

    Args:
        guard: Number of the first receipt this change set writes, or None if it writes none. A backend lets each
            number through once, so a repeated or late commit changes nothing.
        forced: Write into protected sheets too.
        note: What the cells mean, for whoever reads the workbook next.
        season: SHA-256 of the season secret; a backend that keeps it beside the guards refuses another one. Blank
            before the season has begun, and where no secret is needed.
    """

    tabs: tuple[NewTab, ...] = ()
    cells: tuple[SetCell, ...] = ()
    rows: tuple[AppendRow, ...] = ()
    pictures: tuple[Picture, ...] = ()
    guard: int | None = None
    forced: bool = False
    note: Note | None = None
    season: str = ""

    def __bool__(self) -> bool:
        """Whether there is anything to write."""
        return bool(self.tabs or self.cells or self.rows or self.pictures or self.note)


@dataclass(frozen=True, slots=True)
class Committed:
    """What a commit did beside writing.

    Args:
        remarks: For the log (a character replaced, a backup made ...).
        is_displaced: Rows or columns were moved between the last look and the write, so that a cell may stand beside
            the wrong row.
    """

    remarks: tuple[str, ...] = field(default=())
    is_displaced: bool = False


class WorkbookError(Exception):
    """Something outside the rows is wrong; the text is one sentence that says where, what, and what to do."""


class WorkbookUnavailable(WorkbookError):
    """The workbook cannot be read or written now: missing, damaged, refused by a guard, no access (exit code 3)."""


class WorkbookLocked(WorkbookError):
    """Another program or another run has the workbook open (exit code 4)."""


class SeasonMismatch(WorkbookError):
    """The season secret at hand is not the one that the workbook's receipts were ruled under."""


class StaleWorkbook(WorkbookError):
    """The workbook changed between read and commit; nothing was written: read again, plan again."""


class UnknownOutcome(StaleWorkbook):
    """No answer came to a commit: it may have been carried out, or may be yet. Read again; never send it blindly.

    The guard lets through either this commit or the next one, not both.
    """


class RefusedChange(WorkbookError):
    """A planned cell may not be written (inside a merged range, a foreign formula, a protected sheet ...).

    Args:
        text: One sentence.
        obstacles: Each cell that stands in the way, and why; empty where it is not single cells that do.
    """

    def __init__(self, text: str, obstacles: Mapping[Address, str] | None = None) -> None:
        super().__init__(text)
        self.obstacles = obstacles or {}


Needs = Mapping[str, Sequence[str]]
"""Tab name to the names of tabs that it cannot do without."""

NO_NEEDS: Needs = MappingProxyType({})


class Workbook(Protocol):
    """A spreadsheet that can be read and changed."""

    @property
    def name(self) -> str:
        """What people call it: a file name or a spreadsheet's title."""
        ...

    def read(self, tabs: Sequence[str], headers_only: Sequence[str] = (), needs: Needs = NO_NEEDS) -> Snapshot:
        """The named tabs, whole; of those in `headers_only` the first ten rows are enough.

        Args:
            tabs: Names.
            headers_only: Names.
            needs: What tabs cannot do without; before such a tab is taken to be missing, it is looked up anew.

        Raises:
            WorkbookUnavailable: It cannot be read; the text says why.
        """
        ...

    def is_as_read(self) -> bool:
        """Whether all that the last `read` saw stands there unchanged; False too when only another read can tell.

        Raises:
            WorkbookUnavailable: It cannot be read; the text says why.
        """
        ...

    def commit(self, snapshot: Snapshot, changes: ChangeSet) -> Committed:
        """All of `changes` or nothing.

        Raises:
            StaleWorkbook: It is no longer what `snapshot` saw.
            RefusedChange: A planned cell may not be written.
            WorkbookLocked: Another program has it open.
            WorkbookUnavailable: It cannot be written.
        """
        ...


def a1(row: int, column: int) -> str:
    """`a1(14, 3) == "C14"`."""
    return f"{letters(column)}{row}"


def letters(column: int) -> str:
    """`letters(28) == "AB"`."""
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text
