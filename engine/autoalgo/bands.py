"""Names of results (R-23), and the lists of them that stand beside a receipt (RCPT-03)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.autoalgo.parts import Band
from engine.autoalgo.tables import Tables


def band_of(result: float, bands: Sequence[Band]) -> Band:
    """The band a result lies in: the last one that begins at or below it.

    Args:
        result: As printed, so that number and name always fit (R-75); not below the first band.
        bands: From the lowest to the highest.
    """
    found = bands[0]
    for band in bands:
        if band.first <= result:
            found = band
    return found


def occupation_list(tables: Tables) -> tuple[str, ...]:
    """RCPT-03: every occupation result with its meaning, lowest first."""
    return _listed(tables.occupation_bands)


def stability_list(tables: Tables) -> tuple[str, ...]:
    """RCPT-03: every name a Stability can have, with its meaning, lowest first."""
    return _listed(tables.stability_bands)


def legend_list(tables: Tables) -> tuple[str, ...]:
    """RCPT-03: the terrain colours: `Plain #FFFFFF`."""
    return tuple(f"{it.name} #{it.rgb[0]:02X}{it.rgb[1]:02X}{it.rgb[2]:02X}" for it in tables.terrain)


def _listed(bands: Sequence[Band]) -> tuple[str, ...]:
    return tuple(f"from {it.first:g} {it.name}{': ' + it.meaning if it.meaning else ''}" for it in bands)
