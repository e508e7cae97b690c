"""Twenty turns of every ruleset: each receipt is verified, and each report of a turn is made, after every turn."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine.columns import Field, Kind, columns, tab_of
from scripts.support.workbooks import (
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
    workbook,
)
from sheets_algo.database.records import END_ANYWAY
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import TurnForm
from sheets_algo.forms.databases import by_ruleset, open_database
from sheets_algo.replays.replay import verify
from sheets_algo.replays.turn_report import ended_turns, turn_report
from sheets_algo.ruling.promises.promises import Promises
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.template import examples_of
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.example_budget import BUDGET

RESTORED = 4
TURNS = round(20 * min(1, BUDGET))
"""Twenty with a budget of 1; in two fifths the database is put back once, with turns before and after."""
GROUPS = by_ruleset(forms())


def filled(group: Sequence[Form[Any]]) -> Rows:
    """Return the example of a ruleset: numbers as texts, and two names in lists that it leaves blank, where it may."""
    rows = {tab: [dict(row) for row in rows] for tab, rows in examples_of(group, library()).items()}
    requests = {tab_of(form.request).name: [] for form in group}
    for record in dict.fromkeys(record for form in group for record in form.database):
        tab = tab_of(record).name
        for _, column in columns(record):
            new = [row | {column.header: typed(rows, column, row.get(column.header))} for row in rows.get(tab, ())]
            book = MemoryWorkbook(grids(rows | requests | {tab: new}))
            if new != rows.get(tab, []) and not any(problem.is_error for problem in check(read(book), group)):
                rows[tab] = new
    return rows


def typed(rows: Rows, column: Field, value: Any) -> Any:
    """Return a cell of a column in another spelling."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:,}"
    if column.kind is Kind.REFERENCES and not value:
        return "; ".join(other[next(iter(other))] for other in rows[column.to][1:3])
    return value


def with_turn(book: MemoryWorkbook, group: Sequence[Form[Any]], rows: Rows, turn: int) -> MemoryWorkbook:
    """Return the workbook with the orders of the example once more, and what ends the turn."""
    tabs = {title: book.rows(title) for title in book.tabs}
    for form in group:
        own = {"Ready": True, "Action": None} | _cells(form, {form.turn_column: None} if _has_turns(form) else {})
        more = {tab_of(record).name: rows.get(tab_of(record).name, []) for record in (form.request, *form.parts)}
        more = {tab: [row | {"Request": f"{row['Request']}-{turn}"} for row in orders] for tab, orders in more.items()}
        orders = [row | own for row in more[tab_of(form.request).name]]
        if _has_turns(form) and form.end_of_turn:
            orders.append({"Request": f"END-{turn}", "Ready": True, "Action": END_ANYWAY})
            orders[-1] |= _cells(form, form.end_of_turn)
        for tab, cells in (more | {tab_of(form.request).name: orders}).items():
            heads = tabs[tab][0]
            tabs[tab] = [*tabs[tab], *([row.get(head) for head in heads] for row in cells)]
    return MemoryWorkbook(tabs)


def _has_turns(form: Form[Any]) -> bool:
    return isinstance(form, TurnForm)


def _cells(form: Form[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return cells of a request by header instead of attribute."""
    declared = dict(columns(form.request))
    return {declared[attribute].header: value for attribute, value in values.items()}


def restored(book: MemoryWorkbook, group: Sequence[Form[Any]], rows: Rows) -> MemoryWorkbook:
    """Return the workbook after a moderator has put the database back as it was, but for turns and added rows."""
    counters = {cell for form in group if isinstance(form, TurnForm) for cell in _counters(form, book)}
    tabs = {title: book.rows(title) for title in book.tabs}
    for record in {record for form in group for record in form.database if tab_of(record).name in tabs}:
        heads, *cells = tabs[tab_of(record).name]
        kept = [head for head in heads if (tab_of(record).name, head) in counters]
        for number, row in enumerate(rows.get(tab_of(record).name, [])):
            cells[number] = [
                cell if head in kept else row.get(str(head))
                for head, cell in itertools.zip_longest(heads, cells[number])
            ]
        tabs[tab_of(record).name] = [heads, *cells]
    return MemoryWorkbook(tabs)


def _counters(form: TurnForm[Any], book: MemoryWorkbook) -> set[tuple[str, str]]:
    turn = form.turn_of_all(open_database(read(book), [form]))
    return {(tab, header) for tab, _, header in (turn.counters if turn else ())}


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group[0].ruleset_key)
def test_every_receipt_of_twenty_turns_is_verified_and_reported(group: Sequence[Form[Any]]) -> None:
    rows = filled(group)
    asked = {tab_of(record).name for form in group for record in (form.request, *form.parts)}
    book = workbook(rows | {tab: [] for tab in asked})
    by_key, verified, ruled = {form.key: form for form in group}, 0, []

    for turn in range(TURNS):
        book = with_turn(book if turn % RESTORED else restored(book, group, rows), group, rows, turn)
        run(book)
        run(book)  # what waited for a look
        receipts = read_receipts(read(book))
        for receipt in receipts.rulings[verified:]:
            form = by_key[receipt.ruleset]
            fingerprint = pass_context().fingerprints[form.ruleset_key]
            verdict = verify(receipt, form, fingerprint, SECRET, OPTIONS, Promises(receipts))
            assert verdict.reasons == ()
        ruled.append(len(receipts.rulings) - verified)
        verified = len(receipts.rulings)
        for reader, last in ended_turns(read(book), group, receipts).items():
            assert turn_report(read(book), group, receipts, reader, last).text()

    assert all(ruled[::RESTORED]), ruled
