"""Changes of the calibration, number by number, with the metrics when one change alone is undone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from engine.config_value import TableError
from plausibility.adapter import Numbers
from plausibility.evaluation import Bench, changed
from plausibility.fights import Raw
from plausibility.metrics import Metrics
from plausibility.parameters import Parameter, number_at


@dataclass(frozen=True, slots=True)
class Change:
    """One changed parameter.

    Args:
        parameter: The parameter.
        was: The first of its changed numbers, before.
        now: The same number now.
        factor: The median of now over before, over all its numbers above 0.
        put_back: The metrics with this parameter alone undone; empty where such tables do not fit together.
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
    """Yield every changed parameter, in order.

    Args:
        bench: The rows on which each change is measured.
        now: The tables and the adapter's numbers.
        before: The same before the calibration.
        parameters: The parameters to compare.
        runs: The battles of each row.
        seed: The seed; use the same one for comparisons.
    """
    for parameter in parameters:
        current, previous = now[parameter.in_adapter], before[parameter.in_adapter]
        pairs = {place: (number_at(previous, place), number_at(current, place)) for place in parameter.places}
        moved = [pair for pair in pairs.values() if pair[0] != pair[1]]
        ratios = [is_now / was for was, is_now in pairs.values() if was > 0 and is_now > 0]
        if moved:
            put_back = changed(current, {place: was for place, (was, _) in pairs.items()})
            raw, numbers = (now[0], put_back) if parameter.in_adapter else (put_back, now[1])
            try:
                found = bench.evaluate(raw, numbers, runs=runs, seed=seed).metrics
            except TableError:  # ranks out of order
                found = {}
            factor = median(ratios) if ratios else math.inf  # from nothing
            yield Change(parameter, *moved[0], factor, found)
