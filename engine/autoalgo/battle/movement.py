"""Moves of flanks (MOVE), one by one in random order, each relative to the present places of the others (R-12)."""

from __future__ import annotations

import math

from engine.autoalgo.battle.decision import CHARGE, MOVE, NO_WEAPON, is_running, take_turns, weapon_at
from engine.autoalgo.battle.draw_ids import JITTER_X, JITTER_Y, MOVE_ORDER
from engine.autoalgo.battle.events import CHARGE as CHARGES
from engine.autoalgo.battle.events import LEFT_MAP, Events, note
from engine.autoalgo.battle.flank import (
    depth_m,
    distance_m,
    effective_distance_m,
    ground_at,
    is_reached,
    rout,
    strength,
)
from engine.autoalgo.battle.state import (
    FEIGNED_RETREAT,
    FIRST_CONTACT,
    HOURS,
    POSITION,
    READY,
    RETREATING,
    SHIP,
    Battle,
    Ground,
    Orders,
    Real,
    Tunables,
)
from engine.autoalgo.battle.tactics import held_back_m, stands
from engine.autoalgo.battle.targets import follow_target, list_targets, nearest_enemy, sought_enemy
from engine.autoalgo.constants import Constants, Move03, Move04

METRES_A_KM = 1000.0


def move(battle: Battle, orders: Orders, tunables: Tunables, draws: Real, events: Events, hour: int) -> None:
    """Carry out all moves and charges of the hour; shape of draws (purposes, n)."""
    jitter_m = tunables.constants.move_06.jitter_m
    for turn in range(take_turns(orders, MOVE, CHARGE, draws[MOVE_ORDER])):
        flank = orders.turn[turn]
        jitter_x_m = (2.0 * draws[JITTER_X, flank] - 1.0) * jitter_m
        jitter_y_m = (2.0 * draws[JITTER_Y, flank] - 1.0) * jitter_m
        is_charging = orders.action[flank] == CHARGE
        move_flank(battle, orders, tunables, flank, is_charging, jitter_x_m, jitter_y_m, events, hour)


def move_flank(
    battle: Battle,
    orders: Orders,
    tunables: Tunables,
    flank: int,
    is_charging: bool,
    jitter_x_m: float,
    jitter_y_m: float,
    events: Events,
    hour: int,
) -> None:
    """Move one flank toward the enemy whom it seeks or away from the nearest, with the scatter of MOVE-06."""
    is_retreating = battle.status[flank] == RETREATING
    was_running = is_running(battle, flank)
    if was_running:
        battle.run_rounds[flank] -= 1
        if battle.run_rounds[flank] == 0:
            battle.hit_rounds[flank] = 0
    is_fleeing = is_retreating or was_running or feigns(battle, tunables.constants, flank)
    target = nearest_enemy(battle, orders, flank) if is_fleeing else sought_enemy(battle, orders, tunables, flank)
    if target < 0:
        return
    gap_m = distance_m(battle, flank, target)
    is_standing = stands(battle, flank)
    if is_standing and not is_met(battle, tunables, flank, target):  # MOVE-02; R-15: no jitter
        return
    code = orders.ground[flank]
    on_water = tunables.ground.is_water[code]
    step_m = tunables.traits.speed_kmh[flank, on_water] * tunables.ground.speed[code] * METRES_A_KM
    if is_retreating:
        travel_m = -step_m * tunables.constants.move_05.retreat_factor  # MOVE-05
    elif is_fleeing:
        travel_m = -step_m  # MOVE-02
    elif is_charging:
        note(events, hour, CHARGES, battle.side[flank], flank, target, 0.0, 0.0, gap_m)
        travel_m = charge_m(tunables.constants.move_03, tunables.constants.move_04, step_m, gap_m)
    else:
        travel_m = approach_m(battle, tunables, flank, target, on_water, step_m, gap_m)
        if travel_m > 0.0:
            held_m = held_back_m(battle, orders, tunables, flank, target, step_m, gap_m)
            travel_m = max(min(travel_m, held_m), -step_m)
        if travel_m == 0.0 or (is_standing and travel_m < 0.0):  # a flank that stays is not scattered
            return
        if -step_m < travel_m < step_m and tunables.constants.r_14.margin_m > 0.0:  # at its best range
            steadiness = tunables.traits.margin_m[flank, on_water] / tunables.constants.r_14.margin_m
            jitter_x_m *= steadiness
            jitter_y_m *= steadiness
    side = battle.side[flank]
    place(battle, tunables, flank, target, gap_m, travel_m, jitter_x_m, jitter_y_m)
    follow_target(battle, orders, side, flank)
    if is_retreating and is_at_edge(tunables.ground, battle.x_m[flank], battle.y_m[flank]):
        rout(battle, flank, LEFT_MAP, events, hour)  # MOVE-07
        list_targets(battle, orders, side, tunables.constants.r_29)


