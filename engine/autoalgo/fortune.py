"""The fortunes of the day (R-28)."""

from __future__ import annotations

import math

LOG_2 = math.log(2.0)


def fortune(draw: float, doublings: float) -> float:
    """A factor within so many doublings of 1, evenly in proportion: three times as lucky is as likely as a third.

    Args:
        draw: In [0, 1).
        doublings: At least 0, which switches fortune off; 1.5 is 0.35 to 2.83.
    """
    return math.exp(LOG_2 * doublings * (2.0 * draw - 1.0))
