"""Logarithms, exponentials and roots with the same bits on every machine (R-96).

IEEE 754 fixes +, −, ×, ÷ and the square root to the last bit, but not these functions: C libraries differ in them. So
`log` and `exp`, which the battle uses and which machine code runs too, are built of the fixed operations alone, by the
method of FreeBSD's msun (fdlibm): reduce the argument, then evaluate a polynomial. Their error is less than one unit
in the last place. The others, used only before the battle, are computed with 40 decimal digits, then rounded; that
takes up to a tenth of a millisecond, and a ruling and its forecast ask for the same values, so they are cached.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from functools import lru_cache

LN_2_HIGH, LN_2_LOW = float.fromhex("0x1.62e42feep-1"), float.fromhex("0x1.a39ef35793c76p-33")
"""The natural logarithm of 2 in two parts; multiples of the first up to 2**20 are exact."""
LOG_2 = float.fromhex("0x1.62e42fefa39efp-1")
"""The natural logarithm of 2, rounded."""
LOG_10 = float.fromhex("0x1.26bb1bbb55516p+1")
"""The natural logarithm of 10, rounded."""
HALF_ROOT = float.fromhex("0x1.6a09e667f3bcdp-1")
"""The square root of one half."""
DIGITS = 40
"""Decimal digits of the other functions' computation."""
TURN = "6.283185307179586476925286766559005768394338798750211641949889"
"""Twice pi, the angle of a full turn, in decimal digits."""


def log(value: float) -> float:
    """Return the natural logarithm of a positive, finite number."""
    fraction, exponent = math.frexp(value)
    if fraction < HALF_ROOT:
        fraction, exponent = 2.0 * fraction, exponent - 1
    above = fraction - 1.0  # value = 2**exponent * (1 + above), and 1 + above is between the roots of 1/2 and 2
    slope = above / (2.0 + above)
    square = slope * slope
    fourth = square * square
    even = fourth * (0.3999999999940941908 + fourth * (0.2222219843214978396 + fourth * 0.1531383769920937332))
    odd = square * (
        0.6666666666666735130
        + fourth * (0.2857142874366239149 + fourth * (0.1818357216161805012 + fourth * 0.1479819860511658591))
    )
    half = 0.5 * above * above
    tail = slope * (half + even + odd) + exponent * LN_2_LOW
    return exponent * LN_2_HIGH - ((half - tail) - above)


def log_10(value: float) -> float:
    """Return the decimal logarithm of a positive, finite number, computed from `log`, as machine code does."""
    return log(value) / LOG_10


def exp(value: float) -> float:
    """Return e to the power of a number between −700 and 700."""
    exponent = math.floor(value / LOG_2 + 0.5)
    high, low = value - exponent * LN_2_HIGH, exponent * LN_2_LOW
    rest = high - low  # at most half the logarithm of 2
    square = rest * rest
    series = rest - square * (
        0.1666666666666660190
        + square
        * (
            -0.002777777777701559338
            + square * (6.613756321437934e-05 + square * (-1.653390220546525e-06 + square * 4.138136797057238e-08))
        )
    )
    return math.ldexp(1.0 - ((low - rest * series / (2.0 - series)) - high), int(exponent))


@lru_cache(maxsize=4096)
def log10(value: float) -> float:
    """Return the logarithm to base 10 of a positive number."""
    return float(Context(DIGITS).log10(Decimal(value)))


@lru_cache(maxsize=4096)
def power(base: float, exponent: float) -> float:
    """Return a positive number to any power."""
    return float(Context(DIGITS).power(Decimal(base), Decimal(exponent)))


@lru_cache(maxsize=4096)
def cube_root(value: float) -> float:
    """Return the cube root of a number from 0."""
    context = Context(DIGITS)
    return float(context.power(Decimal(value), context.divide(Decimal(1), Decimal(3)))) if value else 0.0


def sine(turns: float) -> float:
    """Return the sine of an angle in full turns, by its series; the cosine of `turns` is the sine of `turns` + 1/4."""
    digits = Context(prec=DIGITS)
    share = Decimal(turns) - Decimal(turns).to_integral_value()  # from -1/2 to 1/2
    angle = digits.multiply(Decimal(TURN), share)
    square, term, total = digits.multiply(angle, angle), angle, angle
    for place in range(2, 60, 2):
        term = digits.divide(digits.multiply(-term, square), Decimal(place * (place + 1)))
        total = digits.add(total, term)
    return float(total)
