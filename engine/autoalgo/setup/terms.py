"""The terms of variables, by kind: one word of the sheet, two words together, a formula.

`variables.json` names them: `fortifications`, `climate-religion`, `training`. The tables hold the numbers of the
words; this module knows no government, unit or terrain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.autoalgo.constants import Constants
from engine.autoalgo.records import Location, Military, Nation, Unit
from engine.autoalgo.setup import formulas
from engine.autoalgo.setup.formulas import TOWNSPEOPLE, describe
from engine.autoalgo.setup.values import Crop, Scores
from engine.columns import Kind, columns
from engine.explained import number as spelled
from engine.receipt import counted

WEIGHT_CLASSES = ("major", "moderate", "minor")
PER_TYPE = ("VAR-EFF", "VAR-LIM", "VAR-DEF")
"""Averages of each unit type (VAR-06)."""

UNIT_WORDS = {attribute: column.header for attribute, column in columns(Unit) if column.kind is Kind.CHOICE}
SIDE_WORDS = {
    attribute: column.header
    for record in (Nation, Military, Location)
    for attribute, column in columns(record)
    if column.kind is Kind.CHOICE
} | {"motive": "Motive", "secular_cycle": "Secular Cycle", "generation": "Generation", "logistics": "Logistics"}
"""Words of a belligerent; its logistics are the most advanced of its types."""

NEEDED_SCORES = (
    ("Civilization Type", "Occupation Base"),
    ("Domesticated Animals", "Occupation Base"),
    ("Domesticated Animals", "Economy"),
    ("Writing", "Occupation Base"),
    ("Medicine", "Occupation Base"),
    ("Medicine", "Occupation Start"),
    ("Medicine", "Disease"),
    ("Trade", "Economy"),
    ("Fortifications", "Occupation Base"),
    ("Fortifications", "Breach"),
    ("Road System", "Occupation Base"),
    ("Soldier Type", "Efficiency"),
    ("Soldier Type", "Effectiveness"),
    ("Logistics", "Resilience"),
)
"""(List, variable) pairs that formulas look up, besides the terms of `variables.json`."""


@dataclass(frozen=True, slots=True)
class VariableRule:
    """One weighted average of `variables.json`; the classes are those of the mapping tables (QN-08)."""

    id: str  # `VAR-DEF`
    name: str  # `Defense`, also the variable's name in the tables of numbers
    low: float  # Of its range
    high: float  # Of its range
    terms: tuple[tuple[str, float], ...]  # Name and weight of each, major ones first


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Records with the terms of a side, or of one of its unit types."""

    nation: Nation  # The belligerent
    military: Military  # Its force
    crop: Crop  # Of its diet
    # Attribute to value of every word in `SIDE_WORDS`, of a unit type also of those in `UNIT_WORDS`.
    words: Mapping[str, str]
    unit: Unit | None  # The unit type; None for the side's own variables
    scores: Scores  # The numbers of words
    constants: Constants  # The rules' numbers


Reading = tuple[str, str, float]
"""Text of a term, its inputs as text, and its number."""


def read_term(name: str, variable: str, at: Situation) -> Reading:
    """Return one term of a variable, before clamping (VAR-02, VAR-03)."""
    if name in FORMULAS:
        return FORMULAS[name](at)
    if name in UNIT_FORMULAS and at.unit is not None:
        return UNIT_FORMULAS[name](at, at.unit)
    headers = SIDE_WORDS | UNIT_WORDS
    first, hyphen, second = name.partition("-")
    if not hyphen:
        return headers[name], at.words[name], at.scores.single(variable, headers[name], at.words[name])
    pair = (headers[first], headers[second])
    words = (at.words[first], at.words[second])
    return "–".join(pair), ", ".join(words), at.scores.pair(variable, pair, words)


def terms_of(rule: str, variable: str, scores: Scores) -> list[str]:
    """Return every term that a variable may have: formulas, and the words and pairs with numbers in the tables."""
    per_type = rule in PER_TYPE
    words = SIDE_WORDS | (UNIT_WORDS if per_type else {})
    formulas = [*FORMULAS, *(UNIT_FORMULAS if per_type else ())]
    singles = [name for name, header in words.items() if (header, variable) in scores.singles]
    by_header = {header: name for name, header in words.items()}
    pairs = [
        f"{by_header[first]}-{by_header[second]}"
        for first, second, its_variable in scores.pairs
        if its_variable == variable and first in by_header and second in by_header
    ]
    return [*formulas, *singles, *pairs]


