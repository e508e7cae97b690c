"""Plots of forecasts: odds and distributions of one war, the curve of a sweep, or the ranking of a sensitivity."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np

from engine.forecast import Forecast, Measure, Odds, Replicates, summed_up
from sheets_algo.config.installation import missing
from sheets_algo.database.problems import amount
from sheets_algo.forecasts.forecast_text import outcomes
from sheets_algo.forecasts.report import RANKED_MOST, ForecastCase, RankedChange, ranking, title
from sheets_algo.forms.edits import BadEdit
from sheets_algo.ruling.forecast.forecast_rows import points
from sheets_algo.workbook.atomic_file import atomic_write

COLOURS = ("#2f5d8a", "#b5542f", "#8a8a8a", "#5f8f4e", "#b8952f", "#7d5a96", "#3f9a94", "#c27a9a")
"""Attacker, defender, nobody; further ones for longer lists."""
ROOM = 0.15
"""Minimum share of a bar that has room for its name."""
INK = "#222222"
BARS_MOST = 40
TEXT_MOST = 150
"""Maximum number of characters of a text; a war's name may have thousands."""
BAR_HEIGHT = 0.42
"""Height of a bar of a ranking, in inches."""


def matplotlib_figure() -> Any:
    """Return Matplotlib's class of figures.

    Raises:
        BadEdit: Matplotlib is not installed.
    """
    # On a slow machine Matplotlib would warn that it builds its list of fonts.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise BadEdit(f"--plot: {missing('Matplotlib', 'plot')}") from error
    return Figure


def write_plot(
    file: Path, cases: Sequence[ForecastCase], fought: Sequence[Replicates], *, is_ranking: bool = False
) -> None:
    """Draw a PNG file.

    Args:
        fought: Their battles; of several cases without a number only the last is drawn.
        is_ranking: True to draw the effects of all cases on the first instead, ranked.

    Raises:
        BadEdit: Matplotlib is not installed.
        OSError: The file cannot be written.
    """
    figure = figure_of(matplotlib_figure(), cases, fought, is_ranking=is_ranking)
    with atomic_write(file) as new:
        figure.savefig(new, format="png", dpi=120, bbox_inches="tight")  # as large as its texts need


def figure_of(
    figure_class: Any, cases: Sequence[ForecastCase], fought: Sequence[Replicates], *, is_ranking: bool = False
) -> Any:
    """Return the figure that `write_plot` saves; arguments as there, and Matplotlib's class of figures."""
    if is_ranking:
        figure = _bars_of_ranking(figure_class, cases, fought)
    elif cases[0].value is not None:
        figure = _curves(figure_class, cases, fought)
    else:
        figure = _distributions(figure_class, cases[-1].label, fought[-1])
    figure.suptitle(_wrapped(title(cases[0].war), 70))
    return figure


def _bars_of_ranking(figure_class: Any, cases: Sequence[ForecastCase], fought: Sequence[Replicates]) -> Any:
    """Draw a bar for the effect of each change, the greatest on top, with its error as a line."""
    ranked = ranking(cases, fought)[:RANKED_MOST]
    base = summed_up(fought[0])
    factor, head = (100, "") if base.winners else (1, next(iter(fought[0].headline_names), ""))
    figure = figure_class(figsize=(8, 1.4 + BAR_HEIGHT * len(ranked)), layout="constrained")
    axis = figure.subplots()
    changes, errors = ([factor * part for part in parts] for parts in _shifts(ranked))
    colours = [COLOURS[0] if change >= 0 else COLOURS[1] for change in changes]
    axis.barh(range(len(ranked)), changes, xerr=errors, color=colours, ecolor=INK, error_kw={"linewidth": 0.8})
    axis.set_yticks(range(len(ranked)), [_wrapped(change.label, 50) for change in ranked], fontsize=8)
    axis.invert_yaxis()
    axis.axvline(0, color=INK, linewidth=1)
    if base.winners:
        now = f"attacker wins {points(base.winners.attacker.share)}"
        axis.set_xlabel("change of the attacker's odds, in points; the thin line is the error")
    else:
        now = f"{head} {amount(base.numbers[head].mean)} on average" if head else "no number to compare"
        axis.set_xlabel(_wrapped(f"change of {head}; the thin line is the error", 90))
    axis.set_title(_wrapped(f"{base.runs:,} runs, {now}; a tenth more, or a step, of one input", 90), fontsize=9)
    return figure


def _shifts(ranked: Sequence[RankedChange]) -> tuple[list[float], list[float]]:
    """Return the changes and their errors; an unknown error counts as none."""
    return [change.shift.change for change in ranked], [float(np.nan_to_num(change.shift.error)) for change in ranked]


def _distributions(figure_class: Any, label: str, battles: Replicates) -> Any:
    """Draw a bar of the possible outcomes and below it a distribution of each headline."""
    forecast = summed_up(battles)
    heads = _headlines([battles])
    about, bar = _outcome_shares(forecast)
    constant = [name for name in heads if not np.ptp(_values(battles.numbers[name]))]
    heights = [*([0.5] if bar else []), *(0.1 if name in constant else 1 for name in heads)]
    figure = figure_class(figsize=(8, 1.2 + 2.2 * sum(heights)), layout="constrained")
    if not heights:  # all values are 0
        return figure
    axes = list(figure.subplots(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0])
    if bar:
        axis = axes.pop(0)
        _draw_bar(axis, bar)
        runs = f"{forecast.runs:,} {'battles' if forecast.winners else 'runs'}, ± {100 * forecast.error:.1f} points"
        axis.set_title(_wrapped(": ".join(filter(None, (label, about, runs))), 100), fontsize=9, loc="left")
    for axis, name in zip(axes, heads, strict=True):
        measure = battles.numbers[name]
        if name in constant:
            axis.set_axis_off()
            title = f"{_title(name, measure)}: always {amount(_values(measure)[0])}"
            axis.set_title(title, fontsize=9, loc="left")
        else:
            draw_distribution(axis, name, measure)
    return figure


