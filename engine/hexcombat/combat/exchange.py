"""The exchange: odds, initiative, bombs, and fire in sequence (HX-NC-13 ... HX-NC-15, HX-RES)."""

from __future__ import annotations

from engine.hexcombat.combat.bombing import bomb_hex, bomb_unit
from engine.hexcombat.combat.combat import Combat
from engine.hexcombat.combat.fire import Shot, apply_shot, explain_odds, odds_names, shoot
from engine.hexcombat.combat.initiative import ATTACKER_FIRST, DEFENDER_FIRST, Initiative, initiative
from engine.hexcombat.combat.odds import CombatOdds, odds
from engine.hexcombat.setup.fighter import AIR, Fighter

EXCHANGE, FIRE = "Exchange", "Fire"


def exchange(combat: Combat) -> None:
    """Carry out the exchange (HX-NC-13 ... HX-NC-15), unless no unit can begin it (HX-ODD-A7, HX-ODD-B8)."""
    own, enemy = combat.attacker, combat.defender
    combat.account.begin(EXCHANGE)
    combat_odds = odds(own, enemy, combat.scene(), combat.tables)
    explain_odds(combat, own, enemy, combat_odds, EXCHANGE)
    if _aborts(combat, combat_odds):
        combat.end("no exchange")
        return
    decided = _initiative(combat, combat_odds)
    if not combat.is_surprise and AIR not in enemy.kinds:  # HX-NC-14
        if combat.says("bombs stores"):
            bomb_unit(combat)
        bomb_hex(combat)
    _resolve(combat, decided)


def _aborts(combat: Combat, combat_odds: CombatOdds) -> bool:
    """Return True if the attack is impossible (HX-ODD-A7, and HX-ODD-B8 for a surprised Attacker, HX-OP-14)."""
    own, enemy = combat.attacker, combat.defender
    if combat_odds.own_attack <= 0 and not combat.scene().is_rugged:
        combat.account.tell(EXCHANGE, f"none: {own.name} cannot fire", "HX-ODD-A7", "abort", None, own)
        return True
    if combat_odds.enemy_attack <= 0 and combat.is_surprise:
        combat.account.tell(EXCHANGE, f"none: {enemy.name} cannot fire", "HX-ODD-B8", "abort", None, enemy)
        return True
    return False


def _initiative(combat: Combat, combat_odds: CombatOdds) -> Initiative:
    """Determine the initiative (HX-INI), with the dice of HX-INI-10."""
    own, enemy = combat.attacker, combat.defender
    decided = initiative(own, enemy, combat_odds, combat.scene(), combat.tables, combat.fate.initiatives)
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
    names = odds_names(own, enemy)
    gained = [(step.line.to, names[step.line.to], decided.id, step.after, EXCHANGE) for step in decided.bonus]
    account.explain(gained, decided.bonus, names, earlier=decided.odds.steps)
    final = decided.odds
    own_text = f"{own.name} {final.own_attack} / {final.own_defence}"
    enemy_text = f"{enemy.name} {final.enemy_attack} / {final.enemy_defence}"
    account.tell("Attack / defence", f"{own_text}, {enemy_text}", "HX-ODD", "odds")


def _resolve(combat: Combat, decided: Initiative) -> None:
    """Resolve the fire of both units in sequence; hits of the first count before the second fires (HX-RES)."""
    own, enemy = combat.attacker, combat.defender
    own_odds, enemy_odds = decided.odds, decided.odds.turned
    if decided.sequence == ATTACKER_FIRST:
        _in_turn(combat, own, enemy, own_odds, enemy_odds)
    elif decided.sequence == DEFENDER_FIRST:
        _in_turn(combat, enemy, own, enemy_odds, own_odds)
    else:
        _at_once(combat, own_odds, enemy_odds)
    combat.kill_if_spent(own)
    combat.kill_if_spent(enemy)


def _in_turn(combat: Combat, first: Fighter, second: Fighter, first_odds: CombatOdds, second_odds: CombatOdds) -> None:
    if _can_fire(first, first_odds):
        apply_shot(combat, _shot(combat, first, second, first_odds), FIRE, "HX-RES")
    if second.strength > 0 and _can_fire(second, second_odds):
        apply_shot(combat, _shot(combat, second, first, second_odds), FIRE, "HX-RES")


def _at_once(combat: Combat, own_odds: CombatOdds, enemy_odds: CombatOdds) -> None:
    """Let both units fire from the same state, the Attacker's dice first (HX-DEF-24)."""
    own, enemy = combat.attacker, combat.defender
    shots = [
        _shot(combat, a, p, fire_odds)
        for a, p, fire_odds in ((own, enemy, own_odds), (enemy, own, enemy_odds))
        if _can_fire(a, fire_odds)
    ]
    for shot in shots:
        apply_shot(combat, shot, FIRE, "HX-RES")


def _can_fire(fighter: Fighter, fire_odds: CombatOdds) -> bool:
    """Return True if a unit has an attack, a shot and unsuppressed strength (HX-RES-4, HX-DEF-21)."""
    return fire_odds.own_attack > 0 and fighter.unsuppressed > 0 and fighter.has_ammo


def _shot(combat: Combat, a: Fighter, p: Fighter, fire_odds: CombatOdds) -> Shot:
    return shoot(combat, a, p, fire_odds, combat.scene(), 0 if a is combat.attacker else 1)
