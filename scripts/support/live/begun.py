"""The season of a schedule, begun as `init` begins it: its receipt, the tab that has it, its guard.

One option is not the default: dead leaders lead with a warning, since the same few men lead all wars of a schedule, and
a schedule asks what becomes of each ticked war.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from engine.columns import columns
from engine.receipt import SeasonOptions
from sheets_algo.ruling.luck.draw import SeasonLuck, Secret
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.ruling.receipts.season_receipts import season_receipt
from sheets_algo.workbook.google.commit import guard
from sheets_algo.workbook.head import Head

SECRET = "a season secret that only tests know"
BEGUN = "2026-03-01T11:00:00Z"
OPTIONS = SeasonOptions(dead_leaders="warn")


def init_guard(luck: SeasonLuck) -> dict[str, Any]:
    """Return the request by which `init` took the guard of the season's receipt."""
    start = _season_start(luck)
    return guard.request(1, datetime.fromisoformat(BEGUN), start.inputs_fingerprint, Head(start.seq, start.digest))


def receipts_tab(luck: SeasonLuck) -> list[list[Any]]:
    """Return the tab Receipts of the season."""
    row = next(_season_start(luck).rows())
    return [
        [column.header for _, column in columns(ReceiptRow)],
        [row.get(attribute) for attribute, _ in columns(ReceiptRow)],
    ]


def _season_start(luck: SeasonLuck) -> StoredReceipt:
    return season_receipt(1, Secret(SECRET.encode()), BEGUN, OPTIONS, luck=luck)
