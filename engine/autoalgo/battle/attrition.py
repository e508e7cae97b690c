"""Natural attrition by hunger, cold and crowding (ATT), hourly in every flank that is not out of the battle."""

from __future__ import annotations

from engine.autoalgo.battle.draw_ids import ATTRITION, ATTRITION_WHOLE
from engine.autoalgo.battle.events import ATTRITION as DIED
from engine.autoalgo.battle.events import CAPACITY, DIE, DRAW, MEN, SHARE, SIDE_MEN, Events, keep, note
from engine.autoalgo.battle.flank import is_out, waste
from engine.autoalgo.battle.state import Battle, Real, Tunables
from engine.rng import whole_by_chance


def natural_attrition(battle: Battle, tunables: Tunables, draws: Real, events: Events, hour: int) -> None:
    """Let men of overcrowded sides die; shape of draws (purposes, n) (ATT-01, ATT-05, R-19).

    A side's overcrowding is computed once an hour, before any of its men die, so the order of flanks does not matter.
    """
    numbers = tunables.numbers
    for side in range(2):
        men = side_men(battle, side)
        load = overcrowding(
            men, tunables.country.local_population[side], battle.capacity[side], numbers.overcrowding_most
        )
        excess = load - 1.0
        if excess <= 0.0:
            continue
        for flank in range(battle.side.shape[0]):
            if battle.side[flank] != side or is_out(battle.status[flank]):
                continue
            die = draws[ATTRITION, flank] * numbers.attrition_dice
            rate = tunables.country.attrition + die
            dead = min(
                whole_by_chance(rate * battle.men[flank] * excess, draws[ATTRITION_WHOLE, flank]), battle.men[flank]
            )
            if dead > 0:
                battle.died[flank] += dead
                keep(events, MEN, battle.men[flank])
                keep(events, DRAW, draws[ATTRITION_WHOLE, flank])
                keep(events, DIE, die)
                keep(events, SHARE, load)
                keep(events, SIDE_MEN, men)
                keep(events, CAPACITY, battle.capacity[side])
                note(events, hour, DIED, side, flank, -1, dead, 0.0, 0.0)
                waste(battle, numbers, flank, dead, events, hour)


def overcrowding(men: float, local_population: float, capacity: float, limit: float) -> float:
    """Return L, at most `limit` and `limit` without any supplies (R-56); no men die if L is at most 1 (ATT-04)."""
    fed = local_population * capacity
    return limit if men >= limit * fed else men / fed


def side_men(battle: Battle, side: int) -> int:
    """Return all surviving men of a side, including routed ones (R-33)."""
    men = 0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == side:
            men += battle.men[flank]
    return men
