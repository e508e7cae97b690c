"""Whole numbers only: how they are divided and kept within bounds."""

from __future__ import annotations


def div(value: int, by: int) -> int:
    """HX-DEF-20: whole-number division, truncated towards zero."""
    return value // by if value >= 0 else -(-value // by)


def within(value: int, low: int, high: int) -> int:
    """The nearest number from low to high."""
    return max(low, min(value, high))


def signed(value: int) -> str:
    """`+4`, `−2`, `0`."""
    return f"+{value}" if value > 0 else minus(value)


def minus(value: int) -> str:
    """With a real minus sign: `−2`."""
    return f"−{-value}" if value < 0 else str(value)
