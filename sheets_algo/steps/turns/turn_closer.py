"""Orders of a game with turns, and the end of a turn at its deadline, which the tab Turns shows (TRN-03, TRN-05)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine.columns import folded, loosely
from engine.players import discord_ids
from sheets_algo.database.problems import Severity
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.capabilities import EVERYBODY, CurrentTurn, SecretForm
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.passes.judge import answer, judge, lapsed
from sheets_algo.ruling.passes.writer import write
from sheets_algo.ruling.plan import Answer
from sheets_algo.ruling.receipts.receipts import Lapse, StoredReceipt
from sheets_algo.ruling.step import REPORT, Announcement, Audience, PassState, Result
from sheets_algo.steps.turns.deadlines import OpenTurn, end_request
from sheets_algo.steps.turns.turn_end import TurnEnd, end_of_turn
from sheets_algo.steps.turns.turn_tab import TurnTab

OPEN = "Open"
NO_TURN = "The game is in no turn, so nothing ends"
VOID = "Its deadline was over when the turn began: type a later one, or a request that ends the turn"
ASKS = "The deadline is over: {}. Choose End in At Deadline, or type a later deadline"
WAITS = "The deadline is over, and the turn ends once all is ruled: {}"
REFUSED = "The deadline is over, and the turn cannot end: {}"


def answer_orders(state: PassState, tab: TurnTab, rows: Iterable[Row]) -> list[tuple[Row, Result]]:
    """Answer the orders of a tab, row by row; those that waited for the end of a turn follow it."""
    looked: dict[int, Row] = {}
    over = _last_turn(tab)

    def look(row: Row) -> None:
        if not state.changes.has_room():
            return
        tab.turns.release(row)
        looked[row.number] = row
        known = tab.answers.get(row.number)
        if isinstance(known, Answer) and known.cells.status == "Lapsed":
            return  # with the end of its turn, above
        settle(row, answer(state, tab, row))

    def settle(row: Row, result: Result) -> None:
        tab.answers[row.number] = result
        if isinstance(result, Answer) and result.ruling and tab.turns.ends(row):
            _lapse(state, tab, row, result.ruling.receipt)
            for number, waiting in tuple(tab.answers.items()):
                if isinstance(waiting, Answer) and waiting.is_later and not tab.turns.awaited(looked[number]):
                    look(looked[number])

    for row in rows:
        look(row)
    for row in tab.turns.held:  # an order below it may have been ruled since
        look(row)
    if tab.is_timed and (end := _close(state, tab)):
        row, result = end
        looked[row.number] = row
        settle(row, result)
        _show_turns(tab)
    if isinstance(tab.form, SecretForm) and (turn := _last_turn(tab)) > over:
        _publish_reports(state, tab.form, tab.database, turn)
    return [(looked[number], tab.answers[number]) for number in sorted(looked)]


def _publish_reports(state: PassState, form: SecretForm[Any], database: Database, turn: int) -> None:
    """Publish the report of a turn to each player with an id of Discord (TRN-09)."""
    players = form.players(database)
    for reader in [name for name, last in form.readers(database).items() if name and last >= turn]:
        request = f"{form.ruleset_key} {turn} {reader}"
        for id in discord_ids(players.get(folded(reader), ())):
            what = f"{REPORT} {state.log.head.seq} {id}"
            state.publish(Announcement(audience=Audience.PLAYER, form=form, request=request, what=what))


def _last_turn(tab: TurnTab) -> int:
    """Return the last turn that is over for all players of a game with secrets; 0 for other games."""
    return tab.form.readers(tab.database).get(EVERYBODY, 0) if isinstance(tab.form, SecretForm) else 0


def _lapse(state: PassState, tab: TurnTab, end: Row, receipt: StoredReceipt) -> None:
    """Show the lapsed orders in the receipt of a turn; a trial names their problems."""
    orders = {loosely(id): order for id, order in receipt.figures.lapsed.items()}
    for row in tab.table if orders else ():
        if order := orders.get(loosely(request_id(row))):
            result, former = lapsed(row, Lapse(receipt, order)), tab.answers.get(row.number)
            if state.context.writing.is_trial:
                late = tab.turns.problem(row, is_trial=True)
                warnings = (replace(late, severity=Severity.WARNING),) if late else ()
                result = replace(result, problems=former.problems if isinstance(former, Answer) else warnings)
            tab.answers[row.number] = result
            tab.turns.lapse(row, end)
            state.waiting.pop(loosely(request_id(row)), None)
            write(state, tab.database, row, "ready_since", None)


def _close(state: PassState, tab: TurnTab) -> tuple[Row, Answer] | None:
    """Show the state of the current turn; at its deadline, rule a request that ends it, and return its row.

    The row is added in the same commit as its receipt, or as the promise of its luck: so it is there exactly once.
    """
    open_turn, turn = tab.open_turn, tab.form.turn_of_all(tab.database)
    if open_turn is None or turn is None or turn.number != open_turn.entry.turn or not state.changes.has_room():
        _show_turns(tab)
        return None
    row, values = tab.new_request(state.receipts, end_request(tab.form, open_turn))
    tab.turns.open(row)
    end, result = end_of_turn(state, tab, row), None
    if end and open_turn.is_due and not end.is_held and not _is_promised(tab):
        result = judge(state, tab, row)
    if isinstance(result, Answer) and (result.ruling or result.awaited is not None):
        state.changes.add(row, values)
        return row, result
    tab.turns.close(row)
    tab.database.drop(row)
    refused = result.cells.message if isinstance(result, Answer) else ""
    _show_turn(tab, turn, _status(open_turn, end, refused.partition("\n")[0]), end)
    tab.deadlines.announce(open_turn.entry)
    return None


def _show_turns(tab: TurnTab) -> None:
    """Show the finished turns, and the receipt that ended one in this pass."""
    open_turn, turn = tab.open_turn, tab.form.turn_of_all(tab.database)
    if turn:
        _show_turn(tab, turn, OPEN, None)
    elif tab.form.end_of_turn:
        tab.deadlines.show(None, NO_TURN, "", "")
    rulings = [result.ruling for result in tab.answers.values() if isinstance(result, Answer) and result.ruling]
    ends = [ruling.receipt for ruling in rulings if _has_ended(ruling.receipt.request, tab)]
    if ends and open_turn and not (turn and turn.number == open_turn.entry.turn):
        tab.deadlines.show_end(open_turn.entry, max(receipt.seq for receipt in ends))


def _show_turn(tab: TurnTab, turn: CurrentTurn, status: str, end: TurnEnd | None) -> None:
    ordered, missing = (end.ordered, end.missing) if end else ((), turn.players)
    tab.deadlines.show(turn.number, status, ", ".join(ordered), ", ".join(missing))


def _is_promised(tab: TurnTab) -> bool:
    """Return True if a request that ends the turn of all waits for its luck."""
    waiting = (result for result in tab.answers.values() if isinstance(result, Answer) and result.awaited is not None)
    ends = (tab.turns.ends(result.cells.row) for result in waiting)
    return any(turn is not None and not turn.whose for turn in ends)


def _has_ended(request: str, tab: TurnTab) -> bool:
    rows = tab.table.by_request.get(loosely(request), ())
    return any(tab.turns.ends(row) for row in rows)


def _status(open_turn: OpenTurn, end: TurnEnd | None, refused: str) -> str:
    """Return the state of an open turn, a sentence."""
    orders = end.orders if end else "nobody is in it"
    if refused:
        return REFUSED.format(refused)
    if open_turn.is_void:
        return VOID
    if not open_turn.is_over:
        return f"{OPEN}: {orders}"
    return (ASKS if open_turn.entry.asks else WAITS).format(orders)
