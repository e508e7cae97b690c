"""What one war is made of: the rows a request names, read and checked, with every default filled in."""

from __future__ import annotations

from dataclasses import dataclass

from engine.autoalgo.records import Leader, Location, Military, Nation, Unit
from engine.settings import Setting
from engine.terrain import TerrainMap

SIDES = ("Attacker", "Defender")
TYPES = ("infantry", "cavalry", "artillery", "ship")
"""The four unit types in the order of every array: axis `types`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlankOrder:
    """One flank as the strategy orders it (STRAT).

    Args:
        label: Its name; blank is numbered by the rules.
        x: Pixels from the left edge, 0 to 399; None takes the default place.
        y: Pixels from the top edge.
        infantry: Men; a side on whose flanks all four counts are blank is divided evenly (STRAT-02).
        cavalry: Men.
        artillery: Men.
        ships: Ships.
        maneuver: STRAT-11.
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
        military: Its force; proportions as in the rules after MD-03.
        units: Infantry, cavalry, artillery, ship; None where the military has no such type. The last is the transport.
        military_leader: The commander, who can die (LEAD-10).
        national_leader: The head of state.
        flanks: The strategy; empty means the default three flanks (STRAT-01).
    """

    nation: Nation
    military: Military
    units: tuple[Unit | None, Unit | None, Unit | None, Unit | None]
    military_leader: Leader | None = None
    national_leader: Leader | None = None
    flanks: tuple[FlankOrder, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WarInputs:
    """One war.

    Args:
        name: On the receipt; any text.
        year: -3500 to 2020.
        motive: One for both sides.
        attacker: The side that attacks.
        defender: The side that has the fortifications (R-03).
        location: Where; its Terrain is the map's name unless the request named another.
        terrain: The map.
        commit_stability: Whether the ruling changes database fields (STAB-05).
        settings: Numbers of the tables that this war is fought with otherwise (SET-04).
        seed_given: The moderator typed the seed; the receipt says so.
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
