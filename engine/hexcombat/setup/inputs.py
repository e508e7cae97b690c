"""Inputs of one combat or of a new turn: the units, their places and their supporters, read and checked."""

from __future__ import annotations

from dataclasses import dataclass

from engine.hexcombat.setup.records import Facility, HexSide, HexUnit, HexUnitType, Terrain
from engine.settings import Setting

ATTACK, SURPRISE, BARRAGE, INTERCEPTION = "Attack", "Surprise contact", "Barrage", "Ground-to-air interception"
NEW_TURN = "New turn"
"""Kinds of a request."""
ALL_TARGETS = "Attack on all targets"
"""Kind of the stored inputs of a forecast without Defender."""
FIRST_TURN = 1
"""The turn that the first New turn of a game ends, unless the moderator typed another (HX-OP-49)."""
FAIR = "Fair"
WILD_WEASEL, RECON, NO_MISSION = "WildWeasel", "Recon", "None"
NO_FACILITY = "None"
LISTS = ("interceptors", "air_defence", "fire_support", "naval_support", "counter_battery")
"""Attributes of the lists of supporting units, in the order of their fire."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HexGround:
    """Hex of a unit or of a barrage."""

    terrain: Terrain  # The hex's terrain
    bridge: bool = False  # True if a road crosses the water there
    mined: bool = False  # True if the hex is a minefield
    blown_city: bool = False  # True if the hex's city has been blown up


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Unit on the board."""

    unit: HexUnit  # The unit's row
    type: HexUnitType  # The row of its type
    ground: HexGround  # The ground under the unit
    transport: HexUnitType | None = None  # The type of its transport; needed when it is mounted (HX-OP-32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Supporter:
    """Unit that fires in support."""

    piece: Piece  # The unit
    distance: int = 1  # The hexes between the unit and its target


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatInputs:
    """Inputs of one combat."""

    name: str  # The name on the receipt; any text
    attacker: Piece  # The unit that starts: the mover in surprise contact, the plane in an interception
    # The unit attacked: the hidden unit in surprise contact, the gun in an interception; in a barrage the hidden unit
    # in the hex, or None.
    defender: Piece | None
    target: HexGround  # The hex that is attacked; the defender's ground if there is a defender
    kind: str = ATTACK  # The kind: Attack, Surprise contact, Barrage or Ground-to-air interception
    turn: int | None = None  # The turn, for print only
    game_turn: int | None = None  # The game's current turn, whose marks count; None in a game without turns (HX-OP-49)
    range: int = 1  # The hexes between attacker and defender (HX-DEF-03)
    map_range: int | None = None  # The hexes by the Hex cells, if the moderator typed another range; else None
    weather: str = FAIR  # The weather: Fair, Overcast, Rain or Snow
    attacker_moved: bool = True  # True if the attacker moved before
    mission: str = NO_MISSION  # The attacker's mission: None, WildWeasel or Recon
    defender_mission: str = NO_MISSION  # The defender's mission: None or Recon
    # Fighter planes of the defender's side, in the order in which they fire (HX-INT).
    interceptors: tuple[Supporter, ...] = ()
    air_defence: tuple[Supporter, ...] = ()  # Guns of the defender's side (HX-AD)
    fire_support: tuple[Supporter, ...] = ()  # Supporting units of the defender's side (HX-FS)
    naval_support: tuple[Supporter, ...] = ()  # A destroyer of the defender's side (HX-NS), at most one
    counter_battery: tuple[Supporter, ...] = ()  # Units that may answer the attacker (HX-CBF); the first one able does
    beside_attacker: tuple[Piece, ...] = ()  # Units of both sides adjacent to the attacker (HX-ODD-E17 ... E19)
    beside_defender: tuple[Piece, ...] = ()  # Units of both sides adjacent to the defender
    retreat_free: bool = True  # True if the defender has a hex to evade, flee or retreat to
    plane_ended: bool = False  # True if the plane's move ends here instead of passing (HX-G2A)
    interceptor_hidden: bool = True  # True if the gun has not been spotted (HX-G2A)
    enemies_beside_defender: int = 1  # The number of enemies adjacent to the defender, for `zoc_evade` (HX-EVA-2)
    facility: str = NO_FACILITY  # The facility in the target hex: None, City, Port, Airfield, Road or Bridge (HX-STR)
    facility_owner: HexSide | None = None  # The facility's side; None without an owner
    facility_row: Facility | None = None  # The facility's row, if there is one
    dice: tuple[int, ...] = ()  # Fixed rolls in drawing order (HX-DEF-24); further ones are drawn
    settings: tuple[Setting, ...] = ()  # The numbers of the tables replaced by this combat (SET-04)
    seed_given: bool = False  # True if the moderator typed the seed; the receipt then prints it


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTurnInputs:
    """Inputs of a new turn."""

    name: str  # The name on the receipt; any text
    turn: int  # The turn that ends
    sides: tuple[HexSide, ...]  # All sides, sorted by name
    units: tuple[HexUnit, ...]  # All active units, sorted by name
    types: tuple[HexUnitType, ...]  # The types of these units, sorted by name
    terrains: tuple[Terrain, ...]  # The terrains of these units, sorted by name
    kind: str = NEW_TURN  # The kind, which distinguishes stored inputs from those of a combat
    settings: tuple[Setting, ...] = ()  # The numbers of the tables that this workbook replaces (SET-04)
    seed_given: bool = False  # True if the moderator typed the seed; the receipt then prints it


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetsInputs:
    """Inputs of a forecast of all targets, which is never ruled (HX-OP-55)."""

    name: str  # The title; any text
    combats: tuple[CombatInputs, ...]  # The attack on each target
    kind: str = ALL_TARGETS  # The kind, which distinguishes stored inputs from those of a combat
    settings: tuple[Setting, ...] = ()  # The numbers of the tables that this workbook replaces (SET-04)


HexInputs = CombatInputs | NewTurnInputs | TargetsInputs
"""Inputs of any request."""
