"""Recovery of missing files and pages of this computer's commits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from engine.ruleset import Event, no_op
from sheets_algo.database.problems import shortened
from sheets_algo.forecasts.process_code import code_of
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import colours_of
from sheets_algo.replays.luck_report import how_lucky
from sheets_algo.replays.replay import CannotReplay, ReplayNeeds, other_tables, replay_as_ruled
from sheets_algo.ruling.passes.ruler import mark_of
from sheets_algo.ruling.plan import Progress, Ruling
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.runtime.after_commit.ruling_files import DRAWN_MOST, FileWriter, MadeFiles
from sheets_algo.runtime.session.record import FOLDER, SeasonRecord, note_complete, note_place
from sheets_algo.runtime.session.session import OpenWorkbook, Session, Subscriber
from sheets_algo.workbook.atomic_file import remove_leftovers

FOLDERS = ("", "logs", "pictures", "replays", FOLDER, FOLDER / "secrets")
"""Folders beside the workbook into which passes write files."""
GIVEN_UP = "The log of {} cannot be made: {}"
NO_TAB = "The log of {} cannot be made: the request tab of {} is missing."
SUBSCRIBER_FAILED = "What {} does after a commit failed ({}: {}); the workbook is written."


def settle(
    session: Session, workbook: OpenWorkbook, progress: Progress = no_op
) -> tuple[MadeFiles, list[Path], list[str]]:
    """Write the files and pages that the record says are missing here, and finish open work of the store.

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
    complete, last = SeasonRecord.of(session, key).complete, workbook.receipts.head.seq
    if complete is None or complete >= last:
        return MadeFiles(), [], []
    rulings = [ruling for ruling in workbook.receipts.rulings if ruling.seq > complete]
    made = make_files(session, workbook, rulings, progress)
    pages, failures = call_subscribers(session.page_writers, None, progress)
    note_complete(session, key, complete + 1, made.complete_up_to(last, rulings))
    return made, pages, failures


def make_files(
    session: Session, workbook: OpenWorkbook, rulings: Sequence[StoredReceipt], progress: Progress = no_op
) -> MadeFiles:
    """Write the files of rulings from their receipts; return them, with a sentence for each impossible one."""
    writer, made = FileWriter(session, progress), MadeFiles()
    together = Counter(ruling.time for ruling in workbook.receipts.rulings)  # those of one pass have one time
    for receipt in rulings:
        form = workbook.form(receipt.ruleset)
        if form is None:
            made |= MadeFiles({receipt.seq: ()}, (NO_TAB.format(receipt.request, receipt.ruleset),))
            continue
        progress("Files", receipt.request, len(rulings))
        try:
            ruling, log = _ruled_again(session, workbook, receipt, form, together[receipt.time])
        except Exception as error:  # one log must not block the others
            why = str(error) if isinstance(error, CannotReplay) else shortened(f"{type(error).__name__}: {error}")
            made |= MadeFiles({receipt.seq: ()}, (GIVEN_UP.format(receipt.request, why),))
            continue
        made |= writer.write(ruling, log, draws=together[receipt.time] <= DRAWN_MOST)
    return made


def _ruled_again(
    session: Session, workbook: OpenWorkbook, receipt: StoredReceipt, form: Form[Any], total: int
) -> tuple[Ruling, Sequence[str]]:
    """Return a ruling and its log, with its luck (FC-06), from the receipt.

    Args:
        total: The number of rulings that were compared at once by their pass.

    Raises:
        CannotReplay: The rules have other numbers, or the ruling has another result.
    """
    fingerprint, options = session.library.fingerprint(form.ruleset_key), workbook.receipts.options
    if receipt.rules_fingerprint != fingerprint:
        missing = other_tables(receipt, fingerprint)
        raise ReplayNeeds(f"Receipt {receipt.seq} ({receipt.request}) cannot be played again", missing)
    log: list[str] = []
    luck: tuple[Event, ...] = ()
    outcome = replay_as_ruled(receipt, form, fingerprint, options, log.extend)
    if session.is_luck_told and not receipt.overrides:  # otherwise it is not a battle of its seed
        inputs = form.deserialize(receipt.inputs)
        luck = how_lucky(form, inputs, int(receipt.seed), log.extend, total, code_of(form, inputs))
    painted = outcome.painted(colours_of(form, workbook.snapshot))
    return Ruling(receipt, painted, form, options, luck, mark_of(receipt, workbook.forms)), log


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
