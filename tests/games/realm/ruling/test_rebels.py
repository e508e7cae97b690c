"""A turn that ends for all realms has the rebels' turn too, once, however it is ordered besides (RL-OP-56)."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.workbooks import (
    NOW,
    OPTIONS,
    SECRET,
    column,
    forms,
    messages,
    pass_context,
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
from tests.games.realm.ruling.test_all_turns import ALL, UNITS, ordered

NOBODY_REBELS = {"Fixed rolls": "; ".join(["RL-REB-01=100"] * 6)}
REBELS: dict[str, Any] = {"Order": "Process rebels", "Turn": 12}
RISEN = ["Pirate Ship Burdigala 1", "Angry Mob Cenabum 1"]


def rebels(book: MemoryWorkbook) -> list[Any]:
    """Return the units that have risen, without the one that the example begins with."""
    names = [name for name in column(book, UNITS, "Unit") if name]
    return [
        name for name in names if name.startswith(("Pirate", "Angry", "Patriots")) and name != "Patriots Burdigala 1"
    ]


def test_rl_op_56_a_turn_of_all_includes_the_rebels() -> None:
    """Before a deadline that ended a turn nobody rose: a row of three cells a turn was missing."""
    book = workbook(ordered(ALL | NOBODY_REBELS))
    told = [*Outlook().lines(rehearse(read(book), forms()).findings.answers)]
    assert told == ["T-1: Rebels rise in Burdigala, Cenabum too."]

    [ruling] = run(book).rulings

    assert rebels(book) == RISEN
    assert ruling.outcome.summary.endswith(
        " / Rebels: 2 risen: Pirate Ship Burdigala 1 in Burdigala, Angry Mob Cenabum 1 in Cenabum"
    )
    assert "Risen" in [block.heading for block in ruling.outcome.receipt.blocks]
    everybody = [news.block.lines[0].text for news in ruling.outcome.news({}) if not news.reader]
    assert "Angry Mob Cenabum 1 rises in Cenabum." in everybody
    receipt = read_receipts(read(book)).ruling_of("T-1")
    form = next(form for form in forms() if form.key == "realm")
    assert receipt is not None
    assert verify(receipt, form, pass_context().fingerprints["realm"], SECRET, OPTIONS).is_equal
    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), "T-1", NOW)[1])
    assert rebels(book) == []


@pytest.mark.parametrize("rows", [(REBELS, ALL | NOBODY_REBELS), (ALL | NOBODY_REBELS, REBELS)])
def test_rl_op_56_rebels_rise_once_even_with_a_row_of_their_own(rows: tuple[dict[str, Any], ...]) -> None:
    book = workbook(ordered(*rows))
    assert [status for _, status, _ in messages(run(book))] == ["Done", "Done"]
    assert sorted(rebels(book)) == sorted(RISEN)


def test_rl_op_45_rebels_wait_for_their_turn() -> None:
    """Rebels of three turns rose in one run."""
    book = workbook(ordered(REBELS | {"Turn": 13}, REBELS, REBELS | {"Turn": 14}))
    answers = messages(run(book))
    assert [status for _, status, _ in answers] == ["Waiting", "Done", "Waiting"]
    assert answers[0][2] == "Waits for turn 13; the game is in turn 12"
    assert sorted(rebels(book)) == sorted(RISEN)

    turns = [{"Realm": realm, "Order": "Process turn"} | NOBODY_REBELS for realm in ("Rome", "Gaul", "Germania")]
    assert [status for _, status, _ in messages(run(workbook(ordered(*turns, REBELS))))] == ["Done"] * 4


def test_rl_op_56_a_later_row_for_the_rebels_is_refused_until_undo() -> None:
    book = workbook(ordered(ALL | NOBODY_REBELS, REBELS | {"Ready": False}))
    run(book)
    heads = list(book.rows("Turn Requests")[0])
    book.type_in("Turn Requests", 3, heads.index("Ready") + 1, True)

    refused = messages(run(book))[1]
    assert (refused[1], "the rebels have risen in turn 12 already" in refused[2]) == ("Invalid", True)

    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), "T-1", NOW)[1])
    assert messages(run(book))[1][1] == "Done"
    assert sorted(rebels(book)) == sorted(RISEN)


def test_rl_op_56_a_rebelling_city_raises_rebels_in_the_same_turn() -> None:
    rolls = {
        "Fixed rolls": "RL-REB-01 Roma=1; RL-REB-01=100; RL-REB-01=100; RL-REB-01=100; RL-REB-01=100; RL-REB-01=100"
    }
    book = workbook(ordered(ALL | rolls))
    run(book)
    assert rebels(book) == [*RISEN, "Patriots Roma 1"]


def test_rl_op_56_a_game_without_a_rebel_type_still_ends_its_turns() -> None:
    rows = ordered(ALL | NOBODY_REBELS)
    rows["Realm Unit Types"] = [row for row in rows["Realm Unit Types"] if row["Type"] != "Pirate Ship"]
    book = workbook(rows)
    assert messages(run(book))[0][1] == "Done"
    assert rebels(book) == ["Angry Mob Cenabum 1"]
