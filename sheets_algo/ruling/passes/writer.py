"""Writing of rulings: obstacles, database changes, receipts and logs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.columns import column, loosely, tab_of
from engine.ruleset import Event, Outcome, Update
from sheets_algo.database.problems import CellRef, Problem
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form
from sheets_algo.ruling.passes.plan import PassContext
from sheets_algo.ruling.passes.receipt_log import ReceiptLog, edits_receipt
from sheets_algo.ruling.promises.promises import luck_lines
from sheets_algo.ruling.receipts.changes import Changes
from sheets_algo.ruling.receipts.lapse_lines import lapse_lines
from sheets_algo.ruling.receipts.own_numbers import table_lines
from sheets_algo.ruling.receipts.receipts import Change, StoredReceipt
from sheets_algo.ruling.receipts.typed_back import edit_lines
from sheets_algo.ruling.requests.program_cells import AddedRow, DatabaseEdit, field_of, plain


@dataclass(frozen=True, slots=True)
class PlanWriter:
    """Writer of the rulings of one pass."""

    changes: Changes  # The collector of everything that the pass writes
    log: ReceiptLog  # The receipts and the log
    context: PassContext  # The context of the pass
    now: str  # The time of the pass in UTC, ISO 8601

    def obstacles(
        self, form: Form[Any], database: Database, rows: Sequence[AddedRow], updates: Iterable[Update]
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
            yield from self._row_obstacles(database.table(row.record), row)
        for update in updates:
            if (update.tab, loosely(update.row)) not in new:
                changed, attribute = field_of(form.database, database, update.tab, update.row, update.field)
                yield from self.obstacles_of(changed, attribute)
                yield from _ambiguity(database, changed, update)

    def obstacles_of(self, row: Row, attribute: str) -> Iterator[Problem]:
        """Yield the reason why a cell that a ruling must write cannot be written (RCP-31)."""
        place = (row.table.name, row.number, row.table.places.get(attribute, 0))
        if place in self.context.before.blocked:
            yield row.problem(attribute, "RCP-31", blocked_says(self.context.before.blocked[place]))

    def record(
        self,
        form: Form[Any],
        database: Database,
        begun: StoredReceipt,
        outcome: Outcome,
        rows: Sequence[AddedRow],
        lucky: Sequence[Event],
        edits: Sequence[DatabaseEdit] = (),
    ) -> StoredReceipt:
        """Write the database changes, the completed receipt and the log.

        Args:
            form: The form of the request.
            database: The database, which is updated in memory.
            begun: The receipt without number, outcome, changes and time.
            outcome: The outcome of the ruling.
            rows: The new rows of the outcome, as cells.
            lucky: The last lines of the log (FC-06).
            edits: The cells that people have changed since the last ruling, which are accepted with this one (RCP-30).
        """
        if edits:
            self.log.append(edits_receipt(self.log.numbered(), form, edits, self.now))
        seen = self.log.with_new
        receipt = replace(
            begun,
            seq=self.log.numbered(),
            war=outcome.receipt.title,
            ruleset=form.key,
            winner=outcome.winner,
            wiki=outcome.receipt.wiki(seen.options)
            + table_lines(seen, form)
            + edit_lines(begun, seen, form)
            + lapse_lines(begun)
            + luck_lines(begun, seen.luck, outcome),
            inputs_fingerprint=begun.fingerprint,
            changes=tuple(self._changes(form, database, outcome.updates, rows)),
            time=self.now,
        )
        receipt = self.log.append(receipt)
        self.log.append_log(receipt, outcome.events, lucky, self.context.writing.log_lines_most)
        return receipt

    def _row_obstacles(self, table: Table, added: AddedRow) -> Iterator[Problem]:
        """Yield the reasons why a row cannot be added: blocked cells below the table or a blocked tab (RCP-31)."""
        places = {table.places.get(attribute) for attribute in added.values}
        for place, reason in self.context.before.blocked.items():
            tab, row, column = place
            if tab == table.name and (row == 0 or (row >= table.next_number and column in places)):
                yield Problem(cell=CellRef(*place), says=blocked_says(reason), id="RCP-31")

    def _changes(
        self, form: Form[Any], database: Database, updates: Iterable[Update], rows: Iterable[AddedRow]
    ) -> Iterable[Change]:
        """Add the new rows and write the updates, and return one change for each cell."""
        new_changes = [change for row in rows for change in self._add_row(database, row)]
        new_changes += [self._write_update(form, database, update) for update in updates]
        changes: dict[tuple[str, str, str], Change] = {}
        for change in new_changes:
            cell = (change.tab, loosely(change.row), change.field)
            changes[cell] = replace(changes.get(cell, change), after=change.after)
        return changes.values()

    def _add_row(self, database: Database, added: AddedRow) -> Iterator[Change]:
        """Add one new row and yield its changes, the name first."""
        tab = tab_of(added.record)
        self.changes.add(database.add(added.record, added.values), added.values)
        for attribute in sorted(added.values, key=lambda attribute: attribute != tab.key):
            yield Change(tab.name, added.name, column(added.record, attribute).header, None, added.values[attribute])

    def _write_update(self, form: Form[Any], database: Database, update: Update) -> Change:
        """Write one database field and return its change."""
        row, attribute = field_of(form.database, database, update.tab, update.row, update.field)
        before = row.value(attribute)
        self.changes.set(row, attribute, update.after)
        database.write(row, attribute, update.after)
        return Change(update.tab, update.row, update.field, plain(before), update.after)


def _ambiguity(database: Database, row: Row, update: Update) -> Iterator[Problem]:
    """Yield the problem of an update that names several rows: two armies of a nation that share a name (R-94)."""
    key, others = tab_of(row.table.record).key, database.labelled(row.table.record, update.row)[1:]
    if others:
        says = f"{update.field} of {update.row} is to be changed, and {others[0].cell(key)} has this name too"
        yield row.problem(key, "R-94", says, allowed="Give each a name of its own")


def blocked_says(why: str) -> str:
    """Return the sentence for a blocked cell (RCP-31)."""
    return f"the program cannot write here: {why}"
