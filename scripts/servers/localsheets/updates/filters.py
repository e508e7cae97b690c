"""Filters, as records: no row is hidden."""

from __future__ import annotations

from localsheets.book import Book
from localsheets.errors import invalid
from localsheets.sheet import Record
from localsheets.updates.common import target


def set_basic_filter(book: Book, request: Record, caller: str) -> None:
    """Apply `setBasicFilter`: one per tab; its first row is the header."""
    wanted = request.get("filter", {})
    sheet, box = target(book, wanted.get("range", {"sheetId": 0}))
    for spec in wanted.get("filterSpecs", ()):
        if not box.left <= spec.get("columnIndex", 0) < box.right:
            raise invalid(f"Column {spec.get('columnIndex', 0)} of the filter's criteria is outside of its range.")
    sheet.basic_filter = {**wanted, "range": sheet.range(box)}


HANDLERS = {"setBasicFilter": set_basic_filter}
