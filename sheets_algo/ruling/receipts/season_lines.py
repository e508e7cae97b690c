"""Lines that the season adds to a ruling's receipt, below what the rules say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from engine.columns import loosely
from engine.receipt import on_one_line, without_markup
from engine.ruleset import Outcome
from engine.settings import OWN_MOST
from sheets_algo.database.problems import ended
from sheets_algo.database.wording import value_text
from sheets_algo.forms.base import Form
from sheets_algo.ruling.luck.beacon import beacon_name, clock_time
from sheets_algo.ruling.receipts.receipts import Change, Receipts, StoredReceipt

NAMED = 5
"""Most cells that a receipt names; more are counted."""
FROM_SECRET = "\n=== Luck ===\n* Drawn with the season's secret, which is published in the end: verify rules it again."


def season_lines(outcome: Outcome, ruling: StoredReceipt, receipts: Receipts, form: Form[Any]) -> str:
    """Return the lines as wiki markup: tables of the season's own, cells that people typed, lapsed orders, and luck.

    Args:
        outcome: The outcome of the ruling.
        ruling: The ruling, with its inputs, luck and figures.
        receipts: The receipts of the workbook.
    """
    added = _table_lines(receipts, form) + _edit_lines(ruling, receipts, form) + _lapse_lines(ruling)
    return added + _luck_lines(ruling, receipts, outcome)


def _table_lines(receipts: Receipts, form: Form[Any]) -> str:
    """Return the lines by which a receipt says that the season's tables are rules of their own; else blank.

    A receipt names fewer differences itself, since they are frozen with its ruling.
    """
    found = len(receipts.versions.differs.get(form.ruleset_key, ()))
    if found <= OWN_MOST or receipts.begun is None:
        return ""
    says = f"The tables of {form.ruleset_key} are not the release's: receipt {receipts.begun.seq} names what differs"
    return f"\n=== Tables ===\n* {says}."


def _edit_lines(ruling: StoredReceipt, receipts: Receipts, form: Form[Any]) -> str:
    """Return the lines by which a receipt names the Edits that the ruling reads; blank if it reads none.

    Args:
        ruling: The ruling, with its inputs.
        receipts: The receipts of the workbook; those behind the ruling are left out.
    """
    found = [
        f"{change.field} of {change.row}: {value_text(change.before)} → {value_text(change.after)} (receipt {seq})"
        for seq, change in _read_edits(ruling, receipts, form)
    ]
    if not found:
        return ""
    rest = f"; and {len(found) - NAMED:,} more" if len(found) > NAMED else ""
    named = without_markup(on_one_line("; ".join(found[:NAMED])))
    return f"\n=== Edits ===\n* Changed by people after rulings: {named}{rest}."


def _read_edits(ruling: StoredReceipt, receipts: Receipts, form: Form[Any]) -> Iterator[tuple[int, Change]]:
    """Yield the last change of each cell that people have made after rulings, and that the inputs have."""
    edits: dict[tuple[str, str, str], tuple[int, Change]] = {}
    for receipt in receipts.by_seq.values():
        is_edits = receipt.kind == "Edits" and _is_as_written(receipt, receipts)
        if not (is_edits or edits):
            continue
        if ruling.seq and receipt.seq >= ruling.seq:
            break
        for change in receipt.changes:
            cell = change.tab, loosely(change.row), change.field
            edits.pop(cell, None)
            if is_edits:
                edits[cell] = receipt.seq, change
    if not edits:
        return
    inputs = form.deserialize(ruling.inputs)
    for cell, (seq, change) in edits.items():
        with suppress(ValueError):  # a value that the column does not take
            if form.after(inputs, {cell: change.before}) != inputs:
                yield seq, change


def _is_as_written(receipt: StoredReceipt, receipts: Receipts) -> bool:
    """Return True unless the receipt after it contradicts it; one of kind Restore begins the chain anew."""
    following = receipts.by_seq.get(receipt.seq + 1)
    return following is None or following.kind == "Restore" or following.previous == receipt.digest


def _lapse_lines(ruling: StoredReceipt) -> str:
    """Return a line for each order that lapsed with the turn that a ruling ended; blank if none lapsed (REQ-18)."""
    lapsed = ruling.figures.lapsed
    lines = (f"\n* {without_markup(on_one_line(f'{id}: {ended(order.why)}'))}" for id, order in lapsed.items())
    return f"\n=== Lapsed ==={''.join(lines)}" if lapsed else ""


def _luck_lines(ruling: StoredReceipt, receipts: Receipts, outcome: Outcome) -> str:
    """Return the lines by which a ruling's receipt says what decided its luck; blank where nothing did.

    It counts the promises of the war (LUCK-04), and names what people typed in place of luck (LUCK-12).
    """
    draw, chain = ruling.draw, receipts.luck.chain
    if draw is None:
        return FROM_SECRET if outcome.is_drawn and ruling.seed_source == "season" else ""
    typed = without_markup("; ".join(outcome.typed))
    round = f"ound {draw.round} of {beacon_name(chain)} ({clock_time(chain.time_of(draw.round))})"
    if outcome.is_drawn:
        decided = f"Decided by r{round},"
        rest = f" People typed, so that no round decided it: {typed}." if typed else ""
    else:
        decided = f"No round decided this: {f'people typed {typed}' if typed else 'nothing is drawn'}. R{round} was"
        rest = ""
    return f"\n=== Luck ===\n* {decided} promised in receipt {draw.promise}. {draw.counted(without_markup)}{rest}"
