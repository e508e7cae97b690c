"""Cell formats in the terms of the Sheets API."""

from __future__ import annotations

from typing import Any

from sheets_algo.workbook.template_spec import Style

GRID = "D4D6DA"
"""The colour of the lines around tinted cells, where a fill hides the grid."""
USUAL_SIZE = 11
"""The font size of a template's style by default, in points; Google's own default of 10 stays."""


def colour(rgb: str) -> dict[str, float]:
    """Return a colour as shares of red, green and blue; a part that is 0 is left out.

    Google truncates 255 times the share to a whole number (0.5 comes back as 127), so each share is a little too high.

    Args:
        rgb: The colour as RRGGBB.
    """
    parts = zip(("red", "green", "blue"), bytes.fromhex(rgb), strict=True)
    return {name: min(1, round((part + 0.25) / 255, 3)) for name, part in parts if part}


def cell_format(style: Style) -> dict[str, Any]:
    """Return the `CellFormat` of a style; whatever the style leaves blank keeps the spreadsheet's default."""
    text_format: dict[str, Any] = {}
    if style.ink:
        text_format["foregroundColor"] = colour(style.ink)
    if style.bold:
        text_format["bold"] = True
    if style.italic:
        text_format["italic"] = True
    if style.size != USUAL_SIZE:
        text_format["fontSize"] = style.size
    cell: dict[str, Any] = {"verticalAlignment": "TOP" if style.is_at_top else "MIDDLE"}
    if text_format:
        cell["textFormat"] = text_format
    if style.fill:
        cell["backgroundColor"] = colour(style.fill)
        line = {"style": "SOLID", "color": colour(GRID)}
        cell["borders"] = {"top": line, "bottom": line, "left": line, "right": line}
    if style.align:
        cell["horizontalAlignment"] = style.align.upper()
    if style.wraps:
        cell["wrapStrategy"] = "WRAP"
    if number := number_format(style.format):
        cell["numberFormat"] = number
    return cell


def number_format(code: str) -> dict[str, str] | None:
    """Return Excel's number format code as Google's, None for the spreadsheet's default.

    Check marks need none: the code that shows truth values as words is for files only.
    """
    if code == "General" or "TRUE" in code:
        return None
    if code == "@":
        return {"type": "TEXT"}
    return {"type": "NUMBER", "pattern": code}


def pixels_wide(characters: float) -> int:
    """Return the width in pixels of a column that holds this many characters."""
    return round(7 * characters) + 5


def pixels_high(points: float) -> int:
    """Return the height in pixels of a row of this many points."""
    return round(points * 4 / 3)
