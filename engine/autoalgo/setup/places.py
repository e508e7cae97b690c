"""Starting places of flanks: the allowed ones, and the defaults (STRAT-01, R-60, R-111, R-116)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from engine.autoalgo.battle.state import AMBUSH
from engine.autoalgo.inputs import FlankOrder, WarInputs
from engine.autoalgo.setup.army import (
    armies_of,
    belligerent,
    has_land_types,
    is_on_water,
    nearest_pixel,
    pixels_of,
    water_of,
)
from engine.autoalgo.setup.strategy_rules import Ambush, FlankPlan, Limit, Place
from engine.autoalgo.setup.table_parts import Strategy
from engine.autoalgo.setup.tables import Tables
from engine.terrain import TerrainMap


def zone_of(war: WarInputs, side: int, tables: Tables) -> Limit:
    """Return the limit of Y for the starting places of a side (R-116)."""
    (low, high), last = rows_of(war, side, tables), tables.strategy.map_pixels - 1
    if (low, high) == (0, last):
        return Limit("MAP-01", "Y", "y", f"pixels from 0 to {last}", high=last)
    name = "northern" if low == 0 else "southern"
    allowed = f"pixels from {low:g} to {high:g}, the {name} half where the army starts"
    return Limit("R-116", "Y", "y", allowed, low, high, free=AMBUSH)


def _either(names: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def ambush_of(tables: Tables) -> Ambush | None:
    """Return the allowed starting places of flanks in ambush; None where any place is allowed (R-118)."""
    apart = tables.constants.r_118.pixels
    if not apart:
        return None
    features = _either(tables.terrain_roles.hiding)
    distance = f"{apart:g} pixels ({apart * tables.strategy.km_per_pixel:g} km) from every enemy flank"
    place = f"X {{x}}, Y {{y}}, the nearest place on {features} at least {distance}"
    return Ambush(AMBUSH, apart, place, f"another maneuver, for nothing on this map hides an ambush: no {features}")


def cover_from(terrain: TerrainMap, enemies: Sequence[FlankPlan], tables: Tables) -> Callable[[Place], Place | None]:
    """Return the function from a place to the nearest cover for an ambush away from enemies with men (R-118).

    Its result is the place itself if that is cover, and None on a map without cover.
    """
    hides = pixels_of(terrain, tables.terrain_roles.cover)
    apart, last = tables.constants.r_118.pixels, hides.shape[0] - 1
    places = {(enemy.x, enemy.y) for enemy in enemies if enemy.men}

    def is_near(place: Place, enemy: Place) -> bool:
        east, north = place[0] - enemy[0], place[1] - enemy[1]
        return east * east + north * north < apart * apart

    @cache
    def free() -> NDArray[np.bool_]:
        hidden = hides.copy()
        for enemy in places:
            columns, rows = (
                range(max(math.ceil(at - apart), 0), min(math.floor(at + apart), last) + 1) for at in enemy
            )
            for column, row in product(columns, rows):
                if is_near((column, row), enemy):
                    hidden[row, column] = False
        return hidden

    def nearest(place: Place) -> Place | None:
        x, y = (min(max(value, 0), last) for value in place)
        is_apart = not any(is_near(place, enemy) for enemy in places)
        if (x, y) == place and is_apart and hides[math.floor(y + 0.5), math.floor(x + 0.5)]:
            return place
        return nearest_pixel(free(), x, y) if free().any() else None

    return nearest


def rows_of(war: WarInputs, side: int, tables: Tables) -> tuple[float, float]:
    """Return the least and the greatest starting Y of a side: its half, or all for a fleet without Water there."""
    low, high = half_of(default_line(war, side, tables), tables.strategy)
    half = slice(math.ceil(low), math.floor(high) + 1)
    is_free = not has_land_types(belligerent(war, side)) and not water_of(war.terrain, tables)[half].any()
    return (0.0, tables.strategy.map_pixels - 1.0) if is_free else (low, high)


def half_of(line: int, rules: Strategy) -> tuple[float, float]:
    """Return the least and the greatest Y of the half of the map around a default line; of all without R-116."""
    last = float(rules.map_pixels - 1)
    (_, own), (_, enemy) = (default_middle(number, rules) for number in (line, 1 - line))
    if not rules.from_middle:
        return 0.0, last
    middle = (own + enemy) / 2
    return (0.0, middle - rules.from_middle) if own < enemy else (middle + rules.from_middle, last)


def default_line(war: WarInputs, side: int, tables: Tables) -> int:
    """Return the number of a side's default line, 0 the attacker's in the north, 1 the defender's (R-111).

    It is the line nearest to its typed places, else the one farther from the enemy's; its own if both sides would
    share one.
    """
    own, enemy = (line_of(_orders(war, number), tables.strategy) for number in (side, 1 - side))
    if own == enemy:
        return side
    if own is not None:
        return own
    return side if enemy is None else 1 - enemy


def _orders(war: WarInputs, side: int) -> list[FlankOrder]:
    return [order for army in armies_of(war, side) for order in army.flanks]


def line_of(orders: Sequence[FlankOrder], rules: Strategy) -> int | None:
    """Return the default line nearest to typed places, 0 the attacker's, 1 the defender's; None without places.

    Ambushes do not count, as they may lie anywhere (R-118).
    """
    typed = [order.y for order in orders if order.y is not None and order.maneuver != AMBUSH]
    if not typed:
        return None
    lines = [_middle([y for _, y in places]) for places in (rules.attackers, rules.defenders)]
    north, south = (abs(_middle(typed) - line) for line in lines)
    return 0 if north <= south else 1


def _middle(numbers: Sequence[float]) -> float:
    """Return the median of some numbers, of two middle ones the higher."""
    return sorted(numbers)[len(numbers) // 2]


def start_place(war: WarInputs, side: int, flank: int, tables: Tables) -> tuple[float, float]:
    """Return a flank's starting place, in pixels.

    Without an ordered place ships' crews start on Water (R-60). An army may start on Water, carried by its transport
    (MD-07).
    """
    army, terrain = belligerent(war, side), war.terrain
    order = army.flanks[flank] if army.flanks else FlankOrder()
    x, y = _default_place(flank, order.offset, default_line(war, side, tables), tables.strategy)
    if order.x is not None or order.y is not None:
        return x if order.x is None else order.x, y if order.y is None else order.y
    if has_land_types(army) or is_on_water(terrain, x, y, tables):
        return x, y
    low, high = rows_of(war, side, tables)
    first = math.ceil(low)
    column, row = nearest_pixel(water_of(terrain, tables)[first : math.floor(high) + 1], x, y - first)
    return column, row + first


def _default_place(flank: int, offset: tuple[float, float] | None, line: int, rules: Strategy) -> tuple[float, float]:
    """Return a flank's place in one of the default lines: its own, or the one in a formation around its middle."""
    places = (rules.attackers, rules.defenders)[line]
    if offset is None:
        return places[flank] if flank < len(places) else (rules.new_attacker, rules.new_defender)[line]
    (x, y), (_, enemy_y) = default_middle(line, rules), default_middle(1 - line, rules)
    ahead = offset[1] * (1 if y <= enemy_y else -1)
    return x + offset[0], min(max(y + ahead, 0.0), rules.map_pixels - 1.0)


def default_middle(line: int, rules: Strategy) -> tuple[float, float]:
    """Return the middle of the default places of a line, 0 the attacker's, 1 the defender's (STRAT-01)."""
    places = (rules.attackers, rules.defenders)[line]
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)
