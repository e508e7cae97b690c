"""Data from which a battle map is drawn: the terrain and the flanks before and after the battle."""

from __future__ import annotations

from dataclasses import dataclass

from engine.terrain import Feature, TerrainMap


@dataclass(frozen=True, slots=True)
class Mark:
    """Position and state of one flank at one moment.

    Args:
        side: `Attacker` or `Defender`.
        label: The flank's label.
        x: Pixels from the map's left edge; the centre of pixel 200 is at 200.5.
        y: Pixels from the map's top edge; the centre of pixel 200 is at 200.5.
        size: Number of men.
        status: Idle, Ready, Retreating, Routed or Inactive (STRAT-10).
    """

    side: str
    label: str
    x: float
    y: float
    size: int
    status: str


@dataclass(frozen=True, eq=False, slots=True)
class Scene:
    """Everything needed to draw one battle (MAP-07, STRAT-08).

    Args:
        title: The war's name, any text.
        subtitle: A second line, e.g. the sides, place and time.
        terrain: The map's terrain.
        legend: The features that the terrain's codes stand for.
        km_per_pixel: The map's scale (MAP-06).
        before: Every flank at the start.
        after: The same flanks in the same order at the end; empty while nothing has been fought.
    """

    title: str
    subtitle: str
    terrain: TerrainMap
    legend: tuple[Feature, ...]
    km_per_pixel: float
    before: tuple[Mark, ...]
    after: tuple[Mark, ...]
