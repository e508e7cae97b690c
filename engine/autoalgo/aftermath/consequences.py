"""Leaders' survival, occupation and Stability after a battle, as numbers (LEAD-10, OCC, STAB).

Rulings and forecasts run the same functions; forecasts compile them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.autoalgo.aftermath.battle_end import Ends
from engine.autoalgo.aftermath.inputs import AftermathInputs, Command, Conquest, Home
from engine.autoalgo.aftermath.occupation import (
    OccupationState,
    Occupier,
    advance,
    begin,
    end_morale,
    is_over,
    occupiers_overcrowding,
    result,
)
from engine.autoalgo.aftermath.stability import (
    casualty_share,
    changed_stability,
    cost,
    gain,
    half_stake,
    hardship,
    hold,
    leader_factor,
    length,
    losses,
    sensitivity,
    shaken_innate,
    weighed_stability,
    weight,
)
from engine.autoalgo.battle.draw_ids import (
    LEADER_DANGER,
    LEADER_SURVIVAL,
    OCCUPATION_ATTRITION,
    OCCUPATION_OUTBREAK,
    OCCUPATION_SEVERITY,
    STABILITY,
)
from engine.autoalgo.battle.state import ATTACKER, Real, Whole, blank
from engine.autoalgo.constants import R126, Constants, Lead10
from engine.calculation import WHOLE
from engine.rng import draw
from engine.rule import Label, part, rule


class Consequences(NamedTuple):
    """The consequences of a number of battles; a side's column is 0 for the attacker, 1 for the defender."""

    chance: Real  # The commander's chance of surviving, 1 without one, shape (rows, 2)
    is_killed: Whole  # 1 where the commander is killed, shape (rows, 2)
    rounds: Whole  # The rounds of the occupation, shape (rows,)
    score: Real  # The score of the occupation, with the national leader's Attack, shape (rows,)
    result: Real  # The result of the occupation (OCC-08), shape (rows,)
    stability: Real  # The nations' Stability, 0 to 200, not rounded, shape (rows, 2)
    # The last battle's occupation before the first round and after each (the fields of `OccupationState`), up to
    # its length, shape (any, 5).
    history: Real


class SideResult(NamedTuple):
    """Results of a war for one side on which its nation's Stability depends."""

    is_loser: int  # 1 for the side that lost the battle
    men: int  # At the start of the battle
    men_of_smaller: int  # Of the smaller army, at its start
    men_at_stake: int  # Of the larger army for the defender of the place, his own for its attacker
    lost: int  # Total losses in men
    casualties: int  # Lost in action
    is_leader_killed: int  # 1 where its commander is killed, possibly also the nation's leader (LEAD-11)
    hours: int  # The battle's length
    occupation: float  # Result of the occupation, which only the loser feels


def blank_consequences(rows: int, history: int = 0) -> Consequences:
    """Return blank consequences of `rows` battles, with `history` states of the last occupation."""
    blanks = blank(Consequences, (rows, 2), rounds=rows, score=rows, result=rows, history=(history, 5))
    return blanks._replace(chance=np.ones((rows, 2)))


def note_consequences(
    ends: Ends, row: int, inputs: AftermathInputs, seed: int, replicate: int, consequences: Consequences
) -> None:
    """Compute the consequences of one row of `ends`: leaders' survival, then occupation, then Stability."""
    note_fates(ends, row, inputs, seed, replicate, consequences)
    note_occupation(ends, row, inputs, seed, replicate, consequences)
    note_stability(ends, row, inputs, seed, replicate, consequences)


def note_fates(
    ends: Ends, row: int, inputs: AftermathInputs, seed: int, replicate: int, consequences: Consequences
) -> None:
    """Compute the commanders' survival (LEAD-10); arguments as in `note_consequences`."""
    for side in range(2):
        army = inputs.attacker if side == ATTACKER else inputs.defender
        if army.command.is_there:
            danger = draw(seed, replicate, 0, LEADER_DANGER, side)
            left, killed = ends.left[row, side], ends.killed[row, side]
            chance = chance_to_survive(army.command, left, killed, army.men, danger, inputs.constants)
            lives = survives(chance, draw(seed, replicate, 0, LEADER_SURVIVAL, side))
            consequences.chance[row, side] = chance
            consequences.is_killed[row, side] = 0 if lives else 1


