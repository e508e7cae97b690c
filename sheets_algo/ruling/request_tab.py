"""Request tabs of a pass, and their valid requests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.columns import loosely
from engine.ruleset import Plain
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.problems import Problem, Severity, message
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form, FormResult
from sheets_algo.forms.request_columns import RULINGS, requested_action
from sheets_algo.ruling.plan import Answer
from sheets_algo.ruling.receipts.receipts import LapsedOrder, Receipts, StoredReceipt
from sheets_algo.ruling.requests.overrides import DecisionRow
from sheets_algo.ruling.requests.row_states import Ids, RowStates
from sheets_algo.ruling.requests.status_columns import PartRows, StatusCells


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestTab:
    """A request tab with the database of its ruleset, which the rulings of the pass change, and the states of rows."""

    form: Form[Any]
    database: Database
    ids: Ids
    states: RowStates
    parts: PartRows

    @property
    def table(self) -> Table:
        """Return the tab as a table."""
        return self.database.table(self.form.request)

    def action(self, row: Row) -> str:
        """Return the action of a request."""
        return requested_action(row, self.database)

    def is_order(self, row: Row) -> bool:
        """Return True if a request asks for a ruling."""
        return self.action(row) in RULINGS

    def known_cells(self, cells: Mapping[str, Plain]) -> Mapping[str, Plain]:
        """Return the cells, by attribute, for which the tab has columns."""
        return {name: value for name, value in cells.items() if name in self.table.places}

    def new_request(self, receipts: Receipts, cells: Mapping[str, Plain]) -> tuple[Row, Mapping[str, Plain]]:
        """Add a request in memory, below all others; return its row, and its cells with the id."""
        number = self.table.next_request
        known = as_text(self.table.value(number, self.table.places.get("request", 0)))
        is_free = known and not receipts.is_settled(known) and loosely(known) not in receipts.sent
        values = {"request": known if is_free else self.ids.next_free(), **cells}
        return self.database.add(self.form.request, values, number), values


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidRequest:
    """A ready request without errors."""

    form: Form[Any]  # The form of its ruleset
    row: Row
    id: str
    seed: int | None  # The seed that a moderator gave, if any
    content: FormResult[Any]  # The content, as read by the form
    inputs: str  # The inputs, serialised
    is_settled: bool  # True if it is unchanged since the last pass
    remarks: tuple[str, ...] = ()  # Remarks on its turn and on decisions, beside those of its content
    overrides: tuple[DecisionRow, ...] = ()  # The moderators' decisions about its ruling
    lapsed: Mapping[str, LapsedOrder] = field(default_factory=dict)  # The orders that lapse with the turn that it ends

    def answer(self, status: str, text: str) -> Answer:
        """Return an answer with a status and a Message, to which the remarks and warnings are added."""
        text = message(self.content.warnings, text, (*self.content.remarks, *self.remarks))
        return Answer(StatusCells(self.row, self.id, status, text), self.content.warnings)


def as_warnings(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return problems as warnings."""
    return tuple(replace(problem, severity=Severity.WARNING) for problem in problems)


def refused(row: Row, id: str, problems: tuple[Problem, ...], ruled: StoredReceipt | None = None) -> Answer:
    """Return the answer to a request with errors; its cells still show an earlier ruling of it."""
    return Answer(StatusCells(row, id, "Invalid", message(problems), ruled), problems)
