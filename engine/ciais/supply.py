"""Logistics: how far a unit is from its supply, what that takes from it, and whether it lives."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal

from engine.ciais.records import AIR, LAND, SEA, Site, Unit, UnitType
from engine.ciais.tables import LITERAL, OWN_TYPE, YES, Constants
from engine.decimals import ZERO, exact

CIRCLE = Decimal(360)
"""Degrees round the globe."""


@dataclass(frozen=True, slots=True)
class Supply:
    """A unit's nearest supply.

    Args:
        site: Base or outpost.
        distance: In degrees (CI-LOG-02).
        points: Attrition points (CI-LOG-03).
    """

    site: Site
    distance: Decimal
    points: int


def supply(unit: Unit, sites: Sequence[Site], owners: Collection[str], constants: Constants) -> Supply | None:
    """CI-OP-10: the nearest base or outpost (CI-LOG-01) of those owners, of equals the first; None without one."""
    nearest: Site | None = None
    least = ZERO
    for site in sites:
        if site.supplies and site.owner in owners:
            found = distance(unit, site, constants.lon_wrap == YES)
            if nearest is None or found < least:
                nearest, least = site, found
    return None if nearest is None else Supply(nearest, least, points(least))


def distance(unit: Unit, site: Site, wraps: bool) -> Decimal:
    """CI-LOG-02: taxicab distance in degrees, north–south plus east–west.

    Args:
        unit: From where.
        site: To where; a base or outpost has its place.
        wraps: The shorter way round the globe, over the date line if need be (CI-OP-09).
    """
    east_west = abs(exact(unit.longitude) - exact(site.longitude or 0))
    if wraps and east_west > CIRCLE / 2:
        east_west = CIRCLE - east_west
    return abs(exact(unit.latitude) - exact(site.latitude or 0)) + east_west


def points(distance: Decimal) -> int:
    """CI-LOG-03: one attrition point for each full degree (CI-OP-08), from where the unit is now (CI-OP-07)."""
    return int(distance.to_integral_value(ROUND_DOWN))


def lowered(multiplier: Decimal, points: int, constants: Constants) -> Decimal:
    """CI-LOG-04: a multiplier after attrition; it may be below 0."""
    return multiplier - points * constants.attrition_step


def deadly(type: UnitType, constants: Constants) -> tuple[str, Decimal]:
    """CI-OP-06: the multiplier that attrition kills by, with its name.

    It is multi-l (CI-LOG-05); for a unit without any, which would die a degree from port, the one of its own type.
    """
    by_own_type = constants.death_stat == OWN_TYPE or (constants.death_stat != LITERAL and type.multi_l == 0)
    if not by_own_type:
        return "multi-l", exact(type.multi_l)
    own = {
        LAND: ("largest multiplier", max(type.multi_l, type.multi_s, type.multi_a)),
        SEA: ("multi-s", type.multi_s),
        AIR: ("multi-a", type.multi_a),
    }
    name, value = own[type.type]
    return name, exact(value)


def dies(type: UnitType, points: int, constants: Constants) -> bool:
    """CI-LOG-05: below 0 it dies, at 0 it lives."""
    return lowered(deadly(type, constants)[1], points, constants) < 0
