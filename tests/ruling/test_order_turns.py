"""An order is carried out in its own turn or not at all (REQ-10), and a turn waits for its orders (REQ-12)."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.workbooks import (
    NOW,
    Rows,
    changed,
    check,
    column,
    example,
    forms,
    messages,
    pass_context,
    read,
    run,
    workbook,
)
from sheets_algo.ruling.corrections import CannotUndo
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.repair.reconcile import reconcile
from sheets_algo.workbook.changes import ChangeSet, SetCell
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.tabs import key, keys
from tests.helpers.turns import ruled, statuses, take_back, type_in, waiting

ROUNDS, PLAYERS = "Round Requests", "Round Players"
TAX, OTHER_TAX, END = (
    {"Player": "Anna", "Order": order, "Tax %": rate}
    for order, rate in (("Set tax", 15), ("Set tax", 16), ("End round", None))
)
WRONG_TAX = TAX | {"Tax %": "much"}


def game(*orders: dict[str, Any]) -> Rows:
    """The game of the toy `rounds`, in which Anna is in round 3, with these orders."""
    rows = example("rounds")
    rows[ROUNDS] = [{"Request": f"R-{number}", "Ready": True} | order for number, order in enumerate(orders, start=1)]
    return rows


def checked(book: MemoryWorkbook) -> list[str]:
    """What the command check says of the game."""
    return [str(problem) for problem in check(read(book), [form for form in forms() if form.key == "rounds"])]


def move_on(book: MemoryWorkbook) -> None:
    """Type Anna's next round into the database by hand, over an order that is refused."""
    type_in(book, PLAYERS, "Round", 2, 4)


def test_a_refused_order_is_not_ruled_after_the_end_of_the_round() -> None:
    """Tax may be set once a round; the second order would otherwise set it in the next one, unasked."""
    book = workbook(game(TAX, OTHER_TAX))
    assert statuses(run(book)) == ["Done", "Waiting"]
    move_on(book)

    first, second, third = run(book), run(book), run(book)

    assert statuses(first) == statuses(second) == ["Done", "Invalid"]
    assert (
        messages(first)[1][2]
        == messages(second)[1][2]
        == (
            "'Round Requests'!B3 (R-2, Round): the order is for round 3, which is over."
            " Enter the current round to have it ruled now, or clear Ready. [REQ-10]"
        )
    )
    assert column(book, ROUNDS, "Ready Since") == [None, 3]
    assert not second.writes.changes
    assert not third.writes.changes
    assert (first.refused, second.refused) == (1, 0)
    assert (len(first.problems), second.problems) == (1, ())  # said once, then it stands in the row


def test_refusals_of_an_earlier_turn_are_not_repeated() -> None:
    book = workbook(game(TAX, OTHER_TAX, {"Player": "Chen", "Order": "Set tax", "Tax %": 12, "Ready": False}))
    run(book)
    move_on(book)
    told = messages(run(book))[1][2]
    type_in(book, ROUNDS, "Ready", 4, True)

    made = run(book)

    assert statuses(made) == ["Done", "Invalid", "Done"]
    assert (made.refused, made.problems) == (0, ())
    assert messages(made)[1][2] == told


def test_a_round_ended_twice_in_a_run_ends_once() -> None:
    book = workbook(game(END, END))
    found = [run(book), run(book)]

    assert [statuses(plan) for plan in found] == [["Done", "Lapsed"]] * 2
    assert all(": R-1 ends round 3. Type a new order into" in messages(plan)[1][2] for plan in found)
    type_in(book, ROUNDS, "Request", 3, None)
    assert statuses(run(book)) == ["Done", "Done"]
    assert column(book, PLAYERS, "Round")[0] == 5


def test_a_round_ended_in_an_earlier_run_is_not_reported() -> None:
    """Row 2 ended round 3; of the other two rows the first ends round 4."""
    rows = game(END, END, END)
    rows[ROUNDS][1]["Ready"] = rows[ROUNDS][2]["Ready"] = False
    book = workbook(rows)
    run(book)
    for row in (3, 4):
        type_in(book, ROUNDS, "Ready", row, True)

    found = messages(run(book))

    assert [status for _, status, _ in found] == ["Done", "Done", "Lapsed"]
    assert "R-2 ends round 4" in found[2][2]


