"""A panel of a battle picture: the ground, the flanks with their movements, and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from PIL import Image, ImageDraw

from engine.battle_map import Mark, Scene
from engine.receipt import counted
from sheets_algo.pictures.ground import MapView, ground
from sheets_algo.pictures.layout import Box, apart, fitting, place_labels
from sheets_algo.pictures.lettering import Colour, draw_text, fitted, text_height, text_width
from sheets_algo.pictures.marker import NUMBERED, SAIL, draw_marker, sign_of
from sheets_algo.pictures.strokes import (
    BLACK,
    FAINT,
    FINE,
    HEADING,
    INK,
    PAPER,
    SMALL,
    STATUS_COLOURS,
    TEXT,
    WHITE,
    Place,
    arrow,
    banner_of,
    circle,
    distance,
    line,
    readable_on,
    shaded,
    side_colour,
)
from sheets_algo.pictures.table import LABELLED, numbers_of

LARGEST, SMALLEST, EMPTY = 15.0, 2.5, 5.0  # radii at scale 1: the largest flank, the least one, one without men
SHRUNK = 0.6  # the factor of discs that stand so close together before the battle that they would overlap
MANY = 24  # flanks; with more, no lines to true positions are drawn, which would hide the flanks
ROUND_LENGTHS_KM = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
AXIS = 18
"""Room for the numbers of an axis, at scale 1."""


@dataclass(frozen=True, slots=True)
class Disc:
    """A flank as drawn on a panel; positions and radius are in pixels of the panel."""

    mark: Mark  # The flank at the panel's moment
    initial: Mark  # The same flank before the battle
    nation: str  # Name of its army
    colour: Colour  # Colour of its side
    number: int  # Its number in the table; 0 if it has a label
    position: Place  # Its true position
    start: Place  # Its position at the moment before
    drawn_at: Place  # The position where it is drawn, moved as little as needed to clear other flanks
    radius: float  # Radius of the disc
    is_outside: bool  # True if its true position is beyond the panel's edge

    def lines(self, scale: int) -> tuple[str, ...]:
        """Return the lines of the label: name and side, then men, ships and status."""
        label = fitted(self.mark.label, TEXT * scale, 50 * scale)
        name = fitted(f"{label} · {self.nation}", TEXT * scale, 84 * scale)
        men = counted(self.mark.size, "man", "men")
        ships = "" if self.mark.ships is None else counted(self.mark.ships, "ship")
        if self.mark is not self.initial:
            men = f"{self.mark.size:,} of {self.initial.size:,}"
            if self.mark.status not in ("Idle", "Ready"):
                men = f"{men}, {self.mark.status.lower()}"
            if ships and self.initial.ships is not None:
                ships = f"{self.mark.ships} of {counted(self.initial.ships, 'ship')}"
        place = f"at {int(self.mark.x)}, {int(self.mark.y)}" if self.is_outside else ""
        return (name, men, *filter(None, (ships, place)))


def draw_panel(scene: Scene, view: MapView, moment: int, size: int, scale: int) -> Image.Image:
    """Draw one moment: its name, the scale, and below them the flanks on the ground between the numbers of the axes."""
    drawn, heading, axis = scene.moments[moment], text_height(HEADING * scale), AXIS * scale
    panel = Image.new("RGB", (axis + size, heading + axis + size), PAPER)
    pen = ImageDraw.Draw(panel)
    caption = f"{drawn.name}, hour {drawn.hour}" if drawn.hour else drawn.name
    draw_text(pen, axis, 0, caption, HEADING * scale, INK)
    _draw_scale_bar(pen, view, scene.km_per_pixel, size, scale)
    panel.paste(_draw_map(scene, view, moment, size, scale), (axis, heading + axis))
    _draw_axes(pen, view, axis, heading + axis, size, scale)
    pen.rectangle((axis - 1, heading + axis - 1, axis + size - 1, heading + axis + size - 1), outline=INK)
    return panel


def _draw_map(scene: Scene, view: MapView, moment: int, size: int, scale: int) -> Image.Image:
    discs = _discs(scene, view, moment, size, scale)
    labelled = discs if len(discs) <= LABELLED else []
    places = place_labels(
        [(*disc.drawn_at, disc.radius) for disc in labelled],
        [_label_size(disc, scale) for disc in labelled],
        size,
        gap=3 * scale,
        taken=[Box(size - 100 * scale, size - 14 * scale, size, size)],
        lines=[(disc.start, disc.drawn_at) for disc in labelled if moment],
        upward=[disc.mark.side == "Attacker" for disc in labelled],
    )
    large = ground(scene, view, size * FINE)
    pen = ImageDraw.Draw(large)
    if moment:
        _draw_arrows(pen, discs, scale)
    for disc, place in zip(labelled, places, strict=True):
        if place is not None:
            line(pen, disc.drawn_at, place.nearest(*disc.drawn_at), INK, 0.6 * scale)
    for disc in discs if len(discs) <= MANY else ():
        if distance(disc.position, disc.drawn_at) > disc.radius and not disc.is_outside:
            line(pen, disc.position, disc.drawn_at, BLACK, 0.6 * scale)
            circle(pen, disc.position, 1.4 * scale, fill=BLACK)
    _draw_reaches(pen, discs, size / view.side, scale)
    for disc in discs:
        draw_marker(pen, disc.mark, disc.drawn_at, disc.radius, disc.colour, scale, is_numbered=disc.number > 0)
    map_image = large.reduce(FINE)
    pen = ImageDraw.Draw(map_image, "RGBA")
    for disc in discs:
        if disc.number:
            _draw_number(pen, disc, scale)
    for disc, place in zip(labelled, places, strict=True):
        if place is not None:
            _draw_label(pen, disc, place, scale)
    nameless = len(discs) - sum(place is not None for place in places) - sum(disc.number > 0 for disc in discs)
    if nameless:
        _draw_note(pen, f"{counted(nameless, 'flank')} without label", size, scale)
    return map_image


def _discs(scene: Scene, view: MapView, moment: int, size: int, scale: int) -> list[Disc]:
    """Return the flanks as discs whose area grows with their men, the largest first.

    Small discs are thus drawn on top of large ones, and large ones are labelled first.
    """
    marks, earlier = scene.moments[moment].marks, scene.moments[max(moment - 1, 0)].marks
    numbers = numbers_of(scene.before)
    most_men = max((mark.size for mark in scene.before), default=0) or 1
    largest = LARGEST * scale * min(1.0, sqrt(10 / max(1, len(marks))))
    least = [_least(mark, bool(numbers), scale, largest) for mark in marks]
    radii = [max(low, largest * sqrt(mark.size / most_men)) for low, mark in zip(least, marks, strict=True)]
    positions = [view.on(size, mark.x, mark.y) for mark in marks]
    is_up = [mark.side == "Attacker" for mark in marks]
    if moment:
        drawn = apart(positions, radii, size, gap=1.5 * scale, up=is_up)
    else:  # a formation keeps its places: its discs shrink and overlap rather than move
        factor = max(SHRUNK, fitting(positions, radii, gap=scale))
        radii = [max(low, factor * radius) for low, radius in zip(least, radii, strict=True)]
        drawn = apart(positions, [radius / 2 for radius in radii], size, gap=0, up=is_up)
    discs = [
        Disc(
            mark=mark,
            initial=scene.before[row],
            nation=mark.army or banner_of(scene, mark.side).nation,
            colour=side_colour(scene, mark.side),
            number=numbers.get(row, 0),
            position=positions[row],
            start=view.on(size, earlier[row].x, earlier[row].y),
            drawn_at=drawn[row],
            radius=radii[row],
            is_outside=not view.shows(mark),
        )
        for row, mark in enumerate(marks)
    ]
    return sorted(discs, key=lambda disc: -disc.radius)


def _least(mark: Mark, is_numbered: bool, scale: int, largest: float) -> float:
    """Return the least radius of a flank, at which its number can be read."""
    if is_numbered:
        return NUMBERED * scale / (1 if mark.ships is None else SAIL)
    return (SMALLEST if mark.size else EMPTY) * min(scale, largest / 5)


def _draw_arrows(pen: ImageDraw.ImageDraw, discs: Sequence[Disc], scale: int) -> None:
    for disc in discs:
        arrow(
            pen,
            disc.start,
            disc.drawn_at,
            short_by=disc.radius,
            head=5 * scale,
            width=1.5 * scale,
            colour=shaded(disc.colour, 0.6),
        )


def _draw_reaches(pen: ImageDraw.ImageDraw, discs: Sequence[Disc], pixel: float, scale: int) -> None:
    """Draw the reach of each flank's weapons from its true position; its sign covers a smaller reach."""
    for disc in discs:
        if reach := disc.mark.reach * pixel:
            circle(pen, disc.position, reach + 0.4 * scale, outline=WHITE, width=1.5 * scale)
            circle(pen, disc.position, reach, outline=shaded(disc.colour, 0.6), width=0.7 * scale)


