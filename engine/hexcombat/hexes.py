"""Distances on the map; hexes are named by column and row from 0, odd columns half a hex lower (HX-DEF-03)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hex:
    """One hex of the map.

    Args:
        column: The column, counted from the left.
        row: The row, counted from the top.
    """

    column: int
    row: int

    def __str__(self) -> str:
        """Return `12,7`."""
        return f"{self.column},{self.row}"


def distance(one: Hex, other: Hex) -> int:
    """Return the distance between two hexes; 0 within one hex."""
    across = one.column - other.column
    down = _slanted(one) - _slanted(other)
    return max(abs(across), abs(down), abs(across + down))


def _slanted(hex: Hex) -> int:
    """Return the row in slanted coordinates, in which every step changes one or two of three directions by 1."""
    return hex.row - (hex.column - hex.column % 2) // 2
