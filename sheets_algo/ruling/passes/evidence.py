"""Evidence of rulings: ruled requests without rows, and traces of lost receipts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sheets_algo.database.cell_text import as_text
from sheets_algo.database.problems import CellRef, Problem, Severity, count
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import request_tables
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.promises.promises import PROMISED_IN
from sheets_algo.ruling.receipts.chain import given_up_by
from sheets_algo.ruling.receipts.receipt_rows import LogRow
from sheets_algo.ruling.receipts.receipts import SEQ_MOST, Receipts
from sheets_algo.ruling.repair.intents import PendingTab
from sheets_algo.ruling.requests.row_states import LostRequests, ShownResults
from sheets_algo.workbook.snapshot import Snapshot

LOST_NAMED = 10
"""Maximum number of ids that a warning of lost rows lists."""


def unsettled(snapshot: Snapshot, forms: Sequence[Form[Any]], receipts: Receipts) -> tuple[Problem, ...]:
    """Return the problems of cells that earlier commits displaced (RCP-33), and of lost rows of requests (REQ-09)."""
    return (
        *PendingTab.read(snapshot, map(type, forms)).all_problems,
        *lost_rows(request_tables(snapshot, forms), receipts),
    )


def lost_rows(tables: Mapping[str, Table], receipts: Receipts) -> Iterator[Problem]:
    """Yield a warning for each tab that has lost rows of ruled requests."""
    gone, _ = LostRequests(receipts, tables).by_presence
    for key, table in tables.items():
        lost = [ruling.request for ruling in gone if ruling.ruleset == key]
        if lost:
            listed = ", ".join(lost[:LOST_NAMED]) + (" ..." if len(lost) > LOST_NAMED else "")
            says = f"{count(len(lost), 'ruled request')} {'is' if len(lost) == 1 else 'are'} in no row: {listed}"
            allowed = "Nothing, if you removed the rows on purpose; if you changed an id, put it back"
            cell, severity = CellRef(table.title), Severity.WARNING
            yield Problem(cell=cell, says=says, allowed=allowed, id="REQ-09", severity=severity)


def gone_by_rows(snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts) -> Iterator[str]:
    """Yield the traces of lost receipts in the Log and in rows of requests, in sentences (RCP-19).

    The last receipts can be deleted without a gap, but their traces stay here. Losses accepted by a receipt of kind
    Restore are not repeated.

    Args:
        snapshot: The snapshot of the tabs that a pass reads, and the whole tab Log.
    """
    restored = [given_up_by(receipt) for receipt in receipts.restores]
    given_up = [run for each in restored for run in each.missing]
    for number, request in sorted(logged_requests(snapshot).items()):
        if number not in receipts.by_seq and not any(first <= number <= last for first, last in given_up):
            yield f"{LogRow.tab.name} has lines of receipt {number} ({request}), which is gone."
    if restored:  # rows still show the accepted losses
        return
    for row in rows_without_receipt(snapshot, forms, receipts):
        cell, time = row.cell("ruled_at"), as_text(row.value("ruled_at"))
        yield f"{cell} ({request_id(row)}) shows a ruling of {time}, whose receipt is gone."
    for table in request_tables(snapshot, forms).values():
        for row in table:
            promised = PROMISED_IN.match(as_text(row.value("message")))
            promise = receipts.by_seq.get(int(promised[1])) if promised else None
            if promised and (promise is None or promise.kind != "Promise"):
                cell = row.cell("message")
                yield f"{cell} ({request_id(row)}) shows a promise, receipt {promised[1]}, which is gone."


def logged_requests(snapshot: Snapshot) -> dict[int, str]:
    """Return the request of each receipt with lines in the Log, by the receipt's number."""
    requests: dict[int, str] = {}
    for row in Table.of(snapshot, LogRow):
        seq = as_text(row.value("seq"))
        if seq.isdecimal() and len(seq) <= len(str(SEQ_MOST)):
            requests.setdefault(int(seq), as_text(row.value("request")))
    return requests


def rows_without_receipt(snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts) -> Iterator[Row]:
    """Yield the rows that show a ruling without a receipt."""
    results = ShownResults(receipts)
    for table in request_tables(snapshot, forms).values():
        yield from (row for row in table if results.problem(row) and receipts.ruling_of(request_id(row)) is None)
