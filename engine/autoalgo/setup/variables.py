"""The variables of a belligerent, each with its terms (VAR-01 ... VAR-06).

Terms, weights and ranges of the averages are in `variables.json`; the other formulas (Effectiveness, Siege Rate,
Occupation Base, maximum military) are written out here. Sums run in a fixed order so that a ruling has the same result
on every machine (R-25).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.autoalgo.inputs import TYPES, Belligerent, WarInputs
from engine.autoalgo.records import Leader, Location, Military, Nation, Unit
from engine.autoalgo.setup import formulas, leaders
from engine.autoalgo.setup.dates import Phase, phase_of, resistance
from engine.autoalgo.setup.formulas import TOWNSPEOPLE, describe
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.terms import SIDE_WORDS, UNIT_WORDS, Situation, VariableRule, read_term, urban_people
from engine.explained import Explanation, Term
from engine.explained import number as spelled

ATTACKER = 0
ARTILLERY = TYPES.index("artillery")
SHIP = TYPES.index("ship")

PerType = tuple[Explanation, Explanation, Explanation, Explanation]
"""A variable for each of `TYPES`; 0 without terms for a type missing from the military."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideVariables:
    """All variables of one side, computed before the battle."""

    efficiency: PerType  # Efficiency by type, 0 to 1 (VAR-EFF)
    limitation: PerType  # Limitation by type, 0 to 1 (VAR-LIM)
    defense: PerType  # Defense by type, 0 to 1 (VAR-DEF)
    open_defense: PerType  # Defense by type without field works
    effectiveness: PerType  # Effectiveness by type, at least 0 (VAR-EFV)
    innate_stability: Explanation  # Innate Stability, 0 to 1 (VAR-STAB)
    economy: Explanation  # Economy, 0 to 1 (VAR-ECON)
    capacity: Explanation  # Capacity, 0 to 1 (VAR-CAP)
    morale_bonus: Explanation  # Morale Bonus, 0 to 2 (VAR-MOR)
    siege_rate: Explanation  # Siege Rate, 0 to 1; 0 for the defender (VAR-SIEGE)
    occupation_base: Explanation  # Occupation Base, above 0 (VAR-OCC)
    maximum_military: Explanation  # Number of men that the nation can field (MAX-01)
    resistance: Explanation  # Generation · Secular cycle of DIS-02, within the bounds of DATE-05
    phases: tuple[str, str]  # Names of the phases of the secular cycle and of the generations (DATE-02, DATE-03)
    training_mean: float  # Mean Tactical Training of LEAD-10, 0 to 10
    drill: float  # Factor of training on morale at the start, above 0 (MIL-15)

    def of_army(self) -> tuple[Explanation, ...]:
        """Return the variables of an army itself, beside those of its side (R-130): of its types, and morale."""
        by_type = (self.efficiency, self.limitation, self.defense, self.effectiveness)
        return (
            *(variable for types in zip(*by_type, strict=True) for variable in types if variable.terms),
            self.morale_bonus,
        )

    def of_leader(self) -> tuple[Explanation, ...]:
        """Return a side's variables from its leader, for a side of several armies (R-130)."""
        return self.occupation_base, self.capacity, self.resistance, self.maximum_military

    def all(self) -> tuple[Explanation, ...]:
        """Return all variables in the order of the log (LOG-02): those of the unit types, then those of the side."""
        without_works = () if self.open_defense == self.defense else self.open_defense
        by_type = zip(self.efficiency, self.limitation, self.defense, self.effectiveness, strict=True)
        return (
            *(variable for type_variables in by_type for variable in type_variables),
            *(replace(one, name=f"{one.name}, without field works") for one in without_works if one.terms),
            self.occupation_base,
            self.capacity,
            self.economy,
            self.innate_stability,
            self.morale_bonus,
            self.siege_rate,
            self.resistance,
            self.maximum_military,
        )


