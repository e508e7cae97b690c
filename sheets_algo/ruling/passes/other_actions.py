"""Answers to requests that ask for something else than a ruling: other cells, Preview and Forecast."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from engine.battle_map import Scene
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.problems import Problem, Rejected
from sheets_algo.database.records import RULE
from sheets_algo.database.tables import Edit, Row
from sheets_algo.database.wording import message
from sheets_algo.forms.base import Form, FormResult
from sheets_algo.forms.capabilities import BoardForm, WarForm
from sheets_algo.forms.databases import by_ruleset, open_database
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.forecast.forecast_rows import PendingForecast, line, war_of
from sheets_algo.ruling.passes.pass_state import PassState, know
from sheets_algo.ruling.passes.writer import obstacles_of, write
from sheets_algo.ruling.plan import Answer
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.ruling.request_tab import RequestTab, ValidRequest, refused
from sheets_algo.ruling.requests.status_columns import (
    CHANGED,
    CHANGING,
    NO_FILE,
    NO_PICTURE,
    NOT_COUNTED,
    NOTHING_RULED,
    PREVIEWED,
    StatusCells,
)
from sheets_algo.ruling.step import Announcement, Audience
from sheets_algo.workbook.snapshot import Snapshot

ODDS_DIGITS = 16
"""Of the fingerprint by which odds are known."""
FORECASTING = "Its odds are being worked out; nothing is ruled"


def change_cells(state: PassState, tab: RequestTab, row: Row, id: str, action: str) -> Answer:
    """Change the cells that an action of a row asks for, and take back what asked for it, in one commit (REQ-14).

    Each cell is written only if it still shows what was read, so that a commit that is repeated, or arrives late, does
    not change them again.
    """
    asked = tab.form.cell_actions[action]
    if decisions := state.contents.overrides.rows_of(id):
        says = f"moderators' decisions name the {asked.changes} of {id} as they are"
        problem = decisions[0].problem("what", asked.id, says, allowed=f"Remove them before {action}")
        return refused(row, id, (problem,))
    try:
        cells = asked.edits(tab.form, row, tab.database)
    except Rejected as rejection:
        return refused(row, id, rejection.problems)
    edits = (*cells, Edit(row, "action", RULE), Edit(row, "ready", False))
    if obstacles := tuple(p for edit in edits for p in obstacles_of(state, edit.row, edit.attribute)):
        return refused(row, id, obstacles)
    if state.contents.held:
        return Answer(StatusCells(row, id, "Waiting", NOTHING_RULED.format(state.contents.why_held)))
    if not know(state, row, id, dict.fromkeys(edit.row for edit in edits if edit.row.table is not row.table)):
        return Answer(StatusCells(row, id, "Waiting", CHANGING.format(action)))
    for edit in edits:
        write(state, tab.database, edit.row, edit.attribute, edit.value)
    text = CHANGED.format(asked.result(tab.form, row, tab.database))
    return Answer(StatusCells(row, id, "", text), is_changed=True)


def lasting_message(tab: RequestTab, row: Row) -> str:
    """Return what a row says of cells that were changed because it asked for it, as long as it is so; else blank."""
    said = as_text(row.value("message"))
    if not said.endswith(CHANGED.format("")):
        return ""
    for asked in tab.form.cell_actions.values():
        with suppress(Rejected):
            if said == CHANGED.format(asked.result(tab.form, row, tab.database)):
                return said
    return ""


def preview(state: PassState, tab: RequestTab, row: Row, id: str, warnings: Sequence[Problem]) -> Answer:
    """Answer with the picture of a request before its ruling, its odds, and its messages (REQ-15).

    Args:
        warnings: What is to be said beside its own warnings.
    """
    remarks: tuple[str, ...] = ()
    try:
        content = tab.form.read(row, tab.database)
        remarks, problems = (*content.remarks, *_previewed_odds(state, tab, row, id, content)), content.warnings
        remarks += (NOT_COUNTED,) if state.contents.overrides.rows_of(id) else ()
    except Rejected as rejection:
        problems = rejection.problems
    problems = (*problems, *warnings)
    try:
        scene = tab.form.board(row, tab.database).scene if isinstance(tab.form, BoardForm) else None
    except Rejected as rejection:
        return refused(row, id, rejection.problems)
    status = "Invalid" if any(problem.is_error for problem in problems) else ""
    text = NO_PICTURE if scene is None else PREVIEWED.format(state.context.writing.preview_name(id) or NO_FILE)
    return Answer(StatusCells(row, id, status, message(problems, text, remarks)), problems, preview=scene)


def _previewed_odds(state: PassState, tab: RequestTab, row: Row, id: str, content: FormResult[Any]) -> Iterator[str]:
    """Yield the odds of a war, or that they are worked out; no row of Forecasts keeps them, so none is announced."""
    form = tab.form
    if not isinstance(form, WarForm):
        return
    if exact_odds := form.forecast(content.inputs):
        yield exact_odds
        return
    inputs, rules = form.serialize(content.inputs), state.context.fingerprints[form.ruleset_key]
    pending = PendingForecast(form, id, war_of(form, row), inputs, rules)
    finished = state.context.fought.finished_forecasts.get(pending.key)
    cells = state.forecasts.standing(pending) or (finished.cells if finished and not finished.failure else None)
    if cells is not None:
        yield line(cells)
    elif finished is None:
        if know(state, row, id, (part for rows in content.rows.values() for part in rows if part)):
            state.requested_forecasts.append(pending)
        yield FORECASTING


def forecast(state: PassState, request: ValidRequest) -> Answer:
    """Answer with the odds of a request (FC-04): from its row of Forecasts, or once they are worked out, by a new row.

    Its forecast is requested until then.
    """
    form = request.form
    fingerprint = state.context.fingerprints[form.ruleset_key]
    pending = PendingForecast(form, request.id, war_of(form, request.row), request.inputs, fingerprint)
    exact_odds = form.forecast(form.deserialize(request.inputs))
    cells = state.forecasts.standing(pending)
    finished = state.context.fought.finished_forecasts.get(pending.key)
    if cells is None and finished and not finished.failure:
        cells = finished.cells
        state.new_forecasts.append((pending, cells))
    if cells is not None:
        return request.answer("", exact_odds or line(cells))
    if finished:
        state.failures.append(f"{request.id}: {finished.failure}")
        return request.answer("Failed", f"The program failed on this forecast ({finished.failure.splitlines()[0]})")
    if request.is_settled:
        state.requested_forecasts.append(pending)
    return request.answer("Waiting", exact_odds or FORECASTING)


def append_forecasts(state: PassState) -> None:
    """Append the new rows to the Forecasts tab, and let the odds be published (PST-13)."""
    for _, cells in state.new_forecasts:
        state.forecasts.append(cells, state.contents.now)
    for pending, _ in state.new_forecasts:
        what, inputs = pending.key[1][:ODDS_DIGITS], pending.inputs
        state.publish(
            Announcement(audience=Audience.WARS, form=pending.form, request=pending.request, what=what, inputs=inputs)
        )


def planned_scenes(snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts) -> Mapping[str, Scene]:
    """Return the picture of each request with a board that is not ruled, by id, or by row if it has none (REQ-15)."""
    scenes: dict[str, Scene] = {}
    for group in by_ruleset(forms):
        database = open_database(snapshot, group, receipts.names)
        for form in (form for form in group if isinstance(form, BoardForm)):
            for row in database.table(form.request):
                if receipts.is_settled(request_id(row)):
                    continue
                with suppress(Rejected):  # a board cannot show it
                    if scene := form.board(row, database).scene:
                        scenes[request_id(row) or f"row {row.number}"] = scene
    return scenes
