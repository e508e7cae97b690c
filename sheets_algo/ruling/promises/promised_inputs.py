"""What a request reads beside what it was promised for: what rulings have written since, what people changed (LUCK-09).

What an earlier ruling changes is part of the game and voids no promise. What a person changes does, and is named.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from engine.columns import loosely
from engine.receipt import on_one_line
from engine.ruleset import Plain
from sheets_algo.database.changes import shows
from sheets_algo.database.fields import field_of
from sheets_algo.database.problems import Rejected, shortened
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Edit, Row
from sheets_algo.database.wording import shorten_list
from sheets_algo.forms.base import Form
from sheets_algo.ruling.luck.draw import Cell
from sheets_algo.ruling.receipts.receipts import Change, Receipts, StoredReceipt
from sheets_algo.ruling.requests.program_cells import with_edits
from sheets_algo.workbook.snapshot import Snapshot

NAMED = 3
"""Most changes of people that a promise names; more are counted."""


def written_since(receipts: Receipts, promise: int, before: float) -> dict[Cell, Change]:
    """Return the cells that rulings have written between a promise and a receipt: the first and the last value of each.

    An undone ruling of that time counts as never made; one that was undone after the promise, but made before, was
    changed by a person.
    """
    since = [receipt for seq, receipt in receipts.by_seq.items() if promise < seq < before]
    rulings = {loosely(receipt.request) for receipt in since if receipt.kind == "Ruling"}
    written: dict[Cell, Change] = {}
    for receipt in since:
        if receipt.kind == "Ruling" or (receipt.kind == "Undo" and loosely(receipt.request) in rulings):
            for change in receipt.changes:
                first = written.get(change.cell, change)
                written[change.cell] = Change(first.tab, first.row, first.field, first.before, change.after)
    return written


def expected_inputs(form: Form[Any], promise: StoredReceipt, receipts: Receipts, before: float) -> str | None:
    """Return the inputs that a promised request has according to receipts alone; None if they cannot be read here."""
    written = {cell: change.after for cell, change in written_since(receipts, promise.seq, before).items()}
    if not written:
        return promise.inputs
    try:
        return form.serialize(form.after(form.deserialize(promise.inputs), written))
    except (ValueError, TypeError):  # edited inputs, or a map that is not here
        return None


def inputs_without(
    form: Form[Any], snapshot: Snapshot, database: Database, row: Row, written: Mapping[Cell, Change]
) -> str:
    """Return the inputs that a request would have without what rulings have written; blank if it could not be ruled.

    A cell that a person has changed since keeps that value; one to which a person has given the value of before shows
    what the ruling wrote, since putting it back is a change too.
    """
    edits: list[Edit] = []
    for change in written.values():
        try:
            place, attribute = field_of(form.database, database, change.tab, change.row, change.field)
        except KeyError:
            continue  # of another ruleset, or a row that people have removed
        value = place.value(attribute)
        if shows(value, change.after):
            edits.append(Edit(place, attribute, change.before))
        elif shows(value, change.before):
            edits.append(Edit(place, attribute, change.after))
    book = with_edits(form, snapshot, database, edits)
    same = next((other for other in book.table(form.request) if other.number == row.number), None)
    try:
        return form.serialize(form.read(same, book).inputs) if same else ""
    except Rejected:
        return ""


def named_changes(expected: str, actual: str) -> tuple[str, ...]:
    """Return the differences of two inputs, in words: `size of Host of Left: 9,000 → 9,100`."""
    try:
        words = dict.fromkeys(_differences("", "", json.loads(expected or "{}"), json.loads(actual or "{}")))
    except (ValueError, RecursionError):
        words = {"the inputs": None}
    return shorten_list([*words], NAMED, "{:,} more")


def rule_changes(promise: StoredReceipt, fingerprint: str, version: int) -> tuple[str, ...]:
    """Return what differs between the rules of a promise and others, in words."""
    changes = []
    if promise.rules_fingerprint != fingerprint:
        changes.append(f"the tables of the rules: {promise.rules_fingerprint[:12]} → {fingerprint[:12]}")
    if promise.rules_version != version:
        changes.append(f"the version of the rules: {promise.rules_version} → {version}")
    return tuple(changes)


def _differences(what: str, whose: str, one: Any, other: Any) -> Iterator[str]:
    """Yield the differences of two parsed inputs; `what` is a part of them, `whose` the name of what it belongs to."""
    if isinstance(one, dict) and isinstance(other, dict):
        name = str(one.get("name") or one.get("label") or "")
        for key in dict.fromkeys((*one, *other)):
            is_name = key in ("name", "label")
            part = what if is_name and what else key.replace("_", " ")  # another army is not a new name of the old one
            yield from _differences(part, whose if is_name else name or whose, one.get(key), other.get(key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (left, right) in enumerate(zip(one, other, strict=True), start=1):
            yield from _differences(f"{what} {place}", whose, left, right)
    elif one != other:
        of = f" of {whose}" if whose else ""
        yield on_one_line(f"{what}{of}: {_word(one)} → {_word(other)}")


def _word(value: Plain | list[Any] | dict[str, Any]) -> str:
    if isinstance(value, dict):
        return shortened(str(value.get("name") or value.get("label") or "something else"))
    if isinstance(value, list):
        return f"{len(value):,} entries"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:,}"
    return shortened(str(value)) if value not in (None, "") else "nothing"
