"""Rows of scorecard after their ruling (REQ-16)."""

from __future__ import annotations

from scripts.support.workbooks import column, ruled_example, run
from tests.helpers.row_states import a_reused_row_is_changed, an_equal_copy_is_for_another, cells, type_in

REQUESTS = "Score Requests"


def test_a_ruled_row_with_another_name_counts_as_changed() -> None:
    book, _ = ruled_example("scorecard")
    near_water = cells(book, column(book, REQUESTS, "Status").index("Done") + 2, REQUESTS)["Near water"]

    a_reused_row_is_changed("scorecard", REQUESTS, {"Near_water": not near_water})


def test_an_equal_copy_is_for_another_war() -> None:
    an_equal_copy_is_for_another("scorecard", REQUESTS, "war")


def test_a_score_war_between_other_nations_is_another_war() -> None:
    """Who fights stands in Score Sides alone."""
    book, _ = ruled_example("scorecard")
    row = column(book, "Score Requests", "Status").index("Done") + 2
    id = cells(book, row, "Score Requests")["Request"]
    side = column(book, "Score Sides", "Request").index(id) + 2
    type_in(book, side, "Score Sides", Nation="another")

    run(book)

    shown = cells(book, row, "Score Requests")
    assert shown["Status"] == "Changed"
    assert "Score Sides differs" in shown["Message"]
