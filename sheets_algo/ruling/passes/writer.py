"""Writing of rulings: obstacles, database changes, receipts and logs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from engine.columns import column, loosely, tab_of
from engine.ruleset import Event, Outcome, Update
from sheets_algo.database.problems import CellRef, Problem
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form
from sheets_algo.ruling.passes.pass_state import PassState, blocked_says
from sheets_algo.ruling.passes.receipt_log import edits_receipt
from sheets_algo.ruling.promises.promises import luck_lines
from sheets_algo.ruling.receipts.lapse_lines import lapse_lines
from sheets_algo.ruling.receipts.own_numbers import table_lines
from sheets_algo.ruling.receipts.receipts import Change, StoredReceipt
from sheets_algo.ruling.receipts.typed_back import edit_lines
from sheets_algo.ruling.requests.program_cells import AddedRow, field_of, plain


def obstacles(
    state: PassState, form: Form[Any], database: Database, rows: Sequence[AddedRow], updates: Iterable[Update]
) -> Iterator[Problem]:
    """Yield the reasons why a ruling's database changes cannot be written.

    Raises:
        KeyError: An update names a row or column that does not exist.
        ValueError: Two of the new rows have one name.
    """
    new = {(tab_of(row.record).name, loosely(row.name)) for row in rows}
    if len(new) < len(rows):
        raise ValueError("two rows are to be added under one name")
    for table in dict.fromkeys(database.table(row.record) for row in rows):
        if not table.header_row:
            allowed = "Run init to add the tab with its headers"
            says = "the ruling adds a row here, but there are no headers"
            yield Problem(cell=CellRef(table.name), says=says, allowed=allowed, id="DB-03")
    for row in rows:
        yield from _row_obstacles(state, database.table(row.record), row)
    for update in updates:
        if (update.tab, loosely(update.row)) not in new:
            changed, attribute = field_of(form.database, database, update.tab, update.row, update.field)
            yield from state.obstacles_of(changed, attribute)
            yield from _ambiguity(database, changed, update)


def record(
    state: PassState,
    form: Form[Any],
    database: Database,
    begun: StoredReceipt,
    outcome: Outcome,
    rows: Sequence[AddedRow],
    lucky: Sequence[Event],
) -> StoredReceipt:
    """Write the database changes, the completed receipt and the log.

    Cells that people have changed since the last ruling are accepted with this one (RCP-30).

    Args:
        form: The form of the request.
        database: The database, which is updated in memory.
        begun: The receipt without number, outcome, changes and time.
        outcome: The outcome of the ruling.
        rows: The new rows of the outcome, as cells.
        lucky: The last lines of the log (FC-06).
    """
    if state.edits:
        state.log.append(edits_receipt(state.log.numbered(), form, state.edits, state.now))
        state.edits = ()
    seen = state.log.with_new
    receipt = replace(
        begun,
        seq=state.log.numbered(),
        war=outcome.receipt.title,
        ruleset=form.key,
        winner=outcome.winner,
        wiki=outcome.receipt.wiki(seen.options)
        + table_lines(seen, form)
        + edit_lines(begun, seen, form)
        + lapse_lines(begun)
        + luck_lines(begun, seen.luck, outcome),
        inputs_fingerprint=begun.fingerprint,
        changes=tuple(_changes(state, form, database, outcome.updates, rows)),
        time=state.now,
    )
    receipt = state.log.append(receipt)
    state.log.append_log(receipt, outcome.events, lucky, state.context.writing.log_lines_most)
    return receipt


def _row_obstacles(state: PassState, table: Table, added: AddedRow) -> Iterator[Problem]:
    """Yield the reasons why a row cannot be added: blocked cells below the table or a blocked tab (RCP-31)."""
    places = {table.places.get(attribute) for attribute in added.values}
    for place, reason in state.context.before.blocked.items():
        tab, row, column = place
        if tab == table.name and (row == 0 or (row >= table.next_number and column in places)):
            yield Problem(cell=CellRef(*place), says=blocked_says(reason), id="RCP-31")


def _changes(
    state: PassState, form: Form[Any], database: Database, updates: Iterable[Update], rows: Iterable[AddedRow]
) -> Iterable[Change]:
    """Add the new rows and write the updates, and return one change for each cell."""
    new_changes = [change for row in rows for change in _add_row(state, database, row)]
    new_changes += [_write_update(state, form, database, update) for update in updates]
    changes: dict[tuple[str, str, str], Change] = {}
    for change in new_changes:
        cell = (change.tab, loosely(change.row), change.field)
        changes[cell] = replace(changes.get(cell, change), after=change.after)
    return changes.values()


def _add_row(state: PassState, database: Database, added: AddedRow) -> Iterator[Change]:
    """Add one new row and yield its changes, the name first."""
    tab = tab_of(added.record)
    state.changes.add(database.add(added.record, added.values), added.values)
    for attribute in sorted(added.values, key=lambda attribute: attribute != tab.key):
        yield Change(tab.name, added.name, column(added.record, attribute).header, None, added.values[attribute])


def _write_update(state: PassState, form: Form[Any], database: Database, update: Update) -> Change:
    """Write one database field and return its change."""
    row, attribute = field_of(form.database, database, update.tab, update.row, update.field)
    before = row.value(attribute)
    state.write(database, row, attribute, update.after)
    return Change(update.tab, update.row, update.field, plain(before), update.after)


def _ambiguity(database: Database, row: Row, update: Update) -> Iterator[Problem]:
    """Yield the problem of an update that names several rows: two armies of a nation that share a name (R-94)."""
    key, others = tab_of(row.table.record).key, database.labelled(row.table.record, update.row)[1:]
    if others:
        says = f"{update.field} of {update.row} is to be changed, and {others[0].cell(key)} has this name too"
        yield row.problem(key, "R-94", says, allowed="Give each a name of its own")
