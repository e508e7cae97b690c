"""Espionage missions (RL-ESP): success, detection, blame and losses."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine.exact import exact
from engine.realm.orders import secrets
from engine.realm.orders.report import RealmReport
from engine.realm.setup.tables import NONE, Mission
from engine.realm.turn.course import Course
from engine.receipt import counted
from engine.rule import Label, rule

SUCCESS, FAILURE = "succeeds", "fails"
SEEN, UNSEEN = "detected", "not detected"
OUTCOMES = (f"{SUCCESS}, {UNSEEN}", f"{SUCCESS}, {SEEN}", f"{FAILURE}, {UNSEEN}", f"{FAILURE}, {SEEN}")
"""The four outcomes (RL-ESP-C)."""

AGENTS = Label("agents", spell=str)


@dataclass(frozen=True, slots=True)
class Work:
    """Result of the agents' work."""

    succeeded: bool  # True if the mission succeeded
    done: str  # The result for the actor, in words
    effect: str = ""  # The effect that the target sees; blank for none


def send(course: Course) -> RealmReport:
    """Carry out one mission: work, detection, blame and losses, with independent rolls (RL-ESP-C)."""
    mission = course.tables.missions[course.inputs.order]
    if mission.id == "RL-ESP-3":
        return _bribe_leaders(course, mission)
    if mission.id == "RL-ESP-8":
        return _watch(course, mission)
    work = WORK[mission.id](course, mission)
    is_seen = _is_detected(course, detection_chance(mission, course.inputs.agents))
    framed = "" if is_seen or not work.succeeded else _blamed_realm(course, mission)
    lost = _lose_agents(course, _agents_lost(course, mission)) if is_seen else 0
    _spend_agents(course, lost)
    return _report(course, work, is_seen, lost, framed)


def success_chance(course: Course, mission: Mission, rolled: int = 0) -> Fraction:
    """Return the chance of success in per cent, with the nation's bonus."""
    nation = Fraction(0) if course.inputs.nation is None else exact(course.inputs.nation.espionage)
    return succeeding(mission, course.inputs.agents, nation, rolled)


@rule("RL-ESP-A", "Succeeds", success="base", agents=AGENTS, nation="nation", rolled=Label("luck", silent=0))
def succeeding(mission: Mission, agents: int, nation: Fraction, rolled: int) -> Fraction:
    """Return the chance of success in per cent (RL-ESP-A, RL-OP-11)."""
    base = NONE if mission.success is None else mission.success
    return base + mission.success_agent * agents + rolled + nation


@rule("RL-ESP-B", "Detected", detection="base", agents=AGENTS, loyalty=Label("loyalty", silent=0))
def detection_chance(mission: Mission, agents: int, loyalty: int = 0) -> Fraction:
    """Return the chance of detection in per cent, which grows with the number of agents (RL-ESP-B)."""
    base = NONE if mission.detection is None else mission.detection
    return base + mission.detection_agent * agents + mission.detection_loyalty * loyalty


@rule("RL-ESP-D", "Another is blamed, if unseen", frame="base", agents=AGENTS)
def frame_chance(mission: Mission, agents: int) -> Fraction:
    """Return the chance in per cent that another realm is blamed; 0 for missions without blame (RL-ESP-D)."""
    return Fraction(0) if mission.frame is None else mission.frame + mission.frame_agent * agents


def _effect(course: Course, mission: Mission) -> int:
    """Roll RND of a share of the agents, rounded down (RL-OP-12)."""
    return course.dice.roll((mission.effect or 0) * course.inputs.agents, mission.id, "effect")


def _assassinate(course: Course, mission: Mission) -> Work:
    """Kill agents, at most all that the target has (RL-ESP-1, RL-OP-13)."""
    target = course.target_realm
    kills = min(_effect(course, mission), target.agents)
    course.change(target, agents=target.agents - kills)
    return Work(kills > 0, f"{_agents(kills)} killed", f"assassins killed {_agents(kills)}" if kills else "")


