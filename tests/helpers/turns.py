"""Orders and ends of turns, in any game with turns."""

from __future__ import annotations

from typing import Any

from scripts.support.workbooks import NOW, forms, messages, read, undo
from sheets_algo.ruling.plan import Plan
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.tabs import key, keys


def type_in(book: MemoryWorkbook, tab: str, header: str, row: int, value: Any) -> None:
    """Type a value into a cell as a person does."""
    sheet = book.read(keys(tab)).sheet(key(tab))
    assert sheet is not None
    book.type_in(tab, row, list(sheet.rows[1]).index(header) + 1, value)


def take_back(book: MemoryWorkbook, request: str) -> None:
    """Undo a ruling."""
    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), request, NOW)[1])


def statuses(plan: Plan) -> list[str]:
    """Return the status of each order."""
    return [status for _, status, _ in messages(plan)]


def waiting(plan: Plan) -> list[int]:
    """Return the numbers of the orders that wait for a later turn."""
    return [number for number, (_, _, text) in enumerate(messages(plan), start=1) if text.startswith("Waits for ")]


def ruled(plan: Plan) -> list[str]:
    """Return the requests that a pass has ruled, in the order of the receipts."""
    return [ruling.receipt.request for ruling in plan.rulings]
