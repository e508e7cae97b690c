"""What is measured: predictions beside what happened.

Odds are scored on decisive battles only, losses on every battle whose losses are known. A median is over all runs of a
case, whoever won them, so that nothing of the outcome leaks into the prediction.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import median

import numpy as np

from plausibility.cases import ERAS, Band, Battle, Scenario
from plausibility.fights import Prediction

SURE = 0.01
"""Odds are held between this and 1 less this before their logit is taken."""
LEAST_LOSS = 0.001
"""A predicted share of the men below this counts as this, for logarithms."""
FEWEST = 5
"""Battles that an era needs to be measured by itself."""
SLACK = 1.25
BINS = 5
ABSURD = 0.10

Metrics = dict[str, float]
Fought = Sequence[tuple[Battle, Prediction]]


def battle_metrics(by_track: Mapping[str, Fought]) -> Metrics:
    """Every metric of the battles whose outcome is known; tracks and outcomes that are missing leave theirs out.

    Args:
        by_track: A, B, C to battles with their predictions; losses and durations are those of the most honest track
            there is: B, else A, else C.
    """
    metrics: Metrics = {}
    for track, measure in (("A", _track_a), ("B", _track_b), ("C", _track_c)):
        fought = [(battle, it) for battle, it in by_track.get(track, ()) if battle.winner in ("attacker", "defender")]
        if fought:
            metrics |= measure(fought)
    main = next((by_track[track] for track in "BAC" if track in by_track), ())
    for part in (losses(main), structure(main), durations(main)):
        metrics |= part
    return metrics


def _odds(fought: Fought) -> tuple[list[float], list[int]]:
    return [it.p_attacker for _, it in fought], [int(battle.winner == "attacker") for battle, _ in fought]


def _track_a(fought: Fought) -> Metrics:
    metrics = {"A.brier": brier(*_odds(fought))}
    equal = [pair for pair in fought if pair[0].is_equal]
    odds, won = _odds(equal)
    if 0 < sum(won) < len(won):
        ratios = [math.log(it.case.attacker.size / it.case.defender.size) for it, _ in equal]
        metrics["A.equal_auc_gap"] = auc(odds, won) - auc(ratios, won)
    return metrics


def _track_b(fought: Fought) -> Metrics:
    odds, won = _odds(fought)
    metrics = {"B.accuracy": accuracy(odds, won), "B.brier": brier(odds, won), "B.ece": calibration_error(odds, won)}
    if 0 < sum(won) < len(won):
        metrics |= {"B.auc": auc(odds, won), "B.calibration_slope": calibration_slope(odds, won)}
    return metrics


def _track_c(fought: Fought) -> Metrics:
    odds, won = _odds(fought)
    metrics = {"C.accuracy": accuracy(odds, won)}
    if 0 < sum(won) < len(won):
        metrics["C.auc"] = auc(odds, won)
    return metrics


def losses(fought: Fought) -> Metrics:
    """Predicted over observed share of the men, both sides of every battle together."""
    ratios = [
        max(predicted, LEAST_LOSS) / observed
        for battle, it in fought
        for predicted, observed in zip(it.losses, battle.losses, strict=True)
        if observed
    ]
    if not ratios:
        return {}
    return {
        "loss.factor": typical_factor(ratios),
        "loss.within_2x": share(1 / 2 <= it <= 2 for it in ratios),
        "loss.within_3x": share(1 / 3 <= it <= 3 for it in ratios),
        "loss.bias": median(ratios),
    }


def structure(fought: Fought) -> Metrics:
    """Median loss of winners and losers against history's, and who loses more."""
    known = [
        (battle, it) for battle, it in fought if battle.winner in ("attacker", "defender") and None not in battle.losses
    ]
    metrics: Metrics = {}
    if fought:
        metrics["structure.loser_loses_more"] = float(np.mean([it.loser_more for _, it in fought]))
    if known:
        winner, loser = winner_and_loser(known)
        metrics |= {"structure.winner_factor": either_way(winner), "structure.loser_factor": either_way(loser)}
        eras = [[pair for pair in known if pair[0].era == era] for era in ERAS]
        by_era = [either_way(it) for era in eras if len(era) >= FEWEST for it in winner_and_loser(era)]
        if by_era:
            metrics["structure.worst_era"] = max(by_era)
    return metrics


def winner_and_loser(known: Fought) -> tuple[float, float]:
    """Median loss of the winners and of the losers over history's."""
    observed: list[tuple[float, float]] = []
    for battle, _ in known:
        attacker, defender = (it or 0.0 for it in battle.losses)
        observed.append((attacker, defender) if battle.winner == "attacker" else (defender, attacker))
    predicted = [(it.winner_loss, it.loser_loss) for _, it in known]
    both = [
        max(median(pair[who] for pair in predicted), LEAST_LOSS)
        / max(median(pair[who] for pair in observed), LEAST_LOSS)
        for who in (0, 1)
    ]
    return both[0], both[1]


def durations(fought: Fought) -> Metrics:
    """Predicted over observed hours, and how they grow with the armies."""
    known = [(battle.hours, it.hours, battle) for battle, it in fought if battle.hours]
    if not known:
        return {}
    ratios = [max(predicted, 0.5) / observed for observed, predicted, _ in known]
    sizes = [math.log(battle.case.attacker.size + battle.case.defender.size) for _, _, battle in known]
    metrics = {"duration.factor": typical_factor(ratios), "duration.bias": median(ratios)}
    hours = [math.log(max(predicted, 0.5)) for _, predicted, _ in known]
    if len(set(hours)) > 1 and len(set(sizes)) > 1:
        metrics["duration.size_corr"] = float(np.corrcoef(hours, sizes)[0, 1])
    return metrics


