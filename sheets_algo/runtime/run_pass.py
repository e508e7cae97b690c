"""Passes over a workbook: read, plan, commit, and again if people change the workbook meanwhile."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from engine.ruleset import Event, LogSink, MachineCode, no_op
from sheets_algo.database.headers import compared_cells
from sheets_algo.database.problems import shortened
from sheets_algo.forms.base import COMPARISON_BATTLES, Form
from sheets_algo.forms.databases import request_tables
from sheets_algo.ruling.forecast.luck_report import LuckOf, how_lucky, no_luck_lines
from sheets_algo.ruling.luck.beacon import unix_seconds
from sheets_algo.ruling.luck.seeds import Secret
from sheets_algo.ruling.passes.plan import (
    Answer,
    ComparisonBattles,
    KnownBefore,
    LogFactory,
    PassContext,
    Plan,
    Progress,
    WriteOptions,
)
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.promises.promises import LEAD_S
from sheets_algo.ruling.repair.intents import PendingTab, with_note
from sheets_algo.ruling.requests.changing_cells import name_changing_cell
from sheets_algo.runtime.after_commit.artifacts import (
    Logs,
    RulingPictures,
    picture_folder,
    preview_path,
    write_previews,
)
from sheets_algo.runtime.after_commit.boards_kept import try_to_keep_boards
from sheets_algo.runtime.after_commit.interrupted import discard_superseded, settle
from sheets_algo.runtime.after_commit.log_completion import use_machine_code
from sheets_algo.runtime.after_commit.pass_note import PassNote
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.head_record import note_seen, note_written, noted_heads
from sheets_algo.runtime.session.post_record import begin_record
from sheets_algo.runtime.session.session import OpenWorkbook, Session, opened
from sheets_algo.runtime.watch_state import PendingCommit, WatchState
from sheets_algo.workbook.addresses import Address
from sheets_algo.workbook.changes import ChangeSet, CommitResult, ComparedCells
from sheets_algo.workbook.errors import RefusedChange, StaleWorkbook, UnknownOutcome, WorkbookError
from sheets_algo.workbook.snapshot import Snapshot

SUBSCRIBER_FAILED = "What {} does after a commit failed ({}: {}); the workbook is written."
TRIES = 3
"""The attempts of a pass when people save in the meantime; after a look in which all were in vain, there is one."""

STALE_LOOKS = 3
"""The looks in a row in vain after which rows say which cell changes."""

HOST_FAILED = "A host of the beacon failed, and another was asked: {}."
CARRIED_OUT = "No answer came to the write, but it was carried out."
REPAIRS = 6
"""The repairs in a row after which people are asked to hold still."""

REPAIRED = "Rows were moved while the program wrote: {} cells were put right."
NO_SEASON = Secret(b"nothing is ruled before a season has begun")
MOVED_AGAIN = (
    "rows were moved again and again while the program put cells right; leave them for a moment and run again."
)


@dataclass(frozen=True, slots=True)
class PassResult:
    """The result of a pass."""

    plan: Plan  # The plan that was made
    is_written: bool  # True if anything was committed
    remarks: tuple[str, ...] = ()  # Sentences about the commit
    logs: tuple[Path, ...] = ()  # The log files, one a ruling
    pictures: tuple[Path, ...] = ()  # The picture files
    unsaved: str = ""  # The reason why pictures are missing, a sentence; blank if none is
    pages: tuple[Path, ...] = ()  # The pages that subscribers wrote; of a site, the first one
    failures: tuple[str, ...] = ()  # Sentences about subscribers that failed
    is_partial: bool = False  # True if another pass has more to do at once
    snapshot: Snapshot | None = None  # The workbook as the pass read it; None where no single one was read


def run_until_done(
    session: Session, *, dry: bool, forced: bool, progress: Progress, wait: Callable[[float], bool] | None = None
) -> PassResult:
    """Run passes until nothing is left to do, and return their results as one.

    A pass writes no more to a spreadsheet than one request can hold.

    Args:
        dry: Plan only, in one pass.
        forced: Write into protected tabs too.
        progress: Called when something begins that takes time.
        wait: Waits until a time in Unix seconds, for the round of a beacon, and returns False if that is in vain; None
            leaves the requests that wait for one to the next run.

    Raises:
        WorkbookError: As `run_pass`.
    """
    if dry:
        return run_pass(replace(session, most=None), dry=True, forced=forced, progress=progress)
    state = WatchState(known=None)
    result = run_pass(session, forced=forced, progress=progress, state=state)
    while result.is_partial or (wait and result.plan.awaited is not None and wait(result.plan.awaited)):
        result = joined(result, run_pass(session, forced=forced, progress=progress, state=state))
    return replace(result, failures=(*result.failures, *try_to_keep_boards(session)))


def trial(session: Session, workbook: OpenWorkbook) -> Plan | None:
    """Return the plan of a pass that rules everything and writes nothing, as `run` would rule it.

    Returns:
        The plan; None if it cannot be made: the season's secret is not here, a tab is in the way, or cells of an
        earlier commit must be repaired first.
    """
    try:
        secret = season_secret.find(session.folder, workbook.receipts.season) or NO_SEASON
        context = _context(session, workbook, secret, WatchState(known=None), asks=True)
        context = replace(context, writing=replace(context.writing, most=None, is_trial=True, is_check=True))
        plan = plan_pass(workbook.snapshot, context, session.now(), receipts=workbook.receipts)
    except WorkbookError:
        return None
    return None if plan.writes.repaired else plan


def _told(before: Answer, now: Answer) -> Answer:
    """Return the answer to tell of a request that two passes saw."""
    is_silent = now.is_past and not before.is_past
    return before if not now.ruling and (before.ruling or is_silent) else now


def joined(first: PassResult, second: PassResult) -> PassResult:
    """Join two results: each request as the second pass saw it, with the ruling or the refusal that either made.

    An order that the first pass refused is of an earlier turn for the second if that turn is over; it is told all the
    same, since the first pass told nobody.
    """
    before = {answer.cells.request: answer for answer in first.plan.findings.answers}
    requests = {answer.cells.request for answer in second.plan.findings.answers}
    gone = [answer for request, answer in before.items() if answer.ruling and request not in requests]
    now = [_told(before.get(answer.cells.request, answer), answer) for answer in second.plan.findings.answers]
    return PassResult(
        plan=replace(
            second.plan,
            findings=replace(
                second.plan.findings,
                answers=(*gone, *now),
                failures=tuple(dict.fromkeys((*first.plan.findings.failures, *second.plan.findings.failures))),
            ),
            writes=replace(second.plan.writes, promises=(*first.plan.writes.promises, *second.plan.writes.promises)),
        ),
        is_written=first.is_written or second.is_written,
        remarks=first.remarks + second.remarks,
        logs=first.logs + second.logs,
        pictures=first.pictures + second.pictures,
        unsaved=first.unsaved or second.unsaved,
        pages=tuple(dict.fromkeys(first.pages + second.pages)),
        failures=first.failures + second.failures,
        is_partial=second.is_partial,
    )


def run_pass(
    session: Session,
    *,
    dry: bool = False,
    forced: bool = False,
    progress: Progress = no_op,
    state: WatchState | None = None,
) -> PassResult:
    """Run one pass: read the workbook, plan, commit.

    Args:
        dry: Plan only; nothing is written anywhere.
        forced: Write into protected tabs too.
        progress: Called when something begins that takes time.
        state: The state of a watched workbook, which is brought up to date.

    Raises:
        WorkbookError: The workbook cannot be opened or written.
        StaleWorkbook: People changed it during every attempt.
        UnknownOutcome: A commit got no answer.
    """
    state = state or WatchState(known=None)
    attempts = _Attempts(session, dry, forced, progress, state, left=1 if state.stale_looks else TRIES)
    result = None
    while result is None:
        result = attempts.next()
    if result.is_written:
        return _notified(session, result, progress)
    return result


def _notified(session: Session, result: PassResult, progress: Progress) -> PassResult:
    """Call the subscribers of a commit; return the result with their pages, and a sentence for each that fails."""
    pages: list[Path] = []
    failures: list[str] = []
    for subscriber in session.on_committed:
        try:
            for page in subscriber(result) or ():
                pages.append(page)
                progress("Pages", page.name, max(1, len(result.plan.rulings)))
        except Exception as error:  # what was committed stands, whatever a subscriber does
            name = getattr(subscriber, "__name__", type(subscriber).__name__)
            failures.append(SUBSCRIBER_FAILED.format(name, type(error).__name__, shortened(str(error))))
    return replace(result, pages=tuple(pages), failures=tuple(failures))


@dataclass(frozen=True, slots=True)
class _Planned:
    """A plan with the files of its rulings, ready to be committed."""

    plan: Plan
    context: PassContext  # The context it was planned with
    logs: Logs  # The log files
    is_waiting: bool  # True if forecasts or last lines of logs wait for another pass


@dataclass(slots=True)
class _Attempts:
    """The attempts of one pass; each plans anew what the workbook then holds."""

    session: Session
    dry: bool
    forced: bool
    progress: Progress
    state: WatchState
    left: int
    blocked: dict[Address, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    lead_s: float = LEAD_S

    def next(self) -> PassResult | None:
        """Make one attempt; return None if another one is to be made."""
        workbook = opened(self.session, is_lenient=True)  # the plan tells them in the rows that wait
        earlier = self.state.pop_carried_out(workbook.receipts)
        if earlier:
            saved, unsaved = earlier.pictures.save(self.session, self.progress)
            earlier.logs.finish()
            return PassResult(earlier.plan, True, (CARRIED_OUT,), earlier.logs.files, saved, unsaved, is_partial=True)
        if not self.dry:
            self.remarks += settle(self.session, workbook)
            note_seen(self.session, workbook.receipts)
            begin_record(self.session, workbook.receipts)
        planned = self._plan(workbook)
        if self.dry or not planned.plan.writes.changes:
            self.state.remember(planned.plan)
            drawn, unsaved = ((), "") if self.dry else self._draw_previews(planned.plan)
            remarks, snapshot = tuple(self.remarks), workbook.snapshot
            return PassResult(planned.plan, False, remarks, pictures=drawn, unsaved=unsaved, snapshot=snapshot)
        if self._is_late(planned.plan):
            planned.logs.discard()
            return None
        pictures, changes = self._completed(planned, workbook)
        try:
            committed = self.session.workbook.commit(workbook.snapshot, changes)
        except WorkbookError as error:  # whatever else stops a commit, Ctrl+C say, may come too late to stop it
            self._clean_up(error, changes, planned, pictures)
            if self._may_try_again(error):
                return None
            if isinstance(error, StaleWorkbook) and not isinstance(error, UnknownOutcome):
                self._tell_stale(error, workbook)
            raise
        return self._finished(planned, pictures, changes, committed)

    def _plan(self, workbook: OpenWorkbook) -> _Planned:
        """Plan the pass; the log of each ruling is written while it is resolved."""
        session, state, receipts = self.session, self.state, workbook.receipts
        note = PassNote.of_new_pass(session.folder, session.workbook.name, receipts.next_seq)
        logs = Logs(None if self.dry else session.folder / "logs", session.clock(), note)
        with logs:
            secret = season_secret.find(session.folder, receipts.season) or NO_SEASON
            tables = request_tables(workbook.snapshot, workbook.forms).values()
            ready = sum(receipts.count_unruled(table) for table in tables)
            context = _context(session, workbook, secret, state, asks=self.dry)
            context = replace(
                context,
                before=replace(context.before, blocked=self.blocked),
                writing=replace(context.writing, is_trial=self.dry),
                fought=replace(context.fought, **_luck(session, workbook, ready)),
            )
            log_of = _log_factory(logs, self.progress, ready)
            plan = plan_pass(workbook.snapshot, context, session.now(), log_of, receipts)
            if plan.owes.wanted_rounds:
                now = unix_seconds(session.now())
                rounds = session.fetch_rounds(receipts.luck.chain, plan.owes.wanted_rounds, now)
                self.remarks += map(HOST_FAILED.format, rounds.failed)
                context = replace(context, rounds=rounds, lead_s=self.lead_s)
                plan = plan_pass(workbook.snapshot, context, session.now(), log_of, receipts)
            # A watcher works on forecasts, and on how lucky rulings were, between its passes.
            is_waiting = bool(plan.owes.requested_forecasts or plan.owes.owed) and state.known is None
            if is_waiting and not plan.rulings:
                self._work_on_forecasts(plan)
                finished, lines = state.forecasts.finished, state.completion.ready
                context = replace(
                    context, fought=replace(context.fought, finished_forecasts=finished, last_lines=lines)
                )
                plan = plan_pass(workbook.snapshot, context, session.now(), receipts=receipts)
            ruled = {ruling.receipt.request for ruling in plan.rulings}  # a copy of such a row is Invalid under its id
            refused = (answer.cells for answer in plan.findings.answers if answer.cells.status == "Invalid")
            logs.forget(cells.request for cells in refused if cells.request not in ruled)
        return _Planned(plan, context, logs, is_waiting)

    def _is_late(self, plan: Plan) -> bool:
        """Tell whether a round that the plan promises may be out before that is written (LUCK-02).

        Then the next attempt promises later rounds: this one took long, perhaps because it fought many battles.
        """
        took = (
            self.session.clock().timestamp() - unix_seconds(plan.writes.promises[0].time)
            if plan.writes.promises
            else 0.0
        )
        if took < self.lead_s / 2:
            return False
        self.lead_s = LEAD_S + 2 * took
        return True

    def _work_on_forecasts(self, plan: Plan) -> None:
        self.state.forecasts.work(plan.owes.requested_forecasts, math.inf, self.progress)
        if not self.dry:
            self.remarks += self.state.completion.work(self.session, plan.owes.owed, self.progress)

    def _completed(self, planned: _Planned, workbook: OpenWorkbook) -> tuple[RulingPictures, ChangeSet]:
        """Return the pictures of the rulings, and the changes with the last map."""
        with planned.logs:
            planned.logs.prepare_commit([ruling.receipt for ruling in planned.plan.rulings])
            pictures = RulingPictures(planned.plan.rulings)
            changes = replace(planned.plan.writes.changes, forced=self.forced, compared=_compared(workbook))
            if not planned.plan.owes.left:  # else the next pass places a later one
                changes = pictures.add_map(changes, workbook.snapshot, self.session)
            return pictures, changes

    def _clean_up(self, error: WorkbookError, changes: ChangeSet, planned: _Planned, pictures: RulingPictures) -> None:
        """Remember a commit whose outcome is unknown; delete the files of one that was refused."""
        if isinstance(error, UnknownOutcome) and changes.guard is not None:
            self.state.doubts.append(PendingCommit(changes.guard, planned.plan, planned.logs, pictures))
            return
        planned.logs.discard()

    def _may_try_again(self, error: WorkbookError) -> bool:
        """Tell whether another attempt may succeed: without the cells that take no value, or on what is there now."""
        if isinstance(error, RefusedChange) and error.obstacles.keys() - self.blocked.keys():
            self.blocked |= error.obstacles  # one cell shall not keep the season's other wars from being ruled
            return True
        self.left -= 1
        return isinstance(error, StaleWorkbook) and self.left > 0

    def _tell_stale(self, error: StaleWorkbook, workbook: OpenWorkbook) -> None:
        """Count a look in vain; after some in a row, name the cell in the rows that wait (RCP-35)."""
        self.state.stale_looks += 1
        if self.state.stale_looks < STALE_LOOKS or not error.cell:
            return
        changes = name_changing_cell(workbook.snapshot, workbook.forms, workbook.receipts, error.cell)
        pending = PendingTab.read(workbook.snapshot, map(type, workbook.forms))
        if changes:
            with suppress(WorkbookError):
                noted = with_note(pending, changes, self.session.now())
                self.session.workbook.commit(workbook.snapshot, noted)

    def _finished(
        self, planned: _Planned, pictures: RulingPictures, changes: ChangeSet, committed: CommitResult
    ) -> PassResult:
        """Bring the state up to date and save the pictures."""
        plan, state = planned.plan, self.state
        state.remember(plan)
        state.discard_superseded(changes.guard)
        if state.repairs > REPAIRS:
            raise StaleWorkbook(f"{self.session.workbook.name}: {MOVED_AGAIN}")
        repaired = [REPAIRED.format(plan.writes.repaired)] if plan.writes.repaired else []
        if changes.guard is not None:
            note_written(self.session, changes.season, changes.head)
        saved, unsaved = pictures.save(self.session, self.progress)
        drawn, undrawn = self._draw_previews(plan)
        planned.logs.finish()
        discard_superseded(self.session, changes.guard)
        planned.logs.drop_numbers()
        # Another pass repairs what was displaced.
        is_partial = plan.owes.is_partial or committed.is_displaced or (planned.is_waiting and bool(plan.rulings))
        remarks = (*self.remarks, *committed.remarks, *repaired)
        return PassResult(
            plan, True, remarks, planned.logs.files, (*saved, *drawn), unsaved or undrawn, is_partial=is_partial
        )

    def _draw_previews(self, plan: Plan) -> tuple[tuple[Path, ...], str]:
        """Draw the maps before rulings that are others than those of the pass before (REQ-15).

        Returns:
            The files written, and a sentence if one cannot be written.
        """
        scenes = {
            answer.cells.request: answer.preview for answer in plan.findings.answers if answer.preview is not None
        }
        digests = {request: scene.digest for request, scene in scenes.items()}
        new = [request for request, digest in digests.items() if self.state.previews.get(request) != digest]
        self.state.previews = digests
        saved: list[Path] = []
        try:
            paths = ((preview_path(picture_folder(self.session), self.session.workbook.name, id), id) for id in new)
            new_scenes = ((path, scenes[id]) for path, id in paths if self.session.draws_pictures)
            for path in write_previews(new_scenes):
                self.progress("Drawing", path.name, len(new))
                saved.append(path)
        except OSError as error:
            self.state.previews = {}
            return tuple(saved), f"A preview cannot be written ({error.strerror})."
        return tuple(saved), ""


def repair(session: Session) -> tuple[str, ...]:
    """Repair and close earlier commits that landed on rows which people moved.

    Returns:
        Sentences that say what was done.

    Raises:
        RefusedChange: A column in which an earlier commit wrote is gone.
        WorkbookError: As `run_pass`.
    """
    remarks: list[str] = []
    for _ in range(REPAIRS):
        workbook = opened(session)
        pending = PendingTab.read(workbook.snapshot, map(type, workbook.forms))
        if pending.unreachable:
            raise RefusedChange(str(pending.unreachable[0]))
        changes = replace(with_note(pending, pending.repairs, session.now()), compared=_compared(workbook))
        if not changes:
            return tuple(remarks)
        try:
            session.workbook.commit(workbook.snapshot, changes)
        except StaleWorkbook:
            continue
        if pending.repairs:
            remarks.append(REPAIRED.format(len(pending.repairs.cells) + len(pending.repairs.rows)))
    raise StaleWorkbook(f"{session.workbook.name}: {MOVED_AGAIN}")


def _compared(workbook: OpenWorkbook) -> Mapping[str, ComparedCells]:
    return compared_cells(
        workbook.snapshot, dict.fromkeys(record for form in workbook.forms for record in form.records())
    )


def _luck(session: Session, workbook: OpenWorkbook, total: int) -> dict[str, Any]:
    """Return when to say how lucky a ruling was: for a file before it is saved, once; for a spreadsheet afterwards."""
    if workbook.snapshot.revision:
        return {"luck_of": _luck_of(session, total)}
    return {"owes_luck": session.is_luck_told}


def _context(
    session: Session, workbook: OpenWorkbook, secret: Secret, state: WatchState, *, asks: bool = False
) -> PassContext:
    return PassContext(
        forms=workbook.forms,
        fingerprints={form.ruleset_key: session.library.fingerprint(form.ruleset_key) for form in workbook.forms},
        secret=secret,
        before=KnownBefore(
            known=state.known,
            last_statuses=state.last_statuses,
            noted=noted_heads(session, workbook.receipts.season, asks=asks),
        ),
        writing=WriteOptions(
            log_lines_most=session.log_lines_most,
            most=session.most,
            accepts_rules=session.accepts_rules,
            accepts_columns=session.accepts_columns,
            preview_name=partial(_preview_name, session),
            posts=workbook.posts(session),
        ),
        fought=ComparisonBattles(finished_forecasts=state.forecasts.finished, last_lines=state.completion.ready),
    )


def _preview_name(session: Session, request: str) -> str:
    """Return the name of a preview's file with its folder, which tells nobody where the program runs."""
    if not session.draws_pictures:
        return ""
    path = preview_path(picture_folder(session), session.workbook.name, request)
    return f"{path.parent.name}/{path.name}"


def _luck_of(session: Session, total: int) -> LuckOf:
    """Return the function that says how lucky rulings were; for many, it compiles the battles first."""
    if not session.is_luck_told:
        return no_luck_lines
    compiled: dict[str, MachineCode] = {}

    def compiled_luck(form: Form[Any], inputs: Any, seed: int, log: LogSink) -> tuple[Event, ...]:
        code = use_machine_code(form, inputs, compiled, total * COMPARISON_BATTLES)
        return how_lucky(form, inputs, seed, log, total, code)

    return compiled_luck


def _log_factory(logs: Logs, progress: Progress, total: int) -> LogFactory:
    def log_of(form: Form[Any], request: str) -> LogSink:
        progress("Ruling", request, total)
        return logs.start(form, request)

    return log_of
