"""One panel of a battle picture: the ground, where flanks came from, the flanks and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from PIL import Image, ImageDraw

from engine.scene import Mark, Scene
from sheets_algo.pictures.ground import View, ground
from sheets_algo.pictures.layout import Box, apart, place_labels
from sheets_algo.pictures.lettering import draw_text, fitted, text_height, text_width
from sheets_algo.pictures.strokes import (
    BLACK,
    FAINT,
    FINE,
    INK,
    SIDE_COLOURS,
    SMALL,
    STATUS_COLOURS,
    TEXT,
    WHITE,
    Place,
    arrow,
    circle,
    distance,
    line,
    shaded,
)

LARGEST, SMALLEST, EMPTY = 15.0, 2.5, 5.0  # radius of the largest flank, the least one, one without men; at scale 1
MANY = 24  # flanks: with more, lines that lead far to labels or true places would hide what they explain
ROUTED_SHADE = 0.45  # MAP-07: darker
ROUND_LENGTHS_KM = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)


@dataclass(frozen=True, slots=True)
class Disc:
    """A flank on a panel.

    Args:
        mark: The flank.
        begun: The same flank before the battle.
        true: Where it stands.
        start: Where it began.
        shown: Where it is drawn: as near to `true` as the others let it.
        radius: Pixels.
        outside: Whether it stands beyond the panel's edge.
    """

    mark: Mark
    begun: Mark
    true: Place
    start: Place
    shown: Place
    radius: float
    outside: bool

    def lines(self, scale: int) -> tuple[str, str]:
        """What its label says."""
        name = fitted(self.mark.label, TEXT * scale, 64 * scale)
        if self.mark is self.begun:
            return name, f"{self.mark.size:,} men"
        if self.mark.status not in ("Idle", "Ready"):
            name = f"{name} · {self.mark.status.lower()}"
        men = f"{self.mark.size:,} of {self.begun.size:,}"
        return name, f"{men}, at {int(self.mark.x)}, {int(self.mark.y)}" if self.outside else men


def draw_panel(scene: Scene, view: View, marks: Sequence[Mark], size: int, scale: int) -> Image.Image:
    """The flanks of one moment on the ground that the view cuts out, `size` pixels square.

    Args:
        scene: The battle.
        view: The cut-out.
        marks: `scene.before` or `scene.after`.
        size: Pixels.
        scale: Size of text and strokes.
    """
    discs = _discs(scene, view, marks, size, scale)
    bar = Box(0, size - 14 * scale, 90 * scale, size)
    note = Box(size - 100 * scale, size - 14 * scale, size, size)
    places = place_labels(
        [(*disc.shown, disc.radius) for disc in discs],
        [_label_size(disc, scale) for disc in discs],
        size,
        gap=3 * scale,
        taken=[bar, note],
        lines=[(disc.start, disc.shown) for disc in discs if disc.mark is not disc.begun],
        upward=[disc.mark.side == "Attacker" for disc in discs],
        farthest=5 if len(discs) <= MANY else 0.6,
    )
    large = ground(scene, view, size * FINE)
    _draw_shapes(ImageDraw.Draw(large), discs, places, scale)
    panel = large.reduce(FINE)
    pen = ImageDraw.Draw(panel, "RGBA")
    _draw_ticks(pen, view, size, scale)
    for disc, place in zip(discs, places, strict=True):
        if place is not None:
            _draw_label(pen, disc, place, scale)
    _draw_scale_bar(pen, view, scene.km_per_pixel, size, scale)
    if None in places:
        text = f"{places.count(None)} flanks without label"
        left = size - text_width(text, SMALL * scale) - 6 * scale
        pen.rectangle((left - 3 * scale, note.top + scale, size, size), fill=(*WHITE, 215))
        draw_text(pen, left, note.top + 3 * scale, text, SMALL * scale, INK)
    return panel


def _discs(scene: Scene, view: View, marks: Sequence[Mark], size: int, scale: int) -> list[Disc]:
    """The flanks, area by men; the largest first, so that small ones lie on top and large ones are labelled first."""
    most = max((mark.size for mark in scene.before), default=0) or 1
    largest = LARGEST * scale * min(1.0, sqrt(10 / max(1, len(marks))))
    radii = [
        max((SMALLEST if mark.size else EMPTY) * min(scale, largest / 5), largest * sqrt(mark.size / most))
        for mark in marks
    ]
    true = [view.on(size, mark.x, mark.y) for mark in marks]
    shown = apart(true, radii, size, gap=1.5 * scale, up=[mark.side == "Attacker" for mark in marks])
    discs = [
        Disc(mark, begun, at, view.on(size, begun.x, begun.y), moved, radius, not view.shows(mark))
        for mark, begun, at, moved, radius in zip(marks, scene.before, true, shown, radii, strict=True)
    ]
    return sorted(discs, key=lambda disc: -disc.radius)


def _draw_shapes(pen: ImageDraw.ImageDraw, discs: Sequence[Disc], places: Sequence[Box | None], scale: int) -> None:
    for disc in discs:
        if disc.mark is not disc.begun:
            arrow(
                pen,
                disc.start,
                disc.shown,
                short_by=disc.radius,
                head=5 * scale,
                width=1.5 * scale,
                colour=shaded(SIDE_COLOURS[disc.mark.side], 0.6),
            )
    for disc, place in zip(discs, places, strict=True):
        if place is not None:
            line(pen, disc.shown, place.nearest(*disc.shown), INK, 0.6 * scale)
    for disc in discs:
        _draw_disc(pen, disc, scale)
    for disc in discs if len(discs) <= MANY else ():
        if distance(disc.true, disc.shown) > disc.radius and not disc.outside:
            line(pen, disc.true, disc.shown, BLACK, 0.6 * scale)
            circle(pen, disc.true, 1.4 * scale, fill=BLACK)


def _draw_disc(pen: ImageDraw.ImageDraw, disc: Disc, scale: int) -> None:
    """Cyan or red (MAP-07); darker when routed, ringed when retreating, hollow and crossed when nobody is left."""
    colour, status = SIDE_COLOURS[disc.mark.side], disc.mark.status
    circle(pen, disc.shown, disc.radius + 1.2 * scale, fill=WHITE)
    if status == "Inactive":
        circle(pen, disc.shown, disc.radius, fill=WHITE, outline=shaded(colour, 0.6), width=1.2 * scale)
        x, y, reach = *disc.shown, disc.radius * 0.6
        for slant in (1, -1):
            line(pen, (x - reach, y - slant * reach), (x + reach, y + slant * reach), BLACK, 1.0 * scale)
        return
    fill = shaded(colour, ROUTED_SHADE) if status == "Routed" else colour
    circle(pen, disc.shown, disc.radius, fill=fill, outline=BLACK, width=0.7 * scale)
    if status == "Retreating":
        circle(pen, disc.shown, disc.radius - 0.7 * scale, outline=STATUS_COLOURS[status], width=1.6 * scale)


def _label_size(disc: Disc, scale: int) -> tuple[float, float]:
    name, men = disc.lines(scale)
    width = max(text_width(name, TEXT * scale), text_width(men, SMALL * scale))
    return width + 8 * scale, text_height(TEXT * scale) + text_height(SMALL * scale) + 2 * scale


def _draw_label(pen: ImageDraw.ImageDraw, disc: Disc, place: Box, scale: int) -> None:
    """Name and men, at the left a stripe in the colour of the status (STRAT-10)."""
    name, men = disc.lines(scale)
    left, top, right, bottom = (round(edge) for edge in (place.left, place.top, place.right, place.bottom))
    pen.rectangle((left, top, right, bottom), fill=(*WHITE, 230), outline=FAINT)
    pen.rectangle((left, top, left + 2 * scale, bottom), fill=STATUS_COLOURS[disc.mark.status])
    draw_text(pen, left + 5 * scale, top + scale, name, TEXT * scale, INK)
    draw_text(pen, left + 5 * scale, top + scale + text_height(TEXT * scale), men, SMALL * scale, INK)


def _draw_ticks(pen: ImageDraw.ImageDraw, view: View, size: int, scale: int) -> None:
    """The map's pixel numbers along the top and the left, as X and Y of the Flanks tab count them."""
    step = next(step for step in (5, 10, 20, 50, 100) if view.side / step <= 8)
    for pixel in range(step * ceil((view.left + 1) / step), view.left + view.side, step):
        at = (pixel + 0.5 - view.left) * size / view.side
        if at + text_width(str(pixel), SMALL * scale) > size - 2 * scale:
            break
        pen.line((at, 0, at, 3 * scale), fill=INK)
        draw_text(pen, at + scale, 1, str(pixel), SMALL * scale, INK)
    for pixel in range(step * ceil((view.top + 1) / step), view.top + view.side, step):
        at = (pixel + 0.5 - view.top) * size / view.side
        if at > size - 24 * scale:  # the scale bar's place
            break
        pen.line((0, at, 3 * scale, at), fill=INK)
        draw_text(pen, 2 * scale, at + 1, str(pixel), SMALL * scale, INK)


def _draw_scale_bar(pen: ImageDraw.ImageDraw, view: View, km_per_pixel: float, size: int, scale: int) -> None:
    """A bar of a round number of kilometres, at most a fourth of the panel (MAP-06)."""
    wide_km = view.side * km_per_pixel
    km = max((length for length in ROUND_LENGTHS_KM if length <= wide_km / 4), default=ROUND_LENGTHS_KM[0])
    left, bottom, right = 6 * scale, size - 5 * scale, 6 * scale + round(size * km / wide_km)
    text = f"{km:g} km"
    edge = right + text_width(text, SMALL * scale) + 8 * scale
    pen.rectangle((0, bottom - 9 * scale, edge, size), fill=(*WHITE, 215))
    pen.rectangle((left, bottom - 2 * scale, right, bottom), fill=INK)
    pen.rectangle(((left + right) // 2, bottom - 2 * scale + 1, right - 1, bottom - 1), fill=WHITE)
    draw_text(pen, right + 4 * scale, bottom - 6 * scale, text, SMALL * scale, INK)
