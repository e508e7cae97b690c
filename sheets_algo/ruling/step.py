"""Protocol of steps, the work of a pass besides plain rulings; the state of a pass, and its request tabs.

A step owns its tabs, its texts and its state, which last for one pass. It knows the contents of the pass and the
requests of its calls, but no other step. The list of all steps, in their order, is `steps/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import Any, ClassVar, NamedTuple, Self

from engine.columns import ValueList, loosely
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.changes import Changes
from sheets_algo.database.problems import Problem, Rejected
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Edit, Row, Table
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import open_database
from sheets_algo.forms.request_columns import is_ready
from sheets_algo.ruling.forecast.forecast_rows import Cells, PendingForecast
from sheets_algo.ruling.plan import Answer, Contents, PassContext
from sheets_algo.ruling.receipts.receipt_tab import FollowingRow, ReceiptLog
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.repair.intents import WaitingRow
from sheets_algo.ruling.request_tab import RequestTab, ValidRequest
from sheets_algo.ruling.requests.program_cells import DatabaseEdit
from sheets_algo.ruling.requests.row_states import Ids, RowStates, typed_digest
from sheets_algo.ruling.requests.status_columns import NOT_COUNTED, PartRows
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.tab_key import TabKey


class Luck(NamedTuple):
    """The luck that decides a ruling."""

    seed: int
    source: str  # The origin that the receipt names
    battle: int = 0  # The number of the seed's battle; another than the first one in a rehearsal


@dataclass(frozen=True, slots=True)
class Waiting:
    """The reason why a request waits for its luck."""

    text: str  # Its Message
    until: float  # The time in Unix seconds before which it cannot be ruled
    receipt: StoredReceipt | None = None  # A receipt to be appended, such as a promise of that luck


@dataclass(frozen=True, slots=True)
class Hold:
    """The reason why a valid request is not ruled in a pass."""

    problems: tuple[Problem, ...]  # The problem for a person; none if waiting is enough


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFindings:
    """Findings of a step in a whole pass."""

    problems: tuple[Problem, ...] = ()
    edits: tuple[Edit, ...] = ()  # The cells of the program's columns that it writes
    known: Mapping[str, str] = field(default_factory=dict)  # The digests for the next pass, as `KnownBefore.known`
    wanted_rounds: frozenset[int] = frozenset()  # The rounds of a beacon that the pass needs
    rows: tuple[FollowingRow, ...] = ()  # The rows that it appends
    news: tuple[Announcement, ...] = ()  # News that other steps may publish
    forecast_rows: tuple[Cells, ...] = ()  # The new rows of the tab Forecasts among them
    requested_forecasts: tuple[PendingForecast, ...] = ()  # The requests that wait for their odds, in reading order
    deadline: datetime | None = None  # The time of its next work without changes of the workbook


class Undoing(NamedTuple):
    """Part of a step in the reversal of a ruling."""

    reasons: tuple[str, ...] = ()  # The obstacles, in sentences; with any, nothing is written
    edits: tuple[Edit, ...] = ()  # The cells that it changes


class Audience(Enum):
    """The recipients of news."""

    WARS = "wars"  # All subscribers of coming wars
    TURNS = "turns"  # All subscribers of a game's turns
    PLAYER = "player"  # One player


ANNOUNCEMENT, REMINDER, REPORT = "until", "reminder", "report"
"""Beginnings of `Announcement.what`: of the deadline of a turn, of a reminder of it, of a player's report of a turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """News besides receipts that other steps may publish: odds, the deadline of a turn, a report for a player."""

    audience: Audience
    form: Form[Any]
    request: str  # The id of the request, or the game with its turn
    what: str  # The kind, as in the column Odds of the tab Posts
    inputs: str = ""  # The inputs of the request, serialised


Result = Answer | ValidRequest
"""An answer; or a request that is answered after all rulings."""


@dataclass(kw_only=True)
class PassState:
    """The state of one pass: its contents, and the plan so far."""

    contents: Contents  # What it has read
    changes: Changes  # The collector of the pass's writes
    log: ReceiptLog  # The receipts before the pass, and those that it appends
    steps: Sequence[Step]  # The steps
    # The digest of typed cells of each request that was read, by its id.
    known: dict[str, str] = field(default_factory=dict)
    # The rows that wait for a change by people, by id: copied ones, and orders that stay refused.
    waiting: dict[str, WaitingRow] = field(default_factory=dict)
    # People's changes of database cells, which the next ruling accepts.
    edits: tuple[DatabaseEdit, ...] = ()
    problems: list[Problem] = field(default_factory=list)  # The problems of tabs as a whole

    @property
    def context(self) -> PassContext:
        """Return the context of the pass."""
        return self.contents.context

    @property
    def receipts(self) -> Receipts:
        """Return the receipts before the pass."""
        return self.contents.receipts

    @property
    def is_rehearsal(self) -> bool:
        """Return True if the pass only finds problems, with other luck than the season's (FC-31)."""
        return self.context.foresight is not None

    @property
    def likelihood(self) -> str:
        """Return the likelihood of a rehearsal's outcome, an adverb."""
        return self.context.foresight.likelihood if self.context.foresight else ""

    def publish(self, news: Announcement) -> bool:
        """Let the steps publish news; return False if none does."""
        rows = [row for step in self.steps for row in step.publish(news)]
        for row in rows:
            self.changes.append(*row)
        return bool(rows)


