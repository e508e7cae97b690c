"""Cases: worked examples of single rules, written by people and checked by the program.

Each ruleset lists in `engine/<name>/cases.py` the functions that cases may call: all of `engine.rule.RULES` that have a
result, and functions of its own. Arguments that are numbers of the tables are looked up; all others are inputs, a
record as its fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from engine.config_value import TableErrors, quote, suggestion, table_error
from engine.rule import RULES, explain
from engine.settings import Raw
from engine.suggest import nearest

Given = str | Sequence[str]
"""A written value of a case: a text, or a list of texts."""
NUMBER = re.compile(r"-?\d{1,30}(\.\d{1,30})?")
FRACTION = re.compile(rf"({NUMBER.pattern})(/[1-9]\d{{0,29}})?")
WRITABLE = re.compile(r"(Sequence\[)?(str|bool|int|float|Fraction|Decimal)\]?( \| None)?")
"""Annotations of values that a case can write."""
ROUNDED_FROM = 4
"""Minimum decimals of a rounded expected number; with fewer it is exact."""
TOLERANCE = Fraction(1, 10**9)
"""Maximum relative difference between an exact expected number and a computed one, for errors of floats."""


@dataclass(frozen=True, slots=True)
class CaseFunction:
    """A function that a case may call, with the rules it computes."""

    ids: tuple[str, ...]  # Ids of the rules that it computes
    function: Callable[..., Any]  # The function; its annotations give the types of its arguments

    @property
    def name(self) -> str:
        """Return the name under which a case calls it."""
        return self.function.__name__

    @property
    def arguments(self) -> Mapping[str, str]:
        """Return the annotations of its arguments by name."""
        code, annotations = self.function.__code__, self.function.__annotations__
        return {name: str(annotations[name]) for name in code.co_varnames[: code.co_argcount]}

    def record(self, argument: str) -> type | None:
        """Return the class of an argument that is a record of plain fields, each an input."""
        annotated = self.function.__globals__.get(self.arguments[argument])
        return annotated if isinstance(annotated, type) and hasattr(annotated, "_fields") else None

    @property
    def optional(self) -> tuple[str, ...]:
        """Return the names of the arguments that have a default."""
        return tuple(self.arguments)[len(self.arguments) - len(self.function.__defaults__ or ()) :]


def of_rule(ids: str, *functions: Callable[..., Any]) -> tuple[CaseFunction, ...]:
    """Return the functions of some rules: `of_rule("STRAT-02, R-38", split_evenly)`."""
    return tuple(CaseFunction(tuple(ids.split(", ")), function) for function in functions)


@dataclass(frozen=True, slots=True)
class CaseRules:
    """The functions that cases of a ruleset may call."""

    package: str  # The ruleset's package: `engine.<name>`
    tables: Callable[[Raw], Any]  # The function that makes the ruleset's tables from its files
    # For each annotation of an argument that is not an input, the function that finds it in the tables.
    numbers: Mapping[str, Callable[[Any], Any]]
    further: tuple[CaseFunction, ...] = ()  # Functions besides those of `engine.rule.RULES`

    @property
    def functions(self) -> tuple[CaseFunction, ...]:
        """Return all functions, each name once."""
        named = [
            CaseFunction(tuple(names.ids.split(", ")), function)
            for function, names in RULES.items()
            if names.result is not None and function.__module__.startswith(f"{self.package}.")
        ]
        named_once = {(one.ids[0], one.name): one for one in (*named, *self.further)}.values()
        return tuple(one for one in named_once if all(map(WRITABLE.fullmatch, self.inputs(one).values())))

    def inputs(self, called: CaseFunction) -> Mapping[str, str]:
        """Return the annotations of a function's inputs by name, records as their fields."""
        kinds: dict[str, str] = {}
        for name, kind in called.arguments.items():
            if record := called.record(name) if kind not in self.numbers else None:
                kinds |= {
                    field: getattr(of, "__forward_arg__", str(of)) for field, of in record.__annotations__.items()
                }
            elif kind not in self.numbers:
                kinds[name] = kind
        return kinds

    def find(self, rule: str, name: str) -> CaseFunction:
        """Return the function of a rule; the function's name may be left out if the rule has only one.

        Raises:
            TableError: No such function; below `rule` or `function`.
        """
        functions = self.functions
        by_name = {one.name: one for one in functions if rule in one.ids}
        if not by_name:
            near = nearest(rule, sorted({id for one in functions for id in one.ids}))
            hint = f"Did you mean {quote(near)}?" if near else "docs/reference/cases.md lists the rules with functions."
            raise table_error(f"no case can be written of {quote(rule)}. {hint}", "rule")
        if name and name not in by_name:
            raise table_error(f"{quote(name)} is not a function of {rule}. {suggestion(name, by_name)}", "function")
        if not name and len(by_name) > 1:
            raise table_error(f'"function" is missing. {suggestion("", by_name)}')
        return by_name[name] if name else next(iter(by_name.values()))

    def arguments(self, called: CaseFunction, tables: Any, given: Mapping[str, Given]) -> Mapping[str, Any]:
        """Return the arguments of a function by name.

        Raises:
            TableError: An input is missing, unknown or not allowed; below `inputs`.
        """
        inputs, errors, values = self.inputs(called), TableErrors(), dict[str, Any]()
        for name, value in given.items():
            with errors.at("inputs", name):
                if name not in inputs:
                    raise table_error(f"{quote(name)} is not an input of {called.name}. {suggestion(name, inputs)}")
                values[name] = _converted(value, inputs[name])
        for name in inputs:
            if name not in given and name not in called.optional:
                errors.add(table_error(f"{quote(name)} is missing.", "inputs"))
        errors.end()
        arguments = {}
        for name, kind in called.arguments.items():
            if kind in self.numbers:
                arguments[name] = self.numbers[kind](tables)
            elif record := called.record(name):
                arguments[name] = record(*(values[field] for field in record.__annotations__))
            elif name in values:
                arguments[name] = values[name]
        return arguments

    def compute(self, called: CaseFunction, tables: Any, given: Mapping[str, Given]) -> Any:
        """Return the result of a function; arguments and errors are those of `arguments`."""
        arguments = self.arguments(called, tables, given)
        try:
            return called.function(**arguments)
        except (ValueError, ArithmeticError, LookupError) as error:
            what = f"{called.name} cannot be computed of these inputs: {type(error).__name__}: {error}."
            raise table_error(what, "inputs") from error

    def explained(self, called: CaseFunction, tables: Any, given: Mapping[str, Given]) -> list[str]:
        """Return the derivation of a function's result, a line for each rule; empty if it has no formula."""
        if called.function not in RULES:
            return []
        calculations = explain(called.function, *self.arguments(called, tables, given).values())
        return [calculation.line() for calculation in calculations]


