"""An explanation comes from the formula itself: whatever a formula is changed to, its explanation follows (VAR-05)."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import random
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from types import FunctionType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest

from engine import elementary
from engine.autoalgo.aftermath import occupation, stability, survival
from engine.autoalgo.battle import attrition, blow, disease, flank, siege
from engine.autoalgo.setup import deploy
from engine.calculation import KeyFormula
from engine.ciais import odds, supply, taxes, unrest
from engine.hexcombat.combat import losses
from engine.realm import espionage, formulas, rating
from engine.rule import ABSENT, RULES, FormulaTemplate, Traced, explain, plain, told
from engine.scorecard import aftermath, factors, general, score
from engine.terms import explained
from tests.helpers.pocket_calculator import press, variable

OPPOSITE = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
OTHERS = {"min": "max", "max": "min", "floor": "ceil", "ceil": "floor", "trunc": "ceil"}
MODULES = (stability, survival, occupation, blow, attrition, disease, flank, siege, deploy)
EXACT = (espionage, formulas, rating, factors, score, general, aftermath, odds, supply, taxes, unrest, losses)
"""Modules whose formulas compute with exact numbers, so that `engine.terms` explains them too."""
FORMULAS = [
    function
    for function, names in RULES.items()
    if (
        names.arguments
        and (names.result or function.__module__ == blow.__name__)
        and function.__module__ in {module.__name__ for module in MODULES}
    )
    or function.__module__ in {module.__name__ for module in EXACT}
]
SEEDS = range(40)


def arguments_of(function: Callable[..., Any], seed: int) -> list[Any]:
    """Return random arguments: numbers near those of a game, records of such numbers."""
    numbers = random.Random(f"{function.__name__} {seed}")
    is_exact = function.__module__ in {module.__name__ for module in EXACT}

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
            hints = get_type_hints(kind)
            for field in dataclasses.fields(kind):
                object.__setattr__(record, field.name, made(hints[field.name]))
            return record
        return numbers.choice((0.0, numbers.random(), numbers.uniform(0.0, 3.0), numbers.uniform(0.0, 300.0)))

    hints = get_type_hints(function)
    return [made(hints[name]) for name in inspect.signature(function).parameters]


def computed(function: Callable[..., Any], arguments: Sequence[Any]) -> Mapping[str, object] | None:
    """Return the explanation of a rule as data, as terms too if it is exact; None if there is none.

    It has the result bit for bit, and a calculator comes to it.
    """
    is_exact = function.__module__ in {module.__name__ for module in EXACT}
    try:
        result, [*_, (names, number)] = function(*arguments), told(function, *arguments)
        terms = dataclasses.asdict(explained(function, *arguments)) if is_exact else {}
        formula = KeyFormula(function.__name__, names.ids, number.parts) if isinstance(number, Traced) else None
        keys = formula.in_order(float(number), number.numbers).data() if formula else {}
        pressed = press(keys["keys"]) if keys else number
    except (ZeroDivisionError, ValueError):
        return None
    assert names == RULES[function]
    assert (plain(number), float(pressed)) == (result, pytest.approx(float(result), rel=1e-12, abs=1e-12))
    if terms and keys and not any(key["key"] in ROUNDING for key in keys["keys"]):
        variable(terms)
    return {"value": float(result), **terms, **keys}


ROUNDING = ("rounded up", "rounded down", "without its fraction", "at most", "at least")


@pytest.mark.parametrize("function", FORMULAS, ids=lambda function: function.__name__)
def test_var_05_an_explanation_comes_to_the_result(function: Callable[..., Any]) -> None:
    found = [computed(function, arguments_of(function, seed)) for seed in SEEDS]
    assert len(found) - found.count(None) >= 10


def _has_name(function: Callable[..., Any]) -> bool:
    return function in RULES and RULES[function].result is not None


def mutants(function: Callable[..., Any]) -> Iterator[tuple[str, FunctionType]]:
    """Yield the function with one thing changed, in it or in its parts: an operator, a bound, or a number."""
    for name in function.__code__.co_names:
        helper = function.__globals__.get(name)
        if isinstance(helper, FunctionType) and helper.__module__ != elementary.__name__ and not _has_name(helper):
            for what, mutant in mutants(helper):
                if helper in RULES:
                    RULES[mutant] = RULES[helper]
                room = {**function.__globals__, name: mutant}
                yield f"{name}, {what}", FunctionType(function.__code__, room, function.__name__)
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list, definition.returns, definition.args.defaults = [], None, []
    definition.args.args = [ast.arg(argument.arg) for argument in definition.args.args]
    constants = {
        name: value
        for name, value in function.__globals__.items()
        if isinstance(value, int | float | Fraction | Decimal) and not isinstance(value, bool)
    }
    compared = {place for node in ast.walk(definition) if isinstance(node, ast.Compare) for place in ast.walk(node)}
    for node in ast.walk(definition):
        if node in compared:
            continue  # it decides which formula counts, which is not told
        for what, field, other in _changes(node, constants):
            before = getattr(node, field)
            setattr(node, field, other)
            room = {**function.__globals__, "CHANGED": constants.get(what, 0) + type(constants.get(what, 0))(3)}
            exec(compile(ast.fix_missing_locations(tree), "<mutant>", "exec"), room)
            yield f"line {getattr(node, 'lineno', 0)}: {what}", room[function.__name__]
            setattr(node, field, before)


def _changes(node: ast.AST, constants: Sequence[str]) -> Iterator[tuple[str, str, Any]]:
    match node:
        case ast.BinOp(op=op):
            yield f"{type(op).__name__}", "op", OPPOSITE[type(op)]()
        case ast.AugAssign(op=op):
            yield f"{type(op).__name__} in place", "op", OPPOSITE[type(op)]()
        case ast.Constant(value=float() | int() as value) if not isinstance(value, bool):
            yield f"{value}", "value", value + (0.25 if isinstance(value, float) else 3)
        case ast.Name(id=name) if name in constants:
            yield name, "id", "CHANGED"
        case ast.Name(id="min" | "max" as name):
            yield name, "id", OTHERS[name]
        case ast.Attribute(attr="floor" | "ceil" | "trunc" as name):
            yield name, "attr", OTHERS[name]
        case _:
            return


@pytest.mark.parametrize("function", FORMULAS, ids=lambda function: function.__name__)
def test_var_05_whatever_a_formula_is_changed_to_its_explanation_follows(function: Callable[..., Any]) -> None:
    """Each operator, bound and number of each formula is changed, one at a time."""
    cases = [(arguments, computed(function, arguments)) for arguments in (arguments_of(function, n) for n in SEEDS)]
    for what, mutant in mutants(function):
        RULES[mutant] = RULES[function]
        found = ((before, computed(mutant, arguments)) for arguments, before in cases)
        assert any(after and after != before for before, after in found), f"{what}: the explanation is as before"
        del RULES[mutant]


OF_TEMPLATES = [
    *(function for function in FORMULAS if function.__module__ == blow.__name__ and RULES[function].result),
    *(attrition.starved, disease.dead_of_disease, flank.morale_of_dead, deploy.start_morale, deploy.start_capacity),
]


@pytest.mark.parametrize("function", OF_TEMPLATES, ids=lambda function: function.__name__)
def test_var_05_a_template_tells_what_the_formula_tells(function: Callable[..., Any]) -> None:
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
