"""The inputs of one war: the rows named by a request, checked, with all defaults filled in."""

from __future__ import annotations

from dataclasses import dataclass

from engine.autoalgo.records import Leader, Location, Military, Nation, Unit
from engine.settings import Setting
from engine.share import Share
from engine.terrain import TerrainMap

SIDES = ("Attacker", "Defender")
TYPES = ("infantry", "cavalry", "artillery", "ship")
"""The four unit types, in the order of the `types` axis of every array."""
Count = int | Share | None
"""Men or ships of a flank, a share of the army's (R-124), or None for a blank cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlankOrder:
    """One flank as ordered by a row of a strategy (STRAT)."""

    label: str = ""  # The flank's name; blank for the flank's number
    x: float | None = None  # Pixels from the left edge, 0 to 399; None for the default place
    y: float | None = None  # Pixels from the top edge, likewise
    # Pixels to the east and toward the enemy from the middle of the side's default places: the place in a formation
    # without coordinates (STRAT-13); None for another flank.
    offset: tuple[float, float] | None = None
    # Men in the infantry slot. If all four counts are None on all flanks of a side, its men and ships are split evenly
    # (STRAT-02); blank ships beside typed men as the men are.
    infantry: Count = None
    cavalry: Count = None  # Men in the cavalry slot
    artillery: Count = None  # Men in the artillery slot
    ships: Count = None  # Number of ships
    maneuver: str = "Normal"  # Name of the maneuver (STRAT-11)


@dataclass(frozen=True, slots=True, kw_only=True)
class Belligerent:
    """One army of a side of a war, with its nation; the other armies of the side are allies of its leader's (R-130)."""

    nation: Nation  # The nation that fights
    military: Military  # The nation's force, with proportions after MD-03
    # Infantry, cavalry, artillery and ship (the transport); None for a type that the military lacks.
    units: tuple[Unit | None, Unit | None, Unit | None, Unit | None]
    military_leader: Leader | None = None  # The commander, who can be killed (LEAD-10)
    national_leader: Leader | None = None  # The head of state
    flanks: tuple[FlankOrder, ...] = ()  # The strategy; empty for the default three flanks (STRAT-01)
    estimate: str = ""  # The typed size of a force without a row, `large` or `~5000`; else blank
    party: str = ""  # Party of the nation that fights in a civil war, `rebels`; blank for the nation itself
    # The other armies of the side, of its nation or of others, in the order of their names; none has allies itself.
    allies: tuple[Belligerent, ...] = ()

    @property
    def member(self) -> str:
        """Return the belligerent's name: the nation's, with its party in a civil war, `Norden (rebels)` (R-133)."""
        return f"{self.nation.name} ({self.party})" if self.party else self.nation.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """Blank cells of a row filled with the usual values of an Age (NAT-29)."""

    side: str  # The side whose Age it is
    tab: str  # The tab of the row
    age: str
    columns: tuple[str, ...]  # The headers of the cells
    member: str = ""  # The ally that owns the rows; blank for the side's leader


@dataclass(frozen=True, slots=True, kw_only=True)
class Relief:
    """An army that comes to a besieged garrison (WAR-19)."""

    men: int  # Number of men; 0 if none comes
    day: int  # Day of the siege on which it comes, from 1; 0 if none comes


@dataclass(frozen=True, slots=True, kw_only=True)
class WarInputs:
    """The inputs of one war."""

    name: str  # The war's name on the receipt, any text
    year: int  # Year of the war, -3500 to 2100; BC is negative
    motive: str  # Motive of the war, one for both sides
    month: str | None = None  # Month of the war; None if not typed, which counts as no winter
    relief: Relief | None = None  # The typed relief of a siege; None leaves it to luck
    attacker: Belligerent  # The attacking side
    defender: Belligerent  # The defending side, which alone has the location's fortifications
    location: Location  # Location of the battle; its Terrain names the map unless the request named another
    terrain: TerrainMap  # Map of the battle
    commit_stability: bool = True  # True if the ruling changes database fields (STAB-05)
    # True if the wounded return right after the battle; False where the year's ruling returns them.
    wounded_return: bool = True
    settings: tuple[Setting, ...] = ()  # Numbers of the tables replaced in this war (SET-04)
    seed_given: bool = False  # True if the moderator typed the seed; the receipt then names it
    taken_for: str = ""  # Attackers' nation that receives the place if they take it; blank for the leader's (R-131)
    presets: tuple[Preset, ...] = ()  # Cells filled by the Ages of the nations
