"""Workbooks in memory and a pass context for them: the base of the application's tests."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from engine.columns import columns, tab_of
from engine.receipt import SeasonOptions
from engine.ruleset import no_op
from scripts.support.pinned_tables import WORKSHOP
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.database.problems import CellRef, Problem
from sheets_algo.database.tables import Table
from sheets_algo.forms.base import Form
from sheets_algo.forms.rulesets import form_entries, load_all, open_forms
from sheets_algo.ruling.corrections import undo as undo_ruling
from sheets_algo.ruling.luck.draw import Secret
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import NO_SECRET, Foresight, PassContext, Plan, read_contents
from sheets_algo.ruling.receipts.chain import NotedHead
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import DIGEST_DIGITS, StoredReceipt
from sheets_algo.ruling.receipts.season_receipts import season_receipt
from sheets_algo.ruling.requests.overrides import OverrideRow
from sheets_algo.ruling.step import Step, steps_of
from sheets_algo.steps import HEADERS_TO_READ, STEPS, tabs_to_read
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.values import Value

SECRET = Secret(b"a season secret that only tests know")
NOW = "2026-03-01T12:00:00Z"
INPUTS = '{"losses":"apply","dead_leaders":"warn"}'
"""Inputs of a season as `init` begins it, but for dead leaders: the wars of the pinned season share a few men."""
OPTIONS = SeasonOptions(dead_leaders="warn")
"""The options that they name."""

Rows = dict[str, list[dict[str, Any]]]


@cache
def library() -> ConfigLoader:
    """Return the program's own configuration, but with the pinned numbers and season of 1066."""
    return ConfigLoader(WORKSHOP)


@cache
def forms() -> tuple[Form[Any], ...]:
    return open_forms(library())


@cache
def pass_context() -> PassContext:
    fingerprints = {form.ruleset_key: library().fingerprint(form.ruleset_key) for form in forms()}
    return PassContext(forms=forms(), fingerprints=fingerprints, secret=SECRET, steps=STEPS)


def undo(
    snapshot: Snapshot,
    forms: Sequence[Form[Any]],
    request: str,
    now: str,
    noted: Iterable[NotedHead] = (),
    steps: Sequence[Step] | None = None,
    **more: Any,
) -> tuple[StoredReceipt, ChangeSet]:
    """Return what the program's `undo` plans, with the steps of the workbook."""
    context = replace(pass_context(), forms=forms, secret=NO_SECRET)
    contents = read_contents(snapshot, context, now, lambda form, request: no_op, None)
    steps = steps_of(contents) if steps is None else steps
    return undo_ruling(snapshot, forms, read_receipts(snapshot), request, now, noted, steps, **more)


def changed(context: PassContext, **more: Any) -> PassContext:
    """Return a context with some fields changed, of whichever of its parts they are."""
    for name, value in more.items():
        parts = (part for part in ("before", "writing", "fought") if hasattr(getattr(context, part), name))
        part = next(parts, "")
        new = {part: replace(getattr(context, part), **{name: value})} if part else {name: value}
        context = replace(context, **new)
    return context


def example(name: str) -> Rows:
    """Return an example's rows by tab, each by header; a copy that can be changed."""
    return copy.deepcopy({tab: list(rows) for tab, rows in library().example(name).items()})


def grids(
    rows: Mapping[str, Sequence[Mapping[str, Any]]],
    headers: Mapping[str, Sequence[str]] = {},
    inputs: str = INPUTS,
) -> dict[str, Any]:
    """Return the grid of each tab of a season that has begun.

    Args:
        rows: The rows of each tab, by header.
        headers: The headers of row 1; every declared one where none are given.
        inputs: The Inputs of the Season row.
    """
    records = {tab_of(record).name: record for form in load_all() for record in form.records()}
    records |= {tab_of(record).name: record for record in (OverrideRow, *(tab for step in STEPS for tab in step.tabs))}
    grids_ = {}
    for tab, tab_rows in rows.items():
        heads = headers.get(tab) or [column.header for _, column in columns(records[tab])]
        grids_[tab] = [list(heads), *([row.get(head) for head in heads] for row in tab_rows)]
    return grids_ | {"Receipts": season_grid(inputs)}


