"""The colours of a battle picture and the strokes it is drawn with."""

from __future__ import annotations

from math import sqrt

from PIL import ImageDraw

from sheets_algo.pictures.lettering import Colour

Place = tuple[float, float]

SIDE_COLOURS: dict[str, Colour] = {"Attacker": (0, 255, 255), "Defender": (255, 0, 0)}  # MAP-07
STATUS_COLOURS: dict[str, Colour] = {  # STRAT-10
    "Idle": (30, 90, 220),
    "Ready": (20, 150, 40),
    "Retreating": (255, 140, 0),
    "Routed": (200, 0, 0),
    "Inactive": (0, 0, 0),
}
INK: Colour = (28, 30, 34)
FAINT: Colour = (110, 114, 122)
PAPER: Colour = (250, 249, 246)
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)

# Sizes of letters at scale 1.
TITLE, SUBTITLE, HEADING, TEXT, SMALL = 15, 9, 9, 7, 6

FINE = 3
"""Shapes are drawn three times as large and scaled down, which smooths their edges."""


def line(pen: ImageDraw.ImageDraw, start: Place, end: Place, colour: Colour, width: float) -> None:
    """A stroke on a picture that is FINE times as large as the places (and the width) it is given."""
    ends = (start[0] * FINE, start[1] * FINE, end[0] * FINE, end[1] * FINE)
    pen.line(ends, fill=colour, width=max(1, round(width * FINE)))


def circle(
    pen: ImageDraw.ImageDraw,
    centre: Place,
    radius: float,
    *,
    fill: Colour | None = None,
    outline: Colour | None = None,
    width: float = 0,
) -> None:
    """A circle on a picture that is FINE times as large as place, radius and width say."""
    x, y, reach = centre[0] * FINE, centre[1] * FINE, radius * FINE
    box = (x - reach, y - reach, x + reach, y + reach)
    pen.ellipse(box, fill=fill, outline=outline, width=round(width * FINE))


def arrow(
    pen: ImageDraw.ImageDraw, start: Place, end: Place, *, short_by: float, head: float, width: float, colour: Colour
) -> None:
    """A ring at the start and an arrow whose tip stays `short_by` pixels from the end, with a white seam.

    Where there is no room for the arrow only the ring is drawn, and where the end covers the start nothing is.
    """
    length = distance(start, end)
    if length <= short_by:
        return
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    tip = (end[0] - along[0] * short_by, end[1] - along[1] * short_by)
    neck = (tip[0] - along[0] * head, tip[1] - along[1] * head)
    wings = [(neck[0] + turn * along[1] * head / 2, neck[1] - turn * along[0] * head / 2) for turn in (-1, 1)]
    corners = [(x * FINE, y * FINE) for x, y in (tip, *wings)]
    for seam, tone in ((width * 0.6, WHITE), (0.0, colour)):
        if length - short_by > 1.5 * head:
            line(pen, start, neck, tone, width + 2 * seam)
            pen.polygon(corners, fill=tone, outline=tone, width=max(1, round(2 * seam * FINE)))
        circle(pen, start, 1.5 * width + seam, fill=tone)
    circle(pen, start, 0.8 * width, fill=WHITE)


def distance(one: Place, other: Place) -> float:
    """Euclid's distance."""
    across, down = one[0] - other[0], one[1] - other[1]
    return sqrt(across * across + down * down)


def shaded(colour: Colour, share: float) -> Colour:
    """The colour, darker: `share` 0 is black, 1 the colour itself."""
    red, green, blue = (round(part * share) for part in colour)
    return red, green, blue
