"""Answers in words and as data: what came of the battles of one request, or of the wars that are compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.forecast import Replicates, difference, percentile, summed_up, wins
from sheets_algo.forecasts.words import (
    amount,
    difference_data,
    difference_lines,
    forecast_data,
    forecast_lines,
    odds_data,
    points,
    shifted_points,
)
from sheets_algo.foretelling.asked import Asked
from sheets_algo.foretelling.refining import Fought
from sheets_algo.reports import told
from sheets_algo.workbook.base import Plain

RANKED_MOST = 15
"""Lines of a sensitivity; `--json` and `--csv` have all."""

Answer = tuple[list[str], dict[str, Any]]
"""Lines for people, data for programs."""


@dataclass(frozen=True, slots=True)
class Case:
    """One war among those that are compared.

    Args:
        label: What is otherwise in it; blank for the workbook as it is.
        war: What is fought.
        value: Of a sweep's number.
    """

    label: str
    war: Asked
    value: float | None = None


def title(war: Asked) -> str:
    """`W-0002 Hastings`."""
    return " ".join(filter(None, (war.request, war.war)))


def _heading(war: Asked, runs: int, error: float) -> str:
    battles = "1 battle" if runs == 1 else f"{runs:,} battles"
    return f"{title(war)}: {battles}, odds ± {100 * error:.1f} points"


def odds_told(cases: Sequence[Case], fought: Fought) -> Answer:
    """The forecast of one war, and of a ruled one how lucky its ruling was."""
    war, battles = cases[0].war, fought.wars[0]
    found = summed_up(battles)
    course = war.form.ruleset.course(war.inputs, battles)
    lines = [_heading(war, found.runs, found.error), f"  {course}.", *forecast_lines(found)]
    data = forecast_data(found) | {"course": course}
    ruling = war.ruling
    if ruling is not None:
        lines += _luck_lines(ruling, battles)
        data["ruling"] = _luck(ruling, battles)
    return lines, data


def _luck(ruling: Replicates, battles: Replicates) -> dict[str, Any]:
    """At which percentile of its forecast a ruling fell."""
    winner = int(ruling.winner[0])
    attacker, defender, undecided = wins(battles.winner)
    return {
        "winner": {0: "attacker", 1: "defender"}.get(winner, "nobody"),
        "share": {0: attacker, 1: defender}.get(winner, undecided) / len(battles),
        "percentiles": {
            name: percentile(battles.numbers[name].values, float(it.values[0]))
            for name, it in ruling.numbers.items()
            if it.values[0] == it.values[0]  # a number, not NaN
        },
    }


def _luck_lines(ruling: Replicates, battles: Replicates) -> Iterator[str]:
    luck = _luck(ruling, battles)
    yield f"  The ruling: {luck['winner']} won, as in {points(luck['share'])} of battles."
    for name in battles.headlines:
        if name in luck["percentiles"]:
            value = amount(float(ruling.numbers[name].values[0]))
            yield f"  {name}: {value}, at {luck['percentiles'][name]:.0f} % of what was to be expected."


def comparison_told(cases: Sequence[Case], fought: Fought) -> Answer:
    """One war after a change, and the difference."""
    war, changed = cases[0].war, cases[1].war
    before, after = fought.wars
    found, shift = summed_up(after), difference(before, after)
    lines = [
        _heading(war, found.runs, found.error),
        f"  With {cases[1].label}:",
        f"  {changed.form.ruleset.course(changed.inputs, after)}.",
        *forecast_lines(found),
        "  Against the workbook as it is, on the same luck:",
        *difference_lines(shift),
    ]
    if war.frozen == changed.frozen:
        lines.append("  The change has no part in this request.")
    data = forecast_data(found) | {
        "set": cases[1].label,
        "before": forecast_data(summed_up(before)),
        "difference": difference_data(shift),
        "course": changed.form.ruleset.course(changed.inputs, after),
    }
    return lines, data


def sweep_told(cases: Sequence[Case], fought: Fought) -> Answer:
    """A sweep: one line a point."""
    found = [summed_up(battles) for battles in fought.wars]
    name = cases[0].label.rpartition("=")[0]
    headlines = fought.wars[0].headlines
    lines = [
        _heading(cases[0].war, fought.runs, max(it.error for it in found)) + " at each point",
        f"  {name}",
        f"  {'':>14}{'attacker wins':>16}" + "".join(f"{it + ', median':>28}" for it in headlines),
    ]
    data = []
    for case, it in zip(cases, found, strict=True):
        medians = {head: it.numbers[head].quantiles[2] for head in headlines if it.numbers[head].quantiles}
        lines.append(
            f"  {shown_number(case.value):>14}{points(it.attacker.share):>16}"
            + "".join(f"{amount(medians[head]) if head in medians else '':>28}" for head in headlines)
        )
        data.append({"value": case.value, "attacker": odds_data(it.attacker), "forecast": forecast_data(it)})
    return lines, {"sweep": {"cell": name, "points": data}, "runs": fought.runs}


def sensitivity_told(cases: Sequence[Case], fought: Fought) -> Answer:
    """A sensitivity: what moves the odds most stands first."""
    before = fought.wars[0]
    shifts = [(case.label, difference(before, after)) for case, after in zip(cases[1:], fought.wars[1:], strict=True)]
    shifts.sort(key=lambda it: -abs(it[1].attacker.change))
    now = summed_up(before)
    lines = [
        _heading(cases[0].war, now.runs, now.error),
        f"  Attacker wins {points(now.attacker.share)}; a tenth more, or a step, of one input changes that by",
    ]
    width = max((len(label) for label, _ in shifts[:RANKED_MOST]), default=0)
    lines += [f"  {label:<{width}}  {shifted_points(it.attacker)}" for label, it in shifts[:RANKED_MOST]]
    if len(shifts) > RANKED_MOST:
        lines.append(f"  ... and {len(shifts) - RANKED_MOST} more that change no more than the last.")
    if not shifts:
        lines.append("  There is nothing to move: the request names no row of the database.")
    data = forecast_data(now) | {
        "sensitivity": [{"change": label} | difference_data(it)["odds"] for label, it in shifts],
    }
    return lines, data


def shown_number(value: Plain) -> str:
    """A cell's value in a sentence, numbers with their thousands."""
    return amount(value) if isinstance(value, int | float) and not isinstance(value, bool) else told(value)
