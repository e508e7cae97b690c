"""Conversion of a tab to text, and of text to a tab."""

from __future__ import annotations

import csv
import io

from localsheets import values
from localsheets.a1 import Area
from localsheets.book import Book
from localsheets.cells import EMPTY
from localsheets.sheet import COLUMNS, ROWS, Sheet, new_properties


def separated(book: Book, separator: str) -> str:
    """Return the first tab as people see it; rows end with CR LF, the last one with nothing."""
    rows = values.read(book, book.sheets[0], Area(), {}).get("values", [])
    width = max(map(len, rows), default=0)
    text = io.StringIO()
    if separator == "\t":
        plain = (["".join(" " if sign in "\t\n" else sign for sign in str(value)) for value in row] for row in rows)
        lines = ["\t".join(row + [""] * (width - len(row))) for row in plain]
        return "\r\n".join(lines)
    csv.writer(text, lineterminator="\r\n").writerows(row + [""] * (width - len(row)) for row in rows)
    return text.getvalue().removesuffix("\r\n")


def replace_all(book: Book, text: str) -> None:
    """Replace all tabs by one with the cells of a CSV text."""
    rows = list(csv.reader(io.StringIO(text)))
    first = book.sheets[0]
    width = max(map(len, rows), default=0)
    sheet = Sheet(new_properties(first.id, first.title, max(len(rows), ROWS), max(width, COLUMNS)))
    for row, line in enumerate(rows):
        for column, value in enumerate(line):
            if value:
                sheet.put(row, column, values.entered(book, EMPTY, value, "USER_ENTERED"))
    book.sheets = [sheet]
    book.named_ranges = []
    book.changed()
