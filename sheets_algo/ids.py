"""Request ids: which stand twice, which is free."""

from __future__ import annotations

from engine.fields import loosely
from sheets_algo.problems import Problem
from sheets_algo.tables import Row, Table
from sheets_algo.values import shown


class Ids:
    """The request ids of one tab.

    Args:
        prefix: Of the ruleset's ids: `W-`.
        table: The request tab.
    """

    def __init__(self, prefix: str, table: Table) -> None:
        self._prefix, self._table = prefix, table
        self._used = {loosely(id) for id in table.typed("request")}

    def shared(self, row: Row) -> tuple[Problem, ...]:
        """The problem of a row whose id another row has too."""
        id = shown(row.value("request"))
        rows = self._table.by_request.get(loosely(id), [row])
        if len(rows) < 2:
            return ()
        others = " and ".join(str(other.number) for other in rows if other.number != row.number)
        says = f'the id "{id}" stands in row {others} too, so neither is ruled'
        return (row.problem("request", "REQ-01", says, allowed="Give each row an id of its own"),)

    def fresh(self) -> str:
        """The next id that no row has, not even a blank row that a template numbered in advance."""
        numbers = (id.removeprefix(loosely(self._prefix)) for id in self._used if id.startswith(loosely(self._prefix)))
        id = f"{self._prefix}{1 + max((int(number) for number in numbers if number.isdecimal()), default=0):04}"
        self._used.add(loosely(id))
        return id
