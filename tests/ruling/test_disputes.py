"""Two programs that see different things in one request do not write over each other at every look (REQ-05)."""

from __future__ import annotations

import pytest

from scripts.support.workbooks import NOW, cell_name, changed, column, example, pass_context, read, workbook
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import Plan
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.runtime.test_run_pass import type_in

WARS = "War Requests"


def looks(book: MemoryWorkbook, before: Plan | None = None) -> Plan:
    """One pass of a program that remembers what it showed."""
    snapshot = read(book)
    made = plan_pass(snapshot, changed(pass_context(), last_statuses=before.findings.statuses if before else {}), NOW)
    if made.writes.changes:
        book.commit(snapshot, made.writes.changes)
    return made


def refused() -> tuple[MemoryWorkbook, Plan]:
    rows = example("1066")
    rows["War Requests"] = [rows["War Requests"][0] | {"Defender": "Norwey"}]
    book = workbook(rows)
    first = looks(book)
    assert column(book, "War Requests", "Status") == ["Invalid"]
    return book, first


def test_the_newer_text_of_another_program_is_kept_and_reported():
    book, first = refused()
    type_in(book, "War Requests", 2, "Status", "Waiting")  # another program has a tab that this one has not found

    made = looks(book, first)

    assert not made.writes.changes
    assert [str(problem) for problem in made.findings.of_tabs if problem.id == "REQ-05"] == [
        f'{cell_name("War Requests", "Status", 2)} (W-0001, Status): warning: another program has written "Waiting"'
        " where this one wrote"
        ' "Invalid"; it is left as it is. Let both run the same version, settings and maps, and restart the one that is'
        " wrong. [REQ-05]"
    ]
    assert not looks(book, made).writes.changes


def test_a_status_typed_by_a_person_is_corrected():
    for slip in (None, "done!"):
        book, first = refused()
        type_in(book, "War Requests", 2, "Status", slip)
        looks(book, first)
        assert column(book, "War Requests", "Status") == ["Invalid"]


def test_a_changed_row_is_answered_again():
    book, first = refused()
    type_in(book, "War Requests", 2, "Status", "Waiting")
    type_in(book, "War Requests", 2, "Defender", "Norweg")
    looks(book, first)
    assert column(book, "War Requests", "Status") == ["Invalid"]


def test_a_new_process_reports_a_dispute():
    book, _ = refused()
    type_in(book, "War Requests", 2, "Status", "Waiting")
    looks(book)
    assert column(book, "War Requests", "Status") == ["Invalid"]


@pytest.fixture
def wars() -> tuple[MemoryWorkbook, Plan]:
    """Three wars that a program has answered: ruled, refused, not ready."""
    rows = example("1066")
    ready, refused, later = rows["War Requests"][:3]
    rows["War Requests"] = [ready, refused | {"Defender": "Norwey"}, later | {"Ready": None}]
    book = workbook(rows)
    first = looks(book)
    assert column(book, WARS, "Status") == ["Done", "Invalid", None]
    return book, looks(book, first)


def exchange(book: MemoryWorkbook, rows: tuple[int, int], columns: slice) -> None:
    """Exchange two rows as a sort does that covers only some columns."""
    heads, *_ = before = book.rows(WARS)
    for row, other in (rows, rows[::-1]):
        for place in range(len(heads))[columns]:
            cells = before[other - 1]
            book.type_in(WARS, row, place + 1, cells[place] if place < len(cells) else None)


@pytest.mark.parametrize("rows", [(2, 3), (3, 4), (2, 4)])
@pytest.mark.parametrize("which", ["people's", "the program's", "all"])
def test_a_sort_that_separates_rows_and_statuses_is_repaired_without_blame(wars, which, rows):
    book, before = wars
    place = list(book.rows(WARS)[0]).index("Status")
    exchange(book, rows, {"people's": slice(place), "the program's": slice(place, None), "all": slice(None)}[which])

    made = looks(book, before)

    assert [problem for problem in made.findings.of_tabs if problem.id == "REQ-05"] == []
    shown = {"W-0001": "Done", "W-0002": "Invalid", "W-0003": None}
    ids, statuses = (column(book, WARS, header) for header in ("Request", "Status"))
    assert dict(zip(ids, statuses, strict=True)) == shown
    assert not looks(book, made).writes.changes


def test_another_program_is_reported_even_after_rows_were_moved(wars):
    book, before = wars
    exchange(book, (3, 4), slice(None))
    made = looks(book, before)
    type_in(book, WARS, 4, "Status", "Waiting")
    assert "REQ-05" in [problem.id for problem in looks(book, made).findings.of_tabs]
