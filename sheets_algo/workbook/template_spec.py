"""The description of a new workbook: tabs, columns, allowed values and formats; it needs no spreadsheet library."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sheets_algo.workbook.addresses import letters
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.values import Plain

BATTLE_MAP = TabKey.named("Battle Map")
"""The tab that shows the picture of the last ruling."""
WORLD_MAP = TabKey.named("World Map")
"""The tab that shows the map of the game."""
PICTURE_TABS = (BATTLE_MAP, WORLD_MAP)
MAP_CAPTION = "The map of"
"""The beginning of the text in the first cell of such a tab."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """Format of a cell. Colours are RRGGBB; a blank field means the spreadsheet's default."""

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
class FormulaSpec:
    """An array formula."""

    text: str  # Formula without the equals sign
    width: int = 1  # Number of cells that it fills, to the right


@dataclass(frozen=True, slots=True)
class CellSpec:
    """A cell below the header; without a style, that of its column applies."""

    value: Plain | FormulaSpec = None
    style: Style | None = None


@dataclass(frozen=True, slots=True)
class AreaSpec:
    """A rectangle of cells in a tab, given by two corners, each (row, column) from 1."""

    tab: TabKey
    first: tuple[int, int]
    last: tuple[int, int]

    @property
    def address(self) -> str:
        """Absolute address, e.g. `'War Requests'!$A$2:$A$206`."""
        (top, left), (bottom, right) = self.first, self.last
        return f"{quoted(self.tab.name)}!{fixed(top, left)}:{fixed(bottom, right)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CellCheck:
    """The values allowed in some cells of a column; any other value causes a warning, never a refusal."""

    rows: tuple[int, int]  # First and last row, from 1
    # Values of a drop-down list: the cells that hold them, or the words; None for no drop-down list.
    source: AreaSpec | tuple[str, ...] | None = None
    low: float | None = None  # Minimum number allowed, None for no bound
    high: float | None = None  # Maximum number allowed, None for no bound
    is_whole: bool = False  # True if only whole numbers are allowed
    is_box: bool = False  # True for a check box where the spreadsheet has them; `source` gives its two values
    says: str = ""  # Text of the warning
    hint: str = ""  # Text shown while a cell is selected

    @property
    def is_open(self) -> bool:
        """Return True if any value is allowed."""
        return self.source is None and self.low is None and self.high is None


@dataclass(frozen=True, slots=True)
class Tint:
    """Fill and text colour of the cells of a column that show a certain word."""

    word: str
    fill: str
    ink: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnSpec:
    """A column of a tab."""

    header: str  # Text in row 1
    width: float  # Width in characters
    note: str = ""  # Note attached to the header
    heading: Style = field(default_factory=Style)  # Style of the header
    style: Style = field(default_factory=Style)  # Style of the cells below the header, blank ones included
    checks: Sequence[CellCheck] = ()  # Checks of the values in its cells
    tints: Sequence[Tint] = ()  # Colours of cells that show certain words
    aliases: Sequence[str] = ()  # Other accepted spellings of the header
    is_programs: bool = False  # True if the program fills the column and people only read it
    is_grouped: bool = False  # True if the column is in a group with its neighbours, opened and closed with a click


@dataclass(frozen=True, slots=True, kw_only=True)
class TabSpec:
    """A tab of a workbook."""

    key: TabKey  # Its name is the title in a new workbook
    columns: Sequence[ColumnSpec]  # Columns from A
    rows: Sequence[Sequence[CellSpec]] = ()  # Rows below the header
    colour: str = ""  # Colour of the tab, RRGGBB
    kept_columns: int = 0  # Number of columns that stay visible when scrolling to the right
    has_header: bool = True  # True if row 1 holds the headers and stays visible; False for a page of text
    # Height in points of the first `sized_rows` rows below the header; 0 for the spreadsheet's default.
    row_height: float = 0
    sized_rows: int = 0  # Number of rows with that height, blank ones included
    # Number of first columns that hold an id in blank rows too, so that they do not show which rows are in use.
    numbered_columns: int = 0
    is_hidden: bool = False  # True if the tab is hidden
    is_needed: bool = True  # True if the tab is added to a workbook that lacks it when the workbook is completed
    is_open: bool = False  # True if its groups of columns are open at first

    @property
    def name(self) -> str:
        """Return the name of the tab."""
        return self.key.name

    @property
    def groups(self) -> tuple[range, ...]:
        """Return the numbers of the columns of each group."""
        runs = itertools.groupby(enumerate(self.columns, start=1), key=lambda pair: pair[1].is_grouped)
        numbers = [[number for number, _ in run] for is_grouped, run in runs if is_grouped]
        return tuple(range(run[0], run[-1] + 1) for run in numbers)

    @property
    def is_programs(self) -> bool:
        """Return True if the program fills all columns and people only read them."""
        return all(column.is_programs for column in self.columns)

    @property
    def top_row(self) -> tuple[str, ...]:
        """Return the texts in row 1."""
        if self.has_header:
            return tuple(column.header for column in self.columns)
        return tuple(str(cell.value or "") for cell in self.rows[0])


@dataclass(frozen=True, slots=True)
class SeasonStart:
    """The receipt that begins a season."""

    seq: int  # Number of the receipt
    digest: str  # SHA-256 of the season secret, in hexadecimal
    time: str  # Time of the beginning in ISO 8601
    head: Head  # The end of the chain of receipts, which is this receipt


@dataclass(frozen=True, slots=True)
class Template:
    """The description of a new workbook."""

    tabs: Sequence[TabSpec]  # Tabs in the order of the workbook
    opens_with: TabKey  # The tab that is shown first
    season: SeasonStart | None = None  # Receipt that begins the season; None if the first ruling begins it
    foreign: Mapping[TabKey, str] = field(default_factory=dict)  # Titles of tabs of people's own, as of `Snapshot`

    @property
    def needed(self) -> tuple[TabKey, ...]:
        """Return the tabs that are read when a workbook is completed."""
        return tuple(tab.key for tab in self.tabs if tab.is_needed)


def quoted(tab: str) -> str:
    """Return a tab's name as formulas write it, in apostrophes where necessary."""
    return tab if tab.isascii() and tab.isalpha() else "'" + tab.replace("'", "''") + "'"


def fixed(row: int, column: int) -> str:
    """Return an absolute address such as `$C$14`, which does not change when it is copied."""
    return f"${letters(column)}${row}"
