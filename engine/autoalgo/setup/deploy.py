"""Conversion of a war's inputs to the arrays of its battle (STRAT, ATT-02, ATT-03)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.autoalgo.battle.disease import familiarity_with, outbreak_a_man, severity
from engine.autoalgo.battle.siege_law import breach_rate, command_ratio, quality
from engine.autoalgo.battle.state import (
    DEFENDER,
    IDLE,
    INACTIVE,
    MANEUVERS,
    NORMAL,
    STORM,
    WINNER,
    Battle,
    Country,
    EndRules,
    Ground,
    Real,
    Tunables,
    Units,
    blank,
)
from engine.autoalgo.battle.traits import traits_of
from engine.autoalgo.inputs import Belligerent, WarInputs
from engine.autoalgo.records import Unit
from engine.autoalgo.setup.army import (
    armies_of,
    army_places,
    belligerent,
    has_boats,
    has_land,
    has_land_types,
    has_water,
    led_by,
    nation_numbers,
    shares_of_armies,
    water_of,
)
from engine.autoalgo.setup.leaders import skill
from engine.autoalgo.setup.standing import ground_factors
from engine.autoalgo.setup.strategy import can_be_besieged, flank_table, strategy_message
from engine.autoalgo.setup.strategy_rules import FlankPlan
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import PerType, SideVariables, mean_of_types, side_variables
from engine.calculation import POINTS, WHOLE
from engine.rule import Label, rule

METRES_A_KM = 1000.0
Plans = tuple[tuple[FlankPlan, ...], tuple[FlankPlan, ...]]
"""The flanks of the attacker and of the defender."""


def deploy(war: WarInputs, variables: tuple[SideVariables, SideVariables], tables: Tables) -> tuple[Battle, Tunables]:
    """Return the battle before its first hour, without luck, and its constant inputs.

    Args:
        variables: Variables of the attacker and of the defender.

    Raises:
        ValueError: A side's strategy is invalid (STRAT-07), which the checks of workbooks exclude.
    """
    for side, place in army_places(war):
        message = strategy_message(led_by(war, side, place), side, tables)
        if message.problems:
            first = message.problems[0]
            text = f"{first.kind} {first.value:g}, allowed {first.allowed} [{first.id}]"
            raise ValueError(f"{('Attacker', 'Defender')[side]}: {text}")
    plans = (flank_table(war, 0, tables), flank_table(war, 1, tables))
    of_armies = variables_of_armies(war, variables, tables)
    battle = _battle(war, plans, of_armies, tables)
    units, constants = _units(war, plans, of_armies, tables), tables.constants
    traits = traits_of(battle, units, constants, ground_factors(war, battle, tables))
    terms = quality_terms(war, battle, traits.ground, of_armies, tables)
    qualities = quality(*terms), relief_efficiency(war, tables) / terms[0]
    country = _country(war, plans, of_armies, qualities, tables)
    rules = EndRules(
        tables.strategy.hours_most, longest_hours(war, tables), int(tables.strategy.ends_when == "retreating")
    )
    return battle, Tunables(units, traits, _ground(war, tables), country, rules, constants)


def variables_of_armies(
    war: WarInputs, variables: tuple[SideVariables, SideVariables], tables: Tables
) -> list[SideVariables]:
    """Return the variables of all armies, each with its own nation and leaders, after the given ones (R-130)."""
    allied = army_places(war)[2:]
    return [*variables, *(side_variables(led_by(war, side, place), side, tables) for side, place in allied)]


def metres_per_pixel(tables: Tables) -> float:
    """Return the map's scale in metres per pixel (MAP-06)."""
    return tables.strategy.km_per_pixel * METRES_A_KM


def pixels_of(metres: float, metres_per_pixel: float) -> float:
    """Convert a coordinate to pixels as in a strategy, where whole numbers are the centres of pixels (R-33)."""
    return metres / metres_per_pixel - 0.5


