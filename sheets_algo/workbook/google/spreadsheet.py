"""A Google spreadsheet behind read and commit: titles held, cells looked at, one guarded batch sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sheets_algo.discretion import one_line
from sheets_algo.workbook.base import (
    ChangeSet,
    Committed,
    RefusedChange,
    Snapshot,
    StaleWorkbook,
    UnknownOutcome,
    WorkbookError,
    WorkbookUnavailable,
    tab_key,
)
from sheets_algo.workbook.google import guard, mosaics, reading, writing
from sheets_algo.workbook.google.api import Api, BadRequest
from sheets_algo.workbook.google.checks import is_displaced, refuse_obstacles, refuse_stale, used_guard
from sheets_algo.workbook.google.draft import Draft, Edits, drafted
from sheets_algo.workbook.google.look import (
    AFTER_FIELDS,
    AGAIN_FIELDS,
    LOOK_FIELDS,
    Look,
    cells_by_tab,
    ranges,
    tab_ids,
)
from sheets_algo.workbook.google.titles import TAB_FIELDS, KnownTabs, Tab, Titles
from sheets_algo.workbook.staleness import HEADER_ROWS

TITLES_FIELDS = f"properties(title),sheets({TAB_FIELDS})"

TITLES_SERVE = timedelta(minutes=10)
"""After so long tabs are looked up anew, so that those that were added are seen."""

LOOKS = 3
"""How often a commit looks, if titles or sizes turn out to be old."""

MOVED = "somebody moved, renamed or deleted tabs or rows since it was read; nothing was written: read again."


def utc_now() -> datetime:
    """The time now, aware."""
    return datetime.now(UTC)


class GoogleWorkbook:
    """One Google spreadsheet.

    Cells that show an error are read as the error's text, e.g. `#REF!`; dates are read as the numbers that they are.
    A snapshot has no revision: whether it still holds is seen in the rows that are to be edited.

    Args:
        api: The spreadsheet over HTTP.
        clock: The time now, UTC and aware.
    """

    def __init__(self, api: Api, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._api = api
        self._clock = clock
        self._name = api.spreadsheet
        self._titles: Titles | None = None
        self._titles_at = clock()
        self._known = KnownTabs()

    @property
    def name(self) -> str:
        """The spreadsheet's title; its id before the first read."""
        return self._name

    @property
    def url(self) -> str:
        """Where people open it."""
        return f"https://docs.google.com/spreadsheets/d/{self._api.spreadsheet}"

    def read(self, tabs: Sequence[str], headers_only: Sequence[str] = ()) -> Snapshot:
        """The named tabs, whole; of those in `headers_only` the first ten rows.

        It is one request, and one more when tabs were renamed, deleted or not looked up for ten minutes.

        Raises:
            WorkbookUnavailable: The spreadsheet cannot be read, or two tabs go by one name.
        """
        if self._clock() - self._titles_at >= TITLES_SERVE:
            self._titles = None
        heads = {key for key in map(tab_key, headers_only) if key not in set(map(tab_key, tabs))}
        try:
            return self._read((*tabs, *headers_only), heads)
        except BadRequest:  # a title is not that tab's any more
            self._titles = None
        try:
            return self._read((*tabs, *headers_only), heads)
        except BadRequest as problem:
            self._titles = None
            raise WorkbookUnavailable(f"{self.name}: it cannot be read: {problem.message}") from problem

    def commit(self, snapshot: Snapshot, changes: ChangeSet) -> Committed:
        """All of `changes` or nothing: one look and one write, and afterwards, apart from it, the coloured cells.

        Raises:
            StaleWorkbook: An edited row, a header or a tab is no longer what `snapshot` saw, or the guard's number has
                been given out; as `UnknownOutcome`, no answer came to the write.
            RefusedChange: A planned cell may not be written.
            WorkbookUnavailable: The spreadsheet cannot be read or written.
        """
        if not changes:
            return Committed()
        draft, look = self._looked_at(snapshot, changes)
        try:
            refuse_stale(draft, look, snapshot, changes)
        except StaleWorkbook:
            self._titles = None  # another program may have added the very tab that says why
            raise
        refuse_obstacles(draft.edits, look, forced=changes.forced)
        outworn = look.outworn(changes.guard, self._clock())
        try:
            displaced = self._write(draft, look, changes.guard)
        except RefusedChange:
            self._slots_removed(outworn)  # in case it was refused for lack of room for its own
            raise
        finally:
            if changes.tabs:  # also without an answer: they may be there
                self._titles = None
        return Committed((*draft.remarks, *self._pictures_shown(draft.edits), *self._slots_removed(outworn)), displaced)

    def _read(self, names: Sequence[str], heads: set[str]) -> Snapshot:
        found = self._found(names)
        if not found:
            return Snapshot({})
        asked = [tab.range(1, HEADER_ROWS) if key in heads else tab.range() for key, tab in found.items()]
        answer = self._api.batch_get(asked)
        return Snapshot(
            {
                key: reading.sheet(tab, rows, HEADER_ROWS if key in heads else None)
                for (key, tab), rows in zip(found.items(), answer, strict=True)
            }
        )

    def _found(self, names: Sequence[str]) -> Mapping[str, Tab]:
        """The tabs of those names; titles that know none of them are read again."""
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

    def _looked_at(self, snapshot: Snapshot, changes: ChangeSet) -> tuple[Draft, Look]:
        """What is to be written, and what stands where it goes, the tabs found by their titles of this moment."""
        first: dict[str, int] = {}
        for _ in range(LOOKS):
            draft = drafted(changes, snapshot, self._current_titles(), self._known)
            first = first or draft.ids
            asked = ranges(draft.edits)
            if draft.ids != first:
                break  # a tab has taken another one's name
            if not asked:
                return draft, Look.of({})
            answer = self._answer(asked)
            if answer is None or {edits.tab.id for edits in draft.edits if not edits.is_new} - tab_ids(answer):
                self._titles = None  # a title is not that tab's any more
                continue
            self._titles = self._current_titles().with_news(answer["sheets"])
            seen = draft.seen_as(self._titles)
            if ranges(seen.edits) == asked:  # else the tabs are longer than they were
                return seen, Look.of(answer)
        self._titles = None
        raise StaleWorkbook(f"{self.name}: {MOVED}")

    def _answer(self, asked: Sequence[str]) -> Mapping[str, Any] | None:
        """The look's answer, None if there are no such tabs or rows."""
        try:
            return self._api.get(fields=LOOK_FIELDS, ranges=asked)
        except BadRequest:
            return None

    def _write(self, draft: Draft, look: Look, receipt: int | None) -> bool:
        """Send the batch; whether rows or columns were moved under it.

        Raises:
            StaleWorkbook: As `commit`.
            RefusedChange: Google refuses it.
        """
        requests = writing.requests(draft.edits, receipt, self._clock(), look.turn)
        if not requests:
            return False
        body = writing.body(requests, ranges(draft.edits))
        try:
            answer = self._api.batch_update(body, fields=AFTER_FIELDS)
        except BadRequest as problem:
            raise self._refusal(problem, draft, receipt, look.turn) from problem
        sheets = answer.get("updatedSpreadsheet", {}).get("sheets")
        if sheets is None:
            return False
        return is_displaced(draft, look, cells_by_tab(sheets))

    def _refusal(self, problem: BadRequest, draft: Draft, receipt: int | None, turn: int | None) -> WorkbookError:
        """Why Google refused a batch: what was true at the look and is no longer, or what it says.

        If its slot is taken now, then most likely by another program. But it may be this very batch that was carried
        out: Google was asked for cells to answer with, and might not find them any more afterwards.
        """
        before = self._current_titles()
        answer = self._api.get(fields=AGAIN_FIELDS)
        self._keep(answer)
        now, look = self._current_titles(), Look.of(answer)
        if receipt is not None and guard.slot_id(receipt) in look.slots:
            return UnknownOutcome(str(used_guard(receipt)))
        if turn is not None and look.turns and turn in look.turns:
            return UnknownOutcome(f"{self.name}: another program has written to it meanwhile: read again.")
        if draft.is_outdated(before, now):
            return StaleWorkbook(f"{self.name}: {MOVED}")
        try:
            refuse_obstacles(draft.seen_as(now).edits, look, forced=False)
        except RefusedChange as refusal:
            return refusal
        return RefusedChange(f"{self.name}: Google refused what was to be written: {problem.message}")

    def _pictures_shown(self, edits: Iterable[Edits]) -> tuple[str, ...]:
        """Draw the pictures; a remark for each that fails, for what was ruled stands."""
        remarks = []
        for of_tab in edits:
            if of_tab.picture:
                tab = of_tab.tab
                try:
                    self._api.batch_update(
                        {"requests": mosaics.requests(tab.id, tab.rows, tab.columns, of_tab.picture)}, fields="replies"
                    )
                except (WorkbookError, BadRequest) as problem:
                    remarks.append(f"{tab.title}: the picture could not be drawn: {problem}")
        return tuple(remarks)

    def _slots_removed(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Remove old guards; a remark if that fails, for the next commit tries again."""
        if not ids:
            return ()
        try:
            self._api.batch_update(guard.removal(ids), fields="replies")
        except (WorkbookError, BadRequest) as problem:
            return (f"{len(ids)} old guards could not be removed: {problem}",)
        return ()
