"""The content of a workbook at one time of reading. Rows and columns count from 1, as in A1 addresses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.values import Value


@dataclass(frozen=True, slots=True)
class OwnHeaders:
    """Meaning of the headers of a person's own tab, by the tab Columns (DB-17)."""

    columns: Mapping[str, tuple[str, ...]]  # The program's headers by people's own; none for a column that stays theirs
    factors: Mapping[str, float] = field(default_factory=dict)  # The factor of numbers, by people's own header


@dataclass(frozen=True, slots=True)
class Sheet:
    """One tab as read."""

    title: str  # The tab's title in the workbook
    # Row number to that row's cells from column A, without trailing blank cells; blank rows are absent.
    rows: Mapping[int, Sequence[Value]]
    # Ranges of merged cells that touch the rows read, as (first row, first column, last row, last column).
    merged: Sequence[tuple[int, int, int, int]] = ()
    height: int = field(default=0, compare=False)  # The number of the tab's rows, where only the first ones were read
    own: OwnHeaders | None = None  # The meaning of its headers, if it is a tab of people's own; else they are declared
    # What follows from its cells, by record class and what it is, so that it is worked out once for all databases.
    derived: dict[tuple[type, str], Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def last_row(self) -> int:
        """Return the number of the last row with content, 0 for an empty tab."""
        return max(self.rows, default=0)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The content of a workbook at one time of reading."""

    sheets: Mapping[TabKey, Sheet]  # Tabs that do not exist are absent
    revision: str = ""  # Identifier of the state that was read; `commit` refuses any other state
    others: tuple[str, ...] = ()  # Titles of the other tabs, so that a misspelt one can be named
    # Titles of people's own tabs under the name of a tab of the program, which are not read.
    foreign: Mapping[TabKey, str] = field(default_factory=dict)
    # Titles of people's own tabs in place of tabs of the program (DB-17), whether or not they exist.
    own: Mapping[TabKey, str] = field(default_factory=dict)

    def sheet(self, tab: TabKey) -> Sheet | None:
        """Return a tab; None if it is absent."""
        return self.sheets.get(tab)

    def title(self, tab: TabKey) -> str:
        """Return the title of a tab in the workbook, else its name."""
        return self.sheets[tab].title if tab in self.sheets else self.key(tab).name

    def without(self, foreign: Mapping[TabKey, str]) -> Snapshot:
        """Return the snapshot without tabs of people's own, given by key and title."""
        sheets = {key: sheet for key, sheet in self.sheets.items() if sheet.title != foreign.get(key)}
        others = tuple(title for title in self.others if title not in foreign.values())
        return replace(self, sheets=sheets, others=others, foreign=foreign)

    def key(self, tab: TabKey) -> TabKey:
        """Return the key under which a tab is written; it never means a tab of people's own."""
        return tab.beside if tab in self.foreign else tab


Areas = Sequence[tuple[TabKey, tuple[int, int, int, int]]]
"""Tab with first row, first column, last row and last column, from 1; columns 0 for whole rows."""


Columns = Mapping[TabKey, Sequence[int]]
"""Numbers of columns of tabs, from 1."""


Needs = Mapping[TabKey, Sequence[TabKey]]
"""Tabs to the tabs that they depend on."""


NO_NEEDS: Needs = MappingProxyType({})
