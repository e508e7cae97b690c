"""A Google spreadsheet as a workbook: cached titles, one reading and one guarded batch per commit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sheets_algo.workbook.addresses import letters
from sheets_algo.workbook.changes import ChangeSet, CommitResult
from sheets_algo.workbook.errors import StaleWorkbook, WorkbookUnavailable
from sheets_algo.workbook.findings import Finding
from sheets_algo.workbook.google.changes import ASKED_S, AccountChanges
from sheets_algo.workbook.google.commit import guard
from sheets_algo.workbook.google.commit.spreadsheet_writer import MOVED, SpreadsheetWriter
from sheets_algo.workbook.google.http.api import Api, BadRequest
from sheets_algo.workbook.google.read import reading
from sheets_algo.workbook.google.read.known_spreadsheet import KnownSpreadsheet
from sheets_algo.workbook.google.read.live_cells import FORMULA_FIELDS, cells_by_tab
from sheets_algo.workbook.google.read.titles import GoogleTab, quoted
from sheets_algo.workbook.google.read.trace import Trace
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.snapshot import NO_NEEDS, Areas, Columns, Needs, Snapshot
from sheets_algo.workbook.staleness import HEADER_ROWS, RECEIPTS_TAB
from sheets_algo.workbook.store import RemoteLook, RequestCounts, Workbook
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.template_spec import Template

MOST_AT_ONCE = 1_500_000
"""Approximate maximum of characters that a commit sends; Google recommends less than 2 MB."""

TITLES_SERVE = timedelta(minutes=10)
"""The age after which the tabs are looked up again, so that added ones are found."""

CALM_SERVE = timedelta(hours=1)
"""The age after which everything is read again although Drive has reported no change."""

PIECE = 1_000
"""Number of receipts that one request reads: many more would exceed the longest answer."""

READS = 3
"""Maximum number of readings of receipts that move meanwhile."""

EDITED = "somebody edited it while it was read: read again."


def utc_now() -> datetime:
    """Return the time now, aware."""
    return datetime.now(UTC)


class GoogleWorkbook(Workbook):
    """One Google spreadsheet.

    Cells that show an error are read as the error's text, e.g. `#REF!`; dates are read as the numbers that they are.
    Where such a number might be a year, the reading before a write reveals the date: nothing is written, and the next
    read has the date. A snapshot has no revision: a commit compares the edited rows with those of the snapshot.

    Args:
        folder: The folder of logs, pictures and the season secret.
        clock: A function that returns the time now, UTC and aware.
        changes: Drive's reports of the account's spreadsheets, for a watcher.
    """

    most_at_once = MOST_AT_ONCE
    has_scripts = True

    def __init__(
        self,
        api: Api,
        *,
        folder: Path = Path(),
        clock: Callable[[], datetime] = utc_now,
        changes: AccountChanges | None = None,
    ) -> None:
        self.folder = folder
        self.requests: RequestCounts | None = api.counts
        self._reads_left: int | None = None
        self._api = api
        self._known = KnownSpreadsheet(api, clock, changes.clock if changes else lambda: 0.0)
        self._writer = SpreadsheetWriter(self._known)
        self._trace: Trace | None = None
        self._changes = changes
        self._looked_at = changes.add(api.spreadsheet) if changes else 0.0
        self._wrote_at = float("-inf")

    @property
    def name(self) -> str:
        """Return the spreadsheet's title; its id before the first read."""
        return self._known.name

    @property
    def url(self) -> str:
        """Return the address of the spreadsheet, also in a browser."""
        return f"https://docs.google.com/spreadsheets/d/{self._api.spreadsheet}"

    def read(self, tabs: Sequence[TabKey], headers_only: Sequence[TabKey] = (), needs: Needs = NO_NEEDS) -> Snapshot:
        """Read some tabs; of those in `headers_only` only the first ten rows.

        It takes one request, and one more when tabs were renamed, deleted or not looked up for ten minutes; two more
        while one of `needs` is not found.

        Raises:
            WorkbookUnavailable: The spreadsheet cannot be read, or two tabs have one name.
        """
        began = self._changes.clock() if self._changes else 0.0
        if self._known.is_old(TITLES_SERVE):
            self._known.forget()
        self._known.asked = (*tabs, *headers_only)
        heads = set(headers_only) - set(tabs)
        titles = self._known.kept
        snapshot = self._read_twice((*tabs, *headers_only), heads)
        if _is_incomplete(snapshot, needs):
            if self._known.kept is titles:
                self._known.forget()
                snapshot = self._read_twice((*tabs, *headers_only), heads)
            if _is_incomplete(snapshot, needs):
                self._trace = None  # the tab may exist at the next poll
        self._looked_at = began
        return snapshot

    def _read_twice(self, keys: Sequence[TabKey], heads: set[TabKey]) -> Snapshot:
        """Read the tabs, and look them up again if their titles turn out to be old."""
        try:
            return self._read(keys, heads)
        except BadRequest:  # a tab was renamed or deleted
            self._known.forget()
        try:
            return self._read(keys, heads)
        except BadRequest as problem:
            self._known.forget()
            raise WorkbookUnavailable(f"{self.name}: it cannot be read: {problem.message}") from problem

    def with_details(self, snapshot: Snapshot, columns: Columns, blanks: Callable[[], Areas] = tuple) -> Snapshot:
        """Look up number formats and formulas without a visible value: one request if there may be any, else none.

        Raises:
            StaleWorkbook: A tab or one of the numbers differs from `snapshot`.
            WorkbookUnavailable: The spreadsheet cannot be read.
        """
        areas = blanks()
        ranges_asked = [*reading.number_ranges(snapshot, columns), *reading.area_ranges(snapshot, areas)]
        if not ranges_asked:
            return snapshot
        try:
            answer = self._api.get(fields=reading.DETAIL_FIELDS, ranges=ranges_asked, cause="details")
        except BadRequest as problem:
            self._known.forget()
            raise StaleWorkbook(f"{self.name}: {MOVED}") from problem
        detailed = reading.with_details(snapshot, columns, areas, answer)
        if detailed is None:
            raise StaleWorkbook(f"{self.name}: {EDITED}")
        return detailed

    def has_formulas(self, snapshot: Snapshot, columns: Columns) -> bool:
        """Look up whether cells of some columns show results of formulas: one request.

        Raises:
            WorkbookUnavailable: The spreadsheet cannot be read.
        """
        named = [(quoted(snapshot.sheets[key].title), map(letters, places)) for key, places in columns.items()]
        ranges_asked = [f"{tab}!{column}:{column}" for tab, names in named for column in names]
        try:
            answer = self._api.get(fields=FORMULA_FIELDS, ranges=ranges_asked, cause="details")
        except BadRequest:  # a tab was renamed or deleted, and the commit will find the same
            self._known.forget()
            return True
        cells = (cell for tab in cells_by_tab(answer["sheets"]).values() for cell in tab.values())
        return any(cell.formula or cell.is_result for cell in cells)

    def heads(self, *, asks: bool) -> Sequence[Head]:
        """Return the heads that the guards note: now, or at the last reading before a write.

        Raises:
            WorkbookUnavailable: The spreadsheet cannot be read.
        """
        if asks:
            self._writer.heads = guard.heads(guard.slots(self._metadata()))
        return self._writer.heads

    def noted_posts(self) -> str:
        """Return the note of posts beside the guards.

        Raises:
            WorkbookUnavailable: The spreadsheet cannot be read.
        """
        return guard.noted_posts(self._metadata()) or ""

    def _metadata(self) -> Sequence[Mapping[str, Any]]:
        try:
            answer = self._api.get(fields=guard.FIELDS, cause="check")
        except BadRequest as problem:
            raise WorkbookUnavailable(f"{self.name}: it cannot be read: {problem.message}") from problem
        metadata: Sequence[Mapping[str, Any]] = answer.get("developerMetadata", ())
        return metadata

    @property
    def heads_place(self) -> str:
        """Return the place of the heads, for messages."""
        return guard.PLACE

    def forget(self) -> None:
        """Look up the tabs again at the next read, since another program may have added some."""
        self._known.forget()

    @property
    def free_polls(self) -> int:  # type: ignore[override] # a constant of other stores
        """Return the number of polls in an interval: more where Drive lists changed files, which costs no reads."""
        return ASKED_S if self._changes and self._changes.is_asked else 1

    def is_unchanged(self) -> bool:
        """Return True if nothing changed since the last read, as far as its trace shows: one small request at most.

        Where Drive lists changed files, there is no request if this one is not among them, and none if it is.

        Raises:
            WorkbookUnavailable: The spreadsheet cannot be read.
        """
        changes, cause = self._changes, "poll"
        if changes and not (cause := changes.cause_to_poll(self._api.spreadsheet, self._looked_at, self._wrote_at)):
            return True
        trace = self._trace
        if (
            cause == "reported"
            or trace is None
            or trace.titles is not self._known.kept
            or self._known.is_old(self._serves)
        ):
            return False
        began = changes.clock() if changes else 0.0
        try:
            is_same = trace.is_of(self._api.batch_get(trace.ranges, cause))
        except BadRequest:  # a tab was renamed or deleted, or the last row is gone
            self._known.forget()
            return False
        self._looked_at = began if is_same else self._looked_at
        return is_same

    def note_remote(self, look: RemoteLook, ago: float) -> None:
        """Note another process's poll of some seconds ago as one of this spreadsheet."""
        writes = [counts.writes if counts else 0 for counts in (self.requests, look.requests)]
        self._known.name, self.requests, self._reads_left = look.name, look.requests, look.reads_left
        if self._changes:
            self._looked_at = self._changes.clock() - ago
            self._wrote_at = self._changes.clock() if writes[1] > writes[0] else self._wrote_at

    @property
    def _serves(self) -> timedelta:
        """Return the age after which everything is read again: longer where Drive reported nothing since."""
        is_watched = self._changes and not self._changes.has_reported(self._api.spreadsheet, self._known.looked_up_at)
        return CALM_SERVE if is_watched else TITLES_SERVE

    def commit(self, snapshot: Snapshot, changes: ChangeSet) -> CommitResult:
        """Write all of `changes` or nothing, see `SpreadsheetWriter.commit`."""
        committed = self._writer.commit(snapshot, changes)
        self._wrote_at = self._changes.clock() if self._changes else 0.0
        return committed

    def rehearse(self, snapshot: Snapshot, changes: ChangeSet) -> None:
        """Refuse the blocked cells that `commit` would refuse, see `SpreadsheetWriter.rehearse`."""
        self._writer.rehearse(snapshot, changes)

    @property
    def reads_left(self) -> int:
        """Return the number of reads that the limit of requests allows at once now."""
        return self._api.budget.left["read"] if self._reads_left is None else self._reads_left

    def is_asked_to_begin(self, *, greets: bool = True) -> bool:
        """Return True if the owner has ticked the box of the greeting, which is written once, if at all."""
        from sheets_algo.workbook.google.welcome import is_asked

        return is_asked(self._api, greets=greets)

    @property
    def how_to_create(self) -> str:
        """Advice to make a spreadsheet by hand; blank if Google has not answered, since one may be there."""
        if self._api.access.clock_offset_s is None:
            return ""
        return (
            "A service account cannot make a spreadsheet: make an empty one yourself (https://sheets.new),"
            f" share it with {self._api.access.email or 'the account'} as Editor, and name its address."
        )

    def complete(
        self, template: Template, missing: Callable[[Snapshot], ChangeSet], *, dry: bool = False
    ) -> tuple[TabKey, ...]:
        """Add the tabs, columns, lists, notes and protections that the spreadsheet lacks."""
        from sheets_algo.workbook.google.init.complete import complete

        tabs = complete(self._api, template, dry=dry)
        self._known.forget()
        return tabs

    def examine(self) -> Iterator[Finding]:
        """Yield the findings about credentials, access, clock, limits, guard and protected ranges."""
        from sheets_algo.workbook.google import diagnosis

        return diagnosis.examine(self._api)

    def examine_season(self, season: str) -> Iterator[Finding]:
        """Compare the Season row with the guards, which people cannot edit."""
        from sheets_algo.workbook.google import diagnosis

        return diagnosis.examine_season(self._api, season)

    def _read(self, keys: Sequence[TabKey], heads: set[TabKey]) -> Snapshot:
        tabs = self._known.find(keys)
        asked = {tab.id for tab in tabs.values()}
        others = tuple(tab.title for tab in self._known.titles.tabs if tab.id not in asked)
        if not tabs:
            return Snapshot({}, others=others)
        ranges_asked = [tab.range(1, HEADER_ROWS) if key in heads else tab.range() for key, tab in tabs.items()]
        receipts = None if RECEIPTS_TAB in heads else tabs.get(RECEIPTS_TAB)
        answer = self._values(dict(zip(tabs, ranges_asked, strict=True)), receipts)
        self._trace = Trace.of(self._known.titles, tabs, ranges_asked, answer)
        self._known.look_at_dates(tabs.values())
        if any(top < bottom for tab in tabs.values() for top, _, bottom, _ in tab.merged):
            self._known.forget()  # the values do not show an unmerging of cells
        return Snapshot(
            {
                key: reading.sheet(
                    tab, rows, HEADER_ROWS if key in heads else None, self._known.dates.get(tab.id, reading.NO_DATES)
                )
                for (key, tab), rows in zip(tabs.items(), answer, strict=True)
            },
            others=others,
        )

    def _values(self, asked: Mapping[TabKey, str], receipts: GoogleTab | None) -> list[list[list[Any]]]:
        """Read a range of each tab in one request, after one for each thousand receipts but the last ones.

        Each piece begins with the last row of the one before. If rows move meanwhile, all are read again.

        Raises:
            StaleWorkbook: People moved receipts during every attempt.
        """
        if receipts is None or receipts.rows <= PIECE:
            return self._api.batch_get([*asked.values()], "pass")
        place = [*asked].index(RECEIPTS_TAB)
        for _ in range(READS):
            rows: list[list[Any]] = []
            is_whole, first = True, 1
            for end in range(PIECE, receipts.rows, PIECE):
                (piece,) = self._api.batch_get([receipts.range(first, end)], "pass")
                if len(piece) <= end - first:  # the end, which is read with the other tabs
                    break
                is_whole, first = _join(rows, piece) and is_whole, end
            answer = self._api.batch_get([*{**asked, RECEIPTS_TAB: receipts.below(first, 0)}.values()], "pass")
            if _join(rows, answer[place]) and is_whole:
                answer[place] = rows
                return answer
        raise StaleWorkbook(f"{self.name}: {EDITED}")


def _join(rows: list[list[Any]], piece: list[list[Any]]) -> bool:
    """Append rows that begin with the last one so far; return False if they do not."""
    is_next = not rows or piece[:1] == rows[-1:]
    rows += piece[1:] if rows else piece
    return is_next


def _is_incomplete(snapshot: Snapshot, needs: Needs) -> bool:
    """Return True if a tab was read without another one that it needs."""
    return any(
        other not in snapshot.sheets for tab, others in needs.items() if tab in snapshot.sheets for other in others
    )
