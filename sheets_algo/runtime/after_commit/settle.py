"""Recovery of missing files and pages of this computer's commits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from engine.ruleset import no_op
from sheets_algo.database.problems import shortened
from sheets_algo.forms.databases import colours_of
from sheets_algo.ruling.plan import PendingLuck, Progress
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.runtime.after_commit.log_completion import LogCompletion
from sheets_algo.runtime.after_commit.ruling_files import MadeFiles, committed_batches, end_commit
from sheets_algo.runtime.session.record import FOLDER, SeasonRecord, note_place
from sheets_algo.runtime.session.session import OpenWorkbook, Session, Subscriber
from sheets_algo.workbook.atomic_file import remove_leftovers

FOLDERS = ("", "logs", "pictures", "replays", FOLDER, FOLDER / "secrets")
"""Folders beside the workbook into which passes write files."""
NO_TAB = "The log of {} cannot be made: the request tab of {} is missing."
SUBSCRIBER_FAILED = "What {} does after a commit failed ({}: {}); the workbook is written."


def settle(
    session: Session, workbook: OpenWorkbook, progress: Progress = no_op
) -> tuple[MadeFiles, list[Path], list[str]]:
    """Write the missing files and pages of this computer's commits, and finish open work of the store.

    Impossible files, such as those of lost rules or maps, are reported once.

    Returns:
        The files, the pages, and sentences about pages that cannot be written.
    """
    session.workbook.settle()
    for folder in FOLDERS:
        remove_leftovers(session.folder / folder)
    note_place(session, workbook.receipts)
    key = workbook.receipts.record_key
    SeasonRecord.of(session, key).compact()
    made, pages, failures = MadeFiles(), list[Path](), list[str]()
    batches = committed_batches(session, workbook.receipts)
    for batch in batches:
        rulings = batch.rulings(workbook.receipts)
        lacks_pages = batch is batches[-1] and not (batch.has_ended and all(page.exists() for page in batch.pages))
        if not rulings and not lacks_pages:
            continue
        files = make_files(session, workbook, rulings, progress)
        done = replace(batch, files={**batch.files, **files.by_receipt})
        if lacks_pages:
            pages, failures = call_subscribers(session.page_writers, None, progress)
            done = replace(done, pages=pages)
        end_commit(session, key, done)
        made |= files
    return made, pages, failures


def make_files(
    session: Session, workbook: OpenWorkbook, rulings: Sequence[StoredReceipt], progress: Progress = no_op
) -> MadeFiles:
    """Write the files of rulings from their receipts; return them, with a sentence for each impossible one."""
    completion, receipts = LogCompletion(), workbook.receipts
    together = Counter(ruling.time for ruling in receipts.rulings)  # those of one pass have one time
    made = MadeFiles()
    for ruling in rulings:
        form = workbook.form(ruling.ruleset)
        if form is None:
            made |= MadeFiles({ruling.seq: ()}, (NO_TAB.format(ruling.request, ruling.ruleset),))
            continue
        owed = PendingLuck(ruling, form, colours_of(form, workbook.snapshot), receipts.options)
        made |= MadeFiles(failures=completion.work(session, (owed,), progress, total=together[ruling.time]))
    return completion.made | made


def call_subscribers(
    subscribers: Iterable[Subscriber], result: object, progress: Progress
) -> tuple[list[Path], list[str]]:
    """Call functions after a commit; return the pages that they wrote, and a sentence for each that fails.

    Args:
        result: The `PassResult` of the commit; None for one of an earlier process.
    """
    pages: list[Path] = []
    failures: list[str] = []
    for subscriber in subscribers:
        try:
            for page in subscriber(result) or ():
                pages.append(page)
                progress("Pages", page.name, None)
        except Exception as error:  # the commit stands, even if a subscriber fails
            name = getattr(subscriber, "__name__", type(subscriber).__name__)
            failures.append(SUBSCRIBER_FAILED.format(name, type(error).__name__, shortened(str(error))))
    return pages, failures
