"""Properties of one flank, and its losses of men and morale (FLK)."""

from __future__ import annotations

import math

from engine.autoalgo.battle.events import RETREATS, ROUTED, WIPED_OUT, Events, note
from engine.autoalgo.battle.state import (
    DEFENDER,
    INACTIVE,
    LAND_TYPES,
    POSITION,
    READY,
    RETREATING,
    SHIP,
    SIEGE_BEGUN,
    Battle,
    Ground,
    Real,
    Tunables,
    Units,
)
from engine.autoalgo.battle.state import ROUTED as ROUTED_STATUS
from engine.autoalgo.constants import R123, Atk07, Strat04
from engine.calculation import WHOLE
from engine.rng import whole_by_chance
from engine.rule import Label, part, rule


def is_out(status: int) -> bool:
    """Return True if a flank with this status is out of the battle."""
    return status in (ROUTED_STATUS, INACTIVE)


def ground_at(ground: Ground, x_m: float, y_m: float) -> int:
    """Return the terrain code of the pixel at a place (R-33)."""
    return int(ground.codes[pixel_at(ground, y_m), pixel_at(ground, x_m)])


def pixel_at(ground: Ground, metres: float) -> int:
    """Return the row or the column of the pixel at a distance from the map's edge (R-33)."""
    last = ground.codes.shape[0] - 1
    return min(int(metres / ground.metres), int(last))


def around(ground: Ground, factors: Real, near_m: float, x_m: float, y_m: float) -> float:
    """Return the mean of a factor on the ground around a place, on Water of the Water alone (MAP-08).

    Args:
        factors: Factor of each feature, shape (k,).
        near_m: Metres that count in each direction.
    """
    codes, reach, last = ground.codes, int(near_m / ground.metres), ground.codes.shape[0] - 1
    row, column = pixel_at(ground, y_m), pixel_at(ground, x_m)
    here = codes[row, column]
    pixels, more = 0, 0.0  # Sum of the differences from the factor of the place, so that even ground gives this one
    for y in range(max(row - reach, 0), min(row + reach, last) + 1):
        for x in range(max(column - reach, 0), min(column + reach, last) + 1):
            if ground.is_water[codes[y, x]] == ground.is_water[here]:
                pixels += 1
                more += factors[codes[y, x]] - factors[here]
    return float(factors[here] + more / pixels)


def distance_m(battle: Battle, flank: int, other: int) -> float:
    """Return the metres between the centres of two flanks."""
    dx_m = battle.x_m[other] - battle.x_m[flank]
    dy_m = battle.y_m[other] - battle.y_m[flank]
    return math.sqrt(dx_m * dx_m + dy_m * dy_m)


def nearest_friend(battle: Battle, flank: int) -> int:
    """Return the nearest other flank of the same side that fights, the earlier of equally near ones; -1 for none."""
    nearest = -1
    least = math.inf
    for other in range(battle.side.shape[0]):
        if other != flank and battle.side[other] == battle.side[flank] and battle.status[other] == READY:
            metres = distance_m(battle, flank, other)
            if metres < least:
                least = metres
                nearest = other
    return nearest


def is_one_body(battle: Battle, tunables: Tunables, flank: int, friend: int) -> bool:
    """Return True if two flanks of a side are one body: near each other, or of one line on Position (R-115, R-81)."""
    constants, apart_m = tunables.constants, distance_m(battle, flank, friend)
    if apart_m < constants.r_115.pixels * tunables.ground.metres:
        return True
    stand = battle.maneuver[flank] == POSITION and battle.maneuver[friend] == POSITION
    return bool(stand and constants.r_81.metres > 0.0 and apart_m <= constants.r_81.metres)


def effective_distance_m(metres: float, bodies_m: float) -> float:
    """Return the distance less the depth of the bodies (`depth_m`), at least 0 (DEC-02, R-66)."""
    return max(metres - bodies_m, 0.0)


def depth_m(battle: Battle, tunables: Tunables, flank: int, other: int) -> float:
    """Return the larger depth in metres of two flanks at the start; in the source that of `flank` now (DEC-02)."""
    if tunables.constants.r_66.applies:
        return float(max(tunables.traits.depth_m[flank], tunables.traits.depth_m[other]))
    return math.sqrt(battle.men[flank])


