"""Request tabs and their valid requests, as the steps of a pass hand them on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from sheets_algo.database.problems import Problem, Rejected
from sheets_algo.database.records import RULE, Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form, FormResult
from sheets_algo.forms.databases import open_database
from sheets_algo.ruling.passes.deadlines import OpenTurn
from sheets_algo.ruling.passes.lapses import Lapses
from sheets_algo.ruling.passes.order_turns import RULINGS, OrderTurns
from sheets_algo.ruling.passes.pass_state import PassState
from sheets_algo.ruling.passes.plan import Answer
from sheets_algo.ruling.receipts.receipts import LapsedOrder, StoredReceipt
from sheets_algo.ruling.requests.overrides import DecisionRow
from sheets_algo.ruling.requests.request_ids import Ids
from sheets_algo.ruling.requests.row_states import RowStates
from sheets_algo.ruling.requests.status_columns import StatusCells, message


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestTab:
    """A request tab with the database of its ruleset, which the rulings of the pass change, its ids and row states."""

    form: Form[Any]
    database: Database
    ids: Ids
    states: RowStates

    @property
    def table(self) -> Table:
        """Return the tab as a table."""
        return self.database.table(self.form.request)

    def action(self, row: Row) -> str:
        """Return what a request asks for."""
        return str(self.database.read(row, self.form.request).values.get("action", RULE))


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTab(RequestTab):
    """A request tab of a game with turns."""

    turns: OrderTurns
    lapses: Lapses
    open_turn: OpenTurn | None  # The current turn, if the tab Turns names it (TRN-03)
    answers: dict[int, Answer | ValidRequest] = field(default_factory=dict)  # The answers of the pass so far, by row

    def is_due(self, row: Row) -> bool:
        """Return True if a request is an order of the turn that ends now at its deadline."""
        return bool(
            self.open_turn
            and self.open_turn.is_due
            and self.action(row) in RULINGS
            and self.turns.turn_of(row) == self.open_turn.entry.turn
        )


def open_tabs(state: PassState, forms: Sequence[Form[Any]]) -> Iterator[RequestTab]:
    """Yield the request tabs of one ruleset that the workbook has; nobody need play by every ruleset."""
    database, receipts = open_database(state.snapshot, forms), state.receipts
    for form in forms:
        table = database.table(form.request)
        if not table.sheet:
            continue
        ids = Ids(form, table, state.tables, _ids_elsewhere(state, form, database))
        states = RowStates(form, database, receipts)
        if not form.turn_column:
            yield RequestTab(form=form, database=database, ids=ids, states=states)
            continue
        yield TurnTab(
            form=form,
            database=database,
            ids=ids,
            states=states,
            turns=OrderTurns(form, database, receipts, partial(state.deadlines.ended, form)),
            lapses=Lapses(form, database, state.log),
            open_turn=state.deadlines.of(form, database) if state.is_timed else None,
        )


def _ids_elsewhere(state: PassState, form: Form[Any], database: Database) -> Iterator[str]:
    """Yield the ids that no new request may get, since it would take over another one's ruling or flanks."""
    for receipt in state.receipts.by_seq.values():
        yield from (receipt.request, *receipt.figures.lapsed)
    for record in form.parts:
        yield from database.table(record).texts("request")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidRequest:
    """A ready request without mistakes."""

    form: Form[Any]  # The form of its ruleset
    row: Row
    id: str
    seed: int | None  # The seed that a moderator gave, if any
    content: FormResult[Any]  # The content as the form has read it
    inputs: str  # The inputs, serialised
    is_settled: bool  # True if nobody has changed it since the pass before
    overrides: tuple[DecisionRow, ...] = ()  # The moderators' decisions about its ruling
    lapsed: Mapping[str, LapsedOrder] = field(default_factory=dict)  # The orders that lapse with the turn that it ends

    def answer(self, status: str, text: str) -> Answer:
        """Return an answer with a status and a Message, to which the remarks and warnings are added."""
        text = message(self.content.warnings, text, self.content.remarks)
        return Answer(StatusCells(self.row, self.id, status, text), self.content.warnings)


def read_request(state: PassState, tab: RequestTab, row: Row, id: str, *, is_order: bool) -> ValidRequest:
    """Read a request, and the decisions about its ruling if it asks for one.

    Raises:
        Rejected: It has mistakes, or the decisions have.
    """
    form = tab.form
    content = form.read(row, tab.database)
    overrides, problems = state.overrides.pending(id) if is_order else ((), ())
    if problems:
        raise Rejected(problems)
    content = replace(content, warnings=(*content.warnings, *state.gone[form.key]))
    parts = (part for rows in content.rows.values() for part in rows)
    return ValidRequest(
        form=form,
        row=row,
        id=id,
        seed=tab.database.read(row, form.request).values.get("seed"),
        content=content,
        inputs=form.serialize(content.inputs),
        is_settled=state.know(row, id, (*parts, *(override.row for override in overrides))),
        overrides=overrides,
    )


def refused(row: Row, id: str, problems: tuple[Problem, ...], ruled: StoredReceipt | None = None) -> Answer:
    """Return the answer to a request that has mistakes; an earlier ruling of it still stands in its cells."""
    return Answer(StatusCells(row, id, "Invalid", message(problems), ruled), problems)
