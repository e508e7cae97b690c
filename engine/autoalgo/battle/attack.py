"""Attacks (ATK), one by one in random order, with distance, weapon and terrain as at the decision (R-12, R-33)."""

from __future__ import annotations

import math

from engine.autoalgo.battle.blow import (
    Attack,
    Blows,
    Hearts,
    Panic,
    UnitBlow,
    blow_of,
    fall,
    flanked,
    lose_heart,
    morale_beyond,
    morale_left,
    share_killed,
    with_blow,
)
from engine.autoalgo.battle.decision import ATTACK, MOVE, NO_WEAPON, take_turns
from engine.autoalgo.battle.draw_ids import ATTACK as ATTACK_DICE
from engine.autoalgo.battle.draw_ids import ATTACK_ORDER, KILLED_WHOLE
from engine.autoalgo.battle.draw_ids import SUPPLY_CUT as SUPPLY_CUT_DRAW
from engine.autoalgo.battle.events import ATTACK as ATTACKS
from engine.autoalgo.battle.events import (
    BLOW,
    BLOWS,
    CAPTURED,
    HIGHER_GROUND,
    OUTFLANKING,
    PANIC,
    SHIPS_LOST,
    SUNK,
    SUPPLY_CUT,
    WEAPONS,
    Events,
    keep,
    note,
)
from engine.autoalgo.battle.flank import (
    around,
    check_morale,
    ground_at,
    is_behind_walls,
    is_one_body,
    is_out,
    is_reached,
    lose_morale,
    nearest_friend,
)
from engine.autoalgo.battle.state import (
    FEIGNED_RETREAT,
    FIRST_CONTACT,
    HIT_AND_RUN,
    INACTIVE,
    READY,
    RETREATING,
    SHIP,
    WINNER,
    Battle,
    Orders,
    Real,
    Tunables,
    Units,
)
from engine.autoalgo.battle.supply import cuts_supply
from engine.autoalgo.battle.tactics import feint_factor, fire_factor, got_round, ground_factor, outflanking, pace
from engine.autoalgo.constants import Move02


def attack(battle: Battle, orders: Orders, tunables: Tunables, draws: Real, events: Events, hour: int) -> None:
    """Carry out all attacks of the hour; shape of draws (purposes, n).

    A flank that began to retreat this hour does not attack, nor does one whose target is out of the battle (ATK-07),
    unless other flanks of the target's body remain (R-115).
    """
    for turn in range(take_turns(orders, ATTACK, ATTACK, draws[ATTACK_ORDER])):
        flank = orders.turn[turn]
        if battle.status[flank] != READY:
            continue
        if is_out(battle.status[orders.target[flank]]) and not turns_to_next(battle, orders, tunables, flank):
            continue
        target = orders.target[flank]
        if escapes(battle, orders, tunables, flank, target):
            continue
        if cuts_supply(battle, orders, tunables, flank, draws[SUPPLY_CUT_DRAW, flank]):
            battle.supply_cut[target] = hour
            note(events, hour, SUPPLY_CUT, battle.side[flank], flank, target, 0.0, 0.0, 0.0)
        else:
            strike(battle, orders, tunables, flank, draws, events, hour)


def turns_to_next(battle: Battle, orders: Orders, tunables: Tunables, flank: int) -> bool:
    """Redirect a flank whose target is out of the battle to another of its body; return False without any (R-115)."""
    target = orders.target[flank]
    friend = nearest_friend(battle, target)
    if friend < 0 or not is_one_body(battle, tunables, target, friend):
        return False
    orders.target[flank] = friend
    orders.attackers[friend] += 1
    orders.attacking[friend] += tunables.traits.weight[flank]
    return True


