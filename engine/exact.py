"""Exact numbers: points are fractions, rounded only for printing.

For decimals, used by rules that print every digit, see `engine.decimals`.
"""

from __future__ import annotations

import math
from fractions import Fraction


def exact(value: float) -> Fraction:
    """Return the decimal that a person typed as a fraction: 0.2 is one fifth, not the nearest binary number.

    Raises:
        ValueError: The value is infinite or not a number.
    """
    return Fraction(value) if isinstance(value, int) else Fraction(repr(value))


def printed(value: Fraction) -> str:
    """Return a whole number without decimals, any other with up to two, halves away from zero (SC-OP-29)."""
    cents = _cents(value)
    whole, rest = divmod(abs(cents), 100)
    decimals = f".{rest:02}".rstrip("0").rstrip(".")
    return f"{'−' if cents < 0 else ''}{whole}{decimals}"


def signed(value: Fraction) -> str:
    """Return the number like `printed`, with a plus sign unless it is negative: `+4`, `−1`."""
    return printed(value) if value < 0 else f"+{printed(value)}"


def ratio(value: Fraction) -> str:
    """Return a non-negative quotient with two decimals unless it is whole (SC-OP-11, SC-OP-29)."""
    return printed(value) if value.denominator == 1 else cut(value + Fraction(1, 200), 2)


def percent(value: Fraction) -> str:
    """Return the number as a percentage: `33.33 %`."""
    return f"{printed(value)} %"


def separated(value: Fraction) -> str:
    """Return a count of men or edits with thousands separators: `20,000`."""
    return f"{int(value):,}" if value.denominator == 1 else printed(value)


def cut(value: Fraction, decimals: int) -> str:
    """Return a non-negative number with the given number of decimals, cut off and never rounded."""
    whole, rest = divmod(math.floor(value * 10**decimals), 10**decimals)
    return f"{whole}.{rest:0{decimals}}"


def cell(value: Fraction) -> int | float:
    """Return the value for a result column: the printed number."""
    cents = _cents(value)
    return cents // 100 if cents % 100 == 0 else cents / 100


def _cents(value: Fraction) -> int:
    numerator, denominator = value.as_integer_ratio()
    cents = (200 * abs(numerator) + denominator) // (2 * denominator)  # integers, because receipts print many numbers
    return -cents if numerator < 0 else cents