def is_reached(battle: Battle, tunables: Tunables, flank: int, enemy: int) -> bool:
    """Return True if an enemy reaches a flank from where he is."""
    code = ground_at(tunables.ground, battle.x_m[enemy], battle.y_m[enemy])
    reach_m = tunables.traits.reach_m[enemy, tunables.ground.is_water[code]]
    bodies_m = depth_m(battle, tunables, flank, enemy)
    return bool(effective_distance_m(distance_m(battle, flank, enemy), bodies_m) <= reach_m)


def strength(battle: Battle, units: Units, flank: int, kind: int, on_water: int) -> float:
    """Return the men of one type in the flank, 0 if the type is not present (FLK-04).

    Ships count the people they can carry, on Water only. Crews of a military without land types are not a type
    (DEC-05): their ships fight, and the crews are the flank's men (QN-10).
    """
    if kind < LAND_TYPES:
        return float(battle.men[flank] * battle.share[flank, kind])
    return float(battle.ships[flank] * units.ship_capacity[battle.army[flank]]) if on_water else 0.0


def of_types(battle: Battle, units: Units, values: Real, numbers: R123, flank: int, on_water: int) -> float:
    """Return the Speed or Shock of a flank: of its men on average, on Water that of the ship (R-123, FLK-04, R-50).

    In the source it is the least of the types present (FLK-01).
    """
    army = battle.army[flank]
    least, most = math.inf, 0.0
    for kind in range(0 if on_water else LAND_TYPES):
        if strength(battle, units, flank, kind, on_water) > 0.0:
            least = min(least, values[army, kind])
            most = max(most, values[army, kind])
    if least == math.inf:
        return float(values[army, SHIP])
    return min(max(average(battle, values, flank), least), most) if numbers.applies else least  # equal ones exactly


def defense(battle: Battle, units: Units, numbers: R123, flank: int, on_water: int) -> float:
    """Return the Defense of a flank, averaged over its men, on Water at least that of the ships (R-123, FLK-04, R-37).

    In the source it is the highest of the types present (FLK-02).
    """
    army = battle.army[flank]
    values = units.defense if has_works(battle, flank, on_water) else units.open_defense
    is_average = numbers.applies > 0
    highest = average(battle, values, flank) if is_average else 0.0
    for kind in range(SHIP if is_average else 0, SHIP + 1):
        if strength(battle, units, flank, kind, on_water) > 0.0:
            highest = max(highest, values[army, kind])
    return highest


def has_works(battle: Battle, flank: int, on_water: int) -> bool:
    """Return True if field works protect a flank: not on Water, and an attacker only on Position (R-121)."""
    return bool(not on_water and (battle.side[flank] == DEFENDER or battle.maneuver[flank] == POSITION))


def density(battle: Battle, units: Units, flank: int, on_water: int) -> float:
    """Return the share of hits that find a man: 1 over the Dispersion, on Water that of the ships (UNIT-16).

    On land it is averaged over the men.
    """
    army = battle.army[flank]
    if on_water:
        return float(1.0 / units.dispersion[army, SHIP])
    hits = share = 0.0
    for kind in range(LAND_TYPES):
        hits += battle.share[flank, kind] / units.dispersion[army, kind]
        share += battle.share[flank, kind]
    return hits / share if share > 0.0 else 1.0


def average(battle: Battle, values: Real, flank: int) -> float:
    """Return a value of the land types of a flank, averaged over the men; 0 without any."""
    army, share = battle.army[flank], battle.share
    if share[flank, 0] + share[flank, 1] + share[flank, 2] <= 0.0:
        return 0.0
    return averaged(
        values[army, 0], values[army, 1], values[army, 2], share[flank, 0], share[flank, 1], share[flank, 2]
    )


@rule(
    "R-123",
    "average",
    infantry="infantry",
    cavalry="cavalry",
    artillery="artillery",
    on_foot="share",
    mounted="share",
    gunners="share",
)
def averaged(
    infantry: float, cavalry: float, artillery: float, on_foot: float, mounted: float, gunners: float
) -> float:
    """Return a value averaged over the men of a flank (R-123).

    Args:
        infantry: The value of the type; likewise `cavalry` and `artillery`.
        on_foot: Share of the infantry in the men, likewise `mounted` and `gunners` of the others.
    """
    return (infantry * on_foot + cavalry * mounted + artillery * gunners) / (on_foot + mounted + gunners)


