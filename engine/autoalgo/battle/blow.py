"""The numbers of an attack, each from one formula (ATK-02 to ATK-06): blows of types, men killed and demoralised.

The hour and the lines below an attack use the same functions. Their arguments are records of numbers, which the
events keep for the log.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from engine.autoalgo.constants import R127, Atk05
from engine.calculation import EXACT, POINTS, WHOLE
from engine.rng import whole_by_chance
from engine.rule import Label, part, rule


class UnitBlow(NamedTuple):
    """The numbers of one type's blow in an attack."""

    men: float  # Men of the flank, in the source those of the type; of ships their crews
    share: float  # Share of the type in them, the weight of its blow; 1 in the source and for ships
    aboard: float  # Share of them aboard ships in a battle at sea; else 1
    limitation: float  # Limitation of the type (VAR-LIM)
    on_limitation: float  # Factor of the terrain on it (ATK-02)
    small_flank: float  # Size of the smallest flank that fights like a large one; 0 in a larger flank
    effectiveness: float  # Effectiveness (VAR-EFV)
    power: float  # Power of the weapon (UNIT-08)
    efficiency: float  # Efficiency (VAR-EFF)
    on_efficiency: float  # Factor of the terrain on it (ATK-02)
    die: float  # The die
    defense: float  # Defense of the target (VAR-DEF)
    density: float  # Share of the hits that find a man (UNIT-16)
    walls: float  # Factor of the walls before the target
    side_fortune: float  # Fortune of the day of the side
    flank_fortune: float  # Fortune of the day of the flank
    of_share: float  # Root of the weight of the flank, which follows from its share of the men of its side
    armour: float  # Factor of the target's better armour against weapons of contact
    dispersion: float  # Dispersion of a land type on Water, by which its blow is divided; else 1 (UNIT-16)
    ground: float  # Factor of the ground and works of a target
    open_fire: float  # Factor of a flank on Position against an enemy not yet in range
    getting_round: float  # Factor of a flank that outflanks a slower enemy under attack by others
    feint: float  # Factor of the first blows after a Feigned Retreat
    front: float  # Factor of the front shared by the attackers


class Outflanking(NamedTuple):
    """The numbers of a flank that outflanks a slower enemy whom other flanks hold (R-88)."""

    foot_pace: float  # Pace of the type over that of the enemy, likewise the others
    horse_pace: float
    gun_pace: float
    ship_pace: float
    on_foot: float  # Share of the type in the flank, on Water only ships; likewise the others
    mounted: float
    gunners: float
    afloat: float
    most: float  # Most factor
    held: float  # Share of the enemy's men whom the others hold


class Attack(NamedTuple):
    """The numbers of an attack besides those of its blows."""

    mercy: float  # Factor for a target that retreats (ATK-04)
    contact: float  # Share of the hits that kill, before Mercy; over 1 on a target that retreats
    draw: float  # The draw that rounds the killed to a whole number
    flanking: float  # Factor for a target of several flanks (ATK-05)
    panic: float  # Fortune of the side on panic
    men: float  # Men of the target before it
    morale: float  # Points of morale of the target before it
    up: float  # Share of the hits on a target in the fight that do not kill


class Panic(NamedTuple):
    """The numbers of the panic of a flank broken by an attack."""

    before: float  # Points of morale of the flank before the attack
    fallen: float  # Men killed
    shaken: float  # Men demoralised
    kept: float  # Points of morale left: its breaking point, if friends fight beside it


class Blows(NamedTuple):
    """The blow of each type in an attack."""

    infantry: float
    cavalry: float
    artillery: float
    ship: float


class Hearts(NamedTuple):
    """Psychology of each type, men demoralised for each man killed (UNIT-09)."""

    of_infantry: float
    of_cavalry: float
    of_artillery: float
    of_ship: float


def with_blow(blows: Blows, kind: int, blow: float) -> Blows:
    """Return the blows with that of one type, which is 0 for infantry and the last for ships."""
    if kind == 0:
        return Blows(blow, blows.cavalry, blows.artillery, blows.ship)
    if kind == 1:
        return Blows(blows.infantry, blow, blows.artillery, blows.ship)
    if kind == 2:
        return Blows(blows.infantry, blows.cavalry, blow, blows.ship)
    return Blows(blows.infantry, blows.cavalry, blows.artillery, blow)


@part(factor=Label("terrain", silent=1.0))
def on_terrain(value: float, factor: float) -> float:
    """Return a value from 0 to 1 after a factor of the terrain, at most 1 (ATK-02)."""
    return value if factor == 1.0 else min(value * factor, 1.0)


@part(
    "battalion",
    men=Label("men", POINTS),
    limitation="Limitation",
    small_flank=Label("small flank", silent=0.0),
)
def battalion(men: float, limitation: float, small_flank: float) -> float:
    """Return the number of a type's men who act together, with arguments of `UnitBlow` after terrain (ATK-03, R-32)."""
    if small_flank == 0.0:
        return math.sqrt(men * limitation)
    return min(men * limitation, math.sqrt(small_flank * limitation))


