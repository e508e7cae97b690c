"""Causes for which an order of CiAIS lapses, a case each (REQ-18)."""

from __future__ import annotations

from engine.ciais.records import ACTIVE, PLAYING, CiaisSite, CiaisUnit, Player
from sheets_algo.database.problems import CauseKind


def player_out(player: Player) -> str:
    """Return the reason why a player has left the game, a clause; blank if he plays."""
    return f"{player.name} has {player.status.lower()}" if player.status != PLAYING else ""


def unit_lost(unit: CiaisUnit) -> str:
    """Return a clause for a lost unit; blank if it is not lost."""
    return f"{unit.name} is lost" if unit.status != ACTIVE else ""


PLAYER_OUT = CauseKind(Player, ("status",), lasts=True, gone=player_out)
"""The player who gives the order has lost or won."""
ENEMY_OUT = CauseKind(Player, ("status",), gone=player_out)
"""The defender's player has lost or won in the same round."""
UNIT_LOST = CauseKind(CiaisUnit, ("status",), gone=unit_lost)
"""A unit was lost in the same round."""
CITY_TAKEN = CauseKind(CiaisSite, ("owner",))
"""A city changed hands in the same round."""
TAX_SET = CauseKind(Player, ("tax_changed_in",), is_used_up=True)
"""An order above has set the tax of the round."""
CHOICE_MADE = CauseKind(Player, ("loss",), is_used_up=True)
"""The overthrown player has chosen already."""

ROUND = CauseKind(Player, ("round",))
"""Not a cause: the cell that counts a player's rounds, whose last change says which rulings are of the round."""
