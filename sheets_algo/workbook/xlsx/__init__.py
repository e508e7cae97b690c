"""XLSX files as workbooks: read behind a guard, edited in the touched parts alone, replaced whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sheets_algo.workbook.base import (
    NO_NEEDS,
    ChangeSet,
    Committed,
    Needs,
    Sheet,
    Snapshot,
    WorkbookUnavailable,
    tab_key,
)
from sheets_algo.workbook.notes import with_closed_note
from sheets_algo.workbook.staleness import HEADER_ROWS, RECEIPTS_TAB, cell_of, refuse_changed_cells, refuse_used_guard
from sheets_algo.workbook.xlsx import commit
from sheets_algo.workbook.xlsx.locks import RunLock, refuse_if_open
from sheets_algo.workbook.xlsx.package import Limits, Package, SheetEntry
from sheets_algo.workbook.xlsx.reader import read_sheet
from sheets_algo.workbook.xlsx.recalc import has_uncalculated, recalculated, with_values

__all__ = ["Limits", "XlsxWorkbook"]


def utc_now() -> datetime:
    """The time now, aware."""
    return datetime.now(UTC)


class XlsxWorkbook:
    """One XLSX file.

    Args:
        path: The file, or a link to it.
        limits: How large a file may be before the guard refuses it.
        clock: The time now, UTC and aware.
        recalc: Have LibreOffice compute formulas that carry no value in the file.
    """

    def __init__(
        self,
        path: Path,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        clock: Callable[[], datetime] = utc_now,
        recalc: bool = False,
    ) -> None:
        self._path = path
        self._limits = limits
        self._clock = clock
        self._recalc = recalc
        self._state: _State | None = None
        self._stamp: tuple[int, int, int] | None = None

    @property
    def name(self) -> str:
        """The file's name."""
        return self._path.name

    def read(self, tabs: Sequence[str], headers_only: Sequence[str] = (), needs: Needs = NO_NEEDS) -> Snapshot:
        """The named tabs, whole; of those in `headers_only` the first ten rows; no tab is ever missed.

        Raises:
            WorkbookUnavailable: The file is missing, refused by the guard or damaged, two tabs go by one name, or
                LibreOffice is needed and is not there.
            WorkbookLocked: Another program keeps writing to it.
        """
        self._stamp = self._stamped()  # before it is read: what is saved meanwhile is a change
        state = self._state = self._read_state()
        sheets = {key: sheet for key in map(tab_key, headers_only) if (sheet := state.top(key))}
        sheets |= {key: sheet for key in map(tab_key, tabs) if (sheet := state.whole(key))}
        return Snapshot(sheets, state.read.revision)

    def is_as_read(self) -> bool:
        """Whether nobody has saved the file since the last read."""
        return self._stamp is not None and self._stamp == self._stamped()

    def commit(self, snapshot: Snapshot, changes: ChangeSet) -> Committed:
        """All of `changes` or nothing.

        Raises:
            StaleWorkbook: The file was saved since `snapshot`, a cell did not show its `before`, or the guard's number
                is in the Receipts tab.
            RefusedChange: A planned cell may not be written.
            WorkbookLocked: Another program or another run has the file open.
            WorkbookUnavailable: The file or its folder cannot be written.
        """
        if not changes:
            return Committed()
        file = commit.resolved(self._path)
        with self._writing(file) as (lock, remarks):
            state = self._state_of(snapshot, file)
            if changes.note:
                changes = with_closed_note(changes, state.whole(tab_key(changes.note.tab)))
            refuse_changed_cells(
                changes.cells, lambda cell: cell_of(state.whole(tab_key(cell.tab)), cell.row, cell.column)
            )
            if changes.guard is not None:
                refuse_used_guard(changes.guard, state.whole(tab_key(RECEIPTS_TAB)))
            remarks += commit.replace(file, state.read, changes, lock, self._clock)
        self._state = None
        return Committed(remarks)

    def _stamped(self) -> tuple[int, int, int] | None:
        """What tells the file from itself before it was saved; None when there is none."""
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    @contextmanager
    def _writing(self, file: Path) -> Iterator[tuple[RunLock, tuple[str, ...]]]:
        """Hold the lock, with nobody else's office program on the file."""
        with commit.in_one_sentence(self.name, "written"), RunLock(file, self._clock) as lock:
            yield lock, refuse_if_open((self._path.absolute(), file))

    def _read_state(self) -> _State:
        return _State(commit.read_whole(commit.resolved(self._path), self._limits), self._recalc)

    def _state_of(self, snapshot: Snapshot, file: Path) -> _State:
        """The file as the snapshot saw it.

        Raises:
            StaleWorkbook: It is another one by now.
        """
        if not commit.is_untouched(file, snapshot.revision):
            raise commit.stale(file)
        if self._state is not None and self._state.read.revision == snapshot.revision:
            return self._state
        state = self._read_state()
        if state.read.revision != snapshot.revision:
            raise commit.stale(file)
        return state


class _State:
    """One revision of the file; tabs are read when they are asked for, and once."""

    def __init__(self, read: commit.Read, recalc: bool) -> None:
        self.read = read
        self._recalc = recalc
        self._recalculated: Package | None = None
        self._whole: dict[str, Sheet] = {}

    def whole(self, key: str) -> Sheet | None:
        """A tab by its key, all of it."""
        if key not in self._whole and (entry := self._entry(key)):
            self._whole[key] = self._sheet(entry, None)
        return self._whole.get(key)

    def top(self, key: str) -> Sheet | None:
        """The first rows of a tab by its key."""
        entry = self._entry(key)
        return self._sheet(entry, HEADER_ROWS) if entry else None

    def _entry(self, key: str) -> SheetEntry | None:
        package = self.read.package
        found = [entry for entry in package.sheets if entry.is_worksheet and tab_key(entry.name) == key]
        if len(found) > 1:
            raise WorkbookUnavailable(
                f'{package.name}: the tabs "{found[0].name}" and "{found[1].name}" differ in capitals or spaces only; '
                f"rename one of them."
            )
        return found[0] if found else None

    def _sheet(self, entry: SheetEntry, rows: int | None) -> Sheet:
        sheet = read_sheet(self.read.package, entry, rows)
        if not self._recalc or not has_uncalculated(sheet):
            return sheet
        if self._recalculated is None:
            self._recalculated = recalculated(self.read.package)
        return with_values(sheet, self._recalculated, rows)
