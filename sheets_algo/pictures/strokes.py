"""The colours of a battle picture, and functions that draw its lines, shapes and arrows."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from math import sqrt
from typing import Any

from PIL import Image, ImageDraw

from engine.battle_map import Banner, Scene
from sheets_algo.pictures.lettering import Colour

Place = tuple[float, float]

SIDE_COLOURS: dict[str, Colour] = {"Attacker": (52, 115, 176), "Defender": (204, 111, 44)}
"""Blue and orange, with a contrast of 3 or more on white and on near black; cyan has 1.2 on white."""
STATUS_COLOURS: dict[str, Colour] = {  # STRAT-10, in shades that people with any colour vision tell apart
    "Idle": (0, 60, 190),
    "Ready": (0, 158, 115),
    "Retreating": (255, 176, 0),
    "Routed": (176, 0, 32),
    "Inactive": (0, 0, 0),
}
ROUTED_SHADE = 0.45  # MAP-07: darker
WRONG: Colour = (214, 0, 147)
"""The ring of a flank that check refuses, a colour that no ground and no status has."""
INK: Colour = (28, 30, 34)
FAINT: Colour = (110, 114, 122)
PAPER: Colour = (250, 249, 246)
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)

# Font sizes at scale 1.
TITLE, SUBTITLE, HEADING, TEXT, SMALL = 15, 9, 9, 7, 6

FINE = 2
"""Factor by which shapes are drawn enlarged before they are scaled down, which smooths their edges."""


def banner_of(scene: Scene, side: str) -> Banner:
    """Return the names of a side."""
    return scene.attacker if side == "Attacker" else scene.defender


def side_colour(scene: Scene, side: str) -> Colour:
    """Return the colour of a side: that of its flag, otherwise the usual one (MAP-07)."""
    return banner_of(scene, side).colour or SIDE_COLOURS[side]


def line(pen: ImageDraw.ImageDraw, start: Place, end: Place, colour: Colour, width: float) -> None:
    """Draw a line on an image enlarged FINE times; positions and width are those of the final picture."""
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
    """Draw a circle on an image enlarged FINE times; centre, radius and width are those of the final picture."""
    x, y, scaled_radius = centre[0] * FINE, centre[1] * FINE, radius * FINE
    box = (x - scaled_radius, y - scaled_radius, x + scaled_radius, y + scaled_radius)
    pen.ellipse(box, fill=fill, outline=outline, width=round(width * FINE))


def square(
    pen: ImageDraw.ImageDraw,
    centre: Place,
    reach: float,
    *,
    fill: Colour | None = None,
    outline: Colour | None = None,
    width: float = 0,
) -> None:
    """Draw a square of sides 2 x `reach`, on an image enlarged FINE times, like `circle`."""
    x, y, scaled_reach = centre[0] * FINE, centre[1] * FINE, reach * FINE
    box = (x - scaled_reach, y - scaled_reach, x + scaled_reach, y + scaled_reach)
    pen.rectangle(box, fill=fill, outline=outline, width=round(width * FINE))


def polygon(pen: ImageDraw.ImageDraw, corners: Sequence[Place], fill: Colour, outline: Colour, width: float) -> None:
    """Draw a filled polygon on an image enlarged FINE times."""
    pen.polygon(
        [(x * FINE, y * FINE) for x, y in corners], fill=fill, outline=outline, width=max(1, round(width * FINE))
    )


def arrow(
    pen: ImageDraw.ImageDraw, start: Place, end: Place, *, short_by: float, head: float, width: float, colour: Colour
) -> None:
    """Draw a ring at the start and an arrow, bordered in white, whose tip stays `short_by` pixels from the end.

    Only the ring is drawn where there is no room for the arrow, and nothing where the end covers the start.
    """
    length = distance(start, end)
    if length <= short_by:
        return
    direction = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    tip = (end[0] - direction[0] * short_by, end[1] - direction[1] * short_by)
    neck = (tip[0] - direction[0] * head, tip[1] - direction[1] * head)
    wings = [(neck[0] + side * direction[1] * head / 2, neck[1] - side * direction[0] * head / 2) for side in (-1, 1)]
    for seam, tone in ((width * 0.6, WHITE), (0.0, colour)):
        if length - short_by > 1.5 * head:
            line(pen, start, neck, tone, width + 2 * seam)
            polygon(pen, (tip, *wings), tone, tone, 2 * seam)
        circle(pen, start, 1.5 * width + seam, fill=tone)
    circle(pen, start, 0.8 * width, fill=WHITE)


def png(image: Image.Image, **options: Any) -> bytes:
    """Return an image as the bytes of a PNG file, saved with options of Pillow."""
    file = BytesIO()
    image.save(file, "PNG", **options)
    return file.getvalue()


def distance(first: Place, second: Place) -> float:
    """Return the Euclidean distance between two positions."""
    dx, dy = first[0] - second[0], first[1] - second[1]
    return sqrt(dx * dx + dy * dy)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """Return a mixture of two colours with a share of the other one, 0 to 1."""
    red, green, blue = (round(part + (end - part) * share) for part, end in zip(one, other, strict=True))
    return red, green, blue


def shaded(colour: Colour, share: float) -> Colour:
    """Return a colour darkened to a share of its brightness: 0 is black, 1 the colour itself."""
    return mixed(BLACK, colour, share)


def readable_on(colour: Colour) -> Colour:
    """Return black or white, by the greater contrast with a colour."""
    red, green, blue = colour
    return BLACK if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else WHITE
