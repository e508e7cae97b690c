"""The command `undo`."""

from __future__ import annotations

import dataclasses
from typing import Any

from sheets_algo.commands.opening import new_session
from sheets_algo.commands.report import Report
from sheets_algo.database.problems import Problem, value_text
from sheets_algo.ruling.corrections import undo as undo_ruling
from sheets_algo.ruling.passes.writer import blocked_warnings
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.runtime.run.pass_context import begin_posts, steps_of_workbook
from sheets_algo.runtime.run.repair import commit_noted, finish_commit, repair
from sheets_algo.runtime.session.record import note_place, noted_heads
from sheets_algo.runtime.session.session import Session, opened
from sheets_algo.workbook.addresses import Address
from sheets_algo.workbook.changes import ChangeSet, CommitResult
from sheets_algo.workbook.errors import RefusedChange, StaleWorkbook, UnknownOutcome


def undo(*, request: str, dry: bool, force: bool, verbose: bool, **options: Any) -> Report:
    """Undo a ruling."""
    session = new_session(**options)
    remarks: tuple[str, ...] = () if dry else repair(session)
    blocked: dict[Address, str] = {}
    try:
        receipt, changes, committed, warnings, key = _undo(session, request, blocked, dry=dry, force=force)
    except UnknownOutcome:
        raise
    except StaleWorkbook:  # a cell was edited, or turned out to be a date
        receipt, changes, committed, warnings, key = _undo(session, request, blocked, dry=dry, force=force)
    remarks += committed.remarks
    if committed.is_displaced:
        remarks += repair(session)
    lines = [
        f"{change.tab}, {change.row}: {change.field} {value_text(change.before)} → {value_text(change.after)}"
        for change in receipt.changes
    ]
    done = "would be undone (dry run, nothing is written)" if dry else f"is undone by receipt {receipt.seq}"
    lines.append(f"{receipt.request} ({receipt.war}) {done}.")
    data = {"request": receipt.request, "seq": receipt.seq, "written": not dry}
    data["changes"] = [dataclasses.asdict(change) for change in receipt.changes]
    failures = () if dry else finish_commit(session, key, changes)
    return Report(data, lines, 0, (*map(str, warnings), *failures, *(remarks if verbose else ())))


def _undo(
    session: Session, request: str, blocked: dict[Address, str], *, dry: bool, force: bool
) -> tuple[StoredReceipt, ChangeSet, CommitResult, tuple[Problem, ...], str]:
    """Plan the reversal of a ruling on a fresh reading, and write it.

    The last values name blocked cells, and the record (`Receipts.record_key`).

    Args:
        blocked: The cells known to take no value, with the reasons; those that the write meets are added.
    """
    book = opened(session)
    noted = noted_heads(session, book.receipts.record_key, asks=True)
    key = book.receipts.record_key
    if not dry:
        note_place(session, book.receipts)
    begin_posts(session, book)
    steps = steps_of_workbook(session, book)
    now = session.now()
    receipt, changes = undo_ruling(book.snapshot, book.forms, book.receipts, request, now, noted, steps, blocked)
    warnings = tuple(blocked_warnings(book.snapshot, blocked))
    if dry:
        return receipt, changes, CommitResult(), warnings, key
    try:
        committed = commit_noted(session, book, changes, forced=force)
    except RefusedChange as error:
        if not error.obstacles.keys() - blocked.keys():
            raise
        blocked |= error.obstacles
        return _undo(session, request, blocked, dry=dry, force=force)
    return receipt, changes, committed, warnings, key
