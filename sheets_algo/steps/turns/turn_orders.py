"""Steps that games with turns add to the answer to an order: each counts in its own turn (REQ-10, REQ-18)."""

from __future__ import annotations

from dataclasses import replace

from engine.columns import loosely
from sheets_algo.database.problems import Problem, Rejected, Severity, quoted
from sheets_algo.database.records import RULE_AGAIN
from sheets_algo.database.tables import Row
from sheets_algo.database.wording import message
from sheets_algo.forms.request_columns import is_ready
from sheets_algo.ruling.passes.opening import know, read_request
from sheets_algo.ruling.passes.writer import write
from sheets_algo.ruling.plan import Answer
from sheets_algo.ruling.receipts.receipts import fingerprint_of
from sheets_algo.ruling.repair.intents import OvertakenOrder
from sheets_algo.ruling.request_tab import ValidRequest, refused
from sheets_algo.ruling.requests.row_states import deciding_cells
from sheets_algo.ruling.requests.status_columns import GAME_OVER, LAPSES, StatusCells
from sheets_algo.ruling.step import PassState, Result
from sheets_algo.steps.turns.turn_tab import TurnTab


def in_another_turn(state: PassState, tab: TurnTab, row: Row, id: str, former: Result | None) -> Answer | None:
    """Answer an order whose turn is over, or has not begun.

    Args:
        former: The answer before the other rulings of this pass; None lets the request be ruled.
    """
    if problem := tab.turns.problem(row, is_trial=state.context.writing.is_trial):
        return _past(state, tab, row, id, problem, former)
    if later := tab.turns.awaited(row):
        know(state, row, id)
        return Answer(StatusCells(row, id, "Waiting", later), is_later=True)
    return None


def _past(state: PassState, tab: TurnTab, row: Row, id: str, problem: Problem, former: Result | None) -> Answer:
    """Refuse an order whose turn is over; its row goes on to name a mistake as long as that is there (REQ-10)."""
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


def rejected(state: PassState, tab: TurnTab, row: Row, id: str, problems: tuple[Problem, ...]) -> Answer:
    """Refuse an order that has mistakes; one that a ruling has made impossible waits for its turn's end.

    Once the game is in no turn any more, it waits until somebody plays again.
    """
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
    is_settled = know(state, row, id) or tab.is_due(row)  # else somebody may still be typing
    cells = StatusCells(row, id, "Waiting", message(() if is_over else warnings, says))
    return Answer(cells, warnings, lapses=why if is_settled else "")


def overtaken(state: PassState, request: ValidRequest, former: Result | None) -> Answer | None:
    """Refuse an order that was refused in its place, and that only orders below it have made valid since (REQ-10).

    It stays refused until the order changes, or else something that it depends on.

    Args:
        former: As of `in_another_turn`.
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


def in_its_turn(state: PassState, tab: TurnTab, request: ValidRequest) -> ValidRequest:
    """Return an order as it counts in its turn: at the deadline as it is; below one that has just ended, it says so."""
    row, name = request.row, tab.form.turn_column
    request = _as_sent(state, tab, request)
    if tab.is_due(row):
        return replace(request, is_settled=True)  # as it is at the deadline (TRN-03)
    turn = tab.turns.turn_of(row) if row.is_blank(name) and not tab.turns.ends(row) else None
    late = "" if turn is None else tab.deadlines.late(tab.form, turn)
    if not late:
        return request
    return replace(request, remarks=(*request.remarks, late))


def _as_sent(state: PassState, tab: TurnTab, request: ValidRequest) -> ValidRequest:
    """Return an order with a remark if it is not as its player sent it (TRN-12)."""
    receipt, sent = state.receipts.sent.get(loosely(request.id), (None, {}))
    now = deciding_cells(tab.form, request.row, tab.database) if receipt else {}
    edits = [f"{header} was {quoted(sent[header])}" for header in now if now[header] != sent.get(header, now[header])]
    if receipt is None or not edits:
        return request
    remark = f"Not as it was sent: {', '.join(edits)}"
    return replace(request, remarks=(*request.remarks, remark))


def keep_turn(state: PassState, tab: TurnTab, row: Row, answer: Answer, turn: int | None) -> None:
    """Keep the turn that an order belongs to beside it, if it is refused or below an end that lapsed (REQ-10).

    Not once the game is over: if somebody plays again, it may be in any turn.
    """
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