def _battle(war: WarInputs, plans: Plans, variables: Sequence[SideVariables], tables: Tables) -> Battle:
    """Return the state of both sides' flanks before the battle, the attacker's first; `variables` are of all armies."""
    flanks = [plan for side_plans in plans for plan in side_plans]
    numbers = {place: number for number, place in enumerate(army_places(war))}
    side = np.array([0] * len(plans[0]) + [1] * len(plans[1]), np.int64)
    army = np.array([numbers[of, plan.army] for of, plan in zip(side.tolist(), flanks, strict=True)], np.int64)
    count = len(flanks)
    scale = metres_per_pixel(tables)
    x_m = np.array([(plan.x + 0.5) * scale for plan in flanks], np.float64)
    y_m = np.array([(plan.y + 0.5) * scale for plan in flanks], np.float64)
    men = np.array([plan.men for plan in flanks], np.int64)
    ships = np.array([plan.ships for plan in flanks], np.int64)
    morale_a_man = tables.constants.strat_04.morale_a_man
    hearts = [(of_army.morale_bonus.value, of_army.drill) for of_army in variables]
    morale = [start_morale(plan.men, morale_a_man, *hearts[own]) for plan, own in zip(flanks, army, strict=True)]
    tally = np.zeros(WINNER + 1, np.int64)
    tally[WINNER] = -1
    berths = _fleet_capacities(war, plans) if war.location.climate == tables.climate.ocean else (0, 0)
    capacity = [start_capacity(variables[side].capacity.value, berths[side], max(berths)) for side in (0, 1)]
    of_sides = dict.fromkeys(("side_cut", "capacity", "stores", "fortune_side", "fortune_panic"), 2)
    tables_of = {"share": (count, 3), "rests_until": (count, 4), "rounds_on": (count, count), "outbreaks": (2, 2)}
    return blank(Battle, count, breach=1, **of_sides, **tables_of)._replace(
        side=side,
        army=army,
        nation=np.array([nation_numbers(war)[own] for own in army], np.int64),
        x_m=x_m,
        y_m=y_m,
        start_x_m=x_m.copy(),
        start_y_m=y_m.copy(),
        men=men,
        men_start=men.copy(),
        share=np.array([_slot_shares(plan) for plan in flanks], np.float64),
        ships=ships,
        ships_start=ships.copy(),
        morale=np.array(morale),
        morale_start=np.array(morale),
        maneuver=np.array([maneuver_code(plan.maneuver) for plan in flanks], np.int64),
        status=np.where(men > 0, IDLE, INACTIVE).astype(np.int64),
        capacity=np.array(capacity),
        stores=np.array([carried_days(war, side, tables) * tables.constants.r_99.hours for side in (0, 1)]),
        fortune_side=np.ones(2),
        fortune_flank=np.ones(count),
        fortune_panic=np.ones(2),
        tally=tally,
    )


def maneuver_code(maneuver: str) -> int:
    """Return the code of a maneuver; Storm counts as Normal (R-100)."""
    return NORMAL if maneuver == STORM else MANEUVERS.index(maneuver)


@rule(
    "STRAT-04, MIL-15",
    "morale",
    POINTS,
    men=Label("men", WHOLE),
    a_man="a man",
    bonus="Morale Bonus",
    drill=Label("drill", silent=1.0, id="MIL-15"),
)
def start_morale(men: int, a_man: float, bonus: float, drill: float) -> float:
    """Return the points of morale at the start of a flank (STRAT-04, MIL-15)."""
    return men * a_man * bonus * drill


@rule(
    "VAR-CAP, ATT-03",
    "Capacity",
    capacity="Capacity",
    berths=Label("berths", WHOLE, id="ATT-03"),
    largest=Label("berths of the larger fleet", WHOLE, silent=0, id="ATT-03"),
)
def start_capacity(capacity: float, berths: int, largest: int) -> float:
    """Return a side's Capacity before the first hour, at sea scaled by the size of its fleet (VAR-CAP, ATT-03).

    Args:
        berths: Capacity of its ships in people.
        largest: Berths of the larger fleet; 0 on land and without any ships.
    """
    return capacity * (berths / largest) if largest else capacity


