"""Workbooks with a tab Overrides, and what became of their requests."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scripts.support.workbooks import Rows, example, grids, read
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.workbook.memory import MemoryWorkbook

HEADERS = ["Request", "Kind", "What", "Value", "Reason", "By"]
REASON, AUTHOR = "the sheet was wrong", "Anna"
Cells = Sequence[Any]
"""Request, kind, what and value of a row; reason and author follow where they are not the usual ones."""


def with_overrides(
    rows: Mapping[str, Sequence[Mapping[str, Any]]], *overrides: Cells, more: Mapping[str, Any] = {}
) -> MemoryWorkbook:
    """A workbook with these rows and these decisions, and with more tabs."""
    lines = [[*row, *[REASON, AUTHOR][len(row) - 4 :]] for row in overrides]
    return MemoryWorkbook({**grids(rows), "Overrides": [HEADERS, *lines], **more})


def war(request: str) -> Rows:
    """The season of 1066 with one of its wars."""
    rows = example("1066")
    return rows | {tab: [row for row in rows[tab] if row["Request"] == request] for tab in ("War Requests", "Flanks")}


def receipts(book: MemoryWorkbook) -> Receipts:
    return read_receipts(read(book))


def ruling(book: MemoryWorkbook, request: str) -> StoredReceipt:
    found = receipts(book).ruling_of(request)
    assert found is not None, request
    return found


SECTION = "=== Moderator's decisions ==="
BESIDE = re.compile(r"(?P<label>\* '{3}.*?'{3} ).*; without the decisions? (?P<text>.*)")


def items_of(wiki: str) -> str:
    """Return a receipt without its account, and without what decided its luck."""
    items = wiki.partition("\n=== Luck ===")[0]
    return "\n".join(line for line in items.splitlines() if line.startswith(("=", "*")))


def undecided(wiki: str) -> str:
    """Return the text that a receipt would have without its decisions, as it tells it, but for its account."""
    body = items_of(wiki.partition(f"\n{SECTION}")[0])
    return "\n".join(BESIDE.sub(r"\g<label>\g<text>", line) for line in body.splitlines())
