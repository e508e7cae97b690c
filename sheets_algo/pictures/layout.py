"""Where flanks and their labels stand in a picture so that each can be read.

Plain sums, products and square roots in a fixed order: the same battle is laid out in the same way everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

ROUNDS = 120
DIRECTIONS = ((0, -1), (0, 1), (1, 0), (-1, 0), (0.7, -0.7), (-0.7, -0.7), (0.7, 0.7), (-0.7, 0.7))
REACHES = (0, 0.6, 1.4, 2.4, 3.6, 5)  # distances of a label from its flank, in heights of the label
MOST_OF_LABELS, MOST_OF_DISCS = 0.02, 0.3  # share of a label that may cover other labels, or discs
BEADS = 24  # a line that labels should keep clear of counts as so many beads


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle in a picture's pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def nearest(self, x: float, y: float) -> tuple[float, float]:
        """The box's point nearest to a place."""
        return min(max(x, self.left), self.right), min(max(y, self.top), self.bottom)


def apart(
    places: Sequence[tuple[float, float]], radii: Sequence[float], size: float, *, gap: float, up: Sequence[bool]
) -> list[tuple[float, float]]:
    """Discs moved until they no longer overlap, each as near to its place as the others let it.

    Args:
        places: Centres, pixels.
        radii: Pixels.
        size: Side of the square that holds them.
        gap: Pixels between two discs.
        up: Whether a disc gives way upwards (else downwards) where two have exactly one place.

    Returns:
        The centres to draw at; unchanged where nothing overlapped and nothing stood outside.
    """
    radius = np.array(radii, np.float64)
    true = np.array(places, np.float64).reshape(-1, 2)
    # Two flanks in one place have no direction to part in: side and row give them one.
    leaning = np.stack([np.arange(len(true)) / 10, np.where(up, -1.0, 1.0)], axis=1)
    edge = radius[:, None], np.maximum(size - radius, radius)[:, None]
    shown = np.clip(true, *edge)
    wanted = radius[:, None] + radius[None, :] + gap
    np.fill_diagonal(wanted, 0)
    for _ in range(ROUNDS):
        across = shown[:, None, :] - shown[None, :, :]
        distance = _lengths(across)
        lacking = np.maximum(wanted - distance, 0)
        if not lacking.any():
            break
        across = np.where(distance[..., None] > 0, across, leaning[:, None, :] - leaning[None, :, :])
        push = across / np.maximum(_lengths(across), 1e-9)[..., None] * (0.45 * lacking)[..., None]
        shown = shown + push.sum(axis=1)
        shown = np.clip(shown, *edge)
    moved = np.abs(shown - true).max(axis=1, initial=0) > 0.5
    return [(float(x), float(y)) for x, y in np.where(moved[:, None], shown, true)]


def _lengths(ways: Points) -> Points:
    """Lengths of ways (right, down), shape (...)."""
    lengths: Points = np.sqrt(ways[..., 0] * ways[..., 0] + ways[..., 1] * ways[..., 1])
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
    farthest: float,
) -> list[Box | None]:
    """A place for every label that finds one, in the order given: beside its disc, clear of the others.

    Args:
        discs: x, y, radius of what is labelled, pixels.
        sizes: Width and height of each label.
        size: Side of the square that holds all.
        gap: Pixels between a disc and its label.
        taken: Where nothing may stand.
        lines: Start and end of lines that should rather stay visible.
        upward: Whether a label stands rather above its disc than below.
        farthest: Distance of a label from its disc, in heights of the label.

    Returns:
        A box for each label, None where there is no room near its disc.
    """
    circles = np.array(discs, np.float64).reshape(-1, 3)
    squares = np.concatenate([circles[:, :2] - circles[:, 2:], circles[:, :2] + circles[:, 2:]], axis=1)
    beads = _beads(lines, gap)
    blocked = [(box.left, box.top, box.right, box.bottom) for box in taken]
    boxes: list[Box | None] = []
    for (x, y, radius), (width, height), above in zip(discs, sizes, upward, strict=True):
        candidates = _candidates(x, y, radius + gap, width, height, above, farthest)
        area = width * height
        inside = (candidates[:, :2] >= 0).all(axis=1) & (candidates[:, 2:] <= size).all(axis=1)
        over_labels = _covered(candidates, np.array(blocked, np.float64).reshape(-1, 4)) / area
        over_discs = _covered(candidates, squares) / area
        free = inside & (over_labels <= MOST_OF_LABELS) & (over_discs <= MOST_OF_DISCS)
        if not free.any():
            boxes.append(None)
            continue
        middle = (candidates[:, :2] + candidates[:, 2:]) / 2 - (x, y)
        far = _lengths(middle) / height
        cost = far + 30 * over_discs + 8 * np.minimum(_covered(candidates, beads) / area, 1)
        left, top, right, bottom = candidates[np.argmin(np.where(free, cost, np.inf))].tolist()
        blocked.append((left, top, right, bottom))
        boxes.append(Box(left, top, right, bottom))
    return boxes


def _beads(lines: Sequence[tuple[tuple[float, float], tuple[float, float]]], width: float) -> Points:
    """Small squares along lines, shape (beads, 4)."""
    ends = np.array(lines, np.float64).reshape(-1, 2, 2)
    share = (np.arange(BEADS) + 0.5)[:, None, None] / BEADS
    middles = (ends[:, 0] * (1 - share) + ends[:, 1] * share).reshape(-1, 2)
    return np.concatenate([middles - width / 2, middles + width / 2], axis=1)


def _candidates(x: float, y: float, clear: float, width: float, height: float, above: bool, farthest: float) -> Points:
    """Boxes around a disc, the preferred ones first, shape (candidates, 4)."""
    rows = []
    for reach in (reach for reach in REACHES if reach <= farthest):
        for right, down in DIRECTIONS:
            turned = down if above else -down
            centre_x = x + right * (clear + width / 2 + reach * height)
            centre_y = y + turned * (clear + height / 2 + reach * height)
            rows.append((centre_x - width / 2, centre_y - height / 2, centre_x + width / 2, centre_y + height / 2))
    return np.array(rows, np.float64)


def _covered(candidates: Points, boxes: Points) -> Points:
    """Area of each candidate that the boxes cover, shape (candidates,)."""
    far = np.minimum(candidates[:, None, 2:], boxes[None, :, 2:])
    near = np.maximum(candidates[:, None, :2], boxes[None, :, :2])
    sides = np.maximum(far - near, 0)
    area: Points = (sides[..., 0] * sides[..., 1]).sum(axis=1)
    return area
