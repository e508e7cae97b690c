"""What follows a ruling once it stands in the spreadsheet: its log says how lucky it was (FC-06).

That takes longer than the ruling, so nobody is kept waiting for it. The Pending tab names the receipts whose logs are
to be completed: after a crash whoever works next does it, and makes the log file and the picture, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from engine.outcome import Event
from sheets_algo.again import CannotReplay, replay
from sheets_algo.changes import Changes
from sheets_algo.forecasts.how_lucky import LuckOf
from sheets_algo.intents import Pending, noted
from sheets_algo.keepsakes import Begins, Logs, Pictures, appended_to, log_of
from sheets_algo.ledger import ReceiptBook
from sheets_algo.places import Opened, Place, opened
from sheets_algo.plans import Ruling
from sheets_algo.receipts import Receipt
from sheets_algo.workbook.base import StaleWorkbook

GIVEN_UP = "The log of receipt {} is not completed: {}"


def complete(place: Place, luck_of: LuckOf, begins: Begins) -> tuple[str, ...]:
    """Complete the log of the first ruling that waits for it, if one does.

    Args:
        place: Workbook and surroundings.
        luck_of: Says how lucky a ruling was.
        begins: Told what begins.

    Returns:
        What went wrong, in sentences.

    Raises:
        WorkbookError: The workbook cannot be read or written.
    """
    seen = opened(place)
    pending = Pending.read(seen.snapshot, map(type, seen.forms))
    if not pending.owed:
        return ()
    seq, *owed = pending.owed
    changes = Changes()
    book = ReceiptBook(seen.snapshot, changes)
    receipt = book.receipts.by_seq.get(seq)
    remarks: tuple[str, ...] = ()
    if receipt is not None:
        begins("Luck", receipt.request, len(pending.owed))
        try:
            book.log_on(receipt, _last_lines(place, seen, receipt, luck_of, begins))
        except (CannotReplay, ValueError, OSError) as error:
            remarks = (GIVEN_UP.format(seq, error),)
    with suppress(StaleWorkbook):  # somebody else has done it, or it is done after the next look
        place.workbook.commit(seen.snapshot, noted(pending, changes.finish(None), place.now(), owed))
    return remarks


def _last_lines(place: Place, seen: Opened, receipt: Receipt, luck_of: LuckOf, begins: Begins) -> Sequence[Event]:
    """How lucky a ruling was; its log file hears it, and is written as a whole where there is none.

    Raises:
        CannotReplay: The ruling cannot be played again.
        OSError: The file cannot be written.
    """
    form = seen.form(receipt.ruleset)
    if form is None:
        raise CannotReplay(f"the request tab of {receipt.ruleset} is missing.")
    inputs, seed = form.thaw(receipt.inputs), int(receipt.seed)
    file = log_of(place.folder / "logs", receipt.request)
    if file is not None:
        with appended_to(file) as hear:
            return luck_of(form, inputs, seed, hear)
    with Logs(place.folder / "logs", place.clock()) as logs:  # its process was killed, or worked on another computer
        hear = logs.of(form, receipt.request)
        outcome = replay(receipt, form, hear)
        events = luck_of(form, inputs, seed, hear)
    Pictures([Ruling(receipt, outcome, form)]).save(place, begins)
    return events
