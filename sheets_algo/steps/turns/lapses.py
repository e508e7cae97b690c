"""Orders that lapse with their turn, since a ruling has made them impossible (REQ-18)."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from engine.columns import loosely
from sheets_algo.database.causes import CellName, LapseCause
from sheets_algo.database.changes import shows
from sheets_algo.database.fields import field_of
from sheets_algo.database.problems import Problem
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.capabilities import CurrentTurn, TurnForm
from sheets_algo.ruling.receipts.receipt_tab import ReceiptLog
from sheets_algo.ruling.receipts.receipts import Change, StoredReceipt

Written = tuple[StoredReceipt, Change]
"""A change of a cell, with its receipt."""


class Lapses:
    """The rulings that have made orders of one request tab impossible."""

    def __init__(self, form: TurnForm[Any], database: Database, log: ReceiptLog) -> None:
        self._form, self._database, self._log = form, database, log
        self._found: dict[CellName, list[Written]] = {}
        """The changes of each cell, of the receipts before the pass and the first `_noted` of the pass."""
        self._noted: int | None = None

    def reason(self, row: Row, problems: Iterable[Problem], turn: CurrentTurn | None) -> str:
        """Return the reason why an order lapses, a clause with the rulings; blank if it must be corrected.

        It lapses if rulings of its turn, or earlier ones with a lasting effect, caused all its errors or removed its
        subject from the game.

        Args:
            turn: The turn of the order; None if it no longer has one.
        """
        reasons = []
        for problem in problems:
            if problem.is_error:
                ruling = self._behind(problem.cause, turn) if problem.cause else None
                if ruling is None:
                    reasons = list(self._gone(row, turn))
                    break
                reasons.append(f"{problem.says} ({ruling.request})")
        return "; ".join(reasons)

    def _gone(self, row: Row, turn: CurrentTurn | None) -> Iterator[str]:
        """Yield the reasons why the subject of an order is out of the game, each a clause with the ruling."""
        for says, cause in self._form.gone(row, self._database):
            if ruling := self._behind(cause, turn):
                yield f"{says} ({ruling.request})"

    def began(self, turn: CurrentTurn) -> int:
        """Return the number of the receipt that began a turn, 0 for the first one."""
        return max((receipt.seq for cell in turn.counters for receipt, _ in self._changes_of(cell)[-1:]), default=0)

    def _behind(self, cause: LapseCause, turn: CurrentTurn | None) -> StoredReceipt | None:
        """Return the ruling that wrote the value of a cell that blocks an order."""
        if turn is None and not cause.lasts:
            return None
        since = 0 if turn is None or cause.lasts else self.began(turn)
        rulings = []
        for cell in cause.cells:
            written = self._changes_of(cell)
            first = bisect.bisect_right(written, since, key=lambda change: change[0].seq)
            if first < len(written):
                (receipt, change), had = written[-1], written[first][1].before
                was_enough = cause.least is None or (isinstance(had, (int, float)) and had >= cause.least)
                if receipt.kind == "Ruling" and was_enough and self._stands(change):
                    rulings.append(receipt)
        return max(rulings, key=lambda receipt: receipt.seq, default=None)

    def _stands(self, change: Change) -> bool:
        """Return True unless a person has overwritten a change, or its row is lost."""
        try:
            row, attribute = field_of(self._form.database, self._database, change.tab, change.row, change.field)
        except KeyError:
            return False
        return shows(row.value(attribute), change.after)

    def _changes_of(self, cell: CellName) -> Sequence[Written]:
        """Return the changes of a cell by rulings in force, and by people, in order."""
        receipts = self._log.receipts
        if self._noted is None:
            standing = (receipt for receipt in receipts.by_seq.values() if not receipts.is_undone(receipt))
            self._note(receipt for receipt in standing if receipt.kind in ("Ruling", "Edits"))
        self._note(itertools.islice(self._log.new.values(), self._noted or 0, None))
        self._noted = len(self._log.new)
        tab, row, header = cell
        return self._found.get((tab, loosely(row), header), ())

    def _note(self, receipts: Iterable[StoredReceipt]) -> None:
        for receipt in receipts:
            for change in receipt.changes:
                self._found.setdefault(change.cell, []).append((receipt, change))
