"""Consequences of an exchange: the Defender's retreat and critical hits on ships (HX-RET, HX-CRI)."""

from __future__ import annotations

from engine.hexcombat.combat.combat import Combat
from engine.hexcombat.setup import purposes
from engine.hexcombat.setup.facts import HexConstants
from engine.hexcombat.setup.fighter import AIR, NAVAL, Fighter
from engine.hexcombat.setup.numbers import div, within
from engine.hexcombat.setup.records import RETREATED, SUNK, SURRENDERED


def retreat(combat: Combat) -> None:
    """Let a Defender whose whole strength is suppressed retreat, hold or surrender (HX-RET)."""
    own, enemy = combat.attacker, combat.defender
    if not _is_driven(combat):
        return
    can_retreat = combat.tables.says("can retreat", enemy, own, combat.scene())
    if can_retreat and enemy.can_move and combat.inputs.retreat_free:  # HX-RET-3
        enemy.displaced = RETREATED
        follows = f"; {own.name} may move to any adjacent hex" if combat.says("follows") else ""
        combat.account.tell("Retreat", f"{enemy.name} retreats{follows}", "HX-RET-3", "retreat", None, enemy)
        return
    exception = combat.tables.case("stands", enemy, own, combat.scene())
    if exception is not None:
        text = f"{enemy.name} stands ({exception.words})"
        combat.account.tell("Retreat", text, exception.id, "stands", None, enemy)
    else:
        combat.kill(enemy, SURRENDERED, "HX-RET-5", "had to retreat and could not")  # HX-OP-45


def _is_driven(combat: Combat) -> bool:
    """Return True if the Defender must check its retreat (HX-RET-1, HX-RET-2, HX-OP-18)."""
    enemy = combat.defender
    was_hit = enemy.kills_taken > 0 or enemy.suppression_taken > 0
    if enemy.unsuppressed > 0 or not was_hit or not combat.says("drives back"):
        return False
    return combat.is_close_combat or enemy.ground.terrain.entrenchment >= enemy.entrenchment


def critical_hit(combat: Combat) -> None:
    """Roll whether a ship is sunk at once, if both units have lost strength (HX-RES-6, HX-CRI, HX-OP-19)."""
    own, enemy = combat.attacker, combat.defender
    constants = combat.tables.facts.constants
    if constants.critical_hit <= 0 or NAVAL not in enemy.kinds:
        return
    if own.kills_taken < 1 or enemy.kills_taken < 1:  # HX-CRI-1
        return
    percent = critical_percent(own, enemy, constants, is_under_water=combat.says("strikes under water"))
    if combat.fate.happens(percent, f"Critical hit on {enemy.name}", "HX-CRI-5", purposes.CRITICAL):
        combat.kill(enemy, SUNK, "HX-CRI-5", "critical hit")  # HX-OP-45


def critical_percent(own: Fighter, enemy: Fighter, constants: HexConstants, *, is_under_water: bool) -> int:
    """Return the chance of a critical hit, from strength and bars at the combat's start (HX-CRI-2 ... HX-CRI-4)."""
    defence = enemy.values.air_defence if AIR in own.kinds else enemy.values.ground_defence
    fire = own.values.naval_attack * (1 + own.start_bars) * own.piece.unit.strength
    armour = defence * (1 + enemy.start_bars) * enemy.piece.unit.strength
    percent = div((fire - armour) * constants.critical_hit, 30)
    if is_under_water:
        percent += constants.critical_submarine  # HX-CRI-3
    return within(percent, 0, constants.critical_most)
