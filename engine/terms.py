"""An exact number in one line, with the terms of its formula (VAR-05).

A sum has a term for each summand, a product a term for each factor. An unnamed number of the tables
belongs to the term beside it: the terms of 10 + fame ÷ 5 are `base 10` and a fifth of `fame`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from engine.calculation import FUNCTIONS, Part, formula_text
from engine.exact import printed
from engine.explained import Explanation, Term
from engine.explained import number as spelled
from engine.rule import APPLIED, OPERATIONS, TracedNumber, trace_rules

BOUNDS = {"at most": "not above", "at least": "not below"}
"""Keys that limit a number, and the words of a note on it."""


class _Item(NamedTuple):
    """A term."""

    what: str  # Its name
    text: str
    number: Fraction
    each: Fraction = Fraction(1)  # Its unnamed factors; the weight in an average


class _Summary(NamedTuple):
    """A part of a formula as the sum, the product or the average of terms."""

    how: str  # `sum`, `product` or `average`; blank for a single term
    terms: tuple[_Item, ...]
    after: tuple[tuple[str, Fraction | None], ...] = ()  # The keys after it: rounding and limits

    @property
    def values(self) -> list[Fraction]:
        """Return the result before and after each of these keys."""
        numbers = [term.number for term in self.terms]
        if self.how == "average":
            weights = sum((term.each for term in self.terms), Fraction(0))
            results = [sum((term.number * term.each for term in self.terms), Fraction(0)) / weights]
        else:
            results = [math.prod(numbers, start=Fraction(1)) if self.how == "product" else sum(numbers, Fraction(0))]
        for key, bound in self.after:
            value = APPLIED[key](results[-1]) if bound is None else OPERATIONS[key](results[-1], bound)
            results.append(Fraction(value))
        return results

    @property
    def single(self) -> _Summary:
        """Return the same as a single term: a sum under all names, a product under its first."""
        if not self.how and not self.after:
            return self
        names = [(term.what, term.text) for term in self.terms if term.what]
        if self.how == "product" and names:
            is_squared = len(names) > 1 and names[1][0] in (names[0][0], "itself")
            names = [(f"{names[0][0]}, squared" if is_squared else names[0][0], names[0][1])]
        what, texts = " + ".join(what for what, _ in names), " + ".join(text for _, text in names if text)
        return _Summary(
            "", (_Item(what, texts, self.values[-1], self.terms[0].each if len(self.terms) == 1 else Fraction(1)),)
        )


def explained(
    function: Callable[..., Any], *arguments: Any, name: str = "", id: str = "", note: str = ""
) -> Explanation:
    """Return the result of a rule with the terms of its function.

    Args:
        name: The name of the result, if not that of `rule`.
        id: The rule id, likewise.
        note: A remark; a limit that was reached needs none.
    """
    names, result = trace_rules(function, *arguments)[-1]
    title, id = name or (names.result.what if names.result else ""), id or names.ids
    if not isinstance(result, TracedNumber):
        return Explanation(title, id, float(result), how="sum", note=note)
    summary = _summary(result.parts, iter(result.numbers))
    is_average = summary.how == "average"
    terms = tuple(
        Term(what, text, float(value), float(each) if is_average else 1.0) for what, text, value, each in summary.terms
    )
    notes = filter(None, (note, *_limits(summary)))
    return Explanation(title, id, float(result), terms, summary.how or "sum", note="; ".join(notes))


def in_keys(function: Callable[..., Any], *arguments: Any, spell: Callable[[Any], str] = printed) -> str:
    """Return a rule's formula as text with numbers only: `(4/6 + 5) × 1.3`, without factors of 1."""
    [*_, (_, result)] = trace_rules(function, *arguments)
    if not isinstance(result, TracedNumber):
        return spell(result)
    numbers = iter(result.numbers)
    texts: list[str] = []
    text, _ = formula_text(tuple(_bare(result.parts, numbers, texts, spell)))
    return text % tuple(texts)


def _bare(
    parts: Sequence[Part], numbers: Iterator[Any], texts: list[str], spell: Callable[[Any], str]
) -> Iterator[Part]:
    """Yield the keys without names, with placeholders for texts, and append the texts."""
    for part in parts:
        if part.parts:
            yield part._replace(parts=tuple(_bare(part.parts, numbers, texts, spell)))
        elif part.key in FUNCTIONS:
            yield part
        elif (number := next(numbers)) != 1 or part.key != "×":
            texts.append((part.spell or spell)(number))
            yield Part(part.key, form="%s")


def _limits(summary: _Summary) -> tuple[str, ...]:
    """Return a note on each reached limit."""
    values = summary.values
    return tuple(
        f"{BOUNDS[key]} {spelled(float(bound))}"
        for (key, bound), before, after in zip(summary.after, values, values[1:], strict=False)
        if bound is not None and before != after
    )


def _summary(parts: Sequence[Part], numbers: Iterator[Any]) -> _Summary:
    """Return a formula as a sum or a product."""
    summary = _Summary("", ())
    for part in parts:
        if part.key in FUNCTIONS:
            summary = summary._replace(after=(*summary.after, (part.key, None)))
            continue
        operand = _summary(part.parts, numbers) if part.parts else _entered(part, next(numbers))
        if part.key in BOUNDS:
            summary = summary._replace(after=(*summary.after, (part.key, operand.single.terms[0].number)))
        elif not part.key:
            summary = operand
        else:
            summary = _joined(summary, part.key, operand)
    return summary


def _entered(part: Part, number: Any) -> _Summary:
    return _Summary("", (_Item(part.what, part.spell(number) if part.spell else "", Fraction(number)),))


def _joined(left: _Summary, key: str, right: _Summary) -> _Summary:
    if key == "÷" and left.how == right.how == "sum" and len(left.terms) == len(right.terms):
        pairs = list(zip(left.terms, right.terms, strict=True))
        if all(one.what == weight.what and one.number == one.each * weight.number for one, weight in pairs):
            return _Summary(
                "average", tuple(one._replace(number=one.each, each=weight.number) for one, weight in pairs)
            )
    how = "sum" if key in "+−" else "product"
    left, right = (side if side.how == how and not side.after else side.single for side in (left, right))
    added = tuple(right.terms if key in "+×" else (_opposite(term, key) for term in right.terms))
    if how == "product" and not (added[0].what and left.terms[-1].what):  # an unnamed number belongs to its neighbour
        one, other = left.terms[-1], added[0]
        each = one.each * other.each * (other.number if one.what else one.number)
        joint = _Item(one.what or other.what, one.text or other.text, one.number * other.number, each)
        return _Summary(how, (*left.terms[:-1], joint, *added[1:]))
    return _Summary(how, (*left.terms, *added))


def _opposite(term: _Item, key: str) -> _Item:
    """Return the term to subtract or divide by."""
    if key == "−":
        return term._replace(number=-term.number, each=-term.each)
    return _Item(term.what, term.text and f"1/{term.text}", 1 / term.number)
