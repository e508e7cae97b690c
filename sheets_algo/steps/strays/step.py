"""Step of a workbook with stray rows: ready requests that a stray row may belong to wait (REQ-21)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from sheets_algo.database.cell_text import as_text
from sheets_algo.database.tables import Edit, Row
from sheets_algo.forms.databases import by_ruleset, open_database
from sheets_algo.ruling.contents import Contents
from sheets_algo.ruling.request_tab import RequestTab
from sheets_algo.ruling.requests.part_rows import PartRows
from sheets_algo.ruling.requests.row_states import RowStates
from sheets_algo.ruling.step import Hold, Step, StepFindings
from sheets_algo.steps.strays.stray_rows import StrayRow, StrayRows, held_problem


@dataclass(frozen=True)
class StraysStep(Step):
    """The stray rows of one pass."""

    strays: Mapping[str, StrayRows]  # Those of each form with further tabs, by the form's key
    known: Mapping[str, str] | None  # The digests of the last pass; None if each row counts at once
    now: str  # The time of the pass

    @classmethod
    def of(cls, contents: Contents) -> Self | None:
        """Return the step of a workbook that has a stray row, or a Message of one."""
        strays = {}
        for forms in by_ruleset(form for form in contents.context.forms if form.parts):
            database = open_database(contents.snapshot, forms, contents.receipts.names)
            for form in forms:
                states = RowStates(form, database, contents.receipts)
                strays[form.key] = StrayRows(PartRows(form, database, contents.receipts, states))
        strays = {key: rows for key, rows in strays.items() if rows.rows or rows.with_messages}
        return cls(strays, contents.context.before.known, contents.now) if strays else None

    def hold(self, tab: RequestTab, row: Row) -> Hold | None:
        """Return the rows that hold a request; while one is still being typed, the request waits silently."""
        own = self.strays.get(tab.form.key)
        strays = own.by_request.get(row.number, ()) if own else ()
        settled = [*filter(self._is_settled, strays)]
        return Hold((held_problem(row, settled),) if settled else ()) if strays else None

    def finish(self) -> StepFindings:
        """Return the problems of stray rows, their Messages, and their digests for the next pass.

        That pass is due at once while a row may still be being typed, even if all its requests are refused.
        """
        all_rows = self.strays.values()
        is_settled = all(self._is_settled(stray) for rows in all_rows for stray in rows.rows)
        return StepFindings(
            problems=tuple(problem for rows in all_rows for problem in rows.problems),
            edits=tuple(edit for rows in all_rows for edit in self._messages(rows)),
            known={stray.key: "" for rows in all_rows for stray in rows.rows},
            deadline=None if is_settled else datetime.fromisoformat(self.now),
        )

    def _messages(self, rows: StrayRows) -> Iterator[Edit]:
        """Yield the Messages of the rows that have one, or had one."""
        yield from (Edit(row, "message", None) for row in rows.with_messages)
        for stray in filter(self._is_settled, rows.rows):
            if "message" in stray.row.table.places:
                yield Edit(stray.row, "message", stray.message)

    def _is_settled(self, stray: StrayRow) -> bool:
        """Return True if the row is unchanged since the last pass, or already has this Message."""
        is_said = "message" in stray.row.table.places and as_text(stray.row.value("message")) == stray.message
        return self.known is None or stray.key in self.known or is_said