def scenario_metrics(fought: Sequence[tuple[Scenario, Prediction]]) -> Metrics:
    """The scenarios whose winner is known, and the losses whose band is."""
    odds = [
        it.p_attacker if scenario.winner == "attacker" else 1 - it.p_attacker
        for scenario, it in fought
        if scenario.winner in ("attacker", "defender")
    ]
    bands = [
        (band, lost)
        for scenario, it in fought
        for band, lost in zip(scenario.losses, it.losses, strict=True)
        if band is not None
    ]
    metrics: Metrics = {}
    if odds:
        metrics["scenario.accuracy"] = share_with_halves(odds)
        metrics["scenario.mean_p"] = float(np.mean(odds))
        metrics["scenario.absurd"] = share(it < ABSURD for it in odds)
    if bands:
        metrics["scenario.band"] = share(is_within(lost, band, SLACK) for band, lost in bands)
        metrics["scenario.band_2x"] = share(is_within(lost, band, 2.0) for band, lost in bands)
    return metrics


CURVE: Mapping[float, Band] = {
    1 / 3: (0.02, 0.25),
    1 / 2: (0.07, 0.33),
    2 / 3: (0.13, 0.40),
    1.0: (0.30, 0.52),
    3 / 2: (0.46, 0.73),
    2.0: (0.55, 0.86),
    3.0: (0.65, 0.95),
    5.0: (0.74, 0.99),
}
"""Attackers to defenders of equal quality: the 90 % band of the attacker's chance against a hasty defence."""
NOISE = 0.03
"""Odds may differ by this without being taken for different."""


def curve_metrics(curve: Mapping[str, Mapping[float, float]]) -> Metrics:
    """Share of the points of the hasty defence that lie in their band; 0 unless the curve is in order.

    Args:
        curve: Posture to ratio to the attacker's chance.
    """
    hasty = curve["HD"]
    inside = share(low <= hasty[ratio] <= high for ratio, (low, high) in CURVE.items())
    return {"curve.inside": inside, "curve.in_order": float(is_in_order(curve))}


def is_in_order(curve: Mapping[str, Mapping[float, float]]) -> bool:
    """Whether odds rise with the ratio, and no stronger posture helps the attacker."""
    rising = all(odds[less] <= odds[more] + NOISE for odds in curve.values() for less, more in pairwise(sorted(odds)))
    postures = [curve[posture] for posture in ("HD", "PD", "FD") if posture in curve]
    ordered = all(weak[ratio] + NOISE >= strong[ratio] for weak, strong in pairwise(postures) for ratio in weak)
    return rising and ordered


def brier(odds: Sequence[float], won: Sequence[int]) -> float:
    """Mean square of what the odds missed."""
    return float(np.mean([(p - y) * (p - y) for p, y in zip(odds, won, strict=True)]))


def accuracy(odds: Sequence[float], won: Sequence[int]) -> float:
    """Share of the battles whose winner was called; odds of one half call half of him."""
    return share_with_halves([p if y else 1 - p for p, y in zip(odds, won, strict=True)])


def share_with_halves(odds: Sequence[float]) -> float:
    """Share above one half, those at it counted half."""
    return float(np.mean([1.0 if p > 0.5 else 0.5 if p == 0.5 else 0.0 for p in odds]))


def auc(scores: Sequence[float], won: Sequence[int]) -> float:
    """Chance that a battle that was won scored higher than one that was lost; ties count half."""
    wins = np.array([score for score, y in zip(scores, won, strict=True) if y])
    defeats = np.array([score for score, y in zip(scores, won, strict=True) if not y])
    above = (wins[:, None] > defeats[None, :]).sum() + 0.5 * (wins[:, None] == defeats[None, :]).sum()
    return float(above / (len(wins) * len(defeats)))


def calibration_error(odds: Sequence[float], won: Sequence[int]) -> float:
    """Five bins of equal width: how far odds and outcomes are apart, by the number of battles in each."""
    bins = np.minimum((np.array(odds) * BINS).astype(int), BINS - 1)
    p, y = np.array(odds), np.array(won)
    apart = [abs(p[bins == it].mean() - y[bins == it].mean()) * (bins == it).mean() for it in set(bins.tolist())]
    return float(sum(apart))


def calibration_slope(odds: Sequence[float], won: Sequence[int]) -> float:
    """Slope of a logistic regression of the outcome on the logit of the odds; 1 is perfect, below 1 is too sure."""
    p = np.clip(np.array(odds), SURE, 1 - SURE)
    x = np.column_stack([np.ones(len(p)), np.log(p / (1 - p))])
    y = np.array(won, np.float64)
    weights = np.zeros(2)
    for _ in range(50):
        fit = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        curvature = (x * (fit * (1 - fit))[:, None]).T @ x + 1e-6 * np.eye(2)
        step = np.linalg.solve(curvature, x.T @ (y - fit))
        weights += step
        if float(np.abs(step).max()) < 1e-9:
            break
    return float(weights[1])


def typical_factor(ratios: Iterable[float]) -> float:
    """The factor by which half of them are off, up or down."""
    return math.exp(median(abs(math.log(it)) for it in ratios))


def either_way(ratio: float) -> float:
    """A factor of at least 1, whichever way it is off."""
    return max(ratio, 1 / ratio)


def is_within(value: float, band: Band, slack: float) -> bool:
    """Whether a value lies in a band widened by a factor at both ends."""
    return band[0] / slack <= value <= band[1] * slack


def share(which: Iterable[bool]) -> float:
    """Share of the true ones."""
    them = list(which)
    return sum(them) / len(them)
