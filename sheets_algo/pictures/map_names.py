"""Boxes for names on a map, each inside its area and without overlap."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np

from sheets_algo.pictures.areas import SEA, Areas, Mask, crops_of, fitting_boxes
from sheets_algo.pictures.lettering import text_height, text_width

COARSE = 4
"""Pixels of the grid on which the names of nations are placed."""

Spot = tuple[int, int, int]
"""Left, top and size of a text."""


class NameBoxes:
    """The free room for names on a map."""

    def __init__(self, areas: Areas) -> None:
        self._labels = areas.labels
        self._numbers = {name: number for number, name in enumerate(areas.names)}
        self._crops = [*crops_of(areas.labels, len(areas.names))]
        self._free = np.ones(areas.labels.shape, np.bool_)
        sizes = np.bincount(areas.labels.ravel() + 1, minlength=len(areas.names) + 1)[1:]
        order = np.argsort(-sizes, kind="stable").tolist()
        self.by_size = [areas.names[number] for number in order if 0 < sizes[number] <= SEA * areas.labels.size]

    def in_area(self, name: str, width: int, height: int) -> tuple[int, int] | None:
        """Take a box in the area of a place, near its middle; return its left and top, None if there is no room."""
        if name not in self._numbers:
            return None
        number = self._numbers[name]
        rows, columns = self._crops[number]
        mask = self._labels[rows, columns] == number
        spot = _nearest(mask, mask & self._free[rows, columns], height, width)
        return self._taken(columns.start + spot[1], rows.start + spot[0], width, height) if spot else None

    def name(self, text: str, sizes: Sequence[int]) -> Spot | None:
        """Take a box for the name of a place in its area, in the first of the sizes that fits."""
        for size in sizes:
            gap = max(1, size // 8)
            width, height = _box(text, size)
            if spot := self.in_area(text, width + 2 * gap, height + 2 * gap):
                return spot[0] + gap, spot[1] + gap, size
        return None

    def on_land(self, land: Mask, text: str, sizes: Sequence[int]) -> Spot | None:
        """Take a box for the name of a nation on its land, over the lines inside it."""
        coarse, free = _blocks(land, np.logical_or), _blocks(land, np.logical_or) & _blocks(self._free, np.logical_and)
        rows, columns = np.flatnonzero(coarse.any(axis=1)), np.flatnonzero(coarse.any(axis=0))
        if not len(rows):
            return None
        crop = slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)
        for size in sizes:
            width, height = _box(text, size)
            spot = _nearest(coarse[crop], free[crop], ceil(height / COARSE) + 1, ceil(width / COARSE) + 1)
            if spot:
                left, top = (crop[1].start + spot[1]) * COARSE, (crop[0].start + spot[0]) * COARSE
                self._taken(left, top, width, height)
                return left, top, size
        return None

    def _taken(self, left: int, top: int, width: int, height: int) -> tuple[int, int]:
        self._free[top : top + height, left : left + width] = False
        return left, top


def _blocks(mask: Mask, joined: np.ufunc) -> Mask:
    """Return a mask on the coarse grid, each block joined from its pixels; a rest at the edges is left out."""
    height, width = (length // COARSE for length in mask.shape)
    blocks = mask[: height * COARSE, : width * COARSE].reshape(height, COARSE, width, COARSE)
    coarse: Mask = joined.reduce(joined.reduce(blocks, axis=3), axis=1)
    return coarse


def _box(text: str, size: int) -> tuple[int, int]:
    return ceil(text_width(text, size)), text_height(size)


def _nearest(area: Mask, free: Mask, height: int, width: int) -> tuple[int, int] | None:
    """Return top and left of the free box nearest to the middle of an area; None if there is none."""
    tops, lefts = np.nonzero(fitting_boxes(free, height, width))
    if not len(tops):
        return None
    rows, columns = np.nonzero(area)
    middle = rows.mean() - height / 2, columns.mean() - width / 2
    best = int(np.argmin((tops - middle[0]) ** 2 + (lefts - middle[1]) ** 2))
    return int(tops[best]), int(lefts[best])
