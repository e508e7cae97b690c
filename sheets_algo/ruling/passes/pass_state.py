"""State of a pass, which its steps change: what it has read, once, its tabs, and what it has planned so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from engine.battle_map import Rgb
from engine.columns import loosely
from engine.ruleset import Plain
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.changes import Changes
from sheets_algo.database.problems import Problem, Rejected
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import TurnForm
from sheets_algo.forms.databases import open_database
from sheets_algo.forms.request_columns import is_ready, requested_action
from sheets_algo.ruling.contents import Contents
from sheets_algo.ruling.forecast.forecast_rows import Cells, ForecastLog, PendingForecast
from sheets_algo.ruling.passes.deadlines import Deadlines, OpenTurn
from sheets_algo.ruling.passes.lapses import Lapses
from sheets_algo.ruling.passes.order_turns import RULINGS, OrderTurns
from sheets_algo.ruling.plan import Answer, PassContext
from sheets_algo.ruling.receipts.receipt_tab import ReceiptLog
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.ruling.repair.intents import WaitingRow
from sheets_algo.ruling.request_tab import RequestTab, ValidRequest
from sheets_algo.ruling.requests.part_rows import PartRows
from sheets_algo.ruling.requests.program_cells import DatabaseEdit
from sheets_algo.ruling.requests.row_states import Ids, RowStates, typed_digest
from sheets_algo.ruling.requests.sent_orders import SentOrders, read_sent
from sheets_algo.ruling.requests.status_columns import NOT_COUNTED
from sheets_algo.ruling.requests.turns_tab import TurnsTab
from sheets_algo.ruling.step import Announcement, Step, steps_of


@dataclass(kw_only=True)
class PassState:
    """The state of one pass."""

    contents: Contents  # What it has read
    changes: Changes  # The collector of everything that the pass writes
    log: ReceiptLog  # The receipts before the pass, and those that it appends
    steps: Sequence[Step]  # What it does besides the plain ruling
    # The digest of what was typed for each request that was looked at, by its id.
    known: dict[str, str] = field(default_factory=dict)
    # The ids of requests that the program adds itself, which nobody may still be typing.
    added: set[str] = field(default_factory=set)
    # The rows that wait until somebody changes them, by id: copied ones, and orders that stay refused.
    waiting: dict[str, WaitingRow] = field(default_factory=dict)
    # The cells of the database that people have changed, which the next ruling accepts.
    edits: tuple[DatabaseEdit, ...] = ()
    # The tracebacks of requests on which the program itself failed.
    failures: list[str] = field(default_factory=list)
    requested_forecasts: list[PendingForecast] = field(default_factory=list)
    new_forecasts: list[tuple[PendingForecast, Cells]] = field(default_factory=list)  # With their rows
    problems: list[Problem] = field(default_factory=list)  # The problems of tabs as a whole
    # The orders that players have sent, by the key of the form, which are read once a pass.
    sent: dict[str, SentOrders | None] = field(default_factory=dict)
    left: int = 0  # The number of ready requests without a ruling that it did not look at
    must_look_again: bool = False
    # The colours of the sides in the pictures of each form, which are read once a pass.
    colours: dict[str, Mapping[str, Rgb]] = field(default_factory=dict)

    @property
    def context(self) -> PassContext:
        """Return the context of the pass."""
        return self.contents.context

    @property
    def receipts(self) -> Receipts:
        """Return the receipts before the pass."""
        return self.contents.receipts

    @property
    def is_timed(self) -> bool:
        """Return True if turns may end at their deadlines."""
        return not (self.contents.held or self.is_rehearsal)

    @property
    def is_rehearsal(self) -> bool:
        """Return True if the pass only finds problems, with a luck that is not the season's (FC-31)."""
        return self.context.foresight is not None

    @property
    def likelihood(self) -> str:
        """Return how likely what a rehearsal foresees is, an adverb."""
        return self.context.foresight.likelihood if self.context.foresight else ""

    def publish(self, news: Announcement) -> bool:
        """Let the steps publish news; return False if none does."""
        rows = [row for step in self.steps for row in step.publish(news)]
        for row in rows:
            self.changes.append(*row)
        return bool(rows)

    @cached_property
    def deadlines(self) -> Deadlines:
        """Return the deadlines of turns."""
        turns = TurnsTab(self.contents.snapshot, self.context.forms)
        return Deadlines(turns, self.contents.receipts, self.changes, self.contents.now, self.publish)

    @cached_property
    def forecasts(self) -> ForecastLog:
        """Return the forecasts that the workbook has."""
        return ForecastLog(self.contents.snapshot, self.changes)


