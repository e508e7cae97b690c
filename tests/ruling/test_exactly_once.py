"""Exactly once: passes, people and crashes in any order leave one ruling a request, and never change one."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.columns import columns, loosely, tab_of
from scripts.support.workbooks import NOW, SECRET, Rows, column, example, forms, pass_context, read, run, undo, workbook
from sheets_algo.forms.autoalgo.columns import WarRequest
from sheets_algo.ruling.corrections import CannotUndo
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.receipts.lookup import NotFound
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.workbook.errors import StaleWorkbook
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.values import Value
from tests.helpers.example_budget import BUDGET
from tests.helpers.games import EXAMPLES, facts
from tests.helpers.spoilt_workbooks import example_grids
from tests.helpers.tabs import key, keys

SOME = settings(max_examples=max(1, round(20 * BUDGET)), deadline=None)
FEW = settings(max_examples=max(1, round(10 * BUDGET)), deadline=None)

HEADERS = [field.header for _, field in columns(WarRequest)]
WARS = 5
NATIONS = 6


def receipts(book: MemoryWorkbook) -> tuple[StoredReceipt, ...]:
    return tuple(read_receipts(read(book)).by_seq.values())


class Season:
    """A workbook, who works on it, and what is on its way to it."""

    def __init__(self) -> None:
        self.book = MemoryWorkbook(example_grids("1066"))
        self.on_its_way: list[tuple[Snapshot, Plan]] = []
        self.seen: tuple[StoredReceipt, ...] = ()

    def passes(self) -> None:
        run(self.book)

    def plans(self) -> None:
        """A crash before the commit, or a slow watcher: the plan may still arrive."""
        snapshot = read(self.book)
        self.on_its_way.append((snapshot, plan_pass(snapshot, pass_context(), NOW)))

    def arrives(self, number: int, knows_revisions: bool) -> None:
        """A late, repeated or second commit; a store without revisions has only the guard and the cells to compare."""
        if self.on_its_way:
            snapshot, made = self.on_its_way[number % len(self.on_its_way)]
            if not knows_revisions:
                snapshot = dataclasses.replace(snapshot, revision=read(self.book).revision)
            try:
                self.book.commit(snapshot, made.writes.changes)
            except StaleWorkbook:
                return

    def types(self, tab: str, row: int, header: str, value: Value) -> None:
        sheet = self.book.read(keys(tab)).sheet(key(tab))
        assert sheet is not None
        self.book.type_in(tab, row, list(sheet.rows[1]).index(header) + 1, value)

    def swaps(self, one: int, other: int) -> None:
        """A person sorts: two requests change places, with all that stands beside them."""
        sheet = self.book.read(keys("War Requests")).sheet(key("War Requests"))
        assert sheet is not None
        for place in range(len(HEADERS)):
            for row, source in ((one, other), (other, one)):
                cells = sheet.rows[source]
                self.book.type_in("War Requests", row, place + 1, cells[place] if place < len(cells) else None)

    def undoes(self, request: str) -> None:
        snapshot = read(self.book)
        try:
            _, changes = undo(snapshot, forms(), request, NOW)
        except (CannotUndo, NotFound):
            return
        self.book.commit(snapshot, changes)

    def holds(self) -> None:
        """What must be true at any time."""
        now = receipts(self.book)
        rulings = Counter(loosely(receipt.request) for receipt in now if receipt.kind == "Ruling")
        assert set(rulings.values()) <= {1}
        assert now[: len(self.seen)] == self.seen
        assert [receipt.seq for receipt in now] == list(range(1, len(now) + 1))
        self.seen = now


ROWS = st.integers(2, WARS + 1)
WAR_CELLS: dict[str, list[Value]] = {
    "Ready": [True, False, None],
    "Year": [1066, 1071, 1080, "soon"],
    "Status": [None, "Done", "Waiting"],
    "Seed": [None, 7],
}
STEPS = st.one_of(
    st.tuples(st.just("passes")),
    st.tuples(st.just("plans")),
    st.tuples(st.just("arrives"), st.integers(0, 9), st.booleans()),
    *(
        st.tuples(st.just("types"), st.just("War Requests"), ROWS, st.just(header), st.sampled_from(cells))
        for header, cells in WAR_CELLS.items()
    ),
    st.tuples(
        st.just("types"),
        st.just("Nations"),
        st.integers(2, NATIONS + 1),
        st.just("Stability"),
        st.sampled_from([50, 99.5, "x"]),
    ),
    st.tuples(st.just("swaps"), ROWS, ROWS),
    st.tuples(st.just("undoes"), st.sampled_from([f"W-000{number}" for number in range(1, WARS + 1)])),
)


@pytest.mark.slow
@SOME
@given(steps=st.lists(STEPS, min_size=4, max_size=14))
def test_any_sequence_of_passes_edits_and_crashes_rules_once(steps: list[tuple[Any, ...]]) -> None:
    season = Season()
    for name, *more in steps:
        getattr(season, name)(*more)
        season.holds()
    season.passes()
    season.holds()

    assert not run(season.book).writes.changes
    for receipt in receipts(season.book):
        if receipt.kind == "Ruling" and receipt.seed_source == "season":
            assert int(receipt.seed) == SECRET.seed(receipt.request, receipt.inputs)


def test_two_simultaneous_watchers_rule_once() -> None:
    book = workbook(example("1066"))
    snapshot = read(book)
    first, second = (plan_pass(snapshot, pass_context(), now) for now in (NOW, "2026-03-01T12:00:01Z"))
    book.commit(snapshot, first.writes.changes)
    again = dataclasses.replace(snapshot, revision=read(book).revision)

    with pytest.raises(StaleWorkbook):
        book.commit(again, second.writes.changes)
    with pytest.raises(StaleWorkbook):
        book.commit(again, first.writes.changes)
    assert column(book, "Receipts", "Seq") == [1, 2, 3, 4, 5, 6]


def test_after_a_crash_the_same_battle_is_fought() -> None:
    """The seed is a function of the request and its inputs, so a lost commit loses nothing."""
    book = workbook(example("1066"))
    lost = plan_pass(read(book), pass_context(), NOW)
    run(book)

    assert receipts(book)[1:] == tuple(ruling.receipt for ruling in lost.rulings)


def test_the_seed_depends_on_the_id_and_the_inputs_alone() -> None:
    def seeds(**cells: Value) -> list[str]:
        rows = example("1066")
        rows["War Requests"] = [rows["War Requests"][0] | cells]
        return [ruling.receipt.seed for ruling in run(workbook(rows)).rulings]

    assert seeds() == seeds(Request=" w-0001") == seeds(Motive=None) == seeds(Year="1,066")
    assert seeds() != seeds(Request="W-0002")
    assert seeds() != seeds(Year=1067)


def test_a_new_request_never_gets_the_id_of_a_lost_row() -> None:
    rows = example("1066")
    book = workbook(rows)
    run(book)
    row = WARS + 1
    for place, header in enumerate(HEADERS, start=1):
        value = rows["War Requests"][0].get(header) if header != "Request" else None
        book.type_in("War Requests", row, place, value)
    made = run(book)

    assert column(book, "War Requests", "Request")[-1] == "W-0006"
    assert [ruling.receipt.request for ruling in made.rulings] == ["W-0006"]


def test_a_new_request_never_gets_waiting_flanks_of_another_one() -> None:
    rows = example("1066")
    rows["War Requests"] = [rows["War Requests"][0] | {"Request": None}]
    rows["Flanks"] = [{"Request": "W-0001", "Side": "Attacker"}]
    made = run(workbook(rows))

    assert [ruling.receipt.request for ruling in made.rulings] == ["W-0002"]


def test_a_new_id_of_an_invalid_row_is_in_its_message_at_once() -> None:
    rows = example("1066")
    rows["War Requests"] = [rows["War Requests"][0] | {"Request": None, "Year": "soon"}]
    rows["Flanks"] = []
    book = workbook(rows)
    run(book)

    assert column(book, "War Requests", "Message") == [
        "'War Requests'!C2 (W-0001, Year): \"soon\" is not a number. Enter a year from -3500 to 2100. [WAR-02]"
    ]
    assert not run(book).writes.changes


def test_results_of_a_ruling_are_in_the_messages_of_earlier_rows_at_once() -> None:
    """Harold falls at Hastings; the war of a row above, refused for another reason, is told so in the same pass."""
    rows = example("1066")
    rows["War Requests"][0]["Location"] = "Nowhere"
    rows["War Requests"][1]["Seed"] = 2
    book = workbook(rows)
    made = run(book)
    fallen = [change for ruling in made.rulings for change in ruling.receipt.changes if change.field == "Status"]

    assert "Harold Godwinson" in {change.row for change in fallen}
    assert "Harold Godwinson leads again, though killed in Hastings, 1066" in str(
        column(book, "War Requests", "Message")[0]
    )
    assert not run(book).writes.changes


@cache
def _rulings(name: str) -> dict[str, StoredReceipt]:
    return {ruling.receipt.request: ruling.receipt for ruling in run(workbook(example(name))).rulings}


IN_SHEET_ORDER = tuple(id for ids in facts("IN_SHEET_ORDER") for id in ids)
"""Rounds of everybody, which the rules of some games take in sheet order."""


def shuffled(draw: st.DrawFn, rows: Rows, tabs: list[str]) -> Rows:
    return rows | {tab: draw(st.permutations(rows[tab])) for tab in tabs if tab in rows}


@st.composite
def with_another_order_of_the_database(draw: st.DrawFn, name: str) -> Rows:
    tabs = [tab_of(record).name for form in forms() for record in form.database]
    return shuffled(draw, example(name), tabs)


@FEW
@given(data=st.data(), name=st.sampled_from(EXAMPLES))
def test_the_order_of_database_rows_changes_no_receipt(data: st.DataObject, name: str) -> None:
    made = run(workbook(data.draw(with_another_order_of_the_database(name))))
    found = {ruling.receipt.request: ruling.receipt for ruling in made.rulings}

    assert found.keys() == _rulings(name).keys()
    assert [
        id
        for id, receipt in found.items()
        if without_rows(receipt) != without_rows(_rulings(name)[id]) and id not in IN_SHEET_ORDER
    ] == []


def without_rows(receipt: StoredReceipt) -> StoredReceipt:
    """Return a receipt whose message names cells by tab alone: their rows follow the order of the tab."""
    message = re.sub(r"(?<=!)[A-Z]+\d+", "", receipt.figures.message)
    figures = dataclasses.replace(receipt.figures, message=message)
    return dataclasses.replace(receipt, figures=figures, previous="")


@FEW
@given(places=st.sets(st.integers(0, WARS - 1), min_size=2, max_size=2))
def test_the_order_of_unrelated_requests_changes_no_figures(places: set[int]) -> None:
    """England, Normandy and Norway fight three wars, the Seljuks two: however these are put between those."""
    rows = example("1066")
    north, south = iter(rows["War Requests"][:3]), iter(rows["War Requests"][3:])
    rows["War Requests"] = [next(south if place in places else north) for place in range(WARS)]
    made = run(workbook(rows))

    for ruling in made.rulings:
        known = _rulings("1066")[ruling.receipt.request]
        assert dataclasses.replace(ruling.receipt, seq=known.seq, previous=known.previous) == known
