"""Turns of orders: each is carried out in its own turn, for which a turn waits, or lapses (REQ-10, REQ-12, REQ-18)."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from engine.columns import loosely
from sheets_algo.database.changes import shows
from sheets_algo.database.fields import field_of
from sheets_algo.database.problems import CellName, LapseCause, Problem
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.capabilities import CurrentTurn, TurnForm
from sheets_algo.forms.request_columns import RULINGS, is_ready, named_turn, request_id, requested_action
from sheets_algo.ruling.receipts.receipt_tab import ReceiptLog
from sheets_algo.ruling.receipts.receipts import Change, Receipts, StoredReceipt


class OrderTurns:
    """The turns of the orders of one request tab.

    An order belongs to the turn in its cell; if that is blank, to the turn in which it was first answered, which below
    an order that should end a turn, but waits or is refused, is the next one. One that ends a turn belongs to the turn
    in which the pass began, so that two of them end only one.

    Args:
        ended: Returns the time of a turn's end, blank if unknown.
    """

    def __init__(
        self,
        form: TurnForm[Any],
        database: Database,
        receipts: Receipts,
        ended: Callable[[int], str],
    ) -> None:
        self._form, self._database, self._sent, self._ended = form, database, receipts.sent, ended
        self._begun: dict[int, CurrentTurn] = {}
        """The current turns of the tab's open requests at the beginning of the pass, by row."""
        self._open: set[int] = set()
        """The rows of the orders that are ready and not ruled."""
        self._held: dict[int, Row] = {}
        """The orders that wait to end a turn."""
        self._refused: dict[int, Row] = {}
        """The orders that end the current turn once they are corrected."""
        self._further: list[Row] = []
        """The rows for the end of a later turn than the one that ended in this pass, which lapsed with it."""
        for row in database.table(form.request):
            if is_ready(row) is True and not receipts.is_settled(request_id(row)):
                self.open(row)

    def open(self, row: Row) -> None:
        """Note a request that is ready and not ruled."""
        if requested_action(row, self._database) in RULINGS:
            self._open.add(row.number)
        if turn := self._form.current_turn(row, self._database):
            self._begun[row.number] = turn

    def ends(self, row: Row) -> CurrentTurn | None:
        """Return the turn that an open order ends, at the beginning of the pass."""
        turn = self._begun.get(row.number)
        return turn if turn and turn.ends else None

    def turn_of(self, row: Row) -> int | None:
        """Return the turn of an order; None if it has none."""
        end = self.ends(row)
        turn = end or self._form.current_turn(row, self._database)
        if turn is None:
            return None
        named = self._named(row)
        if named is not None:
            return named
        is_below = end is None and any(
            self._is_below(row, turn, held) for held in (*self.held, *self._refused.values())
        )
        return turn.number + is_below + self.further_ends(row)

    def further_ends(self, row: Row) -> int:
        """Return the number of lapsed rows above an order that should have ended later turns."""
        turn = None if self.ends(row) else self._form.current_turn(row, self._database)
        return sum(self._is_below(row, turn, end, since=1) for end in self._further) if turn else 0

    def problem(self, row: Row, *, is_trial: bool) -> Problem | None:
        """Return the problem of an order whose turn is over (REQ-10).

        Args:
            is_trial: True without writes, so that a turn that this pass ends is not over yet.
        """
        turn, current = self.turn_of(row), self._current(row)
        if turn is None or current is None or current.number <= turn:
            return None
        name, begun = self._form.turn_column, self._begun.get(row.number)
        allowed = f"Enter the current {name} to have it ruled now, or clear Ready"
        is_over = not is_trial or begun is None or begun.number > turn
        since = f" since {ended}" if (ended := self._ended(turn)) and is_over else ""
        if self.ends(row) and row.is_blank(name):
            says = f"{name} {turn} has ended already" if is_over else f"another row ends {name} {turn}"
        elif is_over:
            says = f"the order is for {name} {turn}, which is over{since}"
        else:
            says = f"the order is for {name} {turn}, which ends without it"
        if not is_over:
            allowed = f"Enter {turn + 1}, or clear Ready"
        return row.problem(name, "REQ-10", says, allowed=allowed)

    def awaited(self, row: Row) -> str:
        """Return the reason to carry out an order in a later turn; blank for none (REQ-10)."""
        turn, current = self.turn_of(row), self._current(row)
        if turn is None or current is None or turn <= current.number:
            return ""
        name = self._form.turn_column
        return f"Waits for {name} {turn}; {current.whose or 'the game'} is in {name} {current.number}"

    def orders_of(self, row: Row) -> Iterator[Row]:
        """Yield the unruled orders of the turn that an order ends, and those without a player above it (REQ-12).

        An order below it belongs to the turn only if it names it; those that players sent count as above. One that ends
        the turn too belongs to it only if it is above and ends it for one player, where this one ends it for all;
        not if it waits itself.
        """
        end, turn = self.ends(row), self.turn_of(row)
        for other in row.table if end else ():
            if other.number == row.number or other.number not in self._open:
                continue
            current = self._form.current_turn(other, self._database)
            is_above = other.number < row.number or loosely(request_id(other)) in self._sent
            if current is None:
                is_of_turn = is_above
            else:
                is_named = (is_above or self._named(other) == turn) and self.turn_of(other) == turn
                is_covered = end is not None and end.whose in ("", current.whose)
                is_first = (
                    is_above and end is not None and end.whose != current.whose and other.number not in self._held
                )
                is_of_turn = is_named and is_covered and (is_first or not self.ends(other))
            if is_of_turn:
                yield other

    def rivals_of(self, row: Row) -> Iterator[Row]:
        """Yield the other open orders that end the turn that an order ends, for all or for one of its players."""
        end, turn = self.ends(row), self.turn_of(row)
        for other in row.table if end else ():
            other_end = self.ends(other) if other.number != row.number and other.number in self._open else None
            if end and other_end and end.whose in ("", other_end.whose) and self.turn_of(other) == turn:
                yield other

    def hold(self, row: Row) -> None:
        """Defer an order's end of its turn, so that orders without a turn below it are for the next one."""
        self._held[row.number] = row

    def refuse(self, row: Row) -> None:
        """Note a refused order; if it ends the current turn, orders without a turn below it are for the next one."""
        end = self.ends(row)
        if end and row.number in self._open and self.turn_of(row) == end.number:
            self._refused[row.number] = row

    def release(self, row: Row) -> None:
        """Note that an order is answered again, and may end its turn."""
        self._held.pop(row.number, None)
        self._refused.pop(row.number, None)

    def lapse(self, row: Row, end: Row) -> None:
        """Note a lapsed order; if it should have ended the turn of orders below the end, others below wait (REQ-12)."""
        self.close(row)
        further = self.ends(row)
        if further is None or not row.is_blank(self._form.turn_column):
            return
        same = [other.number for other in self._further if self.ends(other) == further]
        above, turn = max(same, default=end.number), further.number + 1 + len(same)
        between = (other for other in row.table if other.number in self._open and above < other.number < row.number)
        for order in between:
            begun = self._begun.get(order.number)
            is_covered = begun is not None and not begun.ends and further.whose in ("", begun.whose)
            if is_covered and self.turn_of(order) == turn:
                self._further.append(row)
                return

    def close(self, row: Row) -> None:
        """Note an order that is ruled or waits only for luck: no turn waits for it."""
        self._open.discard(row.number)

    @property
    def held(self) -> tuple[Row, ...]:
        """Return the orders that wait to end a turn."""
        return tuple(self._held.values())

    def _named(self, row: Row) -> int | None:
        """Return the named turn of an order, or the one noted beside it at its refusal."""
        typed: int | None = self._database.read(row, self._form.request).values.get(self._form.turn_column)
        return named_turn(row, typed)

    def _current(self, row: Row) -> CurrentTurn | None:
        """Return the current turn of an order; None if it has none, or if any turn may be typed (HX-OP-49)."""
        turn = self._form.current_turn(row, self._database)
        return turn if turn and (turn.is_begun or row.is_blank(self._form.turn_column)) else None

    def _is_below(self, row: Row, turn: CurrentTurn, held: Row, since: int = 0) -> bool:
        """Return True if an order is below one that waits to end its player's current or last turn."""
        end, ending = self.ends(held), self.turn_of(held)
        return bool(
            end and held.number < row.number and ending == turn.number - since and end.whose in ("", turn.whose)
        )


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
