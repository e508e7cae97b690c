"""Plausibility at a glance: a fixed fifth of the battles, every case and the curve, so that what breaks it is seen.

Seed and rows are fixed, so the figures move with the rules and their numbers alone. The full run is
`scripts/history.py`.
"""

from __future__ import annotations

import functools

import pytest
from plausibility.adapter import adapter_numbers
from plausibility.evaluation import Bench, fold_of
from plausibility.metrics import Metrics

from tests.history.rows import arena, battles, scenarios

RUNS = 25
FOLDS = 5

BOUNDS = {
    "A.brier": (0.0, 0.35),
    "B.accuracy": (0.50, 1.0),
    "B.brier": (0.0, 0.26),
    "loss.factor": (1.0, 2.2),
    "loss.bias": (0.6, 1.6),
    "structure.loser_loses_more": (0.7, 1.0),
    "duration.factor": (1.0, 2.6),
    "scenario.mean_p": (0.45, 1.0),
    "scenario.absurd": (0.0, 0.3),
    "scenario.band_2x": (0.5, 1.0),
    "curve.inside": (0.3, 1.0),
}
"""Metric to least and most: wide enough for any sound change of the numbers, too tight for nonsense."""


@functools.cache
def sample() -> Metrics:
    bench = Bench([it for it in battles() if fold_of(it.case.id, FOLDS) == 1], scenarios(), arena())
    raw = bench.arena.library.raw("autoalgo")
    return bench.evaluate(raw, adapter_numbers(), runs=RUNS, tracks=("A", "B")).metrics


@pytest.mark.parametrize("key", BOUNDS)
def test_the_sample_stays_plausible(key: str) -> None:
    least, most = BOUNDS[key]

    assert least <= sample()[key] <= most
