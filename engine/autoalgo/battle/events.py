"""The events of a battle as arrays of numbers (LOG-03), which `log.py` turns into sentences.

The arrays are a buffer for some hours, read and then reused. Only a ruling keeps the terms of its events (VAR-05).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.autoalgo.battle.blow import Attack, Panic, UnitBlow
from engine.autoalgo.battle.state import SHIP, SiegeDay, Whole

ATTACK = 0
"""`flank` attacks `target`: `amount` men killed (all of them when its ships go down), `shaken`, at `distance_m`."""
CHARGE = 1
"""`flank` charges `target` from `distance_m` instead of attacking (DEC-06)."""
HIGHER_GROUND = 2
"""`flank` attacks from High ground a `target` that is not on it (ATK-09)."""
RETREATS = 3
"""`flank` starts to rout; `target` is the flank that drove it, -1 for attrition and disease (ATK-07)."""
ROUTED = 4
"""`flank` is routed; `target` as with RETREATS, or LEFT_MAP (ATK-07, MOVE-07)."""
CAPTURED = 5
"""`flank` lays down its arms to `target`: `amount` men (ATK-08)."""
SUNK = 6
"""`flank` goes down under the fire of `target`: `amount` ships (ATK-08, R-17)."""
ATTRITION = 7
"""`flank` loses `amount` men to natural attrition (ATT-05)."""
DISEASE = 8
"""A side loses `amount` men to an outbreak; `target` is 0 for the attacker's disease, 1 for the defender's (DIS-03)."""
WIPED_OUT = 9
"""Attrition or disease killed the last man of `flank` (ATT-06)."""
SUPPLY_CUT = 10
"""`flank` cuts the supply of `target` (SUP-01)."""
SIDE_CUT = 11
"""All flanks of a side have their supply cut (SUP-03)."""
SIEGE = 12
"""The siege of the defender begins (SIEGE-01)."""
DECIDED = 13
"""A side has no flank left that fights (R-29)."""
SICKENED = 14
"""`flank` loses `amount` men to the outbreak before it; only noted where terms are kept (DIS-03)."""
PANIC = 15
"""`flank` sees `target` of its own side break, and `shaken` of its men lose heart too (R-85)."""
STARVED_OUT = 16
"""`flank` of a besieged garrison lays down its arms for hunger: `amount` men (R-100)."""
STORES_OUT = 17
"""A side has eaten what its men carried, and hunger begins (R-99)."""
SALLY = 18
"""A besieged garrison comes out to fight (R-100)."""
BREACH = 19
"""A breach is open in the works of a side (R-101)."""
STORM = 20
"""A side storms the works of the other (R-100)."""
TERMS_MADE = 21
"""`flank` of a worn garrison yields on terms: `amount` men are captured (R-100)."""
TAKEN = 22
"""`flank` is taken with the works that were stormed: `amount` men (R-100)."""
LIFTED = 23
"""A besieger lifts the siege (R-100)."""
FELL = 24
"""`flank` loses `amount` men in a storm or a sally (R-100)."""
REPULSED = 25
"""A side beats off a storm or a sally (R-100)."""
RELIEVED = 26
"""A besieger goes before an army of relief (R-100)."""
SHIPS_LOST = 27
"""`flank` cannot crew `amount` ships any more, which are sunk or taken (R-128)."""

KINDS_OF_UNITS = SHIP + 1
"""Infantry, cavalry, artillery and ships."""

LEFT_MAP = -2
"""The target of ROUTED for a flank that leaves the map (MOVE-07)."""

KINDS: tuple[tuple[str, str], ...] = (
    ("attack", "ATK-04"),
    ("charge", "DEC-06"),
    ("higher ground", "ATK-09"),
    ("starts to rout", "ATK-07"),
    ("fully routed", "ATK-07"),
    ("captured", "ATK-08"),
    ("ships sunk", "ATK-08"),
    ("natural attrition", "ATT-05"),
    ("disease outbreak", "DIS-03"),
    ("wiped out by attrition", "ATT-06"),
    ("supply cut", "SUP-01"),
    ("side's supply cut off", "SUP-03"),
    ("siege begins", "SIEGE-01"),
    ("battle decided", "R-29"),
    ("dead of disease", "DIS-03"),
    ("panic", "R-85"),
    ("starved out", "R-100"),
    ("stores empty", "R-99"),
    ("sally", "R-100"),
    ("breach", "R-101"),
    ("storm", "R-100"),
    ("terms", "R-100"),
    ("taken with the works", "R-100"),
    ("siege lifted", "R-100"),
    ("killed in the siege", "R-100"),
    ("beaten off", "R-100"),
    ("siege relieved", "R-100"),
    ("ships lost", "R-128"),
)
"""Name and rule of every kind of event, indexed by its number."""


MEN = 0
"""Men of the flank that wastes away or is ill; with DISEASE the men exposed."""
DRAW = 1
"""The draw that rounds men to a whole number (R-26); with DISEASE the draw of the outbreak."""
DIE = 2
"""Die of attrition or of a disease (ATT-05, DIS-03)."""
SHARE = 3
"""Overcrowding, or the share of the men who die of a disease (ATT-04, DIS-03)."""
SIDE_MEN, CAPACITY = 4, 5
"""Men and Capacity of a side that natural attrition strikes (ATT-04)."""
UNFED, DAYS_OF_FOOD = 6, 7
"""Share of a side that nothing feeds in a siege, and its days of food (R-100)."""
SIEGE_DRAWS = 15
"""Number of numbers of a `SiegeDay`; behind them, what decided it: the draws of a side's mind and of its fight."""
WHO_YIELD = SIEGE_DRAWS + 2
"""Men of a flank that yields (R-100)."""
SIEGE_MEN, SIEGE_CAPACITY, SIEGE_GUNNERS, SIEGE_BESIEGERS, BESIEGERS_CAPACITY = 0, 1, 2, 3, 4
"""Garrison and its Capacity when a siege begins, the gunners and the besiegers before it, and their Capacity."""
STRUCK = 2
"""Place of the first number of an `Attack`."""
WEAPON = STRUCK + len(Attack._fields)
"""Of an attack, for each of the four types: its weapon, -1 for none."""
BLOWS = WEAPON + KINDS_OF_UNITS
"""Place of the first number of the four `UnitBlow`s of an attack, one behind the other."""
BLOW = len(UnitBlow._fields)
"""Number of numbers of a blow."""
OF_PANIC = len(Panic._fields)
"""Number of numbers of a panic."""
TERMS = BLOWS + KINDS_OF_UNITS * BLOW
"""Number of terms of an event."""


