"""The positions of flanks and labels in a battle picture, chosen so that each can be read.

Only sums, products and square roots are computed, in a fixed order, so that a battle has the same layout on every
machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

ROUNDS, PUSHES = 120, 12_000  # most rounds of pushing discs apart, and most discs times rounds
DIRECTIONS = ((0, -1), (0, 1), (1, 0), (-1, 0), (0.7, -0.7), (-0.7, -0.7), (0.7, 0.7), (-0.7, 0.7))
REACHES = (0, 0.6, 1.4, 2.4, 3.6, 5, 7, 9)  # candidate distances of a label from its flank, in heights of the label
MOST_OF_LABELS, MOST_OF_DISC = (
    0.02,
    0.5,
)  # largest share of a label that may cover others, and of a disc that it may hide
LINE_SQUARES = 24  # squares by which a line that labels should not cover is approximated


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle, in the pixels of a picture."""

    left: float
    top: float
    right: float
    bottom: float

    def nearest(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the box nearest to a position."""
        return min(max(x, self.left), self.right), min(max(y, self.top), self.bottom)


def apart(
    places: Sequence[tuple[float, float]], radii: Sequence[float], size: float, *, gap: float, up: Sequence[bool]
) -> list[tuple[float, float]]:
    """Move discs until they no longer overlap, each as little as possible.

    Args:
        size: Side of the square that holds the discs, in pixels.
        gap: Least distance between the edges of two discs, in pixels.
        up: True for each disc that moves up, rather than down, where two have exactly the same centre.

    Returns:
        The centres to draw at; a disc that overlapped no other and lay inside the square keeps its centre.
    """
    radius = np.array(radii, np.float64)
    centres = np.array(places, np.float64).reshape(-1, 2)
    # Two flanks in exactly one place have no direction to be moved apart in, so side and row decide it.
    tie_break = np.stack([np.arange(len(centres)) / 10, np.where(up, -1.0, 1.0)], axis=1)
    bounds = radius[:, None], np.maximum(size - radius, radius)[:, None]
    # In one line, discs would push each other along it for long; so every other one is moved a little out of it.
    is_on_own_place = len(np.unique(centres, axis=0)) == len(centres)
    aside = np.where(np.arange(len(centres)) % 2, 0.2, -0.2)[:, None] * (0, 1) * is_on_own_place
    positions = np.clip(centres + aside, *bounds)
    min_distance = radius[:, None] + radius[None, :] + gap
    np.fill_diagonal(min_distance, 0)
    for _ in range(min(ROUNDS, PUSHES // max(1, len(centres)))):
        offset = positions[:, None, :] - positions[None, :, :]
        distance = _lengths(offset)
        overlap = np.maximum(min_distance - distance, 0)
        if not overlap.any():
            break
        if np.count_nonzero(distance) < overlap.size - len(centres):
            offset = np.where(distance[..., None] > 0, offset, tie_break[:, None, :] - tie_break[None, :, :])
            distance = _lengths(offset)
        push = offset * (0.45 * overlap / np.maximum(distance, 1e-9))[..., None]
        positions = positions + push.sum(axis=1)
        positions = np.clip(positions, *bounds)
    is_moved = np.abs(positions - centres).max(axis=1, initial=0) > 0.5
    return [(float(x), float(y)) for x, y in np.where(is_moved[:, None], positions, centres)]


def fitting(places: Sequence[tuple[float, float]], radii: Sequence[float], *, gap: float) -> float:
    """Return the factor by which discs have to shrink so that none overlaps another without being moved.

    Args:
        gap: Least distance between the edges of two discs, in pixels.

    Returns:
        The factor, from 0, where two are within the gap, to 1.
    """
    radius, centres = np.array(radii, np.float64), np.array(places, np.float64).reshape(-1, 2)
    room = _lengths(centres[:, None, :] - centres[None, :, :]) - gap
    np.fill_diagonal(room, np.inf)
    return float(np.clip((room / (radius[:, None] + radius[None, :])).min(initial=1), 0, 1))


def _lengths(vectors: Points) -> Points:
    """Return the lengths of vectors, shape (..., 2), as shape (...)."""
    lengths: Points = np.sqrt(vectors[..., 0] * vectors[..., 0] + vectors[..., 1] * vectors[..., 1])
    return lengths


def place_labels(
    discs: Sequence[tuple[float, float, float]],
    sizes: Sequence[tuple[float, float]],
    size: float,
    *,
    gap: float,
    taken: Sequence[Box],
    lines: Sequence[tuple[tuple[float, float], tuple[float, float]]],
    upward: Sequence[bool],
) -> list[Box | None]:
    """Choose a position for each label, in the given order: near its disc and clear of the others.

    Args:
        discs: x, y and radius of each labelled disc, in pixels.
        sizes: Width and height of each label, in pixels.
        size: Side of the square that holds all labels, in pixels.
        gap: Distance between a disc and its label, in pixels.
        taken: Rectangles that no label may cover.
        lines: Start and end of each line that labels should leave visible if possible.
        upward: True for each label that is preferably above its disc.

    Returns:
        A box for each label, None where there is no room near its disc.
    """
    circles = np.array(discs, np.float64).reshape(-1, 3)
    squares = np.concatenate([circles[:, :2] - circles[:, 2:], circles[:, :2] + circles[:, 2:]], axis=1)
    line_squares = _squares_along(lines, gap)
    blocked = [(box.left, box.top, box.right, box.bottom) for box in taken]
    boxes: list[Box | None] = []
    for (x, y, radius), (width, height), above in zip(discs, sizes, upward, strict=True):
        candidates = _candidates(x, y, radius + gap, width, height, above)
        area = width * height
        inside = (candidates[:, :2] >= 0).all(axis=1) & (candidates[:, 2:] <= size).all(axis=1)
        over_labels = _covered(candidates, np.array(blocked, np.float64).reshape(-1, 4)) / area
        hidden = (_overlap(candidates, squares) / _area(squares)).max(axis=1, initial=0)
        free = inside & (over_labels <= MOST_OF_LABELS) & (hidden <= MOST_OF_DISC)
        if not free.any():
            boxes.append(None)
            continue
        middle = (candidates[:, :2] + candidates[:, 2:]) / 2 - (x, y)
        far = _lengths(middle) / height
        cost = far + 12 * hidden + 8 * np.minimum(_covered(candidates, line_squares) / area, 1)
        left, top, right, bottom = candidates[np.argmin(np.where(free, cost, np.inf))].tolist()
        blocked.append((left, top, right, bottom))
        boxes.append(Box(left, top, right, bottom))
    return boxes


def _squares_along(lines: Sequence[tuple[tuple[float, float], tuple[float, float]]], width: float) -> Points:
    """Return squares of a width along lines, shape (squares, 4)."""
    ends = np.array(lines, np.float64).reshape(-1, 2, 2)
    share = (np.arange(LINE_SQUARES) + 0.5)[:, None, None] / LINE_SQUARES
    middles = (ends[:, 0] * (1 - share) + ends[:, 1] * share).reshape(-1, 2)
    return np.concatenate([middles - width / 2, middles + width / 2], axis=1)


def _candidates(x: float, y: float, clear: float, width: float, height: float, above: bool) -> Points:
    """Return the candidate boxes of a label around its disc, the preferred ones first, shape (candidates, 4)."""
    rows = []
    for reach in REACHES:
        for right, down in DIRECTIONS:
            direction = down if above else -down
            centre_x = x + right * (clear + width / 2 + reach * height)
            centre_y = y + direction * (clear + height / 2 + reach * height)
            rows.append((centre_x - width / 2, centre_y - height / 2, centre_x + width / 2, centre_y + height / 2))
    return np.array(rows, np.float64)


def _covered(candidates: Points, boxes: Points) -> Points:
    """Return the area of each candidate that the boxes cover, shape (candidates,)."""
    covered: Points = _overlap(candidates, boxes).sum(axis=1)
    return covered


def _overlap(candidates: Points, boxes: Points) -> Points:
    """Return the area that each candidate shares with each box, shape (candidates, boxes)."""
    far = np.minimum(candidates[:, None, 2:], boxes[None, :, 2:])
    near = np.maximum(candidates[:, None, :2], boxes[None, :, :2])
    sides = np.maximum(far - near, 0)
    area: Points = sides[..., 0] * sides[..., 1]
    return area


def _area(boxes: Points) -> Points:
    area: Points = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    return area
