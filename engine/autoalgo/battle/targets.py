"""The flanks that enemies may choose as targets (FLK-05, R-29, R-64), listed to keep searches short."""

from __future__ import annotations

import math

from engine.autoalgo.battle.draw_ids import AMBUSH_FOUND
from engine.autoalgo.battle.events import FOUND, Events, keep, note
from engine.autoalgo.battle.flank import depth_m, distance_m
from engine.autoalgo.battle.state import IN_AMBUSH, NORMAL, READY, RETREATING, Battle, Orders, Real, Tunables
from engine.autoalgo.constants import R29


def find_ambushes(battle: Battle, draws: Real, events: Events, hour: int) -> None:
    """Let an ambush fight as Normal once found, with the chance of its share of its side's men (R-118)."""
    for side in range(2):
        men, hidden = 0, 0
        for flank in range(battle.side.shape[0]):
            if battle.side[flank] == side:
                men += battle.men[flank]
                hidden += battle.men[flank] * (battle.maneuver[flank] == IN_AMBUSH)
        share, draw = hidden / max(men, 1), draws[AMBUSH_FOUND, side]
        if draw < share:
            keep(events, 0, (share, draw))
            note(events, hour, FOUND, side, -1, -1, 0.0, 0.0, 0.0)
            for flank in range(battle.side.shape[0]):
                if battle.side[flank] == side and battle.maneuver[flank] == IN_AMBUSH:
                    battle.maneuver[flank] = NORMAL


def list_targets(battle: Battle, orders: Orders, side: int, numbers: R29) -> None:
    """List the flanks of a side that its enemies may choose, in the order of rows.

    These are the fighting flanks out of ambush (R-118), or, without any, the retreating ones (R-29); as printed, both
    (FLK-05).
    """
    most = READY if numbers.applies else RETREATING
    orders.targets[side] = 0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == side:
            orders.target_place[flank] = -1
            if battle.status[flank] <= most and battle.maneuver[flank] != IN_AMBUSH:
                add_target(battle, orders, side, flank)
    if orders.targets[side] == 0:
        for flank in range(battle.side.shape[0]):
            if battle.side[flank] == side and battle.status[flank] == RETREATING:
                add_target(battle, orders, side, flank)


def add_target(battle: Battle, orders: Orders, side: int, flank: int) -> None:
    """Add a flank to the list of its side."""
    place = orders.targets[side]
    orders.targets[side] = place + 1
    orders.target_flank[side, place] = flank
    orders.target_place[flank] = place
    follow_target(battle, orders, side, flank)


def follow_target(battle: Battle, orders: Orders, side: int, flank: int) -> None:
    """Update the place of a listed flank."""
    place = orders.target_place[flank]
    if place >= 0:
        orders.target_x_m[side, place] = battle.x_m[flank]
        orders.target_y_m[side, place] = battle.y_m[flank]


def nearest_enemy(battle: Battle, orders: Orders, flank: int) -> int:
    """Return the nearest listed enemy flank, -1 without any.

    Of two equally near flanks the one in the earlier row is returned (R-64).
    """
    enemy = 1 - battle.side[flank]
    x_m = battle.x_m[flank]
    y_m = battle.y_m[flank]
    nearest = -1
    least = math.inf
    for place in range(orders.targets[enemy]):
        dx_m = orders.target_x_m[enemy, place] - x_m
        dy_m = orders.target_y_m[enemy, place] - y_m
        squared = dx_m * dx_m + dy_m * dy_m
        if squared < least:
            least = squared
            nearest = place
    return int(orders.target_flank[enemy, nearest]) if nearest >= 0 else -1


def sought_enemy(battle: Battle, orders: Orders, tunables: Tunables, flank: int) -> int:
    """Return the listed enemy flank that a flank goes for, the nearest in its reach or else of all; -1 without any.

    One with a smaller share of his side's men counts as farther away, by the cube root of the ratio of shares (R-29).
    """
    sought = nearest_enemy(battle, orders, flank)
    share = tunables.traits.of_side
    if sought < 0 or share[sought] >= share[flank] or not tunables.constants.r_29.applies:
        return sought
    reach_m = tunables.traits.reach_m[flank, tunables.ground.is_water[orders.ground[flank]]]
    enemy = 1 - battle.side[flank]
    least = math.inf
    is_reached = False
    for place in range(orders.targets[enemy]):
        other = orders.target_flank[enemy, place]
        metres = distance_m(battle, flank, other)
        is_near = metres <= reach_m + depth_m(battle, tunables, flank, other)
        cubed = metres * metres * metres * max(share[flank] / share[other], 1.0)
        if is_near > is_reached or (is_near == is_reached and cubed < least):
            is_reached = is_near
            least = cubed
            sought = other
    return int(sought)
