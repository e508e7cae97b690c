"""Step of rows with other actions than a ruling: Forecast, Preview, and changes of cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, Self

from sheets_algo.database.cell_text import as_text
from sheets_algo.database.problems import Problem, Rejected, message
from sheets_algo.database.records import PREVIEW, RULE
from sheets_algo.database.tables import Edit, Row
from sheets_algo.forms.base import Form, FormResult
from sheets_algo.forms.capabilities import BoardForm, WarForm
from sheets_algo.forms.request_columns import RULINGS
from sheets_algo.ruling.forecast.forecast_rows import Cells, ForecastLog, ForecastRow, PendingForecast, line, war_of
from sheets_algo.ruling.passes.writer import obstacles_of, write
from sheets_algo.ruling.plan import Answer, Contents
from sheets_algo.ruling.request_tab import RequestTab, ValidRequest, as_warnings, refused
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
from sheets_algo.ruling.step import Announcement, Audience, PassState, Step, StepFindings, know

ODDS_DIGITS = 16
"""Number of characters of the fingerprint that identifies odds."""
FORECASTING = "Its odds are being worked out; nothing is ruled"


class OddsStep(Step):
    """Forecasts, previews and changed cells of one pass.

    Args:
        contents: The contents of the pass.
    """

    tabs = (ForecastRow,)

    @classmethod
    def is_offered(cls, forms: Iterable[Form[Any]]) -> bool:
        """Return True: each ruleset has odds."""
        return True

    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        self._forecasts = ForecastLog(contents.snapshot)
        self._requested: list[PendingForecast] = []
        self._new: list[tuple[PendingForecast, Cells]] = []
        """The new forecasts, with their rows."""

    @classmethod
    def of(cls, contents: Contents) -> Self | None:
        """Return the step of a workbook with a row of another action than a ruling, or with its result."""
        return cls(contents) if any(_asks(row) for table in contents.tables.values() for row in table) else None

    def lasting_message(self, tab: RequestTab, row: Row) -> str:
        """Return the Message on cells that a row's action changed, while the change persists."""
        said = as_text(row.value("message"))
        if not _is_changed(row):
            return ""
        for asked in tab.form.cell_actions.values():
            with suppress(Rejected):
                if said == CHANGED.format(asked.result(tab.form, row, tab.database)):
                    return said
        return ""

    def act(self, state: PassState, tab: RequestTab, row: Row, id: str, held: tuple[Problem, ...]) -> Answer | None:
        """Draw the picture of a request, or change the cells of its action."""
        action = tab.action(row)
        if action in tab.form.cell_actions:
            return refused(row, id, held) if held else change_cells(state, tab, row, id, action)
        return self._preview(state, tab, row, id, as_warnings(held)) if action == PREVIEW else None

    def serve(self, state: PassState, request: ValidRequest) -> Answer | None:
        """Answer with the odds of a request (FC-04): from its row of Forecasts, or from a new row once they are ready.

        Its forecast is requested until then.
        """
        form = request.form
        fingerprint = state.context.fingerprints[form.ruleset_key]
        pending = PendingForecast(form, request.id, war_of(form, request.row), request.inputs, fingerprint)
        exact_odds = form.forecast(form.deserialize(request.inputs))
        cells = self._forecasts.standing(pending)
        finished = state.context.fought.finished_forecasts.get(pending.key)
        if cells is None and finished and not finished.failure:
            cells = finished.cells
            self._new.append((pending, cells))
        if cells is not None:
            return request.answer("", exact_odds or line(cells))
        if finished:
            text = f"The program failed on this forecast ({finished.failure.splitlines()[0]})"
            return replace(request.answer("Failed", text), failure=f"{request.id}: {finished.failure}")
        if request.is_settled:
            self._requested.append(pending)
        return request.answer("Waiting", exact_odds or FORECASTING)

    def finish(self) -> StepFindings:
        """Return the new rows of the tab Forecasts, whose odds are published (PST-13), and the pending odds."""
        return StepFindings(
            rows=tuple(self._forecasts.new_row(cells, self._contents.now) for _, cells in self._new),
            news=tuple(_news(pending) for pending, _ in self._new),
            forecast_rows=tuple(cells for _, cells in self._new),
            requested_forecasts=tuple(self._requested),
        )

    def _preview(self, state: PassState, tab: RequestTab, row: Row, id: str, warnings: Iterable[Problem]) -> Answer:
        """Answer with the picture of a request before its ruling, its odds, and its messages (REQ-15).

        Args:
            warnings: Further warnings beside its own.
        """
        remarks: tuple[str, ...] = ()
        try:
            content = tab.form.read(row, tab.database)
            remarks, problems = (
                (*content.remarks, *self._previewed_odds(state, tab, row, id, content)),
                content.warnings,
            )
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

    def _previewed_odds(
        self, state: PassState, tab: RequestTab, row: Row, id: str, content: FormResult[Any]
    ) -> Iterator[str]:
        """Yield the odds of a war, or a notice that they are pending; no row of Forecasts keeps them."""
        form = tab.form
        if not isinstance(form, WarForm):
            return
        if exact_odds := form.forecast(content.inputs):
            yield exact_odds
            return
        inputs, rules = form.serialize(content.inputs), state.context.fingerprints[form.ruleset_key]
        pending = PendingForecast(form, id, war_of(form, row), inputs, rules)
        finished = state.context.fought.finished_forecasts.get(pending.key)
        cells = self._forecasts.standing(pending) or (finished.cells if finished and not finished.failure else None)
        if cells is not None:
            yield line(cells)
        elif finished is None:
            if know(state, row, id, (part for rows in content.rows.values() for part in rows if part)):
                self._requested.append(pending)
            yield FORECASTING


def _asks(row: Row) -> bool:
    """Return True if a row has another action than a ruling, or a Message on changed cells."""
    return not (row.is_blank("action") or row.value("action") in RULINGS) or _is_changed(row)


def _is_changed(row: Row) -> bool:
    return as_text(row.value("message")).endswith(CHANGED.format(""))


def _news(odds: PendingForecast) -> Announcement:
    """Return the announcement of odds."""
    what, inputs = odds.key[1][:ODDS_DIGITS], odds.inputs
    return Announcement(audience=Audience.WARS, form=odds.form, request=odds.request, what=what, inputs=inputs)


def change_cells(state: PassState, tab: RequestTab, row: Row, id: str, action: str) -> Answer:
    """Change the cells of a row's action, and clear the action, in one commit (REQ-14).

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
