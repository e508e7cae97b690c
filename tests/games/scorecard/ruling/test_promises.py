"""Requests of scorecard in a season with luck from a beacon (LUCK-09, LUCK-12)."""

from __future__ import annotations

import pytest

from tests.helpers.beacon_games import a_receipt_says_what_people_typed, orders_keep_their_promises


def test_luck_09_requests_keep_their_promises_after_other_changes() -> None:
    orders_keep_their_promises("scorecard", rulings=3, remarks=0)


@pytest.mark.parametrize(
    ("typed", "request_", "drawn", "rest"),
    [
        (None, "S-0002", "No round decided this: people typed UR (Attacker), Chance roll: 0;", ""),
        (None, "S-0003", "Decided by round 123", "China (Attacker), General roll: 3; Formosa"),
    ],
)
def test_luck_12_a_receipt_names_values_typed_in_place_of_luck(
    typed: tuple[str, int, str, object] | None, request_: str, drawn: str, rest: str
) -> None:
    a_receipt_says_what_people_typed("scorecard", typed, request_, drawn, rest)
