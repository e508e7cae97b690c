"""The text of a formula, by calling it with names in place of numbers: what it says is what it computes (VAR-05)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

SUM, PRODUCT, ATOM = range(3)
"""Precedence of a text: a sum is put in brackets as a factor, a product as a divisor."""
Operator = Callable[[Any, Any], Any]


def _operators(sign: str, left: int, right: int, level: int) -> tuple[Operator, Operator]:
    """Return the methods that write a sign between two operands that bind so tightly: as its left one and its right."""

    def written(one: Any, other: Any) -> Symbol:
        return Symbol(f"{_text(one, left)}{sign}{_text(other, right)}", level)

    return written, lambda first, other: written(other, first)


class Symbol:
    """A name or a number as text, from which operators make longer texts.

    Args:
        level: How tightly it binds.
    """

    __slots__ = ("level", "text")

    def __init__(self, text: str, level: int = ATOM) -> None:
        self.text, self.level = text, level

    __add__, __radd__ = _operators(" + ", SUM, SUM, SUM)
    __sub__, __rsub__ = _operators(" − ", SUM, PRODUCT, SUM)
    __mul__, __rmul__ = _operators("·", PRODUCT, PRODUCT, PRODUCT)
    __truediv__, __rtruediv__ = _operators("/", PRODUCT, ATOM, PRODUCT)


def _text(value: Any, least: int) -> str:
    """Return the text of an operand, in brackets if it binds less tightly than it must."""
    if not isinstance(value, Symbol):
        return f"{value:g}"
    return value.text if value.level >= least else f"({value.text})"


def applied(sign: str) -> Callable[[Any], Symbol]:
    """Return a function that writes a sign before its argument: `log 8`, `log(Power + 1)`."""

    def one(value: Any) -> Symbol:
        text = _text(value, SUM)
        return Symbol(f"{sign} {text}" if text[0].isdigit() and value.level == ATOM else f"{sign}({text})")

    return one


def raised(base: Any, exponent: Any) -> Symbol:
    """Return the text of a power: `Urban^(1/log 8)`."""
    return Symbol(f"{_text(base, ATOM)}^({_text(exponent, SUM)})")


def formula_text(
    function: Callable[..., Any], instead: Mapping[Callable[..., Any], Callable[..., Any]], *arguments: Symbol
) -> str:
    """Return the text of a formula.

    Args:
        instead: Functions that it calls by name, and what writes them.
        arguments: The names of its arguments, or the numbers that they always are.
    """
    assert isinstance(function, FunctionType)
    room = {
        name: instead.get(value, value) if callable(value) else value for name, value in function.__globals__.items()
    }
    written = FunctionType(function.__code__, room)(*arguments)
    assert isinstance(written, Symbol)
    return written.text
