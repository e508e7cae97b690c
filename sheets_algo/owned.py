"""What the program owns: where its database cells stand, whether they and the receipts are as the rulings left them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.fields import column, columns, loosely, tab_of
from engine.outcome import NewRow, Outcome, Plain
from sheets_algo.book import Book
from sheets_algo.changes import shows
from sheets_algo.forms.base import Form
from sheets_algo.problems import Cell, Problem, Severity, quoted
from sheets_algo.receipts import Change, ReceiptRow, Receipts
from sheets_algo.tables import Row
from sheets_algo.values import shown


def field_of(database: Iterable[type], book: Book, tab: str, row: str, header: str) -> tuple[Row, str]:
    """Where a database field stands: its row and attribute.

    Args:
        database: The record classes that count.
        book: As read.
        tab: Name as declared.
        row: The row's name.
        header: As declared.

    Raises:
        KeyError: There is no such tab, row or column (any more).
    """
    record, attribute = _fields(tuple(database)).get((tab, header), (None, ""))
    rows = book.find(record, row) if record else ()
    if not rows:
        raise KeyError(f"{tab} has no row {row!r} with {header!r}")
    return rows[0], attribute


@dataclass(frozen=True, slots=True)
class Added:
    """A row that a ruling adds to a database tab.

    Args:
        record: Of its tab.
        name: What the row is called.
        values: Attribute to value, blank ones left out.
    """

    record: type
    name: str
    values: Mapping[str, Plain]


def added(form: Form[Any], book: Book, row: NewRow) -> Added:
    """What a ruleset's new row means in the workbook.

    Raises:
        KeyError: The ruleset has no such tab or column.
        ValueError: The row has no name, or one that another row has.
    """
    fields = _fields(form.database)
    values = {fields[row.tab, header]: value for header, value in row.values.items() if value not in (None, "")}
    record = next(record for record in form.database if tab_of(record).name == row.tab)
    name = shown(values.get((record, tab_of(record).key)))
    if not name or book.find(record, name):
        raise ValueError(f"a row is to be added to {row.tab} under the name {name!r}, which is not free")
    return Added(record, name, {attribute: value for (_, attribute), value in values.items()})


def left_by(database: Iterable[type], outcome: Outcome) -> dict[tuple[str, str, str], Plain]:
    """What an outcome leaves in the database: tab, row and header to value."""
    keys = {tab_of(record).name: column(record, tab_of(record).key).header for record in database if tab_of(record).key}
    cells = {
        (row.tab, shown(row.values[keys[row.tab]]), header): value
        for row in outcome.rows
        for header, value in row.values.items()
        if value not in (None, "")
    }
    return cells | {(update.tab, update.row, update.field): update.after for update in outcome.updates}


def is_addition(database: Iterable[type], change: Change) -> bool:
    """Whether a change is the name of a row that the ruling added."""
    key = _fields(tuple(database)).get((change.tab, change.field))
    return key is not None and tab_of(key[0]).key == key[1] and change.before is None


@functools.cache
def _fields(database: tuple[type, ...]) -> Mapping[tuple[str, str], tuple[type, str]]:
    """Tab and header, as declared, to record class and attribute."""
    return {
        (tab_of(record).name, column.header): (record, attribute)
        for record in database
        for attribute, column in columns(record)
    }


def edited(receipts: Receipts, database: Iterable[type], book: Book) -> Iterator[Problem]:
    """Receipts that are gone (RCP-01), and cells that show something else than the last receipt left there (RCP-30).

    A moderator may have meant it, so it keeps nothing from being ruled; but nobody shall change a nation unseen.
    """
    yield from _gaps(receipts)
    left: dict[tuple[str, str, str], tuple[int, Change]] = {}
    for receipt in receipts.by_seq.values():
        for change in receipt.changes:
            left[change.tab, loosely(change.row), change.field] = (receipt.seq, change)
    records = tuple(database)
    for seq, change in left.values():
        try:
            row, attribute = field_of(records, book, change.tab, change.row, change.field)
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
