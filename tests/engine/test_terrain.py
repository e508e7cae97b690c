"""Terrain (MAP): colours become features, pictures become squares."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.terrain import MAP_PIXELS, Feature, nearest_feature, squared, terrain_map
from tests.helpers.real_terrain import LEGEND, STRATEGY

CODE = {feature.name: code for code, feature in enumerate(LEGEND)}


def one_pixel(*rgb: int) -> NDArray[np.uint8]:
    return np.array([[rgb]], np.uint8)


def named(rgb: NDArray[np.uint8]) -> str:
    return LEGEND[int(nearest_feature(rgb, LEGEND)[0, 0])].name


def test_map_02_a_legend_colour_is_its_feature() -> None:
    assert [
        (feature, named(one_pixel(*feature.rgb)), feature.name)
        for feature in LEGEND
        if named(one_pixel(*feature.rgb)) != feature.name
    ] == []


def test_map_03_any_colour_becomes_the_nearest_feature() -> None:
    cases = [
        ((0, 255, 255), "Water"),  # cyan, the rule's own example
        ((0, 0, 255), "Water"),
        ((34, 139, 34), "Forest"),
        ((255, 255, 150), "Plain"),
        ((90, 60, 30), "High ground"),
        ((0, 0, 0), "Forest"),
        ((100, 100, 110), "Cliffs"),
    ]
    assert [(rgb, named(one_pixel(*rgb))) for rgb, _ in cases] == cases


def test_map_02_pure_blue_in_the_legend_would_turn_cyan_into_cliffs() -> None:
    """Why the legend's Water is (0, 90, 255)."""
    pure = [replace(feature, rgb=(0, 0, 255)) if feature.name == "Water" else feature for feature in LEGEND]

    assert pure[int(nearest_feature(one_pixel(0, 255, 255), pure)[0, 0])].name == "Cliffs"


def test_r_10_ties_go_to_the_earlier_entry() -> None:
    black, white = (Feature(name, rgb, 1, 1, 1) for name, rgb in (("black", (0, 0, 0)), ("white", (254, 254, 254))))
    halfway = one_pixel(127, 127, 127)

    assert nearest_feature(halfway, [black, white]) == nearest_feature(halfway, [white, black]) == 0


@given(st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=40))
def test_map_03_no_legend_colour_is_nearer_than_the_chosen(colours: list[tuple[int, int, int]]) -> None:
    """R-10: Euclid's distance in sRGB."""
    codes = nearest_feature(np.array([colours], np.uint8), LEGEND)[0]

    for colour, code in zip(colours, codes, strict=True):
        distances = [sum((a - b) ** 2 for a, b in zip(colour, feature.rgb, strict=True)) for feature in LEGEND]
        assert distances.index(min(distances)) == code


@settings(max_examples=40)
@given(height=st.integers(1, 900), width=st.integers(1, 900))
def test_map_01_any_size_becomes_400_by_400(height: int, width: int) -> None:
    """Invariant 17: clipped to the top left, padded with Plain."""
    rows, columns = np.indices((height, width))
    codes = ((rows * 7 + columns * 3) % 4 + 1).astype(np.uint8)  # no Plain in it

    square = squared(codes)

    assert square.shape == (MAP_PIXELS, MAP_PIXELS)
    seen = codes[:MAP_PIXELS, :MAP_PIXELS]
    assert np.array_equal(square[: seen.shape[0], : seen.shape[1]], seen)
    assert (square == CODE["Plain"]).sum() == MAP_PIXELS**2 - seen.size


def test_map_01_a_small_picture_is_padded_and_a_large_one_clipped() -> None:
    water = np.zeros((600, 3, 3), np.uint8) + np.array([0, 90, 255], np.uint8)

    terrain = terrain_map("strip", water, LEGEND)

    assert (terrain.codes[:, :3] == CODE["Water"]).all()
    assert (terrain.codes[:, 3:] == CODE["Plain"]).all()


def test_map_06_a_map_is_100_km_a_side() -> None:
    """R-11: 10,000 square kilometres."""
    assert STRATEGY["map_pixels"] == MAP_PIXELS
    assert MAP_PIXELS * STRATEGY["km_per_pixel"] == 100


def test_different_battlefields_have_different_digests() -> None:
    white, other = one_pixel(255, 255, 255), one_pixel(0, 128, 0)

    digest = terrain_map("A", white, LEGEND).digest

    assert digest == terrain_map("B", white, LEGEND).digest
    assert digest != terrain_map("A", other, LEGEND).digest


def test_a_loaded_map_cannot_be_changed() -> None:
    terrain = terrain_map("A", one_pixel(0, 0, 0), LEGEND)

    with pytest.raises(ValueError, match="read-only"):
        terrain.codes[0, 0] = 1


def test_map_08_on_water_the_ship_decides_the_speed() -> None:
    assert [feature.name for feature in LEGEND if feature.is_water] == ["Water"]
    water = LEGEND[CODE["Water"]]
    assert (water.efficiency, water.limitation) == (1, 1)


def test_map_08_woods_and_cliffs_hinder_and_height_helps() -> None:
    for name in ("Forest", "Cliffs"):
        feature = LEGEND[CODE[name]]
        assert feature.speed is not None
        assert max(feature.speed, feature.efficiency, feature.limitation) < 1
    high = LEGEND[CODE["High ground"]]
    assert high.speed is not None
    assert min(high.speed, high.efficiency, high.limitation) > 1
