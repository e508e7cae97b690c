"""What a moderator sets of replay pages."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReplayStyle:
    """The style of replay pages.

    Args:
        has_source_colours: True for the colours that the rules give the sides (MAP-07), in pictures too.
        tells_winner: True to say who has won before the first hour is watched.
    """

    has_source_colours: bool = False
    tells_winner: bool = False


PLAIN_STYLE = ReplayStyle()
