"""The command `restore`: list lost and changed receipts, or accept the loss."""

from __future__ import annotations

from typing import Any

from sheets_algo.commands.opening import new_session
from sheets_algo.commands.report import Report
from sheets_algo.database.problems import ended
from sheets_algo.ruling.corrections.restore import NothingToAccept
from sheets_algo.ruling.corrections.restore import restore as accept_losses
from sheets_algo.ruling.receipts.chain import WAYS_BACK, WAYS_ON, given_up_by
from sheets_algo.ruling.receipts.receipt_rows import LogRow
from sheets_algo.runtime.run.repair import commit_noted, finish_commit, repair
from sheets_algo.runtime.session.record import noted_heads
from sheets_algo.runtime.session.session import Session, opened

AGAIN = 'A row that still shows a ruling is ruled anew only with the Action "Rule again".'


def restore(*, accept: bool, dry: bool, force: bool, verbose: bool, **options: Any) -> Report:
    """List lost and changed receipts, or accept the loss."""
    return restoration(new_session(**options), accepts=accept, dry=dry, forced=force)


def restoration(session: Session, *, accepts: bool, dry: bool, forced: bool) -> Report:
    """Report lost and changed receipts, and accept the loss on request.

    Raises:
        WorkbookError: The workbook cannot be read or written, or the Season row is gone.
    """
    remarks = repair(session) if accepts and not dry else ()
    book = opened(session, whole=(LogRow,))
    receipts = book.receipts
    noted = noted_heads(session, receipts.season, asks=True)
    try:
        receipt, summary, changes = accept_losses(book.snapshot, book.forms, receipts, session.now(), noted)
    except NothingToAccept as nothing:
        return Report({"lost": False, "head": str(receipts.head)}, [str(nothing)])
    given_up = given_up_by(receipt)
    data: dict[str, object] = {
        "lost": True,
        "missing": given_up.missing,
        "changed": given_up.changed,
        "heads": given_up.heads,
        "wars": given_up.wars,
        "accepted": accepts and not dry,
    }
    lines = [ended(f"{session.workbook.name}: {summary}"), *(f"  {war}" for war in given_up.wars)]
    if not accepts:
        return Report(data, [*lines, f"{WAYS_BACK if given_up.changed else WAYS_ON}."], 1)
    if dry:
        return Report(data, [*lines, f"Receipt {receipt.seq} would accept that (dry run, nothing is written)."])
    committed = commit_noted(session, book, changes, forced=forced)
    remarks += repair(session) if committed.is_displaced else ()
    remarks += finish_commit(session, changes)
    lines += [f"Accepted by receipt {receipt.seq}, which everybody sees.", *([AGAIN] if given_up.wars else [])]
    return Report(data | {"seq": receipt.seq}, lines, 0, (*remarks, *committed.remarks))
