"""Causes for which a combat lapses, a case each (REQ-18)."""

from __future__ import annotations

from engine.hexcombat.setup.fighter import Fighter
from engine.hexcombat.setup.records import ACTIVE, HexSide, HexUnit
from sheets_algo.database.problems import CauseKind


def unit_gone(unit: HexUnit | Fighter) -> str:
    """Return the reason why a unit cannot take part in a combat, a clause; blank if it can (HX-OP-45, HX-DEF-07)."""
    if unit.status != ACTIVE:
        return f"{unit.name} is {unit.status.lower()}"
    return f"{unit.name} has no strength points" if unit.strength < 1 else ""


UNIT_GONE = CauseKind(HexUnit, ("status", "strength"), gone=unit_gone)
"""A unit was eliminated, or lost its last strength point, in the same turn."""

TURN_OF = CauseKind(HexSide, ("turn",))
"""Not a cause: the cells that count the game's turns, whose last change says which rulings are of the turn."""