class Events(NamedTuple):
    """The events of some hours in order; only the first `used[0]` rows are valid."""

    used: NDArray[np.int64]  # Number of events, shape (1,)
    hour: NDArray[np.int64]  # Hour of the battle, from 1; 0 is before the first hour, shape (rows,)
    kind: NDArray[np.int64]  # Kind of event, a number of this module, shape (rows,)
    side: NDArray[np.int64]  # Side of the event, 0 attacker, 1 defender, shape (rows,)
    flank: NDArray[np.int64]  # Flank of the event, -1 for a whole side, shape (rows,)
    target: NDArray[np.int64]  # The other flank, -1 for none; with DISEASE the carrier's side, shape (rows,)
    amount: NDArray[np.float64]  # Number of men or ships, shape (rows,)
    shaken: NDArray[np.float64]  # Men demoralised, shape (rows,)
    distance_m: NDArray[np.float64]  # Metres between the two flanks, shape (rows,)
    # The terms of the event's numbers, shape (rows, TERMS), or (0, TERMS) if not wanted.
    terms: NDArray[np.float64]


class Happening(NamedTuple):
    """One row of `Events` as Python numbers."""

    hour: int
    kind: int
    side: int
    flank: int
    target: int
    amount: float
    shaken: float
    distance_m: float
    terms: Sequence[float] = ()