def _slot_shares(plan: FlankPlan) -> tuple[float, float, float]:
    """Return the share of each land type in the flank's men, 0 for crews (FLK-03)."""
    men = max(plan.men, 1)
    return plan.counts[0] / men, plan.counts[1] / men, plan.counts[2] / men


def _fleet_capacities(war: WarInputs, plans: Plans) -> tuple[int, int]:
    """Return the capacity of each side's ships in people at the start (ATT-03)."""
    capacities = [
        sum(_transport(armies_of(war, side)[plan.army]).capacity * plan.ships for plan in plans[side])
        for side in (0, 1)
    ]
    return capacities[0], capacities[1]


def _units(war: WarInputs, plans: Plans, variables: Sequence[SideVariables], tables: Tables) -> Units:
    """Return the unit types of all armies; a type that a military lacks has no power and no reach."""
    ranks = tables.scores.ranks["Logistics"]
    places = army_places(war)
    count = len(places)
    as_leaders = [(led_by(war, side, place), side) for side, place in places]
    weapons = dict.fromkeys(("range_m", "power"), (count, 4, 3))
    units = blank(Units, (count, 4), **weapons)._replace(
        speed_kmh=np.ones((count, 4)),
        reach_m=np.full((count, 4), -1.0),
        dispersion=np.ones((count, 4)),
        logistics=np.full((count, 4), -1, np.int64),
        efficiency=_by_type([of_army.efficiency for of_army in variables]),
        limitation=_by_type([of_army.limitation for of_army in variables]),
        defense=_by_type([of_army.defense for of_army in variables]),
        open_defense=_by_type([of_army.open_defense for of_army in variables]),
        effectiveness=_by_type([of_army.effectiveness for of_army in variables]),
        ship_capacity=np.array([fighting_capacity(own, side, tables) for own, side in as_leaders], np.float64),
        aboard=np.array([aboard(war, side, plans[side], tables) for side in (0, 1)]),
        has_land_types=np.array([has_land_types(belligerent(own, side)) for own, side in as_leaders], np.int64),
        flees_afloat=np.array([flees_afloat(own, side, tables) for own, side in as_leaders], np.int64),
    )
    for army, (own, side) in enumerate(as_leaders):
        for kind, unit in enumerate(belligerent(own, side).units):
            if unit is None:
                continue
            units.speed_kmh[army, kind] = unit.speed
            units.rebound[army, kind] = unit.rebound
            units.shock[army, kind] = unit.shock
            units.range_m[army, kind] = unit.long_range, unit.medium_range, unit.short_range
            units.power[army, kind] = unit.power
            units.reach_m[army, kind] = reach_m(unit)
            units.psychology[army, kind] = unit.psychology
            units.dispersion[army, kind] = unit.dispersion if tables.constants.unit_16.applies else 1.0
            units.armour[army, kind] = unit.defense
            units.logistics[army, kind] = ranks[unit.logistics]
            units.resilience[army, kind] = tables.resilience(unit.logistics)
    return units


def aboard(war: WarInputs, side: int, plans: tuple[FlankPlan, ...], tables: Tables) -> float:
    """Return the ratio of berths to men of a side on a map without land; 1 on any other (R-122)."""
    if not tables.constants.r_122.applies or has_land(war.terrain, tables):
        return 1.0
    men, armies = sum(plan.men for plan in plans), armies_of(war, side)
    return sum(_transport(armies[plan.army]).capacity * plan.ships for plan in plans) / max(men, 1)


def flees_afloat(war: WarInputs, side: int, tables: Tables) -> bool:
    """Return True if a side's own fleet flees on Water only; False for boats to cross (R-122)."""
    return tables.constants.r_122.applies > 0 and belligerent(war, side).military.ship_number > 0


