"""What follows a battle (LEAD-10, OCC, STAB): from its end state to the numbers of the aftermath."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.autoalgo import occupation, purposes, stability, survival
from engine.autoalgo.aftermath import Aftermath, Fate, Losses, Occupation, Stability
from engine.autoalgo.attrition import overcrowding, side_men
from engine.autoalgo.bands import band_of
from engine.autoalgo.battle import has_flank
from engine.autoalgo.inputs import TYPES, Belligerent, WarInputs
from engine.autoalgo.leaders import leader_age, occupation_factor, skill
from engine.autoalgo.occupation import Occupier
from engine.autoalgo.state import ATTACKER, LAND_TYPES, Battle, Real, Tunables, Whole
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
    counts_retreating = not tunables.numbers.ends_at_retreat
    return battle.winner != ATTACKER and has_flank(battle, ATTACKER, counts_retreating)


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
        chance = survival.survival_chance(
            skill(commander.martial, tables.constants),
            variables.training_mean,
            leader_age(commander, war.year, tables.constants),
            losses.left / losses.men if losses.men else 0.0,
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
    winner, loser = battle.winner, 1 - battle.winner
    own, enemy = belligerent(war, winner), belligerent(war, loser)
    start = occupation.start_score(
        variables[winner].occupation_base.value,
        variables[loser].occupation_base.value,
        tables.disease[enemy.nation.endemic_disease].power,
        tables.occupation_medicine(own.nation.medicine),
    )
    occupier = occupier_of(war, battle, tunables, variables[winner], tables)
    history = [occupation.begin(start, occupier)]
    while len(history) == 1 or not occupation.is_over(history[-2], history[-1], rates):
        this = len(history)
        history.append(
            occupation.advance(
                history[-1],
                occupier,
                rates,
                luck.uniform(purposes.OCCUPATION_ATTRITION, hour=this),
                luck.uniform(purposes.OCCUPATION_OUTBREAK, hour=this),
                luck.uniform(purposes.OCCUPATION_SEVERITY, hour=this),
            )
        )
    bonus = occupation_factor(own.national_leader, tables.constants)
    score = history[-1].score * (1.0 if bonus is None else bonus.value)
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
    """The winner as the battle left him; the morale of all his flanks counts, routed ones too (R-70)."""
    winner = battle.winner
    rates = occupation.rates_of(tables.constants)
    own, enemy = belligerent(war, winner), belligerent(war, 1 - winner)
    disease = tables.disease[enemy.nation.endemic_disease]
    morale_full = _total(battle.morale_start, battle, winner)
    men = side_men(battle, winner)
    kind = occupying_type(war, battle, variables, tables)
    return Occupier(
        efficiency=variables.efficiency[kind].value,
        morale=occupation.end_morale(_total(battle.morale, battle, winner), morale_full, rates),
        morale_full=morale_full,
        men=float(men),
        overload=overcrowding(
            men,
            float(tunables.country.local_population[winner]),
            float(battle.capacity[winner]),
            tunables.numbers.overcrowding_most,
        ),
        attrition=tunables.country.attrition,
        outbreak_chance=occupation.outbreak_chance(
            disease.outbreak,
            variables.resistance.value,
            own.nation.endemic_disease == enemy.nation.endemic_disease,
            rates,
        ),
        sickness=occupation.sickness(
            disease.infectivity,
            disease.reproduction,
            disease.deadliness,
            tables.disease_losses(own.nation.medicine),
        ),
    )


def occupying_type(war: WarInputs, battle: Battle, variables: SideVariables, tables: Tables) -> int:
    """OCC-02: the winner's unit type that occupies; on land only types that took the field (R-76)."""
    flanks = list(_flanks_of(battle, battle.winner))
    fielded = [any(battle.share[flank, kind] > 0 for flank in flanks) for kind in range(LAND_TYPES)]
    at_sea = war.location.climate == tables.climate.ocean
    return occupation.best_type(tuple(it.value for it in variables.efficiency), (*fielded, False), at_sea)


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
    own = belligerent(war, side)
    rates = stability.rates_of(tables.constants)
    is_loser = side != winner
    innate = stability.shaken_innate(
        variables.innate_stability.value,
        is_loser and own.nation.capital == war.location.name,
        leads_both(own) and any(fate.is_killed for fate in fates),  # LEAD-11
        own.nation.federal_government in tables.max_military.totalitarian,
        rates,
    )
    after = stability.changed_stability(
        own.nation.stability,
        innate,
        losses.casualties / variables.maximum_military.value,
        variables.economy.value,
        occupation.result if is_loser else 1.0,
        luck.uniform(purposes.STABILITY, index=side),
        rates,
    )
    after = round(after, 1)
    return Stability(own.nation.stability, after, band_of(after, tables.stability_bands).name)


def leads_both(own: Belligerent) -> bool:
    """LEAD-09: one person commands the military and heads the state."""
    commander, head = own.military_leader, own.national_leader
    return commander is not None and head is not None and commander.name == head.name


def _flanks_of(battle: Battle, side: int) -> Iterator[int]:
    return (flank for flank in range(battle.side.shape[0]) if battle.side[flank] == side)


def _total(of_flank: Real, battle: Battle, side: int) -> float:
    total = 0.0
    for flank in _flanks_of(battle, side):  # not sum(): its rounding differs between versions of Python
        total += float(of_flank[flank])
    return total