def side_variables(war: WarInputs, side: int, tables: Tables) -> SideVariables:
    """Compute the variables of one side."""
    army = (war.attacker, war.defender)[side]
    cycle = phase_of(tables.secular_cycles, war.year, army.nation.year_founded)
    generation = phase_of(tables.generations, war.year, army.nation.year_crisis)
    situation = _situation(war, side, (cycle, generation), tables)
    commander, head, constants = army.military_leader, army.national_leader, tables.constants

    def average(rule: str, bonus: Term | None) -> Explanation:
        return _average(tables.variables[rule], situation, bonus)

    def per_type(rule: str, bonus: Term | None, where: Situation = situation) -> PerType:
        variable = tables.variables[rule]
        values = [
            _missing_type(variable.name, rule, type_name)
            if unit is None
            else _average(variable, _for_unit(where, unit), bonus, type_name)
            for type_name, unit in zip(TYPES, army.units, strict=True)
        ]
        return values[0], values[1], values[2], values[3]

    protected = leaders.bonus("Defense", commander, constants.lead_b2.divisor, constants)
    defense = open_defense = per_type("VAR-DEF", protected)
    if constants.r_121.applies and tables.field_works(army.military) > 0.0:
        in_the_open = {**situation.words, "mobile_defenses": tables.scores.worst("Mobile Defenses")}
        open_defense = per_type("VAR-DEF", protected, replace(situation, words=in_the_open))
    return SideVariables(
        efficiency=per_type("VAR-EFF", leaders.bonus("Martial", commander, constants.lead_b7.divisor, constants)),
        limitation=per_type("VAR-LIM", leaders.bonus("Cunning", commander, constants.lead_b5.divisor, constants)),
        defense=defense,
        open_defense=open_defense,
        effectiveness=_effectiveness(army, tables),
        innate_stability=average("VAR-STAB", leaders.bonus("Authority", head, constants.lead_b4.divisor, constants)),
        economy=average("VAR-ECON", leaders.bonus("Cunning", head, constants.lead_b5.divisor, constants)),
        capacity=average("VAR-CAP", leaders.bonus("Authority", commander, constants.lead_b4.divisor, constants)),
        morale_bonus=average("VAR-MOR", leaders.morale_bonus(commander, constants)),
        siege_rate=_siege_rate(war, side, tables),
        occupation_base=_occupation_base(war, side, situation, tables),
        maximum_military=_maximum_military(army, tables),
        resistance=_resistance(generation, cycle, tables),
        phases=(cycle.name, generation.name),
        training_mean=training_mean(army),
        drill=drill(army, tables),
    )


def weighted_average(terms: Sequence[Term], low: float, high: float) -> Explanation:
    """Return the weighted average of the terms, each clamped first (VAR-01, VAR-04)."""
    clamped = tuple(
        term if low <= term.value <= high else replace(term, value=clamp(term.value, low, high)) for term in terms
    )
    total = weight = 0.0
    for term in clamped:  # not sum(): Python 3.12 and 3.11 sum floats differently
        total += term.weight * term.value
        weight += term.weight
    return Explanation("", "VAR-01", clamp(total / weight, low, high), clamped)


def clamp(value: float, low: float, high: float) -> float:
    """Return the value, limited to the range from low to high."""
    return min(max(value, low), high)


def training_mean(army: Belligerent) -> float:
    """Return the mean Tactical Training of an army (LEAD-10)."""
    return mean_of_types(army, [unit.tactical_training if unit else 0.0 for unit in army.units])


def mean_of_types(army: Belligerent, values: Sequence[float]) -> float:
    """Return the mean of values of an army's types, weighted by the proportions; without land types the ship's.

    If all proportions are 0, the land types have equal weights (R-39).

    Args:
        values: The values in the order of the types; those of missing types do not count.
    """
    military, units = army.military, army.units
    shares = (military.infantry_proportion, military.cavalry_proportion, military.artillery_proportion)
    land = [(value, share) for unit, value, share in zip(units, values, shares, strict=False) if unit is not None]
    if not land:
        return 0.0 if units[SHIP] is None else values[SHIP]
    if not any(share for _, share in land):
        land = [(value, 1.0) for value, _ in land]
    total = weight = 0.0
    for value, share in land:
        total += value * share
        weight += share
    return total / weight


def drill(army: Belligerent, tables: Tables) -> float:
    """Return the root of an army's training over that of its units in the catalogue, each plus one (MIL-15)."""
    if not tables.constants.mil_15.applies:
        return 1.0
    listed = [unit and tables.units.get(unit.name, unit) for unit in army.units]
    usual = replace(army, units=(listed[0], listed[1], listed[2], listed[3]))
    return math.sqrt((1.0 + training_mean(army)) / (1.0 + training_mean(usual)))


def _situation(war: WarInputs, side: int, phases: tuple[Phase, Phase], tables: Tables) -> Situation:
    army = (war.attacker, war.defender)[side]
    words = _words(army.nation, army.military, war.location, phases) | {"motive": war.motive}
    if side == ATTACKER:  # only the defender has the fortifications
        words["fortifications"] = tables.scores.worst("Fortifications")
    words["logistics"] = _best_logistics(army, tables)
    return Situation(
        nation=army.nation,
        military=army.military,
        crop=tables.diet[army.nation.diet],
        words=words,
        unit=None,
        scores=tables.scores,
        constants=tables.constants,
    )


