"""Orders that rulings have made impossible lapse with their turn, and the row that ends it shows the turn (REQ-18)."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.workbooks import (
    NOW,
    Rows,
    check,
    example,
    forms,
    messages,
    read,
    run,
    undo,
    workbook,
)
from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.lapses import spoilt
from tests.helpers.tabs import key, keys

ROUNDS, PLAYERS = "Round Requests", "Round Players"
OVERTHROW = {"Player": "Anna", "Order": "Raid", "Target": "Dmitri", "Die": 1}
FIRST_ROUND: tuple[dict[str, Any], ...] = (
    {"Player": "Anna", "Order": "Set tax", "Tax %": 15},
    OVERTHROW,
    {"Player": "Dmitri", "Order": "Set tax", "Tax %": 12},
    {"Player": "Dmitri", "Order": "Raid", "Target": "Bola", "Die": 100},
    {"Player": "Bola", "Order": "Raid", "Target": "Dmitri", "Die": 100},
    {"Player": "Chen", "Order": "Raid", "Target": "Dmitri", "Loot ¤": 10, "Die": 100},
    {"Player": "Anna", "Order": "Set tax", "Tax %": 16},
    {"Player": "Chen", "Order": "Take the crown"},
    {"Player": "Anna", "Order": "Take the crown"},
    {"Player": "Bola", "Order": "Give gold", "Gold ¤": -100},
    {"Player": "Bola", "Order": "Set tax", "Tax %": "much"},
    {"Player": "Dmitri", "Order": "End round", "Gift ¤": 10},
    {"Player": "Chen", "Order": "Set tax", "Tax %": 9},
    {"Order": "End round"},
)
TYPO, END = 11, 14


def game(*orders: dict[str, Any]) -> Rows:
    """Return the game of the toy `rounds` in round 3, with these orders; one raid puts Dmitri out."""
    rows = example("rounds")
    for player in rows[PLAYERS]:
        player["Taxed in round"] = None
    rows[ROUNDS] = [{"Request": f"R-{number}", "Ready": True} | order for number, order in enumerate(orders, start=1)]
    return rows


def type_in(book: MemoryWorkbook, header: str, request: int, value: Any, tab: str = ROUNDS) -> None:
    """Type a value into the row of a request as a person does."""
    sheet = book.read(keys(tab)).sheet(key(tab))
    assert sheet is not None
    book.type_in(tab, request + 1, list(sheet.rows[1]).index(header) + 1, value)


def statuses(plan: Plan) -> dict[int, str]:
    return {number: status for number, (_, status, _) in enumerate(messages(plan), start=1)}


def says(plan: Plan, request: int) -> str:
    return messages(plan)[request - 1][2]


def receipts(book: MemoryWorkbook) -> Receipts:
    return read_receipts(read(book))


def take_back(book: MemoryWorkbook, request: str) -> None:
    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), request, NOW)[1])


def ended() -> MemoryWorkbook:
    """Return the round after its end, the typo mended."""
    book = workbook(game(*FIRST_ROUND))
    run(book)
    type_in(book, "Tax %", TYPO, 12)
    run(book)
    return book


def test_req_18_a_lapsed_row_keeps_its_id_when_its_copy_above_becomes_another_order() -> None:
    """The copy holds the first place, and not the cells that lapsed."""
    book = ended()
    sheet = book.read(keys(ROUNDS)).sheet(key(ROUNDS))
    assert sheet is not None
    for place, value in enumerate(sheet.rows[3], start=1):
        book.type_in(ROUNDS, 2, place, value)
    type_in(book, "Tax %", 1, 3)

    made = run(book)

    assert (messages(made)[0][:2], messages(made)[2][:2]) == (("R-0015", ""), ("R-3", "Lapsed"))


def test_req_18_a_copy_of_a_lapsed_row_is_a_new_order_after_a_tick() -> None:
    book = ended()
    sheet = book.read(keys(ROUNDS)).sheet(key(ROUNDS))
    assert sheet is not None
    for place, value in enumerate(sheet.rows[8], start=1):
        book.type_in(ROUNDS, 16, place, value)
    copied = run(book)

    assert (statuses(copied)[7], copied.rulings) == ("Lapsed", ())
    assert messages(copied)[14][:2] == ("R-0015", "")
    type_in(book, "Ready", 15, False)
    run(book)
    type_in(book, "Ready", 15, True)
    made = run(book)
    assert [ruling.receipt.request for ruling in made.rulings] == ["R-0015"]
    assert (statuses(made)[7], statuses(made)[15]) == ("Lapsed", "Done")


def test_req_18_the_id_of_a_lapsed_order_is_not_reused() -> None:
    book = workbook(
        game(
            {"Player": "Anna", "Order": "Set tax", "Tax %": 15},
            FIRST_ROUND[6] | {"Request": "R-0900"},
            {"Order": "End round"},
        )
    )
    assert statuses(run(book)) == {1: "Done", 2: "Lapsed", 3: "Done"}
    for header in ("Request", "Player", "Order", "Tax %", "Ready", "Status", "Message", "Ready Since"):
        type_in(book, header, 2, None)
    type_in(book, "Player", 4, "Chen")
    type_in(book, "Order", 4, "Set tax")
    type_in(book, "Tax %", 4, 7)
    type_in(book, "Ready", 4, True)

    assert [ruling.receipt.request for ruling in run(book).rulings] == ["R-0901"]


def checked(book: MemoryWorkbook) -> list[str]:
    """Return what the command check says."""
    return [str(problem) for problem in check(read(book), [form for form in forms() if form.key == "rounds"])]


def test_req_18_check_predicts_no_battle_but_the_lapses_after_it() -> None:
    book = workbook(game(*FIRST_ROUND))
    before = [problem for problem in checked(book) if "is out" in problem or "[RD-02]" in problem]
    assert [problem.partition(": ")[2].partition(".")[0] for problem in before] == [
        "warning: Anna has already set the tax in round 3",
        '"much" is not a number',
    ]

    run(book)

    after = [problem for problem in checked(book) if "is out" in problem]
    assert after[0] == (
        "'Round Requests'!C4 (R-3, Player): warning: Dmitri is out. It lapses with its turn, unless that changes."
        " [RD-05]"
    )
    assert len(after) == 5
    type_in(book, "Tax %", TYPO, 12)
    run(book)
    assert not any("is out" in problem or "has already set" in problem for problem in checked(book))


@pytest.mark.parametrize("order", [4, 5, 6])
def test_req_18_an_order_without_its_object_lapses_despite_other_errors(order: int) -> None:
    """Anna's raid puts Dmitri out, who orders a raid; others raid him."""
    for header, rows in spoilt(game(*FIRST_ROUND), ROUNDS, order - 1):
        made = run(workbook(rows))

        assert says(made, order).startswith("Lapses when "), (header, statuses(made))
