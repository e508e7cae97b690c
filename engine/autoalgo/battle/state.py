"""The state of a battle and its constant inputs, as arrays.

Flanks are rows, the attacker's first, then the defender's; types are infantry, cavalry, artillery, ship. The steps of
an hour change `Battle` in place. All fields are numbers or arrays, so that the steps can be compiled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.autoalgo.constants import Constants

Whole = NDArray[np.int64]
Real = NDArray[np.float64]

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
"""The order of an attacker who skips the siege; it fights as Normal (R-100)."""
MANEUVERS = ("Normal", "Position", "Feigned Retreat", "Hit and run", "Pillaging")
"""Names of the codes in `Battle.maneuver` (STRAT-11)."""

HOURS = 0
FIRST_CONTACT = 1
DECIDED = 2
SIEGE_BEGUN = 3
WINNER = 4
FOUGHT_OUT = 5
LINES_CLOSED = 6
"""Indices of `Battle.tally`."""


class Battle(NamedTuple):
    """The state of one battle of `n` flanks.

    Args:
        side: Side, 0 attacker, 1 defender, shape (n,).
        x_m: Metres from the west edge, shape (n,).
        y_m: Metres from the north edge, shape (n,).
        start_x_m: `x_m` at the start, shape (n,).
        start_y_m: `y_m` at the start, shape (n,).
        men: Men present, shape (n,).
        men_start: Men at the start, shape (n,).
        share: Share of each land type in the men, constant (FLK-03), shape (n, 3).
        ships: Ships afloat, shape (n,).
        ships_start: Ships at the start, shape (n,).
        morale: Points of morale, shape (n,).
        morale_start: Points of morale at the start (STRAT-04), shape (n,).
        maneuver: Code in `MANEUVERS`, shape (n,).
        status: Code in `STATUSES`, shape (n,).
        killed: Men killed in action, shape (n,).
        died: Men dead of natural attrition, shape (n,).
        diseased: Men dead of disease (DIS-04), shape (n,).
        captured: Men captured, shape (n,).
        sunk: Ships sunk, shape (n,).
        lost_before: Men killed, dead (of both causes) and captured up to the decision (R-29), shape (n, 3).
        supply_cut: Hour in which the flank's supply was cut, 0 = never, shape (n,).
        side_cut: Hour in which the side's supply was cut off (SUP-03), 0 = never, shape (2,).
        capacity: Present Capacity of each side, after fleet, cuts and siege, shape (2,).
        breach: Share of a breach that is open in the works, from 1 on a whole one (R-101), shape (1,).
        stores: Hours of food that each side has besides what the country gives (R-99), shape (2,).
        fortune_side: Fortune of the day of each side (R-28), shape (2,).
        fortune_flank: Fortune of the day of each flank (R-28), shape (n,).
        fortune_panic: Fortune of the day on the men whom each side demoralises (R-28), shape (2,).
        rests_until: Hour until which a type rests, with the fraction that it carries over (DEC-04, R-65), shape (n, 4).
        rounds_on: Rounds in which the row's flank has attacked the column's (SUP-01), shape (n, n).
        hit_rounds: Attacks of a Hit and run flank since its last run, shape (n,).
        run_rounds: Hours left of the run of a Hit and run flank (MOVE-02), shape (n,).
        high_since: Hour since which the flank is on High ground (R-31), -1 = not on it, shape (n,).
        tally: Counters of the battle, read through the properties below, shape (7,).
    """

    side: Whole
    x_m: Real
    y_m: Real
    start_x_m: Real
    start_y_m: Real
    men: Whole
    men_start: Whole
    share: Real
    ships: Whole
    ships_start: Whole
    morale: Real
    morale_start: Real
    maneuver: Whole
    status: Whole
    killed: Whole
    died: Whole
    diseased: Whole
    captured: Whole
    sunk: Whole
    lost_before: Whole
    supply_cut: Whole
    side_cut: Whole
    capacity: Real
    breach: Real
    stores: Real
    fortune_side: Real
    fortune_flank: Real
    fortune_panic: Real
    rests_until: Real
    rounds_on: Whole
    hit_rounds: Whole
    run_rounds: Whole
    high_since: Whole
    tally: Whole

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
        return int(self.tally[SIEGE_BEGUN])

    @property
    def winner(self) -> int:
        """Return the winning side: 0 attacker, 1 defender, -1 not yet."""
        return int(self.tally[WINNER])


class Traits(NamedTuple):
    """Traits of each flank: its depth, and what follows from its types on land (column 0) and on Water (column 1).

    They are those of the start: the types of a flank and its ships are lost together or not at all.

    Args:
        depth_m: Depth (R-66, R-85), shape (n,).
        speed_kmh: Speed of the slowest type (FLK-01), shape (n, 2).
        reach_m: Farthest range of any type (FLK-02, R-51), shape (n, 2).
        range_m: Range at which men times Power is greatest (R-14), shape (n, 2).
        margin_m: Metres that the flank goes inside that range (R-14), shape (n, 2).
        on_standing: Factor on hits on the flank while it stands on Position (R-86), shape (n,).
    """

    depth_m: Real
    speed_kmh: Real
    reach_m: Real
    range_m: Real
    margin_m: Real
    on_standing: Real


class Orders(NamedTuple):
    """The decisions of all `n` flanks at the start of an hour (DEC, R-12), rewritten each hour.

    Args:
        action: Action, a code of `decision.py`, shape (n,).
        target: Nearest enemy flank, -1 = none, shape (n,).
        distance_m: Metres to the nearest enemy flank, shape (n,).
        ground: Terrain code under the flank, shape (n,).
        weapon: Weapon each type attacks with, 0 long, 1 medium, 2 short, -1 = not ready, shape (n, 4).
        attackers: Number of flanks that attack this flank (R-33), shape (n,).
        turn: The flanks in the order in which they move, then attack (R-12), shape (n,).
        targets: Number of flanks of each side that its enemies may choose, shape (2,).
        target_flank: These flanks, in the order of rows, shape (2, n).
        target_x_m: Their metres from the west edge, brought up to date by every move, shape (2, n).
        target_y_m: Likewise, from the north edge, shape (2, n).
        target_place: Place of each flank among those of its side, -1 = not among them, shape (n,).
    """

    action: Whole
    target: Whole
    distance_m: Real
    ground: Whole
    weapon: Whole
    attackers: Whole
    turn: Whole
    targets: Whole
    target_flank: Whole
    target_x_m: Real
    target_y_m: Real
    target_place: Whole


class Units(NamedTuple):
    """The unit types of both sides and their variables; first axis side, second type.

    Args:
        speed_kmh: Speed in km/h (UNIT-02), shape (2, 4).
        rebound: Rounds of rest after an attack (UNIT-03, UD-06), shape (2, 4).
        shock: Shock, an addition to the chance of a charge (UNIT-04), shape (2, 4).
        range_m: Range in metres of the long, medium and short weapon (UNIT-05 to -07), shape (2, 4, 3).
        power: Power of the long, medium and short weapon (UNIT-08, UD-05), shape (2, 4, 3).
        reach_m: Farthest range of any weapon that is not disabled, shape (2, 4).
        psychology: Men demoralised per man killed (UNIT-09), shape (2, 4).
        dispersion: Distance between men or armour of ships, 1 or more (UNIT-16), shape (2, 4).
        armour: Defense of the unit itself (UNIT-10), shape (2, 4).
        logistics: Rank of the Logistics, higher is more advanced (UNIT-12), shape (2, 4).
        resilience: Rounds before a cut (SUP-02), shape (2, 4).
        efficiency: Efficiency (VAR-EFF), shape (2, 4).
        limitation: Limitation (VAR-LIM), shape (2, 4).
        defense: Defense (VAR-DEF), shape (2, 4).
        effectiveness: Effectiveness (VAR-EFV), shape (2, 4).
        ship_capacity: People that a ship carries, its weight in a flank (UNIT-15, UD-07), shape (2,).
        flank_ratio: Flanks of the side over those that count as they are; 1 if all do (R-85), shape (2,).
        of_flanks: Factor of the number of flanks on the side's hits (R-85), shape (2,).
        has_land_types: 1 where a land type has men, 0 where the men are the crews, shape (2,).
        flees_afloat: 1 where flanks on Water flee on Water alone (R-113), shape (2,).
    """

    speed_kmh: Real
    rebound: Real
    shock: Real
    range_m: Real
    power: Real
    reach_m: Real
    psychology: Real
    dispersion: Real
    armour: Real
    logistics: Whole
    resilience: Whole
    efficiency: Real
    limitation: Real
    defense: Real
    effectiveness: Real
    ship_capacity: Real
    flank_ratio: Real
    of_flanks: Real
    has_land_types: Whole
    flees_afloat: Whole


class Ground(NamedTuple):
    """The terrain map and the factors of its `k` features.

    Args:
        codes: Feature of each pixel, shape (pixels, pixels), row y, column x.
        metres: Metres per pixel (MAP-06).
        speed: Factor on speed, 1 on Water (MAP-08), shape (k,).
        efficiency: Factor on Efficiency, shape (k,).
        limitation: Factor on Limitation, shape (k,).
        is_water: 1 where the ship decides the speed, shape (k,).
        is_high: 1 for High ground (ATK-09), shape (k,).
        is_stronghold: 1 where a defender can be besieged (SIEGE-01), shape (k,).
    """

    codes: NDArray[np.uint8]
    metres: float
    speed: Real
    efficiency: Real
    limitation: Real
    is_water: Whole
    is_high: Whole
    is_stronghold: Whole


class Country(NamedTuple):
    """The supplies, attrition, siege and diseases at the location of the battle.

    Args:
        local_population: People whose supplies feed each side (ATT-02, ATT-03), shape (2,).
        attrition: Attrition constant of the location (ATT-05).
        siege_rate: Siege Rate of the attacker (VAR-SIEGE).
        is_fortified: 1 if the location has fortifications (SIEGE-01).
        is_fed_by_sea: 1 if the defender's ships bring food past the besieger (R-83).
        camp: Least overcrowding of both camps of a siege, by the climate (R-100).
        works: Defense of the fortifications.
        breach_rate: Share of a breach that as many gunners as the garrison open in an hour (R-101).
        walls: Share of the hits that walls stop on those who hold them (R-69).
        outbreak: Chance of an outbreak per man and hour: all factors of DIS-02 but the men, shape (2, 2), exposed
            side, carrier's side.
        severity: Share of men who die per point of the dice: all factors of DIS-03 but men and dice, shape (2, 2),
            exposed side, carrier's side.
    """

    local_population: Real
    attrition: float
    siege_rate: float
    is_fortified: int
    is_fed_by_sea: int
    camp: float
    works: float
    breach_rate: float
    walls: float
    outbreak: Real
    severity: Real


class EndRules(NamedTuple):
    """The ways in which a battle ends.

    Args:
        hours_most: Hours after which the attack is abandoned (R-13).
        ends_at_retreat: 1 if a side loses once all its flanks retreat, 0 if they must be routed (R-29).
    """

    hours_most: int
    ends_at_retreat: int


class Tunables(NamedTuple):
    """The constant inputs of a battle."""

    units: Units
    traits: Traits
    ground: Ground
    country: Country
    end_rules: EndRules
    constants: Constants
