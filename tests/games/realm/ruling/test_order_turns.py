"""Orders of realms are carried out in their own turn (REQ-10), and a turn waits for its orders (REQ-12)."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.workbooks import Rows, example, messages, run, workbook
from sheets_algo.ruling.corrections import CannotUndo
from tests.helpers.turns import ruled, statuses, take_back, type_in, waiting

TURNS = "Turn Requests"
PROCESS: dict[str, Any] = {"Order": "Process turn"}
SPY = {"Order": "Aid saboteurs", "Target realm": "Gaul", "Agents": 2}


def realm(*orders: dict[str, Any]) -> Rows:
    """The example's realms, of which Rome is in turn 12, with these orders of Rome."""
    rows = example("realm")
    rows.pop("Rating Requests")
    rows[TURNS] = [
        {"Request": f"T-{number}", "Realm": "Rome", "Ready": True} | order
        for number, order in enumerate(orders, start=1)
    ]
    return rows


def test_agents_are_sent_only_once() -> None:
    """Rome has 8 agents: 8 are sent, 6 lapse with the turn, which frees all 8; 9 would be more than there are."""
    spy = {"Order": "Aid saboteurs", "Target realm": "Gaul"}
    for agents, found in ((6, ["Done", "Lapsed", "Done"]), (9, ["Done", "Invalid", "Waiting"])):
        rows = realm(spy | {"Agents": 8}, spy | {"Agents": agents}, PROCESS)
        for row in rows["Realms"]:
            row["Agents"] = 8
        book = workbook(rows)

        assert statuses(run(book)) == statuses(run(book)) == found


def test_a_turn_listed_twice_is_processed_once() -> None:
    book = workbook(realm(PROCESS, PROCESS, PROCESS | {"Realm": "Gaul"}))

    assert statuses(run(book)) == statuses(run(book)) == ["Done", "Lapsed", "Done"]
    assert "T-1 ends turn 12" in messages(run(book))[1][2]


def test_req_12_orders_below_a_second_turn_end_wait_for_the_next_turn() -> None:
    book = workbook(realm(SPY, PROCESS, SPY, PROCESS, SPY, PROCESS, SPY))
    first = run(book)

    assert statuses(first) == ["Done", "Done", "Done", "Lapsed", "Waiting", "Lapsed", "Waiting"]
    assert waiting(first) == waiting(run(book)) == [5, 7]

    type_in(book, TURNS, "Request", 5, None)
    second = run(book)

    assert (statuses(second)[3], waiting(second)) == ("Done", [7])
    assert statuses(run(workbook(realm(SPY, PROCESS, PROCESS, SPY)))) == ["Done", "Done", "Lapsed", "Done"]


def test_req_12_undoing_the_first_turn_end_frees_orders_below_the_second() -> None:
    book = workbook(realm(SPY, PROCESS, SPY, PROCESS, SPY))
    assert waiting(run(book)) == [5]
    for number in (3, 2):
        take_back(book, f"T-{number}")

    assert statuses(run(book)) == ["Done", "Undone", "Undone", "Done", "Done"]


def test_req_12_orders_below_a_refused_turn_end_wait() -> None:
    book = workbook(realm(PROCESS | {"Battles won": -1}, SPY))

    first, second = run(book), run(book)

    assert statuses(first) == statuses(second) == ["Invalid", "Waiting"]
    assert messages(first)[1][2].startswith("Waits for ")
    type_in(book, TURNS, "Battles won", 2, None)
    assert ruled(run(book)) == ["T-1", "T-2"]


def test_req_12_a_turn_waits_for_ownerless_orders_but_not_for_other_realms() -> None:
    many = SPY | {"Agents": 900}
    for other, status in (("Rmoe", "Waiting"), ("Germania", "Done")):
        assert statuses(run(workbook(realm(many | {"Realm": other}, PROCESS)))) == ["Invalid", status]


def test_req_12_a_waiting_turn_of_all_does_not_block_finished_realms() -> None:
    """Gaul's mistake pushed the orders of Rome from turn to turn, while the turns of Rome ended without them."""
    of_gaul = {"Realm": "Gaul", "Order": "Watch hero", "Target realm": "Rome", "Target": "Nobody", "Agents": 1}
    of_all = {"Order": "Process all turns", "Realm": None}
    later = [order | {"Ready": False} for order in (SPY, PROCESS)]
    book = workbook(realm(of_gaul, PROCESS, of_all, *later))
    assert statuses(run(book)) == ["Invalid", "Done", "Waiting", "", ""]
    for row in (5, 6):
        type_in(book, TURNS, "Ready", row, True)

    made = run(book)

    assert statuses(made) == ["Invalid", "Done", "Waiting", "Done", "Done"]
    assert ruled(made) == ["T-4", "T-5"]


def test_a_turn_with_later_orders_cannot_be_undone() -> None:
    book = workbook(realm(PROCESS, SPY))
    end, order = (ruling.receipt for ruling in run(book).rulings[:2])

    with pytest.raises(CannotUndo) as refusal:
        take_back(book, end.request)

    assert str(refusal.value) == f"T-2 was ruled in a later turn; undo T-2 first (receipt {order.seq})."
    take_back(book, order.request)
    take_back(book, end.request)
    assert statuses(run(book))[:2] == ["Undone", "Undone"]
