"""What befalls a realm at the end of its turn: cities that rebel (RL-REB-01) and the event of the turn (RL-RND)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from engine.exact import exact
from engine.realm import formulas
from engine.realm.course import Course
from engine.realm.records import DESERTED, HERO, REBELS, City
from engine.realm.tables import Fate, reached


def rebel(course: Course) -> tuple[str, ...]:
    """RL-REB-01, RL-REB-02: each city may leave the realm; it counts as no city lost (RL-OP-16).

    Returns:
        Those that did.
    """
    chance = formulas.rebellion_chance(exact(course.realm.happiness), course.constants)
    rebelling = []
    for city in course.cities:
        if course.dice.succeeds(chance, "RL-REB-01", "rebels", city.name):
            course.change(city, owner=REBELS, former_owner=city.owner)
            course.note("rebellion", "RL-REB-02", f"{city.name} leaves the realm")
            rebelling.append(city.name)
    return tuple(rebelling)


def befall(course: Course) -> tuple[str, str]:
    """RL-RND-01 ... RL-RND-08: one event for the realm; without a city, unit or hero it has no effect (RL-OP-31).

    Returns:
        Its name, and what it did in words.
    """
    fate = reached(course.tables.fates, course.dice.roll(100, "RL-RND-01", "event of the turn"))
    did = FATES[fate.id](course, fate)
    course.note("event", fate.id, f"{fate.name}{f': {did}' if did else ''}")
    return fate.name, did


def _nothing(course: Course, fate: Fate) -> str:
    return ""


def _fire(course: Course, fate: Fate) -> str:
    """RL-OP-30: twice the income of the city before the fire, the fraction dropped after doubling."""
    city = _city(course, fate.id)
    if city is None:
        return NO_EFFECT
    income = formulas.income(course.realm.tax_rate, city.population, course.constants)
    gold = course.take_gold(course.realm, math.trunc(fate.incomes * income))
    return f"{city.name} {_shrunk(course, city, fate)}, {gold} gold burnt"


def _plague(course: Course, fate: Fate) -> str:
    city = _city(course, fate.id)
    return NO_EFFECT if city is None else f"{city.name} {_shrunk(course, city, fate)}"


def _birth(course: Course, fate: Fate) -> str:
    course.add_happiness(course.realm, fate.amount)
    return f"happiness +{fate.amount}"


def _writer(course: Course, fate: Fate) -> str:
    points = math.trunc(fate.amount)
    course.change(course.realm, fame=course.realm.fame + points)
    return f"fame +{points}"


def _desertion(course: Course, fate: Fate) -> str:
    if not course.armies:
        return NO_EFFECT
    name = course.dice.pick([unit.name for unit in course.armies], fate.id, "which unit deserts")
    course.change(course.unit(name), owner="", fate=DESERTED)
    return f"{name} is gone"


def _prophecy(course: Course, fate: Fate) -> str:
    heroes = [leader for leader in course.sworn if leader.kind == HERO]
    for leader in heroes:
        course.change(leader, loyalty=formulas.bounded(leader.loyal + fate.amount))
    return f"loyalty of {', '.join(it.name for it in heroes)} +{fate.amount}" if heroes else NO_EFFECT


def _attempt(course: Course, fate: Fate) -> str:
    until = course.inputs.turn + 1
    course.change(course.realm, espionage_blocked_until=until)
    return f"no espionage in turn {until}"


NO_EFFECT = "no effect"

FATES: Mapping[str, Callable[[Course, Fate], str]] = {
    "RL-RND-01": _nothing,
    "RL-RND-02": _fire,
    "RL-RND-03": _plague,
    "RL-RND-04": _birth,
    "RL-RND-05": _writer,
    "RL-RND-06": _desertion,
    "RL-RND-07": _prophecy,
    "RL-RND-08": _attempt,
}
"""What each event does, and says that it did."""


def _city(course: Course, id: str) -> City | None:
    names = [city.name for city in course.cities]
    return course.city(course.dice.pick(names, id, "which city")) if names else None


def _shrunk(course: Course, city: City, fate: Fate) -> str:
    after = math.trunc(city.population * (1 - Fraction(fate.amount) / 100))
    course.change(city, population=after)
    return f"from {city.population:,} to {after:,} people"
