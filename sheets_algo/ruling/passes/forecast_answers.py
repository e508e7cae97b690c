"""Answers to requests whose Action is Forecast, from the Forecasts tab or from forecasts that are finished (FC-04)."""

from __future__ import annotations

from sheets_algo.database.tables import Table
from sheets_algo.ruling.forecast.forecast_rows import Cells, ForecastLog, PendingForecast, line, war_of
from sheets_algo.ruling.passes.plan import Answer, PassContext
from sheets_algo.ruling.passes.request_tab import ValidRequest
from sheets_algo.ruling.receipts.changes import Changes
from sheets_algo.ruling.receipts.posts import PostRow, new_odds_post
from sheets_algo.workbook.snapshot import Snapshot

FORECASTING = "Its odds are being worked out; nothing is ruled"


class ForecastAnswers:
    """The forecasts of one pass.

    Args:
        snapshot: The snapshot of the workbook.
        context: The context of the pass.
        changes: The collector of what the pass writes.
    """

    def __init__(self, snapshot: Snapshot, context: PassContext, changes: Changes) -> None:
        self._context = context
        self._log = ForecastLog(snapshot, changes)
        self._posts = Table(PostRow, snapshot.sheet(PostRow.tab.name))
        self._changes = changes
        self.requested: list[PendingForecast] = []
        self.new_rows: list[Cells] = []
        self._announced: list[PendingForecast] = []
        self.failures: list[str] = []

    def answer(self, request: ValidRequest) -> Answer:
        """Answer a request; its forecast becomes a new row if it is finished, or is requested if it is not."""
        form = request.form
        fingerprint = self._context.fingerprints[form.ruleset_key]
        forecast = PendingForecast(form, request.id, war_of(form, request.row), request.inputs, fingerprint)
        exact_odds = form.forecast(form.deserialize(request.inputs))
        cells = self._log.standing(forecast)
        finished = self._context.fought.finished_forecasts.get(forecast.key)
        if cells is None and finished and not finished.failure:
            cells = finished.cells
            self.new_rows.append(cells)
            self._announced.append(forecast)
        if cells is not None:
            return request.answer("", exact_odds or line(cells))
        if finished:
            self.failures.append(f"{request.id}: {finished.failure}")
            return request.answer("Failed", f"The program failed on this forecast ({finished.failure.splitlines()[0]})")
        if request.is_settled:
            self.requested.append(forecast)
        return request.answer("Waiting", exact_odds or FORECASTING)

    def append_rows(self, now: str) -> None:
        """Append the new rows to the Forecasts tab, and those of the posts that announce the wars (PST-13)."""
        for cells in self.new_rows:
            self._log.append(cells, now)
        if self._posts.header_row and "odds" not in self._posts.places:
            return  # a tab of people that is called Posts
        for forecast in self._announced:
            _, fingerprint, _ = forecast.key
            for channel in self._context.writing.posts.channels_of_odds(forecast.form, forecast.inputs):
                cells = new_odds_post(forecast.request, fingerprint, channel, now)
                self._changes.append(self._posts, cells, self._context.writing.posts.looks)
