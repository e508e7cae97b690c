"""Data of a map of places: units and sites in hexes or by degrees, and arrows between them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MapPlace:
    """A named place and a pixel inside its area on the game's map."""

    name: str
    x: int  # Pixels from the left
    y: int  # Pixels from the top
    is_sea: bool = False  # True on the open sea, which several places may share


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A unit or a site on a map of places."""

    label: str  # The name
    side: str  # `Attacker` or `Defender`
    x: float  # The column of the hex, or the longitude in degrees
    y: float  # The row of the hex, or the latitude in degrees
    notes: tuple[str, ...] = ()  # Short lines below the name
    is_unit: bool = True  # False for a site
    is_out: bool = False  # True if the unit is out of the game afterwards


@dataclass(frozen=True, slots=True)
class PlacedArrow:
    """An arrow between two pieces."""

    start: int  # The index of the piece at its start
    end: int  # The index of the piece at its end
    is_main: bool = False  # True for the attack itself, False for support and supply


@dataclass(frozen=True, slots=True)
class PlaceMap:
    """Everything needed to draw the places of one ruling."""

    title: str  # The title, any text
    pieces: tuple[PlacedPiece, ...]  # The units and sites
    arrows: tuple[PlacedArrow, ...]  # The arrows between them
    lines: tuple[str, ...]  # The results, a line each
    is_hexes: bool  # True for hexes whose odd columns lie half a hex lower, False for degrees
