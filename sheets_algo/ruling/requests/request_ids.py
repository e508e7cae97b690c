"""Checks of request ids: ids of other tabs, free ids, and ruled requests whose row is gone."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from engine.columns import columns, loosely
from sheets_algo.database.cell_text import shown
from sheets_algo.database.problems import CellRef, Problem, Severity, quoted, shortened
from sheets_algo.database.records import RULE_AGAIN, Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.requests.status_columns import war_digest

DIGITS_MOST = 9
"""Most digits of an id's number; an id with more is not one of the program's."""
OWN_ID = "Give each row its own id"
LOST_NAMED = 10
"""Most ids that a warning lists."""


class Ids:
    """The request ids of one tab.

    Args:
        form: The form of the tab.
        database: The database of its ruleset.
        tables: The request tab of each form by the form's key; their ids must differ since receipts name requests by id
            alone.
        receipts: The receipts of the workbook.
    """

    def __init__(self, form: Form[Any], database: Database, tables: Mapping[str, Table], receipts: Receipts) -> None:
        self._form, self._database, self._receipts = form, database, receipts
        self._others = [other for key, other in tables.items() if key != form.key]
        self._last: int | None = None

    def conflict_problems(self, row: Row, ruling: StoredReceipt | None) -> tuple[Problem, ...]:
        """Return the problem of a row whose id another form has ruled, or which is not ruled and in another tab too.

        Args:
            row: The row of this tab.
            ruling: The ruling with the row's id, or None.
        """
        id = shown(row.value("request"))
        if ruling is not None:
            if ruling.ruleset == self._form.key:
                return ()
            says = (
                f"the id {quoted(id)} belongs to receipt {ruling.seq}, a ruling of another ruleset ({ruling.ruleset})"
            )
        else:
            rows = [other for table in self._others for other in table.by_request.get(loosely(id), ())]
            if not rows:
                return ()
            cells = " and ".join(str(other.cell("request")) for other in rows)
            says = f"the id {quoted(id)} is also in {cells}, so {'neither' if len(rows) == 1 else 'none'} is ruled"
        return (row.problem("request", "REQ-01", says, allowed=OWN_ID),)

    def next_free(self) -> str:
        """Return the next id that is used nowhere, not even in a numbered blank row of a new workbook."""
        if self._last is None:
            self._last = max(map(self._number, self._used()), default=0)
        self._last += 1
        return f"{self._form.prefix}{self._last:04}"

    def _used(self) -> Iterator[str]:
        """Yield all ids, also of rulings whose row is gone, and of flanks whose request does not exist yet."""
        own = map(self._database.table, (self._form.request, *self._form.parts))
        for table in (*own, *self._others):
            yield from table.texts("request")
        for receipt in self._receipts.by_seq.values():
            yield from (receipt.request, *receipt.figures.lapsed)

    def _number(self, id: str) -> int:
        """Return the number of an id with this prefix, 0 for any other id."""
        folded, prefix = loosely(id), loosely(self._form.prefix)
        number = folded.removeprefix(prefix)
        is_ours = folded.startswith(prefix) and number.isdecimal() and len(number) <= DIGITS_MOST
        return int(number) if is_ours else 0


class ShownResults:
    """Results that request rows show, compared with the receipts that they are of (RCP-19).

    Args:
        receipts: The receipts of the workbook.
    """

    def __init__(self, receipts: Receipts) -> None:
        self._messages: dict[str, list[str]] = {}
        for ruling in receipts.rulings:
            self._messages.setdefault(ruling.time, []).append(_unspaced(ruling.figures.message))

    def problem(self, row: Row) -> Problem | None:
        """Return the problem of a row that was ruled, as its cells show, and of which there is no receipt.

        A row that is a copy of a ruled one shows the result of a receipt that is there. What is no date, such as an id
        whose write landed there while a person moved columns, is not a ruling's time.
        """
        time, text = shown(row.value("ruled_at")), _unspaced(shown(row.value("message")))
        if not _DATE.search(time) or any(text.startswith(known) for known in self._messages.get(time, ())):
            return None
        says = f"shows a ruling of {time}, and there is no receipt of it, so nothing is ruled here"
        ways = f'clear this cell in a copied row, or choose Action "{RULE_AGAIN}" to have it ruled anew'
        return row.problem("ruled_at", "RCP-19", says, allowed=f"Bring the receipt back from an older version, {ways}")


_DATE = re.compile(r"\d+[-./]\d+[-./]\d+|^\d+([.,]\d+)?$")
"""A date in any form in which a spreadsheet may show it, also as its number of days."""


def _unspaced(text: str) -> str:
    return "".join(text.split())


class LostRequests:
    """Ruled requests whose id stands beside their war no more: in no row, or in that of another war.

    Args:
        receipts: The receipts of the workbook.
        tables: The request tab of each form by the form's key.
    """

    def __init__(self, receipts: Receipts, tables: Mapping[str, Table]) -> None:
        ids = {loosely(id) for table in tables.values() for id in table.texts("request")}
        rulings = {loosely(ruling.request): ruling for ruling in receipts.rulings if not receipts.is_undone(ruling)}
        self._tables = tables
        self._gone = [ruling for id, ruling in rulings.items() if id not in ids and ruling.ruleset in tables]
        self._there = [ruling for id, ruling in rulings.items() if id in ids and ruling.ruleset in tables]

    def __bool__(self) -> bool:
        """Return True if any ruled request has lost its row."""
        return bool(self._lost)

    @functools.cached_property
    def _lost(self) -> list[StoredReceipt]:
        """Rulings whose war may stand under another id; computed only when a request is to be ruled."""
        return self._gone + [ruling for ruling in self._there if self._is_beside_another_war(ruling)]

    def _is_beside_another_war(self, ruling: StoredReceipt) -> bool:
        """Return True if each row with the id holds another war; unknown (False) for a war without a name."""
        rows = self._tables[ruling.ruleset].by_request.get(loosely(ruling.request), ())
        return bool(ruling.figures.row) and all(war_digest(row) != ruling.figures.row for row in rows)

    def lookalike_problems(self, row: Row, key: str, inputs: str = "") -> tuple[Problem, ...]:
        """Return the problem of a row that resembles a request that was ruled under another id (REQ-08).

        Either the inputs are equal or, since a ruling changes the nations among the inputs, the people's cells in the
        row of a war with a name.

        Args:
            row: The row of a request that is not ruled.
            key: The key of this tab's form.
            inputs: The serialised inputs, blank if not known.
        """
        name_column = dict(columns(row.table.record)).get("war")
        digest = war_digest(row) if self._lost and name_column is not None and name_column.required else ""
        for lost in self._lost:
            if lost.ruleset == key and ((inputs and lost.inputs == inputs) or (digest and lost.figures.row == digest)):
                war = f", {shortened(lost.war)}" if lost.war else ""
                where = "no row has that id any more" if lost in self._gone else "another war has that id now"
                return (
                    row.problem(
                        "request",
                        "REQ-08",
                        f"looks like {lost.request}, ruled by receipt {lost.seq}{war}; {where}",
                        allowed=f'Put the id {lost.request} back, or choose Action "{RULE_AGAIN}" if it is another war',
                    ),
                )
        return ()

    def problems(self) -> Iterator[Problem]:
        """Yield a warning for each tab that has lost rows of ruled requests (REQ-09)."""
        for key, table in self._tables.items():
            lost = [ruling.request for ruling in self._gone if ruling.ruleset == key]
            if lost:
                listed = ", ".join(lost[:LOST_NAMED]) + (" ..." if len(lost) > LOST_NAMED else "")
                says = "1 ruled request stands" if len(lost) == 1 else f"{len(lost):,} ruled requests stand"
                yield Problem(
                    cell=CellRef(table.name),
                    says=f"{says} in no row: {listed}",
                    allowed="Nothing, if you removed the rows on purpose; if you changed an id, put it back",
                    id="REQ-09",
                    severity=Severity.WARNING,
                )
