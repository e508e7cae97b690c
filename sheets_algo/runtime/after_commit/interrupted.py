"""Completion of the files of a killed pass: its pictures are drawn, the logs of rulings that it did not write go."""

from __future__ import annotations

from contextlib import suppress

from sheets_algo.forms.databases import colours_of
from sheets_algo.ruling.plan import PendingLuck
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.runtime.after_commit.log_completion import LogCompletion
from sheets_algo.runtime.after_commit.pass_note import notes_of
from sheets_algo.runtime.session.session import OpenWorkbook, Session
from sheets_algo.workbook.atomic_file import remove_leftovers

FOLDERS = ("", "logs", "pictures", ".sheets-algo", ".sheets-algo/heads", ".sheets-algo/secrets")
"""Folders beside the workbook into which passes write files."""
COMPLETED = "A run was stopped before its files were complete; they are made up for: {}."


def settle(session: Session, workbook: OpenWorkbook) -> tuple[str, ...]:
    """Make up for what killed passes left undone beside the workbook, and in the workbook's store.

    Returns:
        What was done, in sentences.
    """
    session.workbook.settle()
    for folder in FOLDERS:
        remove_leftovers(session.folder / folder)
    receipts = workbook.receipts
    sentences: list[str] = []
    for note in notes_of(session.folder, session.workbook.name):
        if note.guard >= receipts.next_seq:
            continue  # its commit may be under way
        landed = note.landed(receipts)
        sentences += LogCompletion().work(session, [_pending_luck(receipt, workbook) for receipt in landed])
        with suppress(OSError):
            note.discard_logs([receipt.request for receipt in landed])
        sentences += [COMPLETED.format(", ".join(receipt.request for receipt in landed))] if landed else []
    return tuple(sentences)


def discard_superseded(session: Session, guard: int | None) -> None:
    """Delete the logs of killed passes whose receipts can no longer be written, since their number is used."""
    for note in notes_of(session.folder, session.workbook.name):
        if note.guard == guard:
            with suppress(OSError):
                note.discard_logs()


def _pending_luck(receipt: StoredReceipt, workbook: OpenWorkbook) -> PendingLuck:
    form = workbook.form(receipt.ruleset)
    colours = colours_of(form, workbook.snapshot)
    return PendingLuck(receipt, form, colours, workbook.receipts.options)
