"""Rules that compute and explain a number with the same plain function (VAR-05).

`rule` names the result and the arguments of a function, and leaves the function itself unchanged for the compiler.
`explain` calls a function with numbers that record the keys by which they were computed. Each rule on the way
becomes a `Calculation`; in the formula of another rule its result appears under its name. So an explanation always
agrees with the function. Numbers may be floats or exact; `engine.terms` explains exact ones in one line.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, is_dataclass
from functools import lru_cache, partial, reduce, total_ordering
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, NamedTuple, TypeVar

from engine import elementary
from engine.calculation import FACTOR, Calculation, KeyFormula, Part

Formula = TypeVar("Formula", bound=Callable[..., Any])


class Label(NamedTuple):
    """The name of a number in explanations."""

    what: str  # The name: `Economy`
    form: str = FACTOR  # The format of the number
    silent: float | None = None  # A value that is left out, as a factor of 1 is; None to write every value
    # The function that returns the number's text; None for a number without one.
    spell: Callable[[Any], str] | None = None
    id: str = ""  # A rule id written only together with the number; the rule has it, too


class AbsentNumber(float):
    """A missing number, left out of sums; its product with another number is missing as well."""

    __slots__ = ()


ABSENT = AbsentNumber(0.0)


@dataclass(frozen=True, slots=True)
class FormulaNames:
    """The names of a formula."""

    ids: str  # The rule ids: `OCC-04, R-22`
    result: Label | None  # The name of its result; None for a part of the rules that call it
    # The names of its arguments, and of the fields of its records; a number without a name comes from the
    # tables.
    arguments: Mapping[str, Label]
    group: str = ""  # The name of the part in brackets; blank if it has none

    def written_ids(self, of_formula: Sequence[str]) -> str:
        """Return the ids to write with a formula; ids of arguments only if the arguments are written."""
        of_rule = self.ids.split(", ")
        kept = {argument.id for argument in self.arguments.values()} - set(of_formula)
        ids = ", ".join(id for id in of_rule if id not in kept)
        return ", ".join(dict.fromkeys((*(id for id in of_formula if id not in of_rule), ids)))


def rule(
    ids: str, result: str, form: str = FACTOR, silent: float | None = None, **arguments: str | Label
) -> Callable[[Formula], Formula]:
    """Return a decorator that names a function's result and arguments, as in `FormulaNames` and `Label`."""
    return _naming(Label(result, form, silent), ids, arguments)


def part(group: str = "", /, **arguments: str | Label) -> Callable[[Formula], Formula]:
    """Return a decorator that names the arguments of a function that is part of other rules.

    Args:
        group: The name of the part; blank if it has none.
        arguments: As in `FormulaNames`.
    """
    return _naming(None, "", arguments, group)


def _naming(
    result: Label | None, ids: str, arguments: Mapping[str, str | Label], group: str = ""
) -> Callable[[Formula], Formula]:
    named = {key: name if isinstance(name, Label) else Label(name) for key, name in arguments.items()}
    names = FormulaNames(ids, result, MappingProxyType(named), group)

    def named_function(function: Formula) -> Formula:
        code = function.__code__
        unknown = set(named) - {*code.co_varnames[: code.co_argcount], *code.co_names}
        if unknown:
            raise TypeError(f"{function.__name__} does not read {', '.join(sorted(unknown))}")
        RULES[function] = names
        return function

    return named_function


RULES: dict[Callable[..., Any], FormulaNames] = {}
"""The names of each formula, by its function."""


def _operators(key: str) -> tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]:
    """Return the operator methods of a binary key: with the number as left operand, and as right operand."""
    return lambda number, other: _joined(key, number, other), lambda number, other: _joined(key, other, number)


@total_ordering
class TracedNumber:
    """A number that records the keys by which it was computed.

    Args:
        value: The number, of the type that the formula computes with.
        numbers: The operands, in the order of the keys.
        ids: Ids of rules without a calculation of their own.
    """

    __slots__ = ("ids", "numbers", "parts", "value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self, value: Any, parts: tuple[Part, ...], numbers: tuple[Any, ...], ids: tuple[str, ...] = ()
    ) -> None:
        self.value, self.parts, self.numbers, self.ids = value, parts, numbers, ids

    __add__, __radd__ = _operators("+")
    __sub__, __rsub__ = _operators("−")
    __mul__, __rmul__ = _operators("×")
    __truediv__, __rtruediv__ = _operators("÷")

    def __floor__(self) -> Any:
        return _applied("rounded down", self)

    def __ceil__(self) -> Any:
        return _applied("rounded up", self)

    def __trunc__(self) -> Any:
        return _applied("without its fraction", self)

    def __float__(self) -> float:
        return float(self.value)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __eq__(self, other: object) -> bool:
        return bool(self.value == plain(other))

    def __lt__(self, other: Any) -> bool:
        return bool(self.value < plain(other))


