"""Agents and their missions (RL-ESP): success, detection, who is blamed, who comes back."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine.exact import exact
from engine.realm import secrets
from engine.realm.course import Course
from engine.realm.report import Report
from engine.realm.tables import Mission

SUCCESS, FAILURE = "succeeds", "fails"
SEEN, UNSEEN = "detected", "not detected"
OUTCOMES = (f"{SUCCESS}, {UNSEEN}", f"{SUCCESS}, {SEEN}", f"{FAILURE}, {UNSEEN}", f"{FAILURE}, {SEEN}")
"""The four outcomes (RL-ESP-C)."""


@dataclass(frozen=True, slots=True)
class Work:
    """What agents did.

    Args:
        succeeded: Whether they did what they were sent for.
        done: For the actor, in words.
        effect: What the target sees of it; blank: nothing.
    """

    succeeded: bool
    done: str
    effect: str = ""


def send(course: Course) -> Report:
    """One mission: work, detection, blame, losses; both rolls are independent (RL-ESP-C)."""
    mission = course.tables.missions[course.inputs.order]
    if mission.id == "RL-ESP-3":
        return _bribe(course, mission)
    if mission.id == "RL-ESP-8":
        return _watch(course, mission)
    work = WORK[mission.id](course, mission)
    seen = _is_seen(course, detection_chance(course, mission))
    framed = "" if seen or not work.succeeded else _framed(course, mission)
    lost = _lose_agents(course, _loss(course, mission)) if seen else 0
    _spend_agents(course, lost)
    return _report(course, work, seen, lost, framed)


def success_chance(course: Course, mission: Mission, rolled: int = 0) -> Fraction:
    """RL-ESP-A: in per cent, the nation's espionage added; only for missions that have one (RL-OP-11)."""
    nation = Fraction(0) if course.inputs.nation is None else exact(course.inputs.nation.espionage)
    return (mission.success or 0) + mission.success_agent * course.inputs.agents + rolled + nation


def detection_chance(course: Course, mission: Mission, loyalty: int = 0) -> Fraction:
    """RL-ESP-B: in per cent; more agents are easier to see."""
    by_loyalty = mission.detection_loyalty * loyalty
    return (mission.detection or 0) + mission.detection_agent * course.inputs.agents + by_loyalty


def frame_chance(course: Course, mission: Mission) -> Fraction:
    """RL-ESP-D: in per cent; 0 for missions that can be blamed on nobody."""
    if mission.frame is None:
        return Fraction(0)
    return mission.frame + mission.frame_agent * course.inputs.agents


def _effect(course: Course, mission: Mission) -> int:
    """RND of a share of the agents, its fraction dropped (RL-OP-12)."""
    return course.dice.roll((mission.effect or 0) * course.inputs.agents, mission.id, "effect")


def _assassinate(course: Course, mission: Mission) -> Work:
    """RL-ESP-1: at most the agents that there are (RL-OP-13)."""
    target = course.target_realm
    kills = min(_effect(course, mission), target.agents)
    course.change(target, agents=target.agents - kills)
    return Work(kills > 0, f"{_agents(kills)} killed", f"assassins killed {_agents(kills)}" if kills else "")


def _sabotage(course: Course, mission: Mission) -> Work:
    """RL-ESP-2: at most the gold that there is (RL-OP-13)."""
    gold = course.take_gold(course.target_realm, _effect(course, mission))
    return Work(gold > 0, f"{gold} gold destroyed", f"saboteurs destroyed {gold} gold" if gold else "")


def _slander(course: Course, mission: Mission) -> Work:
    """RL-ESP-7: done even if detected."""
    points = _effect(course, mission)
    course.add_happiness(course.target_realm, -points)
    return Work(points > 0, f"happiness lowered by {points}", f"slander cost {points} happiness" if points else "")


def _intercept(course: Course, mission: Mission) -> Work:
    """RL-ESP-4: nobody ever notices; the moderator hands over the messages."""
    rolled = course.dice.roll((mission.success_rolled or 0) * course.inputs.agents, mission.id, "luck of the agents")
    read = course.dice.succeeds(success_chance(course, mission, rolled), mission.id, "success")
    return Work(read, "messages are read" if read else "no messages")


def _look(course: Course, mission: Mission) -> Work:
    """RL-ESP-5, RL-ESP-6: what there is to find, if they find it."""
    found = course.dice.succeeds(success_chance(course, mission), mission.id, "success")
    return Work(found, ("; ".join(course.inputs.found) or "nothing there") if found else "nothing found")


def _spy(course: Course, mission: Mission) -> Work:
    """RL-ESP-9: on success each fact is rolled for."""
    if not course.dice.succeeds(success_chance(course, mission), mission.id, "success"):
        return Work(False, "nothing found out")
    return Work(True, "; ".join(secrets.found_out(course)) or "nothing found out")


WORK: Mapping[str, Callable[[Course, Mission], Work]] = {
    "RL-ESP-1": _assassinate,
    "RL-ESP-2": _sabotage,
    "RL-ESP-4": _intercept,
    "RL-ESP-5": _look,
    "RL-ESP-6": _look,
    "RL-ESP-7": _slander,
    "RL-ESP-9": _spy,
}
"""What agents do where success and detection are independent."""


