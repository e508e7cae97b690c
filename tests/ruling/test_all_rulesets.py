"""All rulesets in one workbook and in one pass: none disturbs another."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from engine.columns import ColumnPlace, columns, tab_of
from scripts.support.workbooks import (
    NOW,
    OPTIONS,
    SECRET,
    Rows,
    check,
    forms,
    grids,
    library,
    pass_context,
    read,
    run,
    undo,
)
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import by_ruleset
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.template import examples_of
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.tabs import keys

GROUPS = by_ruleset(forms())
NAMED = [group[0].ruleset_key for group in GROUPS]
of_each = pytest.mark.parametrize("group", GROUPS, ids=NAMED)


def rows_of(group: Sequence[Form[Any]]) -> Rows:
    return {tab: [dict(row) for row in rows] for tab, rows in examples_of(group, library()).items()}


def everything() -> Rows:
    return {tab: rows for group in GROUPS for tab, rows in rows_of(group).items()}


def played(rows: Rows) -> tuple[MemoryWorkbook, Plan]:
    book = MemoryWorkbook(grids(rows))
    return book, run(book)


def receipts(book: MemoryWorkbook) -> list[StoredReceipt]:
    return list(read_receipts(read(book)).rulings)


def told(book: MemoryWorkbook, made: Plan, group: Sequence[Form[Any]]) -> tuple[Any, ...]:
    """Everything that became of one ruleset's requests and tabs; only the numbers of the receipts may differ."""
    games = {form.key for form in group}
    tabs = [tab_of(record).name for form in group for record in form.records()]
    asked = {answer.cells.row.table.title for answer in made.findings.answers} & set(tabs)
    return (
        [
            (
                receipt.request,
                receipt.winner,
                receipt.wiki,
                receipt.seed,
                receipt.inputs,
                receipt.changes,
                replace(receipt.figures, origins=len(receipt.figures.origins)),
                receipt.rules_fingerprint,
            )
            for receipt in receipts(book)
            if receipt.ruleset in games
        ],
        [
            (answer.cells.request, answer.cells.status, answer.cells.message)
            for answer in made.findings.answers
            if answer.cells.row.table.title in asked
        ],
        book.read(keys(*tabs)).sheets,
    )


@cache
def alone(name: str) -> tuple[Any, ...]:
    group = GROUPS[NAMED.index(name)]
    return told(*played(rows_of(group)), group)


def test_no_two_forms_share_a_name_a_prefix_or_a_request_tab() -> None:
    for names in (
        [form.key for form in forms()],
        [form.prefix for form in forms()],
        [tab_of(form.request).name for form in forms()],
    ):
        assert [name for name, count in Counter(names).items() if count > 1] == []


def test_only_the_forms_of_one_ruleset_share_tabs() -> None:
    owners = {(tab_of(record).name, form.ruleset_key) for form in forms() for record in form.records()}

    assert [tab for tab, count in Counter(tab for tab, _ in owners).items() if count > 1] == []
    for group in GROUPS:
        records = {record for form in group for record in form.records()}
        assert len({tab_of(record).name for record in records}) == len(records)


def test_every_request_tab_has_the_required_columns() -> None:
    for form in forms():
        lists = form.vocabulary.lists
        assert {"Rule", "Forecast"} <= set(lists["Action"].values), form.key
        assert next(column.place for _, column in columns(form.request)) is ColumnPlace.FIRST


@of_each
def test_a_ruleset_rules_among_all_others_as_it_does_alone(group: Sequence[Form[Any]]) -> None:
    book, made = together()

    assert told(book, made, group) == alone(group[0].ruleset_key)
    assert alone(group[0].ruleset_key)[0]


@cache
def together() -> tuple[MemoryWorkbook, Plan]:
    return played(everything())


def test_all_together_are_ruled_verified_and_left_in_order() -> None:
    book, made = together()

    by_key = {form.key: form for form in forms()}
    found = receipts(book)
    assert len(found) == len(made.rulings)
    assert [row.seq for row in found] == list(range(2, 2 + len(found)))  # after the season's, in one row of numbers
    for receipt in found:
        form = by_key[receipt.ruleset]
        assert verify(receipt, form, pass_context().fingerprints[form.ruleset_key], SECRET, OPTIONS).is_equal, (
            receipt.request
        )
    assert not run(book).writes.changes
    assert [str(problem) for problem in check(read(book), forms()) if problem.is_error] == []