def escapes(battle: Battle, orders: Orders, tunables: Tunables, flank: int, target: int) -> bool:
    """Return True if a faster target escaped by Hit and run or a Feigned Retreat (R-89)."""
    if tunables.constants.r_89.rounds == 0 or battle.status[target] != READY or orders.action[target] != MOVE:
        return False
    if battle.maneuver[target] != HIT_AND_RUN and battle.maneuver[target] != FEIGNED_RETREAT:
        return False
    if pace(orders, tunables, target) <= pace(orders, tunables, flank):
        return False
    return not is_reached(battle, tunables, target, flank)


def strike(
    battle: Battle, orders: Orders, tunables: Tunables, flank: int, draws: Real, events: Events, hour: int
) -> None:
    """Attack the target of one flank with all its ready types together (ATK-01, ATK-04, ATK-05)."""
    units = tunables.units
    constants = tunables.constants
    traits = tunables.traits
    side = battle.side[flank]
    army = battle.army[flank]
    target = orders.target[flank]
    code = orders.ground[flank]
    near_m, x_m, y_m = constants.r_81.metres, battle.x_m[flank], battle.y_m[flank]
    efficiency_factor = around(tunables.ground, tunables.ground.efficiency, near_m, x_m, y_m)
    limitation_factor = around(tunables.ground, tunables.ground.limitation, near_m, x_m, y_m)
    is_water = tunables.ground.is_water
    is_at_sea = is_water[orders.ground[target]]
    walls = 1.0
    if is_behind_walls(battle, target):
        walls = 1.0 - tunables.country.walls * max(1.0 - battle.breach[0], 0.0)
    armour_gap = 0.0
    if not is_water[code] and not is_at_sea:
        armour_gap = traits.armour[target] - traits.armour[flank]
    armoured = 1.0 - max(armour_gap, 0.0) * constants.r_79.share
    if tunables.ground.is_high[code] and not tunables.ground.is_high[orders.ground[target]]:
        note(events, hour, HIGHER_GROUND, side, flank, target, 0.0, 0.0, orders.distance_m[flank])  # ATK-09
    of_share = math.sqrt(traits.weight[flank])
    standing = ground_factor(battle, orders, tunables, target)
    open_fire = fire_factor(battle, orders, tunables, flank, target)
    outflanks = outflanking(battle, orders, tunables, flank, target)
    getting_round = got_round(outflanks)
    feint = feint_factor(battle, orders, tunables, flank, target)
    blows = Blows(0.0, 0.0, 0.0, 0.0)
    flees = bool(battle.status[target] == RETREATING)
    hits = killing = 0.0
    contact, is_even = -1.0, True
    for kind in range(SHIP + 1):
        weapon = orders.weapon[flank, kind]
        if weapon == NO_WEAPON:
            continue
        rest_begins = max(battle.rests_until[flank, kind] + 1.0, hour)  # half a round is carried over
        battle.rests_until[flank, kind] = rest_begins + units.rebound[army, kind]
        aboard = share = 1.0
        if kind == SHIP:
            men = units.ship_capacity[army] * battle.ships[flank]
            small_flank = 0.0
        else:
            of_men = battle.share[flank, kind]
            if constants.r_123.applies:
                share, of_men = of_men, 1.0
            men = battle.men[flank] * of_men
            aboard = min(units.aboard[side] * battle.men_start[flank] / battle.men[flank], 1.0)
            is_small = battle.men[flank] < constants.atk_03.small_flank_men * traits.weight[flank]
            small_flank = constants.r_32.men * traits.weight[flank] * of_men if is_small else 0.0
        dispersion = units.dispersion[army, kind] if is_water[code] and kind != SHIP else 1.0
        is_in_contact = units.range_m[army, kind, weapon] <= constants.r_79.contact_m
        on_armour = armoured if is_in_contact else 1.0  # apart, since Numba takes no branch among so many keywords
        blow = UnitBlow(
            men=men,
            share=share,
            aboard=aboard,
            limitation=units.limitation[army, kind],
            on_limitation=limitation_factor,
            small_flank=small_flank,
            effectiveness=units.effectiveness[army, kind],
            power=units.power[army, kind, weapon],
            efficiency=units.efficiency[army, kind],
            on_efficiency=efficiency_factor,
            die=draws[ATTACK_DICE + kind, flank] * constants.atk_04.luck_most,  # one draw serves both
            defense=traits.defense[target, is_at_sea],
            density=traits.density[target, is_at_sea],
            walls=walls,
            side_fortune=battle.fortune_side[side],
            flank_fortune=battle.fortune_flank[flank],
            of_share=of_share,
            armour=on_armour,
            dispersion=dispersion,
            ground=standing,
            open_fire=open_fire,
            getting_round=getting_round,
            feint=feint,
            front=orders.front[flank],
        )
        keep(events, BLOWS + kind * BLOW, blow)
        of_type = blow_of(blow)
        is_hand_to_hand = bool(is_in_contact and not is_water[code] and not is_at_sea)
        share_of_type = share_killed(is_hand_to_hand, flees, units.psychology[army, kind], constants.r_127)
        is_even = is_even and (contact < 0.0 or contact == share_of_type)
        contact = share_of_type
        hits += of_type
        killing += of_type * share_of_type
        blows = with_blow(blows, kind, of_type)
    battle.rounds_on[flank, target] += 1
    if battle.maneuver[flank] == HIT_AND_RUN:
        count_hit(battle, constants.move_02, flank)
    elif battle.maneuver[flank] == FEIGNED_RETREAT:
        battle.hit_rounds[flank] += 1
    if battle.tally[FIRST_CONTACT] == 0:
        battle.tally[FIRST_CONTACT] = hour
    if not is_even and hits > 0.0:
        contact = killing / hits
    mercy = constants.atk_04.mercy if flees else 1.0
    up = 0.0 if flees else 1.0 - contact
    flanking = flanked(orders.attacking[target] - traits.weight[flank], constants.atk_05)
    draw = draws[KILLED_WHOLE, flank]
    panic = battle.fortune_panic[side]
    attack = Attack(mercy, contact, draw, flanking, panic, float(battle.men[target]), battle.morale[target], up)
    keep(events, 0, attack)
    keep(events, WEAPONS, orders.weapon[flank])
    keep(events, OUTFLANKING, outflanks)
    hearts = units.psychology[army]
    kills = fall(blows, mercy, contact, draw)
    if kills > battle.men[target] and constants.r_85.flanks > 0:
        spare_weapons(battle, orders, units, flank, battle.men[target] / kills)
    shaken = lose_heart(blows, Hearts(hearts[0], hearts[1], hearts[2], hearts[SHIP]), flanking, panic, up)
    apply_losses(battle, orders, tunables, flank, kills, shaken, events, hour)


