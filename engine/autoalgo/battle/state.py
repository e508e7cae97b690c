"""The state of a battle and its constant inputs, as arrays.

Flanks are rows, the attacker's first, then the defender's; types are infantry, cavalry, artillery, ship. The steps of
an hour change `Battle` in place. All fields are numbers or arrays, so that the steps can be compiled.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from engine.autoalgo.constants import Constants

Whole = NDArray[np.int64]
Real = NDArray[np.float64]
Arrays = TypeVar("Arrays", bound=tuple[Any, ...])
Shape = int | tuple[int, ...]

ATTACKER = 0
DEFENDER = 1
LAND_TYPES = 3
SHIP = 3
"""Index of the ship among the four types."""

IDLE = 0
READY = 1
RETREATING = 2
ROUTED = 3
INACTIVE = 4
STATUSES = ("Idle", "Ready", "Retreating", "Routed", "Inactive")
"""Names of the codes in `Battle.status` (STRAT-10)."""

NORMAL = 0
POSITION = 1
FEIGNED_RETREAT = 2
HIT_AND_RUN = 3
PILLAGING = 4
STORM = "Storm"
"""The order of an attacker to skip the siege; it fights as Normal (R-100)."""
IN_AMBUSH = 5
AMBUSH = "Ambush"
"""The order of a flank that starts in cover, beyond its half too; once it springs it fights as Normal (R-118)."""
MANEUVERS = ("Normal", "Position", "Feigned Retreat", "Hit and run", "Pillaging", AMBUSH)
"""Names of the codes in `Battle.maneuver` (STRAT-11)."""

HOURS = 0
FIRST_CONTACT = 1
DECIDED = 2
SIEGE_BEGUN = 3
WINNER = 4
"""Indices of `Battle.tally`."""
NO_SIEGE = -1
"""Value of `SIEGE_BEGUN` after the attack of works without a siege (R-100)."""


def blank(record: type[Arrays], shape: Shape, **others: Shape) -> Arrays:
    """Return a record of arrays of zeros in the types of its fields, in one shape except for `others`."""
    kinds = _kinds_of(record)
    return record(*(np.zeros(others.get(name, shape), kind) for name, kind in kinds.items()))


@cache
def _kinds_of(record: type) -> Mapping[str, Any]:
    return {name: np.int64 if kind == Whole else np.float64 for name, kind in get_type_hints(record).items()}


class Battle(NamedTuple):
    """The state of one battle of `n` flanks."""

    side: Whole  # Side, 0 attacker, 1 defender, shape (n,)
    army: Whole  # Index of its army in `Units`: the side for a leader's, then the allies' (R-130), shape (n,)
    nation: Whole  # Index of its nation: the side for a leader's, then the allied ones, shape (n,)
    x_m: Real  # Metres from the west edge, shape (n,)
    y_m: Real  # Metres from the north edge, shape (n,)
    start_x_m: Real  # `x_m` at the start, shape (n,)
    start_y_m: Real  # `y_m` at the start, shape (n,)
    men: Whole  # Men present, shape (n,)
    men_start: Whole  # Men at the start, shape (n,)
    share: Real  # Share of each land type in the men, constant (FLK-03), shape (n, 3)
    ships: Whole  # Ships afloat, shape (n,)
    ships_start: Whole  # Ships at the start, shape (n,)
    morale: Real  # Points of morale, shape (n,)
    morale_start: Real  # Points of morale at the start (STRAT-04), shape (n,)
    maneuver: Whole  # Code in `MANEUVERS`, shape (n,)
    status: Whole  # Code in `STATUSES`, shape (n,)
    killed: Whole  # Men killed in action, shape (n,)
    died: Whole  # Men dead of natural attrition, shape (n,)
    diseased: Whole  # Men dead of disease (DIS-04), shape (n,)
    captured: Whole  # Men captured, shape (n,)
    sunk: Whole  # Ships sunk, shape (n,)
    pursued: Whole  # Of `killed`, men hit while their flank fled, shape (n,)
    lost_before: Whole  # Men killed, dead (of both causes) and captured up to the decision, shape (n,)
    supply_cut: Whole  # Hour in which the flank's supply was cut, 0 = never, shape (n,)
    side_cut: Whole  # Hour in which the side's supply was cut off (SUP-03), 0 = never, shape (2,)
    outbreaks: Whole  # Outbreaks in each side of the attacker's disease and of another, shape (2, 2)
    capacity: Real  # Present Capacity of each side, after fleet, cuts and siege, shape (2,)
    breach: Real  # Share of a breach open in the works, a whole one from 1 on, shape (1,)
    stores: Real  # Hours of food of each side beyond the country's, shape (2,)
    fortune_side: Real  # Fortune of the day of each side, shape (2,)
    fortune_flank: Real  # Fortune of the day of each flank, shape (n,)
    fortune_panic: Real  # Fortune of the day of each side on the demoralised, shape (2,)
    # Hour until which a type rests, with the fraction carried over (DEC-04, R-65), shape (n, 4).
    rests_until: Real
    rounds_on: Whole  # Rounds in which the row's flank has attacked the column's (SUP-01), shape (n, n)
    hit_rounds: Whole  # Attacks of a Hit and run flank since its last run, shape (n,)
    run_rounds: Whole  # Hours left of the run of a Hit and run flank (MOVE-02), shape (n,)
    tally: Whole  # Counters of the battle, read through the properties below, shape (5,)

    @property
    def hours(self) -> int:
        """Return the number of hours fought."""
        return int(self.tally[HOURS])

    @property
    def first_contact_hour(self) -> int:
        """Return the hour of the first attack, 0 = none (R-29)."""
        return int(self.tally[FIRST_CONTACT])

    @property
    def decided_hour(self) -> int:
        """Return the hour in which one side had no fighting flank left, 0 = none (R-29)."""
        return int(self.tally[DECIDED])

    @property
    def siege_begun(self) -> int:
        """Return the hour in which the siege began, 0 = none (SIEGE-01)."""
        return max(int(self.tally[SIEGE_BEGUN]), 0)

    @property
    def winner(self) -> int:
        """Return the winning side: 0 attacker, 1 defender, -1 not yet."""
        return int(self.tally[WINNER])


class Traits(NamedTuple):
    """Traits of each flank: its depth, and values by its types on land (column 0) and on Water (column 1).

    They are those of the start, because the types of a flank and its ships are lost together, and no attacker takes
    or leaves Position (R-121).
    """

    depth_m: Real  # Depth, shape (n,)
    speed_kmh: Real  # Speed (R-123, FLK-01, FLK-04, R-50), shape (n, 2)
    shock: Real  # Shock, likewise
    reach_m: Real  # Farthest range of a type with enough men to count (FLK-02, R-51, R-87), shape (n, 2)
    range_m: Real  # Range at which men times Power is greatest, shape (n, 2)
    margin_m: Real  # Metres that the flank goes inside that range, shape (n, 2)
    ground: Real  # Factor of ground on hits on the flank on Position, and in motion, shape (n, 2)
    defense: Real  # Defense (R-123, FLK-04, R-37), shape (n, 2)
    density: Real  # Share of hits that find a man (UNIT-16), shape (n, 2)
    armour: Real  # Defense of the units themselves, averaged over the men, shape (n,)
    of_side: Real  # Share of the flank in the men of its side, shape (n,)
    weight: Real  # That share over the one of three even flanks; in the source the share of its army, shape (n,)


class Orders(NamedTuple):
    """The decisions of all `n` flanks at the start of an hour (DEC, R-12), rewritten each hour."""

    action: Whole  # Action, a code of `decision.py`, shape (n,)
    target: Whole  # Enemy flank sought, -1 = none, shape (n,)
    distance_m: Real  # Metres to it, shape (n,)
    ground: Whole  # Terrain code under the flank, shape (n,)
    weapon: Whole  # Weapon each type attacks with, 0 long, 1 medium, 2 short, -1 = not ready, shape (n, 4)
    attackers: Whole  # Number of flanks against this flank, shape (n,)
    attacking: Real  # Likewise, by their weight, shape (n,)
    pressing: Real  # Share of their army against this flank, shape (n,)
    front: Real  # Factor of the front on hits of this flank, shape (n,)
    turn: Whole  # The flanks that move, then those that attack, in their order, shape (n,)
    targets: Whole  # Number of flanks of each side that its enemies may choose, shape (2,)
    target_flank: Whole  # These flanks, in the order of rows, shape (2, n)
    target_x_m: Real  # Their metres from the west edge, brought up to date by every move, shape (2, n)
    target_y_m: Real  # Likewise, from the north edge, shape (2, n)
    target_place: Whole  # Place of each flank among those of its side, -1 = not among them, shape (n,)


class Units(NamedTuple):
    """The unit types of all `a` armies and their variables; first axis army (R-130), second type."""

    speed_kmh: Real  # Speed in km/h (UNIT-02), shape (a, 4)
    rebound: Real  # Rounds of rest after an attack (UNIT-03, UD-06), shape (a, 4)
    shock: Real  # Shock, an addition to the chance of a charge (UNIT-04), shape (a, 4)
    range_m: Real  # Range in metres of the long, medium and short weapon (UNIT-05 to -07), shape (a, 4, 3)
    power: Real  # Power of the long, medium and short weapon (UNIT-08, UD-05), shape (a, 4, 3)
    reach_m: Real  # Farthest range of any weapon that is not disabled, shape (a, 4)
    psychology: Real  # Men demoralised per man killed (UNIT-09), shape (a, 4)
    dispersion: Real  # Distance between men or armour of ships, 1 or more (UNIT-16), shape (a, 4)
    armour: Real  # Defense of the unit itself (UNIT-10), shape (a, 4)
    logistics: Whole  # Rank of the Logistics, higher is more advanced (UNIT-12), shape (a, 4)
    resilience: Whole  # Rounds before a cut (SUP-02), shape (a, 4)
    efficiency: Real  # Efficiency (VAR-EFF), shape (a, 4)
    limitation: Real  # Limitation (VAR-LIM), shape (a, 4)
    defense: Real  # Defense (VAR-DEF), shape (a, 4)
    open_defense: Real  # Defense without field works, shape (a, 4)
    effectiveness: Real  # Effectiveness (VAR-EFV), shape (a, 4)
    ship_capacity: Real  # People that a ship carries, its weight in a flank (UNIT-15, UD-07), shape (a,)
    aboard: Real  # Berths of the side's ships over its men in a battle at sea; 1 on a map with land, shape (2,)
    has_land_types: Whole  # 1 where a land type has men, 0 where the men are the crews, shape (a,)
    flees_afloat: Whole  # 1 where flanks on Water flee on Water alone, shape (a,)


class Ground(NamedTuple):
    """The terrain map and the factors of its `k` features."""

    codes: NDArray[np.uint8]  # Feature of each pixel, shape (pixels, pixels), row y, column x
    metres: float  # Metres per pixel (MAP-06)
    speed: Real  # Factor on speed, 1 on Water (MAP-08), shape (k,)
    efficiency: Real  # Factor on Efficiency, shape (k,)
    limitation: Real  # Factor on Limitation, shape (k,)
    is_water: Whole  # 1 where the ship decides the speed, shape (k,)
    is_high: Whole  # 1 for High ground (ATK-09), shape (k,)
    is_stronghold: Whole  # 1 where a defender can be besieged (SIEGE-01), shape (k,)


class Country(NamedTuple):
    """The supplies, attrition, siege and diseases at the location of the battle."""

    local_population: Real  # People whose supplies feed each side (ATT-02, ATT-03), shape (2,)
    attrition: float  # Attrition constant of the location (ATT-05)
    siege_rate: float  # Siege Rate of the attacker (VAR-SIEGE)
    is_fortified: int  # 1 if the location has fortifications (SIEGE-01)
    storming: float  # Share of the attacker's men on Storm
    berths: float  # Capacity in people of the defender's ships past the besiegers', by water and fleets (R-100)
    relief: float  # Number of men that the defender's nation can arm besides this army (MAX-01, R-100)
    coming: float  # Number of men of a typed relief (WAR-19, R-100)
    relief_day: int  # Day of the siege on which it comes; 0 for none
    relief_quality: float  # Its Efficiency over that of the besiegers
    quality: float  # Superiority of the besiegers: Efficiency, commanders, and the ground of the garrison
    camp: float  # Hardship of siege camps, by climate and season
    breach_rate: float  # Share of a breach per hour by as many gunners as the garrison
    walls: float  # Share of hits stopped by walls
    # Chance of an outbreak per man and hour: all factors of DIS-02 but the men, shape (2, 2), exposed side, carrier's
    # side.
    outbreak: Real
    # Share of men who die per point of the dice: all factors of DIS-03 but men and dice, shape (2, 2), exposed side,
    # carrier's side.
    severity: Real
    other_disease: int  # 1 if the defender's nation carries another disease than the attacker's


class SiegeDay(NamedTuple):
    """The state of a siege that decides a day (R-100)."""

    besiegers: float  # Number of fit besiegers
    garrison: float  # Men in the works
    quality: float  # Superiority of the besiegers
    walls: float  # Share of the walls' protection (R-69) that no breach has opened
    opened: float  # Share of the works opened by a breach
    unfed_besiegers: float  # Share of the besiegers not fed by the country
    unfed_garrison: float  # Share of the garrison without incoming supplies
    days_besiegers: float  # Days of food that the besiegers have
    days_garrison: float  # Days of food that the garrison has
    relief: float  # Number of men that the defender's nation can arm besides this army
    lost: float  # Share of the besiegers dead, sick to death or killed
    arrived: float  # Share of the reasons to leave present on this day
    coming: float  # Number of men of a typed relief who come on this day
    relief_quality: float  # Its Efficiency over that of the besiegers


class EndRules(NamedTuple):
    """The ways to end a battle."""

    hours_most: int  # Time limit of an attack in hours
    siege_hours: int  # Time limit of a siege in hours
    ends_at_retreat: int  # 1 if a side loses once all its flanks retreat, 0 if they must be routed


class Tunables(NamedTuple):
    """The constant inputs of a battle."""

    units: Units
    traits: Traits
    ground: Ground
    country: Country
    end_rules: EndRules
    constants: Constants
