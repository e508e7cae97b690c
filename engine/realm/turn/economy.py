"""Taxes, happiness, growth, healing and experience (RL-TAX, RL-POP, RL-HEA, RL-EXP)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from engine.exact import exact, printed
from engine.realm.setup import formulas
from engine.realm.setup.constants import RealmConstants
from engine.realm.setup.records import RealmLeader
from engine.realm.turn.course import Course, ruler_type
from engine.realm.turn.loyalty import pay_of
from engine.receipt import counted
from engine.rule import Label, named


@dataclass(frozen=True, slots=True)
class Taxes:
    """Income and happiness of a turn (RL-TAX)."""

    income: int  # The income in gold
    pay_due: Fraction  # The leaders' pay due (RL-OP-27)
    pay: int  # The part of it paid from the treasury
    base: Fraction  # The base happiness
    battles: Fraction  # The points for battles
    cities: Fraction  # The points for cities
    happiness: Fraction  # The happiness afterwards


def collect(course: Course) -> Taxes:
    """Add income to the treasury and move happiness towards its base (RL-TAX-01 ... RL-TAX-05)."""
    constants, realm, order = course.constants, course.realm, course.inputs
    people = sum(city.population for city in course.cities)
    income = math.trunc(formulas.income(realm.tax_rate, people, constants))
    course.change(realm, treasury=realm.treasury + income)
    course.note("income", "RL-TAX-01", f"income {income} of {people:,} people at {realm.tax_rate} %", income)
    pay_due = sum((exact(pay_of(leader)) for leader in filter(course.is_due, course.sworn)), Fraction(0))
    pay = course.take_gold(realm, math.trunc(pay_due)) if constants.charge_leader_pay else 0
    if constants.charge_leader_pay:
        course.note("pay", "RL-OP-27", f"leaders are paid {pay} of {printed(pay_due)}", -pay)
    base = formulas.base_happiness(realm.tax_rate, constants)
    battles = formulas.battle_points(order.battles_won, order.battles_lost, constants)
    cities = formulas.city_points(order.cities_captured, order.cities_lost, constants)
    moved = formulas.moved_happiness(exact(realm.happiness), base + battles + cities, constants)
    happiness = formulas.capped_happiness(moved, constants)
    course.change(realm, happiness=float(happiness))
    points = {"base": base, "battles": battles, "cities": cities}
    of_turn = sum(named(number, Label(name)) for name, number in points.items())
    steps = (
        (formulas.battle_points, order.battles_won, order.battles_lost, constants),
        (formulas.city_points, order.cities_captured, order.cities_lost, constants),
        (formulas.moved_happiness, exact(realm.happiness), of_turn, constants),
        (formulas.capped_happiness, moved, constants),
    )
    says = ", ".join(f"{name} {printed(number)}" for name, number in points.items())
    course.note("happiness", "RL-TAX-05", f"happiness becomes {printed(happiness)} ({says})", happiness, *steps)
    return Taxes(income, pay_due, pay, base, battles, cities, happiness)


def grow(course: Course) -> None:
    """Change the population of each city of the realm, rounded down (RL-POP-01)."""
    asked = growth_asked(course)
    factor = formulas.growth_factor(*asked)
    for city in course.cities:
        after, step = math.trunc(city.population * factor), (formulas.growth_factor, *asked)
        course.change(city, population=after)
        course.note("growth", "RL-POP-01", f"{city.name}: {city.population:,} people become {after:,}", after, step)


def growth_asked(course: Course) -> tuple[Fraction, Fraction, RealmConstants]:
    """Return the arguments of the growth factor at the present happiness."""
    nation = course.inputs.nation
    return exact(course.realm.happiness), exact(nation.growth if nation else 0), course.constants


def heal(course: Course) -> None:
    """Roll for each wounded army and leader to regain a point of health (RL-HEA-01)."""
    for unit in course.processed_armies:
        if _heals(course, unit.name, unit.health, course.max_health(unit)):
            course.change(unit, health=(unit.health or 0) + 1)
    for leader in course.processed_leaders:
        if _heals(course, leader.name, leader.health, max_health(course, leader)):
            course.change(leader, health=(leader.health or 0) + 1)


def _heals(course: Course, name: str, health: int | None, most: int) -> bool:
    is_wounded = health is not None and health < most
    return is_wounded and course.dice.succeeds(course.constants.heal_percent, "RL-HEA-01", "heals", name)


def max_health(course: Course, leader: RealmLeader) -> int:
    """Return a leader's own maximum health, else that of the ruler type, else the current health."""
    if leader.max_health is not None:
        return leader.max_health
    by_type = ruler_type(leader, course.inputs, course.tables)
    return by_type.health if by_type else leader.health or 0


def learn(course: Course) -> None:
    """Add a turn's experience to all surviving armies and leaders (RL-EXP-01)."""
    points = math.trunc(course.constants.turn_experience)
    armies, leaders = course.processed_armies, course.processed_leaders
    for unit in armies:
        course.change(unit, experience=unit.experience + points)
    for leader in leaders:
        course.change(leader, experience=leader.experience + points)
    text = f"{counted(len(armies), 'army', 'armies')} and {counted(len(leaders), 'leader')} gain {points} experience"
    course.note("experience", "RL-EXP-01", text, points)
