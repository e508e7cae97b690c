"""Arguments of the planning of a pass, the frozen contents of its workbook, and the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Protocol

from engine.battle_map import Rgb, Scene
from engine.receipt import USUAL, SeasonOptions
from engine.ruleset import Event, LogSink, Outcome
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.database.problems import Problem
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form, FormResult
from sheets_algo.forms.databases import colours_of, gone, request_tables
from sheets_algo.ruling.forecast.forecast_rows import Cells, FinishedForecast, ForecastKey, PendingForecast
from sheets_algo.ruling.luck.beacon import Rounds
from sheets_algo.ruling.luck.draw import Secret
from sheets_algo.ruling.promises.promises import LEAD_S
from sheets_algo.ruling.receipts.chain import FORK, IN_ROWS, NotedHead, hold, other_rules, other_tables, secret_trouble
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.repair.intents import PendingTab
from sheets_algo.ruling.requests.decisions import CodeOf
from sheets_algo.ruling.requests.overrides import Decision, Overrides
from sheets_algo.ruling.requests.row_states import LostRequests, ShownResults
from sheets_algo.ruling.requests.status_columns import StatusCells, WrittenStatus
from sheets_algo.workbook.addresses import Address
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.errors import SeasonMismatch
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.template_spec import TabSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownBefore:
    """Knowledge before a pass: findings of earlier passes, and notes outside the workbook."""

    # A digest of each request in the last pass; a request that has changed since is Waiting, because a person may still
    # be typing. None rules at once.
    known: Mapping[str, str] | None = None
    last_statuses: Mapping[str, WrittenStatus] = field(default_factory=dict)  # `PassFindings.statuses` of the last pass
    # The cells that take no value, and the reasons. A ruling that must write one of them is refused; mere displays are
    # left out (RCP-31).
    blocked: Mapping[Address, str] = field(default_factory=dict)
    # The heads of the chain of receipts noted outside the workbook's tabs, the store's own first.
    noted: Sequence[NotedHead] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOptions:
    """Options for the writes of a pass."""

    log_lines_most: int = 500  # The maximum number of lines of one ruling in the Log tab
    # The characters that a pass may write before it leaves the rest to the next one; None for no limit. The cells of
    # one request are never divided.
    most: int | None = None
    is_trial: bool = False  # True if nothing will be written; then a row without an id is ruled as if it had one
    # True if a season goes on under this program's version of the rules from now on (RCP-17).
    accepts_rules: bool = False
    accepts_columns: bool = False  # True to accept the loss of optional columns (REQ-11)
    # Returns the name of the picture file of a request before its ruling, blank if none is written.
    preview_name: Callable[[str], str] = lambda _: ""
    channels: Sequence[ChannelSettings] = ()  # The channels for receipts
    looks: Mapping[str, TabSpec] = field(default_factory=dict)  # The formats of new tabs, by name


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonBattles:
    """Battles beside rulings: forecasts, and comparisons for the luck of rulings."""

    # The forecasts that are ready to be written, by `PendingForecast.key`.
    finished_forecasts: Mapping[ForecastKey, FinishedForecast] = field(default_factory=dict)
    # Returns the lines on luck at the end of a ruling's log (FC-06); None without such lines.
    luck_of: LuckOf | None = None
    # Returns the machine code by which a request is ruled and compared; None for Python.
    code_of: CodeOf | None = None


class Foresight(Protocol):
    """Probable outcomes of wars, from battles of their forecasts, which reveal nothing of the season's luck (FC-01)."""

    @property
    def likelihood(self) -> str:
        """Return their likelihood, an adverb."""

    @property
    def is_first(self) -> bool:
        """Return True if the rehearsal finds problems of tabs too, which depend on no luck."""

    def battle(self, form: Form[Any], request: str, inputs: str) -> int | None:
        """Return the number of the forecast's battle that stands in for the ruling of a request in a rehearsal.

        None if nothing depends on its outcome, so that it need not be resolved.

        Args:
            inputs: The inputs of the request, serialised.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class PassContext:
    """The context of a pass."""

    forms: Sequence[Form[Any]]  # The forms, one a request tab, in the order in which the tabs are read
    fingerprints: Mapping[str, str]  # The SHA-256 of each ruleset's tables, by name of the ruleset
    secret: Secret  # The season secret
    before: KnownBefore = KnownBefore()  # The knowledge before it
    writing: WriteOptions = WriteOptions()  # The options for its writes
    fought: ComparisonBattles = ComparisonBattles()  # Battles that are fought beside its rulings
    steps: Sequence[type] = ()  # The classes of the steps that it may need, in their order
    # The luck of rulings in a rehearsal, which writes nothing; None for a pass that rules.
    foresight: Foresight | None = None
    obstacle: Problem | None = None  # An obstacle to all rulings from outside the workbook; None for none
    rounds: Rounds | None = None  # The rounds of the beacon that it needs; None if it was not asked
    lead_s: float = LEAD_S  # Minimum number of seconds from a promise to its round
    # Returns True if formulas affect rulings: only the next pass reads their new values, so a pass rules one request.
    # None if it rules no second one.
    has_formulas: Callable[[], bool] | None = None


LuckOf = Callable[[Form[Any], Any, int, LogSink], tuple[Event, ...]]
"""Function of form, inputs, seed and log that returns the log lines on a ruling's luck."""

