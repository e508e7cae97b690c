"""Moderators' decisions about requests of realm (OVR-01 to OVR-15)."""

from __future__ import annotations

import pytest

from tests.helpers.decided import Cells
from tests.helpers.decided_games import decisions_hold

DECIDED: dict[str, list[Cells]] = {
    "T-0006": [("Result", "Realms!Rome!Treasury", 99), ("Input", "Realms!Rome!Happiness", 50)],
    "G-0001": [("Result", "Realms!Gaul!Rating", 700), ("Input", "Realms!Gaul!Rating", 650)],
}


@pytest.mark.parametrize("request_id", DECIDED)
def test_each_kind_of_decision_is_carried_out(request_id: str) -> None:
    decisions_hold("realm", request_id, DECIDED[request_id])
