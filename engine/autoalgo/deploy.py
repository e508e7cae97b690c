"""From the inputs of a war to the arrays of its battle (STRAT, ATT-02, ATT-03, R-28)."""

from __future__ import annotations

import math

import numpy as np

from engine.autoalgo.fortune import fortune
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.purposes import FORTUNE_FLANK, FORTUNE_PANIC, FORTUNE_SIDE
from engine.autoalgo.records import Unit
from engine.autoalgo.state import (
    IDLE,
    INACTIVE,
    MANEUVERS,
    WINNER,
    Battle,
    Country,
    Ground,
    Numbers,
    Real,
    Tunables,
    Units,
)
from engine.autoalgo.strategy import FlankPlan, belligerent, flank_table, has_land_types, strategy_message
from engine.autoalgo.tables import Tables
from engine.autoalgo.variables import PerType, SideVariables
from engine.luck import Luck

METRES_A_KM = 1000.0


def deploy(
    war: WarInputs, variables: tuple[SideVariables, SideVariables], tables: Tables, luck: Luck
) -> tuple[Battle, Tunables]:
    """The battle before its first hour, and everything it needs besides.

    Args:
        war: Read and checked.
        variables: The attacker's and the defender's.
        tables: The numbers of the rules.
        luck: Draws the fortunes of the day (R-28).

    Raises:
        ValueError: A side's strategy cannot run (STRAT-07); a workbook says so before it comes to this.
    """
    for side in (0, 1):
        message = strategy_message(war, side, tables)
        if message.problems:
            it = message.problems[0]
            raise ValueError(
                f"{('Attacker', 'Defender')[side]}: {it.kind} {it.found:g}, allowed {it.allowed} [{it.id}]"
            )
    plans = (flank_table(war, 0, tables), flank_table(war, 1, tables))
    return (
        battle_of(war, plans, variables, tables, luck),
        Tunables(
            units_of(war, variables, tables),
            ground_of(war, tables),
            country_of(war, plans, variables, tables),
            numbers_of(tables),
        ),
    )


def metres_a_pixel(tables: Tables) -> float:
    """MAP-06: the map's scale."""
    return tables.strategy.km_per_pixel * METRES_A_KM


def pixels_of(metres: float, metres_a_pixel: float) -> float:
    """A place on the map in pixels, as a strategy gives it: a whole number is a pixel's centre (R-33)."""
    return metres / metres_a_pixel - 0.5


def battle_of(
    war: WarInputs,
    plans: tuple[tuple[FlankPlan, ...], tuple[FlankPlan, ...]],
    variables: tuple[SideVariables, SideVariables],
    tables: Tables,
    luck: Luck,
) -> Battle:
    """The flanks of both sides in a row, attackers first."""
    flanks = [plan for plan_of_side in plans for plan in plan_of_side]
    side = np.array([0] * len(plans[0]) + [1] * len(plans[1]), np.int64)
    n = len(flanks)
    scale = metres_a_pixel(tables)
    x_m = np.array([(plan.x + 0.5) * scale for plan in flanks], np.float64)
    y_m = np.array([(plan.y + 0.5) * scale for plan in flanks], np.float64)
    men = np.array([plan.men for plan in flanks], np.int64)
    ships = np.array([plan.ships for plan in flanks], np.int64)
    morale_a_man = tables.constant("STRAT-04", "morale_a_man")
    bonus = (variables[0].morale_bonus.value, variables[1].morale_bonus.value)
    morale = np.array([plan.men * morale_a_man * bonus[own] for plan, own in zip(flanks, side, strict=True)])
    tally = np.zeros(WINNER + 1, np.int64)
    tally[WINNER] = -1
    capacity = np.array([variables[0].capacity.value, variables[1].capacity.value])
    if tables.climate.local_population(war.location) is None:
        capacity = capacity * fleet_shares(fleets(war, plans))
    return Battle(
        side=side,
        x_m=x_m,
        y_m=y_m,
        start_x_m=x_m.copy(),
        start_y_m=y_m.copy(),
        men=men,
        men_start=men.copy(),
        share=np.array([shares(plan) for plan in flanks], np.float64),
        ships=ships,
        ships_start=ships.copy(),
        morale=morale,
        morale_start=morale.copy(),
        maneuver=np.array([MANEUVERS.index(plan.maneuver) for plan in flanks], np.int64),
        status=np.where(men > 0, IDLE, INACTIVE).astype(np.int64),
        killed=np.zeros(n, np.int64),
        died=np.zeros(n, np.int64),
        diseased=np.zeros(n, np.int64),
        captured=np.zeros(n, np.int64),
        sunk=np.zeros(n, np.int64),
        lost_before=np.zeros((n, 3), np.int64),
        supply_cut=np.zeros(n, np.int64),
        side_cut=np.zeros(2, np.int64),
        capacity=capacity,
        fortune_side=fortunes(luck, FORTUNE_SIDE, 2, tables.strategy.fortune_side),
        fortune_flank=fortunes(luck, FORTUNE_FLANK, n, tables.strategy.fortune_flank),
        fortune_panic=fortunes(luck, FORTUNE_PANIC, 2, tables.strategy.fortune_panic),
        rests_until=np.zeros((n, 4), np.float64),
        rounds_on=np.zeros((n, n), np.int64),
        hit_rounds=np.zeros(n, np.int64),
        run_rounds=np.zeros(n, np.int64),
        high_since=np.full(n, -1, np.int64),
        tally=tally,
    )


