"""Step of a game with turns: each order is carried out in its own turn or not at all (REQ-10, REQ-12, REQ-18)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self

from engine.columns import loosely
from sheets_algo.database.problems import Problem
from sheets_algo.database.records import END_ANYWAY, Database
from sheets_algo.database.tables import Edit, Row
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import TurnForm
from sheets_algo.forms.databases import by_ruleset
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.contents import Contents
from sheets_algo.ruling.corrections.undo import undo_first
from sheets_algo.ruling.passes.opening import open_tabs
from sheets_algo.ruling.passes.responses import further_tabs
from sheets_algo.ruling.plan import Answer
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.ruling.request_tab import RequestTab, ValidRequest, refused
from sheets_algo.ruling.step import PassState, Result, Step, StepFindings, Undoing
from sheets_algo.steps.turns.deadlines import Deadlines
from sheets_algo.steps.turns.lapses import Lapses
from sheets_algo.steps.turns.order_turns import OrderTurns
from sheets_algo.steps.turns.seals import seal
from sheets_algo.steps.turns.sent_orders import SentOrders, read_sent
from sheets_algo.steps.turns.turn_closer import answer_orders, end_of_turn
from sheets_algo.steps.turns.turn_orders import in_another_turn, in_its_turn, keep_turn, overtaken, rejected
from sheets_algo.steps.turns.turn_tab import TurnTab
from sheets_algo.steps.turns.turns_tab import LISTS, TurnRow, TurnsTab
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.tab_key import TabKey


class TurnsStep(Step):
    """The turns of one pass.

    Args:
        contents: What the pass has read.
    """

    tabs = (TurnRow,)
    lists = LISTS
    acts_alone = True

    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        self._turns = TurnsTab(contents.snapshot, contents.context.forms)
        self._deadlines: Deadlines | None = None
        self._tabs: dict[str, TurnTab] = {}
        """The request tabs of games with turns, by key of the form."""
        self._sent: dict[str, SentOrders | None] = {}
        """The orders that players have sent, by key of the form, which are read once a pass."""
        self._in_turn: dict[tuple[str, int], int | None] = {}
        """The turns of orders that are about to be ruled, by key of the form and number of the row."""

    @classmethod
    def of(cls, contents: Contents) -> Self | None:
        """Return the step of a workbook with a game that has turns."""
        forms = [form for form in contents.context.forms if isinstance(form, TurnForm)]
        return cls(contents) if any(contents.tables[form.key].sheet for form in forms) else None

    @classmethod
    def is_offered(cls, forms: Iterable[Form[Any]]) -> bool:
        """Return True if a deadline can end the turns of a game."""
        return any(isinstance(form, TurnForm) and form.end_of_turn for form in forms)

    @classmethod
    def further_tabs(cls, snapshot: Snapshot) -> tuple[TabKey, ...]:
        """Return the tabs in which players write orders (TRN-10)."""
        return further_tabs(snapshot, TurnRow, "orders_from")

    def before(self, state: PassState) -> bool:
        """Copy the orders that players have sent for a turn that ends now, if any turn does (TRN-12)."""
        if self._contents.held or self._contents.context.writing.is_trial or not self._turns.has_sources:
            return False
        for forms in by_ruleset(state.context.forms):
            open_tabs(state, forms)
        return seal(state, self._tabs.values())

    def open(self, state: PassState, tab: RequestTab) -> None:
        """Note the turns in which the orders of a tab are as the pass begins."""
        form, database, receipts = tab.form, tab.database, self._contents.receipts
        if not isinstance(form, TurnForm):
            return
        self._deadlines = deadlines = self._deadlines or Deadlines(
            self._turns, receipts, state.changes, self._contents.now, state.publish
        )
        if entries := self._turns.all_of(form.ruleset_key):
            form.begin(database, min(entry.turn for entry in entries))
        if form.key not in self._sent:
            self._sent[form.key] = read_sent(form, database, self._contents.snapshot, self._turns, receipts)
        is_timed = not (self._contents.held or state.is_rehearsal)
        self._tabs[form.key] = TurnTab(
            form=form,
            database=database,
            ids=tab.ids,
            states=tab.states,
            parts=tab.parts,
            deadlines=deadlines,
            turns=OrderTurns(form, database, receipts, partial(deadlines.ended, form)),
            lapses=Lapses(form, database, state.log),
            open_turn=deadlines.of(form, database) if is_timed else None,
            is_timed=is_timed,
            sent=self._sent[form.key],
        )

    def conduct(self, state: PassState, tab: RequestTab, rows: Iterable[Row]) -> Sequence[tuple[Row, Result]] | None:
        """Answer the orders of a tab: a turn that ends is followed by the orders that waited for it."""
        turn_tab = self._tabs.get(tab.form.key)
        return None if turn_tab is None else answer_orders(state, turn_tab, rows)

    def claim(self, state: PassState, tab: RequestTab, row: Row, id: str, former: Result | None) -> Answer | None:
        """Answer an order whose turn is over, or has not begun."""
        turn_tab = self._tabs.get(tab.form.key)
        return None if turn_tab is None else in_another_turn(state, turn_tab, row, id, former)

    def reject(
        self, state: PassState, tab: RequestTab, row: Row, id: str, problems: tuple[Problem, ...]
    ) -> Answer | None:
        """Refuse an order that has mistakes; one that a ruling has made impossible waits for its turn's end."""
        turn_tab = self._tabs.get(tab.form.key)
        return None if turn_tab is None else rejected(state, turn_tab, row, id, problems)

    def admit(self, state: PassState, tab: RequestTab, request: ValidRequest, former: Result | None) -> Result:
        """Return an order as it counts in its turn; with the orders that lapse, if it ends it."""
        turn_tab, row = self._tabs.get(tab.form.key), request.row
        if turn_tab is None:
            return request
        if refusal := overtaken(state, request, former):
            return refusal
        if former is not None and not state.is_rehearsal:  # nothing more is ruled in this pass
            return request
        request, end = in_its_turn(state, turn_tab, request), end_of_turn(state, turn_tab, row)
        self._in_turn[tab.form.key, row.number] = turn_tab.turns.turn_of(row)  # before its ruling ends it
        if end and end.is_held:
            turn_tab.turns.hold(row)
            return replace(request.answer("Waiting", end.text), awaits_people=not end.open)
        if end is None and tab.action(row) == END_ANYWAY:
            says = "the order ends no turn"
            return refused(row, request.id, (row.problem("action", "REQ-18", says, allowed="Choose Rule"),))
        return replace(request, lapsed=end.lapsed) if end else request

    def answered(self, state: PassState, tab: RequestTab, row: Row, answer: Answer) -> None:
        """Keep the turn that an order belongs to beside it, if it is refused (REQ-10)."""
        turn_tab = self._tabs.get(tab.form.key)
        if turn_tab is None:
            return
        ruled = self._in_turn.get((tab.form.key, row.number)) if answer.ruling else None
        turn = ruled if answer.ruling else turn_tab.turns.turn_of(row)
        if answer.is_refused:
            turn_tab.turns.refuse(row)
        keep_turn(state, turn_tab, row, answer, turn)

    def rehearse(
        self, state: PassState, tab: RequestTab, answer: Answer, problems: Sequence[Problem]
    ) -> Iterator[Problem]:
        """Yield the problems of an order, and that it waits for its turn; a later turn is no mistake then."""
        turn_tab, row = self._tabs.get(tab.form.key), answer.cells.row
        if turn_tab is None:
            yield from problems
            return
        name = turn_tab.form.turn_column
        is_early = not answer.cells.status and turn_tab.turns.awaited(row)
        yield from (problem for problem in problems if not (is_early and problem.cell == row.cell(name)))
        text = answer.cells.message.partition("\n")[0].rstrip(".")
        if answer.is_later and not state.contents.held:
            yield row.note(name, "REQ-10", text)
        elif answer.awaits_people and not state.contents.held:
            yield row.note("ready", "REQ-12", text.partition(":")[0])

    def finish(self) -> StepFindings:
        """Return what is wrong with the tab Turns and with what players sent, and when the next turn ends."""
        sent = (tab.sent.problems for tab in self._tabs.values() if tab.sent)
        return StepFindings(
            problems=(*self._turns.problems, *(problem for problems in sent for problem in problems)),
            deadline=self._deadlines.next if self._deadlines else None,
        )

    def undo(self, form: Any, database: Database, ruling: StoredReceipt) -> Undoing:
        """Keep the end of a turn in which orders are ruled since; free the orders below an end that lapses no more."""
        if not isinstance(form, TurnForm):
            return Undoing()
        reasons = self._orders_of_later_turns(form, database, ruling)
        return Undoing(tuple(reasons), tuple(_later_orders(form, database, ruling)))

    def _orders_of_later_turns(self, form: TurnForm[Any], database: Database, ruling: StoredReceipt) -> Iterator[str]:
        """Yield the orders ruled since by those whose turn a ruling ended, each as a reason."""
        written, receipts = {change.cell for change in ruling.changes}, self._contents.receipts
        later = (order for order in reversed(receipts.rulings) if order.seq > ruling.seq and order.ruleset == form.key)
        for order in (order for order in later if not receipts.is_undone(order)):
            rows = database.table(form.request).by_request.get(loosely(order.request), ())
            turns = (turn for row in rows if (turn := form.current_turn(row, database)))
            if any((tab, loosely(name), header) in written for turn in turns for tab, name, header in turn.counters):
                yield f"{order.request} was ruled in a later {form.turn_column}; {undo_first(order)}."


def _later_orders(form: TurnForm[Any], database: Database, ruling: StoredReceipt) -> Iterator[Edit]:
    """Yield the cells with later turns beside orders below an end that lapsed with a ruling, to be emptied."""
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