def _headlines(fought: Sequence[Replicates]) -> Sequence[str]:
    """Return the headlines, without those that are 0 or unknown in all battles, as in the terminal."""
    return [
        name for name in fought[0].headline_names if any(_values(battles.numbers[name]).any() for battles in fought)
    ]


def _values(measure: Measure) -> Any:
    """Return the values of a measure in the battles that have one."""
    return measure.values[~np.isnan(measure.values)]


def _title(name: str, measure: Measure) -> str:
    return _wrapped(f"{name} ({measure.unit})" if measure.unit else name, 90)


def _outcome_shares(forecast: Forecast) -> tuple[str, Sequence[tuple[str, Odds]]]:
    """Return the subject and the parts of the bar: the winners, or else the first word of every battle."""
    if forecast.winners:
        return "", tuple(outcomes(forecast))
    about, words = next(iter(forecast.words.items()), ("", {}))
    return about, tuple(words.items())


def _draw_bar(axis: Any, bar: Sequence[tuple[str, Odds]]) -> None:
    """Draw one part of a bar per outcome, as long as its share; the legend lists parts too short for a name."""
    left = 0.0
    for (name, odds), colour in zip(bar, cycle(COLOURS), strict=False):
        label = _wrapped(f"{name} {points(odds.share)}", 24)
        has_room = odds.share > ROOM
        axis.barh(0, odds.share, left=left, color=colour, label="" if has_room or not odds.share else label)
        if has_room:
            axis.text(left + odds.share / 2, 0, label, ha="center", va="center", color="white")
        left += odds.share
    axis.set_xlim(0, 1)
    axis.set_yticks([])
    axis.set_xticks([])
    if axis.get_legend_handles_labels()[1]:
        axis.legend(fontsize=7, ncols=4, loc="upper left", bbox_to_anchor=(0, 0), frameon=False, borderpad=0)


def draw_distribution(axis: Any, name: str, measure: Measure) -> None:
    """Draw a histogram of a number with its median.

    Args:
        measure: The values, at least one of them known.
    """
    values = _values(measure)
    colour = COLOURS[1 if name.startswith("Defender") else 0]
    axis.hist(values, bins=_edges(values), color=colour, weights=np.full(len(values), 100 / len(values)))
    axis.axvline(float(np.median(values)), color=INK, linewidth=1, linestyle="--")
    if np.all(values == np.floor(values)):
        axis.xaxis.get_major_locator().set_params(integer=True)
    axis.set_title(f"{_title(name, measure)}, median dashed", fontsize=9, loc="left")
    axis.set_ylabel("% of runs", fontsize=8)


def _edges(values: Any) -> Any:
    """Return the edges of the bars; for whole numbers each bar covers equally many, so that none looks rarer."""
    low, high = float(values.min()), float(values.max())
    if not np.all(values == np.floor(values)):
        return np.linspace(low, high, BARS_MOST + 1)
    width = -(-int(high - low + 1) // BARS_MOST)
    return np.arange(low, high + width + 1, width) - 0.5


def _curves(figure_class: Any, cases: Sequence[ForecastCase], fought: Sequence[Replicates]) -> Any:
    """Draw the attacker's odds with their error and, by unit, the headlines' medians with their middle halves."""
    forecasts = [summed_up(battles) for battles in fought]
    odds = [forecast.winners.attacker for forecast in forecasts if forecast.winners]
    heads = {name: fought[0].numbers[name].unit for name in _headlines(fought)}
    units = list(dict.fromkeys(heads.values()))
    rows = bool(odds) + len(units)
    figure = figure_class(figsize=(8, 1.2 + 2.7 * rows), layout="constrained")
    if not rows:  # all values are 0
        return figure
    axes = list(figure.subplots(rows, 1, sharex=True, squeeze=False)[:, 0])
    values = [case.value for case in cases]
    axes[-1].set_xlabel(_wrapped(cases[0].label.rpartition("=")[0], 90))
    if odds:
        axis, low, high = axes.pop(0), [100 * point.low for point in odds], [100 * point.high for point in odds]
        axis.plot(values, [100 * point.share for point in odds], color=COLOURS[0], marker="o")
        axis.fill_between(values, low, high, color=COLOURS[0], alpha=0.2)
        axis.set_ylim(0, 100)
        axis.set_ylabel("attacker wins, %")
    for axis, unit in zip(axes, units, strict=True):
        for name, colour in zip((head for head in heads if heads[head] == unit), cycle(COLOURS), strict=False):
            quantiles = [forecast.numbers[name].quantiles for forecast in forecasts]
            if all(quantiles):
                low, middle, high = ([point[place] for point in quantiles] for place in (1, 2, 3))
                axis.plot(values, middle, color=colour, marker="o", label=_wrapped(name, 40))
                axis.fill_between(values, low, high, color=colour, alpha=0.2)
        axis.set_ylabel(unit)
        axis.legend(fontsize=8)
    return figure


def _wrapped(text: str, width: int) -> str:
    """Return a text in lines of at most `width` characters, which Matplotlib does not read as a formula."""
    line = " ".join(text.split())
    short = line if len(line) <= TEXT_MOST else f"{line[:TEXT_MOST]}..."
    return fill(short, width).replace("$", r"\$")
