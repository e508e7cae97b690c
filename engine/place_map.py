"""Data from which a map of places is drawn: units and sites in hexes or by degrees, and arrows between them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A unit or a site on a map of places.

    Args:
        label: The name.
        side: `Attacker` or `Defender`.
        x: The column of the hex, or the longitude in degrees.
        y: The row of the hex, or the latitude in degrees.
        notes: Short lines below the name.
        is_unit: False for a site.
        is_out: True if the unit is out of the game afterwards.
    """

    label: str
    side: str
    x: float
    y: float
    notes: tuple[str, ...] = ()
    is_unit: bool = True
    is_out: bool = False


@dataclass(frozen=True, slots=True)
class PlacedArrow:
    """An arrow between two pieces.

    Args:
        start: The index of the piece at its start.
        end: The index of the piece at its end.
        is_main: True for the attack itself, False for support and supply.
    """

    start: int
    end: int
    is_main: bool = False


@dataclass(frozen=True, slots=True)
class PlaceMap:
    """Everything needed to draw the places of one ruling.

    Args:
        title: The title, any text.
        pieces: The units and sites.
        arrows: The arrows between them.
        lines: The results, a line each.
        is_hexes: True for hexes whose odd columns lie half a hex lower, False for degrees.
    """

    title: str
    pieces: tuple[PlacedPiece, ...]
    arrows: tuple[PlacedArrow, ...]
    lines: tuple[str, ...]
    is_hexes: bool
