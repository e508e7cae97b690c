"""A battle as coloured cells, for a spreadsheet in which no picture can be placed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.scene import Mark, Scene
from sheets_algo.pictures.column import STATUS_MEANINGS, men
from sheets_algo.pictures.ground import View, tinted, view_of
from sheets_algo.pictures.layout import apart
from sheets_algo.pictures.lettering import Colour
from sheets_algo.pictures.panel import MANY, ROUTED_SHADE
from sheets_algo.pictures.strokes import SIDE_COLOURS, STATUS_COLOURS, shaded
from sheets_algo.workbook.base import Mosaic

CELLS = 64
"""A map's cells in a row: as many as a small battle's ground has pixels, and both maps fit beside each other."""
LONGEST = 14
"""Characters of a flank's label."""


def mosaics(scene: Scene, most: int = CELLS) -> tuple[Mosaic, Mosaic]:
    """The ground around the battle with the flanks before and after it (MAP-07, STRAT-10).

    A flank is a square of three cells in its side's colour, darker when it was routed; after the battle its heart has
    the colour of what became of it. Where there are many, each is a single cell.

    Args:
        scene: The battle.
        most: Cells in a row of either map.
    """
    view = view_of(scene)
    cells = min(most, view.side)
    codes = _prevailing(scene, view, cells)
    colours = [_hex(tinted(feature.rgb)) for feature in scene.legend]
    grounds = [[[colours[code] for code in row] for row in codes.tolist()] for _ in range(2)]
    return (
        _with_flanks("Before the battle", grounds[0], scene.before, view, is_over=False),
        _with_flanks("After the battle", grounds[1], scene.after, view, is_over=True),
    )


def legend(scene: Scene) -> tuple[tuple[str, str], ...]:
    """What the colours stand for, those that are seen: the sides with their men, the flanks' ends, the ground."""
    moments = [scene.before, scene.after] if scene.after else [scene.before]
    sides = [(_hex(colour), f"{side}, {men(side, moments)}") for side, colour in SIDE_COLOURS.items()]
    ends = {mark.status for mark in scene.after}
    statuses = [(_hex(colour), STATUS_MEANINGS[word]) for word, colour in STATUS_COLOURS.items() if word in ends]
    view = view_of(scene)
    seen = np.unique(_prevailing(scene, view, min(CELLS, view.side)))
    ground = [(_hex(tinted(scene.legend[code].rgb)), scene.legend[code].name) for code in seen.tolist()]
    return (*sides, *statuses, *ground)


def _prevailing(scene: Scene, view: View, cells: int) -> NDArray[np.intp]:
    """The feature that covers most of each cell, shape (cells, cells); of two equals the legend's first."""
    cut = scene.terrain.codes[view.top : view.top + view.side, view.left : view.left + view.side]
    starts = np.arange(cells) * view.side // cells
    counts = [
        np.add.reduceat(np.add.reduceat((cut == code).astype(np.int64), starts, axis=0), starts, axis=1)
        for code in range(len(scene.legend))
    ]
    prevailing: NDArray[np.intp] = np.argmax(np.stack(counts), axis=0)
    return prevailing


def _with_flanks(title: str, colours: list[list[str]], flanks: Sequence[Mark], view: View, *, is_over: bool) -> Mosaic:
    """A map; `colours`, the ground's, are painted over. Flanks that stand in one another's way are moved apart."""
    cells, reach = len(colours), 1 if len(flanks) <= MANY else 0
    places = apart(
        [view.on(cells, flank.x, flank.y) for flank in flanks],
        [reach + 0.5] * len(flanks),
        cells,
        gap=0.5,
        up=[flank.side == "Attacker" for flank in flanks],
    )
    marks: dict[tuple[int, int], str] = {}
    for flank, (across, down) in zip(flanks, places, strict=True):
        row, column = (min(max(int(at), reach), cells - 1 - reach) for at in (down, across))
        side = SIDE_COLOURS[flank.side]
        square = _hex(shaded(side, ROUTED_SHADE) if flank.status == "Routed" else side)
        for line in colours[row - reach : row + reach + 1]:
            line[column - reach : column + reach + 1] = [square] * (2 * reach + 1)
        if is_over and reach:
            colours[row][column] = _hex(STATUS_COLOURS[flank.status])
        beside = row, min(column + reach + 1, cells - 1)
        marks[beside] = ", ".join(filter(None, (marks.get(beside), _short(flank.label))))
    return Mosaic(title, colours, marks)


def _short(label: str) -> str:
    return label if len(label) <= LONGEST else f"{label[: LONGEST - 1].rstrip()}…"


def _hex(colour: Colour) -> str:
    red, green, blue = colour
    return f"{red:02X}{green:02X}{blue:02X}"
