"""The areas of a drawn map, filled from the pixel of each place as by a paint bucket (MAP-09)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from engine.place_map import MapPlace

Pixels = NDArray[np.uint8]
Labels = NDArray[np.int32]
Mask = NDArray[np.bool_]
Crop = tuple[slice, slice]

NEAR = 8
"""Maximum difference of red, green or blue between neighbours in an area: above JPEG noise, below smoothed borders."""
LEAST = 12
"""Pixels of the smallest area; fewer are a speck of a border."""
SLENDER = 250
"""Length of a line in its own widths, from which it is a border and no area."""
SEA, SEA_EDGES = 0.25, 3
"""Share of the map from which an area is the sea, or land that leaks into it, and of the four edges those it reaches.

A large land lies at one edge or in a corner.
"""
SPREAD = 2
"""Pixels that the colour of an area spreads over the smoothed edge of its border."""


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """The areas of a map, and the smoothed edges around them."""

    labels: Labels  # The place of each pixel, an index of `names`, -1 for none; shape (height, width)
    edges: Labels  # The same, spread over the smoothed edges of borders
    names: tuple[str, ...]  # The places that have an area
    faults: Mapping[str, str]  # The problem of a place's pixel, a clause, by the place's name

    def scaled(self, height: int, width: int) -> Areas:
        """Return the areas of the map at another size."""
        old_height, old_width = self.labels.shape
        grid = np.ix_(np.arange(height) * old_height // height, np.arange(width) * old_width // width)
        return Areas(self.labels[grid], self.edges[grid], self.names, self.faults)


def areas_of(pixels: Pixels, places: Iterable[MapPlace]) -> Areas:
    """Fill the area of each place.

    Args:
        pixels: Red, green and blue, shape (height, width, 3).
        places: The places with their pixels; of two in one area the first keeps it.
    """
    height, width = pixels.shape[:2]
    parts = connected(pixels)
    owners: dict[int, MapPlace] = {}
    faults: dict[str, str] = {}
    for place in places:
        if not (0 <= place.x < width and 0 <= place.y < height):
            faults[place.name] = f"pixel {place.x}, {place.y} is outside the map of {width:,} x {height:,} pixels"
            continue
        owner = owners.setdefault(int(parts[place.y, place.x]), place)
        if owner is not place and not place.is_sea:
            fault = f"pixel {place.x}, {place.y} is in the area of {owner.name}, or a border between them has a gap"
            faults[place.name] = fault
    index = np.full(int(parts.max()) + 1, -1, np.int32)
    index[list(owners)] = np.arange(len(owners), dtype=np.int32)
    labels = index[parts]
    lines = []
    for number, (place, crop) in enumerate(zip(owners.values(), crops_of(labels, len(owners)), strict=True)):
        mask = labels[crop] == number
        size = np.count_nonzero(mask)
        side = ceil(sqrt(size / SLENDER))
        edges = (crop[0].start == 0, crop[1].start == 0, crop[0].stop == height, crop[1].stop == width)
        if size < LEAST or not fitting_boxes(mask, side, side).any():
            faults[place.name] = f"pixel {place.x}, {place.y} is on a border, not inside an area"
            lines.append(number)
        elif not place.is_sea and sum(edges) >= SEA_EDGES and size > SEA * labels.size:
            share = f"{100 * size / labels.size:.0f} %"
            faults[place.name] = (
                f"the area of pixel {place.x}, {place.y} takes {share} of the map up to its edges: it is the sea, or a"
                " border has a gap"
            )
    if lines:
        labels[np.isin(labels, lines)] = -1
    return Areas(labels, _spread(labels, parts), tuple(place.name for place in owners.values()), faults)


def connected(pixels: Pixels) -> Labels:
    """Number the connected parts of a picture whose neighbours differ by at most `NEAR`; shape (height, width).

    Runs of like pixels of each row are joined with those below by a union of sets, a whole generation at a time.
    """
    height, width = pixels.shape[:2]
    across, down = np.ones((height, width), np.bool_), np.ones((height, width), np.bool_)
    for channel in range(3):
        plane = np.ascontiguousarray(pixels[..., channel])
        across[:, 1:] &= _differ_little(plane[:, 1:], plane[:, :-1])
        down[1:] &= _differ_little(plane[1:], plane[:-1])
    across[:, 0] = down[0] = False
    begins = ~across
    runs = np.cumsum(begins.ravel(), dtype=np.int32).reshape(height, width) - np.int32(1)
    down[1:, 1:] &= begins[1:, 1:] | begins[:-1, 1:] | ~down[1:, :-1]  # one pixel of each stretch joins it
    at = np.flatnonzero(down)
    flat = runs.ravel()
    parent = _united(int(flat[-1]) + 1, flat[at - width], flat[at])
    numbers = np.cumsum(parent == np.arange(len(parent)), dtype=np.int32) - np.int32(1)
    labels: Labels = numbers[parent][runs]
    return labels


def _differ_little(one: Pixels, other: Pixels) -> Mask:
    difference: Mask = np.maximum(one, other) - np.minimum(one, other) <= NEAR
    return difference


def _united(count: int, one: Labels, other: Labels) -> Labels:
    """Return the least member of each member's set, after all pairs are united."""
    parent = np.arange(count, dtype=np.int32)
    while True:
        one, other = parent[one], parent[other]
        apart = one != other
        if not apart.any():
            return parent
        one, other = one[apart], other[apart]
        np.minimum.at(parent, np.maximum(one, other), np.minimum(one, other))
        while True:
            shorter = parent[parent]
            if np.array_equal(shorter, parent):
                break
            parent = shorter


