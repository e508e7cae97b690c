"""Distances on the map: hexes named by column and row, counted from 0, odd columns half a hex lower (HX-DEF-03)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hex:
    """One hex of the map.

    Args:
        column: From the left.
        row: From the top.
    """

    column: int
    row: int

    def __str__(self) -> str:
        """`12,7`."""
        return f"{self.column},{self.row}"


def distance(one: Hex, other: Hex) -> int:
    """Hexes to go from one to the other; 0 within one hex."""
    across = one.column - other.column
    down = _slanted(one) - _slanted(other)
    return max(abs(across), abs(down), abs(across + down))


def _slanted(it: Hex) -> int:
    """The row counted along a slant, so that every step changes one or two of the three directions by 1."""
    return it.row - (it.column - it.column % 2) // 2
