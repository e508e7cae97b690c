"""Outlook of a workbook: the probable outcome of each unruled request, in a line (FC-30)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.forecast import Replicates, extremes, typical
from engine.ruleset import no_op
from sheets_algo.database.problems import ended
from sheets_algo.forecasts.compiled import refine_compiled
from sheets_algo.forecasts.questions import ForecastWar, from_rehearsal
from sheets_algo.forecasts.sampling import SampleBudget
from sheets_algo.forms.base import Form
from sheets_algo.ruling.forecast.forecast_rows import PendingForecast, cells_of, forecast_seed, line
from sheets_algo.ruling.passes.rehearsal import after_text
from sheets_algo.ruling.plan import Answer, Progress

WARS_MOST, SECONDS_MOST = 20, 20.0
"""Wars of an outlook, and total seconds for their battles."""
FEW = 25
"""Number of battles of a war for a rehearsal without odds."""
LATER = "its battles take long; the command forecast, or the Action Forecast, shows its odds"


@dataclass
class Outlook:
    """Forecast battles of wars, whose luck reveals nothing about the season's (FC-01)."""

    battles_most: int = FEW  # The battles of each war
    seconds: float = SECONDS_MOST  # The remaining time
    progress: Progress = no_op
    likelihood = "probably"
    is_first = True
    _fought: dict[tuple[str, str, str], Replicates | None] = field(default_factory=dict)

    def battle(self, form: Form[Any], request: str, inputs: str) -> int:
        """Return the number of the typical battle of a war; the first one where there are no sides, or no time."""
        battles = self._battles(ForecastWar(request, "", form, inputs, forecast_seed(request, inputs)))
        return 0 if battles is None else typical(battles)

    def lines(self, answers: Iterable[Answer]) -> Iterator[str]:
        """Yield a line for each of the first requests that a rehearsal can rule, if it is a war or has a message."""
        wars = 0
        for foreseen in (answer.foreseen for answer in answers if answer.foreseen):
            war = from_rehearsal(foreseen)
            if wars < WARS_MOST and (war.remarks or _has_sides(war)):
                wars += 1
                name = f"{war.request or f'Row {war.line}'}{f' ({war.war})' if war.war else ''}"
                after = f", {after_text(earlier)}" if (earlier := foreseen.after()) else ""
                battles = (self._battle_text(war),) if _has_sides(war) else ()
                yield f"{name}{after}: {' '.join((*battles, *map(ended, war.remarks), *war.decisions))}"

    def other_luck(self, requests: Iterable[str]) -> Iterator[OtherLuck]:
        """Yield other outcomes of some requests: the battles of the rehearsal that are least like the typical one."""
        fought = {request: battles for (_, request, _), battles in self._fought.items() if battles}
        others = {request: extremes(fought[request]) for request in requests if request in fought}
        for number in range(max(map(len, others.values()), default=0)):
            yield OtherLuck({request: battles[number % len(battles)] for request, battles in others.items() if battles})

    def _battle_text(self, war: ForecastWar) -> str:
        if exact := war.form.forecast(war.inputs):
            return ended(exact)
        battles = self._battles(war)
        if battles is None or len(battles) < self.battles_most:
            return ended(LATER)
        return ended(line(cells_of(PendingForecast(war.form, war.request, war.war, war.frozen, ""), battles)))

    def _battles(self, war: ForecastWar) -> Replicates | None:
        """Return the battles of a war, fewer if they take longer; None if it has no sides, or there is no time left."""
        key = war.form.key, war.request, war.frozen
        if key not in self._fought:
            is_room = self.seconds > 0 and sum(map(bool, self._fought.values())) < WARS_MOST and _has_sides(war)
            self._fought[key] = self._fight(war) if is_room else None
        return self._fought[key]

    def _fight(self, war: ForecastWar) -> Replicates:
        self.progress("Looking ahead", war.request, None)  # the wars to fight appear only while they are read
        start = time.monotonic()
        runs = FEW if war.form.forecast(war.inputs) else self.battles_most  # their lines are exact
        sample = refine_compiled([war], SampleBudget(runs=runs, error=0.0, seconds=self.seconds))
        self.seconds -= time.monotonic() - start
        return sample.wars[0]


@dataclass(frozen=True, slots=True)
class OtherLuck:
    """Unusual outcomes of some requests, on which others depend; the rest need not be resolved."""

    battles: Mapping[str, int]  # The number of the battle by request
    likelihood: str = "perhaps"
    is_first: bool = False

    def battle(self, form: Form[Any], request: str, inputs: str) -> int | None:
        """Return the number of the battle of a request; None if nothing depends on it."""
        return self.battles.get(request)


def _has_sides(war: ForecastWar) -> bool:
    return any(war.form.ruleset.sides(war.inputs))
