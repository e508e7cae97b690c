"""Pictures of link previews as PNG: a title, a sentence, and a chart of lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from PIL import Image, ImageDraw

from sheets_algo.pictures.lettering import Colour, draw_text, fitted, text_height, text_width
from sheets_algo.pictures.strokes import FAINT, FINE, INK, PAPER, WHITE, mixed, png

WIDTH, HEIGHT = 1200, 630
"""The size that services of link previews expect."""
MARGIN, TITLE, TEXT, LABEL = 56, 56, 34, 26
COLOURS: tuple[Colour, ...] = (
    (0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (230, 159, 0), (86, 180, 233),
)  # fmt: skip
"""Colours of Okabe and Ito, as in the charts of the site."""
LINES_MOST = 2
"""Maximum number of lines of the sentence."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of a preview's chart."""

    label: str  # The text at its end
    colour: Colour
    # Its points, each a share of the chart's width from the left and of its height from below.
    points: Sequence[tuple[float, float]]


def draw_preview(title: str, text: str, curves: Sequence[Curve], areas: Sequence[tuple[str, Colour]] = ()) -> bytes:
    """Draw a preview as a PNG; equal arguments give equal bytes.

    Args:
        areas: Name and colour of the areas below and above the first line.
    """
    page = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    pen = ImageDraw.Draw(page)
    room, y = WIDTH - 2 * MARGIN, MARGIN // 2
    draw_text(pen, MARGIN, y, fitted(title, TITLE, room), TITLE, INK)
    y += text_height(TITLE)
    for line in _lines(text, room):
        draw_text(pen, MARGIN, y, line, TEXT, FAINT)
        y += text_height(TEXT)
    if curves:
        top = y + MARGIN // 2
        page.paste(_chart(curves, areas, room, HEIGHT - MARGIN - top), (MARGIN, top))
        pen.rectangle((MARGIN - 1, top - 1, WIDTH - MARGIN, HEIGHT - MARGIN), outline=FAINT)
    return png(page)


def season_picture(title: str, text: str, lines: Mapping[str, Sequence[tuple[int, float]]]) -> bytes:
    """Draw the preview of a season: the values of nations as steps from ruling to ruling.

    Args:
        lines: Number of the ruling, from 0, and the value from it on, by name; at most as many as `COLOURS`.
    """
    last = max((steps[-1][0] for steps in lines.values()), default=1)
    values = [value for steps in lines.values() for _, value in steps]
    low, span = min(values, default=0), max(values, default=1) - min(values, default=0) or 1
    curves = []
    for (name, steps), colour in zip(lines.items(), COLOURS, strict=False):
        shares = [(ruling / last, 0.06 + 0.88 * (value - low) / span) for ruling, value in steps]
        corners = [corner for (_, y), (x, after) in pairwise(shares) for corner in ((x, y), (x, after))]
        curves.append(Curve(name, colour, (shares[0], *corners, (1.0, shares[-1][1]))))
    return draw_preview(title, text, curves)


def _lines(text: str, room: float) -> Iterator[str]:
    """Yield the lines of a text; the last possible one is cut."""
    words = text.split()
    for number in range(1, LINES_MOST + 1):
        taken = len(words) if number == LINES_MOST else _fitting(words, room)
        if words:
            yield fitted(" ".join(words[:taken]), TEXT, room)
        words = words[taken:]


def _fitting(words: Sequence[str], room: float) -> int:
    """Return the number of words that fit in one line, at least one."""
    counts = range(len(words), 1, -1)
    return next((count for count in counts if text_width(" ".join(words[:count]), TEXT) <= room), 1)


def _chart(curves: Sequence[Curve], areas: Sequence[tuple[str, Colour]], width: int, height: int) -> Image.Image:
    fine = Image.new("RGB", (width * FINE, height * FINE), WHITE)
    pen = ImageDraw.Draw(fine)

    def place(point: tuple[float, float]) -> tuple[float, float]:
        return point[0] * (width * FINE - 1), (1 - point[1]) * (height * FINE - 1)

    for edge, (_, colour) in enumerate(areas):
        corners = ((0.0, float(edge)), *curves[0].points, (1.0, float(edge)))
        pen.polygon([place(corner) for corner in corners], fill=mixed(colour, WHITE, 0.5))
    for curve in curves:
        pen.line([place(point) for point in curve.points], fill=curve.colour, width=5 * FINE, joint="curve")
    chart = fine.resize((width, height), Image.Resampling.BOX)
    text, gap, row = ImageDraw.Draw(chart), LABEL // 2, text_height(LABEL)
    for (name, _), y in zip(areas, (height - row - gap, gap), strict=False):
        draw_text(text, gap, y, fitted(name, LABEL, width / 2), LABEL, INK)
    lowest = 0.0
    for curve in sorted(curves, key=lambda curve: -curve.points[-1][1]):
        name = fitted(curve.label, LABEL, width / 3)
        lowest = min(max((1 - curve.points[-1][1]) * height - row - gap / 2, lowest), height - row)
        draw_text(text, width - gap - text_width(name, LABEL), lowest, name, LABEL, curve.colour)
        lowest += row
    return chart
