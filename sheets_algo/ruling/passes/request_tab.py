"""Request tabs and their valid requests, as the steps of a pass hand them on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from engine.columns import loosely
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
from sheets_algo.ruling.passes.receipt_log import other_rules
from sheets_algo.ruling.receipts.receipts import LapsedOrder, StoredReceipt
from sheets_algo.ruling.requests.overrides import DecisionRow
from sheets_algo.ruling.requests.request_ids import Ids
from sheets_algo.ruling.requests.row_states import RowStates
from sheets_algo.ruling.requests.status_columns import StatusCells, message, typed_digest


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestTab:
    """A request tab with the database of its ruleset, which the rulings of the pass change, its ids and row states."""

    form: Form[Any]
    database: Database
    ids: Ids
    states: RowStates
    other_rules: Problem | None  # The problem of a season that is ruled by another version of the rules (RCP-17)

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
        if not database.table(form.request).sheet:
            continue
        parts: dict[str, Any] = {
            "form": form,
            "database": database,
            "ids": Ids(form, database, state.tables, receipts),
            "states": RowStates(form, database, receipts),
            "other_rules": other_rules(form, receipts, accepts=state.context.writing.accepts_rules),
        }
        if form.turn_column:
            turns = OrderTurns(form, database, receipts, partial(state.deadlines.ended, form))
            open_turn = state.deadlines.of(form, database) if state.is_timed else None
            yield TurnTab(**parts, turns=turns, lapses=Lapses(form, database, state.log), open_turn=open_turn)
        else:
            yield RequestTab(**parts)


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
        is_settled=know(state, row, id, (*parts, *(override.row for override in overrides))),
        overrides=overrides,
    )


def know(state: PassState, row: Row, id: str, parts: Iterable[Row] = ()) -> bool:
    """Keep the digest of what was typed for a request; return False if that has changed since the pass before."""
    digest = state.known[loosely(id)] = typed_digest(row, parts)
    known = state.context.before.known
    return known is None or loosely(id) in state.added or known.get(loosely(id)) == digest


def refused(row: Row, id: str, problems: tuple[Problem, ...], ruled: StoredReceipt | None = None) -> Answer:
    """Return the answer to a request that has mistakes; an earlier ruling of it still stands in its cells."""
    return Answer(StatusCells(row, id, "Invalid", message(problems), ruled), problems)
