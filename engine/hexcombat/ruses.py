"""What may keep two units from fighting, or make the fight rugged (HX-SAB, HX-EVA, HX-FLE, HX-RUG)."""

from __future__ import annotations

from engine.hexcombat import purposes
from engine.hexcombat.combat import Combat
from engine.hexcombat.conditions import Scene
from engine.hexcombat.facts import Constants
from engine.hexcombat.fighter import AIR, Fighter
from engine.hexcombat.lines import apply
from engine.hexcombat.numbers import div, within
from engine.hexcombat.records import EVADED, FLED, SUNK
from engine.hexcombat.tables import Tables

NORMAL_STRENGTH = 10
"""HX-SAB-3."""


def sabotage(combat: Combat) -> None:
    """HX-NC-08, HX-SAB-1, HX-OP-12: one attempt at a unit that is not sabotaged yet; it costs a shot.

    Whoever is sabotaged stays so until a moderator clears it (HX-OP-44).
    """
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


def sabotage_percent(own: Fighter, enemy: Fighter, constants: Constants) -> int:
    """HX-SAB-2 ... HX-SAB-4, HX-OP-13: of the Attacker's numbers, by strength where a side has not 10."""
    percent = constants.sabotage_min + own.values.initiative + 2 * own.bars + 3 * own.attack_at(enemy)
    if (own.strength, enemy.strength) != (NORMAL_STRENGTH, NORMAL_STRENGTH):
        percent = div(percent * own.strength, enemy.strength)
    return min(percent, constants.sabotage_max)


def evade(combat: Combat) -> None:
    """HX-NC-09, HX-EVA: the Defender may slip away; rolled once (HX-NC-11, HX-OP-02), at no cost (HX-OP-39)."""
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
    """HX-EVA-2 and HX-EVA-3: the Defender's chance, 0 to 100; None when it does not evade at all.

    A submarine is surfaced by being mounted on a worse transport of its own (HX-EVA-5).

    Args:
        own: The Attacker.
        enemy: The Defender.
        enemies_beside: Beside the Defender, the Attacker among them.
        combat: For its tables.
    """
    facts = combat.tables.facts
    constants = facts.constants
    of_class = facts.class_evade[enemy.piece.type.unit_class]
    base = of_class if of_class > 0 else constants.evade_base
    fewer = constants.zoc_evade * max(0, enemies_beside - 1)
    if of_class >= 0:
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
    """HX-NC-10, HX-FLE-1, HX-OP-03: land units drive a ship out of port, or sink it there."""
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
    """HX-NC-12, HX-RUG: infantry that is dug in may await infantry, unless that ignores entrenchment (HX-RUG-1)."""
    if combat.is_surprise or not combat.says("meets rugged defence"):
        return
    percent = rugged_percent(combat.attacker, combat.defender, combat.scene(), combat.tables)
    if combat.fate.happens(percent, "Rugged defence", "HX-RUG-6", purposes.RUGGED):
        combat.is_rugged_defence = True


def rugged_percent(own: Fighter, enemy: Fighter, scene: Scene, tables: Tables) -> int:
    """HX-RUG-2 ... HX-RUG-5: grows with the Defender's entrenchment."""
    scene.numbers = {"A weight": 0, "P weight": 0}
    apply(tables.rugged, own, enemy, scene)
    weighed = div(50 * scene.numbers["P weight"], max(1, scene.numbers["A weight"]))  # HX-RUG-3
    rate = tables.facts.constants.infantry_entrench_rate + 1  # HX-RUG-4
    return within(div(5 * weighed * rate * enemy.entrenchment, 50 * rate), 0, 100)
