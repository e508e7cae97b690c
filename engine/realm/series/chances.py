"""Chances and figures of an order before any roll, each with its terms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from engine.calculation import Calculation
from engine.exact import exact, percent, printed
from engine.realm.orders import dungeon, espionage
from engine.realm.setup import formulas
from engine.realm.setup import inputs as orders
from engine.realm.setup.inputs import OrderInputs
from engine.realm.setup.records import RULER
from engine.realm.setup.tables import RealmTables
from engine.realm.turn.all_turns import AllTurns, due
from engine.realm.turn.course import Course
from engine.realm.turn.economy import collect, growth_asked
from engine.realm.turn.loyalty import adjusted
from engine.rng import Rng
from engine.terms import explained

PER_CENT = "per cent"


def of_order(order: OrderInputs, tables: RealmTables) -> tuple[Calculation, ...]:
    """Return every chance and figure of an order."""
    if order.order == orders.PROCESS_ALL:
        turns = AllTurns(order, tables, Rng(0))
        return tuple(
            chance.renamed(f"{realm.name}: {chance.name}")
            for realm in due(order)
            for chance in of_order(turns.order_of(realm.name), tables)
        )
    course = Course(order, tables, Rng(0))  # nothing is rolled
    if order.order == orders.PROCESS_TURN:
        return tuple(_turn(course))
    if order.order in orders.DUNGEON:
        return tuple(_dungeon(course))
    if order.order in orders.ESPIONAGE:
        return tuple(_mission(course))
    return ()


def line(order: OrderInputs, tables: RealmTables) -> str:
    """Return the chances of an order in one line; blank for a whole turn or without any (RL-OP-44)."""
    if order.order in (orders.PROCESS_TURN, orders.PROCESS_ALL):
        return ""
    chances = [chance for chance in of_order(order, tables) if chance.note == PER_CENT]
    return "; ".join(f"{chance.name} {percent(bounded(chance.value))}" for chance in chances)


def bounded(value: float) -> Fraction:
    """Limit a chance to the range from 0 to 100 per cent (RL-GEN-02)."""
    return max(Fraction(0), min(Fraction(100), exact(value)))


def _turn(course: Course) -> Iterator[Calculation]:
    realm, constants = course.realm, course.constants
    for leader in filter(course.is_due, course.sworn):
        yield explained(adjusted, course, leader, leader.loyal, name=f"Loyalty of {leader.name}")
    yield _chance(formulas.arrival_chance, realm.fame, len(course.sworn), constants)
    yield _chance(formulas.mercenary_chance, realm.fame, constants)
    people = sum(city.population for city in course.cities)
    yield explained(formulas.income, realm.tax_rate, people, constants)
    yield explained(formulas.base_happiness, realm.tax_rate, constants)
    collect(course)  # the happiness that it leaves decides what follows
    yield from course.events[-1].calculations()
    yield explained(formulas.growth_factor, *growth_asked(course))
    yield _chance(formulas.rebellion_chance, exact(course.realm.happiness), constants)


def _dungeon(course: Course) -> Iterator[Calculation]:
    leader, constants = dungeon.prisoner(course), course.constants
    match course.inputs.order:
        case orders.INTERROGATE:
            yield _chance(dungeon.interrogation_chance, course)
        case orders.RELEASE if leader.kind != RULER:
            yield _chance(dungeon.release_conversion_chance, course)
            yield _chance(formulas.return_chance, leader.loyal)
        case orders.ENTICE:
            yield _chance(dungeon.entice_conversion_chance, course)
            yield _chance(dungeon.entice_escape_chance, course)
        case orders.GAMES:
            melee = course.attributes(leader).melee
            yield _chance(formulas.games_death_chance, melee, constants)
            base = formulas.games_base(leader.kind, constants)
            faces = formulas.games_faces(base, melee, leader.experience, constants)
            low, high = (printed(Fraction(formulas.games_profit(rolled, constants))) for rolled in (1, faces))
            note = f"profit {low} to {high}"
            yield explained(formulas.games_faces, base, melee, leader.experience, constants, note=note)
            fought = replace(leader, experience=leader.experience + course.tables.deeds["Colosseum"].experience)
            yield _chance(formulas.games_escape_chance, course.attributes(fought).stealth, fought.experience, constants)


def _mission(course: Course) -> Iterator[Calculation]:
    mission = course.tables.missions[course.inputs.order]
    agents = course.inputs.agents
    if mission.success is not None:
        name = "Succeeds" if mission.success_rolled is None else "Succeeds, before the luck of the agents"
        yield _chance(espionage.success_chance, course, mission, name=name, id=mission.id)
    if mission.detection is not None and not mission.detection_loyalty:
        yield _chance(espionage.detection_chance, mission, agents)
    if mission.detection_loyalty:
        for leader in course.sworn_to(course.target_realm.name):
            name = f"{leader.name} refuses"
            yield _chance(espionage.detection_chance, mission, agents, leader.loyal, name=name, id="RL-ESP-3")
    if mission.frame is not None and course.inputs.rivals:
        yield _chance(espionage.frame_chance, mission, agents)


_chance = partial(explained, note=PER_CENT)
