"""Battle pictures made of coloured cells, for spreadsheets in which no image can be placed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.battle_map import Mark, Scene
from sheets_algo.pictures.ground import MapView, tinted, view_of
from sheets_algo.pictures.header import SIDES, strength_of
from sheets_algo.pictures.layout import apart, fitting
from sheets_algo.pictures.legend import STATUS_MEANINGS
from sheets_algo.pictures.lettering import Colour
from sheets_algo.pictures.panel import MANY
from sheets_algo.pictures.strokes import ROUTED_SHADE, STATUS_COLOURS, banner_of, shaded, side_colour
from sheets_algo.workbook.base import Mosaic

CELLS = 64
"""Cells per row of a mosaic: as many as a small battle's view has pixels; two mosaics fit side by side."""
LONGEST_LABEL = 14
"""Most characters of a flank's label."""


def mosaics(scene: Scene, most: int = CELLS) -> tuple[Mosaic, Mosaic]:
    """Return the ground around the battle with the flanks before and after it (MAP-07, STRAT-10).

    A flank is a square of 3 x 3 cells in its side's colour, darker if it was routed; after the battle its centre has
    the colour of its status. If there are many flanks, each is a single cell.

    Args:
        scene: The battle.
        most: Largest number of cells per row of each mosaic.
    """
    view = view_of(scene)
    cells = min(most, view.side)
    codes = _dominant_features(scene, view, cells)
    colours = [_hex(tinted(feature.rgb)) for feature in scene.legend]
    grounds = [[[colours[code] for code in row] for row in codes.tolist()] for _ in range(2)]
    return (
        _draw_flanks(scene, "Before the battle", grounds[0], scene.before, view, is_over=False),
        _draw_flanks(scene, "After the battle", grounds[1], scene.after, view, is_over=True),
    )


def legend(scene: Scene) -> tuple[tuple[str, str], ...]:
    """Return colour and meaning of everything shown: sides with their men, statuses after the battle, and ground."""
    sides = [(_hex(side_colour(scene, side)), _side(scene, side)) for side in SIDES]
    ends = {mark.status for mark in scene.after}
    statuses = [(_hex(colour), STATUS_MEANINGS[word]) for word, colour in STATUS_COLOURS.items() if word in ends]
    view = view_of(scene)
    seen = np.unique(_dominant_features(scene, view, min(CELLS, view.side)))
    ground = [(_hex(tinted(scene.legend[code].rgb)), scene.legend[code].name) for code in seen.tolist()]
    return (*sides, *statuses, *ground)


def _side(scene: Scene, side: str) -> str:
    names = dict.fromkeys((side, banner_of(scene, side).nation))
    return f"{' '.join(names)}, {strength_of(side, scene.moments)}"


def _dominant_features(scene: Scene, view: MapView, cells: int) -> NDArray[np.intp]:
    """Return the feature that covers most of each cell, shape (cells, cells); of equals, the legend's first."""
    section = scene.terrain.codes[view.top : view.top + view.side, view.left : view.left + view.side]
    starts = np.arange(cells) * view.side // cells
    counts = [
        np.add.reduceat(np.add.reduceat((section == code).astype(np.int64), starts, axis=0), starts, axis=1)
        for code in range(len(scene.legend))
    ]
    dominant: NDArray[np.intp] = np.argmax(np.stack(counts), axis=0)
    return dominant


def _draw_flanks(
    scene: Scene, title: str, colours: list[list[str]], flanks: Sequence[Mark], view: MapView, *, is_over: bool
) -> Mosaic:
    """Paint flanks over the ground's `colours`, moving flanks that overlap apart.

    Before the battle, flanks that are placed close together are single cells instead, so that a line stays a line.
    """
    cells = len(colours)
    positions = [view.on(cells, flank.x, flank.y) for flank in flanks]
    is_close = not is_over and fitting(positions, [1.5] * len(flanks), gap=0.5) < 1
    reach = 0 if is_close or len(flanks) > MANY else 1
    places = apart(
        positions,
        [reach + 0.5] * len(flanks),
        cells,
        gap=0.5,
        up=[flank.side == "Attacker" for flank in flanks],
    )
    marks: dict[tuple[int, int], str] = {}
    for flank, (across, down) in zip(flanks, places, strict=True):
        row, column = (min(max(int(coordinate), reach), cells - 1 - reach) for coordinate in (down, across))
        side = side_colour(scene, flank.side)
        square = _hex(shaded(side, ROUTED_SHADE) if flank.status == "Routed" else side)
        for line in colours[row - reach : row + reach + 1]:
            line[column - reach : column + reach + 1] = [square] * (2 * reach + 1)
        if is_over and reach:
            colours[row][column] = _hex(STATUS_COLOURS[flank.status])
        label_cell = row, min(column + reach + 1, cells - 1)
        marks[label_cell] = ", ".join(filter(None, (marks.get(label_cell), _shortened(flank.label))))
    return Mosaic(title, colours, marks)


def _shortened(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1].rstrip()}…"


def _hex(colour: Colour) -> str:
    red, green, blue = colour
    return f"{red:02X}{green:02X}{blue:02X}"
