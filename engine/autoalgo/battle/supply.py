"""Supply cuts (SUP)."""

from __future__ import annotations

from engine.autoalgo.battle.events import SIDE_CUT, Events, note
from engine.autoalgo.battle.flank import is_out, resilience
from engine.autoalgo.battle.state import PILLAGING, Battle, Orders, Tunables
from engine.autoalgo.constants import Sup03


def cuts_supply(battle: Battle, orders: Orders, tunables: Tunables, flank: int, draw: float) -> bool:
    """Return True if a Pillaging flank cuts its target's supply instead of attacking; `draw` is in [0, 1) (SUP-01)."""
    target = orders.target[flank]
    if battle.maneuver[flank] != PILLAGING or battle.supply_cut[target] > 0:
        return False
    if orders.attackers[target] < 2:  # one other flank, of any maneuver, is enough
        return False
    on_water = tunables.ground.is_water[orders.ground[target]]
    if battle.rounds_on[flank, target] < resilience(battle, tunables.units, target, on_water):
        return False
    return draw <= tunables.constants.sup_01.chance


def cut_sides(battle: Battle, numbers: Sup03, events: Events, hour: int) -> None:
    """Reduce, once, the Capacity of a side whose flanks in the battle are all cut off (SUP-03)."""
    for side in range(2):
        if battle.side_cut[side] == 0 and is_cut_off(battle, side):
            battle.side_cut[side] = hour
            battle.capacity[side] *= capacity_when_cut(numbers)
            note(events, hour, SIDE_CUT, side, -1, -1, 0.0, 0.0, 0.0)


def capacity_when_cut(numbers: Sup03) -> float:
    """Return the share of Capacity left to a side that is cut off (SUP-03)."""
    return 1.0 - numbers.capacity_lost


def is_cut_off(battle: Battle, side: int) -> bool:
    """Return True if the side has flanks in the battle and each of them is cut."""
    has_flank = False
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == side and not is_out(battle.status[flank]):
            if battle.supply_cut[flank] == 0:
                return False
            has_flank = True
    return has_flank