@rule(
    "ATK-02, ATK-03, ATK-04, R-28, R-32, R-69, R-79, R-85, R-86, R-87, R-88, R-89, R-115, R-122, R-123, UNIT-16",
    "blow",
    EXACT,
    men=Label("men", POINTS),
    share=Label("share of the flank", silent=1.0, id="R-123"),
    aboard=Label("aboard", silent=1.0, id="R-122"),
    limitation="Limitation",
    on_limitation=Label("terrain", silent=1.0, id="ATK-02"),
    small_flank=Label("small flank", silent=0.0, id="R-32"),
    effectiveness="Effectiveness",
    power="Power",
    efficiency="Efficiency",
    on_efficiency=Label("terrain", silent=1.0, id="ATK-02"),
    die=Label("die"),
    defense="Defense",
    density=Label("open order", silent=1.0, id="UNIT-16"),
    walls=Label("walls", silent=1.0, id="R-69"),
    side_fortune=Label("fortune of the side", silent=1.0, id="R-28"),
    flank_fortune=Label("fortune of the flank", silent=1.0, id="R-28"),
    of_share=Label("root of its weight", silent=1.0, id="R-85"),
    armour=Label("armour", silent=1.0, id="R-79"),
    dispersion=Label("Dispersion", silent=1.0, id="UNIT-16"),
    ground=Label("ground", silent=1.0, id="R-86"),
    open_fire=Label("open fire", silent=1.0, id="R-87"),
    getting_round=Label("getting round", silent=1.0, id="R-88"),
    feint=Label("feint", silent=1.0, id="R-89"),
    front=Label("front", silent=1.0, id="R-115"),
)
def blow_of(blow: UnitBlow) -> float:
    """Return a type's part in an attack before Mercy."""
    damage = battalion(blow.men * blow.aboard, on_terrain(blow.limitation, blow.on_limitation), blow.small_flank)
    damage *= blow.share * blow.effectiveness * blow.power * on_terrain(blow.efficiency, blow.on_efficiency)
    unprotected = (1.0 - blow.defense) * blow.density * blow.walls
    damage *= blow.die * unprotected * (blow.side_fortune * blow.flank_fortune)
    damage *= blow.of_share * blow.armour / blow.dispersion
    return damage * blow.ground * blow.open_fire * blow.getting_round * blow.feint * blow.front


@rule(
    "ATK-04, R-26, R-127",
    "fall",
    WHOLE,
    infantry=Label("infantry", EXACT),
    cavalry=Label("cavalry", EXACT),
    artillery=Label("artillery", EXACT),
    ship=Label("ship", EXACT),
    mercy=Label("spared by Mercy", silent=1.0),
    contact=Label("in contact", silent=1.0, id="R-127"),
    draw=Label("draw"),
)
def fall(blows: Blows, mercy: float, contact: float, draw: float) -> int:
    """Return the number of men that an attack would kill; arguments of `Attack`."""
    hits = blows.infantry + blows.cavalry + blows.artillery + blows.ship
    return whole_by_chance(hits * mercy * contact, draw)


def share_killed(is_in_contact: bool, flees: bool, psychology: float, numbers: R127) -> float:
    """Return the share of the hits of a type that kill, before Mercy (R-127).

    Args:
        is_in_contact: True for a weapon of contact, on land.
        flees: True if the target retreats.
        psychology: Psychology of the type, at least 1.
    """
    if not is_in_contact:
        return 1.0
    return max(numbers.flight / psychology, 1.0) if flees else min(numbers.stand * psychology, 1.0)


def flanked(others: float, numbers: Atk05) -> float:
    """Return the factor on the demoralised for a target of several flanks (ATK-05).

    Args:
        others: Other flanks against the target (R-33), by their weight (R-85).
    """
    return 1.0 + others * (1.0 / numbers.flanking_divisor)


@rule(
    "ATK-05, R-28, R-127",
    "lose heart",
    EXACT,
    infantry=Label("infantry", EXACT),
    cavalry=Label("cavalry", EXACT),
    artillery=Label("artillery", EXACT),
    ship=Label("ship", EXACT),
    of_infantry="Psychology",
    of_cavalry="Psychology",
    of_artillery="Psychology",
    of_ship="Psychology",
    flanking=Label("flanking", silent=1.0),
    panic=Label("panic", silent=1.0, id="R-28"),
    up=Label("hit and not killed", silent=0.0, id="R-127"),
)
def lose_heart(blows: Blows, hearts: Hearts, flanking: float, panic: float, up: float) -> float:
    """Return the number of men demoralised by an attack, without Mercy (R-36); arguments of `Attack`."""
    shaken = blows.infantry * hearts.of_infantry
    shaken += blows.cavalry * hearts.of_cavalry
    shaken += blows.artillery * hearts.of_artillery
    shaken += blows.ship * hearts.of_ship
    shaken = shaken * flanking * panic
    if up == 0.0:
        return shaken
    return shaken + (blows.infantry + blows.cavalry + blows.artillery + blows.ship) * up


@rule(
    "ATK-06, R-16",
    "morale",
    POINTS,
    before=Label("before", POINTS),
    fallen=Label("fall", WHOLE),
    shaken=Label("lose heart", EXACT),
    a_man="a man",
)
def morale_left(before: float, fallen: float, shaken: float, a_man: float) -> float:
    """Return the points of morale left to a flank after an attack.

    Args:
        fallen: Men killed.
        shaken: Men demoralised.
        a_man: Points of a man.
    """
    return max(before - (fallen + shaken) * a_man, 0.0)


@rule(
    "R-85, R-115",
    "morale beyond",
    POINTS,
    before=Label("before", POINTS),
    fallen=Label("fall", WHOLE),
    shaken=Label("lose heart", EXACT),
    kept=Label("kept", POINTS, silent=0.0, id="R-115"),
    a_man="a man",
)
def morale_beyond(panic: Panic, a_man: float) -> float:
    """Return the points of morale in excess of the target's own loss; arguments of `Panic`."""
    return max((panic.fallen + panic.shaken) * a_man - max(panic.before - panic.kept, 0.0), 0.0)