def test_an_order_below_the_end_of_a_round_is_for_the_next_round() -> None:
    book = workbook(game(TAX, END, OTHER_TAX))

    assert statuses(run(book)) == ["Done"] * 3


def test_req_12_orders_below_a_second_end_wait_for_the_turn_after() -> None:
    """They were ruled in the turn that the second end should have ended; below an end typed twice nothing changes."""
    book = workbook(game(TAX, END, TAX, END, TAX, END, TAX))
    first = run(book)

    assert statuses(first) == ["Done", "Done", "Done", "Lapsed", "Waiting", "Lapsed", "Waiting"]
    assert waiting(first) == waiting(run(book)) == [5, 7]

    type_in(book, ROUNDS, "Request", 5, None)
    second = run(book)

    assert (statuses(second)[3], waiting(second)) == ("Done", [7])
    assert statuses(run(workbook(game(TAX, END, END, TAX)))) == ["Done", "Done", "Lapsed", "Done"]


@pytest.mark.parametrize(
    "orders",
    [
        (END | {"Round": 3}, OTHER_TAX, END | {"Round": 3}, TAX),
        (END, OTHER_TAX | {"Round": 6}, END, TAX),
    ],
    ids=["the second end names the turn", "an order of a later turn"],
)
def test_req_12_a_second_end_of_the_same_turn_holds_nothing(orders: Any) -> None:
    plan = run(workbook(game(TAX, *orders)))

    assert (statuses(plan)[1], statuses(plan)[3], 5 in waiting(plan)) == ("Done", "Lapsed", False)


def test_req_12_an_order_below_a_second_end_is_released_by_the_undo_of_the_first() -> None:
    """The second end now ends the turn of the first, so that the order belongs to the next one."""
    book = workbook(game(TAX, END, TAX, END, TAX))
    assert waiting(run(book)) == [5]
    for number in (3, 2):
        take_back(book, f"R-{number}")

    assert statuses(run(book)) == ["Done", "Undone", "Undone", "Done", "Done"]


def test_req_12_orders_below_further_ends_wait_after_the_undo_of_a_later_end() -> None:
    book = workbook(game(TAX, END, TAX, END, TAX, END, TAX))
    run(book)
    type_in(book, ROUNDS, "Request", 5, None)
    assert waiting(run(book)) == [7]
    for request in ("R-5", str(book.rows(ROUNDS)[4][0])):
        take_back(book, request)

    assert waiting(run(book)) == [7]


def test_req_12_orders_below_a_second_end_with_a_named_turn_wait_too() -> None:
    book = workbook(game(TAX, END, WRONG_TAX, END | {"Round": 4}, OTHER_TAX))

    assert statuses(run(book)) == ["Done", "Done", "Invalid", "Waiting", "Waiting"]


def test_an_order_corrected_in_its_turn_is_ruled() -> None:
    book = workbook(game(TAX | {"Tax %": "much"}))
    assert statuses(run(book)) == ["Invalid"]

    type_in(book, ROUNDS, "Tax %", 2, 15)

    assert statuses(run(book)) == ["Done"]


def test_an_order_corrected_too_late_is_refused_until_its_turn_is_named() -> None:
    book = workbook(game(WRONG_TAX))
    run(book)
    move_on(book)
    type_in(book, ROUNDS, "Tax %", 2, 15)
    assert statuses(run(book)) == ["Invalid"]

    type_in(book, ROUNDS, "Round", 2, 4)

    assert statuses(run(book)) == ["Done"]


def test_an_order_ticked_again_belongs_to_the_current_turn() -> None:
    book = workbook(game(TAX, WRONG_TAX, END))
    run(book)
    type_in(book, ROUNDS, "Ready", 3, False)
    run(book)
    assert column(book, ROUNDS, "Ready Since") == [None, None, None]

    type_in(book, ROUNDS, "Tax %", 3, 16)
    type_in(book, ROUNDS, "Ready", 3, True)

    assert statuses(run(book)) == ["Done"] * 3


def test_a_forecast_belongs_to_no_turn() -> None:
    """It is answered anew in each."""
    book = workbook(game(WRONG_TAX | {"Action": "Forecast"}, END))

    assert statuses(run(book)) == ["Invalid", "Done"]
    assert "which is over" not in messages(run(book))[0][2]


