"""The events of a battle as arrays of numbers (LOG-03), which `log.py` turns into sentences.

The arrays are a buffer for some hours, read and then reused. Only a ruling keeps the terms of its events (VAR-05).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.autoalgo.battle.blow import Attack, Outflanking, UnitBlow
from engine.autoalgo.battle.state import SHIP, Real, SiegeDay, Whole, blank

(ATTACK, CHARGE, HIGHER_GROUND, RETREATS, ROUTED, CAPTURED, SUNK) = range(7)
(ATTRITION, DISEASE, WIPED_OUT, SUPPLY_CUT, SIDE_CUT, SIEGE, DECIDED) = range(7, 14)
(SICKENED, PANIC, STARVED_OUT, STORES_OUT, SALLY, BREACH, STORM) = range(14, 21)
(TERMS_MADE, TAKEN, LIFTED, FELL, REPULSED, RELIEVED, SHIPS_LOST) = range(21, 28)
(RELIEF, RELIEF_FELL, FELL_TO_RELIEF, FELL_IN_SALLY, FOUND) = range(28, 33)
"""Numbers of the kinds of events, which `KINDS` describes."""

LEFT_MAP = -2
"""The target of ROUTED for a flank that leaves the map (MOVE-07)."""


class EventKind(NamedTuple):
    """A kind of event."""

    name: str
    id: str  # The id of its rule
    sentence: str  # With names of the log's `WORDS` in braces; blank for one told with the event before it


KINDS = tuple(
    EventKind(*kind)
    for kind in (
        ("attack", "ATK-04", "{flank} attacks {target} at {metres}: {fall}{panic}"),
        ("charge", "DEC-06", "{flank} charges {target} from {metres}"),
        ("higher ground", "ATK-09", "{flank} has the higher ground over {target}"),
        ("starts to rout", "ATK-07", "{flank} starts to rout{driven}"),
        ("fully routed", "ATK-07", "{flank} {routed}{driven}"),
        ("captured", "ATK-08", "{flank} lays down its arms to {target}: {men} captured"),
        ("ships sunk", "ATK-08", "{flank} goes down under {target}: {ships} sunk"),
        ("natural attrition", "ATT-05", "{flank} loses {men} to hunger and hardship"),
        ("disease outbreak", "DIS-03", "{disease} breaks out among the men of {side}: {die}"),
        ("wiped out by attrition", "ATT-06", "the last men of {flank} are dead of hunger and disease"),
        ("supply cut", "SUP-01", "{flank} cuts the supply of {target}"),
        ("side's supply cut off", "SUP-03", "every flank of {side} is cut off from its supply"),
        ("siege begins", "SIEGE-01", "the siege of {side} by {enemy} begins"),
        ("battle decided", "R-29", "no flank of {side} is left to fight"),
        ("dead of disease", "DIS-03", ""),
        ("panic", "R-85", "{flank} sees {target} break: {shaken}"),
        ("starved out", "R-100", "{flank} lays down its arms for hunger: {men} captured"),
        ("stores empty", "R-99", "the stores of {side} are eaten, and hunger begins"),
        ("sally", "R-100", "the garrison of {side} comes out to fight"),
        ("breach", "R-101", "a breach is open in the works of {side}"),
        ("storm", "R-100", "{side} storm{s} the works of {enemy}"),
        ("terms", "R-100", "{flank} yields on terms: {men} captured"),
        ("taken with the works", "R-100", "{flank} is taken with the works: {men} captured"),
        ("siege lifted", "R-100", "{side} lift{s} the siege"),
        ("killed in the siege", "R-100", "{flank} loses {men} in the fight for the works"),
        ("beaten off", "R-100", "{side} beat{s} {enemy} off"),
        ("siege relieved", "R-100", "{side} lift{s} the siege before an army of relief"),
        ("ships lost", "R-122", "{flank} can no longer crew {ships}, sunk or taken"),
        ("relief", "WAR-19", "{men} come to relieve {side}"),
        ("killed of the relief", "WAR-19", "the relief of {side} loses {men}"),
        ("killed by the relief", "WAR-19", "{flank} loses {men} in the fight against the relief"),
        ("killed in the sally", "R-100", "{flank} loses {men} in the sally"),
        ("ambush found", "R-118", "{enemy} finds the ambush of {side}"),
    )
)
"""Every kind of event, indexed by its number."""


class Toll(NamedTuple):
    """The numbers of deaths from hunger, disease or a fight for works, 0 where they play no part."""

    men: float  # Men of the flank; with DISEASE the men exposed
    draw: float  # The draw that rounds men to a whole number; with DISEASE the draw of the outbreak
    die: float  # Die of attrition or of a disease (ATT-05, DIS-03)
    share: float  # Overcrowding, or the share of the men who die (ATT-04, DIS-03, R-100)
    side_men: float  # Men of the side that natural attrition strikes (ATT-04)
    capacity: float  # Capacity of that side
    unfed: float  # Share of a side in a siege without incoming supplies
    days: float  # Its days of food


class SiegeStart(NamedTuple):
    """The numbers of a siege that begins (R-100)."""

    garrison: float
    capacity: float  # Capacity of the garrison's side
    gunners: float  # Gunners outside
    besiegers: float
    besiegers_capacity: float
    outside: float  # Share of the defender's men outside
    draw: float


SIEGE_DRAWS = len(SiegeDay._fields)
"""Place behind the numbers of a `SiegeDay`: the draws of a side's mind and of its fight, and the men of who yields."""
WEAPONS = len(Attack._fields)
"""Place behind the numbers of an `Attack`: the weapon of each type, -1 for none."""
BLOW = len(UnitBlow._fields)
OUTFLANKING = WEAPONS + SHIP + 1
"""Place behind those: an `Outflanking`."""
BLOWS = OUTFLANKING + len(Outflanking._fields)
"""Place behind it: a `UnitBlow` for each type, one behind the other."""
TERMS = BLOWS + (SHIP + 1) * BLOW
"""Number of terms of an event."""


class Events(NamedTuple):
    """The events of some hours in order; only the first `used[0]` rows are valid."""

    used: Whole  # Number of events, shape (1,)
    hour: Whole  # Hour of the battle, from 1; 0 is before the first hour, shape (rows,)
    kind: Whole  # Kind of event, a number of this module, shape (rows,)
    side: Whole  # Side of the event, 0 attacker, 1 defender, shape (rows,)
    flank: Whole  # Flank of the event, -1 for a whole side, shape (rows,)
    target: Whole  # The other flank, -1 for none; with DISEASE the carrier's side, shape (rows,)
    amount: Real  # Number of men or ships, shape (rows,)
    shaken: Real  # Men demoralised, shape (rows,)
    distance_m: Real  # Metres between the two flanks, shape (rows,)
    # The terms of the event's numbers, shape (rows, TERMS), or (0, TERMS) if not wanted.
    terms: Real


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
    return blank(Events, rows, used=1, terms=(rows if with_terms else 0, TERMS))


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


def keep(events: Events, place: int, numbers: Sequence[float] | Whole) -> None:
    """Keep terms of the event noted next, from a place on, if terms are wanted (VAR-05)."""
    if events.terms.shape[0] > 0:
        terms = events.terms[events.used[0]]
        for number in range(len(numbers)):
            terms[place + number] = numbers[number]


def happenings(events: Events) -> Iterator[Happening]:
    """Yield the events of a buffer, one by one."""
    rows = int(events.used[0])
    terms = events.terms[:rows].tolist() or [()] * rows
    columns = (column[:rows].tolist() for column in events[1:-1])
    for row in zip(*columns, terms, strict=True):
        yield Happening(*row)
