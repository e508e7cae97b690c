"""Bands that name a result (R-23), and the lists of bands printed beside a receipt (RCPT-03)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.autoalgo.setup.table_parts import Band
from engine.autoalgo.setup.tables import Tables


def band_of(result: float, bands: Sequence[Band]) -> Band:
    """Return the band of a result, the last one that begins at or below it.

    Args:
        result: The result as printed, so that number and name agree (R-75); not below the first band.
    """
    last = bands[0]
    for band in bands:
        if band.first <= result:
            last = band
    return last


def occupation_list(tables: Tables) -> tuple[str, ...]:
    """Return every occupation result with its meaning, lowest first (RCPT-03)."""
    return _listed(tables.occupation_bands)


def stability_list(tables: Tables) -> tuple[str, ...]:
    """Return every name of a Stability with its meaning, lowest first (RCPT-03)."""
    return _listed(tables.stability_bands)


def legend_list(tables: Tables) -> tuple[str, ...]:
    """Return every terrain feature with its colour, like `Plain #FFFFFF` (RCPT-03)."""
    return tuple(f"{feature.name} #{bytes(feature.rgb).hex().upper()}" for feature in tables.terrain)


def _listed(bands: Sequence[Band]) -> tuple[str, ...]:
    return tuple(f"from {band.first:g} {band.name}{': ' + band.meaning if band.meaning else ''}" for band in bands)
