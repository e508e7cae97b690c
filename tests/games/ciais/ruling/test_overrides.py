"""Moderators' decisions about requests of ciais (OVR-01 to OVR-15)."""

from __future__ import annotations

import pytest

from tests.helpers.decided import Cells
from tests.helpers.decided_games import a_decision_is_refused, decisions_hold

DECIDED: dict[str, list[Cells]] = {
    "C-0002": [("Input", "CiAIS Requests!C-0002!Roll", 99)],
    "C-0001": [("Result", "CiAIS Players!Anna!Tax %", 20)],
}


@pytest.mark.parametrize("request_id", DECIDED)
def test_each_kind_of_decision_is_carried_out(request_id: str) -> None:
    decisions_hold("ciais", request_id, DECIDED[request_id])


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (("C-0002", "Draw", "hour 1, Anna, roll", 0.5), "C2 (What): the draws of ciais have no names. Where a"),
        (("C-0001", "Result", "CiAIS Players!Anna!Purse", 5), "C2 (What): there is no such field. Write Tab!"),
    ],
)
def test_an_impossible_decision_is_refused(row: Cells, expected: str) -> None:
    a_decision_is_refused("ciais", row, expected)
