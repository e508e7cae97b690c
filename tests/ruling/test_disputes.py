"""Two programs that see different things in one request do not write over each other at every look (REQ-05)."""

from __future__ import annotations

import dataclasses

from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.planner import plan_pass
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.workbooks import NOW, column, example, pass_context, read, workbook
from tests.runtime.test_run_pass import type_in


def looks(book: MemoryWorkbook, before: Plan | None = None) -> Plan:
    """One pass of a program that remembers what it showed."""
    snapshot = read(book)
    made = plan_pass(
        snapshot, dataclasses.replace(pass_context(), last_statuses=before.statuses if before else {}), NOW
    )
    if made.changes:
        book.commit(snapshot, made.changes)
    return made


def refused() -> tuple[MemoryWorkbook, Plan]:
    rows = example("1066")
    rows["War Requests"] = [rows["War Requests"][0] | {"Defender": "Norwey"}]
    book = workbook(rows)
    first = looks(book)
    assert column(book, "War Requests", "Status") == ["Invalid"]
    return book, first


def test_the_newer_word_of_another_program_stands_and_is_told():
    book, first = refused()
    type_in(book, "War Requests", 2, "Status", "Waiting")  # another program has a tab that this one has not found

    made = looks(book, first)

    assert not made.changes
    assert [str(problem) for problem in made.of_tabs if problem.id == "REQ-05"] == [
        "'War Requests'!O2 (W-0001, Status): warning: another program has written \"Waiting\" where this one wrote"
        ' "Invalid"; it is left as it is. Let both run the same version, settings and maps, and restart the one that is'
        " wrong. [REQ-05]"
    ]
    assert not looks(book, made).changes


def test_what_a_person_puts_there_is_put_right():
    for slip in (None, "done!"):
        book, first = refused()
        type_in(book, "War Requests", 2, "Status", slip)
        looks(book, first)
        assert column(book, "War Requests", "Status") == ["Invalid"]


def test_a_row_that_has_changed_is_answered_anew():
    book, first = refused()
    type_in(book, "War Requests", 2, "Status", "Waiting")
    type_in(book, "War Requests", 2, "Defender", "Norweg")
    looks(book, first)
    assert column(book, "War Requests", "Status") == ["Invalid"]


def test_a_process_that_has_just_begun_says_what_it_sees():
    book, _ = refused()
    type_in(book, "War Requests", 2, "Status", "Waiting")
    looks(book)
    assert column(book, "War Requests", "Status") == ["Invalid"]
