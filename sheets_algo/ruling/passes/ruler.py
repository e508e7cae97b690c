"""Ruling of valid requests: draw the luck, resolve, record."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from engine.columns import column, loosely, tab_of
from engine.decisions import WrongDecision
from engine.rng import Rng
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.problems import Problem, Rejected, message, shortened
from sheets_algo.database.records import RULE_AGAIN
from sheets_algo.forms.base import DeadLeader, Form, FormResult
from sheets_algo.forms.capabilities import SecretForm
from sheets_algo.forms.request_columns import requested_action
from sheets_algo.ruling.forecast.forecast_rows import forecast_seed
from sheets_algo.ruling.passes.writer import Resolution, obstacles, obstacles_of, record
from sheets_algo.ruling.plan import Answer, Foreseen, Ruling
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.request_tab import RequestTab, ValidRequest, refused
from sheets_algo.ruling.requests.decisions import freeze, problem_of, resolve
from sheets_algo.ruling.requests.overrides import decisions_of
from sheets_algo.ruling.requests.program_cells import added_row
from sheets_algo.ruling.requests.status_columns import NOTHING_RULED, WAITING, StatusCells
from sheets_algo.ruling.step import Luck, PassState, Waiting
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.head import Head


def rule(state: PassState, tab: RequestTab, request: ValidRequest) -> Answer:
    """Rule a request, unless a leader is dead, rulings are blocked, or a person may still be typing."""
    if problems := _dead_leaders(state, tab, request):
        return replace(refused(request.row, request.id, problems), is_blocked=True, is_misread=True)
    if state.contents.held:
        return request.answer("Waiting", NOTHING_RULED.format(state.contents.why_held))
    if not request.is_settled:
        return request.answer("Waiting", WAITING)
    luck = _foresee(state, tab, request) if state.is_rehearsal else _draw(state, tab, request)
    if luck is None:
        return request.answer("Done", "")
    if isinstance(luck, Waiting):
        if luck.receipt:
            state.log.append(luck.receipt)
        return replace(request.answer("Waiting", luck.text), awaited=luck.until)
    resolution = _resolve(state, tab, request, luck)
    if isinstance(resolution, Answer):
        return resolution
    form, receipt = tab.form, record(state, tab, request, resolution)
    painted, mark = resolution.outcome.painted(state.contents.colours[form.key]), mark_of(receipt, state.context.forms)
    ruling = Ruling(receipt, painted, form, state.receipts.options, resolution.last_lines, mark)
    cells = StatusCells(request.row, request.id, "Done", receipt.figures.message, receipt)
    content, decisions = resolution.content, decisions_of(receipt).rows
    foreseen = Foreseen(form=form, row=request.row, request=request.id, content=content, decisions=decisions)
    return Answer(cells, content.warnings, ruling, foreseen=foreseen if state.is_rehearsal else None)


def _dead_leaders(state: PassState, tab: RequestTab, request: ValidRequest) -> tuple[Problem, ...]:
    """Return the problems of dead leaders, in a season that refuses them; decided cells count (LDR-11)."""
    if state.receipts.options.dead_leaders != "refuse" or not request.content.dead_leaders:
        return ()
    try:
        return _refusals(state, _decided(state, tab, request)[1].dead_leaders)
    except Rejected as rejection:
        return rejection.problems


def _decided(state: PassState, tab: RequestTab, request: ValidRequest) -> tuple[str, FormResult[Any]]:
    """Return the decisions about a request, serialised, and the request with the decided cells.

    Raises:
        Rejected: A decided cell does not exist, or refuses the value.
    """
    if not request.overrides:
        return "", request.content
    arguments = tab.form, state.contents.snapshot, tab.database, request.row, request.id, request.overrides
    frozen, content = freeze(*arguments)
    if content is not None:
        content = replace(content, warnings=(*content.warnings, *state.contents.gone[tab.form.key]))
    return frozen.encode(), content or request.content


def misread(state: PassState, id: str, rejection: Rejected) -> tuple[Problem, ...]:
    """Return the problems of a ready request with errors; dead leaders get their own problem (LDR-11).

    A decision about it may name other leaders.
    """
    if state.receipts.options.dead_leaders != "refuse":
        return rejection.problems
    others = (problem for problem in rejection.problems if problem.is_error or problem.id != "LDR-11")
    dead = () if state.contents.overrides.rows_of(id) else rejection.dead_leaders
    return (*others, *_refusals(state, dead))


def _refusals(state: PassState, dead: Iterable[DeadLeader]) -> tuple[Problem, ...]:
    """Return the problems of dead leaders, who cannot lead, at the cells that name them (LDR-11)."""
    return tuple(_refusal(state, leader, _death_of(leader, state.log.with_new)) for leader in dead)


def _refusal(state: PassState, dead: DeadLeader, death: StoredReceipt | None) -> Problem:
    """Return the problem of a dead leader; a death in a rehearsal has no receipt to undo.

    Args:
        death: The ruling that killed him; None if a person typed that he is dead.
    """
    name, status = dead.row.name, as_text(dead.row.value("status"))
    is_foreseen = death is not None and state.is_rehearsal and death.seq not in state.receipts.by_seq
    where = f", receipt {death.seq} ({death.request})" if death and not is_foreseen else ""
    lives = "" if is_foreseen else f". If {name} lives, clear {dead.row.cell('status')}"
    allowed = (
        f"Clear the cell, or name another leader, perhaps an heir drawn by a row of the tab Leader Requests{lives}"
    )
    return dead.named.problem("leader", "LDR-11", f"{name} cannot lead: {status}{where}", allowed=allowed)


def _foresee(state: PassState, tab: RequestTab, request: ValidRequest) -> Luck | None:
    """Return the luck of a request in a rehearsal: that of its forecast, even for typed seeds and beacons.

    None if no later request depends on its outcome.
    """
    inputs = request.inputs
    with suppress(Rejected):  # the ruling gives the reason
        inputs = tab.form.serialize(_decided(state, tab, request)[1].inputs)
    battle = state.context.foresight.battle(tab.form, request.id, inputs) if state.context.foresight else None
    return None if battle is None else Luck(forecast_seed(request.id, inputs), "season", battle)


def _draw(state: PassState, tab: RequestTab, request: ValidRequest) -> Luck | Waiting:
    """Return the luck of a request: that of a step, else a seed that was typed, or the season's (LUCK-01)."""
    for step in state.steps:
        if luck := step.luck(state.log, tab, request):
            return luck
    if request.seed is not None:
        return Luck(int(request.seed), "given")
    return Luck(state.context.secret.seed(request.id, request.inputs), "season")


