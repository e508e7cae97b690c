"""Forecast of one unit's attacks on all units in its reach (HX-OP-55)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.forecast import Kinds, Measure, Replicates
from engine.hexcombat.combat.combat import Combat
from engine.hexcombat.series.forecast import forecast
from engine.hexcombat.series.replicates import replicates
from engine.hexcombat.setup.inputs import TargetsInputs
from engine.hexcombat.setup.tables import HexTables

HEADS = ("Target", "Range", "Target loses", "Attacker loses", "Fire", "Chances")


def targets_table(inputs: TargetsInputs, tables: HexTables) -> str:
    """Return a line for each target, the best first, by the formula (HX-FOR-1).

    Args:
        tables: The tables without the settings of the workbook.
    """
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
    """Return `count` attacks on each target, each with the dice of its own combat.

    Args:
        tables: The tables without the settings of the workbook.
    """
    numbers: dict[str, Measure] = {}
    words: dict[str, Kinds] = {}
    for attack in inputs.combats:
        target = attack.defender.unit.name if attack.defender else ""
        fought = replicates(attack, tables, seed, first, count)
        numbers[f"{target} killed"] = fought.numbers["Defender killed"]
        numbers[f"Attacker killed by {target}"] = fought.numbers["Attacker killed"]
        words[target] = fought.words["Defender"]
    return Replicates(None, numbers, words, tuple(numbers))
