"""Rulings written: what stands in their way, what they change in the database, their receipts and logs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.fields import column, loosely, tab_of
from engine.outcome import Event, Outcome, Plain, Update
from sheets_algo.book import Book
from sheets_algo.changes import Changes
from sheets_algo.forms.base import Form
from sheets_algo.ledger import ReceiptBook, season_receipt
from sheets_algo.owned import Added, field_of
from sheets_algo.problems import Cell, Problem
from sheets_algo.receipts import Change, Receipt, fingerprint_of
from sheets_algo.seeds import Secret
from sheets_algo.tables import Row, Table
from sheets_algo.values import shown
from sheets_algo.workbook.base import Address


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Writes the rulings of one pass.

    Args:
        changes: Everything the pass writes.
        book: Its receipts and its log.
        blocked: Cells that take no value, and why.
        secret: The season's.
        log_lines_most: Upper bound of a ruling's share of the Log tab.
        now: Time of the pass, UTC, ISO 8601.
    """

    changes: Changes
    book: ReceiptBook
    blocked: Mapping[Address, str]
    secret: Secret
    log_lines_most: int
    now: str

    def obstacles(
        self, form: Form[Any], book: Book, rows: Sequence[Added], updates: Iterable[Update]
    ) -> Iterator[Problem]:
        """Why what a ruling changes in the database cannot be written.

        Raises:
            KeyError: An update names a row or column that is not there.
            ValueError: Two of the new rows have one name.
        """
        new = {(tab_of(it.record).name, loosely(it.name)) for it in rows}
        if len(new) < len(rows):
            raise ValueError("two rows are to be added under one name")
        for table in dict.fromkeys(book.table(it.record) for it in rows):
            if not table.header_row:
                allowed = "Run init to add the tab with its headers"
                says = "the ruling adds a row here, but there are no headers"
                yield Problem(cell=Cell(table.name), says=says, allowed=allowed, id="DB-03")
        for row in rows:
            yield from self._in_its_place(book.table(row.record), row)
        for it in updates:
            if (it.tab, loosely(it.row)) not in new:
                yield from self.obstacles_of(*field_of(form.database, book, it.tab, it.row, it.field))

    def obstacles_of(self, row: Row, attribute: str) -> Iterator[Problem]:
        """Why a cell that a ruling must write cannot be written (RCP-31)."""
        place = (row.table.name, row.number, row.table.places.get(attribute, 0))
        if place in self.blocked:
            yield row.problem(attribute, "RCP-31", blocked_says(self.blocked[place]))

    def record(
        self,
        form: Form[Any],
        book: Book,
        begun: Receipt,
        outcome: Outcome,
        rows: Sequence[Added],
        lucky: Sequence[Event],
    ) -> Receipt:
        """Write the database changes, the completed receipt and the log.

        Args:
            form: The request's.
            book: The database, which is kept as the ruling leaves it.
            begun: The receipt without number, outcome, changes and time.
            outcome: What the rules say.
            rows: Its new rows, as cells.
            lucky: What the log says at the end (FC-06).
        """
        if not self.book.receipts.season and self.book.guard is None:
            self.book.append(season_receipt(self.book.numbered(), self.secret, self.now))
        receipt = replace(
            begun,
            seq=self.book.numbered(),
            war=outcome.receipt.title,
            ruleset=form.key,
            winner=outcome.winner,
            wiki=outcome.receipt.wiki(escapes_markup=self.book.receipts.escapes_markup),
            inputs_fingerprint=fingerprint_of(begun.inputs),
            changes=tuple(self._changes(form, book, outcome.updates, rows)),
            time=self.now,
        )
        self.book.append(receipt)
        self.book.log(receipt, outcome.events, lucky, self.log_lines_most)
        return receipt

    def _in_its_place(self, table: Table, it: Added) -> Iterator[Problem]:
        """Why a new row cannot be written: a cell below the table, or no row at all (RCP-31)."""
        places = {table.places.get(attribute) for attribute in it.values}
        for place, why in self.blocked.items():
            tab, row, at = place
            if tab == table.name and (row == 0 or (row >= table.next_number and at in places)):
                yield Problem(cell=Cell(*place), says=blocked_says(why), id="RCP-31")

    def _changes(
        self, form: Form[Any], book: Book, updates: Iterable[Update], rows: Iterable[Added]
    ) -> Iterable[Change]:
        """Add the new rows and write the fields; one change for each cell, however often it was written."""
        made = [change for it in rows for change in self._add(book, it)]
        made += [self._change(form, book, update) for update in updates]
        changes: dict[tuple[str, str, str], Change] = {}
        for change in made:
            place = (change.tab, loosely(change.row), change.field)
            changes[place] = replace(changes.get(place, change), after=change.after)
        return changes.values()

    def _add(self, book: Book, it: Added) -> Iterator[Change]:
        """Write one new row; its name stands first among the changes."""
        tab = tab_of(it.record)
        self.changes.add(book.add(it.record, it.values), it.values)
        for attribute in sorted(it.values, key=lambda attribute: attribute != tab.key):
            yield Change(tab.name, it.name, column(it.record, attribute).header, None, it.values[attribute])

    def _change(self, form: Form[Any], book: Book, update: Update) -> Change:
        """Write one database field, and say what stood in its cell."""
        row, attribute = field_of(form.database, book, update.tab, update.row, update.field)
        before = row.value(attribute)
        self.changes.set(row, attribute, update.after)
        book.write(row, attribute, update.after)
        return Change(update.tab, update.row, update.field, plain(before), update.after)


def blocked_says(why: str) -> str:
    """A cell that the program writes takes no value (RCP-31)."""
    return f"the program cannot write here: {why}"


def plain(value: Any) -> Plain:
    """A cell as a receipt keeps it."""
    return value if isinstance(value, (bool, int, float, str)) else shown(value) or None
