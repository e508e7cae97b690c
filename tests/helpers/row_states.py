"""Rows of requests after their ruling, in any ruleset: typed over, or copied (REQ-16)."""

from __future__ import annotations

from typing import Any

from scripts.support.workbooks import column, read, ruled_example, run
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.tabs import key

WARS = "War Requests"


def place(book: MemoryWorkbook, header: str, tab: str = WARS) -> int:
    return list(read(book).sheet(key(tab)).rows[1]).index(header) + 1  # type: ignore[union-attr]


def type_in(book: MemoryWorkbook, row: int, tab: str = WARS, **cells: Any) -> None:
    for header, value in cells.items():
        book.type_in(tab, row, place(book, header.replace("_", " "), tab), value)


def cells(book: MemoryWorkbook, row: int, tab: str = WARS) -> dict[str, Any]:
    """Return the cells of a row by header."""
    sheet = read(book).sheet(key(tab))
    assert sheet is not None
    heads, found = sheet.rows[1], sheet.rows.get(row, ())
    return {str(head): found[at] if at < len(found) else None for at, head in enumerate(heads)}


def a_reused_row_is_changed(name: str, tab: str, typed: dict[str, Any]) -> None:
    """Check that the first ruled row of an example with other cells is Changed, and as it was once they are back."""
    book, _ = ruled_example(name)
    row = column(book, tab, "Status").index("Done") + 2
    shown = cells(book, row, tab)
    type_in(book, row, tab, **typed)

    made = run(book)

    now = cells(book, row, tab)
    assert (now["Status"], now["Ruled At"]) == ("Changed", None)
    assert "[REQ-16]" in now["Message"]
    assert shown["Request"] not in [ruling.receipt.request for ruling in made.rulings]
    type_in(book, row, tab, **{header: shown[header.replace("_", " ")] for header in typed})
    run(book)
    assert cells(book, row, tab) == shown


def an_equal_copy_is_for_another(name: str, tab: str, one: str) -> None:
    """Check that the copy of a ruled row says how it may become another request."""
    book, _ = ruled_example(name)
    row = column(book, tab, "Status").index("Done") + 2
    last = len(column(book, tab, "Status")) + 2
    for header, value in cells(book, row, tab).items():
        book.type_in(tab, last, place(book, header, tab), value)

    run(book)

    assert f'Choose Action "Rule again" for another {one}, or delete the row.' in cells(book, last, tab)["Message"]
