"""Natural attrition by hunger, cold and crowding (ATT), hourly in every flank that is not out of the battle."""

from __future__ import annotations

from engine.autoalgo.battle.draw_ids import ATTRITION, ATTRITION_WHOLE
from engine.autoalgo.battle.events import ATTRITION as DIED
from engine.autoalgo.battle.events import STORES_OUT, Events, Toll, keep, note
from engine.autoalgo.battle.flank import dead_of, is_out, waste
from engine.autoalgo.battle.siege import unfed
from engine.autoalgo.battle.siege_law import load_in_siege
from engine.autoalgo.battle.state import DEFENDER, SIEGE_BEGUN, Battle, Real, Tunables
from engine.autoalgo.constants import Constants
from engine.calculation import WHOLE
from engine.rule import Label, rule


def natural_attrition(battle: Battle, tunables: Tunables, draws: Real, events: Events, hour: int) -> None:
    """Let men of overcrowded sides die once their stores are empty; shape of draws (purposes, n) (ATT-01, R-99).

    A side's overcrowding is computed once an hour, before any of its men die, so the order of flanks does not matter.
    """
    constants = tunables.constants
    is_due = int(hour / constants.r_99.hours) * constants.r_99.hours == hour
    is_siege = constants.r_100.applies and battle.tally[SIEGE_BEGUN] > 0
    for side in range(2):
        men = side_men(battle, side)
        people, capacity = float(tunables.country.local_population[side]), float(battle.capacity[side])
        share_unfed, days = 0.0, battle.stores[side] / constants.r_99.hours
        if is_siege:
            share_unfed = unfed(battle, tunables, side)
            load = load_in_siege(tunables.country.camp, camp_share(side), share_unfed, days, constants.r_100)
        else:
            load = overcrowding(men, people, capacity, constants.att_04.load_most)
            if load > 1.0 and battle.stores[side] > 0.0:
                eat_stores(battle, constants, side, load, events, hour)
                load = 0.0
        if load <= 1.0 or not is_due:
            continue
        for flank in range(battle.side.shape[0]):
            if battle.side[flank] != side or is_out(battle.status[flank]):
                continue
            die, draw = draws[ATTRITION, flank] * constants.att_05.luck_most, draws[ATTRITION_WHOLE, flank]
            dead = starved(tunables.country.attrition, die, battle.men[flank], load, draw)
            if dead > 0:
                battle.died[flank] += dead
                own, of_side = float(battle.men[flank]), 0.0 if is_siege else float(men)
                keep(events, 0, Toll(own, draw, die, load, of_side, capacity, share_unfed, days))
                note(events, hour, DIED, side, flank, -1, dead, 0.0, 0.0)
                waste(battle, constants.strat_04, flank, dead, events, hour)


def camp_share(side: int) -> float:
    """Return a side's share in the hardship of camps in a siege: one half for a garrison under roofs (R-100)."""
    return 1.0 / 2.0 if side == DEFENDER else 1.0


def eat_stores(battle: Battle, constants: Constants, side: int, load: float, events: Events, hour: int) -> None:
    """Let an underfed side consume its stores for an hour (R-99)."""
    battle.stores[side] = max(battle.stores[side] - eaten_in_a_day(load, constants.att_04.load_most), 0.0)
    if battle.stores[side] == 0.0:
        note(events, hour, STORES_OUT, side, -1, -1, 0.0, 0.0, 0.0)


@rule("R-99", "days of food eaten in a day", load="overcrowding")
def eaten_in_a_day(load: float, limit: float) -> float:
    """Return the days of stores consumed by a side in a day: 1 at the greatest overcrowding (R-99)."""
    return (load - 1.0) / (limit - 1.0)


@rule(
    "ATT-04",
    "overcrowding",
    men=Label("men of the side", WHOLE),
    local_population=Label("people who feed it", WHOLE),
    capacity="Capacity",
)
def overcrowding(men: float, local_population: float, capacity: float, limit: float) -> float:
    """Return L of a side, its overcrowding; at most 1 causes no deaths (ATT-04)."""
    return load_of(men, local_population * capacity, limit)


@rule(
    "ATT-05, R-26",
    "dead",
    WHOLE,
    attrition="Attrition",
    die="die",
    men=Label("men", WHOLE),
    load="overcrowding",
    draw="draw",
)
def starved(attrition: float, die: float, men: int, load: float, draw: float) -> int:
    """Return the deaths in a flank from natural attrition (ATT-05, R-19).

    Args:
        attrition: Attrition constant of the location.
        load: Overcrowding of the side, above 1 (ATT-04).
        draw: In [0, 1), for rounding (R-26).
    """
    return dead_of((attrition + die) * men * (load - 1.0), draw, men)


def load_of(men: float, fed: float, limit: float) -> float:
    """Return the ratio of men to fed men, at most `limit`; `limit` without any supplies (R-56)."""
    return min(men / fed, limit) if fed else limit


def side_men(battle: Battle, side: int) -> int:
    """Return all surviving men of a side, including routed ones (R-33)."""
    men = 0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == side:
            men += battle.men[flank]
    return men
