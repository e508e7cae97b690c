"""Attacks (ATK), one by one in random order, with distance, weapon and terrain as at the decision (R-12, R-33)."""

from __future__ import annotations

import math

from engine.autoalgo.battle.decision import ATTACK, MOVE, NO_WEAPON
from engine.autoalgo.battle.draw_ids import ATTACK as ATTACK_DICE
from engine.autoalgo.battle.draw_ids import ATTACK_ORDER, KILLED_WHOLE
from engine.autoalgo.battle.draw_ids import SUPPLY_CUT as SUPPLY_CUT_DRAW
from engine.autoalgo.battle.events import ATTACK as ATTACKS
from engine.autoalgo.battle.events import (
    CAPTURED,
    HIGHER_GROUND,
    MORALE,
    SUNK,
    SUPPLY_CUT,
    Events,
    keep,
    keep_attack,
    keep_blow,
    note,
)
from engine.autoalgo.battle.flank import (
    armour,
    check_morale,
    defense,
    density,
    distance_m,
    effective_distance_m,
    is_behind_walls,
    is_out,
    lose_morale,
    whole_men,
)
from engine.autoalgo.battle.state import (
    FEIGNED_RETREAT,
    FIRST_CONTACT,
    HIT_AND_RUN,
    INACTIVE,
    READY,
    RETREATING,
    SHIP,
    Battle,
    Ground,
    Numbers,
    Orders,
    Real,
    Tunables,
    Units,
)
from engine.autoalgo.battle.supply import cuts_supply
from engine.rng import ranked


def attack(battle: Battle, orders: Orders, tunables: Tunables, draws: Real, events: Events, hour: int) -> None:
    """Carry out all attacks of the hour; shape of draws (purposes, n).

    A flank that began to retreat this hour does not attack, nor does one whose target is out of the battle (ATK-07).
    """
    ranked(draws[ATTACK_ORDER], orders.turn)
    for flank in orders.turn:
        target = orders.target[flank]
        if orders.action[flank] != ATTACK or battle.status[flank] != READY or is_out(battle.status[target]):
            continue
        if escapes(battle, orders, tunables, flank, target):
            continue
        if cuts_supply(battle, orders, tunables, flank, draws[SUPPLY_CUT_DRAW, flank]):
            battle.supply_cut[target] = hour
            note(events, hour, SUPPLY_CUT, battle.side[flank], flank, target, 0.0, 0.0, 0.0)
        else:
            strike(battle, orders, tunables, flank, draws, events, hour)


def escapes(battle: Battle, orders: Orders, tunables: Tunables, flank: int, target: int) -> bool:
    """Return True if a faster target has gone out of reach, by Hit and run or a Feigned Retreat (R-68)."""
    if battle.status[target] != READY or orders.action[target] != MOVE:
        return False
    if battle.maneuver[target] != HIT_AND_RUN and battle.maneuver[target] != FEIGNED_RETREAT:
        return False
    ground = tunables.ground
    traits = tunables.traits
    code = orders.ground[flank]
    target_code = orders.ground[target]
    speed = traits.speed_kmh[flank, ground.is_water[code]] * ground.speed[code]
    if traits.speed_kmh[target, ground.is_water[target_code]] * ground.speed[target_code] <= speed:
        return False
    reach_m = traits.reach_m[flank, ground.is_water[code]]
    return bool(effective_distance_m(distance_m(battle, flank, target), battle.men_start[target]) > reach_m)


