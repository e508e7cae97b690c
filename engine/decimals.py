"""Exact decimals, for rules that add and multiply typed numbers and keep every digit: 52.5 − 48.1 is 4.4.

For fractions, used by rules that divide and round what they print, see `engine.exact`.
"""

from __future__ import annotations

import functools
from decimal import Decimal

ZERO = Decimal(0)


@functools.lru_cache(maxsize=65_536)  # the same coordinates are measured again and again
def exact(value: float) -> Decimal:
    """Return the decimal that a cell shows: 15 digits, as many as a spreadsheet keeps.

    Raises:
        ValueError: The value is infinite or not a number.
    """
    decimal = Decimal(value) if isinstance(value, int) else Decimal(f"{value:.15g}")
    if not decimal.is_finite():
        raise ValueError(f"{value} is not a number of a cell")
    return decimal


def cell(value: Decimal) -> int | float:
    """Return the value for a cell: an int if it is whole, else a float; `exact` converts it back."""
    return int(value) if value == value.to_integral_value() else float(value)


def printed(value: Decimal) -> str:
    """Return the number with thousands separators and without trailing zeros: `12,500`, `−0.25`."""
    return trimmed(f"{abs(value):,f}", value < 0)


def trimmed(digits: str, is_negative: bool) -> str:
    """Return the digits of a number without trailing zeros, and its sign: `2.50` as `−2.5`."""
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return f"−{digits}" if is_negative and digits != "0" else digits


def signed(value: Decimal) -> str:
    """Return the number like `printed`, with a plus sign unless it is negative: `+0.5`, `−1`."""
    return printed(value) if value < 0 else f"+{printed(value)}"
