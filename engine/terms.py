"""Exact numbers explained by the keys of their formula, in one line (VAR-05)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.calculation import FUNCTIONS, Calculation, KeyFormula, Part, formula_text, stated
from engine.exact import printed
from engine.rule import TracedNumber, trace_rules


def explained(
    function: Callable[..., Any], *arguments: Any, name: str = "", id: str = "", note: str = ""
) -> Calculation:
    """Return the calculation of the result of a rule.

    Args:
        name: The name of the result, if not that of `rule`.
        id: The rule id, likewise.
    """
    names, result = trace_rules(function, *arguments)[-1]
    title, id = name or (names.result.what if names.result else ""), id or names.ids
    if not isinstance(result, TracedNumber):
        return stated(title, id, float(result), note=note)
    formula = KeyFormula(title, id, tuple(_with_texts(result.parts, iter(result.numbers))))
    return Calculation(formula, float(result), tuple(map(float, result.numbers)), note)


def in_keys(function: Callable[..., Any], *arguments: Any, spell: Callable[[Any], str] = printed) -> str:
    """Return a rule's formula as text with numbers only: `(4/6 + 5) × 1.3`, without factors of 1."""
    [*_, (_, result)] = trace_rules(function, *arguments)
    if not isinstance(result, TracedNumber):
        return spell(result)

    def bare(part: Part, number: Any) -> str:
        return "" if number == 1 and part.key == "×" else (part.spell or spell)(number)

    return formula_text(result.parts, result.numbers, bare)


def _with_texts(parts: Sequence[Part], numbers: Iterator[Any]) -> Iterator[Part]:
    """Yield the parts, each number's text beside its name if it has letters."""
    for part in parts:
        if part.parts:
            part = part._replace(parts=tuple(_with_texts(part.parts, numbers)))
        elif part.key not in FUNCTIONS:
            number = next(numbers)
            text = part.spell(number) if part.spell else ""
            if any(map(str.isalpha, text)):
                part = part._replace(what=f'{part.what} "{text}"'.lstrip())
        yield part
