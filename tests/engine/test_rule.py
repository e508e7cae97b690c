"""An explanation comes from the formula itself: whatever a formula is changed to, its explanation follows (VAR-05)."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import random
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest

from engine.autoalgo.aftermath import consequences, occupation, stability
from engine.autoalgo.battle import attrition, blow, disease, flank, siege, tactics
from engine.autoalgo.battle.supply import capacity_when_cut
from engine.autoalgo.cases import CASES
from engine.autoalgo.fight.kernel import fortune
from engine.autoalgo.setup import deploy
from engine.calculation import KeyFormula
from engine.case import Given, agrees
from engine.formula_template import FormulaTemplate
from engine.rng import whole_by_chance
from engine.rule import ABSENT, RULES, TracedNumber, explain, plain, trace_rules
from engine.terms import explained
from sheets_algo.config.cases import read_cases
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.rulesets import open_forms, ruleset_names
from tests.helpers.games import facts
from tests.helpers.mutants import in_place, mutants
from tests.helpers.pocket_calculator import press

MODULES = (stability, consequences, occupation, blow, attrition, disease, flank, siege, tactics, deploy)
EXACT = [name for names in facts("EXACT") for name in names]
"""Modules whose formulas compute with exact numbers, so that `engine.terms` explains them too."""
for name in EXACT:
    importlib.import_module(name)
FORMULAS = [
    function
    for function, names in RULES.items()
    if (
        names.arguments
        and (names.result or function.__module__ == blow.__name__)
        and function.__module__ in {module.__name__ for module in MODULES}
    )
    or function.__module__ in EXACT
]
SEEDS = range(40)
type_hints = cache(get_type_hints)
"""Return the types of a record's fields or of a function's parameters; each text is compiled to find its type."""


def arguments_of(function: Callable[..., Any], seed: int) -> list[Any]:
    """Return random arguments: numbers near those of a game, records of such numbers."""
    numbers = random.Random(f"{function.__name__} {seed}")
    is_exact = function.__module__ in EXACT

    def made(kind: Any) -> Any:
        if kind is bool:
            return numbers.random() < 0.5
        if kind is int and is_exact:
            return numbers.choice((0, numbers.randrange(1, 9), numbers.randrange(300)))
        if kind in (Fraction, Decimal):
            return kind(numbers.randrange(1, 200)) / kind(numbers.choice((1, 4, 10)))
        if get_origin(kind) in (Union, UnionType):
            return made(get_args(kind)[0]) if numbers.random() < 0.8 else None
        if get_origin(kind) is Sequence:
            return [made(get_args(kind)[0]) for _ in range(3)]
        if hasattr(kind, "_fields"):
            return kind(*(made(float) for _ in kind._fields))
        if dataclasses.is_dataclass(kind):
            record = object.__new__(kind)
            hints = type_hints(kind)
            for field in dataclasses.fields(kind):
                object.__setattr__(record, field.name, made(hints[field.name]))
            return record
        return numbers.choice((0.0, numbers.random(), numbers.uniform(0.0, 3.0), numbers.uniform(0.0, 300.0)))

    hints = type_hints(function)
    return [made(hints[name]) for name in inspect.signature(function).parameters]


def computed(function: Callable[..., Any], arguments: Sequence[Any]) -> Mapping[str, object] | None:
    """Return the explanation of a rule as data, by `engine.terms` if it is exact; None if there is none.

    It has the result bit for bit, and a calculator comes to it.
    """
    is_exact = function.__module__ in EXACT
    try:
        result, [*_, (names, number)] = function(*arguments), trace_rules(function, *arguments)
        formula = KeyFormula(function.__name__, names.ids, number.parts) if isinstance(number, TracedNumber) else None
        keys = formula.of(float(number), *map(float, number.numbers)).data() if formula else {}
        if is_exact:
            keys = explained(function, *arguments).data()
        pressed = press(keys["keys"]) if formula else number
    except (ZeroDivisionError, ValueError):
        return None
    assert names == RULES[function]
    assert (plain(number), float(pressed)) == (result, pytest.approx(float(result), rel=1e-12, abs=1e-12))
    return {"value": float(result), **keys}


@pytest.mark.parametrize("function", FORMULAS, ids=lambda function: function.__name__)
def test_var_05_an_explanation_agrees_with_a_changed_formula(function: Callable[..., Any]) -> None:
    """Each operator, bound and number of each formula is changed, one at a time."""
    cases = [(arguments, computed(function, arguments)) for arguments in (arguments_of(function, n) for n in SEEDS)]
    assert sum(explanation is not None for _, explanation in cases) >= 10
    for what, mutant in mutants(function):
        RULES[mutant] = RULES[function]
        found = ((before, computed(mutant, arguments)) for arguments, before in cases)
        assert any(after and after != before for before, after in found), f"{what}: the explanation is as before"
        del RULES[mutant]


@cache
def cases_of_autoalgo() -> Sequence[tuple[Callable[..., Any], Mapping[str, Any], Given]]:
    """Return function, arguments and expected result of each shipped case of autoalgo."""
    library, found = ConfigLoader(), []
    (tables,) = (form.ruleset.tables for form in open_forms(library) if form.key == "autoalgo")
    for _, files in library.case_files():
        for rows in (file.rows for file in read_cases(files, ruleset_names()) if file.ruleset == "autoalgo"):
            for case in rows:
                called = CASES.find(case.rule, case.function)
                found.append((called.function, CASES.arguments(called, tables, case.inputs), case.expected))
    return found


def all_cases_hold(changed: Callable[..., Any]) -> bool:
    """Return True if all cases hold; the changed function is tried first, since its own cases notice most changes."""
    cases = sorted(cases_of_autoalgo(), key=lambda case: case[0] is not changed)
    try:
        return all(agrees(function(**arguments), expected) for function, arguments, expected in cases)
    except ArithmeticError:
        return False


OF_AUTOALGO = [
    *(function for function in FORMULAS if function.__module__.startswith("engine.autoalgo.")),
    *(stability.capital_factor, stability.leader_factor, blow.flanked, capacity_when_cut),
    *(fortune, flank.effective_distance_m, whole_by_chance),
]


@pytest.mark.parametrize("function", OF_AUTOALGO, ids=lambda function: function.__name__)
def test_each_mutation_of_an_autoalgo_formula_fails_a_case(function: Callable[..., Any]) -> None:
    """`check --rules` tells each operator, bound and number of each formula that is changed by mistake."""
    assert all_cases_hold(function)
    for what, mutant in mutants(function):
        with in_place(function, mutant):
            assert not all_cases_hold(function), f"{what}: every case holds"


OF_TEMPLATES = [
    *(function for function in FORMULAS if function.__module__ == blow.__name__ and RULES[function].result),
    *(attrition.starved, disease.dead_of_disease, flank.morale_of_dead, deploy.start_morale, deploy.start_capacity),
]


@pytest.mark.parametrize("function", OF_TEMPLATES, ids=lambda function: function.__name__)
def test_var_05_a_template_explains_the_same_as_its_formula(function: Callable[..., Any]) -> None:
    """Each number is its silent value, or absent, in some of the calls."""
    template, chance = FormulaTemplate(function), random.Random(function.__name__)

    def changed(name: str, value: float) -> float:
        own = RULES[function].arguments.get(name)
        if own and own.silent is not None and chance.random() < 0.5:
            return own.silent
        return ABSENT if name in blow.Blows._fields and chance.random() < 0.4 else value

    for seed in SEEDS:
        arguments = [
            type(argument)(*map(changed, argument._fields, argument)) if hasattr(argument, "_fields") else argument
            for argument in arguments_of(function, seed)
        ]
        try:
            expected = explain(function, *arguments)
        except (ZeroDivisionError, ValueError):
            continue
        if expected:  # else every number is absent
            found = template.of(*arguments)
            assert (found.data(), found.line()) == (expected[-1].data(), expected[-1].line())