def test_a_corrected_order_of_a_past_turn_is_answered_once() -> None:
    """It named its old mistake, check found nothing, and run had nothing to do."""
    book = workbook(game(WRONG_TAX))
    run(book)
    move_on(book)
    assert '"much" is not a number' in messages(run(book))[0][2]
    type_in(book, ROUNDS, "Tax %", 2, 15)

    mended, later = run(book), run(book)

    says = (
        "'Round Requests'!B2 (R-1, Round): the order is for round 3, which is over."
        " Enter the current round to have it ruled now, or clear Ready. [REQ-10]"
    )
    assert messages(mended)[0][1:] == messages(later)[0][1:] == ("Invalid", says)
    assert ([str(problem) for problem in mended.problems], mended.refused) == ([says], 1)
    assert (later.problems, later.refused) == ((), 0)
    assert checked(book) == [says]


def test_check_reports_orders_that_a_turn_will_end_without() -> None:
    """Two rows end the round, and one of them names it."""
    book = workbook(game(END, END | {"Round": 3}))

    (late,) = checked(book)

    assert "warning: the order is for round 3, which ends without it. Enter 4, or clear Ready. [REQ-10]" in late
    book = workbook(game(END, END | {"Request": None}))
    (late,) = checked(book)
    assert "warning: another row ends round 3. Enter 4, or clear Ready. [REQ-10]" in late


def test_an_order_of_a_later_turn_waits_for_it_and_keeps_its_place() -> None:
    """It was refused as too early and then carried out by itself, after the orders below it."""
    book = workbook(game(TAX | {"Round": 4}))
    found = [run(book), run(book)]
    assert [messages(plan)[0][1:] for plan in found] == [("Waiting", "Waits for round 4; Anna is in round 3")] * 2
    assert not found[1].writes.changes
    assert checked(book) == ["'Round Requests'!B2 (R-1, Round): note: Waits for round 4; Anna is in round 3. [REQ-10]"]

    book = workbook(game(TAX | {"Round": 4}, END | {"Round": 5}, END | {"Round": 4}, END, OTHER_TAX))
    plan = run(book)
    assert ruled(plan) == ["R-4", "R-1", "R-3", "R-2", "R-5"]
    assert column(book, PLAYERS, "Round")[0] == 6


def test_an_unready_row_may_name_a_later_turn() -> None:
    book = workbook(game(TAX | {"Round": 4, "Ready": False}))

    assert not checked(book)


def test_a_watcher_rules_an_order_of_a_later_turn_in_its_place_too() -> None:
    book = workbook(game(TAX | {"Round": 4}, END, OTHER_TAX))
    known: Any = {}
    for _ in range(2):
        snapshot = read(book)
        plan = plan_pass(snapshot, changed(pass_context(), known=known), NOW)
        known = plan.findings.known
        book.commit(snapshot, plan.writes.changes)

    assert ruled(plan) == ["R-2", "R-1"]
    assert "already set the tax in round 4" in messages(plan)[2][2]


def test_req_12_a_turn_waits_for_a_refused_order_of_its_player() -> None:
    """The blank order below is for the next round, and others go on."""
    book = workbook(game(WRONG_TAX, END, OTHER_TAX, END | {"Player": "Bola"}))

    first, second = run(book), run(book)

    assert statuses(first) == statuses(second) == ["Invalid", "Waiting", "Waiting", "Done"]
    assert [text for _, _, text in messages(first)[1:3]] == [
        'Round 3 does not end yet: 0 orders fit, 1 to mend (R-1: "much" is not a number). Mend them, enter a later'
        " round in them, clear their Ready, or choose the Action End anyway here",
        "Waits for round 4; Anna is in round 3",
    ]
    assert not second.writes.changes

    type_in(book, ROUNDS, "Tax %", 2, 15)
    assert ruled(run(book)) == ["R-1", "R-2", "R-3"]


def test_req_12_orders_below_a_refused_end_wait_too() -> None:
    """They were ruled in the round before, and changed what the end of that round found."""
    book = workbook(game(END | {"Gift ¤": 9000}, TAX))

    first, second = run(book), run(book)

    assert statuses(first) == statuses(second) == ["Invalid", "Waiting"]
    assert messages(first)[1][2].startswith("Waits for ")
    type_in(book, ROUNDS, "Gift ¤", 2, None)
    mended = run(book)
    assert ruled(mended) == ["R-1", "R-2"]


