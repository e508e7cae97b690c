"""A workbook in memory: the simplest backend, for tests and for tables from other sources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sheets_algo.workbook.addresses import Address
from sheets_algo.workbook.cell_limits import fit, refused
from sheets_algo.workbook.changes import ChangeSet, CommitResult, NewTab, Picture, SetCell
from sheets_algo.workbook.errors import RefusedChange, StaleWorkbook
from sheets_algo.workbook.notes import with_closed_note
from sheets_algo.workbook.snapshot import NO_NEEDS, Needs, Sheet, Snapshot
from sheets_algo.workbook.staleness import HEADER_ROWS, RECEIPTS_TAB, cell_of, refuse_changed_cells, refuse_used_guard
from sheets_algo.workbook.store import Workbook
from sheets_algo.workbook.tab_key import TabKey, folded, meant
from sheets_algo.workbook.values import Plain, Value


class MemoryWorkbook(Workbook):
    """A workbook whose tabs are Python values.

    Args:
        tabs: Titles of tabs to their rows from row 1, each a row of cells from column A.
        protected: Titles of the tabs that only a forced change set may write to.
    """

    def __init__(
        self, tabs: Mapping[str, Iterable[Sequence[Value]]], name: str = "memory", protected: Iterable[str] = ()
    ) -> None:
        self._name = name
        self._tabs = [_Tab(title, rows) for title, rows in tabs.items()]
        self._protected = set(map(TabKey.named, protected))
        self._revision = 0
        self.posts = ""

    @property
    def name(self) -> str:
        """Name used in messages."""
        return self._name

    @property
    def tabs(self) -> tuple[str, ...]:
        """Titles of the tabs, in order."""
        return tuple(tab.title for tab in self._tabs)

    def rows(self, tab: str) -> list[Sequence[Value]]:
        """Return the rows of a tab from row 1, with an empty one for each blank row."""
        sheet = self._titled(tab).sheet()
        return [sheet.rows.get(number, ()) for number in range(1, sheet.last_row + 1)]

    def pictures(self, tab: str) -> tuple[Picture, ...]:
        """Return the pictures of a tab; none if the tab does not exist."""
        held = _tab(self._tabs, TabKey.named(tab))
        return tuple(held.pictures) if held else ()

    def type_in(self, tab: str, row: int, column: int, value: Value) -> None:
        """Set one cell (row and column from 1) as a person would, without any check."""
        self._titled(tab).put(row, column, value)
        self._revision += 1

    def delete_tab(self, tab: str) -> None:
        """Delete a tab as a person would."""
        self._tabs.remove(self._titled(tab))
        self._revision += 1

    def read(self, tabs: Sequence[TabKey], headers_only: Sequence[TabKey] = (), needs: Needs = NO_NEEDS) -> Snapshot:
        """Read some tabs completely, and the first ten rows of those in `headers_only`; `needs` has no effect."""
        sheets = {key: tab.sheet(HEADER_ROWS) for key in headers_only if (tab := _tab(self._tabs, key))}
        sheets |= {key: tab.sheet() for key in tabs if (tab := _tab(self._tabs, key))}
        read = {sheet.title for sheet in sheets.values()}
        return Snapshot(sheets, str(self._revision), tuple(title for title in self.tabs if title not in read))

    def noted_posts(self) -> str:
        """Return the note of posts of the last commit."""
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
        new_tabs = [tab.copy() for tab in self._tabs]
        remarks = _Writer(new_tabs, set() if changes.forced else self._protected).write(changes)
        self._tabs = new_tabs
        self._revision += 1
        self.posts = changes.posts or self.posts
        return CommitResult(tuple(remarks))

    def _refuse_stale(self, snapshot: Snapshot, changes: ChangeSet) -> None:
        if snapshot.revision != str(self._revision):
            raise StaleWorkbook(f"{self.name}: somebody changed it since it was read; nothing was written: read again.")
        keys = {cell.tab.name: cell.tab for cell in changes.cells} | {RECEIPTS_TAB.name: snapshot.key(RECEIPTS_TAB)}
        sheets = {name: tab.sheet() for name, key in keys.items() if (tab := _tab(self._tabs, key))}

        def value(cell: SetCell) -> Value:
            return cell_of(sheets.get(cell.tab.name), cell.row, cell.column)

        refuse_changed_cells(snapshot, changes.cells, value)
        refuse_used_guard(changes.guard, sheets.get(RECEIPTS_TAB.name))

    def _titled(self, title: str) -> _Tab:
        """Return the tab of a title, whatever other tab its key means."""
        return next(tab for tab in self._tabs if folded(tab.title) == folded(title))


def _tab(tabs: Iterable[_Tab], key: TabKey) -> _Tab | None:
    return next(iter(meant(key, tabs, lambda tab: tab.title)), None)


class _Tab:
    """A tab: cells by row and column, without the blank ones."""

    def __init__(self, title: str, rows: Iterable[Sequence[Value]] = ()) -> None:
        self.title = title
        self.cells: dict[int, dict[int, Value]] = {}
        self.pictures: list[Picture] = []
        for row, values in enumerate(rows, start=1):
            for column, value in enumerate(values, start=1):
                self.put(row, column, value)

    def copy(self) -> _Tab:
        other = _Tab(self.title)
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
            self.title,
            {
                row: tuple(cells.get(column) for column in range(1, max(cells) + 1))
                for row, cells in sorted(self.cells.items())
                if rows is None or row <= rows
            },
            height=max(self.cells, default=0) if rows else 0,
        )


class _Writer:
    """A writer of change sets into copies of tabs, which the caller discards if it raises."""

    def __init__(self, tabs: list[_Tab], protected: set[TabKey]) -> None:
        self._tabs = tabs
        self._protected = protected
        self._remarks: list[str] = []

    def write(self, changes: ChangeSet) -> list[str]:
        for new in changes.tabs:
            self._add(new)
        planned: dict[Address, Plain] = {}
        for cell in changes.cells:
            target, address = self._tab(cell.tab), (cell.tab, cell.row, cell.column)
            value = fit(target.title, cell.row, cell.column, cell.value, self._remarks)
            if planned.setdefault(address, value) != value:
                raise refused(address, target.title, "two values are planned for the cell")
            target.put(cell.row, cell.column, value)
        last_rows: dict[TabKey, int] = {}
        for row in changes.rows:
            target = self._tab(row.tab)
            last = last_rows.setdefault(row.tab, max(target.cells, default=0))
            self._append(target, last + 1, row.values)
            last_rows[row.tab] += last + 1 in target.cells
        for key in dict.fromkeys(picture.tab for picture in changes.pictures):
            self._tab(key).pictures = [picture for picture in changes.pictures if picture.tab == key]
        return self._remarks

    def _append(self, tab: _Tab, row: int, values: Sequence[Plain]) -> None:
        for column, value in enumerate(values, start=1):
            tab.put(row, column, fit(tab.title, row, column, value, self._remarks))

    def _add(self, new: NewTab) -> None:
        if any(folded(tab.title) == folded(new.tab.name) for tab in self._tabs):
            raise RefusedChange(f"{new.tab}: there is a tab of this name already; nothing was written.")
        self._tabs.append(_Tab(new.tab.name, [new.header]))

    def _tab(self, key: TabKey) -> _Tab:
        tab = _tab(self._tabs, key)
        if tab is None:
            raise RefusedChange(f"{key}: there is no tab of this name; nothing was written.")
        if key in self._protected:
            raise RefusedChange(f"{tab.title}: the tab is protected; nothing was written: unprotect or force it.")
        return tab