def fighting_capacity(war: WarInputs, side: int, tables: Tables) -> int:
    """Return the number of fighters on a ship of a side: none on hired boats near land (R-122)."""
    return 0 if has_boats(war, side, tables) else _transport(belligerent(war, side)).capacity


def reach_m(unit: Unit) -> float:
    """Return the farthest range in metres of a weapon with Power, -1 for an unarmed unit.

    By UD-04 a unit without a long weapon repeats its reach as its long range. Without that it can still use its other
    weapons (R-51).
    """
    ranges = (unit.long_range, unit.medium_range, unit.short_range)
    return max((range_m for range_m, power in zip(ranges, unit.power, strict=True) if power > 0), default=-1.0)


def _ground(war: WarInputs, tables: Tables) -> Ground:
    """Return the map with the factors of its terrain features (MAP-08)."""
    legend = tables.terrain
    roles = tables.terrain_roles
    codes = range(len(legend))
    return Ground(
        codes=np.ascontiguousarray(war.terrain.codes),
        metres=metres_per_pixel(tables),
        speed=np.array([1.0 if feature.speed is None else feature.speed for feature in legend]),
        efficiency=np.array([feature.efficiency for feature in legend]),
        limitation=np.array([feature.limitation for feature in legend]),
        is_water=np.array([feature.is_water for feature in legend], np.int64),
        is_high=np.array([code in roles.height for code in codes], np.int64),
        is_stronghold=np.array([code in roles.siege for code in codes], np.int64),
    )


def _country(
    war: WarInputs,
    plans: Plans,
    variables: Sequence[SideVariables],
    qualities: tuple[float, float],
    tables: Tables,
) -> Country:
    """Return the location's supplies, attrition, siege and diseases.

    Args:
        variables: Variables of all armies.
        qualities: Superiority of the besiegers, and the Efficiency of a typed relief over theirs (R-100, WAR-19).
    """
    return Country(
        local_population=np.array(people_who_feed(war, plans, tables), np.float64),
        attrition=tables.attrition[war.location.attrition].constant,
        siege_rate=math.fsum(share * rate for share, rate in siege_rates(war, variables)),
        is_fortified=int(can_be_besieged(war, tables)),
        storming=sum(plan.men for plan in plans[0] if plan.maneuver == STORM)
        / max(sum(plan.men for plan in plans[0]), 1),
        berths=berths_past_besiegers(war, plans, tables),
        relief=0.0 if war.relief else max(variables[1].maximum_military.value - _men_of_nation(war), 0.0),
        coming=float(war.relief.men) if war.relief else 0.0,
        relief_day=war.relief.day if war.relief else 0,
        relief_quality=qualities[1],
        quality=qualities[0],
        camp=tables.climate.camp(war.location.climate, war.month),
        breach_rate=breach_rate_of(war, variables, tables),
        walls=tables.constants.r_69.share * works_of(war, tables),
        outbreak=np.array([[outbreak_of(war, side, of, variables, tables) for of in (0, 1)] for side in (0, 1)]),
        severity=np.array([[severity_of(war, side, of, tables) for of in (0, 1)] for side in (0, 1)]),
        other_disease=int(war.attacker.nation.endemic_disease != war.defender.nation.endemic_disease),
    )


def people_who_feed(war: WarInputs, plans: Plans, tables: Tables) -> list[float]:
    """Return the number of people who feed each side (ATT-02, ATT-03, R-18, R-99, R-114)."""
    berths, a_berth = _fleet_capacities(war, plans), tables.constants.r_18.residents_a_berth
    people = tables.climate.local_population(war.location, tables.constants.r_99.country)
    if people is None:
        return [max(berths) * a_berth] * 2
    country = people * tables.climate.winter_share(war.location.climate, war.month)
    return [country + berths[side] * a_berth * has_fleet(war, side, tables) for side in (0, 1)]


