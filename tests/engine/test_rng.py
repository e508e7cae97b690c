"""The luck every ruling draws from (R-25)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rng import Rng

SEEDS = st.integers(0, 2**64 - 1)


@given(seed=SEEDS, replicate=st.integers(0, 10_000), hour=st.integers(0, 2_000))
def test_r_25_a_block_equals_its_single_draws(seed: int, replicate: int, hour: int) -> None:
    luck = Rng(seed, replicate)

    block = luck.block(hour, 5, 7)

    single = [[luck.uniform(purpose, hour, index) for index in range(5)] for purpose in range(7)]
    assert block.tolist() == single


@given(seed=SEEDS, hour=st.integers(0, 2_000))
def test_r_25_more_flanks_or_purposes_keep_the_other_draws(seed: int, hour: int) -> None:
    small, large = Rng(seed).block(hour, 3, 4), Rng(seed).block(hour, 9, 21)

    assert (large[:4, :3] == small).all()


def test_r_25_draws_never_change_between_versions() -> None:
    """Every ruling made so far stands on these numbers."""
    drawn = [
        Rng(0).uniform(0),
        Rng(1066).uniform(7, hour=3, index=2),
        Rng(2**64 - 1, replicate=9).uniform(20, hour=1200, index=197),
    ]

    assert drawn == [0.47141042966848024, 0.7995236639078268, 0.7355592040587712]


@given(seed=SEEDS, purpose=st.integers(0, 100), hour=st.integers(0, 1_200), index=st.integers(0, 200))
def test_r_25_a_draw_lies_between_its_bounds(seed: int, purpose: int, hour: int, index: int) -> None:
    assert 0.0 <= Rng(seed).uniform(purpose, hour, index) < 1.0
    assert -10.0 <= Rng(seed).uniform(purpose, hour, index, -10.0, 10.0) < 10.0


@pytest.mark.parametrize("changed", ["seed", "replicate", "hour", "purpose", "index"])
def test_r_25_every_counter_changes_the_draw(changed: str) -> None:
    counters = {"seed": 5, "replicate": 0, "hour": 1, "purpose": 2, "index": 3}
    draws = set()
    for value in range(1_000):
        varied = counters | {changed: value}
        draws.add(Rng(varied["seed"], varied["replicate"]).uniform(varied["purpose"], varied["hour"], varied["index"]))

    assert len(draws) == 1_000


def test_r_25_draws_are_uniform_and_independent() -> None:
    """Chi-square over 100 cells, and the correlation of neighbours, each far inside its bound for 99.99 %."""
    draws = np.concatenate([Rng(42).block(hour, 100, 20).ravel() for hour in range(50)])

    counts = np.histogram(draws, bins=100, range=(0.0, 1.0))[0]
    expected = draws.size / 100
    assert float((((counts - expected) * (counts - expected)) / expected).sum()) < 160
    assert abs(float(np.corrcoef(draws[:-1], draws[1:])[0, 1])) < 4 / math.sqrt(draws.size)


def test_whole_numbers_include_both_ends_and_are_equally_likely() -> None:
    luck = Rng(7)

    rolled = [luck.whole(3, 1, 6, hour=hour) for hour in range(6_000)]

    assert sorted(set(rolled)) == [1, 2, 3, 4, 5, 6]
    assert all(880 < rolled.count(face) < 1_120 for face in range(1, 7))
