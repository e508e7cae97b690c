"""Who is hired, what is bought from the disloyal, and what experience is awarded."""

from __future__ import annotations

import math

from engine.realm import secrets
from engine.realm.arrivals import mercenary_cost
from engine.realm.course import Course
from engine.realm.records import CAPITAL, DEFECTION, EMPLOYED, INFORMATION, City, Leader
from engine.realm.report import Report
from engine.realm.tables import Tables

HIRED, BOUGHT, AWARDED = "hired", "accepted", "awarded"


def hire_leader(course: Course) -> Report:
    """RL-OP-22: for the initial cost, with the initial loyalty."""
    leader = course.leader(course.inputs.target)
    course.take_gold(course.realm, leader.initial_cost)
    course.change(
        leader,
        status=EMPLOYED,
        employer=course.realm.name,
        loyalty=leader.initial_loyalty,
        offer="",
        offered_to="",
    )
    course.outcome = HIRED
    course.note("hired", "RL-OP-22", f"{leader.name} enters service", -leader.initial_cost)
    return Report((("Hired", leader.name), ("Cost", f"{leader.initial_cost} gold")))


def hire_mercenary(course: Course) -> Report:
    """RL-MER-02, RL-MER-04: for a multiple of the initial cost, in the capital or a port."""
    unit = course.unit(course.inputs.target)
    cost = course.take_gold(course.realm, mercenary_cost(unit, course.type_of(unit), course.tables))
    place = _berth(course, course.type_of(unit).ship)
    where = place.name if place else ""
    course.change(unit, owner=course.realm.name, offered_to="", location=where)
    course.outcome = HIRED
    course.note("hired", "RL-MER-04", f"{unit.name} appears in {where or 'no city: the realm has none'}", -cost)
    return Report((("Hired", unit.name), ("Cost", f"{cost} gold"), ("Location", where or "none")))


def _berth(course: Course, is_ship: bool) -> City | None:
    """The capital, for a ship a port; without one the first city by name (RL-OP-24, RL-OP-43)."""
    cities = course.cities
    by_rank = sorted(cities, key=lambda city: city.size != CAPITAL)
    if is_ship:
        by_rank.sort(key=lambda city: not city.coastal)
    return by_rank[0] if by_rank else None


def offer_cost(leader: Leader, tables: Tables) -> int:
    """RL-OP-23: what a disloyal leader asks."""
    return leader.initial_cost if leader.offer == DEFECTION else math.trunc(tables.constants.sold_offer_cost)


def accept(course: Course) -> Report:
    """RL-OP-23: information, a thrown battle, or the leader himself with all he knows (RL-OP-09)."""
    leader = course.leader(course.inputs.target)
    cost = course.take_gold(course.realm, offer_cost(leader, course.tables))
    lines = [("Accepted", f"{leader.offer} of {leader.name}"), ("Cost", f"{cost} gold")]
    course.outcome = BOUGHT
    if leader.offer == DEFECTION:
        course.leave(leader, EMPLOYED, course.realm.name)
        lines += [("Status report", it) for it in secrets.all_of_them(course)]
        course.note("defection", "RL-LOY-03f", f"{leader.name} changes sides", -cost)
        return Report(tuple(lines), f"{leader.name} went over to {course.realm.name}.")
    course.change(leader, offer="", offered_to="")
    if leader.offer == INFORMATION:
        lines.append(("Found out", "; ".join(secrets.found_out(course)) or "nothing"))
        course.note("information", "RL-LOY-03c", f"{leader.name} tells what he knows", -cost)
        return Report(tuple(lines))
    turn = course.target_realm.last_turn + 1
    course.change(leader, negated_in_turn=turn)
    course.note("thrown battle", "RL-LOY-03d", f"{leader.name} gives no leadership in turn {turn}", turn)
    lines.append(("Leadership negated in turn", str(turn)))
    return Report(tuple(lines))


def award(course: Course) -> Report:
    """RL-EXP-02, RL-EXP-03: experience for a deed, and the level that it makes."""
    deed, name = course.tables.deeds[course.inputs.deed], course.inputs.target
    if deed.of == "unit":
        unit = course.unit(name)
        after = unit.experience + deed.experience
        course.change(unit, experience=after)
        level = course.tables.army_level(after).name
    else:
        leader = course.leader(name)
        after = leader.experience + deed.experience
        course.change(leader, experience=after)
        level = course.tables.leader_level(after).name
    course.outcome = AWARDED
    course.note("experience", deed.id, f"{name}: {course.inputs.deed}, +{deed.experience}", deed.experience)
    return Report(((name, f"{course.inputs.deed}: +{deed.experience}, {after} in all ({level})"),))
