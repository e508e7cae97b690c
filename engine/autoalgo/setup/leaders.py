"""Bonuses that leaders add to the variables (LEAD-B1 ... LEAD-B7).

Skills are rated 0 to 10 and count as a tenth of that in every formula (R-07). A side without the leader in question
gets no bonus (None, R-33); a person in both posts gives the bonuses of both (LEAD-09).
"""

from __future__ import annotations

from engine.autoalgo.constants import Constants
from engine.autoalgo.records import Leader
from engine.autoalgo.setup.dates import age
from engine.explained import Term
from engine.explained import number as spelled


def effectiveness_factor(commander: Leader | None, constants: Constants) -> Term | None:
    """Return the factor on Effectiveness of the commander's Attack, 1 to 2 (LEAD-B1)."""
    if commander is None:
        return None
    factor = skill(commander.attack, constants) + constants.lead_b1.military_base
    return _term("Attack", commander.attack, commander, factor)


def occupation_factor(head: Leader | None, constants: Constants) -> Term | None:
    """Return the factor on the occupation score of the head of state's Attack, 1 to 11 (LEAD-B1, OCC-08)."""
    if head is None:
        return None
    factor = (skill(head.attack, constants) + constants.lead_b1.national_base) * constants.lead_b1.national_factor
    return _term("Attack", head.attack, head, factor)


def bonus(name: str, leader: Leader | None, divisor: float, constants: Constants) -> Term | None:
    """Return a leader's bonus by a skill (LEAD-B2, LEAD-B4, LEAD-B5, LEAD-B7)."""
    if leader is None:
        return None
    rating: float = getattr(leader, name.lower())
    return _term(name, rating, leader, skill(rating, constants) / divisor)


def siege_bonus(commander: Leader | None, constants: Constants) -> Term | None:
    """Return the commander's bonus on the Siege Rate, on the scale of that rate (LEAD-B3, R-04)."""
    if commander is None:
        return None
    value = skill(commander.siege, constants) / constants.var_siege.skill_divisor
    return _term("Siege", commander.siege, commander, value)


def morale_bonus(commander: Leader | None, constants: Constants) -> Term | None:
    """Return the commander's bonus on the Morale Bonus, above 0 even at Zeal 0 (LEAD-B6)."""
    if commander is None:
        return None
    zeal = skill(commander.zeal, constants) + constants.lead_b6.base
    return _term("Zeal", commander.zeal, commander, zeal / constants.lead_b6.divisor)


def skill(rating: float, constants: Constants) -> float:
    """Convert a rating of 0 to 10 to the scale of the formulas, 0 to 1 (R-07)."""
    return rating / constants.r_07.skill_scale


def leader_age(leader: Leader, year: int, constants: Constants) -> int:
    """Return a leader's age in years, the assumed age if the birth year is unknown (LEAD-08)."""
    return age(year, leader.birth_year, constants.lead_08.age_assumed)


def _term(name: str, rating: float, leader: Leader, value: float) -> Term:
    return Term(f"{name} of {leader.name}", spelled(rating), value)
