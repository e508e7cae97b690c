"""Orders that rulings have made impossible lapse with their turn, and the row that ends it shows the turn (REQ-18)."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.beacon_rounds import BeaconSeason, after_round, before_round
from scripts.support.workbooks import (
    NOW,
    OPTIONS,
    SECRET,
    Rows,
    changed,
    check,
    example,
    forms,
    messages,
    pass_context,
    read,
    run,
    undo,
    workbook,
)
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.passes.planner import plan_pass
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
LAPSING = (3, 4, 5, 6, 7, 9, 12)
"""The numbers of the orders that Anna's raid, her first tax and Chen's crown make impossible."""
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


def test_req_18_only_correctable_errors_hold_up_a_round() -> None:
    """Seven of fourteen rows had to be unticked, one after the other, though nobody could mend "Dmitri is out"."""
    book = workbook(game(*FIRST_ROUND))
    first, second = run(book), run(book)

    waiting = {*LAPSING, END}
    for made in (first, second):
        assert statuses(made) == {
            number: "Waiting" if number in waiting else "Invalid" if number == TYPO else "Done"
            for number in range(1, 15)
        }
        assert says(made, END) == (
            'Round 3 does not end yet: 5 orders fit, 1 to mend (R-11: "much" is not a number), 7 lapse;'
            " Eve has not ordered. Mend them, enter a later round in them, clear their Ready, or choose the Action End"
            " anyway here"
        )
    assert says(second, 3).startswith("Lapses when a round ends, unless that changes\n")
    assert "warning: Dmitri is out." in says(second, 3)
    assert not second.writes.changes
    assert (second.refused, len(first.rulings)) == (1, 5)


def test_req_18_the_receipt_of_the_round_names_lapsed_orders_and_their_causes() -> None:
    book = ended()
    third = run(book)

    assert not third.writes.changes
    assert statuses(third) == {number: "Lapsed" if number in LAPSING else "Done" for number in range(1, 15)}
    end = receipts(book).ruling_of("R-14")
    assert end is not None
    assert end.wiki.partition("=== Lapsed ===\n")[2].splitlines() == [
        "* R-3: Dmitri is out (R-2).",
        "* R-4: Dmitri is out (R-2).",
        "* R-5: Dmitri is out (R-2).",
        "* R-6: Dmitri is out (R-2); Dmitri has no 10 ¤ (R-2).",
        "* R-7: Anna has already set the tax in round 3 (R-1).",
        "* R-9: Chen has the crown (R-8).",
        "* R-12: Dmitri is out (R-2).",
    ]
    assert says(third, 3) == (f"Lapsed with {end.request}: Dmitri is out (R-2). Type a new order into another row")
    assert "Ended without R-3, R-4, R-5, R-6, R-7, R-9, R-12; the receipt says why" in says(third, END)
    form = next(form for form in forms() if form.key == "rounds")
    for ruling in receipts(book).rulings:
        assert verify(ruling, form, pass_context().fingerprints["rounds"], SECRET, OPTIONS).differences == ()


def test_req_18_a_lapsed_order_is_never_ruled_again() -> None:
    """Not a tick, not a blank status, not another round, not a cleared tax, not an Action; only without its id."""
    book = ended()
    seen = len(receipts(book).by_seq)
    for header, value in (("Ready", False), ("Status", ""), ("Ready", True), ("Action", "Forecast")):
        type_in(book, header, 7, value)
        assert statuses(run(book))[7] == "Lapsed"
    type_in(book, "Taxed in round", 1, None, PLAYERS)
    type_in(book, "Action", 7, "Rule again")
    assert statuses(run(book))[7] == "Lapsed"
    assert len(receipts(book).by_seq) == seen

    type_in(book, "Request", 7, None)
    type_in(book, "Action", 7, "Rule")
    made = run(book)

    assert [ruling.receipt.request for ruling in made.rulings] == ["R-0015"]
    assert statuses(made)[7] == "Done"


def test_req_18_an_edited_lapsed_row_is_changed_and_names_both_remedies() -> None:
    """It showed why another order had lapsed, beside cells that nobody had looked at."""
    book = ended()
    end = receipts(book).ruling_of("R-14")
    assert end is not None
    for header, value in (("Player", "Chen"), ("Order", "Give gold"), ("Tax %", None), ("Gold ¤", 50)):
        type_in(book, header, 3, value)

    made = run(book)

    assert (statuses(made)[3], made.rulings, made.refused) == ("Changed", (), 1)
    assert says(made, 3) == (
        f"'Round Requests'!A4 (R-3, Request): R-3 lapsed with {end.request}; Player, Order, Tax %, Gold ¤ differ."
        " A new order? Type it into another row. A slip? Type Dmitri, Set tax, 12 % back and empty Gold ¤ again."
        " [REQ-16]"
    )
    assert "REQ-16" in [problem.id for problem in check(read(book), forms())]
    assert not run(book).writes.changes

    for header, value in (("Player", "Dmitri"), ("Order", "Set tax"), ("Tax %", 12), ("Gold ¤", None)):
        type_in(book, header, 3, value)
    assert statuses(run(book))[3] == "Lapsed"
    type_in(book, "Player", 3, "Chen")
    type_in(book, "Request", 3, None)
    assert [ruling.receipt.request for ruling in run(book).rulings] == ["R-0015"]


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


def test_req_18_an_order_whose_obstacle_is_undone_before_the_end_is_ruled() -> None:
    book = workbook(game(*FIRST_ROUND))
    run(book)
    take_back(book, "R-2")

    made = run(book)

    assert {number for number, status in statuses(made).items() if status == "Done"} >= {3, 4, 12}
    assert (statuses(made)[2], statuses(made)[6], statuses(made)[7]) == ("Undone", "Done", "Waiting")


def test_req_18_a_lapsed_order_stays_lapsed_when_its_obstacle_is_undone_later() -> None:
    book = workbook(game(FIRST_ROUND[7], FIRST_ROUND[8], {"Order": "End round"}))
    assert statuses(run(book)) == {1: "Done", 2: "Lapsed", 3: "Done"}
    take_back(book, "R-3")
    take_back(book, "R-1")
    again = run(book)
    assert (statuses(again)[2], statuses(again)[3]) == (
        "Done",
        "Undone",
    )  # its round is open again, and so is the order

    book = workbook(game(FIRST_ROUND[0], FIRST_ROUND[6], {"Order": "End round", "Player": "Anna"}))
    assert statuses(run(book)) == {1: "Done", 2: "Lapsed", 3: "Done"}
    for header, value in (("Taxed in round", None), ("Tax %", 12)):
        type_in(book, header, 1, value, PLAYERS)

    made = run(book)
    assert (statuses(made)[2], made.rulings) == ("Lapsed", ())


def test_req_18_an_undone_end_withdraws_its_lapses_and_the_next_one_repeats_them() -> None:
    book = ended()
    take_back(book, "R-14")
    made = run(book)
    assert statuses(made) == {
        number: "Waiting" if number in LAPSING else "Undone" if number == END else "Done" for number in range(1, 15)
    }

    type_in(book, "Request", END, "R-99")
    again = run(book)

    assert statuses(again) == {number: "Lapsed" if number in LAPSING else "Done" for number in range(1, 15)}
    lapse = receipts(book).lapse_of("R-7")
    assert lapse is not None
    assert lapse.receipt.request == "R-99"


def test_req_18_a_person_s_error_is_corrected_and_does_not_lapse() -> None:
    """The same sentence, but no ruling is behind it: a unit that is lost since before, a player typed to have lost."""
    rows = game(FIRST_ROUND[4], FIRST_ROUND[2], {"Order": "End round"})
    rows[PLAYERS][3] |= {"Status": "Out"}
    book = workbook(rows)

    assert statuses(run(book)) == {1: "Invalid", 2: "Invalid", 3: "Waiting"}


def test_req_18_an_obstacle_from_an_earlier_round_is_an_error_and_no_lapse() -> None:
    """The player knew, and could have named another city."""
    book = workbook(game(FIRST_ROUND[7], {"Order": "End round"}, FIRST_ROUND[8], {"Order": "End round", "Round": 4}))

    assert statuses(run(book)) == {1: "Done", 2: "Done", 3: "Invalid", 4: "Waiting"}


def test_req_18_end_anyway_ends_the_round_without_erroneous_orders() -> None:
    book = workbook(game(*FIRST_ROUND))
    run(book)
    type_in(book, "Action", END, "End anyway")

    made = run(book)

    assert statuses(made) == {number: "Lapsed" if number in (*LAPSING, TYPO) else "Done" for number in range(1, 15)}
    end = receipts(book).ruling_of("R-14")
    assert end is not None
    assert end.wiki.splitlines()[-2] == '* R-11: ended without it by a moderator: "much" is not a number.'
    assert list(end.figures.lapsed) == [f"R-{number}" for number in sorted((*LAPSING, TYPO))]
    type_in(book, "Tax %", TYPO, 12)
    assert (statuses(run(book))[TYPO], run(book).rulings) == ("Changed", ())


def test_req_18_end_anyway_is_for_an_order_that_ends_a_round() -> None:
    book = workbook(game(FIRST_ROUND[0] | {"Action": "End anyway"}))

    made = run(book)

    assert statuses(made) == {1: "Invalid"}
    assert "the order ends no turn. Choose Rule. [REQ-18]" in says(made, 1)


def test_req_18_two_ends_end_one_round_and_lapse_each_order_once() -> None:
    book = workbook(game(FIRST_ROUND[0], FIRST_ROUND[6], {"Order": "End round"}, {"Order": "End round"}))

    made = run(book)

    assert statuses(made) == {1: "Done", 2: "Lapsed", 3: "Done", 4: "Lapsed"}
    told = {ruling.receipt.request: list(ruling.receipt.figures.lapsed) for ruling in made.rulings}
    assert told == {"R-1": [], "R-3": ["R-2", "R-4"]}
    assert not run(book).writes.changes


def test_req_18_an_end_of_one_player_lapses_with_an_end_of_all_above_it() -> None:
    """The end of all goes on for the players whose round it is."""
    of_one, of_all = {"Player": "Bola", "Order": "End round"}, {"Order": "End round"}
    assert statuses(run(workbook(game(of_all, of_one, of_one | {"Round": 4})))) == {1: "Done", 2: "Lapsed", 3: "Done"}
    assert statuses(run(workbook(game(of_one, of_all)))) == {1: "Done", 2: "Done"}


def test_req_18_a_second_end_without_an_id_gets_one_and_is_reported() -> None:
    rows = game({"Order": "End round"}, {"Order": "End round"})
    rows[ROUNDS][1]["Request"] = None
    book = workbook(rows)

    made = run(book)

    assert [(id, status) for id, status, _ in messages(made)] == [("R-1", "Done"), ("R-0002", "Lapsed")]
    take_back(book, "R-1")
    again = run(book)
    assert [(id, status) for id, status, _ in messages(again)] == [("R-1", "Undone"), ("R-0002", "Done")]


def test_req_18_a_second_end_that_is_still_being_typed_can_be_corrected() -> None:
    book = workbook(game({"Order": "End round"}, {"Order": "End round", "Ready": False}))
    snapshot = read(book)
    known = plan_pass(snapshot, changed(pass_context(), known={}), NOW).findings.known
    type_in(book, "Ready", 2, True)
    snapshot = read(book)

    plan = plan_pass(snapshot, changed(pass_context(), known=known), NOW)

    assert statuses(plan) == {1: "Done", 2: "Invalid"}
    assert "round 3 has ended already" in says(plan, 2)


def test_req_12_a_round_of_all_waits_for_an_error_in_a_round_of_one_player() -> None:
    """Bola's funding was dropped without a word, since the row below ended his round too."""
    costly = {"Player": "Bola", "Order": "End round", "Gift ¤": 900}
    book = workbook(game(costly, {"Order": "End round"}))
    first = run(book)
    assert statuses(first) == {1: "Invalid", 2: "Waiting"}
    assert "1 to mend (R-1: 900 ¤ is more than Bola has after this round's income)" in says(first, 2)

    type_in(book, "Action", 2, "End anyway")
    assert statuses(run(book)) == {1: "Lapsed", 2: "Done"}

    book = workbook(game(costly | {"Gift ¤": 50}, {"Order": "End round"}))
    assert statuses(run(book)) == {1: "Done", 2: "Done"}


