"""Repeated rolls of one combat; number 0 of a seed is its ruling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from engine.forecast import Kinds, Measure, Replicates
from engine.hexcombat.combat.account import Account
from engine.hexcombat.combat.combat import Combat
from engine.hexcombat.combat.fate import RolledFate
from engine.hexcombat.combat.procedures import fight
from engine.hexcombat.report.result import HOLDS, SABOTAGED, fate_of
from engine.hexcombat.setup.dice import DiceInOrder
from engine.hexcombat.setup.fighter import Fighter
from engine.hexcombat.setup.inputs import CombatInputs
from engine.hexcombat.setup.records import DESTROYED, EVADED, FLED, RETREATED, SUNK, SURRENDERED
from engine.hexcombat.setup.tables import HexTables
from engine.rng import Rng

FATES = (HOLDS, RETREATED, EVADED, FLED, SABOTAGED, SURRENDERED, SUNK, DESTROYED)
"""Possible fates of a unit, the mildest first."""


def replicates(inputs: CombatInputs, tables: HexTables, seed: int, first: int, count: int) -> Replicates:
    """Return `count` combats of one seed, numbered from `first`; the rules know no winner, only losses and fates.

    Args:
        tables: The tables without the combat's settings.
    """
    tables = tables.having(inputs.settings)
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
