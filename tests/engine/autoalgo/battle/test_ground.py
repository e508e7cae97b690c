"""The ground around a flank (MAP-08)."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.autoalgo.battle.flank import around
from engine.autoalgo.battle.state import Ground
from scripts.support.small_battles import FEATURES, duel, ground_of_codes

PLAIN, WATER, CLIFFS, FOREST = (FEATURES[name] for name in ("Plain", "Water", "Cliffs", "Forest"))
NEAR_M = 500.0
PIXEL_M = 250.0


def ground(codes: NDArray[np.uint8]) -> Ground:
    """Return a battle's ground of these codes."""
    return duel(ground=ground_of_codes(codes)).tunables.ground


def mean(of: Ground, factor: str, x: int, y: int, near_m: float = NEAR_M) -> float:
    """Return the factor on a flank in the middle of a pixel."""
    return around(of, getattr(of, factor), near_m, (x + 0.5) * PIXEL_M, (y + 0.5) * PIXEL_M)


@pytest.mark.parametrize(
    ("x", "y", "cliffs"),
    [(100, 100, 1 / 25), (102, 98, 1 / 25), (103, 100, 0.0), (98, 103, 0.0), (0, 0, 4 / 9), (399, 3, 0.0)],
)
@pytest.mark.parametrize(("factor", "on_cliffs"), [("efficiency", 0.8), ("limitation", 0.6)])
def test_map_08_a_factor_is_the_mean_within_two_pixels(
    x: int, y: int, cliffs: float, factor: str, on_cliffs: float
) -> None:
    """One pixel of cliffs in the plain, and four in a corner."""
    codes = np.full((400, 400), PLAIN, np.uint8)
    codes[100, 100] = codes[:2, :2] = CLIFFS

    assert mean(ground(codes), factor, x, y) == pytest.approx(1.0 + (on_cliffs - 1.0) * cliffs)


def test_map_08_water_counts_on_water_alone() -> None:
    """Behind the shore are cliffs; from a boat they do not matter, nor does the water to those on land."""
    codes = np.full((400, 400), CLIFFS, np.uint8)
    codes[:, 200:] = WATER
    shore = ground(codes)

    assert [mean(shore, "efficiency", x, 50) for x in (199, 200)] == [0.8, 1.0]


def test_map_08_no_step_of_a_pixel_is_worth_more_than_a_fifth_of_a_border() -> None:
    codes = np.random.default_rng(8).choice([PLAIN, CLIFFS, FOREST], (400, 400)).astype(np.uint8)
    rough = ground(codes)
    found = [mean(rough, "efficiency", x, 7) for x in range(400)]

    assert 0.0 < abs(np.diff(found)[2:-2]).max() <= 0.2 / 5 + 1e-9
    assert mean(rough, "efficiency", 9, 9) == pytest.approx(rough.efficiency[codes[7:12, 7:12]].mean())


@pytest.mark.parametrize("feature", [PLAIN, CLIFFS, FOREST, WATER])
def test_map_08_even_ground_gives_its_own_factor_to_the_last_bit(feature: int) -> None:
    even = ground(np.full((400, 400), feature, np.uint8))

    assert mean(even, "limitation", 200, 200) == even.limitation[feature]


def test_map_08_without_metres_a_factor_is_that_of_the_pixel() -> None:
    codes = np.random.default_rng(8).integers(0, len(FEATURES), (400, 400)).astype(np.uint8)
    rough = ground(codes)

    assert [mean(rough, "limitation", x, 50, near_m=0.0) for x in range(400)] == rough.limitation[codes[50]].tolist()
