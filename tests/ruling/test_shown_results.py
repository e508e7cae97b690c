"""Cells that show something else than their receipt (RCP-34)."""

from __future__ import annotations

import pytest

from scripts.support.workbooks import NOW, column, example, forms, read, ruled_example, run, undo, workbook
from sheets_algo.replays.shown_results import shown_otherwise
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.games import EXAMPLES

WARS = "War Requests"


@pytest.fixture
def book() -> MemoryWorkbook:
    book, _ = ruled_example("1066")
    return book


def type_in(book: MemoryWorkbook, tab: str, row: int, header: str, value: object) -> None:
    book.type_in(tab, row, book.rows(tab)[0].index(header) + 1, value)


def told(book: MemoryWorkbook) -> list[str]:
    receipts = read_receipts(read(book))
    return [str(problem) for problem in shown_otherwise(read(book), forms(), receipts)]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_unedited_season_shows_its_receipts(name):
    book, _ = ruled_example(name)
    assert column(book, next(iter(example(name))), "Status").count("Done")
    assert told(book) == []


def test_an_overwritten_winner_is_reported_until_the_next_pass(book):
    winner = column(book, WARS, "Winner")[0]
    type_in(book, WARS, 2, "Winner", "Wessex")

    place = f"'War Requests'!{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[book.rows(WARS)[0].index('Winner')]}2"
    assert told(book) == [
        f'{place} (W-0001, Winner): shows "Wessex", and the receipt of W-0001 says "{winner}". Let run or watch'
        " write it again. [RCP-34]"
    ]

    run(book)
    assert told(book) == []


def test_results_beside_another_war_are_reported(book):
    type_in(book, WARS, 2, "Year", 1071)
    assert any("Winner): shows" in line and line.endswith("[RCP-34]") for line in told(book))
    run(book)
    assert told(book) == []


def test_an_overwritten_result_of_a_flank_is_reported(book):
    row = next(number for number, shown in enumerate(column(book, "Flanks", "End Status"), start=2) if shown)
    type_in(book, "Flanks", row, "End Status", "Glorious")
    assert [line.partition(":")[0].endswith("End Status)") for line in told(book)] == [True]


def test_similar_rows_of_flanks_each_show_their_own_results():
    """Each was held against the last one's, so that a sound season was told as edited for ever."""
    rows = example("1066")
    rows["Flanks"] = [
        *rows["Flanks"],
        *({"Request": "W-0002", "Side": "Attacker", "Maneuver": "Normal"} for _ in range(3)),
    ]
    book = workbook(rows)
    run(book)
    assert len({*column(book, "Flanks", "End Infantry")[-3:]}) > 1
    assert told(book) == []

    type_in(book, "Flanks", len(book.rows("Flanks")), "End Status", "Glorious")

    assert ["End Status" in line for line in told(book)] == [True]


def test_a_result_typed_beside_an_undone_ruling_is_reported(book):
    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), "W-0005", NOW)[1])
    assert told(book) == []
    row = column(book, WARS, "Request").index("W-0005") + 2
    type_in(book, WARS, row, "Winner", "England")
    assert len(told(book)) == 1


def test_a_stability_typed_after_a_ruling_is_a_warning(book):
    row = column(book, "Nations", "Name").index("Norway") + 2
    type_in(book, "Nations", row, "Stability", 3)
    (line,) = told(book)
    assert ": warning: shows" in line
    assert line.endswith("[RCP-30]")


def pasted(time: str = "2026-02-01T08:00:00Z") -> MemoryWorkbook:
    """A season in which nothing is ruled, with a ruled row of another one and its flanks, under a new id."""
    other, _ = ruled_example("1066")
    rows = example("1066")
    for tab in (WARS, "Flanks"):
        heads = other.rows(tab)[0]
        found = [dict(zip(heads, cells, strict=False)) for cells in other.rows(tab)[1:]]
        rows[tab] = [row | {"Request": "W-0105"} for row in found if row["Request"] == "W-0005"]
        assert rows[tab]
    rows[WARS][0]["Ruled At"] = time
    return workbook(rows)


RESULTS = ("Winner", "Occupation", "Attacker Losses", "Defender Losses", "Duration")


@pytest.mark.parametrize(
    ("time", "when"),
    [("2026-02-01T08:00:00Z", ", before this season began,"), ("2026-03-02T08:00:00Z", ","), ("46082.5", ",")],
)
def test_a_row_pasted_from_another_season_shows_no_result(time, when):
    """RCP-19: the time stays as evidence, and Message names the results, at each later pass too."""
    book = pasted(time)
    winner = column(book, WARS, "Winner")[0]
    assert winner

    for _ in range(3):
        assert not run(book).rulings
        assert [column(book, WARS, header) for header in RESULTS] == [[None]] * 5
        assert set(column(book, "Flanks", "End Status")) == {None}
        assert column(book, WARS, "Ruled At") == [time]
        assert column(book, WARS, "Status") == ["Invalid"]
        (text,) = column(book, WARS, "Message")
        assert str(text).startswith(f"It showed: Winner {winner}, Occupation ")
        assert f"shows a ruling of {time}{when} and there is no receipt of it, so nothing is ruled here" in str(text)


def test_the_advice_for_a_pasted_row_leads_to_its_ruling():
    for ways in ("cleared", "Rule again"):
        book = pasted()
        run(book)
        if ways == "cleared":
            type_in(book, WARS, 2, "Ruled At", None)
        else:
            type_in(book, WARS, 2, "Action", ways)
        assert [ruling.receipt.request for ruling in run(book).rulings] == ["W-0105"]
        assert column(book, WARS, "Status") == ["Done"]


def test_rows_stay_unchanged_while_receipts_are_missing(book):
    """They are all that is left of a ruling, until its receipt is back or given up."""
    before = {header: column(book, WARS, header) for header in (*RESULTS, "Ruled At")}
    kept = book.rows("Receipts")[3]
    for place in range(1, len(kept) + 1):
        book.type_in("Receipts", 4, place, None)

    run(book)
    assert {header: column(book, WARS, header) for header in (*RESULTS, "Ruled At")} == before

    for place, value in enumerate(kept, start=1):
        book.type_in("Receipts", 4, place, value)
    run(book)
    assert set(column(book, WARS, "Status")) == {"Done"}


def test_req_19_a_battle_that_moved_to_another_war_is_reported(book):
    """Deleted after five battles, Part of made 3 : 2 a war that was over, won by England."""
    type_in(book, WARS, 2, "Part of", "The Year of Kings")
    type_in(book, WARS, 2, "Ends War", True)
    first, second = told(book)
    assert "Part of): warning: W-0001 was ruled as part of" in first
    assert first.endswith('and now counts for "The Year of Kings". [REQ-19]')
    assert second.endswith("W-0001 did not end its war when ruled, and does now. [REQ-20]")

    run(book)
    assert len(told(book)) == 2
