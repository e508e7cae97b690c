"""Turns that end at the deadline in the tab Turns (TRN-01 to TRN-07)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from scripts.support.workbooks import (
    Rows,
    column,
    example,
    pass_context,
    read,
    run,
    workbook,
)
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.workbook.errors import StaleWorkbook
from tests.helpers.deadlines import AFTER, BEFORE, DEADLINE, LATER, TURNS, an_example_ends_at_its_deadline, turn
from tests.ruling.test_lapsed_orders import (
    PLAYERS,
    ROUNDS,
    game,
)


def season(*orders: dict[str, Any], turns: tuple[dict[str, Any], ...] = ({"Turn": 3, "Deadline": DEADLINE},)) -> Rows:
    """Return the game of the toy `rounds` in round 3 with these orders and turns."""
    return game(*orders) | {TURNS: [dict(turn) for turn in turns]}


TAX = {"Player": "Anna", "Order": "Set tax", "Tax %": 15}
CHEN = {"Player": "Chen", "Order": "Set tax", "Tax %": 9}


def test_trn_03_two_watchers_end_a_round_once_even_with_a_late_commit() -> None:
    book = workbook(season(TAX, CHEN))
    run(book, BEFORE)
    snapshot = read(book)
    first, second = (plan_pass(snapshot, pass_context(), now) for now in (AFTER, LATER))
    book.commit(snapshot, first.writes.changes)

    with pytest.raises(StaleWorkbook):
        book.commit(snapshot, second.writes.changes)

    assert not run(book, LATER).rulings
    assert (
        column(book, ROUNDS, "Request")[:4] == ["R-1", "R-2", "R-0003", None]
        or len(column(book, ROUNDS, "Request")) == 3
    )


@pytest.mark.parametrize(
    "typed",
    [
        "2026-03-01T20:00:00Z",
        "2026-03-01 20:00 UTC",
        "2026-03-01 22:00+02:00",
        datetime(2026, 3, 1, 20),
        46082 + 20 / 24,
    ],
)
def test_trn_03_deadlines_are_read_in_the_formats_of_spreadsheets_and_people(typed: Any) -> None:
    book = workbook(season(TAX, turns=({"Turn": 3, "Deadline": typed},)))

    assert len(run(book, BEFORE).rulings) == 1
    assert len(run(book, "2026-03-01T20:00:00Z").rulings) == 1


def test_trn_05_the_next_turn_opens_after_the_end_of_the_last_one() -> None:
    rows = example("rounds")
    rows[ROUNDS] = [{"Request": "X-1", "Ready": False} | TAX]

    an_example_ends_at_its_deadline(rows, ROUNDS, 3, "End round")


@pytest.mark.parametrize("game_of", ["rounds", "1066"])
def test_trn_01_a_tab_of_people_s_own_called_turns_is_left_alone(game_of: str) -> None:
    heads = ("When", "Who hosts")
    book = workbook(example(game_of) | {TURNS: [{"When": "Friday", "Who hosts": "Anna"}]}, {TURNS: heads})

    made = run(book, AFTER)

    assert not [problem for problem in made.problems if problem.cell.tab == TURNS]
    assert list(map(list, book.rows(TURNS))) == [list(heads), ["Friday", "Anna"]]


def test_trn_03_a_misspelt_deadline_is_reported() -> None:
    book = workbook(season(TAX) | {TURNS: [{"Turn": 3, "Dedline": DEADLINE}]}, {TURNS: ("Turn", "Dedline")})

    made = run(book, AFTER)

    (told,) = (str(problem) for problem in made.problems if problem.cell.tab == TURNS)
    assert '"Dedline"' in told
    assert '"Deadline"' in told


def test_trn_05_a_game_before_its_first_turn_is_reported_as_such() -> None:
    """Nobody plays in it."""
    book = workbook(season(turns=({"Turn": 1, "Deadline": DEADLINE},)) | {PLAYERS: []})

    assert not run(book, AFTER).rulings
    assert turn(book)[0] == "The game is in no turn, so nothing ends"