def spare_weapons(battle: Battle, orders: Orders, units: Units, flank: int, share: float) -> None:
    """Let the types of a flank rest less after a blow of which a share wiped out its target (R-85)."""
    for kind in range(SHIP + 1):
        if orders.weapon[flank, kind] != NO_WEAPON:
            battle.rests_until[flank, kind] -= units.rebound[battle.army[flank], kind] * (1.0 - share)


def count_hit(battle: Battle, numbers: Move02, flank: int) -> None:
    """Count an attack of a Hit and run flank, which flees after enough of them (MOVE-02)."""
    battle.hit_rounds[flank] += 1
    if battle.hit_rounds[flank] >= numbers.attack_rounds:
        battle.run_rounds[flank] = numbers.retreat_rounds


def apply_losses(
    battle: Battle, orders: Orders, tunables: Tunables, flank: int, kills: int, shaken: float, events: Events, hour: int
) -> None:
    """Apply an attack of `flank` that kills `kills` men and demoralises `shaken` (ATK-06 to ATK-08)."""
    target = orders.target[flank]
    distance_m = orders.distance_m[flank]
    side = battle.side[target]
    men = battle.men[target]
    before = battle.morale[target]
    a_man = tunables.constants.strat_04.morale_a_man
    if kills < men:
        battle.men[target] -= kills
        battle.killed[target] += kills
        if battle.status[target] == RETREATING:
            battle.pursued[target] += kills
        battle.morale[target] = morale_left(before, kills, shaken, a_man)
        hearts = min(shaken, float(men - kills))
        note(events, hour, ATTACKS, battle.side[flank], flank, target, kills, hearts, distance_m)
        check_morale(battle, tunables.constants.atk_07, target, flank, events, hour)
    else:
        battle.men[target] = 0
        battle.morale[target] = 0.0
        battle.status[target] = INACTIVE
        if tunables.ground.is_water[orders.ground[target]] and battle.ships[target] > 0:
            ships = battle.ships[target]
            battle.killed[target] += men
            battle.ships[target] = 0
            battle.sunk[target] += ships
            note(events, hour, ATTACKS, battle.side[flank], flank, target, men, 0.0, distance_m)
            note(events, hour, SUNK, side, target, flank, ships, 0.0, distance_m)
        else:
            battle.captured[target] += men
            note(events, hour, ATTACKS, battle.side[flank], flank, target, 0.0, min(shaken, float(men)), distance_m)
            note(events, hour, CAPTURED, side, target, flank, men, 0.0, distance_m)
    if battle.status[target] != READY and tunables.constants.r_85.flanks > 0:
        panic = Panic(before, float(kills), shaken, 0.0)
        spread_panic(battle, tunables, flank, target, men, panic, events, hour)


