"""A share of a whole, as typed by people: `40 %`."""

from __future__ import annotations

from dataclasses import dataclass

UNITS = 1_000_000
"""Units of a share in one per cent, so that sums of shares are exact."""
WHOLE = 100 * UNITS
"""Units of the whole."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share of a whole."""

    per_cent: float  # From 0 to 100

    def __str__(self) -> str:
        """Return the share as typed, `40 %`; three decimals could be mistaken for thousands."""
        text = f"{self.per_cent:.15g}"
        return f"{text}{'0' if len(text.partition('.')[2]) == 3 else ''} %"

    def __bool__(self) -> bool:
        """Return True if the share is more than zero."""
        return self.per_cent > 0

    @property
    def units(self) -> int:
        """Return the share in units, rounded to the nearest."""
        return int(self.per_cent * UNITS + 0.5)
