"""The distribution of the fortunes of the day (R-28)."""

from __future__ import annotations

from engine.elementary import LOG_2, exp


def fortune(draw: float, doublings: float) -> float:
    """Return a factor from 2**-doublings to 2**doublings whose logarithm is evenly distributed.

    Args:
        draw: A random number in [0, 1).
        doublings: Width of the distribution, at least 0, which means no fortune; 1.5 means 0.35 to 2.83.
    """
    return exp(LOG_2 * doublings * (2.0 * draw - 1.0))