def _words(nation: Nation, military: Military, location: Location, phases: tuple[Phase, Phase]) -> dict[str, str]:
    """Return the words of a side by attribute, without those of the war itself."""
    rows = (nation, military, location)
    words = {name: getattr(row, name) for row in rows for name in SIDE_WORDS if hasattr(row, name)}
    return words | {"secular_cycle": phases[0].name, "generation": phases[1].name}


def nation_variables(nation: Nation, head: Leader | None, year: int, tables: Tables) -> tuple[float, float]:
    """Return the Innate Stability of a nation in a year of peace, 0 to 1, and its maximum military, men (YRS-06).

    Raises:
        ValueError: The nation was founded, or had its crisis, later.
    """
    cycle = phase_of(tables.secular_cycles, year, nation.year_founded)
    generation = phase_of(tables.generations, year, nation.year_crisis)
    generic, scores = tables.defaults, tables.scores
    situation = Situation(
        nation=nation,
        military=generic.military,
        crop=tables.diet[nation.diet],
        words=_words(nation, generic.military, generic.location, (cycle, generation))
        | {"motive": tables.lists["Motive"].values[0], "logistics": scores.worst("Logistics")},
        unit=None,
        scores=scores,
        constants=tables.constants,
    )
    authority = leaders.bonus("Authority", head, tables.constants.lead_b4.divisor, tables.constants)
    share = tables.max_military.share(nation.federal_government, nation.civilization_type)
    return _average(tables.variables["VAR-STAB"], situation, authority).value, nation.population * share


def _best_logistics(army: Belligerent, tables: Tables) -> str:
    """Return the most advanced Logistics of the land types, without land types the ship's (VAR-CAP)."""
    units = [unit for unit in army.units[:SHIP] if unit is not None] or [
        unit for unit in army.units[SHIP:] if unit is not None
    ]
    return tables.scores.best("Logistics", [unit.logistics for unit in units] or [tables.scores.worst("Logistics")])


def _for_unit(situation: Situation, unit: Unit) -> Situation:
    unit_words: Mapping[str, str] = {name: getattr(unit, name) for name in UNIT_WORDS}
    return replace(situation, unit=unit, words={**situation.words, **unit_words})


def _average(rule: VariableRule, situation: Situation, bonus: Term | None, type_name: str = "") -> Explanation:
    """Return one variable: the average of its terms plus the leader's bonus, clamped again (VAR-04)."""
    terms = [Term(*read_term(name, rule.name, situation), weight) for name, weight in rule.terms]
    average = weighted_average(terms, rule.low, rule.high)
    unbounded = average.value + (bonus.value if bonus else 0.0)
    value = clamp(unbounded, rule.low, rule.high)
    return Explanation(
        f"{rule.name}, {type_name}" if type_name else rule.name,
        rule.id,
        value,
        average.terms,
        bonus=bonus,
        note="" if value == unbounded else f"kept within {spelled(rule.low)} to {spelled(rule.high)}, VAR-04",
    )


def _missing_type(name: str, rule: str, type_name: str) -> Explanation:
    return Explanation(f"{name}, {type_name}", rule, 0.0, note=f"the military has no {type_name}")


def _effectiveness(army: Belligerent, tables: Tables) -> PerType:
    """Compute the Effectiveness: (1 + Shock) · Soldier type, times the commander's factor (VAR-EFV, LEAD-B1)."""
    bonus = leaders.effectiveness_factor(army.military_leader, tables.constants)

    def one_type(type_name: str, unit: Unit | None) -> Explanation:
        if unit is None:
            return _missing_type("Effectiveness", "VAR-EFV", type_name)
        soldier = tables.scores.single("Effectiveness", "Soldier Type", unit.soldier_type)
        terms = (
            Term(describe(formulas.shocking, "Shock"), spelled(unit.shock), formulas.shocking(unit.shock)),
            Term("Soldier Type", unit.soldier_type, soldier),
        )
        return _product(f"Effectiveness, {type_name}", "VAR-EFV", terms, bonus)

    values = [one_type(type_name, unit) for type_name, unit in zip(TYPES, army.units, strict=True)]
    return values[0], values[1], values[2], values[3]


def _siege_rate(war: WarInputs, side: int, tables: Tables) -> Explanation:
    """Compute the Siege Rate from location, best Power of the artillery and commander (VAR-SIEGE, R-04, LEAD-B3)."""
    if side != ATTACKER:
        return Explanation("Siege Rate", "VAR-SIEGE", 0.0, note="only the attacker besieges")
    army = war.attacker
    artillery = army.units[ARTILLERY]
    if artillery is None:
        return Explanation("Siege Rate", "VAR-SIEGE", 0.0, note="the military has no artillery")
    hazard = tables.attrition[war.location.attrition].siege
    power = max(artillery.power) / tables.constants.var_siege.power_divisor
    terms = (Term("Attrition", war.location.attrition, hazard), Term("Power of the artillery", artillery.name, power))
    bonus = leaders.siege_bonus(army.military_leader, tables.constants)
    unbounded = hazard + power + (bonus.value if bonus else 0.0)
    low, high = tables.constants.var_siege.least, tables.constants.var_siege.most
    value = clamp(unbounded, low, high)
    note = "" if value == unbounded else f"kept within {spelled(low)} to {spelled(high)}, VAR-04"
    return Explanation("Siege Rate", "VAR-SIEGE", value, terms, "sum", bonus, note)


