"""Chance (SC-11): a digit computed from a clock time and an edit count, to be recomputed by anyone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from engine.exact import cut

# floor(n·R·π) with R = a/b depends on the distance of π from fractions with a denominator of at most n·a. None with a
# denominator below 10^20 is nearer than 10^-41 to π, so 50 decimals give the exact digit and the four printed decimals
# for every edit count below 10^16.
PI = Fraction("3.14159265358979323846264338327950288419716939937510")


@dataclass(frozen=True, slots=True)
class Chance:
    """One side's chance with its intermediate results."""

    product: int  # P, the product of the time's non-zero digits, 1 to 405
    value: Fraction  # X = R × π, with R = P ÷ edits or its reciprocal, whichever is at least 1
    digit: int  # The points, 0 to 9

    @property
    def text(self) -> str:
        """Return X cut to 4 decimals, as receipts print it."""
        return cut(self.value, 4)


def chance(clock: str, edits: int, scale: int) -> Chance:
    """Compute the points of SC-11, steps 1 to 5.

    Args:
        clock: The time `HH:MM`, UTC; seconds do not count (SC-OP-18).
        edits: The opponent's edit count, at least 1 (SC-OP-16).
        scale: 100 scores the hundredths digit of the plain number, 1000 the thousandths digit (SC-OP-01).

    Raises:
        ValueError: `edits` is less than 1.
    """
    if edits < 1:
        raise ValueError(f"an edit count of {edits} gives no chance: at least 1 is needed (SC-OP-16)")
    product = math.prod(int(digit) for digit in clock if digit in "123456789")
    share = Fraction(product, edits)
    value = max(share, 1 / share) * PI
    return Chance(product, value, math.floor(value * scale) % 10)
