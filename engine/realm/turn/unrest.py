"""End of a realm's turn: rebelling cities (RL-REB-01) and the event of the turn (RL-RND)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from engine.exact import exact
from engine.realm.setup import formulas
from engine.realm.setup.records import DESERTED, HERO, REBELS, City
from engine.realm.setup.tables import RandomEvent, reached
from engine.realm.turn.course import Course


def rebel(course: Course) -> tuple[str, ...]:
    """Roll for each city to leave the realm; return those that do, uncounted (RL-REB-01, RL-REB-02, RL-OP-16)."""
    chance = formulas.rebellion_chance(exact(course.realm.happiness), course.constants)
    rebelling = []
    for city in course.cities:
        if course.dice.succeeds(chance, "RL-REB-01", "rebels", city.name):
            course.change(city, owner=REBELS, former_owner=city.owner)
            course.note("rebellion", "RL-REB-02", f"{city.name} leaves the realm")
            rebelling.append(city.name)
    return tuple(rebelling)


def draw_event(course: Course) -> tuple[str, str]:
    """Draw one event for the realm and return its name and its effect in words (RL-RND-01 ... RL-RND-08, RL-OP-31)."""
    fate = reached(course.tables.fates, course.dice.roll(100, "RL-RND-01", "event of the turn"))
    effect = FATES[fate.id](course, fate)
    course.note("event", fate.id, f"{fate.name}{f': {effect}' if effect else ''}")
    return fate.name, effect


def _nothing(course: Course, fate: RandomEvent) -> str:
    return ""


def _fire(course: Course, fate: RandomEvent) -> str:
    """Burn twice the income of the city before the fire, rounded down after doubling (RL-OP-30)."""
    city = _city(course, fate.id)
    if city is None:
        return NO_EFFECT
    income = formulas.income(course.realm.tax_rate, city.population, course.constants)
    gold = course.take_gold(course.realm, math.trunc(fate.incomes * income))
    return f"{city.name} {_shrunk(course, city, fate)}, {gold} gold burnt"


def _plague(course: Course, fate: RandomEvent) -> str:
    city = _city(course, fate.id)
    return NO_EFFECT if city is None else f"{city.name} {_shrunk(course, city, fate)}"


def _birth(course: Course, fate: RandomEvent) -> str:
    course.add_happiness(course.realm, fate.amount)
    return f"happiness +{fate.amount}"


def _writer(course: Course, fate: RandomEvent) -> str:
    points = math.trunc(fate.amount)
    course.change(course.realm, fame=course.realm.fame + points)
    return f"fame +{points}"


def _desertion(course: Course, fate: RandomEvent) -> str:
    if not course.armies:
        return NO_EFFECT
    name = course.dice.pick([unit.name for unit in course.armies], fate.id, "which unit deserts")
    course.change(course.unit(name), owner="", fate=DESERTED)
    return f"{name} is gone"


def _prophecy(course: Course, fate: RandomEvent) -> str:
    heroes = [leader for leader in course.sworn if leader.kind == HERO]
    for leader in heroes:
        course.change_loyalty(leader, lambda loyalty: loyalty + fate.amount)
    return f"loyalty of {', '.join(leader.name for leader in heroes)} +{fate.amount}" if heroes else NO_EFFECT


def _attempt(course: Course, fate: RandomEvent) -> str:
    until = course.inputs.turn + 1
    course.change(course.realm, espionage_blocked_until=until)
    return f"no espionage in turn {until}"


NO_EFFECT = "no effect"

FATES: Mapping[str, Callable[[Course, RandomEvent], str]] = {
    "RL-RND-01": _nothing,
    "RL-RND-02": _fire,
    "RL-RND-03": _plague,
    "RL-RND-04": _birth,
    "RL-RND-05": _writer,
    "RL-RND-06": _desertion,
    "RL-RND-07": _prophecy,
    "RL-RND-08": _attempt,
}
"""Functions of the events by rule id; each returns its effect in words."""


def _city(course: Course, id: str) -> City | None:
    names = [city.name for city in course.cities]
    return course.city(course.dice.pick(names, id, "which city")) if names else None


def _shrunk(course: Course, city: City, fate: RandomEvent) -> str:
    after = math.trunc(city.population * (1 - Fraction(fate.amount) / 100))
    course.change(city, population=after)
    return f"from {city.population:,} to {after:,} people"