def begin_pass(contents: Contents) -> PassState:
    """Return the state of a pass that has read a workbook and planned nothing yet."""
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


def _waits_for_tick(waiting: WaitingRow, tables: Iterable[Table], receipts: Receipts) -> bool:
    """Return True if a row is there and not ruled, and nobody has cleared its Ready since."""
    rows = (row for table in tables for row in table.by_request.get(loosely(waiting.id), ()))
    return not receipts.is_settled(waiting.id) and any(is_ready(row) is not False for row in rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTab(RequestTab):
    """A request tab of a game with turns."""

    form: TurnForm[Any]
    turns: OrderTurns
    lapses: Lapses
    open_turn: OpenTurn | None  # The current turn, if the tab Turns names it (TRN-03)
    sent: SentOrders | None = None  # The orders that players have sent, if the tab Turns says where (TRN-10)
    answers: dict[int, Answer | ValidRequest] = field(default_factory=dict)  # The answers of the pass so far, by row

    def is_due(self, row: Row) -> bool:
        """Return True if a request is an order of the turn that ends now at its deadline."""
        return bool(
            self.open_turn
            and self.open_turn.is_due
            and requested_action(row, self.database) in RULINGS
            and self.turns.turn_of(row) == self.open_turn.entry.turn
        )


def open_tabs(state: PassState, forms: Sequence[Form[Any]]) -> Iterator[RequestTab]:
    """Yield the request tabs of one ruleset that the workbook has; nobody need play by every ruleset."""
    receipts = state.receipts
    database = open_database(state.contents.snapshot, forms, receipts.names)
    for form in forms:
        if not database.table(form.request).sheet:
            continue
        states = RowStates(form, database, receipts)
        shared: dict[str, Any] = {
            "form": form,
            "database": database,
            "ids": Ids(form, database, state.contents.tables, receipts),
            "states": states,
            "parts": PartRows(form, database, receipts, states),
        }
        if isinstance(form, TurnForm):
            turns = OrderTurns(form, database, receipts, partial(state.deadlines.ended, form))
            open_turn = state.deadlines.of(form, database) if state.is_timed else None
            lapses = Lapses(form, database, state.log)
            if form.key not in state.sent:
                snapshot, turns_tab = state.contents.snapshot, state.deadlines.turns
                state.sent[form.key] = read_sent(form, database, snapshot, turns_tab, receipts)
            sent = state.sent[form.key]
            yield TurnTab(**shared, turns=turns, lapses=lapses, open_turn=open_turn, sent=sent)
        else:
            yield RequestTab(**shared)


def new_request(state: PassState, tab: RequestTab, cells: Mapping[str, Plain]) -> tuple[Row, Mapping[str, Plain]]:
    """Add a request in memory, below all others; return its row, and its cells with the id."""
    number = tab.table.next_request
    known = as_text(tab.table.value(number, tab.table.places.get("request", 0)))
    is_free = known and not state.receipts.is_settled(known) and loosely(known) not in state.receipts.sent
    values = {"request": known if is_free else tab.ids.next_free(), **cells}
    return tab.database.add(tab.form.request, values, number), values


def read_request(state: PassState, tab: RequestTab, row: Row, id: str, *, is_order: bool) -> ValidRequest:
    """Read a request, and the decisions about its ruling if it asks for one.

    Raises:
        Rejected: It has mistakes, or the decisions have.
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
    """Keep the digest of what was typed for a request; return False if that has changed since the pass before.

    Args:
        pending: The cells whose formulas show nothing yet.
    """
    digest = state.known[loosely(id)] = typed_digest(row, parts) + pending
    known = state.context.before.known
    return known is None or loosely(id) in state.added or known.get(loosely(id)) == digest
