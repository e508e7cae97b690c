"""The inputs of a war's aftermath besides the end of its battle (LEAD-10, OCC, STAB).

They are the same for every battle of a war, whatever its luck.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from engine.autoalgo.aftermath import occupation
from engine.autoalgo.aftermath.casualties import wounded_share
from engine.autoalgo.aftermath.occupation import printed_start_score, start_score
from engine.autoalgo.battle.disease import familiarity_with
from engine.autoalgo.battle.state import LAND_TYPES, SHIP, Battle, Tunables
from engine.autoalgo.constants import Constants
from engine.autoalgo.inputs import Belligerent, WarInputs
from engine.autoalgo.setup.army import armies_of, army_places, belligerent, shares_of_armies
from engine.autoalgo.setup.leaders import leader_age, occupation_factor, skill
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import SideVariables


class Command(NamedTuple):
    """A military leader in danger (LEAD-10)."""

    is_there: int  # 0 for a side without one
    martial: float  # His skill, 0 to 1
    training: float  # Mean Tactical Training of his military, 0 to 10
    age: float  # Years (LEAD-08)


class Conquest(NamedTuple):
    """The inputs of a side's occupation of the enemy's country (OCC)."""

    efficiency: float  # Of the unit type that occupies (OCC-02)
    morale_full: float  # Points of all flanks at the start
    local_population: float  # People whose supplies feed it
    overcrowding_most: float  # Upper bound of L (ATT-04)
    attrition: float  # The location's hourly constant (ATT-05)
    outbreak_chance: float  # Of the other's disease each round (OCC-06)
    sickness: float  # The disease's strength (OCC-06)
    bonus: float  # The national leader's Attack (OCC-08), 1 without one


class Home(NamedTuple):
    """A nation's part in its Stability after the war (STAB)."""

    stability: float  # Before the war, 0 to 200
    innate: float  # VAR-STAB with its bonus, 0 to 1
    is_capital: int  # 1 where the battle is fought for its capital (STAB-02)
    leads_both: int  # 1 where the commander is the national leader (LEAD-11)
    is_totalitarian: int  # 1 for a government under which the leader's death weighs more (STAB-03)
    maximum_military: float  # MAX-01, men
    population: float  # People
    economy: float  # VAR-ECON


class SideInputs(NamedTuple):
    """The inputs of one side."""

    men: int  # At the start of the battle
    wounded_share: float  # Share of the men hit who are not killed outright
    share: float  # Share of its leader's nation in its men, 1 without allies
    start: float  # Score at the start of its occupation if it wins (OCC-01)
    command: Command  # Its commander
    conquest: Conquest  # Its inputs to an occupation if it wins
    home: Home  # Its nation


class AftermathInputs(NamedTuple):
    """The inputs of both sides, and the rules' numbers for the aftermath."""

    attacker: SideInputs
    defender: SideInputs
    constants: Constants


def aftermath_inputs(
    war: WarInputs, battle: Battle, tunables: Tunables, variables: tuple[SideVariables, SideVariables], tables: Tables
) -> AftermathInputs:
    """Return the inputs of the aftermath of a war.

    Args:
        battle: A deployed battle at any hour.
    """

    def side_inputs(side: int) -> SideInputs:
        return SideInputs(
            men=sum(
                int(battle.men_start[flank]) for flank in range(battle.side.shape[0]) if battle.side[flank] == side
            ),
            wounded_share=wounded_share(fire_share(war, 1 - side, battle, tables), war.year, tables.constants.r_125),
            share=share_of_leader(war, side),
            start=start_of(war, side, variables, tables),
            command=command_of(war, side, variables[side], tables),
            conquest=conquest_of(war, side, battle, tunables, variables[side], tables),
            home=home_of(war, side, variables[side], tables),
        )

    return AftermathInputs(side_inputs(0), side_inputs(1), tables.constants)


def fire_share(war: WarInputs, side: int, battle: Battle, tables: Tables) -> float:
    """Return the share of a side's Power from beyond contact (R-79), averaged over its men; 0 to 1.

    An army without land types has the share of its ships.
    """
    fire = power = 0.0
    for army, (of, place) in enumerate(army_places(war)):
        if of != side:
            continue
        men = [0.0] * (SHIP + 1)
        for flank in range(battle.side.shape[0]):
            for kind in range(LAND_TYPES):
                if battle.army[flank] == army:
                    men[kind] += float(battle.share[flank, kind]) * float(battle.men_start[flank])
        men[SHIP] = 0.0 if any(men) else 1.0
        for unit, of_type in zip(armies_of(war, side)[place].units, men, strict=True):
            if unit is not None:
                ranges = unit.long_range, unit.medium_range, unit.short_range
                for metres, hits in zip(ranges, unit.power, strict=True):
                    power += of_type * hits
                    fire += of_type * hits if metres > tables.constants.r_79.contact_m else 0.0
    return fire / power if power else 0.0