@of_each
def test_a_damaged_ruleset_does_not_stop_the_others(group: Sequence[Form[Any]]) -> None:
    """Its request tabs lose their columns, its database tabs their rows."""
    rows = everything()
    headers: dict[str, list[str]] = {}
    for form in group:
        headers[tab_of(form.request).name] = ["Request", "Ready", "Nonsense"]
        for record in form.database:
            if tab_of(record).name in rows:
                rows[tab_of(record).name] = []
    book = MemoryWorkbook(grids(rows, headers))

    made = run(book)

    others = [other for other in GROUPS if other is not group]
    for other in others:
        assert told(book, made, other) == alone(other[0].ruleset_key)
    assert not [ruling for ruling in made.rulings if ruling.form in group]


@of_each
def test_an_undo_in_one_ruleset_does_not_affect_the_others(group: Sequence[Form[Any]]) -> None:
    book, made = copy.deepcopy(together()[0]), together()[1]
    last = [ruling.receipt.request for ruling in made.rulings if ruling.form in group][-1]
    before = read(book).sheets

    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), last, NOW)[1])

    own = {tab_of(record).name for form in group for record in form.records()} | {"Receipts"}
    changed = {sheet.title for key, sheet in read(book).sheets.items() if sheet != before.get(key)}
    assert "Receipts" in changed
    assert changed <= own
    assert not run(book).rulings


def statuses(made: Plan, request: str) -> list[tuple[str, str, str]]:
    shown = [answer.cells for answer in made.findings.answers if answer.cells.request == request]
    return [(status.row.table.title, status.status, status.message.splitlines()[0]) for status in shown]


def with_one_id() -> Rows:
    rows = everything()
    next(row for row in rows["Plot Requests"] if row["Request"] == "P-0003")["Request"] = "r-0001"
    return rows


def test_an_id_in_two_request_tabs_rules_neither() -> None:
    """A receipt names a request by its id alone."""
    book, made = played(with_one_id())

    assert statuses(made, "R-0001") == [
        (
            "Round Requests",
            "Invalid",
            "'Round Requests'!A2 (R-0001, Request): the id \"R-0001\" is also in 'Plot Requests'!A4, so neither is"
            " ruled. Give each row its own id. [REQ-01]",
        )
    ]
    assert [(tab, status) for tab, status, _ in statuses(made, "r-0001")] == [("Plot Requests", "Invalid")]
    assert "r-0001" not in {receipt.request.casefold() for receipt in receipts(book)}
    assert len([problem for problem in check(read(book), forms()) if problem.id == "REQ-01"]) == 2


@pytest.mark.parametrize("is_left", [True, False])
def test_a_ruling_of_another_ruleset_is_not_taken_over(is_left: bool) -> None:
    """Whether the row that was ruled is still there or not: it stays as it is, and the other one is not ruled."""
    rows = everything()
    late = next(row for row in rows["Plot Requests"] if row["Request"] == "P-0003")
    late |= {"Request": "R-0001", "Ready": False}
    ruled = rows["Round Requests"][0]
    rows["Round Requests"][0] = ruled | {"Request": "R-0099"}
    book, _ = played(rows)
    before = [receipt.request for receipt in receipts(book)]
    row = 2 + rows["Plot Requests"].index(late)
    type_in(book, "Plot Requests", row, "Request", "R-0099")
    type_in(book, "Plot Requests", row, "Ready", True)
    if not is_left:
        type_in(book, "Round Requests", 2, "Request", None)
        type_in(book, "Round Requests", 2, "Ready", False)

    made = run(book)

    told = {tab: (status, says) for tab, status, says in statuses(made, "R-0099")}
    assert told.pop("Plot Requests") == (
        "Invalid",
        f"'Plot Requests'!A{row} (R-0099, Request): the id \"R-0099\" belongs to a ruling of"
        ' another ruleset (rounds). Choose Action "Rule again". [REQ-01]',
    )
    assert [(tab, status) for tab, (status, _) in told.items()] == ([("Round Requests", "Done")] if is_left else [])
    assert [receipt.request for receipt in receipts(book)] == before


def type_in(book: MemoryWorkbook, tab: str, row: int, header: str, value: Any) -> None:
    record = next(form.request for form in forms() if tab_of(form.request).name == tab)
    book.type_in(tab, row, 1 + [column.header for _, column in columns(record)].index(header), value)
