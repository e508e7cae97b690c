"""Treatment of prisoners: interrogation, release, enticement, games and execution (RL-DUN)."""

from __future__ import annotations

import math
from fractions import Fraction

from engine.exact import printed
from engine.realm.orders import secrets
from engine.realm.orders.report import RealmReport
from engine.realm.setup import formulas
from engine.realm.setup.records import DEAD, EMPLOYED, FREELANCE, REMOVED, RULER, Realm, RealmLeader
from engine.realm.turn.course import Course

TALKED, SILENT = "talks", "says nothing"
CONVERTED, RETURNED, FREE, STAYED = "enters service", "returns home", "goes freelance", "stays in the dungeon"
DIED, GONE, EXECUTED = "dies", "leaves the game", "is executed"


def prisoner(course: Course) -> RealmLeader:
    """Return the current record of the prisoner."""
    return course.leader(course.inputs.target)


def interrogate(course: Course) -> RealmReport:
    """Interrogate a prisoner once for each captor; the answer may reveal facts (RL-DUN-01, RL-OP-17)."""
    leader = prisoner(course)
    course.change(leader, interrogated_by=course.realm.name)
    has_talked = course.dice.succeeds(interrogation_chance(course), "RL-DUN-01", "talks", leader.name)
    course.outcome = TALKED if has_talked else SILENT
    facts = secrets.reveal_facts(course) if has_talked else ()
    facts_text = "; ".join(facts) or "nothing" if has_talked else ""
    return RealmReport(((leader.name, course.outcome), *((("Found out", facts_text),) if has_talked else ())))


def interrogation_chance(course: Course) -> Fraction:
    """Return the chance that the prisoner talks (RL-DUN-01)."""
    leader, attributes = prisoner(course), course.attributes(prisoner(course))
    return formulas.interrogation_chance(
        leader.loyal, leader.experience, attributes.leadership, attributes.melee, course.constants
    )


def release(course: Course) -> RealmReport:
    """Release a prisoner, who may enter service, return home or go freelance (RL-DUN-02, RL-OP-39)."""
    leader = prisoner(course)
    if leader.kind == RULER:
        _go_home(course, leader)
    elif _converts(course, leader, release_conversion_chance(course), "RL-DUN-02"):
        _convert(course, leader)
    else:
        _go_home_or_freelance(course, leader, "RL-DUN-02")
    return RealmReport(((leader.name, course.outcome),), f"{leader.name} was released and {course.outcome}.")


def release_conversion_chance(course: Course) -> Fraction:
    """Return the chance of RL-DUN-02, step 1."""
    leader = prisoner(course)
    is_excluded = course.realm.name in leader.former_rulers
    return formulas.release_conversion_chance(leader.loyal, course.constants, is_excluded)


def entice(course: Course) -> RealmReport:
    """Pay 3 gold so that the prisoner may enter service, or else may escape (RL-DUN-03)."""
    leader = prisoner(course)
    cost = math.trunc(course.constants.entice_cost)
    course.take_gold(course.realm, cost)
    message = ""
    if _converts(course, leader, entice_conversion_chance(course), "RL-DUN-03"):
        _convert(course, leader)
        message = f"{leader.name} {course.outcome} of {course.realm.name}."
    elif course.dice.succeeds(entice_escape_chance(course), "RL-DUN-03", "escapes", leader.name):
        _go_home_or_freelance(course, leader, "RL-DUN-03")
        message = f"{leader.name} escaped and {course.outcome}."
    else:
        course.outcome = STAYED
    return RealmReport(((leader.name, course.outcome), ("Cost", f"{cost} gold")), message)


def entice_conversion_chance(course: Course) -> Fraction:
    """Return the chance of RL-DUN-03, step 1."""
    leader = prisoner(course)
    is_excluded = course.realm.name in leader.former_rulers
    return formulas.entice_conversion_chance(leader.loyal, leader.experience, course.constants, is_excluded)


def entice_escape_chance(course: Course) -> Fraction:
    """Return the chance of RL-DUN-03, step 2."""
    leader, attributes = prisoner(course), course.attributes(prisoner(course))
    return formulas.entice_escape_chance(attributes.melee, attributes.stealth, leader.experience, course.constants)


