"""A workbook in memory: the contract of `base` at its plainest, for tests and for tables that come from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sheets_algo.workbook.base import (
    NO_NEEDS,
    ChangeSet,
    Committed,
    Needs,
    NewTab,
    Picture,
    Plain,
    RefusedChange,
    Sheet,
    Snapshot,
    StaleWorkbook,
    Value,
    tab_key,
)
from sheets_algo.workbook.fitting import fit, refused
from sheets_algo.workbook.notes import with_closed_note
from sheets_algo.workbook.staleness import HEADER_ROWS, RECEIPTS_TAB, cell_of, refuse_changed_cells, refuse_used_guard


class MemoryWorkbook:
    """Tabs held as Python values.

    Args:
        tabs: Tab name to its rows from row 1, each a row of cells from column A.
        name: What messages call it.
        protected: Tabs that only a forced change set writes to.
    """

    def __init__(
        self, tabs: Mapping[str, Iterable[Sequence[Value]]], name: str = "memory", protected: Iterable[str] = ()
    ) -> None:
        self._name = name
        self._tabs = {tab_key(tab): _Tab(tab, rows) for tab, rows in tabs.items()}
        self._protected = {tab_key(tab) for tab in protected}
        self._revision = 0

    @property
    def name(self) -> str:
        """What messages call it."""
        return self._name

    def pictures(self, tab: str) -> tuple[Picture, ...]:
        """The pictures that a tab shows; none of a tab that does not exist."""
        found = self._tabs.get(tab_key(tab))
        return tuple(found.pictures) if found else ()

    def type_in(self, tab: str, row: int, column: int, value: Value) -> None:
        """What a person does: one cell (row and column from 1) gets a value, unguarded."""
        self._tabs[tab_key(tab)].put(row, column, value)
        self._revision += 1

    def read(self, tabs: Sequence[str], headers_only: Sequence[str] = (), needs: Needs = NO_NEEDS) -> Snapshot:
        """The named tabs, whole; of those in `headers_only` the first ten rows; no tab is ever missed."""
        sheets = {key: self._tabs[key].sheet(HEADER_ROWS) for key in map(tab_key, headers_only) if key in self._tabs}
        sheets |= {key: self._tabs[key].sheet() for key in map(tab_key, tabs) if key in self._tabs}
        return Snapshot(sheets, str(self._revision))

    def is_as_read(self) -> bool:
        """False: reading it costs nothing."""
        return False

    def commit(self, snapshot: Snapshot, changes: ChangeSet) -> Committed:
        """All of `changes` or nothing.

        Raises:
            StaleWorkbook: The workbook was changed since `snapshot`, a cell does not show its `before`, or the guard's
                number is in the Receipts tab.
            RefusedChange: A tab is missing, exists already or is protected, or a value fits no cell.
        """
        if changes.note:
            changes = with_closed_note(changes, self.read([changes.note.tab]).sheet(changes.note.tab))
        if not changes:
            return Committed()
        self._refuse_stale(snapshot, changes)
        after = {key: tab.copy() for key, tab in self._tabs.items()}
        remarks = _Writer(after, set() if changes.forced else self._protected).write(changes)
        self._tabs = after
        self._revision += 1
        return Committed(tuple(remarks))

    def _refuse_stale(self, snapshot: Snapshot, changes: ChangeSet) -> None:
        if snapshot.revision != str(self._revision):
            raise StaleWorkbook(f"{self.name}: somebody changed it since it was read; nothing was written: read again.")
        sheets = {key: tab.sheet() for key, tab in self._tabs.items()}
        refuse_changed_cells(changes.cells, lambda cell: cell_of(sheets.get(tab_key(cell.tab)), cell.row, cell.column))
        refuse_used_guard(changes.guard, sheets.get(tab_key(RECEIPTS_TAB)))


class _Tab:
    """One tab: its cells by row and column, blank ones absent."""

    def __init__(self, name: str, rows: Iterable[Sequence[Value]] = ()) -> None:
        self.name = name
        self.cells: dict[int, dict[int, Value]] = {}
        self.pictures: list[Picture] = []
        for row, values in enumerate(rows, start=1):
            for column, value in enumerate(values, start=1):
                self.put(row, column, value)

    def copy(self) -> _Tab:
        other = _Tab(self.name)
        other.cells = {row: dict(cells) for row, cells in self.cells.items()}
        other.pictures = list(self.pictures)
        return other

    def put(self, row: int, column: int, value: Value) -> None:
        if value is not None:
            self.cells.setdefault(row, {})[column] = value
        elif row in self.cells:
            self.cells[row].pop(column, None)
            if not self.cells[row]:
                del self.cells[row]

    def sheet(self, rows: int | None = None) -> Sheet:
        """The tab as read: all of it, or its first rows."""
        return Sheet(
            self.name,
            {
                row: tuple(cells.get(column) for column in range(1, max(cells) + 1))
                for row, cells in sorted(self.cells.items())
                if rows is None or row <= rows
            },
        )


class _Writer:
    """Writes a change set into tabs that are thrown away if anything is refused."""

    def __init__(self, tabs: dict[str, _Tab], protected: set[str]) -> None:
        self._tabs = tabs
        self._protected = protected
        self._remarks: list[str] = []

    def write(self, changes: ChangeSet) -> list[str]:
        for tab in changes.tabs:
            self._add(tab)
        planned: dict[tuple[str, int, int], Plain] = {}
        for cell in changes.cells:
            value = fit(cell.tab, cell.row, cell.column, cell.value, self._remarks)
            if planned.setdefault((tab_key(cell.tab), cell.row, cell.column), value) != value:
                raise refused(cell.tab, cell.row, cell.column, "two values are planned for the cell")
            self._tab(cell.tab).put(cell.row, cell.column, value)
        below: dict[str, int] = {}
        for row in changes.rows:
            its = self._tab(row.tab)
            if its.name not in below:
                below[its.name] = max(its.cells, default=0)
            self._append(its, below[its.name] + 1, row.values)
            below[its.name] += below[its.name] + 1 in its.cells
        for tab_name in dict.fromkeys(tab_key(picture.tab) for picture in changes.pictures):
            self._tab(tab_name).pictures = [picture for picture in changes.pictures if tab_key(picture.tab) == tab_name]
        return self._remarks

    def _append(self, tab: _Tab, row: int, values: Sequence[Plain]) -> None:
        for column, value in enumerate(values, start=1):
            tab.put(row, column, fit(tab.name, row, column, value, self._remarks))

    def _add(self, tab: NewTab) -> None:
        if tab_key(tab.name) in self._tabs:
            raise RefusedChange(f"{tab.name}: there is a tab of this name already; nothing was written.")
        self._tabs[tab_key(tab.name)] = _Tab(tab.name, [tab.header])

    def _tab(self, name: str) -> _Tab:
        tab = self._tabs.get(tab_key(name))
        if tab is None:
            raise RefusedChange(f"{name}: there is no tab of this name; nothing was written.")
        if tab_key(name) in self._protected:
            raise RefusedChange(f"{tab.name}: the tab is protected; nothing was written: unprotect or force it.")
        return tab
