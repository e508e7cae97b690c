"""Rules that are written once: a plain function computes a number, and the same function explains it (VAR-05).

`rule` names the result and the arguments of a function; the function itself stays as it is, and is compiled as it is.
`explain` calls a function with numbers that remember the keys by which they were computed. Each rule that is reached
becomes a `Calculation`; in the formula of another rule its result stands under its name. So an explanation says what
the function does, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import FunctionType, MappingProxyType
from typing import Any, NamedTuple, TypeVar

from engine import elementary
from engine.calculation import FACTOR, Calculation, KeyFormula, Part

Formula = TypeVar("Formula", bound=Callable[..., float])


class Named(NamedTuple):
    """The name of a number in explanations.

    Args:
        what: The name: `Economy`.
        form: The format of the number.
        silent: A value that is not told, as a factor that is 1 is not; None if each is.
    """

    what: str
    form: str = FACTOR
    silent: float | None = None


@dataclass(frozen=True, slots=True)
class FormulaNames:
    """The names of a formula.

    Args:
        ids: The rule ids: `OCC-04, R-22`.
        result: The name of its result; None if it is told as a part of the rules that call it.
        arguments: The names of its arguments; an argument without one is a number of the tables.
    """

    ids: str
    result: Named | None
    arguments: Mapping[str, Named]


def rule(
    ids: str, result: str, form: str = FACTOR, silent: float | None = None, **arguments: str | Named
) -> Callable[[Formula], Formula]:
    """Return a decorator that names a function's result and arguments, as in `FormulaNames` and `Named`."""
    return _naming(Named(result, form, silent), ids, arguments)


def part(**arguments: str | Named) -> Callable[[Formula], Formula]:
    """Return a decorator that names the arguments of a function which is told as a part of the rules that call it."""
    return _naming(None, "", arguments)


def _naming(result: Named | None, ids: str, arguments: Mapping[str, str | Named]) -> Callable[[Formula], Formula]:
    named = {key: name if isinstance(name, Named) else Named(name) for key, name in arguments.items()}
    names = FormulaNames(ids, result, MappingProxyType(named))

    def named_function(function: Formula) -> Formula:
        unknown = set(named) - set(function.__code__.co_varnames[: function.__code__.co_argcount])
        if unknown:
            raise TypeError(f"{function.__name__} has no arguments {', '.join(sorted(unknown))}")
        RULES[function] = names
        return function

    return named_function


RULES: dict[Callable[..., float], FormulaNames] = {}
"""The names of each formula, by its function."""


class Traced(float):
    """A number that remembers the keys by which it was computed.

    Args:
        value: The number.
        parts: The keys.
        numbers: The numbers that are entered, in the order of the keys.
        ids: The ids of rules that are told here, since they have no calculation of their own.
    """

    __slots__ = ("ids", "numbers", "parts")
    parts: tuple[Part, ...]
    numbers: tuple[float, ...]
    ids: tuple[str, ...]

    def __new__(
        cls, value: float, parts: tuple[Part, ...], numbers: tuple[float, ...], ids: tuple[str, ...] = ()
    ) -> Traced:
        """Make the number; arguments as of the class."""
        self = super().__new__(cls, value)
        self.parts, self.numbers, self.ids = parts, numbers, ids
        return self

    def __add__(self, other: float) -> Traced:
        return _joined("+", self, other, float(self) + float(other))

    def __radd__(self, other: float) -> Traced:
        return _joined("+", other, self, float(other) + float(self))

    def __sub__(self, other: float) -> Traced:
        return _joined("−", self, other, float(self) - float(other))

    def __rsub__(self, other: float) -> Traced:
        return _joined("−", other, self, float(other) - float(self))

    def __mul__(self, other: float) -> Traced:
        return _joined("×", self, other, float(self) * float(other))

    def __rmul__(self, other: float) -> Traced:
        return _joined("×", other, self, float(other) * float(self))

    def __truediv__(self, other: float) -> Traced:
        return _joined("÷", self, other, float(self) / float(other))

    def __rtruediv__(self, other: float) -> Traced:
        return _joined("÷", other, self, float(other) / float(self))


def named(value: float, name: Named) -> Traced:
    """Return a number that stands under a name."""
    return Traced(value, (Part("", name.what, name.form),), (float(value),))


def _traced(value: float) -> Traced:
    return value if isinstance(value, Traced) else named(value, Named(""))


