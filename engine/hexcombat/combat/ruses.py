"""Steps that may prevent a combat or make it rugged (HX-SAB, HX-EVA, HX-FLE, HX-RUG)."""

from __future__ import annotations

from engine.hexcombat.combat.combat import Combat
from engine.hexcombat.setup import purposes
from engine.hexcombat.setup.conditions import CombatScene
from engine.hexcombat.setup.facts import HexConstants
from engine.hexcombat.setup.fighter import AIR, Fighter
from engine.hexcombat.setup.lines import apply
from engine.hexcombat.setup.numbers import div, within
from engine.hexcombat.setup.records import EVADED, FLED, SUNK
from engine.hexcombat.setup.tables import HexTables

NORMAL_STRENGTH = 10
"""Normal strength of a unit (HX-SAB-3)."""


def sabotage(combat: Combat) -> None:
    """Attempt sabotage once, at the cost of a shot (HX-NC-08, HX-SAB-1, HX-OP-12, HX-OP-44)."""
    own, enemy = combat.attacker, combat.defender
    if not combat.says("tries sabotage"):
        return
    percent = sabotage_percent(own, enemy, combat.tables.facts.constants)
    own.spend_ammo()
    if combat.fate.happens(percent, "Sabotage", "HX-SAB-5", purposes.SABOTAGE):
        enemy.is_sabotaged = True
        combat.end("sabotaged")
    elif combat.fate.is_real:
        points = min(combat.tables.facts.constants.sabotage_backlash, own.unsuppressed)
        own.suppressed += points
        own.suppression_taken += points
        combat.account.tell("Sabotage", f"{own.name} has {points} suppressed", "HX-SAB-5", "suppressed", points, own)


def sabotage_percent(own: Fighter, enemy: Fighter, constants: HexConstants) -> int:
    """Return the chance of sabotage, scaled by strength unless both units have 10 (HX-SAB-2 ... HX-SAB-4, HX-OP-13)."""
    percent = constants.sabotage_min + own.values.initiative + 2 * own.bars + 3 * own.attack_at(enemy)
    if (own.strength, enemy.strength) != (NORMAL_STRENGTH, NORMAL_STRENGTH):
        percent = div(percent * own.strength, enemy.strength)
    return min(percent, constants.sabotage_max)


def evade(combat: Combat) -> None:
    """Roll once whether the Defender evades, at no cost (HX-NC-09, HX-EVA, HX-NC-11, HX-OP-02, HX-OP-39)."""
    own, enemy = combat.attacker, combat.defender
    if combat.is_surprise or not combat.inputs.retreat_free or enemy.is_sabotaged:  # HX-EVA-1
        return
    percent = evade_percent(own, enemy, combat.inputs.enemies_beside_defender, combat)
    if percent is None:
        return
    if combat.fate.happens(percent, f"Evading of {enemy.name}", "HX-EVA-4", purposes.EVADE):
        enemy.displaced = EVADED
        combat.end("evaded")


def evade_percent(own: Fighter, enemy: Fighter, enemies_beside: int, combat: Combat) -> int | None:
    """Return the Defender's chance to evade, 0 to 100; None if it does not evade (HX-EVA-2, HX-EVA-3, HX-EVA-5)."""
    facts = combat.tables.facts
    constants = facts.constants
    class_chance = facts.class_evade[enemy.piece.type.unit_class]
    base = class_chance if class_chance > 0 else constants.evade_base
    fewer = constants.zoc_evade * max(0, enemies_beside - 1)
    if class_chance >= 0:
        percent = base - fewer + constants.evade_bar * (enemy.bars - own.bars)
        if AIR in own.kinds:
            percent = div(percent, 2)
        if enemy.piece.unit.mounted:
            percent = div(percent, 2)
    elif combat.says("evades by itself"):
        percent = (constants.evade_special or base) - fewer + constants.evade_bar * enemy.bars
    else:
        return None
    return within(percent, 0, 100)


def flee(combat: Combat) -> None:
    """Drive a ship out of port by land units, or sink it there (HX-NC-10, HX-FLE-1, HX-OP-03)."""
    if combat.is_surprise or not combat.says("drives ships out"):
        return
    enemy = combat.defender
    if combat.inputs.retreat_free:
        enemy.displaced = FLED
        combat.account.tell("Fleeing", f"{enemy.name} leaves the port", "HX-FLE-1", "fled", None, enemy)
        combat.end("fled")
    else:
        combat.kill(enemy, SUNK, "HX-FLE-1", "caught in port")  # HX-OP-45


def rugged_defence(combat: Combat) -> None:
    """Roll whether entrenched infantry meets infantry in rugged defence (HX-NC-12, HX-RUG-1)."""
    if combat.is_surprise or not combat.says("meets rugged defence"):
        return
    percent = rugged_percent(combat.attacker, combat.defender, combat.scene(), combat.tables)
    if combat.fate.happens(percent, "Rugged defence", "HX-RUG-6", purposes.RUGGED):
        combat.is_rugged_defence = True


def rugged_percent(own: Fighter, enemy: Fighter, scene: CombatScene, tables: HexTables) -> int:
    """Return the chance of rugged defence, which grows with entrenchment (HX-RUG-2 ... HX-RUG-5)."""
    scene.numbers = {"A weight": 0, "P weight": 0}
    apply(tables.rugged, own, enemy, scene)
    weighed = div(50 * scene.numbers["P weight"], max(1, scene.numbers["A weight"]))  # HX-RUG-3
    rate = tables.facts.constants.infantry_entrench_rate + 1  # HX-RUG-4
    return within(div(5 * weighed * rate * enemy.entrenchment, 50 * rate), 0, 100)