def _watch(course: Course, mission: Mission) -> Report:
    """RL-ESP-8: detection comes first and is failure; the hero then trusts his ruler less (RL-OP-10)."""
    hero = course.leader(course.inputs.target)
    seen = _is_seen(course, detection_chance(course, mission))
    if seen:
        fallen = course.lose_loyalty(hero, math.trunc(course.constants.watch_loss))
        course.note("loyalty", "RL-ESP-8", f"{hero.name}: loses {fallen} loyalty", -fallen)
        work = Work(False, f"{hero.name} saw them and loses {fallen} loyalty", f"{hero.name} was watched")
    elif course.dice.succeeds(success_chance(course, mission), mission.id, "success"):
        work = Work(True, f"{hero.name} has loyalty {hero.loyal}")
    else:
        work = Work(False, "nothing found out")
    lost = _lose_agents(course, _loss(course, mission)) if seen else 0
    _spend_agents(course, lost)
    return _report(course, work, seen, lost, "")


def _bribe(course: Course, mission: Mission) -> Report:
    """RL-ESP-3: one attempt for each agent, each on a leader found at random (RL-OP-34)."""
    it, agents = course.constants, course.inputs.agents
    cost = course.take_gold(course.realm, math.trunc(it.bribe_cost) * agents)
    lines, refusals = [], []
    fallen = 0
    for number in range(1, agents + 1):
        leaders = course.sworn_to(course.target_realm.name)
        if not leaders:
            lines.append((f"Attempt {number}", "nobody to bribe"))
            continue
        found = course.leader(course.dice.pick([leader.name for leader in leaders], mission.id, "who is bribed"))
        if _is_seen(course, detection_chance(course, mission, found.loyal), found.name):
            refusals.append(found.name)
            lines.append((f"Attempt {number}", f"{found.name} refuses"))
        else:
            points = course.dice.roll(it.bribe_loss_most, mission.id, "loyalty bought", found.name)
            lost = course.lose_loyalty(found, points)
            fallen += 1
            lines.append((f"Attempt {number}", f"{found.name} loses {lost} loyalty"))
    killed = _lose_agents(course, len(refusals))
    _spend_agents(course, killed)
    succeeded = SUCCESS if fallen else FAILURE
    course.outcome = f"{succeeded}, {SEEN if refusals else UNSEEN}"
    caught = f"{', '.join(refusals)} refused bribes of {course.realm.name}." if refusals else ""
    return Report((*lines, ("Cost", f"{cost} gold"), ("Agents lost", str(killed))), caught)


def _is_seen(course: Course, chance: Fraction, whose: str = "") -> bool:
    if course.tables.missions[course.inputs.order].detection is None:
        return False
    return course.dice.succeeds(chance, "RL-ESP-B", "detection", whose)


def _framed(course: Course, mission: Mission) -> str:
    """RL-ESP-D: another realm in play, never of the actor's choosing; blank for nobody."""
    if not course.inputs.rivals or mission.frame is None:
        return ""
    if not course.dice.succeeds(frame_chance(course, mission), "RL-ESP-D", "another is blamed"):
        return ""
    return course.dice.pick(course.inputs.rivals, "RL-ESP-D", "who is blamed")


def _loss(course: Course, mission: Mission) -> int:
    """RL-ESP-E: all, or RND of a share of the agents."""
    if mission.loss is None:
        return course.inputs.agents
    return course.dice.roll(mission.loss * course.inputs.agents, "RL-ESP-E", "agents lost")


def _lose_agents(course: Course, lost: int) -> int:
    """At most those who were sent (RL-OP-13)."""
    killed = min(lost, course.inputs.agents, course.realm.agents)
    course.change(course.realm, agents=course.realm.agents - killed)
    course.note("agents", "RL-ESP-E", f"{_agents(killed)} of {course.realm.name} lost", -killed)
    return killed


def _spend_agents(course: Course, lost: int) -> None:
    """Those who came back have been used this turn; the dead are no longer counted at all (RL-OP-42)."""
    course.change(course.realm, agents_used=course.realm.agents_used + course.inputs.agents - lost)


def _report(course: Course, work: Work, seen: bool, lost: int, framed: str) -> Report:
    """Two texts: the actor learns everything, the target what it can see."""
    course.outcome = f"{SUCCESS if work.succeeded else FAILURE}, {SEEN if seen else UNSEEN}"
    lines = [("Outcome", course.outcome), ("Found" if not work.effect else "Effect", work.done)]
    if seen:
        lines.append(("Agents lost", str(lost)))
    if framed:
        lines.append(("Blamed", framed))
    return Report(tuple(lines), _message(course, work, seen, framed))


def _message(course: Course, work: Work, seen: bool, framed: str) -> str:
    """Who was caught, or who seems to have done it, or that nobody knows; nothing where nothing shows."""
    effect = f"{work.effect[:1].upper()}{work.effect[1:]}" if work.effect else ""
    if seen:
        who = f"agents of {course.realm.name} were caught ({course.inputs.order})"
        return f"{effect}: {who}." if effect else f"{who[:1].upper()}{who[1:]}."
    if not effect:
        return ""
    return f"{effect}: agents of {framed} did it." if framed else f"{effect}: culprit unknown."


def _agents(many: int) -> str:
    return "1 agent" if many == 1 else f"{many} agents"
