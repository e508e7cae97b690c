"""Many combats: the rules' own forecast (HX-FOR-1, HX-OP-23), repeated rolls, and all targets of a unit (HX-OP-55).

All tables are those with the settings of the request in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from engine.forecast import Kinds, Measure, Replicates
from engine.hexcombat.combat.account import Account
from engine.hexcombat.combat.combat import Combat
from engine.hexcombat.combat.fate import ExpectedFate, RolledFate
from engine.hexcombat.combat.procedures import fight
from engine.hexcombat.report.result import HOLDS, SABOTAGED, fate_of, summary
from engine.hexcombat.setup.dice import DiceInOrder
from engine.hexcombat.setup.fighter import Fighter
from engine.hexcombat.setup.inputs import CombatInputs, TargetsInputs
from engine.hexcombat.setup.records import DESTROYED, EVADED, FLED, RETREATED, SUNK, SURRENDERED
from engine.hexcombat.setup.tables import HexTables
from engine.rng import Rng

FATES = (HOLDS, RETREATED, EVADED, FLED, SABOTAGED, SURRENDERED, SUNK, DESTROYED)
"""Possible fates of a unit, the mildest first."""
HEADS = ("Target", "Range", "Target loses", "Attacker loses", "Fire", "Chances")


def forecast(inputs: CombatInputs, tables: HexTables) -> Combat:
    """Fight the combat by expectation, on copies (HX-DEF-22)."""
    account = Account()
    return fight(inputs, tables, ExpectedFate(account), account)


def line(combat: Combat) -> str:
    """Return `By formula: Infantry: 5 killed; Tank: 1 killed; SIMULTANEOUS; rugged defence 25 %`."""
    parts = [summary(combat), *([combat.sequence] if combat.sequence else []), *combat.account.chances]
    return f"By formula: {'; '.join(parts)}"


def replicates(inputs: CombatInputs, tables: HexTables, seed: int, first: int, count: int) -> Replicates:
    """Return `count` combats of one seed, numbered from `first`; the rules know no winner, only losses and fates."""
    combats = [_fight_once(inputs, tables, Rng(seed, first + number)) for number in range(count)]
    numbers = {"Attacker killed": _measure(combats, lambda combat: combat.attacker.kills_taken)}
    words = {"Attacker": _fates(combat.attacker for combat in combats)}
    if inputs.defender is not None:
        numbers |= {
            "Defender killed": _measure(combats, lambda combat: combat.defender.kills_taken),
            "Defender suppressed": _measure(combats, lambda combat: combat.defender.suppression_taken),
        }
        words["Defender"] = _fates(combat.defender for combat in combats)
    if inputs.facility_owner is not None:
        numbers["Prestige lost"] = _measure(combats, lambda combat: combat.prestige_lost, "points")
    return Replicates(None, numbers, words, tuple(numbers))


def _fight_once(inputs: CombatInputs, tables: HexTables, rng: Rng) -> Combat:
    account = Account(is_kept=False)
    return fight(inputs, tables, RolledFate(DiceInOrder(inputs.dice, rng), account), account)


def _measure(combats: Sequence[Combat], number: Callable[[Combat], int], unit: str = "SP") -> Measure:
    return Measure(np.array([number(combat) for combat in combats], np.float64), unit)


def _fates(fighters: Iterable[Fighter]) -> Kinds:
    return Kinds(np.array([FATES.index(fate_of(fighter)) for fighter in fighters], np.int64), FATES)


def targets_table(inputs: TargetsInputs, tables: HexTables) -> str:
    """Return a line for each target, the best first, by the formula (HX-FOR-1)."""
    combats = _best_first(inputs, tables)
    rows = [HEADS, *(tuple(_cells(combat)) for combat in combats)]
    return "\n".join([f"By formula, {combats[0].attacker.name} attacks:", *(" | ".join(row) for row in rows)])


def best_target(inputs: TargetsInputs, tables: HexTables) -> str:
    """Return `By formula, the best target is 716th Rifles: 5 of 10 killed, attacker 1 of 10`."""
    best = _best_first(inputs, tables)[0]
    target, loss = _losses(best)
    return f"By formula, the best target is {best.defender.name}: {target} killed, attacker {loss}"


def _best_first(inputs: TargetsInputs, tables: HexTables) -> list[Combat]:
    combats = [forecast(attack, tables) for attack in inputs.combats]
    return sorted(combats, key=lambda combat: combat.attacker.kills_taken - combat.defender.kills_taken)


def _cells(combat: Combat) -> Iterator[str]:
    yield combat.defender.name
    yield str(combat.inputs.range)
    yield from _losses(combat)
    yield combat.sequence or combat.ending or "none"
    yield "; ".join(combat.account.chances) or "none"


def _losses(combat: Combat) -> Iterator[str]:
    """Yield the losses of the target and of the attacker: `5 of 10`, `1 of 10`."""
    for unit in (combat.defender, combat.attacker):
        yield f"{unit.kills_taken} of {unit.piece.unit.strength}"


def targets_replicates(inputs: TargetsInputs, tables: HexTables, seed: int, first: int, count: int) -> Replicates:
    """Return `count` attacks on each target, each with the dice of its own combat."""
    numbers: dict[str, Measure] = {}
    words: dict[str, Kinds] = {}
    for attack in inputs.combats:
        target = attack.defender.unit.name if attack.defender else ""
        fought = replicates(attack, tables, seed, first, count)
        numbers[f"{target} killed"] = fought.numbers["Defender killed"]
        numbers[f"Attacker killed by {target}"] = fought.numbers["Attacker killed"]
        words[target] = fought.words["Defender"]
    return Replicates(None, numbers, words, tuple(numbers))