def _sabotage(course: Course, mission: Mission) -> Work:
    """Destroy gold, at most the target's treasury (RL-ESP-2, RL-OP-13)."""
    gold = course.take_gold(course.target_realm, _effect(course, mission))
    return Work(gold > 0, f"{gold} gold destroyed", f"saboteurs destroyed {gold} gold" if gold else "")


def _slander(course: Course, mission: Mission) -> Work:
    """Lower happiness, even if detected (RL-ESP-7)."""
    points = _effect(course, mission)
    course.add_happiness(course.target_realm, -points)
    return Work(points > 0, f"happiness lowered by {points}", f"slander cost {points} happiness" if points else "")


def _intercept(course: Course, mission: Mission) -> Work:
    """Intercept messages, always undetected; the moderator hands them over (RL-ESP-4)."""
    rolled = course.dice.roll((mission.success_rolled or 0) * course.inputs.agents, mission.id, "luck of the agents")
    has_succeeded = course.dice.succeeds(success_chance(course, mission, rolled), mission.id, "success")
    return Work(has_succeeded, "messages are read" if has_succeeded else "no messages")


def _look(course: Course, mission: Mission) -> Work:
    """Search for units or cities (RL-ESP-5, RL-ESP-6)."""
    has_succeeded = course.dice.succeeds(success_chance(course, mission), mission.id, "success")
    return Work(
        has_succeeded, ("; ".join(course.inputs.found) or "nothing there") if has_succeeded else "nothing found"
    )


def _spy(course: Course, mission: Mission) -> Work:
    """Roll for each fact if the mission succeeds (RL-ESP-9)."""
    if not course.dice.succeeds(success_chance(course, mission), mission.id, "success"):
        return Work(False, "nothing found out")
    return Work(True, "; ".join(secrets.reveal_facts(course)) or "nothing found out")


WORK: Mapping[str, Callable[[Course, Mission], Work]] = {
    "RL-ESP-1": _assassinate,
    "RL-ESP-2": _sabotage,
    "RL-ESP-4": _intercept,
    "RL-ESP-5": _look,
    "RL-ESP-6": _look,
    "RL-ESP-7": _slander,
    "RL-ESP-9": _spy,
}
"""Functions of missions whose success and detection are independent, by rule id."""


def _watch(course: Course, mission: Mission) -> RealmReport:
    """Watch a hero; detection comes first, means failure and costs the ruler loyalty (RL-ESP-8, RL-OP-10)."""
    hero = course.leader(course.inputs.target)
    is_seen = _is_detected(course, detection_chance(mission, course.inputs.agents))
    realm_text = ""
    if is_seen:
        realm_text = f"{hero.name} saw them"  # the loss would reveal the loyalty that was left (RL-OP-55)
        lost_loyalty = course.lose_loyalty(hero, math.trunc(course.constants.watch_loss), "RL-ESP-8")
        work = Work(False, f"{hero.name} saw them and loses {lost_loyalty} loyalty", f"{hero.name} was watched")
    elif course.dice.succeeds(success_chance(course, mission), mission.id, "success"):
        work = Work(True, f"{hero.name} has loyalty {hero.loyal}")
    else:
        work = Work(False, "nothing found out")
    lost = _lose_agents(course, _agents_lost(course, mission)) if is_seen else 0
    _spend_agents(course, lost)
    return _report(course, work, is_seen, lost, "", realm_text)


