"""Maps of places as PNG: the units of a ruling in their hexes or by degrees, arrows between them, and the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, cos, floor, pi, sin, sqrt

from PIL import Image, ImageDraw

from engine.place_map import PlacedPiece, PlaceMap
from sheets_algo.pictures.layout import place_labels
from sheets_algo.pictures.lettering import Colour, draw_text, fitted, text_height, text_width
from sheets_algo.pictures.strokes import (
    FAINT,
    FINE,
    INK,
    PAPER,
    SIDE_COLOURS,
    TITLE,
    WHITE,
    Place,
    arrow,
    distance,
    line,
    png,
    shaded,
)

SIZE, MARGIN = 400, 12  # at scale 1
GRID: Colour = (205, 207, 210)
UNIT, SITE = 9, 6  # radius of a piece, at scale 1
LEAST_HEXES, LEAST_DEGREES = 6.0, 12.0
"""Minimum width and height of a map, in hexes and degrees, so that two neighbours do not fill it."""
NUMBERED_MOST, DRAWN_MOST = 24.0, 90.0
"""Maximum number of hex sides across a map with numbered hexes, and with drawn hexes."""
LABEL, NUMBER = 13, 10
"""Sizes of labels and of the numbers of the grid, at scale 1: on a phone a page shows the map at 0.8 of its pixels."""
STEPS = (1, 2, 5, 10, 15, 30, 60, 90)
"""Degrees between two lines of the grid."""
LINES_MOST = 8
"""Maximum number of lines of the grid across a map of degrees."""


def draw_places(places: PlaceMap, colours: Mapping[str, Colour] = SIDE_COLOURS, *, scale: int = 2) -> bytes:
    """Draw a map of places as a PNG; the same map gives the same bytes.

    Args:
        places: The map, with at least one piece.
        scale: Factor of all sizes; at 2 every text is readable at 100 % on a screen.
    """
    margin, size, row = MARGIN * scale, SIZE * scale, text_height(LABEL * scale)
    top = 2 * margin + text_height(TITLE * scale)
    page = Image.new("RGB", (size + 2 * margin, top + size + margin + row * len(places.lines) + margin), PAPER)
    pen = ImageDraw.Draw(page)
    draw_text(pen, margin, margin, fitted(places.title, TITLE * scale, size), TITLE * scale, INK)
    page.paste(_panel(places, colours, size, scale), (margin, top))
    pen.rectangle((margin - 1, top - 1, margin + size, top + size), outline=INK)
    for number, text in enumerate(places.lines):
        y = top + size + margin + number * row
        draw_text(pen, margin, y, fitted(text, LABEL * scale, size), LABEL * scale, INK)
    return png(page)


class _Projection:
    """Projection of a map on a square.

    Args:
        size: Width and height of the square in pixels.
    """

    def __init__(self, places: PlaceMap, size: int) -> None:
        self.is_hexes = places.is_hexes
        planes = [self._plane(piece.x, piece.y) for piece in places.pieces]
        lows, highs = ([pick(values) for values in zip(*planes, strict=True)] for pick in (min, max))
        least = LEAST_HEXES if places.is_hexes else LEAST_DEGREES
        self.span = max(least, *(1.5 * (high - low) for low, high in zip(lows, highs, strict=True)))
        self.middle = tuple((low + high) / 2 for low, high in zip(lows, highs, strict=True))
        self.size = size
        self.unit = size / self.span  # pixels

    def _plane(self, x: float, y: float) -> Place:
        """Return a place with y downwards, in widths of a hex side or in degrees."""
        return (1.5 * x, sqrt(3) * (y + 0.5 * (x % 2))) if self.is_hexes else (x, -y)

    def pixel(self, x: float, y: float) -> Place:
        """Return the pixel of a hex or of a longitude and latitude."""
        plane = self._plane(x, y)
        across, down = (self.size / 2 + (plane[axis] - self.middle[axis]) * self.unit for axis in (0, 1))
        return across, down


def _panel(places: PlaceMap, colours: Mapping[str, Colour], size: int, scale: int) -> Image.Image:
    projection = _Projection(places, size)
    fine = Image.new("RGB", (size * FINE, size * FINE), WHITE)
    pen = ImageDraw.Draw(fine)
    labels = list(_hexes(pen, projection) if places.is_hexes else _degrees(pen, projection))
    spots = _spots(places.pieces, projection, scale)
    row, lines_between = text_height(LABEL * scale), []
    for link in sorted(places.arrows, key=lambda link: link.is_main):
        start, end = spots[link.start], spots[link.end]
        width, colour = (2.4, INK) if link.is_main else (1.0, FAINT)
        if not link.is_main:  # moved aside from the attack, which may go the same way
            start, end = _aside(start, end, 0.6 * UNIT * scale)
        lines_between.append((start, end))
        arrow(pen, start, end, short_by=(UNIT + 2) * scale, head=7 * scale, width=width * scale, colour=colour)
    for piece, spot in zip(places.pieces, spots, strict=True):
        _piece(pen, piece, spot, colours[piece.side], scale)
    panel = fine.resize((size, size), Image.Resampling.BOX)
    text = ImageDraw.Draw(panel)
    for (x, y), label in labels:
        draw_text(text, x, y, label, NUMBER * scale, FAINT)
    names = [[fitted(name, LABEL * scale, size / 3) for name in (piece.label, *piece.notes)] for piece in places.pieces]
    sizes = [(max(text_width(name, LABEL * scale) for name in lines) + 4, row * len(lines)) for lines in names]
    boxes = place_labels(
        [(x, y, UNIT * scale) for x, y in spots],
        sizes,
        size,
        gap=4 * scale,
        taken=(),
        lines=16 * lines_between,  # so heavy that a label rather lies far away than on an arrow
        upward=[False] * len(spots),
    )
    for (x, y), lines, (width, height), box in zip(spots, names, sizes, boxes, strict=True):
        left, top = (box.left, box.top) if box else (x - UNIT * scale, y + UNIT * scale)  # without room over others
        text.rectangle((left, top, left + width, top + height), fill=WHITE)
        for number, name in enumerate(lines):
            draw_text(text, left + 2, top + number * row, name, LABEL * scale, FAINT if number else INK)
    return panel


def _aside(start: Place, end: Place, pixels: float) -> tuple[Place, Place]:
    """Return both ends of a line moved to its left."""
    length = distance(start, end) or 1
    across, down = (end[1] - start[1]) / length * pixels, (start[0] - end[0]) / length * pixels
    return (start[0] + across, start[1] + down), (end[0] + across, end[1] + down)


def _spots(pieces: Sequence[PlacedPiece], projection: _Projection, scale: int) -> list[Place]:
    """Return the pixel of each piece; one that would cover an earlier one stands to its right."""
    apart = 2.5 * UNIT * scale
    spots: list[Place] = []
    for piece in pieces:
        spot = projection.pixel(piece.x, piece.y)
        for other in sorted(spots):
            if distance(spot, other) < apart:
                spot = (other[0] + apart, spot[1])
        spots.append(spot)
    return spots


def _hexes(pen: ImageDraw.ImageDraw, projection: _Projection) -> Iterator[tuple[Place, str]]:
    """Draw the hexes of the map, and yield the number of each with its place."""
    if projection.span > DRAWN_MOST:
        return
    columns = projection.span / 3 + 1
    middle = projection.middle[0] / 1.5, projection.middle[1] / sqrt(3)
    rows = projection.span / (2 * sqrt(3)) + 1
    for column in range(max(0, floor(middle[0] - columns)), ceil(middle[0] + columns) + 1):
        for row in range(max(0, floor(middle[1] - rows)), ceil(middle[1] + rows) + 1):
            x, y = projection.pixel(column, row)
            corners = [
                (x + projection.unit * cos(turn * pi / 3), y + projection.unit * sin(turn * pi / 3))
                for turn in range(7)
            ]
            for start, end in pairwise(corners):
                line(pen, start, end, GRID, 1)
            if projection.span <= NUMBERED_MOST:
                yield (x - projection.unit * 0.45, y - projection.unit * 0.84), f"{column},{row}"


def _degrees(pen: ImageDraw.ImageDraw, projection: _Projection) -> Iterator[tuple[Place, str]]:
    """Draw the grid of degrees, and yield the labels of its lines with their places."""
    step = next((step for step in STEPS if projection.span / step <= LINES_MOST), STEPS[-1])
    for axis, (negative, positive) in enumerate((("W", "E"), ("S", "N"))):
        middle = projection.middle[axis] * (1 if axis == 0 else -1)
        low, high = middle - projection.span / 2, middle + projection.span / 2
        for degrees in range(ceil(low / step) * step, floor(high / step) * step + 1, step):
            if axis == 0:
                x, _ = projection.pixel(degrees, 0)
                line(pen, (x, 0), (x, projection.size), GRID, 1)
                longitude = (degrees + 180) % 360 - 180
                if x < projection.size * 0.95:
                    yield (x + 3, 2), f"{abs(longitude)}° {positive if longitude >= 0 else negative}"
            elif abs(degrees) <= 90:
                _, y = projection.pixel(0, degrees)
                line(pen, (0, y), (projection.size, y), GRID, 1)
                yield (3, y + 2), f"{abs(degrees)}° {positive if degrees >= 0 else negative}"


def _piece(pen: ImageDraw.ImageDraw, piece: PlacedPiece, spot: Place, fill: Colour, scale: int) -> None:
    """Draw a unit as a square, crossed out if it is out of the game, and a site as a triangle."""
    reach = (UNIT if piece.is_unit else SITE) * scale
    x, y = spot
    corners = [(x - reach, y - reach), (x + reach, y - reach), (x + reach, y + reach), (x - reach, y + reach)]
    shape = corners if piece.is_unit else [(x, y - reach), (x + reach, y + reach), (x - reach, y + reach)]
    outline = shaded(fill, 0.35)
    pen.polygon([(a * FINE, b * FINE) for a, b in shape], fill=fill, outline=outline, width=scale * FINE)
    if piece.is_out:
        line(pen, corners[0], corners[2], INK, 1.6 * scale)
        line(pen, corners[1], corners[3], INK, 1.6 * scale)
