"""The battle hour by hour, from deployment to its end (FLK-05, FLK-06, R-12, R-13, R-29, R-30)."""

from __future__ import annotations

import numpy as np

from engine.autoalgo.battle.attack import attack, lose_ships
from engine.autoalgo.battle.attrition import natural_attrition
from engine.autoalgo.battle.decision import decide
from engine.autoalgo.battle.disease import disease
from engine.autoalgo.battle.events import DECIDED as DECIDES
from engine.autoalgo.battle.events import RETREATS, Events, note
from engine.autoalgo.battle.flank import check_morale, is_out
from engine.autoalgo.battle.movement import is_met, move
from engine.autoalgo.battle.siege import besiege, take_works
from engine.autoalgo.battle.state import (
    ATTACKER,
    DECIDED,
    DEFENDER,
    FIRST_CONTACT,
    HOURS,
    IDLE,
    READY,
    RETREATING,
    SIEGE_BEGUN,
    WINNER,
    Battle,
    EndRules,
    Orders,
    Real,
    Tunables,
    blank,
)
from engine.autoalgo.battle.supply import cut_sides
from engine.autoalgo.battle.tactics import spring_ambushes, stands
from engine.autoalgo.battle.targets import find_ambushes


def fight_hour(battle: Battle, orders: Orders, tunables: Tunables, draws: Real, events: Events) -> None:
    """Fight one hour (FLK-05) in the order of R-12; draws have the shape (purposes, n)."""
    battle.tally[HOURS] += 1
    hour = battle.tally[HOURS]
    spring_ambushes(battle, tunables.constants.r_81)
    if hour == 1:
        find_ambushes(battle, draws, events, hour)
    if not besiege(battle, tunables, draws, events, hour):
        decide(battle, orders, tunables, draws, hour)
        move(battle, orders, tunables, draws, events, hour)
        attack(battle, orders, tunables, draws, events, hour)
        leave_field(battle, orders, tunables, events, hour)
        cut_sides(battle, tunables.constants.sup_03, events, hour)
    natural_attrition(battle, tunables, draws, events, hour)
    disease(battle, tunables, draws, events, hour)
    for flank in range(battle.side.shape[0]):
        check_morale(battle, tunables.constants.atk_07, flank, -1, events, hour)
    judge(battle, tunables.end_rules, events)
    take_works(battle, tunables, events, hour)
    lose_ships(battle, tunables, events, hour)


def begin(battle: Battle, rules: EndRules, events: Events) -> None:
    """Make every flank with men ready; a side without any has lost before the first hour."""
    for flank in range(battle.side.shape[0]):
        if battle.status[flank] == IDLE:
            battle.status[flank] = READY
    judge(battle, rules, events)


def leave_field(battle: Battle, orders: Orders, tunables: Tunables, events: Events, hour: int) -> None:
    """Let the less steady side retreat (R-30) if after a blow all stand, out of reach of each other (R-13)."""
    if battle.tally[FIRST_CONTACT] == 0 or tunables.constants.r_81.metres == 0.0:
        return
    for flank in range(battle.side.shape[0]):
        if not is_out(battle.status[flank]):
            target = orders.target[flank]
            if not stands(battle, flank) or target < 0 or is_met(battle, tunables, flank, target):
                return
    loser = 1 - steadier_side(battle)
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == loser and battle.status[flank] == READY:
            battle.status[flank] = RETREATING
            note(events, hour, RETREATS, loser, flank, -1, 0.0, 0.0, 0.0)


def judge(battle: Battle, rules: EndRules, events: Events) -> None:
    """Record the decision of the battle, and its end with the winner (FLK-06, R-13, R-29, R-30)."""
    hour = battle.tally[HOURS]
    attackers_fight = has_flank(battle, ATTACKER, False)
    defenders_fight = has_flank(battle, DEFENDER, False)
    if battle.tally[DECIDED] == 0 and not (attackers_fight and defenders_fight):
        battle.tally[DECIDED] = hour
        for flank in range(battle.side.shape[0]):
            dead = battle.died[flank] + battle.diseased[flank]
            battle.lost_before[flank] = battle.killed[flank] + dead + battle.captured[flank]
        if attackers_fight == defenders_fight:
            loser = 1 - steadier_side(battle)
        else:
            loser = ATTACKER if defenders_fight else DEFENDER
        note(events, hour, DECIDES, loser, -1, -1, 0.0, 0.0, 0.0)
    attackers_stand = attackers_fight if rules.ends_at_retreat else has_flank(battle, ATTACKER, True)
    defenders_stand = defenders_fight if rules.ends_at_retreat else has_flank(battle, DEFENDER, True)
    if attackers_stand and defenders_stand:
        if hour >= (rules.siege_hours if battle.tally[SIEGE_BEGUN] > 0 else rules.hours_most):
            battle.tally[WINNER] = DEFENDER
    elif attackers_stand:
        battle.tally[WINNER] = ATTACKER
    elif defenders_stand:
        battle.tally[WINNER] = DEFENDER
    else:
        battle.tally[WINNER] = steadier_side(battle)


def has_flank(battle: Battle, side: int, counts_retreating: bool) -> bool:
    """Return True if a side has a flank in the battle; with `counts_retreating`, retreating flanks count."""
    for flank in range(battle.side.shape[0]):
        status = battle.status[flank]
        if battle.side[flank] == side and not is_out(status) and (counts_retreating or status != RETREATING):
            return True
    return False


def steadier_side(battle: Battle) -> int:
    """Return the winner when both sides break at once: more morale left, then more men left, then the defender (R-30).

    Shares are compared crosswise, without division, so a side that began with nothing counts as having none left.
    """
    morale, morale_full, men, men_full = strength(battle, ATTACKER)
    enemy_morale, enemy_morale_full, enemy_men, enemy_men_full = strength(battle, DEFENDER)
    attackers = morale * enemy_morale_full
    defenders = enemy_morale * morale_full
    if attackers != defenders:
        return ATTACKER if attackers > defenders else DEFENDER
    return ATTACKER if men * enemy_men_full > enemy_men * men_full else DEFENDER


def strength(battle: Battle, side: int) -> tuple[float, float, int, int]:
    """Return the morale of a side now and at the start, and its men now and at the start (R-30)."""
    morale, morale_full, men, men_full = 0.0, 0.0, 0, 0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == side:
            morale += battle.morale[flank]
            morale_full += battle.morale_start[flank]
            men += battle.men[flank]
            men_full += battle.men_start[flank]
    return morale, morale_full, men, men_full


def blank_orders(flanks: int) -> Orders:
    """Return blank orders for a number of flanks."""
    by_side = dict.fromkeys(("target_flank", "target_x_m", "target_y_m"), (2, flanks))
    return blank(Orders, flanks, weapon=(flanks, 4), targets=2, **by_side)._replace(
        target=np.full(flanks, -1, np.int64)
    )
