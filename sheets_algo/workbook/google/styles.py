"""How cells look, in the words of the Sheets API."""

from __future__ import annotations

from typing import Any

from sheets_algo.template.parts import Style

GRID = "D4D6DA"
"""Lines around tinted cells, where a fill hides the grid."""
USUAL_SIZE = 11
"""Points that a template's style has when nothing is said; Google's own are 10, and stay."""
LUMINOUS = 0.18
"""Luminance above which dark ink reads better than white."""


def colour(rgb: str) -> dict[str, float]:
    """A colour as shares of red, green and blue; a part that is 0 is left out.

    Google cuts 255 times the share off to a whole number (0.5 comes back as 127), so each share lies a little above it.

    Args:
        rgb: RRGGBB.
    """
    parts = zip(("red", "green", "blue"), bytes.fromhex(rgb), strict=True)
    return {name: min(1, round((part + 0.25) / 255, 3)) for name, part in parts if part}


def ink_on(rgb: str) -> str:
    """Black or white, whichever reads better on a colour."""
    parts = [(part / 255) ** 2.2 for part in bytes.fromhex(rgb)]
    luminance = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    return "000000" if luminance > LUMINOUS else "FFFFFF"


def cell_format(style: Style) -> dict[str, Any]:
    """A `CellFormat`; what the style leaves blank is the spreadsheet's own."""
    letters: dict[str, Any] = {}
    if style.ink:
        letters["foregroundColor"] = colour(style.ink)
    if style.bold:
        letters["bold"] = True
    if style.italic:
        letters["italic"] = True
    if style.size != USUAL_SIZE:
        letters["fontSize"] = style.size
    made: dict[str, Any] = {"verticalAlignment": "TOP" if style.is_at_top else "MIDDLE"}
    if letters:
        made["textFormat"] = letters
    if style.fill:
        made["backgroundColor"] = colour(style.fill)
        line = {"style": "SOLID", "color": colour(GRID)}
        made["borders"] = {"top": line, "bottom": line, "left": line, "right": line}
    if style.align:
        made["horizontalAlignment"] = style.align.upper()
    if style.wraps:
        made["wrapStrategy"] = "WRAP"
    if shown := number_format(style.format):
        made["numberFormat"] = shown
    return made


def number_format(code: str) -> dict[str, str] | None:
    """Excel's code for a number's looks as Google's; None for the spreadsheet's own.

    Check marks need none: the code that shows truth values as words is for files alone.
    """
    if code == "General" or "TRUE" in code:
        return None
    if code == "@":
        return {"type": "TEXT"}
    return {"type": "NUMBER", "pattern": code}


def pixels_wide(characters: float) -> int:
    """Pixels of a column that holds so many characters."""
    return round(7 * characters) + 5


def pixels_high(points: float) -> int:
    """Pixels of a row of that many points."""
    return round(points * 4 / 3)
