"""What follows a battle (LEAD-10, OCC, STAB): from its end state to the numbers of the aftermath."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.autoalgo import occupation, purposes, stability, survival
from engine.autoalgo.aftermath import Aftermath, Fate, Losses, Occupation, Stability
from engine.autoalgo.attrition import side_men
from engine.autoalgo.bands import band_of
from engine.autoalgo.consequences import chance_to_survive, next_round, occupier_after, stability_after
from engine.autoalgo.ends import has_given_up
from engine.autoalgo.inputs import TYPES, WarInputs
from engine.autoalgo.occupation import Occupier
from engine.autoalgo.stakes import command_of, conquest_of, home_of, leads_both, start_of
from engine.autoalgo.stakes import occupying_type as type_that_occupies
from engine.autoalgo.state import Battle, Real, Tunables, Whole
from engine.autoalgo.strategy import belligerent
from engine.autoalgo.tables import Tables
from engine.autoalgo.variables import SideVariables
from engine.luck import Luck

BothVariables = tuple[SideVariables, SideVariables]
"""Attacker's, defender's."""


def follow(
    war: WarInputs,
    battle: Battle,
    tunables: Tunables,
    variables: BothVariables,
    tables: Tables,
    luck: Luck,
    is_naval: bool,
) -> Aftermath:
    """After the battle: losses, leaders' fates, occupation, stability, in this order."""
    losses = (losses_of(battle, 0), losses_of(battle, 1))
    fates = tuple(fates_of(war, side, losses[side], variables[side], tables, luck) for side in (0, 1))  # LEAD-10
    held = occupy(war, battle, tunables, variables, tables, luck)  # OCC
    stability = tuple(  # STAB
        stability_of(war, side, battle.winner, losses[side], fates[side], held, variables[side], tables, luck)
        for side in (0, 1)
    )
    return Aftermath(
        winner=battle.winner,
        hours=battle.hours,
        is_abandoned=is_abandoned(battle, tunables),
        is_naval=is_naval,
        losses=losses,
        fates=(fates[0], fates[1]),
        occupation=held,
        stability=(stability[0], stability[1]),
    )


def is_abandoned(battle: Battle, tunables: Tunables) -> bool:
    """R-13: the attacker lost although he still stands."""
    return has_given_up(battle, tunables.numbers)


def losses_of(battle: Battle, side: int) -> Losses:
    """What one side lost in the battle, summed over its flanks."""

    def total(of_flank: Whole) -> int:
        return sum(int(of_flank[flank]) for flank in _flanks_of(battle, side))

    return Losses(
        men=total(battle.men_start),
        left=total(battle.men),
        killed=total(battle.killed),
        died=total(battle.died) + total(battle.diseased),
        captured=total(battle.captured),
        ships=total(battle.ships_start),
        sunk=total(battle.sunk),
    )


def fates_of(
    war: WarInputs, side: int, losses: Losses, variables: SideVariables, tables: Tables, luck: Luck
) -> tuple[Fate, ...]:
    """LEAD-09, LEAD-10: what becomes of a side's leaders (DB-11); who is not in command is safe (MD-11)."""
    own = belligerent(war, side)
    commander, head = own.military_leader, own.national_leader
    fates = []
    if commander is not None:
        chance = chance_to_survive(
            command_of(war, side, variables, tables),
            losses.left,
            losses.men,
            luck.uniform(purposes.LEADER_DANGER, index=side),
            survival.rates_of(tables.constants),
        )
        is_killed = not survival.survives(chance, luck.uniform(purposes.LEADER_SURVIVAL, index=side))
        role = "Military and national leader" if leads_both(own) else "Military leader"
        fates.append(Fate(commander.name, role, is_killed, chance))
    if head is not None and not leads_both(own):
        fates.append(Fate(head.name, "National leader", False, 1.0))
    return tuple(fates)


def occupy(
    war: WarInputs, battle: Battle, tunables: Tunables, variables: BothVariables, tables: Tables, luck: Luck
) -> Occupation:
    """OCC-01 to OCC-08: what the winner comes to hold; leaders' bonuses count as they were at the start (R-72)."""
    rates = occupation.rates_of(tables.constants)
    winner = battle.winner
    occupier = occupier_of(war, battle, tunables, variables[winner], tables)
    history = [occupation.begin(start_of(war, winner, variables, tables), occupier)]
    while len(history) == 1 or not occupation.is_over(history[-2], history[-1], rates):
        history.append(next_round(history[-1], occupier, rates, luck.seed, luck.replicate, len(history)))
    score = history[-1].score * conquest_of(war, winner, battle, tunables, variables[winner], tables).bonus
    result = occupation.result(score)
    kind = occupying_type(war, battle, variables[winner], tables)
    return Occupation(
        score=score,
        result=result,
        band=band_of(round(result, 2), tables.occupation_bands).name,
        history=tuple(history),
        type_name=TYPES[kind],
        limitation=variables[winner].limitation[kind].value,
    )


def occupier_of(
    war: WarInputs, battle: Battle, tunables: Tunables, variables: SideVariables, tables: Tables
) -> Occupier:
    """The winner as the battle left him."""
    winner = battle.winner
    return occupier_after(
        conquest_of(war, winner, battle, tunables, variables, tables),
        side_men(battle, winner),
        _total(battle.morale, battle, winner),
        float(battle.capacity[winner]),
        occupation.rates_of(tables.constants),
    )


def occupying_type(war: WarInputs, battle: Battle, variables: SideVariables, tables: Tables) -> int:
    """OCC-02: the winner's unit type that occupies."""
    return type_that_occupies(war, battle.winner, battle, variables, tables)


def stability_of(
    war: WarInputs,
    side: int,
    winner: int,
    losses: Losses,
    fates: Sequence[Fate],
    occupation: Occupation,
    variables: SideVariables,
    tables: Tables,
    luck: Luck,
) -> Stability:
    """STAB-02 to STAB-04: what the war made of one nation's Stability."""
    home = home_of(war, side, variables, tables)
    after = stability_after(
        home,
        side != winner,
        losses.casualties,
        any(fate.is_killed for fate in fates),
        occupation.result,
        luck.uniform(purposes.STABILITY, index=side),
        stability.rates_of(tables.constants),
    )
    after = round(after, 1)
    return Stability(home.stability, after, band_of(after, tables.stability_bands).name)


def _flanks_of(battle: Battle, side: int) -> Iterator[int]:
    return (flank for flank in range(battle.side.shape[0]) if battle.side[flank] == side)


def _total(of_flank: Real, battle: Battle, side: int) -> float:
    total = 0.0
    for flank in _flanks_of(battle, side):  # not sum(): its rounding differs between versions of Python
        total += float(of_flank[flank])
    return total
