"""Column `Player` of a tab: names, Discord ids and addresses (NAT-28, TRN-09, TRN-11)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

DISCORD_ID = re.compile(r"(?:<@!?)?([0-9]{17,20})>?")
"""A Discord user's id, copied or as a mention."""


def players_in(cell: str) -> Sequence[str]:
    """Return the players typed in a cell."""
    return [one.strip() for one in re.split(r"[;,]", cell) if one.strip()]


def discord_ids(players: Iterable[str]) -> Sequence[str]:
    """Return the Discord ids among players, without duplicates."""
    matches = map(DISCORD_ID.fullmatch, players)
    return [*dict.fromkeys(match[1] for match in matches if match)]


def player_names(players: Iterable[str]) -> Sequence[str]:
    """Return the names among players; ids and addresses are private."""
    return [player for player in players if "@" not in player and not DISCORD_ID.search(player)]