def is_behind_walls(battle: Battle, flank: int) -> bool:
    """Return True if a flank on Position, not in flight, holds the location's works or besieges them (R-69)."""
    if battle.maneuver[flank] != POSITION or battle.status[flank] != READY:
        return False
    return bool(battle.side[flank] == DEFENDER or battle.tally[SIEGE_BEGUN] > 0)


def maximum_range_m(battle: Battle, units: Units, flank: int, on_water: int, least: float = 0.0) -> float:
    """Return the farthest reach in metres of the types present (FLK-02, R-51).

    Types with less than a share `least` of the flank, rounded down to a man, are left out (R-87).
    """
    army = battle.army[flank]
    farthest = -1.0
    people = 0
    for kind in range(SHIP + 1):
        people += round(strength(battle, units, flank, kind, on_water))
    for kind in range(SHIP + 1):
        men = strength(battle, units, flank, kind, on_water)
        if men > 0.0 and round(men) >= math.floor(least * people):
            farthest = max(farthest, units.reach_m[army, kind])
    return farthest


def resilience(battle: Battle, units: Units, flank: int, on_water: int) -> int:
    """Return the rounds before a cut, by the most advanced logistics of the types present (SUP-02, FLK-02)."""
    army = battle.army[flank]
    best = SHIP
    rank = -1
    for kind in range(SHIP + 1):
        if strength(battle, units, flank, kind, on_water) > 0.0 and units.logistics[army, kind] > rank:
            rank = units.logistics[army, kind]
            best = kind
    return int(units.resilience[army, best])


def lose_morale(battle: Battle, flank: int, points: float) -> None:
    """Reduce the morale of a flank, not below 0 (R-16)."""
    battle.morale[flank] = max(battle.morale[flank] - points, 0.0)


def check_morale(battle: Battle, numbers: Atk07, flank: int, driver: int, events: Events, hour: int) -> None:
    """Make a flank retreat or rout if its morale is low enough (ATK-07).

    A flank that starts without morale is routed by the first check (R-52). `driver` is the flank that attacked it, -1
    for attrition and disease.
    """
    if is_out(battle.status[flank]):
        return
    morale = battle.morale[flank]
    start = battle.morale_start[flank]
    if morale < numbers.routed_below * start or morale <= 0.0:
        rout(battle, flank, driver, events, hour)
    elif morale < numbers.retreating_below * start and battle.status[flank] == READY:
        battle.status[flank] = RETREATING
        note(events, hour, RETREATS, battle.side[flank], flank, driver, 0.0, 0.0, 0.0)


def rout(battle: Battle, flank: int, driver: int, events: Events, hour: int) -> None:
    """Set a flank to Routed, which is out of the battle (ATK-07, MOVE-07)."""
    battle.status[flank] = ROUTED_STATUS
    note(events, hour, ROUTED, battle.side[flank], flank, driver, 0.0, 0.0, 0.0)


@part(draw="draw", men=Label("", WHOLE))
def dead_of(amount: float, draw: float, men: int) -> int:
    """Return the deaths of a flank from attrition or disease, rounded by a draw, at most all of its men (R-26)."""
    return min(whole_by_chance(amount, draw), men)


@rule("ATT-06", "morale lost", WHOLE, dead=Label("dead", WHOLE), a_man="a man")
def morale_of_dead(dead: int, a_man: float) -> float:
    """Return the points of morale that a flank loses with its dead of attrition or disease (ATT-06)."""
    return dead * a_man


def waste(battle: Battle, numbers: Strat04, flank: int, dead: int, events: Events, hour: int) -> None:
    """Remove the dead of attrition or disease and their morale from a flank, perhaps ending it (R-33, ATT-06).

    The caller counts the dead and notes the event; `dead` is at most the flank's men.
    """
    battle.men[flank] -= dead
    lose_morale(battle, flank, morale_of_dead(dead, numbers.morale_a_man))
    if battle.men[flank] == 0:
        battle.morale[flank] = 0.0
        battle.status[flank] = INACTIVE
        note(events, hour, WIPED_OUT, battle.side[flank], flank, -1, 0.0, 0.0, 0.0)
