"""The sign of a flank: a circle for an attacker, a square for a defender, on water the sail of a ship (MAP-07).

The shape distinguishes the sides for colour-blind people, and where both flags have the same colour.
"""

from __future__ import annotations

from PIL import Image, ImageDraw

from engine.battle_map import Mark
from sheets_algo.pictures.lettering import Colour
from sheets_algo.pictures.strokes import (
    BLACK,
    FINE,
    PAPER,
    ROUTED_SHADE,
    STATUS_COLOURS,
    WHITE,
    WRONG,
    Place,
    circle,
    line,
    polygon,
    shaded,
    square,
)

SQUARE = 0.886  # half a square's side, as a share of the radius of a circle of the same area
SAIL, MAST = 0.75, 0.3  # radius of a ship's sail and its height above the ship's centre, as shares of the ship's radius
HULL = ((-1.2, 0.3), (1.2, 0.3), (0.75, 0.95), (-0.75, 0.95))  # likewise
NUMBERED = 7.0  # Minimum radius at scale 1 of a sign that has room for a number


def draw_marker(
    pen: ImageDraw.ImageDraw,
    mark: Mark,
    centre: Place,
    radius: float,
    colour: Colour,
    scale: float,
    *,
    is_numbered: bool = False,
) -> None:
    """Draw a flank: darker if routed (MAP-07), ringed if retreating or refused, hollow without men.

    Args:
        pen: Drawing on an image enlarged FINE times.
        scale: Factor of line widths.
        is_numbered: True if a number will be on the sign, which is then not crossed out if hollow.
    """
    fill = {"Routed": shaded(colour, ROUTED_SHADE), "Inactive": WHITE}.get(mark.status, colour)
    middle, reach = sign_of(mark, centre, radius)
    if mark.ships is not None:
        hull = [(centre[0] + x * radius, centre[1] + y * radius) for x, y in HULL]
        polygon(pen, hull, WHITE, WHITE, 2.4 * scale)
        polygon(pen, hull, shaded(fill, 0.8), BLACK, 0.7 * scale)
    if mark.is_wrong:
        circle(pen, centre, radius + 4.2 * scale, outline=WHITE, width=3.4 * scale)
        circle(pen, centre, radius + 3.6 * scale, outline=WRONG, width=2.2 * scale)
    shape, size = (circle, reach) if mark.side == "Attacker" else (square, reach * SQUARE)
    shape(pen, middle, size + 1.2 * scale, fill=WHITE)
    shape(pen, middle, size, fill=fill, outline=BLACK, width=0.7 * scale)
    if mark.status == "Retreating":
        shape(pen, middle, size - 0.7 * scale, outline=BLACK, width=2.4 * scale)
        shape(pen, middle, size - 0.7 * scale, outline=STATUS_COLOURS[mark.status], width=1.8 * scale)
    if mark.status == "Inactive":
        shape(pen, middle, size, outline=shaded(colour, 0.6), width=1.2 * scale)
    if mark.status == "Inactive" and not is_numbered:
        x, y, arm = *middle, reach * 0.6
        for slant in (1, -1):
            line(pen, (x - arm, y - slant * arm), (x + arm, y + slant * arm), BLACK, 1.0 * scale)


def sign_of(mark: Mark, centre: Place, radius: float) -> tuple[Place, float]:
    """Return the centre and the radius of a flank's round or square sign, which is the sail of a ship."""
    if mark.ships is None:
        return centre, radius
    return (centre[0], centre[1] - MAST * radius), SAIL * radius


def marker_image(mark: Mark, radius: float, colour: Colour, scale: float) -> Image.Image:
    """Return the sign of a flank as a small image on the colour of paper, for legends."""
    side = round(2.6 * radius)
    image = Image.new("RGB", (side * FINE, side * FINE), PAPER)
    draw_marker(ImageDraw.Draw(image), mark, (side / 2, side / 2), radius, colour, scale)
    return image.reduce(FINE)
