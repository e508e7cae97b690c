"""The exchange itself: odds, initiative, bombs, fire in its sequence (HX-NC-13 ... HX-NC-15, HX-RES)."""

from __future__ import annotations

from engine.hexcombat.bombing import bomb_hex, bomb_unit
from engine.hexcombat.combat import Combat
from engine.hexcombat.fighter import AIR, Fighter
from engine.hexcombat.fire import Shot, explain_odds, shoot, suffer
from engine.hexcombat.initiative import ATTACKER_FIRST, DEFENDER_FIRST, Initiative, initiative
from engine.hexcombat.odds import Odds, odds

EXCHANGE, FIRE = "Exchange", "Fire"


def exchange(combat: Combat) -> None:
    """HX-NC-13 ... HX-NC-15: unless nobody can begin it (HX-ODD-A7, HX-ODD-B8)."""
    own, enemy = combat.attacker, combat.defender
    combat.account.begin(EXCHANGE)
    found = odds(own, enemy, combat.scene(), combat.tables)
    explain_odds(combat, own, enemy, found, "HX-ODD", EXCHANGE)
    if _aborts(combat, found):
        combat.end("no exchange")
        return
    decided = _initiative(combat, found)
    if not combat.is_surprise and AIR not in enemy.kinds:  # HX-NC-14
        if combat.says("bombs stores"):
            bomb_unit(combat)
        bomb_hex(combat)
    _resolve(combat, decided)


def _aborts(combat: Combat, found: Odds) -> bool:
    """HX-ODD-A7, and HX-ODD-B8 where the Attacker was surprised (HX-OP-14)."""
    own, enemy = combat.attacker, combat.defender
    if found.own_attack <= 0 and not combat.scene().is_rugged:
        combat.account.tell(EXCHANGE, f"none: {own.name} cannot fire", "HX-ODD-A7", "abort", None, own)
        return True
    if found.enemy_attack <= 0 and combat.is_surprise:
        combat.account.tell(EXCHANGE, f"none: {enemy.name} cannot fire", "HX-ODD-B8", "abort", None, enemy)
        return True
    return False


def _initiative(combat: Combat, found: Odds) -> Initiative:
    """HX-INI, with the dice of HX-INI-10."""
    own, enemy = combat.attacker, combat.defender
    decided = initiative(own, enemy, found, combat.scene(), combat.tables, combat.fate.initiatives)
    combat.sequence = decided.sequence
    _tell_initiative(combat, decided)
    return decided


def _tell_initiative(combat: Combat, decided: Initiative) -> None:
    account, own, enemy = combat.account, combat.attacker, combat.defender
    if not account.is_kept:
        return
    labels = {"A initiative": f"Initiative, {own.name}", "P initiative": f"Initiative, {enemy.name}"}
    numbers = [
        (key, labels[key], "HX-INI", value, "")
        for key, value in (("A initiative", decided.attacker), ("P initiative", decided.defender))
        if value is not None
    ]
    account.explain(numbers, decided.steps, labels)
    if decided.attacker is not None:
        text = f"{own.name} {decided.attacker}, {enemy.name} {decided.defender}"
        account.tell("Initiative", text, "HX-INI-16", "initiative")
    account.tell("Sequence", f"{decided.sequence} ({decided.words})", decided.id, "sequence")
    it = decided.odds
    text = f"{own.name} {it.own_attack} / {it.own_defence}, {enemy.name} {it.enemy_attack} / {it.enemy_defence}"
    account.tell("Attack / defence", text, "HX-ODD", "odds")


def _resolve(combat: Combat, decided: Initiative) -> None:
    """HX-RES: who fires first hits before the other's shots are counted."""
    own, enemy = combat.attacker, combat.defender
    ours, theirs = decided.odds, decided.odds.turned
    if decided.sequence == ATTACKER_FIRST:
        _in_turn(combat, own, enemy, ours, theirs)
    elif decided.sequence == DEFENDER_FIRST:
        _in_turn(combat, enemy, own, theirs, ours)
    else:
        _at_once(combat, ours, theirs)
    combat.bury(own)
    combat.bury(enemy)


def _in_turn(combat: Combat, first: Fighter, second: Fighter, ours: Odds, theirs: Odds) -> None:
    if _can(first, ours):
        suffer(combat, _shot(combat, first, second, ours), FIRE, "HX-RES")
    if second.strength > 0 and _can(second, theirs):
        suffer(combat, _shot(combat, second, first, theirs), FIRE, "HX-RES")


def _at_once(combat: Combat, ours: Odds, theirs: Odds) -> None:
    """Both fire from the same state; the Attacker's dice come first (HX-DEF-24)."""
    own, enemy = combat.attacker, combat.defender
    shots = [_shot(combat, a, p, found) for a, p, found in ((own, enemy, ours), (enemy, own, theirs)) if _can(a, found)]
    for shot in shots:
        suffer(combat, shot, FIRE, "HX-RES")


def _can(it: Fighter, found: Odds) -> bool:
    """HX-RES-4, HX-DEF-21: an attack, a shot and somebody to fire it."""
    return found.own_attack > 0 and it.unsuppressed > 0 and it.has_ammo


def _shot(combat: Combat, a: Fighter, p: Fighter, found: Odds) -> Shot:
    return shoot(combat, a, p, found, combat.scene(), 0 if a is combat.attacker else 1)
