"""Players of the rows of a tab, as its column `Player` has them (NAT-28, TRN-09)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.columns import folded
from engine.players import players_in
from sheets_algo.database.tables import Table


def typed_players(table: Table) -> Mapping[str, Sequence[str]]:
    """Return the players of each row of a tab, by its name in small letters.

    An id that is a number is left out, since its last digits are lost.
    """
    if "player" not in table.places:
        return {}
    cells = {row.name: row.value("player") for row in table}
    return {folded(name): players_in(cell) for name, cell in cells.items() if isinstance(cell, str)}
