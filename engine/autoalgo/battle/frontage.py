"""The front on which flanks meet (R-115): attackers without room are in reserve, and few of them strike."""

from __future__ import annotations

from engine.autoalgo.battle.flank import distance_m, is_one_body
from engine.autoalgo.battle.state import READY, Battle, Orders, Tunables


def share_fronts(battle: Battle, orders: Orders, attacks: int, tunables: Tunables) -> None:
    """Compute the factor of the front on hits of each attacker.

    A front is as wide as the share of their army in the enemies before an attacker, and has room for an equal share of
    his own.

    Args:
        attacks: Code of the action of a flank that attacks.
    """
    numbers, share, flanks = tunables.constants.r_115, tunables.traits.of_side, battle.side.shape[0]
    for flank in range(flanks):
        orders.front[flank] = 1.0
        orders.pressing[flank] = 0.0
    if numbers.reserve == 1.0:
        return
    for flank in range(flanks):
        if orders.action[flank] == attacks:
            orders.pressing[orders.target[flank]] += share[flank]
    for flank in range(flanks):
        if orders.action[flank] == attacks:
            width = pressing = 0.0
            for enemy in range(flanks):
                if battle.side[enemy] == battle.side[flank] or battle.status[enemy] > READY:
                    continue
                if is_before(battle, orders, tunables, flank, enemy):
                    width += share[enemy]
                    pressing += orders.pressing[enemy]
            orders.front[flank] = room(width, pressing, numbers.reserve)


def is_before(battle: Battle, orders: Orders, tunables: Tunables, flank: int, enemy: int) -> bool:
    """Return True if an enemy is on the front of a flank: one reaches the other, or he is a body with its target."""
    reach_m, is_water = tunables.traits.reach_m, tunables.ground.is_water
    own_m = reach_m[flank, is_water[orders.ground[flank]]]
    enemys_m = reach_m[enemy, is_water[orders.ground[enemy]]]
    is_near = distance_m(battle, flank, enemy) <= max(own_m, enemys_m)
    return bool(is_near or is_one_body(battle, tunables, orders.target[flank], enemy))


def room(width: float, pressing: float, reserve: float) -> float:
    """Return the share of the attackers who strike: those with room on the front, and some of the others (R-115).

    Args:
        width: Share of the enemies' army on the front, above 0 unless all of them flee.
        pressing: Share of the attackers' army against it.
        reserve: Share of strikers among the attackers without room.
    """
    return (width + reserve * (pressing - width)) / pressing if pressing > width else 1.0
