"""Decisions of all flanks at the start of an hour (DEC), each on the same state of the battle (R-12)."""

from __future__ import annotations

from engine.autoalgo.battle.draw_ids import CHARGE as CHARGE_DRAW
from engine.autoalgo.battle.flank import depth_m, distance_m, effective_distance_m, ground_at, is_out, strength
from engine.autoalgo.battle.frontage import share_fronts
from engine.autoalgo.battle.state import (
    FEIGNED_RETREAT,
    HIT_AND_RUN,
    POSITION,
    RETREATING,
    SHIP,
    Battle,
    Orders,
    Real,
    Tunables,
    Units,
)
from engine.autoalgo.battle.targets import list_targets, sought_enemy
from engine.rng import ranked

OUT = 0
MOVE = 1
CHARGE = 2
ATTACK = 3
"""Codes of `Orders.action`."""

LONG = 0
SHORT = 2
NO_WEAPON = -1


def decide(battle: Battle, orders: Orders, tunables: Tunables, draws: Real, hour: int) -> None:
    """Fill in the orders of the hour; shape of draws (purposes, n)."""
    flanks = battle.side.shape[0]
    for side in range(2):
        list_targets(battle, orders, side, tunables.constants.r_29)
    for flank in range(flanks):
        look_around(battle, orders, tunables, flank)
    for flank in range(flanks):
        orders.action[flank] = choose_action(battle, orders, tunables, flank, draws[CHARGE_DRAW, flank], hour)
        if orders.action[flank] == ATTACK:
            orders.attackers[orders.target[flank]] += 1
            orders.attacking[orders.target[flank]] += tunables.traits.weight[flank]
    share_fronts(battle, orders, ATTACK, tunables)


def take_turns(orders: Orders, first: int, last: int, draws: Real) -> int:
    """List the flanks with actions from `first` to `last` in the order of their draws, shape (n,) (R-12).

    Returns:
        The number of flanks in `Orders.turn`.
    """
    count = 0
    for flank in range(orders.action.shape[0]):
        if first <= orders.action[flank] <= last:
            orders.turn[count] = flank
            count += 1
    ranked(draws, orders.turn, count)
    return count


def look_around(battle: Battle, orders: Orders, tunables: Tunables, flank: int) -> None:
    """Find the enemy whom a flank seeks, and its terrain (FLK-05, R-29)."""
    orders.attackers[flank] = 0
    orders.attacking[flank] = 0.0
    orders.target[flank] = -1
    orders.distance_m[flank] = 0.0
    orders.ground[flank] = ground_at(tunables.ground, battle.x_m[flank], battle.y_m[flank])
    if not is_out(battle.status[flank]):
        target = sought_enemy(battle, orders, tunables, flank)
        orders.target[flank] = target
        if target >= 0:
            orders.distance_m[flank] = distance_m(battle, flank, target)


def choose_action(battle: Battle, orders: Orders, tunables: Tunables, flank: int, draw: float, hour: int) -> int:
    """Decide between move, charge and attack, and order the weapons of all ready types (DEC-01, DEC-05, DEC-06).

    `draw`, in [0, 1), decides on a charge.
    """
    for kind in range(SHIP + 1):
        orders.weapon[flank, kind] = NO_WEAPON
    if is_out(battle.status[flank]):
        return OUT
    if battle.status[flank] == RETREATING or is_running(battle, flank) or orders.target[flank] < 0:
        return MOVE
    units = tunables.units
    on_water = tunables.ground.is_water[orders.ground[flank]]
    effective_m = effective_distance_m(orders.distance_m[flank], depth_m(battle, tunables, orders.target[flank], flank))
    if effective_m > tunables.traits.reach_m[flank, on_water]:
        return MOVE
    present = 0.0
    ready = 0.0
    resting = 0
    for kind in range(SHIP + 1):
        men = strength(battle, units, flank, kind, on_water)
        if men <= 0.0:
            continue
        present += men
        weapon = weapon_at(units, battle.army[flank], kind, effective_m)
        if weapon == NO_WEAPON or hour <= battle.rests_until[flank, kind]:
            resting += 1
        else:
            ready += men
            orders.weapon[flank, kind] = weapon
    if ready <= 0.0:
        return MOVE
    if resting == 0:
        return ATTACK
    return go_on(battle, tunables, flank, ready / present, tunables.traits.shock[flank, on_water], draw)


def is_running(battle: Battle, flank: int) -> bool:
    """Return True if the flank flees in Hit and run (MOVE-02); a retreating flank has no maneuver (R-33)."""
    if battle.status[flank] == RETREATING or battle.maneuver[flank] != HIT_AND_RUN:
        return False
    return bool(battle.run_rounds[flank] > 0)


def go_on(battle: Battle, tunables: Tunables, flank: int, ready: float, shock: float, draw: float) -> int:
    """Return the action of a flank of which only a share `ready` can attack (DEC-06, R-123).

    It attacks with that chance, on Position always, and else goes on, in a charge or a move; in the source it charges
    or attacks. It never charges under Position or Feigned Retreat.
    """
    unready = 1.0 - ready
    never = battle.maneuver[flank] == POSITION or battle.maneuver[flank] == FEIGNED_RETREAT
    chance = 0.0 if never else 1.0 / tunables.constants.dec_06.unready_divisor * unready + shock
    if not tunables.constants.r_123.applies:
        return CHARGE if draw < chance else ATTACK
    if draw >= unready or battle.maneuver[flank] == POSITION:
        return ATTACK
    return CHARGE if draw < unready * ready * chance else MOVE


def weapon_at(units: Units, army: int, kind: int, effective_m: float) -> int:
    """Return the weapon of a type at an effective distance, 0 long, 1 medium, 2 short, -1 none (DEC-03, UD-02).

    The range of a disabled weapon is the minimum range of the next longer one (UD-03).
    """
    minimum_m = 0.0
    for weapon in range(SHORT, LONG - 1, -1):
        range_m = units.range_m[army, kind, weapon]
        if units.power[army, kind, weapon] <= 0.0:
            minimum_m = max(minimum_m, range_m)
        elif effective_m <= range_m:
            return weapon if effective_m >= minimum_m else NO_WEAPON
        else:
            minimum_m = 0.0
    return NO_WEAPON
