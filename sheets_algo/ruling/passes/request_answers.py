"""Answers to the rows of the request tabs, row by row: each step answers, or leaves the request to the next one.

The steps are: find what stands already, refuse, give an id, do another action, await the turn, read, rule.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from engine.columns import loosely
from sheets_algo.database.problems import Problem, Rejected, Severity
from sheets_algo.database.records import END_ANYWAY, PREVIEW, RULE_AGAIN, SWITCH_SIDES, Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import by_ruleset, open_database
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.passes.deadlines import Deadlines
from sheets_algo.ruling.passes.lapses import Lapses
from sheets_algo.ruling.passes.order_turns import OrderTurns
from sheets_algo.ruling.passes.other_actions import preview, switch_sides
from sheets_algo.ruling.passes.plan import Answer, LogFactory
from sheets_algo.ruling.passes.reader import RequestReader
from sheets_algo.ruling.passes.refusals import Refusals
from sheets_algo.ruling.passes.request_tab import RequestTab, ValidRequest, refused
from sheets_algo.ruling.passes.ruler import RequestRuler
from sheets_algo.ruling.passes.turn_closer import TurnCloser
from sheets_algo.ruling.passes.turn_end import TurnEnd, is_open
from sheets_algo.ruling.passes.writer import PlanWriter
from sheets_algo.ruling.receipts.receipts import Lapse, StoredReceipt
from sheets_algo.ruling.repair.intents import CopiedRow, PendingTab
from sheets_algo.ruling.requests.program_cells import edit_problems, find_edits
from sheets_algo.ruling.requests.request_ids import Ids, ShownResults
from sheets_algo.ruling.requests.request_tabs import (
    count_unruled,
    is_ready,
    misspelt_request_tabs,
    orphan_problems,
    request_tables,
)
from sheets_algo.ruling.requests.row_states import RowKind, RowState, RowStates
from sheets_algo.ruling.requests.status_columns import (
    COPIED,
    LAPSED,
    LAPSES,
    NEXT_LOOK,
    NOTHING_RULED,
    SWITCHED,
    UNDONE,
    StatusCells,
    message,
)
from sheets_algo.ruling.requests.turns_tab import TurnsTab


class RequestAnswers:
    """The answers and rulings of one pass.

    Args:
        pending: The writes to the workbook that are not verified yet.
        writer: The writer of the rulings.
        logs: Returns the sink of each request's log.
        held: Why nothing is ruled because of the workbook, in sentences; blank if it is.
        is_damaged: True if not every receipt can be read, so that results in rows say nothing.
    """

    def __init__(
        self,
        pending: PendingTab,
        writer: PlanWriter,
        logs: LogFactory,
        *,
        held: str = "",
        is_damaged: bool = False,
    ) -> None:
        self._writer, self._context, self._changes = writer, writer.context, writer.changes
        self._snapshot, self._receipts = pending.snapshot, writer.log.receipts
        self._held, self._is_damaged = held, is_damaged
        self._tables = request_tables(self._snapshot, self._context.forms)
        self._results = ShownResults(self._receipts)
        self._refusals = Refusals(pending, writer, self._tables)
        self.reader = RequestReader(self._snapshot, self._context, self._receipts, self._tables)
        self.ruler = RequestRuler(self._snapshot, writer, self.reader, logs, held)
        self.copies = [copy for copy in pending.copies if self._waits_for_tick(copy)]
        self.left = 0
        self.must_look_again = False
        turns = TurnsTab(self._snapshot, self._context.forms)
        self.deadlines = Deadlines(turns, writer.log, self._changes, writer.now)
        self._is_timed = not (held or self._context.writing.is_check)
        self._closer = TurnCloser(
            self.deadlines,
            self.reader,
            self._changes,
            self._receipts,
            self._turn_end,
            lambda tab, row: self._answer_row(tab, row, None),
        )
        self.problems: list[Problem] = [
            *misspelt_request_tabs(self._snapshot),
            *self.reader.problems,
            *turns.problems,
        ]

    def give_ids(self) -> bool:
        """Give ids to the ready rows that have none, and to copies of other rows; return True if there were any.

        Where people may move rows while the program writes, an id may land on another row. So a request is ruled only
        when a later pass has found the id beside the row that it was given to.
        """
        for forms in by_ruleset(self._context.forms):
            for tab in self._tabs(forms):
                for row in tab.table:
                    if tab.states.of(row).kind is RowKind.COPY:
                        self._separate(tab, row)
                    elif not request_id(row) and is_ready(row) is True and not self._refusals.obstacles(tab, row):
                        self._changes.set(row, "request", tab.ids.next_free())
        return bool(self._changes.size)

    def answer(self, forms: Sequence[Form[Any]]) -> list[tuple[RequestTab, Answer | ValidRequest]]:
        """Answer the requests of one ruleset, row by row, each on the database as the rulings before left it.

        A request that asks for something else than a ruling is returned as it was read.
        """
        tabs = self._tabs(forms)
        if not tabs:
            return []
        self.ruler.edits = tuple(find_edits(self._receipts, [tab.form for tab in tabs], tabs[0].database))
        answers = [(tab, row, answer) for tab in tabs for row, answer in self._answers(tab)]
        if any(isinstance(answer, Answer) and answer.ruling for _, _, answer in answers):
            # What was refused or asks for a forecast is answered on the database as the last ruling left it. But
            # nothing more is ruled: else an order that was refused in its turn would be carried out in the next one.
            answers = [
                (tab, row, self._answer(tab, row, answer) if is_open(answer) else answer)
                for tab, row, answer in answers
            ]
        self.problems += edit_problems(self.ruler.edits)  # those that a ruling has not accepted
        return [(tab, answer) for tab, _, answer in answers]

    def _tabs(self, forms: Sequence[Form[Any]]) -> list[RequestTab]:
        """Return the request tabs of one ruleset that the workbook has; nobody need play by every ruleset."""
        database = open_database(self._snapshot, forms)
        return [
            RequestTab(
                form,
                database,
                Ids(form, table, self._tables, self._ids_elsewhere(form, database)),
                OrderTurns(form, database, self._receipts, partial(self.deadlines.ended, form)),
                RowStates(form, database, self._receipts),
                Lapses(form, database, self._writer.log),
                self.deadlines.of(form, database) if self._is_timed else None,
            )
            for form in forms
            if (table := database.table(form.request)).sheet
        ]

    def _ids_elsewhere(self, form: Form[Any], database: Database) -> Iterator[str]:
        """Yield the ids that no new request may get, since it would take over another one's ruling or flanks."""
        for receipt in self._receipts.by_seq.values():
            yield from (receipt.request, *receipt.figures.lapsed)
        for record in form.parts:
            yield from database.table(record).texts("request")

    def _rows(self, tab: RequestTab) -> Iterator[Row]:
        """Yield the rows of a tab in the order of their promises, then as they stand, as long as there is room.

        The next pass answers the others.
        """
        self.problems += (*tab.table.header_problems, *tab.table.further_header_problems)
        self.problems += orphan_problems(tab.form, tab.database)
        order = self.ruler.promises.order
        rows = tab.table.rows
        if order:
            rows = sorted(rows, key=lambda row: order.get(loosely(request_id(row)), math.inf))
        for number, row in enumerate(rows):
            if not self._changes.has_room():
                self.left += count_unruled(rows[number:], self._receipts)
                return
            yield row

    def _answer(self, tab: RequestTab, row: Row, former: Answer | ValidRequest | None = None) -> Answer | ValidRequest:
        """Answer a request; beside an order that is refused, keep the turn that it belongs to (REQ-10).

        Args:
            former: The answer before the other rulings of this pass; None lets the request be ruled.
        """
        turn = tab.turns.turn_of(row)  # before a ruling ends it
        answer = self._answer_row(tab, row, former)
        if isinstance(answer, Answer) and (answer.ruling or answer.awaited is not None):
            tab.turns.close(row)
        if isinstance(answer, Answer) and turn is not None:
            is_refused = answer.is_unruled and answer.shown.ruled is None
            if is_refused and is_ready(row) is True and tab.turns.is_order(row):
                self._keep_turn(tab, row, turn)
            elif not answer.shown.status and not row.is_blank("ready_since"):
                self._keep_turn(tab, row, None)
        return answer

    def _answers(self, tab: RequestTab) -> list[tuple[Row, Answer | ValidRequest]]:
        """Answer the requests of a tab, row by row; a turn that ends is followed by the orders that waited for it."""
        rows: dict[int, Row] = {}

        def look(row: Row) -> None:
            tab.turns.release(row)
            rows[row.number] = row
            known = tab.answers.get(row.number)
            if isinstance(known, Answer) and known.shown.status == "Lapsed":
                return  # with the end of its turn, above
            settle(row, self._answer(tab, row))

        def settle(row: Row, answer: Answer | ValidRequest) -> None:
            tab.answers[row.number] = answer
            if isinstance(answer, Answer) and answer.ruling and tab.turns.ends(row):
                self._lapse(tab, answer.ruling.receipt)
                for number, waiting in tuple(tab.answers.items()):
                    if isinstance(waiting, Answer) and waiting.is_later and not tab.turns.awaited(rows[number]):
                        look_again(rows[number])

        def look_again(row: Row) -> None:
            if self._changes.has_room():
                look(row)
            else:
                self.must_look_again = True

        for row in self._rows(tab):
            look(row)
        for row in tab.turns.held:  # an order below it may be ruled by now
            look_again(row)
        if self._is_timed and (end := self._closer.close(tab)):
            row, answer = end
            rows[row.number] = row
            settle(row, answer)
            self._closer.show(tab)
        return [(rows[number], tab.answers[number]) for number in sorted(rows)]

    def _lapse(self, tab: RequestTab, receipt: StoredReceipt) -> None:
        """Show the orders as lapsed that the receipt of a turn names; a trial says what is wrong with them."""
        lapsed = {loosely(id): order for id, order in receipt.figures.lapsed.items()}
        for row in tab.table if lapsed else ():
            if order := lapsed.get(loosely(request_id(row))):
                answer, former = _lapsed(row, Lapse(receipt, order)), tab.answers.get(row.number)
                if self._context.writing.is_trial:
                    end = tab.turns.problem(row, is_trial=True)
                    told = (replace(end, severity=Severity.WARNING),) if end else ()
                    answer = replace(answer, problems=former.problems if isinstance(former, Answer) else told)
                tab.answers[row.number] = answer
                tab.turns.close(row)
                self._keep_turn(tab, row, None)

    def _keep_turn(self, tab: RequestTab, row: Row, turn: int | None) -> None:
        self._changes.set(row, "ready_since", turn)
        tab.database.write(row, "ready_since", turn)

    def _answer_row(self, tab: RequestTab, row: Row, former: Answer | ValidRequest | None) -> Answer | ValidRequest:
        """Answer a request by the first step that has an answer."""
        if answer := self._find_standing(tab, row) or self._refuse(tab, row):
            return answer
        id = request_id(row) or self._give_id(tab, row)
        action, is_order = tab.action(row), tab.turns.is_order(row)
        if action == SWITCH_SIDES:
            return switch_sides(tab, row, id, reader=self.reader, writer=self._writer, held=self._held)
        if action == PREVIEW:
            return preview(tab, row, id, self._context)
        if is_order and (answer := self._refuse_order(tab, row, id, former)):
            return answer
        try:
            request = self.reader.read(tab, row, id, is_order=is_order)
        except Rejected as rejection:
            return self._rejected(tab, row, id, rejection.problems, is_order=is_order)
        if not is_order:
            return request
        if former is not None:
            self.must_look_again = True
            return request.answer("Waiting", NEXT_LOOK)
        if tab.is_due(row):
            request = replace(request, is_settled=True)  # as it stands at the deadline (TRN-03)
        elif late := self._late(tab, row):
            content = replace(request.content, remarks=(*request.content.remarks, late))
            request = replace(request, content=content)
        end = self._turn_end(tab, row)
        if end is None and action == END_ANYWAY:
            says = "the order ends no turn"
            return refused(row, id, (row.problem("action", "REQ-18", says, allowed="Choose Rule"),))
        if end is None:
            return self.ruler.rule(tab, request)
        if end.is_held:
            tab.turns.hold(row)
            return replace(request.answer("Waiting", end.text), awaits_people=not end.open)
        return self.ruler.rule(tab, replace(request, lapsed=end.lapsed))

    def _late(self, tab: RequestTab, row: Row) -> str:
        """Return how an order that names no turn is told that the turn before has just ended; blank if it has not."""
        name = tab.form.turn_column
        turn = tab.turns.turn_of(row) if name and row.is_blank(name) and not tab.turns.ends(row) else None
        return "" if turn is None else self.deadlines.late(tab.form, turn)

    def _turn_end(self, tab: RequestTab, row: Row) -> TurnEnd | None:
        """Return the turn that an order ends, None if it ends none."""
        return TurnEnd.of(
            tab,
            row,
            self._writer.log,
            lambda other, former: self._answer(tab, other, former),
            lambda other: self._is_settled(tab, other),
        )

    def _is_settled(self, tab: RequestTab, row: Row) -> bool:
        """Return True if a row has an id, or gets one, and nobody has changed it since the pass before."""
        if not request_id(row) and not self._refusals.obstacles(tab, row):
            self._give_id(tab, row)
        return bool(request_id(row)) and (self.reader.know(row, request_id(row)) or tab.is_due(row))

    def _rejected(self, tab: RequestTab, row: Row, id: str, problems: tuple[Problem, ...], *, is_order: bool) -> Answer:
        """Refuse a request that has mistakes; an order that a ruling has made impossible waits for its turn's end."""
        turn = tab.form.current_turn(row, tab.database) if is_order and tab.form.turn_column else None
        why = tab.lapses.reason(problems, turn) if is_order and not (turn and turn.ends) else ""
        if not why:
            return refused(row, id, problems)
        name = tab.form.turn_column
        says = LAPSES.format(f"{name} {turn.number}" if turn else f"a {name}")
        told = tuple(replace(problem, severity=Severity.WARNING, allowed="") for problem in problems)
        is_settled = self.reader.know(row, id) or tab.is_due(row)  # else somebody may still be typing
        return Answer(StatusCells(row, id, "Waiting", message(told, says)), told, lapses=why if is_settled else "")

    def _find_standing(self, tab: RequestTab, row: Row) -> Answer | None:
        """Answer a copy, a request with another's id, a ruled one, and one that shows a result without a receipt."""
        state = tab.states.of(row)
        if state.kind is RowKind.EQUAL_COPY or (state.kind is RowKind.COPY and not self._separate(tab, row)):
            return refused(row, request_id(row), state.problems, state.ruling)
        id = request_id(row)
        if state.lapse and state.kind is RowKind.LAPSED:
            return _lapsed(row, state.lapse)
        if state.lapse and state.kind is RowKind.CHANGED:
            text = message(state.problems)
            return Answer(StatusCells(row, id, "Changed", text, state.lapse.receipt), state.problems)
        ruled = self._receipts.ruling_of(id) if id else None
        if problems := tab.ids.conflict_problems(row, ruled):
            return refused(row, id, problems)
        if ruled:
            return self._standing(state, ruled)
        copy = next((copy for copy in self.copies if loosely(copy.id) == loosely(id)), None)
        if copy is not None:
            return Answer(StatusCells(row, id, "", COPIED.format(copy.source, copy.id)))
        if (problem := self._results.problem(row)) and tab.action(row) != RULE_AGAIN:
            return self._without_receipt(row, id, problem)
        return None

    def _separate(self, tab: RequestTab, row: Row) -> bool:
        """Give a copy an id of its own, and let it wait for a tick that was not pasted; return False if it cannot be.

        While receipts are gone the new id might be that of one.
        """
        if self._held or any(self._writer.obstacles_of(row, "request")):
            return False
        source = request_id(row)
        id = self._give_id(tab, row)
        if is_ready(row) is not False:
            self.copies.append(CopiedRow(id, source))
        return True

    def _waits_for_tick(self, copy: CopiedRow) -> bool:
        """Return True if a copied row is there and not ruled, and nobody has cleared its Ready since."""
        rows = (row for table in self._tables.values() for row in table.by_request.get(loosely(copy.id), ()))
        return not self._receipts.is_settled(copy.id) and any(is_ready(row) is not False for row in rows)

    def _refuse(self, tab: RequestTab, row: Row) -> Answer | None:
        """Answer a request that is not ready, or that must not be looked at further."""
        id, ready = request_id(row), is_ready(row)
        if isinstance(ready, Problem):
            return refused(row, id, (ready,))
        if not ready:
            switched = SWITCHED.format(tab.form.sides_text(row))  # said as long as it is so and nobody asks for more
            return Answer(StatusCells(row, id, "", switched if row.value("message") == switched else ""))
        if problems := self._refusals.obstacles(tab, row):
            return refused(row, id, problems)
        if not id and self._held:  # a new id might be that of a receipt that is gone
            return Answer(StatusCells(row, id, "Waiting", NOTHING_RULED.format(self._held)))
        return None

    def _give_id(self, tab: RequestTab, row: Row) -> str:
        id = tab.ids.next_free()
        self._changes.set(row, "request", id)
        tab.database.write(row, "request", id)
        return id

    def _refuse_order(self, tab: RequestTab, row: Row, id: str, former: Answer | ValidRequest | None) -> Answer | None:
        """Answer an order under other rules, one of another turn, and one with a seed that decides nothing."""
        if problem := self._refusals.other_rules(tab, row):
            return refused(row, id, (problem,))
        if problem := tab.turns.problem(row, is_trial=self._context.writing.is_trial):
            return self._past(tab, row, id, problem, former)
        if later := tab.turns.awaited(row):
            self.reader.know(row, id)
            return Answer(StatusCells(row, id, "Waiting", later), is_later=True)
        if problem := self._refusals.typed_seed(row):
            return refused(row, id, (problem,))
        return None

    def _past(
        self, tab: RequestTab, row: Row, id: str, problem: Problem, former: Answer | ValidRequest | None
    ) -> Answer:
        """Refuse an order whose turn is over; its row goes on to name a mistake as long as that is there (REQ-10)."""
        if isinstance(former, Answer) and problem in former.problems:
            return former
        told, mistakes = str(row.value("message") or "").splitlines(), tuple[Problem, ...]()
        try:
            self.reader.read(tab, row, id, is_order=True)
        except Rejected as rejection:
            of_row = (mistake for mistake in rejection.problems if mistake.cell != row.cell(tab.form.turn_column))
            mistakes = tuple(mistake for mistake in of_row if str(mistake) in told)
        text = message(mistakes, str(problem))
        is_told = former is None and text == row.value("message")
        return Answer(StatusCells(row, id, "Invalid", text), (problem, *mistakes), is_past=is_told)

    def _without_receipt(self, row: Row, id: str, problem: Problem) -> Answer:
        """Refuse a row that shows a result without a receipt; the result stays, since it is evidence (RCP-19)."""
        if self._is_damaged:  # its receipt may be one that cannot be read
            status, text = (str(row.value(attribute) or "") for attribute in ("status", "message"))
            return Answer(StatusCells(row, id, status, text, keeps_result=True), is_blocked=True)
        text = message((problem,), remarks=(self._held,))
        return Answer(StatusCells(row, id, "Invalid", text, keeps_result=True), (problem,), is_blocked=True)

    def _standing(self, state: RowState, ruled: StoredReceipt) -> Answer:
        row, undo = state.row, self._receipts.undo_of(ruled.request)
        if undo and undo.seq > ruled.seq:
            return Answer(StatusCells(row, ruled.request, "Undone", UNDONE.format(undo.seq), ruled))
        if problems := state.problems:
            return Answer(StatusCells(row, ruled.request, "Changed", message(problems), ruled), problems)
        if late := self.reader.overrides.late(ruled):
            return Answer(StatusCells(row, ruled.request, "Done", message(late, ruled.figures.message), ruled), late)
        return Answer(StatusCells(row, ruled.request, "Done", ruled.figures.message, ruled))


def _lapsed(row: Row, lapse: Lapse) -> Answer:
    """Return the answer to an order that lapsed with its turn (REQ-18)."""
    text = LAPSED.format(lapse.receipt.seq, lapse.order.why)
    return Answer(StatusCells(row, request_id(row), "Lapsed", text, lapse.receipt))
