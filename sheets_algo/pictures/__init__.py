"""Battle pictures as PNG: the ground, the flanks before and after the battle, and a legend.

A battle covers a small part of its map, so a picture shows it twice: an enlarged cut-out around the flanks, and beside
it the whole map with the cut-out framed. Flanks that overlap are moved apart until each can be read; a line leads from
a moved flank to its true position.
"""

from __future__ import annotations

from io import BytesIO
from typing import Literal

from PIL import Image, ImageDraw

from engine.battle_map import Mark, Scene
from sheets_algo.pictures.column import draw_column
from sheets_algo.pictures.ground import view_of
from sheets_algo.pictures.lettering import draw_text, fitted, text_height
from sheets_algo.pictures.panel import draw_panel
from sheets_algo.pictures.strokes import FAINT, HEADING, INK, PAPER, SUBTITLE, TITLE

__all__ = ["Moment", "draw"]

Moment = Literal["before", "after", "both"]

PANEL, COLUMN, MARGIN = 260, 120, 12  # at scale 1


def draw(scene: Scene, *, which: Moment = "both", scale: int = 2) -> bytes:
    """Draw a battle as a PNG; the same scene gives the same bytes (MAP-07, STRAT-08, RCPT-03).

    Args:
        scene: The battle to draw.
        which: The start, the end, or both side by side.
        scale: Factor of all sizes; at 2 every text is readable at 100 % on a screen.

    Raises:
        ValueError: The flanks after the battle are not those before it, in the same order.
    """
    if which != "before" and [_identity(mark) for mark in scene.after] != [_identity(mark) for mark in scene.before]:
        raise ValueError("the flanks after the battle are not those before it, in the same order")
    panels = {"before": scene.before, "after": scene.after}
    moments = [moment for moment in panels if which in (moment, "both")]
    margin, size = MARGIN * scale, PANEL * scale
    panel_top = 2 * margin + sum(text_height(font_size * scale) for font_size in (TITLE, SUBTITLE, HEADING))
    column_left = margin + len(moments) * (size + margin)
    page = Image.new("RGB", (column_left + COLUMN * scale + margin, panel_top + size + margin), PAPER)
    pen = ImageDraw.Draw(page)

    width, y = page.width - 2 * margin, float(margin)
    for text, font_size, colour in ((scene.title, TITLE * scale, INK), (scene.subtitle, SUBTITLE * scale, FAINT)):
        draw_text(pen, margin, y, fitted(text, font_size, width), font_size, colour)
        y += text_height(font_size)
    view = view_of(scene)
    for number, moment in enumerate(moments):
        left = margin + number * (size + margin)
        draw_text(pen, left, panel_top - text_height(HEADING * scale), moment.capitalize(), HEADING * scale, INK)
        page.paste(draw_panel(scene, view, panels[moment], size, scale), (left, panel_top))
        pen.rectangle((left - 1, panel_top - 1, left + size, panel_top + size), outline=INK)
    column = draw_column(scene, view, [panels[moment] for moment in moments], COLUMN * scale, size, scale)
    page.paste(column, (column_left, panel_top))

    png = BytesIO()
    page.save(png, "PNG")
    return png.getvalue()


def _identity(mark: Mark) -> tuple[str, str]:
    return mark.side, mark.label
