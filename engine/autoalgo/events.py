"""What happened in an hour of battle, as numbers (LOG-03): arrays that the steps write and `log.py` words.

The buffer holds one hour; it is handed out when the hour ends and then used again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ATTACK = 0
"""`flank` attacks `target`: `amount` men killed (all of them when its ships go down), `shaken`, at `distance_m`."""
CHARGE = 1
"""`flank` charges `target` from `distance_m` instead of attacking (DEC-06)."""
HIGHER_GROUND = 2
"""`flank` attacks from High ground a `target` that is not on it (ATK-09)."""
RETREATS = 3
"""`flank` starts to rout; `target` is the flank that drove it, -1 for attrition and disease (ATK-07)."""
ROUTED = 4
"""`flank` is out of the battle; `target` as before, also -1 when it leaves the map (ATK-07, MOVE-07)."""
CAPTURED = 5
"""`flank` lays down its arms to `target`: `amount` men (ATK-08)."""
SUNK = 6
"""`flank` goes down under the fire of `target`: `amount` ships (ATK-08, R-17)."""
ATTRITION = 7
"""`flank` loses `amount` men to natural attrition (ATT-05)."""
DISEASE = 8
"""A side loses `amount` men to an outbreak; `target` 0 the attacker's disease, 1 the defender's (DIS-03)."""
WIPED_OUT = 9
"""Attrition or disease took the last man of `flank` (ATT-06)."""
SUPPLY_CUT = 10
"""`flank` cuts the supply of `target` (SUP-01)."""
SIDE_CUT = 11
"""All supplies of a side are cut (SUP-03)."""
SIEGE = 12
"""The siege of a side, the defender, begins (SIEGE-01)."""
DECIDED = 13
"""A side has no flank left that fights (R-29)."""

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
)
"""Name and rule of every kind, in the order of their numbers."""


class Events(NamedTuple):
    """The events of one hour, in the order they happened; only the first `used[0]` rows mean anything.

    Args:
        used: How many, shape (1,).
        hour: Hours since the battle began, the first hour is 1, shape (most,).
        kind: A number of this module, shape (most,).
        side: Whose event it is, 0 attacker, 1 defender, shape (most,).
        flank: Whose event it is, -1 for a whole side, shape (most,).
        target: The other flank, -1 for none, shape (most,).
        amount: Men or ships, shape (most,).
        shaken: Men demoralised, shape (most,).
        distance_m: Metres between the two, shape (most,).
    """

    used: NDArray[np.int64]
    hour: NDArray[np.int64]
    kind: NDArray[np.int64]
    side: NDArray[np.int64]
    flank: NDArray[np.int64]
    target: NDArray[np.int64]
    amount: NDArray[np.float64]
    shaken: NDArray[np.float64]
    distance_m: NDArray[np.float64]


class Happening(NamedTuple):
    """One row of `Events` in plain numbers."""

    hour: int
    kind: int
    side: int
    flank: int
    target: int
    amount: float
    shaken: float
    distance_m: float


def blank_events(flanks: int) -> Events:
    """A buffer that no hour of so many flanks can overflow."""
    most = most_an_hour(flanks)
    return Events(
        used=np.zeros(1, np.int64),
        hour=np.zeros(most, np.int64),
        kind=np.zeros(most, np.int64),
        side=np.zeros(most, np.int64),
        flank=np.zeros(most, np.int64),
        target=np.zeros(most, np.int64),
        amount=np.zeros(most, np.float64),
        shaken=np.zeros(most, np.float64),
        distance_m=np.zeros(most, np.float64),
    )


def most_an_hour(flanks: int) -> int:
    """More events than an hour of so many flanks can have."""
    # A flank acts once (attack, height, its target's retreat, rout or end), is struck by attrition and two diseases
    # and may break after each; a side adds outbreaks, its supply and the decision.
    return 12 * flanks + 16


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


def happenings(events: Events) -> Iterator[Happening]:
    """The events of the hour, one by one."""
    for row in range(int(events.used[0])):
        yield Happening(
            int(events.hour[row]),
            int(events.kind[row]),
            int(events.side[row]),
            int(events.flank[row]),
            int(events.target[row]),
            float(events.amount[row]),
            float(events.shaken[row]),
            float(events.distance_m[row]),
        )
