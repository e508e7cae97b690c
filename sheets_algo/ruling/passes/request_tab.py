"""Request tabs and their valid requests, as the steps of a pass hand them on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sheets_algo.database.problems import Problem
from sheets_algo.database.records import RULE, Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form, FormResult
from sheets_algo.ruling.passes.deadlines import OpenTurn
from sheets_algo.ruling.passes.lapses import Lapses
from sheets_algo.ruling.passes.order_turns import OrderTurns
from sheets_algo.ruling.passes.plan import Answer
from sheets_algo.ruling.receipts.receipts import LapsedOrder, StoredReceipt
from sheets_algo.ruling.requests.overrides import DecisionRow
from sheets_algo.ruling.requests.request_ids import Ids
from sheets_algo.ruling.requests.row_states import RowStates
from sheets_algo.ruling.requests.status_columns import StatusCells, message


@dataclass(frozen=True, slots=True)
class RequestTab:
    """A request tab with the database of its ruleset, which the rulings of the pass change, its ids and row states.

    `answers` has the answers of the pass so far, by row.
    """

    form: Form[Any]
    database: Database
    ids: Ids
    turns: OrderTurns
    states: RowStates
    lapses: Lapses
    open_turn: OpenTurn | None = None  # The current turn, if the tab Turns names it (TRN-03)
    answers: dict[int, Answer | ValidRequest] = field(default_factory=dict)

    @property
    def table(self) -> Table:
        """Return the tab as a table."""
        return self.database.table(self.form.request)

    def is_due(self, row: Row) -> bool:
        """Return True if a request is an order of the turn that ends now at its deadline."""
        return bool(
            self.open_turn
            and self.open_turn.is_due
            and self.turns.is_order(row)
            and self.turns.turn_of(row) == self.open_turn.entry.turn
        )

    def action(self, row: Row) -> str:
        """Return what a request asks for."""
        return str(self.database.read(row, self.form.request).values.get("action", RULE))


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


def refused(row: Row, id: str, problems: tuple[Problem, ...], ruled: StoredReceipt | None = None) -> Answer:
    """Return the answer to a request that has mistakes; an earlier ruling of it still stands in its cells."""
    return Answer(StatusCells(row, id, "Invalid", message(problems), ruled), problems)
