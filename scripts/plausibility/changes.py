"""What the calibration changed, number by number, and what each change is worth when it alone is taken back."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from engine.entry import Slip
from plausibility.adapter import Numbers
from plausibility.evaluation import Bench, changed
from plausibility.fights import Raw
from plausibility.metrics import Metrics
from plausibility.parameters import Parameter, number_at


@dataclass(frozen=True, slots=True)
class Change:
    """One parameter that is not as it was.

    Args:
        parameter: Which.
        was: The first of its numbers that changed, before.
        now: That number now.
        factor: Median of now over before, over all its numbers above 0.
        put_back: The metrics with this parameter as it was and all others as they are; empty where such tables do not
            fit together.
    """

    parameter: Parameter
    was: float
    now: float
    factor: float
    put_back: Metrics


def changes(
    bench: Bench,
    now: tuple[Raw, Numbers],
    before: tuple[Raw, Numbers],
    parameters: Sequence[Parameter],
    *,
    runs: int,
    seed: int,
) -> Iterator[Change]:
    """Every parameter that changed, in order.

    Args:
        bench: The rows on which each is measured.
        now: Tables and the adapter's numbers.
        before: The same, as they were.
        parameters: Which to look at.
        runs: Battles of each row.
        seed: The same seed compares like with like.
    """
    for it in parameters:
        here, there = now[it.in_adapter], before[it.in_adapter]
        pairs = {place: (number_at(there, place), number_at(here, place)) for place in it.places}
        moved = [pair for pair in pairs.values() if pair[0] != pair[1]]
        ratios = [is_now / was for was, is_now in pairs.values() if was > 0 and is_now > 0]
        if moved:
            put_back = changed(here, {place: was for place, (was, _) in pairs.items()})
            raw, numbers = (now[0], put_back) if it.in_adapter else (put_back, now[1])
            try:
                found = bench.evaluate(raw, numbers, runs=runs, seed=seed).metrics
            except Slip:  # ranks out of order
                found = {}
            factor = median(ratios) if ratios else math.inf  # from nothing
            yield Change(it, *moved[0], factor, found)
