"""Requests of hexcombat in a season with luck from a beacon (LUCK-09, LUCK-12)."""

from __future__ import annotations

import pytest

from tests.helpers.beacon_games import a_receipt_says_what_people_typed, orders_keep_their_promises


def test_luck_09_requests_keep_their_promises_whatever_others_changed() -> None:
    orders_keep_their_promises("hexcombat", rulings=12, remarks=0)


@pytest.mark.parametrize(
    ("typed", "request_", "drawn", "rest"),
    [
        (("Combat Requests", 2, "Dice", "5"), "H-0001", "Decided by round 123", "dice 5"),
    ],
)
def test_luck_12_a_receipt_says_what_people_typed_in_place_of_luck(
    typed: tuple[str, int, str, object] | None, request_: str, drawn: str, rest: str
) -> None:
    a_receipt_says_what_people_typed("hexcombat", typed, request_, drawn, rest)
