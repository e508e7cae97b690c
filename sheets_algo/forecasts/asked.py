"""What is to be forecast: requests as they stand in the workbook, rulings as their receipts froze them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.fields import loosely
from engine.forecast import Replicates
from sheets_algo.again import CannotReplay
from sheets_algo.book import Book
from sheets_algo.desk import is_ready
from sheets_algo.forecasts.edits import BadEdit, Edit, edited, levers, refused
from sheets_algo.forecasts.luck import forecast_seed
from sheets_algo.forecasts.tab import war_of
from sheets_algo.forms.base import Form, request_id
from sheets_algo.problems import Rejected, ended, quoted
from sheets_algo.receipts import Receipt
from sheets_algo.tables import Row
from sheets_algo.workbook.base import Plain, Snapshot


@dataclass(frozen=True)
class Asked:
    """One war whose odds are wanted.

    Args:
        request: Its id.
        war: Its name.
        form: Of its ruleset.
        frozen: Its inputs as a receipt freezes them.
        seed: Of the forecast.
        line: Row of the sheet.
        receipt: Of its ruling, if it is ruled; then the inputs are those it was ruled with.
    """

    request: str
    war: str
    form: Form[Any]
    frozen: str
    seed: int
    line: int = 0
    receipt: Receipt | None = None

    @cached_property
    def inputs(self) -> Any:
        """What is fought with."""
        return self.form.thaw(self.frozen)

    def fight(self, first: int, count: int) -> Replicates:
        """Some battles of its seed."""
        return self.form.ruleset.replicates(self.inputs, self.seed, first, count)

    @property
    def ruling(self) -> Replicates | None:
        """The battle of its ruling, if it is ruled."""
        if self.receipt is None:
            return None
        return self.form.ruleset.replicates(self.inputs, int(self.receipt.seed), 0, 1)


def of_receipt(receipt: Receipt, form: Form[Any], seed: int | None) -> Asked:
    """A ruled war, with the inputs that its receipt froze.

    Raises:
        CannotReplay: Its inputs or its seed cannot be read, or what they name no longer exists.
    """
    cannot = f"Receipt {receipt.seq} ({receipt.request}) cannot be forecast again"
    try:
        form.thaw(receipt.inputs)
    except ValueError as error:
        raise CannotReplay(f"{cannot}: {ended(str(error))}") from error
    if not receipt.seed.isdecimal():
        raise CannotReplay(f"{cannot}: its seed {quoted(receipt.seed)} is not a number.")
    own = forecast_seed(receipt.request, receipt.inputs) if seed is None else seed
    return Asked(receipt.request, receipt.war, form, receipt.inputs, own, receipt=receipt)


def of_row(form: Form[Any], book: Book, row: Row, seed: int | None) -> Asked:
    """A request as it stands.

    Raises:
        Rejected: It cannot be ruled.
    """
    id = request_id(row)
    frozen = form.freeze(form.read(row, book).inputs)
    return Asked(id, war_of(form, row), form, frozen, forecast_seed(id, frozen) if seed is None else seed, row.number)


def ready_rows(form: Form[Any], book: Book, ruled: Iterable[str]) -> list[Row]:
    """The rows that are ready and not ruled yet."""
    known = {loosely(id) for id in ruled}
    return [row for row in book.table(form.request) if is_ready(row) is True and loosely(request_id(row)) not in known]


class WhatIf:
    """The same request in a workbook that is otherwise.

    Args:
        snapshot: As read.
        form: Of its ruleset.
        asked: The request as it stands.
    """

    def __init__(self, snapshot: Snapshot, form: Form[Any], asked: Asked) -> None:
        if asked.receipt is not None:
            raise BadEdit(f"{asked.request} is ruled, so nothing of it can be changed any more; name another request.")
        self.snapshot = snapshot
        self.form = form
        self.asked = asked
        self.book = Book(snapshot, form.records(), form.vocabulary)
        self.form.read(self._row(self.book), self.book)

    def having(self, typed: str, edits: Sequence[Edit]) -> Asked:
        """The request after some edits, on the same luck.

        Args:
            typed: What to call them in a message.
            edits: Which cells.

        Raises:
            BadEdit: The form refuses a value.
        """
        book = Book(edited(self.snapshot, edits), self.form.records(), self.form.vocabulary)
        try:
            return of_row(self.form, book, self._row(book), self.asked.seed)
        except Rejected as rejection:
            raise refused(typed, [problem for problem in rejection.problems if problem.is_error]) from rejection

    def levers(self) -> list[tuple[Edit, Plain, Asked]]:
        """Each number and ranked word of the request and of the rows it names: moved, as it was, and the war then."""
        found = []
        for edits, now in levers(self.book.rows_read, self.form, self.book):
            for edit in edits:
                try:
                    moved = self.having(edit.name, [edit])
                except BadEdit:
                    continue  # what cannot be is no answer to what matters most
                if moved.frozen != self.asked.frozen:
                    found.append((edit, now, moved))
                    break
        return found

    def _row(self, book: Book) -> Row:
        return next(row for row in book.table(self.form.request) if row.number == self.asked.line)
