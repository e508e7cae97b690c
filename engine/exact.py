"""Exact numbers: points are fractions from the cell to the receipt, rounded only where they are printed.

`engine.decimals` has decimals, for rules that print every digit.
"""

from __future__ import annotations

import math
from fractions import Fraction


def exact(value: float) -> Fraction:
    """The decimal a person typed: 0.2 is one fifth, not the binary number nearest to it.

    Raises:
        ValueError: Infinite or not a number.
    """
    return Fraction(value) if isinstance(value, int) else Fraction(repr(value))


def printed(value: Fraction) -> str:
    """A whole number without a point, any other with up to two decimals, halves away from zero (SC-OP-29)."""
    cents = _cents(value)
    whole, rest = divmod(abs(cents), 100)
    decimals = f".{rest:02}".rstrip("0").rstrip(".")
    return f"{'−' if cents < 0 else ''}{whole}{decimals}"


def signed(value: Fraction) -> str:
    """As `printed`, with a plus sign before what is not negative: `+4`, `−1`."""
    return printed(value) if value < 0 else f"+{printed(value)}"


def ratio(value: Fraction) -> str:
    """A division's result, not negative: two decimals unless it is whole (SC-OP-11, SC-OP-29)."""
    return printed(value) if value.denominator == 1 else cut(value + Fraction(1, 200), 2)


def percent(value: Fraction) -> str:
    """`33.33 %`."""
    return f"{printed(value)} %"


def counted(value: Fraction) -> str:
    """A count of men or edits, thousands apart: `20,000`."""
    return f"{int(value):,}" if value.denominator == 1 else printed(value)


def cut(value: Fraction, decimals: int) -> str:
    """A number that is not negative with so many decimals, the rest cut off, never rounded."""
    whole, rest = divmod(math.floor(value * 10**decimals), 10**decimals)
    return f"{whole}.{rest:0{decimals}}"


def cell(value: Fraction) -> int | float:
    """What a result column shows: the number that is printed, as a number."""
    cents = _cents(value)
    return cents // 100 if cents % 100 == 0 else cents / 100


def _cents(value: Fraction) -> int:
    parts, of = value.as_integer_ratio()
    cents = (200 * abs(parts) + of) // (2 * of)  # whole numbers only, since receipts print many
    return -cents if parts < 0 else cents
