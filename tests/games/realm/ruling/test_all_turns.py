"""The order Process all turns: one row and one receipt for a turn of every realm (RL-OP-47)."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.workbooks import (
    NOW,
    OPTIONS,
    SECRET,
    Rows,
    column,
    example,
    forms,
    messages,
    pass_context,
    problems,
    read,
    run,
    undo,
    workbook,
)
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.workbook.memory import MemoryWorkbook

ALL: dict[str, Any] = {"Order": "Process all turns"}
FORECAST = ALL | {"Action": "Forecast"}
REQUESTS, REALMS, LEADERS, UNITS = "Turn Requests", "Realms", "Realm Leaders", "Realm Units"
DATABASE = (REALMS, "Realm Cities", LEADERS, UNITS)


def ordered(*orders: dict[str, Any]) -> Rows:
    """The example's three realms, all in turn 12, with these orders."""
    rows = example("realm")
    rows.pop("Rating Requests")
    rows[REQUESTS] = [{"Request": f"T-{number}", "Ready": True} | order for number, order in enumerate(orders, start=1)]
    return rows


def statuses(book: MemoryWorkbook) -> list[str]:
    return [status for _, status, _ in messages(run(book))]


def filled(book: MemoryWorkbook, tab: str) -> dict[tuple[int, int], Any]:
    return {
        (row, place): cell
        for row, cells in enumerate(book.rows(tab))
        for place, cell in enumerate(cells)
        if cell is not None
    }


def test_one_row_processes_every_realm() -> None:
    book = workbook(ordered(ALL))

    [ruling] = run(book).rulings

    assert column(book, REALMS, "Last turn") == [12, 12, 12]
    text = ruling.outcome.receipt.text()
    assert text.startswith("All realms, turn 12\n")
    assert {"Rome", "Gaul", "Germania"} <= set(text.splitlines())
    assert all(f"{realm}: income" in ruling.outcome.summary for realm in ("Rome", "Gaul", "Germania"))
    assert {chance.name.partition(":")[0] for chance in ruling.outcome.explained} == {"Rome", "Gaul", "Germania"}


def test_a_turn_of_all_verifies_and_is_undone_cell_by_cell() -> None:
    book = workbook(ordered(ALL))
    before = {tab: filled(book, tab) for tab in DATABASE}
    run(book)
    receipt = read_receipts(read(book)).ruling_of("T-1")
    form = next(form for form in forms() if form.key == "realm")
    assert receipt is not None
    assert verify(receipt, form, pass_context().fingerprints["realm"], SECRET, OPTIONS).is_equal

    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), "T-1", NOW)[1])

    assert {tab: filled(book, tab) for tab in DATABASE} == before


def test_a_turn_of_all_skips_realms_already_processed() -> None:
    book = workbook(ordered({"Realm": "Rome", "Order": "Process turn", "Battles won": 2}, ALL))

    assert statuses(book) == ["Done", "Done"]
    assert column(book, REALMS, "Last turn") == [12, 12, 12]
    assert "Rome: income" not in messages(run(book))[1][2]


def test_the_sequence_of_realms_is_drawn() -> None:
    """Neither the alphabet nor the order of the rows decides it."""
    first = set()
    for seed in range(20):
        [ruling] = run(workbook(ordered(ALL | {"Seed": seed}))).rulings
        first.add(ruling.outcome.receipt.blocks[0].heading)
    assert first == {"Rome", "Gaul", "Germania"}


@pytest.mark.parametrize("seed", range(6))
def test_a_deserter_counts_once_in_any_sequence(seed: int) -> None:
    """RL-OP-46: Lucius Piso goes over to Gaul, whose turn comes before or after that of Rome."""
    dice = "RL-LOY-02 Lucius Piso=100; RL-LOY-03 Lucius Piso=100; RL-LOY-03g Lucius Piso=1; RL-LOY-02 Camulogenus=1"
    rows = ordered(ALL | {"Seed": seed, "Fixed rolls": dice})
    for row in rows[LEADERS]:
        if row["Leader"] == "Lucius Piso":
            row["Nearest enemy"] = "Gaul"
    book = workbook(rows)
    run(book)

    piso = column(book, LEADERS, "Leader").index("Lucius Piso")
    assert column(book, LEADERS, "Employer")[piso] == "Gaul"
    assert column(book, LEADERS, "Experience")[piso] == 31


def test_later_turns_in_the_same_run_lapse() -> None:
    book = workbook(ordered(ALL, ALL, {"Realm": "Rome", "Order": "Process turn"}))

    assert statuses(book) == statuses(book) == ["Done", "Lapsed", "Lapsed"]
    assert column(book, REALMS, "Last turn") == [12, 12, 12]


@pytest.mark.parametrize(
    ("order", "cell", "says"),
    [
        (FORECAST | {"Turn": 13}, "B2", "turn 13 has not begun; the current turn is 12. Enter 12"),
        (FORECAST | {"Turn": 11}, "B2", "turn 11 has been processed for all realms; the current turn is 12."),
        (
            ALL | {"Realm": "Rome"},
            "C2",
            "is for every realm in play. Clear it, or choose Process turn",
        ),
    ],
)
def test_a_wrong_row_is_reported_at_its_cell(order: dict[str, Any], cell: str, says: str) -> None:
    plan = run(workbook(ordered(order)))

    assert problems(plan) == [(f"'Turn Requests'!{cell}", "RL-OP-47")]
    assert says in messages(plan)[0][2]


def test_a_game_without_players_has_no_turn() -> None:
    rows = ordered(ALL)
    for row in rows[REALMS]:
        row["In play"] = False

    assert problems(run(workbook(rows))) == [("'Turn Requests'!D2", "RL-OP-47")]


def test_an_unreadable_leader_s_row_blocks_the_turn_of_all() -> None:
    """The turn needs it; alone, the turns of the other realms do not."""
    rows = ordered(ALL)
    rows[LEADERS][3]["Loyalty"] = "much"

    assert [cell for cell, _ in problems(run(workbook(rows)))] == ["'Realm Leaders'!Q5"]


def test_a_turn_of_all_forecasts_figures_of_each_realm() -> None:
    order = next(form for form in forms() if form.key == "realm")
    [ruling] = run(workbook(ordered(ALL))).rulings
    inputs = order.deserialize(ruling.receipt.inputs)

    found = order.ruleset.replicates(inputs, 7, 0, 5)

    assert {"Treasury of Rome", "Happiness of Gaul", "Population of Germania"} <= set(found.numbers)
    assert order.ruleset.course(inputs, found).startswith("Most likely Treasury of Gaul ")
