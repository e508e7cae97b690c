"""The Receipts and Log tabs: what a pass finds in them, and what it adds below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from engine.outcome import Event, Plain
from sheets_algo.changes import Changes
from sheets_algo.receipts import LogRow, Receipt, ReceiptRow, Receipts, SeasonInputs, fingerprint_of
from sheets_algo.seeds import Secret
from sheets_algo.tables import Table
from sheets_algo.workbook.base import Snapshot


class ReceiptBook:
    """The Receipts and Log tabs of a snapshot, and what is appended to them.

    Raises:
        ReceiptDamaged: A receipt was changed by hand so that it cannot be read.
    """

    def __init__(self, snapshot: Snapshot, changes: Changes) -> None:
        self._changes = changes
        self._receipts = Table(ReceiptRow, snapshot.sheet(ReceiptRow.tab.name))
        self._log = Table(LogRow, snapshot.sheet(LogRow.tab.name))
        self.receipts = Receipts.read(self._receipts)
        self.guard: int | None = None
        self._next = self.receipts.next_seq

    def numbered(self) -> int:
        """The next Seq; the first one given out guards the commit."""
        seq = self._next
        self.guard = seq if self.guard is None else self.guard
        self._next += 1
        return seq

    def append(self, receipt: Receipt) -> None:
        """One receipt, in as many rows as it needs."""
        for cells in receipt.rows():
            self._changes.append(self._receipts, cells)

    def log(self, receipt: Receipt, events: Sequence[Event], last: Sequence[Event], most: int) -> None:
        """A ruling's events and, whatever is cut, its last lines; what is cut is said between them."""
        last = last[: most - 1]
        room = most - len(last)
        kept = events if len(events) <= room else events[: room - 1]
        self.log_on(receipt, kept)
        if len(kept) < len(events):
            text = f"{len(events) - len(kept)} more lines stand in the log file of this ruling"
            self._changes.append(self._log, {"seq": receipt.seq, "request": receipt.request, "text": text})
        self.log_on(receipt, last)

    def log_on(self, receipt: Receipt, events: Sequence[Event]) -> None:
        """More lines of a ruling's log."""
        for event in events:
            self._changes.append(self._log, _log_cells(receipt, event))


def season_receipt(seq: int, secret: Secret, now: str, *, escape_markup: bool = False) -> Receipt:
    """The first receipt of a season: the digest of its secret, and what all its rulings have in common."""
    wiki = f"The SHA-256 of this season's secret is {secret.digest}."
    inputs = msgspec.json.encode(SeasonInputs(escape_markup=True)).decode() if escape_markup else ""
    return Receipt(seq=seq, kind="Season", wiki=wiki, inputs_fingerprint=secret.digest, inputs=inputs, time=now)


def season_trouble(receipts: Receipts, secret: Secret | None) -> str:
    """Say why a season cannot go on under a secret: in one sentence, blank if it can.

    The digest in the row of the season is not enough: whoever may edit the spreadsheet may edit that row. Each seed
    that was drawn from the secret tells too. A receipt whose inputs were edited tells nothing; `verify` names it.

    Args:
        receipts: Those of the workbook.
        secret: The one at hand; None asks only whether the row of the season is there.
    """
    if not receipts.by_seq:
        return ""
    if not receipts.season:
        return (
            f"The row of Kind Season in {ReceiptRow.tab.name}, or the digest of the season secret in it, is gone: bring"
            " it back from an older version; nothing is ruled without it."
        )
    if secret is None:
        return ""
    if receipts.season != secret.digest:
        return (
            f"The season secret at hand (SHA-256 {secret.digest[:12]}...) is not this workbook's"
            f" ({receipts.season[:12]}...): use the secret that the season began with."
        )
    for it in receipts.of_kind("Ruling"):
        is_telling = it.seed_source == "season" and fingerprint_of(it.inputs) == it.inputs_fingerprint
        if is_telling and it.seed != str(secret.seed(it.request, it.inputs)):
            return (
                f"Receipt {it.seq} ({it.request}) was not ruled under the season secret at hand (SHA-256"
                f" {secret.digest[:12]}...): use the secret that the season began with, or restore the receipt if it"
                " was edited."
            )
    return ""


def _log_cells(receipt: Receipt, event: Event) -> Mapping[str, Plain]:
    return {
        "seq": receipt.seq,
        "request": receipt.request,
        "hour": event.hour,
        "side": event.side,
        "flank": event.flank,
        "event": event.kind,
        "amount": event.amount,
        "rule": event.id,
        "text": event.text,
    }
