"""Exact decimals, for rules that add and multiply what people typed and keep every digit: 52.5 − 48.1 is 4.4.

`engine.exact` has fractions, for rules that divide and round what they print.
"""

from __future__ import annotations

import functools
from decimal import Decimal

ZERO = Decimal(0)


@functools.lru_cache(maxsize=65_536)  # the same coordinates are measured again and again
def exact(value: float) -> Decimal:
    """The decimal that a cell shows: 15 digits, as many as a spreadsheet keeps.

    Raises:
        ValueError: Infinite or not a number.
    """
    found = Decimal(value) if isinstance(value, int) else Decimal(f"{value:.15g}")
    if not found.is_finite():
        raise ValueError(f"{value} is no number of a cell")
    return found


def cell(value: Decimal) -> int | float:
    """What a cell gets: a whole number as one, any other with its decimals; `exact` gives it back."""
    return int(value) if value == value.to_integral_value() else float(value)


def printed(value: Decimal) -> str:
    """Every decimal that is not a trailing zero, thousands apart: `12,500`, `−0.25`."""
    shown = f"{abs(value):,f}"
    if "." in shown:
        shown = shown.rstrip("0").rstrip(".")
    return f"−{shown}" if value < 0 else shown


def signed(value: Decimal) -> str:
    """As `printed`, with a plus sign before what is not negative: `+0.5`, `−1`."""
    return printed(value) if value < 0 else f"+{printed(value)}"
