"""The front on which flanks meet (R-115): attackers who find no room at it stand behind, and few of them strike."""

from __future__ import annotations

from engine.autoalgo.battle.flank import is_one_body
from engine.autoalgo.battle.state import ATTACKER, READY, Battle, Orders, Tunables


def share_fronts(battle: Battle, orders: Orders, attacks: int, tunables: Tunables) -> None:
    """Find the factor of the front on hits on each flank that is attacked.

    A front is as wide as the share of its army that stands there, the flank and those of its body. Attackers fit on it
    whose share of their own army is as great. Three flanks and fewer against as many fight as in the source.

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
    """Return the share of the attackers who strike: those who fit on the front, and some of the others (R-115).

    Args:
        width: Share of its army that stands on the front, above 0.
        pressing: Share of theirs that attacks it.
        reserve: Share of those beyond it who strike.
    """
    return (width + reserve * (pressing - width)) / pressing if pressing > width else 1.0
