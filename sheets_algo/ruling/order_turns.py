"""Turns of orders: an order that was not carried out in its turn is never carried out in a later one (REQ-10)."""

from __future__ import annotations

from typing import Any

from sheets_algo.database.problems import Problem
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import CurrentTurn, Form, request_id
from sheets_algo.ruling.receipts import Receipts
from sheets_algo.ruling.request_tabs import is_ready

ALLOWED = "Enter the current {} to have it ruled now, or clear Ready"


class OrderTurns:
    """The turns that the orders of one request tab belong to.

    An order belongs to the turn in its Turn cell; if that is blank, to the turn in which it was first answered. One
    that ends a turn belongs to the turn in which the pass began, so that two of them end only one.

    Args:
        form: The form of the tab.
        database: The database, which the rulings of the pass change.
        receipts: The receipts before the pass; an order with a receipt ends no turn any more.
    """

    def __init__(self, form: Form[Any], database: Database, receipts: Receipts) -> None:
        self._form, self._database = form, database
        self._ends: dict[int, CurrentTurn] = {}
        """The turns that the open rows of the tab end, as they were when the pass began."""
        for row in database.table(form.request) if form.turn_column else ():
            turn = form.current_turn(row, database)
            if turn and turn.ends and is_ready(row) is True and not receipts.ruling_of(request_id(row)):
                self._ends[row.number] = turn

    def turn_of(self, row: Row) -> int | None:
        """Return the turn that an order belongs to; None if it, or its ruleset, has no turns."""
        if not self._form.turn_column:
            return None
        turn = self._ends.get(row.number) or self._form.current_turn(row, self._database)
        typed: int | None = self._database.read(row, self._form.request).values.get(self._form.turn_column)
        if typed is not None:
            return typed if turn else None
        kept = row.value("ready_since")
        if isinstance(kept, (int, float)):
            return int(kept)
        return turn.number if turn else None

    def problem(self, row: Row) -> Problem | None:
        """Return the problem of an order without a typed turn whose turn is over; forms check a typed one."""
        turn, name = self.turn_of(row), self._form.turn_column
        if turn is None or not row.is_blank(name):
            return None
        current = self._form.current_turn(row, self._database)
        if current is None or current.number == turn:
            return None
        if first := self._first_end(row, turn):
            says = f"the order that ends {name} {turn} stands in row {first} already"
        else:
            says = f"the order was ready in {name} {turn}, which is over"
        return row.problem(
            name, "REQ-10", says, allowed=f"Enter the current {name} to have it ruled now, or clear Ready"
        )

    def _first_end(self, row: Row, turn: int) -> int | None:
        """Return the number of an earlier row that ends the turn of the same players, if this one does."""
        own = self._ends.get(row.number)
        for other in row.table if own else ():
            ends = self._ends.get(other.number)
            if other.number < row.number and ends and own and ends.whose == own.whose and self.turn_of(other) == turn:
                return other.number
        return None
