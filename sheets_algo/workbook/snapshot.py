"""The content of a workbook at one time of reading. Rows and columns count from 1, as in A1 addresses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.values import Value


@dataclass(frozen=True, slots=True)
class Sheet:
    """One tab as read."""

    title: str  # The tab's title in the workbook
    # Row number to that row's cells from column A, without trailing blank cells; blank rows are absent.
    rows: Mapping[int, Sequence[Value]]
    # Ranges of merged cells that touch the rows read, as (first row, first column, last row, last column).
    merged: Sequence[tuple[int, int, int, int]] = ()

    @property
    def last_row(self) -> int:
        """Number of the last row that holds anything, 0 for an empty tab."""
        return max(self.rows, default=0)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The content of a workbook at one time of reading."""

    sheets: Mapping[TabKey, Sheet]  # Tabs that do not exist are absent
    revision: str = ""  # Identifier of the state that was read; `commit` refuses any other state
    others: tuple[str, ...] = ()  # Titles of the tabs that were not asked for, so that a misspelt one can be named

    def sheet(self, tab: TabKey) -> Sheet | None:
        """Return a tab; None if it is absent."""
        return self.sheets.get(tab)

    def title(self, tab: TabKey) -> str:
        """Return the title of a tab in the workbook, else its name."""
        return self.sheets[tab].title if tab in self.sheets else tab.name


Areas = Sequence[tuple[TabKey, tuple[int, int, int, int]]]
"""Tab with first row, first column, last row and last column, from 1; columns 0 for whole rows."""


Columns = Mapping[TabKey, Sequence[int]]
"""Numbers of columns of tabs, from 1."""


Needs = Mapping[TabKey, Sequence[TabKey]]
"""Tabs to the tabs that they depend on."""


NO_NEEDS: Needs = MappingProxyType({})
