"""Protected ranges: who may not write where."""

from __future__ import annotations

from localsheets.a1 import Box
from localsheets.book import Book
from localsheets.errors import ApiError, invalid
from localsheets.sheet import Record, Sheet

SAID = (
    "You are trying to edit a protected cell or object. "
    "Please contact the spreadsheet owner to remove protection if you need to edit."
)


def check(book: Book, sheet: Sheet, box: Box, caller: str) -> None:
    """Refuse to change protected cells for somebody who is no editor of them.

    Args:
        book: The spreadsheet.
        sheet: The tab.
        box: The cells to be changed.
        caller: E-mail; empty for whoever may do everything.
    """
    for record in sheet.protected_ranges:
        if book.can_edit(record, caller):
            continue
        area = protected_box(book, sheet, record)
        open_ = [sheet.box(it) for it in record.get("unprotectedRanges", ())]
        if area.meets(box) and not any(it.holds(box) for it in open_):
            raise refusal()


def check_sheet(book: Book, sheet: Sheet, caller: str, *, drops: bool = False) -> None:
    """Refuse to change a tab itself that is protected as a whole, or to drop one with any protected cell."""
    closed = [it for it in sheet.protected_ranges if not book.can_edit(it, caller)]
    if any(drops or protected_box(book, sheet, it).holds(sheet.all) for it in closed):
        raise refusal()


def protected_box(book: Book, sheet: Sheet, record: Record) -> Box:
    """The cells of a protection: its own, or those of the named range it follows."""
    named = next((it for it in book.named_ranges if it["namedRangeId"] == record.get("namedRangeId")), None)
    return sheet.box((named or record).get("range", {}))


def refusal() -> ApiError:
    """The 400 of a protected cell."""
    return invalid(SAID)