def blank_events(flanks: int, spare: int = 0, *, with_terms: bool = False) -> Events:
    """Return an empty buffer for any hour of a number of flanks and `spare` more events, optionally with terms."""
    rows = most_an_hour(flanks) + spare
    return Events(
        used=np.zeros(1, np.int64),
        hour=np.zeros(rows, np.int64),
        kind=np.zeros(rows, np.int64),
        side=np.zeros(rows, np.int64),
        flank=np.zeros(rows, np.int64),
        target=np.zeros(rows, np.int64),
        amount=np.zeros(rows, np.float64),
        shaken=np.zeros(rows, np.float64),
        distance_m=np.zeros(rows, np.float64),
        terms=np.zeros((rows if with_terms else 0, TERMS), np.float64),
    )


def most_an_hour(flanks: int) -> int:
    """Return an upper bound of the number of events in an hour of a number of flanks."""
    # A flank acts once (attack, higher ground, its target's retreat, rout or end, and that of a flank that panics), has
    # losses by attrition and two diseases, may retreat or rout after each, and may be starved out; a side adds
    # outbreaks, supply and the decision.
    return 16 * flanks + 16


def note(
    events: Events,
    hour: int,
    kind: int,
    side: int,
    flank: int,
    target: int,
    amount: float,
    shaken: float,
    distance_m: float,
) -> None:
    """Append one event."""
    row = events.used[0]
    events.hour[row] = hour
    events.kind[row] = kind
    events.side[row] = side
    events.flank[row] = flank
    events.target[row] = target
    events.amount[row] = amount
    events.shaken[row] = shaken
    events.distance_m[row] = distance_m
    events.used[0] = row + 1


def keep(events: Events, term: int, value: float) -> None:
    """Keep a term of the event noted next, if terms are wanted (VAR-05)."""
    if events.terms.shape[0] > 0:
        events.terms[events.used[0], term] = value


def keep_siege(events: Events, day: SiegeDay, mind: float, fight: float) -> None:
    """Keep the deciding numbers of the siege event noted next: a `SiegeDay`, and the draws of mind and fight."""
    if events.terms.shape[0] > 0:
        terms = events.terms[events.used[0]]
        for place in range(SIEGE_DRAWS):
            terms[place] = day[place]
        terms[SIEGE_DRAWS] = mind
        terms[SIEGE_DRAWS + 1] = fight


def keep_blow(events: Events, kind: int, blow: UnitBlow) -> None:
    """Keep the numbers of one type's blow in the attack noted next."""
    if events.terms.shape[0] > 0:
        terms = events.terms[events.used[0]]
        for place in range(BLOW):
            terms[BLOWS + kind * BLOW + place] = blow[place]


def keep_attack(events: Events, weapons: Whole, attack: Attack) -> None:
    """Keep the numbers of the attack noted next, with the weapons of its types."""
    if events.terms.shape[0] > 0:
        terms = events.terms[events.used[0]]
        for kind in range(BLOWS - WEAPON):
            terms[WEAPON + kind] = weapons[kind]
        for place in range(WEAPON - STRUCK):
            terms[STRUCK + place] = attack[place]


def keep_panic(events: Events, panic: Panic) -> None:
    """Keep the numbers of the panic noted next."""
    if events.terms.shape[0] > 0:
        for place in range(OF_PANIC):
            events.terms[events.used[0], place] = panic[place]


def happenings(events: Events) -> Iterator[Happening]:
    """Yield the events of a buffer, one by one."""
    rows = int(events.used[0])
    terms = events.terms[:rows].tolist() or [()] * rows
    columns = (column[:rows].tolist() for column in events[1:-1])
    for row in zip(*columns, terms, strict=True):
        yield Happening(*row)
