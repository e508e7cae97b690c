"""The front on which flanks meet (R-115): attackers without room are in reserve, and few of them strike."""

from __future__ import annotations

from engine.autoalgo.battle.flank import is_one_body
from engine.autoalgo.battle.state import ATTACKER, READY, Battle, Orders, Tunables


def share_fronts(battle: Battle, orders: Orders, attacks: int, tunables: Tunables) -> None:
    """Compute the factor of the front on hits on each target.

    A front is as wide as the share of its army in the flank and its body, and has room for an equal share of the
    attackers' army. At most three flanks against three fight as in the source.

    Args:
        attacks: Code of the action of a flank that attacks.
    """
    numbers, flanks = tunables.constants.r_115, battle.side.shape[0]
    attackers_men = defenders_men = 0.0
    for flank in range(flanks):
        orders.front[flank] = 1.0
        orders.pressing[flank] = 0.0
        if battle.side[flank] == ATTACKER:
            attackers_men += battle.men_start[flank]
        else:
            defenders_men += battle.men_start[flank]
    if numbers.reserve == 1.0 or max(tunables.units.flank_ratio[0], tunables.units.flank_ratio[1]) <= 1.0:
        return
    for flank in range(flanks):
        if orders.action[flank] == attacks:
            men = attackers_men if battle.side[flank] == ATTACKER else defenders_men
            orders.pressing[orders.target[flank]] += battle.men_start[flank] / men
    for flank in range(flanks):
        if orders.attackers[flank] > 0:
            men = attackers_men if battle.side[flank] == ATTACKER else defenders_men
            width = pressing = 0.0
            for friend in range(flanks):
                if battle.side[friend] != battle.side[flank] or battle.status[friend] > READY:
                    continue
                if friend == flank or is_one_body(battle, tunables, flank, friend):
                    width += battle.men_start[friend] / men
                    pressing += orders.pressing[friend]
            orders.front[flank] = room(width, pressing, numbers.reserve)


def room(width: float, pressing: float, reserve: float) -> float:
    """Return the share of the attackers who strike: those with room on the front, and some of the others (R-115).

    Args:
        width: Share of the target's army on the front, above 0.
        pressing: Share of the attackers' army against it.
        reserve: Share of strikers among the attackers without room.
    """
    return (width + reserve * (pressing - width)) / pressing if pressing > width else 1.0
