"""An order that was refused in its turn is not carried out in a later one by itself (REQ-10)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.planner import plan_pass
from sheets_algo.ruling.reconcile import reconcile
from sheets_algo.ruling.undo import undo
from sheets_algo.workbook.base import ChangeSet, SetCell
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.workbooks import NOW, Rows, column, example, forms, messages, pass_context, read, run, workbook

ROUNDS, TURNS = "CiAIS Requests", "Turn Requests"
TAX, OTHER_TAX, END = (
    {"Player": "Anna", "Order": order, "Tax %": rate}
    for order, rate in (("Set tax", 15), ("Set tax", 16), ("End round", None))
)
PROCESS: dict[str, Any] = {"Order": "Process turn"}


def game(*orders: dict[str, Any]) -> Rows:
    """The example game of CiAIS, in which Anna is in round 3, with these orders."""
    rows = example("ciais")
    rows[ROUNDS] = [{"Request": f"C-{number}", "Ready": True} | order for number, order in enumerate(orders, start=1)]
    return rows


def realm(*orders: dict[str, Any]) -> Rows:
    """The example's realms, of which Rome is in turn 12, with these orders of Rome."""
    rows = example("realm")
    rows.pop("Rating Requests")
    rows[TURNS] = [
        {"Request": f"T-{number}", "Realm": "Rome", "Ready": True} | order
        for number, order in enumerate(orders, start=1)
    ]
    return rows


def type_in(book: MemoryWorkbook, tab: str, header: str, row: int, value: Any) -> None:
    """Type a value into a cell as a person does."""
    sheet = book.read([tab]).sheet(tab)
    assert sheet is not None
    book.type_in(tab, row, list(sheet.rows[1]).index(header) + 1, value)


def statuses(plan: Plan) -> list[str]:
    return [status for _, status, _ in messages(plan)]


def test_an_order_that_was_refused_is_not_ruled_after_the_round_has_ended() -> None:
    """Tax may be set once a round; the second order would otherwise set it in the next one, unasked."""
    book = workbook(game(TAX, OTHER_TAX, END))

    first, second, third = run(book), run(book), run(book)

    assert statuses(first) == statuses(second) == ["Done", "Invalid", "Done"]
    assert (
        messages(first)[1][2]
        == messages(second)[1][2]
        == "\n".join(
            (
                "'CiAIS Requests'!B3 (C-2, Round): the order was ready in round 3, which is over."
                " Enter the current round to have it ruled now, or clear Ready. [REQ-10]",
                "'CiAIS Requests'!G3 (C-2, Tax %): Anna has already set the tax in round 3."
                " Wait for the next round. [CI-TAX-02]",
            )
        )
    )
    assert column(book, ROUNDS, "Ready Since") == [None, 3, None]
    assert not second.changes
    assert not third.changes
    assert (first.refused, second.refused) == (1, 0)
    assert (len(first.problems), second.problems) == (2, ())  # said once, then it stands in the row


def test_what_an_earlier_turn_refused_is_not_told_again_when_others_are_ruled() -> None:
    book = workbook(game(TAX, OTHER_TAX, END, {"Player": "Chen", "Order": "Set tax", "Tax %": 12, "Ready": False}))
    told = messages(run(book))[1][2]
    type_in(book, ROUNDS, "Ready", 5, True)

    made = run(book)

    assert statuses(made) == ["Done", "Invalid", "Done", "Done"]
    assert (made.refused, made.problems) == (0, ())
    assert messages(made)[1][2] == told


def test_agents_are_not_sent_twice() -> None:
    """Rome has 8 agents: 8 are sent, 6 are refused; the turn frees all 8, and still nobody sends 6."""
    spy = {"Order": "Aid saboteurs", "Target realm": "Gaul"}
    rows = realm(spy | {"Agents": 8}, spy | {"Agents": 6}, PROCESS)
    for row in rows["Realms"]:
        row["Agents"] = 8
    book = workbook(rows)

    assert statuses(run(book)) == statuses(run(book)) == ["Done", "Invalid", "Done"]


def test_a_round_that_is_ended_twice_in_a_run_is_ended_once() -> None:
    book = workbook(game(END, END))
    found = [run(book), run(book)]

    assert [statuses(plan) for plan in found] == [["Done", "Invalid"]] * 2
    assert all("the order that ends round 3 stands in row 2 already" in messages(plan)[1][2] for plan in found)
    type_in(book, ROUNDS, "Round", 3, 4)
    assert statuses(run(book)) == ["Done", "Done"]


