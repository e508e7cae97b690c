"""The legend of a battle picture: the meaning of its colours, and the whole map with the cut-out framed."""

from __future__ import annotations

from math import ceil, floor

from PIL import Image, ImageDraw

from engine.battle_map import Scene
from sheets_algo.pictures.ground import MapView, ground, tinted, whole_map
from sheets_algo.pictures.lettering import draw_text, fitted, text_height
from sheets_algo.pictures.strokes import (
    BLACK,
    FAINT,
    FINE,
    HEADING,
    INK,
    PAPER,
    SMALL,
    STATUS_COLOURS,
    TEXT,
    WHITE,
    WRONG,
    circle,
    shaded,
    side_colour,
)

STATUS_MEANINGS = {
    "Idle": "Idle: before the battle",
    "Ready": "Ready: still fighting",
    "Retreating": "Retreating (ringed)",
    "Routed": "Routed (darker)",
    "Inactive": "Nobody left (hollow)",
}


LEGEND = 120
"""Minimum width of the legend, at scale 1."""


def draw_legend(scene: Scene, view: MapView, width: int, height: int, scale: int) -> Image.Image:
    """Draw the meaning of the colours (RCPT-03, STRAT-10), and below it, or beside it if there is room, the whole map.

    Args:
        view: The cut-out that the panels show; it is framed on the whole map.
    """
    legend = Image.new("RGB", (width, height), PAPER)
    pen = ImageDraw.Draw(legend)
    indent, line, column = 13 * scale, text_height(TEXT * scale) + 2 * scale, (LEGEND - 2) * scale
    statuses = {mark.status for moment in scene.moments for mark in moment.marks}
    flanks = [(colour, STATUS_MEANINGS[word]) for word, colour in STATUS_COLOURS.items() if word in statuses]
    if any(mark.is_wrong for mark in scene.before):
        flanks.append((WRONG, "Refused by check (ringed)"))
    if any(mark.reach for mark in scene.before):
        flanks.append((WHITE, "Circle: reach, if beyond the sign"))
    meanings = [("Flanks", flanks), ("Ground", [(tinted(feature.rgb), feature.name) for feature in scene.legend])]
    left = y = 0
    for heading, entries in meanings:
        y = _heading(pen, left, y, heading, column, scale)
        for colour, text in entries:
            pen.rectangle((0, y, 9 * scale, y + 9 * scale), fill=colour, outline=INK)
            draw_text(pen, indent, y, fitted(text, TEXT * scale, column - indent), TEXT * scale, INK)
            y += line
    if width >= 2 * LEGEND * scale:
        left, y = LEGEND * scale, 0
    y = _heading(pen, left, y, f"Map: {scene.terrain.name}", width - left, scale)
    small = text_height(SMALL * scale)
    size = min(width - left - 1, height - y - small - scale)
    legend.paste(_whole_map(scene, view, size, scale), (left, y))
    pen.rectangle((left, y, left + size, y + size), outline=INK)
    pixels = scene.terrain.codes.shape[0]
    km = f"{pixels * scene.km_per_pixel:g}"
    draw_text(pen, left, y + size + scale, f"{km} x {km} km, {pixels} x {pixels} pixels", SMALL * scale, FAINT)
    return legend


def _heading(pen: ImageDraw.ImageDraw, left: int, y: int, text: str, width: int, scale: int) -> int:
    top = y + 3 * scale if y else 0
    draw_text(pen, left, top, fitted(text, HEADING * scale, width), HEADING * scale, INK)
    return top + text_height(HEADING * scale) + scale


def _whole_map(scene: Scene, view: MapView, size: int, scale: int) -> Image.Image:
    """Draw the whole map with every flank at the last moment as a dot, and the cut-out framed."""
    map_view = whole_map(scene)
    large = ground(scene, map_view, size * FINE)
    pen = ImageDraw.Draw(large)
    for mark in scene.moments[-1].marks:
        position = map_view.on(size, mark.x, mark.y)
        circle(pen, position, 1.7 * scale, fill=WHITE)
        circle(pen, position, 1.2 * scale, fill=shaded(side_colour(scene, mark.side), 0.75))
    small = large.reduce(FINE)
    left, top = map_view.on(size, view.left, view.top)
    right, bottom = map_view.on(size, view.left + view.side, view.top + view.side)
    frame = (floor(left), floor(top), ceil(right) - 1, ceil(bottom) - 1)
    ImageDraw.Draw(small).rectangle(frame, outline=BLACK, width=scale)
    return small
