"""Forecasts drawn: odds and distributions of one war, or the curve of a sweep."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

from engine.forecast import Forecast, Measure, Odds, Replicates, summed_up
from sheets_algo.forecasts.edits import BadEdit
from sheets_algo.forecasts.telling import Case
from sheets_algo.forecasts.words import headlines_of, outcomes, points

COLOURS = ("#2f5d8a", "#b5542f", "#8a8a8a")
"""Attacker, defender, nobody."""
INK = "#222222"
BARS_MOST = 40


def matplotlib_figure() -> Any:
    """What is drawn on.

    Raises:
        BadEdit: Matplotlib is not there.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise BadEdit("--plot needs Matplotlib; install the extra: pip install 'sheets-algo[plot]'.") from error
    return Figure


def write_plot(file: Path, cases: Sequence[Case], fought: Sequence[Replicates]) -> None:
    """Draw a PNG file.

    Args:
        file: To write.
        cases: What was fought.
        fought: Their battles; of several cases without a number only the last is drawn.

    Raises:
        BadEdit: Matplotlib is not there.
        OSError: The file cannot be written.
    """
    figure_class = matplotlib_figure()
    is_sweep = cases[0].value is not None
    found = summed_up(fought[-1])
    heads = headlines_of(fought[-1])
    bar = _bar(found)
    rows = 2 if is_sweep else bool(bar) + len(heads)
    figure = figure_class(figsize=(8, 1.2 + 2.2 * rows if not is_sweep else 7), layout="constrained")
    figure.suptitle(" ".join(filter(None, (cases[0].war.request, cases[0].war.war))).replace("$", r"\$"))
    if is_sweep:
        _curve(figure, cases, fought)
    else:
        heights = [*([0.5] if bar else []), *[1] * len(heads)]
        axes = list(figure.subplots(rows, 1, height_ratios=heights, squeeze=False)[:, 0])
        if bar:
            _odds(axes.pop(0), bar, found, cases[-1].label)
        for axis, name in zip(axes, heads, strict=True):
            draw_distribution(axis, name, fought[-1].numbers[name])
    figure.savefig(file, format="png", dpi=120)


def _bar(found: Forecast) -> Sequence[tuple[str, Odds]]:
    """What the bar at the top shares out: who may win, or else the first word of every battle."""
    words = next(iter(found.words.values()), {})
    return tuple(outcomes(found)) or tuple(words.items())


def _odds(axis: Any, bar: Sequence[tuple[str, Odds]], found: Forecast, label: str) -> None:
    """One part of a bar, as long as it is likely, for each of them."""
    left = 0.0
    for (name, it), colour in zip(bar, cycle(COLOURS), strict=False):
        axis.barh(0, it.share, left=left, color=colour)
        if it.share > 0.15:
            said = f"{name} {points(it.share)}"
            axis.text(left + it.share / 2, 0, said, ha="center", va="center", color="white")
        left += it.share
    axis.set_xlim(0, 1)
    axis.set_yticks([])
    axis.set_xticks([])
    says = f"{found.runs:,} battles, ± {100 * found.error:.1f} points"
    axis.set_title(says if not label else f"{label.replace('$', chr(92) + '$')}: {says}", fontsize=9, loc="left")


def draw_distribution(axis: Any, name: str, it: Measure) -> None:
    """How often each range of a number came about, with its median."""
    values = it.values[~np.isnan(it.values)]
    if len(values):
        axis.hist(
            values, bins=_edges(values), color=COLOURS[1 if name.startswith("Defender") else 0], weights=_shares(values)
        )
        axis.axvline(float(np.median(values)), color=INK, linewidth=1, linestyle="--")
    axis.set_title(f"{name} ({it.unit}), median dashed" if it.unit else name, fontsize=9, loc="left")
    axis.set_ylabel("% of battles", fontsize=8)


def _edges(values: Any) -> Any:
    """Where bars begin and end; of whole numbers each bar has equally many, or some would look rarer than they are."""
    low, high = float(values.min()), float(values.max())
    if not np.all(values == np.floor(values)):
        return np.linspace(low, high, BARS_MOST + 1)
    width = -(-int(high - low + 1) // BARS_MOST)
    return np.arange(low, high + width + 1, width) - 0.5


def _shares(values: Any) -> Any:
    return np.full(len(values), 100 / len(values))


def _curve(figure: Any, cases: Sequence[Case], fought: Sequence[Replicates]) -> None:
    """The attacker's odds with their error, and below them the medians of the headlines with their middle halves."""
    found = [summed_up(battles) for battles in fought]
    odds = [it.winners.attacker for it in found if it.winners]
    heads = headlines_of(fought[0])[:2]
    *above, below = figure.subplots(1 + bool(odds), 1, sharex=True, squeeze=False)[:, 0]
    values = [case.value for case in cases]
    for axis in above:
        axis.plot(values, [100 * it.share for it in odds], color=COLOURS[0], marker="o")
        axis.fill_between(
            values, [100 * it.low for it in odds], [100 * it.high for it in odds], color=COLOURS[0], alpha=0.2
        )
        axis.set_ylim(0, 100)
        axis.set_ylabel("attacker wins, %")
    for name, colour in zip(heads, COLOURS, strict=False):
        its = [it.numbers[name].quantiles for it in found]
        if all(its):
            below.plot(values, [it[2] for it in its], color=colour, marker="o", label=name)
            below.fill_between(values, [it[1] for it in its], [it[3] for it in its], color=colour, alpha=0.2)
    below.legend(fontsize=8)
    if heads:
        below.set_ylabel(fought[0].numbers[heads[0]].unit)
    below.set_xlabel(cases[0].label.rpartition("=")[0].replace("$", r"\$"))
