"""Repairs of earlier commits that landed on rows which people moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.receipt import counted
from engine.ruleset import no_op
from sheets_algo.database.headers import compared_cells
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.ruling.repair.intents import PendingTab, with_note
from sheets_algo.runtime.after_commit.settle import call_subscribers
from sheets_algo.runtime.session.record import begin_commit, note_complete, note_head
from sheets_algo.runtime.session.session import OpenWorkbook, Session, opened
from sheets_algo.workbook.changes import ChangeSet, CommitResult, ComparedCells
from sheets_algo.workbook.errors import RefusedChange, StaleWorkbook
from sheets_algo.workbook.tab_key import TabKey

REPAIRS = 6
"""The number of repairs in a row after which people are asked to stop editing."""

REPAIRED = "Rows were moved while the program wrote: {} put right."
MOVED_AGAIN = (
    "rows were moved again and again while the program put cells right; leave them for a moment and run again."
)


def repair(session: Session) -> tuple[str, ...]:
    """Repair and close earlier commits that landed on rows which people moved.

    Returns:
        Sentences about the repairs.

    Raises:
        RefusedChange: A column in which an earlier commit wrote is gone.
        WorkbookError: As `run_pass`.
    """
    remarks: list[str] = []
    for _ in range(REPAIRS):
        workbook = opened(session)
        pending = PendingTab.read(workbook.snapshot, map(type, workbook.forms))
        if pending.unreachable:
            raise RefusedChange(str(pending.unreachable[0]))
        changes = replace(with_note(pending, pending.repairs, session.now()), compared=cells_to_compare(workbook))
        if not changes:
            return tuple(remarks)
        try:
            session.workbook.commit(workbook.snapshot, changes)
        except StaleWorkbook:
            continue
        if pending.repairs:
            repaired = len(pending.repairs.cells) + len(pending.repairs.rows)
            remarks.append(REPAIRED.format(counted(repaired, "cell was", "cells were")))
    raise StaleWorkbook(f"{session.workbook.name}: {MOVED_AGAIN}")


def commit_noted(
    session: Session,
    book: OpenWorkbook,
    changes: ChangeSet,
    receipts: Receipts | None = None,
    *,
    forced: bool = False,
) -> CommitResult:
    """Commit changes with their intent in the tab Pending; errors as of `Workbook.commit`.

    Args:
        receipts: The receipts whose record is kept, if they are others than those of `book`.
    """
    receipts = receipts or book.receipts
    noted = with_note(PendingTab.read(book.snapshot, map(type, book.forms)), changes, session.now())
    begin_commit(session, receipts, changes)
    committed = session.workbook.commit(book.snapshot, replace(noted, forced=forced))
    if changes.guard is not None:
        note_head(session, receipts.record_key, changes.head)
    return committed


def finish_commit(session: Session, key: str, changes: ChangeSet) -> tuple[str, ...]:
    """Write the pages that follow from a commit without rulings; return a sentence for each that cannot be written.

    Args:
        key: As of `SeasonRecord.of`.
    """
    _, failures = call_subscribers(session.page_writers, None, no_op)
    if changes.guard is not None:
        note_complete(session, key, changes.guard, changes.head.seq)
    return tuple(failures)


def cells_to_compare(workbook: OpenWorkbook) -> Mapping[TabKey, ComparedCells]:
    """Return the cells on which plans rest, by tab (RCP-35)."""
    return compared_cells(
        workbook.snapshot, dict.fromkeys(record for form in workbook.forms for record in form.records())
    )
