"""Taking a ruling back: a reversing receipt, and the database cells as they were, if they still show its values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.fields import loosely
from engine.receipt import without_markup
from sheets_algo.book import Book
from sheets_algo.changes import Changes, shows
from sheets_algo.forms.base import Form
from sheets_algo.ledger import ReceiptBook
from sheets_algo.lookup import ruling_of
from sheets_algo.owned import field_of, is_addition
from sheets_algo.projection import UNDONE, Shown, project
from sheets_algo.receipts import Change, Receipt
from sheets_algo.values import is_blank, shown
from sheets_algo.workbook.base import ChangeSet, Snapshot


class CannotUndo(Exception):
    """Why a ruling stays; one reason a line."""


def undo(snapshot: Snapshot, forms: Sequence[Form[Any]], request: str, now: str) -> tuple[Receipt, ChangeSet]:
    """Reverse the ruling of a request.

    Args:
        snapshot: As for a pass.
        forms: Every ruleset of the workbook.
        request: The request's id.
        now: UTC, ISO 8601.

    Returns:
        The reversing receipt and what to write.

    Raises:
        NotFound: There is no ruling.
        CannotUndo: It is undone, or a cell has changed since; nothing is to be written.
    """
    changes = Changes()
    receipts = ReceiptBook(snapshot, changes)
    ruled = _standing(receipts, request)
    form = next((form for form in forms if form.key == ruled.ruleset), None)
    if form is None:
        raise CannotUndo(f"{ruled.request} was ruled by {ruled.ruleset}, whose request tab is missing.")
    book = Book(snapshot, form.records(), form.vocabulary)
    additions = {(it.tab, it.row): it for it in ruled.changes if is_addition(form.database, it)}
    reasons = [reason for it in additions.values() for reason in _in_use(form, book, it, ruled.changes)]
    gone = {place for place, it in additions.items() if not _has_row(form, book, it)}
    kept = (it for it in ruled.changes if (it.tab, it.row) not in gone)
    reasons += [reason for it in kept if (reason := _restore(changes, form, book, it))]
    if reasons:
        raise CannotUndo("\n".join(reasons))
    war = without_markup(ruled.war) if receipts.receipts.escapes_markup else ruled.war
    receipt = Receipt(
        seq=receipts.numbered(),
        kind="Undo",
        request=ruled.request,
        war=ruled.war,
        ruleset=ruled.ruleset,
        wiki=f"Receipt {ruled.seq} ({war}) is undone.",
        changes=tuple(Change(it.tab, it.row, it.field, it.after, it.before) for it in ruled.changes),
        time=now,
    )
    receipts.append(receipt)
    for row in book.table(form.request).by_request.get(loosely(ruled.request), ()):
        project(changes, book, form, Shown(row, ruled.request, "Undone", UNDONE.format(receipt.seq), ruled))
    return receipt, changes.finish(receipts.guard, receipts.receipts.season)


def _standing(receipts: ReceiptBook, request: str) -> Receipt:
    ruled = ruling_of(receipts.receipts, request)
    undone = receipts.receipts.undo_of(request)
    if undone and undone.seq > ruled.seq:
        raise CannotUndo(f"{ruled.request} is undone already, by receipt {undone.seq}.")
    return ruled


def _has_row(form: Form[Any], book: Book, change: Change) -> bool:
    try:
        field_of(form.database, book, change.tab, change.row, change.field)
    except KeyError:
        return False
    return True


def _in_use(form: Form[Any], book: Book, added: Change, changes: Sequence[Change]) -> Iterator[str]:
    """Why a row that the ruling added cannot be emptied: it is gone, or people have put more into it."""
    if not _has_row(form, book, added):
        yield f"{added.tab}: the row {added.row}, which the ruling added, is gone: bring it back, under this name."
        return
    row, _ = field_of(form.database, book, added.tab, added.row, added.field)
    own = {it.field for it in changes if (it.tab, it.row) == (added.tab, added.row)}
    for attribute, column in row.table.columns:
        found = row.value(attribute)
        if column.header not in own and found is not False and not is_blank(found):
            yield (
                f"{row.cell(attribute)} ({added.row}, {column.header}): shows {shown(found)}, in a row that the ruling"
                " added without it; empty the cell first."
            )


def _restore(changes: Changes, form: Form[Any], book: Book, change: Change) -> str:
    """Put one cell back; otherwise the reason why it cannot be."""
    try:
        row, attribute = field_of(form.database, book, change.tab, change.row, change.field)
    except KeyError:
        return (
            f"{change.tab}: the row {change.row} is gone, so its {change.field} cannot be put back: bring the row back,"
            " under this name."
        )
    found = row.value(attribute)
    if not shows(found, change.after):
        cell = row.cell(attribute)
        return (
            f"{cell} ({change.row}, {change.field}): the ruling wrote {shown(change.after)}, now it shows"
            f" {shown(found) or 'nothing'}; put {shown(change.after)} back or undo what came later first."
        )
    changes.set(row, attribute, change.before)
    return ""
