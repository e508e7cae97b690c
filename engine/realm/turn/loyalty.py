"""Loyalty of leaders: adjustment in a turn, loyalty checks and disloyal actions (RL-LOY)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial

from engine.exact import exact
from engine.realm.setup import formulas
from engine.realm.setup.distance import Tiers
from engine.realm.setup.inputs import Surroundings
from engine.realm.setup.records import DEFECTION, EMPLOYED, INFORMATION, LEGENDS_LIST, THROWN_BATTLE, RealmLeader
from engine.realm.setup.tables import Action, reached
from engine.realm.turn.course import Course

LOYAL = "loyal"
"""Action of a leader whose check succeeds."""


def adjust(course: Course) -> None:
    """Adjust the loyalty of all leaders within its bounds; events do not modify it here (RL-LOY-01, RL-OP-14)."""
    for leader in filter(course.is_due, course.sworn):
        step = formulas.bounded, adjusted(course, leader, leader.loyal)
        after = course.change_loyalty(leader, partial(adjusted, course, leader))
        course.note("loyalty", "RL-LOY-01", f"{leader.name}: loyalty {leader.loyal} becomes {after}", after, step)


def adjusted(course: Course, leader: RealmLeader, loyalty: int) -> Fraction:
    """Return the loyalty of a leader after a turn, before rounding for storage."""
    nation = Fraction(0) if course.inputs.nation is None else exact(course.inputs.nation.loyalty)
    pay = formulas.pay_modifier(pay_of(leader), leader.upkeep)
    return formulas.adjusted_loyalty(loyalty, nation, pay, leader.experience, course.constants)


def pay_of(leader: RealmLeader) -> float:
    """Return a leader's pay; the upkeep if it is blank."""
    return leader.upkeep if leader.pay is None else leader.pay


def check(course: Course) -> Mapping[str, str]:
    """Check the loyalty of every employed hero and legend; return their actions by name (RL-LOY-02)."""
    return {leader.name: _check(course, leader) for leader in course.sworn if course.is_due(leader)}


def _check(course: Course, leader: RealmLeader) -> str:
    if course.dice.roll(100, "RL-LOY-02", "loyalty check", leader.name) <= leader.loyal:
        return LOYAL
    rolled = course.dice.roll(100, "RL-LOY-03", "disloyal action", leader.name)
    step = formulas.action_number, rolled, leader.loyal, course.constants
    number = formulas.action_number(*step[1:])
    can_switch = bool(_new_masters(course, leader))
    action = _action(course, number, can_switch)
    result = ACTIONS[action.id](course, leader)
    if action.loss:
        course.lose_loyalty(leader, action.loss, action.id, unnoticed=True)
    text = f"ACTION {number}, {action.name}{f': {result}' if result else ''}"
    course.note("disloyalty", action.id, f"{leader.name}: {text}", number, step)
    return f"{action.name}{f' ({result})' if result else ''}"


def _action(course: Course, number: int, can_switch: bool) -> Action:
    """Return the action at this number, for a leader who cannot leave a thrown battle (RL-OP-26, RL-LOY-06)."""
    actions = course.tables.actions
    action = reached(actions, number)
    if can_switch or action.id not in LEAVING:
        return action
    return next(action for action in actions if action.id == "RL-LOY-03d")


def _new_masters(course: Course, leader: RealmLeader) -> Tiers:
    """Return other realms in play that the leader never served, the moderator's choice first, then the nearest."""
    named = _named_enemy(course, leader)
    tiers = (*(((named,),) if named else ()), *_near(course, leader).enemies)
    served = [tuple(realm for realm in tier if realm not in leader.former_rulers) for tier in tiers]
    return tuple(tier for tier in served if tier)


def _near(course: Course, leader: RealmLeader) -> Surroundings:
    return next((near for near in course.inputs.near if near.leader == leader.name), Surroundings(leader=leader.name))


def _named_enemy(course: Course, leader: RealmLeader) -> str:
    """Return the moderator's nearest enemy, if it is an enemy in play (RL-OP-24)."""
    named = course.inputs.nearest_enemy or leader.nearest_enemy
    return named if any(named in tier for tier in _near(course, leader).enemies) else ""


