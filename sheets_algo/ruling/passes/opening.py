"""Beginning of a pass, its request tabs, and the reading of their requests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from engine.columns import loosely
from sheets_algo.database.changes import Changes
from sheets_algo.database.problems import Rejected
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import open_database
from sheets_algo.forms.request_columns import is_ready
from sheets_algo.ruling.contents import Contents
from sheets_algo.ruling.receipts.receipt_tab import ReceiptLog
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.ruling.repair.intents import WaitingRow
from sheets_algo.ruling.request_tab import RequestTab, ValidRequest
from sheets_algo.ruling.requests.part_rows import PartRows
from sheets_algo.ruling.requests.row_states import Ids, RowStates, typed_digest
from sheets_algo.ruling.requests.status_columns import NOT_COUNTED
from sheets_algo.ruling.step import PassState, Step


def begin_pass(contents: Contents) -> PassState:
    """Return the initial state of a pass after reading a workbook."""
    context, receipts = contents.context, contents.receipts
    changes = Changes(context.before.blocked, context.writing.most)
    rows, tables = contents.pending.waiting, contents.tables.values()
    steps = steps_of(contents)
    return PassState(
        contents=contents,
        changes=changes,
        log=ReceiptLog(contents.snapshot, changes, receipts, [step.after for step in steps]),
        steps=steps,
        waiting={loosely(row.id): row for row in rows if _waits_for_tick(row, tables, receipts)},
    )


def steps_of(contents: Contents) -> tuple[Step, ...]:
    """Return the steps that a workbook needs, in their order."""
    kinds = (kind for kind in contents.context.steps if issubclass(kind, Step))
    return tuple(step for kind in kinds if (step := kind.of(contents)) is not None)


def _waits_for_tick(waiting: WaitingRow, tables: Iterable[Table], receipts: Receipts) -> bool:
    """Return True if a row exists, is not ruled, and its Ready was not cleared since."""
    rows = (row for table in tables for row in table.by_request.get(loosely(waiting.id), ()))
    return not receipts.is_settled(waiting.id) and any(is_ready(row) is not False for row in rows)


def open_tabs(state: PassState, forms: Sequence[Form[Any]]) -> Sequence[RequestTab]:
    """Open the request tabs of one ruleset that the workbook has."""
    receipts = state.receipts
    database = open_database(state.contents.snapshot, forms, receipts.names)
    tabs = []
    for form in (form for form in forms if database.table(form.request).sheet):
        states = RowStates(form, database, receipts)
        ids = Ids(form, database, state.contents.tables, receipts)
        parts = PartRows(form, database, receipts, states)
        tab = RequestTab(form=form, database=database, ids=ids, states=states, parts=parts)
        for step in state.steps:
            tab = step.open(state, tab)
        tabs.append(tab)
    return tabs


def read_request(state: PassState, tab: RequestTab, row: Row, id: str, *, is_order: bool) -> ValidRequest:
    """Read a request and, if it asks for a ruling, the decisions about it.

    Raises:
        Rejected: The request or a decision has errors.
    """
    form = tab.form
    content = form.read(row, tab.database)
    overrides, problems = state.contents.overrides.pending(id) if is_order else ((), ())
    if problems:
        raise Rejected(problems)
    content = replace(content, warnings=(*content.warnings, *state.contents.gone[form.key]))
    parts = (part for rows in content.rows.values() for part in rows if part)
    remarks = () if is_order or not state.contents.overrides.rows_of(id) else (NOT_COUNTED,)
    return ValidRequest(
        form=form,
        row=row,
        id=id,
        seed=tab.database.read(row, form.request).values.get("seed"),
        content=content,
        inputs=form.serialize(content.inputs),
        is_settled=know(state, row, id, (*parts, *(override.row for override in overrides))),
        remarks=remarks,
        overrides=overrides,
    )


def know(state: PassState, row: Row, id: str, parts: Iterable[Row] = (), pending: str = "") -> bool:
    """Note the digest of a request's typed cells; return False if it has changed since the last pass.

    Args:
        pending: The cells whose formulas have no value yet.
    """
    digest = state.known[loosely(id)] = typed_digest(row, parts) + pending
    known = state.context.before.known
    return known is None or known.get(loosely(id)) == digest