def plain(value: Any) -> Any:
    """Return a number, or each of a list, without its record."""
    if isinstance(value, list):
        return [plain(number) for number in value]
    return value.value if isinstance(value, TracedNumber) else value


def named(value: Any, name: Label) -> TracedNumber:
    """Return a number with a name."""
    form = Part("", name.what, name.form, spell=name.spell)
    return TracedNumber(value, (form,), (value,), (name.id,) if name.id else ())


def _traced(value: Any) -> TracedNumber:
    return value if isinstance(value, TracedNumber) else named(value, Label(""))


OPERATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "−": operator.sub,
    "×": operator.mul,
    "÷": operator.truediv,
    "at most": min,
    "at least": max,
}
"""Keys with an operand, and their functions."""
LEFT_OUT: Mapping[str, float] = {"+": 0, "−": 0, "×": 1, "÷": 1}
"""Neutral numbers, left out if unnamed."""


def _joined(key: str, one: Any, other: Any) -> Any:
    """Return the result of a key with two operands."""
    value = OPERATIONS[key](plain(one), plain(other))
    if isinstance(one, AbsentNumber) or isinstance(other, AbsentNumber):
        return ABSENT if key == "×" else other if isinstance(one, AbsentNumber) else one
    left, right = _traced(one), _traced(other)
    for number, rest in ((other, left), (one, right)) if key in ("+", "×") else ((other, left),):
        if not isinstance(number, TracedNumber) and number == LEFT_OUT.get(key):
            return TracedNumber(value, rest.parts, rest.numbers, rest.ids)
    if one is other and len(right.parts) == 1:
        operands: tuple[Part, ...] = (right.parts[0]._replace(key=key, what="itself"),)
    elif len(right.parts) == 1 or (key == "×" and all(part.key in ("×", "÷") for part in right.parts[1:])):
        operands = (right.parts[0]._replace(key=key), *right.parts[1:])  # factors and divisors need no brackets
    else:
        operands = (Part(key, parts=right.parts),)
    return TracedNumber(value, (*left.parts, *operands), left.numbers + right.numbers, left.ids + right.ids)


def _limit(key: str) -> Callable[..., Any]:
    """Return `min` or `max` of numbers, one by one or as a list: the first computed one, limited by the others."""

    def limited(one: Any, other: Any) -> Any:
        if isinstance(one, TracedNumber):
            return _joined(key, one, other)
        return _joined(key, other, one) if isinstance(other, TracedNumber) else OPERATIONS[key](one, other)

    return lambda *numbers: reduce(limited, numbers if len(numbers) > 1 else numbers[0])


APPLIED: Mapping[str, Callable[[Any], Any]] = {
    "√": math.sqrt,
    "log": elementary.log,
    "log_10": elementary.log_10,
    "rounded down": math.floor,
    "rounded up": math.ceil,
    "without its fraction": math.trunc,
}
"""Keys without an operand, and their functions; a logarithm's base is not written."""


def _applied(key: str, value: Any) -> Any:
    """Return the result of a key with one operand."""
    result = APPLIED[key](plain(value))
    if not isinstance(value, TracedNumber):
        return result
    return TracedNumber(result, (*value.parts, Part(key.partition("_")[0])), value.numbers, value.ids)


REMEMBERING: Sequence[tuple[Any, Any]] = (
    (min, _limit("at most")),
    (max, _limit("at least")),
    (math.sqrt, partial(_applied, "√")),
    (elementary.log, partial(_applied, "log")),
    (elementary.log_10, partial(_applied, "log_10")),
    (elementary.LOG_2, TracedNumber(elementary.LOG_2, (Part(""), Part("log")), (2.0,))),
)
"""Traceable substitutes of functions and constants of formulas, with the same results."""


def remember(function: Callable[..., float], *arguments: Any) -> float:
    """Return the result of a function as a recording number, for an argument of `explain`."""
    result: float = traced_call(function, *arguments)[0]
    return result


def explain(function: Callable[..., Any], *arguments: Any) -> tuple[Calculation, ...]:
    """Call a function, and return the calculations of all rules on the way, in the order of computation."""
    return tuple(
        formula_of(names.result, names.written_ids(result.ids), result.parts).of(
            float(result), *map(float, result.numbers)
        )
        for names, result in trace_rules(function, *arguments)
        if isinstance(result, TracedNumber) and names.result
    )


def trace_rules(function: Callable[..., Any], *arguments: Any) -> list[tuple[FormulaNames, Any]]:
    """Call a function, and return names and results of all rules and parts on the way, in the order of computation.

    A result is a `TracedNumber`, or a plain number where a rule has no formula.
    """
    return traced_call(function, *arguments)[1]


