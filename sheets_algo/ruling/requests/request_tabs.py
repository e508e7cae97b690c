"""Request tabs: their tables, the rows that are ready, and the rows of other tabs that name no request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.columns import loosely, tab_of
from sheets_algo.database.cell_text import ReadError
from sheets_algo.database.cells import read_value
from sheets_algo.database.headers import misspelt_title, titled_like
from sheets_algo.database.problems import Problem
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form
from sheets_algo.forms.request_columns import request_id
from sheets_algo.forms.rulesets import form_entries
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.workbook.snapshot import Snapshot


def request_tables(snapshot: Snapshot, forms: Iterable[Form[Any]]) -> Mapping[str, Table]:
    """Return the request tab of each form, by the form's key."""
    return {form.key: Table(form.request, snapshot.sheet(tab_of(form.request).name)) for form in forms}


def misspelt_request_tabs(snapshot: Snapshot) -> Iterator[Problem]:
    """Yield a problem for each tab whose title is almost that of a request tab, whose requests nobody would rule."""
    for form in form_entries():
        lookalike = titled_like(form.request_tab, snapshot.others)
        if lookalike and snapshot.sheet(form.request_tab) is None:
            yield misspelt_title(lookalike, form.request_tab)


def is_ready(row: Row) -> bool | Problem:
    """Return whether Ready is ticked, or the problem of its cell."""
    if row.is_blank("ready"):
        return False
    column = dict(row.table.columns)["ready"]
    try:
        return bool(read_value(column, row.value("ready"), {}))
    except ReadError as error:
        return row.read_problem("ready", column, error)


def count_unruled(rows: Iterable[Row], receipts: Receipts) -> int:
    """Return the number of rows that are ready and have no receipt: the most that a pass will rule."""
    return sum(1 for row in rows if is_ready(row) is True and not receipts.is_settled(request_id(row)))


def orphan_problems(form: Form[Any], database: Database) -> Iterator[Problem]:
    """Yield a problem for the first row of each request that does not exist, and for the first without a request."""
    known = {loosely(id) for id in database.table(form.request).texts("request")}
    for record in form.parts:
        table = database.table(record)
        lost = [rows[0] for id, rows in table.by_request.items() if id not in known]
        for row in (*lost, *[row for row in table if row.is_blank("request")][:1]):
            cell = row.cell("request")
            yield from (problem for problem in database.read(row, record).problems if problem.cell == cell)