def test_a_turn_that_is_processed_twice_in_a_run_is_processed_once() -> None:
    book = workbook(realm(PROCESS, PROCESS, PROCESS | {"Realm": "Gaul"}))

    assert statuses(run(book)) == statuses(run(book)) == ["Done", "Invalid", "Done"]
    assert "the order that ends turn 12 stands in row 2 already" in messages(run(book))[1][2]


def test_a_round_that_was_ended_in_an_earlier_run_is_not_named() -> None:
    """Row 2 ended round 3; of the other two rows the first ends round 4."""
    rows = game(END, END, END)
    rows[ROUNDS][1]["Ready"] = rows[ROUNDS][2]["Ready"] = False
    book = workbook(rows)
    run(book)
    for row in (3, 4):
        type_in(book, ROUNDS, "Ready", row, True)

    found = messages(run(book))

    assert [status for _, status, _ in found] == ["Done", "Done", "Invalid"]
    assert "the order that ends round 4 stands in row 3 already" in found[2][2]


def test_an_order_below_the_end_of_a_round_is_for_the_next_one() -> None:
    book = workbook(game(TAX, END, OTHER_TAX))

    assert statuses(run(book)) == ["Done"] * 3


def test_an_order_that_is_mended_in_its_turn_is_ruled() -> None:
    book = workbook(game(TAX | {"Tax %": "much"}))
    assert statuses(run(book)) == ["Invalid"]

    type_in(book, ROUNDS, "Tax %", 2, 15)

    assert statuses(run(book)) == ["Done"]


def test_an_order_that_is_mended_too_late_is_refused_until_somebody_says_for_when() -> None:
    book = workbook(game(TAX | {"Tax %": "much"}, END))
    assert statuses(run(book)) == ["Invalid", "Done"]
    type_in(book, ROUNDS, "Tax %", 2, 15)
    assert statuses(run(book)) == ["Invalid", "Done"]

    type_in(book, ROUNDS, "Round", 2, 4)

    assert statuses(run(book)) == ["Done", "Done"]


def test_an_order_that_is_ticked_anew_belongs_to_the_current_turn() -> None:
    book = workbook(game(TAX, OTHER_TAX, END))
    run(book)
    type_in(book, ROUNDS, "Ready", 3, False)
    run(book)
    assert column(book, ROUNDS, "Ready Since") == [None, None, None]

    type_in(book, ROUNDS, "Ready", 3, True)

    assert statuses(run(book)) == ["Done"] * 3


def test_a_forecast_belongs_to_no_turn() -> None:
    """It is answered anew in each."""
    book = workbook(game(TAX | {"Action": "Forecast", "Tax %": "much"}, END))

    assert statuses(run(book)) == ["Invalid", "Done"]
    assert "which is over" not in messages(run(book))[0][2]


def test_an_undone_round_takes_its_orders_back() -> None:
    """The turn is the current one again, so an order of it may be mended."""
    book = workbook(game(TAX | {"Tax %": "much"}, END))
    run(book)
    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), "C-2", NOW)[1])
    type_in(book, ROUNDS, "Tax %", 2, 15)

    assert statuses(run(book)) == ["Done", "Undone"]


def test_a_watcher_that_waits_rules_in_the_order_of_rows_too() -> None:
    """A row that is only waiting belongs to no turn yet: below End round it is for the next one."""
    book = workbook(game(TAX, OTHER_TAX, END, OTHER_TAX))
    known: Any = {}
    for _ in range(3):
        snapshot = read(book)
        plan = plan_pass(snapshot, replace(pass_context(), known=known), NOW)
        known = plan.known
        if plan.changes:
            book.commit(snapshot, plan.changes)

    assert statuses(plan) == ["Done", "Invalid", "Done", "Done"]
    assert column(book, ROUNDS, "Ready Since") == [None, 3, None, None]


def test_a_turn_that_landed_beside_another_order_is_put_right() -> None:
    """RCP-33: rows are sorted while the program writes; a refused order without its turn would be ruled later."""
    book = workbook(game(TAX, OTHER_TAX, END))
    before = book.read([ROUNDS])
    sheet = before.sheet(ROUNDS)
    assert sheet is not None
    place = list(sheet.rows[1]).index("Ready Since") + 1
    write = ChangeSet(cells=(SetCell(ROUNDS, 3, place, 3),))
    header, tax, other, end = (sheet.rows[number] for number in (1, 2, 3, 4))
    landed = [*end[: place - 1], 3, *end[place:]]
    found = MemoryWorkbook({ROUNDS: [header, tax, landed, other]}).read([ROUNDS])

    corrections = reconcile(before, write, found, map(type, forms())).changes.cells

    assert {(cell.row, cell.column, cell.value) for cell in corrections} == {(3, place, None), (4, place, 3)}
