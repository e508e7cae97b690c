"""The map of the game as a PNG: owners, occupiers, capitals, names, legend and year (MAP-09)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from sheets_algo.pictures.areas import Areas, Pixels
from sheets_algo.pictures.lettering import Colour, draw_text, fitted, text_height, text_width
from sheets_algo.pictures.map_names import NameBoxes
from sheets_algo.pictures.strokes import FAINT, INK, PAPER, WHITE, mixed, png

WIDEST, NARROWEST = 4000, 1000
"""Maximum and minimum width of a picture in pixels; a narrower map is enlarged."""
COLUMNS = 4
LEGEND_MOST = 24
"""Maximum number of nations of the legend."""
LETTER_LEAST = 11
"""Minimum height of letters in pixels; a name that would be smaller is left out."""
STRIPE = 6
"""Width of a stripe at a map of 1,400 pixels."""
CONTRAST_LEAST = 7.0
"""Minimum contrast of letters in ink on the tint of a nation."""
DARK = 64
"""Minimum brightness of an area whose own shades are kept."""


@dataclass(frozen=True, slots=True)
class WorldScene:
    """Holders of the places on the map of the game in one year."""

    title: str
    year: str
    holders: Mapping[str, tuple[str, str]]  # The owner and the occupier of each place by its name; blank for none
    colours: Mapping[str, Colour]  # The colour of each nation
    capitals: Mapping[str, str]  # The place of each nation's capital


def draw_world(
    drawing: Pixels, areas: Areas, scene: WorldScene, *, widest: int = WIDEST, is_bare: bool = False
) -> bytes:
    """Draw a map; equal arguments give equal bytes.

    Args:
        drawing: The blank map, shape (height, width, 3).
        areas: Its areas.
        widest: Most width of the picture in pixels.
        is_bare: True for the map alone, without title and legend, with names of nations that a phone shows large.
    """
    world = _World(drawing, areas, scene, widest, is_bare=is_bare)
    picture = Image.fromarray(world.painted())
    world.write_names(picture)
    return png(picture if is_bare else _framed(picture, world.unit, scene), compress_level=4)


class _World:
    """A map at the size of its picture."""

    def __init__(self, drawing: Pixels, areas: Areas, scene: WorldScene, widest: int, *, is_bare: bool) -> None:
        height, width = drawing.shape[:2]
        factor = min(widest / width, max(1, -(-NARROWEST // width)))
        size = max(1, round(width * factor)), max(1, round(height * factor))
        self.scene, self.is_bare = scene, is_bare
        self.areas = areas if factor == 1 else areas.scaled(size[1], size[0])
        method = Image.Resampling.BOX if factor < 1 else Image.Resampling.NEAREST
        self.drawing = drawing if factor == 1 else np.asarray(Image.fromarray(drawing).resize(size, method))
        self.unit = max(1.0, size[0] / 1400)  # the length that is a pixel of a map of 1,400
        self.nations = sorted({nation for pair in scene.holders.values() for nation in pair if nation})
        number = {nation: place for place, nation in enumerate(self.nations, start=1)}
        holders = [scene.holders.get(name, ("", "")) for name in areas.names]
        self.owners, self.occupiers = (
            np.array([0, *(number.get(pair[which], 0) for pair in holders)], np.int16) for which in (0, 1)
        )
        self.occupiers[self.occupiers == self.owners] = 0
        self.tints = np.array([WHITE, *(tint(scene.colours.get(name, FAINT)) for name in self.nations)], np.uint8)
        self.owned = self.owners[self.areas.edges + 1]

    def painted(self) -> Pixels:
        """Return the map in the colours of the owners, with the occupied areas hatched and borders of nations thick."""
        edges, labels = self.areas.edges + 1, self.areas.labels + 1
        brightness = np.maximum(np.maximum(self.drawing[..., 0], self.drawing[..., 1]), self.drawing[..., 2])
        counts = np.bincount(labels.ravel(), minlength=len(self.owners))
        totals = np.bincount(labels.ravel(), weights=brightness.ravel(), minlength=len(self.owners))
        base = np.maximum(totals / np.maximum(counts, 1), 1)
        shades = np.minimum(np.arange(256) / base[:, None], 1)
        shades[base < DARK] = 1
        owned, occupied = (
            (self.tints[holders][:, None] * shades[..., None]).astype(np.uint8)
            for holders in (self.owners, self.occupiers)
        )
        painted: Pixels = owned[edges, brightness]
        at = np.flatnonzero((self.occupiers * (self.owners > 0) > 0)[edges])
        if len(at):
            width = max(3, round(STRIPE * self.unit))
            phase = (at // edges.shape[1] + at % edges.shape[1]) % (2 * width)
            striped, lines = at[phase < width], at[phase % width == 0]
            flat = painted.reshape(-1, 3)
            flat[striped] = occupied[edges.ravel()[striped], brightness.ravel()[striped]]
            flat[lines] //= 2
        np.copyto(painted, self.drawing, where=(self.owned == 0)[..., None])
        self._draw_borders(painted)
        return painted

    def _draw_borders(self, painted: Pixels) -> None:
        """Draw a thick line where the land of one nation meets that of another one."""
        thick = np.zeros(self.owned.shape, np.bool_)
        for axis in (0, 1):
            one, other = (np.moveaxis(array, axis, 0) for array in (self.owned, thick))
            meets = (one[1:] != one[:-1]) & (one[1:] > 0) & (one[:-1] > 0)
            other[1:] |= meets
            other[:-1] |= meets
        for _ in range(round(1.5 * self.unit)):
            grown = thick.copy()
            grown[1:] |= thick[:-1]
            grown[:, 1:] |= thick[:, :-1]
            thick = grown
        painted[thick] = INK

    def write_names(self, picture: Image.Image) -> None:
        """Write stars of capitals, names of nations, and names of places from the largest; none covers another."""
        pen = ImageDraw.Draw(picture)
        boxes = NameBoxes(self.areas)
        letter = round((36 if self.is_bare else 26) * self.unit)
        held = Counter(owner for owner, _ in self.scene.holders.values())
        star = round((14 if self.is_bare else 10) * self.unit)
        for place in self.scene.capitals.values():
            for size in (star, star * 2 // 3):
                if spot := boxes.in_area(place, 2 * size + 2, 2 * size + 2):
                    _star(pen, spot[0] + size, spot[1] + size, size)
                    break
        for nation in sorted(self.nations, key=lambda name: (-held[name], name)):
            land, sizes = self.owned == 1 + self.nations.index(nation), (letter, letter * 3 // 4, letter * 9 // 16)
            free = land & (self.occupiers == 0)[self.areas.edges + 1]
            _write(pen, boxes.on_land(free, nation, sizes) or boxes.on_land(land, nation, sizes), nation, has_halo=True)
        if not self.is_bare:
            letter = round(13 * self.unit)
            for name in boxes.by_size:
                sizes = (letter, *range(letter * 3 // 4, LETTER_LEAST, -4), LETTER_LEAST)
                _write(pen, boxes.name(name, sizes), name, bool(self.scene.holders.get(name, ("", ""))[1]))


def _write(pen: ImageDraw.ImageDraw, spot: tuple[int, int, int] | None, text: str, has_halo: bool) -> None:
    """Write a text at left, top and size; skip it without a spot."""
    if spot is None:
        return
    left, top, size = spot
    reach = max(1, size // 9)
    for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)) if has_halo else ():
        draw_text(pen, left + x * reach, top + y * reach, text, size, WHITE)
    draw_text(pen, left, top, text, size, INK)


def _star(pen: ImageDraw.ImageDraw, x: float, y: float, radius: float) -> None:
    """Draw a star of five points in a circle."""
    pen.ellipse(
        (x - radius, y - radius, x + radius, y + radius), fill=WHITE, outline=INK, width=max(1, round(radius / 7))
    )
    turns = ((0, -1), (0.2245, -0.309), (0.951, -0.309), (0.3633, 0.118), (0.5878, 0.809), (0, 0.382))
    points = [*turns, *((-a, b) for a, b in turns[-2:0:-1])]
    pen.polygon([(x + 0.75 * radius * a, y + 0.75 * radius * b) for a, b in points], fill=INK)


def _framed(picture: Image.Image, unit: float, scene: WorldScene) -> Image.Image:
    """Return a map under its title and year, above its legend."""
    margin, title, text = (round(size * unit) for size in (26, 40, 24))
    counts = Counter(owner for owner, _ in scene.holders.values() if owner)
    listed = sorted(counts, key=lambda name: (-counts[name], name))
    named = listed[:LEGEND_MOST]
    line = text_height(text) + round(12 * unit)
    rows = -(-len(named) // COLUMNS)
    head = text_height(title) + margin
    page = Image.new("RGB", (picture.width, head + picture.height + margin + (rows + 1) * line + margin // 2), PAPER)
    page.paste(picture, (0, head))
    pen = ImageDraw.Draw(page)
    right = page.width - margin
    draw_text(pen, right - text_width(scene.year, title), margin // 2, scene.year, title, INK)
    room = right - 2 * margin - text_width(scene.year, title)
    draw_text(pen, margin, margin // 2, fitted(scene.title, title * 4 // 5, room), title * 4 // 5, INK)
    top, column = head + picture.height + margin // 2, (page.width - margin) // COLUMNS
    for number, name in enumerate(named):
        left, y = margin + number % COLUMNS * column, top + number // COLUMNS * line
        _flag(pen, left, y, text, tint(scene.colours.get(name, FAINT)))
        count = f"  {counts[name]}"
        label = fitted(name, text, column - 3 * text - text_width(count, text)) + count
        draw_text(pen, left + text * 7 // 4, y, label, text, INK)
    _draw_key(page, pen, margin, top + rows * line, text, scene, len(listed) - len(named))
    return page


def _draw_key(
    page: Image.Image, pen: ImageDraw.ImageDraw, left: int, top: int, text: int, scene: WorldScene, others: int
) -> None:
    """Draw the last line of the legend: the meaning of star, stripes and numbers."""
    small = text * 5 // 6
    if scene.capitals:
        _star(pen, left + text // 2, top + text * 2 // 3, text // 2)
        draw_text(pen, left + text * 7 // 4, top, "Capital", small, FAINT)
        left += round(text * 4 + text_width("Capital", small))
    occupiers = [(owner, occupier) for owner, occupier in scene.holders.values() if occupier]
    if occupiers:
        one, other = (tint(scene.colours.get(name, FAINT)) for name in occupiers[0])
        _flag(pen, left, top, text, one, other)
        draw_text(pen, left + text * 7 // 4, top, "Stripes: occupied, in the occupier's colour", small, FAINT)
    words = "The number: places owned" + (f"; {others} more nations" if others else "")
    draw_text(pen, page.width - text - text_width(words, small), top, words, small, FAINT)


def _flag(
    pen: ImageDraw.ImageDraw, left: int, top: int, text: int, colour: Colour, stripes: Colour | None = None
) -> None:
    width, height = text * 5 // 4, text * 4 // 5
    y = top + text // 4
    pen.rectangle((left, y, left + width, y + height), fill=colour)
    for x in range(left, left + width, max(2, text // 3)) if stripes else ():
        pen.line(
            (x, y + height, min(x + height, left + width), y + max(0, x + height - left - width)),
            fill=stripes,
            width=max(1, text // 7),
        )
    pen.rectangle((left, y, left + width, y + height), outline=INK, width=max(1, text // 16))


def tint(colour: Colour) -> Colour:
    """Return a colour, lightened until letters in ink can be read on it."""
    for share in range(20):
        lighter = mixed(colour, WHITE, share / 20)
        if (_luminance(lighter) + 0.05) / (_luminance(INK) + 0.05) >= CONTRAST_LEAST:
            return lighter
    return 255, 255, 255


def _luminance(colour: Colour) -> float:
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
