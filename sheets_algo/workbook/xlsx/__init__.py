"""XLSX files as workbooks: checked before parsing, edited only in the affected parts, replaced atomically."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from sheets_algo.workbook.changes import ChangeSet, CommitResult
from sheets_algo.workbook.errors import BadAddress, WorkbookError, WorkbookUnavailable
from sheets_algo.workbook.findings import Finding, fail, ok, warn
from sheets_algo.workbook.notes import with_closed_note
from sheets_algo.workbook.snapshot import NO_NEEDS, Columns, Needs, Sheet, Snapshot
from sheets_algo.workbook.staleness import HEADER_ROWS, RECEIPTS_TAB, cell_of, refuse_changed_cells, refuse_used_guard
from sheets_algo.workbook.store import Workbook
from sheets_algo.workbook.tab_key import TabKey, meant
from sheets_algo.workbook.template_spec import Template
from sheets_algo.workbook.xlsx import commit
from sheets_algo.workbook.xlsx.file import backups
from sheets_algo.workbook.xlsx.file.locks import RunLock, refuse_if_open
from sheets_algo.workbook.xlsx.file.os_errors import clear_os_errors
from sheets_algo.workbook.xlsx.file.package import Limits, Package, SheetEntry
from sheets_algo.workbook.xlsx.formulas.recalc import has_uncalculated, recalculated, with_values
from sheets_algo.workbook.xlsx.read.reader import read_sheet

__all__ = ["Limits", "XlsxWorkbook"]

MOST_AT_ONCE = 4_000_000
"""Approximate maximum of characters that a commit writes, about 80 wars with their logs: all are held in memory.

