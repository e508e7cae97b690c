"""The end of a turn: its ruled, wrong and lapsing orders (REQ-12, REQ-18)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sheets_algo.database.records import END_ANYWAY
from sheets_algo.database.tables import Row
from sheets_algo.database.wording import count, shorten_list
from sheets_algo.forms.capabilities import CurrentTurn
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.passes.judge import answer, give_id, obstacles
from sheets_algo.ruling.passes.opening import know
from sheets_algo.ruling.plan import Answer
from sheets_algo.ruling.receipts.receipts import LapsedOrder, Receipts
from sheets_algo.ruling.requests.row_states import deciding_cells
from sheets_algo.ruling.requests.status_columns import StatusCells
from sheets_algo.ruling.step import PassState
from sheets_algo.steps.turns.turn_tab import TurnTab

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
    for row in tab.table:
        ruling = receipts.ruling_of(request_id(row))
        if ruling and ruling.ruleset == tab.form.key and not receipts.is_undone(ruling):
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
