"""Orders of realms recomputed and taken back: rows that came go, and everything is as it was."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.workbooks import (
    OPTIONS,
    SECRET,
    column,
    example,
    forms,
    messages,
    pass_context,
    read,
    run,
    undo,
    workbook,
)
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.corrections import CannotUndo
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.tabs import key, keys

DATABASE = ("Realms", "Realm Cities", "Realm Leaders", "Realm Units")
CAME = "RL-MER-01=1; RL-MER-03=1; RL-MER-02=1"
"""Numidian Horse offer service."""


HIRE = {"Realm": "Rome", "Order": "Hire mercenary", "Target": "Numidian Horse Rome 1", "Ready": True}


def played(*more: dict[str, Any]) -> MemoryWorkbook:
    rows = example("realm")
    rows["Turn Requests"][5]["Fixed rolls"] = CAME
    rows["Turn Requests"] += more
    book = workbook(rows)
    assert {status for _, status, _ in messages(run(book))} == {"Done", "Waiting"}
    return book


def take_back(book: MemoryWorkbook, request: str) -> None:
    snapshot = read(book)
    _, changes = undo(snapshot, forms(), request, "2026-03-02T00:00:00Z")
    book.commit(snapshot, changes)


def cells(book: MemoryWorkbook) -> dict[str, list[list[Any]]]:
    """What stands in the database, blanks at the ends left out."""
    found = {}
    for tab in DATABASE:
        sheet = book.read(keys(tab)).sheet(key(tab))
        assert sheet is not None
        rows = [["" if cell is None else cell for cell in row] for _, row in sorted(sheet.rows.items())]
        found[tab] = [row for row in rows if any(cell != "" for cell in row)]
    return found


def test_every_order_verifies_from_the_workbook_alone() -> None:
    receipts = read_receipts(read(played()))
    by_key = {form.key: form for form in forms()}
    for receipt in receipts.rulings:
        fingerprint = pass_context().fingerprints[by_key[receipt.ruleset].ruleset_key]
        assert verify(receipt, by_key[receipt.ruleset], fingerprint, SECRET, OPTIONS).differences == ()


def test_undoing_everything_restores_the_workbook() -> None:
    book = played()
    assert "Numidian Horse Rome 1" in column(book, "Realm Units", "Unit")
    for request in ("G-0001", *(f"T-000{number}" for number in range(8, 0, -1))):
        take_back(book, request)
    assert cells(book) == cells(workbook(example("realm")))


def test_undo_keeps_rows_of_mercenaries_hired_since() -> None:
    book = played({"Request": "T-0100", **HIRE})
    with pytest.raises(CannotUndo, match="Numidian Horse Rome 1"):
        take_back(book, "T-0006")