def test_req_12_a_refused_end_holds_neither_named_orders_nor_other_players() -> None:
    refused = END | {"Gift ¤": 9000}
    below = [TAX | {"Round": 3}, TAX | {"Player": "Bola"}]

    assert statuses(run(workbook(game(refused, *below)))) == ["Invalid", "Done", "Done"]
    assert statuses(run(workbook(game(refused | {"Action": "Forecast"}, *below)))) == ["Invalid", "Done", "Done"]


def test_req_12_a_later_round_or_an_unticked_box_releases_the_turn() -> None:
    for header, value, status in (("Round", 4, "Invalid"), ("Ready", False, "")):
        book = workbook(game(TAX, WRONG_TAX, END))
        assert statuses(run(book)) == ["Done", "Invalid", "Waiting"]

        type_in(book, ROUNDS, header, 3, value)

        assert statuses(run(book)) == ["Done", status, "Done"]


def test_req_12_two_waiting_ends_end_one_turn() -> None:
    book = workbook(game(WRONG_TAX, END, END))
    assert statuses(run(book)) == ["Invalid", "Waiting", "Waiting"]

    type_in(book, ROUNDS, "Tax %", 2, 15)

    assert statuses(run(book)) == ["Done", "Done", "Lapsed"]


def test_req_12_an_order_below_with_the_turn_s_name_is_ruled_before_its_end() -> None:
    book = workbook(game(END, TAX | {"Round": 3}, OTHER_TAX))

    assert ruled(run(book)) == ["R-2", "R-1", "R-3"]


def test_req_12_a_turn_of_all_waits_for_all_players_and_orders_without_a_player() -> None:
    assert statuses(run(workbook(game(WRONG_TAX, END | {"Player": None})))) == ["Invalid", "Waiting"]

    for other, status in (("Anan", "Waiting"), ("Bola", "Done")):
        assert statuses(run(workbook(game(WRONG_TAX | {"Player": other}, END)))) == ["Invalid", status]


def test_req_12_a_waiting_turn_of_all_holds_no_player_who_has_ended_it() -> None:
    """Bola's mistake pushed the orders of Anna from round to round, while the rounds of Anna ended without them."""
    end_all, later = END | {"Player": None}, [order | {"Ready": False} for order in (TAX, END)]
    book = workbook(game(WRONG_TAX | {"Player": "Bola"}, END, end_all, *later))
    assert statuses(run(book)) == ["Invalid", "Done", "Waiting", "", ""]
    for row in (5, 6):
        type_in(book, ROUNDS, "Ready", row, True)

    made = run(book)

    assert statuses(made) == ["Invalid", "Done", "Waiting", "Done", "Done"]
    assert ruled(made) == ["R-4", "R-5"]


def test_an_undone_round_takes_its_orders_with_it() -> None:
    """The turn is the current one again, so an order of it may be mended."""
    book = workbook(game(END, TAX | {"Round": 3, "Ready": False}))
    run(book)
    type_in(book, ROUNDS, "Ready", 3, True)
    assert statuses(run(book)) == ["Done", "Invalid"]
    take_back(book, "R-1")

    assert statuses(run(book)) == ["Undone", "Done"]


def test_a_turn_with_later_orders_is_not_undone() -> None:
    """The tax of round 4 was in force in round 3, and could not be set again in round 4."""
    book = workbook(game(END, TAX, TAX | {"Player": "Bola"}))
    end, order = (ruling.receipt for ruling in run(book).rulings[:2])

    with pytest.raises(CannotUndo) as refusal:
        take_back(book, end.request)

    says = f"{order.request} was ruled in a later round; undo {order.request} first (receipt {order.seq})."
    assert str(refusal.value) == says
    take_back(book, order.request)
    take_back(book, end.request)
    assert statuses(run(book))[:2] == ["Undone", "Undone"]


