"""Writing to a Google spreadsheet: one reading, and one guarded batch that is carried out as a whole or never."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from sheets_algo.workbook.changes import ChangeSet, CommitResult, Note
from sheets_algo.workbook.errors import (
    Interrupted,
    RefusedChange,
    StaleWorkbook,
    UnknownOutcome,
    WorkbookError,
)
from sheets_algo.workbook.google.commit import guard, writing
from sheets_algo.workbook.google.commit.draft import Draft, make_draft
from sheets_algo.workbook.google.commit.precheck import (
    AFTER_FIELDS,
    AGAIN_FIELDS,
    LOOK_FIELDS,
    Precheck,
    is_displaced,
    ranges,
    refuse_obstacles,
    refuse_other_season,
    refuse_stale,
    tab_ids,
    used_guard,
    without_blocked_pictures,
)
from sheets_algo.workbook.google.http.api import BadRequest
from sheets_algo.workbook.google.read.known_spreadsheet import KnownSpreadsheet
from sheets_algo.workbook.google.read.live_cells import cells_by_tab, dates_by_tab
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.tab_key import TabKey

LOOKS = 3
"""The maximum number of readings in one commit, if titles or sizes are outdated."""

FENCES = 3
"""The maximum number of attempts to take a turn after a write without an answer."""

CARRIED_OUT = "No answer came to the write, but it was carried out."
WITHDRAWN = "no answer came to a write, and it was withdrawn before it was carried out: read again."

MOVED = "somebody moved, renamed or deleted tabs or rows since it was read; nothing was written: read again."


class SpreadsheetWriter:
    """Commits to one spreadsheet."""

    def __init__(self, known: KnownSpreadsheet) -> None:
        self.heads: tuple[Head, ...] = ()  # The heads that the guards noted at the last reading before a write
        self._known = known

    def commit(self, snapshot: Snapshot, changes: ChangeSet) -> CommitResult:
        """Write all of `changes` or nothing: one reading and one write.

        Raises:
            StaleWorkbook: An edited row, a header or a tab differs from `snapshot`, or the guard's number is used; as
                `UnknownOutcome`, the write got no answer.
            SeasonMismatch: The guards have the digest of another season secret.
            RefusedChange: A planned cell may not be written.
            WorkbookUnavailable: The spreadsheet cannot be read or written.
        """
        if not changes:
            return CommitResult()
        if changes.guard is not None or changes.tabs:  # the next pass computes statuses anew
            self._refuse_missed(snapshot)
        draft, look = self._look_at(snapshot, changes)
        self.heads = guard.heads(look.slots)
        try:
            refuse_stale(draft, look, snapshot, changes)
        except StaleWorkbook:
            self._known.forget()  # another program may have added a tab that explains the change
            raise
        refuse_other_season(look, changes)
        refuse_obstacles(draft.edits, look, forced=changes.forced)
        draft = without_blocked_pictures(draft, look)
        expired = look.expired(changes.guard, self._known.clock())
        owner, before = secrets.token_hex(4), self._known.kept
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
            if any(edits.is_new for edits in draft.edits) and self._known.kept is before:
                self._known.forget()  # without an answer they may exist now
        if changes.note and not displaced and look.turn is not None:
            self._close(draft, changes.note, look.turn)
        return CommitResult((*remarks, *self._remove_slots(expired)), displaced)

    def rehearse(self, snapshot: Snapshot, changes: ChangeSet) -> None:
        """Refuse the blocked cells that `commit` would refuse: one reading, and no write.

        Raises:
            RefusedChange: A planned cell may not be written.
            WorkbookError: The spreadsheet cannot be read, or differs from `snapshot`.
        """
        draft, look = self._look_at(snapshot, changes)
        refuse_obstacles(draft.edits, look, forced=changes.forced)

    def _refuse_missed(self, snapshot: Snapshot) -> None:
        """Look up the tabs again if one is missing: it may have had another name at the last lookup.

        Raises:
            StaleWorkbook: The tab exists now.
        """
        if all(key in snapshot.sheets for key in self._known.asked):
            return
        self._known.forget()
        tabs = self._known.tabs.find(self._known.titles, self._known.asked)
        titles = [
            tab.title
            for key, tab in tabs.items()
            if key not in snapshot.sheets and tab.title != snapshot.foreign.get(key)
        ]
        if titles:
            raise StaleWorkbook(f"{self._known.name}: the tab {titles[0]} was not found when it was read: read again.")

    def _look_at(self, snapshot: Snapshot, changes: ChangeSet) -> tuple[Draft, Precheck]:
        """Return the draft and the state of its cells, the tabs found by their present titles."""
        first_ids: dict[TabKey, int] = {}
        for _ in range(LOOKS):
            draft = make_draft(changes, snapshot, self._known.titles, self._known.tabs)
            first_ids = first_ids or draft.ids
            ranges_asked = ranges(draft.edits)
            if draft.ids != first_ids:
                break  # a tab was given another one's name
            if not ranges_asked:
                return draft, Precheck.of({})
            answer = self._answer(ranges_asked)
            if answer is None or {edits.tab.id for edits in draft.edits if not edits.is_new} - tab_ids(answer):
                self._known.forget()  # a tab was renamed or deleted
                continue
            self._known.kept = self._known.titles.updated(answer["sheets"])
            current = draft.with_titles(self._known.kept)
            if ranges(current.edits) == ranges_asked:  # otherwise the tabs have grown
                look = Precheck.of(answer)
                for id, dates in dates_by_tab(look.cells).items():  # the next read shows them as such
                    self._known.dates.setdefault(id, {}).update(dates)
                return current, look
        self._known.forget()
        raise StaleWorkbook(f"{self._known.name}: {MOVED}")

    def _answer(self, asked: Sequence[str]) -> Mapping[str, Any] | None:
        """Return the answer of the reading, None if a tab or row does not exist."""
        try:
            return self._known.api.get(fields=LOOK_FIELDS, ranges=asked, cause="check")
        except BadRequest:
            return None

    def _fence(self, error: WorkbookError, turn: int | None, owner: str) -> None:
        """Settle a write without an answer by taking its turn: it has been carried out, or never will be.

        An empty batch takes the turn, or finds it taken. From then on the write can no longer be carried out, so it is
        safe to look who took the turn. The batch is sent again if it gets no answer, since repeating it does no harm.

        Raises:
            StaleWorkbook: The write was not carried out and never will be.
            UnknownOutcome: No request reaches Google.
            Interrupted: The program was asked to stop (it is `error`), and the write never will be carried out.
        """
        if turn is None:
            raise error
        body = {"requests": [guard.turn_request(turn, self._known.clock(), f"not {owner}")]}
        for _ in range(FENCES):
            try:
                self._known.api.batch_update(body, fields="replies", is_last=True)
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
            turns = guard.turns(self._known.api.get(fields=guard.FIELDS, cause="check").get("developerMetadata", ()))
        except WorkbookError:
            raise error from None
        if guard.owner_of(turns, turn) != owner:
            raise StaleWorkbook(f"{self._known.name}: {WITHDRAWN}") from error

    def _close(self, draft: Draft, note: Note, turn: int) -> None:
        """Note that every cell is in its place; if this fails, the next poll does it."""
        tab = draft.by_tab[note.tab].tab
        requests = [
            guard.turn_request(turn + 1, self._known.clock(), secrets.token_hex(4)),
            writing.replace_tab(tab.id, note.closed),
        ]
        with suppress(WorkbookError, BadRequest):
            self._known.api.batch_update({"requests": requests}, fields="replies")

    def _write(self, draft: Draft, precheck: Precheck, changes: ChangeSet, owner: str) -> bool:
        """Send the batch; return True if rows or columns were moved meanwhile.

        Raises:
            StaleWorkbook: As in `commit`.
            RefusedChange: Google refuses the batch.
        """
        requests = writing.requests(draft.edits, changes, self._known.clock(), precheck.turn, owner)
        if not requests:
            return False
        if changes.posts:
            requests.append(guard.posts_request(changes.posts, is_new=not precheck.has_posts))
        body = writing.body(requests, ranges(draft.edits))
        try:
            answer = self._known.api.batch_update(body, fields=AFTER_FIELDS)
        except BadRequest as problem:
            raise self._refusal(problem, draft, changes.guard, precheck.turn, owner) from problem
        self._known.kept = self._known.titles.updated(
            reply["addSheet"] for reply in answer["replies"] if "addSheet" in reply
        )
        sheets = answer.get("updatedSpreadsheet", {}).get("sheets")
        if sheets is None:
            return False
        return is_displaced(draft, precheck, cells_by_tab(sheets))

    def _refusal(
        self, problem: BadRequest, draft: Draft, receipt: int | None, turn: int | None, owner: str
    ) -> WorkbookError:
        """Return the error for a refused batch: a change since the reading, or Google's message.

        If its slot is taken now, then most likely by another program. But it may be this very batch that was carried
        out: Google was asked for cells to answer with, and may refuse because they no longer exist.
        """
        before = self._known.titles
        answer = self._known.api.get(fields=AGAIN_FIELDS, cause="check")
        self._known.keep(answer)
        now, look = self._known.titles, Precheck.of(answer)
        if turn is not None and look.turns and guard.owner_of(look.turns, turn) == owner:
            return UnknownOutcome(f"{self._known.name}: {CARRIED_OUT}")
        if receipt is not None and guard.slot_id(receipt) in look.slots:
            return used_guard(receipt)
        if turn is not None and look.turns and turn in look.turns:
            return StaleWorkbook(f"{self._known.name}: another program has written to it meanwhile: read again.")
        if draft.is_outdated(before, now):
            return StaleWorkbook(f"{self._known.name}: {MOVED}")
        try:
            refuse_obstacles(draft.with_titles(now).edits, look, forced=False)
        except RefusedChange as refusal:
            return refusal
        return RefusedChange(f"{self._known.name}: Google refused what was to be written: {problem.message}")

    def _remove_slots(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Remove old guards; return a remark on failure, since the next commit tries again."""
        if not ids:
            return ()
        try:
            self._known.api.batch_update(guard.removal(ids), fields="replies")
        except (WorkbookError, BadRequest) as problem:
            return (f"{len(ids)} old guards could not be removed: {problem}",)
        return ()