def shares(plan: FlankPlan) -> tuple[float, float, float]:
    """Share of each land type in the flank's men (FLK-03); all 0 for crews."""
    men = max(plan.men, 1)
    return plan.counts[0] / men, plan.counts[1] / men, plan.counts[2] / men


def fortunes(luck: Luck, purpose: int, number: int, doublings: float) -> Real:
    """R-28: fortunes of the day."""
    return np.array([fortune(luck.uniform(purpose, 0, index, 0.0, 1.0), doublings) for index in range(number)])


def fleets(war: WarInputs, plans: tuple[tuple[FlankPlan, ...], tuple[FlankPlan, ...]]) -> tuple[int, int]:
    """People that each side's ships can carry at the start (ATT-03)."""
    berths = [_transport(war, side).capacity * sum(plan.ships for plan in plans[side]) for side in (0, 1)]
    return berths[0], berths[1]


def fleet_shares(berths: tuple[int, int]) -> Real:
    """ATT-03: each fleet against the larger one; 1 where there are none."""
    larger = max(berths)
    return np.array([it / larger if larger > 0 else 1.0 for it in berths])


def units_of(war: WarInputs, variables: tuple[SideVariables, SideVariables], tables: Tables) -> Units:
    """Both sides' unit types; a type that a military lacks has no power and no reach."""
    ranks = tables.scores.ranks["Logistics"]
    units = Units(
        speed_kmh=np.ones((2, 4)),
        rebound=np.zeros((2, 4)),
        shock=np.zeros((2, 4)),
        range_m=np.zeros((2, 4, 3)),
        power=np.zeros((2, 4, 3)),
        reach_m=np.full((2, 4), -1.0),
        psychology=np.zeros((2, 4)),
        logistics=np.full((2, 4), -1, np.int64),
        resilience=np.zeros((2, 4), np.int64),
        efficiency=_by_type([it.efficiency for it in variables]),
        limitation=_by_type([it.limitation for it in variables]),
        defense=_by_type([it.defense for it in variables]),
        effectiveness=_by_type([it.effectiveness for it in variables]),
        ship_capacity=np.array([_transport(war, side).capacity for side in (0, 1)], np.float64),
        has_land_types=np.array([has_land_types(belligerent(war, side)) for side in (0, 1)], np.int64),
    )
    for side in (0, 1):
        for kind, unit in enumerate(belligerent(war, side).units):
            if unit is None:
                continue
            units.speed_kmh[side, kind] = unit.speed
            units.rebound[side, kind] = unit.rebound
            units.shock[side, kind] = unit.shock
            units.range_m[side, kind] = unit.long_range, unit.medium_range, unit.short_range
            units.power[side, kind] = unit.power
            units.reach_m[side, kind] = reach_m(unit)
            units.psychology[side, kind] = unit.psychology
            units.logistics[side, kind] = ranks[unit.logistics]
            units.resilience[side, kind] = tables.resilience(unit.logistics)
    return units


def reach_m(unit: Unit) -> float:
    """The farthest range of a weapon that is not disabled, metres; -1 for the unarmed.

    UD-04 asks that a unit without a long weapon repeat its reach as its long range; one that does not still uses its
    other weapons (R-51).
    """
    ranges = (unit.long_range, unit.medium_range, unit.short_range)
    return max((it for it, power in zip(ranges, unit.power, strict=True) if power > 0), default=-1.0)


def ground_of(war: WarInputs, tables: Tables) -> Ground:
    """The map with the factors of its legend (MAP-08)."""
    legend = tables.terrain
    roles = tables.terrain_roles
    codes = range(len(legend))
    return Ground(
        codes=np.ascontiguousarray(war.terrain.codes),
        metres=metres_a_pixel(tables),
        speed=np.array([1.0 if it.speed is None else it.speed for it in legend]),
        efficiency=np.array([it.efficiency for it in legend]),
        limitation=np.array([it.limitation for it in legend]),
        is_water=np.array([it.is_water for it in legend], np.int64),
        is_high=np.array([code in roles.height for code in codes], np.int64),
        is_stronghold=np.array([code in roles.siege for code in codes], np.int64),
    )


