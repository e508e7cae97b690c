"""One flank: where it stands, what its types make of it, how it loses men and morale (FLK)."""

from __future__ import annotations

import math

from engine.autoalgo.events import RETREATS, ROUTED, WIPED_OUT, Events, note
from engine.autoalgo.state import (
    INACTIVE,
    LAND_TYPES,
    READY,
    RETREATING,
    SHIP,
    Battle,
    Ground,
    Numbers,
    Units,
)
from engine.autoalgo.state import ROUTED as ROUTED_STATUS


def is_out(status: int) -> bool:
    """Whether a flank with this status is out of the battle."""
    return status in (ROUTED_STATUS, INACTIVE)


def ground_at(ground: Ground, x_m: float, y_m: float) -> int:
    """Terrain code of the pixel under a place (R-33)."""
    last = ground.codes.shape[0] - 1
    column = min(int(x_m / ground.metres), last)
    row = min(int(y_m / ground.metres), last)
    return int(ground.codes[row, column])


def nearest_enemy(battle: Battle, flank: int) -> int:
    """The nearest enemy flank in the battle, one that does not retreat while there is one (R-29); -1 = none.

    Of two equally near the earlier row is taken (R-64).
    """
    x_m = battle.x_m[flank]
    y_m = battle.y_m[flank]
    own = battle.side[flank]
    nearest = -1
    nearest_fleeing = -1
    least = math.inf
    least_fleeing = math.inf
    for other in range(battle.side.shape[0]):
        status = battle.status[other]
        if battle.side[other] == own or is_out(status):
            continue
        across_m = battle.x_m[other] - x_m
        down_m = battle.y_m[other] - y_m
        square = across_m * across_m + down_m * down_m
        if status == RETREATING:
            if square < least_fleeing:
                least_fleeing = square
                nearest_fleeing = other
        elif square < least:
            least = square
            nearest = other
    return nearest if nearest >= 0 else nearest_fleeing


def distance_m(battle: Battle, flank: int, other: int) -> float:
    """Metres between the centres of two flanks."""
    across_m = battle.x_m[other] - battle.x_m[flank]
    down_m = battle.y_m[other] - battle.y_m[flank]
    return math.sqrt(across_m * across_m + down_m * down_m)


def effective_distance_m(metres: float, enemy_men: int) -> float:
    """DEC-02: what is left of the distance when the enemy's depth is taken off, at least 0."""
    return max(metres - math.sqrt(enemy_men), 0.0)


def strength(battle: Battle, units: Units, flank: int, kind: int, on_water: int) -> float:
    """Men who stand for one type in the flank; the ship counts the people it can carry, on Water only (FLK-04).

    0 means that the type is not present. Crews of a military without land types are no type of their own (DEC-05):
    their ships fight, and the crews are the flank's men (QN-10).
    """
    if kind < LAND_TYPES:
        return float(battle.men[flank] * battle.share[flank, kind])
    return float(battle.ships[flank] * units.ship_capacity[battle.side[flank]]) if on_water else 0.0


def speed_kmh(battle: Battle, units: Units, flank: int, on_water: int) -> float:
    """FLK-01, FLK-04: of the slowest type present; on Water the ship's, whether or not the flank has ships (R-50)."""
    side = battle.side[flank]
    slowest = math.inf
    if not on_water:
        for kind in range(LAND_TYPES):
            if strength(battle, units, flank, kind, on_water) > 0.0:
                slowest = min(slowest, units.speed_kmh[side, kind])
    return units.speed_kmh[side, SHIP] if slowest == math.inf else slowest


def shock(battle: Battle, units: Units, flank: int, on_water: int) -> float:
    """FLK-01, FLK-04: of the least shocking type present; on Water the ship's."""
    side = battle.side[flank]
    least = math.inf
    if not on_water:
        for kind in range(LAND_TYPES):
            if strength(battle, units, flank, kind, on_water) > 0.0:
                least = min(least, units.shock[side, kind])
    return units.shock[side, SHIP] if least == math.inf else least


def defense(battle: Battle, units: Units, flank: int, on_water: int) -> float:
    """FLK-02, FLK-04: the highest Defense of the types present; ships on Water join (R-37)."""
    side = battle.side[flank]
    highest = 0.0
    for kind in range(SHIP + 1):
        if strength(battle, units, flank, kind, on_water) > 0.0:
            highest = max(highest, units.defense[side, kind])
    return highest


def maximum_range_m(battle: Battle, units: Units, flank: int, on_water: int) -> float:
    """FLK-02: the farthest reach of the types present; beyond it nobody is ready (R-51)."""
    side = battle.side[flank]
    farthest = -1.0
    for kind in range(SHIP + 1):
        if strength(battle, units, flank, kind, on_water) > 0.0:
            farthest = max(farthest, units.reach_m[side, kind])
    return farthest


def resilience(battle: Battle, units: Units, flank: int, on_water: int) -> int:
    """SUP-02: rounds before a cut, by the most advanced logistics of the types present (FLK-02)."""
    side = battle.side[flank]
    best = SHIP
    rank = -1
    for kind in range(SHIP + 1):
        if strength(battle, units, flank, kind, on_water) > 0.0 and units.logistics[side, kind] > rank:
            rank = units.logistics[side, kind]
            best = kind
    return int(units.resilience[side, best])


def whole_men(amount: float, draw: float) -> int:
    """R-26: a whole number whose expectation is the amount; `draw` is in [0, 1)."""
    floor = math.floor(amount)
    return int(floor) + 1 if draw < amount - floor else int(floor)


def lose_morale(battle: Battle, flank: int, points: float) -> None:
    """R-16: morale falls, never below 0."""
    battle.morale[flank] = max(battle.morale[flank] - points, 0.0)


def check_morale(battle: Battle, numbers: Numbers, flank: int, by: int, events: Events, hour: int) -> None:
    """ATK-07: a shaken flank retreats, a broken one is routed.

    A flank that has no morale to start with is routed by the first test (R-52). `by` is the flank that drove it, -1 for
    attrition and disease.
    """
    if is_out(battle.status[flank]):
        return
    morale = battle.morale[flank]
    start = battle.morale_start[flank]
    if morale < numbers.rout_below * start or morale <= 0.0:
        rout(battle, flank, by, events, hour)
    elif morale < numbers.retreat_below * start and battle.status[flank] == READY:
        battle.status[flank] = RETREATING
        note(events, hour, RETREATS, battle.side[flank], flank, by, 0.0, 0.0, 0.0)


def rout(battle: Battle, flank: int, by: int, events: Events, hour: int) -> None:
    """The flank is Routed and out of the battle (ATK-07, MOVE-07)."""
    battle.status[flank] = ROUTED_STATUS
    note(events, hour, ROUTED, battle.side[flank], flank, by, 0.0, 0.0, 0.0)


def waste(battle: Battle, numbers: Numbers, flank: int, dead: int, events: Events, hour: int) -> None:
    """Men dead of attrition or disease leave the flank and take their morale along (R-33); ATT-06 if none is left.

    The caller counts and notes the dead; `dead` is at most the flank's men.
    """
    battle.men[flank] -= dead
    lose_morale(battle, flank, numbers.morale_a_man * dead)
    if battle.men[flank] == 0:
        battle.morale[flank] = 0.0
        battle.status[flank] = INACTIVE
        note(events, hour, WIPED_OUT, battle.side[flank], flank, -1, 0.0, 0.0, 0.0)
