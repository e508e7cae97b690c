"""Outlook of a workbook: what will probably become of each request that is not ruled, in a line (FC-30)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from engine.forecast import Replicates
from sheets_algo.database.problems import Rejected, ended
from sheets_algo.forecasts.compiled import refine_compiled
from sheets_algo.forecasts.questions import ForecastWar, from_row
from sheets_algo.forecasts.sampling import STEP, SampleBudget
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import by_ruleset, open_database, request_tables
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.forecast.forecast_rows import PendingForecast, cells_of, line
from sheets_algo.ruling.plan import Progress
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.ruling.requests.overrides import Overrides
from sheets_algo.workbook.snapshot import Snapshot

WARS_MOST, SECONDS_MOST = 20, 20.0
"""Wars of an outlook, and seconds that their battles may take in all."""
LATER = "its battles take long; the command forecast, or the Action Forecast, shows its odds"


def outlook(
    snapshot: Snapshot,
    forms: Sequence[Form[Any]],
    receipts: Receipts,
    progress: Progress,
    seconds: float = SECONDS_MOST,
) -> Iterator[str]:
    """Yield a line for each of the first requests that can be ruled and are not, if it is a war or says something.

    The odds of a war are those of a hundred battles of its forecast.

    The battles are those of `forecast_seed`, so that they say nothing of the luck by which a war will be ruled.

    Args:
        seconds: The time that the battles may take in all.
    """
    end = time.monotonic() + seconds
    wars = [*islice(_wars(snapshot, forms, receipts), WARS_MOST)]
    for war in wars:
        name = f"{war.request or f'Row {war.line}'}{f' ({war.war})' if war.war else ''}"
        progress("Looking ahead", name, len(wars))
        battle_text = (_battle_text(war, end - time.monotonic()),) if _has_sides(war) else ()
        yield f"{name}: {' '.join((*battle_text, *map(ended, war.remarks), *war.decisions))}"


def _wars(snapshot: Snapshot, forms: Sequence[Form[Any]], receipts: Receipts) -> Iterator[ForecastWar]:
    overrides = Overrides(snapshot, receipts, request_tables(snapshot, forms).values())
    for group in by_ruleset(forms):
        database = open_database(snapshot, group)
        for form in group:
            for row in database.table(form.request):
                if receipts.is_settled(request_id(row)):
                    continue
                try:
                    war = from_row(form, database, row, None, overrides)
                except Rejected:
                    continue  # its problems say why
                if war.has_dead_leaders and receipts.options.dead_leaders == "refuse":
                    continue
                if war.remarks or _has_sides(war):
                    yield war


def _has_sides(war: ForecastWar) -> bool:
    return any(war.form.ruleset.sides(war.inputs))


def _battle_text(war: ForecastWar, seconds: float) -> str:
    if exact := war.form.forecast(war.inputs):
        return ended(exact)
    battles = _battles(war, seconds)
    if battles is None:
        return ended(LATER)
    return ended(line(cells_of(PendingForecast(war.form, war.request, war.war, war.frozen, ""), battles)))


def _battles(war: ForecastWar, seconds: float) -> Replicates | None:
    """Return a hundred battles, None if they take longer."""
    if seconds <= 0:
        return None
    sample = refine_compiled([war], SampleBudget(runs=STEP, error=0.0, seconds=seconds))
    return sample.wars[0] if sample.runs >= STEP else None
