"""Chances and figures of an order before anything is rolled, each with its terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from engine.exact import exact, percent, printed
from engine.explained import Explained, Term
from engine.realm import dungeon, espionage, formulas
from engine.realm import inputs as orders
from engine.realm.all_turns import AllTurns, due
from engine.realm.course import Course
from engine.realm.inputs import OrderInputs
from engine.realm.loyalty import pay_of
from engine.realm.records import RULER, RealmLeader
from engine.realm.tables import RealmTables
from engine.rng import Rng

PER_CENT = "per cent"

Terms = Sequence[tuple[str, str, Fraction | int]]
"""Terms of a number: input, its value as text, and its contribution."""


def explained(order: OrderInputs, tables: RealmTables) -> tuple[Explained, ...]:
    """Return every chance and figure of an order.

    Args:
        order: The order.
        tables: The tables, with the workbook's settings in place.
    """
    if order.order == orders.PROCESS_ALL:
        turns = AllTurns(order, tables, Rng(0))
        return tuple(
            replace(chance, name=f"{realm.name}: {chance.name}")
            for realm in due(order)
            for chance in explained(turns.order_of(realm.name), tables)
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
    chances = [chance for chance in explained(order, tables) if chance.note == PER_CENT]
    return "; ".join(f"{chance.name} {percent(bounded(chance.value))}" for chance in chances)


def bounded(value: float) -> Fraction:
    """Limit a chance to the range from 0 to 100 per cent (RL-GEN-02)."""
    return max(Fraction(0), min(Fraction(100), exact(value)))


def _turn(course: Course) -> Iterator[Explained]:
    realm, constants = course.realm, course.constants
    for leader in filter(course.is_due, course.sworn):
        yield _loyalty(course, leader)
    hired = len(course.sworn)
    chance = formulas.arrival_chance(realm.fame, hired, constants)
    yield _sum(
        "A leader arrives", "RL-REC-01", chance,
        [("base", "", constants.arrival_base), ("fame", "", realm.fame),
         ("hired, squared", str(hired), -hired * hired)],
    )  # fmt: skip
    chance = formulas.mercenary_chance(realm.fame, constants)
    by_fame = realm.fame / constants.mercenary_fame_divisor
    yield _sum("Mercenaries come", "RL-MER-01", chance, [("base", "", constants.mercenary_base), ("fame", "", by_fame)])
    people = sum(city.population for city in course.cities)
    income = formulas.income(realm.tax_rate, people, constants)
    by_people = people * constants.income_factor
    terms: Terms = [("tax rate", "", realm.tax_rate), ("population × factor", f"{people:,}", by_people)]
    yield _made("Income", "RL-TAX-01", income, "product", terms, "")
    base = formulas.base_happiness(realm.tax_rate, constants)
    square = base - constants.happiness_base + realm.tax_rate
    yield _made(
        "Base happiness", "RL-TAX-02", base, "sum",
        [("base", "", constants.happiness_base), ("tax", "", -realm.tax_rate), ("tax, squared", "", square)], "",
    )  # fmt: skip
    chance = formulas.rebellion_chance(exact(realm.happiness), constants)
    missing = 100 - exact(realm.happiness)
    terms = [("missing happiness", "", missing), ("factor", "", constants.rebellion_factor)]
    yield _made("Each city rebels, at the happiness before the turn", "RL-REB-01", chance, "product", terms)


def _loyalty(course: Course, leader: RealmLeader) -> Explained:
    constants = course.constants
    nation = 0.0 if course.inputs.nation is None else course.inputs.nation.loyalty
    pay = formulas.pay_modifier(pay_of(leader), leader.upkeep)
    adjusted = formulas.adjusted_loyalty(leader.loyal, nation, pay, leader.experience, constants)
    rest = adjusted - leader.loyal - exact(nation) + constants.loyalty_decay
    terms: Terms = [
        ("loyalty", "", leader.loyal),
        ("nation", "", exact(nation)),
        ("each turn", "", -constants.loyalty_decay),
        ("pay", f"{printed(pay)} of the upkeep", rest),
    ]
    return _made(f"Loyalty of {leader.name}", "RL-LOY-01", adjusted, "sum", terms, "")


def _dungeon(course: Course) -> Iterator[Explained]:
    leader, constants = dungeon.prisoner(course), course.constants
    match course.inputs.order:
        case orders.INTERROGATE:
            attributes = course.attributes(leader)
            terms: Terms = [
                ("base", "", constants.interrogation_base),
                ("loyalty", "", -leader.loyal),
                ("experience", "", -constants.interrogation_experience * leader.experience),
                ("leadership", "", -constants.interrogation_leadership * attributes.leadership),
                ("melee", "", -constants.interrogation_melee * attributes.melee),
            ]
            yield _sum("Talks", "RL-DUN-01", dungeon.interrogation_chance(course), terms)
        case orders.RELEASE if leader.kind != RULER:
            terms = [("base", "", constants.conversion_base), ("loyalty", "", -leader.loyal)]
            yield _sum("Enters service", "RL-DUN-02", dungeon.release_conversion_chance(course), terms)
            yield _sum("Else goes home", "RL-DUN-02", Fraction(leader.loyal), [("loyalty", "", leader.loyal)])
        case orders.ENTICE:
            by_experience = -leader.experience / constants.entice_experience_divisor
            terms = [
                ("base", "", constants.conversion_base),
                ("loyalty", "", -leader.loyal),
                ("experience", "", by_experience),
            ]
            yield _sum("Enters service", "RL-DUN-03", dungeon.entice_conversion_chance(course), terms)
            attributes = course.attributes(leader)
            terms = [
                ("melee", "", attributes.melee),
                ("stealth", "", constants.escape_stealth * attributes.stealth),
                ("experience", "", leader.experience / constants.escape_experience_divisor),
            ]
            yield _sum("Else escapes", "RL-DUN-03", dungeon.entice_escape_chance(course), terms)
        case orders.GAMES:
            melee = course.attributes(leader).melee
            terms = [("base", "", constants.death_base), ("melee", "", -constants.death_melee * melee)]
            yield _sum("Dies", "RL-DUN-04", formulas.games_death_chance(melee, constants), terms)
            base = formulas.games_base(leader.kind, constants)
            faces = formulas.games_faces(base, melee, leader.experience, constants)
            note = f"profit {printed(constants.games_base + 1)} to {printed(constants.games_base + faces)}"
            yield Explained("Faces of the profit's die", "RL-DUN-04", faces, note=note)


def _mission(course: Course) -> Iterator[Explained]:
    mission = course.tables.missions[course.inputs.order]
    agents = course.inputs.agents
    if mission.success is not None:
        nation_bonus = 0.0 if course.inputs.nation is None else course.inputs.nation.espionage
        terms: Terms = [
            ("base", "", mission.success),
            ("agents", str(agents), mission.success_agent * agents),
            ("nation", "", exact(nation_bonus)),
        ]
        name = "Succeeds" if mission.success_rolled is None else "Succeeds, before the luck of the agents"
        yield _sum(name, mission.id, espionage.success_chance(course, mission), terms)
    if mission.detection is not None and not mission.detection_loyalty:
        terms = [("base", "", mission.detection), ("agents", str(agents), mission.detection_agent * agents)]
        yield _sum("Detected", "RL-ESP-B", espionage.detection_chance(course, mission), terms)
    if mission.detection_loyalty:
        for leader in course.sworn_to(course.target_realm.name):
            chance = espionage.detection_chance(course, mission, leader.loyal)
            by_loyalty = mission.detection_loyalty * leader.loyal
            terms = [("base", "", mission.detection or Fraction(0)), ("loyalty", "", by_loyalty)]
            yield _sum(f"{leader.name} refuses", "RL-ESP-3", chance, terms)
    if mission.frame is not None and course.inputs.rivals:
        terms = [("base", "", mission.frame), ("agents", str(agents), mission.frame_agent * agents)]
        yield _sum("Another is blamed, if unseen", "RL-ESP-D", espionage.frame_chance(course, mission), terms)


def _sum(name: str, id: str, value: Fraction, terms: Terms) -> Explained:
    return _made(name, id, value, "sum", terms)


def _made(name: str, id: str, value: Fraction, how: str, terms: Terms, note: str = PER_CENT) -> Explained:
    made = tuple(Term(what, found, float(number)) for what, found, number in terms)
    return Explained(name, id, float(value), made, how, note=note)