def lose_ships(battle: Battle, tunables: Tunables, events: Events, hour: int) -> None:
    """Remove ships without crews from flanks that end a battle on Water with men killed (R-122)."""
    if battle.tally[WINNER] < 0 or not tunables.constants.r_122.applies:
        return
    for flank in range(battle.side.shape[0]):
        code = ground_at(tunables.ground, battle.x_m[flank], battle.y_m[flank])
        has_crews = tunables.units.ship_capacity[battle.army[flank]] > 0.0
        if has_crews and battle.killed[flank] > 0 and tunables.ground.is_water[code]:
            afloat = math.ceil(battle.ships_start[flank] * battle.men[flank] / battle.men_start[flank])
            lost = battle.ships[flank] - afloat
            if lost > 0:
                battle.ships[flank] -= lost
                battle.sunk[flank] += lost
                note(events, hour, SHIPS_LOST, battle.side[flank], flank, -1, lost, 0.0, 0.0)


def spread_panic(
    battle: Battle, tunables: Tunables, flank: int, target: int, men: int, panic: Panic, events: Events, hour: int
) -> None:
    """Spread panic that exceeds a flank's breaking point to the nearest fighting flank of its side (R-85).

    Flanks close together are one body (R-115): panic beyond a flank's breaking point passes to the next one, from
    flank to flank, until one of them holds. Hits in excess of a flank's men demoralise the next one of its body, but
    no flank farther off.

    Args:
        men: Men of the target before the attack.
    """
    a_man = tunables.constants.strat_04.morale_a_man
    broken, friend = target, nearest_friend(battle, target)
    while friend >= 0:
        goes_on = is_one_body(battle, tunables, broken, friend)
        if goes_on:
            flees_at = tunables.constants.atk_07.retreating_below * battle.morale_start[broken]
            panic = Panic(panic.before, panic.fallen, panic.shaken, flees_at)
        else:
            panic = Panic(panic.before, min(panic.fallen, float(men)), panic.shaken, 0.0)
        points = morale_beyond(panic, a_man)
        if points <= 0.0:
            return
        before = battle.morale[friend]
        lose_morale(battle, friend, points)
        keep(events, 0, panic)
        hearts = min(points / a_man, float(battle.men[friend]))
        note(events, hour, PANIC, battle.side[target], friend, broken, 0.0, hearts, 0.0)
        check_morale(battle, tunables.constants.atk_07, friend, flank, events, hour)
        if not goes_on or battle.status[friend] == READY:
            return
        panic = Panic(before, 0.0, points / a_man, 0.0)
        broken, friend = friend, nearest_friend(battle, friend)
