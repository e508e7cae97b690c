"""Cutting an enemy's supply (SUP)."""

from __future__ import annotations

from engine.autoalgo.events import SIDE_CUT, Events, note
from engine.autoalgo.flank import is_out, resilience
from engine.autoalgo.state import PILLAGING, Battle, Numbers, Orders, Tunables


def cuts_supply(battle: Battle, orders: Orders, tunables: Tunables, flank: int, draw: float) -> bool:
    """SUP-01: whether a Pillaging flank about to attack cuts its target's supply instead; `draw` is in [0, 1)."""
    target = orders.target[flank]
    if battle.maneuver[flank] != PILLAGING or battle.supply_cut[target] > 0:
        return False
    if orders.attackers[target] < 2:  # one other flank, of any maneuver, is enough
        return False
    on_water = tunables.ground.is_water[orders.ground[target]]
    if battle.rounds_on[flank, target] < resilience(battle, tunables.units, target, on_water):
        return False
    return draw <= tunables.numbers.cut_chance


def cut_sides(battle: Battle, numbers: Numbers, events: Events, hour: int) -> None:
    """SUP-03: a side all of whose flanks in the battle are cut loses most of its Capacity, once."""
    for side in range(2):
        if battle.side_cut[side] == 0 and is_cut_off(battle, side):
            battle.side_cut[side] = hour
            battle.capacity[side] *= numbers.cut_capacity_left
            note(events, hour, SIDE_CUT, side, -1, -1, 0.0, 0.0, 0.0)


def is_cut_off(battle: Battle, side: int) -> bool:
    """Whether the side has flanks in the battle and each of them is cut."""
    cut = False
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == side and not is_out(battle.status[flank]):
            if battle.supply_cut[flank] == 0:
                return False
            cut = True
    return cut