def _do_nothing(course: Course, leader: RealmLeader) -> str:
    return ""


def _embezzle(course: Course, leader: RealmLeader) -> str:
    constants = course.constants
    gold = course.dice.between(
        constants.embezzled_least, constants.embezzled_most, "RL-LOY-03b", "embezzles", leader.name
    )
    return f"{course.take_gold(course.realm, gold, unnoticed=True)} gold"


def _inform(course: Course, leader: RealmLeader) -> str:
    return _offer(course, leader, INFORMATION, _near(course, leader).enemies)


def _throw_battle(course: Course, leader: RealmLeader) -> str:
    return _offer(course, leader, THROWN_BATTLE, _near(course, leader).commanders)


def _offer(course: Course, leader: RealmLeader, offer: str, enemies: Tiers) -> str:
    """Make an offer to the nearest enemy, valid until the realm's next turn; the answer is an order (RL-OP-23)."""
    named = _named_enemy(course, leader)
    if not (named or enemies):
        return "nobody is there to take it"
    to, drawn = course.dice.nearest(((named,),) if named else enemies, "RL-OP-24", "nearest enemy", leader.name)
    course.change(leader, offer=offer, offered_to=to)
    return f"to {to}{drawn}"


def _abscond(course: Course, leader: RealmLeader) -> str:
    constants = course.constants
    gold = course.dice.between(
        constants.absconded_least, constants.absconded_most, "RL-LOY-03e", "absconds with", leader.name
    )
    taken = course.take_gold(course.realm, gold)
    course.leave(leader, LEGENDS_LIST)
    return f"with {taken} gold"


def _defect(course: Course, leader: RealmLeader) -> str:
    masters = [realm for tier in _new_masters(course, leader) for realm in tier]
    rivals = [realm for realm in course.inputs.rivals if realm in masters]
    to = course.dice.pick(rivals, "RL-LOY-03f", f"{leader.name}, offers service to a rival")
    course.change(leader, offer=DEFECTION, offered_to=to)
    return f"to {to}"


def _rebel(course: Course, leader: RealmLeader) -> str:
    """Let the leader and the nearest units desert to the nearest enemy, for nothing."""
    constants = course.constants
    enemy, drawn = course.dice.nearest(_new_masters(course, leader), "RL-OP-24", "nearest enemy", leader.name)
    count = course.dice.between(
        constants.followers_least, constants.followers_most, "RL-LOY-03g", "units that follow", leader.name
    )
    followers = _followers(course, leader, count)
    for name in followers:
        course.change(course.unit(name), owner=enemy, last_turn=course.inputs.turn)
    course.change(course.leave(leader, EMPLOYED, enemy), last_turn=course.inputs.turn)
    company = f" with {', '.join(followers)}" if followers else " alone"
    return f"to {enemy}{drawn and drawn + ','}{company}"


def _followers(course: Course, leader: RealmLeader, count: int) -> list[str]:
    """Return the nearest units of the realm, at most `count`; among equally near ones the dice decide (RL-OP-24)."""
    followers: list[str] = []
    for tier in _near(course, leader).units:
        left = [name for name in tier if course.unit(name).owner == course.realm.name]
        while left and len(followers) < count:
            fits = len(left) <= count - len(followers)
            name = left[0] if fits else course.dice.pick(left, "RL-OP-24", "which unit follows", leader.name)
            left.remove(name)
            followers.append(name)
    return followers


ACTIONS: Mapping[str, Callable[[Course, RealmLeader], str]] = {
    "RL-LOY-03a": _do_nothing,
    "RL-LOY-03b": _embezzle,
    "RL-LOY-03c": _inform,
    "RL-LOY-03d": _throw_battle,
    "RL-LOY-03e": _abscond,
    "RL-LOY-03f": _defect,
    "RL-LOY-03g": _rebel,
}
"""Functions by rule id; each returns the words that complete its action."""

LEAVING = ("RL-LOY-03e", "RL-LOY-03f", "RL-LOY-03g")
