"""Factors of an attack that follow from the maneuvers of both flanks (R-86 to R-89), 1 where a rule does not apply."""

from __future__ import annotations

import math

from engine.autoalgo.battle.decision import ATTACK
from engine.autoalgo.battle.flank import depth_m, effective_distance_m
from engine.autoalgo.battle.state import (
    FEIGNED_RETREAT,
    FIRST_CONTACT,
    HOURS,
    IN_AMBUSH,
    LAND_TYPES,
    NORMAL,
    POSITION,
    READY,
    SHIP,
    Battle,
    Orders,
    Tunables,
)
from engine.autoalgo.constants import R81


def stands(battle: Battle, flank: int) -> bool:
    """Return True if a flank is on Position and not in flight."""
    return bool(battle.maneuver[flank] == POSITION and battle.status[flank] == READY)


def ground_factor(battle: Battle, orders: Orders, tunables: Tunables, target: int) -> float:
    """Return the factor of the ground of a target not in flight: with works if on Position (R-86)."""
    if battle.status[target] != READY or tunables.ground.is_water[orders.ground[target]]:
        return 1.0
    return float(tunables.traits.ground[target, 0 if stands(battle, target) else 1])


def fire_factor(battle: Battle, orders: Orders, tunables: Tunables, flank: int, target: int) -> float:
    """Return the factor on the hits of a flank on Position against an enemy not yet in range (R-87)."""
    if not stands(battle, flank):
        return 1.0
    seen_m = effective_distance_m(orders.distance_m[flank], depth_m(battle, tunables, flank, target))
    reach_m = tunables.traits.reach_m[target, tunables.ground.is_water[orders.ground[target]]]
    return tunables.constants.r_87.fire if seen_m > reach_m else 1.0


def round_factor(battle: Battle, orders: Orders, tunables: Tunables, flank: int, target: int) -> float:
    """Return the factor on hits of a moving flank that outflanks a slower one whom others hold (R-88).

    It counts by the share of his men whom the others hold, man for man.
    """
    numbers = tunables.constants.r_88
    if numbers.factor == 1.0 or orders.attackers[target] < 2 or stands(battle, flank):
        return 1.0
    factor = free = 1.0
    for other in range(battle.side.shape[0]):
        if other != flank and orders.target[other] == target and orders.action[other] == ATTACK:
            most = numbers.anvil if stands(battle, other) else numbers.factor
            held = min(battle.men[other] / battle.men[target], free)
            factor += (outpaced(battle, orders, tunables, flank, target, most) - 1.0) * held
            free -= held
    return factor


def outpaced(battle: Battle, orders: Orders, tunables: Tunables, flank: int, target: int, most: float) -> float:
    """Return the cube of the pace of each man of a flank over that of another, from 1 to `most`, on average (R-88)."""
    code, army = orders.ground[flank], battle.army[flank]
    on_water = tunables.ground.is_water[code]
    others = pace(orders, tunables, target)
    men = cubes = 0.0
    for kind in range(SHIP if on_water else 0, SHIP + 1 if on_water else LAND_TYPES):
        share = 1.0 if kind == SHIP else battle.share[flank, kind]
        own = tunables.units.speed_kmh[army, kind] * tunables.ground.speed[code]
        ratio = own / others if own < others * most else most
        men += share
        cubes += share * min(max(ratio * ratio * ratio, 1.0), most)
    return cubes / men if men > 0.0 else 1.0


def feint_factor(battle: Battle, orders: Orders, tunables: Tunables, flank: int, target: int) -> float:
    """Return the factor of the first blows of a flank after its Feigned Retreat (R-89)."""
    numbers = tunables.constants.r_89
    if battle.maneuver[flank] != FEIGNED_RETREAT or battle.hit_rounds[flank] >= numbers.rounds:
        return 1.0
    gain = pace_ratio(orders, tunables, flank, target, numbers.factor)
    return 1.0 if gain > 1.0 and battle.maneuver[target] == POSITION else gain


def spring_ambushes(battle: Battle, numbers: R81) -> None:
    """Let flanks in ambush fight as Normal after the first blow, or after the hours of R-81 (R-118)."""
    if battle.tally[FIRST_CONTACT] > 0 or battle.tally[HOURS] > numbers.hours:
        for flank in range(battle.side.shape[0]):
            if battle.maneuver[flank] == IN_AMBUSH:
                battle.maneuver[flank] = NORMAL


def pace_ratio(orders: Orders, tunables: Tunables, flank: int, other: int, most: float) -> float:
    """Return the pace of a flank over that of another, each on its ground, from 1 / most to most (R-81, R-89)."""
    own, others = pace(orders, tunables, flank), pace(orders, tunables, other)
    if own >= others * most:
        return most
    return own / others if own * most > others else 1.0 / most


def pace(orders: Orders, tunables: Tunables, flank: int) -> float:
    """Return the km/h of a flank on its ground."""
    code = orders.ground[flank]
    return float(tunables.traits.speed_kmh[flank, tunables.ground.is_water[code]] * tunables.ground.speed[code])


def held_back_m(
    battle: Battle, orders: Orders, tunables: Tunables, flank: int, target: int, step_m: float, gap_m: float
) -> float:
    """Return the most metres that a flank advances before the first blow (R-81, R-118).

    Flanks of one line keep level. A faster flank stays behind a slower friend, the more the faster it is than he and
    than the enemy. An ambush stays until a friend outside it is nearer to the enemy.
    """
    lies = battle.maneuver[flank] == IN_AMBUSH
    waits = battle.maneuver[flank] == NORMAL and battle.tally[HOURS] <= tunables.constants.r_81.hours
    if not lies and (not waits or battle.tally[FIRST_CONTACT] > 0):
        return math.inf
    of_target = pace_ratio(orders, tunables, flank, target, 2.0)
    nearest_m, farthest_m, least_m = math.inf, gap_m, step_m
    for friend in range(battle.side.shape[0]):
        if battle.side[friend] != battle.side[flank] or battle.status[friend] != READY:
            continue
        if lies and battle.maneuver[friend] != IN_AMBUSH:
            nearest_m = min(nearest_m, orders.distance_m[friend])
        if waits:
            ratio = min(of_target, pace_ratio(orders, tunables, flank, friend, 2.0))
            lead = min(max(ratio * ratio * ratio - 1.0, 0.0), 1.0)
            least_m = min(least_m, step_m + lead * (gap_m - orders.distance_m[friend] - step_m))
        ahead_m = battle.start_y_m[friend] - battle.start_y_m[flank]
        is_level = max(ahead_m, -ahead_m) <= tunables.constants.r_81.metres
        if waits and battle.maneuver[friend] == NORMAL and is_level:
            farthest_m = max(farthest_m, orders.distance_m[friend] - tunables.constants.r_81.metres)
    if lies and nearest_m < math.inf:
        return max(gap_m - nearest_m, 0.0)
    return min(step_m * gap_m / farthest_m, least_m)