def strike(
    battle: Battle, orders: Orders, tunables: Tunables, flank: int, draws: Real, events: Events, hour: int
) -> None:
    """Attack the target of one flank with all its ready types together (ATK-01, ATK-04, ATK-05)."""
    units = tunables.units
    numbers = tunables.numbers
    side = battle.side[flank]
    target = orders.target[flank]
    code = orders.ground[flank]
    has_terrain_factors = height_counts(battle, orders, tunables.ground, flank)
    efficiency_factor = tunables.ground.efficiency[code] if has_terrain_factors else 1.0
    limitation_factor = tunables.ground.limitation[code] if has_terrain_factors else 1.0
    is_water = tunables.ground.is_water
    protection = defense(battle, units, target, is_water[orders.ground[target]])
    found = density(battle, units, target, is_water[orders.ground[target]])
    walls = 1.0 - tunables.country.walls if is_behind_walls(battle, target) else 1.0
    unprotected = (1.0 - protection) * found * walls
    armour_gap = 0.0
    if not is_water[code] and not is_water[orders.ground[target]]:
        armour_gap = armour(battle, units, target) - armour(battle, units, flank)
    armoured = 1.0 - max(armour_gap, 0.0) * numbers.armour_share
    mercy = numbers.mercy if battle.status[target] == RETREATING else 1.0
    flanking = 1.0 + (orders.attackers[target] - 1) * numbers.flanking
    fortune = battle.fortune_side[side] * battle.fortune_flank[flank]
    if tunables.ground.is_high[code] and not tunables.ground.is_high[orders.ground[target]]:
        note(events, hour, HIGHER_GROUND, side, flank, target, 0.0, 0.0, orders.distance_m[flank])  # ATK-09
    killed = 0.0
    shaken = 0.0
    for kind in range(SHIP + 1):
        weapon = orders.weapon[flank, kind]
        if weapon == NO_WEAPON:
            continue
        rest_begins = max(battle.rests_until[flank, kind] + 1.0, hour)  # half a round is carried over
        battle.rests_until[flank, kind] = rest_begins + units.rebound[side, kind]
        limitation = min(max(units.limitation[side, kind] * limitation_factor, 0.0), 1.0)  # ATK-02
        efficiency = min(max(units.efficiency[side, kind] * efficiency_factor, 0.0), 1.0)
        damage = battalion(battle, units, numbers, flank, kind, limitation)
        damage *= units.effectiveness[side, kind] * units.power[side, kind, weapon] * efficiency
        die = draws[ATTACK_DICE + kind, flank] * numbers.dice  # one draw serves both
        damage *= die * unprotected * fortune
        if units.range_m[side, kind, weapon] <= numbers.contact_m:
            damage *= armoured
        if is_water[code] and kind != SHIP:
            damage /= units.dispersion[side, kind]  # UNIT-16
        keep_blow(events, kind, die, damage)
        killed += damage * mercy
        shaken += damage * units.psychology[side, kind] * flanking * battle.fortune_panic[side]  # no Mercy
    battle.rounds_on[flank, target] += 1
    if battle.maneuver[flank] == HIT_AND_RUN:
        count_hit(battle, numbers, flank)
    if battle.tally[FIRST_CONTACT] == 0:
        battle.tally[FIRST_CONTACT] = hour
    draw = draws[KILLED_WHOLE, flank]
    kills = whole_men(killed, draw)
    keep_attack(
        events,
        orders,
        flank,
        battle.men[flank],
        battle.ships[flank],
        battle.men[target],
        battle.morale[target],
        limitation_factor,
        efficiency_factor,
        is_water[code],
        protection,
        found,
        walls,
        armoured,
        mercy,
        flanking,
        draw,
        kills,
    )
    apply_losses(battle, orders, tunables, flank, kills, shaken, events, hour)


def height_counts(battle: Battle, orders: Orders, ground: Ground, flank: int) -> bool:
    """Return True if the terrain factors apply: of two flanks on High ground only to the first there (R-31)."""
    target = orders.target[flank]
    if not ground.is_high[orders.ground[flank]] or not ground.is_high[orders.ground[target]]:
        return True
    return bool(battle.high_since[flank] < battle.high_since[target])


def battalion(battle: Battle, units: Units, numbers: Numbers, flank: int, kind: int, limitation: float) -> float:
    """Return the men of a type who act together this hour; `limitation` is after terrain, 0 to 1 (ATK-03)."""
    if kind == SHIP:
        return math.sqrt(units.ship_capacity[battle.side[flank]] * battle.ships[flank] * limitation)
    share = battle.share[flank, kind]
    men = battle.men[flank] * share
    if battle.men[flank] < numbers.small_flank:
        return min(float(men * limitation), math.sqrt(numbers.small_flank * share * limitation))
    return math.sqrt(men * limitation)


def count_hit(battle: Battle, numbers: Numbers, flank: int) -> None:
    """Count an attack of a Hit and run flank, which runs after enough of them (MOVE-02)."""
    battle.hit_rounds[flank] += 1
    if battle.hit_rounds[flank] >= numbers.hit_rounds:
        battle.run_rounds[flank] = numbers.run_rounds


def apply_losses(
    battle: Battle,
    orders: Orders,
    tunables: Tunables,
    flank: int,
    kills: int,
    shaken: float,
    events: Events,
    hour: int,
) -> None:
    """Apply an attack of `flank` that kills `kills` men and demoralises `shaken` (ATK-06 to ATK-08)."""
    target = orders.target[flank]
    distance_m = orders.distance_m[flank]
    side = battle.side[target]
    men = battle.men[target]
    if kills < men:
        battle.men[target] -= kills
        battle.killed[target] += kills
        lose_morale(battle, target, tunables.numbers.morale_a_man * (kills + shaken))
        keep(events, MORALE, battle.morale[target])
        note(events, hour, ATTACKS, battle.side[flank], flank, target, kills, shaken, distance_m)
        check_morale(battle, tunables.numbers, target, flank, events, hour)
        return
    battle.men[target] = 0
    battle.morale[target] = 0.0
    battle.status[target] = INACTIVE
    keep(events, MORALE, 0.0)
    if tunables.ground.is_water[orders.ground[target]] and battle.ships[target] > 0:
        ships = battle.ships[target]
        battle.killed[target] += men
        battle.ships[target] = 0
        battle.sunk[target] += ships
        note(events, hour, ATTACKS, battle.side[flank], flank, target, men, shaken, distance_m)
        note(events, hour, SUNK, side, target, flank, ships, 0.0, distance_m)
    else:
        battle.captured[target] += men
        note(events, hour, ATTACKS, battle.side[flank], flank, target, 0.0, shaken, distance_m)
        note(events, hour, CAPTURED, side, target, flank, men, 0.0, distance_m)