CROWN = {"Player": "Anna", "Order": "Take the crown"}
FREED = {"Player": "Anna", "Order": "Raid", "Target": "Dmitri", "Die": 1}
IN_ITS_PLACE = (
    "'Round Requests'!L2 (R-1, Action): it was refused in its place: Dmitri has the crown; only orders below it"
    ' have changed that. Choose "Rule again" to have it ruled now, or clear Ready. [REQ-10]'
)


def crowned(*orders: dict[str, Any]) -> Rows:
    """A game in which Dmitri has the crown; the first order wants it, and the second one frees it."""
    rows = game(CROWN, FREED, *orders)
    next(player for player in rows[PLAYERS] if player["Player"] == "Dmitri")["Crown"] = True
    return rows


def overtaken_game(*orders: dict[str, Any]) -> MemoryWorkbook:
    """A game after a run, whose first order was refused, since only the one below it made it possible."""
    book = workbook(crowned(*orders))
    assert "Dmitri has the crown. [RD-04]" in checked(book)[0]
    assert messages(run(book))[0][1:] == ("Invalid", IN_ITS_PLACE)
    return book


def test_an_order_refused_in_its_place_is_not_ruled_later() -> None:
    """It was ruled in the same run, after them, and check found no problem."""
    book = overtaken_game()

    again = run(book)

    assert messages(again)[0][1:] == ("Invalid", IN_ITS_PLACE)
    assert not again.writes.changes
    assert checked(book) == [IN_ITS_PLACE]


def test_a_watcher_rules_no_order_refused_in_its_place() -> None:
    book = workbook(crowned())
    known: Any = {}
    for _ in range(4):
        snapshot = read(book)
        plan = plan_pass(snapshot, changed(pass_context(), known=known), NOW)
        known = plan.findings.known
        book.commit(snapshot, plan.writes.changes)

    assert statuses(plan) == ["Invalid", "Done"]


@pytest.mark.parametrize(("header", "value"), [("Action", "Rule again"), ("Target", "Chen"), ("Seed", 5)])
def test_an_order_refused_in_its_place_is_ruled_after_an_edit(header: str, value: str) -> None:
    book = overtaken_game()

    type_in(book, ROUNDS, header, 2, value)

    assert statuses(run(book)) == ["Done", "Done"]


def test_an_order_refused_in_its_place_is_ruled_after_its_inputs_change() -> None:
    book = overtaken_game()
    type_in(book, PLAYERS, "Gold ¤", 2, 3)

    assert statuses(run(book)) == ["Done", "Done"]


def test_an_order_refused_in_its_place_is_ruled_after_a_new_tick() -> None:
    book = overtaken_game()
    type_in(book, ROUNDS, "Ready", 2, False)
    assert statuses(run(book)) == ["", "Done"]
    type_in(book, ROUNDS, "Ready", 2, True)

    assert statuses(run(book)) == ["Done", "Done"]


def test_later_rulings_do_not_release_an_order_refused_in_its_place() -> None:
    book = overtaken_game()
    type_in(book, ROUNDS, "Player", 4, "Chen")
    for header, value in (("Request", "R-3"), ("Order", "Set tax"), ("Tax %", 12), ("Ready", True)):
        type_in(book, ROUNDS, header, 4, value)

    assert statuses(run(book)) == statuses(run(book)) == ["Invalid", "Done", "Done"]


def test_a_turn_with_end_anyway_ends_without_an_order_refused_in_its_place() -> None:
    book = overtaken_game(END)
    assert statuses(run(book)) == ["Invalid", "Done", "Waiting"]
    type_in(book, ROUNDS, "Action", 4, "End anyway")

    assert statuses(run(book)) == ["Lapsed", "Done", "Done"]
    assert not run(book).writes.changes


def test_a_waiting_watcher_rules_in_the_order_of_rows_too() -> None:
    """A row that is only waiting belongs to no turn yet: below End round it is for the next one."""
    book = workbook(game(TAX, OTHER_TAX, END, OTHER_TAX))
    known: Any = {}
    for _ in range(3):
        snapshot = read(book)
        plan = plan_pass(snapshot, changed(pass_context(), known=known), NOW)
        known = plan.findings.known
        if plan.writes.changes:
            book.commit(snapshot, plan.writes.changes)

    assert statuses(plan) == ["Done", "Lapsed", "Done", "Done"]
    assert column(book, "Receipts", "Request")[1:] == ["R-1", "R-3", "R-4"]


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
