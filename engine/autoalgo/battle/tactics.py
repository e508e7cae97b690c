"""Factors of an attack that follow from the maneuvers of both flanks (R-86 to R-89), 1 where a rule does not apply."""

from __future__ import annotations

import math

from engine.autoalgo.battle.blow import Outflanking
from engine.autoalgo.battle.decision import ATTACK
from engine.autoalgo.battle.flank import depth_m, effective_distance_m
from engine.autoalgo.battle.state import (
    FEIGNED_RETREAT,
    FIRST_CONTACT,
    HOURS,
    IN_AMBUSH,
    NORMAL,
    POSITION,
    READY,
    SHIP,
    Battle,
    Orders,
    Tunables,
)
from engine.autoalgo.constants import R81
from engine.rule import Label, part, rule


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


def outflanking(battle: Battle, orders: Orders, tunables: Tunables, flank: int, target: int) -> Outflanking:
    """Return how a moving flank outflanks a slower enemy, by the share of his men whom others hold (R-88)."""
    numbers = tunables.constants.r_88
    if numbers.factor == 1.0 or orders.attackers[target] < 2 or stands(battle, flank):
        return Outflanking(1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0)  # A factor of 1
    holders = 0.0
    for other in range(battle.side.shape[0]):
        if other != flank and orders.target[other] == target and orders.action[other] == ATTACK:
            holders += battle.men[other]
    on_foot, mounted, gunners, afloat = battle.share[flank, 0], battle.share[flank, 1], battle.share[flank, 2], 0.0
    if tunables.ground.is_water[orders.ground[flank]] or on_foot + mounted + gunners <= 0.0:
        on_foot, mounted, gunners, afloat = 0.0, 0.0, 0.0, 1.0
    return Outflanking(
        foot_pace=type_pace(battle, orders, tunables, flank, 0, target),
        horse_pace=type_pace(battle, orders, tunables, flank, 1, target),
        gun_pace=type_pace(battle, orders, tunables, flank, 2, target),
        ship_pace=type_pace(battle, orders, tunables, flank, SHIP, target),
        on_foot=on_foot,
        mounted=mounted,
        gunners=gunners,
        afloat=afloat,
        most=numbers.factor,
        held=min(holders / battle.men[target], 1.0),
    )


def type_pace(battle: Battle, orders: Orders, tunables: Tunables, flank: int, kind: int, target: int) -> float:
    """Return the pace of a type of a flank over that of another flank."""
    own = tunables.units.speed_kmh[battle.army[flank], kind]
    others = pace(orders, tunables, target)
    return float(own / others) if others > 0.0 else tunables.constants.r_88.factor


@part(
    foot_pace="infantry's pace over his",
    horse_pace="cavalry's pace over his",
    gun_pace="artillery's pace over his",
    ship_pace="ship's pace over his",
    on_foot=Label("share", silent=1.0),
    mounted=Label("share", silent=1.0),
    gunners=Label("share", silent=1.0),
    afloat=Label("share", silent=1.0),
)
def outpaced(by: Outflanking) -> float:
    """Return the cube of the pace of each man over that of the enemy, from 1 to a maximum, on average (R-88)."""
    cubes = gain(by.foot_pace, by.most) * by.on_foot + gain(by.horse_pace, by.most) * by.mounted
    cubes = cubes + gain(by.gun_pace, by.most) * by.gunners + gain(by.ship_pace, by.most) * by.afloat
    return cubes / (by.on_foot + by.mounted + by.gunners + by.afloat)


def gain(pace: float, most: float) -> float:
    """Return the cube of a pace over another one, from 1 to `most`."""
    return min(max(pace * pace * pace, 1.0), most)


@rule("R-88", "getting round", held=Label("share of his men held", silent=1.0))
def got_round(by: Outflanking) -> float:
    """Return the factor on the hits of a flank that outflanks an enemy; arguments of `Outflanking` (R-88)."""
    return (outpaced(by) - 1.0) * by.held + 1.0


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
    """Return the pace of a flank over that of another, from 1 / most to most (R-81, R-89)."""
    own, others = pace(orders, tunables, flank), pace(orders, tunables, other)
    if own >= others * most:
        return most
    return own / others if own * most > others else 1.0 / most


def pace(orders: Orders, tunables: Tunables, flank: int) -> float:
    """Return the km/h of a flank on land, or of its ships if it is on Water."""
    return float(tunables.traits.speed_kmh[flank, tunables.ground.is_water[orders.ground[flank]]])


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
