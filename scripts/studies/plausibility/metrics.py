"""Metrics of predictions beside what happened.

Odds are scored on decisive battles only, losses on every battle whose losses are known. A median is over all runs of a
case, whoever won them, so that the outcome does not leak into the prediction.
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
"""Margin to 0 and 1 at which odds are clipped before their logit is taken."""
LEAST_LOSS = 0.001
"""Minimum predicted share of the men, for logarithms."""
FEWEST = 5
"""Minimum battles of an era to be measured by itself."""
SLACK = 1.25
BINS = 5
ABSURD = 0.10

Metrics = dict[str, float]
Fought = Sequence[tuple[Battle, Prediction]]


def battle_metrics(by_track: Mapping[str, Fought]) -> Metrics:
    """Return every metric of the battles; missing tracks and outcomes leave theirs out.

    Args:
        by_track: The battles with their predictions by track (A, B, C); losses and durations are those of the first
            track present of B, A, C.
    """
    metrics: Metrics = {}
    for track, measure in (("A", _track_a), ("B", _track_b), ("C", _track_c)):
        fought = [pair for pair in by_track.get(track, ()) if pair[0].winner in ("attacker", "defender")]
        if fought:
            metrics |= measure(fought)
    main = next((by_track[track] for track in "BAC" if track in by_track), ())
    for part in (losses(main), structure(main), durations(main)):
        metrics |= part
    return metrics


def _odds(fought: Fought) -> tuple[list[float], list[int]]:
    return [found.p_attacker for _, found in fought], [int(battle.winner == "attacker") for battle, _ in fought]


def _track_a(fought: Fought) -> Metrics:
    metrics = {"A.brier": brier(*_odds(fought))}
    equal = [pair for pair in fought if pair[0].is_equal]
    odds, won = _odds(equal)
    if 0 < sum(won) < len(won):
        ratios = [math.log(battle.case.attacker.size / battle.case.defender.size) for battle, _ in equal]
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
    """Measure predicted over observed shares of the men, both sides of every battle together."""
    ratios = [
        max(predicted, LEAST_LOSS) / observed
        for battle, prediction in fought
        for predicted, observed in zip(prediction.losses, battle.losses, strict=True)
        if observed
    ]
    if not ratios:
        return {}
    return {
        "loss.factor": typical_factor(ratios),
        "loss.within_2x": share(1 / 2 <= ratio <= 2 for ratio in ratios),
        "loss.within_3x": share(1 / 3 <= ratio <= 3 for ratio in ratios),
        "loss.bias": median(ratios),
    }


def structure(fought: Fought) -> Metrics:
    """Measure median losses of winners and losers against history's, and who loses more.

    The same again for clear-cut battles and for close ones, those whose winner is a matter of judgement.
    """
    known = [pair for pair in fought if pair[0].winner in ("attacker", "defender") and None not in pair[0].losses]
    metrics: Metrics = {}
    if fought:
        metrics["structure.loser_loses_more"] = float(np.mean([prediction.loser_more for _, prediction in fought]))
    if known:
        winner, loser = winner_and_loser(known)
        metrics |= {"structure.winner_factor": either_way(winner), "structure.loser_factor": either_way(loser)}
        eras = [[pair for pair in known if pair[0].era == era] for era in ERAS]
        by_era = [either_way(ratio) for era in eras if len(era) >= FEWEST for ratio in winner_and_loser(era)]
        if by_era:
            metrics["structure.worst_era"] = max(by_era)
    for kind, is_clear_cut in (("clear", True), ("close", False)):
        alike = [pair for pair in known if pair[0].is_clear_cut == is_clear_cut]
        if len(alike) >= FEWEST:
            winner, loser = winner_and_loser(alike)
            more = 1 - float(np.mean([prediction.loser_more for _, prediction in alike]))
            values = {"winner": winner, "loser": loser, "winner_more": more}
            metrics |= {f"structure.{kind}_{name}": value for name, value in values.items()}
    return metrics


def winner_and_loser(known: Fought) -> tuple[float, float]:
    """Return the median loss of the winners and of the losers over history's."""
    observed: list[tuple[float, float]] = []
    for battle, _ in known:
        attacker, defender = (lost or 0.0 for lost in battle.losses)
        observed.append((attacker, defender) if battle.winner == "attacker" else (defender, attacker))
    predicted = [(prediction.winner_loss, prediction.loser_loss) for _, prediction in known]
    both = [
        max(median(pair[who] for pair in predicted), LEAST_LOSS)
        / max(median(pair[who] for pair in observed), LEAST_LOSS)
        for who in (0, 1)
    ]
    return both[0], both[1]


def durations(fought: Fought) -> Metrics:
    """Measure predicted over observed hours, and their correlation with the size of the armies."""
    known = [(battle.hours, prediction.hours, battle) for battle, prediction in fought if battle.hours]
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
    """Measure the scenarios whose winner is known, and the losses with a known band."""
    odds = [
        prediction.p_attacker if scenario.winner == "attacker" else 1 - prediction.p_attacker
        for scenario, prediction in fought
        if scenario.winner in ("attacker", "defender")
    ]
    bands = [
        (band, lost)
        for scenario, prediction in fought
        for band, lost in zip(scenario.losses, prediction.losses, strict=True)
        if band is not None
    ]
    metrics: Metrics = {}
    if odds:
        metrics["scenario.accuracy"] = share_with_halves(odds)
        metrics["scenario.mean_p"] = float(np.mean(odds))
        metrics["scenario.absurd"] = share(chance < ABSURD for chance in odds)
    if bands:
        metrics["scenario.band"] = share(is_within(lost, band, SLACK) for band, lost in bands)
        metrics["scenario.band_2x"] = share(is_within(lost, band, 2.0) for band, lost in bands)
    return metrics | sides(fought)