Progress = Callable[[str, str, int | None], None]
"""Callback with the activity that begins (Ruling, Drawing), its item and the expected number of items, if known."""

LOG = "Log"
"""The activity whose items are parts of a log, hour by hour while the battle runs (LOG-01)."""

LogFactory = Callable[[Form[Any], str], LogSink]
"""Returns the sink of a request's log, which receives lines while the request is resolved (LOG-01)."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A request that this pass has resolved."""

    receipt: StoredReceipt
    outcome: Outcome  # The outcome
    form: Form[Any]  # The form of its ruleset
    options: SeasonOptions = USUAL  # The options of the season
    luck: tuple[Event, ...] = ()  # The lines on its luck (FC-06); none if logs do not say it
    # Its place in the chain of receipts for players, number and digest (RCP-19); blank where players of the workbook's
    # games have secrets, since numbers count the orders of others.
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreseen:
    """A request as a rehearsal reads it, for its forecast."""

    form: Form[Any]  # The form of its ruleset
    row: Row
    request: str  # Its id; blank if it has none
    content: FormResult[Any]  # The content with the decided cells
    decisions: tuple[Decision, ...] = ()  # The decisions of moderators about it
    # Returns the requests above whose rulings probably change what it reads, each with what it changes, a clause.
    after: Callable[[], Mapping[str, str]] = dict


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one request row."""

    cells: StatusCells  # Its status cells
    problems: tuple[Problem, ...] = ()
    ruling: Ruling | None = None  # The ruling, if this pass made one
    is_later: bool = False  # True if it is an order of a turn that has not begun (REQ-10)
    lapses: str = ""  # The reason of its lapse at the end of its turn, a clause; blank for none (REQ-18)
    # True if it was refused because a cell that a ruling must write takes no value (RCP-31), or because a moderator's
    # decision about it cannot be carried out.
    is_blocked: bool = False
    awaits_people: bool = False  # True if it ends a turn once its errors are corrected (REQ-12)
    is_changed: bool = False  # True if the row's action changed cells of people (REQ-14)
    is_misread: bool = False  # True if its cells have errors, or rows that they name do after the rulings above
    is_past: bool = False  # True if its turn is over and its row shows that already (REQ-10)
    awaited: float | None = None  # The time in Unix seconds before which it cannot be ruled, if it waits for a beacon
    failure: str = ""  # The traceback, if the program itself failed on it
    is_next: bool = False  # True if the next pass rules it
    preview: Scene | None = None  # The picture of the request before its ruling, if requested (REQ-15)
    foreseen: Foreseen | None = None  # Its content in a rehearsal, if it can be ruled (FC-31)

    @property
    def mistake(self) -> str:
        """Return its first error, a clause."""
        errors = [problem.says for problem in self.problems if problem.is_error]
        return errors[0] if errors else self.cells.message.partition("\n")[0].rstrip(".")

    @property
    def is_unruled(self) -> bool:
        """Return True if it is refused, or lapses when its turn ends."""
        return self.is_refused or bool(self.lapses)

    @property
    def is_open(self) -> bool:
        """Return True if further rulings may change it: the request was refused."""
        is_unruled = self.cells.status == "Invalid" or bool(self.lapses)
        return is_unruled and not (self.is_blocked or self.is_past)

    @property
    def is_pending(self) -> bool:
        """Return True if a later pass may answer it differently without changes of the workbook."""
        is_unruled = self.cells.status in ("Waiting", "Failed") or any(problem.is_pending for problem in self.problems)
        return is_unruled and not (self.is_later or self.lapses or self.awaits_people)

    @property
    def is_refused(self) -> bool:
        """Return True if it shows an error, of a person or of the program, that can still be corrected."""
        return self.cells.status in ("Invalid", "Failed", "Changed") and not self.is_past


@dataclass(frozen=True, slots=True, kw_only=True)
class PassFindings:
    """The findings of a pass."""

    answers: tuple[Answer, ...] = ()  # The answers, one a request row, in reading order
    # The problems of request tabs as a whole, of rows of requests that do not exist, and of database cells that no
    # longer show what was ruled.
    of_tabs: tuple[Problem, ...] = ()
    failures: tuple[str, ...] = ()  # The tracebacks of requests on which the program itself failed
    # The digest of each request that could be ruled, for the next pass's `KnownBefore.known`.
    known: Mapping[str, str] = field(default_factory=dict)
    # The digest of the row and the status of each request, for the next pass's `KnownBefore.last_statuses`.
    statuses: Mapping[str, WrittenStatus] = field(default_factory=dict)
    held: Problem | None = None  # The problem of the workbook that blocks all rulings, if there is one


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedWrites:
    """The writes of a pass."""

    changes: ChangeSet  # The changes to write
    promises: tuple[StoredReceipt, ...] = ()  # The new promises among them
    forecast_rows: tuple[Cells, ...] = ()  # The new rows of the Forecasts tab among them
    repaired: int = 0  # The number of cells of an earlier commit that it repairs; it does nothing else then


@dataclass(frozen=True, slots=True, kw_only=True)
class RemainingWork:
    """The remaining work after a pass."""

    is_partial: bool = False  # True if the work exceeded one pass
    left: int = 0  # The number of ready requests without a ruling that it did not reach
    requested_forecasts: tuple[PendingForecast, ...] = ()  # The requests that wait for their odds, in reading order
    wanted_rounds: frozenset[int] = frozenset()  # The rounds of the beacon that it needs
    deadline: datetime | None = None  # The next automatic end of a turn (TRN-03)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The plan of one pass: its findings, its writes, and the remaining work."""

    findings: PassFindings
    writes: PlannedWrites
    owes: RemainingWork = RemainingWork()

    @property
    def awaited(self) -> float | None:
        """Return the time in Unix seconds at which the first request that waits for a beacon can be ruled."""
        return min((answer.awaited for answer in self.findings.answers if answer.awaited is not None), default=None)

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Return the rulings in the order of their receipts."""
        rulings = (answer.ruling for answer in self.findings.answers if answer.ruling)
        return tuple(sorted(rulings, key=lambda ruling: ruling.receipt.seq))

    @property
    def refused(self) -> int:
        """Return the number of requests that show an error."""
        return sum(answer.is_refused for answer in self.findings.answers)

    @property
    def all_problems(self) -> tuple[Problem, ...]:
        """Return each problem once, in reading order: what `check` reports of a rehearsal."""
        of_rows = (problem for answer in self.findings.answers for problem in answer.problems)
        return tuple(dict.fromkeys((*self.findings.of_tabs, *of_rows)))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return each problem once, in reading order, without those that were reported when a turn ended."""
        of_rows = (problem for answer in self.findings.answers if not answer.is_past for problem in answer.problems)
        return tuple(dict.fromkeys((*self.findings.of_tabs, *of_rows)))


