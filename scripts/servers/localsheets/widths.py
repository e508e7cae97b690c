"""Pixel widths of texts, for fitted columns: Roboto's widths at 13 px, about right for every letter."""

from __future__ import annotations

from localsheets.book import Book
from localsheets.display import shown
from localsheets.formulas import value_of
from localsheets.sheet import Sheet

EM = 2048
_WIDTHS = {
    507: " ",
    450: "iIjl.,:;'|!",
    700: 'frt()[]{}-/\\*"',
    1000: "cksvxyzJ?^",
    1150: "abdeghnopquFLE0123456789$#<>=+~_",
    1336: "A",
    1300: "BCDGHKNOPQRSTUVXYZ&%",
    1800: "mwMW@",
}
"""Letters by width in units of the em."""
_UNITS = {letter: units for units, letters in _WIDTHS.items() for letter in letters}
PIXELS_A_POINT = 1.3
PADDING = 7
LINE = 21


def text_pixels(book: Book, sheet: Sheet, row: int, column: int, dimension: str) -> int:
    """Return the width of a column, or height of a row, that shows the cell in full."""
    cell = sheet.cell(row, column)
    text = shown(value_of(book, sheet, row, column), cell.pattern, book.properties["locale"])
    if not text:
        return 0
    size: float = cell.format.get("textFormat", {}).get("fontSize", 10) * PIXELS_A_POINT
    lines = text.split("\n")
    if dimension == "ROWS":
        return LINE + round((len(lines) - 1) * size * 1.3)
    widest = max(sum(_UNITS.get(letter, 1150) for letter in line) for line in lines)
    return round(widest / EM * size) + PADDING