def test_req_18_end_anyway_for_all_is_not_held_by_an_end_that_waits() -> None:
    typo, of_one = FIRST_ROUND[TYPO - 1], {"Player": "Bola", "Order": "End round"}
    book = workbook(game(typo, of_one, {"Order": "End round"}))
    assert statuses(run(book)) == {1: "Invalid", 2: "Waiting", 3: "Waiting"}

    type_in(book, "Action", 3, "End anyway")

    assert statuses(run(book)) == {1: "Lapsed", 2: "Lapsed", 3: "Done"}


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


def test_req_18_orders_left_at_the_end_of_a_game_wait_for_a_new_game() -> None:
    """They were Lapsed, which is final elsewhere, check said nothing, and a new game carried them out."""
    time_is_up = {"Order": "Close the game"}
    book = workbook(game(time_is_up, FIRST_ROUND[0], {"Order": "End round"}))

    assert statuses(run(book)) == statuses(run(book)) == {1: "Done", 2: "Waiting", 3: "Waiting"}
    over = [problem for problem in checked(book) if "somebody plays again" in problem]
    assert over == [
        "'Round Requests'!C3 (R-2, Player): warning: Anna is out. It is ruled if somebody plays again. [RD-05]",
        "'Round Requests'!D4 (R-3, Order): warning: nobody is Playing. It is ruled if somebody plays again. [RD-05]",
    ]

    for number in range(1, len(example("rounds")[PLAYERS]) + 1):
        type_in(book, "Status", number, "Playing", PLAYERS)
        type_in(book, "Round", number, 1, PLAYERS)

    assert statuses(run(book)) == {1: "Done", 2: "Done", 3: "Done"}


