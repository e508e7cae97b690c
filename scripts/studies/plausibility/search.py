"""Search for better factors: CMA-ES over the shortfall of an evaluation against its targets.

Chances are noisy, so that generations are fought with different seeds and the mean of the swarm counts, not its best.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.config_value import TableError
from plausibility.cases import SIDES, Band
from plausibility.evaluation import Bench, Evaluation
from plausibility.metrics import CURVE
from plausibility.orderings import Check, checked
from plausibility.parameters import Space
from plausibility.targets import TARGETS
from sheets_algo.forecasts.sampling import available_threads

Logs = Sequence[float]
"""Logarithms of factors."""
SWARM, STEP = 14, 0.15
LUCKS = 5
"""Number of seeds that take turns."""
STAY, STRAY = 0.15, 1000.0
"""Cost of a squared logarithm of a factor, and of numbers that do not fit together."""
WEIGHTS = {
    "A.brier": 1.5, "B.auc": 3.0, "B.accuracy": 2.0, "B.brier": 3.0, "C.auc": 2.0, "C.accuracy": 2.0,
    "structure.loser_loses_more": 1.5, "scenario.accuracy": 2.0, "scenario.absurd": 3.0, "scenario.band": 2.0,
    "scenario.band_2x": 2.0, "plain.accuracy": 2.0, "plain.absurd": 3.0, "plain.band": 2.0, "plain.band_2x": 2.0,
}  # fmt: skip
"""Weights of the shortfalls of metrics; 1 for others."""
MARGIN = 0.15
"""Amount by which a metric should exceed its bar, as a share of the distance from good to excellent."""
FAIR, LIKELY, LEAST_LOSS = 0.13, 0.52, 0.003
TOO_SURE = 2.0
"""Weight of odds above those that historians give what happened."""
ORDERING_RUNS = 8
"""Factor on the runs of a row for the ordering checks, which are few."""
ORDERING_WEIGHT, ORDERING_ROOM, ORDERING_MOST = 20.0, 0.01, 0.25
"""Weight of an ordering's shortfall; margin by which it should hold; maximum shortfall that counts."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Result of a search.

    Args:
        factors: The factors of the parameters, in order.
        cost: The cost before and after, fought with a seed that the search has not used.
        generations: The number of generations.
    """

    factors: tuple[float, ...]
    cost: tuple[float, float]
    generations: int


def fit(
    bench: Bench,
    space: Space,
    *,
    minutes: float,
    runs: int,
    seed: int,
    step: float = STEP,
    swarm_size: int = SWARM,
    tell: Callable[[str], None] = lambda _: None,
) -> Fit:
    """Search for better factors, starting with 1 for all of them.

    Args:
        bench: The rows to fit.
        space: The parameters.
        minutes: The duration; one generation is fought at least.
        runs: The battles of each row.
        seed: The seed; the result depends only on it and the number of generations.
        step: The spread of the first generation's logarithms.
        swarm_size: The candidates of a generation.
        tell: A callback for lines of progress.
    """
    import cma  # type: ignore[import-untyped]  # with matplotlib, a second that only this function needs

    lows = np.log([parameter.least for parameter in space.parameters])
    highs = np.log([parameter.most for parameter in space.parameters])

    def cost_of(logs: Logs, luck_seed: int, times: int = 1) -> float:
        clipped = np.clip(logs, lows, highs)
        outside = float(np.square(np.asarray(logs) - clipped).sum())
        try:
            numbers = space.candidate(np.exp(clipped).tolist())
            found = bench.evaluate(*numbers, runs=runs * times, seed=luck_seed)
            checks = checked(bench.arena, *numbers, seed=luck_seed, runs=ORDERING_RUNS * runs * times)
        except (TableError, ValueError):  # ranks out of order, or numbers that a workbook refuses
            return STRAY
        return cost(bench, found) + disorder(checks) + STAY * float(np.square(logs).sum()) + outside

    start = [0.0] * len(space.parameters)
    options = {"popsize": swarm_size, "verbose": -9, "seed": seed + 1}
    swarm = cma.CMAEvolutionStrategy(start, step, options)
    deadline, generation = time.monotonic() + 60 * minutes, 0
    with parallel_costs(cost_of) as costs_of:
        while generation == 0 or time.monotonic() < deadline:
            candidates = swarm.ask()
            costs = costs_of(candidates, seed + generation % LUCKS)
            swarm.tell(candidates, costs)
            generation += 1
            tell(f"generation {generation}: best {min(costs):.2f}, middle {float(np.median(costs)):.2f}")
    middle = np.clip(swarm.result.xfavorite, lows, highs)
    before, after = (cost_of(logs, seed + LUCKS, 2) for logs in (start, middle))
    best = middle if after < before else np.zeros(len(start))
    return Fit(tuple(np.exp(best).tolist()), (before, min(before, after)), generation)


@contextlib.contextmanager
def parallel_costs(cost_of: Callable[[Logs, int], float]) -> Iterator[Callable[[Sequence[Logs], int], list[float]]]:
    """Yield a function for the costs of many candidates, with a process per thread where the system can fork."""
    if "fork" not in multiprocessing.get_all_start_methods():
        yield lambda candidates, seed: [cost_of(logs, seed) for logs in candidates]
        return
    with multiprocessing.get_context("fork").Pool(available_threads(), _set_cost, (cost_of,)) as pool:
        yield lambda candidates, seed: pool.starmap(_cost, [(logs, seed) for logs in candidates], chunksize=1)


_COST: list[Callable[[Logs, int], float]] = []
"""Cost function of a forked process, which cannot be sent to it."""


def _set_cost(cost_of: Callable[[Logs, int], float]) -> None:
    _COST[:] = [cost_of]


def _cost(logs: Logs, seed: int) -> float:
    return _COST[0](logs, seed)


def cost(bench: Bench, found: Evaluation) -> float:
    """Return the distance of an evaluation from its targets, with smooth terms for stepped metrics; 0 is best."""
    total = 0.0
    for target in TARGETS:
        if target.key in found.metrics and not target.key.startswith("curve."):
            missing = _missing(found.metrics[target.key], target.good, target.excellent)
            total += WEIGHTS.get(target.key, 1.0) * (missing + 0.3 * missing * missing)
    for ratio, band in CURVE.items():
        if "HD" in found.curve:
            total += 60 * _outside(found.curve["HD"][ratio], band, 0.02)
    cases = list(zip(bench.scenarios, found.scenarios, strict=True))
    if bench.plain:
        cases += zip(bench.plain.scenarios, found.plain, strict=True)
    for scenario, prediction in cases:
        if scenario.winner in SIDES:
            chance = prediction.p_attacker if scenario.winner == SIDES[0] else 1 - prediction.p_attacker
            total += 8 * max(FAIR - chance, 0.0) + max(LIKELY - chance, 0.0)
            if scenario.odds:
                total += TOO_SURE * max(chance - scenario.odds[1], 0.0)
        for known, lost in zip(scenario.losses, prediction.losses, strict=True):
            if known is not None:
                logs = (math.log(max(known[0], LEAST_LOSS) / 1.2), math.log(max(known[1], LEAST_LOSS) * 1.2))
                total += 0.12 * min(_outside(math.log(max(lost, LEAST_LOSS)), logs, 0.0), 1.5)
    return total + 50 * found.metrics.get("B.brier", 0.0)


def disorder(checks: Sequence[Check]) -> float:
    """Return how far the orderings are from holding with a margin; 0 is best."""
    return ORDERING_WEIGHT * sum(min(max(check.short + ORDERING_ROOM, 0.0), ORDERING_MOST) for check in checks)


def _missing(
    value: float, good: tuple[float | None, float | None], excellent: tuple[float | None, float | None]
) -> float:
    """Return the shortfall from excellent, as a multiple of the distance from good to excellent."""
    missing = 0.0
    for bar, least, sign in ((excellent[0], good[0], 1.0), (excellent[1], good[1], -1.0)):
        if bar is not None and least is not None:
            distance = abs(bar - least) or 0.05
            missing = max(missing, sign * (bar - value) / distance + MARGIN)
    return missing


def _outside(value: float, band: Band, margin: float) -> float:
    return max(band[0] + margin - value, value - band[1] + margin, 0.0)