def share_of_leader(war: WarInputs, side: int) -> float:
    """Return the share of the leader's nation in the men of its side (R-131)."""
    leader, shares = belligerent(war, side), shares_of_armies(war, side)
    own = (share for army, share in zip(armies_of(war, side), shares, strict=True) if army.member == leader.member)
    return math.fsum(own) if leader.allies else 1.0


def command_of(war: WarInputs, side: int, variables: SideVariables, tables: Tables) -> Command:
    """Return a side's commander; without one, `is_there` is 0."""
    commander = belligerent(war, side).military_leader
    if commander is None:
        return Command(0, 0.0, 0.0, 0.0)
    return Command(
        1,
        skill(commander.martial, tables.constants),
        variables.training_mean,
        leader_age(commander, war.year, tables.constants),
    )


def start_of(war: WarInputs, side: int, variables: tuple[SideVariables, SideVariables], tables: Tables) -> float:
    """Return a side's score at the start of an occupation (OCC-01)."""
    own, enemy = belligerent(war, side).nation, belligerent(war, 1 - side).nation
    score = start_score if tables.constants.r_21.applies else printed_start_score
    return score(
        variables[side].occupation_base.value,
        variables[1 - side].occupation_base.value,
        tables.disease[enemy.endemic_disease].power,
        tables.scores.single("Occupation Start", "Medicine", own.medicine),
    )


def conquest_of(
    war: WarInputs, side: int, battle: Battle, tunables: Tunables, variables: SideVariables, tables: Tables
) -> Conquest:
    """Return the inputs of a side's occupation, with leaders' bonuses as at the start (R-72)."""
    bonus = occupation_factor(belligerent(war, side).national_leader, tables.constants)
    morale_full = 0.0
    for flank in range(battle.side.shape[0]):  # not sum(): its rounding differs between versions of Python
        if battle.side[flank] == side:
            morale_full += float(battle.morale_start[flank])
    return Conquest(
        efficiency=variables.efficiency[occupying_type(war, side, battle, variables, tables)].value,
        morale_full=morale_full,
        local_population=float(tunables.country.local_population[side]),
        overcrowding_most=tunables.constants.att_04.load_most,
        attrition=tunables.country.attrition,
        outbreak_chance=outbreak_of(war, side, variables, tables),
        sickness=sickness_of(war, side, tables),
        bonus=1.0 if bonus is None else bonus.value,
    )


def outbreak_of(war: WarInputs, side: int, variables: SideVariables, tables: Tables) -> float:
    """Return the chance per round of an outbreak of the other side's disease among the occupiers (OCC-06)."""
    own, enemy = (belligerent(war, nation).nation.endemic_disease for nation in (side, 1 - side))
    outbreak, familiarity = tables.disease[enemy].outbreak, familiarity_with(own == enemy, tables.constants.dis_02)
    return occupation.outbreak_chance(outbreak, variables.resistance.value, familiarity, tables.constants.occ_06)


def sickness_of(war: WarInputs, side: int, tables: Tables) -> float:
    """Return the strength of the other side's disease among the occupiers (OCC-06)."""
    disease = tables.disease[belligerent(war, 1 - side).nation.endemic_disease]
    medicine = tables.disease_losses(belligerent(war, side).nation.medicine)
    return occupation.sickness(disease.infectivity, disease.reproduction, disease.deadliness, medicine)


def occupying_type(war: WarInputs, side: int, battle: Battle, variables: SideVariables, tables: Tables) -> int:
    """Return the unit type of a side's occupation (OCC-02); on land only types that took the field (R-76)."""
    flanks = [flank for flank in range(battle.side.shape[0]) if battle.side[flank] == side]
    fielded = [any(battle.share[flank, kind] > 0 for flank in flanks) for kind in range(LAND_TYPES)]
    return occupation.best_type(
        tuple(efficiency.value for efficiency in variables.efficiency), (*fielded, False), is_at_sea(war, tables)
    )


def is_at_sea(war: WarInputs, tables: Tables) -> bool:
    """Return True if the location has the climate of the ocean, where ships occupy (OCC-02)."""
    return war.location.climate == tables.climate.ocean


def home_of(war: WarInputs, side: int, variables: SideVariables, tables: Tables) -> Home:
    """Return the part of a side's nation in its Stability."""
    army = belligerent(war, side)
    return Home(
        stability=army.nation.stability,
        innate=variables.innate_stability.value,
        is_capital=int(army.nation.capital == war.location.name),
        leads_both=int(leads_both(army)),
        is_totalitarian=int(army.nation.federal_government in tables.max_military.totalitarian),
        maximum_military=variables.maximum_military.value,
        population=float(army.nation.population),
        economy=variables.economy.value,
    )


def leads_both(army: Belligerent) -> bool:
    """Return True if one person commands the military and heads the state (LEAD-09)."""
    commander, head = army.military_leader, army.national_leader
    return commander is not None and head is not None and commander.name == head.name
