"""The same war is not ruled under a second id (REQ-08), and requests whose row is gone are named (REQ-09)."""

from __future__ import annotations

import pytest

from scripts.support.workbooks import (
    NOW,
    check,
    column,
    example,
    forms,
    messages,
    read,
    ruled_example,
    run,
    undo,
    workbook,
)
from tests.helpers.tabs import key

HASTINGS = 3
"""Its row."""


def ruled():  # type: ignore[no-untyped-def]
    book, _ = ruled_example("1066")
    return book


def place(book, header):  # type: ignore[no-untyped-def]
    return list(read(book).sheet(key("War Requests")).rows[1]).index(header) + 1


@pytest.mark.parametrize("id", [None, "W-0099", "w-2"])
def test_a_ruled_war_whose_id_was_lost_or_changed_is_not_ruled_again(id):
    """Its inputs are others by now: the ruling has changed the nations."""
    book = ruled()
    book.type_in("War Requests", HASTINGS, 1, id)

    made = run(book)

    assert not made.rulings
    assert column(book, "War Requests", "Request")[1] == id
    says = "looks like W-0002, ruled by receipt 3, Hastings, 1066; no row has that id any more"
    assert column(book, "War Requests", "Status")[1] == "Invalid"
    assert says in str(column(book, "War Requests", "Message")[1])
    assert (
        'Put the id W-0002 back, or choose Action "Rule again" if it is another war'
        in made.findings.answers[1].cells.message
    )

    book.type_in("War Requests", HASTINGS, 1, "W-0002")
    assert not run(book).rulings
    assert column(book, "War Requests", "Status")[1] == "Done"


def test_a_ruled_war_with_its_id_at_another_war_is_not_ruled_again():
    """Somebody copies its id onto a war that is to come, and numbers it anew."""
    book = ruled()
    rows = read(book).sheet(key("War Requests")).rows
    to_come = {header: cell for header, cell in zip(rows[1], rows[5], strict=False) if header != "Status"}
    for header, cell in (to_come | {"Request": "W-0002", "War": "A war to come"}).items():
        book.type_in("War Requests", 8, place(book, header), cell)
    book.type_in("War Requests", HASTINGS, 1, "W-0099")

    made = run(book)

    assert not made.rulings
    says = "looks like W-0002, ruled by receipt 3, Hastings, 1066; another war has that id now"
    assert says in str(column(book, "War Requests", "Message")[1])


def test_rule_again_rules_it_under_its_own_id():
    book = ruled()
    book.type_in("War Requests", HASTINGS, 1, None)
    book.type_in("War Requests", HASTINGS, place(book, "Action"), "Rule again")

    made = run(book)

    # Harold is dead by now, so the ruling is refused for that; that it looks like another war keeps it from nothing.
    assert "REQ-08" not in [problem.id for problem in made.problems]
    assert column(book, "War Requests", "Request")[1] == "W-0006"


def test_a_war_whose_ruling_was_undone_may_get_a_new_id():
    from scripts.support.workbooks import NOW, undo

    book = ruled()
    for id in ("W-0005", "W-0004", "W-0003", "W-0002"):
        snapshot = read(book)
        book.commit(snapshot, undo(snapshot, forms(), id, NOW)[1])
    book.type_in("War Requests", HASTINGS, 1, "W-0002 again")

    assert [ruling.receipt.request for ruling in run(book).rulings] == ["W-0002 again"]


def test_a_war_that_differs_in_a_cell_is_another_war():
    book = ruled()
    book.type_in("War Requests", HASTINGS, 1, "W-0099")
    book.type_in("War Requests", HASTINGS, place(book, "Year"), 1067)

    assert "REQ-08" not in [problem.id for problem in run(book).problems]


def test_a_mere_forecast_request_may_resemble_any_war():
    book = ruled()
    book.type_in("War Requests", HASTINGS, 1, "W-0099")
    book.type_in("War Requests", HASTINGS, place(book, "Action"), "Forecast")

    assert "REQ-08" not in [problem.id for problem in run(book).problems]


def test_ruled_requests_without_rows_are_named_in_one_line():
    book = ruled()
    for row in (2, 3):
        book.type_in("War Requests", row, 1, None)
        book.type_in("War Requests", row, place(book, "Ready"), False)

    said = [str(problem) for problem in check(read(book), forms()) if problem.id == "REQ-09"]

    assert said == [
        "'War Requests': warning: 2 ruled requests are in no row: W-0001, W-0002. Nothing, if you removed the rows on"
        " purpose; if you changed an id, put it back. [REQ-09]"
    ]
    assert messages(run(book))[0] == ("", "", "")


def test_req_13_an_undone_leader_is_not_drawn_again_by_another_row():
    """The second row threw the dice anew as soon as the first one was undone."""
    rows = example("1066")
    rows["War Requests"] = rows["Flanks"] = []
    leader = {"Leader": "Leofric", "Nation": "England", "Year": 1066, "Age": 40, "Strongest Trait": "Zeal"}
    rows["Leader Requests"] = [leader | {"Request": id, "Ready": True} for id in ("L-1", "L-2")]
    book = workbook(rows)
    run(book)
    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), "L-1", NOW)[1])

    made = run(book)

    assert not made.rulings
    assert '(L-2, Leader): "Leofric" was drawn by receipt 2 for L-1, which is undone. Choose Action' in str(
        column(book, "Leader Requests", "Message")[1]
    )
    action = list(read(book).sheet(key("Leader Requests")).rows[1]).index("Action") + 1
    book.type_in("Leader Requests", 3, action, "Rule again")
    assert [ruling.receipt.request for ruling in run(book).rulings] == ["L-2"]
