"""Terrain of a battle, pixel by pixel.

A map is a square of legend indices. This module converts arrays of colours to maps; callers read the pixels, for
example from a PNG.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

MAP_PIXELS = 400
"""The side of every map in pixels (MAP-01); its length on the ground depends on the scale (MAP-06, strategy table)."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One entry of the legend (MAP-02) with its factors (MAP-08)."""

    name: str  # The name in the legend
    rgb: tuple[int, int, int]  # The colour, 0 to 255 each
    speed: float | None  # The factor on speed; None on water, where ships decide the speed
    efficiency: float  # The factor on Efficiency
    limitation: float  # The factor on Limitation

    @property
    def is_water(self) -> bool:
        """Return True if ships decide the speed here (MAP-08); flanks of ships may start only on water (STRAT-12)."""
        return self.speed is None


@dataclass(frozen=True, slots=True)
class TerrainMap:
    """The terrain of one location; maps of the same name and digest are equal."""

    name: str  # The name to choose it by: the file's name (MAP-04)
    # Indices into the legend, shape (400, 400), row y (down), column x (right), read only.
    codes: NDArray[np.uint8] = field(compare=False)
    digest: str  # The SHA-256 of the codes, hexadecimal; maps with equal digests are the same battlefield


def terrain_map(name: str, rgb: NDArray[np.uint8], legend: Sequence[Feature], pixels: int = MAP_PIXELS) -> TerrainMap:
    """Convert a picture of any size to a map (MAP-01, MAP-03).

    Args:
        rgb: The picture, shape (height, width, 3).
        legend: The features in order of preference; the first one fills the area beyond the picture's edge.
    """
    codes = squared(nearest_feature(rgb[:pixels, :pixels], legend), pixels)
    codes.setflags(write=False)
    return TerrainMap(name, codes, sha256(codes.tobytes()).hexdigest())


def nearest_feature(rgb: NDArray[np.uint8], legend: Sequence[Feature]) -> NDArray[np.uint8]:
    """Return for every pixel the legend entry with the nearest colour (MAP-03).

    The distance is Euclidean in sRGB; of two equally near entries the earlier one wins (R-10).

    Args:
        rgb: The colours, shape (height, width, 3).

    Returns:
        Indices into the legend, shape (height, width).
    """
    colours, where = np.unique(rgb @ np.array([1 << 16, 1 << 8, 1], np.int32), return_inverse=True)
    channels = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=-1)
    offsets = channels[:, None] - np.array([feature.rgb for feature in legend])
    nearest: NDArray[np.uint8] = (offsets * offsets).sum(axis=2).argmin(axis=1).astype(np.uint8)
    return nearest[where].reshape(rgb.shape[:2])


def squared(codes: NDArray[np.uint8], pixels: int = MAP_PIXELS) -> NDArray[np.uint8]:
    """Return a square of the map's size (MAP-01), clipped at the top left and padded with Plain, the first entry.

    Args:
        codes: Indices into the legend, shape (height, width), any size.

    Returns:
        A new array of shape (pixels, pixels).
    """
    square = np.zeros((pixels, pixels), np.uint8)
    corner = codes[:pixels, :pixels]
    square[: corner.shape[0], : corner.shape[1]] = corner
    return square
