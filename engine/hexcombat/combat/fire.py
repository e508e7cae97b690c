"""Fire of one unit at another: losses, experience and updates of both (HX-LOS, HX-EXP, HX-UPD)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.hexcombat.combat.combat import Combat
from engine.hexcombat.combat.losses import Aim, HexLosses, aim, flattened, lead
from engine.hexcombat.combat.odds import CombatOdds, odds
from engine.hexcombat.setup.conditions import CombatScene
from engine.hexcombat.setup.facts import HexConstants
from engine.hexcombat.setup.fighter import Fighter
from engine.hexcombat.setup.numbers import div, minus, signed
from engine.receipt import counted
from engine.terms import in_keys

LEAST_GAIN, MARGIN = 1, 6
"""Numbers of HX-EXP-1 and HX-EXP-2."""
MAIN_FIRES = 2
"""Number of the first supporting fire; 0 and 1 are the Attacker's and the Defender's in the exchange."""


def support(
    combat: Combat, a: Fighter, p: Fighter, scene: CombatScene, id: str, what: str, reach: int | None = None
) -> None:
    """Let one unit fire at another that does not answer; the fire may end the combat (HX-SUP, HX-OP-01).

    Args:
        what: The kind of fire: `Air defence`.
        reach: The range, if a rule overrides the unit's own.
    """
    fire_odds = odds(a, p, scene, combat.tables, reach)
    explain_odds(combat, a, p, fire_odds, what)
    if fire_odds.own_attack <= 0:  # HX-ODD-A7
        combat.account.tell(what, f"{a.name} cannot fire at {p.name}", "HX-ODD-A7", "abort", None, a)
        return
    number = MAIN_FIRES + combat.fires
    combat.fires += 1
    apply_shot(combat, shoot(combat, a, p, fire_odds, scene, number), what, id)
    combat.kill_if_spent(p)
    is_before = not p.has_fired and not scene.is_ground_to_air  # fire after its own does not break the combat
    if not combat.is_over and p.unsuppressed <= 0 and is_before:
        combat.account.tell(what, f"nobody of {p.name} is left to fight on: the combat is broken", "HX-SUP", "broken")
        combat.end("broken by support fire")


@dataclass(frozen=True, slots=True)
class Shot:
    """One fire of A at P, before its losses are applied."""

    a: Fighter  # The active unit
    p: Fighter  # The passive unit
    odds: CombatOdds  # The odds of A firing at P
    unsuppressed: int  # P's SP that could fire back (HX-EXP-1)
    aim: Aim  # The numbers by which the fire was rolled
    losses: HexLosses  # The resulting losses


def shoot(combat: Combat, a: Fighter, p: Fighter, fire_odds: CombatOdds, scene: CombatScene, number: int) -> Shot:
    """Determine a fire of A at P without applying its losses."""
    aimed = aim(a, p, fire_odds, scene, combat.tables)
    _explain_aim(combat, a, p, fire_odds, aimed)
    return Shot(a, p, fire_odds, p.unsuppressed, aimed, combat.fate.shoot(aimed, a, p, number))


def apply_shot(combat: Combat, shot: Shot, what: str, id: str) -> None:
    """Update both units after a fire (HX-UPD)."""
    a, p, losses = shot.a, shot.p, shot.losses
    constants = combat.tables.facts.constants
    gain = per_kill(shot.odds, shot.unsuppressed, constants) * losses.killed
    a.record_fire()
    p.take_losses(losses.killed, losses.suppressed)
    _tell_fire(combat, shot, what, id)
    if losses.killed > 0:  # HX-EXP
        _learn(combat, a, gained(gain, a.bars, constants))
        _learn(combat, p, gained(constants.experience_target * losses.killed, p.bars, constants))


def _tell_fire(combat: Combat, shot: Shot, what: str, id: str) -> None:
    if not combat.account.is_kept:
        return
    against = f"{shot.odds.own_attack} against {shot.odds.enemy_defence}"
    shots = counted(shot.aim.shots, "shot")
    dice = f"{shots} at {signed(shot.aim.difference) if shot.aim.difference else '±0'}"
    text = f"{shot.a.name} at {shot.p.name}, {against}, {dice}: {losses_text(shot.losses, combat.fate.is_real)}"
    combat.account.tell(what, text, id, "fire", shot.losses.killed, shot.a)


def losses_text(losses: HexLosses, is_real: bool) -> str:
    """Return losses as text: `4 killed, 5 suppressed`; in a forecast only the kills."""
    return f"{losses.killed} killed, {losses.suppressed} suppressed" if is_real else f"{losses.killed} killed"


def _learn(combat: Combat, fighter: Fighter, experience: int) -> None:
    """Add experience to a unit and record it (HX-EXP-4, HX-OP-22)."""
    bars = fighter.learn(experience, combat.tables.facts.constants)
    if combat.account.is_kept and combat.fate.is_real:
        text = f"{fighter.name}: experience {signed(experience)}, makes {fighter.experience}"
        combat.account.note(text, "HX-EXP-4", "experience", experience, fighter)
        if bars > 0:
            now = f"{counted(fighter.bars, 'bar')} now; leader possible"
            combat.account.tell(fighter.name, now, "HX-OP-22", "bars", fighter.bars, fighter)


def explain_odds(combat: Combat, a: Fighter, p: Fighter, fire_odds: CombatOdds, what: str) -> None:
    """Record every line of the odds and the four numbers (HX-ODD)."""
    if not combat.account.is_kept:
        return
    labels = odds_names(a, p)
    numbers: Sequence[tuple[str, str, str, int, str]] = (
        ("A attack", labels["A attack"], "HX-DEF-09", fire_odds.own_attack, _note(fire_odds.own_attack, what)),
        ("A defence", labels["A defence"], "HX-DEF-10", fire_odds.own_defence, what),
        ("P attack", labels["P attack"], "HX-DEF-09", fire_odds.enemy_attack, _note(fire_odds.enemy_attack, what)),
        ("P defence", labels["P defence"], "HX-DEF-10", fire_odds.enemy_defence, what),
    )
    combat.account.explain(numbers, fire_odds.steps, labels)


def odds_names(a: Fighter, p: Fighter) -> dict[str, str]:
    """Return the names of the four numbers by their keys."""
    return {
        "A attack": f"Attack, {a.name}",
        "A defence": f"Defence, {a.name}",
        "P attack": f"Attack, {p.name}",
        "P defence": f"Defence, {p.name}",
    }


def _note(attack: int, what: str) -> str:
    return what if attack else f"{what}; cannot fire"


def _explain_aim(combat: Combat, a: Fighter, p: Fighter, fire_odds: CombatOdds, aimed: Aim) -> None:
    if not combat.account.is_kept:
        return
    label = f"{a.name} at {p.name}"
    labels = {
        "shots": f"Shots, {label}",
        "difference": f"Difference, {label}",
        "suppress": f"Suppresses from, {label}",
        "kill": f"Kills from, {label}",
        "converted": f"Killed instead of suppressed, {label}",
    }
    sides = fire_odds.own_attack, fire_odds.enemy_defence
    difference = lead(*sides)
    text = f"{labels['difference']}: {in_keys(lead, *sides, spell=str)} = {minus(difference)}"
    if flattened(difference) != difference:
        text += f", flattened to {minus(flattened(difference))}"
    combat.account.note(text, "HX-LOS-2", "line", difference, a)
    combat.account.explain((), aimed.steps, labels)


def per_kill(odds: CombatOdds, unsuppressed: int, constants: HexConstants) -> int:
    """Return A's experience for each kill, if so many of P's SP could fire back before (HX-EXP-1 ... HX-EXP-3)."""
    # HX-OP-20: multiplied by all of P's strength, so that most fires reach the maximum.
    threat = max(LEAST_GAIN, odds.enemy_attack + MARGIN - odds.own_defence) * unsuppressed if odds.enemy_attack else 0
    toughness = max(LEAST_GAIN, odds.enemy_defence + MARGIN - odds.own_attack)  # HX-EXP-2
    return min(constants.experience_most, threat + toughness)


def gained(gain: int, bars: int, constants: HexConstants) -> int:
    """Return a gain reduced by experience bars, if exp_bar_factor is set (HX-EXP-5)."""
    factor = constants.exp_bar_factor
    if factor <= 0 or bars < 1:
        return gain
    return div(gain * max(0, 100 - bars * factor) + 50, 100)
