"""Answers of the command `forecast` as text and as data, for one war or for wars that are compared."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from engine.forecast import Difference, Forecast, Replicates, Shift, difference, percentile, summed_up, wins
from sheets_algo.database.problems import amount, value_text
from sheets_algo.forecasts.forecast_text import (
    amount_of,
    difference_data,
    difference_lines,
    forecast_data,
    forecast_lines,
    shifted_points,
)
from sheets_algo.forecasts.questions import ForecastWar
from sheets_algo.forecasts.sampling import SampleResult
from sheets_algo.ruling.forecast.forecast_rows import headline, points
from sheets_algo.workbook.values import Plain

NO_SHIFT = Shift(0.0, 0.0)
RANKED_MOST = 15
"""Maximum number of lines or bars of a sensitivity; `--json` and `--csv` have all."""

Answer = tuple[list[str], dict[str, Any]]
"""Lines for people, data for programs."""


@dataclass(frozen=True, slots=True)
class ForecastCase:
    """One of the wars that are compared."""

    label: str  # The change in it; blank for the unchanged workbook
    war: ForecastWar  # The war to fight
    value: float | None = None  # The number at a point of a sweep


def title(war: ForecastWar) -> str:
    """Return id and name of a war, such as `W-0002 Hastings`."""
    return " ".join(filter(None, (war.request, war.war)))


def _heading(war: ForecastWar, forecast: Forecast, error: float | None = None) -> str:
    runs, unit = forecast.runs, "battle" if forecast.winners else "run"
    number = f"1 {unit}" if runs == 1 else f"{runs:,} {unit}s"
    precision = forecast.error if error is None else error
    return f"{title(war)}: {number}, {'odds' if forecast.winners else 'shares'} ± {100 * precision:.1f} points"


def _course(war: ForecastWar, battles: Replicates, forecast: Forecast) -> str:
    return war.form.ruleset.course(war.inputs, battles) or headline(forecast, battles)


def odds_answer(cases: Sequence[ForecastCase], fought: SampleResult) -> Answer:
    """Return the forecast of one war and, if it is ruled, how lucky its ruling was."""
    war, battles = cases[0].war, fought.wars[0]
    forecast = summed_up(battles)
    course = _course(war, battles, forecast)
    lines = [_heading(war, forecast), f"  {course}.", *forecast_lines(forecast)]
    data = forecast_data(forecast) | {"course": course}
    ruling = war.ruling
    if ruling is not None:
        lines += _luck_lines(ruling, battles)
        data["ruling"] = _luck(ruling, battles)
    return lines, data


def _luck(ruling: Replicates, battles: Replicates) -> dict[str, Any]:
    """Return the percentile of a ruling in its forecast."""
    odds: dict[str, Any] = {}
    if ruling.winner is not None and battles.winner is not None:
        winner = int(ruling.winner[0])
        attacker, defender, undecided = wins(battles.winner)
        odds["winner"] = {0: "attacker", 1: "defender"}.get(winner, "nobody")
        odds["share"] = {0: attacker, 1: defender}.get(winner, undecided) / len(battles)
    return odds | {
        "percentiles": {
            name: percentile(battles.numbers[name].values, float(measure.values[0]))
            for name, measure in ruling.numbers.items()
            if measure.values[0] == measure.values[0]  # not NaN
        }
    }


def _luck_lines(ruling: Replicates, battles: Replicates) -> Iterator[str]:
    luck = _luck(ruling, battles)
    if "winner" in luck:
        yield f"  The ruling: {luck['winner']} won, as in {points(luck['share'])} of battles."
    else:
        yield "  The ruling:"
    for name in battles.headlines:
        if name in luck["percentiles"]:
            value = amount(float(ruling.numbers[name].values[0]))
            yield f"  {name}: {value}, more than in {luck['percentiles'][name]:.0f} % of battles."


def comparison_answer(cases: Sequence[ForecastCase], fought: SampleResult) -> Answer:
    """Return the forecast of a war after a change, and the difference."""
    war, changed = cases[0].war, cases[1].war
    before, after = fought.wars
    forecast, shift = summed_up(after), difference(before, after)
    lines = [
        _heading(war, forecast),
        f"  With {cases[1].label}:",
        f"  {_course(changed, after, forecast)}.",
        *forecast_lines(forecast),
        "  Against the workbook as it is, on the same luck:",
        *difference_lines(shift),
    ]
    if war.frozen == changed.frozen:
        lines.append("  The change does not affect this request.")
    data = forecast_data(forecast) | {
        "set": cases[1].label,
        "before": forecast_data(summed_up(before)),
        "difference": difference_data(shift),
        "course": _course(changed, after, forecast),
    }
    return lines, data


def sweep_answer(cases: Sequence[ForecastCase], fought: SampleResult) -> Answer:
    """Return a sweep, one line per point."""
    forecasts = [summed_up(battles) for battles in fought.wars]
    name = cases[0].label.rpartition("=")[0]
    headlines = fought.wars[0].headline_names
    has_odds = forecasts[0].winners is not None
    lines = [
        _heading(cases[0].war, forecasts[0], max(forecast.error for forecast in forecasts)) + " at each point",
        f"  {name}",
        f"  {'':>14}{'attacker wins' if has_odds else '':>{16 * has_odds}}"
        + "".join(f"{head + ', median':>28}" for head in headlines),
    ]
    data = []
    for case, forecast in zip(cases, forecasts, strict=True):
        medians = {head: forecast.numbers[head].quantiles[2] for head in headlines if forecast.numbers[head].quantiles}
        odds = f"{points(forecast.winners.attacker.share):>16}" if forecast.winners else ""
        lines.append(
            f"  {typed_number_text(case.value):>14}{odds}"
            + "".join(f"{amount(medians[head]) if head in medians else '':>28}" for head in headlines)
        )
        attacker = {"attacker": asdict(forecast.winners.attacker)} if forecast.winners else {}
        data.append({"value": case.value, **attacker, "forecast": forecast_data(forecast)})
    return lines, {"sweep": {"cell": name, "points": data}, "runs": fought.runs}


@dataclass(frozen=True, slots=True)
class RankedChange:
    """The effect of one change of an input."""

    label: str  # The change
    difference: Difference  # The effect on all results
    shift: Shift  # The effect on the attacker's odds or, without a winner, on the first headline


def ranking(cases: Sequence[ForecastCase], wars: Sequence[Replicates]) -> list[RankedChange]:
    """Return the changes of a sensitivity, the one with the greatest effect first."""
    head = next(iter(wars[0].headline_names), "")
    differences = [difference(wars[0], war) for war in wars[1:]]
    ranked = [
        RankedChange(case.label, change, _ranked_shift(change, head))
        for case, change in zip(cases[1:], differences, strict=True)
    ]
    return sorted(ranked, key=lambda change: -abs(change.shift.change))


def sensitivity_answer(cases: Sequence[ForecastCase], fought: SampleResult) -> Answer:
    """Return a sensitivity, ranked by the effect on the odds or, without a winner, on the first headline."""
    before = fought.wars[0]
    now = summed_up(before)
    head = next(iter(before.headline_names), "")
    ranked = ranking(cases, fought.wars)
    if now.winners:
        now_is = f"Attacker wins {points(now.winners.attacker.share)}"
    else:
        now_is = f"{head} is {amount(now.numbers[head].mean)} on average" if head else "There is no number"
    lines = [_heading(cases[0].war, now), f"  {now_is}; a tenth more, or a step, of one input changes that by"]
    width = max((len(change.label) for change in ranked[:RANKED_MOST]), default=0)
    text_of = shifted_points if now.winners else amount_of
    lines += [f"  {change.label:<{width}}  {text_of(change.shift)}" for change in ranked[:RANKED_MOST]]
    if len(ranked) > RANKED_MOST:
        lines.append(f"  ... and {len(ranked) - RANKED_MOST} more with at most the effect of the last.")
    if not ranked:
        lines.append("  There is no input to change: the request names no row of the database.")
    data = forecast_data(now) | {
        "sensitivity": [{"change": change.label} | _shift_data(change.difference, head) for change in ranked]
    }
    return lines, data


def _ranked_shift(change: Difference, head: str) -> Shift:
    """Return the shift by which a sensitivity ranks."""
    shift = change.winners.attacker if change.winners else change.numbers.get(head, NO_SHIFT)
    return NO_SHIFT if math.isnan(shift.change) else shift


def _shift_data(change: Difference, head: str) -> dict[str, Any]:
    data = difference_data(change)
    return dict(data["odds"]) if change.winners else {head: data["means"].get(head)}


def typed_number_text(value: Plain) -> str:
    """Return a cell's value as text, numbers with separators of thousands."""
    return amount(value) if isinstance(value, int | float) and not isinstance(value, bool) else value_text(value)