def country_of(
    war: WarInputs,
    plans: tuple[tuple[FlankPlan, ...], tuple[FlankPlan, ...]],
    variables: tuple[SideVariables, SideVariables],
    tables: Tables,
) -> Country:
    """Supplies, walls and diseases."""
    people = tables.climate.local_population(war.location)
    if people is None:  # ATT-03, R-18
        local = max(fleets(war, plans)) * tables.constant("ATT-03", "residents_a_berth")
    else:
        local = float(people)
    return Country(
        local_population=np.array([local, local], np.float64),
        attrition=tables.attrition[war.location.attrition].constant,
        siege_rate=variables[0].siege_rate.value,
        is_fortified=int(tables.is_fortified(war.location)),
        outbreak=outbreaks(war, variables, tables),
        severity=severities(war, tables),
    )


def outbreaks(war: WarInputs, variables: tuple[SideVariables, SideVariables], tables: Tables) -> Real:
    """DIS-02 without the men: chance of an outbreak an hour and man, shape (2, 2): exposed side, whose disease.

    A disease that both nations carry is one disease: only the attacker's is tested (R-62).
    """
    names = (war.attacker.nation.endemic_disease, war.defender.nation.endemic_disease)
    chances = np.zeros((2, 2))
    for side in (0, 1):
        for carrier, name in enumerate(names):
            if carrier == 1 and names[0] == names[1]:
                continue
            is_endemic = name == names[side]
            familiarity = tables.constant("DIS-02", "familiarity_endemic" if is_endemic else "familiarity_strange")
            divisor = variables[side].resistance.value * familiarity * tables.constant("DIS-02", "divisor")
            maximum = max(variables[side].maximum_military.value, 1.0)
            chances[side, carrier] = tables.disease[name].outbreak / maximum / divisor
    return chances


def severities(war: WarInputs, tables: Tables) -> Real:
    """DIS-03 without men and dice: share of the men who die a point of dice, shape (2, 2) as `outbreaks`."""
    nations = (war.attacker.nation, war.defender.nation)
    shares = np.zeros((2, 2))
    for side, exposed in enumerate(nations):
        for carrier, nation in enumerate(nations):
            it = tables.disease[nation.endemic_disease]
            strength = math.log(it.infectivity * it.reproduction * it.deadliness + 1.0) / math.log(2.0)
            medicine = tables.disease_losses(exposed.medicine)
            shares[side, carrier] = strength / tables.constant("DIS-03", "men_divisor") * medicine
    return shares


def numbers_of(tables: Tables) -> Numbers:
    """The rules' own numbers, from `strategy.json` and `constants.json`."""
    constant = tables.constant
    return Numbers(
        hours_most=tables.strategy.hours_most,
        ends_at_retreat=int(tables.strategy.ends_when == "retreating"),
        morale_a_man=constant("STRAT-04", "morale_a_man"),
        retreat_below=constant("ATK-07", "retreating_below"),
        rout_below=constant("ATK-07", "routed_below"),
        charge_slope=1.0 / constant("DEC-06", "unready_divisor"),
        charge_speed=constant("MOVE-03", "charge_factor"),
        charge_stops_at=constant("MOVE-04", "charge_share"),
        retreat_speed=constant("MOVE-05", "retreat_factor"),
        jitter_m=constant("MOVE-06", "jitter_m"),
        margin_m=constant("R-14", "margin_m"),
        hit_rounds=int(constant("MOVE-02", "attack_rounds")),
        run_rounds=int(constant("MOVE-02", "retreat_rounds")),
        dice=constant("ATK-04", "luck_most"),
        mercy=constant("ATK-04", "mercy"),
        flanking=1.0 / constant("ATK-05", "flanking_divisor"),
        small_flank=constant("ATK-03", "small_flank_men"),
        attrition_dice=constant("ATT-05", "luck_most"),
        overcrowding_most=constant("ATT-04", "load_most"),
        cut_chance=constant("SUP-01", "chance"),
        cut_capacity_left=1.0 - constant("SUP-03", "capacity_lost"),
        siege_divisor=constant("SIEGE-02", "divisor"),
        disease_dice=constant("DIS-03", "luck_most"),
    )


def _transport(war: WarInputs, side: int) -> Unit:
    transport = belligerent(war, side).units[3]
    if transport is None:
        raise ValueError("A military without a transport (MD-06).")
    return transport


def _by_type(sides: list[PerType]) -> Real:
    return np.array([[it.value for it in by_type] for by_type in sides], np.float64)