class Step:
    """A step of one pass. Each method has a default, by which the step does nothing there.

    The arguments `former` are the answer before the other rulings of the pass; None lets the request be ruled.
    """

    tabs: ClassVar[tuple[type, ...]] = ()
    """Record classes of the tabs that it reads as a whole."""
    headed: ClassVar[tuple[type, ...]] = ()
    """Record classes of the tabs whose header row is enough."""
    naming: ClassVar[Mapping[type, str]] = {}
    """Those of its tabs in which a column names further tabs, with the attribute of the column."""
    lists: ClassVar[Mapping[str, ValueList]] = {}
    """The value lists of its tabs, by name."""
    acts_alone: ClassVar[bool] = False
    """True if it may cause rulings without a ready row, in a workbook with its tabs."""

    @classmethod
    def is_offered(cls, forms: Iterable[Form[Any]]) -> bool:
        """Return True if `init` adds its tabs to a workbook of some rulesets."""
        return False

    @classmethod
    def further_tabs(cls, snapshot: Snapshot) -> tuple[TabKey, ...]:
        """Return the tabs named in its own tabs that a snapshot lacks, for a whole reading."""
        rows = ((row, attribute) for record, attribute in cls.naming.items() for row in Table.of(snapshot, record))
        named = {TabKey.named(title) for row, attribute in rows for title in titles_in(row, attribute)}
        return tuple(key for key in map(TabKey.named, snapshot.others) if key in named)

    @classmethod
    def of(cls, contents: Contents) -> Self | None:
        """Return the step for one pass; None if the workbook has neither its tab nor its setting."""
        raise NotImplementedError

    def before(self, state: PassState) -> bool:
        """Plan the changes that must precede all rulings; return True if the pass ends with them.

        It is not called in a trial, nor while nothing may be ruled.
        """
        return False

    def open(self, state: PassState, tab: RequestTab) -> RequestTab:
        """Return a request tab with the step's knowledge, before any of its requests is answered."""
        return tab

    def order(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return the rows of a request tab in the order in which they are answered."""
        return rows

    def conduct(self, state: PassState, tab: RequestTab, rows: Iterable[Row]) -> Sequence[tuple[Row, Result]] | None:
        """Answer the rows of a tab together if their answers interact; None to answer them one by one."""
        return None

    def hold(self, tab: RequestTab, row: Row) -> Hold | None:
        """Return the reason that blocks a ready request and all actions on its rows; None for none."""
        return None

    def lasting_message(self, tab: RequestTab, row: Row) -> str:
        """Return the lasting Message of a row that is not ready; blank for none."""
        return ""

    def act(self, state: PassState, tab: RequestTab, row: Row, id: str, held: tuple[Problem, ...]) -> Answer | None:
        """Return the answer to a ready row with another action than a ruling, before it is read.

        Args:
            held: The reason that would block its ruling.
        """
        return None

    def serve(self, state: PassState, request: ValidRequest) -> Answer | None:
        """Return the answer to a valid request for another action than a ruling, after all rulings."""
        return None

    def claim(self, state: PassState, tab: RequestTab, row: Row, id: str, former: Result | None) -> Answer | None:
        """Return the answer to an order before it is read; None to leave it to other steps and the plain ruling."""
        return None

    def reject(
        self, state: PassState, tab: RequestTab, row: Row, id: str, problems: tuple[Problem, ...]
    ) -> Answer | None:
        """Return the answer to an order with errors; None to refuse it."""
        return None

    def admit(self, state: PassState, tab: RequestTab, request: ValidRequest, former: Result | None) -> Result:
        """Return a valid order for its ruling, or the answer that replaces a ruling."""
        return request

    def luck(self, log: ReceiptLog, tab: RequestTab, request: ValidRequest) -> Luck | Waiting | None:
        """Return the luck of a valid request, or the reason to wait; None to leave it to other steps and the secret.

        Args:
            log: The receipts, including those of the pass.
        """
        return None

    def answered(self, state: PassState, tab: RequestTab, row: Row, answer: Answer) -> None:
        """Take note of an answer."""

    def rehearse(
        self, state: PassState, tab: RequestTab, answer: Answer, problems: Sequence[Problem]
    ) -> Iterable[Problem]:
        """Return the problems of a request in a rehearsal, including the reason to defer a valid order."""
        return problems

    def after(self, receipts: Receipts, receipt: StoredReceipt) -> Iterable[FollowingRow]:
        """Return the rows that follow a new receipt in the same commit.

        Args:
            receipts: The receipts before the pass.
        """
        return ()

    def publish(self, news: Announcement) -> Iterable[FollowingRow]:
        """Return the rows that publish another step's news."""
        return ()

    def finish(self) -> StepFindings:
        """Return the findings of the step, after all requests are answered."""
        return StepFindings()

    def undo(self, form: Form[Any], database: Database, ruling: StoredReceipt) -> Undoing:
        """Return the obstacles to an undo of a ruling, and the cells that change with it."""
        return Undoing()


def titles_in(row: Row, attribute: str) -> tuple[str, ...]:
    """Return the titles of tabs in a cell, separated by semicolons."""
    return tuple(filter(None, map(str.strip, as_text(row.value(attribute)).split(";"))))


def begin_pass(contents: Contents) -> PassState:
    """Return the initial state of a pass after reading a workbook."""
    context, receipts = contents.context, contents.receipts
    changes = Changes(context.before.blocked, context.writing.most)
    rows, tables = contents.pending.waiting, contents.tables.values()
    steps = steps_of(contents)
    return PassState(
        contents=contents,
        changes=changes,
        log=ReceiptLog(contents.snapshot, changes, receipts, [step.after for step in steps]),
        steps=steps,
        waiting={loosely(row.id): row for row in rows if _waits_for_tick(row, tables, receipts)},
    )


def steps_of(contents: Contents) -> tuple[Step, ...]:
    """Return the steps that a workbook needs, in their order."""
    kinds = (kind for kind in contents.context.steps if issubclass(kind, Step))
    return tuple(step for kind in kinds if (step := kind.of(contents)) is not None)


def _waits_for_tick(waiting: WaitingRow, tables: Iterable[Table], receipts: Receipts) -> bool:
    """Return True if a row exists, is not ruled, and its Ready was not cleared since."""
    rows = (row for table in tables for row in table.by_request.get(loosely(waiting.id), ()))
    return not receipts.is_settled(waiting.id) and any(is_ready(row) is not False for row in rows)


def open_tabs(state: PassState, forms: Sequence[Form[Any]]) -> Sequence[RequestTab]:
    """Open the request tabs of one ruleset that the workbook has."""
    receipts = state.receipts
    database = open_database(state.contents.snapshot, forms, receipts.names)
    tabs = []
    for form in (form for form in forms if database.table(form.request).sheet):
        states = RowStates(form, database, receipts)
        ids = Ids(form, database, state.contents.tables, receipts)
        parts = PartRows(form, database, receipts, states)
        tab = RequestTab(form=form, database=database, ids=ids, states=states, parts=parts)
        for step in state.steps:
            tab = step.open(state, tab)
        tabs.append(tab)
    return tabs


def read_request(state: PassState, tab: RequestTab, row: Row, id: str, *, is_order: bool) -> ValidRequest:
    """Read a request and, if it asks for a ruling, the decisions about it.

    Raises:
        Rejected: The request or a decision has errors.
    """
    form = tab.form
    content = form.read(row, tab.database)
    overrides, problems = state.contents.overrides.pending(id) if is_order else ((), ())
    if problems:
        raise Rejected(problems)
    content = replace(content, warnings=(*content.warnings, *state.contents.gone[form.key]))
    parts = (part for rows in content.rows.values() for part in rows if part)
    remarks = () if is_order or not state.contents.overrides.rows_of(id) else (NOT_COUNTED,)
    return ValidRequest(
        form=form,
        row=row,
        id=id,
        seed=tab.database.read(row, form.request).values.get("seed"),
        content=content,
        inputs=form.serialize(content.inputs),
        is_settled=know(state, row, id, (*parts, *(override.row for override in overrides))),
        remarks=remarks,
        overrides=overrides,
    )


def know(state: PassState, row: Row, id: str, parts: Iterable[Row] = (), pending: str = "") -> bool:
    """Note the digest of a request's typed cells; return False if it has changed since the last pass.

    Args:
        pending: The cells whose formulas have no value yet.
    """
    digest = state.known[loosely(id)] = typed_digest(row, parts) + pending
    known = state.context.before.known
    return known is None or known.get(loosely(id)) == digest
