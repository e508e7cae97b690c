"""The head of a battle picture: the war, its result, and a line for each side with its army."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PIL import Image, ImageDraw

from engine.battle_map import Mark, Moment, Scene
from engine.receipt import counted
from sheets_algo.pictures.lettering import draw_text, fitted, text_height, text_width
from sheets_algo.pictures.marker import marker_image
from sheets_algo.pictures.strokes import FAINT, HEADING, INK, SUBTITLE, TITLE, WHITE, banner_of, side_colour

SIDES = ("Attacker", "Defender")
WINNER = "winner"
LINES = (TITLE, SUBTITLE, HEADING, HEADING)
"""Font sizes of the lines of the head at scale 1."""


def header_height(scale: int) -> int:
    """Return the height of the head in pixels."""
    return sum(text_height(size * scale) for size in LINES) + 4 * scale


def draw_header(page: Image.Image, scene: Scene, left: int, top: int, width: int, scale: int) -> None:
    """Draw title, subtitle and the two sides, each in one line of at most `width` pixels."""
    pen, y = ImageDraw.Draw(page), float(top)
    for text, size in ((scene.title, TITLE * scale), (scene.subtitle, SUBTITLE * scale)):
        draw_text(pen, left, y, fitted(text, size, width), size, INK)
        y += text_height(size)
    y += 2 * scale
    for side in SIDES:
        _draw_side(page, scene, side, left, round(y), width, scale)
        y += text_height(HEADING * scale)


def _draw_side(page: Image.Image, scene: Scene, side: str, left: int, top: int, width: int, scale: int) -> None:
    pen, size, height = ImageDraw.Draw(page), HEADING * scale, text_height(HEADING * scale)
    mark = next((mark for mark in scene.before if mark.side == side), Mark(side, "", 0, 0, 1, "Idle"))
    image = marker_image(replace(mark, status="Idle"), 4.4 * scale, side_colour(scene, side), 0.6 * scale)
    page.paste(image, (left, top + (height - image.height) // 2))
    indent = image.width + 3 * scale
    strength, banner = strength_of(side, scene.moments), banner_of(scene, side)
    room = width - indent - text_width(strength, size) - text_width(WINNER, size) - 20 * scale
    names = ", ".join(filter(None, (banner.nation, banner.army)))
    name = fitted(names if banner.nation == side else f"{side}: {names}", size, room)
    x = left + indent
    for text, colour in ((name, INK), (strength, FAINT)):
        draw_text(pen, x, top, text, size, colour)
        x += round(text_width(text, size)) + 6 * scale
    if banner.note:
        draw_text(pen, x, top, fitted(banner.note, size, left + width - x), size, INK)
    if scene.winner == side:
        box = (x, top + scale, x + text_width(WINNER, size) + 6 * scale, top + height - 1)
        pen.rectangle(box, fill=INK)
        draw_text(pen, x + 3 * scale, top, WINNER, size, WHITE)


def strength_of(side: str, moments: Sequence[Moment]) -> str:
    """Return the men of a side at each moment, and its ships if it always had some: `150 → 90 men, 15 → 9 ships`."""
    marks = [[mark for mark in moment.marks if mark.side == side] for moment in moments]
    men = [sum(mark.size for mark in of_moment) for of_moment in marks]
    ships = [[mark.ships for mark in of_moment if mark.ships is not None] for of_moment in marks]
    text = _course(men, "man", "men")
    return f"{text}, {_course([sum(afloat) for afloat in ships], 'ship')}" if all(ships) else text


def _course(numbers: Sequence[int], *noun: str) -> str:
    return " → ".join((*(f"{number:,}" for number in numbers[:-1]), counted(numbers[-1], *noun)))
