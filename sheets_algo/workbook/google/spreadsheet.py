"""A Google spreadsheet as a workbook: cached titles, a look at the cells, and one guarded batch per commit."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.changes import ChangeSet, CommitResult, Note
from sheets_algo.workbook.errors import (
    Interrupted,
    RefusedChange,
    StaleWorkbook,
    UnknownOutcome,
    WorkbookError,
    WorkbookUnavailable,
)
from sheets_algo.workbook.findings import Finding
from sheets_algo.workbook.google.changes import AccountChanges
from sheets_algo.workbook.google.commit import guard, writing
from sheets_algo.workbook.google.commit.checks import (
    is_displaced,
    refuse_obstacles,
    refuse_other_season,
    refuse_stale,
    used_guard,
)
from sheets_algo.workbook.google.commit.draft import Draft, TabEdits, canonical, make_draft
from sheets_algo.workbook.google.commit.precheck import (
    AFTER_FIELDS,
    AGAIN_FIELDS,
    DATE_FIELDS,
    LOOK_FIELDS,
    Precheck,
    cells_by_tab,
    dates_by_tab,
    ranges,
    tab_ids,
)
from sheets_algo.workbook.google.http.api import Api, BadRequest
from sheets_algo.workbook.google.read import reading
from sheets_algo.workbook.google.read.titles import TAB_FIELDS, GoogleTab, KnownTabs, Titles, quoted
from sheets_algo.workbook.google.read.trace import Trace
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.redact import one_line
from sheets_algo.workbook.snapshot import NO_NEEDS, Columns, Needs, Snapshot, tab_key
from sheets_algo.workbook.staleness import HEADER_ROWS
from sheets_algo.workbook.store import Workbook
from sheets_algo.workbook.template_spec import Template

MOST_AT_ONCE = 1_500_000
"""Approximate maximum of characters that a commit sends; Google recommends less than 2 MB."""

TITLES_FIELDS = f"properties(title),sheets({TAB_FIELDS})"

TITLES_SERVE = timedelta(minutes=10)
"""The age after which the tabs are looked up again, so that added ones are found."""

CALM_SERVE = timedelta(hours=1)
"""The age after which everything is read again although Drive has reported no change."""

MOST_DATES = 100
"""The most cells of a tab that are looked at again because they were dates."""

LOOKS = 3
"""The most looks of one commit, if titles or sizes turn out to be old."""

FENCES = 3
"""The most attempts to take a turn after a write without an answer."""

GUARD_FIELDS = "developerMetadata(metadataId,metadataKey,metadataValue)"

CARRIED_OUT = "No answer came to the write, but it was carried out."
WITHDRAWN = "no answer came to a write, and it was withdrawn before it was carried out: read again."

EDITED = "somebody edited it while it was read: read again."
MOVED = "somebody moved, renamed or deleted tabs or rows since it was read; nothing was written: read again."


def utc_now() -> datetime:
    """Return the time now, aware."""
    return datetime.now(UTC)


class GoogleWorkbook(Workbook):
    """One Google spreadsheet.

    Cells that show an error are read as the error's text, e.g. `#REF!`; dates are read as the numbers that they are.
    Where such a number might be a year, a look before a write tells the date: nothing is written, and the next read has
    the date.
    A snapshot has no revision: a commit compares the rows that are to be edited with those of the snapshot.

    Args:
        folder: The folder of logs, pictures and the season secret.
        clock: A function that returns the time now, UTC and aware.
        changes: What Drive reports of the account's spreadsheets, for a watcher.
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
        self.requests = api.counts
        self._api = api
        self._clock = clock
        self._name = api.spreadsheet
        self._titles: Titles | None = None
        self._titles_at = clock()
        self._known = KnownTabs()
        self._asked: tuple[str, ...] = ()
        self._trace: Trace | None = None
        self._dates: dict[int, dict[reading.Place, date]] = {}
        self._heads: tuple[Head, ...] = ()
        self._changes = changes
        self._looked_up_at = 0.0
        self._looked_at = changes.add(api.spreadsheet) if changes else 0.0

    @property
    def name(self) -> str:
        """Return the spreadsheet's title; its id before the first read."""
        return self._name

    @property
    def url(self) -> str:
        """Return the address of the spreadsheet in a browser."""
        return f"https://docs.google.com/spreadsheets/d/{self._api.spreadsheet}"

    def read(self, tabs: Sequence[str], headers_only: Sequence[str] = (), needs: Needs = NO_NEEDS) -> Snapshot:
        """Read the named tabs; of those in `headers_only` only the first ten rows.

        It takes one request, and one more when tabs were renamed, deleted or not looked up for ten minutes; two more
        while one of `needs` is not found.

        Raises:
            WorkbookUnavailable: The spreadsheet cannot be read, or two tabs have one name.
        """
        began = self._changes.clock() if self._changes else 0.0
        if self._is_old():
            self._titles = None
        self._asked = (*tabs, *headers_only)
        heads = {key for key in map(tab_key, headers_only) if key not in set(map(tab_key, tabs))}
        titles = self._titles
        snapshot = self._read_twice((*tabs, *headers_only), heads)
        if _is_incomplete(snapshot, needs):
            if self._titles is titles:
                self._titles = None
                snapshot = self._read_twice((*tabs, *headers_only), heads)
            if _is_incomplete(snapshot, needs):
                self._trace = None  # the tab may exist at the next look
        self._looked_at = began
        return snapshot

    def _read_twice(self, names: Sequence[str], heads: set[str]) -> Snapshot:
        """Read the tabs, and look them up again if their titles turn out to be old."""
        try:
            return self._read(names, heads)
        except BadRequest:  # a tab was renamed or deleted
            self._titles = None
        try:
            return self._read(names, heads)
        except BadRequest as problem:
            self._titles = None
            raise WorkbookUnavailable(f"{self.name}: it cannot be read: {problem.message}") from problem

    def with_formats(self, snapshot: Snapshot, columns: Columns) -> Snapshot:
        """Look up the number formats of some columns: one request if they hold a number other than 0, else none.

        Raises:
            StaleWorkbook: A tab or one of the numbers is no longer what `snapshot` holds.
            WorkbookUnavailable: The spreadsheet cannot be read.
        """
        ranges_asked = list(reading.number_ranges(snapshot, columns))
        if not ranges_asked:
            return snapshot
        try:
            answer = self._api.get(fields=reading.FORMAT_FIELDS, ranges=ranges_asked)
        except BadRequest as problem:
            self._titles = None
            raise StaleWorkbook(f"{self.name}: {MOVED}") from problem
        formatted = reading.with_formats(snapshot, columns, answer)
        if formatted is None:
            raise StaleWorkbook(f"{self.name}: {EDITED}")
        return formatted

    def heads(self, *, asks: bool) -> Sequence[Head]:
        """Return the heads that the guards note: as they are now, or as the last look before a write saw them.

        Raises:
            WorkbookUnavailable: The spreadsheet cannot be read.
        """
        if asks:
            self._heads = guard.heads(guard.slots(self._metadata()))
        return self._heads

    def noted_posts(self) -> str:
        """Return the note of posts beside the guards.

        Raises:
            WorkbookUnavailable: The spreadsheet cannot be read.
        """
        return guard.noted_posts(self._metadata()) or ""

    def _metadata(self) -> Sequence[Mapping[str, Any]]:
        try:
            found: Sequence[Mapping[str, Any]] = self._api.get(fields=GUARD_FIELDS).get("developerMetadata", ())
        except BadRequest as problem:
            raise WorkbookUnavailable(f"{self.name}: it cannot be read: {problem.message}") from problem
        return found

    @property
    def heads_place(self) -> str:
        """Return where the heads are noted, for messages."""
        return guard.PLACE

    def forget(self) -> None:
        """Look up the tabs anew at the next read, since another program may have added some."""
        self._titles = None

    def is_unchanged(self) -> bool:
        """Return True if nothing changed since the last read, as far as its trace shows: one small request at most.

        Where Drive tells who changed, there is no request if it tells nothing.

        Raises:
            WorkbookUnavailable: The spreadsheet cannot be read.
        """
        if self._changes and self._changes.is_calm(self._api.spreadsheet, self._looked_at):
            return True
        trace = self._trace
        if trace is None or trace.titles is not self._titles or self._is_old(serve=self._serves):
            return False
        began = self._changes.clock() if self._changes else 0.0
        try:
            is_same = trace.is_of(self._api.batch_get(trace.ranges))
        except BadRequest:  # a tab was renamed or deleted, or the last row is gone
            self._titles = None
            return False
        self._looked_at = began if is_same else self._looked_at
        return is_same

    @property
    def _serves(self) -> timedelta:
        """Return the age after which everything is read again: longer where Drive reported nothing since."""
        is_watched = self._changes and not self._changes.has_reported(self._api.spreadsheet, self._looked_up_at)
        return CALM_SERVE if is_watched else TITLES_SERVE

    def commit(self, snapshot: Snapshot, changes: ChangeSet) -> CommitResult:
        """Write all of `changes` or nothing: one look and one write, and where pictures are in a request of its own.

        Raises:
            StaleWorkbook: An edited row, a header or a tab is no longer what `snapshot` saw, or the guard's number is
                used; as `UnknownOutcome`, no answer came to the write.
            SeasonMismatch: The guards have the digest of another season secret.
            RefusedChange: A planned cell may not be written.
            WorkbookUnavailable: The spreadsheet cannot be read or written.
        """
        if not changes:
            return CommitResult()
        self._refuse_missed(snapshot)
        draft, look = self._look_at(snapshot, changes)
        self._heads = guard.heads(look.slots)
        try:
            refuse_stale(draft, look, snapshot, changes)
        except StaleWorkbook:
            self._titles = None  # another program may have added a tab that explains the change
            raise
        refuse_other_season(look, changes)
        refuse_obstacles(draft.edits, look, forced=changes.forced)
        expired = look.expired(changes.guard, self._clock())
        owner = secrets.token_hex(4)
        try:
            displaced = self._write(draft, look, changes, owner)
            remarks = draft.remarks
        except RefusedChange:
            self._remove_slots(expired)  # in case it was refused for lack of room for its own
            raise
        except (UnknownOutcome, Interrupted) as error:
            self._fence(error, look.turn, owner)
            displaced, remarks = True, (*draft.remarks, CARRIED_OUT)
        finally:
            if any(edits.is_new for edits in draft.edits):  # also without an answer, since they may exist now
                self._titles = None
        if changes.note and not displaced and look.turn is not None:
            self._close(draft, changes.note, look.turn)
        return CommitResult((*remarks, *self._name_pictures(draft.edits), *self._remove_slots(expired)), displaced)

    @property
    def reads_left(self) -> int:
        """Return the number of reads that the limit of requests allows at once now."""
        return self._api.budget.left["read"]

    def is_asked_to_begin(self) -> bool:
        """Return True if the owner has ticked the box of the greeting, which is written once."""
        from sheets_algo.workbook.google.welcome import is_asked

        return is_asked(self._api)

    @property
    def how_to_create(self) -> str:
        """Advice to make a spreadsheet by hand; blank if Google has not answered, since one may be there."""
        if self._api.clock_offset_s is None:
            return ""
        return (
            "A service account cannot make a spreadsheet: make an empty one yourself (https://sheets.new),"
            f" share it with {self._api.email or 'the account'} as Editor, and name its address."
        )

    def complete(
        self, template: Template, missing: Callable[[Snapshot], ChangeSet], *, dry: bool = False
    ) -> tuple[str, ...]:
        """Add the tabs, columns, lists, notes and protections that the spreadsheet lacks."""
        from sheets_algo.workbook.google.init.complete import complete

        return complete(self._api, template, dry=dry)

    def examine(self) -> Iterator[Finding]:
        """Yield the findings about credentials, access, clock, limits, guard and protected ranges."""
        from sheets_algo.workbook.google import diagnosis

        return diagnosis.examine(self._api)

    def examine_season(self, season: str) -> Iterator[Finding]:
        """Compare the Season row with the guards, which remain whatever people edit."""
        from sheets_algo.workbook.google import diagnosis

        return diagnosis.examine_season(self._api, season)

    def _read(self, names: Sequence[str], heads: set[str]) -> Snapshot:
        tabs = self._find(names)
        asked = {tab.id for tab in tabs.values()}
        others = tuple(tab.title for tab in self._current_titles().tabs if tab.id not in asked)
        if not tabs:
            return Snapshot({}, others=others)
        ranges_asked = [tab.range(1, HEADER_ROWS) if key in heads else tab.range() for key, tab in tabs.items()]
        answer = self._api.batch_get(ranges_asked)
        self._trace = Trace.of(self._current_titles(), tabs, ranges_asked, answer)
        self._look_at_dates(tabs.values())
        return Snapshot(
            {
                key: reading.sheet(
                    tab, rows, HEADER_ROWS if key in heads else None, self._dates.get(tab.id, reading.NO_DATES)
                )
                for (key, tab), rows in zip(tabs.items(), answer, strict=True)
            },
            others=others,
        )

    def _is_old(self, serve: timedelta = TITLES_SERVE) -> bool:
        """Return True if the titles have to be looked up again, since they are older than they serve."""
        return self._clock() - self._titles_at >= serve

    def _find(self, names: Sequence[str]) -> Mapping[str, GoogleTab]:
        """Return the tabs of those names; titles that know none of them are read again."""
        is_fresh = self._titles is None
        try:
            found = self._known.find(self._current_titles(), names)
            if not found and names and not is_fresh:
                self._titles = None
                found = self._known.find(self._current_titles(), names)
        except WorkbookUnavailable:
            self._titles = None
            raise
        return found

    def _current_titles(self) -> Titles:
        if self._titles is None:
            answer = self._api.get(fields=TITLES_FIELDS)
            self._keep(answer)
        assert self._titles is not None
        return self._titles

    def _keep(self, answer: Mapping[str, Any]) -> None:
        self._name = one_line(answer.get("properties", {}).get("title", "")) or self._api.spreadsheet
        self._titles, self._titles_at = Titles.of(self._name, answer), self._clock()
        self._looked_up_at = self._changes.clock() if self._changes else 0.0

    def _refuse_missed(self, snapshot: Snapshot) -> None:
        """Look up the tabs again if one was not found: it may have had another name when they were last looked up.

        Raises:
            StaleWorkbook: The tab exists now.
        """
        if all(tab_key(name) in snapshot.sheets for name in self._asked):
            return
        self._titles = None
        found = self._known.find(self._current_titles(), self._asked)
        titles = [found[key].title for key in found if key not in snapshot.sheets]
        if titles:
            raise StaleWorkbook(f"{self.name}: the tab {titles[0]} was not found when it was read: read again.")

    def _look_at(self, snapshot: Snapshot, changes: ChangeSet) -> tuple[Draft, Precheck]:
        """Return the draft and the state of its cells, the tabs found by their present titles."""
        first_ids: dict[str, int] = {}
        for _ in range(LOOKS):
            draft = make_draft(changes, snapshot, self._current_titles(), self._known)
            first_ids = first_ids or draft.ids
            ranges_asked = ranges(draft.edits)
            if draft.ids != first_ids:
                break  # a tab was given another one's name
            if not ranges_asked:
                return draft, Precheck.of({})
            answer = self._answer(ranges_asked)
            if answer is None or {edits.tab.id for edits in draft.edits if not edits.is_new} - tab_ids(answer):
                self._titles = None  # a tab was renamed or deleted
                continue
            self._titles = self._current_titles().updated(answer["sheets"])
            current = draft.with_titles(self._titles)
            if ranges(current.edits) == ranges_asked:  # otherwise the tabs have grown
                look = Precheck.of(answer)
                for id, dates in dates_by_tab(look.cells).items():  # the next read shows them as such
                    self._dates.setdefault(id, {}).update(dates)
                return current, look
        self._titles = None
        raise StaleWorkbook(f"{self.name}: {MOVED}")

    def _look_at_dates(self, tabs: Iterable[GoogleTab]) -> None:
        """Look whether the cells that were dates at the last look still are; most spreadsheets have none."""
        asked = [
            f"{quoted(tab.title)}!{a1(row, column)}"
            for tab in tabs
            for row, column in [*self._dates.get(tab.id, {})][:MOST_DATES]
        ]
        self._dates = {}
        if asked:
            with suppress(BadRequest):  # a row or a tab is gone
                cells = cells_by_tab(self._api.get(fields=DATE_FIELDS, ranges=asked)["sheets"])
                self._dates = dates_by_tab(cells)

    def _answer(self, asked: Sequence[str]) -> Mapping[str, Any] | None:
        """Return the look's answer, None if a tab or row does not exist."""
        try:
            return self._api.get(fields=LOOK_FIELDS, ranges=asked)
        except BadRequest:
            return None

    def _fence(self, error: WorkbookError, turn: int | None, owner: str) -> None:
        """Make sure that a write without an answer either has been carried out or never will be: take its turn.

        An empty batch takes the turn, or finds it taken. From then on the write can no longer be carried out, so it is
        safe to look who took the turn. The batch is sent again if it gets no answer, since repeating it does no harm.

        Args:
            turn: The id of the write's turn.

        Raises:
            StaleWorkbook: The write was not carried out and never will be.
            UnknownOutcome: No request reaches Google.
            Interrupted: The program was asked to stop (it is `error`), and the write never will be carried out.
        """
        if turn is None:
            raise error
        body = {"requests": [guard.turn_request(turn, self._clock(), f"not {owner}")]}
        for _ in range(FENCES):
            try:
                self._api.batch_update(body, fields="replies", is_last=True)
                break
            except BadRequest:
                break  # the turn is taken
            except UnknownOutcome:
                continue
            except WorkbookError:
                raise error from None
        else:
            raise error
        if isinstance(error, Interrupted):
            raise error
        try:
            turns = guard.turns(self._api.get(fields=GUARD_FIELDS).get("developerMetadata", ()))
        except WorkbookError:
            raise error from None
        if guard.owner_of(turns, turn) != owner:
            raise StaleWorkbook(f"{self.name}: {WITHDRAWN}") from error

    def _close(self, draft: Draft, note: Note, turn: int) -> None:
        """Note that every cell was seen in its place; if this fails, the next look does it."""
        tab = draft.by_tab[canonical(note.tab, Snapshot({}))].tab
        requests = [
            guard.turn_request(turn + 1, self._clock(), secrets.token_hex(4)),
            writing.replace_tab(tab.id, note.closed),
        ]
        with suppress(WorkbookError, BadRequest):
            self._api.batch_update({"requests": requests}, fields="replies")

    def _write(self, draft: Draft, precheck: Precheck, changes: ChangeSet, owner: str) -> bool:
        """Send the batch; return True if rows or columns were moved meanwhile.

        Raises:
            StaleWorkbook: As in `commit`.
            RefusedChange: Google refuses the batch.
        """
        requests = writing.requests(draft.edits, changes, self._clock(), precheck.turn, owner)
        if not requests:
            return False
        if changes.posts:
            requests.append(guard.posts_request(changes.posts, is_new=not precheck.has_posts))
        body = writing.body(requests, ranges(draft.edits))
        try:
            answer = self._api.batch_update(body, fields=AFTER_FIELDS)
        except BadRequest as problem:
            raise self._refusal(problem, draft, changes.guard, precheck.turn, owner) from problem
        sheets = answer.get("updatedSpreadsheet", {}).get("sheets")
        if sheets is None:
            return False
        return is_displaced(draft, precheck, cells_by_tab(sheets))

    def _refusal(
        self, problem: BadRequest, draft: Draft, receipt: int | None, turn: int | None, owner: str
    ) -> WorkbookError:
        """Return the error for a refused batch: a change since the look, or Google's message.

        If its slot is taken now, then most likely by another program. But it may be this very batch that was carried
        out: Google was asked for cells to answer with, and may refuse because they no longer exist.
        """
        before = self._current_titles()
        answer = self._api.get(fields=AGAIN_FIELDS)
        self._keep(answer)
        now, look = self._current_titles(), Precheck.of(answer)
        if turn is not None and look.turns and guard.owner_of(look.turns, turn) == owner:
            return UnknownOutcome(f"{self.name}: {CARRIED_OUT}")
        if receipt is not None and guard.slot_id(receipt) in look.slots:
            return used_guard(receipt)
        if turn is not None and look.turns and turn in look.turns:
            return StaleWorkbook(f"{self.name}: another program has written to it meanwhile: read again.")
        if draft.is_outdated(before, now):
            return StaleWorkbook(f"{self.name}: {MOVED}")
        try:
            refuse_obstacles(draft.with_titles(now).edits, look, forced=False)
        except RefusedChange as refusal:
            return refusal
        return RefusedChange(f"{self.name}: Google refused what was to be written: {problem.message}")

    def _name_pictures(self, edits: Iterable[TabEdits]) -> tuple[str, ...]:
        """Write where the pictures are; return a remark for each failure, since the rulings are written already."""
        remarks = []
        for tab, picture in ((edit.tab, edit.picture) for edit in edits if edit.picture):
            try:
                self._api.batch_update({"requests": [writing.only_text(tab.id, picture.text)]}, fields="replies")
            except (WorkbookError, BadRequest) as problem:
                remarks.append(f"{tab.title}: the place of the picture could not be written: {problem}")
        return tuple(remarks)

    def _remove_slots(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Remove old guards; return a remark on failure, since the next commit tries again."""
        if not ids:
            return ()
        try:
            self._api.batch_update(guard.removal(ids), fields="replies")
        except (WorkbookError, BadRequest) as problem:
            return (f"{len(ids)} old guards could not be removed: {problem}",)
        return ()


def _is_incomplete(snapshot: Snapshot, needs: Needs) -> bool:
    """Return True if a tab was read without another one that it needs."""
    return any(
        tab_key(name) not in snapshot.sheets
        for tab, others in needs.items()
        if tab_key(tab) in snapshot.sheets
        for name in others
    )