def note_occupation(
    ends: Ends, row: int, inputs: AftermathInputs, seed: int, replicate: int, consequences: Consequences
) -> None:
    """Compute the winner's occupation, round by round (OCC); arguments as in `note_consequences`."""
    winner = ends.winner[row]
    victor = inputs.attacker if winner == ATTACKER else inputs.defender
    occupier = occupier_after(
        victor.conquest, ends.left[row, winner], ends.morale[row, winner], ends.capacity[row, winner], inputs.constants
    )
    before = begin(victor.start, occupier)
    held = next_round(before, occupier, inputs.constants, seed, replicate, 1)
    rounds = 1
    note_round(before, 0, consequences.history)
    note_round(held, 1, consequences.history)
    while not is_over(before, held, rounds, inputs.constants.occ_07):
        before = held
        rounds += 1
        held = next_round(before, occupier, inputs.constants, seed, replicate, rounds)
        note_round(held, rounds, consequences.history)
    consequences.rounds[row] = rounds
    consequences.score[row] = held.score * victor.conquest.bonus
    consequences.result[row] = result(held.score, victor.conquest.bonus)


def note_stability(
    ends: Ends, row: int, inputs: AftermathInputs, seed: int, replicate: int, consequences: Consequences
) -> None:
    """Compute the Stability of both leaders' nations (STAB) from fates and occupation, by their shares (R-131).

    Arguments are as in `note_consequences`.
    """
    winner = ends.winner[row]
    for side in range(2):
        army = inputs.attacker if side == ATTACKER else inputs.defender
        larger = max(inputs.attacker.men, inputs.defender.men)
        of_side = SideResult(
            1 if side != winner else 0,
            int(army.men * army.share),
            int(min(inputs.attacker.men, inputs.defender.men) * army.share),
            int((army.men if side == ATTACKER else larger) * army.share),
            int((army.men - ends.left[row, side]) * army.share),
            int((army.men - ends.left[row, side] - ends.died[row, side]) * army.share),
            consequences.is_killed[row, side],
            ends.hours[row],
            consequences.result[row],
        )
        luck = draw(seed, replicate, 0, STABILITY, side)
        consequences.stability[row, side] = stability_after(army.home, of_side, luck, inputs.constants)


def note_round(held: OccupationState, place: int, history: Real) -> None:
    """Write the occupation after a round to its place in the history, if there is room."""
    if place < history.shape[0]:
        for number in range(len(held)):
            history[place, number] = held[number]


def chance_to_survive(command: Command, left: int, killed: int, men: int, draw: float, constants: Constants) -> float:
    """Return a commander's chance to survive, by the share of his men killed (R-126) or left (LEAD-10).

    Args:
        draw: In [0, 1).
    """
    numbers, sharing = constants.lead_10, constants.r_126
    danger = draw * numbers.luck_most
    if sharing.applies:
        return shared_danger(danger, command.martial, command.training, command.age, killed, men, numbers, sharing)
    return survival_chance(danger, command.martial, command.training, command.age, left, men, numbers)


def occupier_after(conquest: Conquest, men: int, morale: float, capacity: float, constants: Constants) -> Occupier:
    """Return the winner after the battle, with the morale of all his flanks, routed ones too (R-70)."""
    overload = occupiers_overcrowding(men, conquest.local_population, capacity, conquest.overcrowding_most)
    return Occupier(
        conquest.efficiency,
        end_morale(morale, conquest.morale_full, constants.r_22),
        conquest.morale_full,
        float(men),
        overload,
        conquest.attrition,
        conquest.outbreak_chance,
        conquest.sickness,
    )


def next_round(
    held: OccupationState, occupier: Occupier, constants: Constants, seed: int, replicate: int, this: int
) -> OccupationState:
    """Return the occupation after one more round with its luck; `this` is the round, from 1."""
    return advance(
        held,
        occupier,
        constants,
        draw(seed, replicate, this, OCCUPATION_ATTRITION, 0),
        draw(seed, replicate, this, OCCUPATION_OUTBREAK, 0),
        draw(seed, replicate, this, OCCUPATION_SEVERITY, 0),
    )


