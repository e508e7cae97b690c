"""What may come of an order by drawing: the same dice as rulings, one after the other; nobody wins (RL-OP-44)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from engine.forecast import Kinds, Measure, Replicates
from engine.luck import Luck
from engine.realm.course import Course
from engine.realm.inputs import PROCESS_REBELS, PROCESS_TURN, OrderInputs
from engine.realm.loyalty import LOYAL
from engine.realm.orders import ORDERS
from engine.realm.rebels import uprising
from engine.realm.records import Leader
from engine.realm.tables import Tables
from engine.realm.turn import process

NOBODY, SOMEBODY = "nobody", "comes"
RISEN = "rise"

Figures = Mapping[str, tuple[float, str]]
Words = Mapping[str, str]


def replicates(order: OrderInputs, tables: Tables, seed: int, first: int, count: int) -> Replicates:
    """Some courses of one order, counted from `first`; the one with number 0 is the ruling of that seed.

    Args:
        order: Read and checked.
        tables: The workbook's own numbers already in place.
        seed: 0 to 2**64 - 1.
        first: Number of the first.
        count: How many, at least 1.
    """
    found = [_played(order, tables, Luck(seed, first + it)) for it in range(count)]
    units = {name: unit for name, (_, unit) in found[0][0].items()}
    names = _names(order, tables)
    return Replicates(
        None,
        {
            name: Measure(np.array([numbers[name][0] for numbers, _ in found], np.float64), unit)
            for name, unit in units.items()
        },
        {
            what: Kinds(np.array([known.index(words[what]) for _, words in found], np.int64), known)
            for what, known in names.items()
        },
        tuple(name for name in HEADLINES if name in units),
    )


HEADLINES = ("Treasury", "Happiness", "Population", "Risen")


def _played(order: OrderInputs, tables: Tables, luck: Luck) -> tuple[Figures, Words]:
    course = Course(order, tables, luck)
    if order.order == PROCESS_REBELS:
        return {"Risen": (len(uprising(course).raised), "units")}, {"Outcome": RISEN}
    if order.order == PROCESS_TURN:
        turn = process(course)
        words = {
            "Event": turn.event,
            "A leader": turn.arrived or NOBODY,
            "Mercenaries": SOMEBODY if turn.mercenaries else NOBODY,
            **{name: action.partition(" (")[0] for name, action in turn.actions.items()},
        }
        return _of_realm(course), words
    ORDERS[order.order].carry_out(course)
    return _of_realm(course) | _of_target(course), {"Outcome": course.outcome}


def _of_realm(course: Course) -> dict[str, tuple[float, str]]:
    realm = course.realm
    found: dict[str, tuple[float, str]] = {
        "Treasury": (realm.treasury, "gold"),
        "Happiness": (realm.happiness, "per cent"),
    }
    if course.inputs.order == PROCESS_TURN:
        cities = course.cities
        found["Population"] = (sum(city.population for city in cities), "people")
        found["Cities"] = (len(cities), "cities")
        found["Units"] = (len(course.armies), "units")
        found["Fame"] = (realm.fame, "fame")
        for leader in course.inputs.leaders:
            if _has_loyalty(leader, course):
                found[f"Loyalty of {leader.name}"] = (course.now(leader).loyal, "per cent")
    else:
        found["Agents"] = (realm.agents, "agents")
    return found


def _has_loyalty(leader: Leader, course: Course) -> bool:
    return leader.is_sworn and leader.employer == course.realm.name


def _of_target(course: Course) -> dict[str, tuple[float, str]]:
    """What the other realm, or the leader in question, is left with."""
    found: dict[str, tuple[float, str]] = {}
    if course.inputs.agents and course.inputs.target_realm is not None:
        other = course.target_realm
        found["Target's treasury"] = (other.treasury, "gold")
        found["Target's happiness"] = (other.happiness, "per cent")
        found["Target's agents"] = (other.agents, "agents")
    for leader in course.inputs.leaders:
        if leader.is_sworn:
            found[f"Loyalty of {leader.name}"] = (course.now(leader).loyal, "per cent")
    return found


def _names(order: OrderInputs, tables: Tables) -> Mapping[str, tuple[str, ...]]:
    """Every word that can occur, the same for each chunk."""
    if order.order == PROCESS_REBELS:
        return {"Outcome": (RISEN,)}
    if order.order == PROCESS_TURN:
        assert order.realm is not None
        actions = (LOYAL, *(action.name for action in reversed(tables.actions)))
        sworn = (it for it in order.leaders if it.is_sworn and it.employer == order.realm.name)
        return {
            "Event": tuple(fate.name for fate in reversed(tables.fates)),
            "A leader": tuple(dict.fromkeys((NOBODY, *order.legends, *order.heroes))),
            "Mercenaries": (NOBODY, SOMEBODY),
            **{leader.name: actions for leader in sworn},
        }
    return {"Outcome": ORDERS[order.order].outcomes}


def likeliest(found: Replicates) -> str:
    """The most likely course: the commonest word of each kind, and the middle of the headline numbers."""
    words = [f"{what}: {_commonest(kinds)}" for what, kinds in found.words.items()]
    numbers = [f"{name} {_middle(found.numbers[name].values.tolist()):g}" for name in found.headlines]
    return "Most likely " + ", ".join((*words, *numbers))


def _commonest(kinds: Kinds) -> str:
    counts = [int(np.count_nonzero(kinds.codes == code)) for code in range(len(kinds.names))]
    return kinds.names[counts.index(max(counts))]


def _middle(values: Sequence[float]) -> float:
    return sorted(values)[math.floor((len(values) - 1) / 2)]
