"""Step of a game with turns: each order is carried out in its own turn or not at all (REQ-10, REQ-12, REQ-18)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

from engine.columns import loosely
from sheets_algo.database.problems import Problem, Rejected, Severity, count, message
from sheets_algo.database.records import END_ANYWAY, RULE_AGAIN, Database
from sheets_algo.database.tables import Edit, Row
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import CurrentTurn, TurnForm
from sheets_algo.forms.databases import by_ruleset
from sheets_algo.forms.request_columns import is_ready, request_id
from sheets_algo.ruling.corrections import undo_first
from sheets_algo.ruling.passes.responses import append_orders, last_of, order_line
from sheets_algo.ruling.passes.writer import write
from sheets_algo.ruling.plan import Answer, Contents
from sheets_algo.ruling.receipts.receipt_rows import Sealed, SentOrder
from sheets_algo.ruling.receipts.receipts import StoredReceipt, fingerprint_of
from sheets_algo.ruling.repair.intents import OvertakenOrder
from sheets_algo.ruling.request_tab import RequestTab, ValidRequest, refused
from sheets_algo.ruling.requests.row_states import deciding_cells, edits_of
from sheets_algo.ruling.requests.status_columns import GAME_OVER, LAPSES, StatusCells
from sheets_algo.ruling.step import PassState, Result, Step, StepFindings, Undoing, know, open_tabs, read_request
from sheets_algo.steps.turns.order_turns import Lapses, OrderTurns
from sheets_algo.steps.turns.sent_orders import read_sent
from sheets_algo.steps.turns.turn_end import TurnTab, answer_orders, end_of_turn
from sheets_algo.steps.turns.turns_tab import LISTS, Deadlines, TurnRow, TurnsTab


class TurnsStep(Step):
    """The turns of one pass.

    Args:
        contents: The contents of the pass.
    """

    tabs = (TurnRow,)
    naming: ClassVar = {TurnRow: "orders_from"}
    lists = LISTS
    acts_alone = True

    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        self._turns = TurnsTab(contents.snapshot, contents.context.forms)
        self._tabs: dict[str, TurnTab] = {}
        """The request tabs of games with turns, by key of the form."""

    @classmethod
    def of(cls, contents: Contents) -> Self | None:
        """Return the step of a workbook with a game that has turns."""
        forms = [form for form in contents.context.forms if isinstance(form, TurnForm)]
        return cls(contents) if any(contents.tables[form.key].sheet for form in forms) else None

    @classmethod
    def is_offered(cls, forms: Iterable[Form[Any]]) -> bool:
        """Return True if a deadline can end the turns of a game."""
        return any(isinstance(form, TurnForm) and form.end_of_turn for form in forms)

    def before(self, state: PassState) -> bool:
        """Copy the players' orders for a turn that ends now, if any (TRN-12)."""
        if not self._turns.has_sources:
            return False
        for forms in by_ruleset(state.context.forms):
            open_tabs(state, forms)
        return seal(state, self._tabs.values())

    def open(self, state: PassState, tab: RequestTab) -> RequestTab:
        """Return a tab with the turns of its orders at the beginning of the pass."""
        form, database, contents, turns = tab.form, tab.database, self._contents, self._turns
        if not isinstance(form, TurnForm):
            return tab
        if entries := turns.all_of(form.ruleset_key):
            form.begin(database, min(entry.turn for entry in entries))
        deadlines = Deadlines(form, turns, state)
        known = self._tabs.get(form.key)
        self._tabs[form.key] = turn_tab = TurnTab(
            form=form,
            database=database,
            ids=tab.ids,
            states=tab.states,
            parts=tab.parts,
            deadlines=deadlines,
            turns=OrderTurns(form, database, contents.receipts, deadlines.ended),
            lapses=Lapses(form, database, state.log),
            open_turn=None if contents.held or state.is_rehearsal else deadlines.open_turn(database),
            sent=known.sent if known else read_sent(form, database, contents.snapshot, turns, contents.receipts),
        )
        return turn_tab

    def conduct(self, state: PassState, tab: RequestTab, rows: Iterable[Row]) -> Sequence[tuple[Row, Result]] | None:
        """Answer the orders of a tab: those that waited for the end of a turn follow it."""
        return answer_orders(state, tab, rows) if isinstance(tab, TurnTab) else None

    def claim(self, state: PassState, tab: RequestTab, row: Row, id: str, former: Result | None) -> Answer | None:
        """Answer an order whose turn is over, or has not begun."""
        if not isinstance(tab, TurnTab):
            return None
        if problem := tab.turns.problem(row, is_trial=state.context.writing.is_trial):
            return _past(state, tab, row, id, problem, former)
        if later := tab.turns.awaited(row):
            know(state, row, id)
            return Answer(StatusCells(row, id, "Waiting", later), is_later=True)
        return None

    def reject(
        self, state: PassState, tab: RequestTab, row: Row, id: str, problems: tuple[Problem, ...]
    ) -> Answer | None:
        """Refuse an order with errors; one that a ruling has made impossible waits for its turn's end.

        After the end of the game, it waits until a player returns.
        """
        if not isinstance(tab, TurnTab):
            return None
        state.waiting.pop(loosely(id), None)
        turn = tab.form.current_turn(row, tab.database)
        why = tab.lapses.reason(row, problems, turn) if not (turn and turn.ends) else ""
        if not why:
            return replace(refused(row, id, problems), is_misread=True)
        name = tab.form.turn_column
        is_over = turn is None and tab.form.turn_of_all(tab.database) is None
        says = GAME_OVER.format(why) if is_over else LAPSES.format(f"{name} {turn.number}" if turn else f"a {name}")
        allowed = "It is ruled if somebody plays again" if is_over else ""
        warnings = tuple(replace(problem, severity=Severity.WARNING, allowed=allowed) for problem in problems)
        is_settled = know(state, row, id) or tab.is_due(row)  # otherwise a person may still be typing
        cells = StatusCells(row, id, "Waiting", message(() if is_over else warnings, says))
        return Answer(cells, warnings, lapses=why if is_settled else "")

    def admit(self, state: PassState, tab: RequestTab, request: ValidRequest, former: Result | None) -> Result:
        """Return an order for its turn, with the lapsing orders if it ends the turn."""
        row = request.row
        if not isinstance(tab, TurnTab):
            return request
        if refusal := _overtaken(state, request, former):
            return refusal
        if former is not None and not state.is_rehearsal:  # nothing more is ruled in this pass
            return request
        edits = edits_of(tab.form, row, tab.database, state.receipts) if state.receipts.sent else ()
        remarks = (*request.remarks, *edits, *_late(tab, row))
        # An order is ruled at the deadline as it is then (TRN-03).
        request = replace(request, remarks=remarks, is_settled=request.is_settled or tab.is_due(row))
        end = end_of_turn(state, tab, row)
        tab.ruled_in[row.number] = tab.turns.turn_of(row)  # before its ruling ends it
        if end and end.is_held:
            tab.turns.hold(row)
            return replace(request.answer("Waiting", end.text), awaits_people=not end.open)
        if end is None and tab.action(row) == END_ANYWAY:
            says = "the order ends no turn"
            return refused(row, request.id, (row.problem("action", "REQ-18", says, allowed="Choose Rule"),))
        return replace(request, lapsed=end.lapsed) if end else request

    def answered(self, state: PassState, tab: RequestTab, row: Row, answer: Answer) -> None:
        """Note the turn of an order beside it, if it is refused or below a lapsed end (REQ-10).

        Not after the end of the game: a returning player may be in any turn.
        """
        if not isinstance(tab, TurnTab):
            return
        turn = tab.ruled_in.get(row.number) if answer.ruling else tab.turns.turn_of(row)
        if answer.is_refused:
            tab.turns.refuse(row)
        if answer.ruling or answer.awaited is not None:
            tab.turns.close(row)
        if turn is None:
            return
        is_kept = answer.is_unruled or (answer.is_later and tab.turns.further_ends(row))
        is_order = is_ready(row) is True and tab.is_order(row)
        if is_kept and answer.cells.ruled is None and is_order and tab.form.turn_of_all(tab.database):
            write(state, tab.database, row, "ready_since", turn)
        elif answer.ruling:
            tab.database.write(row, "ready_since", turn)  # in memory alone, for the orders that are compared with it
        elif not answer.cells.status and not row.is_blank("ready_since"):
            write(state, tab.database, row, "ready_since", None)

    def rehearse(
        self, state: PassState, tab: RequestTab, answer: Answer, problems: Sequence[Problem]
    ) -> Iterator[Problem]:
        """Yield the problems of an order, and a notice if it waits for a later turn, which is not an error here."""
        row = answer.cells.row
        if not isinstance(tab, TurnTab):
            yield from problems
            return
        name = tab.form.turn_column
        is_early = not answer.cells.status and tab.turns.awaited(row)
        yield from (problem for problem in problems if not (is_early and problem.cell == row.cell(name)))
        text = answer.cells.message.partition("\n")[0].rstrip(".")
        if answer.is_later and not state.contents.held:
            yield row.note(name, "REQ-10", text)
        elif answer.awaits_people and not state.contents.held:
            yield row.note("ready", "REQ-12", text.partition(":")[0])

    def finish(self) -> StepFindings:
        """Return the problems of the tab Turns and of players' orders, and the end of the next turn."""
        sent = (tab.sent.problems for tab in self._tabs.values() if tab.sent)
        moments = (tab.deadlines.next for tab in self._tabs.values() if tab.deadlines.next)
        return StepFindings(
            problems=(*self._turns.problems, *(problem for problems in sent for problem in problems)),
            deadline=min(moments, default=None),
        )

    def undo(self, form: Form[Any], database: Database, ruling: StoredReceipt) -> Undoing:
        """Keep the end of a turn in which orders are ruled since; free the orders below an end that lapses no more."""
        if not isinstance(form, TurnForm):
            return Undoing()
        reasons = self._orders_of_later_turns(form, database, ruling)
        return Undoing(tuple(reasons), tuple(_later_orders(form, database, ruling)))

    def _orders_of_later_turns(self, form: TurnForm[Any], database: Database, ruling: StoredReceipt) -> Iterator[str]:
        """Yield the later orders of players whose turn a ruling ended, each as a reason."""
        written, receipts = {change.cell for change in ruling.changes}, self._contents.receipts
        later = (order for order in reversed(receipts.rulings) if order.seq > ruling.seq and order.ruleset == form.key)
        for order in (order for order in later if not receipts.is_undone(order)):
            rows = database.table(form.request).by_request.get(loosely(order.request), ())
            turns = (turn for row in rows if (turn := form.current_turn(row, database)))
            if any((tab, loosely(name), header) in written for turn in turns for tab, name, header in turn.counters):
                yield f"{order.request} was ruled in a later {form.turn_column}; {undo_first(order)}."


