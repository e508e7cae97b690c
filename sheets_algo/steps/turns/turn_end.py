"""Orders of a game with turns, and the end of a turn by a request or at its deadline (REQ-12, REQ-18, TRN-03)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.columns import folded, loosely
from engine.players import discord_ids
from sheets_algo.database.problems import Severity, count, shorten_list
from sheets_algo.database.records import END_ANYWAY, Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.capabilities import EVERYBODY, CurrentTurn, SecretForm, TurnForm
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.passes.judge import answer, give_id, judge, lapsed, obstacles
from sheets_algo.ruling.passes.writer import write
from sheets_algo.ruling.plan import Answer
from sheets_algo.ruling.receipts.receipts import Lapse, LapsedOrder, Receipts, StoredReceipt
from sheets_algo.ruling.request_tab import RequestTab
from sheets_algo.ruling.requests.row_states import deciding_cells
from sheets_algo.ruling.requests.status_columns import StatusCells
from sheets_algo.ruling.step import REPORT, Announcement, Audience, PassState, Result, know
from sheets_algo.steps.turns.order_turns import Lapses, OrderTurns
from sheets_algo.steps.turns.sent_orders import SentOrders
from sheets_algo.steps.turns.turns_tab import Deadlines, OpenTurn, end_request


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTab(RequestTab):
    """A request tab of a game with turns."""

    form: TurnForm[Any]
    deadlines: Deadlines
    turns: OrderTurns
    lapses: Lapses
    open_turn: OpenTurn | None  # The current turn, if the tab Turns names it (TRN-03)
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


NAMED = 40
"""Maximum number of orders that the Message of a turn names; more are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnd:
    """The orders of a turn before an order ends it."""

    tab: TurnTab
    request: str  # The id of the order that ends the turn
    turn: str  # The turn in words: `Round 3`
    fit: int  # The number of orders that are ruled
    open: Sequence[Answer]  # The orders that are not ruled yet, and need no person
    wrong: Sequence[Answer]  # The orders with errors
    lapsing: Sequence[Answer]  # The orders that rulings have made impossible
    ordered: Sequence[str]  # The players with orders
    missing: Sequence[str]  # The players without orders
    rivals: Sequence[Row]  # The other rows that end the turn, which lapse with it
    is_forced: bool  # True if it ends without the orders with errors
    sent: int = 0  # The number of players' orders, which are copied when the turn ends (TRN-12)
    unread: str = ""  # The reason why these are unreadable, which keeps the turn open; blank for none

    @property
    def is_held(self) -> bool:
        """Return True if the turn does not end yet."""
        unnamed = any(not answer.cells.request for answer in self.wrong)
        return bool(self.open or self.unread or (self.wrong and (unnamed or not self.is_forced)))

    @property
    def lapsed(self) -> dict[str, LapsedOrder]:
        """Return the lapsing orders of the turn by request, in the order of the rows, other ends last."""
        answers = sorted((*self.lapsing, *self.wrong), key=lambda answer: answer.cells.row.number)
        is_due = self.tab.open_turn is not None and self.tab.open_turn.is_due
        whence = self.tab.open_turn.end if self.tab.open_turn and is_due else "by a moderator"
        without, again = f"ended without it {whence}: {{}}", f"{self.request} ends {self.turn.lower()}"
        whys = [(answer.cells.row, answer.lapses or without.format(answer.mistake)) for answer in answers]
        form, database = self.tab.form, self.tab.database
        return {
            request_id(row): LapsedOrder(why, deciding_cells(form, row, database))
            for row, why in (*whys, *((row, again) for row in self.rivals))
        }

    @property
    def text(self) -> str:
        """Return the whole turn in one line, with the possible next steps."""
        absent = ""
        if self.missing:
            *others, last = self.missing
            names = f"{', '.join(others)} and {last}" if others else last
            absent = f"; {names} {'have' if others else 'has'} not ordered"
        name = self.turn.partition(" ")[0].lower()
        ways = (
            f". Mend them, enter a later {name} in them, clear their Ready, or choose the Action End anyway here"
            if self.wrong
            else ""
        )
        return f"{self.turn} does not end yet: {self.orders}{absent}{ways}"

    @property
    def orders(self) -> str:
        """Return the state of its orders, a clause."""
        parts = [f"{count(self.fit, 'order')} fit{'s' if self.fit == 1 else ''}"]
        if self.sent:
            parts.append(f"{self.sent} sent by players")
        if self.open:
            parts.append(f"{len(self.open)} not ruled yet ({_list_orders(self.open)})")
        if self.wrong:
            parts.append(f"{len(self.wrong)} to mend ({_list_orders(self.wrong)})")
        if self.lapsing:
            parts.append(f"{len(self.lapsing)} lapse{'s' if len(self.lapsing) == 1 else ''}")
        unread = f"; what players sent cannot be read: {self.unread}" if self.unread else ""
        return ", ".join(parts) + unread


