"""Reading of requests, with the moderators' decisions about them, and memory of what was typed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.columns import loosely
from sheets_algo.database.problems import Problem, Rejected
from sheets_algo.database.tables import Row, Table
from sheets_algo.ruling.passes.plan import PassContext
from sheets_algo.ruling.passes.request_tab import RequestTab, ValidRequest
from sheets_algo.ruling.receipts.former_columns import gone
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.ruling.requests.overrides import Overrides
from sheets_algo.ruling.requests.status_columns import typed_digest
from sheets_algo.workbook.snapshot import Snapshot


class RequestReader:
    """The reader of one pass.

    Args:
        snapshot: The workbook as it was read.
        context: The context of the pass.
        receipts: The receipts before the pass.
        tables: The request tabs, by name.

    Attributes:
        overrides: The decisions of moderators.
        added: The ids of requests that the program adds itself, which nobody may still be typing.
        known: The digest of what was typed for each request that was looked at, by its id.
        problems: The problems of columns that are gone and of decisions as a whole.
    """

    def __init__(
        self, snapshot: Snapshot, context: PassContext, receipts: Receipts, tables: Mapping[str, Table]
    ) -> None:
        self._context = context
        self.overrides = Overrides(snapshot, receipts, tables.values())
        self.added: set[str] = set()
        self.known: dict[str, str] = {}
        had = {} if context.writing.accepts_columns else receipts.columns
        self._gone = {form.key: tuple(gone(form, snapshot, had)) for form in context.forms}
        of_columns = dict.fromkeys(problem for problems in self._gone.values() for problem in problems)
        self.problems: tuple[Problem, ...] = (*of_columns, *self.overrides.problems)

    def read(self, tab: RequestTab, row: Row, id: str, *, is_order: bool) -> ValidRequest:
        """Read a request, and the decisions about its ruling if it asks for one.

        Raises:
            Rejected: It has mistakes, or the decisions have.
        """
        form = tab.form
        content = form.read(row, tab.database)
        overrides, problems = self.overrides.pending(id) if is_order else ((), ())
        if problems:
            raise Rejected(problems)
        content = replace(content, warnings=(*content.warnings, *self._gone[form.key]))
        parts = (part for rows in content.rows.values() for part in rows)
        return ValidRequest(
            form=form,
            row=row,
            id=id,
            seed=tab.database.read(row, form.request).values.get("seed"),
            content=content,
            inputs=form.serialize(content.inputs),
            is_settled=self.know(row, id, (*parts, *(override.row for override in overrides))),
            overrides=overrides,
        )

    def know(self, row: Row, id: str, parts: Iterable[Row] = ()) -> bool:
        """Keep the digest of what was typed for a request; return False if that has changed since the pass before."""
        digest = self.known[loosely(id)] = typed_digest(row, parts)
        known = self._context.before.known
        return known is None or loosely(id) in self.added or known.get(loosely(id)) == digest
