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


@dataclass(frozen=True, slots=True, kw_only=True)
class HexGround:
    """Hex of a unit or of a barrage.

    Args:
        terrain: The hex's terrain.
        bridge: True if a road crosses the water there.
        mined: True if the hex is a minefield.
        blown_city: True if the hex's city has been blown up.
    """

    terrain: Terrain
    bridge: bool = False
    mined: bool = False
    blown_city: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Unit on the board.

    Args:
        unit: The unit's row.
        type: The row of its type.
        ground: The ground under the unit.
        transport: The type of its transport; needed when it is mounted (HX-OP-32).
    """

    unit: HexUnit
    type: HexUnitType
    ground: HexGround
    transport: HexUnitType | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Supporter:
    """Unit that fires in support.

    Args:
        piece: The unit.
        distance: The hexes between the unit and its target.
    """

    piece: Piece
    distance: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatInputs:
    """Inputs of one combat.

    Args:
        name: The name on the receipt; any text.
        attacker: The unit that starts: the mover in surprise contact, the plane in an interception.
        defender: The unit attacked: the hidden unit in surprise contact, the gun in an interception; in a barrage the
            hidden unit in the hex, or None.
        target: The hex that is attacked; the defender's ground if there is a defender.
        kind: The kind: Attack, Surprise contact, Barrage or Ground-to-air interception.
        turn: The turn, which is printed.
        game_turn: The game's current turn, whose marks count; None in a game without turns (HX-OP-49).
        range: The hexes between attacker and defender (HX-DEF-03).
        weather: The weather: Fair, Overcast, Rain or Snow.
        attacker_moved: True if the attacker moved before.
        mission: The attacker's mission: None, WildWeasel or Recon.
        defender_mission: The defender's mission: None or Recon.
        interceptors: Fighter planes of the defender's side, in the order in which they fire (HX-INT).
        air_defence: Guns of the defender's side (HX-AD).
        fire_support: Supporting units of the defender's side (HX-FS).
        naval_support: A destroyer of the defender's side (HX-NS), at most one.
        counter_battery: Units that may answer the attacker (HX-CBF); the first one able does.
        beside_attacker: Units of both sides adjacent to the attacker (HX-ODD-E17 ... E19).
        beside_defender: Units of both sides adjacent to the defender.
        retreat_free: True if the defender has a hex to evade, flee or retreat to.
        plane_ended: True if the plane's move ends here instead of passing (HX-G2A).
        interceptor_hidden: True if the gun has not been spotted (HX-G2A).
        enemies_beside_defender: The number of enemies adjacent to the defender, for `zoc_evade` (HX-EVA-2).
        facility: The facility in the target hex: None, City, Port, Airfield, Road or Bridge (HX-STR).
        facility_owner: The facility's side; None without an owner.
        facility_row: The facility's row, if there is one.
        dice: Fixed rolls in drawing order (HX-DEF-24); further ones are drawn.
        settings: The numbers of the tables that this combat replaces (SET-04).
        seed_given: True if the moderator typed the seed; the receipt then prints it.
    """

    name: str
    attacker: Piece
    defender: Piece | None
    target: HexGround
    kind: str = ATTACK
    turn: int | None = None
    game_turn: int | None = None
    range: int = 1
    weather: str = FAIR
    attacker_moved: bool = True
    mission: str = NO_MISSION
    defender_mission: str = NO_MISSION
    interceptors: tuple[Supporter, ...] = ()
    air_defence: tuple[Supporter, ...] = ()
    fire_support: tuple[Supporter, ...] = ()
    naval_support: tuple[Supporter, ...] = ()
    counter_battery: tuple[Supporter, ...] = ()
    beside_attacker: tuple[Piece, ...] = ()
    beside_defender: tuple[Piece, ...] = ()
    retreat_free: bool = True
    plane_ended: bool = False
    interceptor_hidden: bool = True
    enemies_beside_defender: int = 1
    facility: str = NO_FACILITY
    facility_owner: HexSide | None = None
    facility_row: Facility | None = None
    dice: tuple[int, ...] = ()
    settings: tuple[Setting, ...] = ()
    seed_given: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTurnInputs:
    """Inputs of a new turn.

    Args:
        name: The name on the receipt; any text.
        turn: The turn that ends.
        sides: All sides, sorted by name.
        units: All active units, sorted by name.
        types: The types of these units, sorted by name.
        terrains: The terrains of these units, sorted by name.
        kind: The kind, by which stored inputs are told from those of a combat.
        settings: The numbers of the tables that this workbook replaces (SET-04).
        seed_given: True if the moderator typed the seed; the receipt then prints it.
    """

    name: str
    turn: int
    sides: tuple[HexSide, ...]
    units: tuple[HexUnit, ...]
    types: tuple[HexUnitType, ...]
    terrains: tuple[Terrain, ...]
    kind: str = NEW_TURN
    settings: tuple[Setting, ...] = ()
    seed_given: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetsInputs:
    """Inputs of a forecast of all targets, which is never ruled (HX-OP-55).

    Args:
        name: The title; any text.
        combats: The attack on each target.
        kind: The kind, by which stored inputs are told from those of a combat.
        settings: The numbers of the tables that this workbook replaces (SET-04).
    """

    name: str
    combats: tuple[CombatInputs, ...]
    kind: str = ALL_TARGETS
    settings: tuple[Setting, ...] = ()


HexInputs = CombatInputs | NewTurnInputs | TargetsInputs
"""Inputs of any request."""
