"""Pixels of a terrain map by feature: water, land, and the nearest of a set."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.autoalgo.setup.tables import Tables
from engine.terrain import TerrainMap


def is_on_water(terrain: TerrainMap, x: float, y: float, tables: Tables) -> bool:
    """Return True if the pixel nearest to a place is Water."""
    last = terrain.codes.shape[0] - 1
    column, row = min(max(math.floor(x + 0.5), 0), last), min(max(math.floor(y + 0.5), 0), last)
    return tables.terrain[int(terrain.codes[row, column])].is_water


@lru_cache(maxsize=16)
def has_water(terrain: TerrainMap, tables: Tables) -> bool:
    """Return True if any pixel of the map is Water."""
    return bool(water_of(terrain, tables).any())


@lru_cache(maxsize=16)
def has_land(terrain: TerrainMap, tables: Tables) -> bool:
    """Return True if any pixel of the map is not Water."""
    return not bool(water_of(terrain, tables).all())


def water_of(terrain: TerrainMap, tables: Tables) -> NDArray[np.bool_]:
    """Return the mask of the map's pixels of Water."""
    return pixels_of(terrain, tuple(code for code, feature in enumerate(tables.terrain) if feature.is_water))


@lru_cache(maxsize=16)
def pixels_of(terrain: TerrainMap, codes: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return the mask of the pixels with one of some features, cached because a war asks some thirty times."""
    return np.isin(terrain.codes, codes)


def nearest_pixel(pixels: NDArray[np.bool_], x: float, y: float) -> tuple[float, float]:
    """Return the nearest of some pixels to a place, the first of equally near ones; the place if there are none."""
    rows, columns = np.nonzero(pixels)
    if rows.size == 0:
        return x, y
    squared = (columns - x) * (columns - x) + (rows - y) * (rows - y)
    nearest = int(np.argmin(squared))
    return float(columns[nearest]), float(rows[nearest])