def traced_call(function: Callable[..., Any], *arguments: Any) -> tuple[Any, list[tuple[FormulaNames, Any]]]:
    """Call a function, and return its result, and names and results of the rules on the way."""
    rules: list[tuple[FormulaNames, Any]] = []
    before = _TOLD.set(rules)
    try:
        return _remade(function)(*arguments), rules
    finally:
        _TOLD.reset(before)


_TOLD: ContextVar[list[tuple[FormulaNames, Any]]] = ContextVar("_TOLD")
"""The names and results of the rules in a traced call."""
Made = dict[Callable[..., Any], Callable[..., Any]]
"""Recording copies of functions, by function."""
_MADE: Made = {}


def _remade(function: Callable[..., Any], begun: Made | None = None) -> Callable[..., Any]:
    """Return a recording copy of a function and of everything it calls; each function is copied once.

    docs/explained-rules.md gives the reason for copying, and the limits of a rule.

    Functions in `begun` are unfinished and must not reach another thread.
    """
    if function in _MADE:
        return _MADE[function]
    made = {} if begun is None else begun
    if function not in made:
        room = {"min": min, "max": max, **function.__globals__}
        body = FunctionType(function.__code__, room, function.__name__, function.__defaults__, function.__closure__)
        made[function] = _telling(body, RULES[function]) if function in RULES else body
        for name in room.keys() & _globals_of(function.__code__):
            room[name] = _remembering(room[name], made)
    if begun is None:
        _MADE.update(made)
    return made[function]


def _remembering(value: Any, begun: Made | None = None) -> Any:
    """Return the recording substitute of a function, a module of the rules, or a constant."""
    for original, replacement in REMEMBERING:
        if value is original:
            return replacement
    if isinstance(value, FunctionType):
        return _remade(value, begun)
    if isinstance(value, ModuleType) and (value is math or value.__name__.startswith("engine.")):
        return _Module(value)
    return value


def _telling(body: FunctionType, names: FormulaNames) -> Callable[..., Any]:
    """Return a rule's function that names its arguments and its result, and keeps its formula."""
    order = body.__code__.co_varnames[: body.__code__.co_argcount]
    fields = {name: names.arguments[name] for name in names.arguments if name not in order}

    def function(*arguments: Any) -> Any:
        named_arguments = zip(arguments, map(names.arguments.get, order), strict=False)
        traced = body(*(_with_name(value, name, fields) for value, name in named_arguments))
        if names.result and not isinstance(traced, TracedNumber) and traced == names.result.silent:
            return traced
        _TOLD.get().append((names, traced))
        if names.result is None:
            is_group = names.group and isinstance(traced, TracedNumber)
            grouped = (Part("", names.group, parts=traced.parts),) if is_group else ()
            return TracedNumber(traced.value, grouped, traced.numbers, traced.ids) if is_group else traced
        result = named(plain(traced), names.result)
        return (
            result if isinstance(traced, TracedNumber) else TracedNumber(traced, result.parts, (traced,), (names.ids,))
        )

    return function


def _globals_of(code: CodeType) -> set[str]:
    """Return the global names that a function reads."""
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*map(_globals_of, inner))


class _Module:
    """A module with recording functions."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return _remembering(getattr(self._module, name))


class _Fields:
    """A record with named fields."""

    def __init__(self, record: Any, names: Mapping[str, Label]) -> None:
        self._record, self._names = record, names

    def __getattr__(self, field: str) -> Any:
        return _with_name(getattr(self._record, field), self._names.get(field))


def _with_name(value: Any, name: Label | None, fields: Mapping[str, Label] = MappingProxyType({})) -> Any:
    """Return an argument under its name; a missing number or a formula is returned unchanged.

    A number named with a text keeps that text.
    """
    if name is None and fields and (is_dataclass(value) or hasattr(value, "_fields")):
        return _Fields(value, fields)
    is_formula = isinstance(value, TracedNumber) and len(value.parts) > 1
    if name is None or value is None or value == name.silent or is_formula or isinstance(value, AbsentNumber):
        return value
    if not isinstance(value, TracedNumber):
        return named(value, name)
    label = name if name.spell else name._replace(spell=value.parts[0].spell)
    renamed = named(value.numbers[0] if value.numbers else value.value, label)
    return TracedNumber(renamed.value, renamed.parts, renamed.numbers, (*value.ids, *renamed.ids))


@lru_cache(4_096)
def formula_of(result: Label, ids: str, parts: tuple[Part, ...]) -> KeyFormula:
    """Return the formula of a result; equal parts share one formula."""
    return KeyFormula(result.what, ids, parts, result.form)
