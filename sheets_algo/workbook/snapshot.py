"""The content of a workbook at one time of reading. Rows and columns count from 1, as in A1 addresses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from sheets_algo.workbook.values import Value


@dataclass(frozen=True, slots=True)
class Sheet:
    """One tab as read."""

    name: str  # The tab's name as the workbook spells it
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

    sheets: Mapping[str, Sheet]  # Tab key (see `tab_key`) to sheet; tabs that do not exist are absent
    revision: str = ""  # Identifier of the state that was read; `commit` refuses any other state
    others: tuple[str, ...] = ()  # Titles of the tabs that were not asked for, so that a misspelt one can be named

    def sheet(self, name: str) -> Sheet | None:
        """Return the tab of that name, regardless of case and surrounding spaces; None if it is absent."""
        return self.sheets.get(tab_key(name))


Columns = Mapping[str, Sequence[int]]
"""Tab key to numbers of columns, from 1."""


def tab_key(name: str) -> str:
    """Return the key by which tab names are compared: without regard to case and to surrounding or repeated spaces."""
    return " ".join(name.split()).casefold()


Needs = Mapping[str, Sequence[str]]
"""Tab name to the names of the tabs that it depends on."""


NO_NEEDS: Needs = MappingProxyType({})
