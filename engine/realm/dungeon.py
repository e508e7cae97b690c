"""What is done with prisoners: questions, freedom, money, games, the sword (RL-DUN)."""

from __future__ import annotations

import math
from fractions import Fraction

from engine.exact import printed
from engine.realm import formulas, secrets
from engine.realm.course import Course
from engine.realm.records import DEAD, EMPLOYED, FREELANCE, REMOVED, RULER, Leader, Realm
from engine.realm.report import Report

TALKED, SILENT = "talks", "says nothing"
CONVERTED, RETURNED, FREE, STAYED = "enters service", "returns home", "goes freelance", "stays in the dungeon"
DIED, GONE, EXECUTED = "dies", "leaves the game", "is executed"


def prisoner(course: Course) -> Leader:
    """The leader in question, as he stands now."""
    return course.leader(course.inputs.target)


def interrogate(course: Course) -> Report:
    """RL-DUN-01: once by each captor; who talks gives away facts about his ruler's realm (RL-OP-17)."""
    leader = prisoner(course)
    course.change(leader, interrogated_by=course.realm.name)
    talks = course.dice.succeeds(interrogation_chance(course), "RL-DUN-01", "talks", leader.name)
    course.outcome = TALKED if talks else SILENT
    facts = secrets.found_out(course) if talks else ()
    told = "; ".join(facts) or "nothing" if talks else ""
    return Report(((leader.name, course.outcome), *((("Found out", told),) if talks else ())))


def interrogation_chance(course: Course) -> Fraction:
    """RL-DUN-01 for the leader in question."""
    leader, its = prisoner(course), course.attributes(prisoner(course))
    return formulas.interrogation_chance(leader.loyal, leader.experience, its.leadership, its.melee, course.constants)


def release(course: Course) -> Report:
    """RL-DUN-02: he may stay and serve, else go home, else be his own master; a ruler goes home (RL-OP-39)."""
    leader = prisoner(course)
    if leader.kind == RULER:
        _go_home(course, leader)
    elif _converts(course, leader, release_conversion_chance(course), "RL-DUN-02"):
        _convert(course, leader)
    else:
        _go_home_or_not(course, leader, "RL-DUN-02")
    return Report(((leader.name, course.outcome),), f"{leader.name} was released and {course.outcome}.")


def release_conversion_chance(course: Course) -> Fraction:
    """RL-DUN-02, step 1; none for a realm that he will never serve again (RL-LOY-05)."""
    leader = prisoner(course)
    if course.realm.name in leader.former_rulers:
        return Fraction(0)
    return formulas.release_conversion_chance(leader.loyal, course.constants)


def entice(course: Course) -> Report:
    """RL-DUN-03: for 3 gold he may enter service; if not he may escape."""
    leader = prisoner(course)
    cost = math.trunc(course.constants.entice_cost)
    course.take_gold(course.realm, cost)
    message = ""
    if _converts(course, leader, entice_conversion_chance(course), "RL-DUN-03"):
        _convert(course, leader)
        message = f"{leader.name} {course.outcome} of {course.realm.name}."
    elif course.dice.succeeds(entice_escape_chance(course), "RL-DUN-03", "escapes", leader.name):
        _go_home_or_not(course, leader, "RL-DUN-03")
        message = f"{leader.name} escaped and {course.outcome}."
    else:
        course.outcome = STAYED
    return Report(((leader.name, course.outcome), ("Cost", f"{cost} gold")), message)


def entice_conversion_chance(course: Course) -> Fraction:
    """RL-DUN-03, step 1; none for a realm that he will never serve again (RL-LOY-05)."""
    leader = prisoner(course)
    if course.realm.name in leader.former_rulers:
        return Fraction(0)
    return formulas.entice_conversion_chance(leader.loyal, leader.experience, course.constants)


def entice_escape_chance(course: Course) -> Fraction:
    """RL-DUN-03, step 2, for the leader in question."""
    leader, its = prisoner(course), course.attributes(prisoner(course))
    return formulas.entice_escape_chance(its.melee, its.stealth, leader.experience, course.constants)


def games(course: Course) -> Report:
    """RL-DUN-04: profit, death, experience (RL-OP-37), escape; the people are pleased in any case."""
    leader, it = prisoner(course), course.constants
    base = formulas.games_base(leader.kind, it)
    melee = course.attributes(leader).melee
    faces = formulas.games_faces(base, melee, leader.experience, it)
    profit = math.trunc(it.games_base) + course.dice.roll(faces, "RL-DUN-04", "profit of the games", leader.name)
    if profit < 0:
        profit = -course.take_gold(course.realm, -profit)
    else:
        course.change(course.realm, treasury=course.realm.treasury + profit)
    course.add_happiness(course.realm, base)
    lines = [("Profit", f"{printed(Fraction(profit))} gold"), ("Happiness", f"+{base}")]
    if course.dice.succeeds(formulas.games_death_chance(melee, it), "RL-DUN-04", "dies", leader.name):
        _die(course, leader)
        course.outcome = DIED
        return Report(((leader.name, course.outcome), *lines), f"{leader.name} died in the games.")
    leader = course.change(leader, experience=leader.experience + course.tables.deeds["Colosseum"].experience)
    chance = formulas.games_escape_chance(course.attributes(leader).stealth, leader.experience, it)
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
    return Report(((leader.name, course.outcome), *lines), message)


def execute(course: Course) -> Report:
    """RL-DUN-06: the executioner's own leaders lose loyalty, unless it was a ruler (RL-OP-19)."""
    leader = prisoner(course)
    _die(course, leader)
    course.outcome = EXECUTED
    lines = [(leader.name, course.outcome)]
    if leader.kind != RULER:
        for own in course.sworn:
            lost = course.lose_loyalty(own, math.trunc(course.constants.execution_loss))
            course.note("loyalty", "RL-DUN-06", f"{own.name}: loses {lost} loyalty", -lost)
            lines.append((own.name, f"loyalty {own.loyal} → {own.loyal - lost}"))
    return Report(tuple(lines), f"{leader.name} was executed by {course.realm.name}.")


def _converts(course: Course, leader: Leader, chance: Fraction, id: str) -> bool:
    return course.dice.succeeds(chance, id, "conversion", leader.name)


def _convert(course: Course, leader: Leader) -> None:
    """Converting is switching sides (RL-OP-18)."""
    course.leave(leader, EMPLOYED, course.realm.name)
    course.outcome = CONVERTED


def _go_home_or_not(course: Course, leader: Leader, id: str) -> None:
    if course.dice.succeeds(Fraction(leader.loyal), id, "returns to his ruler", leader.name):
        _go_home(course, leader)
    else:
        course.leave(leader, FREELANCE)
        course.outcome = FREE


def _go_home(course: Course, leader: Leader) -> None:
    """With unchanged loyalty (RL-OP-18); whose ruler is out of the game is his own master."""
    home = course.inputs.target_realm
    if home is None or not home.in_play:
        course.leave(leader, FREELANCE)
        course.outcome = FREE
        return
    course.change(leader, status=EMPLOYED, captor="", interrogated_by="")
    course.outcome = RETURNED


def _die(course: Course, leader: Leader) -> None:
    course.change(leader, status=DEAD, captor="", interrogated_by="")
    if leader.kind == RULER:
        _lose_player(course, leader)


def _lose_player(course: Course, leader: Leader) -> None:
    """RL-RUL-05: without his ruler a player is out."""
    home: Realm | None = course.inputs.target_realm
    if home is not None:
        course.change(home, in_play=False)
        course.note("out", "RL-RUL-05", f"{home.name} is out of the game with {leader.name}")
