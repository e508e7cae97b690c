"""The command `restore`: list lost and changed receipts, or accept the loss, or a copy of a workbook."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from sheets_algo.commands.opening import new_session
from sheets_algo.commands.report import Report
from sheets_algo.database.changes import Changes
from sheets_algo.database.problems import ended
from sheets_algo.database.tables import Table
from sheets_algo.ruling.corrections import NothingToAccept
from sheets_algo.ruling.corrections import restore as accept_losses
from sheets_algo.ruling.passes.evidence import gone_by_rows
from sheets_algo.ruling.receipts.chain import FORK, WAYS_BACK, WAYS_ON, given_up_by, hold
from sheets_algo.ruling.receipts.receipt_rows import LogRow
from sheets_algo.ruling.receipts.receipt_tab import ReceiptLog
from sheets_algo.ruling.receipts.season_receipts import fork_receipt
from sheets_algo.runtime.run.repair import commit_noted, finish_commit, repair
from sheets_algo.runtime.session.lineage import new_lineage
from sheets_algo.runtime.session.record import note_place, noted_heads
from sheets_algo.runtime.session.session import Session, opened
from sheets_algo.steps.posts.post_row import PostRow
from sheets_algo.workbook.errors import WorkbookUnavailable

NO_COPY = "{} is no copy of another workbook, as far as this computer can tell: there is nothing to accept."
NO_POSTS = "{}"
"""Note of a store that has no posts."""
AGAIN = 'A row that still shows a ruling is ruled anew only with the Action "Rule again".'


def restore(*, accept: bool, fork: bool, dry: bool, force: bool, verbose: bool, **options: Any) -> Report:
    """List lost and changed receipts, or accept the loss, or the workbook as a copy."""
    if accept and fork:
        raise click.UsageError("--accept and --fork: accept first what is gone, then that the workbook is a copy.")
    if fork:
        return fork_off(new_session(**options), dry=dry, forced=force)
    return restoration(new_session(**options), accepts=accept, dry=dry, forced=force)


def fork_off(session: Session, *, dry: bool, forced: bool) -> Report:
    """Make a copy a game of its own, by a receipt of kind Fork (RCP-38).

    The rows of Posts are emptied: what they are about was posted, or will be, from the workbook that was copied. Lost
    receipts that left a trace in Log or in rows are named, since the last ones leave no gap.

    Raises:
        WorkbookError: The workbook cannot be read or written, or receipts are gone.
    """
    remarks = () if dry else repair(session)
    book = opened(session, whole=(PostRow, LogRow))
    receipts = book.receipts
    if not receipts.original:
        return Report({"fork": False, "head": str(receipts.head)}, [NO_COPY.format(session.workbook.name)])
    held = hold(receipts, noted_heads(session, receipts.record_key, asks=True))
    if held and held.id != FORK:
        raise WorkbookUnavailable(f"This cannot be accepted. {held}")
    changes = Changes()
    log = ReceiptLog(book.snapshot, changes, receipts)
    receipt = log.append(fork_receipt(receipts, new_lineage(session.workbook), session.now()))
    posts = Table.of(book.snapshot, PostRow)
    for row in posts:
        for attribute in posts.places:
            changes.set(row, attribute, None)
    gone = [*gone_by_rows(book.snapshot, book.forms, receipts)]
    data: dict[str, object] = {"fork": True, "copy_of": receipts.original, "seq": receipt.seq, "accepted": not dry}
    data["gone"] = gone
    if dry:
        line = (
            f"Receipt {receipt.seq} would make {session.workbook.name} a game of its own (dry run, nothing is written)."
        )
        return Report(data, [line, *gone])
    planned = changes.finish(receipt.seq, receipts.season, log.head, receipts.head)
    committed = commit_noted(session, book, replace(planned, posts=NO_POSTS), log.with_new, forced=forced)
    remarks += repair(session) if committed.is_displaced else ()
    note_place(session, log.with_new)
    remarks += finish_commit(session, log.with_new.record_key, planned)
    line = f"{session.workbook.name} is a game of its own by receipt {receipt.seq}; receipts before it are not posted."
    return Report(data, [line, *gone], 0, (*remarks, *committed.remarks))


def restoration(session: Session, *, accepts: bool, dry: bool, forced: bool) -> Report:
    """Report lost and changed receipts, and accept the loss on request.

    Raises:
        WorkbookError: The workbook cannot be read or written, or the Season row is gone.
    """
    remarks = repair(session) if accepts and not dry else ()
    book = opened(session, whole=(LogRow,))
    receipts = book.receipts
    if accepts and not dry:
        note_place(session, receipts)
    noted = noted_heads(session, receipts.record_key, asks=True)
    try:
        receipt, summary, changes = accept_losses(book.snapshot, book.forms, receipts, session.now(), noted)
    except NothingToAccept as nothing:
        if receipts.original:
            return Report({"lost": False, "copy_of": receipts.original}, [str(hold(receipts, noted))], 1)
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
    remarks += finish_commit(session, receipts.record_key, changes)
    lines += [f"Accepted by receipt {receipt.seq}, which everybody sees.", *([AGAIN] if given_up.wars else [])]
    return Report(data | {"seq": receipt.seq}, lines, 0, (*remarks, *committed.remarks))
