"""Orders that report the board: a battle with its armies and leaders, and a captured city."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from engine.realm.orders.report import RealmReport
from engine.realm.orders.service import learn
from engine.realm.setup.inputs import BATTLE_WON
from engine.realm.setup.records import REBELS, RealmLeader, RealmUnit
from engine.realm.turn.course import Course

RECORDED, CAPTURED = "recorded", "captured"
ARMY_DEEDS = {True: "Army won", False: "Army lost"}
LEADER_DEEDS = {True: "Commanded winner", False: "Commanded loser"}
"""Deeds of a battle's participants, by victory (RL-EXP-02, RL-EXP-03)."""


def battle(course: Course) -> RealmReport:
    """Count a battle for both realms, and award experience to all who fought in it (RL-OP-57)."""
    order, realm = course.inputs, course.realm
    is_won = order.order == BATTLE_WON
    course.change(realm, **_counted(realm.battles_won, realm.battles_lost, is_won))
    lessons = tuple(_learn(course, realm.name, is_won))
    other_lessons: tuple[tuple[str, str], ...] = ()
    if order.target_realm is not None:
        other = course.target_realm
        course.change(other, **_counted(other.battles_won, other.battles_lost, not is_won))
        other_lessons = tuple(_learn(course, other.name, not is_won))
    course.outcome = RECORDED
    course.note("battle", "RL-OP-57", f"{realm.name} {'wins' if is_won else 'loses'} a battle at {order.target}")
    skipped = (("Awarded by hand already", ", ".join(order.awarded)),) if order.awarded else ()
    result = f"{realm.name} has beaten you" if is_won else f"You have beaten {realm.name}"
    message = f"{result} at {order.target}." if order.target_realm is not None else ""
    return RealmReport(
        (*lessons, *other_lessons, *skipped), message, realm_lines=lessons or (("Armies", "none learned anything"),)
    )


def _counted(won: int, lost: int, is_won: bool) -> dict[str, int]:
    return {"battles_won": won + 1} if is_won else {"battles_lost": lost + 1}


def _learn(course: Course, realm: str, has_won: bool) -> Iterator[tuple[str, str]]:
    """Award experience to a realm's armies in the battle and to their commanders; yield each award in words."""
    armies = [unit for unit in course.inputs.units if unit.owner == realm and course.type_of(unit).military]
    present = sorted(course.employed_by(realm), key=lambda leader: (-leader.experience, leader.name))
    leaders = sorted(present[: commanding(len(present), len(armies))], key=attrgetter("name"))
    fought: tuple[tuple[RealmUnit | RealmLeader, str], ...]
    fought = (*((unit, ARMY_DEEDS[has_won]) for unit in armies), *((who, LEADER_DEEDS[has_won]) for who in leaders))
    for who, deed in fought:
        if who.name not in course.inputs.awarded:
            yield learn(course, who, deed)


def commanding(leaders: int, armies: int) -> int:
    """Return the number of a realm's leaders in command: one for each army, the most experienced (RL-OP-57)."""
    return min(leaders, armies)


def capture(course: Course) -> RealmReport:
    """Give a city to the realm, and count it for both if it was captured in war (RL-OP-58)."""
    city, realm = course.city(course.inputs.target), course.realm
    counts = is_conquest(city.owner, city.former_owner, realm.name)
    former = "Rebels" if city.owner == REBELS else city.owner
    course.change(city, owner=realm.name, former_owner="")
    if counts:
        course.change(realm, cities_captured=realm.cities_captured + 1)
    if course.inputs.target_realm is not None:
        course.change(course.target_realm, cities_lost=course.target_realm.cities_lost + 1)
    course.outcome = CAPTURED
    course.note("captured", "RL-OP-58", f"{city.name}: {former} → {realm.name}")
    text = f"{former} → {realm.name}{'' if counts else ', taken back from rebels'}"
    message = f"{realm.name} has captured {city.name}." if course.inputs.target_realm is not None else ""
    return RealmReport(((city.name, text),), message)


def is_conquest(owner: str, former: str, captor: str) -> bool:
    """Return True if a captured city counts as one: not the captor's own that rebels held (RL-OP-58, RL-OP-16)."""
    return not (owner == REBELS and former == captor)
