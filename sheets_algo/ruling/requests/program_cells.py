"""Database cells that rulings write, rows that they add, and later edits by people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.columns import Field, column, row_label, tab_of
from engine.ruleset import NewRow, Outcome, Plain
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.changes import shows
from sheets_algo.database.fields import field_of, fields_of, plain
from sheets_algo.database.grouping import grouped
from sheets_algo.database.problems import Problem, count, quoted
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Edit, Row
from sheets_algo.database.typed_numbers import certain
from sheets_algo.forms.base import Form
from sheets_algo.forms.edits import apply_edits
from sheets_algo.ruling.receipts.receipts import Change, Receipts, StoredReceipt
from sheets_algo.workbook.snapshot import Snapshot

EDITS_NAMED = 5
"""Maximum number of rows that a warning of edited cells lists."""


@dataclass(frozen=True, slots=True)
class AddedRow:
    """A row that a ruling adds to a database tab."""

    record: type  # The record class of the tab
    name: str  # The row's name
    values: Mapping[str, Plain]  # The values by attribute, without blank ones


def added_row(form: Form[Any], database: Database, row: NewRow) -> AddedRow:
    """Return the workbook row of a ruleset's new row.

    Raises:
        KeyError: The ruleset has no such tab or column.
        ValueError: The row has no name, or one that another row has.
    """
    fields = fields_of(form.database)
    values = {fields[row.tab, header]: value for header, value in row.values.items() if value not in (None, "")}
    record = next(record for record in form.database if tab_of(record).name == row.tab)
    name = _row_name(record, row.values)
    if not name or database.labelled(record, name):
        raise ValueError(f"a row is to be added to {row.tab} under the name {name!r}, which is not free")
    return AddedRow(record, name, {attribute: value for (_, attribute), value in values.items()})


def values_left(database: Iterable[type], outcome: Outcome) -> dict[tuple[str, str, str], Plain]:
    """Return the database values of an outcome, by tab, row and header."""
    records = {tab_of(record).name: record for record in database}
    cells = {
        (row.tab, _row_name(records[row.tab], row.values), header): value
        for row in outcome.rows
        for header, value in row.values.items()
        if value not in (None, "")
    }
    return cells | {(update.tab, update.row, update.field): update.after for update in outcome.updates}


def _row_name(record: type, values: Mapping[str, Plain]) -> str:
    """Return the name of a new row, in a tab in which rows may share a name its label."""
    tab = tab_of(record)
    name = as_text(values.get(column(record, tab.key).header)) if tab.key else ""
    return row_label(name, as_text(values.get(column(record, tab.within).header))) if tab.within and name else name


def is_addition(database: Iterable[type], change: Change) -> bool:
    """Return True if a change is the name of a row that the ruling added."""
    key = fields_of(tuple(database)).get((change.tab, change.field))
    return key is not None and tab_of(key[0]).key == key[1] and change.before is None


@dataclass(frozen=True, slots=True)
class DatabaseEdit:
    """A database cell that a person has changed since a ruling (RCP-30)."""

    row: Row  # The row of the cell
    attribute: str  # The attribute of the column
    seq: int  # The receipt that last wrote the cell
    change: Change  # The value that the receipt left, and the value that the cell shows
    added: str = ""  # People's addition to the value of the receipt: `2,000 recruits`; blank for another edit

    def __str__(self) -> str:
        return f"{self.change.row} {_value_text(self.change.before)} → {_value_text(self.change.after)}"


def find_edits(receipts: Receipts, forms: Iterable[Form[Any]], database: Database) -> Iterator[DatabaseEdit]:
    """Yield the database cells that differ from the last receipt that wrote them."""
    left: dict[tuple[str, str, str], tuple[int, Change]] = {}
    for receipt in receipts.by_seq.values():
        for change in receipt.changes:
            left[change.cell] = (receipt.seq, change)
    records = tuple(dict.fromkeys(record for form in forms for record in form.database))
    for seq, change in left.values():
        try:
            row, attribute = field_of(records, database, change.tab, change.row, change.field)
        except KeyError:
            continue  # a cell of another ruleset, or of a row that people have removed
        value = row.value(attribute)
        if not shows(value, change.after):
            column, after = dict(row.table.columns)[attribute], database.content(row.table.record, attribute, value)
            edit = replace(change, before=change.after, after=plain(value))
            yield DatabaseEdit(row, attribute, seq, edit, _added(column, change.after, after))


def _added(column: Field, before: Plain, after: Any) -> str:
    """Return people's addition to a ruling's value in a column of additions; blank for any other edit."""
    if before in (None, "") and isinstance(after, str):
        return column.additions
    if not isinstance(after, int | float) or isinstance(before, str):
        return ""
    more = after - (before or 0)
    return f"{more:,} {column.additions}" if column.additions and more > 0 else ""


def edit_problems(edits: Iterable[DatabaseEdit]) -> Iterator[Problem]:
    """Yield a warning for each column that people have changed after a ruling, at its first cell (RCP-30).

    Edits may be intended, so they do not prevent rulings; the next ruling accepts them. Recruits are a note.
    """
    groups = grouped(((edit.seq, edit.change.tab, edit.change.field, bool(edit.added)), edit) for edit in edits)
    for group in groups.values():
        first, change = group[0], group[0].change
        before, after = _value_text(change.before), _value_text(change.after)
        says = f"shows {after}, but the last receipt left it at {before}"
        if first.added:
            says = f"shows {after}, and the last receipt left it at {before}: {first.added}"
        if len(group) > 1:
            more = "; ".join(map(str, group[1:EDITS_NAMED])) + ("; ..." if len(group) > EDITS_NAMED else "")
            says += f", and {count(len(group) - 1, 'other row')} of this column were changed too ({more})"
        if first.added:
            yield first.row.note(first.attribute, "RCP-30", says, allowed="The next ruling accepts it")
        else:
            allowed = "Put that back if it is a mistake; the next ruling accepts it"
            yield first.row.warning(first.attribute, "RCP-30", says, allowed=allowed)


def with_edits(form: Form[Any], snapshot: Snapshot, database: Database, edits: Iterable[Edit]) -> Database:
    """Return the database of a form after the earlier rulings, with some cells edited."""
    rows = (
        (Row(database.table(record), number), attribute)
        for record in form.records()
        for number, attribute in database.table(record).overlay
    )
    written = (Edit(row, attribute, plain(row.value(attribute))) for row, attribute in rows)
    all_edits = [replace(edit, value=certain(edit.column, edit.value)) for edit in (*written, *edits)]
    return Database(apply_edits(snapshot, all_edits), form.records(), database.vocabulary)


def _value_text(value: Plain) -> str:
    text = as_text(value)
    return quoted(text) if text else "nothing"


def edits_receipt(seq: int, form: Form[Any], edits: Iterable[DatabaseEdit], now: str) -> StoredReceipt:
    """Return the receipt that accepts people's changes after rulings (RCP-30)."""
    changes = tuple(edit.change for edit in edits)
    names = dict.fromkeys(f"{change.field} of {change.row}" for change in changes)
    wiki = f"Changed by hand after a ruling, and accepted: {'; '.join(names)}."
    return StoredReceipt(seq=seq, kind="Edits", ruleset=form.key, wiki=wiki, changes=changes, time=now)