def crops_of(labels: Labels, count: int) -> Iterator[Crop]:
    """Yield the rows and columns that the area of each label takes, empty for none."""
    width = labels.shape[1]
    numbers = labels.ravel()
    order = np.argsort(numbers.astype(np.int16) if count < 2**15 else numbers, kind="stable")
    sizes = np.bincount(numbers + 1, minlength=count + 1)
    begin = int(sizes[0])
    for end in np.cumsum(sizes)[1:].tolist():
        pixels, begin = order[begin:end], end
        if not len(pixels):
            yield slice(0, 0), slice(0, 0)
            continue
        columns = pixels % width
        yield (
            slice(int(pixels[0]) // width, int(pixels[-1]) // width + 1),
            slice(int(columns.min()), int(columns.max()) + 1),
        )


def fitting_boxes(mask: Mask, height: int, width: int) -> Mask:
    """Return the possible top left corners of a box inside a mask; empty if the box is too large."""
    if height > mask.shape[0] or width > mask.shape[1]:
        return np.zeros((0, 0), np.bool_)
    sums = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1), np.int32)
    np.cumsum(np.cumsum(mask, axis=0, dtype=np.int32), axis=1, out=sums[1:, 1:])
    inside = sums[height:, width:] - sums[:-height, width:] - sums[height:, :-width] + sums[:-height, :-width]
    fits: Mask = inside == height * width
    return fits


def _spread(labels: Labels, parts: Labels) -> Labels:
    """Return the labels, spread by `SPREAD` pixels over lines and their smoothed edges."""
    is_solid = np.zeros(int(parts.max()) + 1, np.bool_)
    same = np.ones(parts.shape, np.bool_)[:-3, :-3]
    for step in range(1, 4):
        same &= (parts[step : parts.shape[0] - 3 + step, :-3] == parts[:-3, :-3]) & (
            parts[:-3, step : parts.shape[1] - 3 + step] == parts[:-3, :-3]
        )
    is_solid[parts[:-3, :-3][same]] = True
    free = ~is_solid[parts]
    spread = labels.copy()
    for _ in range(SPREAD):
        before = spread.copy()
        for to, source in (
            ((slice(1, None), slice(None)), (slice(None, -1), slice(None))),
            ((slice(None, -1), slice(None)), (slice(1, None), slice(None))),
            ((slice(None), slice(1, None)), (slice(None), slice(None, -1))),
            ((slice(None), slice(None, -1)), (slice(None), slice(1, None))),
        ):
            taken = free[to] & (spread[to] < 0) & (before[source] >= 0)
            np.copyto(spread[to], before[source], where=taken)
    return spread
