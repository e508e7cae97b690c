"""What is left of a war when the battle is over, as values: everything that the receipt tells (RCPT-01)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.autoalgo.names import counted
from engine.autoalgo.occupation import Occupied


@dataclass(frozen=True, slots=True)
class Losses:
    """One side's men and ships; start = left + killed + died + captured.

    Args:
        men: At the start.
        left: Neither killed, dead nor captured.
        killed: In action, with the crews of sunk ships (R-17).
        died: Of attrition and disease (DIS-04).
        captured: ATK-08.
        ships: At the start.
        sunk: ATK-08.
    """

    men: int
    left: int
    killed: int
    died: int
    captured: int
    ships: int
    sunk: int

    @property
    def lost(self) -> int:
        """Men killed, dead and captured."""
        return self.killed + self.died + self.captured

    @property
    def casualties(self) -> int:
        """R-24: killed and captured, not dead of attrition or disease."""
        return self.killed + self.captured

    def text(self) -> str:
        """One cell: `1,234 of 7,000 (killed 900, died 120, captured 214; 3 ships sunk)`."""
        ships = f"; {counted(self.sunk, 'ship')} sunk" if self.sunk else ""
        parts = f"killed {self.killed:,}, died {self.died:,}, captured {self.captured:,}{ships}"
        return f"{self.lost:,} of {self.men:,} ({parts})"


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one leader (LEAD-10).

    Args:
        leader: His name.
        role: `Military leader`, `National leader` or `Military and national leader`.
        is_killed: Only someone who leads the military can be.
        chance: Of surviving, 0 to 1; 1 for a national leader who stayed at home.
    """

    leader: str
    role: str
    is_killed: bool
    chance: float


@dataclass(frozen=True, slots=True)
class Occupation:
    """What the winner holds (OCC-08).

    Args:
        score: With the national leader's Attack.
        result: log(score + 1).
        band: Its name (R-23).
        history: Before the first round, and after each.
        type_name: The unit type that occupies (OCC-02).
        limitation: Its Limitation, which has no place in the formula and is only logged (R-22).
    """

    score: float
    result: float
    band: str
    history: tuple[Occupied, ...]
    type_name: str
    limitation: float

    @property
    def rounds(self) -> int:
        """How long it took."""
        return len(self.history) - 1

    def text(self) -> str:
        """`Occupation (0.74)`: the band's name and the result."""
        return f"{self.band} ({self.result:.2f})"


@dataclass(frozen=True, slots=True)
class Stability:
    """A nation's Stability (STAB-04).

    Args:
        before: 0 to 200.
        after: 0 to 200, rounded to one decimal.
        band: Name of the new one (R-23).
    """

    before: float
    after: float
    band: str

    def text(self) -> str:
        """`110 → 92.4 (Strained)`."""
        return f"{round(self.before, 1):g} → {self.after:g} ({self.band})"


@dataclass(frozen=True, slots=True)
class Aftermath:
    """Everything the receipt tells; pairs are attacker, defender.

    Args:
        winner: 0 the attacker, 1 the defender.
        hours: The battle's length.
        is_abandoned: It ended with the time limit (R-13).
        is_naval: There was fighting on water (RCPT-01).
        losses: Of the militaries.
        fates: Of each side's leaders, the military leader first.
        occupation: The winner's.
        stability: Of the nations.
    """

    winner: int
    hours: int
    is_abandoned: bool
    is_naval: bool
    losses: tuple[Losses, Losses]
    fates: tuple[tuple[Fate, ...], tuple[Fate, ...]]
    occupation: Occupation
    stability: tuple[Stability, Stability]
