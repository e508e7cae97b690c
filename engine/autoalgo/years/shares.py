"""Interpolation in tables: a share by Stability, a chance by age (YRS-08, YRS-10, YRS-11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from engine.autoalgo.setup.table_parts import Band
from engine.autoalgo.setup.year_numbers import LifeRow


def between(points: Sequence[tuple[float, float]], at: float) -> float:
    """Interpolate linearly between points; outside them return the nearest value.

    Args:
        points: Places and values, in order of place.
    """
    if not points:
        return 0.0
    if at <= points[0][0]:
        return points[0][1]
    for (left, low), (right, high) in pairwise(points):
        if at <= right:
            return low + (high - low) * (at - left) / (right - left)
    return points[-1][1]


def by_band(shares: Mapping[str, float], bands: Sequence[Band], stability: float) -> float:
    """Return the share for a Stability from those of its bands, 0 for missing ones."""
    return between([(band.first, shares.get(band.name, 0.0)) for band in bands], stability)


def by_age(life: Sequence[LifeRow], age: int) -> float:
    """Return the chance to die within a year (YRS-08)."""
    return between([(row.age, row.chance) for row in life], age)