def urban_people(at: Situation) -> float:
    """Return the number of townspeople, a divisor and therefore at least a small share of the population (R-35)."""
    return max(at.nation.urban_population, at.constants.r_35.urban_least) * at.nation.population


def _income(at: Situation) -> Reading:
    trade = at.scores.single("Economy", "Trade", at.nation.trade)
    divisor = at.constants.var_econ.income_divisor
    inputs = f"{spelled(at.nation.gdp)} USD, {at.nation.trade} ({spelled(trade)}), {_people(at)}"
    text = describe(formulas.income, "GDP", "Trade", TOWNSPEOPLE, divisor)
    return text, inputs, formulas.income(at.nation.gdp, trade, urban_people(at), divisor)


def _harvest(at: Situation) -> Reading:
    divisor = at.constants.var_econ.land_divisor
    inputs = f"{spelled(at.nation.arable_land)} acres, {at.nation.diet}"
    text = describe(formulas.harvest, "Arable", "Diet yield", "Diet worth", divisor)
    return text, inputs, formulas.harvest(at.nation.arable_land, at.crop.crop_yield, at.crop.worth, divisor)


def _herds(at: Situation) -> Reading:
    animals = at.scores.single("Economy", "Domesticated Animals", at.nation.domesticated_animals)
    divisor = at.constants.var_econ.land_divisor
    inputs = f"{at.nation.domesticated_animals} ({spelled(animals)}), {spelled(at.nation.arable_land)} acres"
    value = formulas.herds(animals, at.nation.arable_land, divisor)
    return describe(formulas.herds, "Animals", "Arable", divisor), inputs, value


def _budget_share(at: Situation) -> Reading:
    """Return the term of Budget in Limitation, relative to the nation's means (MD-10)."""
    gdp = max(at.nation.gdp, at.constants.r_35.gdp_least)
    factor = at.constants.var_lim.budget_factor
    inputs = f"{spelled(at.military.budget)} of {spelled(gdp)} USD"
    value = formulas.budget_share(factor, at.military.budget, gdp)
    return describe(formulas.budget_share, factor, "Budget", "GDP"), inputs, value


def _training(at: Situation, unit: Unit) -> Reading:
    return _trained(formulas.training, at, unit)


def _training_root(at: Situation, unit: Unit) -> Reading:
    return _trained(formulas.training_root, at, unit)


def _unit_defense(at: Situation, unit: Unit) -> Reading:
    return "Defense (unit)", unit.name, unit.defense


def _steel(at: Situation, unit: Unit) -> Reading:
    long, medium, short = unit.power
    power = max((long + medium + short) / 3, at.constants.r_35.power_least)  # the mean: R-05
    factor = at.constants.var_eff.steel_factor
    inputs = (
        f"{spelled(at.nation.steel_production)} tons, {counted(at.military.size, 'man', 'men')}, power {spelled(power)}"
    )
    value = formulas.steel(at.nation.steel_production, max(at.military.size, 1), _soldier(at, unit), power, factor)
    return describe(formulas.steel, "Steel", "Size", "Soldier type", "Power", factor), inputs, value


def _budget_per_man(at: Situation, unit: Unit) -> Reading:
    """Return the term of Budget in Efficiency, per man (MD-10)."""
    factor = at.constants.var_eff.budget_factor
    inputs = f"{spelled(at.military.budget)} USD, {counted(at.military.size, 'man', 'men')}"
    value = formulas.budget_per_man(at.military.budget, max(at.military.size, 1), _soldier(at, unit), factor)
    return describe(formulas.budget_per_man, "Budget", "Size", "Soldier type", factor), inputs, value


def _trained(formula: Callable[[float, float], float], at: Situation, unit: Unit) -> Reading:
    scale = at.constants.unit_11.training_scale
    value = formula(unit.tactical_training, scale)
    return describe(formula, "Training", scale), spelled(unit.tactical_training), value


def _soldier(at: Situation, unit: Unit) -> float:
    return at.scores.single("Efficiency", "Soldier Type", unit.soldier_type)


def _people(at: Situation) -> str:
    return f"{spelled(at.nation.urban_population)} of {spelled(at.nation.population)} people"


FORMULAS: Mapping[str, Callable[[Situation], Reading]] = {
    "income": _income,
    "harvest": _harvest,
    "herds": _herds,
    "budget_share": _budget_share,
}
"""Terms made of a belligerent's numbers."""

UNIT_FORMULAS: Mapping[str, Callable[[Situation, Unit], Reading]] = {
    "training": _training,
    "training_root": _training_root,
    "unit_defense": _unit_defense,
    "steel": _steel,
    "budget_per_man": _budget_per_man,
}
"""Terms that also require a unit type."""
