"""Rows of a form's further tabs, such as Flanks, and their requests.

A row belongs to the request whose id it has, or whose title if no other request has that (FLR-01, `Table.rows_of`).
A row that a ruling has read by its title still shows its results, even if another request has the title now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.columns import loosely, tab_of
from sheets_algo.database.grouping import grouped
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.requests.row_states import RowKind, RowStates, row_digest
from sheets_algo.workbook.tab_key import TabKey

Place = tuple[TabKey, int]
"""A tab and the number of a row."""


@dataclass(frozen=True)
class PartRows:
    """The rows of the further tabs of one form."""

    form: Form[Any]
    database: Database  # The database of its ruleset
    receipts: Receipts
    states: RowStates  # The states of the rows of its requests

    @cached_property
    def tables(self) -> Sequence[Table]:
        """Return the tabs that have a column Request."""
        tables = map(self.database.table, self.form.parts)
        return [table for table in tables if "request" in table.places]

    @property
    def requests(self) -> Table:
        """Return the tab of the requests."""
        return self.database.table(self.form.request)

    @cached_property
    def of_requests(self) -> Mapping[int, Sequence[Row]]:
        """Return the rows for the results of each request, by the number of the request's row.

        A copy of a request has none: it gets its own id, and the rows show the results of the original.
        """
        rows: dict[int, dict[Place, Row]] = {}
        for table in self.tables if any(self.tables) else ():
            for request in (row for row in self.requests if self.states.of(row).kind is not RowKind.COPY):
                for row in table.rows_of(request):
                    reader = self.readers.get((table.key, row.number))
                    if reader is None or loosely(reader.request) == loosely(request.name):
                        rows.setdefault(request.number, {})[table.key, row.number] = row
            for (tab, number), reader in self.readers.items():
                for request in self.requests.by_name.get(loosely(reader.request), ()) if tab == table.key else ():
                    rows.setdefault(request.number, {})[tab, number] = Row(table, number)
        return {request: [of_request[place] for place in sorted(of_request)] for request, of_request in rows.items()}

    @cached_property
    def readers(self) -> Mapping[Place, StoredReceipt]:
        """Return the ruling in force that has read a row by the title of its request, by the place of the row."""
        if not self._by_digest:
            return {}
        texts = ((text, rows) for table in self.tables for text, rows in table.by_request.items())
        titled = ((row, text) for text, rows in texts if text not in self.requests.by_name for row in rows)
        read = ((row, ruling) for row, text in titled for ruling in self._rulings_with(row) if text in ruling.titles)
        return {(row.table.key, row.number): ruling for row, ruling in read}

    def has_read(self, ruling: StoredReceipt | None, row: Row) -> bool:
        """Return True if a ruling in force has read a row in its current state, whatever its column Request names."""
        return ruling is not None and ruling in self._rulings_with(row)

    def renewed_with(self, request: Row) -> Sequence[Row]:
        """Return the rows that get the next id with a request (REQ-22): those that name its id, except ruled ones."""
        state, id = self.states.of(request), loosely(request.name)
        if state.kind is RowKind.EQUAL_COPY:
            return ()
        rows = (row for table in self.tables for row in table.by_request.get(id, ()))
        return [row for row in rows if not self.has_read(self.receipts.ruling_in_force(id), row)]

    def _rulings_with(self, row: Row) -> Sequence[StoredReceipt]:
        place = tab_of(row.table.record).name, row_digest(row, without="request")
        return self._by_digest.get(place, ())

    @cached_property
    def _by_digest(self) -> Mapping[tuple[str, str], Sequence[StoredReceipt]]:
        """Return the rulings in force by tab and digest of the rows that they have read."""
        own = [ruling for ruling in self.receipts.rulings if ruling.ruleset == self.form.key and ruling.figures.parts]
        in_force = (ruling for ruling in own if not self.receipts.is_undone(ruling))
        return grouped(((part.tab, part.digest), ruling) for ruling in in_force for part in ruling.figures.parts)