Fewer would write a file of 1,000 wars so often that no backup from before the run is left.
"""


def utc_now() -> datetime:
    """Return the current time, UTC and aware."""
    return datetime.now(UTC)


class XlsxWorkbook(Workbook):
    """A workbook in one XLSX file.

    Args:
        path: Path of the file, or of a link to it.
        recalc: True to have LibreOffice compute formulas whose result is not in the file.
    """

    most_at_once = MOST_AT_ONCE

    def __init__(
        self,
        path: Path,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        clock: Callable[[], datetime] = utc_now,
        recalc: bool = False,
    ) -> None:
        # By whatever link a file is opened, it has one season, one secret and one record of its receipts.
        file = path.resolve() if os.path.islink(path) and os.path.exists(path) else path  # False if a name is too long
        self.folder, self._name = file.parent, file.name
        self._path = path
        self._limits = limits
        self._clock = clock
        self._recalc = recalc
        self._state: _State | None = None
        self._kept: Mapping[SheetKey, Sheet] = {}
        self._stamp: tuple[int, int, int] | None = None

    @property
    def name(self) -> str:
        """Name of the file, not of a link to it."""
        return self._name

    @property
    def place(self) -> str:
        """Return the path of the file without links."""
        return str(self._path.resolve())

    def at(self, place: str) -> Workbook:
        """Return the workbook at another path."""
        return XlsxWorkbook(Path(place), self._limits)

    def rooms(self, changes: int) -> Mapping[Path, int]:
        """Return the folders of the edited copy, of its note, and of the backups."""
        file = commit.resolved(self._path)
        with clear_os_errors(self.name, "read"):
            size = file.stat().st_size
        return {file.parent: size + changes, backups.folder_of(file): size}

    def read(self, tabs: Sequence[TabKey], headers_only: Sequence[TabKey] = (), needs: Needs = NO_NEEDS) -> Snapshot:
        """Read some tabs completely, and the first ten rows of those in `headers_only`; `needs` has no effect.

        Raises:
            WorkbookUnavailable: The file is missing, refused by the guard or damaged, two tabs have the same name, or
                LibreOffice is needed and not installed.
            WorkbookLocked: Another program keeps writing to the file.
        """
        self._stamp = self._file_stamp()  # taken before reading: a save during the read counts as a change
        state = self._state = self._read_state()
        sheets = {key: sheet for key in headers_only if (sheet := state.first_rows(key))}
        sheets |= {key: sheet for key in tabs if (sheet := state.sheet(key))}
        read = {sheet.title for sheet in sheets.values()}
        titles = (entry.name for entry in state.read.package.sheets if entry.is_worksheet)
        return Snapshot(sheets, state.read.revision, tuple(title for title in titles if title not in read))

    def is_unchanged(self) -> bool:
        """Return True if the file was not saved since the last read."""
        return self._stamp is not None and self._stamp == self._file_stamp()

    def has_formulas(self, snapshot: Snapshot, columns: Columns) -> bool:
        """Return True if cells of some columns show results of formulas.

        Raises:
            WorkbookError: The file has changed since `snapshot`, or a tab cannot be scanned.
        """
        from sheets_algo.workbook.xlsx.edit.caches import has_formulas

        return has_formulas(self._state_at(snapshot, commit.resolved(self._path)).read.package, columns)

    def commit(self, snapshot: Snapshot, changes: ChangeSet) -> CommitResult:
        """Write all of `changes` or nothing.

        Raises:
            StaleWorkbook: The file was saved since `snapshot`, a cell did not show its `before`, or the guard's number
                is in the Receipts tab.
            RefusedChange: A planned cell may not be written.
            WorkbookLocked: Another program or another run has the file open.
            WorkbookUnavailable: The file or its folder cannot be written.
        """
        if not changes:
            return CommitResult()
        file = commit.resolved(self._path)
        with clear_os_errors(self.name, "written"), RunLock(file, self._clock):
            refuse_if_open((self._path.absolute(), file))
            state = self._state_at(snapshot, file)
            if changes.note:
                changes = with_closed_note(changes, state.sheet(changes.note.tab))
            refuse_changed_cells(
                snapshot, changes.cells, lambda cell: cell_of(state.sheet(cell.tab), cell.row, cell.column)
            )
            if changes.guard is not None:
                refuse_used_guard(changes.guard, state.sheet(snapshot.key(RECEIPTS_TAB)))
            remarks = commit.replace(file, state.read, changes, self._clock, snapshot.sheets)
        self._state, self._kept = None, state.sheets_beside(changes)
        return CommitResult(remarks)

    def rehearse(self, snapshot: Snapshot, changes: ChangeSet) -> None:
        """Refuse what `commit` would refuse, and leave the file as it is.

        Raises:
            StaleWorkbook: The file has changed since `snapshot`.
            RefusedChange: A planned cell may not be written.
            WorkbookLocked: Another program has the file open.
            WorkbookUnavailable: The file is marked read-only.
        """
        from sheets_algo.workbook.xlsx.edit.patch import plan_changes

        file = commit.resolved(self._path)
        plan_changes(self._state_at(snapshot, file).read.package, changes, snapshot.sheets, is_rehearsal=True)
        with clear_os_errors(self.name, "written"):
            commit.refuse_read_only(file)
            refuse_if_open((self._path.absolute(), file))

    def settle(self) -> None:
        """Delete what a killed run left beside the file."""
        with suppress(WorkbookError, OSError):
            file = commit.resolved(self._path)
            lock = RunLock(file, self._clock)
            if lock.path.exists() or commit.leftovers(file):
                with lock:
                    commit.settle(file, self._clock)

    def is_new(self) -> bool:
        """Return True if there is no such file yet.

        Raises:
            BadAddress: Its name has another ending, or its folder does not exist.
        """
        if os.path.exists(self._path):
            return False
        if self._path.suffix.lower() != ".xlsx":
            raise BadAddress(f"a new workbook's name ends in .xlsx: {self._path.stem}.xlsx.")
        if not self.folder.is_dir():
            raise BadAddress(f"there is no folder {self.folder}; make it first.")
        return True

    def create(self, template: Template) -> None:
        """Write a new file, as a whole or not at all.

        Raises:
            WorkbookUnavailable: The path exists already, or its folder cannot be written.
        """
        from sheets_algo.workbook.xlsx.edit.new import write_new

        write_new(self._path, template)

    def complete(
        self, template: Template, missing: Callable[[Snapshot], ChangeSet], *, dry: bool = False
    ) -> tuple[TabKey, ...]:
        """Add the tabs and cells that the file lacks; new tabs look as in a new file.

        Raises:
            WorkbookError: As `read` and `commit`.
        """
        from sheets_algo.workbook.xlsx.completion import with_looks

        snapshot = self.read([tab.key for tab in template.tabs]).without(template.foreign)
        changes = missing(snapshot)
        if not dry:
            self.commit(snapshot, with_looks(changes, template, snapshot) if changes.tabs else changes)
        return changes.tabs_written

    def examine(self) -> Iterator[Finding]:
        """Yield findings about write access, other programs that have the file open, and protected tabs."""
        from sheets_algo.workbook.xlsx.edit.book import XlsxBook

        try:
            file = commit.resolved(self._path)
        except WorkbookError:
            return  # opening the file reports this better
        try:
            with clear_os_errors(self.name, "written"):
                if not os.access(file, os.W_OK):
                    yield fail("file", f"{self.name} is read-only: allow writing to it.")
                    return
                with RunLock(file, self._clock):
                    refuse_if_open((self._path.absolute(), file))
        except WorkbookError as error:
            yield warn("file", str(error))
            return
        yield ok("file", f"{self.name} can be read and written, and nobody has it open.")
        with suppress(WorkbookError):  # opening the file reports this better
            book = XlsxBook(commit.read_whole(file, self._limits).package)
            for number in [number for number, entry in enumerate(book.package.sheets) if entry.is_worksheet]:
                if (tab := book.open_tab(number)).xml.is_protected:
                    says = "the tab is protected: unprotect it, if the program writes there."
                    yield warn("protection", f'"{tab.name}": {says}')

    def _file_stamp(self) -> tuple[int, int, int] | None:
        """Return modification time, size and inode of the file; None if there is no file."""
        try:
            stat = self._path.stat()
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_size, stat.st_ino

    def _read_state(self) -> _State:
        kept, self._kept = self._kept, {}
        return _State(commit.read_whole(commit.resolved(self._path), self._limits), self._recalc, kept)

    def _state_at(self, snapshot: Snapshot, file: Path) -> _State:
        """Return the state of the file that the snapshot was read from.

        Raises:
            StaleWorkbook: The file has changed since.
        """
        if not commit.matches_revision(file, snapshot.revision):
            raise commit.stale_error(file)
        if self._state is not None and self._state.read.revision == snapshot.revision:
            return self._state
        state = self._read_state()
        if state.read.revision != snapshot.revision:
            raise commit.stale_error(file)
        return state


SheetKey = tuple[object, ...]
"""A tab with lengths and checksums of the parts that its cells are read from."""


class _State:
    """One revision of the file; each tab is read on first use and kept.

    Args:
        kept: The tabs of the revision before that a commit left alone.
    """

    def __init__(self, read: commit.ReadFile, recalc: bool, kept: Mapping[SheetKey, Sheet]) -> None:
        self.read = read
        self._recalc = recalc
        self._kept = kept
        self._recalculated: Package | None = None
        self._whole: dict[SheetEntry, Sheet] = {}

    def sheet(self, key: TabKey) -> Sheet | None:
        """Return all of a tab; None if it is absent."""
        entry = self._entry(key)
        if entry and entry not in self._whole:
            self._whole[entry] = self._kept.get(self._key(entry)) or self._sheet(entry, None)
        return self._whole[entry] if entry else None

    def sheets_beside(self, changes: ChangeSet) -> Mapping[SheetKey, Sheet]:
        """Return the tabs that changes leave alone; the receipts are read each time (RCP-19)."""
        written = filter(None, map(self._entry, (*changes.tabs_written, RECEIPTS_TAB)))
        left = self._whole.keys() - {*written} if not self._recalc else ()
        return {self._key(entry): self._whole[entry] for entry in left}

    def _key(self, entry: SheetEntry) -> SheetKey:
        package = self.read.package
        parts = (entry.part, package.related("styles"), package.related("sharedStrings"))
        return (entry.name, package.uses_1904, *(package.checksum(part) for part in parts if part))

    def first_rows(self, key: TabKey) -> Sheet | None:
        """Return the first rows of a tab; None if it is absent."""
        entry = self._entry(key)
        return self._sheet(entry, HEADER_ROWS) if entry else None

    def _entry(self, key: TabKey) -> SheetEntry | None:
        package = self.read.package
        kept = (entry for entry in package.sheets if entry.is_worksheet or not entry.part)  # reading refuses the latter
        tabs = meant(key, kept, lambda entry: entry.name)
        if len(tabs) > 1:
            raise WorkbookUnavailable(
                f'{package.name}: the tabs "{tabs[0].name}" and "{tabs[1].name}" differ in capitals or spaces only; '
                f"rename one of them."
            )
        return tabs[0] if tabs else None

    def _sheet(self, entry: SheetEntry, rows: int | None) -> Sheet:
        sheet = read_sheet(self.read.package, entry, rows)
        if not self._recalc or not has_uncalculated(sheet):
            return sheet
        if self._recalculated is None:
            self._recalculated = recalculated(self.read.package)
        return with_values(sheet, self._recalculated, rows)
