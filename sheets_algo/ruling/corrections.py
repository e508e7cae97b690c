"""Reversal of rulings, and acceptance of receipts that are gone or were changed.

An Undo restores the database cells that still show the values of its ruling. Everybody sees a Restore (RCP-19).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.columns import loosely
from engine.errors import ExpectedError
from engine.receipt import without_markup
from sheets_algo.database.cell_text import as_text, is_blank
from sheets_algo.database.changes import Changes, shows
from sheets_algo.database.fields import field_of
from sheets_algo.database.problems import shorten_list
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.database.typed_numbers import certain
from sheets_algo.forms.base import Form
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.luck.draw import Cell
from sheets_algo.ruling.passes.evidence import logged_requests, rows_without_receipt
from sheets_algo.ruling.receipts.chain import LostReceipts, NotedHead, hold, losses, restore_receipt
from sheets_algo.ruling.receipts.lookup import ruling_of
from sheets_algo.ruling.receipts.receipt_tab import ReceiptLog
from sheets_algo.ruling.receipts.receipts import Change, Receipts, StoredReceipt
from sheets_algo.ruling.requests.program_cells import is_addition
from sheets_algo.ruling.requests.row_states import RowStates
from sheets_algo.ruling.requests.status_columns import UNDONE, PartRows, StatusCells, write_status
from sheets_algo.ruling.step import Step
from sheets_algo.workbook.addresses import Address
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.tab_key import TabKey


class CannotUndo(ExpectedError):
    """A ruling that cannot be undone; the message has one reason in each line."""

    exit_code = 1


def undo(
    snapshot: Snapshot,
    forms: Sequence[Form[Any]],
    receipts: Receipts,
    request: str,
    now: str,
    noted: Iterable[NotedHead] = (),
    steps: Sequence[Step] = (),
    blocked: Collection[Address] = (),
) -> tuple[StoredReceipt, ChangeSet]:
    """Reverse the ruling of a request.

    Args:
        steps: The steps of the workbook, which may forbid it, and whose cells and rows follow the receipt.
        blocked: The addresses of cells that take no value; mere displays there are left out (RCP-31).

    Returns:
        The reversing receipt and the changes to write.

    Raises:
        NotFound: There is no ruling.
        CannotUndo: The ruling is undone already, a cell has changed since, or a step forbids it.
        WorkbookUnavailable: Receipts are gone or were changed, or the workbook is a copy (RCP-38).
    """
    if held := hold(receipts, noted):
        raise WorkbookUnavailable(f"Nothing is undone now. {held}")
    ruling, undone = ruling_of(receipts, request), receipts.undo_of(request)
    if undone and undone.seq > ruling.seq:
        raise CannotUndo(f"{ruling.request} is undone already, by receipt {undone.seq}.")
    form = next((form for form in forms if form.key == ruling.ruleset), None)
    if form is None:
        raise CannotUndo(f"{ruling.request} was ruled by {ruling.ruleset}, whose request tab is missing.")
    database = Database(snapshot, form.records(), form.vocabulary)
    tabs = dict.fromkeys(change.tab for change in ruling.changes)
    if missing := [tab for tab in tabs if snapshot.sheet(TabKey.named(tab)) is None]:
        raise CannotUndo("\n".join(f"{tab}: the tab is missing: bring it back, under this name." for tab in missing))
    request_tabs = {database.table(record).key for record in (form.request, *form.parts)}
    changes = Changes({place for place in blocked if place[0] in request_tabs})
    log = ReceiptLog(snapshot, changes, receipts, [step.after for step in steps])
    additions = {(change.tab, change.row): change for change in ruling.changes if is_addition(form.database, change)}
    later = {
        change.cell: receipt
        for receipt in receipts.by_seq.values()
        if receipt.seq > ruling.seq and receipt.kind != "Undo" and not receipts.is_undone(receipt)
        for change in receipt.changes
    }
    places = {change: _place(form, database, change) for change in ruling.changes}
    reasons = [reason for added in additions.values() for reason in _obstacles(added, places[added], ruling, later)]
    undoings = [step.undo(form, database, ruling) for step in steps]
    reasons += [reason for undoing in undoings for reason in undoing.reasons]
    gone = {key for key, added in additions.items() if places[added] is None}
    restored = (change for change in ruling.changes if (change.tab, change.row) not in gone)
    reasons += [reason for change in restored if (reason := _restore(changes, change, places[change], later))]
    if reasons:
        raise CannotUndo("\n".join(reasons))
    name, war = (without_markup(text) for text in (ruling.request, ruling.war))
    receipt = StoredReceipt(
        seq=log.next_seq,
        kind="Undo",
        request=ruling.request,
        war=ruling.war,
        ruleset=ruling.ruleset,
        wiki=f"The ruling of {name} ({war}) is undone.",
        changes=tuple(Change(cell.tab, cell.row, cell.field, cell.after, cell.before) for cell in ruling.changes),
        time=now,
    )
    receipt = log.append(receipt)
    states = RowStates(form, database, receipts)
    rows = database.table(form.request).by_request.get(loosely(ruling.request), [])
    for row in (states.of(other).holder for other in rows[:1]):  # a copy of the row was not ruled
        parts = PartRows(form, database, receipts, states)
        write_status(changes, parts, StatusCells(row, ruling.request, "Undone", UNDONE, ruling))
    for edit in (edit for undoing in undoings for edit in undoing.edits):
        changes.set(edit.row, edit.attribute, edit.value)
    return receipt, changes.finish(log.guard, receipts.season, log.head, receipts.head)


Place = tuple[Row, str] | None
"""The row and the attribute of a changed cell; None if the row is gone."""


def _place(form: Form[Any], database: Database, change: Change) -> Place:
    try:
        return field_of(form.database, database, change.tab, change.row, change.field)
    except KeyError:
        return None


def _obstacles(
    added: Change, place: Place, ruling: StoredReceipt, later: Mapping[Cell, StoredReceipt]
) -> Iterator[str]:
    """Yield the reasons why an added row cannot be emptied: it is lost, or people or later rulings have added values.

    Args:
        later: The same as of `_restore`.
    """
    if place is None:
        yield f"{added.tab}: the row {added.row}, which the ruling added, is gone: bring it back, under this name."
        return
    row, _ = place
    changed_headers = {change.field for change in ruling.changes if (change.tab, change.row) == (added.tab, added.row)}
    for attribute, column in row.table.columns:
        value = row.value(attribute)
        if column.header not in changed_headers and value is not False and not is_blank(value):
            way_out = undo_first(later.get((added.tab, loosely(added.row), column.header))) or "empty the cell first"
            yield (
                f"{row.cell(attribute)} ({added.row}, {column.header}): shows {as_text(value)}, in a row that the"
                f" ruling added without it; {way_out}."
            )


def undo_first(last: StoredReceipt | None) -> str:
    """Return the remedy for a cell of a later ruling; blank for none, and for an edit by a person."""
    return f"undo {last.request} first (receipt {last.seq})" if last and last.kind == "Ruling" else ""


def _restore(changes: Changes, change: Change, place: Place, later: Mapping[Cell, StoredReceipt]) -> str:
    """Restore one cell and return a blank text, or return the reason why it cannot be restored.

    Args:
        later: The last later receipt that wrote each cell, without undone rulings.
    """
    if place is None:
        return (
            f"{change.tab}: the row {change.row} is gone, so its {change.field} cannot be put back: bring the row back,"
            " under this name."
        )
    row, attribute = place
    value = row.value(attribute)
    if not shows(value, change.after):
        wrote, last = as_text(change.after) or "nothing", later.get(change.cell)
        way_out = undo_first(last) or f"type {wrote} again"
        return (
            f"{row.cell(attribute)} ({change.row}, {change.field}): the ruling wrote {wrote}, but the cell now shows"
            f" {as_text(value) or 'nothing'}; {way_out}."
        )
    changes.set(row, attribute, certain(dict(row.table.columns)[attribute], change.before))
    return ""


WARS_NAMED = 50
"""Maximum number of lost rulings that a receipt names."""

NUMBER_MOST = 900_000
"""The highest number of such a receipt; the season continues after it, and must not run out of numbers."""


NO_SEASON = (
    "This cannot be accepted: {0}, and among them the row of Kind Season, without which no season goes on. {0.ways_on}."
)

TOO_MANY = (
    "This cannot be accepted: {}. No season has so many receipts, and hardly a number would be left for the next ones."
    " A Seq in Receipts was changed, or what notes the last receipt: put it right, or play on in a new spreadsheet."
)


class NothingToAccept(ExpectedError):
    """An acceptance without any lost or changed receipt."""

    exit_code = 0


def restore(
    snapshot: Snapshot, forms: Sequence[Form[Any]], receipts: Receipts, now: str, noted: Sequence[NotedHead]
) -> tuple[StoredReceipt, LostReceipts, ChangeSet]:
    """Accept lost and changed receipts, so that the season can continue.

    Args:
        snapshot: The snapshot of the tabs that a pass reads, and the whole tab Log.

    Returns:
        The receipt of the acceptance, its content, and the changes to write.

    Raises:
        NothingToAccept: No receipt is lost or changed.
        WorkbookUnavailable: The essential Season row is lost; or more receipts are missing than any season can have.
    """
    changes = Changes()
    log = ReceiptLog(snapshot, changes, receipts)
    lost = losses(receipts, noted)
    if not lost:
        raise NothingToAccept(f"Nothing is gone: the receipts are those that were written, up to {receipts.head}.")
    if not receipts.season:
        raise WorkbookUnavailable(NO_SEASON.format(lost))
    held = hold(receipts, noted)
    if held and held.id != lost.problem.id:
        raise WorkbookUnavailable(f"This cannot be accepted. {held}")
    receipt = restore_receipt(receipts, lost, _known_wars(snapshot, forms, receipts, lost), now)
    if receipt.seq > NUMBER_MOST:
        raise WorkbookUnavailable(TOO_MANY.format(lost))
    receipt = log.append(receipt)
    known = max((head.head for head in noted), key=lambda head: head.seq, default=receipts.head)
    return receipt, lost, changes.finish(receipt.seq, receipts.season, log.head, known)


def _known_wars(
    snapshot: Snapshot, forms: Sequence[Form[Any]], receipts: Receipts, lost: LostReceipts
) -> tuple[str, ...]:
    """Return the traces of lost rulings in the Log and in rows of requests."""
    wars = [
        f"receipt {seq} ruled {request}"
        for seq, request in logged_requests(snapshot).items()
        if any(first <= seq <= last for first, last in lost.missing)
    ]
    for row in rows_without_receipt(snapshot, forms, receipts):
        war = as_text(row.value("war")) if "war" in dict(row.table.columns) else ""
        name = f"{request_id(row)} ({war})" if war else request_id(row)
        wars.append(f"{name} shows a ruling of {as_text(row.value('ruled_at'))}")
    return shorten_list(wars, WARS_NAMED)
