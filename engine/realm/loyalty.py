"""Loyalty: what a turn makes of it, whether leaders keep faith, and what those do who do not (RL-LOY)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from engine.realm import formulas
from engine.realm.course import Course
from engine.realm.inputs import Near
from engine.realm.records import (
    DEFECTION,
    EMPLOYED,
    INFORMATION,
    LEGENDS_LIST,
    THROWN_BATTLE,
    Leader,
)
from engine.realm.tables import Action, reached

LOYAL = "loyal"
"""What a leader does whose check succeeds."""


def adjust(course: Course) -> None:
    """RL-LOY-01, with the bounds of RL-OP-14; no event's modifier counts here."""
    nation = 0.0 if course.inputs.nation is None else course.inputs.nation.loyalty
    for leader in course.sworn:
        pay = formulas.pay_modifier(pay_of(leader), leader.upkeep)
        found = formulas.adjusted_loyalty(leader.loyal, nation, pay, leader.experience, course.constants)
        after = formulas.bounded(found)
        course.change(leader, loyalty=after)
        course.note("loyalty", "RL-LOY-01", f"{leader.name}: loyalty {leader.loyal} becomes {after}", after)


def pay_of(leader: Leader) -> float:
    """What a leader is paid; blank: the upkeep."""
    return leader.upkeep if leader.pay is None else leader.pay


def check(course: Course) -> Mapping[str, str]:
    """RL-LOY-02: every employed hero and legend keeps faith or acts on it.

    Returns:
        Leader to what he did.
    """
    return {leader.name: _checked(course, leader) for leader in course.sworn}


def _checked(course: Course, leader: Leader) -> str:
    if course.dice.roll(100, "RL-LOY-02", "loyalty check", leader.name) <= leader.loyal:
        return LOYAL
    rolled = course.dice.roll(100, "RL-LOY-03", "disloyal action", leader.name)
    number = rolled + math.trunc((100 - leader.loyal) / course.constants.action_divisor)
    can_switch = bool(_new_masters(course, leader))
    action = _action(course, number, can_switch)
    ends = ACTIONS[action.id](course, leader)
    if action.loss:
        lost = course.lose_loyalty(leader, action.loss)
        course.note("loyalty", action.id, f"{leader.name}: loses {lost} loyalty", -lost)
    told = f"ACTION {number}, {action.name}{f': {ends}' if ends else ''}"
    course.note("disloyalty", action.id, f"{leader.name}: {told}", number)
    return f"{action.name}{f' ({ends})' if ends else ''}"


def _action(course: Course, number: int, can_switch: bool) -> Action:
    """RL-LOY-06: who has worked for every player in the game cannot leave; such an ACTION counts as a thrown battle.

    100 and more is a rebellion (RL-OP-26).
    """
    actions = course.tables.actions
    found = reached(actions, number)
    if can_switch or found.id not in LEAVING:
        return found
    return next(action for action in actions if action.id == "RL-LOY-03d")


def _new_masters(course: Course, leader: Leader) -> Sequence[str]:
    """Other realms in play that he never worked for, the nearest first; one that the moderator named goes before."""
    ordered = sorted(_near(course, leader).enemies, key=lambda realm: realm != _named(course, leader))
    return [realm for realm in ordered if realm not in leader.former_rulers]


def _near(course: Course, leader: Leader) -> Near:
    return next((it for it in course.inputs.near if it.leader == leader.name), Near(leader=leader.name))


def _named(course: Course, leader: Leader) -> str:
    """The enemy that the moderator calls nearest, if it is one in play (RL-OP-24)."""
    named = course.inputs.nearest_enemy or leader.nearest_enemy
    return named if named in _near(course, leader).enemies else ""


def _petty(course: Course, leader: Leader) -> str:
    return ""


def _embezzles(course: Course, leader: Leader) -> str:
    it = course.constants
    wanted = course.dice.between(it.embezzled_least, it.embezzled_most, "RL-LOY-03b", "embezzles", leader.name)
    return f"{course.take_gold(course.realm, wanted)} gold"


def _informs(course: Course, leader: Leader) -> str:
    enemies = _near(course, leader).enemies
    return _offers(course, leader, INFORMATION, _named(course, leader) or (enemies[0] if enemies else ""))


def _throws(course: Course, leader: Leader) -> str:
    commander = _near(course, leader).commander
    return _offers(course, leader, THROWN_BATTLE, _named(course, leader) or commander)


def _offers(course: Course, leader: Leader, offer: str, to: str) -> str:
    """RL-OP-23: the offer stands until the realm's next turn; the other realm answers with an order of its own."""
    if not to:
        return "nobody is there to take it"
    course.change(leader, offer=offer, offered_to=to)
    return f"to {to}"


def _absconds(course: Course, leader: Leader) -> str:
    it = course.constants
    wanted = course.dice.between(it.absconded_least, it.absconded_most, "RL-LOY-03e", "absconds with", leader.name)
    taken = course.take_gold(course.realm, wanted)
    course.leave(leader, LEGENDS_LIST)
    return f"with {taken} gold"


def _defects(course: Course, leader: Leader) -> str:
    masters = _new_masters(course, leader)
    rivals = [it for it in course.inputs.rivals if it in masters]
    to = course.dice.pick(rivals, "RL-LOY-03f", f"{leader.name}, offers service to a rival")
    return _offers(course, leader, DEFECTION, to)


def _rebels(course: Course, leader: Leader) -> str:
    """The leader and the nearest units go over to the nearest enemy, who gets them for nothing."""
    it = course.constants
    enemy = _new_masters(course, leader)[0]
    many = course.dice.between(it.followers_least, it.followers_most, "RL-LOY-03g", "units that follow", leader.name)
    owner = course.realm.name
    followers = [name for name in _near(course, leader).units if course.unit(name).owner == owner][:many]
    for name in followers:
        course.change(course.unit(name), owner=enemy)
    course.leave(leader, EMPLOYED, enemy)
    with_them = f" with {', '.join(followers)}" if followers else " alone"
    return f"to {enemy}{with_them}"


ACTIONS: Mapping[str, Callable[[Course, Leader], str]] = {
    "RL-LOY-03a": _petty,
    "RL-LOY-03b": _embezzles,
    "RL-LOY-03c": _informs,
    "RL-LOY-03d": _throws,
    "RL-LOY-03e": _absconds,
    "RL-LOY-03f": _defects,
    "RL-LOY-03g": _rebels,
}
"""What each action does; the words that complete it are returned."""

LEAVING = ("RL-LOY-03e", "RL-LOY-03f", "RL-LOY-03g")
