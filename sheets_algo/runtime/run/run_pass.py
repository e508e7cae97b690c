"""Passes over a workbook, until the work is done or people have changed it in every attempt.

Each attempt reads the workbook, plans, commits and brings the files beside it up to date.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from engine.ruleset import LogSink, no_op
from sheets_algo.database.headers import columns_read
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import request_tables
from sheets_algo.ruling.luck.beacon import unix_seconds
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import LOG, Plan, Progress
from sheets_algo.ruling.promises.promises import LEAD_S
from sheets_algo.runtime.after_commit.artifacts import picture_folder, preview_path, with_last_map, write_previews
from sheets_algo.runtime.after_commit.boards_kept import try_to_keep_boards
from sheets_algo.runtime.after_commit.ruling_files import FileWriter, MadeFiles
from sheets_algo.runtime.after_commit.settle import call_subscribers, settle
from sheets_algo.runtime.run.changing_cells import name_changing_cell
from sheets_algo.runtime.run.pass_context import NO_SEASON, WatchState, begin_posts, luck_options, pass_context
from sheets_algo.runtime.run.pass_result import PassResult, join_results
from sheets_algo.runtime.run.repair import MOVED_AGAIN, REPAIRED, REPAIRS, cells_to_compare, commit_noted
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.record import begin_commit, note_complete, note_head, note_seen
from sheets_algo.runtime.session.session import OpenWorkbook, Session, Subscriber, opened
from sheets_algo.runtime.session.world import add_world_map
from sheets_algo.workbook.addresses import Address
from sheets_algo.workbook.changes import ChangeSet, CommitResult
from sheets_algo.workbook.errors import RefusedChange, StaleWorkbook, UnknownOutcome, WorkbookError

TRIES = 3
"""The attempts of a pass when people save in the meantime; one after a pass in which all failed."""
STALE_LOOKS = 3
"""The number of failed attempts in a row after which rows name the changing cell."""

HOST_FAILED = "A host of the beacon failed, and another was asked: {}."
COMPLETED = "Files that were missing are made from receipts: {}."


def run_until_done(
    session: Session, *, dry: bool, forced: bool, progress: Progress, wait: Callable[[float], bool] | None = None
) -> PassResult:
    """Run passes until the work is done, and return their joint result.

    A pass writes no more to a spreadsheet than one request can hold.

    Args:
        dry: Plan only, in one pass.
        forced: Write into protected tabs too.
        progress: Called when something begins that takes time.
        wait: Waits until a time in Unix seconds, for the round of a beacon, and returns False if it never comes; None
            leaves the requests that wait for one to the next run.

    Raises:
        WorkbookError: As `run_pass`.
    """
    if dry:
        return run_pass(replace(session, most=None), dry=True, forced=forced, progress=progress)
    state = WatchState(known=None)
    result = run_pass(session, forced=forced, progress=progress, state=state).without_courses()
    while result.is_partial or (wait and result.plan.awaited is not None and wait(result.plan.awaited)):
        result = join_results(
            result, run_pass(session, forced=forced, progress=progress, state=state).without_courses()
        )
    return replace(result, failures=(*result.failures, *try_to_keep_boards(session)))


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
    attempts = PassAttempts(session, dry, forced, progress, state, left=1 if state.stale_looks else TRIES)
    result = None
    while result is None:
        result = attempts.next()
    return result


@dataclass(frozen=True, slots=True)
class PlannedPass:
    """A plan with the logs of its rulings, ready to be committed."""

    plan: Plan
    logs: Mapping[str, Sequence[str]]  # The lines of the logs, by request
    is_waiting: bool  # True if forecasts wait for another pass


@dataclass(slots=True)
class PassAttempts:
    """The attempts of one pass, each with a new plan for the current workbook."""

    session: Session
    dry: bool
    forced: bool
    progress: Progress
    state: WatchState
    left: int
    blocked: dict[Address, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)  # Sentences about files and pages that cannot be written
    lead_s: float = LEAD_S

    def next(self) -> PassResult | None:
        """Make one attempt; return None if another one must follow."""
        workbook = opened(self.session, is_lenient=True)  # the plan names damages in the rows that wait
        made = MadeFiles() if self.dry or workbook.receipts.original else self._settle(workbook)
        planned = self._plan(workbook)
        if self.dry or not planned.plan.writes.changes:
            self.state.remember(planned.plan)
            drawn = () if self.dry else self._draw_previews(planned.plan)
            result = self._result(planned.plan, made, is_written=False, snapshot=workbook.snapshot)
            return replace(result, pictures=(*result.pictures, *drawn))
        if self._is_late(planned.plan):
            return None
        changes, drawn_maps = self._complete(planned, workbook)
        begin_commit(self.session, workbook.receipts, changes)
        try:
            committed = self.session.workbook.commit(workbook.snapshot, changes)
        except WorkbookError as error:  # any other interruption, such as Ctrl+C, may come too late
            if self._may_try_again(error):
                return None
            if isinstance(error, StaleWorkbook) and not isinstance(error, UnknownOutcome):
                self._tell_stale(error, workbook)
            raise
        return self._finish(planned, made, drawn_maps, changes, committed, workbook.receipts.record_key)

    def _settle(self, workbook: OpenWorkbook) -> MadeFiles:
        """Write the missing files of earlier commits, and record the reading."""
        made, pages, failures = settle(self.session, workbook, self.progress)
        names = [path.name for paths in (*made.by_receipt.values(), pages) for path in paths]
        self.remarks += [COMPLETED.format(", ".join(names))] if names else []
        self.failures += failures
        begin_posts(self.session, workbook)
        note_seen(self.session, workbook.receipts)
        return made

    def _result(self, plan: Plan, made: MadeFiles, **what: Any) -> PassResult:
        """Return the result of a plan, with the written files."""
        logs, pictures, pages = map(made.inside, ("logs", "pictures", "replays"))
        failures = tuple(dict.fromkeys((*self.failures, *made.failures)))
        result = PassResult(plan, True, tuple(self.remarks), logs, pictures, pages, failures)
        return replace(result, **what)

    def _call(self, subscribers: Iterable[Subscriber], result: PassResult) -> tuple[list[Path], list[str]]:
        return call_subscribers(subscribers, result, self.progress)

    def _plan(self, workbook: OpenWorkbook) -> PlannedPass:
        """Plan the pass; the log of each ruling goes to `progress` hour by hour while it is resolved (LOG-01)."""
        session, state, receipts = self.session, self.state, workbook.receipts
        logs: dict[str, list[str]] = {}
        secret = None if receipts.original else season_secret.find(session.folder, receipts.season)
        tables = request_tables(workbook.snapshot, workbook.forms).values()
        ready = sum(receipts.count_unruled(table) for table in tables)
        has_turns = any(form.decides_in_order for form in workbook.forms)  # a deadline adds a request
        context = pass_context(session, workbook, secret or NO_SEASON, state, asks=self.dry)
        context = replace(
            context,
            before=replace(context.before, blocked=self.blocked),
            writing=replace(context.writing, is_trial=self.dry),
            has_formulas=cache(partial(_has_formulas, session, workbook)) if ready > 1 or has_turns else None,
            fought=replace(context.fought, **luck_options(session, ready, is_watched=state.known is not None)),
        )

        def log_of(form: Form[Any], request: str) -> LogSink:
            self.progress("Ruling", request, ready)
            lines = logs[request] = []

            def keep(new: Iterable[str]) -> None:
                if text := [*new]:
                    lines.extend(text)
                    self.progress(LOG, "\n".join(text), None)

            return keep

        plan = plan_pass(workbook.snapshot, context, session.now(), log_of, receipts)
        if plan.owes.wanted_rounds:
            now = unix_seconds(session.now())
            rounds = session.fetch_rounds(receipts.luck.chain, plan.owes.wanted_rounds, now)
            self.remarks += map(HOST_FAILED.format, rounds.failed)
            context = replace(context, rounds=rounds, lead_s=self.lead_s)
            plan = plan_pass(workbook.snapshot, context, session.now(), log_of, receipts)
        # A watcher works on forecasts between its passes.
        is_waiting = bool(plan.owes.requested_forecasts) and state.known is None
        if is_waiting and not plan.rulings:
            state.forecasts.work(plan.owes.requested_forecasts, math.inf, self.progress)
            context = replace(context, fought=replace(context.fought, finished_forecasts=state.forecasts.finished))
            plan = plan_pass(workbook.snapshot, context, session.now(), receipts=receipts)
        return PlannedPass(plan, logs, is_waiting)

    def _is_late(self, plan: Plan) -> bool:
        """Return True if a promised round may be published before the plan is written (LUCK-02).

        Then the next attempt promises later rounds: this one took long, perhaps because it fought many battles.
        """
        promises = plan.writes.promises
        took = self.session.clock().timestamp() - unix_seconds(promises[0].time) if promises else 0.0
        if took < self.lead_s / 2:
            return False
        self.lead_s = LEAD_S + 2 * took
        return True

    def _complete(self, planned: PlannedPass, workbook: OpenWorkbook) -> tuple[ChangeSet, Mapping[int, bytes]]:
        """Return the changes with the maps of the last battle and of the game, and that battle's by its receipt."""
        plan, snapshot = planned.plan, workbook.snapshot
        changes = replace(plan.writes.changes, forced=self.forced, compared=cells_to_compare(workbook))
        if plan.owes.left:  # the next pass places later ones
            return changes, {}
        changes, drawn = with_last_map(changes, plan.rulings, snapshot, self.session)
        return add_world_map(changes, workbook, self.session, plan.rulings), drawn

    def _may_try_again(self, error: WorkbookError) -> bool:
        """Return True if another attempt may succeed: without blocked cells, or on the current contents."""
        if isinstance(error, RefusedChange) and error.obstacles.keys() - self.blocked.keys():
            self.blocked |= error.obstacles  # one cell must not block the season's other wars
            return True
        self.left -= 1
        return isinstance(error, StaleWorkbook) and self.left > 0

    def _tell_stale(self, error: StaleWorkbook, workbook: OpenWorkbook) -> None:
        """Count a failed attempt; after some in a row, name the cell in the waiting rows (RCP-35)."""
        self.state.stale_looks += 1
        if self.state.stale_looks < STALE_LOOKS or not error.cell:
            return
        changes = name_changing_cell(workbook.snapshot, workbook.forms, workbook.receipts, error.cell)
        if changes:
            with suppress(WorkbookError):
                commit_noted(self.session, workbook, changes)

    def _finish(
        self,
        planned: PlannedPass,
        made: MadeFiles,
        drawn_maps: Mapping[int, bytes],
        changes: ChangeSet,
        committed: CommitResult,
        key: str,
    ) -> PassResult:
        """Bring the state up to date, and write the files and pages that follow from the commit."""
        plan, state = planned.plan, self.state
        state.remember(plan)
        if state.repairs > REPAIRS:
            raise StaleWorkbook(f"{self.session.workbook.name}: {MOVED_AGAIN}")
        repaired = [REPAIRED.format(plan.writes.repaired)] if plan.writes.repaired else []
        if changes.guard is not None:
            note_head(self.session, key, changes.head)
        logs = [(ruling, planned.logs[ruling.receipt.request]) for ruling in plan.rulings]
        new = FileWriter(self.session, self.progress).write_all(logs, drawn_maps, plan.owes.left)
        drawn = self._draw_previews(plan)
        # Another pass repairs displaced cells.
        is_partial = plan.owes.is_partial or committed.is_displaced or (planned.is_waiting and bool(plan.rulings))
        remarks = (*self.remarks, *committed.remarks, *repaired)
        result = self._result(plan, made | new, remarks=remarks, is_partial=is_partial)
        result = replace(result, pictures=(*result.pictures, *drawn))
        pages, failures = self._call((*self.session.page_writers, *self.session.on_committed), result)
        if changes.guard is not None:
            last = new.complete_up_to(changes.head.seq, (ruling.receipt for ruling in plan.rulings))
            note_complete(self.session, key, changes.guard, last)
        return replace(result, pages=(*result.pages, *pages), failures=(*result.failures, *failures))

    def _draw_previews(self, plan: Plan) -> tuple[Path, ...]:
        """Draw the maps before rulings that differ from those of the last pass (REQ-15); return the files."""
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
                self.progress("Previews", path.name, len(new))
                saved.append(path)
        except OSError as error:
            self.state.previews = {}
            self.failures.append(f"A preview cannot be written ({error.strerror}).")
        return tuple(saved)


def _has_formulas(session: Session, workbook: OpenWorkbook) -> bool:
    records = dict.fromkeys(record for form in workbook.forms for record in form.records())
    return session.workbook.has_formulas(workbook.snapshot, columns_read(workbook.snapshot, records))
