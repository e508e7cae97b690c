"""Moderators' decisions about requests of hexcombat (OVR-01 to OVR-15)."""

from __future__ import annotations

import pytest

from tests.helpers.decided import Cells
from tests.helpers.decided_games import a_decision_is_refused, decisions_hold

DECIDED: dict[str, list[Cells]] = {
    "H-0001": [("Result", "Hex Units!2nd Armoured!Strength", 3)],
    "H-0002": [("Input", "Hex Units!8th Foot!Strength", 4)],
}


@pytest.mark.parametrize("request_id", DECIDED)
def test_each_kind_of_decision_is_carried_out(request_id: str) -> None:
    decisions_hold("hexcombat", request_id, DECIDED[request_id])


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (("H-0001", "Result", "Hex Units!2nd Armoured!Strength", "weak"), 'D2 (Value): "weak" is not a'),
    ],
)
def test_an_impossible_decision_is_refused(row: Cells, expected: str) -> None:
    a_decision_is_refused("hexcombat", row, expected)