def _joined(key: str, one: float, other: float, value: float) -> Traced:
    """Return the result of two numbers; a factor that is 1 and has no name is left out."""
    left, right = _traced(one), _traced(other)
    if key == "×" and not isinstance(one, Traced) and one == 1.0:
        return right
    if key == "×" and not isinstance(other, Traced) and other == 1.0:
        return left
    if one is other:
        operands: tuple[Part, ...] = (right.parts[0]._replace(key=key, what="itself"),)
    elif len(right.parts) == 1 or (key == "×" and all(part.key == "×" for part in right.parts[1:])):
        operands = (right.parts[0]._replace(key=key), *right.parts[1:])  # the factors of a product need no brackets
    else:
        operands = (Part(key, parts=right.parts),)
    return Traced(value, (*left.parts, *operands), left.numbers + right.numbers, left.ids + right.ids)


def _limited(key: str, one: float, other: float, value: float) -> float:
    """Return the lower or the higher of two numbers: the first that was computed, limited by the other."""
    if isinstance(one, Traced):
        return _joined(key, one, other, value)
    return _joined(key, other, one, value) if isinstance(other, Traced) else value


def _lower(one: float, other: float) -> float:
    return _limited("at most", one, other, min(float(one), float(other)))


def _higher(one: float, other: float) -> float:
    return _limited("at least", one, other, max(float(one), float(other)))


def _keyed(key: str, function: Callable[[float], float]) -> Callable[[float], float]:
    """Return a function that remembers that it was applied."""

    def applied(value: float) -> float:
        found = function(float(value))
        if not isinstance(value, Traced):
            return found
        return Traced(found, (*value.parts, Part(key)), value.numbers, value.ids)

    return applied


REMEMBERING: Mapping[str, Any] = {
    "min": _lower,
    "max": _higher,
    "log": _keyed("log", elementary.log),
    "log_10": _keyed("log", elementary.log_10),
    "LOG_2": Traced(elementary.LOG_2, (Part(""), Part("log")), (2.0,)),
}
"""What formulas call, and the constants they use, with the same results, to be traced."""


def remember(function: Callable[..., float], *arguments: Any) -> float:
    """Return the result of a function as a number that remembers how it was computed, for an argument of `explain`."""
    result: float = _Tracer().traced(function)(*arguments)
    return result


def explain(function: Callable[..., Any], *arguments: Any) -> tuple[Calculation, ...]:
    """Call a function, and return the calculations of all rules that it reaches, in the order they were computed.

    Args:
        function: A rule, or a function that calls rules.
        arguments: Its arguments; a `Traced` number keeps what it remembers.
    """
    tracer = _Tracer()
    tracer.traced(function)(*arguments)
    return tuple(tracer.calculations)


class _Tracer:
    """The calculations of one call of a function."""

    def __init__(self) -> None:
        self.calculations: list[Calculation] = []
        self._made: dict[Callable[..., Any], Callable[..., Any]] = {}

    def traced(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with everything it calls replaced by what remembers."""
        if function not in self._made:
            code = function.__code__
            room: dict[str, Any] = {}
            for name in code.co_names:
                if name in REMEMBERING:
                    room[name] = REMEMBERING[name]
                elif name in function.__globals__:
                    value = function.__globals__[name]
                    room[name] = self.traced(value) if isinstance(value, FunctionType) else value
            body = FunctionType(code, room, function.__name__, function.__defaults__)
            names = RULES.get(function)
            self._made[function] = self._told(body, names) if names else body
        return self._made[function]

    def _told(self, body: FunctionType, names: FormulaNames) -> Callable[..., float]:
        """Return a rule's function that names its arguments and its result, and keeps its calculation."""
        order = [names.arguments.get(name) for name in body.__code__.co_varnames[: body.__code__.co_argcount]]

        def told(*arguments: Any) -> float:
            found: float = body(*map(_with_name, arguments, order))
            if names.result is None:
                return found
            what, form, silent = names.result
            ids: tuple[str, ...] = (names.ids,)
            if isinstance(found, Traced):
                formula = _formula(what, ", ".join(dict.fromkeys((*found.ids, names.ids))), found.parts, form)
                self.calculations.append(formula.of(float(found), *found.numbers))
                ids = ()
            elif found == silent:
                return found
            return Traced(found, named(found, names.result).parts, (float(found),), ids)

        return told


def _with_name(value: Any, name: Named | None) -> Any:
    """Return an argument under its name; what is a formula itself stays as it is."""
    if name is None or value == name.silent or (isinstance(value, Traced) and len(value.parts) > 1):
        return value
    found = named(value, name)
    return Traced(value, found.parts, found.numbers, value.ids) if isinstance(value, Traced) else found


@lru_cache(4_096)
def _formula(name: str, ids: str, parts: tuple[Part, ...], form: str) -> KeyFormula:
    return KeyFormula(name, ids, parts, form)
