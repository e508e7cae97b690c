"""Who comes and offers service: leaders (RL-REC) and mercenaries (RL-MER); and what becomes of old offers."""

from __future__ import annotations

from engine.realm import formulas
from engine.realm.course import Course
from engine.realm.records import EMPLOYED, LAPSED, SERVICE, Unit, UnitType
from engine.realm.tables import MercenaryLevel, Tables


def lapse(course: Course) -> None:
    """RL-OP-22, RL-OP-23: what was offered to this realm, and what its own leaders offered, is off the table."""
    realm = course.realm.name
    for leader in map(course.now, course.inputs.leaders):
        to_it = leader.offer == SERVICE and leader.offered_to == realm
        by_its_own = leader.offer not in ("", SERVICE) and leader.employer == realm and leader.status == EMPLOYED
        if to_it or by_its_own:
            course.change(leader, offer="", offered_to="")
            course.note("lapsed", "RL-OP-22" if to_it else "RL-OP-23", f"{leader.name}: the offer lapses")
    for unit in map(course.now, course.inputs.units):
        if is_offered(unit, realm):
            course.change(unit, offered_to="", fate=LAPSED)
            course.note("lapsed", "RL-OP-22", f"{unit.name}: was not hired and goes")


def is_offered(unit: Unit, realm: str) -> bool:
    """Whether a mercenary waits for a realm's answer."""
    return unit.offered_to == realm and not unit.owner and not unit.fate


def recruit(course: Course) -> str:
    """RL-REC-01 ... RL-REC-03: perhaps a leader arrives and offers service.

    Returns:
        His name; blank when nobody came.
    """
    fame = course.realm.fame
    chance = formulas.arrival_chance(fame, len(course.sworn), course.constants)
    if not course.dice.succeeds(chance, "RL-REC-01", "a leader arrives"):
        return ""
    arrived = _drawn(course, fame)
    if arrived:
        course.change(course.leader(arrived), offer=SERVICE, offered_to=course.realm.name)
        course.note("arrival", "RL-REC-02", f"{arrived} arrives and offers service")
    else:
        course.note("arrival", "RL-REC-03", "nobody is available, so nobody arrives")
    return arrived


def _drawn(course: Course, fame: int) -> str:
    """RL-REC-02; without available legends heroes come, without heroes nobody (RL-OP-21, RL-OP-38)."""
    it, dice = course.constants, course.dice
    legends = _still_free(course, course.inputs.legends)
    heroes = _still_free(course, course.inputs.heroes)
    is_legend = fame > it.legend_fame and dice.succeeds(it.legend_percent, "RL-REC-02", "it is a legend")
    if is_legend and legends:
        return dice.pick(legends, "RL-REC-02", "which legend")
    return dice.pick(heroes, "RL-REC-02", "which hero") if heroes else ""


def _still_free(course: Course, names: tuple[str, ...]) -> list[str]:
    """Without those whom another step of this turn gave another offer."""
    return [name for name in names if not course.leader(name).offer]


def offer_mercenaries(course: Course) -> str:
    """RL-MER-01 ... RL-MER-03: perhaps mercenaries offer service; they wait in a row of their own (RL-OP-22).

    Returns:
        What came, in words; blank when nobody did.
    """
    nation, dice = course.inputs.nation, course.dice
    chance = formulas.mercenary_chance(course.realm.fame, course.constants)
    if not dice.succeeds(chance, "RL-MER-01", "mercenaries offer service"):
        return ""
    if nation is None or not nation.mercenaries:
        course.note("mercenary", "RL-MER-03", "no unit type comes to this nation as mercenaries")
        return ""
    type = course.types[dice.pick(nation.mercenaries, "RL-MER-03", "which mercenaries")]
    level = _level(course)
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
    """How mercenaries are called, without their number."""
    return f"{type} {realm}"


def mercenary_cost(unit: Unit, type: UnitType, tables: Tables) -> int:
    """RL-MER-02: what a waiting mercenary costs, by the level of its experience; below the lowest one, as that."""
    fitting = [it for it in tables.mercenaries if unit.experience >= it.experience] or [tables.mercenaries[0]]
    level = max(fitting, key=lambda it: it.experience)
    return level.cost * type.initial_cost


def _level(course: Course) -> MercenaryLevel:
    """RL-MER-02."""
    rolled = course.dice.roll(100, "RL-MER-02", "level of the mercenaries")
    for level in course.tables.mercenaries:
        rolled -= level.percent
        if rolled <= 0:
            break
    return level
