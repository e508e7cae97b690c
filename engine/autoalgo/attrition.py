"""Hunger, cold and crowding (ATT): natural attrition of every flank that is not routed, every hour."""

from __future__ import annotations

from engine.autoalgo.events import ATTRITION as DIED
from engine.autoalgo.events import Events, note
from engine.autoalgo.flank import is_out, waste, whole_men
from engine.autoalgo.purposes import ATTRITION, ATTRITION_WHOLE
from engine.autoalgo.state import Battle, Real, Tunables


def natural_attrition(battle: Battle, tunables: Tunables, draws: Real, events: Events, hour: int) -> None:
    """ATT-01, ATT-05, R-19: men die where there are too many of them; shape of draws (purposes, n).

    Every side's overcrowding is that of the hour's beginning of attrition, so the order of its flanks is no matter.
    """
    numbers = tunables.numbers
    for side in range(2):
        over = (
            overcrowding(
                side_men(battle, side),
                tunables.country.local_population[side],
                battle.capacity[side],
                numbers.overcrowding_most,
            )
            - 1.0
        )
        if over <= 0.0:
            continue
        for flank in range(battle.side.shape[0]):
            if battle.side[flank] != side or is_out(battle.status[flank]):
                continue
            rate = tunables.country.attrition + draws[ATTRITION, flank] * numbers.attrition_dice
            dead = min(whole_men(rate * battle.men[flank] * over, draws[ATTRITION_WHOLE, flank]), battle.men[flank])
            if dead > 0:
                battle.died[flank] += dead
                note(events, hour, DIED, side, flank, -1, dead, 0.0, 0.0)
                waste(battle, numbers, flank, dead, events, hour)


def overcrowding(men: float, local_population: float, capacity: float, most: float) -> float:
    """ATT-04: L, at most `most`; at 1 or below nobody starves. Where nothing feeds anybody L is `most` (R-56)."""
    fed = local_population * capacity
    return most if men >= most * fed else men / fed


def side_men(battle: Battle, side: int) -> int:
    """All surviving men of a side, routed ones too (R-33)."""
    men = 0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == side:
            men += battle.men[flank]
    return men
