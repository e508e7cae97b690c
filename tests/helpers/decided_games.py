"""Decisions of moderators about requests of any ruleset (OVR-01 to OVR-15)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from scripts.support.workbooks import NOW, OPTIONS, SECRET, Rows, forms, grids, library, pass_context, read, run, undo
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.receipts.chain import season_trouble
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.template import examples_of
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.decided import SECTION, Cells, items_of, receipts, ruling, undecided, with_overrides


def differences(receipt: StoredReceipt) -> tuple[str, ...]:
    """Return how a receipt differs from its ruling."""
    form = next(form for form in forms() if form.key == receipt.ruleset)
    return verify(receipt, form, pass_context().fingerprints[form.ruleset_key], SECRET, OPTIONS).differences


@cache
def example_rows(ruleset: str) -> Rows:
    """Return the example of a ruleset."""
    group = [form for form in forms() if form.ruleset_key == ruleset]
    return {tab: [dict(row) for row in rows] for tab, rows in examples_of(group, library()).items()}


@cache
def free_example(ruleset: str) -> MemoryWorkbook:
    """Return it after a pass without decisions."""
    book = MemoryWorkbook(grids(example_rows(ruleset)))
    run(book)
    return book


def decisions_hold(ruleset: str, request_id: str, decided: Sequence[Cells]) -> None:
    """Check that a request of an example is ruled with these decisions, and the receipt says what was otherwise."""
    book, free = with_overrides(example_rows(ruleset), *((request_id, *row) for row in decided)), free_example(ruleset)
    plan = run(book)

    assert not [problem for problem in plan.problems if problem.id.startswith("OVR")]
    receipt, without = ruling(book, request_id), ruling(free, request_id)
    assert differences(receipt) == ()
    assert (receipt.seed, receipt.inputs) == (without.seed, without.inputs)
    was = undecided(receipt.wiki).splitlines()
    now = items_of(receipt.wiki.partition(f"\n{SECTION}")[0]).splitlines()
    assert {old for old, new in zip(was, now, strict=True) if old != new} <= set(without.wiki.splitlines())
    written = {f"{change.tab}!{change.row}!{change.field}": change.after for change in receipt.changes}
    for kind, what, value in decided:
        assert f"'''{kind}:''' {what} = {value}" in receipt.wiki
        if kind == "Result" and "!" in what:
            assert written[what] == value
            assert f"{what} = {value}; without the decision" in receipt.wiki
    assert season_trouble(receipts(book), SECRET) == ""
    assert not run(book).writes.changes
    later = [seq for seq in receipts(book).by_seq.values() if seq.seq > receipt.seq and seq.changes]
    if not later:
        snapshot = read(book)
        _, changes = undo(snapshot, forms(), request_id, NOW)
        book.commit(snapshot, changes)
        assert receipts(book).is_undone(receipt)


def a_decision_is_refused(ruleset: str, row: Cells, expected: str) -> None:
    """Check that a decision is named in a problem, and its request not ruled."""
    book = with_overrides(example_rows(ruleset), row)
    told = [str(problem) for problem in run(book).problems if problem.id.startswith("OVR")]

    assert [text.startswith(f"Overrides!{expected}") for text in told] == [True], told
    assert receipts(book).ruling_of(row[0]) is None