def cell_name(tab: str, header: str, row: int) -> str:
    """Return the address of a cell in a workbook of `grids` as problems name it: 'War Requests'!S3."""
    (record,) = {record for form in load_all() for record in form.records() if tab_of(record).name == tab}
    heads = [column.header for _, column in columns(record)]
    return str(CellRef(tab, row, heads.index(header) + 1))


def season_grid(inputs: str = INPUTS, secret: Secret = SECRET) -> list[list[Any]]:
    """Return the tab Receipts of a season that has begun: the row that `init` writes, with these Inputs."""
    begun = next(season_receipt(1, secret, NOW).rows()) | {"inputs": inputs}
    names = [name for name, _ in columns(ReceiptRow)]
    return [[column.header for _, column in columns(ReceiptRow)], [begun.get(name) for name in names]]


def workbook(
    rows: Mapping[str, Sequence[Mapping[str, Any]]],
    headers: Mapping[str, Sequence[str]] = {},
    inputs: str = INPUTS,
) -> MemoryWorkbook:
    return MemoryWorkbook(grids(rows, headers, inputs))


def read(book: MemoryWorkbook) -> Snapshot:
    return book.read(tabs_to_read(form_entries()), HEADERS_TO_READ)


def run(book: MemoryWorkbook, now: str = NOW) -> Plan:
    """Make one pass and commit it."""
    snapshot = read(book)
    plan = plan_pass(snapshot, pass_context(), now)
    if plan.writes.changes:
        book.commit(snapshot, plan.writes.changes)
    return plan


@dataclass(frozen=True, slots=True)
class FirstBattle:
    """The luck of rehearsals in tests: the first battle of each forecast."""

    likelihood: str = "probably"
    is_first: bool = True

    def battle(self, form: Form[Any], request: str, inputs: str) -> int:
        return 0


def rehearse(
    snapshot: Snapshot,
    played: Sequence[Form[Any]],
    context: PassContext | None = None,
    foresight: Foresight = FirstBattle(),
) -> Plan:
    """Return the plan of a rehearsal."""
    context = context or pass_context()
    fingerprints = {form.ruleset_key: "" for form in played} | {**context.fingerprints}
    context = replace(context, forms=played, fingerprints=fingerprints, foresight=foresight)
    return plan_pass(snapshot, changed(context, is_trial=True), NOW)


def check(snapshot: Snapshot, played: Sequence[Form[Any]], context: PassContext | None = None) -> tuple[Problem, ...]:
    """Return what `check` reports of a workbook."""
    return rehearse(snapshot, played, context).all_problems


def ruled_example(name: str) -> tuple[MemoryWorkbook, Plan]:
    """Return an example after its first pass, and the plan of that pass; a copy that can be changed."""
    book, plan = _ruled_once(name)
    return copy.deepcopy(book), plan


@cache
def _ruled_once(name: str) -> tuple[MemoryWorkbook, Plan]:
    book = workbook(example(name))
    return book, run(book)


def column(book: MemoryWorkbook, tab: str, header: str) -> list[Value]:
    """Return the cells below a header."""
    sheet = book.read([key := TabKey.named(tab)]).sheet(key)
    assert sheet is not None
    place = list(sheet.rows[1]).index(header)
    return [cells[place] if place < len(cells) else None for number, cells in sorted(sheet.rows.items()) if number > 1]


def messages(plan: Plan) -> list[tuple[str, str, str]]:
    return [(answer.cells.request, answer.cells.status, answer.cells.message) for answer in plan.findings.answers]


def problems(plan: Plan) -> list[tuple[str, str]]:
    """Return address and rule id of every problem."""
    return [(str(problem.cell), problem.id) for problem in plan.problems]


def rechained(book: MemoryWorkbook) -> MemoryWorkbook:
    """Give each receipt, of one row, the digest of the one before as it is now, so that the chain shows no edit."""
    previous = read_receipts(read(book)).begun.inputs_fingerprint[:DIGEST_DIGITS]
    for number, row in enumerate(_receipts_tab(book), start=1):
        book.type_in("Receipts", row.number, row.table.places["previous"], previous)
        previous = read_receipts(read(book)).by_seq[number].digest
    return book


def _receipts_tab(book: MemoryWorkbook) -> Table:
    return Table.of(read(book), ReceiptRow)
