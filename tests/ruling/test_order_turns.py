"""An order is carried out in its own turn or not at all (REQ-10), and a turn waits for its orders (REQ-12)."""

from __future__ import annotations

from typing import Any

from scripts.support.workbooks import (
    Rows,
    check,
    example,
    forms,
    read,
    workbook,
)
from sheets_algo.ruling.repair.reconcile import reconcile
from sheets_algo.workbook.changes import ChangeSet, SetCell
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.tabs import key, keys

ROUNDS, PLAYERS = "Round Requests", "Round Players"
TAX, OTHER_TAX, END = (
    {"Player": "Anna", "Order": order, "Tax %": rate}
    for order, rate in (("Set tax", 15), ("Set tax", 16), ("End round", None))
)


def game(*orders: dict[str, Any]) -> Rows:
    """The game of the toy `rounds`, in which Anna is in round 3, with these orders."""
    rows = example("rounds")
    rows[ROUNDS] = [{"Request": f"R-{number}", "Ready": True} | order for number, order in enumerate(orders, start=1)]
    return rows


def checked(book: MemoryWorkbook) -> list[str]:
    """What the command check says of the game."""
    return [str(problem) for problem in check(read(book), [form for form in forms() if form.key == "rounds"])]


def test_check_reports_orders_that_a_turn_will_end_without() -> None:
    """Two rows end the round, and one of them names it."""
    book = workbook(game(END, END | {"Round": 3}))

    (late,) = checked(book)

    assert "warning: the order is for round 3, which ends without it. Enter 4, or clear Ready. [REQ-10]" in late
    book = workbook(game(END, END | {"Request": None}))
    (late,) = checked(book)
    assert "warning: another row ends round 3. Enter 4, or clear Ready. [REQ-10]" in late


def test_a_turn_displaced_to_another_order_is_repaired() -> None:
    """RCP-33: rows are sorted while the program writes; a refused order without its turn would be ruled later."""
    book = workbook(game(TAX, OTHER_TAX, END))
    before = book.read(keys(ROUNDS))
    sheet = before.sheet(key(ROUNDS))
    assert sheet is not None
    place = list(sheet.rows[1]).index("Ready Since") + 1
    write = ChangeSet(cells=(SetCell(key(ROUNDS), 3, place, 3),))
    header, tax, other, end = (sheet.rows[number] for number in (1, 2, 3, 4))
    landed = [*end[: place - 1], 3, *end[place:]]
    found = MemoryWorkbook({ROUNDS: [header, tax, landed, other]}).read(keys(ROUNDS))

    corrections = reconcile(before, write, found, map(type, forms())).changes.cells

    assert {(cell.row, cell.column, cell.value) for cell in corrections} == {(3, place, None), (4, place, 3)}