NO_SECRET = Secret(b"what check says is no secret")
"""The secret of a pass that rules nothing, so that its answers reveal no result of a war (FC-01)."""


@dataclass(frozen=True, kw_only=True)
class Contents:
    """The contents of a workbook for one pass."""

    snapshot: Snapshot  # The workbook
    context: PassContext
    now: str  # The time of the pass in UTC, ISO 8601
    logs: LogFactory  # Returns the sink of each request's log
    receipts: Receipts  # The receipts before the pass
    held: Problem | None  # The problem of the workbook that blocks all rulings, if there is one
    pending: PendingTab  # The writes to the workbook that are not verified yet
    other_rules: Mapping[str, Problem]  # The problems of forms under another version of the rules (RCP-17)
    other_tables: Mapping[str, tuple[Problem, ...]]  # Warnings of forms whose last ruling had other tables (RCP-11)
    tables: Mapping[str, Table]  # The request tabs, by the keys of their forms

    @property
    def why_held(self) -> str:
        """Return the reason why the workbook blocks all rulings, for the rows of requests; blank for none."""
        if self.held and self.held.id == "RCP-19":
            return IN_ROWS.format(ways_on=self.held.allowed)
        if self.held and self.held.id == FORK:  # without the place, which players need not know
            return f"This workbook is a copy. {self.held.allowed}. [{FORK}]"
        return str(self.held or "")

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
    def colours(self) -> Mapping[str, Mapping[str, Rgb]]:
        """Return the colours of the sides in the pictures of each form, by its key."""
        return {form.key: colours_of(form, self.snapshot) for form in self.context.forms}

    @cached_property
    def gone(self) -> Mapping[str, tuple[Problem, ...]]:
        """Return the problems of lost columns, by the key of the form (REQ-11)."""
        had = {} if self.context.writing.accepts_columns else self.receipts.columns
        return {form.key: tuple(gone(form, self.snapshot, had)) for form in self.context.forms}


def read_contents(
    snapshot: Snapshot, context: PassContext, now: str, logs: LogFactory, receipts: Receipts | None
) -> Contents:
    """Read a workbook for a pass; arguments and errors as of `plan_pass`."""
    receipts = receipts or read_receipts(snapshot, is_lenient=True)
    forms, accepts = context.forms, context.writing.accepts_rules
    pending = PendingTab.read(snapshot, map(type, forms))
    held = hold(receipts, context.before.noted) or context.obstacle
    if context.foresight and (pending.repairs or pending.unreachable):
        held = held or next(iter(pending.all_problems), None)  # rows in the wrong state are not ruled (RCP-33)
    if not held and context.secret != NO_SECRET and (trouble := secret_trouble(receipts, context.secret)):
        raise SeasonMismatch(trouble)
    return Contents(
        snapshot=snapshot,
        context=context,
        now=now,
        logs=logs,
        receipts=receipts,
        held=held,
        pending=pending,
        other_rules={form.key: problem for form in forms if (problem := other_rules(form, receipts, accepts=accepts))},
        other_tables={
            form.key: tuple(other_tables(form, receipts, context.fingerprints.get(form.ruleset_key, "")))
            for form in forms
        },
        tables=request_tables(snapshot, forms),
    )
