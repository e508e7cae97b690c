"""Banding: alternating colours of rows or columns."""

from __future__ import annotations

from typing import Any

from localsheets import colours
from localsheets.book import Book
from localsheets.errors import invalid
from localsheets.mask import for_update, merged
from localsheets.messages import SCHEMA
from localsheets.sheet import Record
from localsheets.updates.common import home_of, new_id, target


def add_banding(book: Book, request: Record, caller: str) -> dict[str, Any]:
    """Apply `addBanding`."""
    wanted = request.get("bandedRange", {})
    sheet, box = target(book, wanted.get("range"), caller)
    if "rowProperties" not in wanted and "columnProperties" not in wanted:
        raise invalid("At least one of bandedRange.rowProperties and bandedRange.columnProperties must be specified.")
    for found in sheet.banded_ranges:
        if sheet.box(found["range"]).meets(box):
            raise invalid(
                "You cannot add alternating background colors to a range that already has "
                "alternating background colors."
            )
    id = new_id(book, wanted, "bandedRangeId", "banded range")
    record = {"bandedRangeId": id, **colours.normal(wanted), "range": {"sheetId": sheet.id, **wanted["range"]}}
    sheet.banded_ranges.append(record)
    return {"bandedRange": SCHEMA.write("BandedRange", record)}


def update_banding(book: Book, request: Record, caller: str) -> None:
    """Apply `updateBanding`."""
    wanted = request.get("bandedRange", {})
    mask = for_update(request.get("fields"), "BandedRange")
    id = wanted.get("bandedRangeId")
    _, records, place = home_of(book, "banded_ranges", "bandedRangeId", id, "banded range")
    new = {**merged(records[place], colours.normal(wanted), mask), "bandedRangeId": id}
    target(book, new.get("range"), caller)
    records[place] = new


def delete_banding(book: Book, request: Record, caller: str) -> None:
    """Apply `deleteBanding`."""
    id = request.get("bandedRangeId")
    _, records, place = home_of(book, "banded_ranges", "bandedRangeId", id, "banded range")
    del records[place]


HANDLERS = {"addBanding": add_banding, "updateBanding": update_banding, "deleteBanding": delete_banding}