def _bribe_leaders(course: Course, mission: Mission) -> RealmReport:
    """Make one attempt for each agent, each on a leader found at random (RL-ESP-3, RL-OP-34)."""
    constants, agents = course.constants, course.inputs.agents
    cost = course.take_gold(course.realm, math.trunc(constants.bribe_cost) * agents)
    lines, refusals = [], []
    bribed = 0
    for number in range(1, agents + 1):
        leaders = course.sworn_to(course.target_realm.name)
        if not leaders:
            lines.append((f"Attempt {number}", "nobody to bribe"))
            continue
        leader = course.leader(course.dice.pick([leader.name for leader in leaders], mission.id, "who is bribed"))
        if _is_detected(course, detection_chance(mission, course.inputs.agents, leader.loyal), leader.name):
            refusals.append(leader.name)
            lines.append((f"Attempt {number}", f"{leader.name} refuses"))
        else:
            points = course.dice.roll(constants.bribe_loss_most, mission.id, "loyalty bought", leader.name)
            lost = course.lose_loyalty(leader, points, unnoticed=True)
            bribed += 1
            lines.append((f"Attempt {number}", f"{leader.name} loses {lost} loyalty"))
    killed = _lose_agents(course, len(refusals))
    _spend_agents(course, killed)
    succeeded = SUCCESS if bribed else FAILURE
    course.outcome = f"{succeeded}, {SEEN if refusals else UNSEEN}"
    caught = f"{', '.join(refusals)} refused bribes of {course.realm.name}." if refusals else ""
    return RealmReport((*lines, ("Cost", f"{cost} gold"), ("Agents lost", str(killed))), caught)


def _is_detected(course: Course, chance: Fraction, whose: str = "") -> bool:
    if course.tables.missions[course.inputs.order].detection is None:
        return False
    return course.dice.succeeds(chance, "RL-ESP-B", "detection", whose)


def _blamed_realm(course: Course, mission: Mission) -> str:
    """Return another realm in play, drawn at random, to be blamed; blank for none (RL-ESP-D)."""
    if not course.inputs.rivals or mission.frame is None:
        return ""
    if not course.dice.succeeds(frame_chance(mission, course.inputs.agents), "RL-ESP-D", "another is blamed"):
        return ""
    return course.dice.pick(course.inputs.rivals, "RL-ESP-D", "who is blamed")


def _agents_lost(course: Course, mission: Mission) -> int:
    """Return the agents lost: all, or RND of a share (RL-ESP-E)."""
    if mission.loss is None:
        return course.inputs.agents
    return course.dice.roll(mission.loss * course.inputs.agents, "RL-ESP-E", "agents lost")


def _lose_agents(course: Course, lost: int) -> int:
    """Remove agents, at most those sent, and return their number (RL-OP-13)."""
    killed = min(lost, course.inputs.agents, course.realm.agents)
    course.change(course.realm, agents=course.realm.agents - killed)
    course.note("agents", "RL-ESP-E", f"{_agents(killed)} of {course.realm.name} lost", -killed)
    return killed


def _spend_agents(course: Course, lost: int) -> None:
    """Count the returned agents as used this turn; dead ones are not counted (RL-OP-42)."""
    course.change(course.realm, agents_used=course.realm.agents_used + course.inputs.agents - lost)


def _report(course: Course, work: Work, is_seen: bool, lost: int, framed: str, realm_text: str = "") -> RealmReport:
    """Return the report: all results for the actor, for whose own report they may differ, and what the target sees."""
    course.outcome = f"{SUCCESS if work.succeeded else FAILURE}, {SEEN if is_seen else UNSEEN}"
    label = "Effect" if work.effect else "Found"
    more = [("Agents lost", str(lost))] if is_seen else []
    more += [("Blamed", framed)] if framed else []
    lines, of_report = (
        (("Outcome", course.outcome), (label, done), *more) for done in (work.done, realm_text or work.done)
    )
    return RealmReport(lines, _message(course, work, is_seen, framed), realm_lines=of_report)


def _message(course: Course, work: Work, is_seen: bool, framed: str) -> str:
    """Return the target's message: the culprit caught or unknown; blank without effect and detection.

    A wrongly blamed realm is named in the same words as a culprit, so that they cannot be told apart (RL-OP-53).
    """
    effect = f"{work.effect[:1].upper()}{work.effect[1:]}" if work.effect else ""
    culprit = course.realm.name if is_seen else framed
    if culprit:
        culprits = f"agents of {culprit} were caught ({course.inputs.order})"
        return f"{effect}: {culprits}." if effect else f"{culprits[:1].upper()}{culprits[1:]}."
    return f"{effect}: culprit unknown." if effect else ""


def _agents(count: int) -> str:
    return counted(count, "agent")