def _draw_number(pen: ImageDraw.ImageDraw, disc: Disc, scale: int) -> None:
    size, text = SMALL * scale, str(disc.number)
    (x, y), _ = sign_of(disc.mark, disc.drawn_at, disc.radius)
    colour = {"Routed": WHITE, "Inactive": FAINT}.get(disc.mark.status, readable_on(disc.colour))
    draw_text(pen, x - text_width(text, size) / 2, y - 0.55 * text_height(size), text, size, colour)


def _label_size(disc: Disc, scale: int) -> tuple[float, float]:
    name, *rest = disc.lines(scale)
    width = max(text_width(name, TEXT * scale), *(text_width(text, SMALL * scale) for text in rest))
    return width + 8 * scale, text_height(TEXT * scale) + len(rest) * text_height(SMALL * scale) + 2 * scale


def _draw_label(pen: ImageDraw.ImageDraw, disc: Disc, place: Box, scale: int) -> None:
    """Draw name and strength between stripes: the colour of the side, and that of the status (STRAT-10)."""
    name, *rest = disc.lines(scale)
    left, top, right, bottom = (round(edge) for edge in (place.left, place.top, place.right, place.bottom))
    pen.rectangle((left, top, right, bottom), fill=(*WHITE, 230), outline=FAINT)
    pen.rectangle((left, top, left + 2 * scale, bottom), fill=disc.colour)
    pen.rectangle((right - 2 * scale, top, right, bottom), fill=STATUS_COLOURS[disc.mark.status])
    draw_text(pen, left + 5 * scale, top + scale, name, TEXT * scale, INK)
    y = top + scale + text_height(TEXT * scale)
    for text in rest:
        draw_text(pen, left + 5 * scale, y, text, SMALL * scale, INK)
        y += text_height(SMALL * scale)


