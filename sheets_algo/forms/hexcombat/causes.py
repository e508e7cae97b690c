"""Causes for which a combat lapses, a case each (REQ-18); whatever else is wrong with it is to be mended."""

from __future__ import annotations

from engine.hexcombat.setup.records import HexSide, HexUnit
from sheets_algo.database.causes import CauseKind

UNIT_GONE = CauseKind(HexUnit, ("status", "strength"))
"""A unit was eliminated, or lost its last strength point, in the same turn."""

TURN_OF = CauseKind(HexSide, ("turn",))
"""Not a cause: the cells that count the game's turns, whose last change says which rulings are of the turn."""
