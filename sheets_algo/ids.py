"""Request ids: which stand twice, which is free."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.fields import loosely
from sheets_algo.problems import Problem, quoted, rows_named
from sheets_algo.receipts import Receipt
from sheets_algo.tables import Row, Table
from sheets_algo.values import shown

DIGITS_MOST = 9
"""Of a number that counts; a longer one is some other id."""
OWN_ID = "Give each row an id of its own"


class Ids:
    """The request ids of one tab.

    Args:
        prefix: Of the ruleset's ids: `W-`.
        table: The request tab.
        others: The other request tabs: a receipt names a request by its id alone.
        elsewhere: Ids that other tabs name: of rulings whose row is gone, of flanks whose request is not there yet.
    """

    def __init__(self, prefix: str, table: Table, others: Sequence[Table] = (), elsewhere: Iterable[str] = ()) -> None:
        self._prefix, self._table = prefix, table
        self._others, self._elsewhere = others, elsewhere
        self._last: int | None = None

    def shared(self, row: Row) -> tuple[Problem, ...]:
        """The problem of a row whose id another row has too."""
        id = shown(row.value("request"))
        rows = self._table.by_request.get(loosely(id), [row])
        if len(rows) < 2:
            return ()
        others = rows_named((other.number for other in rows if other.number != row.number), len(rows) - 1)
        says = f"the id {quoted(id)} stands in {others} too, so {'neither' if len(rows) == 2 else 'none'} is ruled"
        return (row.problem("request", "REQ-01", says, allowed=OWN_ID),)

    def taken(self, row: Row, ruling: Receipt | None, key: str) -> tuple[Problem, ...]:
        """The problem of a row whose id other rules have ruled, or which nobody has ruled and another tab has too.

        Args:
            row: Of this tab.
            ruling: That has its id.
            key: What receipts call this tab's rules.
        """
        id = shown(row.value("request"))
        if ruling is not None:
            if ruling.ruleset == key:
                return ()
            says = f"the id {quoted(id)} is that of a ruling by other rules, {ruling.ruleset}, receipt {ruling.seq}"
        else:
            rows = [it for table in self._others for it in table.by_request.get(loosely(id), ())]
            if not rows:
                return ()
            where = " and ".join(str(it.cell("request")) for it in rows)
            says = f"the id {quoted(id)} stands in {where} too, so {'neither' if len(rows) == 1 else 'none'} is ruled"
        return (row.problem("request", "REQ-01", says, allowed=OWN_ID),)

    def fresh(self) -> str:
        """The next id that nothing names, not even a blank row that a template numbered in advance."""
        if self._last is None:
            theirs = (id for table in self._others for id in table.typed("request"))
            numbers = map(self._number, (*self._table.typed("request"), *theirs, *self._elsewhere))
            self._last = max(numbers, default=0)
        self._last += 1
        return f"{self._prefix}{self._last:04}"

    def _number(self, id: str) -> int:
        """The number of an id of ours, 0 of any other."""
        folded, prefix = loosely(id), loosely(self._prefix)
        number = folded.removeprefix(prefix)
        is_ours = folded.startswith(prefix) and number.isdecimal() and len(number) <= DIGITS_MOST
        return int(number) if is_ours else 0