def _past(state: PassState, tab: TurnTab, row: Row, id: str, problem: Problem, former: Result | None) -> Answer:
    """Refuse an order whose turn is over; its row still names an uncorrected error (REQ-10)."""
    if isinstance(former, Answer) and problem in former.problems:
        return former
    lines, mistakes = str(row.value("message") or "").splitlines(), tuple[Problem, ...]()
    try:
        read_request(state, tab, row, id, is_order=True)
    except Rejected as rejection:
        of_row = (mistake for mistake in rejection.problems if mistake.cell != row.cell(tab.form.turn_column))
        mistakes = tuple(mistake for mistake in of_row if str(mistake) in lines)
    text = message(mistakes, str(problem))
    is_told = former is None and text == row.value("message")
    return Answer(StatusCells(row, id, "Invalid", text), (problem, *mistakes), is_past=is_told)


def _overtaken(state: PassState, request: ValidRequest, former: Result | None) -> Answer | None:
    """Refuse an order that was refused in its place and became valid only by orders below it (REQ-10).

    It stays refused until the order or one of its dependencies changes.
    """
    id, row = loosely(request.id), request.row
    known, digest = state.waiting.get(id), fingerprint_of(state.known[id] + request.inputs)
    if isinstance(former, Answer) and not former.lapses:
        if state.context.writing.is_trial:
            return former  # nothing is written below it
        why = known.why if isinstance(known, OvertakenOrder) else former.mistake
    elif isinstance(known, OvertakenOrder) and known.digest == digest:
        why = known.why
    else:
        state.waiting.pop(id, None)
        return None
    state.waiting[id] = OvertakenOrder(request.id, why, digest)
    says = f"it was refused in its place: {why}; only orders below it have changed that"
    allowed = f'Choose "{RULE_AGAIN}" to have it ruled now, or clear Ready'
    return refused(row, request.id, (row.problem("action", "REQ-10", says, allowed=allowed),))


def _late(tab: TurnTab, row: Row) -> Iterator[str]:
    """Yield a remark on an order that just missed the end of the previous turn."""
    if row.is_blank(tab.form.turn_column) and not tab.turns.ends(row) and not tab.is_due(row):
        turn = tab.turns.turn_of(row)
        yield from tab.deadlines.late(turn) if turn is not None else ()


def _later_orders(form: TurnForm[Any], database: Database, ruling: StoredReceipt) -> Iterator[Edit]:
    """Yield the noted later turns beside orders below an end that lapsed with a ruling, for clearing."""
    written = {change.cell for change in ruling.changes}
    lapsed, is_below = set(map(loosely, ruling.figures.lapsed)), False
    for row in database.table(form.request) if lapsed else ():
        turn, kept = form.current_turn(row, database), row.value("ready_since")
        if turn is None or written.isdisjoint((tab, loosely(name), header) for tab, name, header in turn.counters):
            continue
        if turn.ends:
            is_below |= loosely(request_id(row)) in lapsed
        elif is_below and isinstance(kept, int | float) and kept > turn.number:
            yield Edit(row, "ready_since", None)


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
