"""The table beside the panels of a battle with many flanks, whose signs have numbers instead of labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PIL import Image, ImageDraw

from engine.battle_map import Mark, Scene
from engine.receipt import counted
from sheets_algo.pictures.header import SIDES
from sheets_algo.pictures.lettering import draw_text, fitted, text_height, text_width
from sheets_algo.pictures.strokes import (
    FAINT,
    HEADING,
    INK,
    PAPER,
    SMALL,
    STATUS_COLOURS,
    banner_of,
    readable_on,
    side_colour,
)

LABELLED = 8
"""Maximum number of flanks in a battle that have labels; more are numbered."""
NUMBERED = 30
"""Maximum number of flanks of a side that are numbered; the table has room for no more."""
WIDTH, GAP = 125, 8
"""Width of one side's table at scale 1, and the gap between the two."""


def numbers_of(marks: Sequence[Mark]) -> Mapping[int, int]:
    """Return the numbers of flanks, from 1 on each side, by their position in a moment; none if they have labels."""
    by_side = [[row for row, mark in enumerate(marks) if mark.side == side] for side in SIDES]
    if len(marks) <= LABELLED or max(map(len, by_side)) > NUMBERED:
        return {}
    return {row: number for rows in by_side for number, row in enumerate(rows, start=1)}


def draw_table(scene: Scene, height: int, scale: int) -> Image.Image:
    """Draw a row per flank: number in its side's colour, label, men at the first and last moment, and final status."""
    table = Image.new("RGB", ((len(SIDES) * (WIDTH + GAP) - GAP) * scale, height), PAPER)
    for place, side in enumerate(SIDES):
        _draw_side(table, scene, side, place * (WIDTH + GAP) * scale, height, scale)
    return table


def _draw_side(table: Image.Image, scene: Scene, side: str, left: int, height: int, scale: int) -> None:
    pen, colour = ImageDraw.Draw(table), side_colour(scene, side)
    name = fitted(banner_of(scene, side).nation, HEADING * scale, WIDTH * scale)
    draw_text(pen, left, 0, name, HEADING * scale, INK)
    size, y = SMALL * scale, text_height(HEADING * scale) + 2 * scale
    numbers = numbers_of(scene.before)
    rows = [row for row in numbers if scene.before[row].side == side]
    line = min(text_height(size) + 3 * scale, (height - y) // max(1, len(rows)))
    for row in rows:
        begun, ended = scene.before[row], scene.moments[-1].marks[row]
        box = (left, y, left + 11 * scale, y + line - scale - 1)
        pen.rectangle(box, fill=colour)
        number = str(numbers[row])
        centred = left + (11 * scale - text_width(number, size)) / 2
        draw_text(pen, centred, y, number, size, readable_on(colour))
        pen.rectangle((left + 12 * scale, y, left + 14 * scale, box[3]), fill=STATUS_COLOURS[ended.status])
        strength = _strength(begun, ended)
        end = left + WIDTH * scale - text_width(strength, size)
        draw_text(pen, end, y, strength, size, FAINT)
        room = end - left - 20 * scale
        name = next((name for name in _names(ended) if text_width(name, size) <= room), fitted(ended.label, size, room))
        draw_text(pen, left + 17 * scale, y, name, size, INK)
        y += line


def _names(mark: Mark) -> tuple[str, ...]:
    """Return the label with and without the status, which the colour of the number shows too."""
    return f"{mark.label}, {mark.status.lower()}", mark.label


def _strength(begun: Mark, ended: Mark) -> str:
    """Return the men before and after, likewise the ships on water: `30→28 ships, 1,200→900`."""
    men = f"{begun.size:,}→{ended.size:,}" if ended is not begun else f"{begun.size:,}"
    if begun.ships is None or ended.ships is None:
        return men
    before = f"{begun.ships}→" if ended is not begun else ""
    return f"{before}{counted(ended.ships, 'ship')}, {men}"
