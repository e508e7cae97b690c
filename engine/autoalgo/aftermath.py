"""What follows a battle: losses, leaders' fates, occupation, stability, as values."""

from __future__ import annotations

from dataclasses import dataclass


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


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one leader (LEAD-10).

    Args:
        leader: His name.
        role: `Military leader`, `National leader` or `Military and national leader`.
        is_killed: Only someone who leads the military can be.
        chance: Of surviving; 1 for a national leader who stayed at home.
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
        rounds: How long it took.
    """

    score: float
    result: float
    band: str
    rounds: int


@dataclass(frozen=True, slots=True)
class SideAftermath:
    """One belligerent after the war.

    Args:
        losses: Of its military.
        stability_before: 0 to 200.
        stability: 0 to 200, to one decimal.
        stability_band: Name of the new stability (R-23).
        fates: Of its leaders, the military leader first.
    """

    losses: Losses
    stability_before: float
    stability: float
    stability_band: str
    fates: tuple[Fate, ...]


@dataclass(frozen=True, slots=True)
class Aftermath:
    """Everything the receipt tells.

    Args:
        winner: 0 the attacker, 1 the defender.
        hours: The battle's length.
        is_abandoned: It ended with the time limit (R-13).
        is_naval: There was fighting on water (RCPT-01).
        sides: Attacker, defender.
        occupation: The winner's.
    """

    winner: int
    hours: int
    is_abandoned: bool
    is_naval: bool
    sides: tuple[SideAftermath, SideAftermath]
    occupation: Occupation
