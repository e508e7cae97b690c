"""What follows a battle, as numbers (LEAD-10, OCC, STAB): from its end to fates, occupation and Stability.

Written like the battle's own steps, so that a forecast compiles what a ruling runs; words are put to it elsewhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.autoalgo.attrition import overcrowding
from engine.autoalgo.ends import Ends
from engine.autoalgo.occupation import (
    OccupationRates,
    Occupied,
    Occupier,
    advance,
    begin,
    end_morale,
    is_over,
    result,
)
from engine.autoalgo.purposes import (
    LEADER_DANGER,
    LEADER_SURVIVAL,
    OCCUPATION_ATTRITION,
    OCCUPATION_OUTBREAK,
    OCCUPATION_SEVERITY,
    STABILITY,
)
from engine.autoalgo.stability import StabilityRates, changed_stability, shaken_innate
from engine.autoalgo.stakes import Command, Conquest, Home, Stakes
from engine.autoalgo.state import ATTACKER, Real, Whole
from engine.autoalgo.survival import SurvivalRates, survival_chance, survives
from engine.luck import draw


class Consequences(NamedTuple):
    """What followed so many battles; a side's column is 0 the attacker's, 1 the defender's.

    Args:
        chance: Of the commander to survive, 1 without one, shape (rows, 2).
        is_killed: 1 where he is, shape (rows, 2).
        rounds: Of the occupation, shape (rows,).
        score: Of the occupation, with the national leader's Attack, shape (rows,).
        result: OCC-08, shape (rows,).
        stability: Of the nations, 0 to 200, not rounded, shape (rows, 2).
    """

    chance: Real
    is_killed: Whole
    rounds: Whole
    score: Real
    result: Real
    stability: Real


def blank_consequences(rows: int) -> Consequences:
    """Room for those of so many battles."""
    return Consequences(
        chance=np.ones((rows, 2)),
        is_killed=np.zeros((rows, 2), np.int64),
        rounds=np.zeros(rows, np.int64),
        score=np.zeros(rows),
        result=np.zeros(rows),
        stability=np.zeros((rows, 2)),
    )


def note_consequences(
    ends: Ends, row: int, stakes: Stakes, seed: int, replicate: int, consequences: Consequences
) -> None:
    """Write what follows the battle in a row of `ends`: fates, then the occupation, then Stability."""
    for side in range(2):
        own = stakes.attacker if side == ATTACKER else stakes.defender
        if own.command.is_there:
            danger = draw(seed, replicate, 0, LEADER_DANGER, side)
            chance = chance_to_survive(own.command, ends.left[row, side], own.men, danger, stakes.survival)
            lives = survives(chance, draw(seed, replicate, 0, LEADER_SURVIVAL, side))
            consequences.chance[row, side] = chance
            consequences.is_killed[row, side] = 0 if lives else 1
    winner = ends.winner[row]
    victor = stakes.attacker if winner == ATTACKER else stakes.defender
    occupier = occupier_after(
        victor.conquest, ends.left[row, winner], ends.morale[row, winner], ends.capacity[row, winner], stakes.occupation
    )
    before = begin(victor.start, occupier)
    held = next_round(before, occupier, stakes.occupation, seed, replicate, 1)
    rounds = 1
    while not is_over(before, held, stakes.occupation):
        before = held
        rounds += 1
        held = next_round(before, occupier, stakes.occupation, seed, replicate, rounds)
    consequences.rounds[row] = rounds
    consequences.score[row] = held.score * victor.conquest.bonus
    consequences.result[row] = result(consequences.score[row])
    for side in range(2):
        own = stakes.attacker if side == ATTACKER else stakes.defender
        consequences.stability[row, side] = stability_after(
            own.home,
            side != winner,
            ends.killed[row, side] + ends.captured[row, side],
            consequences.is_killed[row, side],
            consequences.result[row],
            draw(seed, replicate, 0, STABILITY, side),
            stakes.stability,
        )


def chance_to_survive(command: Command, left: int, men: int, draw: float, rates: SurvivalRates) -> float:
    """LEAD-10: a commander's chance, when so many of his men at the start are left; `draw` is in [0, 1)."""
    share = left / men if men > 0 else 0.0
    return survival_chance(command.martial, command.training, command.age, share, draw, rates)


def occupier_after(conquest: Conquest, men: int, morale: float, capacity: float, rates: OccupationRates) -> Occupier:
    """The winner as the battle left him; the morale of all his flanks counts, routed ones too (R-70)."""
    overload = overcrowding(men, conquest.local_population, capacity, conquest.overcrowding_most)
    return Occupier(
        conquest.efficiency,
        end_morale(morale, conquest.morale_full, rates),
        conquest.morale_full,
        float(men),
        overload,
        conquest.attrition,
        conquest.outbreak_chance,
        conquest.sickness,
    )


def next_round(
    held: Occupied, occupier: Occupier, rates: OccupationRates, seed: int, replicate: int, this: int
) -> Occupied:
    """One round of the occupation with its luck; `this` counts from 1."""
    return advance(
        held,
        occupier,
        rates,
        draw(seed, replicate, this, OCCUPATION_ATTRITION, 0),
        draw(seed, replicate, this, OCCUPATION_OUTBREAK, 0),
        draw(seed, replicate, this, OCCUPATION_SEVERITY, 0),
    )


def stability_after(
    home: Home,
    is_loser: bool,
    casualties: int,
    is_leader_killed: int,
    occupation: float,
    draw: float,
    rates: StabilityRates,
) -> float:
    """STAB-02 to STAB-04: what the war makes of a nation's Stability.

    Args:
        home: The nation.
        is_loser: Lost the battle.
        casualties: Killed and captured (R-24).
        is_leader_killed: Its commander, who may lead the nation too (LEAD-11).
        occupation: Result of the occupation, which only the loser feels (R-73).
        draw: In [0, 1).
        rates: The tunables.
    """
    innate = shaken_innate(
        home.innate,
        is_loser and home.is_capital > 0,
        home.leads_both > 0 and is_leader_killed > 0,
        home.is_totalitarian > 0,
        rates,
    )
    share = casualties / home.maximum_military
    felt = occupation if is_loser else 1.0
    return changed_stability(home.stability, innate, share, home.economy, felt, draw, rates)
