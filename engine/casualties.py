"""Casualties of one army in one battle, by the fate of the men, as frozen in a receipt."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Casualties:
    """Losses of one army in one battle (R-125)."""

    army: str  # The label of its row: `Army of A (A)`
    killed: int  # Killed in action
    wounded: int  # Wounded and carried off by their own side
    captured: int  # Prisoners, including wounded ones
    missing: int  # Missing after the flight
    died: int  # Dead of hunger and disease
    returned: int  # Wounded who have already returned to the army

    def text(self) -> str:
        """Return them in words: `Army: killed 400, wounded 480, captured 214, missing 20, died 120 (336 back)`."""
        lost = f"killed {self.killed:,}, wounded {self.wounded:,}, captured {self.captured:,}"
        return f"{self.army}: {lost}, missing {self.missing:,}, died {self.died:,} ({self.returned:,} back)"

    @property
    def absent(self) -> int:
        """Return the number of men to subtract from the army's Size."""
        return self.killed + self.wounded + self.captured + self.missing + self.died - self.returned
