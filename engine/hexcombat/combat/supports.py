"""Supporting fire before and after the exchange: fighters, guns, destroyers, batteries (HX-INT ... HX-CBF)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from engine.hexcombat.combat.combat import Combat
from engine.hexcombat.combat.fire import support
from engine.hexcombat.setup.conditions import CombatScene, reaches_over
from engine.hexcombat.setup.fighter import AIR, LAND
from engine.hexcombat.setup.inputs import WILD_WEASEL, Supporter


@dataclass(frozen=True, slots=True)
class Duty:
    """Kind of supporting fire."""

    id: str  # The rule id
    name: str  # The name on the receipt
    switch: str  # The switch for eligible units
    most: int | None = None  # The greatest number of units; None for all listed ones
    mark: str = ""  # The attribute of a unit that marks it for this turn; blank for none


INTERCEPTION = Duty("HX-INT", "Interception", "intercepts", mark="has_intercepted")
AIR_DEFENCE = Duty("HX-AD", "Air defence", "gives air defence")
FIRE_SUPPORT = Duty("HX-FS", "Fire support", "gives fire support", mark="has_supported")
NAVAL_SUPPORT = Duty("HX-NS", "Naval support", "gives naval support", most=1, mark="has_supported")
COUNTER_BATTERY = Duty("HX-CBF", "Counter-battery fire", "fires at batteries", most=1, mark="has_supported")


def interception(combat: Combat) -> None:
    """Let fighters adjacent to the Defender fire at a plane (HX-NC-04, HX-INT)."""
    if AIR in combat.attacker.kinds and not _is_suppressing(combat):
        _fire(combat, INTERCEPTION, combat.inputs.interceptors)


def air_defence(combat: Combat) -> None:
    """Let guns fire at a plane that attacks the ground, by barrage too (HX-NC-05, HX-AD, HX-BAR-4)."""
    is_at_ground = combat.enemy is None or AIR not in combat.enemy.kinds
    if AIR in combat.attacker.kinds and is_at_ground and not _is_suppressing(combat):  # HX-OP-33
        _fire(combat, AIR_DEFENCE, combat.inputs.air_defence)


def fire_support(combat: Combat) -> None:
    """Let guns fire at a land unit, at their full range (HX-NC-06, HX-FS, HX-OP-42)."""
    if LAND in combat.attacker.kinds and AIR not in combat.defender.kinds:
        _fire(combat, FIRE_SUPPORT, combat.inputs.fire_support)


def naval_support(combat: Combat) -> None:
    """Let a destroyer fire at a submarine (HX-NC-07, HX-NS)."""
    if combat.tables.facts.constants.extended_naval_rules and combat.says("calls for naval support"):
        _fire(combat, NAVAL_SUPPORT, combat.inputs.naval_support)


def counter_battery(combat: Combat) -> None:
    """Let the first able battery answer the Attacker that has just fired (HX-NC-16, HX-CBF-3, HX-OP-38)."""
    if AIR not in combat.attacker.kinds and combat.attacker.has_fired:
        _fire(combat, COUNTER_BATTERY, combat.inputs.counter_battery)


def _is_suppressing(combat: Combat) -> bool:
    """Return True if the plane flies WildWeasel, so that no unit fires at it (HX-INT, HX-AD)."""
    return combat.tables.facts.constants.air_missions and combat.attacker.mission == WILD_WEASEL


def _fire(combat: Combat, duty: Duty, supporters: Sequence[Supporter]) -> None:
    """Let each supporter that can fire in list order until the combat ends (HX-SUP, HX-DEF-21)."""
    remaining = len(supporters) if duty.most is None else duty.most
    for supporter in supporters:
        if remaining == 0 or combat.is_over:
            return
        unit = combat.unit(supporter.piece)
        scene = _scene_of(combat, duty, supporter.distance)
        case = combat.tables.case(duty.switch, unit, combat.attacker, scene)
        reach = scene.distance if case and case.id == "HX-AD-2" and reaches_over(scene) else None
        if case is None or not unit.can_fire_at(combat.attacker, scene.distance, reach):
            combat.account.tell(duty.name, f"{unit.name} cannot", duty.id, "skipped", None, unit)
            continue
        remaining -= 1
        support(combat, unit, combat.attacker, scene, case.id, duty.name, reach)
        if duty.mark:
            setattr(unit, duty.mark, True)


def _scene_of(combat: Combat, duty: Duty, distance: int) -> CombatScene:
    """Return the circumstances of a supporting unit and its target; only the exchange is rugged (HX-OP-04)."""
    return dataclasses.replace(
        combat.scene(),
        distance=distance,
        is_surprise=False,
        is_close_combat=False,
        is_rugged_defence=False,
        is_air_defence=duty is AIR_DEFENCE,
        is_fire_support=duty is FIRE_SUPPORT,
    )
