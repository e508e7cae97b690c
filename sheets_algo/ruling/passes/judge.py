"""The answer to one request: each step answers, or passes the request on.

The steps are: keep an existing answer, refuse, give an id, carry out another action, await the turn, read, rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.columns import ColumnPlace, loosely
from sheets_algo.database.cell_text import is_typed
from sheets_algo.database.problems import Problem, Rejected, message, quoted
from sheets_algo.database.records import END_ANYWAY, RULE, RULE_AGAIN
from sheets_algo.database.tables import Row
from sheets_algo.forms.request_columns import RULINGS, is_ready, request_id, requested_action
from sheets_algo.ruling.passes.ruler import misread, rule
from sheets_algo.ruling.passes.writer import obstacles_of, write
from sheets_algo.ruling.plan import Answer
from sheets_algo.ruling.receipts.receipts import Lapse, StoredReceipt
from sheets_algo.ruling.repair.intents import CopiedRow
from sheets_algo.ruling.request_tab import RequestTab, as_warnings, refused
from sheets_algo.ruling.requests.row_states import RowKind, RowState, shown_results
from sheets_algo.ruling.requests.status_columns import (
    COPIED,
    LAPSED,
    NEXT_LOOK,
    NOT_SHOWN_YET,
    NOTHING_RULED,
    UNDONE,
    StatusCells,
)
from sheets_algo.ruling.step import PassState, Result, know, read_request


def answer(state: PassState, tab: RequestTab, row: Row, former: Result | None = None) -> Result:
    """Answer a request, and let the steps take note of the answer.

    Args:
        former: The answer before the other rulings of this pass; None if the request may be ruled.
    """
    result = judge(state, tab, row, former)
    if isinstance(result, Answer):
        for step in state.steps:
            step.answered(state, tab, row, result)
    return result


def judge(state: PassState, tab: RequestTab, row: Row, former: Result | None = None) -> Result:
    """Answer a request by the first step that has an answer; arguments as of `answer`."""
    if result := _standing(state, tab, row) or _unready(state, tab, row):
        return result
    id = request_id(row) or give_id(state, tab, row)
    holds = [hold for step in state.steps if (hold := step.hold(tab, row))]
    held = tuple(problem for hold in holds for problem in hold.problems)
    is_order = requested_action(row, tab.database) in RULINGS
    first = _refused_order(state, tab, row, id, former) if is_order else _act(state, tab, row, id, held)
    if first:
        return first
    try:
        request = read_request(state, tab, row, id, is_order=is_order)
    except Rejected as rejection:
        return _rejected(state, tab, row, id, rejection, held)
    if not is_order:  # deferred until after all rulings
        content = replace(request.content, warnings=(*request.content.warnings, *as_warnings(held)))
        return replace(request, content=content)
    if held:
        return refused(row, id, (*held, *request.content.warnings))
    if holds:
        request = replace(request, is_settled=False)
    for step in state.steps:
        admitted = step.admit(state, tab, request, former)
        if isinstance(admitted, Answer):
            return admitted
        request = admitted
    if former is not None and not state.is_rehearsal:  # continues as the next pass would
        return replace(request.answer("Waiting", NEXT_LOOK), is_next=True)
    return rule(state, tab, request)


def _rejected(
    state: PassState, tab: RequestTab, row: Row, id: str, rejection: Rejected, held: tuple[Problem, ...]
) -> Answer:
    """Answer a request with errors: by a step, or by a refusal, unless it waits for formulas."""
    problems = rejection.problems
    if requested_action(row, tab.database) in RULINGS:
        rejects = (step.reject(state, tab, row, id, problems) for step in state.steps)
        if result := next(filter(None, rejects), None):
            return result
        problems = misread(state, id, rejection) if rejection.dead_leaders else problems
    waiting = _awaiting_formulas(state, row, id, problems)
    return waiting or replace(refused(row, id, (*problems, *held)), is_misread=True)


def _awaiting_formulas(state: PassState, row: Row, id: str, problems: Sequence[Problem]) -> Answer | None:
    """Let a request wait for one pass if its only errors are formulas without a value yet (DB-01)."""
    errors = [problem for problem in problems if problem.is_error]
    cells = ", ".join(sorted({str(problem.cell) for problem in errors}))
    if not all(problem.is_pending for problem in errors) or know(state, row, id, pending=cells):
        return None
    return Answer(StatusCells(row, id, "Waiting", NOT_SHOWN_YET.format(cells)))


def _standing(state: PassState, tab: RequestTab, row: Row) -> Answer | None:
    """Answer a copy, a request with a foreign id, a ruled one, and one that shows a result without a receipt."""
    row_state = tab.states.of(row)
    if tab.states.asks_anew(row):
        if result := _renewed(state, tab, row):
            return result
        row_state = tab.states.of(row)
    if row_state.kind is RowKind.EQUAL_COPY or (row_state.kind is RowKind.COPY and not separate(state, tab, row)):
        if row_state.has_no_id:
            return Answer(StatusCells(row, request_id(row), "", ""))  # it is not ready, and its id is not typed
        return refused(row, request_id(row), row_state.problems, row_state.ruling)
    id = request_id(row)
    if row_state.lapse and row_state.kind is RowKind.LAPSED:
        return lapsed(row, row_state.lapse)
    if row_state.lapse and row_state.kind is RowKind.CHANGED:
        text = message(row_state.problems)
        return Answer(StatusCells(row, id, "Changed", text, row_state.lapse.receipt), row_state.problems)
    ruled = None if row_state.kind is RowKind.COPY else row_state.ruled
    if problems := tab.ids.conflict_problems(row, ruled):
        return refused(row, id, problems)
    if ruled:
        return _answer_ruled(state, tab, row_state, ruled)
    copy = state.waiting.get(loosely(id))
    if isinstance(copy, CopiedRow):
        return Answer(StatusCells(row, id, "", COPIED.format(copy.source, copy.id)))
    if (problem := state.contents.results.problem(row)) and requested_action(row, tab.database) != RULE_AGAIN:
        return _without_receipt(state, row, id, problem)
    return None


def _renewed(state: PassState, tab: RequestTab, row: Row) -> Answer | None:
    """Give a request of `Rule again` the next id; answer it if that is impossible."""
    if state.contents.held:  # the new id might be that of a lost receipt
        return Answer(StatusCells(row, request_id(row), "Waiting", NOTHING_RULED.format(state.contents.why_held)))
    problems = renew(state, tab, row)
    return refused(row, request_id(row), problems, tab.states.of(row).ruling) if problems else None


def renew(state: PassState, tab: RequestTab, row: Row) -> tuple[Problem, ...]:
    """Give a request of `Rule again`, and the rows that name it, the next id (REQ-22).

    These are its rows in further tabs, and the decisions after its undone ruling.

    Returns:
        The reasons why a cell cannot be written, in which case none is.
    """
    ruling = tab.states.of(row).ruling
    late = state.contents.overrides.late_rows(ruling) if ruling and state.receipts.is_undone(ruling) else ()
    rows = [row, *tab.parts.renewed_with(row), *late]
    problems = [problem for each in rows for problem in obstacles_of(state, each, "request")]
    problems += obstacles_of(state, row, "action")  # which its ruling replaces
    cells = {each.cell("request") for each in rows}
    problems += [problem for problem in state.contents.pending.problems if problem.cell in cells]
    if problems:
        return tuple(problems)
    id = tab.ids.next_free()
    for each in rows:
        if is_typed(each.table.value(each.number, each.table.places["request"])):
            write(state, tab.database, each, "request", id)
        else:  # its cell is merged with one above
            tab.database.write(each, "request", id)
    if not row.is_blank("ready_since"):
        write(state, tab.database, row, "ready_since", None)
    return ()


def separate(state: PassState, tab: RequestTab, row: Row) -> bool:
    """Give a copy its own id, and let it wait for a fresh tick; return False if that is impossible.

    While receipts are gone the new id might be that of one.
    """
    if state.contents.held or any(obstacles_of(state, row, "request")):
        return False
    source = request_id(row)
    id = give_id(state, tab, row)
    if is_ready(row) is not False:
        state.waiting[loosely(id)] = CopiedRow(id, source)
    return True


def _answer_ruled(state: PassState, tab: RequestTab, row_state: RowState, ruled: StoredReceipt) -> Answer:
    row, undo = row_state.row, state.receipts.undo_of(ruled.request)
    if undo and undo.seq > ruled.seq:
        return Answer(StatusCells(row, ruled.request, "Undone", UNDONE, ruled))
    if problems := row_state.problems:
        return Answer(StatusCells(row, ruled.request, "Changed", message(problems), ruled), problems)
    late = state.contents.overrides.late(ruled)
    if requested_action(row, tab.database) == RULE_AGAIN:
        says = f"{ruled.request} is ruled"
        late += (row.warning("action", "REQ-22", says, allowed=f"Undo {ruled.request} first"),)
    text = message(late, ruled.figures.message) if late else ruled.figures.message
    return Answer(StatusCells(row, ruled.request, "Done", text, ruled), late)


def _without_receipt(state: PassState, row: Row, id: str, problem: Problem) -> Answer:
    """Refuse a row that shows a ruling without a receipt (RCP-19).

    Its results are blanked, since no ruling here has them; Message names them, and `Ruled At` stays as evidence. While
    receipts are lost or unreadable, everything stays.
    """
    kept = (ColumnPlace.RESULT, ColumnPlace.LAST) if state.contents.held else (ColumnPlace.LAST,)
    if state.receipts.damages:  # its receipt may be one that cannot be read
        status, text = (str(row.value(attribute) or "") for attribute in ("status", "message"))
        return Answer(StatusCells(row, id, status, text, kept=kept), is_blocked=True)
    results = "" if state.contents.held else shown_results(row)
    text = message((problem,), remarks=(state.contents.why_held, results))
    return Answer(StatusCells(row, id, "Invalid", text, kept=kept), (problem,), is_blocked=True)


def lapsed(row: Row, lapse: Lapse) -> Answer:
    """Return the answer to an order that lapsed with its turn (REQ-18)."""
    text = LAPSED.format(lapse.receipt.request, lapse.order.why)
    return Answer(StatusCells(row, request_id(row), "Lapsed", text, lapse.receipt))


def _unready(state: PassState, tab: RequestTab, row: Row) -> Answer | None:
    """Answer a request that is not ready, or blocked."""
    id, ready = request_id(row), is_ready(row)
    if isinstance(ready, Problem):
        return refused(row, id, (ready,))
    if not ready:
        text = next(filter(None, (step.lasting_message(tab, row) for step in state.steps)), "")
        return Answer(StatusCells(row, id, "", text))
    if problems := obstacles(state, tab, row):
        return refused(row, id, problems)
    if not id and state.contents.held:  # a new id might be that of a lost receipt
        return Answer(StatusCells(row, id, "Waiting", NOTHING_RULED.format(state.contents.why_held)))
    return None


def give_id(state: PassState, tab: RequestTab, row: Row) -> str:
    """Give a request an id; return it."""
    id = tab.ids.next_free()
    write(state, tab.database, row, "request", id)
    return id


def obstacles(state: PassState, tab: RequestTab, row: Row) -> tuple[Problem, ...]:
    """Return the reasons why a request would be ruled again later, under an invisible or a second id."""
    if not request_id(row) and (problems := tuple(obstacles_of(state, row, "request"))):
        return problems
    unsure = (problem for problem in state.contents.pending.problems if problem.cell == row.cell("request"))
    return _lookalike(state, tab, row) or _drawn_before(state, tab, row) or tuple(unsure)


def _lookalike(state: PassState, tab: RequestTab, row: Row) -> tuple[Problem, ...]:
    """Return the problem of a row that resembles a request ruled under another id (REQ-08)."""
    form, lost = tab.form, state.contents.lost
    if not lost or requested_action(row, tab.database) not in (RULE, END_ANYWAY):
        return ()
    if problems := lost.lookalike_problems(row, form.key):
        return problems
    try:
        return lost.lookalike_problems(row, form.key, form.serialize(form.read(row, tab.database).inputs))
    except Rejected:
        return ()


def _drawn_before(state: PassState, tab: RequestTab, row: Row) -> tuple[Problem, ...]:
    """Return the problem of a request that would redraw the result of an undone ruling under another id (REQ-13)."""
    form, attribute = tab.form, tab.form.drawn_once
    if not attribute or requested_action(row, tab.database) not in (RULE, END_ANYWAY):
        return ()
    name = str(tab.database.read(row, form.request).values.get(attribute, ""))
    for ruling in state.receipts.rulings:
        is_same = ruling.ruleset == form.key and loosely(ruling.war) == loosely(name)
        if is_same and state.receipts.is_undone(ruling):
            says = f"{quoted(name)} was drawn by receipt {ruling.seq} for {ruling.request}, which is undone"
            allowed = f'Choose Action "{RULE_AGAIN}" if luck is to draw anew, or clear Ready'
            return (row.problem(attribute, "REQ-13", says, allowed=allowed),)
    return ()


def _act(state: PassState, tab: RequestTab, row: Row, id: str, held: tuple[Problem, ...]) -> Answer | None:
    """Answer a request for another action than a ruling, if a step does so before it is read."""
    return next(filter(None, (step.act(state, tab, row, id, held) for step in state.steps)), None)


def _refused_order(state: PassState, tab: RequestTab, row: Row, id: str, former: Result | None) -> Answer | None:
    """Answer an order under other rules, and one that a step answers before it is read."""
    if problem := state.contents.other_rules.get(tab.form.key):
        return refused(row, id, (row.problem("action", problem.id, problem.says, allowed=problem.allowed),))
    return next(filter(None, (step.claim(state, tab, row, id, former) for step in state.steps)), None)
