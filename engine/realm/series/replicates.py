"""Repeated draws of one order, with the same dice as rulings; there is no winner (RL-OP-44)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from engine.forecast import Kinds, Measure, Replicates
from engine.realm.orders.orders import ORDERS
from engine.realm.setup.inputs import PROCESS_ALL, PROCESS_REBELS, PROCESS_TURN, OrderInputs
from engine.realm.setup.tables import RealmTables
from engine.realm.turn.all_turns import AllTurns
from engine.realm.turn.course import Course
from engine.realm.turn.loyalty import LOYAL
from engine.realm.turn.rebels import uprising
from engine.realm.turn.turn import process
from engine.rng import Rng

NOBODY, SOMEBODY = "nobody", "comes"
RISEN = "rise"

Figures = Mapping[str, tuple[float, str]]
Words = Mapping[str, str]


def replicates(order: OrderInputs, tables: RealmTables, seed: int, first: int, count: int) -> Replicates:
    """Return `count` courses of one order, numbered from `first`; number 0 is the ruling of that seed."""
    results = [_play(order, tables, Rng(seed, first + number)) for number in range(count)]
    units = {name: unit for name, (_, unit) in results[0][0].items()}
    names = _names(order, tables)
    return Replicates(
        None,
        {
            name: Measure(np.array([numbers[name][0] for numbers, _ in results], np.float64), unit)
            for name, unit in units.items()
        },
        {
            label: Kinds(np.array([known.index(words[label]) for _, words in results], np.int64), known)
            for label, known in names.items()
        },
        tuple(name for name in units if name.partition(" of ")[0] in HEADLINES),
    )


HEADLINES = ("Treasury", "Happiness", "Population", "Risen")


def _play(order: OrderInputs, tables: RealmTables, rng: Rng) -> tuple[Figures, Words]:
    if order.order == PROCESS_ALL:
        turns = AllTurns(order, tables, rng)
        turns.process()
        return _all_figures(turns), {}
    course = Course(order, tables, rng)
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
        return _realm_figures(course), words
    ORDERS[order.order].carry_out(course)
    return _realm_figures(course) | _target_figures(course), {"Outcome": course.outcome}


def _all_figures(turns: AllTurns) -> Figures:
    return {
        f"{name} of {course.realm.name}": figure
        for course, _ in sorted(turns.turns, key=lambda processed: processed[0].realm.name)
        for name, figure in _realm_figures(course).items()
        if name in HEADLINES
    }


def _realm_figures(course: Course) -> dict[str, tuple[float, str]]:
    realm = course.realm
    figures: dict[str, tuple[float, str]] = {
        "Treasury": (realm.treasury, "gold"),
        "Happiness": (realm.happiness, "per cent"),
    }
    if course.inputs.order == PROCESS_TURN:
        cities = course.cities
        figures["Population"] = (sum(city.population for city in cities), "people")
        figures["Cities"] = (len(cities), "cities")
        figures["Units"] = (len(course.armies), "units")
        figures["Fame"] = (realm.fame, "fame")
        for leader in course.inputs.leaders:
            if leader.is_sworn and leader.employer == course.realm.name:
                figures[f"Loyalty of {leader.name}"] = (course.now(leader).loyal, "per cent")
    else:
        figures["Agents"] = (realm.agents, "agents")
    return figures


def _target_figures(course: Course) -> dict[str, tuple[float, str]]:
    """Return the figures of the other realm and of the leaders concerned."""
    figures: dict[str, tuple[float, str]] = {}
    if course.inputs.agents and course.inputs.target_realm is not None:
        other = course.target_realm
        figures["Target's treasury"] = (other.treasury, "gold")
        figures["Target's happiness"] = (other.happiness, "per cent")
        figures["Target's agents"] = (other.agents, "agents")
    for leader in course.inputs.leaders:
        if leader.is_sworn:
            figures[f"Loyalty of {leader.name}"] = (course.now(leader).loyal, "per cent")
    return figures


def _names(order: OrderInputs, tables: RealmTables) -> Mapping[str, tuple[str, ...]]:
    """Return all words that can occur, the same for each chunk."""
    if order.order == PROCESS_ALL:
        return {}
    if order.order == PROCESS_REBELS:
        return {"Outcome": (RISEN,)}
    if order.order == PROCESS_TURN:
        actions = (LOYAL, *(action.name for action in reversed(tables.actions)))
        course = Course(order, tables, Rng(seed=0))
        sworn = [leader for leader in course.sworn if course.is_due(leader)]
        return {
            "Event": tuple(fate.name for fate in reversed(tables.fates)),
            "A leader": tuple(dict.fromkeys((NOBODY, *order.legends, *order.heroes))),
            "Mercenaries": (NOBODY, SOMEBODY),
            **{leader.name: actions for leader in sworn},
        }
    return {"Outcome": ORDERS[order.order].outcomes}


def likeliest(results: Replicates) -> str:
    """Return the most frequent word of each kind and the median of the headline numbers."""
    words = [f"{label}: {_most_frequent(kinds)}" for label, kinds in results.words.items()]
    numbers = [f"{name} {_median(results.numbers[name].values.tolist()):g}" for name in results.headlines]
    return "Most likely " + ", ".join((*words, *numbers))


def _most_frequent(kinds: Kinds) -> str:
    counts = [int(np.count_nonzero(kinds.codes == code)) for code in range(len(kinds.names))]
    return kinds.names[counts.index(max(counts))]


def _median(values: Sequence[float]) -> float:
    return sorted(values)[math.floor((len(values) - 1) / 2)]
