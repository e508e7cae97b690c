"""Ends of battles as numbers, one row for each battle, for the aftermath and forecasts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.autoalgo.battle.hour import has_flank
from engine.autoalgo.battle.state import (
    ATTACKER,
    DECIDED,
    FIRST_CONTACT,
    HOURS,
    SIEGE_BEGUN,
    WINNER,
    Battle,
    EndRules,
    Real,
    Whole,
    blank,
)


class Ends(NamedTuple):
    """The ends of a number of battles; a side's column is 0 for the attacker, 1 for the defender."""

    winner: Whole  # 0 the attacker, 1 the defender, shape (rows,)
    hours: Whole  # Hours fought, shape (rows,)
    first_contact: Whole  # Hour of the first attack, 0 = none, shape (rows,)
    decided: Whole  # Hour in which one side had no fighting flank left, 0 = none, shape (rows,)
    siege_begun: Whole  # Hour in which the siege began, 0 = none (SIEGE-01), shape (rows,)
    is_abandoned: Whole  # 1 where the attacker lost while still in the field, shape (rows,)
    left: Whole  # Men neither killed, dead nor captured, shape (rows, 2)
    killed: Whole  # In action; all men hit until `note_casualties`, shape (rows, 2)
    wounded: Whole  # Carried off by their own side, shape (rows, 2)
    died: Whole  # Of attrition and disease, shape (rows, 2)
    captured: Whole  # ATK-08, R-125, shape (rows, 2)
    missing: Whole  # Scattered in the flight, shape (rows, 2)
    sunk: Whole  # Ships, shape (rows, 2)
    morale: Real  # Points left to all flanks, routed ones too, shape (rows, 2)
    capacity: Real  # At the end of the battle, shape (rows, 2)


def men_lost(ends: Ends) -> Whole:
    """Return the total losses of each side in men, shape (rows, 2)."""
    return ends.killed + ends.wounded + ends.died + ends.captured + ends.missing


def fight_hours(ends: Ends) -> Whole:
    """Return the hours from the first blow to the decision, both included, shape (rows,).

    They are all hours of a siege, and of a battle without a blow.
    """
    hours = np.where(ends.decided > 0, ends.decided, ends.hours) - ends.first_contact + 1
    is_part = (ends.siege_begun == 0) & (ends.first_contact > 0)
    return np.where(is_part, np.where(hours > 0, hours, 0), ends.hours)


def blank_ends(rows: int) -> Ends:
    """Return arrays for the ends of a number of battles."""
    of_battle = dict.fromkeys(("winner", "hours", "first_contact", "decided", "siege_begun", "is_abandoned"), rows)
    return blank(Ends, (rows, 2), **of_battle)


def note_end(battle: Battle, rules: EndRules, ends: Ends, row: int) -> None:
    """Write the end of a battle; numpy sums nothing here, because its order is its own (R-25)."""
    ends.winner[row] = battle.tally[WINNER]
    ends.hours[row] = battle.tally[HOURS]
    ends.first_contact[row] = battle.tally[FIRST_CONTACT]
    ends.decided[row] = battle.tally[DECIDED]
    ends.siege_begun[row] = max(battle.tally[SIEGE_BEGUN], 0)
    ends.is_abandoned[row] = 1 if has_given_up(battle, rules) else 0
    for side in range(2):
        ends.capacity[row, side] = battle.capacity[side]
        ends.morale[row, side] = 0.0
    for flank in range(battle.side.shape[0]):
        side = battle.side[flank]
        ends.left[row, side] += battle.men[flank]
        ends.killed[row, side] += battle.killed[flank]
        ends.died[row, side] += battle.died[flank] + battle.diseased[flank]
        ends.captured[row, side] += battle.captured[flank]
        ends.sunk[row, side] += battle.sunk[flank]
        ends.morale[row, side] += battle.morale[flank]


def has_given_up(battle: Battle, rules: EndRules) -> bool:
    """Return True if the attacker lost while flanks of his still fight (R-13)."""
    return battle.tally[WINNER] != ATTACKER and has_flank(battle, ATTACKER, not rules.ends_at_retreat)
