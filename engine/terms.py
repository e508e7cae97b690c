"""Exact numbers explained by the keys of their formula, in one line (VAR-05)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.calculation import (
    EXACT,
    FACTOR,
    FUNCTIONS,
    WHOLE,
    Calculation,
    KeyFormula,
    Part,
    formula_text,
    literal,
    stated,
)
from engine.exact import printed
from engine.rule import TracedNumber, trace_rules

LONG = 10_000
"""Numbers of five digits are written with all of them."""


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
    parts = tuple(_rewritten(result.parts, iter(result.numbers), _with_text))
    return Calculation(
        KeyFormula(title, id, parts, _form(result.value)), float(result), tuple(map(float, result.numbers)), note
    )


def in_keys(function: Callable[..., Any], *arguments: Any, spell: Callable[[Any], str] = printed) -> str:
    """Return a rule's formula as text with numbers only: `(4/6 + 5) × 1.3`, without factors of 1."""
    [*_, (_, result)] = trace_rules(function, *arguments)
    if not isinstance(result, TracedNumber):
        return spell(result)

    def bare(part: Part, number: Any) -> Part | None:
        is_neutral = number == 1 and part.key == "×"
        return None if is_neutral else Part(part.key, form=literal((part.spell or spell)(number)))

    return formula_text(tuple(_rewritten(result.parts, iter(result.numbers), bare)))[0] % ()


def _rewritten(
    parts: Sequence[Part], numbers: Iterator[Any], write: Callable[[Part, Any], Part | None]
) -> Iterator[Part]:
    """Yield the keys with each number's part replaced by what `write` makes of both; None leaves it out."""
    for part in parts:
        if part.parts:
            yield part._replace(parts=tuple(_rewritten(part.parts, numbers, write)))
        elif part.key in FUNCTIONS:
            yield part
        elif (written := write(part, next(numbers))) is not None:
            yield written


def _with_text(part: Part, number: Any) -> Part:
    """Return the part of a number with the number's text beside its name, if it has letters."""
    text = part.spell(number) if part.spell else ""
    what = f'{part.what} "{text}"'.lstrip() if any(map(str.isalpha, text)) else part.what
    return part._replace(what=what, form=_form(number))


def _form(number: Any) -> str:
    """Return the format of an exact number."""
    return WHOLE if number == int(number) else FACTOR if abs(number) < LONG else EXACT
