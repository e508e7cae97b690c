"""What one combat is made of: the units, where they stand, who supports whom, read and checked."""

from __future__ import annotations

from dataclasses import dataclass

from engine.hexcombat.records import Facility, Side, Terrain, Unit, UnitType
from engine.settings import Setting

ATTACK, SURPRISE, BARRAGE, INTERCEPTION = "Attack", "Surprise contact", "Barrage", "Ground-to-air interception"
"""Kinds of a request."""
FAIR = "Fair"
WILD_WEASEL, RECON, NO_MISSION = "WildWeasel", "Recon", "None"
NO_FACILITY = "None"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """The hex a unit stands in, or a barrage falls on.

    Args:
        terrain: Its terrain.
        bridge: A road crosses the water there.
        mined: It is a minefield.
        blown_city: Its city has been blown up.
    """

    terrain: Terrain
    bridge: bool = False
    mined: bool = False
    blown_city: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A unit on the board.

    Args:
        unit: Its row.
        type: Its type's row.
        ground: Where it stands.
        transport: Its transport's type; needed when it is mounted (HX-OP-32).
    """

    unit: Unit
    type: UnitType
    ground: Ground
    transport: UnitType | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Supporter:
    """A unit that fires in support.

    Args:
        piece: The unit.
        distance: Hexes to what it fires at.
    """

    piece: Piece
    distance: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatInputs:
    """One combat.

    Args:
        name: On the receipt; any text.
        attacker: Who starts it: the mover in surprise contact, the plane in an interception.
        defender: Who is attacked: the hidden unit in surprise contact, the gun in an interception; in a barrage the
            hidden unit in the hex, None when it is empty.
        target: The hex that is attacked; the defender's ground when there is a defender.
        kind: Attack, Surprise contact, Barrage or Ground-to-air interception.
        turn: Printed only.
        range: Hexes between the two (HX-DEF-03).
        weather: Fair, Overcast, Rain or Snow.
        attacker_moved: Whether it moved before.
        mission: The attacker's: None, WildWeasel or Recon.
        defender_mission: None or Recon.
        interceptors: Fighters of the defender's side, in the order in which they fire (HX-INT).
        air_defence: Guns of the defender's side (HX-AD).
        fire_support: Of the defender's side (HX-FS).
        naval_support: A destroyer of the defender's side (HX-NS); at most one.
        counter_battery: Who may answer the attacker (HX-CBF); the first that is able does.
        beside_attacker: Units adjacent to the attacker, of both sides (HX-ODD-E17 ... E19).
        beside_defender: Units adjacent to the defender, of both sides.
        retreat_free: Whether the defender has a hex to evade, flee or retreat to.
        plane_ended: The plane's move ends here, instead of passing (HX-G2A).
        interceptor_hidden: The gun has not been spotted (HX-G2A).
        enemies_beside_defender: For `zoc_evade` (HX-EVA-2).
        facility: None, City, Port, Airfield, Road or Bridge in the target hex (HX-STR).
        facility_owner: Its side; None when nobody owns it.
        facility_row: Its row, where there is one.
        dice: Fixed rolls in drawing order (HX-DEF-24); what they do not reach is drawn.
        settings: Single numbers of the tables that this combat is ruled with otherwise (SET-04).
        seed_given: The moderator typed the seed; the receipt names it.
    """

    name: str
    attacker: Piece
    defender: Piece | None
    target: Ground
    kind: str = ATTACK
    turn: int | None = None
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
    facility_owner: Side | None = None
    facility_row: Facility | None = None
    dice: tuple[int, ...] = ()
    settings: tuple[Setting, ...] = ()
    seed_given: bool = False
