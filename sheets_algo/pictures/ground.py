"""The ground of a battle picture: the square of the map that it shows, and its image."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from engine.battle_map import Mark, Scene
from engine.terrain import Feature
from sheets_algo.pictures.lettering import Colour
from sheets_algo.pictures.strokes import mixed, png

GROUND: Colour = (244, 240, 230)
"""The colour of the paper that the ground is drawn on."""
WARM, GREY, BLUE, GREEN = 0.55, 0.6, 0.35, 0.2
"""Shares of the legend's colour in the ground, by its strongest part; the rest is paper, so that flanks and text stand
out. Brown and grey have more, since people who do not see the hue tell them from green by their darkness."""
NARROWEST = 64  # Minimum side of the view in pixels of the map: 16 km at the usual scale
ROOM = 1.5  # side of the view, as a multiple of the extent of the flanks


PNG_LEAST = 600
"""Minimum side of a ground without flanks in pixels, so that its outlines are smooth."""
SMOOTHED = 0.6
"""Pixels of the map over which its outlines are smoothed."""

Codes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class MapView:
    """A square section of the map, in the map's pixels."""

    left: int
    top: int
    side: int

    def on(self, panel: float, x: float, y: float) -> tuple[float, float]:
        """Convert a position on the map to a position on a panel whose side is `panel` pixels."""
        return (x - self.left) * panel / self.side, (y - self.top) * panel / self.side

    def shows(self, mark: Mark) -> bool:
        """Return True if the flank lies within the view."""
        return 0 <= mark.x - self.left <= self.side and 0 <= mark.y - self.top <= self.side


def whole_map(scene: Scene) -> MapView:
    """Return the view that covers the whole map."""
    return MapView(0, 0, scene.terrain.codes.shape[0])


def view_of(scene: Scene) -> MapView:
    """Return the view around the battle: all starting positions, and the later positions near them.

    A later position farther from the starting positions than these are wide is left outside, so that a flank that fled
    far does not shrink all the others.
    """
    map_size = scene.terrain.codes.shape[0]
    if not scene.before:
        return whole_map(scene)
    starts = _view_around(scene.before, map_size)
    reach = starts.side / 2
    near = [
        mark
        for moment in scene.moments[1:]
        for mark in moment.marks
        if -reach < mark.x - starts.left < starts.side + reach and -reach < mark.y - starts.top < starts.side + reach
    ]
    return _view_around([*scene.before, *near], map_size)


def _view_around(marks: Iterable[Mark], map_size: int) -> MapView:
    xs, ys = [mark.x for mark in marks], [mark.y for mark in marks]
    west, east, north, south = min(xs), max(xs), min(ys), max(ys)
    side = min(map_size, max(NARROWEST, ceil(ROOM * max(east - west, south - north))))
    left = min(max(0, round((west + east - side) / 2)), map_size - side)
    top = min(max(0, round((north + south - side) / 2)), map_size - side)
    return MapView(left, top, side)


def ground(scene: Scene, view: MapView, size: int) -> Image.Image:
    """Return the ground of a view, enlarged to `size` pixels square with smooth outlines, as a copy to draw on."""
    return _ground(_MapCodes(scene.terrain.digest, scene.terrain.codes), scene.legend, view, size).copy()


@dataclass(frozen=True, slots=True)
class _MapCodes:
    """The feature codes of a map, compared and hashed by their digest alone."""

    digest: str
    codes: NDArray[np.uint8] = field(compare=False, repr=False)


@lru_cache(maxsize=4)  # 7 MB each; both moments show the same ground, and wars of a season share maps
def _ground(terrain: _MapCodes, legend: tuple[Feature, ...], view: MapView, size: int) -> Image.Image:
    """Draw the ground of a view; the result is cached and must not be changed.

    Every feature is enlarged as a mask of its own and the strongest mask wins. Mixing colours or codes instead would
    show a third feature along the border between two others.
    """
    half = size // 2  # smooth enough, at a quarter of the cost
    present, strongest = _strongest(terrain.codes, view, half)
    colours = np.array([tinted(legend[code].rgb) for code in present], np.uint8)
    return Image.fromarray(colours[strongest]).resize((size, size), Image.Resampling.NEAREST)


def _strongest(codes: NDArray[np.uint8], view: MapView, size: int, blur: float = 0) -> tuple[Codes, Codes]:
    """Return the codes in a view, and for each enlarged pixel the index of the prevailing code."""
    cut = (view.left, view.top, view.left + view.side, view.top + view.side)
    present = np.unique(codes[view.top : view.top + view.side, view.left : view.left + view.side])
    masks = [Image.fromarray((codes == code) * np.uint8(255)).resize((size, size), box=cut) for code in present]
    if blur:
        masks = [mask.filter(ImageFilter.GaussianBlur(blur)) for mask in masks]
    return present, np.argmax(np.stack([np.asarray(mask) for mask in masks]), axis=0).astype(np.uint8)


def ground_png(scene: Scene, view: MapView) -> tuple[bytes, tuple[Feature, ...]]:
    """Return the ground of a view as a PNG with the colours of its features alone, and these features."""
    size = max(PNG_LEAST, view.side)
    present, strongest = _strongest(scene.terrain.codes, view, size, SMOOTHED * size / view.side)
    features = tuple(scene.legend[code] for code in present)
    picture = Image.fromarray(strongest)
    picture.putpalette([part for feature in features for part in tinted(feature.rgb)])
    return png(picture, optimize=True), features


def tinted(colour: Colour) -> Colour:
    """Return the colour of a legend's colour on the ground of pictures."""
    red, green, blue = colour
    if red == green == blue == 255:
        return GROUND
    share = WARM if red > green else GREY if red == green else BLUE if blue > green else GREEN
    return mixed(GROUND, colour, share)
