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
from sheets_algo.forecasts.words import amount, headlines_of, outcomes, points
from sheets_algo.whole import whole

COLOURS = ("#2f5d8a", "#b5542f", "#8a8a8a", "#5f8f4e", "#b8952f", "#7d5a96", "#3f9a94", "#c27a9a")
"""Attacker, defender, nobody; further ones where there is more to tell apart."""
ROOM = 0.15
"""The share of a bar that holds its name."""
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
    if cases[0].value is not None:
        figure = _curves(figure_class, cases, fought)
    else:
        figure = _distributions(figure_class, cases[-1].label, fought[-1])
    figure.suptitle(_plain(" ".join(filter(None, (cases[0].war.request, cases[0].war.war)))))
    with whole(file) as new:
        figure.savefig(new, format="png", dpi=120)


def _distributions(figure_class: Any, label: str, battles: Replicates) -> Any:
    """A bar of what may come, and below it how often each headline is what."""
    found = summed_up(battles)
    heads = _headlines([battles])
    about, bar = _bar(found)
    constant = [name for name in heads if not np.ptp(_known(battles.numbers[name]))]
    heights = [*([0.5] if bar else []), *(0.1 if name in constant else 1 for name in heads)]
    figure = figure_class(figsize=(8, 1.2 + 2.2 * sum(heights)), layout="constrained")
    if not heights:  # all that is told is 0
        return figure
    axes = list(figure.subplots(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0])
    if bar:
        axis = axes.pop(0)
        _shared_out(axis, bar)
        runs = f"{found.runs:,} {'battles' if found.winners else 'runs'}, ± {100 * found.error:.1f} points"
        axis.set_title(_plain(": ".join(filter(None, (label, about, runs)))), fontsize=9, loc="left")
    for axis, name in zip(axes, heads, strict=True):
        it = battles.numbers[name]
        if name in constant:
            axis.set_axis_off()
            axis.set_title(f"{_titled(name, it)}: always {amount(_known(it)[0])}", fontsize=9, loc="left")
        else:
            draw_distribution(axis, name, it)
    return figure


def _headlines(fought: Sequence[Replicates]) -> Sequence[str]:
    """Without what is 0 in all of them, as in the terminal, and what none of them has."""
    return [name for name in headlines_of(fought[0]) if any(_known(it.numbers[name]).any() for it in fought)]


def _known(it: Measure) -> Any:
    """Its value in each battle that has one."""
    return it.values[~np.isnan(it.values)]


def _titled(name: str, it: Measure) -> str:
    return _plain(f"{name} ({it.unit})" if it.unit else name)


def _bar(found: Forecast) -> tuple[str, Sequence[tuple[str, Odds]]]:
    """What the bar at the top shares out, and what that is: who may win, or else the first word of every battle."""
    if found.winners:
        return "", tuple(outcomes(found))
    about, words = next(iter(found.words.items()), ("", {}))
    return about, tuple(words.items())


def _shared_out(axis: Any, bar: Sequence[tuple[str, Odds]]) -> None:
    """One part of a bar, as long as it is likely, for each of them; what has no room for its name is in a legend."""
    left = 0.0
    for (name, it), colour in zip(bar, cycle(COLOURS), strict=False):
        said = f"{name} {points(it.share)}"
        fits = it.share > ROOM
        axis.barh(0, it.share, left=left, color=colour, label="" if fits or not it.share else said)
        if fits:
            axis.text(left + it.share / 2, 0, said, ha="center", va="center", color="white")
        left += it.share
    axis.set_xlim(0, 1)
    axis.set_yticks([])
    axis.set_xticks([])
    if axis.get_legend_handles_labels()[1]:
        axis.legend(fontsize=7, ncols=4, loc="upper left", bbox_to_anchor=(0, 0), frameon=False, borderpad=0)


def draw_distribution(axis: Any, name: str, it: Measure) -> None:
    """How often each range of a number came about, with its median.

    Args:
        axis: To draw on.
        name: Of the number.
        it: At least one battle has it.
    """
    values = _known(it)
    colour = COLOURS[1 if name.startswith("Defender") else 0]
    axis.hist(values, bins=_edges(values), color=colour, weights=np.full(len(values), 100 / len(values)))
    axis.axvline(float(np.median(values)), color=INK, linewidth=1, linestyle="--")
    if np.all(values == np.floor(values)):
        axis.xaxis.get_major_locator().set_params(integer=True)
    axis.set_title(f"{_titled(name, it)}, median dashed", fontsize=9, loc="left")
    axis.set_ylabel("% of runs", fontsize=8)


def _edges(values: Any) -> Any:
    """Where bars begin and end; of whole numbers each bar has equally many, or some would look rarer than they are."""
    low, high = float(values.min()), float(values.max())
    if not np.all(values == np.floor(values)):
        return np.linspace(low, high, BARS_MOST + 1)
    width = -(-int(high - low + 1) // BARS_MOST)
    return np.arange(low, high + width + 1, width) - 0.5


def _curves(figure_class: Any, cases: Sequence[Case], fought: Sequence[Replicates]) -> Any:
    """The attacker's odds with their error; below them medians of the headlines with their middle halves, by unit."""
    found = [summed_up(battles) for battles in fought]
    odds = [it.winners.attacker for it in found if it.winners]
    heads = {name: fought[0].numbers[name].unit for name in _headlines(fought)}
    units = list(dict.fromkeys(heads.values()))
    rows = bool(odds) + len(units)
    figure = figure_class(figsize=(8, 1.2 + 2.7 * rows), layout="constrained")
    if not rows:  # all that is told is 0
        return figure
    axes = list(figure.subplots(rows, 1, sharex=True, squeeze=False)[:, 0])
    values = [case.value for case in cases]
    axes[-1].set_xlabel(_plain(cases[0].label.rpartition("=")[0]))
    if odds:
        axis, low, high = axes.pop(0), [100 * it.low for it in odds], [100 * it.high for it in odds]
        axis.plot(values, [100 * it.share for it in odds], color=COLOURS[0], marker="o")
        axis.fill_between(values, low, high, color=COLOURS[0], alpha=0.2)
        axis.set_ylim(0, 100)
        axis.set_ylabel("attacker wins, %")
    for axis, unit in zip(axes, units, strict=True):
        for name, colour in zip((it for it in heads if heads[it] == unit), cycle(COLOURS), strict=False):
            its = [it.numbers[name].quantiles for it in found]
            if all(its):
                axis.plot(values, [it[2] for it in its], color=colour, marker="o", label=name)
                axis.fill_between(values, [it[1] for it in its], [it[3] for it in its], color=colour, alpha=0.2)
        axis.set_ylabel(unit)
        axis.legend(fontsize=8)
    return figure


def _plain(text: str) -> str:
    """No formula, whatever a name has in it."""
    return text.replace("$", r"\$")
