"""Moderators' decisions about requests of scorecard (OVR-01 to OVR-15)."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.workbooks import run
from sheets_algo.workbook.values import PerCent
from tests.helpers.decided import Cells, ruling, with_overrides
from tests.helpers.decided_games import a_decision_is_refused, decisions_hold, example_rows

DECIDED: dict[str, list[Cells]] = {
    "S-0001": [("Result", "Winner", "Spain"), ("Result", "France Commander", "killed")],
    "S-0003": [("Result", "Territory Taken", 12), ("Result", "Defender Commander", "alive")],
    "S-0002": [("Input", "Score Sides!row 5!Chance", 9)],
}


@pytest.mark.parametrize("request_id", DECIDED)
def test_each_kind_of_decision_is_carried_out(request_id: str) -> None:
    decisions_hold("scorecard", request_id, DECIDED[request_id])


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (("S-0001", "Result", "Winner", "Prussia"), 'D2 (Value): "Prussia" is not allowed. Use Attacker,'),
    ],
)
def test_an_impossible_decision_is_refused(row: Cells, expected: str) -> None:
    a_decision_is_refused("scorecard", row, expected)


@pytest.mark.parametrize("value", [PerCent(0.12), "12 %", "12", 12])
def test_num_03_a_decision_in_per_cent_matches_its_cell(value: Any) -> None:
    book = with_overrides(example_rows("scorecard"), ("S-0003", "Result", "Territory Taken", value))
    run(book)

    assert "Territory taken:''' 12 %" in ruling(book, "S-0003").wiki
