"""One unit fires at another: losses, experience, what both look like afterwards (HX-LOS, HX-EXP, HX-UPD)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.hexcombat.combat import Combat
from engine.hexcombat.conditions import Scene
from engine.hexcombat.experience import gained, per_kill
from engine.hexcombat.fighter import Fighter
from engine.hexcombat.losses import Aim, Losses, aim, flattened
from engine.hexcombat.numbers import minus, signed
from engine.hexcombat.odds import Odds, odds

MAIN_FIRES = 2
"""Numbers 0 and 1 are the Attacker's and the Defender's in the exchange."""


def support(combat: Combat, a: Fighter, p: Fighter, scene: Scene, id: str, what: str, reach: int | None = None) -> None:
    """HX-SUP, HX-OP-01: one unit fires at another that does not answer; it may kill it, or leave nobody to fight on.

    Args:
        combat: Its state is changed.
        a: The supporting unit.
        p: Its target.
        scene: What is around them.
        id: The rule that lets it fire.
        what: `Air defence`.
        reach: How far it fires where a rule gives it another range.
    """
    found = odds(a, p, scene, combat.tables, reach)
    explain_odds(combat, a, p, found, id, what)
    if found.own_attack <= 0:  # HX-ODD-A7
        combat.account.tell(what, f"{a.name} cannot fire at {p.name}", "HX-ODD-A7", "abort", None, a)
        return
    number = MAIN_FIRES + combat.fires
    combat.fires += 1
    suffer(combat, shoot(combat, a, p, found, scene, number), what, id)
    combat.bury(p)
    is_before = not p.has_fired and not scene.is_ground_to_air  # what comes after its own fire breaks nothing
    if not combat.is_over and p.unsuppressed <= 0 and is_before:
        combat.account.tell(what, f"nobody of {p.name} is left to fight on: the combat is broken", "HX-SUP", "broken")
        combat.end("broken by support fire")


@dataclass(frozen=True, slots=True)
class Shot:
    """A fire of A at P: what it does, before anything is changed.

    Args:
        a: Active unit.
        p: Passive unit.
        odds: Of A firing at P.
        unsuppressed: P's SP that could fire back (HX-EXP-1).
        aim: How it was rolled.
        losses: What came of it.
    """

    a: Fighter
    p: Fighter
    odds: Odds
    unsuppressed: int
    aim: Aim
    losses: Losses


def shoot(combat: Combat, a: Fighter, p: Fighter, found: Odds, scene: Scene, number: int) -> Shot:
    """How A fires at P and what it does; nothing is changed yet.

    Args:
        combat: For its tables and fate.
        a: Active unit.
        p: Passive unit.
        found: Of A firing at P.
        scene: What is around them.
        number: Of the fire in this combat.
    """
    aimed = aim(a, p, found, scene, combat.tables)
    _explain_aim(combat, a, p, found, aimed)
    return Shot(a, p, found, p.unsuppressed, aimed, combat.fate.shoot(aimed, a, p, number))


def suffer(combat: Combat, shot: Shot, what: str, id: str) -> None:
    """HX-UPD of both units after a fire."""
    a, p, losses = shot.a, shot.p, shot.losses
    constants = combat.tables.facts.constants
    gain = per_kill(shot.odds, shot.unsuppressed, constants) * losses.killed
    a.fired()
    p.suffer(losses.killed, losses.suppressed)
    _tell_fire(combat, shot, what, id)
    if losses.killed > 0:  # HX-EXP
        _learn(combat, a, gained(gain, a.bars, constants))
        _learn(combat, p, gained(constants.experience_target * losses.killed, p.bars, constants))


def _tell_fire(combat: Combat, shot: Shot, what: str, id: str) -> None:
    if not combat.account.is_kept:
        return
    against = f"{shot.odds.own_attack} against {shot.odds.enemy_defence}"
    shots = f"{shot.aim.shots} shot{'' if shot.aim.shots == 1 else 's'}"
    dice = f"{shots} at {signed(shot.aim.difference) if shot.aim.difference else '±0'}"
    text = f"{shot.a.name} at {shot.p.name}, {against}, {dice}: {done(shot.losses, combat.fate.is_real)}"
    combat.account.tell(what, text, id, "fire", shot.losses.killed, shot.a)


def done(losses: Losses, is_real: bool) -> str:
    """`4 killed, 5 suppressed`; a forecast knows kills only."""
    return f"{losses.killed} killed, {losses.suppressed} suppressed" if is_real else f"{losses.killed} killed"


def _learn(combat: Combat, it: Fighter, experience: int) -> None:
    """HX-EXP-4, HX-OP-22."""
    bars = it.learn(experience, combat.tables.facts.constants)
    if combat.account.is_kept and combat.fate.is_real:
        text = f"{it.name}: experience {signed(experience)}, makes {it.experience}"
        combat.account.note(text, "HX-EXP-4", "experience", experience, it)
        if bars > 0:
            now = f"{it.bars} bar{'' if it.bars == 1 else 's'} now; leader possible"
            combat.account.tell(it.name, now, "HX-OP-22", "bars", it.bars, it)


def explain_odds(combat: Combat, a: Fighter, p: Fighter, found: Odds, id: str, what: str) -> None:
    """Every line of the odds, and the four numbers (HX-ODD)."""
    if not combat.account.is_kept:
        return
    labels = {
        "A attack": f"Attack, {a.name}",
        "A defence": f"Defence, {a.name}",
        "P attack": f"Attack, {p.name}",
        "P defence": f"Defence, {p.name}",
    }
    numbers: Sequence[tuple[str, str, str, int, str]] = (
        ("A attack", labels["A attack"], "HX-DEF-09", found.own_attack, _note(found.own_attack, what)),
        ("A defence", labels["A defence"], "HX-DEF-10", found.own_defence, what),
        ("P attack", labels["P attack"], "HX-DEF-09", found.enemy_attack, _note(found.enemy_attack, what)),
        ("P defence", labels["P defence"], "HX-DEF-10", found.enemy_defence, what),
    )
    combat.account.explain(numbers, found.steps, labels)


def _note(attack: int, what: str) -> str:
    return what if attack else f"{what}; cannot fire"


def _explain_aim(combat: Combat, a: Fighter, p: Fighter, found: Odds, aimed: Aim) -> None:
    if not combat.account.is_kept:
        return
    of = f"{a.name} at {p.name}"
    labels = {
        "shots": f"Shots, {of}",
        "difference": f"Difference, {of}",
        "suppress": f"Suppresses from, {of}",
        "kill": f"Kills from, {of}",
        "converted": f"Killed instead of suppressed, {of}",
    }
    difference = found.own_attack - found.enemy_defence
    text = f"{labels['difference']}: {found.own_attack} − {found.enemy_defence} = {minus(difference)}"
    if flattened(difference) != difference:
        text += f", flattened to {minus(flattened(difference))}"
    combat.account.note(text, "HX-LOS-2", "line", difference, a)
    combat.account.explain((), aimed.steps, labels)
