"""What the program owns: where its database cells stand, whether they and the receipts are as the rulings left them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.fields import columns, loosely, tab_of
from sheets_algo.book import Book
from sheets_algo.changes import shows
from sheets_algo.forms.base import Form
from sheets_algo.problems import Cell, Problem, Severity, quoted
from sheets_algo.receipts import Change, ReceiptRow, Receipts
from sheets_algo.tables import Row
from sheets_algo.values import shown


def field_of(form: Form[Any], book: Book, tab: str, row: str, header: str) -> tuple[Row, str]:
    """Where a database field stands: its row and attribute.

    Raises:
        KeyError: There is no such tab, row or column (any more).
    """
    for record in form.database:
        attributes = [name for name, column in columns(record) if (tab_of(record).name, column.header) == (tab, header)]
        rows = book.find(record, row) if attributes else ()
        if rows:
            return rows[0], attributes[0]
    raise KeyError(f"{tab} has no row {row!r} with {header!r}")


def edited(receipts: Receipts, form: Form[Any], book: Book) -> Iterator[Problem]:
    """Receipts that are gone (RCP-01), and cells that show something else than the last receipt left there (RCP-30).

    A moderator may have meant it, so it keeps nothing from being ruled; but nobody shall change a nation unseen.
    """
    yield from _gaps(receipts)
    left: dict[tuple[str, str, str], tuple[int, Change]] = {}
    for receipt in receipts.by_seq.values():
        for change in receipt.changes:
            left[change.tab, loosely(change.row), change.field] = (receipt.seq, change)
    for seq, change in left.values():
        try:
            row, attribute = field_of(form, book, change.tab, change.row, change.field)
        except KeyError:
            continue  # another ruleset's, or a row that people have removed
        found = row.value(attribute)
        if not shows(found, change.after):
            says = f"shows {_said(shown(found))}, but receipt {seq} left it at {_said(shown(change.after))}"
            yield row.warning(
                attribute, "RCP-30", says, allowed="Put that back, unless a moderator changed it on purpose"
            )


def _gaps(receipts: Receipts) -> Iterator[Problem]:
    """Receipts are counted up: a number that is left out was deleted, and its war may be ruled, and count, again."""
    for seq in range(1, receipts.next_seq):
        if seq not in receipts.by_seq:
            yield Problem(
                cell=Cell(ReceiptRow.tab.name),
                says=f"receipt {seq} is gone, so its request counts as never ruled",
                allowed="Bring its row back from an older version, unless a moderator deleted it on purpose",
                id="RCP-01",
                severity=Severity.WARNING,
            )


def _said(words: str) -> str:
    return quoted(words) if words else "nothing"