def stability_after(home: Home, result: SideResult, draw: float, constants: Constants) -> float:
    """Return a nation's Stability after the war: by R-110, or by STAB-04.

    Args:
        draw: In [0, 1).
    """
    has_lost_capital = result.is_loser > 0 and home.is_capital > 0
    has_lost_leader = home.leads_both > 0 and result.is_leader_killed > 0
    if constants.r_110.applies > 0:
        return weighed_after(home, result, has_lost_capital, has_lost_leader, draw, constants)
    innate = shaken_innate(
        home.innate, has_lost_capital, has_lost_leader, home.is_totalitarian > 0, constants.stab_02, constants.stab_03
    )
    share = casualty_share(result.casualties, home.maximum_military, constants.stab_04)
    toll = hardship(share, home.economy, result.occupation if result.is_loser > 0 else 1.0, constants.stab_04)
    return changed_stability(home.stability, innate, toll, draw * constants.stab_04.luck_most, constants.stab_01)


def weighed_after(
    home: Home, result: SideResult, has_lost_capital: bool, has_lost_leader: bool, draw: float, constants: Constants
) -> float:
    """Return a nation's Stability after the war, by R-110."""
    numbers = constants.r_110
    is_loser = result.is_loser > 0
    half = half_stake(home.maximum_military, home.population, numbers)
    felt = sensitivity(home.innate, home.economy, draw, numbers)
    factor = numbers.capital if has_lost_capital else 1.0
    return weighed_stability(
        home.stability,
        leader_factor(home.is_totalitarian > 0, constants.stab_03) if has_lost_leader else 1.0,
        gain(result.men_of_smaller, half, felt, is_loser, numbers),
        cost(
            weight(result.men, half, felt),
            losses(result.lost, result.men, numbers),
            hold(result.occupation, factor, result.men_at_stake, half, felt, numbers) if is_loser else 0.0,
            length(result.hours, result.men_of_smaller, half, felt, numbers),
        ),
        constants.stab_01,
    )


@part(danger="danger", martial="Martial", training="Tactical Training", age="age")
def personal(danger: float, martial: float, training: float, age: float, numbers: Lead10) -> float:
    """Return the points of a leader's own qualities in his survival (LEAD-10); arguments as of `survival_chance`."""
    return danger - martial * numbers.martial_factor + training / numbers.training_divisor + age / numbers.age_divisor


@rule(
    "LEAD-10",
    "chance to survive",
    danger="danger",
    martial="Martial",
    training="Tactical Training",
    age="age",
    left=Label("men left", WHOLE),
    men=Label("men", WHOLE),
)
def survival_chance(
    danger: float, martial: float, training: float, age: float, left: float, men: float, numbers: Lead10
) -> float:
    """Return P of LEAD-10, the chance to survive (R-08), 0 to 1.

    Args:
        danger: Points, 0 to `numbers.luck_most`.
        martial: The leader's skill, 0 to 1; a bold leader fights in front, so it counts against him.
        training: Mean Tactical Training of his military, 0 to 10.
        age: Years (LEAD-08).
        left: Men neither killed, dead nor captured.
    """
    share = left / men if men > 0 else 0.0
    return min(1.0, max(0.0, personal(danger, martial, training, age, numbers) / numbers.divisor + share))


@rule(
    "R-126",
    "chance to survive",
    danger="danger",
    martial="Martial",
    training="Tactical Training",
    age="age",
    killed=Label("killed", WHOLE),
    men=Label("men", WHOLE),
)
def shared_danger(
    danger: float,
    martial: float,
    training: float,
    age: float,
    killed: float,
    men: float,
    numbers: Lead10,
    sharing: R126,
) -> float:
    """Return the chance to survive of a commander who shares the danger of his men, 0 to 1 (R-126).

    Args:
        danger: As in `survival_chance`, likewise `martial`, `training` and `age`.
        killed: Number of his men killed in action.
    """
    exposure = 1.0 - personal(danger, martial, training, age, numbers) / sharing.divisor
    return 1.0 - min(1.0, max(0.0, exposure * killed / max(men, 1.0)))


def survives(chance: float, draw: float) -> bool:
    """Return True if the draw, in [0, 1), is below the leader's chance to survive (LEAD-10)."""
    return draw < chance
