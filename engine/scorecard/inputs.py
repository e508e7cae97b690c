"""What one war is made of: two sides and the place, read and checked."""

from __future__ import annotations

from dataclasses import dataclass

from engine.scorecard.records import Leader, Nation
from engine.settings import Setting

ATTACKER, DEFENDER = "Attacker", "Defender"
SIDES = (ATTACKER, DEFENDER)
LEADS = "L"
"""The letter of the nation that leads a side."""


@dataclass(frozen=True, slots=True)
class Belligerent:
    """One nation on a side's list (SC-04).

    Args:
        name: Any text; it need not be in the database.
        letters: From LMSVW in any order; each one counts, a repeated one again (SC-OP-25).
    """

    name: str
    letters: str

    def __str__(self) -> str:
        """`Portugal (V)`."""
        return f"{self.name} ({self.letters})" if self.letters else self.name


@dataclass(frozen=True, slots=True)
class Override:
    """A moderator's points in place of a factor's own.

    Args:
        factor: The factor's id: `SC-01`.
        points: Any number.
    """

    factor: str
    points: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a war.

    Args:
        side: `Attacker` or `Defender`.
        nation: Whose scores count.
        location: Label of SC-01, or its points, 0 to 5.
        motive: The one told to the army (SC-05).
        tactical: Label of SC-02, or its level: 1 to 5, an attacker 1 to 2.
        belligerents: The list of SC-04; empty means the nation itself as leader (SC-OP-03).
        navy_nearby: Half of SC-09's condition.
        general: The commander (SC-03).
        soldiers: More than 0; None when unknown (SC-OP-11).
        declared_at: UTC time `HH:MM`; needed unless `chance` is given.
        opponent_edits: At least 1; None takes the opponent nation's own count (SC-OP-21).
        chance: 0 to 9, the moderator's, in place of SC-11.
        general_roll: 0 to 9, the moderator's, in place of a drawn one.
        leader_killed: The moderator's ruling (SC-OP-07).
        overrides: At most one for each factor.
    """

    side: str
    nation: Nation
    location: str | float
    motive: str
    tactical: str | float
    belligerents: tuple[Belligerent, ...] = ()
    navy_nearby: bool = False
    general: Leader | None = None
    soldiers: float | None = None
    declared_at: str | None = None
    opponent_edits: int | None = None
    chance: int | None = None
    general_roll: int | None = None
    leader_killed: bool = False
    overrides: tuple[Override, ...] = ()

    @property
    def title(self) -> str:
        """`France (Defender)`."""
        return f"{self.nation.name} ({self.side})"

    @property
    def listed(self) -> tuple[Belligerent, ...]:
        """The list of SC-04; a blank one is the nation itself as leader of the side (SC-OP-03)."""
        return self.belligerents or (Belligerent(self.nation.name, LEADS),)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreInputs:
    """One war. The sides have their names, not the order of their rows: that changes nothing (invariant 12).

    Args:
        name: On the receipt; any text.
        attacker: The side that brings the war.
        defender: The side that holds at a tie.
        date: Any text, printed only.
        near_water: Half of SC-09's condition.
        beach_landing: Lifts the defender's tactical level to at least high ground (SC-02a).
        attacking_countries: X of SC-21; None counts it from the attacker's list (SC-OP-10).
        territory_taken: The winner's, in per cent, 0 to 100, before SC-20 and SC-22.
        settings: Single numbers of the tables that this war is scored with otherwise (SET-04).
        seed_given: The moderator typed the seed; the receipt names it.

    Raises:
        ValueError: A side stands in the other's place.
    """

    name: str
    attacker: Side
    defender: Side
    date: str = ""
    near_water: bool = False
    beach_landing: bool = False
    attacking_countries: int | None = None
    territory_taken: float | None = None
    settings: tuple[Setting, ...] = ()
    seed_given: bool = False

    def __post_init__(self) -> None:
        found = (self.attacker.side, self.defender.side)
        if found != SIDES:
            raise ValueError(f"a war has an Attacker and a Defender in their places, not {' and '.join(found)}")