def men_fed(war: WarInputs, side: int, tables: Tables) -> float:
    """Return the number of a side's men fed by country and ships on land (ATT-04)."""
    plans = flank_table(war, 0, tables), flank_table(war, 1, tables)
    return people_who_feed(war, plans, tables)[side] * side_variables(war, side, tables).capacity.value


def _men_of_nation(war: WarInputs) -> int:
    """Return the men of the defending leader's nation in its armies here, who cannot relieve themselves."""
    nation = war.defender.nation.name
    return sum(army.military.size for army in armies_of(war, 1) if army.nation.name == nation)


def quality_terms(
    war: WarInputs, battle: Battle, ground: Real, of_armies: Sequence[SideVariables], tables: Tables
) -> tuple[float, float, float, float]:
    """Return the arguments of `quality`: both Efficiencies, the ratio of the commanders, and the ground (R-100).

    Args:
        ground: Factors of the ground on hits on the flanks (R-86), shape (n, 2).
        of_armies: Variables of all armies.
    """
    places = list(zip(army_places(war), of_armies, strict=True))
    own, other = (
        _mean_of_armies(
            war, side, [_efficiency(armies_of(war, of)[place], at) for (of, place), at in places if of == side]
        )
        for side in (0, 1)
    )
    men = battle.men_start * (battle.side == DEFENDER)
    on_ground = math.fsum((men * ground[:, 0]).tolist()) / max(int(men.sum()), 1)
    ratio = command_ratio(siege_skill(war, 0, tables), siege_skill(war, 1, tables), tables.constants.r_100)
    return own, other, ratio, on_ground


def relief_efficiency(war: WarInputs, tables: Tables) -> float:
    """Return the Efficiency of a typed relief: that of the defending leader's army if it had its size (WAR-19)."""
    if not war.relief:
        return 0.0
    army = replace(war.defender, military=replace(war.defender.military, size=war.relief.men))
    return _efficiency(army, side_variables(replace(war, defender=army), 1, tables))


def _efficiency(army: Belligerent, variables: SideVariables) -> float:
    """Return the Efficiency of an army, averaged over its men; 1 without any, since it is a divisor."""
    return mean_of_types(army, [variable.value for variable in variables.efficiency]) or 1.0


def works_of(war: WarInputs, tables: Tables) -> float:
    """Return the Defense of the location's fortifications."""
    return tables.scores.single("Defense", "Fortifications", war.location.fortifications)


def siege_rates(war: WarInputs, of_armies: Sequence[SideVariables]) -> list[tuple[float, float]]:
    """Return the share of each attacking army in the gunners, and its Siege Rate (R-130)."""
    places = zip(army_places(war), of_armies, strict=True)
    rates = [variables.siege_rate.value for (side, _), variables in places if side == 0]
    return list(zip(shares_of_armies(war, 0, of_gunners=True), rates, strict=True))


def breach_rate_of(war: WarInputs, of_armies: Sequence[SideVariables], tables: Tables) -> float:
    """Return the breach per hour by as many gunners as the garrison, averaged over the gunners (R-101, R-130)."""
    works, numbers, rate = works_of(war, tables), tables.constants, 0.0
    for army, (share, siege_rate) in zip(armies_of(war, 0), siege_rates(war, of_armies), strict=True):
        artillery = army.units[2]
        if artillery is not None and share and works:
            power = power_from_afar(artillery, tables)
            needed = tables.scores.single("Breach", "Fortifications", war.location.fortifications)
            rate += share * breach_rate(siege_rate, power, needed, works, numbers.r_99.hours, numbers.r_101)
    return rate


def power_from_afar(unit: Unit, tables: Tables) -> float:
    """Return the greatest Power of a unit's weapons beyond contact, 0 without any (R-101, R-79)."""
    ranges = (unit.long_range, unit.medium_range, unit.short_range)
    least = tables.constants.r_79.contact_m
    return max([0.0, *(power for range_m, power in zip(ranges, unit.power, strict=True) if range_m > least)])