def is_met(battle: Battle, tunables: Tunables, flank: int, target: int) -> bool:
    """Return True if a flank on Position meets an enemy, who comes near what one of its line reaches (R-81).

    Or he reaches one of them himself.
    """
    near_m = tunables.constants.r_81.metres
    if near_m == 0.0 or battle.status[target] == RETREATING:
        return False
    for friend in range(battle.side.shape[0]):
        if battle.side[friend] == battle.side[flank] and battle.maneuver[friend] == POSITION:
            if battle.status[friend] == READY and is_reached(battle, tunables, friend, target):
                return True
            dx_m = battle.x_m[target] - battle.start_x_m[friend]
            dy_m = battle.y_m[target] - battle.start_y_m[friend]
            gap_m, reach_m = math.sqrt(dx_m * dx_m + dy_m * dy_m), tunables.traits.reach_m
            if gap_m <= near_m + max(reach_m[friend, 0], reach_m[friend, 1]):
                code = ground_at(tunables.ground, battle.x_m[friend], battle.y_m[friend])
                if gap_m <= near_m + reach_m[friend, tunables.ground.is_water[code]]:
                    return True
    return False


def feigns(battle: Battle, constants: Constants, flank: int) -> bool:
    """Return True if the flank lures the enemy by a Feigned Retreat.

    This lasts until the first blow, at most for some hours, and in the source always (R-89).
    """
    if battle.maneuver[flank] != FEIGNED_RETREAT or battle.tally[HOURS] > constants.r_89.hours:
        return False
    return not (constants.r_89.rounds > 0 and battle.tally[FIRST_CONTACT] > 0)


def charge_m(charge: Move03, end: Move04, step_m: float, gap_m: float) -> float:
    """Return the metres of a charge, limited if the enemy is within reach (MOVE-03, MOVE-04)."""
    longest_m = step_m * charge.charge_factor
    return gap_m * (1.0 - end.charge_share) if gap_m < longest_m else longest_m


def approach_m(
    battle: Battle, tunables: Tunables, flank: int, target: int, on_water: int, step_m: float, gap_m: float
) -> float:
    """Return the metres to move towards the enemy, below 0 for away from it, 0 to stay (MOVE-01, MOVE-04).

    A step never ends nearer than the optimal range (R-54), or in the source only one that could reach the enemy. A
    flank that is already nearer backs off by the share of its men inside all their minimum ranges (R-33, R-123).
    """
    optimal_m = optimal_distance_m(battle, tunables, flank, target, on_water)
    if gap_m > optimal_m:
        way_m = advance_m(battle, tunables, flank, target, on_water, step_m, gap_m)
        is_limited = tunables.constants.r_54.applies or gap_m < step_m
        return min(way_m, gap_m - optimal_m) if is_limited else way_m
    effective_m = effective_distance_m(gap_m, depth_m(battle, tunables, target, flank))
    return -min(step_m, optimal_m - gap_m) * unarmed(battle, tunables, flank, on_water, effective_m)


def advance_m(
    battle: Battle, tunables: Tunables, flank: int, target: int, on_water: int, step_m: float, gap_m: float
) -> float:
    """Return the metres that a flank advances in an hour: fewer in the fire of an enemy beyond its range (R-67)."""
    if battle.status[target] == RETREATING:
        return step_m
    pace = tunables.constants.r_67.pace
    reach_m = tunables.traits.reach_m[target, on_water]
    seen_m = effective_distance_m(gap_m, depth_m(battle, tunables, flank, target))
    fire_m = min(seen_m, reach_m) - tunables.traits.reach_m[flank, on_water]
    if fire_m <= 0.0:
        return step_m
    outside_m = max(seen_m - reach_m, 0.0)
    if outside_m > 0.0 and tunables.constants.r_87.fire != 1.0 and stands(battle, target):
        return float(min(step_m, outside_m + tunables.constants.r_14.margin_m))
    if outside_m + fire_m / pace <= step_m:
        return step_m
    return float(min(step_m, outside_m + max(step_m - outside_m, 0.0) * pace))