def agrees(result: Any, expected: Given) -> bool:
    """Return True if a result equals the expected number, yes or no, text, or list of these.

    An expected number with four decimals or more may be rounded; any other is exact.
    """
    if isinstance(result, list | tuple):
        return not isinstance(expected, str) and (len(result) == len(expected) and all(map(agrees, result, expected)))
    if not isinstance(expected, str):
        return False
    if isinstance(result, bool | str):
        return worded(result) == expected
    typed = FRACTION.fullmatch(expected)
    if typed is None:
        return False
    wanted, exactly = _fraction(expected), Fraction(result)
    decimals = len(typed[2] or ".") - 1
    if decimals >= ROUNDED_FROM and not typed[3]:
        return abs(exactly - wanted) <= Fraction(1, 2 * 10**decimals)
    return abs(exactly - wanted) <= TOLERANCE * max(abs(exactly), abs(wanted))


def worded(value: Any) -> str:
    """Return a result or an expected value as text, numbers with ten digits."""
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.10g}"
        case list() | tuple():
            return f"[{', '.join(map(worded, value))}]"
        case _:
            return str(value)


def _converted(value: Given, kind: str) -> Any:
    """Convert a written value to the type of an annotation.

    Raises:
        TableError: The value does not fit the type.
    """
    if kind.startswith("Sequence["):
        if isinstance(value, str):
            raise table_error(f"{quote(value)} is not allowed. Use a list in brackets.")
        errors, values = TableErrors(), []
        for position, part in enumerate(value):
            with errors.at(position):
                values.append(_converted(part, kind.removeprefix("Sequence[").removesuffix("]")))
        errors.end()
        return values
    if not isinstance(value, str):
        raise table_error("a list is not allowed. Use one value.")
    kind, _, none = kind.partition(" | ")
    if none and value == "none":
        return None
    if kind == "str":
        return value
    if kind == "bool":
        if value not in ("yes", "no"):
            raise table_error(f"{quote(value)} is not allowed. Use yes or no.")
        return value == "yes"
    if not (FRACTION if kind == "Fraction" else NUMBER).fullmatch(value):
        more = " or a fraction such as 1/3" if kind == "Fraction" else " or none" if none else ""
        raise table_error(f"{quote(value)} is not allowed. Use a number such as 28680 or 0.75{more}.")
    if kind == "int" and "." in value:
        raise table_error(f"{quote(value)} is not allowed. Use a whole number.")
    made: dict[str, Callable[[str], Any]] = {"int": int, "float": float, "Fraction": _fraction, "Decimal": Decimal}
    return made[kind](value)


def _fraction(text: str) -> Fraction:
    above, _, below = text.partition("/")
    return Fraction(above) / int(below or 1)
