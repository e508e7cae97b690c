"""Plots of an evaluation: four small figures for the page on plausibility."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from plausibility.cases import ERAS, Battle
from plausibility.evaluation import Evaluation
from plausibility.fights import Prediction
from plausibility.metrics import BINS, CURVE, FEWEST

SIZE = (5.2, 3.4)
"""Width and height in inches."""
HISTORY, ENGINE = "#8a8a8a", "#1f5fa8"
POSTURES = {"HD": "hasty", "PD": "prepared", "FD": "fortified"}
TYPICAL_HOURS = (0.034, 0.476)
"""Factor and power of history's hours over the men of both sides."""

Fought = Sequence[tuple[Battle, Prediction]]


def draw(found: Evaluation, battles: Sequence[Battle], folder: Path) -> list[Path]:
    """Draw the figures of an evaluation as SVG; the same evaluation gives the same files."""
    fought = list(zip(battles, found.tracks["B"], strict=True))
    mpl.rcParams |= {"svg.hashsalt": "plausibility", "svg.fonttype": "none"}
    files = []
    for name, figure in (
        ("calibration", calibration(fought)),
        ("losses", losses(fought)),
        ("durations", durations(fought)),
        ("curve", equal_quality(found)),
    ):
        files.append(folder / f"{name}.svg")
        figure.savefig(files[-1], metadata={"Date": None})
    return files


def calibration(fought: Fought) -> Figure:
    """Plot how often the attacker won by the engine's odds; bars are one standard error."""
    decided = [(found.p_attacker, battle.winner == "attacker") for battle, found in fought if battle.winner in _WINNERS]
    figure, axes = _axes("odds of the attacker, by the engine", "share of these battles he won")
    axes.plot((0, 1), (0, 1), color=HISTORY, linestyle=":")
    for bin in range(BINS):
        inside = [(p, won) for p, won in decided if min(int(p * BINS), BINS - 1) == bin]
        if inside:
            p, share = float(np.mean([p for p, _ in inside])), float(np.mean([won for _, won in inside]))
            error = float(np.sqrt(max(share * (1 - share), 0.25 / len(inside)) / len(inside)))
            axes.errorbar(p, share, yerr=error, color=ENGINE, marker="o", capsize=3)
            axes.annotate(str(len(inside)), (p, share), xytext=(7, -11), textcoords="offset points", fontsize=8)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    return figure


def losses(fought: Fought) -> Figure:
    """Plot median losses of winners and losers by era."""
    figure, axes = _axes("", "median share of the men lost")
    eras: list[str] = []
    for era in ERAS:
        known = [pair for pair in fought if pair[0].era == era and pair[0].winner in _WINNERS]
        known = [pair for pair in known if None not in pair[0].losses]
        if len(known) < FEWEST:
            continue
        place = len(eras)
        eras.append(f"{era}\n({len(known)})")
        sides = [battle.losses if battle.winner == "attacker" else battle.losses[::-1] for battle, _ in known]
        for who, shift in ((0, -0.15), (1, 0.15)):
            observed = median(float(side[who] or 0) for side in sides)
            predicted = median((prediction.winner_loss, prediction.loser_loss)[who] for _, prediction in known)
            axes.plot(place + shift, observed, "s", color=HISTORY)
            axes.plot(place + shift, predicted, "o", color=ENGINE)
    axes.set_xticks(range(len(eras)), eras)
    axes.set_ylim(bottom=0)
    axes.plot([], [], "s", color=HISTORY, label="history")
    axes.plot([], [], "o", color=ENGINE, label="engine")
    axes.legend(title="left winner, right loser", frameon=False)
    return figure


def durations(fought: Fought) -> Figure:
    """Plot hours by the men of both sides."""
    known = [(sum(army.size for army in battle.case.armies), battle.hours, found.hours) for battle, found in fought]
    figure, axes = _axes("men of both sides", "hours")
    axes.loglog(
        [men for men, hours, _ in known if hours], [hours for _, hours, _ in known if hours], ".", color=HISTORY
    )
    axes.loglog([men for men, _, _ in known], [hours for _, _, hours in known], ".", color=ENGINE)
    factor, power = TYPICAL_HOURS
    men = np.array([min(entry[0] for entry in known), max(entry[0] for entry in known)], np.float64)
    axes.loglog(men, factor * men**power, color=HISTORY, linestyle=":")
    for label, colour in (("history", HISTORY), ("engine", ENGINE)):
        axes.plot([], [], "o", color=colour, label=label)
    axes.legend(frameon=False)
    return figure


def equal_quality(found: Evaluation) -> Figure:
    """Plot the equal-quality curve in its band."""
    figure, axes = _axes("attackers to defenders", "odds of the attacker")
    ratios = list(CURVE)
    axes.fill_between(ratios, *zip(*CURVE.values(), strict=True), color=HISTORY, alpha=0.25, label="history, 90 %")
    for (posture, odds), style in zip(found.curve.items(), ("-", "--", ":"), strict=False):
        axes.plot(ratios, [odds[ratio] for ratio in ratios], style, color=ENGINE, label=f"engine, {POSTURES[posture]}")
    axes.set_xscale("log")
    axes.set_xticks(ratios, ["1:3", "1:2", "2:3", "1:1", "3:2", "2:1", "3:1", "5:1"])
    axes.minorticks_off()
    axes.legend(frameon=False)
    return figure


_WINNERS = ("attacker", "defender")


def _axes(across: str, up: str) -> tuple[Figure, Any]:
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.add_subplot()
    axes.set(xlabel=across, ylabel=up)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes
