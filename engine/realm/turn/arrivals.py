"""Arrival of leaders (RL-REC) and mercenaries (RL-MER), and the lapse of old offers."""

from __future__ import annotations

from engine.realm.setup import formulas
from engine.realm.setup.records import EMPLOYED, LAPSED, SERVICE, RealmUnit, RealmUnitType
from engine.realm.setup.tables import MercenaryLevel, RealmTables
from engine.realm.turn.course import Course


def lapse(course: Course) -> None:
    """Withdraw offers to this realm (RL-OP-22) and offers of its own leaders (RL-OP-23)."""
    realm = course.realm.name
    for leader in map(course.now, course.inputs.leaders):
        is_to_realm = leader.offer == SERVICE and leader.offered_to == realm
        is_by_own_leader = leader.offer not in ("", SERVICE) and leader.employer == realm and leader.status == EMPLOYED
        if is_to_realm or is_by_own_leader:
            course.change(leader, offer="", offered_to="")
            course.note("lapsed", "RL-OP-22" if is_to_realm else "RL-OP-23", f"{leader.name}: the offer lapses")
    for unit in map(course.now, course.inputs.units):
        if is_offered(unit, realm):
            course.change(unit, offered_to="", fate=LAPSED)
            course.note("lapsed", "RL-OP-22", f"{unit.name}: was not hired and goes")


def is_offered(unit: RealmUnit, realm: str) -> bool:
    """Return True if a mercenary waits for a realm's answer."""
    return unit.offered_to == realm and not unit.owner and not unit.fate


def recruit(course: Course) -> str:
    """Roll for the arrival of a leader who offers service; return the name, or blank (RL-REC-01 ... RL-REC-03)."""
    fame = course.realm.fame
    chance = formulas.arrival_chance(fame, len(course.sworn), course.constants)
    if not course.dice.succeeds(chance, "RL-REC-01", "a leader arrives"):
        return ""
    arrived = _draw_leader(course, fame)
    if arrived:
        course.change(course.leader(arrived), offer=SERVICE, offered_to=course.realm.name)
        course.note("arrival", "RL-REC-02", f"{arrived} arrives and offers service")
    else:
        course.note("arrival", "RL-REC-03", "nobody is available, so nobody arrives")
    return arrived


def _draw_leader(course: Course, fame: int) -> str:
    """Draw a legend or, without one, a hero; return the name, or blank (RL-REC-02, RL-OP-21, RL-OP-38)."""
    constants, dice = course.constants, course.dice
    legends = _still_free(course, course.inputs.legends)
    heroes = _still_free(course, course.inputs.heroes)
    is_legend = fame > constants.legend_fame and dice.succeeds(constants.legend_percent, "RL-REC-02", "it is a legend")
    if is_legend and legends:
        return dice.pick(legends, "RL-REC-02", "which legend")
    return dice.pick(heroes, "RL-REC-02", "which hero") if heroes else ""


def _still_free(course: Course, names: tuple[str, ...]) -> list[str]:
    """Return the names of leaders without an offer from another step of this turn."""
    return [name for name in names if not course.leader(name).offer]


def offer_mercenaries(course: Course) -> str:
    """Roll for mercenaries, who wait in their own row; return them in words (RL-MER-01 ... RL-MER-03, RL-OP-22)."""
    nation, dice = course.inputs.nation, course.dice
    chance = formulas.mercenary_chance(course.realm.fame, course.constants)
    if not dice.succeeds(chance, "RL-MER-01", "mercenaries offer service"):
        return ""
    if nation is None or not nation.mercenaries:
        course.note("mercenary", "RL-MER-03", "no unit type comes to this nation as mercenaries")
        return ""
    type = course.types[dice.pick(nation.mercenaries, "RL-MER-03", "which mercenaries")]
    level = _draw_level(course)
    name = course.new_unit(
        mercenary_stem(type.name, course.realm.name),
        {
            "Type": type.name,
            "Experience": level.experience,
            "Health": type.max_health,
            "Max health": type.max_health,
            "Mercenary": True,
            "Offered to": course.realm.name,
        },
    )
    cost = level.cost * type.initial_cost
    course.note("mercenary", "RL-MER-02", f"{name} ({level.name}) offers service for {cost} gold", cost)
    return f"{name} ({level.name}), {cost} gold"


def mercenary_stem(type: str, realm: str) -> str:
    """Return the name of a mercenary unit without its number."""
    return f"{type} {realm}"


def mercenary_cost(unit: RealmUnit, type: RealmUnitType, tables: RealmTables) -> int:
    """Return the cost of a waiting mercenary by the level of its experience, at least the lowest level (RL-MER-02)."""
    reached = [level for level in tables.mercenaries if unit.experience >= level.experience] or [tables.mercenaries[0]]
    level = max(reached, key=lambda level: level.experience)
    return level.cost * type.initial_cost


def _draw_level(course: Course) -> MercenaryLevel:
    """Draw the level of mercenaries (RL-MER-02)."""
    rolled = course.dice.roll(100, "RL-MER-02", "level of the mercenaries")
    for level in course.tables.mercenaries:
        rolled -= level.percent
        if rolled <= 0:
            break
    return level
