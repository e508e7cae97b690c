"""Column `Player` of a tab, with ids of Discord and names (NAT-28, TRN-09)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from engine.columns import folded
from sheets_algo.database.tables import Table

DISCORD_ID = re.compile(r"(?:<@!?)?([0-9]{17,20})>?")
"""An id of a user of Discord, as it is copied there or as a mention."""


def typed_players(table: Table) -> Mapping[str, Sequence[str]]:
    """Return who plays each row of a tab, by its name in small letters.

    An id that is a number is left out, since its last digits are lost.
    """
    if "player" not in table.places:
        return {}
    cells = {row.name: row.value("player") for row in table}
    typed = {name: re.split(r"[;,]", cell) for name, cell in cells.items() if isinstance(cell, str)}
    return {folded(name): [one.strip() for one in each if one.strip()] for name, each in typed.items()}


def discord_ids(players: Iterable[str]) -> Sequence[str]:
    """Return the ids of Discord among players, each once."""
    matches = map(DISCORD_ID.fullmatch, players)
    return [*dict.fromkeys(match[1] for match in matches if match)]
