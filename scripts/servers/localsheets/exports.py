"""Conversion of a tab to text."""

from __future__ import annotations

import csv
import io

from localsheets import values
from localsheets.a1 import Area
from localsheets.book import Book


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
