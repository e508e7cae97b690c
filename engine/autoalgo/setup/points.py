"""Points of an army, by which a moderator sees whether two armies of an age are even (R-117)."""

from __future__ import annotations

from engine.autoalgo.inputs import Belligerent
from engine.autoalgo.setup.strategy import has_land_types, ship_number, slot_counts
from engine.autoalgo.setup.tables import Tables


def points_of(own: Belligerent, tables: Tables) -> float | None:
    """Return the points of an army's men, or of the ships of a fleet of crews (R-117).

    Nothing else of the army counts: neither training nor leaders, nor budget, works and ground. It is None if a unit
    differs from the one of that name in the catalogue, or has no points there.
    """
    if has_land_types(own):
        counted = [(unit, men) for unit, men in zip(own.units, slot_counts(own), strict=False) if men]
    else:
        counted = [(own.units[3], ship_number(own))]
    total = 0.0
    for unit, number in counted:
        if unit is None or unit.name not in tables.points or tables.units.get(unit.name) != unit:
            return None
        total += number * tables.points[unit.name]
    return total
