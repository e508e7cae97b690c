"""Request tab of a game with turns, with the knowledge of the step of turns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sheets_algo.database.tables import Row
from sheets_algo.forms.capabilities import TurnForm
from sheets_algo.ruling.request_tab import RequestTab
from sheets_algo.ruling.step import Result
from sheets_algo.steps.turns.deadlines import Deadlines, OpenTurn
from sheets_algo.steps.turns.lapses import Lapses
from sheets_algo.steps.turns.order_turns import OrderTurns
from sheets_algo.steps.turns.sent_orders import SentOrders


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTab(RequestTab):
    """A request tab of a game with turns."""

    form: TurnForm[Any]
    deadlines: Deadlines
    turns: OrderTurns
    lapses: Lapses
    open_turn: OpenTurn | None  # The current turn, if the tab Turns names it (TRN-03)
    is_timed: bool  # True if turns may end at their deadlines
    sent: SentOrders | None = None  # The players' orders, if the tab Turns names a place for them (TRN-10)
    answers: dict[int, Result] = field(default_factory=dict)  # The answers of the pass so far, by row
    ruled_in: dict[int, int | None] = field(default_factory=dict)  # The turns of orders that were about to be ruled

    def is_due(self, row: Row) -> bool:
        """Return True if a request is an order of the turn that ends now at its deadline."""
        return bool(
            self.open_turn
            and self.open_turn.is_due
            and self.is_order(row)
            and self.turns.turn_of(row) == self.open_turn.entry.turn
        )
