"""Request ids: which stand twice, which is free, which were ruled and stand nowhere any more."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence

from engine.fields import columns, loosely
from sheets_algo.book import RULE_AGAIN
from sheets_algo.problems import Cell, Problem, Severity, quoted, rows_named, shortened
from sheets_algo.projection import war_digest
from sheets_algo.receipts import Receipt, Receipts
from sheets_algo.tables import Row, Table
from sheets_algo.values import shown

DIGITS_MOST = 9
"""Of a number that counts; a longer one is some other id."""
OWN_ID = "Give each row an id of its own"
LOST_NAMED = 10
"""Ids that a warning names."""


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


class Lost:
    """Requests that were ruled and whose id stands beside their war no more: in no row, or in that of another war.

    Args:
        receipts: Of the workbook.
        tables: The request tab of each form, by the form's key.
    """

    def __init__(self, receipts: Receipts, tables: Mapping[str, Table]) -> None:
        ids = {loosely(id) for table in tables.values() for id in table.typed("request")}
        rulings = {loosely(it.request): it for it in receipts.of_kind("Ruling") if not receipts.is_undone(it)}
        self._tables = tables
        self._gone = [it for id, it in rulings.items() if id not in ids and it.ruleset in tables]
        self._there = [it for id, it in rulings.items() if id in ids and it.ruleset in tables]

    def __bool__(self) -> bool:
        """Tell whether any ruled request has lost its row."""
        return bool(self._lost)

    @functools.cached_property
    def _lost(self) -> list[Receipt]:
        """Rulings whose war may stand somewhere under another id; looked up only when a request is to be ruled."""
        return self._gone + [it for it in self._there if self._is_beside_another_war(it)]

    def _is_beside_another_war(self, it: Receipt) -> bool:
        """Tell whether each row that has the id holds something else; unknown of a war without a name."""
        rows = self._tables[it.ruleset].by_request.get(loosely(it.request), ())
        return bool(it.figures.row) and all(war_digest(row) != it.figures.row for row in rows)

    def lookalike(self, row: Row, key: str, inputs: str = "") -> tuple[Problem, ...]:
        """The problem of a row that looks like a request that was ruled under another id (REQ-08).

        Its inputs are equal or, since a ruling changes the nations that are part of them, what people typed into the
        row of a war that has a name.

        Args:
            row: Of a request that is not ruled.
            key: What receipts call this tab's rules.
            inputs: As a receipt freezes them; blank where they are not known.
        """
        named = dict(columns(row.table.record)).get("war")
        digest = war_digest(row) if self._lost and named is not None and named.required else ""
        for it in self._lost:
            if it.ruleset == key and ((inputs and it.inputs == inputs) or (digest and it.figures.row == digest)):
                war = f", {shortened(it.war)}" if it.war else ""
                where = "no row has that id any more" if it in self._gone else "another war has that id now"
                return (
                    row.problem(
                        "request",
                        "REQ-08",
                        f"looks like {it.request}, ruled by receipt {it.seq}{war}; {where}",
                        allowed=f'Put the id {it.request} back, or choose Action "{RULE_AGAIN}" if it is another war',
                    ),
                )
        return ()

    def problems(self) -> Iterator[Problem]:
        """Ruled requests whose row is gone, one warning a tab (REQ-09)."""
        for key, table in self._tables.items():
            lost = [it.request for it in self._gone if it.ruleset == key]
            if lost:
                named = ", ".join(lost[:LOST_NAMED]) + (" ..." if len(lost) > LOST_NAMED else "")
                says = "1 ruled request stands" if len(lost) == 1 else f"{len(lost):,} ruled requests stand"
                yield Problem(
                    cell=Cell(table.name),
                    says=f"{says} in no row: {named}",
                    allowed="Nothing, if you removed the rows on purpose; if you changed an id, put it back",
                    id="REQ-09",
                    severity=Severity.WARNING,
                )
