"""Integer arithmetic: division, bounds and formatting."""

from __future__ import annotations


def div(value: int, by: int) -> int:
    """Divide whole numbers, truncating towards zero (HX-DEF-20)."""
    return value // by if value >= 0 else -(-value // by)


def within(value: int, low: int, high: int) -> int:
    """Limit a number to the range from low to high."""
    return max(low, min(value, high))


def signed(value: int) -> str:
    """Return a number with its sign: `+4`, `−2`, `0`."""
    return f"+{value}" if value > 0 else minus(value)


def minus(value: int) -> str:
    """Return a number with a typographic minus sign: `−2`."""
    return f"−{-value}" if value < 0 else str(value)
