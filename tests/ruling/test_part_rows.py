"""Rows of Flanks: the war that each belongs to (FLR-01), and the wars that one without a war holds (REQ-21)."""

from __future__ import annotations

from typing import Any

from scripts.support.workbooks import NOW, changed, example, forms, pass_context, read, run, undo, workbook
from sheets_algo.ruling.passes.planner import plan_pass
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


def test_req_21_a_workbook_without_the_column_is_held_too() -> None:
    rows = example("1066")
    rows[WARS] = rows[WARS][:1]
    heads = ("Request", "Side", "X", "Y", "End Status")
    rows[FLANKS] = [{"Request": "W-O001"} | ORDERS]
    book = workbook(rows, {FLANKS: heads})

    assert held(book) == {"W-0001"}
    assert [*cells(book, 2, FLANKS)] == [*heads]


def ruled(*flanks: dict[str, Any], wars: tuple[str, ...] = ("W-0001", "W-0003")) -> MemoryWorkbook:
    """Return a season in which Stamford Bridge is ruled, and another war is to come."""
    book = season(*flanks, wars=wars, W_0003={"Ready": False})
    run(book)
    assert statuses(book)["W-0001"] == "Done"
    type_in(book, 3, Ready=True)
    return book


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


def test_req_21_the_first_poll_of_a_new_watcher_keeps_a_held_war_s_message() -> None:
    """It took the stray row for one that somebody is typing, blanked its Message, and let its war wait."""
    book = season(ORDERS | {"Request": "W-O001"})
    assert held(book) == {"W-0001"}

    plan = plan_pass(read(book), changed(pass_context(), known={}), NOW)

    assert not plan.writes.changes
