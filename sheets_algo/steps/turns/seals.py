"""Players' orders, copied into the request tab at the end of their turn: once, all together, with a receipt."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator

from sheets_algo.database.tables import Row
from sheets_algo.database.wording import count
from sheets_algo.forms.capabilities import CurrentTurn
from sheets_algo.ruling.passes.responses import append_orders, last_of, order_line
from sheets_algo.ruling.receipts.receipt_rows import Sealed, SentOrder
from sheets_algo.ruling.requests.row_states import deciding_cells
from sheets_algo.ruling.step import PassState
from sheets_algo.steps.turns.turn_end import TurnTab

MOST = 100
"""Maximum number of orders of one player in a turn; the rest waits for the next one."""


def seal(state: PassState, tabs: Iterable[TurnTab]) -> bool:
    """Copy the orders of the players whose turn ends, and close it for them (TRN-12); return True if any is.

    The copies and the receipt of their contents are one commit: no order is ruled before it, a crash loses or
    duplicates none, and later orders are for the next turn.
    """
    for tab in tabs:
        if tab.sent and not tab.sent.unread:
            for turn, deadline in _ending(tab):
                if tab.sent.open_players(turn):
                    _seal(state, tab, turn, deadline)
                    return True
    return False


def _ending(tab: TurnTab) -> Iterator[tuple[CurrentTurn, str]]:
    """Yield the turns that a named deadline or a ready request is about to end."""
    if tab.open_turn and tab.open_turn.is_over:
        yield tab.open_turn.turn, tab.open_turn.entry.deadline_text
    for row in tab.table:
        turn = tab.turns.ends(row)
        if turn and tab.is_order(row) and tab.turns.turn_of(row) == turn.number:
            yield turn, ""


def _seal(state: PassState, tab: TurnTab, turn: CurrentTurn, deadline: str) -> None:
    """Copy the orders of a turn, as many as fit, and append the receipt."""
    assert tab.sent is not None
    there = {_words(tab, row) for row in tab.table}
    sent = tab.sent.of_turn(turn)
    last, earlier = last_of(sent, lambda order: (order.player, order.thing))
    again = [order.key for order in earlier]
    orders: dict[str, SentOrder] = {}
    taken, lines = Counter[str](), list[str]()
    is_complete = True
    for order in last:
        taken[order.player] += 1
        if taken[order.player] > MOST:
            continue
        if not state.changes.has_room():
            is_complete = False
            break
        cells = {"ready": True, **order.cells, tab.form.turn_column: turn.number}
        row, values = tab.new_request(state.receipts, cells)
        words = _words(tab, row)
        if words in there:  # the receipt of it is lost
            tab.database.drop(row)
            again.append(order.key)
            continue
        state.changes.add(row, values)
        id = str(values["request"])
        orders[id] = SentOrder(order.key, deciding_cells(tab.form, row, tab.database))
        lines.append(order_line(id, order.player, order.time, words))
    players = tuple(tab.sent.open_players(turn)) if is_complete else ()
    content = Sealed(turn=turn.number, deadline=deadline, players=players, orders=orders, again=tuple(again))
    name = f"{tab.form.turn_column.capitalize()} {turn.number}"
    parts = [f"{name}: {count(len(orders), 'order')} of players, by the time of the spreadsheet."]
    parts += [f"Of orders of one thing the last counts, without {count(len(again), 'earlier one')}."] if again else []
    parts += [f"Of {player} {most:,}, of which {MOST} count." for player, most in taken.items() if most > MOST]
    parts += [f"Closed for {', '.join(players)}: what they send later is for the next one."] if players else []
    append_orders(state, tab.form.key, name, content, parts, lines)


def _words(tab: TurnTab, row: Row) -> str:
    """Return the content of an order: the cells that decide its ruling."""
    return json.dumps(sorted(deciding_cells(tab.form, row, tab.database).items()))
