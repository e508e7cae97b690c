"""Acceptance of receipts that are gone or were changed, by a receipt of kind Restore that everybody sees (RCP-19)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.errors import ExpectedError
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.changes import Changes
from sheets_algo.database.wording import shorten_list
from sheets_algo.forms.base import Form
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.passes.evidence import logged_requests, rows_without_receipt
from sheets_algo.ruling.receipts.chain import LostReceipts, NotedHead, hold, losses, restore_receipt
from sheets_algo.ruling.receipts.receipt_tab import ReceiptLog
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.snapshot import Snapshot

WARS_NAMED = 50
"""Maximum number of lost rulings that a receipt names."""

NUMBER_MOST = 900_000
"""The highest number of such a receipt; the season continues after it, and must not run out of numbers."""


NO_SEASON = (
    "This cannot be accepted: {0}, and among them the row of Kind Season, without which no season goes on. {0.ways_on}."
)

TOO_MANY = (
    "This cannot be accepted: {}. No season has so many receipts, and hardly a number would be left for the next ones."
    " A Seq in Receipts was changed, or what notes the last receipt: put it right, or play on in a new spreadsheet."
)


class NothingToAccept(ExpectedError):
    """An acceptance without any lost or changed receipt."""

    exit_code = 0


def restore(
    snapshot: Snapshot, forms: Sequence[Form[Any]], receipts: Receipts, now: str, noted: Sequence[NotedHead]
) -> tuple[StoredReceipt, LostReceipts, ChangeSet]:
    """Accept lost and changed receipts, so that the season can continue.

    Args:
        snapshot: The snapshot of the tabs that a pass reads, and the whole tab Log.

    Returns:
        The receipt of the acceptance, its content, and the changes to write.

    Raises:
        NothingToAccept: No receipt is lost or changed.
        WorkbookUnavailable: The essential Season row is lost; or more receipts are missing than any season can have.
    """
    changes = Changes()
    log = ReceiptLog(snapshot, changes, receipts)
    lost = losses(receipts, noted)
    if not lost:
        raise NothingToAccept(f"Nothing is gone: the receipts are those that were written, up to {receipts.head}.")
    if not receipts.season:
        raise WorkbookUnavailable(NO_SEASON.format(lost))
    held = hold(receipts, noted)
    if held and held.id != lost.problem.id:
        raise WorkbookUnavailable(f"This cannot be accepted. {held}")
    receipt = restore_receipt(receipts, lost, _known_wars(snapshot, forms, receipts, lost), now)
    if receipt.seq > NUMBER_MOST:
        raise WorkbookUnavailable(TOO_MANY.format(lost))
    receipt = log.append(receipt)
    known = max((head.head for head in noted), key=lambda head: head.seq, default=receipts.head)
    return receipt, lost, changes.finish(receipt.seq, receipts.season, log.head, known)


def _known_wars(
    snapshot: Snapshot, forms: Sequence[Form[Any]], receipts: Receipts, lost: LostReceipts
) -> tuple[str, ...]:
    """Return the traces of lost rulings in the Log and in rows of requests."""
    wars = [
        f"receipt {seq} ruled {request}"
        for seq, request in logged_requests(snapshot).items()
        if any(first <= seq <= last for first, last in lost.missing)
    ]
    for row in rows_without_receipt(snapshot, forms, receipts):
        war = as_text(row.value("war")) if "war" in dict(row.table.columns) else ""
        name = f"{request_id(row)} ({war})" if war else request_id(row)
        wars.append(f"{name} shows a ruling of {as_text(row.value('ruled_at'))}")
    return shorten_list(wars, WARS_NAMED)
