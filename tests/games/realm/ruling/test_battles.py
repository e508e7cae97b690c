"""A battle and a captured city are a row each; the turn counts them, however they are typed besides (RL-OP-57)."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.workbooks import (
    NOW,
    OPTIONS,
    SECRET,
    Rows,
    column,
    forms,
    messages,
    pass_context,
    problems,
    read,
    rehearse,
    run,
    undo,
    workbook,
)
from sheets_algo.forecasts.outlook import Outlook
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.games.realm.ruling.test_all_turns import DATABASE, LEADERS, REALMS, REQUESTS, UNITS, filled, ordered

WON = {"Realm": "Rome", "Order": "Battle won", "Target realm": "Gaul", "Target": "Alesia"}
TOOK = {"Realm": "Rome", "Order": "City captured", "Target": "Alesia"}
TURN = {"Realm": "Rome", "Order": "Process turn"}
ALL = {"Order": "Process all turns"}
BY_HAND = {"Realm": "Rome", "Order": "Award experience", "Target": "Legio II", "Event": "Army won"}
COMMANDED = {"Realm": "Rome", "Order": "Award experience", "Target": "Lucius Piso", "Event": "Commanded winner"}


def of(book: MemoryWorkbook, tab: str, name: str, header: str) -> Any:
    key = book.rows(tab)[0][0]
    return dict(zip(column(book, tab, key), column(book, tab, header), strict=True))[name]


def counted(book: MemoryWorkbook, realm: str) -> list[Any]:
    headers = ("Battles won", "Battles lost", "Cities captured", "Cities lost")
    return [of(book, REALMS, realm, header) or 0 for header in headers]


def shown(book: MemoryWorkbook) -> list[str]:
    return [status for _, status, _ in messages(run(book))]


def happiness(ruling: Any) -> list[str]:
    return [line for line in ruling.outcome.receipt.text().splitlines() if line.strip("* ").startswith("Base")]


def undone(book: MemoryWorkbook, request: str) -> None:
    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), request, NOW)[1])


def test_rl_op_57_a_battle_includes_everyone_at_the_place() -> None:
    """It was a row for each army and each leader, and a number in the turns of both realms."""
    book = workbook(ordered(WON))
    before = {tab: filled(book, tab) for tab in DATABASE}

    [ruling] = run(book).rulings

    assert [of(book, UNITS, unit, "Experience") for unit in ("Legio I", "Legio II", "First Spears")] == [26, 8, 14]
    assert [of(book, LEADERS, leader, "Experience") for leader in ("Lucius Piso", "Camulogenus")] == [32, 9]
    assert (counted(book, "Rome"), counted(book, "Gaul")) == ([1, 0, 0, 0], [0, 1, 0, 0])
    assert "Legio II: Army won: +5, 8 in all" in ruling.outcome.receipt.text()
    of_rome = " ".join(
        line.text for news in ruling.outcome.news({}) if news.reader == "Rome" for line in news.block.lines
    )
    assert ("Army won" in of_rome, "Army lost" in of_rome) == (True, False)
    of_gaul = [line.text for news in ruling.outcome.news({}) if news.reader == "Gaul" for line in news.block.lines]
    assert of_gaul == ["Rome has beaten you at Alesia."]
    receipt = read_receipts(read(book)).ruling_of("T-1")
    form = next(form for form in forms() if form.key == "realm")
    assert receipt is not None
    assert verify(receipt, form, pass_context().fingerprints["realm"], SECRET, OPTIONS).is_equal
    undone(book, "T-1")
    assert {tab: filled(book, tab) for tab in DATABASE} == before


def test_rl_op_57_rl_op_58_a_turn_uses_the_counts_of_its_orders() -> None:
    """A turn that a deadline ended counted no battle and no city."""
    book = workbook(ordered(WON, TOOK, ALL))
    made = run(book)

    bases = happiness(made.rulings[-1])
    assert sorted(bases) == [
        "  Base: 75.5, battles −1, cities −5",
        "  Base: 88, battles +1, cities +10",
        "  Base: 99.5",
    ]
    assert of(book, "Realm Cities", "Alesia", "Owner") == "Rome"
    assert "Counted for Rome: battles won 1, cities captured 1" in messages(made)[2][2]
    assert [counted(book, realm) for realm in ("Rome", "Gaul")] == [[0] * 4] * 2
    undone(book, "T-3")
    assert [counted(book, realm) for realm in ("Rome", "Gaul")] == [[1, 0, 1, 0], [0, 1, 0, 1]]


def test_rl_op_57_check_announces_the_counts_of_the_turn() -> None:
    rows = ordered(TURN)
    next(row for row in rows[REALMS] if row["Realm"] == "Rome")["Battles won"] = 2
    book = workbook(rows)
    assert [*Outlook().lines(rehearse(read(book), forms()).findings.answers)] == [
        "T-1: Counted for Rome: battles won 2."
    ]


@pytest.mark.parametrize(("typed", "base"), [(1, "battles +1"), (3, "battles +3"), (0, "Base: 88")])
def test_rl_op_57_a_typed_number_overrides_the_count(typed: int, base: str) -> None:
    made = run(workbook(ordered(WON, TURN | {"Battles won": typed})))

    assert base in happiness(made.rulings[-1])[0]
    assert ("I3", "RL-OP-57") in [(cell.rpartition("!")[2], id) for cell, id in problems(made)] or typed == 1


@pytest.mark.parametrize(
    "second",
    [
        WON,
        WON | {"Target": " alesia"},
        WON | {"Order": "Battle lost"},
        {"Realm": "Gaul", "Order": "Battle lost", "Target realm": "Rome", "Target": "Alesia"},
        {"Realm": "Gaul", "Order": "Battle lost", "Target": "Alesia"},
    ],
)
def test_rl_op_57_a_battle_reported_by_both_sides_counts_once(second: dict[str, Any]) -> None:
    book = workbook(ordered(WON, second))
    assert shown(book) == ["Done", "Invalid"]
    assert "the battle is in row 2 already, T-1" in messages(run(book))[1][2]
    assert (counted(book, "Rome"), counted(book, "Gaul")) == ([1, 0, 0, 0], [0, 1, 0, 0])


def test_rl_op_57_further_battles_count_separately() -> None:
    book = workbook(ordered(WON, WON | {"Action": "Rule again"}))
    assert shown(book) == ["Done", "Done"]
    assert counted(book, "Rome") == [2, 0, 0, 0]

    book = workbook(ordered(WON, TURN, WON))
    assert shown(book) == ["Done", "Done", "Done"]
    assert counted(book, "Rome") == [1, 0, 0, 0]


LATE: dict[str, Any] = {"Ready": False}
"""Of a row that is ticked once the others are ruled."""
LOST = {"Realm": "Gaul", "Order": "Battle lost", "Target realm": "Rome", "Target": "Alesia"}


def ticked(book: MemoryWorkbook, ready: dict[int, bool]) -> None:
    place = book.rows(REQUESTS)[0].index("Ready") + 1
    for row, is_ready in ready.items():
        book.type_in(REQUESTS, row, place, is_ready)


@pytest.mark.parametrize(
    ("first", "second", "statuses"),
    [
        (LOST | LATE, WON, "Invalid Done"),
        (BY_HAND | LATE, WON, "Invalid Done"),
        (WON | LATE, LOST | {"Turn": 12}, "Invalid Done"),
        (WON, LOST | LATE, "Done Invalid"),
    ],
)
def test_rl_op_57_a_ruled_battle_still_counts_without_its_tick(
    first: dict[str, Any], second: dict[str, Any], statuses: str
) -> None:
    book = workbook(ordered(first, second))
    run(book)
    ticked(book, {row: not order.get("Ready", True) for row, order in ((2, first), (3, second))})
    assert shown(book) == statuses.split()
    assert (counted(book, "Rome"), counted(book, "Gaul")) == ([1, 0, 0, 0], [0, 1, 0, 0])


@pytest.mark.parametrize(
    ("rows", "statuses"),
    [
        ((WON, TURN | {"Turn": 13}, WON), "Done Waiting Invalid"),
        ((WON, TURN | LATE, WON | LATE | {"Turn": 12}), "Done Waiting Invalid"),
        ((TURN, WON | {"Turn": 12}, WON | {"Turn": 13}), "Done Done Done"),
        ((ALL, LOST | {"Turn": 12}, WON | {"Turn": 13}), "Done Done Done"),
        ((WON, TURN, WON | {"Turn": 13}, WON), "Done Done Done Invalid"),
        ((WON, ALL, LOST, WON), "Done Done Done Invalid"),
    ],
)
def test_rl_op_57_battles_are_matched_by_turn_in_any_row_order(rows: tuple[dict[str, Any], ...], statuses: str) -> None:
    book = workbook(ordered(*rows))
    run(book)
    ticked(book, {number: True for number, order in enumerate(rows, start=2) if not order.get("Ready", True)})
    assert shown(book) == statuses.split()
    assert shown(book) == statuses.split()


def test_rl_op_57_experience_awarded_by_hand_is_not_awarded_twice() -> None:
    book = workbook(ordered(BY_HAND, COMMANDED, WON))
    assert shown(book) == ["Done", "Done", "Done"]
    assert (of(book, UNITS, "Legio II", "Experience"), of(book, LEADERS, "Lucius Piso", "Experience")) == (8, 32)
    assert "Awarded by hand already: Legio II, Lucius Piso" in messages(run(book))[2][2]

    book = workbook(ordered(WON, BY_HAND, COMMANDED))
    assert shown(book) == ["Done", "Invalid", "Invalid"]
    assert "Legio II learns from the battle in row 2 already, T-1" in messages(run(book))[1][2]
    assert of(book, UNITS, "Legio II", "Experience") == 8


def test_rl_op_57_ten_leaders_with_one_army_have_one_commander() -> None:
    rows = ordered(WON)
    idle = {"Kind": "Hero", "Status": "Employed", "Employer": "Rome", "Initial loyalty": 50, "Location": "Alesia"}
    rows[LEADERS] += [{"Leader": f"Idler {number}", "Experience": 29, **idle} for number in range(9)]
    book = workbook(rows)
    assert shown(book) == ["Done"]
    assert of(book, LEADERS, "Lucius Piso", "Experience") == 32
    assert {of(book, LEADERS, f"Idler {number}", "Experience") for number in range(9)} == {29}


def test_rl_op_57_an_absent_enemy_is_reported() -> None:
    book = workbook(ordered(WON | {"Target": "Roma", "Target realm": "Germania"}))
    _, state, told = messages(run(book))[0]
    assert state == "Done"
    assert "Germania has no army in Roma, and its next turn counts the battle all the same" in told
    assert "no army" not in messages(run(workbook(ordered(WON))))[0][2]


def test_rl_op_57_a_defeat_by_rebels_counts_but_rebels_learn_nothing() -> None:
    book = workbook(ordered(WON | {"Order": "Battle lost", "Target realm": None}))
    assert shown(book) == ["Done"]
    assert (counted(book, "Rome"), of(book, UNITS, "Legio II", "Experience")) == ([0, 1, 0, 0], 6)
    assert counted(book, "Gaul") == [0] * 4


def test_rl_op_58_a_city_with_a_typed_owner_is_not_gained_twice() -> None:
    rows: Rows = ordered(TOOK)
    next(row for row in rows["Realm Cities"] if row["City"] == "Alesia")["Owner"] = "Rome"
    book = workbook(rows)
    assert messages(run(book))[0][1:] == (
        "Invalid",
        "'Turn Requests'!F2 (T-1, Target): Alesia is Rome's already. Name a city of others. [RL-OP-58]",
    )
    book = workbook(ordered(TOOK, TOOK, TURN))
    run(book)
    assert [status for _, status, _ in messages(run(book))] == ["Done", "Lapsed", "Done"]
    assert (counted(book, "Gaul"), of(book, REALMS, "Rome", "Cities captured")) == ([0, 0, 0, 1], 0)


def test_rl_op_58_retaking_an_own_city_from_rebels_does_not_count() -> None:
    for captor, number in (("Gaul", 0), ("Rome", 1)):
        book = workbook(ordered(TOOK | {"Realm": captor, "Target": "Cenabum"}))
        assert shown(book) == ["Done"]
        assert of(book, "Realm Cities", "Cenabum", "Former owner") is None
        assert counted(book, captor) == [0, 0, number, 0]


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (WON | {"Target": "Alessia"}, 'Rome has no army in Alessia. Did you mean "Alesia"?'),
        (WON | {"Target": None}, "Battle won needs it, but it is empty"),
        (WON | {"Target realm": "Gual"}, 'realm not found: "Gual". Did you mean "Gaul"?'),
        (WON | {"Target realm": "Rome"}, "Rome cannot fight itself"),
        (TOOK | {"Target": "Alessia"}, 'city not found: "Alessia". Did you mean "Alesia"?'),
        (TOOK | {"Target": "Roma"}, "Roma is Rome's already"),
    ],
)
def test_a_mistake_is_reported_at_its_cell(order: dict[str, Any], told: str) -> None:
    [(_, status, message)] = messages(run(workbook(ordered(order))))
    assert (status, told in message) == ("Invalid", True), message
