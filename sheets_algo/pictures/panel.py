"""A panel of a battle picture: the ground, the flanks with their movements, and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from PIL import Image, ImageDraw

from engine.battle_map import Mark, Scene
from sheets_algo.pictures.ground import MapView, ground
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

LARGEST, SMALLEST, EMPTY = 15.0, 2.5, 5.0  # radii at scale 1: the largest flank, the least one, one without men
MANY = 24  # flanks; with more, no long lines to labels or true positions are drawn, which would hide the flanks
ROUTED_SHADE = 0.45  # MAP-07: darker
ROUND_LENGTHS_KM = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)


@dataclass(frozen=True, slots=True)
class Disc:
    """A flank as drawn on a panel; positions and radius are in pixels of the panel.

    Args:
        mark: The flank at the panel's moment.
        initial: The same flank before the battle.
        position: Its true position.
        start: Its position before the battle.
        shown: The position where it is drawn, moved as little as needed to clear other flanks.
        radius: Radius of the disc.
        is_outside: True if its true position is beyond the panel's edge.
    """

    mark: Mark
    initial: Mark
    position: Place
    start: Place
    shown: Place
    radius: float
    is_outside: bool

    def lines(self, scale: int) -> tuple[str, str]:
        """Return the two lines of the label: the name and the number of men."""
        name = fitted(self.mark.label, TEXT * scale, 64 * scale)
        if self.mark is self.initial:
            return name, f"{self.mark.size:,} men"
        if self.mark.status not in ("Idle", "Ready"):
            name = f"{name} · {self.mark.status.lower()}"
        men = f"{self.mark.size:,} of {self.initial.size:,}"
        return name, f"{men}, at {int(self.mark.x)}, {int(self.mark.y)}" if self.is_outside else men


def draw_panel(scene: Scene, view: MapView, marks: Sequence[Mark], size: int, scale: int) -> Image.Image:
    """Draw the flanks of one moment on the ground of a view, as an image of `size` pixels square.

    Args:
        scene: The battle.
        view: The section of the map to show.
        marks: The flanks: `scene.before` or `scene.after`.
        size: Side of the panel in pixels.
        scale: Factor of text and line sizes.
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
        lines=[(disc.start, disc.shown) for disc in discs if disc.mark is not disc.initial],
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


def _discs(scene: Scene, view: MapView, marks: Sequence[Mark], size: int, scale: int) -> list[Disc]:
    """Return the flanks as discs whose area grows with their men, the largest first.

    Small discs are thus drawn on top of large ones, and large ones are labelled first.
    """
    most_men = max((mark.size for mark in scene.before), default=0) or 1
    largest = LARGEST * scale * min(1.0, sqrt(10 / max(1, len(marks))))
    radii = [
        max((SMALLEST if mark.size else EMPTY) * min(scale, largest / 5), largest * sqrt(mark.size / most_men))
        for mark in marks
    ]
    positions = [view.on(size, mark.x, mark.y) for mark in marks]
    shown = apart(positions, radii, size, gap=1.5 * scale, up=[mark.side == "Attacker" for mark in marks])
    discs = [
        Disc(mark, initial, position, view.on(size, initial.x, initial.y), drawn_at, radius, not view.shows(mark))
        for mark, initial, position, drawn_at, radius in zip(marks, scene.before, positions, shown, radii, strict=True)
    ]
    return sorted(discs, key=lambda disc: -disc.radius)


def _draw_shapes(pen: ImageDraw.ImageDraw, discs: Sequence[Disc], places: Sequence[Box | None], scale: int) -> None:
    for disc in discs:
        if disc.mark is not disc.initial:
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
        if distance(disc.position, disc.shown) > disc.radius and not disc.is_outside:
            line(pen, disc.position, disc.shown, BLACK, 0.6 * scale)
            circle(pen, disc.position, 1.4 * scale, fill=BLACK)


def _draw_disc(pen: ImageDraw.ImageDraw, disc: Disc, scale: int) -> None:
    """Draw a flank in cyan or red (MAP-07): darker if routed, ringed if retreating, hollow and crossed if empty."""
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
    """Draw name and men, with a stripe in the colour of the status at the left (STRAT-10)."""
    name, men = disc.lines(scale)
    left, top, right, bottom = (round(edge) for edge in (place.left, place.top, place.right, place.bottom))
    pen.rectangle((left, top, right, bottom), fill=(*WHITE, 230), outline=FAINT)
    pen.rectangle((left, top, left + 2 * scale, bottom), fill=STATUS_COLOURS[disc.mark.status])
    draw_text(pen, left + 5 * scale, top + scale, name, TEXT * scale, INK)
    draw_text(pen, left + 5 * scale, top + scale + text_height(TEXT * scale), men, SMALL * scale, INK)


def _draw_ticks(pen: ImageDraw.ImageDraw, view: MapView, size: int, scale: int) -> None:
    """Draw the map's pixel numbers along the top and the left edge; they are the X and Y of the Flanks tab."""
    step = next(step for step in (5, 10, 20, 50, 100) if view.side / step <= 8)
    for pixel in range(step * ceil((view.left + 1) / step), view.left + view.side, step):
        offset = (pixel + 0.5 - view.left) * size / view.side
        if offset + text_width(str(pixel), SMALL * scale) > size - 2 * scale:
            break
        pen.line((offset, 0, offset, 3 * scale), fill=INK)
        draw_text(pen, offset + scale, 1, str(pixel), SMALL * scale, INK)
    for pixel in range(step * ceil((view.top + 1) / step), view.top + view.side, step):
        offset = (pixel + 0.5 - view.top) * size / view.side
        if offset > size - 24 * scale:  # covered by the scale bar
            break
        pen.line((0, offset, 3 * scale, offset), fill=INK)
        draw_text(pen, 2 * scale, offset + 1, str(pixel), SMALL * scale, INK)


def _draw_scale_bar(pen: ImageDraw.ImageDraw, view: MapView, km_per_pixel: float, size: int, scale: int) -> None:
    """Draw a bar of a round number of kilometres, at most a fourth of the panel's width (MAP-06)."""
    width_km = view.side * km_per_pixel
    km = max((length for length in ROUND_LENGTHS_KM if length <= width_km / 4), default=ROUND_LENGTHS_KM[0])
    left, bottom, right = 6 * scale, size - 5 * scale, 6 * scale + round(size * km / width_km)
    text = f"{km:g} km"
    edge = right + text_width(text, SMALL * scale) + 8 * scale
    pen.rectangle((0, bottom - 9 * scale, edge, size), fill=(*WHITE, 215))
    pen.rectangle((left, bottom - 2 * scale, right, bottom), fill=INK)
    pen.rectangle(((left + right) // 2, bottom - 2 * scale + 1, right - 1, bottom - 1), fill=WHITE)
    draw_text(pen, right + 4 * scale, bottom - 6 * scale, text, SMALL * scale, INK)
