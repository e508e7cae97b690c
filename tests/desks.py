"""Workbooks in memory and a desk over them: what the tests of the app start from."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from engine.fields import columns, tab_of
from sheets_algo.desk import HEADERS_TO_READ, Desk, plan, tabs_to_read
from sheets_algo.forms.base import Form
from sheets_algo.library import Library
from sheets_algo.plans import Plan
from sheets_algo.rulesets import RULESETS, open_forms
from sheets_algo.seeds import Secret
from sheets_algo.workbook.base import Snapshot, Value
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.workshop import WORKSHOP

SECRET = Secret(b"a season secret that only tests know")
NOW = "2026-03-01T12:00:00Z"

Rows = dict[str, list[dict[str, Any]]]


@cache
def library() -> Library:
    """The program's own, but with the workshop's numbers and season of 1066."""
    return Library(WORKSHOP)


@cache
def forms() -> tuple[Form[Any], ...]:
    return open_forms(library())


@cache
def desk() -> Desk:
    fingerprints = {form.ruleset_key: library().fingerprint(form.ruleset_key) for form in forms()}
    return Desk(forms=forms(), fingerprints=fingerprints, secret=SECRET)


def example(name: str) -> Rows:
    """An example's rows, tab to rows, header to value; a copy to spoil at will."""
    return copy.deepcopy({tab: list(rows) for tab, rows in library().example(name).items()})


def grids(rows: Mapping[str, Sequence[Mapping[str, Any]]], headers: Mapping[str, Sequence[str]] = {}) -> dict[str, Any]:
    """Tab to grid: row 1 has every declared header (or those given), then the rows."""
    records = {tab_of(record).name: record for form in RULESETS for record in form.records()}
    made = {}
    for tab, its_rows in rows.items():
        heads = headers.get(tab) or [column.header for _, column in columns(records[tab])]
        made[tab] = [list(heads), *([row.get(head) for head in heads] for row in its_rows)]
    return made


def workbook(
    rows: Mapping[str, Sequence[Mapping[str, Any]]], headers: Mapping[str, Sequence[str]] = {}
) -> MemoryWorkbook:
    return MemoryWorkbook(grids(rows, headers))


def read(book: MemoryWorkbook) -> Snapshot:
    return book.read(tabs_to_read(RULESETS), HEADERS_TO_READ)


def run(book: MemoryWorkbook, now: str = NOW) -> Plan:
    """One pass, committed."""
    snapshot = read(book)
    made = plan(snapshot, desk(), now)
    if made.changes:
        book.commit(snapshot, made.changes)
    return made


def column(book: MemoryWorkbook, tab: str, header: str) -> list[Value]:
    """The cells below a header."""
    sheet = book.read([tab]).sheet(tab)
    assert sheet is not None
    place = list(sheet.rows[1]).index(header)
    return [cells[place] if place < len(cells) else None for number, cells in sorted(sheet.rows.items()) if number > 1]


def messages(made: Plan) -> list[tuple[str, str, str]]:
    return [(answer.shown.request, answer.shown.status, answer.shown.message) for answer in made.answers]


def problems(made: Plan) -> list[tuple[str, str]]:
    """Address and rule id of every problem."""
    return [(str(problem.cell), problem.id) for problem in made.problems]