def test_req_18_a_watcher_ends_no_round_while_an_order_is_being_typed() -> None:
    book = workbook(game(FIRST_ROUND[0], FIRST_ROUND[6], {"Order": "End round"}))
    known: Any = {}

    def look() -> Plan:
        nonlocal known
        snapshot = read(book)
        plan = plan_pass(snapshot, changed(pass_context(), known=known), NOW)
        known = plan.findings.known
        if plan.writes.changes:
            book.commit(snapshot, plan.writes.changes)
        return plan

    look()
    type_in(book, "Tax %", 2, 17)

    assert statuses(look()) == {1: "Done", 2: "Waiting", 3: "Waiting"}
    type_in(book, "Round", 2, 4)
    assert statuses(look()) == {1: "Done", 2: "Waiting", 3: "Done"}
    assert statuses(look()) == {1: "Done", 2: "Done", 3: "Done"}


def test_req_18_orders_with_a_promised_beacon_lapse_too_and_every_receipt_verifies() -> None:
    rows = game(*FIRST_ROUND)
    rows[ROUNDS][TYPO - 1]["Tax %"] = 12
    season = BeaconSeason(rows)
    assert set(statuses(season.run(before_round(123))).values()) == {"Waiting"}

    made = season.run(after_round(123))

    assert statuses(made) == {number: "Lapsed" if number in LAPSING else "Done" for number in range(1, 15)}
    assert not season.run(after_round(123)).writes.changes
    verdicts = [season.verified(ruling.request, None) for ruling in season.receipts.rulings]
    assert all(verdict.is_equal for verdict in verdicts)


@pytest.mark.parametrize("order", [4, 5, 6])
def test_req_18_an_order_without_its_object_lapses_despite_other_errors(order: int) -> None:
    """Anna's raid puts Dmitri out, who orders a raid; others raid him."""
    for header, rows in spoilt(game(*FIRST_ROUND), ROUNDS, order - 1):
        made = run(workbook(rows))

        assert says(made, order).startswith("Lapses when "), (header, statuses(made))
