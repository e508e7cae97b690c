"""Who fires before and after the combat: fighters, guns, destroyers, batteries (HX-INT ... HX-CBF)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from engine.hexcombat.combat import Combat
from engine.hexcombat.conditions import Scene, reaches_over
from engine.hexcombat.fighter import AIR, LAND, Fighter
from engine.hexcombat.fire import support
from engine.hexcombat.inputs import WILD_WEASEL, Supporter
from engine.hexcombat.tables import Case


@dataclass(frozen=True, slots=True)
class Duty:
    """A kind of supporting fire.

    Args:
        id: The rule.
        name: On the receipt.
        switch: Who may give it.
        most: So many units, None for all that are listed.
        marks: What a unit has done this turn when it gave it: `intercepted`, `supported` or nothing.
    """

    id: str
    name: str
    switch: str
    most: int | None = None
    marks: str = ""


INTERCEPTION = Duty("HX-INT", "Interception", "intercepts", marks="intercepted")
AIR_DEFENCE = Duty("HX-AD", "Air defence", "gives air defence")
FIRE_SUPPORT = Duty("HX-FS", "Fire support", "gives fire support", marks="supported")
NAVAL_SUPPORT = Duty("HX-NS", "Naval support", "gives naval support", most=1, marks="supported")
COUNTER_BATTERY = Duty("HX-CBF", "Counter-battery fire", "fires at batteries", most=1, marks="supported")


def interception(combat: Combat) -> None:
    """HX-NC-04, HX-INT: fighters beside the Defender against a plane."""
    if AIR in combat.attacker.kinds and not is_suppressing(combat):
        _fire(combat, INTERCEPTION, combat.inputs.interceptors)


def air_defence(combat: Combat) -> None:
    """HX-NC-05, HX-AD: guns against a plane that attacks the ground, a barrage too (HX-BAR-4)."""
    is_at_ground = combat.enemy is None or AIR not in combat.enemy.kinds
    if AIR in combat.attacker.kinds and is_at_ground and not is_suppressing(combat):  # HX-OP-33
        _fire(combat, AIR_DEFENCE, combat.inputs.air_defence)


def fire_support(combat: Combat) -> None:
    """HX-NC-06, HX-FS: guns against a land unit, from as far as they reach (HX-OP-42)."""
    if LAND in combat.attacker.kinds and AIR not in combat.defender.kinds:
        _fire(combat, FIRE_SUPPORT, combat.inputs.fire_support)


def naval_support(combat: Combat) -> None:
    """HX-NC-07, HX-NS: a destroyer against a submarine."""
    if combat.tables.facts.constants.extended_naval_rules and combat.says("calls for naval support"):
        _fire(combat, NAVAL_SUPPORT, combat.inputs.naval_support)


def counter_battery(combat: Combat) -> None:
    """HX-NC-16, HX-CBF-3: the first battery that can answers the Attacker, who has just fired (HX-OP-38)."""
    if AIR not in combat.attacker.kinds and combat.attacker.has_fired:
        _fire(combat, COUNTER_BATTERY, combat.inputs.counter_battery)


def is_suppressing(combat: Combat) -> bool:
    """Whether nobody fires at the plane, which flies WildWeasel (HX-INT, HX-AD)."""
    return combat.tables.facts.constants.air_missions and combat.attacker.mission == WILD_WEASEL


def _fire(combat: Combat, duty: Duty, supporters: Sequence[Supporter]) -> None:
    """HX-SUP for each supporter in list order, while the combat goes on."""
    left = len(supporters) if duty.most is None else duty.most
    for supporter in supporters:
        if left == 0 or combat.is_over:
            return
        it = combat.unit(supporter.piece)
        scene = scene_of(combat, duty, supporter.distance)
        case = able(combat, duty, it, scene)
        if case is None:
            combat.account.tell(duty.name, f"{it.name} cannot", duty.id, "skipped", None, it)
            continue
        left -= 1
        reach = scene.distance if case.id == "HX-AD-2" and reaches_over(scene) else None
        support(combat, it, combat.attacker, scene, case.id, duty.name, reach)
        _mark(it, duty)


def able(combat: Combat, duty: Duty, it: Fighter, scene: Scene) -> Case | None:
    """The row of the tables that lets a unit do a duty now; None when none does (HX-DEF-21)."""
    case = combat.tables.case(duty.switch, it, combat.attacker, scene)
    if case is None:
        return None
    reach = scene.distance if case.id == "HX-AD-2" and reaches_over(scene) else None
    return case if it.can_fire_at(combat.attacker, scene.distance, reach) else None


def scene_of(combat: Combat, duty: Duty, distance: int) -> Scene:
    """What is around a supporting unit and its target: rugged is the main exchange alone (HX-OP-04)."""
    return dataclasses.replace(
        combat.scene(),
        distance=distance,
        is_surprise=False,
        is_close_combat=False,
        is_rugged_defence=False,
        is_air_defence=duty is AIR_DEFENCE,
        is_fire_support=duty is FIRE_SUPPORT,
    )


def _mark(it: Fighter, duty: Duty) -> None:
    if duty.marks == "intercepted":
        it.has_intercepted = True
    elif duty.marks == "supported":
        it.has_supported = True