def optimal_distance_m(battle: Battle, tunables: Tunables, flank: int, target: int, on_water: int) -> float:
    """Return the distance between centres at which the flank's firepower is greatest (R-14)."""
    traits = tunables.traits
    depth = depth_m(battle, tunables, target, flank)
    return float(max(traits.range_m[flank, on_water] + depth - traits.margin_m[flank, on_water], 0.0))


def unarmed(battle: Battle, tunables: Tunables, flank: int, on_water: int, effective_m: float) -> float:
    """Return the share of the men without a weapon, resting or not, for an effective distance (R-123).

    In the source it is 0 if any type present has one (R-33).
    """
    units = tunables.units
    armed = people = 0.0
    for kind in range(SHIP + 1):
        men = strength(battle, units, flank, kind, on_water)
        people += men
        if weapon_at(units, battle.army[flank], kind, effective_m) != NO_WEAPON:
            armed += men
    if armed == 0.0:
        return 1.0
    return 1.0 - armed / people if tunables.constants.r_123.applies else 0.0


def place(
    battle: Battle,
    tunables: Tunables,
    flank: int,
    target: int,
    gap_m: float,
    travel_m: float,
    jitter_x_m: float,
    jitter_y_m: float,
) -> None:
    """Set a flank's new place: scattered (MOVE-06), on the map (MOVE-07), for ships alone on Water (STRAT-12)."""
    toward_x = battle.x_m[target] - battle.x_m[flank]
    toward_y = battle.y_m[target] - battle.y_m[flank]
    length_m = gap_m
    if length_m == 0.0:  # at the same place: the scatter gives the direction
        toward_x = jitter_x_m
        toward_y = jitter_y_m
        length_m = math.sqrt(toward_x * toward_x + toward_y * toward_y)
    share = travel_m / length_m if length_m > 0.0 else 0.0
    edge_m = tunables.ground.codes.shape[0] * tunables.ground.metres
    x_m = min(max(battle.x_m[flank] + toward_x * share + jitter_x_m, 0.0), edge_m)
    y_m = min(max(battle.y_m[flank] + toward_y * share + jitter_y_m, 0.0), edge_m)
    if stays_afloat(battle, tunables, flank):
        share_on_water = share_afloat(tunables.ground, battle.x_m[flank], battle.y_m[flank], x_m, y_m)
        x_m = battle.x_m[flank] + (x_m - battle.x_m[flank]) * share_on_water
        y_m = battle.y_m[flank] + (y_m - battle.y_m[flank]) * share_on_water
    battle.x_m[flank] = x_m
    battle.y_m[flank] = y_m


def stays_afloat(battle: Battle, tunables: Tunables, flank: int) -> bool:
    """Return True if a flank cannot leave the Water: ships alone (STRAT-12), or a fleet in flight (R-122)."""
    army, ground = battle.army[flank], tunables.ground
    if not tunables.units.has_land_types[army]:
        return True
    is_fleeing = battle.status[flank] == RETREATING and battle.ships[flank] > 0 and tunables.units.flees_afloat[army]
    return bool(is_fleeing and ground.is_water[ground_at(ground, battle.x_m[flank], battle.y_m[flank])])


def share_afloat(ground: Ground, x_m: float, y_m: float, end_x_m: float, end_y_m: float) -> float:
    """Return the share of a straight way before the first shore, 0 to 1, in steps of a quarter pixel (STRAT-12)."""
    dx_m = end_x_m - x_m
    dy_m = end_y_m - y_m
    pieces = int(4.0 * math.sqrt(dx_m * dx_m + dy_m * dy_m) / ground.metres) + 1
    for piece in range(1, pieces + 1):
        share = piece / pieces
        if not ground.is_water[ground_at(ground, x_m + dx_m * share, y_m + dy_m * share)]:
            return (piece - 1) / pieces
    return 1.0


def is_at_edge(ground: Ground, x_m: float, y_m: float) -> bool:
    """Return True if a place is on the edge of the map (MOVE-07)."""
    edge_m = ground.codes.shape[0] * ground.metres
    return x_m <= 0.0 or y_m <= 0.0 or x_m >= edge_m or y_m >= edge_m