def sides(fought: Sequence[tuple[Scenario, Prediction]]) -> Metrics:
    """Measure hours, and losses of whichever side wins or loses, against the middles of bands, in files with halves."""
    ratios: dict[str, list[float]] = {"winner": [], "loser": [], "hours": []}
    for scenario, found in fought:
        bands = scenario.losses if scenario.winner == "attacker" else scenario.losses[::-1]
        known = zip(ratios, (*bands, scenario.hours), (found.winner_loss, found.loser_loss, found.hours), strict=True)
        if scenario.winner in ("attacker", "defender") and scenario.half:
            for key, band, value in known:
                if band:
                    middle = math.sqrt(max(band[0], LEAST_LOSS) * max(band[1], LEAST_LOSS))
                    ratios[key].append(max(value, LEAST_LOSS) / middle)
    metrics = {f"scenario.{key}_2x": share(1 / 2 <= ratio <= 2 for ratio in of) for key, of in ratios.items() if of}
    if winners := ratios["winner"]:
        metrics["scenario.winner_bias"] = median(winners)
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
"""Band (90 %) of the attacker's chance by ratio, for armies of equal quality against a hasty defence."""
NOISE = 0.03
"""Maximum difference between odds that counts as none."""


def curve_metrics(curve: Mapping[str, Mapping[float, float]]) -> Metrics:
    """Return the share of the hasty defence's points in their band, and whether the curve is in order.

    Args:
        curve: The attacker's chance by posture and ratio.
    """
    hasty = curve["HD"]
    inside = share(low <= hasty[ratio] <= high for ratio, (low, high) in CURVE.items())
    return {"curve.inside": inside, "curve.in_order": float(is_in_order(curve))}


def is_in_order(curve: Mapping[str, Mapping[float, float]]) -> bool:
    """Return True if odds rise with the ratio, and no stronger posture helps the attacker."""
    rising = all(odds[less] <= odds[more] + NOISE for odds in curve.values() for less, more in pairwise(sorted(odds)))
    postures = [curve[posture] for posture in ("HD", "PD", "FD") if posture in curve]
    ordered = all(weak[ratio] + NOISE >= strong[ratio] for weak, strong in pairwise(postures) for ratio in weak)
    return rising and ordered


def brier(odds: Sequence[float], won: Sequence[int]) -> float:
    """Return the mean squared error of the odds."""
    return float(np.mean([(p - y) * (p - y) for p, y in zip(odds, won, strict=True)]))


def accuracy(odds: Sequence[float], won: Sequence[int]) -> float:
    """Return the share of battles whose winner was predicted; odds of one half count half."""
    return share_with_halves([p if y else 1 - p for p, y in zip(odds, won, strict=True)])


def share_with_halves(odds: Sequence[float]) -> float:
    """Return the share of values above one half; a value of one half counts half."""
    return float(np.mean([1.0 if p > 0.5 else 0.5 if p == 0.5 else 0.0 for p in odds]))


def auc(scores: Sequence[float], won: Sequence[int]) -> float:
    """Return the chance that a won battle scored higher than a lost one; ties count half."""
    wins = np.array([score for score, y in zip(scores, won, strict=True) if y])
    defeats = np.array([score for score, y in zip(scores, won, strict=True) if not y])
    above = (wins[:, None] > defeats[None, :]).sum() + 0.5 * (wins[:, None] == defeats[None, :]).sum()
    return float(above / (len(wins) * len(defeats)))


def calibration_error(odds: Sequence[float], won: Sequence[int]) -> float:
    """Return the distance of odds and outcomes in five bins of equal width, weighted by their battles."""
    bins = np.minimum((np.array(odds) * BINS).astype(int), BINS - 1)
    p, y = np.array(odds), np.array(won)
    apart = [abs(p[bins == bin].mean() - y[bins == bin].mean()) * (bins == bin).mean() for bin in set(bins.tolist())]
    return float(sum(apart))


def calibration_slope(odds: Sequence[float], won: Sequence[int]) -> float:
    """Return the slope of a logistic regression on the logit of the odds; 1 is perfect, below 1 too certain."""
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
    """Return the median factor by which ratios differ from 1, up or down."""
    return math.exp(median(abs(math.log(ratio)) for ratio in ratios))


def either_way(ratio: float) -> float:
    """Return a ratio or its inverse, whichever is at least 1."""
    return max(ratio, 1 / ratio)


def is_within(value: float, band: Band, slack: float) -> bool:
    """Return True if a value lies in a band widened by a factor at both ends."""
    return band[0] / slack <= value <= band[1] * slack


def share(values: Iterable[bool]) -> float:
    """Return the share of true values."""
    flags = list(values)
    return sum(flags) / len(flags)
