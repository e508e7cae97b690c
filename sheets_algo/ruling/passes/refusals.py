"""Reasons why a ready request is refused before it is read, and leaders who keep a read one from being ruled."""

from __future__ import annotations

from collections.abc import Mapping

from engine.columns import loosely
from sheets_algo.database.problems import Problem, Rejected, quoted
from sheets_algo.database.records import END_ANYWAY, RULE, RULE_AGAIN
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.passes.receipt_log import other_rules
from sheets_algo.ruling.passes.request_tab import RequestTab
from sheets_algo.ruling.passes.writer import PlanWriter
from sheets_algo.ruling.repair.intents import PendingTab
from sheets_algo.ruling.requests.request_ids import LostRequests


class Refusals:
    """The refusals of one pass.

    Args:
        pending: The writes to the workbook that are not verified yet.
        writer: The writer of the rulings.
        tables: The request tabs, by name.
    """

    def __init__(self, pending: PendingTab, writer: PlanWriter, tables: Mapping[str, Table]) -> None:
        self._pending, self._writer, self._receipts = pending, writer, writer.log.receipts
        self._lost = LostRequests(self._receipts, tables)

    def obstacles(self, tab: RequestTab, row: Row) -> tuple[Problem, ...]:
        """Return the reasons why a request would be ruled again later, under an id that nobody sees or a second one."""
        if not request_id(row) and (obstacles := tuple(self._writer.obstacles_of(row, "request"))):
            return obstacles
        unsure = (problem for problem in self._pending.problems if problem.cell == row.cell("request"))
        return self._lookalike(tab, row) or self._drawn_before(tab, row) or tuple(unsure)

    def other_rules(self, tab: RequestTab, row: Row) -> Problem | None:
        """Return the problem of a season whose rulings were made by another version of the rules (RCP-17)."""
        problem = other_rules(tab.form, self._receipts, accepts=self._writer.context.writing.accepts_rules)
        return row.problem("action", problem.id, problem.says, allowed=problem.allowed) if problem else None

    def typed_seed(self, row: Row) -> Problem | None:
        """Return the problem of a seed that a person has typed where only luck of a beacon decides (LUCK-07)."""
        if not self._receipts.luck.is_beacon or row.is_blank("seed"):
            return None
        says = "a typed seed decides nothing in a season with beacon luck"
        return row.problem("seed", "LUCK-07", says, allowed="Clear the cell")

    def _lookalike(self, tab: RequestTab, row: Row) -> tuple[Problem, ...]:
        """Return the problem of a row that looks like a request that was ruled under another id (REQ-08)."""
        form = tab.form
        if not self._lost or tab.action(row) not in (RULE, END_ANYWAY):
            return ()
        if problems := self._lost.lookalike_problems(row, form.key):
            return problems
        try:
            return self._lost.lookalike_problems(row, form.key, form.serialize(form.read(row, tab.database).inputs))
        except Rejected:
            return ()

    def _drawn_before(self, tab: RequestTab, row: Row) -> tuple[Problem, ...]:
        """Return the problem of a request for what an undone ruling has drawn already, under another id (REQ-13)."""
        form, attribute = tab.form, tab.form.drawn_once
        if not attribute or tab.action(row) not in (RULE, END_ANYWAY):
            return ()
        name = str(tab.database.read(row, form.request).values.get(attribute, ""))
        for ruling in self._receipts.of_kind("Ruling"):
            is_same = ruling.ruleset == form.key and loosely(ruling.war) == loosely(name)
            if is_same and self._receipts.is_undone(ruling):
                says = f"{quoted(name)} was drawn by receipt {ruling.seq} for {ruling.request}, which is undone"
                allowed = f'Choose Action "{RULE_AGAIN}" if luck is to draw anew, or clear Ready'
                return (row.problem(attribute, "REQ-13", says, allowed=allowed),)
        return ()
