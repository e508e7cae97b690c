"""A number as keys of a pocket calculator, so that anybody can compute it again (VAR-05).

A `KeyFormula` says what is entered after which key, from left to right; it is made once and used for many numbers. A
`Calculation` adds the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeVar

Number = TypeVar("Number")

LOOSE = ("+", "−", "at most", "at least")
"""Keys whose result is put in brackets before it is multiplied."""
FUNCTIONS = {
    "√": "√({})",
    "log": "log({})",
    "rounded up": "{}, rounded up",
    "rounded down": "{}, rounded down",
    "without its fraction": "{}, without its fraction",
    "to one decimal": "{}, to one decimal",
}
"""Keys that need no number, and the text that they make of what was entered before."""

TEMPLATES = 4_096
"""Lines with fixed numbers that are kept."""
FACTOR, EXACT, WHOLE, POINTS = "%.5g", "%.2f", "%.0f", "%.1f"
"""Formats of numbers: five figures, two decimals, none, one; a pocket calculator has no commas."""


class Part(NamedTuple):
    """One key and what is entered after it."""

    key: str  # `+`, `−`, `×`, `÷`, `at most`, `at least`, one of `FUNCTIONS`, or blank for the first part
    what: str = ""  # The name of the number: `Efficiency`
    form: str = FACTOR  # The format of the number in text
    parts: tuple[Part, ...] = ()  # A calculation in brackets in place of a number
    is_fixed: bool = True  # True if the number is often the same, so that its text is kept
    # The function that returns the number's text in a `Term` of `engine.terms`, if it has one.
    spell: Callable[[Any], str] | None = None


@dataclass(frozen=True, eq=False)
class KeyFormula:
    """A calculation without its numbers."""

    name: str  # The name of the result: `fall`
    id: str  # The rule ids: `ATK-04, R-26`
    # The keys, from left to right; multiplication does not go before addition. Empty for a number that the rules name
    # or that is drawn.
    parts: tuple[Part, ...]
    form: str = FACTOR  # The format of the result in text

    @cached_property
    def template(self) -> str:
        """Return the line with places for the fixed numbers; when they are filled in, it has places for the others."""
        formula = f" = {formula_text(self.parts)[0]}" if self.parts else ""
        return f"{_literal(self.name)} %{self.form}{formula} [{self.id}]"

    @cached_property
    def varying(self) -> int:
        """Return how many of the numbers are not fixed."""
        return sum(not part.is_fixed for part in _entered(self.parts))

    def varying_first(self, numbers: Sequence[Number]) -> list[Number]:
        """Return the numbers of all parts, in their order, as `of` takes them."""
        parts = list(zip(_entered(self.parts), numbers, strict=True))
        return [number for is_fixed in (False, True) for part, number in parts if part.is_fixed is is_fixed]

    def in_order(self, value: float, numbers: Sequence[float]) -> Calculation:
        """Return the calculation with its result and its numbers in the order of the parts."""
        return self.of(value, *map(float, self.varying_first(numbers)))

    def of(self, value: float, *numbers: float) -> Calculation:
        """Return the calculation with its result and its numbers: those that vary, then those that are fixed."""
        return Calculation(self, value, numbers)


class Calculation(NamedTuple):
    """A formula with its result and its numbers: those that vary, then those that are fixed, as its parts go."""

    formula: KeyFormula
    value: float
    numbers: tuple[float, ...]

    def line(self) -> str:
        """Return one line: `fall 10 = (infantry 72.14 + cavalry 25.02) × Mercy 0.1 − draw 0.6, rounded up [R-26]`."""
        varying = self.formula.varying
        return _with_fixed(self.formula, self.numbers[varying:]) % (self.value, *self.numbers[:varying])

    def entered(self, what: str) -> float | None:
        """Return the number that is entered under a name, None if none is."""
        formula = self.formula
        numbers = iter(self.numbers[: formula.varying]), iter(self.numbers[formula.varying :])
        for part in _entered(formula.parts):
            value = next(numbers[part.is_fixed])
            if part.what == what:
                return value
        return None

    def to_one_decimal(self) -> Calculation:
        """Return the calculation with its result to one decimal."""
        formula = replace(self.formula, parts=(*self.formula.parts, Part("to one decimal")))
        return self._replace(formula=formula, value=round(self.value, 1))

    def data(self) -> Mapping[str, object]:
        """Return the calculation as data: name, rule ids, result, and keys with their numbers."""
        formula = self.formula
        numbers = iter(self.numbers[: formula.varying]), iter(self.numbers[formula.varying :])
        keys = _keys(formula.parts, numbers)
        return {"name": formula.name, "id": formula.id, "value": self.value, "keys": keys}


def by_name(calculations: Iterable[Calculation]) -> Mapping[str, Calculation]:
    """Return calculations by the names of their results."""
    return {calculation.formula.name: calculation for calculation in calculations}


def _keys(parts: Sequence[Part], numbers: tuple[Iterator[float], Iterator[float]]) -> list[dict[str, object]]:
    keys: list[dict[str, object]] = []
    for part in parts:
        entered: dict[str, object] = {"key": part.key}
        if part.what:
            entered["what"] = part.what
        if part.parts:
            entered["keys"] = _keys(part.parts, numbers)
        elif part.key not in FUNCTIONS:
            entered["value"] = next(numbers[part.is_fixed])
        keys.append(entered)
    return keys


def _entered(parts: Sequence[Part]) -> Iterator[Part]:
    """Yield the parts that have a number."""
    for part in parts:
        if part.parts:
            yield from _entered(part.parts)
        elif part.key not in FUNCTIONS:
            yield part


@lru_cache(TEMPLATES)
def _with_fixed(formula: KeyFormula, fixed: tuple[float, ...]) -> str:
    """Return the line of a calculation with places for the result and for the numbers that are not fixed."""
    return formula.template % fixed


def formula_text(parts: Sequence[Part]) -> tuple[str, bool]:
    """Return the parts as text with places for their numbers, and True if it needs brackets to be multiplied."""
    text, is_loose = "", False
    for part in parts:
        if part.key in FUNCTIONS:
            text, is_loose = FUNCTIONS[part.key].format(text), part.key not in ("√", "log")
            continue
        operand, is_sum = formula_text(part.parts) if part.parts else (_place(part), False)
        if part.parts and part.key and (is_sum or part.key == "÷"):
            operand, is_sum = f"({operand})", False
        operand = f"{_literal(part.what)} {operand}" if part.what else operand
        if not part.key:
            text, is_loose = operand, is_sum
        elif part.key in LOOSE:
            text, is_loose = f"{text}{', ' if part.key.startswith('at') else ' '}{part.key} {operand}", True
        else:
            text, is_loose = f"{f'({text})' if is_loose else text} {part.key} {operand}", False
    return text, is_loose


def _place(part: Part) -> str:
    """Return the place of a number; one that is not fixed gets its place when the fixed ones are filled in."""
    return part.form if part.is_fixed else f"%{part.form}"


def _literal(text: str) -> str:
    """Return a text that stays as it is when numbers are filled in, twice."""
    return text.replace("%", "%%%%")
