"""What people typed over after rulings, and a later ruling reads (RCP-30)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from engine.columns import loosely
from engine.receipt import on_one_line, without_markup
from sheets_algo.database.wording import value_text
from sheets_algo.forms.base import Form
from sheets_algo.ruling.receipts.receipts import Change, Receipts, StoredReceipt

NAMED = 5
"""Most cells that a receipt names; more are counted."""


def edit_lines(ruling: StoredReceipt, receipts: Receipts, form: Form[Any]) -> str:
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
