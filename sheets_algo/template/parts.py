"""The description of a workbook: tabs, columns, what their cells accept and how they look. No spreadsheet library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sheets_algo.receipts import Receipt
from sheets_algo.workbook.base import Plain, a1

BATTLE_MAP = "Battle Map"
"""Where the picture of the last ruling is placed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a cell looks. Colours are RRGGBB; what is blank is the spreadsheet's own."""

    fill: str = ""
    ink: str = ""
    bold: bool = False
    italic: bool = False
    size: int = 11
    align: str = ""
    is_at_top: bool = False
    wraps: bool = False
    format: str = "General"


@dataclass(frozen=True, slots=True)
class Formula:
    """An array formula.

    Args:
        text: Without the equals sign.
        width: How many cells it fills, to the right.
    """

    text: str
    width: int = 1


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell below the header; without a style of its own it has its column's."""

    value: Plain | Formula = None
    style: Style | None = None


@dataclass(frozen=True, slots=True)
class Area:
    """Cells of a tab, from one corner to the other, each (row, column) from 1."""

    tab: str
    first: tuple[int, int]
    last: tuple[int, int]

    @property
    def address(self) -> str:
        """`'War Requests'!$A$2:$A$206`."""
        (top, left), (bottom, right) = self.first, self.last
        return f"{quoted(self.tab)}!{fixed(top, left)}:{fixed(bottom, right)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What some cells of a column take. Whatever else is typed there brings a warning, never a refusal.

    Args:
        rows: The first and the last row.
        source: A drop-down's values: where they stand, or the words themselves; None for no drop-down.
        low: Least number, None for no bound.
        high: Greatest number.
        is_whole: Only whole numbers.
        is_box: A check mark, where the spreadsheet has them; `source` says what it holds.
        says: The warning.
        hint: Shown while a cell is selected.
    """

    rows: tuple[int, int]
    source: Area | tuple[str, ...] | None = None
    low: float | None = None
    high: float | None = None
    is_whole: bool = False
    is_box: bool = False
    says: str = ""
    hint: str = ""

    @property
    def is_open(self) -> bool:
        """Whether the cells take anything."""
        return self.source is None and self.low is None and self.high is None


@dataclass(frozen=True, slots=True)
class Tint:
    """The colour of every cell of a column that shows one word."""

    word: str
    fill: str
    ink: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column.

    Args:
        header: Text of row 1.
        width: In characters.
        note: Of the header.
        heading: How the header looks.
        style: How the cells below look, the blank ones too.
        checks: What the cells take.
        tints: Colours by what a cell shows.
        aliases: Other spellings of the header.
        is_programs: People only read it.
    """

    header: str
    width: float
    note: str = ""
    heading: Style = field(default_factory=Style)
    style: Style = field(default_factory=Style)
    checks: Sequence[Check] = ()
    tints: Sequence[Tint] = ()
    aliases: Sequence[str] = ()
    is_programs: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """One tab.

    Args:
        name: As people see it.
        columns: From A.
        rows: Below the header.
        colour: Of the tab.
        kept_columns: How many columns stay in view when one scrolls to the right.
        has_header: Row 1 holds the headers and stays in view; a page of text has none.
        row_height: Points, of the first `sized_rows` rows below the header; 0 leaves it to the spreadsheet.
        sized_rows: How many rows, blank ones too.
        is_hidden: People need not see it.
        is_needed: A workbook that lacks the tab gets it when it is completed.
    """

    name: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]] = ()
    colour: str = ""
    kept_columns: int = 0
    has_header: bool = True
    row_height: float = 0
    sized_rows: int = 0
    is_hidden: bool = False
    is_needed: bool = True

    @property
    def is_programs(self) -> bool:
        """Whether people only read it."""
        return all(column.is_programs for column in self.columns)

    @property
    def top_row(self) -> tuple[str, ...]:
        """Texts of row 1."""
        if self.has_header:
            return tuple(column.header for column in self.columns)
        return tuple(str(cell.value or "") for cell in self.rows[0])


@dataclass(frozen=True, slots=True)
class Template:
    """A new workbook.

    Args:
        tabs: In the workbook's order.
        opens_with: Name of the tab that is shown first.
        season: The receipt of the season's beginning; None leaves it to the first ruling.
    """

    tabs: Sequence[Tab]
    opens_with: str
    season: Receipt | None = None

    @property
    def needed(self) -> tuple[str, ...]:
        """Names of the tabs that a workbook to be completed is read for."""
        return tuple(tab.name for tab in self.tabs if tab.is_needed)


def quoted(tab: str) -> str:
    """A tab's name as formulas spell it."""
    return tab if tab.isascii() and tab.isalpha() else "'" + tab.replace("'", "''") + "'"


def fixed(row: int, column: int) -> str:
    """`$C$14`: an address that stays when it is copied."""
    words = a1(row, column)
    digits = str(row)
    return f"${words.removesuffix(digits)}${digits}"
