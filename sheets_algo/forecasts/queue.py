"""Forecasts for the sheet, fought in slices of time between the looks of a watcher (FC-05)."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.forecast import Replicates, joined
from engine.ruleset import no_op
from sheets_algo.database.problems import shortened
from sheets_algo.forecasts.sampling import LONG_ENOUGH
from sheets_algo.ruling.forecast_rows import BATTLES, PendingForecast, ReadyForecast, cells_of
from sheets_algo.ruling.forecast_seed import forecast_seed
from sheets_algo.ruling.progress import Progress

SLICE = 1.5
"""Seconds that a watcher spends on forecasts at one look: it is to end within two when it is told to."""

TEDIOUS = 10.0
"""Seconds that a forecast still takes, from which machine code is looked for."""

Key = tuple[str, str, str]


@dataclass(slots=True)
class ForecastQueue:
    """Forecasts that are done or under way; what nobody waits for any more is forgotten.

    Args:
        clock: Seconds that never go back.
        battles: Of each forecast.
    """

    clock: Callable[[], float] = time.monotonic
    battles: int = BATTLES
    _parts: dict[Key, list[Replicates]] = field(default_factory=dict)
    _done: dict[Key, ReadyForecast] = field(default_factory=dict)

    @property
    def ready(self) -> Mapping[Key, ReadyForecast]:
        """What a pass may write."""
        return self._done

    def owes(self, wanted: Sequence[PendingForecast]) -> bool:
        """Whether one of them is not ready yet."""
        return any(it.key not in self._done for it in wanted)

    def work(self, wanted: Sequence[PendingForecast], seconds: float, progress: Progress = no_op) -> bool:
        """Fight some battles of those that wait, the first of them first.

        Args:
            wanted: In the order of the sheet.
            seconds: How long, roughly; the chunk that is under way is finished.
            progress: Who watches; it may raise to end the work.

        Returns:
            Whether one more forecast is ready.
        """
        end = self.clock() + seconds
        keys = [it.key for it in wanted]
        self._parts = {key: self._parts[key] for key in keys if key in self._parts}
        self._done = {key: self._done[key] for key in keys if key in self._done}
        before = len(self._done)
        for it in wanted:
            if it.key not in self._done:
                progress("Forecast", it.request, len(wanted))
                if not self._finished(it, end, progress, len(wanted)):
                    break
        return len(self._done) > before

    def _finished(self, pending: PendingForecast, end: float, progress: Progress, total: int) -> bool:
        """Fight until the forecast is ready, or time is over."""
        parts = self._parts.setdefault(pending.key, [])
        chunk, is_hasty = 1, False
        try:
            inputs = pending.form.deserialize(pending.inputs)
            seed = forecast_seed(pending.request, pending.inputs)
            done = sum(map(len, parts))
            while done < self.battles:
                if self.clock() >= end:
                    return False
                began = self.clock()
                parts.append(pending.form.ruleset.replicates(inputs, seed, done, min(chunk, self.battles - done)))
                done += len(parts[-1])
                took = self.clock() - began
                chunk = 2 * chunk if took < LONG_ENOUGH else chunk
                if not is_hasty and took * (self.battles - done) > TEDIOUS * len(parts[-1]):
                    is_hasty = True
                    _hasten(pending, inputs)
            self._done[pending.key] = ReadyForecast(cells_of(pending, joined(parts)))
        except Exception as bug:  # one war that hits a bug of ours must not stop the season's others
            said = f"{type(bug).__name__}: {shortened(str(bug))}\n{traceback.format_exc()}"
            self._done[pending.key] = ReadyForecast({}, said)
        del self._parts[pending.key]
        return True


def _hasten(pending: PendingForecast, inputs: Any) -> None:
    from sheets_algo.forecasts.compiled import use_cached_code  # imports much, for few

    use_cached_code(pending.form.ruleset, inputs)
