"""The end of a turn at its deadline, and what the tab Turns shows of turns (TRN-03, TRN-05)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.columns import loosely
from sheets_algo.database.cell_text import shown
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import CurrentTurn
from sheets_algo.ruling.passes.deadlines import Deadlines, OpenTurn, end_request
from sheets_algo.ruling.passes.plan import Answer
from sheets_algo.ruling.passes.reader import RequestReader
from sheets_algo.ruling.passes.request_tab import RequestTab, ValidRequest
from sheets_algo.ruling.passes.turn_end import TurnEnd
from sheets_algo.ruling.receipts.changes import Changes
from sheets_algo.ruling.receipts.receipts import Receipts

OPEN = "Open"
NO_TURN = "The game is in no turn, so nothing ends"
VOID = "Its deadline was over when the turn began: type a later one, or a request that ends the turn"
ASKS = "The deadline is over: {}. Choose End in At Deadline, or type a later deadline"
WAITS = "The deadline is over, and the turn ends once all is ruled: {}"
REFUSED = "The deadline is over, and the turn cannot end: {}"


class TurnCloser:
    """Whatever ends turns in one pass.

    Args:
        deadlines: The deadlines of the pass.
        reader: The reader of the pass.
        changes: The collector of what the pass writes.
        receipts: The receipts before the pass.
        end_of: Returns the turn that an order ends, None if it ends none.
        rule: Answers a request, which it may rule.
    """

    def __init__(
        self,
        deadlines: Deadlines,
        reader: RequestReader,
        changes: Changes,
        receipts: Receipts,
        end_of: Callable[[RequestTab, Row], TurnEnd | None],
        rule: Callable[[RequestTab, Row], Answer | ValidRequest],
    ) -> None:
        self._deadlines, self._reader, self._changes, self._receipts = deadlines, reader, changes, receipts
        self._end_of, self._rule = end_of, rule

    def close(self, tab: RequestTab) -> tuple[Row, Answer] | None:
        """Show how the current turn stands; at its deadline, rule a request that ends it, and return its row.

        The row is added in the same commit as its receipt, or as the promise of its luck: so it is there exactly once.
        """
        open_turn, turn = tab.open_turn, tab.form.turn_of_all(tab.database)
        if open_turn is None or turn is None or turn.number != open_turn.entry.turn or not self._changes.has_room():
            self.show(tab)
            return None
        row, values = self._begin(tab, open_turn)
        end, answer = self._end_of(tab, row), None
        if end and open_turn.is_due and not end.is_held and not _is_promised(tab):
            answer = self._rule(tab, row)
        if isinstance(answer, Answer) and (answer.ruling or answer.awaited is not None):
            self._changes.add(row, values)
            return row, answer
        tab.turns.close(row)
        tab.database.drop(row)
        refused = answer.shown.message if isinstance(answer, Answer) else ""
        self._show(tab, turn, _status(open_turn, end, refused.partition("\n")[0]), end)
        self._deadlines.announce(tab.form, open_turn.entry)
        return None

    def show(self, tab: RequestTab) -> None:
        """Show which turns are over, and by which receipt one has ended in this pass."""
        open_turn, turn = tab.open_turn, tab.form.turn_of_all(tab.database)
        if turn:
            self._show(tab, turn, OPEN, None)
        elif tab.form.end_of_turn:
            self._deadlines.show(tab.form, None, NO_TURN, "", "")
        rulings = [answer.ruling for answer in tab.answers.values() if isinstance(answer, Answer) and answer.ruling]
        ends = [ruling.receipt for ruling in rulings if _has_ended(ruling.receipt.request, tab)]
        if ends and open_turn and not (turn and turn.number == open_turn.entry.turn):
            self._deadlines.show_end(open_turn.entry, max(receipt.seq for receipt in ends))

    def _begin(self, tab: RequestTab, open_turn: OpenTurn) -> tuple[Row, dict[str, Any]]:
        """Add the request that ends a turn in memory, below all others; return its row and its cells."""
        number = tab.table.next_request
        known = shown(tab.table.value(number, tab.table.places.get("request", 0)))
        id = known if known and not self._receipts.is_settled(known) else tab.ids.next_free()
        values = {"request": id, **end_request(tab.form, open_turn)}
        row = tab.database.add(tab.form.request, values, number)
        tab.turns.open(row)
        self._reader.added.add(loosely(id))
        return row, values

    def _show(self, tab: RequestTab, turn: CurrentTurn, status: str, end: TurnEnd | None) -> None:
        ordered, missing = (end.ordered, end.missing) if end else ((), turn.players)
        self._deadlines.show(tab.form, turn.number, status, ", ".join(ordered), ", ".join(missing))


def _is_promised(tab: RequestTab) -> bool:
    """Return True if a request that ends the turn of all waits for its luck."""
    waiting = (answer for answer in tab.answers.values() if isinstance(answer, Answer) and answer.awaited is not None)
    ends = (tab.turns.ends(answer.shown.row) for answer in waiting)
    return any(turn is not None and not turn.whose for turn in ends)


def _has_ended(request: str, tab: RequestTab) -> bool:
    rows = tab.table.by_request.get(loosely(request), ())
    return any(tab.turns.ends(row) for row in rows)


def _status(open_turn: OpenTurn, end: TurnEnd | None, refused: str) -> str:
    """Return how a turn that goes on stands, a sentence."""
    orders = end.orders if end else "nobody is in it"
    if refused:
        return REFUSED.format(refused)
    if open_turn.is_void:
        return VOID
    if not open_turn.is_over:
        return f"{OPEN}: {orders}"
    return (ASKS if open_turn.entry.asks else WAITS).format(orders)
