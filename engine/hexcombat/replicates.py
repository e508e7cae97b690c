"""What may come of a combat by rolling it again and again; number 0 of a seed is its ruling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from engine.forecast import Kinds, Measure, Replicates
from engine.hexcombat.account import Account
from engine.hexcombat.combat import Combat
from engine.hexcombat.dice import DiceInOrder
from engine.hexcombat.fate import Rolled
from engine.hexcombat.fighter import Fighter
from engine.hexcombat.inputs import CombatInputs
from engine.hexcombat.procedures import fight
from engine.hexcombat.records import DESTROYED, EVADED, FLED, RETREATED, SUNK, SURRENDERED
from engine.hexcombat.result import HOLDS, SABOTAGED, fate_of
from engine.hexcombat.tables import Tables
from engine.luck import Luck

FATES = (HOLDS, RETREATED, EVADED, FLED, SABOTAGED, SURRENDERED, SUNK, DESTROYED)
"""What may become of a unit, the mildest first."""


def replicates(inputs: CombatInputs, tables: Tables, seed: int, first: int, count: int) -> Replicates:
    """Some combats of one seed, counted from `first`. Nobody wins a combat: losses and fates tell.

    Args:
        inputs: Read and checked.
        tables: Without the settings of the combat.
        seed: 0 to 2**64 - 1.
        first: Number of the first.
        count: How many, at least 1.
    """
    tables = tables.having(inputs.settings)
    fought = [_fought(inputs, tables, Luck(seed, first + it)) for it in range(count)]
    numbers = {"Attacker killed": _measure(fought, lambda it: it.attacker.kills_taken)}
    words = {"Attacker": _fates(it.attacker for it in fought)}
    if inputs.defender is not None:
        numbers |= {
            "Defender killed": _measure(fought, lambda it: it.defender.kills_taken),
            "Defender suppressed": _measure(fought, lambda it: it.defender.suppression_taken),
        }
        words["Defender"] = _fates(it.defender for it in fought)
    if inputs.facility_owner is not None:
        numbers["Prestige lost"] = _measure(fought, lambda it: it.prestige_lost, "points")
    return Replicates(None, numbers, words, tuple(numbers))


def _fought(inputs: CombatInputs, tables: Tables, luck: Luck) -> Combat:
    account = Account(is_kept=False)
    return fight(inputs, tables, Rolled(DiceInOrder(inputs.dice, luck), account), account)


def _measure(fought: Sequence[Combat], of: Callable[[Combat], int], unit: str = "SP") -> Measure:
    return Measure(np.array([of(it) for it in fought], np.float64), unit)


def _fates(fighters: Iterable[Fighter]) -> Kinds:
    return Kinds(np.array([FATES.index(fate_of(it)) for it in fighters], np.int64), FATES)
