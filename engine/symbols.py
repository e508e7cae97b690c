"""The text of a formula, obtained by calling it with names in place of numbers (VAR-05)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

SUM, PRODUCT, ATOM = range(3)
"""Precedence of a text: a sum is put in brackets as a factor, a product as a divisor."""
Operator = Callable[[Any, Any], Any]


def _operators(sign: str, left: int, right: int, level: int) -> tuple[Operator, Operator]:
    """Return the operator methods of a sign with this precedence: as left operand and as right operand."""

    def written(one: Any, other: Any) -> Symbol:
        return Symbol(f"{_text(one, left)}{sign}{_text(other, right)}", level)

    return written, lambda first, other: written(other, first)


class Symbol:
    """A name or a number as text; operators combine them into longer texts.

    Args:
        level: Its precedence.
    """

    __slots__ = ("level", "text")

    def __init__(self, text: str, level: int = ATOM) -> None:
        self.text, self.level = text, level

    __add__, __radd__ = _operators(" + ", SUM, SUM, SUM)
    __sub__, __rsub__ = _operators(" − ", SUM, PRODUCT, SUM)
    __mul__, __rmul__ = _operators("·", PRODUCT, PRODUCT, PRODUCT)
    __truediv__, __rtruediv__ = _operators("/", PRODUCT, ATOM, PRODUCT)


def _text(value: Any, least: int) -> str:
    """Return the text of an operand, in brackets if its precedence is too low."""
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
    """Return the text of a formula, a sum in brackets, because a number follows it (VAR-05).

    Args:
        instead: Functions by name, and the functions that write their calls.
        arguments: The names of its arguments, or their constant values.
    """
    assert isinstance(function, FunctionType)
    room = {
        name: instead.get(value, value) if callable(value) else value for name, value in function.__globals__.items()
    }
    written = FunctionType(function.__code__, room)(*arguments)
    return _text(written, PRODUCT)
