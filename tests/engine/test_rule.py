"""An explanation comes from the formula itself: whatever a formula is changed to, its explanation follows (VAR-05)."""

from __future__ import annotations

import ast
import inspect
import random
import textwrap
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any, get_type_hints

import pytest

from engine.autoalgo.aftermath import occupation, stability, survival
from engine.calculation import Calculation
from engine.rule import RULES, explain
from tests.helpers.pocket_calculator import press

OPPOSITE = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
MODULES = (stability, survival, occupation)
FORMULAS = [
    function
    for function, names in RULES.items()
    if function.__module__ in {module.__name__ for module in MODULES} and names.result and names.arguments
]
SEEDS = range(40)


def arguments_of(function: Callable[..., float], seed: int) -> list[Any]:
    """Return random arguments: numbers near those of a war, records of such numbers."""
    numbers = random.Random(f"{function.__name__} {seed}")

    def made(kind: Any) -> Any:
        if kind is bool:
            return numbers.random() < 0.5
        if hasattr(kind, "_fields"):
            return kind(*(made(float) for _ in kind._fields))
        return numbers.choice((0.0, numbers.random(), numbers.uniform(0.0, 3.0), numbers.uniform(0.0, 300.0)))

    hints = get_type_hints(function)
    return [made(hints[name]) for name in inspect.signature(function).parameters]


def computed(function: Callable[..., float], arguments: Sequence[Any]) -> Calculation | None:
    """Return the calculation of a rule; None if it has none, or cannot be computed.

    It has the result bit for bit, and a calculator comes to it.
    """
    try:
        result, found = function(*arguments), explain(function, *arguments)
        pressed = press(found[-1].data()["keys"]) if found else 0.0
    except (ZeroDivisionError, ValueError):
        return None
    if not found:
        return None
    assert found[-1].value == result
    assert pressed == pytest.approx(result, rel=1e-12, abs=1e-12)
    return found[-1]


@pytest.mark.parametrize("function", FORMULAS, ids=lambda function: function.__name__)
def test_var_05_an_explanation_comes_to_the_result(function: Callable[..., float]) -> None:
    found = [computed(function, arguments_of(function, seed)) for seed in SEEDS]
    assert len(found) - found.count(None) >= 10


def mutants(function: Callable[..., float]) -> Iterator[tuple[str, FunctionType]]:
    """Yield the function with one thing changed: an operator, a bound, or a number."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list, definition.returns = [], None
    definition.args.args = [ast.arg(argument.arg) for argument in definition.args.args]
    for node in ast.walk(definition):
        for what, field, other in _changes(node):
            before = getattr(node, field)
            setattr(node, field, other)
            room = dict(function.__globals__)
            exec(compile(ast.fix_missing_locations(tree), "<mutant>", "exec"), room)
            yield f"line {getattr(node, 'lineno', 0)}: {what}", room[function.__name__]
            setattr(node, field, before)


def _changes(node: ast.AST) -> Iterator[tuple[str, str, Any]]:
    match node:
        case ast.BinOp(op=op):
            yield f"{type(op).__name__}", "op", OPPOSITE[type(op)]()
        case ast.AugAssign(op=op):
            yield f"{type(op).__name__} in place", "op", OPPOSITE[type(op)]()
        case ast.Constant(value=float(value)):
            yield f"{value}", "value", value + 0.25
        case ast.Call(func=ast.Name(id="min" | "max" as name)):
            yield name, "func", ast.Name("max" if name == "min" else "min", ast.Load())
        case _:
            return


@pytest.mark.parametrize("function", FORMULAS, ids=lambda function: function.__name__)
def test_var_05_whatever_a_formula_is_changed_to_its_explanation_follows(function: Callable[..., float]) -> None:
    """Each operator, bound and number of each formula is changed, one at a time."""
    for what, mutant in mutants(function):
        RULES[mutant] = RULES[function]
        differ = 0
        for seed in SEEDS:
            arguments = arguments_of(function, seed)
            before, after = computed(function, arguments), computed(mutant, arguments)
            differ += bool(after and (before is None or before.data() != after.data()))
        assert differ, f"{what}: the explanation is as before"
        del RULES[mutant]
