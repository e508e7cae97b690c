"""Battle pictures as PNG: the sides, the ground, the flanks at each moment of the battle, and a legend.

A battle covers a small part of its map, so a picture shows it twice: an enlarged cut-out around the flanks for each
moment, and in the legend the whole map with the cut-out framed. Flanks that overlap are moved apart until each can be
read; a line leads from a moved flank to its true position.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from PIL import Image

from engine.battle_map import Mark, Scene
from sheets_algo.pictures.compression import png_of
from sheets_algo.pictures.ground import view_of
from sheets_algo.pictures.header import draw_header, header_height
from sheets_algo.pictures.legend import LEGEND, draw_legend
from sheets_algo.pictures.lettering import text_height
from sheets_algo.pictures.panel import AXIS, draw_panel
from sheets_algo.pictures.strokes import HEADING, PAPER
from sheets_algo.pictures.table import draw_table, numbers_of

__all__ = ["draw", "opening_of"]

PANEL, MARGIN = 260, 12  # at scale 1
WIDEST = 2 * (AXIS + PANEL) + LEGEND + 2 * MARGIN
"""Maximum width of a row: two panels and the legend, so that a post shows them large enough to be read."""
OPENING = "Opening"
"""Key of the text of a PNG that says where the first panel's map is."""
_BOX = re.compile(r"\d{1,5}( \d{1,5}){3}")


def draw(scene: Scene, *, scale: int = 2) -> bytes:
    """Draw a battle as a PNG; the same scene gives the same bytes (MAP-07, STRAT-08, R-29, RCPT-03).

    Args:
        scene: The battle to draw, with at least one moment.
        scale: Factor of all sizes; at 2 every text is readable at 100 % on a screen.

    Raises:
        ValueError: The flanks of a later moment are not those of the first, in the same order.
    """
    for moment in scene.moments[1:]:
        if list(map(_identity, moment.marks)) != list(map(_identity, scene.before)):
            raise ValueError("the flanks after the battle are not those before it, in the same order")
    margin, height = MARGIN * scale, text_height(HEADING * scale) + (AXIS + PANEL) * scale
    view = view_of(scene)
    parts = [draw_panel(scene, view, number, PANEL * scale, scale) for number in range(len(scene.moments))]
    if numbers_of(scene.before):
        parts.append(draw_table(scene, height, scale))
    rows = _rows([part.width for part in parts], LEGEND * scale, margin, WIDEST * scale)
    width = max(sum(row) + margin * (len(row) + 1) for row in rows)
    rest = width - sum(rows[-1][:-1]) - margin * (len(rows[-1]) + 1)
    parts.append(draw_legend(scene, view, rest, height, scale))

    top = margin // 2 + header_height(scale)
    page = Image.new("RGB", (width, top + len(rows) * (height + margin)), PAPER)
    draw_header(page, scene, margin, margin // 2, width - 2 * margin, scale)
    remaining = iter(parts)
    for number, row in enumerate(rows):
        left = margin
        for _ in row:
            part = next(remaining)
            page.paste(part, (left, top + number * (height + margin)))
            left += part.width + margin
    first = margin + AXIS * scale, top + height - PANEL * scale
    return png_of(page, scene, {OPENING: f"{first[0]} {first[1]} {PANEL * scale} {PANEL * scale}"})


def opening_of(picture: Path) -> tuple[str, int, int] | None:
    """Return the part of a picture that shows the battle before it begins, without the numbers of its axes.

    Returns:
        Left, top, width and height in one text, then the width and height of the picture, all in pixels; None for a
        picture of something else.
    """
    with suppress(OSError), Image.open(picture) as image:
        box = str(image.info.get(OPENING, ""))
        return (box, image.width, image.height) if _BOX.fullmatch(box) else None
    return None


def _identity(mark: Mark) -> tuple[str, str]:
    return mark.side, mark.label


def _rows(parts: list[int], legend: int, margin: int, widest: int) -> list[list[int]]:
    """Arrange the parts of a picture in rows; return the widths of each row, the legend's last."""
    rows: list[list[int]] = [[]]
    for width in (*parts, legend):
        if rows[-1] and sum(rows[-1]) + margin * len(rows[-1]) + width > widest:
            rows.append([])
        rows[-1].append(width)
    return rows
