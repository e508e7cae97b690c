"""Targets of the metrics, what simple rules reach, and the printed table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """Target of one metric.

    Args:
        key: The key of the metric.
        says: A description of the metric.
        baseline: What simple rules reach on other battles.
        good: The minimum and maximum for a release; None is no bound.
        excellent: The minimum and maximum to aim at.
    """

    key: str
    says: str
    baseline: str
    good: tuple[float | None, float | None]
    excellent: tuple[float | None, float | None]

    def verdict(self, value: float) -> str:
        """Return `excellent`, `good` or `below`."""
        return "excellent" if _holds(value, self.excellent) else "good" if _holds(value, self.good) else "below"


TARGETS = (
    Target("A.brier", "Brier score by counts alone", "base rate .243, ratio .281", (None, 0.285), (None, 0.265)),
    Target("A.equal_auc_gap", "AUC over the ratio's, equal armies", "0", (-0.08, None), (-0.04, None)),
    Target("B.auc", "AUC", "ratio .52, logistic .92", (0.80, None), (0.86, None)),
    Target("B.accuracy", "winner called", "attacker .59, bigger .54, logistic .85", (0.72, None), (0.78, None)),
    Target("B.brier", "Brier score", "base rate .243, logistic .112", (None, 0.185), (None, 0.155)),
    Target("B.ece", "calibration error, five bins", "", (None, 0.14), (None, 0.10)),
    Target("B.calibration_slope", "slope of the outcome on logit p", "", (0.6, 2.0), (0.75, 1.5)),
    Target("C.auc", "AUC knowing the day's leadership", "logistic .97", (0.86, None), (0.91, None)),
    Target("C.accuracy", "winner called likewise", "logistic .88", (0.78, None), (0.83, None)),
    Target("loss.factor", "typical factor off", "10 % 2.05, role 1.86, linear law 1.80", (None, 2.05), (None, 1.85)),
    Target("loss.within_2x", "within a factor of 2", "role .56", (0.49, None), (0.56, None)),
    Target("loss.within_3x", "within a factor of 3", "role .75", (0.70, None), (0.77, None)),
    Target("loss.bias", "median predicted over observed", "", (0.70, 1.43), (0.80, 1.25)),
    Target("structure.winner_factor", "winners' median off by", "", (None, 1.5), (None, 1.3)),
    Target("structure.loser_factor", "losers' median off by", "", (None, 1.4), (None, 1.25)),
    Target("structure.worst_era", "either in the worst era", "", (None, 2.0), (None, 1.7)),
    Target("structure.loser_loses_more", "share of runs", "history .82", (0.70, 0.95), (0.75, 0.90)),
    Target("structure.clear_winner", "clear-cut: winners' median / history's", "", (0.67, 1.5), (0.77, 1.3)),
    Target("structure.clear_loser", "clear-cut: losers' median / history's", "", (0.71, 1.4), (0.8, 1.25)),
    Target("structure.clear_winner_more", "clear-cut: winner loses more", "history .09", (0.05, 0.13), (0.07, 0.10)),
    Target("structure.close_winner", "close: winners' median / history's", "", (0.67, 1.5), (0.77, 1.3)),
    Target("structure.close_loser", "close: losers' median / history's", "", (0.71, 1.4), (0.8, 1.25)),
    Target("structure.close_winner_more", "close: winner loses more", "history .40", (0.2, 0.6), (0.33, 0.47)),
    Target("duration.factor", "typical factor off", "constant 1.58, power law 1.61", (None, 1.9), (None, 1.65)),
    Target("duration.bias", "median predicted over observed", "", (0.65, 1.5), (0.75, 1.33)),
    Target("duration.size_corr", "correlation with ln size", "", (0.25, None), (0.45, None)),
    Target("scenario.accuracy", "historical winner favoured", "attacker .56, points .83", (0.75, None), (0.85, None)),
    Target("scenario.mean_p", "mean chance of what happened", "points .80", (0.58, None), (0.65, None)),
    Target("scenario.absurd", "share under 0.10", "points 0", (None, 0.06), (None, 0.0)),
    Target("scenario.band", "losses in their band", "", (0.45, None), (0.60, None)),
    Target("scenario.band_2x", "losses within twice of it", "", (0.65, None), (0.80, None)),
    Target("scenario.winner_2x", "winner's loss within 2 of the middle", "", (0.5, None), (0.65, None)),
    Target("scenario.loser_2x", "loser's loss likewise", "", (0.65, None), (0.75, None)),
    Target("scenario.winner_bias", "winner's loss, median over the middle", "", (0.67, 1.5), (0.77, 1.3)),
    Target("scenario.hours_2x", "hours within 2 of the middle", "", (0.55, None), (0.65, None)),
    Target("curve.inside", "equal-quality curve in its band", "", (0.90, None), (1.0, None)),
    Target("curve.in_order", "rising, defences ordered", "", (1.0, None), (1.0, None)),
)


def table(metrics: Mapping[str, float]) -> str:
    """Return every measured metric beside its bars."""
    rows = [("metric", "value", "good", "excellent", "verdict", "what it is", "baselines")]
    for target in TARGETS:
        if target.key in metrics:
            value = metrics[target.key]
            bars = (spelled(target.good), spelled(target.excellent))
            rows.append((target.key, f"{value:.3f}", *bars, target.verdict(value), target.says, target.baseline))
    return aligned(rows)


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return a table of text, each column as wide as its widest cell."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _holds(value: float, bounds: tuple[float | None, float | None]) -> bool:
    low, high = bounds
    return (low is None or value >= low) and (high is None or value <= high)


def spelled(bounds: tuple[float | None, float | None]) -> str:
    """Return bounds as text: `<= 2`, `>= 2` or `2 to 3`."""
    low, high = bounds
    if low is None:
        return f"<= {high:g}"
    return f">= {low:g}" if high is None else f"{low:g} to {high:g}"
