"""Rows of Flanks: the war that each belongs to (FLR-01), and the wars that one without a war holds (REQ-21)."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.workbooks import NOW, changed, check, example, forms, pass_context, read, run, undo, workbook
from sheets_algo.replays.shown_results import shown_otherwise
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.tab_key import TabKey
from tests.ruling.test_row_states import cells, type_in

WARS, FLANKS = "War Requests", "Flanks"
ORDERS = {"Side": "Attacker", "Flank": "column", "X": 150, "Y": 190}
NAMES = {"W-0001": "Stamford Bridge", "W-0002": "Hastings", "W-0003": "Channel interception", "W-0004": "Manzikert"}


def season(*flanks: dict[str, Any], wars: tuple[str, ...] = tuple(NAMES), **more: dict[str, Any]) -> MemoryWorkbook:
    """Return a season with some wars of 1066 ready, of which Manzikert has a row of its own, and further rows.

    Args:
        more: Other cells of a war, by its id with `_`.
    """
    rows = example("1066")
    rows[WARS] = [row for row in rows[WARS] if row["Request"] in wars]
    for row in rows[WARS]:
        row |= {"Ready": True} | more.get(row["Request"].replace("-", "_"), {})
    own = [{"Request": "W-0004", "Side": "Defender", "X": 200, "Y": 210}] if "W-0004" in wars else []
    rows[FLANKS] = [*own, *flanks]
    return workbook(rows)


def statuses(book: MemoryWorkbook) -> dict[str, str]:
    sheet = read(book).sheet(TabKey.named(WARS))
    assert sheet is not None
    rows = (cells(book, number) for number in sorted(sheet.rows) if number > 1)
    return {row["Request"]: row["Status"] for row in rows if row["War"]}


def held(book: MemoryWorkbook) -> set[str]:
    """Return the wars that are not ruled, after a pass."""
    run(book)
    return {id for id, status in statuses(book).items() if status == "Invalid"}


def take_back(book: MemoryWorkbook, request: str) -> None:
    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), request, NOW)[1])


def inputs(book: MemoryWorkbook) -> dict[str, str]:
    return {ruling.request: ruling.inputs for ruling in read_receipts(read(book)).rulings}


@pytest.mark.parametrize("name", ["Stamford Bridge", " stamford   BRIDGE", "W-0001", "w-0001 "])
def test_flr_01_a_row_belongs_to_a_war_by_id_or_by_name_and_stays_as_typed(name: str) -> None:
    book = season({"Request": name} | ORDERS, wars=("W-0001",))

    run(book)

    row = cells(book, 2, FLANKS)
    assert statuses(book) == {"W-0001": "Done"}
    assert '"label":"column"' in inputs(book)["W-0001"]
    assert (row["Request"], row["Message"]) == (name, None)
    assert row["End Status"]
    assert not run(book).writes.changes
    assert not [*shown_otherwise(read(book), forms(), read_receipts(read(book)))]
    take_back(book, "W-0001")
    assert cells(book, 2, FLANKS)["End Status"] is None


def test_flr_01_the_name_identifies_a_war_without_an_id() -> None:
    book = season({"Request": "Stamford Bridge"} | ORDERS, wars=("W-0001",), W_0001={"Request": None})

    run(book)

    assert statuses(book) == {"W-0001": "Done"}
    assert '"label":"column"' in inputs(book)["W-0001"]


def test_flr_01_an_id_is_no_name_of_another_war() -> None:
    book = season({"Request": "W-0001"} | ORDERS, wars=("W-0001", "W-0003"), W_0003={"War": "W-0001"})

    run(book)

    assert '"label":"column"' in inputs(book)["W-0001"]
    assert '"label":"column"' not in inputs(book)["W-0003"]


@pytest.mark.parametrize(
    ("typed", "wars"),
    [
        (None, {"W-0001", "W-0002", "W-0003"}),
        ("the war of the roses", {"W-0001", "W-0002", "W-0003"}),
        ("W-O001", {"W-0001"}),
        ("W0002", {"W-0002"}),
        ("W-0O04", {"W-0004"}),
        ("Hastngs", {"W-0002"}),
        ("Battle of Hastings", {"W-0002"}),
        ("W-003", {"W-0003"}),
        ("W-1", {"W-0001"}),
        ("S-0001", {"W-0001"}),
    ],
)
def test_req_21_flr_24_a_row_without_a_war_holds_each_ready_war_it_may_belong_to(
    typed: str | None, wars: set[str]
) -> None:
    book = season({"Request": typed} | ORDERS)

    assert held(book) == wars
    assert {id for id, status in statuses(book).items() if status == "Done"} == NAMES.keys() - wars
    text = cells(book, 3, FLANKS)["Message"]
    assert text.startswith(f"Holds {', '.join(sorted(wars))}: ")
    assert text.endswith(". Type the id or the name of its war into Request, or delete the row")
    assert not run(book).writes.changes
    assert "Flanks!A3" in "".join(map(str, check(read(book), forms())))


def test_req_21_a_held_war_names_the_row_and_both_working_remedies() -> None:
    book = season({"Request": "W-O001"} | ORDERS, {"Request": "W-O001"} | ORDERS, wars=("W-0001",))
    run(book)
    assert cells(book, 2)["Message"] == (
        "'War Requests'!A2 (W-0001, Request): Flanks!A2, as 1 more row, may be of this war: no war is called"
        ' "W-O001". If it is, type W-0001 into its Request; if not, the war that it is of, or delete the row. [REQ-21]'
    )

    type_in(book, 2, FLANKS, Request="W-0001")
    for header in ("Request", *ORDERS):
        type_in(book, 3, FLANKS, **{header: None})
    run(book)

    assert statuses(book) == {"W-0001": "Done"}
    assert [cells(book, row, FLANKS)["Message"] for row in (2, 3)] == [None, None]


def test_req_21_an_unready_war_of_a_stray_row_holds_no_other_war() -> None:
    book = season({"Request": "Hastngs"} | ORDERS, W_0002={"Ready": False})

    assert held(book) == set()
    assert cells(book, 3, FLANKS)["Message"].startswith('Belongs to no war: no war is called "Hastngs".')
    type_in(book, 3, Ready=True)
    assert held(book) == {"W-0002"}


def test_req_21_a_name_of_two_wars_identifies_neither() -> None:
    book = season({"Request": "hastings"} | ORDERS, W_0003={"War": "Hastings"})

    assert held(book) == {"W-0002", "W-0003"}
    assert 'Holds W-0002, W-0003: 2 wars are called "hastings".' in cells(book, 3, FLANKS)["Message"]
    type_in(book, 4, War="Channel")
    run(book)
    assert '"label":"column"' in inputs(book)["W-0002"]
    assert '"label":"column"' not in inputs(book)["W-0003"]


def test_req_21_a_row_with_the_next_id_waits_and_holds_no_war() -> None:
    book = season({"Request": "w-0005"} | ORDERS)

    assert held(book) == set()
    assert cells(book, 3, FLANKS)["Message"] is None


@pytest.mark.parametrize("orders", [{"Flank": "column"}, {}, {"Strategy": "wedge", "Flank": "column"}])
def test_req_21_a_row_with_only_names_holds_no_war(orders: dict[str, Any]) -> None:
    book = season({"Request": "Hastngs"} | orders)

    assert held(book) == set()
    assert cells(book, 3, FLANKS)["Message"] is None


@pytest.mark.parametrize("orders", [{"Side": "Attacker"}, {"X": 1}, {"Ships": 0}, {"Maneuver": "Position"}])
def test_req_21_a_side_a_place_a_count_or_a_maneuver_makes_a_row_hold_wars(orders: dict[str, Any]) -> None:
    assert held(season({"Request": "Hastngs"} | orders)) == {"W-0002"}


def look(book: MemoryWorkbook, known: dict[str, str]) -> Plan:
    """Look at the workbook as a watcher does, and write."""
    snapshot = read(book)
    plan = plan_pass(snapshot, changed(pass_context(), known=known), NOW)
    book.commit(snapshot, plan.writes.changes)
    return plan


def test_req_21_nothing_is_ruled_while_a_row_without_a_war_is_being_typed() -> None:
    book = season(wars=("W-0001",))
    first = look(book, {})
    type_in(book, 2, FLANKS, Request="W-O001", Side="Attacker")
    second = look(book, dict(first.findings.known))
    assert (statuses(book), cells(book, 2, FLANKS)["Message"]) == ({"W-0001": "Waiting"}, None)
    type_in(book, 2, FLANKS, X=150)
    third = look(book, dict(second.findings.known))
    assert (statuses(book), cells(book, 2, FLANKS)["Message"]) == ({"W-0001": "Waiting"}, None)

    fourth = look(book, dict(third.findings.known))

    assert statuses(book) == {"W-0001": "Invalid"}
    type_in(book, 2, FLANKS, Request="W-0001")
    fifth = look(book, dict(fourth.findings.known))
    assert statuses(book) == {"W-0001": "Waiting"}
    assert look(book, dict(fifth.findings.known)).rulings


def test_req_21_a_workbook_without_the_column_is_held_too() -> None:
    rows = example("1066")
    rows[WARS] = rows[WARS][:1]
    heads = ("Request", "Side", "X", "Y", "End Status")
    rows[FLANKS] = [{"Request": "W-O001"} | ORDERS]
    book = workbook(rows, {FLANKS: heads})

    assert held(book) == {"W-0001"}
    assert [*cells(book, 2, FLANKS)] == [*heads]


@pytest.mark.parametrize("action", ["Switch sides", "Forecast", "Preview"])
def test_req_21_other_actions_also_wait_for_the_stray_row(action: str) -> None:
    """Sides were switched without the flank, and odds were those of three even flanks."""
    book = season({"Request": "W-O001"} | ORDERS, wars=("W-0001",), W_0001={"Action": action})
    before = cells(book, 2)["Attacker"]

    run(book)

    assert "Flanks!A2 may be of this war" in cells(book, 2)["Message"]
    assert cells(book, 2)["Attacker"] == before


def ruled(*flanks: dict[str, Any], wars: tuple[str, ...] = ("W-0001", "W-0003")) -> MemoryWorkbook:
    """Return a season in which Stamford Bridge is ruled, and another war is to come."""
    book = season(*flanks, wars=wars, W_0003={"Ready": False})
    run(book)
    assert statuses(book)["W-0001"] == "Done"
    type_in(book, 3, Ready=True)
    return book


@pytest.mark.parametrize("name", ["W-0001", "Stamford Bridge"])
@pytest.mark.parametrize("change", [{"Request": None, "Ready": False}, {"War": "The battle of the bridge"}])
def test_req_21_rows_read_by_a_ruling_hold_no_war(name: str, change: dict[str, Any]) -> None:
    book = ruled({"Request": name} | ORDERS)
    type_in(book, 2, **change)

    assert held(book) == set()
    assert cells(book, 2, FLANKS)["Message"] is None
    assert not [problem for problem in check(read(book), forms()) if problem.id in ("FLR-01", "REQ-21")]


def test_req_21_a_renamed_war_still_shows_the_results_of_its_rows() -> None:
    book = ruled({"Request": "Stamford Bridge"} | ORDERS)
    ends = cells(book, 2, FLANKS)["End Status"]
    type_in(book, 2, War="The battle of the bridge")
    type_in(book, 2, FLANKS, End_Status="Ready to fight")

    named = [str(problem.cell) for problem in shown_otherwise(read(book), forms(), read_receipts(read(book)))]
    run(book)

    assert named == ["'War Requests'!B2", "Flanks!Y2"]
    assert cells(book, 2, FLANKS)["End Status"] == ends


@pytest.mark.parametrize("is_there", [True, False])
def test_req_21_a_new_war_does_not_get_the_rows_of_a_ruled_one_with_its_name(is_there: bool) -> None:
    book = ruled({"Request": "Stamford Bridge"} | ORDERS)
    ends = cells(book, 2, FLANKS)["End Status"]
    type_in(book, 3, War="Stamford Bridge")
    if not is_there:
        for place in range(1, 30):
            book.type_in(WARS, 2, place, None)

    assert held(book) == {"W-0003"}
    assert "W-0001 was ruled with it, and W-0003 has the same name" in cells(book, 2, FLANKS)["Message"]
    assert cells(book, 2, FLANKS)["End Status"] == ends
    assert not run(book).writes.changes
    type_in(book, 2, FLANKS, Request="W-0001")
    run(book)
    assert statuses(book)["W-0003"] == "Done"


def test_req_21_rows_typed_after_a_ruling_without_its_row_hold_all_wars() -> None:
    """Another war was typed over the ruled one, with its strategy, and got an id of its own."""
    book = ruled({"Request": "W-0001"} | ORDERS)
    type_in(book, 2, FLANKS, Flank="another column")
    type_in(book, 2, Request="W-0077", Year=1067)

    assert held(book) == {"W-0077", "W-0003"}
    assert "no row has W-0001 any more." in cells(book, 2, FLANKS)["Message"]


UNDONE = {
    "its row stays": ({}, set()),
    "its row gets another id": ({"Request": "W-0201"}, {"W-0201", "W-0003"}),
    "its row loses its id": ({"Request": None}, {"W-0004", "W-0003"}),
    "its row gets another id and another name": ({"Request": "W-0201", "War": "Second try"}, {"W-0201", "W-0003"}),
    "its row is not ready": ({"Request": "W-0201", "Ready": False}, {"W-0003"}),
}


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("case", UNDONE)
def test_req_21_rows_of_an_undone_war_hold_all_wars_without_its_id(case: str, half: bool) -> None:
    """Also if half of the strategy has got the new id already."""
    book = ruled({"Request": "W-0001"} | ORDERS, {"Request": "W-0001"} | ORDERS | {"Side": "Defender"})
    take_back(book, "W-0001")
    change, wars = UNDONE[case]
    type_in(book, 2, **change)
    if half and change.get("Request"):
        type_in(book, 3, FLANKS, Request=change["Request"])

    assert held(book) == wars


def test_req_21_a_copy_of_an_undone_war_is_not_ruled_without_its_strategy() -> None:
    book = ruled({"Request": "W-0001"} | ORDERS)
    take_back(book, "W-0001")
    for at, value in enumerate((cells(book, 2) | {"Request": "W-0201"}).values(), start=1):
        book.type_in(WARS, 9, at, value)

    assert held(book) == {"W-0201"}
    assert "the ruling of W-0001 is undone, and W-0201 has its name" in cells(book, 9)["Message"]
    type_in(book, 2, FLANKS, Request="W-0201")
    run(book)
    assert '"label":"column"' in inputs(book)["W-0201"]


def test_flr_01_the_id_of_a_ruled_war_is_not_suggested() -> None:
    book = ruled({"Request": "W-0001"} | ORDERS)
    type_in(book, 2, Request="W-0077", Ready=False)
    type_in(book, 2, FLANKS, X=151)

    said = [str(problem) for problem in run(book).problems if problem.cell.tab == FLANKS]

    assert said == [
        "Flanks!A2 (W-0001, Attacker, column, Request): no row has W-0001 any more. Type the id or the name of its war"
        " into Request, or delete the row. [REQ-21]"
    ]


def test_req_17_a_copy_without_its_own_id_clears_no_results_of_the_original() -> None:
    """Its id is in a cell that takes no value, as one that is merged with the cell above."""
    book = season({"Request": "W-0001"} | ORDERS, wars=("W-0001", "W-0002"), W_0002={"Request": "W-0001"})
    context = changed(pass_context(), blocked={(TabKey.named(WARS), 3, 1): "the cell is inside merged cells"})

    for _ in range(2):
        snapshot = read(book)
        plan = plan_pass(snapshot, context, NOW)
        book.commit(snapshot, plan.writes.changes)
        assert cells(book, 2, FLANKS)["End Status"]
    assert not plan.writes.changes


@pytest.mark.parametrize(("typed", "expected"), [("W-0003", {"W-0001", "W-0002", "W-0004"}), ("W-0005", set())])
def test_req_21_an_id_that_is_never_reused_belongs_to_no_future_war(typed: str, expected: set[str]) -> None:
    """The row of W-0003 was deleted before it was ruled; the program gives higher ids only (REQ-01)."""
    assert held(season({"Request": typed} | ORDERS, wars=("W-0001", "W-0002", "W-0004"))) == expected


def test_req_21_the_first_poll_of_a_new_watcher_keeps_a_held_war_s_message() -> None:
    """It took the stray row for one that somebody is typing, blanked its Message, and let its war wait."""
    book = season(ORDERS | {"Request": "W-O001"})
    assert held(book) == {"W-0001"}

    plan = plan_pass(read(book), changed(pass_context(), known={}), NOW)

    assert not plan.writes.changes
