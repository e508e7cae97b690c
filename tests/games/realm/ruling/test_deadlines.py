"""Turns of realms that end at their deadline (TRN-03)."""

from __future__ import annotations

from scripts.support.workbooks import example
from tests.helpers.deadlines import an_example_ends_at_its_deadline


def test_trn_03_a_turn_of_all_realms_ends_at_its_deadline() -> None:
    rows = example("realm")
    rows["Turn Requests"] = [{"Request": "X-1", "Ready": False, "Realm": "Rome", "Order": "Set tax", "Turn": 12}]

    an_example_ends_at_its_deadline(rows, "Turn Requests", 12, "Process all turns")