def _occupation_base(war: WarInputs, side: int, situation: Situation, tables: Tables) -> Explanation:
    """Compute the Occupation Base, the product of OCCB-1 to OCCB-7, each with a lower bound (VAR-OCC, R-06)."""
    nation, crop = situation.nation, situation.crop
    constants = tables.constants

    def score(header: str, value: str) -> Term:
        return Term(header, value, tables.scores.single("Occupation Base", header, value))

    urban = max(nation.urban_population, constants.r_35.urban_least)
    age = max(war.year - nation.age_of_civilization, constants.r_06.age_least)
    variety = 1 - 1 / max(crop.diversity, constants.r_06.diversity_least)
    root_of, towns_factor = constants.occb_2.root_of, constants.occb_2.factor
    hours, food_factor, age_divisor = (
        constants.occb_3.hours_a_year,
        constants.occb_4.factor,
        constants.occb_5.age_divisor,
    )
    land = spelled(nation.arable_land)
    food, ripeness = formulas.printed_food, formulas.printed_ripeness
    if constants.r_06.applies:
        food, ripeness = formulas.of_food, formulas.of_ripeness
    factors = (
        Term(
            describe(formulas.of_population, "Population"),
            spelled(nation.population),
            formulas.of_population(nation.population),
        ),
        Term(
            describe(formulas.of_towns, "Urban", root_of, towns_factor),
            spelled(urban),
            formulas.of_towns(urban, root_of, towns_factor),
        ),
        Term(
            describe(formulas.of_energy, "Power", hours),
            f"{spelled(nation.power_consumption)} kWh",
            formulas.of_energy(nation.power_consumption, hours),
        ),
        Term(
            describe(food, "Arable", "Diet protein", "Diet yield", TOWNSPEOPLE, food_factor),
            f"{land} acres, {nation.diet}",
            food(nation.arable_land, crop.protein, crop.crop_yield, urban_people(situation), food_factor),
        ),
        Term(
            describe(ripeness, "Diet yield", "protein", "diversity", "domestication", "Age", age_divisor),
            f"{nation.diet}, {spelled(age)} years",
            ripeness(crop.crop_yield, crop.protein, variety, crop.domestication, age, age_divisor),
        ),
        score("Civilization Type", nation.civilization_type),  # OCCB-6
        score("Domesticated Animals", nation.domesticated_animals),
        score("Writing", nation.writing),
        score("Medicine", nation.medicine),
        score(
            "Road System", war.location.road_system
        )  # OCCB-7: roads for the attacker, fortifications for the defender
        if side == ATTACKER
        else score("Fortifications", war.location.fortifications),
    )
    least = constants.r_06.factor_least
    return _product(
        "Occupation Base", "VAR-OCC", tuple(replace(term, value=max(term.value, least)) for term in factors)
    )


def _maximum_military(army: Belligerent, tables: Tables) -> Explanation:
    """Compute the number of men that a nation can field, which does not limit Size (MAX-01, R-37)."""
    nation = army.nation
    share = tables.max_military.share(nation.federal_government, nation.civilization_type)
    terms = (
        Term("Population", spelled(nation.population), float(nation.population)),
        Term("Share", f"{nation.federal_government}, {nation.civilization_type}", share),
    )
    return _product("Maximum military", "MAX-01", terms)


def _resistance(generation: Phase, cycle: Phase, tables: Tables) -> Explanation:
    """Compute the resistance to disease, a divisor of the chance of an outbreak (DATE-05)."""
    low, high = tables.constants.date_05.least, tables.constants.date_05.most
    terms = (Term("Generation", generation.name, generation.disease), Term("Secular cycle", cycle.name, cycle.disease))
    product = _product("Resistance to disease", "DATE-05", terms)
    value = resistance(generation, cycle, low, high)
    note = "" if value == product.value else f"kept within {spelled(low)} to {spelled(high)}"
    return replace(product, value=value, note=note)


def _product(name: str, rule: str, terms: tuple[Term, ...], bonus: Term | None = None) -> Explanation:
    value = 1.0
    for term in terms:
        value *= term.value
    return Explanation(name, rule, value * bonus.value if bonus else value, terms, "product", bonus)