def _resolve(state: PassState, tab: RequestTab, request: ValidRequest, luck: Luck) -> Resolution | Answer:
    """Return the result of the rules, or the answer to a request whose ruling cannot be carried out."""
    form, database, row, id = tab.form, tab.database, request.row, request.id
    try:
        overrides, content = _decided(state, tab, request)
        sink = state.contents.logs(form, id)
        # What is resolved is what verify will deserialize, not what the form happened to build.
        rng, code_of = Rng(luck.seed, luck.battle), state.context.fought.code_of
        outcome = resolve(form, request.inputs, rng, overrides, sink, code_of).in_season(state.receipts.options)
        luck_of = None if overrides else state.context.fought.luck_of  # with decisions, it is not a battle of its seed
        last_lines = luck_of(form, form.deserialize(request.inputs), luck.seed, sink) if luck_of else ()
        rows = [added_row(form, database, new) for new in outcome.rows]
        problems = tuple(obstacles(state, form, database, rows, outcome.updates))
        if requested_action(row, database) == RULE_AGAIN:  # the ruling replaces it by Rule
            problems += tuple(obstacles_of(state, row, "action"))
    except Rejected as rejection:
        return replace(refused(row, id, rejection.problems), is_blocked=True, is_misread=True)
    except WrongDecision as error:
        return replace(refused(row, id, (problem_of(error, request.overrides),)), is_blocked=True)
    except WorkbookError:  # the world's fault, and not this war's: its log cannot be written
        raise
    except Exception as bug:  # one war that hits a bug of ours must not stop the season's others
        what = f"{type(bug).__name__}: {shortened(str(bug))}"
        text = f"The program failed on this request ({what}); nothing was ruled"
        failure = f"{id}: {traceback.format_exc()}"
        return Answer(StatusCells(row, id, "Failed", text), request.content.warnings, failure=failure)
    if problems:
        cells = StatusCells(row, id, "Invalid", message((*problems, *content.warnings)))
        return Answer(cells, problems, is_blocked=True)
    return Resolution(luck, outcome, content, overrides, tuple(last_lines), rows)


def mark_of(receipt: StoredReceipt, forms: Iterable[Form[Any]]) -> str:
    """Return `Ruling.mark` of a receipt in a workbook with these forms."""
    # The one capability that the core asks for: a number would tell players how many orders others have given.
    return "" if any(isinstance(form, SecretForm) for form in forms) else str(Head(receipt.seq, receipt.digest))


def _death_of(dead: DeadLeader, receipts: Receipts) -> StoredReceipt | None:
    """Return the last ruling that wrote the Status of a dead leader; None if a person typed it."""
    row = dead.row
    field, status = column(row.table.record, "status").header, row.value("status")
    death = None
    for ruling in receipts.rulings:
        for change in ruling.changes:
            is_his = change.cell == (tab_of(row.table.record).name, loosely(row.name), field)
            if is_his and change.after == status and not receipts.is_undone(ruling):
                death = ruling
    return death
