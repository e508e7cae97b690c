"""Formulas with one thing changed, to see whether anybody notices."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from types import FunctionType
from typing import Any

from engine import elementary
from engine.rule import RULES

OPPOSITE = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}
OTHERS = {"min": "max", "max": "min", "floor": "ceil", "ceil": "floor", "trunc": "ceil"}


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


@contextmanager
def in_place(function: Callable[..., Any], mutant: FunctionType) -> Iterator[None]:
    """Let a function compute what its mutant does, wherever it is called."""
    code, room = function.__code__, dict(function.__globals__)
    function.__globals__.update(mutant.__globals__)
    function.__code__ = mutant.__code__
    try:
        yield
    finally:
        function.__code__ = code
        function.__globals__.clear()
        function.__globals__.update(room)
