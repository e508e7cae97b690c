"""Hiring of leaders and mercenaries, offers of disloyal leaders, and awards of experience."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.realm.orders import secrets
from engine.realm.orders.report import RealmReport
from engine.realm.setup.distance import Distances, Tiers
from engine.realm.setup.records import CAPITAL, DEFECTION, EMPLOYED, INFORMATION, City, RealmLeader, RealmUnit
from engine.realm.setup.tables import RealmTables
from engine.realm.turn.arrivals import mercenary_cost
from engine.realm.turn.course import Course

HIRED, BOUGHT, AWARDED = "hired", "accepted", "awarded"


def hire_leader(course: Course) -> RealmReport:
    """Hire a leader for the initial cost, with the initial loyalty (RL-OP-22)."""
    leader = course.leader(course.inputs.target)
    course.take_gold(course.realm, leader.initial_cost)
    course.know_loyalty(leader)
    course.change(
        leader, status=EMPLOYED, employer=course.realm.name, loyalty=leader.initial_loyalty, offer="", offered_to=""
    )
    course.outcome = HIRED
    course.note("hired", "RL-OP-22", f"{leader.name} enters service", -leader.initial_cost)
    return RealmReport((("Hired", leader.name), ("Cost", f"{leader.initial_cost} gold")))


def hire_mercenary(course: Course) -> RealmReport:
    """Hire a mercenary for a multiple of the initial cost, in the capital or a port (RL-MER-02, RL-MER-04)."""
    unit = course.unit(course.inputs.target)
    cost = course.take_gold(course.realm, mercenary_cost(unit, course.type_of(unit), course.tables))
    is_ship = course.type_of(unit).ship
    berths = _berths(course.cities, is_ship, Distances(course.inputs.places))
    location, drawn = course.dice.nearest(berths, "RL-OP-43", "where it appears") if berths else ("", "")
    course.change(unit, owner=course.realm.name, offered_to="", location=location)
    course.outcome = HIRED
    missing = f"nowhere: {course.realm.name} has no {'port' if is_ship else 'city'}, so place it yourself"
    course.note("hired", "RL-MER-04", f"{unit.name} appears in {location or missing}", -cost)
    place = f"{location}{drawn}" if location else missing
    return RealmReport((("Hired", unit.name), ("Cost", f"{cost} gold"), ("Location", place)))


def _berths(cities: Sequence[City], is_ship: bool, distances: Distances) -> Tiers:
    """Return the places where mercenaries may appear: the capital, a ship only in a port (RL-MER-04, RL-OP-43)."""
    capitals = [city for city in cities if city.size == CAPITAL]
    ports = [city for city in cities if city.coastal]
    if not is_ship:
        return _names(capitals or cities)
    harbours = [city for city in capitals if city.coastal]
    if harbours or len(capitals) != 1:
        return _names(harbours or ports)
    return distances.tiers(capitals[0].name, ports, lambda city: city.name, lambda city: city.name)


def _names(cities: Sequence[City]) -> Tiers:
    return (tuple(city.name for city in cities),) if cities else ()


def offer_cost(leader: RealmLeader, tables: RealmTables) -> int:
    """Return the price of a disloyal leader's offer (RL-OP-23)."""
    return leader.initial_cost if leader.offer == DEFECTION else math.trunc(tables.constants.sold_offer_cost)


def accept(course: Course) -> RealmReport:
    """Accept an offer: information, a thrown battle, or the leader with all facts (RL-OP-23, RL-OP-09)."""
    leader = course.leader(course.inputs.target)
    cost = course.take_gold(course.realm, offer_cost(leader, course.tables))
    lines = [("Accepted", f"{leader.offer} of {leader.name}"), ("Cost", f"{cost} gold")]
    course.outcome = BOUGHT
    if leader.offer == DEFECTION:
        former = course.target_realm
        course.change(course.leave(leader, EMPLOYED, course.realm.name), last_turn=former.last_turn)  # RL-OP-46
        lines += [("Status report", fact) for fact in secrets.all_facts(course)]
        course.note("defection", "RL-LOY-03f", f"{leader.name} changes sides", -cost)
        return RealmReport(tuple(lines), f"{leader.name} went over to {course.realm.name}.")
    course.change(leader, offer="", offered_to="")
    if leader.offer == INFORMATION:
        lines.append(("Found out", "; ".join(secrets.reveal_facts(course)) or "nothing"))
        course.note("information", "RL-LOY-03c", f"{leader.name} tells what he knows", -cost)
        return RealmReport(tuple(lines))
    turn = course.target_realm.turn
    course.change(leader, negated_in_turn=turn)
    course.note("thrown battle", "RL-LOY-03d", f"{leader.name} gives no leadership in turn {turn}", turn)
    lines.append(("Leadership negated in turn", str(turn)))
    return RealmReport(tuple(lines))


def award(course: Course) -> RealmReport:
    """Award experience for a deed and report the new level (RL-EXP-02, RL-EXP-03)."""
    deed, name = course.inputs.deed, course.inputs.target
    is_of_unit = course.tables.deeds[deed].of == "unit"
    course.outcome = AWARDED
    return RealmReport((learn(course, course.unit(name) if is_of_unit else course.leader(name), deed),))


def learn(course: Course, who: RealmUnit | RealmLeader, name: str) -> tuple[str, str]:
    """Add the experience of a deed to a unit or leader; return the name and the gain, in words."""
    deed = course.tables.deeds[name]
    after = who.experience + deed.experience
    if isinstance(who, RealmUnit):
        course.change(who, experience=after)
        level = course.tables.army_level(after).name
    else:
        course.change(who, experience=after)
        level = course.tables.leader_level(after).name
    course.note("experience", deed.id, f"{who.name}: {name}, +{deed.experience}", deed.experience)
    return who.name, f"{name}: +{deed.experience}, {after} in all ({level})"