def has_fleet(war: WarInputs, side: int, tables: Tables) -> bool:
    """Return True if ships supply a side on land: on a map with water, if its ships were typed (R-99)."""
    is_typed = bool(belligerent(war, side).military.ship_number) and has_land_types(belligerent(war, side))
    return is_typed and tables.constants.r_99.country > 0.0 and has_water(war.terrain, tables)


def berths_past_besiegers(war: WarInputs, plans: Plans, tables: Tables) -> float:
    """Return the number of berths of the defender's ships that pass the besiegers' (R-100).

    His berths count by their share in those of both fleets, and by the root of the share of the map that is Water.
    """
    if not has_fleet(war, 1, tables):
        return 0.0
    berths, is_water = _fleet_capacities(war, plans), water_of(war.terrain, tables)
    enemy = berths[0] * has_fleet(war, 0, tables)
    return math.sqrt(is_water.sum() / is_water.size) * berths[1] * berths[1] / max(berths[1] + enemy, 1)


def longest_hours(war: WarInputs, tables: Tables) -> int:
    """Return the time limit of a war in hours: longer where a siege is possible (R-13, R-100)."""
    numbers, hours = tables.constants.r_100, tables.strategy.hours_most
    if not numbers.applies or not can_be_besieged(war, tables):
        return hours
    return max(hours, numbers.most * tables.constants.r_99.hours)


def carried_days(war: WarInputs, side: int, tables: Tables) -> float:
    """Return the days of food carried by a side's men, by its most advanced Logistics (R-99, FLK-02)."""
    points = [
        max(tables.resilience(unit.logistics) for unit in army.units if unit is not None)
        for army in armies_of(war, side)
    ]
    return tables.constants.r_99.carried * _mean_of_armies(war, side, points)


def siege_skill(war: WarInputs, side: int, tables: Tables) -> float:
    """Return the Siege skill of a side's commanders, 0 to 1; 0 for an army without one (R-100)."""
    leaders = [army.military_leader for army in armies_of(war, side)]
    skills = [skill(leader.siege, tables.constants) if leader else 0.0 for leader in leaders]
    return _mean_of_armies(war, side, skills)


def _mean_of_armies(war: WarInputs, side: int, values: Sequence[float]) -> float:
    """Return a value of each army of a side, averaged over its men (R-130)."""
    return math.fsum(value * share for value, share in zip(values, shares_of_armies(war, side), strict=True))


def outbreak_of(war: WarInputs, side: int, carrier: int, variables: Sequence[SideVariables], tables: Tables) -> float:
    """Return the chance per hour and man of an outbreak of side `carrier`'s disease in a side (DIS-02, R-62)."""
    numbers = tables.constants.dis_02
    own, other = (belligerent(war, nation).nation.endemic_disease for nation in (side, carrier))
    return outbreak_a_man(
        tables.disease[other].outbreak,
        max(variables[side].maximum_military.value, 1.0),
        variables[side].resistance.value,
        familiarity_with(own == other, numbers),
        numbers.divisor,
    )


def severity_of(war: WarInputs, side: int, carrier: int, tables: Tables) -> float:
    """Return the share of a side's deaths from the disease of side `carrier`, per point of the dice (DIS-03)."""
    disease = tables.disease[belligerent(war, carrier).nation.endemic_disease]
    return severity(
        disease.infectivity,
        disease.reproduction,
        disease.deadliness,
        tables.disease_losses(belligerent(war, side).nation.medicine),
        tables.constants.dis_03.men_divisor,
    )


def _transport(army: Belligerent) -> Unit:
    transport = army.units[3]
    if transport is None:
        raise ValueError("A military without a transport (MD-06).")
    return transport


def _by_type(armies: list[PerType]) -> Real:
    return np.array([[variable.value for variable in by_type] for by_type in armies], np.float64)
