"""Casualties of one army in one battle, by what became of the men, as a receipt freezes them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Casualties:
    """The men whom one army lost in one battle; together they are its losses (R-125)."""

    army: str  # The label of its row: `Army of A (A)`
    killed: int  # In action
    wounded: int  # Carried off by their own side
    captured: int  # Prisoners, wounded ones too
    missing: int  # Scattered in the flight
    died: int  # Of hunger and disease
    returned: int  # Of the wounded, those who are back in the army already

    def text(self) -> str:
        """Return them in words: `Army: killed 400, wounded 480, captured 214, missing 20, died 120 (336 back)`."""
        lost = f"killed {self.killed:,}, wounded {self.wounded:,}, captured {self.captured:,}"
        return f"{self.army}: {lost}, missing {self.missing:,}, died {self.died:,} ({self.returned:,} back)"

    @property
    def absent(self) -> int:
        """Return the men who have left the army's Size."""
        return self.killed + self.wounded + self.captured + self.missing + self.died - self.returned
