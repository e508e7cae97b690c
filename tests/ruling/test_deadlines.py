"""Turns that end at the deadline in the tab Turns (TRN-01 to TRN-07)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from scripts.support.beacon_rounds import BeaconSeason, after_round, at, before_round
from scripts.support.workbooks import (
    Rows,
    changed,
    column,
    example,
    forms,
    messages,
    pass_context,
    read,
    run,
    undo,
    workbook,
)
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import Plan
from sheets_algo.workbook.errors import StaleWorkbook
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.deadlines import AFTER, BEFORE, DEADLINE, LATER, TURNS, an_example_ends_at_its_deadline, turn
from tests.ruling.test_lapsed_orders import (
    FIRST_ROUND,
    LAPSING,
    PLAYERS,
    ROUNDS,
    TYPO,
    game,
    receipts,
    says,
    statuses,
    type_in,
)


def season(*orders: dict[str, Any], turns: tuple[dict[str, Any], ...] = ({"Turn": 3, "Deadline": DEADLINE},)) -> Rows:
    """Return the game of the toy `rounds` in round 3 with these orders and turns."""
    return game(*orders) | {TURNS: [dict(turn) for turn in turns]}


def look(book: MemoryWorkbook, known: Any, now: str) -> Plan:
    """Make one look of a watcher that knows what a look before found."""
    snapshot = read(book)
    plan = plan_pass(snapshot, changed(pass_context(), known=known), now)
    if plan.writes.changes:
        book.commit(snapshot, plan.writes.changes)
    return plan


def test_trn_03_a_round_ends_by_itself_at_its_deadline() -> None:
    """Seven rows lapse, and so does the one with a typing mistake; Turns shows it (TRN-05, TRN-06, TRN-07)."""
    book = workbook(season(*FIRST_ROUND[:-1]))
    before = run(book, BEFORE)

    assert {number for number, status in statuses(before).items() if status == "Invalid"} == {TYPO}
    assert turn(book) == (
        'Open: 5 orders fit, 1 to mend (R-11: "much" is not a number), 7 lapse',
        "Anna, Bola, Chen",
        "Eve",
    )
    assert not run(book, BEFORE).writes.changes

    made = run(book, AFTER)

    assert [ruling.receipt.request for ruling in made.rulings] == ["R-0014"]
    assert {n: s for n, s in statuses(made).items() if n < 14} == {
        number: "Lapsed" if number in (*LAPSING, TYPO) else "Done" for number in range(1, 14)
    }
    end = receipts(book).ruling_of("R-0014")
    assert end is not None
    assert '* R-11: ended without it at the deadline of 2026-03-01T20:00:00Z: "much" is not a number.' in end.wiki
    assert turn(book) == (f"Ended at {AFTER} by receipt {end.seq}", None, None)
    assert [
        column(book, ROUNDS, header)[13] for header in ("Request", "Order", "Round", "Ready", "Status", "Notes")
    ] == [
        "R-0014",
        "End round",
        3,
        True,
        "Done",
        "Ended at the deadline of 2026-03-01T20:00:00Z",
    ]
    assert not run(book, LATER).writes.changes


TAX = {"Player": "Anna", "Order": "Set tax", "Tax %": 15}
CHEN = {"Player": "Chen", "Order": "Set tax", "Tax %": 9}


def ready(book: MemoryWorkbook, request: int) -> None:
    type_in(book, "Ready", request, True)


def test_trn_03_the_first_poll_after_the_deadline_takes_the_ticked_orders() -> None:
    """Whoever edits an order again and again cannot hold a round up; an order that is half typed is ruled or lapses."""
    book = workbook(season(TAX, CHEN, CHEN | {"Player": "Bola", "Tax %": "much"}))
    known = look(book, {}, BEFORE).findings.known
    for request, value in ((1, 16), (3, "more")):
        type_in(book, "Tax %", request, value)

    made = look(book, known, AFTER)

    assert [ruling.receipt.request for ruling in made.rulings] == ["R-1", "R-2", "R-0004"]
    assert statuses(made) == {1: "Done", 2: "Done", 3: "Lapsed", 4: "Done"}
    assert not look(book, made.findings.known, LATER).writes.changes


def test_trn_03_an_unfinished_order_of_the_next_round_is_not_hurried() -> None:
    book = workbook(season(TAX | {"Round": 4}))
    known = look(book, {}, BEFORE).findings.known
    type_in(book, "Tax %", 1, 16)

    made = look(book, known, AFTER)

    assert [ruling.receipt.request for ruling in made.rulings] == ["R-0002"]
    assert statuses(made) == {1: "Waiting", 2: "Done"}
    assert statuses(look(book, made.findings.known, LATER)) == {1: "Done", 2: "Done"}


def test_trn_03_an_order_ticked_after_the_deadline_counts_for_the_next_round() -> None:
    book = workbook(season(TAX | {"Ready": False}, CHEN | {"Ready": False, "Round": 3}, CHEN | {"Ready": False}))
    run(book, AFTER)
    ready(book, 1)
    ready(book, 2)

    made = run(book, LATER)

    assert statuses(made) == {1: "Done", 2: "Invalid", 3: "", 4: "Done"}
    assert f"Of round 4: round 3 ended at {AFTER}, when this was not ticked" in says(made, 1)
    assert f"the order is for round 3, which is over since {AFTER}. Enter the current round" in says(made, 2)
    ready(book, 3)
    assert "when this was not ticked" not in says(run(book, "2026-03-01T21:00:04Z"), 3)


def test_trn_03_a_round_whose_end_is_undone_stays_open_until_a_later_deadline() -> None:
    book = workbook(season(TAX, CHEN | {"Ready": False}))
    run(book, AFTER)
    assert column(book, PLAYERS, "Round")[0] == 4
    take_back_at(book, "R-0003", LATER)

    again = run(book, "2026-03-01T20:11:00Z")

    assert not again.rulings
    assert turn(book)[0] == (
        "Its deadline was over when the turn began: type a later one, or a request that ends the turn"
    )
    type_in(book, "Deadline", 1, "2026-03-01 21:00", TURNS)
    ready(book, 2)
    assert [ruling.receipt.request for ruling in run(book, "2026-03-01T20:30:00Z").rulings] == ["R-2"]
    assert turn(book)[0] == "Open: 2 orders fit"
    assert [ruling.receipt.request for ruling in run(book, "2026-03-01T21:00:00Z").rulings] == ["R-0004"]


def take_back_at(book: MemoryWorkbook, request: str, now: str) -> None:
    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), request, now)[1])


def test_trn_03_only_one_of_several_passed_deadlines_ends_a_round() -> None:
    """A watcher that was off for weeks, or a clock that is wrong, would end all rounds at once, without any orders."""
    turns = tuple({"Turn": number, "Deadline": f"2026-03-0{number - 2} 20:00"} for number in (3, 4, 5))
    book = workbook(season(TAX, turns=turns))

    made = [ruling.receipt.request for _ in range(4) for ruling in run(book, "2026-03-09T08:00:00Z").rulings]

    assert made == ["R-1", "R-0002"]
    assert [str(turn(book, number)[0])[:26] for number in range(3)] == [
        "Ended at 2026-03-09T08:00:",
        "Its deadline was over when",
        "None",
    ]


def test_trn_04_a_turn_with_the_setting_ask_ends_when_a_person_chooses_end() -> None:
    book = workbook(
        season(TAX, CHEN | {"Tax %": "much"}, turns=({"Turn": 3, "Deadline": DEADLINE, "At Deadline": "Ask"},))
    )
    run(book, BEFORE)

    assert not run(book, AFTER).rulings
    assert turn(book) == (
        'The deadline is over: 1 order fits, 1 to mend (R-2: "much" is not a number). Choose End in At Deadline, or'
        " type a later deadline",
        "Anna, Chen",
        "Bola, Dmitri, Eve",
    )
    type_in(book, "Tax %", 2, 9)
    type_in(book, "At Deadline", 1, "End", TURNS)
    assert statuses(run(book, LATER)) == {1: "Done", 2: "Done", 3: "Done"}


def test_trn_03_a_waiting_end_is_carried_out_at_the_deadline() -> None:
    """No second row is added beside it."""
    book = workbook(season(TAX, CHEN | {"Tax %": "much"}, {"Order": "End round"}))
    assert statuses(run(book, BEFORE)) == {1: "Done", 2: "Invalid", 3: "Waiting"}

    made = run(book, AFTER)

    assert statuses(made) == {1: "Done", 2: "Lapsed", 3: "Done"}
    assert turn(book)[0] == f"Ended at {AFTER} by receipt 3"
    assert not run(book, LATER).writes.changes


def test_trn_03_a_round_that_ends_before_its_deadline_is_over() -> None:
    book = workbook(season(TAX, {"Order": "End round"}))
    assert statuses(run(book, BEFORE)) == {1: "Done", 2: "Done"}
    assert turn(book)[0] == f"Ended at {BEFORE} by receipt 3"

    assert not run(book, AFTER).rulings
    type_in(book, "Status", 1, None, TURNS)
    run(book, AFTER)
    assert turn(book)[0] == "Over"


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


def test_trn_03_the_end_of_a_round_is_written_into_the_next_numbered_row() -> None:
    rows = season(TAX)
    rows[ROUNDS] += [{"Request": "R-2", "Ready": False}, {"Request": "R-3", "Ready": False}]
    book = workbook(rows)

    assert [ruling.receipt.request for ruling in run(book, AFTER).rulings] == ["R-1", "R-2"]
    assert column(book, ROUNDS, "Request") == ["R-1", "R-2", "R-3"]


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"Turn": 3, "Deadline": "tomorrow"}, '"tomorrow" is not a time with a day and an hour'),
        ({"Turn": 3, "Deadline": "2026-03-01"}, '"2026-03-01" is not a time with a day and an hour'),
        ({"Turn": 3, "Deadline": "2026-02-30 20:00"}, '"2026-02-30 20:00" is not a time with a day and an hour'),
        ({"Turn": 3, "Deadline": -4.5}, '"-4.5" is not a time with a day and an hour'),
        ({"Turn": 3, "Deadline": True}, "is not a time with a day and an hour"),
        ({"Turn": 3, "Deadline": DEADLINE, "Game": "ronds"}, '"ronds" is not a game with turns in this workbook. Did'),
        ({"Deadline": DEADLINE}, "required, but empty"),
        ({"Turn": 3.5, "Deadline": DEADLINE}, "3.5 is not a whole number"),
    ],
)
def test_trn_03_an_unreadable_row_ends_no_round(typed: dict[str, Any], says: str) -> None:
    book = workbook(season(TAX, turns=(typed,)))

    made = run(book, "2027-01-01T00:00:00Z")

    assert [ruling.receipt.request for ruling in made.rulings] == ["R-1"]
    assert says in next(str(problem) for problem in made.problems if problem.id.startswith("TRN"))


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


@pytest.mark.parametrize("typed", ["Ended at noon by receipt 1", "Ended at 2026-13-45T99:00:00Z by receipt 1", 7, True])
def test_trn_05_a_typed_status_stops_no_ruling(typed: Any) -> None:
    book = workbook(season(TAX, turns=({"Turn": 2, "Status": typed}, {"Turn": 3, "Announced": typed})))

    assert [ruling.receipt.request for ruling in run(book, BEFORE).rulings] == ["R-1"]
    assert turn(book)[0] == "Over"


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


def won(*orders: dict[str, Any]) -> MemoryWorkbook:
    """Return a game of two players that Anna won at the deadline of round 3, at which Bola had less than nothing."""
    turns = ({"Turn": 1}, {"Turn": 3, "Deadline": DEADLINE}, {"Turn": 4, "Deadline": "2026-04-01 20:00"})
    rows = season(*orders, turns=turns)
    rows[PLAYERS] = [player for player in rows[PLAYERS] if player["Player"] in ("Anna", "Bola")]
    rows[PLAYERS][1] |= {"Gold ¤": -500}
    book = workbook(rows)
    run(book, BEFORE)
    run(book, AFTER)
    return book


NEXT_ROUND = ({"Player": "Anna", "Order": "Set tax", "Tax %": 15, "Round": 4}, {"Order": "End round", "Round": 4})


def test_trn_05_finished_turns_keep_their_texts_after_the_game() -> None:
    """Their end was erased, and the next look told people to set a player of a won game to Playing."""
    book = won()

    shown = [turn(book, number)[0] for number in range(3)]
    assert shown == ["Over", f"Ended at {AFTER} by receipt 2", "The game is in no turn, so nothing ends"]
    assert not run(book, LATER).writes.changes


def test_req_18_orders_of_later_turns_wait_after_the_end_of_the_game() -> None:
    book = won(*NEXT_ROUND)
    made = run(book, LATER)

    assert messages(made)[:2] == [
        ("R-1", "Waiting", "The game is over: Anna has won (R-0003); it is ruled if somebody plays again"),
        ("R-2", "Waiting", "The game is over: nobody is Playing (R-0003); it is ruled if somebody plays again"),
    ]
    assert not made.writes.changes

    take_back_at(book, "R-0003", LATER)
    reopened = run(book, LATER)

    assert says(reopened, 1) == "Waits for round 4; Anna is in round 3"


def test_trn_03_with_beacon_luck_the_end_of_a_round_is_promised_with_its_row() -> None:
    turns = ({"Turn": 3, "Deadline": at(before_round(123))},)
    beacon = BeaconSeason(season(TAX, CHEN | {"Tax %": "much"}, turns=turns))
    beacon.edit("Receipts", 2, "Time", at(before_round(42)))

    promised = beacon.run(before_round(123))
    assert statuses(promised) == {1: "Waiting", 2: "Invalid", 3: "Waiting"}
    assert [promise.request for promise in promised.writes.promises] == ["R-1", "R-0003"]
    assert not beacon.run(before_round(123)).writes.promises

    made = beacon.run(after_round(123))

    assert statuses(made) == {1: "Done", 2: "Lapsed", 3: "Done"}
    verdicts = [beacon.verified(ruling.request, None) for ruling in beacon.receipts.rulings]
    assert len(verdicts) == 2
    assert all(verdict.is_equal for verdict in verdicts)


def test_trn_02_two_rows_of_one_turn_are_refused() -> None:
    book = workbook(season(TAX, turns=({"Turn": 3, "Deadline": DEADLINE}, {"Turn": 3, "Deadline": "2026-03-02 20:00"})))

    made = run(book, BEFORE)

    assert [str(problem) for problem in made.problems] == [
        "Turns!B3 (3, Turn): row 2 has turn 3 already. Keep one of them. [TRN-02]"
    ]
