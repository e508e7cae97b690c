"""The inputs of one war: the rows that a request names, checked, with all defaults filled in."""

from __future__ import annotations

from dataclasses import dataclass

from engine.autoalgo.records import Leader, Location, Military, Nation, Unit
from engine.settings import Setting
from engine.terrain import TerrainMap

SIDES = ("Attacker", "Defender")
TYPES = ("infantry", "cavalry", "artillery", "ship")
"""The four unit types, in the order of the `types` axis of every array."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlankOrder:
    """One flank as a strategy row orders it (STRAT).

    Args:
        label: The flank's name; blank for the flank's number.
        x: Pixels from the left edge, 0 to 399; None for the default place.
        y: Pixels from the top edge, likewise.
        infantry: Men in the infantry slot. If all four counts are None on all flanks of a side, its men and ships are
            split evenly (STRAT-02).
        cavalry: Men in the cavalry slot.
        artillery: Men in the artillery slot.
        ships: Number of ships.
        maneuver: Name of the maneuver (STRAT-11).
    """

    label: str = ""
    x: float | None = None
    y: float | None = None
    infantry: int | None = None
    cavalry: int | None = None
    artillery: int | None = None
    ships: int | None = None
    maneuver: str = "Normal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Belligerent:
    """One side of a war.

    Args:
        nation: The nation that fights.
        military: The nation's force, with proportions after MD-03.
        units: Infantry, cavalry, artillery and ship (the transport); None for a type that the military lacks.
        military_leader: The commander, who can be killed (LEAD-10).
        national_leader: The head of state.
        flanks: The strategy; empty for the default three flanks (STRAT-01).
    """

    nation: Nation
    military: Military
    units: tuple[Unit | None, Unit | None, Unit | None, Unit | None]
    military_leader: Leader | None = None
    national_leader: Leader | None = None
    flanks: tuple[FlankOrder, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WarInputs:
    """The inputs of one war.

    Args:
        name: The war's name on the receipt, any text.
        year: Year of the war, -3500 to 2020; BC is negative.
        motive: Motive of the war, one for both sides.
        attacker: The attacking side.
        defender: The defending side, which alone has the location's fortifications (R-03).
        location: Location of the battle; its Terrain names the map unless the request named another.
        terrain: Map of the battle.
        commit_stability: True if the ruling changes database fields (STAB-05).
        settings: Numbers that replace those of the tables in this war (SET-04).
        seed_given: True if the moderator typed the seed; the receipt then names it.
    """

    name: str
    year: int
    motive: str
    attacker: Belligerent
    defender: Belligerent
    location: Location
    terrain: TerrainMap
    commit_stability: bool = True
    settings: tuple[Setting, ...] = ()
    seed_given: bool = False
