"""Change sets, which are committed as a whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sheets_algo.workbook.addresses import Address
from sheets_algo.workbook.head import NO_RECEIPT, Head
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.template_spec import TabSpec
from sheets_algo.workbook.values import Plain, Value


@dataclass(frozen=True, slots=True)
class SetCell:
    """A new value for one cell."""

    tab: TabKey
    row: int  # Row number, from 1
    column: int  # Column number, from 1
    value: Plain  # New value; None empties the cell, and a text is stored as text whatever its first character
    # Value in the snapshot; if the cell has another one when it is committed, the workbook is stale.
    before: Value = None


@dataclass(frozen=True, slots=True)
class AppendRow:
    """A row to add below the last row of a tab that holds anything; `values` start at column A."""

    tab: TabKey
    values: tuple[Plain, ...]


@dataclass(frozen=True, slots=True)
class NewTab:
    """A tab of the program, with its header row, that the workbook lacks."""

    tab: TabKey  # Its name will be the title
    header: tuple[str, ...]  # Texts of its first row
    spec: TabSpec | None = None  # Its description, for the format of a new workbook


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture for a tab of the program; it replaces the pictures that the tab showed before."""

    tab: TabKey
    png: bytes  # Content of the PNG, for a workbook that can show images
    row: int = 1  # Row of the top left corner, from 1
    column: int = 1  # Column of the top left corner, from 1
    text: str = ""  # The address of the picture, for cell A1 of a workbook without images


@dataclass(frozen=True, slots=True)
class ComparedCells:
    """The cells of a tab that a plan depends on: deciding cells, and those that identify rows."""

    header: int  # Number of the row of headers
    columns: frozenset[int]  # Numbers of the columns


@dataclass(frozen=True, slots=True)
class Note:
    """A record of a change set in a tab of the program, whose previous content it replaces.

    A backend that writes by coordinates (Google) writes `open` in the same step as the changes, and `closed` once it
    has checked that every cell is in the intended place. A backend that refuses a commit unless the workbook is
    unchanged writes `closed` at once.
    """

    tab: TabKey
    open: tuple[tuple[Plain, ...], ...]  # Rows from row 1, the header first, that describe the changes
    # Rows from row 1, the header first, that remain when the changes are in place.
    closed: tuple[tuple[Plain, ...], ...]
    # Cells that the changes set. In the same step, the value of each just before is copied into the last column of the
    # header, from row 2 down, so that no overwritten value is lost.
    covers: tuple[Address, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """All changes that one pass writes, applied in the order new tabs, cells, rows, pictures."""

    tabs: tuple[NewTab, ...] = ()
    cells: tuple[SetCell, ...] = ()
    rows: tuple[AppendRow, ...] = ()
    pictures: tuple[Picture, ...] = ()
    # Number of the first receipt that this change set writes, None if it writes none. A backend accepts each number
    # once, so that a repeated or late commit changes nothing.
    guard: int | None = None
    # The end of the chain of receipts after this change set, for a backend that notes it with the guard.
    head: Head = NO_RECEIPT
    # The last receipt known to the plan, in the tab or noted elsewhere; a backend with a note of a later one refuses
    # the change set. None for no check.
    known: Head | None = None
    forced: bool = False  # True to write into protected sheets, and signed or final workbooks, too
    note: Note | None = None  # Description of the changes for the next reader of the workbook, None for no description
    # SHA-256 of the season secret; a backend that stores it with the guards refuses another one. Blank before the
    # season, and where no secret is needed.
    season: str = ""
    posts: str = ""  # The note of posts after this change set, for a store that keeps one; blank for none
    # The cells of edited rows and of the header row that must be unchanged since the reading, by tab; for any other
    # tab, all cells.
    compared: Mapping[TabKey, ComparedCells] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Return True if there is anything to write."""
        return bool(self.tabs or self.cells or self.rows or self.pictures or self.note)

    @property
    def tabs_written(self) -> tuple[TabKey, ...]:
        """Return the tabs that are added, or get cells or rows."""
        tabs = [new.tab for new in self.tabs]
        tabs += [cell.tab for cell in self.cells] + [row.tab for row in self.rows]
        return tuple(dict.fromkeys(tabs))


@dataclass(frozen=True, slots=True)
class CommitResult:
    """The result of a commit."""

    remarks: tuple[str, ...] = field(default=())  # Messages for the log (a character replaced, a backup made ...)
    # True if rows or columns were moved between the last check and the write, so that a value may be in a wrong row.
    is_displaced: bool = False