def _draw_axes(pen: ImageDraw.ImageDraw, view: MapView, left: int, top: int, size: int, scale: int) -> None:
    """Draw the map's pixel numbers above and left of the map; they are the X and Y of the Flanks tab."""
    font, height = SMALL * scale, text_height(SMALL * scale)
    step = next(step for step in (5, 10, 20, 50, 100) if view.side / step <= 8)
    for pixel in range(step * ceil(view.left / step), view.left + view.side, step):
        x, width = left + (pixel + 0.5 - view.left) * size / view.side, text_width(str(pixel), font)
        pen.line((x, top - 3 * scale, x, top - 1), fill=INK)
        draw_text(pen, min(x - width / 2, left + size - width), top - 3 * scale - height, str(pixel), font, INK)
    for pixel in range(step * ceil(view.top / step), view.top + view.side, step):
        y = top + (pixel + 0.5 - view.top) * size / view.side
        pen.line((left - 3 * scale, y, left - 1, y), fill=INK)
        edge = min(y - height / 2, top + size - height)
        draw_text(pen, left - 4 * scale - text_width(str(pixel), font), edge, str(pixel), font, INK)


def _draw_scale_bar(pen: ImageDraw.ImageDraw, view: MapView, km_per_pixel: float, size: int, scale: int) -> None:
    """Draw a bar of a round number of kilometres, at most a fourth of the map's width, above its right end (MAP-06)."""
    width_km = view.side * km_per_pixel
    km = max((length for length in ROUND_LENGTHS_KM if length <= width_km / 4), default=ROUND_LENGTHS_KM[0])
    text, right, bottom = f"{km:g} km", AXIS * scale + size, 9 * scale
    end = right - round(text_width(text, SMALL * scale)) - 4 * scale
    start = end - round(size * km / width_km)
    pen.rectangle((start, bottom - 2 * scale, end, bottom), fill=INK)
    pen.rectangle(((start + end) // 2, bottom - 2 * scale + 1, end - 1, bottom - 1), fill=WHITE)
    draw_text(pen, end + 4 * scale, bottom - 6 * scale, text, SMALL * scale, INK)


def _draw_note(pen: ImageDraw.ImageDraw, text: str, size: int, scale: int) -> None:
    left, top = size - text_width(text, SMALL * scale) - 6 * scale, size - 13 * scale
    pen.rectangle((left - 3 * scale, top, size, size), fill=(*WHITE, 215))
    draw_text(pen, left, top + 2 * scale, text, SMALL * scale, INK)
