"""Distances on the map; hexes are named by column and row from 0, odd columns half a hex lower (HX-DEF-03)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hex:
    """One hex of the map."""

    column: int  # The column, counted from the left
    row: int  # The row, counted from the top

    def __str__(self) -> str:
        """Return `12,7`."""
        return f"{self.column},{self.row}"


WRITTEN = re.compile(r"[(\[]?\s*(\d{1,5})\s*[,;:/ ]\s*(\d{1,5})\s*[)\]]?")
MOST_COLUMN = 10_000


def hex_of(text: str) -> Hex | None:
    """Return the hex of a typed text: `12,7` or `(12; 7)`; None if the text is no hex."""
    match = WRITTEN.fullmatch(text)
    if match is None or max(map(int, match.groups())) > MOST_COLUMN:
        return None
    return Hex(int(match[1]), int(match[2]))


def distance(one: Hex, other: Hex) -> int:
    """Return the distance between two hexes; 0 within one hex."""
    across = one.column - other.column
    down = _slanted(one) - _slanted(other)
    return max(abs(across), abs(down), abs(across + down))


def within(centre: Hex, reach: int) -> Iterator[Hex]:
    """Yield the hexes of the map at most `reach` hexes away from a hex, including the centre."""
    for across in range(-reach, reach + 1):
        column = centre.column + across
        first = _slanted(centre) + _shift(column)
        for down in range(max(-reach, -across - reach), min(reach, -across + reach) + 1):
            if column >= 0 and first + down >= 0:
                yield Hex(column, first + down)


def _slanted(hex: Hex) -> int:
    """Return the row in slanted coordinates, in which every step changes one or two of three directions by 1."""
    return hex.row - _shift(hex.column)


def _shift(column: int) -> int:
    """Return the difference between a column's rows and its rows in slanted coordinates."""
    return (column - column % 2) // 2
