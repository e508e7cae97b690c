"""Protected ranges: checks that an account may write."""

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
    """Refuse to change protected cells for an account that is no editor of them.

    Args:
        book: The spreadsheet.
        sheet: The tab.
        box: The cells to be changed.
        caller: The account's e-mail; empty if everything is allowed.
    """
    for record in sheet.protected_ranges:
        if book.can_edit(record, caller):
            continue
        area = protected_box(book, sheet, record)
        spared_boxes = [sheet.box(spared) for spared in record.get("unprotectedRanges", ())]
        if area.meets(box) and not any(spared.holds(box) for spared in spared_boxes):
            raise refusal()


def check_sheet(book: Book, sheet: Sheet, caller: str, *, drops: bool = False) -> None:
    """Refuse to change a tab that is protected as a whole, or to drop one with any protected cell."""
    protections = [record for record in sheet.protected_ranges if not book.can_edit(record, caller)]
    if any(drops or protected_box(book, sheet, record).holds(sheet.all) for record in protections):
        raise refusal()


def protected_box(book: Book, sheet: Sheet, record: Record) -> Box:
    """Return the cells of a protection: its own, or those of the named range it follows."""
    named = next((other for other in book.named_ranges if other["namedRangeId"] == record.get("namedRangeId")), None)
    return sheet.box((named or record).get("range", {}))


def refusal() -> ApiError:
    """Return the 400 for a protected cell."""
    return invalid(SAID)
