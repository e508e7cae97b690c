"""Colours as people type them, and those of nations without one."""

from __future__ import annotations

import itertools
import re
from typing import cast

from engine.battle_map import Rgb
from engine.columns import loosely

NAMES = {
    "black": "000000",
    "white": "ffffff",
    "grey": "808080",
    "gray": "808080",
    "silver": "c0c0c0",
    "red": "ff0000",
    "crimson": "dc143c",
    "maroon": "800000",
    "scarlet": "ff2400",
    "orange": "ffa500",
    "gold": "ffd700",
    "yellow": "ffff00",
    "beige": "f5f5dc",
    "brown": "8b4513",
    "olive": "808000",
    "lime": "00ff00",
    "green": "008000",
    "dark green": "006400",
    "light green": "90ee90",
    "teal": "008080",
    "turquoise": "40e0d0",
    "cyan": "00ffff",
    "sky blue": "87ceeb",
    "light blue": "add8e6",
    "blue": "0000ff",
    "royal blue": "4169e1",
    "dark blue": "00008b",
    "navy": "000080",
    "indigo": "4b0082",
    "purple": "800080",
    "violet": "ee82ee",
    "magenta": "ff00ff",
    "pink": "ffc0cb",
}
"""Common colour names with the values that web pages give them."""
PALETTE: tuple[Rgb, ...] = (
    (52, 115, 176), (204, 111, 44), (46, 139, 87), (178, 58, 72), (128, 90, 180), (18, 138, 150),
    (176, 132, 20), (190, 84, 148), (112, 122, 46), (130, 96, 70), (92, 110, 140), (88, 160, 60),
)  # fmt: skip
"""Colours that differ in hue or lightness; blue and orange, those of the two sides, are the first."""
NEAR_LEAST = 60
"""Minimum distance in red, green and blue between a colour of the palette and that of a flag."""


def colour_of(text: str) -> Rgb | None:
    """Return the colour of a text: `#rrggbb`, `#rgb` or a common name; None for any other text."""
    code = NAMES.get(loosely(text)) or text.strip().removeprefix("#").lower()
    if text.isdecimal():
        code = text.zfill(6)  # a code of digits alone, which the spreadsheet took for a number
    if re.fullmatch("[0-9a-f]{3}", code):
        code = "".join(2 * digit for digit in code)
    if not re.fullmatch("[0-9a-f]{6}", code):
        return None
    return int(code[:2], 16), int(code[2:4], 16), int(code[4:], 16)


def hex_of(colour: Rgb) -> str:
    """Return a colour as CSS writes it."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def nation_colours(flags: dict[str, Rgb | None]) -> dict[str, Rgb]:
    """Return a colour for each nation, in the order of their rows; a typed colour is kept as it is.

    Args:
        flags: The typed colours; filled in place, since there may be 300,000.
    """
    typed = {colour for colour in flags.values() if colour}
    free = [colour for colour in PALETTE if all(_distance(colour, other) >= NEAR_LEAST for other in typed)] or PALETTE
    chosen = itertools.cycle(free)
    flags.update((name, next(chosen)) for name, colour in flags.items() if not colour)
    return cast("dict[str, Rgb]", flags)


def _distance(one: Rgb, other: Rgb) -> float:
    return float(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5)
