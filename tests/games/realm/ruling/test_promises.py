"""Requests of realm in a season with luck from a beacon (LUCK-09, LUCK-12)."""

from __future__ import annotations

import pytest

from scripts.support.beacon_rounds import BeaconSeason, after_round, before_round
from scripts.support.workbooks import example
from tests.helpers.beacon_games import (
    a_receipt_says_what_people_typed,
    an_edit_behind_a_ruling_is_told,
    orders_keep_their_promises,
)


def test_luck_09_requests_keep_their_promises_after_other_changes() -> None:
    orders_keep_their_promises("realm", rulings=9, remarks=1)


@pytest.mark.parametrize(
    ("typed", "request_", "drawn", "rest"),
    [
        (("Turn Requests", 3, "Fixed rolls", "RL-DUN-03=97"), "T-0002", "Decided by round 123", "RL-DUN-03=97"),
    ],
)
def test_luck_12_a_receipt_names_values_typed_in_place_of_luck(
    typed: tuple[str, int, str, object] | None, request_: str, drawn: str, rest: str
) -> None:
    a_receipt_says_what_people_typed("realm", typed, request_, drawn, rest)


def test_luck_09_an_edited_order_is_detected_beside_changes_by_rulings() -> None:
    orders = BeaconSeason(example("realm"))
    orders.run(before_round(123))
    realms = [*orders.book.rows("Realms")]
    treasury = realms[0].index("Treasury")
    before = realms[1][treasury]
    orders.edit("Realms", 2, "Treasury", before + 7)
    orders.run(after_round(123))
    told = [receipt.wiki for receipt in orders.receipts.promises if "Changed by people" in receipt.wiki]
    assert told
    assert all(f"treasury of {realms[1][0]}: {before} → {before + 7}" in text for text in told[:1])


@pytest.mark.parametrize(
    ("cell", "request_", "says"),
    [
        (("Turn Requests", 4, "Agents", 3), "T-0003", "agents: 0 → 3"),
        (("Realm Units", 2, "Health", 1), "T-0006", "health of Legio I: 5 → 1"),
    ],
)
def test_luck_09_a_cell_edited_after_rulings_is_reported(
    monkeypatch: pytest.MonkeyPatch, cell: tuple[str, int, str, object], request_: str, says: str
) -> None:
    an_edit_behind_a_ruling_is_told(monkeypatch, "realm", cell, request_, says)