def end_of_turn(state: PassState, tab: TurnTab, row: Row) -> TurnEnd | None:
    """Return the turn that an order ends, None if it ends none; its refused orders are answered again, not ruled."""
    turn = tab.turns.ends(row)
    if turn is None:
        return None
    groups: dict[str, list[Answer]] = {"open": [], "wrong": [], "lapsing": []}
    orders = list(tab.turns.orders_of(row))
    for other in orders:
        former = tab.answers.get(other.number)
        if isinstance(former, Answer) and former.is_open:
            former = tab.answers[other.number] = answer(state, tab, other, former)
        if not isinstance(former, Answer):
            former = Answer(StatusCells(other, request_id(other), "Waiting", ""))
        group = "lapsing" if former.lapses else "open" if former.cells.status == "Waiting" else "wrong"
        groups[group].append(former)
    numbers = {other.number for other in orders}
    turn = tab.form.current_turn(row, tab.database) or turn  # a player may have left the game during the pass
    unruled = [tab.form.current_turn(each.cells.row, tab.database) for group in groups.values() for each in group]
    ruled = list(_turns_of_rulings(tab, turn, state.log.with_new))
    sent = tab.sent.of_turn(turn) if tab.sent else ()
    ordered = {*(other.whose for other in (*unruled, *ruled) if other), *(order.player for order in sent)}
    return TurnEnd(
        tab=tab,
        request=request_id(row),
        turn=f"{tab.form.turn_column.capitalize()} {tab.turns.turn_of(row)}",
        fit=len(ruled),
        ordered=[player for player in turn.players if player in ordered],
        missing=[player for player in turn.players if player not in ordered],
        is_forced=tab.action(row) == END_ANYWAY or tab.is_due(row),
        open=groups["open"],
        wrong=groups["wrong"],
        lapsing=groups["lapsing"],
        rivals=[
            other
            for other in tab.turns.rivals_of(row)
            if other.number not in numbers and _is_settled(state, tab, other)
        ],
        sent=len(sent),
        unread=str(tab.sent.unread or "") if tab.sent else "",
    )


def _is_settled(state: PassState, tab: TurnTab, row: Row) -> bool:
    """Return True if a row is unchanged since the last pass; give it an id if it lacks one."""
    if not request_id(row) and not obstacles(state, tab, row):
        give_id(state, tab, row)
    return bool(request_id(row)) and (know(state, row, request_id(row)) or tab.is_due(row))


def _turns_of_rulings(tab: TurnTab, turn: CurrentTurn, receipts: Receipts) -> Iterator[CurrentTurn]:
    """Yield the turn of each ruled order of a turn."""
    since = tab.lapses.began(turn) if turn.whose else 0  # a turn of all may have begun with several receipts
    for row in tab.table:
        ruling = receipts.ruling_of(request_id(row))
        if ruling and ruling.ruleset == tab.form.key and ruling.seq > since and not receipts.is_undone(ruling):
            order_turn = tab.form.current_turn(row, tab.database)
            if order_turn and turn.whose in ("", order_turn.whose) and ruling.seq > tab.lapses.began(order_turn):
                yield order_turn


def _list_orders(answers: Sequence[Answer]) -> str:
    named = []
    for each in answers:
        name = each.cells.request or f"row {each.cells.row.number}"
        mistake = "" if each.cells.status == "Waiting" else f": {each.mistake}"
        named.append(f"{name}{mistake}")
    return "; ".join(shorten_list(named, NAMED))


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
    is_timed = not (state.contents.held or state.is_rehearsal)  # otherwise no turn ends at its deadline
    if is_timed and (end := _close(state, tab)):
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
