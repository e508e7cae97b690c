"""Functions that cases of autoalgo may call besides the formulas of `engine.rule.RULES`."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import get_type_hints

from engine.autoalgo.aftermath import occupation, stability
from engine.autoalgo.battle import attrition
from engine.autoalgo.battle import disease as sickness
from engine.autoalgo.battle.blow import flanked
from engine.autoalgo.battle.flank import effective_distance_m
from engine.autoalgo.battle.frontage import room
from engine.autoalgo.battle.supply import capacity_when_cut
from engine.autoalgo.constants import Constants
from engine.autoalgo.fight.kernel import fortune
from engine.autoalgo.setup import dates, formations
from engine.autoalgo.setup.army import apportion, split_evenly
from engine.autoalgo.setup.bands import band_of
from engine.autoalgo.setup.formulas import logarithm
from engine.autoalgo.setup.leaders import skill
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import weighted_average
from engine.case import CaseRules, of_rule
from engine.explained import Term
from engine.rng import whole_by_chance


def average(values: Sequence[float], weights: Sequence[float], low: float, high: float) -> float:
    """Return the weighted average of some terms, each limited to the range first (VAR-01, VAR-04)."""
    terms = [Term("", "", value, weight) for value, weight in zip(values, weights, strict=True)]
    return weighted_average(terms, low, high).value


def word_number(variable: str, column: str, value: str, tables: Tables) -> float:
    """Return the number of a word in a variable (VAR-02)."""
    return tables.scores.single(variable, column, value)


def pair_number(variable: str, columns: Sequence[str], values: Sequence[str], tables: Tables) -> float:
    """Return the number of two words in a variable (VAR-03)."""
    (first, second), (one, other) = columns, values
    return tables.scores.pair(variable, (first, second), (one, other))


def secular_cycle(year: int, year_founded: int, tables: Tables) -> str:
    """Return the phase of a state's secular cycle (DATE-02)."""
    return dates.phase_of(tables.secular_cycles, year, year_founded).name


def generation(year: int, year_crisis: int, tables: Tables) -> str:
    """Return the phase of a state's generations (DATE-03)."""
    return dates.phase_of(tables.generations, year, year_crisis).name


def resistance(year: int, year_founded: int, year_crisis: int, tables: Tables) -> float:
    """Return a state's resistance to disease (DATE-05)."""
    phases = (tables.generations, year_crisis), (tables.secular_cycles, year_founded)
    generation, cycle = (dates.phase_of(list(of), year, since) for of, since in phases)
    return dates.resistance(generation, cycle, *tables.constants.date_05)


def age(year: int, birth_year: int | None, tables: Tables) -> int:
    """Return a leader's age in years (LEAD-08)."""
    return dates.age(year, birth_year, tables.constants.lead_08.age_assumed)


def maximum_military(population: int, federal_government: str, civilization_type: str, tables: Tables) -> float:
    """Return the number of men that a nation can field (MAX-01)."""
    return population * tables.max_military.share(federal_government, civilization_type)


def overcrowding(men: float, local_population: float, capacity: float, tables: Tables) -> float:
    """Return the overcrowding L of a side (ATT-04)."""
    return attrition.overcrowding(men, local_population, capacity, tables.constants.att_04.load_most)


def outbreak_chance(
    disease: str, maximum_military: float, resistance: float, is_endemic: bool, men: float, tables: Tables
) -> float:
    """Return the chance an hour that a disease breaks out in an army (DIS-02, R-62)."""
    numbers, outbreak = tables.constants.dis_02, tables.disease[disease].outbreak
    familiarity = sickness.familiarity_with(is_endemic, numbers)
    a_man = sickness.outbreak_a_man(outbreak, maximum_military, resistance, familiarity, numbers.divisor)
    return sickness.outbreak_chance(a_man, men)


def disease_deaths(disease: str, medicine: str, men: float, draw: float, tables: Tables) -> float:
    """Return the deaths in a flank in an outbreak, before rounding; the draw is in [0, 1) (DIS-03)."""
    divisor, most = tables.constants.dis_03
    record, treated = tables.disease[disease], tables.disease_losses(medicine)
    severity = sickness.severity(record.infectivity, record.reproduction, record.deadliness, treated, divisor)
    return sickness.share_of_dead(severity, draw * most) * men


def occupation_name(result: float, tables: Tables) -> str:
    """Return the name of an occupation result (OCC-08, R-23)."""
    return band_of(result, tables.occupation_bands).name


def stability_name(stability: float, tables: Tables) -> str:
    """Return the name of a Stability (STAB-01, R-23)."""
    return band_of(stability, tables.stability_bands).name


def line_places(flanks: int, start: Sequence[float], end: Sequence[float]) -> list[float]:
    """Return X and Y of each flank of a line (STRAT-13)."""
    (x, y), (end_x, end_y) = start, end
    return [along for place in formations.line_places(flanks, (x, y), (end_x, end_y)) for along in place]


CASES = CaseRules(
    "engine.autoalgo",
    Tables.of,
    {
        "Tables": lambda tables: tables,
        Constants.__name__: lambda tables: tables.constants,
        **{record.__name__: attrgetter(f"constants.{rule}") for rule, record in get_type_hints(Constants).items()},
    },
    (
        *of_rule("VAR-01, VAR-04", average),
        *of_rule("VAR-02", word_number),
        *of_rule("VAR-03", pair_number),
        *of_rule("R-02", logarithm),
        *of_rule("R-07", skill),
        *of_rule("DATE-02, DATE-04", secular_cycle),
        *of_rule("DATE-03, DATE-04", generation),
        *of_rule("DATE-05", resistance),
        *of_rule("LEAD-08", age),
        *of_rule("MAX-01", maximum_military),
        *of_rule("STRAT-02, R-38", split_evenly, apportion),
        *of_rule("STRAT-13", line_places),
        *of_rule("DEC-02, R-66", effective_distance_m),
        *of_rule("ATK-05, R-85", flanked),
        *of_rule("R-115", room),
        *of_rule("SUP-03", capacity_when_cut),
        *of_rule("R-28", fortune),
        *of_rule("R-26", whole_by_chance),
        *of_rule("ATT-04, R-56", overcrowding),
        *of_rule("DIS-02, R-62", outbreak_chance),
        *of_rule("DIS-03", disease_deaths),
        *of_rule("OCC-04, R-22", occupation.worn, occupation.printed_worn),
        *of_rule("OCC-08, R-23", occupation_name),
        *of_rule("STAB-01, R-23", stability_name),
        *of_rule("STAB-02, STAB-03, R-74", stability.shaken_innate),
    ),
)
"""Functions of cases."""
