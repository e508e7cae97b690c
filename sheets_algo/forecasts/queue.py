"""Forecasts for the sheet, fought in slices of time between the polls of a watcher (FC-05)."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine.forecast import Replicates, joined
from engine.ruleset import no_op
from sheets_algo.database.problems import shortened
from sheets_algo.forecasts.machine_code import MANY
from sheets_algo.forecasts.process_code import code_of
from sheets_algo.forecasts.sampling import LONG_ENOUGH
from sheets_algo.ruling.forecast.forecast_rows import (
    BATTLES,
    FinishedForecast,
    ForecastKey,
    PendingForecast,
    cells_of,
    forecast_seed,
)
from sheets_algo.ruling.plan import Progress

SLICE = 1.5
"""Seconds that a watcher spends on forecasts at one look: it is to end within two when it is told to."""

LONG_FORECAST = 10.0
"""Remaining seconds of a forecast from which machine code is looked for, or made in the background."""


@dataclass(slots=True)
class ForecastQueue:
    """Forecasts that are finished or under way; those that no request waits for any more are dropped."""

    clock: Callable[[], float] = time.monotonic  # Returns seconds that never go back
    battles: int = BATTLES  # The number of battles of each forecast
    _parts: dict[ForecastKey, list[Replicates]] = field(default_factory=dict)
    finished: dict[ForecastKey, FinishedForecast] = field(default_factory=dict)  # The forecasts that a pass may write

    def owes(self, requested: Sequence[PendingForecast]) -> bool:
        """Return True if one of the requested forecasts is not finished yet."""
        return any(forecast.key not in self.finished for forecast in requested)

    def work(self, requested: Sequence[PendingForecast], seconds: float, progress: Progress = no_op) -> bool:
        """Fight battles of the requested forecasts, one forecast after the other.

        Args:
            requested: The forecasts, in the order of the sheet.
            seconds: The time to spend, roughly; the chunk that is under way is finished.
            progress: Called when a forecast begins; it may raise to end the work.

        Returns:
            Whether one more forecast is finished.
        """
        end = self.clock() + seconds
        keys = [forecast.key for forecast in requested]
        self._parts = {key: self._parts[key] for key in keys if key in self._parts}
        self.finished = {key: self.finished[key] for key in keys if key in self.finished}
        before = len(self.finished)
        for forecast in requested:
            if forecast.key not in self.finished:
                progress("Forecast", forecast.request, len(requested))
                if not self._finish(forecast, end):
                    break
        return len(self.finished) > before

    def _finish(self, pending: PendingForecast, end: float) -> bool:
        """Fight until the forecast is finished, or time is over."""
        parts = self._parts.setdefault(pending.key, [])
        chunk = 1
        try:
            inputs = pending.form.deserialize(pending.inputs)
            seed, code = forecast_seed(pending.request, pending.inputs), code_of(pending.form, inputs)
            fight = pending.form.ruleset.series(inputs, seed, code)
            done = sum(map(len, parts))
            while done < self.battles:
                if self.clock() >= end:
                    return False
                began = self.clock()
                parts.append(fight(done, min(chunk, self.battles - done)))
                done += len(parts[-1])
                took = self.clock() - began
                chunk = 2 * chunk if took < LONG_ENOUGH else chunk
                if not code.is_compiled and took * (self.battles - done) > LONG_FORECAST * len(parts[-1]):
                    code_of(pending.form, inputs, MANY)
            self.finished[pending.key] = FinishedForecast(cells_of(pending, joined(parts)))
        except Exception as bug:  # one war that hits a bug of ours must not stop the season's others
            said = f"{type(bug).__name__}: {shortened(str(bug))}\n{traceback.format_exc()}"
            self.finished[pending.key] = FinishedForecast({}, said)
        del self._parts[pending.key]
        return True
