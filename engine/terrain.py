"""Terrain: what the ground of a battle is, pixel by pixel.

A map is a square of legend indices. Where its pixels come from (a PNG, a test, a drawing program) is somebody else's
business: here colours become features and squares become maps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

MAP_PIXELS = 400
"""Side of every map (MAP-01). Its length on the ground is the scale's business (MAP-06, strategy table)."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One entry of the legend (MAP-02) with its factors (MAP-08).

    Args:
        name: As the legend spells it.
        rgb: Its colour, 0 to 255 each.
        speed: Factor on speed; None where ships carry the flank and decide its speed.
        efficiency: Factor on Efficiency.
        limitation: Factor on Limitation.
    """

    name: str
    rgb: tuple[int, int, int]
    speed: float | None
    efficiency: float
    limitation: float

    @property
    def is_water(self) -> bool:
        """Whether the ship decides the speed here (MAP-08): flanks of ships may start only there (STRAT-12)."""
        return self.speed is None


@dataclass(frozen=True, eq=False, slots=True)
class TerrainMap:
    """The ground of one location.

    Args:
        name: What people choose it by, the file's name (MAP-04).
        codes: Indices into the legend, shape (400, 400), row y (down), column x (right), read only.
        digest: SHA-256 of the codes, hexadecimal: two maps with one digest are one battlefield.
    """

    name: str
    codes: NDArray[np.uint8]
    digest: str


def terrain_map(name: str, rgb: NDArray[np.uint8], legend: Sequence[Feature], pixels: int = MAP_PIXELS) -> TerrainMap:
    """The map that a picture of any size shows (MAP-01, MAP-03).

    Args:
        name: The map's name.
        rgb: The picture, shape (height, width, 3).
        legend: In order of preference; the first entry is the ground beyond the picture's edge.
        pixels: Side of the map.
    """
    codes = squared(nearest_feature(rgb[:pixels, :pixels], legend), pixels)
    codes.setflags(write=False)
    return TerrainMap(name, codes, sha256(codes.tobytes()).hexdigest())


def nearest_feature(rgb: NDArray[np.uint8], legend: Sequence[Feature]) -> NDArray[np.uint8]:
    """The legend entry whose colour is nearest, for every pixel (MAP-03).

    Nearest is Euclid's distance in sRGB; of two equally near entries the earlier one wins (R-10).

    Args:
        rgb: Colours, shape (height, width, 3).
        legend: At least one entry.

    Returns:
        Indices into the legend, shape (height, width).
    """
    pixels = rgb.astype(np.int32)
    nearest = np.zeros(rgb.shape[:2], np.uint8)
    smallest = np.full(rgb.shape[:2], np.iinfo(np.int32).max, np.int32)
    for index, feature in enumerate(legend):
        away = pixels - np.array(feature.rgb, np.int32)
        distance = (away * away).sum(axis=2, dtype=np.int32)
        closer = distance < smallest
        nearest[closer] = index
        smallest[closer] = distance[closer]
    return nearest


def squared(codes: NDArray[np.uint8], pixels: int = MAP_PIXELS) -> NDArray[np.uint8]:
    """A square of the map's size (MAP-01): clipped to the top left, padded with Plain, the legend's first entry.

    Args:
        codes: Indices into the legend, shape (height, width), any size.
        pixels: Side of the square.

    Returns:
        A new array of shape (pixels, pixels).
    """
    square = np.zeros((pixels, pixels), np.uint8)
    corner = codes[:pixels, :pixels]
    square[: corner.shape[0], : corner.shape[1]] = corner
    return square


def has_water(terrain: TerrainMap, legend: Sequence[Feature]) -> bool:
    """Whether ships can fight on this map (STRAT-12)."""
    water = [index for index, feature in enumerate(legend) if feature.is_water]
    return bool(np.isin(terrain.codes, water).any())
