"""Formulas of the terms of variables, each with its text (VAR-05)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from engine.elementary import cube_root, log10, power
from engine.explained import number as spelled
from engine.symbols import PRODUCT, Symbol, applied, formula_text, raised

TOWNSPEOPLE = Symbol("Urban·Population", PRODUCT)
"""The people of the towns, always written as a product."""


def logarithm(value: float) -> float:
    """Return the logarithm to base 10; 0 for numbers below 1 (R-02)."""
    return log10(value) if value > 1 else 0.0


def root(value: float) -> float:
    """Return the square root."""
    return math.sqrt(value)


WRITTEN: Mapping[Callable[..., Any], Callable[..., Any]] = {
    logarithm: applied("log"),
    log10: applied("log"),
    root: lambda value: Symbol(f"√({value.text})"),
    cube_root: lambda value: raised(value, Symbol("1/3", PRODUCT)),
    power: raised,
}
"""Writers of the functions that formulas call, by function."""


@lru_cache(maxsize=1024, typed=True)  # 1 and 1.0 are written differently
def describe(formula: Callable[..., float], *arguments: str | float | Symbol) -> str:
    """Return the text of a formula with names, and with numbers where they are constant."""
    named = (
        each if isinstance(each, Symbol) else Symbol(each if isinstance(each, str) else spelled(each))
        for each in arguments
    )
    return formula_text(formula, WRITTEN, *named)


def income(gdp: float, trade: float, townspeople: float, divisor: float) -> float:
    """Return the term of income in Economy (VAR-ECON)."""
    return logarithm(gdp * trade / townspeople) / divisor


def harvest(arable: float, crop_yield: float, worth: float, divisor: float) -> float:
    """Return the term of the harvest in Economy (VAR-ECON)."""
    return logarithm(arable * crop_yield * worth) / divisor


def herds(animals: float, arable: float, divisor: float) -> float:
    """Return the term of the herds in Economy (VAR-ECON)."""
    return logarithm(animals * arable) / divisor


def budget_share(factor: float, budget: float, gdp: float) -> float:
    """Return the term of Budget in Limitation (VAR-LIM, MD-10)."""
    return factor * budget / gdp


def training(trained: float, scale: float) -> float:
    """Return the term of Training in Efficiency and Defense (UNIT-11)."""
    return trained / scale


def training_root(trained: float, scale: float) -> float:
    """Return the term of Training in Limitation (UNIT-11)."""
    return root(trained / scale)


def steel(tons: float, size: float, soldier: float, mean_power: float, factor: float) -> float:
    """Return the term of steel in Efficiency (VAR-EFF, R-05)."""
    return tons / (size * soldier * mean_power * factor)


def budget_per_man(budget: float, size: float, soldier: float, factor: float) -> float:
    """Return the term of Budget in Efficiency (VAR-EFF, MD-10)."""
    return budget / (size * soldier * factor)


def shocking(shock: float) -> float:
    """Return the factor of Shock in Effectiveness (VAR-EFV)."""
    return 1 + shock


def of_population(population: float) -> float:
    """Return the factor of the population (OCCB-1)."""
    return cube_root(population)


def of_towns(urban: float, root_of: float, factor: float) -> float:
    """Return the factor of the towns (OCCB-2)."""
    return power(urban, 1 / log10(root_of)) * factor


def of_energy(consumption: float, hours: float) -> float:
    """Return the factor of consumed power (OCCB-3)."""
    return log10(consumption / hours + 1)


def of_food(arable: float, protein: float, crop_yield: float, townspeople: float, factor: float) -> float:
    """Return the factor of food for the towns, with the logarithm of 1 + x (OCCB-4, R-06)."""
    return log10(arable * (protein * crop_yield) / townspeople + 1) * factor


def printed_food(arable: float, protein: float, crop_yield: float, townspeople: float, factor: float) -> float:
    """Return the factor of food for the towns as printed (OCCB-4, R-02)."""
    return logarithm(arable * (protein * crop_yield) / townspeople) * factor


def of_ripeness(
    crop_yield: float, protein: float, variety: float, domestication: float, age: float, age_divisor: float
) -> float:
    """Return the factor of an old agriculture, of 1 + x (OCCB-5, R-06); `variety` is 1 − 1/diversity."""
    return log10(crop_yield * protein * variety * domestication * (age / age_divisor) + 1)


def printed_ripeness(
    crop_yield: float, protein: float, variety: float, domestication: float, age: float, age_divisor: float
) -> float:
    """Return the factor of an old agriculture as printed (OCCB-5, R-02); `variety` is 1 − 1/diversity."""
    return logarithm(crop_yield * protein * variety * domestication * (age / age_divisor))