def games(course: Course) -> RealmReport:
    """Send a prisoner to the games: profit, happiness, death, experience (RL-OP-37) and escape (RL-DUN-04)."""
    leader, constants = prisoner(course), course.constants
    base = formulas.games_base(leader.kind, constants)
    melee = course.attributes(leader).melee
    faces = formulas.games_faces(base, melee, leader.experience, constants)
    rolled = course.dice.roll(faces, "RL-DUN-04", "profit of the games", leader.name)
    profit = formulas.games_profit(rolled, constants)
    if profit < 0:
        profit = -course.take_gold(course.realm, -profit)
    else:
        course.change(course.realm, treasury=course.realm.treasury + profit)
    course.add_happiness(course.realm, base)
    lines = [("Profit", f"{printed(Fraction(profit))} gold"), ("Happiness", f"+{base}")]
    if course.dice.succeeds(formulas.games_death_chance(melee, constants), "RL-DUN-04", "dies", leader.name):
        _die(course, leader)
        course.outcome = DIED
        return RealmReport(((leader.name, course.outcome), *lines), f"{leader.name} died in the games.", is_public=True)
    leader = course.change(leader, experience=leader.experience + course.tables.deeds["Colosseum"].experience)
    chance = formulas.games_escape_chance(course.attributes(leader).stealth, leader.experience, constants)
    message = ""
    if not course.dice.succeeds(chance, "RL-DUN-04", "escapes", leader.name):
        course.outcome = STAYED
    elif leader.kind == RULER:
        course.change(leader, status=REMOVED, captor="", interrogated_by="")
        _lose_player(course, leader)
        course.outcome, message = GONE, f"{leader.name} escaped from the games and left the game."
    else:
        _go_home(course, leader)
        message = f"{leader.name} escaped from the games and {course.outcome}."
    return RealmReport(((leader.name, course.outcome), *lines), message)


def execute(course: Course) -> RealmReport:
    """Execute a prisoner; the captor's own leaders lose loyalty, unless it was a ruler (RL-DUN-06, RL-OP-19)."""
    leader = prisoner(course)
    _die(course, leader)
    course.outcome = EXECUTED
    lines, realm_lines = [(leader.name, course.outcome)], [(leader.name, course.outcome)]
    if leader.kind != RULER:
        for follower in course.sworn:
            lost = course.lose_loyalty(follower, math.trunc(course.constants.execution_loss), "RL-DUN-06")
            lines.append((follower.name, f"loyalty {follower.loyal} → {follower.loyal - lost}"))
            seemed, seems = (course.believed_loyalty(follower.name, before=earlier) for earlier in (True, False))
            realm_lines.append((follower.name, f"loyalty {seemed} → {seems}"))
    message = f"{leader.name} was executed by {course.realm.name}."
    return RealmReport(tuple(lines), message, is_public=True, realm_lines=tuple(realm_lines))


def _converts(course: Course, leader: RealmLeader, chance: Fraction, id: str) -> bool:
    return course.dice.succeeds(chance, id, "conversion", leader.name)


def _convert(course: Course, leader: RealmLeader) -> None:
    """Let a prisoner enter service, which counts as switching sides (RL-OP-18)."""
    course.leave(leader, EMPLOYED, course.realm.name)
    course.outcome = CONVERTED


def _go_home_or_freelance(course: Course, leader: RealmLeader, id: str) -> None:
    if course.dice.succeeds(Fraction(formulas.return_chance(leader.loyal)), id, "returns to his ruler", leader.name):
        _go_home(course, leader)
    else:
        course.leave(leader, FREELANCE)
        course.outcome = FREE


def _go_home(course: Course, leader: RealmLeader) -> None:
    """Return a prisoner to the ruler with unchanged loyalty, or freelance if that ruler is out (RL-OP-18)."""
    home = course.inputs.target_realm
    if home is None or not home.in_play:
        course.leave(leader, FREELANCE)
        course.outcome = FREE
        return
    course.change(leader, status=EMPLOYED, captor="", interrogated_by="")
    course.outcome = RETURNED


def _die(course: Course, leader: RealmLeader) -> None:
    course.change(leader, status=DEAD, captor="", interrogated_by="")
    if leader.kind == RULER:
        _lose_player(course, leader)


def _lose_player(course: Course, leader: RealmLeader) -> None:
    """Remove a player without a ruler from the game (RL-RUL-05)."""
    home: Realm | None = course.inputs.target_realm
    if home is not None:
        course.change(home, in_play=False)
        course.note("out", "RL-RUL-05", f"{home.name} is out of the game with {leader.name}")
