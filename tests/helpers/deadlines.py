"""A turn that ends at its deadline, in any game with turns."""

from __future__ import annotations

from typing import Any

from scripts.support.workbooks import Rows, column, run, workbook
from sheets_algo.workbook.memory import MemoryWorkbook

TURNS = "Turns"
BEFORE, AFTER, LATER = "2026-03-01T19:59:59Z", "2026-03-01T20:00:03Z", "2026-03-01T20:10:00Z"
DEADLINE = "2026-03-01 20:00"


def turn(book: MemoryWorkbook, number: int = 0) -> tuple[Any, Any, Any]:
    """Return Status, Ordered and Missing of a row of Turns."""
    status, ordered, missing = (column(book, TURNS, header)[number] for header in ("Status", "Ordered", "Missing"))
    return status, ordered, missing


def an_example_ends_at_its_deadline(rows: Rows, tab: str, number: int, end: str, header: str = "Order") -> None:
    """Check that a game in a turn ends it at the deadline by an order `end` in its request tab, once (TRN-03)."""
    turns = [{"Turn": number, "Deadline": DEADLINE}, {"Turn": number + 1, "Deadline": "2026-03-08 20:00"}]
    book = workbook(rows | {TURNS: turns})
    run(book, BEFORE)

    made = run(book, AFTER)

    assert len(made.rulings) == 1
    assert end in column(book, tab, header)
    assert turn(book)[0] == f"Ended at {AFTER} by receipt {made.rulings[0].receipt.seq}"
    assert turn(book, 1)[0] == "Open"
    assert not run(book, LATER).rulings
    assert turn(book, 1)[0] == "Open: 0 orders fit"
