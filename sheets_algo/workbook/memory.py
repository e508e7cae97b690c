"""A workbook in memory: the simplest backend, for tests and for tables that come from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sheets_algo.workbook.cell_limits import fit, refused
from sheets_algo.workbook.changes import ChangeSet, CommitResult, NewTab, Picture
from sheets_algo.workbook.errors import RefusedChange, StaleWorkbook
from sheets_algo.workbook.notes import with_closed_note
from sheets_algo.workbook.snapshot import NO_NEEDS, Needs, Sheet, Snapshot, tab_key
from sheets_algo.workbook.staleness import HEADER_ROWS, RECEIPTS_TAB, cell_of, refuse_changed_cells, refuse_used_guard
from sheets_algo.workbook.store import Workbook
from sheets_algo.workbook.values import Plain, Value


class MemoryWorkbook(Workbook):
    """A workbook whose tabs are Python values.

    Args:
        tabs: Tab name to its rows from row 1, each a row of cells from column A.
        protected: Names of the tabs that only a forced change set may write to.
    """

    def __init__(
        self, tabs: Mapping[str, Iterable[Sequence[Value]]], name: str = "memory", protected: Iterable[str] = ()
    ) -> None:
        self._name = name
        self._tabs = {tab_key(tab): _Tab(tab, rows) for tab, rows in tabs.items()}
        self._protected = {tab_key(tab) for tab in protected}
        self._revision = 0
        self.posts = ""

    @property
    def name(self) -> str:
        """Name used in messages."""
        return self._name

    @property
    def tabs(self) -> tuple[str, ...]:
        """Names of the tabs, in order."""
        return tuple(tab.name for tab in self._tabs.values())

    def rows(self, tab: str) -> list[Sequence[Value]]:
        """Return the rows of a tab from row 1, with an empty one for each blank row."""
        sheet = self._tabs[tab_key(tab)].sheet()
        return [sheet.rows.get(number, ()) for number in range(1, sheet.last_row + 1)]

    def pictures(self, tab: str) -> tuple[Picture, ...]:
        """Return the pictures of a tab; none if the tab does not exist."""
        held = self._tabs.get(tab_key(tab))
        return tuple(held.pictures) if held else ()

    def type_in(self, tab: str, row: int, column: int, value: Value) -> None:
        """Set one cell (row and column from 1) as a person would, without any check."""
        self._tabs[tab_key(tab)].put(row, column, value)
        self._revision += 1

    def delete_tab(self, tab: str) -> None:
        """Delete a tab as a person would."""
        del self._tabs[tab_key(tab)]
        self._revision += 1

    def read(self, tabs: Sequence[str], headers_only: Sequence[str] = (), needs: Needs = NO_NEEDS) -> Snapshot:
        """Read the named tabs completely, and the first ten rows of those in `headers_only`; `needs` has no effect."""
        sheets = {key: self._tabs[key].sheet(HEADER_ROWS) for key in map(tab_key, headers_only) if key in self._tabs}
        sheets |= {key: self._tabs[key].sheet() for key in map(tab_key, tabs) if key in self._tabs}
        others = tuple(tab.name for key, tab in self._tabs.items() if key not in sheets)
        return Snapshot(sheets, str(self._revision), others)

    def noted_posts(self) -> str:
        """Return what the last commit noted of posts."""
        return self.posts

    def commit(self, snapshot: Snapshot, changes: ChangeSet) -> CommitResult:
        """Write all of `changes` or nothing.

        Raises:
            StaleWorkbook: The workbook was changed since `snapshot`, a cell does not show its `before`, or the guard's
                number is in the Receipts tab.
            RefusedChange: A tab is missing, exists already or is protected, or a value fits no cell.
        """
        if changes.note:
            changes = with_closed_note(changes, self.read([changes.note.tab]).sheet(changes.note.tab))
        if not changes:
            return CommitResult()
        self._refuse_stale(snapshot, changes)
        new_tabs = {key: tab.copy() for key, tab in self._tabs.items()}
        remarks = _Writer(new_tabs, set() if changes.forced else self._protected).write(changes)
        self._tabs = new_tabs
        self._revision += 1
        self.posts = changes.posts or self.posts
        return CommitResult(tuple(remarks))

    def _refuse_stale(self, snapshot: Snapshot, changes: ChangeSet) -> None:
        if snapshot.revision != str(self._revision):
            raise StaleWorkbook(f"{self.name}: somebody changed it since it was read; nothing was written: read again.")
        sheets = {key: tab.sheet() for key, tab in self._tabs.items()}
        refuse_changed_cells(changes.cells, lambda cell: cell_of(sheets.get(tab_key(cell.tab)), cell.row, cell.column))
        refuse_used_guard(changes.guard, sheets.get(tab_key(RECEIPTS_TAB)))


class _Tab:
    """A tab: cells by row and column, without the blank ones."""

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
        """Return the tab as a sheet: all rows, or the first `rows`."""
        return Sheet(
            self.name,
            {
                row: tuple(cells.get(column) for column in range(1, max(cells) + 1))
                for row, cells in sorted(self.cells.items())
                if rows is None or row <= rows
            },
        )


class _Writer:
    """A writer of change sets into copies of tabs, which the caller discards if it raises."""

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
        last_rows: dict[str, int] = {}
        for row in changes.rows:
            target = self._tab(row.tab)
            if target.name not in last_rows:
                last_rows[target.name] = max(target.cells, default=0)
            self._append(target, last_rows[target.name] + 1, row.values)
            last_rows[target.name] += last_rows[target.name] + 1 in target.cells
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
