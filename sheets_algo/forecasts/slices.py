"""Forecasts for the sheet, fought in slices of time between the looks of a watcher (FC-05)."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.forecast import Replicates, joined
from sheets_algo.forecasts.luck import forecast_seed
from sheets_algo.forecasts.refining import LONG_ENOUGH
from sheets_algo.forecasts.tab import BATTLES, Foretold, Wanted, cells_of
from sheets_algo.keepsakes import Begins, unheard
from sheets_algo.problems import shortened

SLICE = 1.5
"""Seconds that a watcher spends on forecasts at one look: it is to end within two when it is told to."""

TEDIOUS = 10.0
"""Seconds that a forecast still takes, from which machine code is looked for."""

Key = tuple[str, str, str]


@dataclass(slots=True)
class Slices:
    """Forecasts that are done or under way; what nobody waits for any more is forgotten.

    Args:
        clock: Seconds that never go back.
        battles: Of each forecast.
    """

    clock: Callable[[], float] = time.monotonic
    battles: int = BATTLES
    _parts: dict[Key, list[Replicates]] = field(default_factory=dict)
    _done: dict[Key, Foretold] = field(default_factory=dict)

    @property
    def ready(self) -> Mapping[Key, Foretold]:
        """What a pass may write."""
        return self._done

    def owes(self, wanted: Sequence[Wanted]) -> bool:
        """Whether one of them is not ready yet."""
        return any(it.key not in self._done for it in wanted)

    def work(self, wanted: Sequence[Wanted], seconds: float, begins: Begins = unheard) -> bool:
        """Fight some battles of those that wait, the first of them first.

        Args:
            wanted: In the order of the sheet.
            seconds: How long, roughly; the chunk that is under way is finished.
            begins: Who watches; it may raise to end the work.

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
                begins("Forecast", it.request, len(wanted))
                if not self._finished(it, end, begins, len(wanted)):
                    break
        return len(self._done) > before

    def _finished(self, it: Wanted, end: float, begins: Begins, of: int) -> bool:
        """Fight until the forecast is ready, or time is over."""
        parts = self._parts.setdefault(it.key, [])
        chunk, is_hasty = 1, False
        try:
            inputs = it.form.thaw(it.inputs)
            seed = forecast_seed(it.request, it.inputs)
            done = sum(map(len, parts))
            while done < self.battles:
                if self.clock() >= end:
                    return False
                began = self.clock()
                parts.append(it.form.ruleset.replicates(inputs, seed, done, min(chunk, self.battles - done)))
                done += len(parts[-1])
                took = self.clock() - began
                chunk = 2 * chunk if took < LONG_ENOUGH else chunk
                if not is_hasty and took * (self.battles - done) > TEDIOUS * len(parts[-1]):
                    is_hasty = True
                    _hasten(it, inputs)
            self._done[it.key] = Foretold(cells_of(it, joined(parts)))
        except Exception as bug:  # one war that hits a bug of ours must not stop the season's others
            said = f"{type(bug).__name__}: {shortened(str(bug))}\n{traceback.format_exc()}"
            self._done[it.key] = Foretold({}, said)
        del self._parts[it.key]
        return True


def _hasten(it: Wanted, inputs: Any) -> None:
    from sheets_algo.forecasts.haste import use_what_is_kept  # imports much, for few

    use_what_is_kept(it.form.ruleset, inputs)
