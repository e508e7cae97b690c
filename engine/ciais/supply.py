"""Logistics: a unit's distance from its supply, its attrition, and its death by attrition."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal

from engine.ciais.records import AIR, LAND, SEA, CiaisSite, CiaisUnit, CiaisUnitType
from engine.ciais.tables import LITERAL, OWN_TYPE, YES, CiaisConstants
from engine.decimals import ZERO, exact
from engine.rule import part, rule

CIRCLE = Decimal(360)
"""Degrees of a full circle."""


@dataclass(frozen=True, slots=True)
class Supply:
    """A unit's nearest supply."""

    site: CiaisSite  # The base or outpost
    distance: Decimal  # The distance in degrees (CI-LOG-02)
    points: int  # The attrition points (CI-LOG-03)


def supply(
    unit: CiaisUnit, sites: Sequence[CiaisSite], owners: Collection[str], constants: CiaisConstants
) -> Supply | None:
    """Return the nearest base or outpost (CI-LOG-01) of the given owners, the first of equals (CI-OP-10); else None."""
    nearest: CiaisSite | None = None
    least = ZERO
    for site in sites:
        if site.supplies and site.owner in owners:
            degrees = distance(unit, site, constants.lon_wrap == YES)
            if nearest is None or degrees < least:
                nearest, least = site, degrees
    return None if nearest is None else Supply(nearest, least, points(least))


def distance(unit: CiaisUnit, place: CiaisSite | CiaisUnit, wraps: bool) -> Decimal:
    """Return the taxicab distance in degrees, north–south plus east–west (CI-LOG-02).

    Args:
        place: The base, outpost or other unit.
        wraps: True to take the shorter way round the globe, if need be over the date line (CI-OP-09).
    """
    east_west = abs(exact(unit.longitude) - exact(place.longitude or 0))
    if wraps and east_west > CIRCLE / 2:
        east_west = CIRCLE - east_west
    return abs(exact(unit.latitude) - exact(place.latitude or 0)) + east_west


@rule("CI-LOG-03", "Attrition", distance="distance")
def points(distance: Decimal) -> int:
    """Return one attrition point per full degree (CI-LOG-03, CI-OP-08) from the unit's current place (CI-OP-07)."""
    return math.trunc(distance)


@part(multiplier="multiplier", points="attrition")
def lowered(multiplier: Decimal, points: int, constants: CiaisConstants) -> Decimal:
    """Return a multiplier after attrition; it may be below 0 (CI-LOG-04)."""
    return multiplier - points * constants.attrition_step


@rule("CI-LOG-04", "Multiplier")
def left(multiplier: Decimal, points: int, constants: CiaisConstants) -> Decimal:
    """Return a multiplier after attrition, not below 0 (CI-OP-11)."""
    return max(lowered(multiplier, points, constants), ZERO)


def deadly(type: CiaisUnitType, constants: CiaisConstants) -> tuple[str, Decimal]:
    """Return name and value of the multiplier that decides on death by attrition (CI-OP-06).

    It is multi-l (CI-LOG-05), or for a unit whose multi-l is 0 that of its own type: it would die at the first degree.
    """
    by_own_type = constants.death_stat == OWN_TYPE or (constants.death_stat != LITERAL and type.multi_l == 0)
    if not by_own_type:
        return "multi-l", exact(type.multi_l)
    own_multipliers = {
        LAND: ("largest multiplier", max(type.multi_l, type.multi_s, type.multi_a)),
        SEA: ("multi-s", type.multi_s),
        AIR: ("multi-a", type.multi_a),
    }
    name, value = own_multipliers[type.type]
    return name, exact(value)


def dies(type: CiaisUnitType, points: int, constants: CiaisConstants) -> bool:
    """Return True if the deciding multiplier falls below 0; at 0 the unit lives (CI-LOG-05)."""
    return lowered(deadly(type, constants)[1], points, constants) < 0
