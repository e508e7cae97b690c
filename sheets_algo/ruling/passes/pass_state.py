"""State of a pass: what it has read, once, and what it has planned so far, which its steps change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from engine.battle_map import Rgb
from engine.columns import loosely
from sheets_algo.database.problems import Problem
from sheets_algo.database.tables import Table
from sheets_algo.ruling.forecast.forecast_rows import Cells, ForecastLog, PendingForecast
from sheets_algo.ruling.passes.deadlines import Deadlines
from sheets_algo.ruling.passes.plan import LogFactory, PassContext
from sheets_algo.ruling.passes.promise_answers import PromiseAnswers
from sheets_algo.ruling.passes.receipt_log import ReceiptLog, hold, secret_trouble
from sheets_algo.ruling.receipts.chain import IN_ROWS
from sheets_algo.ruling.receipts.changes import Changes
from sheets_algo.ruling.receipts.former_columns import gone
from sheets_algo.ruling.receipts.reading import read_receipts
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.ruling.repair.intents import CopiedRow, PendingTab
from sheets_algo.ruling.requests.overrides import Overrides
from sheets_algo.ruling.requests.program_cells import DatabaseEdit
from sheets_algo.ruling.requests.request_ids import LostRequests, ShownResults
from sheets_algo.ruling.requests.request_tabs import is_ready, request_tables
from sheets_algo.ruling.requests.turns_tab import TurnsTab
from sheets_algo.workbook.errors import SeasonMismatch
from sheets_algo.workbook.snapshot import Snapshot


@dataclass(kw_only=True)
class PassState:
    """The state of one pass."""

    snapshot: Snapshot  # The workbook as it was read
    context: PassContext
    now: str  # The time of the pass in UTC, ISO 8601
    logs: LogFactory  # Returns the sink of each request's log
    changes: Changes  # The collector of everything that the pass writes
    log: ReceiptLog  # The receipts before the pass, and those that it appends
    held: Problem | None  # The problem of the workbook because of which nothing is ruled, if there is one
    pending: PendingTab  # The writes to the workbook that are not verified yet
    tables: Mapping[str, Table]  # The request tabs, by the keys of their forms
    promises: PromiseAnswers  # The promises that the pass makes and keeps
    # The digest of what was typed for each request that was looked at, by its id.
    known: dict[str, str] = field(default_factory=dict)
    # The ids of requests that the program adds itself, which nobody may still be typing.
    added: set[str] = field(default_factory=set)
    copies: list[CopiedRow] = field(default_factory=list)  # The copied rows that wait until their Ready is cleared
    # The cells of the database that people have changed, which the next ruling accepts.
    edits: tuple[DatabaseEdit, ...] = ()
    # The tracebacks of requests on which the program itself failed.
    failures: list[str] = field(default_factory=list)
    requested_forecasts: list[PendingForecast] = field(default_factory=list)
    new_forecasts: list[tuple[PendingForecast, Cells]] = field(default_factory=list)  # With their rows
    # The rulesets in whose turns an order waits for luck, so that those below it wait too.
    waiting_turns: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)  # The problems of tabs as a whole
    left: int = 0  # The number of ready requests without a ruling that it did not look at
    must_look_again: bool = False
    # The colours of the sides in the pictures of each form, which are read once a pass.
    colours: dict[str, Mapping[str, Rgb]] = field(default_factory=dict)

    @property
    def receipts(self) -> Receipts:
        """Return the receipts before the pass."""
        return self.log.receipts

    @property
    def is_timed(self) -> bool:
        """Return True if turns may end at their deadlines."""
        return not (self.held or self.context.writing.is_check)

    @property
    def why_held(self) -> str:
        """Return why nothing is ruled because of the workbook, as the rows of requests say it; blank if it is."""
        return IN_ROWS if self.held and self.held.id == "RCP-19" else str(self.held or "")

    @cached_property
    def overrides(self) -> Overrides:
        """Return the decisions of moderators."""
        return Overrides(self.snapshot, self.receipts, self.tables.values())

    @cached_property
    def lost(self) -> LostRequests:
        """Return the ruled requests that have lost their rows."""
        return LostRequests(self.receipts, self.tables)

    @cached_property
    def results(self) -> ShownResults:
        """Return the results that rows may show."""
        return ShownResults(self.receipts)

    @cached_property
    def gone(self) -> Mapping[str, tuple[Problem, ...]]:
        """Return the problems of the columns that are gone, by the key of the form (REQ-11)."""
        had = {} if self.context.writing.accepts_columns else self.receipts.columns
        return {form.key: tuple(gone(form, self.snapshot, had)) for form in self.context.forms}

    @cached_property
    def deadlines(self) -> Deadlines:
        """Return the deadlines of turns."""
        return Deadlines(TurnsTab(self.snapshot, self.context.forms), self.log, self.changes, self.now)

    @cached_property
    def forecasts(self) -> ForecastLog:
        """Return the forecasts that the workbook has."""
        return ForecastLog(self.snapshot, self.changes)


def read_pass(
    snapshot: Snapshot, context: PassContext, now: str, logs: LogFactory, receipts: Receipts | None
) -> PassState:
    """Read a workbook for a pass; arguments and errors as of `plan_pass`."""
    changes = Changes(context.before.blocked, context.writing.most)
    receipts = receipts or read_receipts(snapshot, is_lenient=True)
    log = ReceiptLog(snapshot, changes, context.writing.posts, receipts)
    held = hold(receipts, context.before.noted)
    if not held and (trouble := secret_trouble(receipts, context.secret)):
        raise SeasonMismatch(trouble)
    pending, tables = PendingTab.read(snapshot, map(type, context.forms)), request_tables(snapshot, context.forms)
    return PassState(
        snapshot=snapshot,
        context=context,
        now=now,
        logs=logs,
        changes=changes,
        log=log,
        held=held,
        pending=pending,
        tables=tables,
        promises=PromiseAnswers(log, context, now, snapshot),
        copies=[copy for copy in pending.copies if _waits_for_tick(copy, tables.values(), receipts)],
    )


def _waits_for_tick(copy: CopiedRow, tables: Iterable[Table], receipts: Receipts) -> bool:
    """Return True if a copied row is there and not ruled, and nobody has cleared its Ready since."""
    rows = (row for table in tables for row in table.by_request.get(loosely(copy.id), ()))
    return not receipts.is_settled(copy.id) and any(is_ready(row) is not False for row in rows)
