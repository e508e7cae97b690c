"""A number as keys of a pocket calculator, to be recomputed by hand (VAR-05).

A `KeyFormula` lists the keys and their operands from left to right; it is made once and used for many numbers. A
`Calculation` adds the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from engine.decimals import printed, trimmed

LOOSE = ("+", "−", "at most", "at least")
"""Keys whose result needs brackets as a factor."""
FUNCTIONS = {
    "√": "√({})",
    "log": "log({})",
    "rounded up": "{}, rounded up",
    "rounded down": "{}, rounded down",
    "without its fraction": "{}, without its fraction",
    "to one decimal": "{}, to one decimal",
}
"""Keys without an operand, and their effect on the text before them."""

FACTOR, EXACT, WHOLE, POINTS, YEAR = ",.5g", ",.2f", ",.0f", ",.1f", ".0f"
"""Formats of numbers: five figures, at most two decimals, none, at most one, none and no thousands separator."""
LONG = 10_000
"""Numbers of five figures are written with all of them."""
OPPOSITE = {"+": "−", "−": "+"}
"""Keys that take a negative number under the other key."""


class Part(NamedTuple):
    """One key and its operand."""

    key: str  # `+`, `−`, `×`, `÷`, `at most`, `at least`, one of `FUNCTIONS`, or blank for the first part
    what: str = ""  # The name of the number: `Efficiency`
    form: str = FACTOR  # The format of the number in text
    parts: tuple[Part, ...] = ()  # A calculation in brackets in place of a number
    # The function that returns the number's text, for the lines of `engine.terms`, if any.
    spell: Callable[[Any], str] | None = None


@dataclass(frozen=True, eq=False)
class KeyFormula:
    """A calculation without its numbers."""

    name: str  # The name of the result: `fall`
    id: str  # The rule ids: `ATK-04, R-26`
    # The keys, from left to right, without precedence of multiplication. Empty for a number that the rules name
    # or that is drawn.
    parts: tuple[Part, ...]
    form: str = FACTOR  # The format of the result in text

    @cached_property
    def text(self) -> tuple[str, Sequence[str]]:
        """Return the parts as text with `%s` for each number, none of which is negative, and the formats of these."""
        entered = [*_entered(self.parts)]
        text = formula_text(self.parts, range(len(entered)), lambda part, _: f"{part.what} \0".lstrip())
        return text.replace("%", "%%").replace("\0", "%s"), [part.form for part in entered]

    def of(self, value: float, *numbers: float) -> Calculation:
        """Return the calculation with its result and its numbers, in the order of the parts."""
        return Calculation(self, value, numbers)


class Calculation(NamedTuple):
    """A formula with its result and its numbers, in the order of its parts."""

    formula: KeyFormula
    value: float
    numbers: tuple[float, ...]
    note: str = ""  # A remark

    @property
    def name(self) -> str:
        """Return the name of the result."""
        return self.formula.name

    @property
    def id(self) -> str:
        """Return the rule ids."""
        return self.formula.id

    def line(self) -> str:
        """Return one line: `fall 10 = (infantry 72.14 + cavalry 25.02) × Mercy 0.1 − draw 0.6, rounded up [R-26]`."""
        note = f" ({self.note})" if self.note else ""
        if min(self.numbers, default=0.0) < 0.0:
            text = formula_text(self.formula.parts, self.numbers, _operand)
        else:
            form, formats = self.formula.text
            text = form % tuple(map(written, self.numbers, formats))
        formula = f" = {text}" if text else ""
        return f"{self.name} {written(self.value, self.formula.form)}{formula} [{self.id}]{note}"

    def renamed(self, name: str) -> Calculation:
        """Return the calculation with another name of its result."""
        return self._replace(formula=replace(self.formula, name=name))

    def entered(self, what: str) -> float | None:
        """Return the number entered under a name; None if missing."""
        parts = zip(_entered(self.formula.parts), self.numbers, strict=True)
        return next((value for part, value in parts if part.what == what), None)

    def to_one_decimal(self) -> Calculation:
        """Return the calculation with its result to one decimal."""
        formula = replace(self.formula, parts=(*self.formula.parts, Part("to one decimal")))
        return self._replace(formula=formula, value=round(self.value, 1))

    def data(self) -> Mapping[str, object]:
        """Return the calculation as data: name, rule ids, result, and keys with their numbers."""
        keys, note = _keys(self.formula.parts, iter(self.numbers)), {"note": self.note} if self.note else {}
        return {"name": self.name, "id": self.id, "value": self.value, "keys": keys, **note}


@lru_cache(4_096)
def _without_keys(name: str, id: str, form: str) -> KeyFormula:
    return KeyFormula(name, id, (), form)


def stated(name: str, id: str, value: float, form: str = FACTOR, note: str = "") -> Calculation:
    """Return a number that the rules name, or that is drawn: a calculation without keys."""
    return Calculation(_without_keys(name, id, form), value, (), note)


def by_name(calculations: Iterable[Calculation]) -> Mapping[str, Calculation]:
    """Return calculations by the names of their results."""
    return {calculation.name: calculation for calculation in calculations}


def _keys(parts: Sequence[Part], numbers: Iterator[float]) -> list[dict[str, object]]:
    keys: list[dict[str, object]] = []
    for part in parts:
        entered: dict[str, object] = {"key": part.key}
        if part.what:
            entered["what"] = part.what
        if part.parts:
            entered["keys"] = _keys(part.parts, numbers)
        elif part.key not in FUNCTIONS:
            entered["value"] = next(numbers)
        keys.append(entered)
    return keys


def _entered(parts: Sequence[Part]) -> Iterator[Part]:
    """Yield the parts that have numbers."""
    for part in parts:
        if part.parts:
            yield from _entered(part.parts)
        elif part.key not in FUNCTIONS:
            yield part


@lru_cache(4_096)  # most numbers of a battle are of its units, the same in each blow
def written(value: float, form: str = FACTOR) -> str:
    """Return a number in a format, as receipts write it: `−1,234.5`, without an exponent."""
    form = EXACT if form == FACTOR and abs(value) >= LONG else form
    digits = f"{abs(value):{form}}"
    return printed(Decimal(f"{value:{form}}")) if "e" in digits else trimmed(digits, value < 0)


def _operand(part: Part, number: float) -> str:
    """Return a number under its name."""
    return f"{part.what} {written(number, part.form)}".lstrip()


class _Text(NamedTuple):
    """A calculation, or an operand of it, as text."""

    text: str = ""
    is_loose: bool = False  # True if it needs brackets as a factor
    opposite: str = ""  # The text without the minus of its first number, if it may move before the text


def formula_text(parts: Sequence[Part], numbers: Iterable[Any], write: Callable[[Part, Any], str]) -> str:
    """Return the parts as text.

    Args:
        numbers: The numbers in the order of the parts.
        write: The function that returns the text of a part's number, blank to leave both out.
    """
    return _formula_text(parts, iter(numbers), write).text


def _formula_text(parts: Sequence[Part], numbers: Iterator[Any], write: Callable[[Part, Any], str]) -> _Text:
    whole = _Text()
    for part in parts:
        key, text = part.key, whole.text
        if key in FUNCTIONS:
            whole = _Text(FUNCTIONS[key].format(text), key not in ("√", "log"))
            continue
        if part.parts:
            operand = _formula_text(part.parts, numbers, write)
            if key and (operand.is_loose or key == "÷"):
                operand = _Text(f"({operand.text})")
            if part.what:
                operand = _Text(f"{part.what} {operand.text}", operand.is_loose)
        else:
            number = next(numbers)
            operand = _Text(write(part, number), opposite=write(part, -number) if number < 0 else "")
        if not operand.text:
            continue
        if not key:
            whole = operand
        elif key in LOOSE:
            if operand.opposite and key in OPPOSITE:
                key, operand = OPPOSITE[key], _Text(operand.opposite)
            whole = _Text(f"{text}{', ' if key.startswith('at') else ' '}{key} {operand.text}", True)
        else:
            opposite = f"{whole.opposite} {key} {operand.text}" if whole.opposite else ""
            whole = _Text(f"{f'({text})' if whole.is_loose else text} {key} {operand.text}", opposite=opposite)
    return whole
