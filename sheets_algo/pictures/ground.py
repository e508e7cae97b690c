"""The ground of a picture: which square of the map it shows, and how that looks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from engine.scene import Mark, Scene
from engine.terrain import Feature
from sheets_algo.pictures.lettering import Colour

TINT = 0.55  # how much of the legend's colour the ground keeps, so that flanks and text stand out
NARROWEST = 64  # pixels of the map: 16 km on ground of the usual scale
ROOM = 1.5  # the view is that much wider than what it is about


@dataclass(frozen=True, slots=True)
class View:
    """A square cut out of the map, in the map's pixels."""

    left: int
    top: int
    side: int

    def on(self, panel: float, x: float, y: float) -> tuple[float, float]:
        """A place on the map as a place on a panel of that many pixels."""
        return (x - self.left) * panel / self.side, (y - self.top) * panel / self.side

    def shows(self, mark: Mark) -> bool:
        """Whether the flank stands inside."""
        return 0 <= mark.x - self.left <= self.side and 0 <= mark.y - self.top <= self.side


def whole_map(scene: Scene) -> View:
    """All of it."""
    return View(0, 0, scene.terrain.codes.shape[0])


def view_of(scene: Scene) -> View:
    """Where the battle is: every start, and the ends around them.

    A flank that fled across the map does not shrink the others to dots: an end farther out than the starts are wide is
    left outside.
    """
    whole = scene.terrain.codes.shape[0]
    if not scene.before:
        return whole_map(scene)
    starts = _around(scene.before, whole)
    reach = starts.side / 2
    near = [
        mark
        for mark in scene.after
        if -reach < mark.x - starts.left < starts.side + reach and -reach < mark.y - starts.top < starts.side + reach
    ]
    return _around([*scene.before, *near], whole)


def _around(marks: Iterable[Mark], whole: int) -> View:
    across, down = [mark.x for mark in marks], [mark.y for mark in marks]
    west, east, north, south = min(across), max(across), min(down), max(down)
    side = min(whole, max(NARROWEST, ceil(ROOM * max(east - west, south - north))))
    left = min(max(0, round((west + east - side) / 2)), whole - side)
    top = min(max(0, round((north + south - side) / 2)), whole - side)
    return View(left, top, side)


def ground(scene: Scene, view: View, size: int) -> Image.Image:
    """A cut-out of the map, enlarged to `size` pixels, outlines smoothed; a copy to draw on."""
    return _ground(_Land(scene.terrain.digest, scene.terrain.codes), scene.legend, view, size).copy()


@dataclass(frozen=True, slots=True)
class _Land:
    """A map's features, told apart by their digest."""

    digest: str
    codes: NDArray[np.uint8] = field(compare=False, repr=False)


@lru_cache(maxsize=4)  # 7 MB each; before and after show the same ground, and wars of a season share maps
def _ground(land: _Land, legend: tuple[Feature, ...], view: View, size: int) -> Image.Image:
    """The ground itself.

    Every feature is enlarged as a mask of its own and the strongest mask wins: no third ground appears between two
    others, as it would if colours or codes were mixed.
    """
    rough = size // 2  # smooth enough, at a quarter of the cost
    cut = (view.left, view.top, view.left + view.side, view.top + view.side)
    present = np.unique(land.codes[view.top : view.top + view.side, view.left : view.left + view.side])
    masks = [Image.fromarray((land.codes == code) * np.uint8(255)).resize((rough, rough), box=cut) for code in present]
    strongest = np.argmax(np.stack([np.asarray(mask) for mask in masks]), axis=0)
    colours = np.array([tinted(legend[code].rgb) for code in present], np.uint8)
    return Image.fromarray(colours[strongest]).resize((size, size))


def tinted(colour: Colour) -> Colour:
    """A colour of the legend as pictures show it."""
    red, green, blue = (round(255 + (part - 255) * TINT) for part in colour)
    return red, green, blue
