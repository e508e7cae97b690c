"""Workbooks spoilt in any way: a pass answers with problems that point somewhere, or with a documented refusal."""

from __future__ import annotations

from contextlib import nullcontext, suppress

import pytest
from hypothesis import given, settings

from engine.columns import Field, tab_of
from scripts.support.workbooks import NOW, check, pass_context, read, run
from sheets_algo.database.problems import CellRef
from sheets_algo.database.tables import Table
from sheets_algo.forms.rulesets import load_all
from sheets_algo.ruling.forecast.forecast_rows import ForecastRow
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.receipts.receipt_rows import LogRow, ReceiptRow
from sheets_algo.ruling.receipts.receipts import ReceiptDamaged
from sheets_algo.workbook.changes import ChangeSet, SetCell
from sheets_algo.workbook.errors import SeasonMismatch
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.snapshot import Snapshot
from tests.helpers.example_budget import BUDGET
from tests.helpers.games import facts
from tests.helpers.spoilt_workbooks import Grids, damaged_grids
from tests.helpers.tabs import key, keys

MANY = settings(max_examples=max(1, round(25 * BUDGET)), deadline=None)
pytestmark = pytest.mark.slow

RECORDS = {tab_of(record).name: record for form in load_all() for record in form.records()}
KEPT = {
    "Nations": ("Stability",),
    "Militaries": ("Size", "Ship Number"),
    "Leaders": ("Status",),
    "Knights": ("Wins",),
    "Round Players": ("Gold ¤", "Tax %", "Taxed in round", "Crown", "Status", "Round"),
    "Houses": ("Gold", "Turn", "Rank"),
}
RULED = {(tab, header) for kept in (KEPT, *facts("CHANGED")) for tab, headers in kept.items() for header in headers}
"""People's columns that a ruling changes."""


def planned(snapshot: Snapshot) -> Plan | None:
    """A plan, or None if the receipts were refused by name."""
    try:
        return plan_pass(snapshot, pass_context(), NOW)
    except (ReceiptDamaged, SeasonMismatch):
        return None


def is_in(cell: CellRef, tabs: Grids, changes: ChangeSet) -> bool:
    """Whether a cell, row or tab is there, or will be; a missing tab is named as a whole."""
    found = next((grid for tab, grid in tabs.items() if key(tab) == key(cell.tab)), None)
    if found is None:
        return not cell.row and cell.tab in RECORDS
    added = [written.column for written in changes.cells if written.tab == key(cell.tab)]
    return cell.row <= len(found) and cell.column <= max((0, *map(len, found), *added))


@MANY
@given(tabs=damaged_grids())
def test_a_pass_over_a_damaged_workbook_completes(tabs: Grids) -> None:
    """DB-08: errors never crash, and each says where."""
    snapshot = read(MemoryWorkbook(tabs))
    made = planned(snapshot)
    if made is None:
        return
    assert made.findings.failures == ()
    for answer in made.findings.answers:
        if answer.cells.status == "Invalid":
            assert any(problem.is_error for problem in answer.problems)
        for problem in answer.problems:
            assert is_in(problem.cell, tabs, made.writes.changes), str(problem)
    with suppress(ReceiptDamaged) if made.findings.held else nullcontext():
        check(snapshot, pass_context().forms)


@MANY
@given(tabs=damaged_grids())
def test_the_program_writes_only_into_its_own_columns(tabs: Grids) -> None:
    """People's cells and the program's never overlap."""
    snapshot = read(MemoryWorkbook(tabs))
    made = planned(snapshot)
    for cell in made.writes.changes.cells if made else ():
        assert is_the_programs(cell, snapshot), cell
    for row in made.writes.changes.rows if made else ():
        assert row.tab in keys("Receipts", "Log") or snapshot.sheet(row.tab)


def is_the_programs(cell: SetCell, snapshot: Snapshot) -> bool:
    own = {tab_of(record).name: record for record in (ReceiptRow, LogRow, ForecastRow)}
    name = next(name for name in (*RECORDS, *own) if snapshot.sheet(key(name)) is snapshot.sheet(cell.tab))
    table = Table((RECORDS | own)[name], snapshot.sheet(key(name)))
    declared = dict(table.columns)
    if cell.row == table.header_row or not table.header_row:
        column = next(column for column in declared.values() if column.header == cell.value)
        return cell.before is None and (writes(name, column) or column.header == "Request")
    attribute = next((attribute for attribute, place in table.places.items() if place == cell.column), None)
    if attribute is None:
        return cell.before is None and cell.column > table.width
    return writes(name, declared[attribute]) or (attribute == "request" and cell.before in (None, ""))


def writes(tab: str, column: Field) -> bool:
    return column.place.is_programs or (tab, column.header) in RULED


@MANY
@given(tabs=damaged_grids())
def test_a_second_pass_has_nothing_to_do(tabs: Grids) -> None:
    """The projection is a function of the truth: written once, it stands."""
    book = MemoryWorkbook(tabs)
    if planned(read(book)) is None:
        return
    while run(book).owes.is_partial:  # a request that another ruling has made valid is ruled at the next look
        continue
    again = plan_pass(read(book), pass_context(), "2027-01-01T00:00:00Z")
    assert not again.rulings
    assert not again.writes.changes, again.writes.changes
