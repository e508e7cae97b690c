"""The search for better factors: CMA-ES over the shortfall of an evaluation against its bars.

Chances are noisy, so that every generation is fought with other luck and the middle of the swarm counts, not its best.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import cma  # type: ignore[import-untyped]
import numpy as np

from engine.entry import Slip
from plausibility.cases import SIDES, Band
from plausibility.evaluation import Bench, Evaluation
from plausibility.metrics import CURVE
from plausibility.orderings import Check, checked
from plausibility.parameters import Space
from plausibility.targets import TARGETS
from sheets_algo.forecasts.refining import threads_at_hand

Logs = Sequence[float]
"""Logarithms of factors."""
SWARM, STEP = 14, 0.15
LUCKS = 5
"""Seeds that take turns."""
STAY, STRAY = 0.15, 1000.0
"""What a squared logarithm of a factor costs, and numbers that do not fit together."""
WEIGHTS = {
    "A.brier": 1.5, "B.auc": 3.0, "B.accuracy": 2.0, "B.brier": 3.0, "C.auc": 2.0, "C.accuracy": 2.0,
    "structure.loser_loses_more": 1.5, "scenario.accuracy": 2.0, "scenario.absurd": 3.0, "scenario.band": 2.0,
    "scenario.band_2x": 2.0,
}  # fmt: skip
"""Of a metric's shortfall; 1 for others."""
MARGIN = 0.15
"""How far beyond its bar a metric should be, as a share of the way from good to excellent."""
FAIR, LIKELY, LEAST_LOSS = 0.13, 0.52, 0.003
TOO_SURE = 2.0
"""Of odds above what historians give what happened."""
ORDERING_RUNS = 8
"""The orderings are few, so they are fought this many times as often as a row."""
ORDERING_WEIGHT, ORDERING_ROOM, ORDERING_MOST = 20.0, 0.01, 0.25
"""Of what an ordering is short of; what it should have to spare; most that counts."""


@dataclass(frozen=True, slots=True)
class Fit:
    """What a search found.

    Args:
        factors: Of the parameters, in order.
        cost: Before and after, fought with other luck than the search's.
        generations: How many there were.
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
    tell: Callable[[str], None] = lambda _: None,
) -> Fit:
    """Search for better factors, from all of them at 1.

    Args:
        bench: The rows to fit.
        space: What may change.
        minutes: How long; one generation is fought at least.
        runs: Battles of each row.
        seed: The same seed and as many generations find the same.
        step: Spread of the first generation, of the logarithms.
        tell: Gets a line now and then.
    """
    lows = np.log([it.least for it in space.parameters])
    highs = np.log([it.most for it in space.parameters])

    def price(logs: Logs, luck: int, times: int = 1) -> float:
        held = np.clip(logs, lows, highs)
        outside = float(np.square(np.asarray(logs) - held).sum())
        try:
            numbers = space.candidate(np.exp(held).tolist())
            found = bench.evaluate(*numbers, runs=runs * times, seed=luck)
            checks = checked(bench.arena, *numbers, seed=luck, runs=ORDERING_RUNS * runs * times)
        except (Slip, ValueError):  # ranks out of order, numbers that no workbook takes
            return STRAY
        return cost(bench, found) + disorder(checks) + STAY * float(np.square(logs).sum()) + outside

    start = [0.0] * len(space.parameters)
    options = {"popsize": SWARM, "verbose": -9, "seed": seed + 1}
    swarm = cma.CMAEvolutionStrategy(start, step, options)
    ends, generation = time.monotonic() + 60 * minutes, 0
    with side_by_side(price) as prices_of:
        while generation == 0 or time.monotonic() < ends:
            tried = swarm.ask()
            prices = prices_of(tried, seed + generation % LUCKS)
            swarm.tell(tried, prices)
            generation += 1
            tell(f"generation {generation}: best {min(prices):.2f}, middle {float(np.median(prices)):.2f}")
    middle = np.clip(swarm.result.xfavorite, lows, highs)
    before, after = (price(logs, seed + LUCKS, 2) for logs in (start, middle))
    kept = middle if after < before else np.zeros(len(start))
    return Fit(tuple(np.exp(kept).tolist()), (before, min(before, after)), generation)


@contextlib.contextmanager
def side_by_side(price: Callable[[Logs, int], float]) -> Iterator[Callable[[Sequence[Logs], int], list[float]]]:
    """Prices of many at once, each in a process of its own where the system can fork; the prices are the same."""
    if "fork" not in multiprocessing.get_all_start_methods():
        yield lambda tried, luck: [price(logs, luck) for logs in tried]
        return
    with multiprocessing.get_context("fork").Pool(threads_at_hand(), _remember, (price,)) as pool:
        yield lambda tried, luck: pool.starmap(_priced, [(logs, luck) for logs in tried], chunksize=1)


_PRICE: list[Callable[[Logs, int], float]] = []
"""What a forked process prices with: it cannot be sent there."""


def _remember(price: Callable[[Logs, int], float]) -> None:
    _PRICE[:] = [price]


def _priced(logs: Logs, luck: int) -> float:
    return _PRICE[0](logs, luck)


def cost(bench: Bench, found: Evaluation) -> float:
    """How far an evaluation is from its bars, with smooth terms where the metrics are stairs; 0 is best."""
    total = 0.0
    for target in TARGETS:
        if target.key in found.metrics and not target.key.startswith("curve."):
            missing = _missing(found.metrics[target.key], target.good, target.excellent)
            total += WEIGHTS.get(target.key, 1.0) * (missing + 0.3 * missing * missing)
    for ratio, band in CURVE.items():
        if "HD" in found.curve:
            total += 60 * _outside(found.curve["HD"][ratio], band, 0.02)
    for scenario, it in zip(bench.scenarios, found.scenarios, strict=True):
        if scenario.winner in SIDES:
            chance = it.p_attacker if scenario.winner == SIDES[0] else 1 - it.p_attacker
            total += 8 * max(FAIR - chance, 0.0) + max(LIKELY - chance, 0.0)
            if scenario.odds:
                total += TOO_SURE * max(chance - scenario.odds[1], 0.0)
        for known, lost in zip(scenario.losses, it.losses, strict=True):
            if known is not None:
                logs = (math.log(max(known[0], LEAST_LOSS) / 1.2), math.log(max(known[1], LEAST_LOSS) * 1.2))
                total += 0.12 * min(_outside(math.log(max(lost, LEAST_LOSS)), logs, 0.0), 1.5)
    return total + 50 * found.metrics.get("B.brier", 0.0)


def disorder(checks: Sequence[Check]) -> float:
    """How far the orderings are from holding with room to spare; 0 is best."""
    return ORDERING_WEIGHT * sum(min(max(it.short + ORDERING_ROOM, 0.0), ORDERING_MOST) for it in checks)


def _missing(
    value: float, good: tuple[float | None, float | None], excellent: tuple[float | None, float | None]
) -> float:
    """How far short of excellent, in ways from good to excellent."""
    missing = 0.0
    for bar, least, sign in ((excellent[0], good[0], 1.0), (excellent[1], good[1], -1.0)):
        if bar is not None and least is not None:
            way = abs(bar - least) or 0.05
            missing = max(missing, sign * (bar - value) / way + MARGIN)
    return missing


def _outside(value: float, band: Band, margin: float) -> float:
    return max(band[0] + margin - value, value - band[1] + margin, 0.0)
