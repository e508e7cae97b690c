"""The column beside the panels of a battle picture: men of both sides, legend and overview map."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from PIL import Image, ImageDraw

from engine.battle_map import Mark, Scene
from sheets_algo.pictures.ground import MapView, ground, tinted, whole_map
from sheets_algo.pictures.lettering import Colour, draw_text, fitted, text_height
from sheets_algo.pictures.strokes import (
    BLACK,
    FAINT,
    FINE,
    HEADING,
    INK,
    PAPER,
    SIDE_COLOURS,
    SMALL,
    STATUS_COLOURS,
    TEXT,
    WHITE,
    circle,
    shaded,
)

STATUS_MEANINGS = {
    "Idle": "Idle: before the battle",
    "Ready": "Ready: still fighting",
    "Retreating": "Retreating",
    "Routed": "Routed (darker)",
    "Inactive": "Nobody left (crossed)",
}


def draw_column(
    scene: Scene, view: MapView, moments: Sequence[Sequence[Mark]], width: int, height: int, scale: int
) -> Image.Image:
    """Draw the column that explains the panels (RCPT-03, STRAT-10).

    Args:
        scene: The battle.
        view: The cut-out that the panels show; it is framed on the overview map.
        moments: The flanks of each panel.
        width: Width of the column in pixels.
        height: Height of the column in pixels; the overview map takes the space that the rest leaves.
        scale: Factor of text and line sizes.
    """
    column = Image.new("RGB", (width, height), PAPER)
    pen = ImageDraw.Draw(column)
    indent, line = 13 * scale, text_height(TEXT * scale) + 2 * scale
    y = 0
    for side, colour in SIDE_COLOURS.items():
        _swatch(column, y + 2 * scale, colour, scale)
        draw_text(pen, indent, y, side, HEADING * scale, INK)
        y += text_height(HEADING * scale)
        draw_text(pen, indent, y, men(side, moments), TEXT * scale, INK)
        y += line + scale
    meanings = [
        (
            "Flanks",
            [
                (colour, STATUS_MEANINGS[status])
                for status, colour in STATUS_COLOURS.items()
                if _is_seen(status, moments)
            ],
        ),
        ("Ground", [(tinted(feature.rgb), feature.name) for feature in scene.legend]),
    ]
    for heading, entries in meanings:
        y = _heading(pen, y, heading, width, scale)
        for colour, text in entries:
            _swatch(column, y, colour, scale)
            draw_text(pen, indent, y, fitted(text, TEXT * scale, width - indent), TEXT * scale, INK)
            y += line
    y = _heading(pen, y, f"Map: {scene.terrain.name}", width, scale)
    small = text_height(SMALL * scale)
    size = min(width - 1, height - y - small - scale)
    column.paste(_overview_map(scene, view, moments[-1], size, scale), (0, y))
    pen.rectangle((0, y, size, y + size), outline=INK)
    pixels = scene.terrain.codes.shape[0]
    km = f"{pixels * scene.km_per_pixel:g}"
    draw_text(pen, 0, height - small, f"{km} x {km} km, {pixels} x {pixels} pixels", SMALL * scale, FAINT)
    return column


def _is_seen(status: str, moments: Sequence[Sequence[Mark]]) -> bool:
    return any(mark.status == status for marks in moments for mark in marks)


def men(side: str, moments: Sequence[Sequence[Mark]]) -> str:
    """Return the men of a side at each moment, e.g. `15,000 → 9,000 men`."""
    totals = (sum(mark.size for mark in marks if mark.side == side) for marks in moments)
    return f"{' → '.join(f'{total:,}' for total in totals)} men"


def _heading(pen: ImageDraw.ImageDraw, y: int, text: str, width: int, scale: int) -> int:
    draw_text(pen, 0, y + 3 * scale, fitted(text, HEADING * scale, width), HEADING * scale, INK)
    return y + 4 * scale + text_height(HEADING * scale)


def _swatch(column: Image.Image, y: int, colour: Colour, scale: int) -> None:
    pen = ImageDraw.Draw(column)
    pen.rectangle((0, y, 9 * scale, y + 9 * scale), fill=colour, outline=INK)


def _overview_map(scene: Scene, view: MapView, marks: Sequence[Mark], size: int, scale: int) -> Image.Image:
    """Draw the whole map with every flank as a dot and the cut-out framed."""
    map_view = whole_map(scene)
    large = ground(scene, map_view, size * FINE)
    pen = ImageDraw.Draw(large)
    for mark in marks:
        position = map_view.on(size, mark.x, mark.y)
        circle(pen, position, 1.7 * scale, fill=WHITE)
        circle(pen, position, 1.2 * scale, fill=shaded(SIDE_COLOURS[mark.side], 0.75))
    small = large.reduce(FINE)
    left, top = map_view.on(size, view.left, view.top)
    right, bottom = map_view.on(size, view.left + view.side, view.top + view.side)
    frame = (floor(left), floor(top), ceil(right) - 1, ceil(bottom) - 1)
    ImageDraw.Draw(small).rectangle(frame, outline=BLACK, width=scale)
    return small
