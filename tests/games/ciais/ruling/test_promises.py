"""Requests of ciais in a season with luck from a beacon (LUCK-09, LUCK-12)."""

from __future__ import annotations

import pytest

from tests.helpers.beacon_games import (
    a_receipt_says_what_people_typed,
    an_edit_behind_a_ruling_is_told,
    orders_keep_their_promises,
)


def test_luck_09_requests_keep_their_promises_after_other_changes() -> None:
    orders_keep_their_promises("ciais", rulings=7, remarks=0)


@pytest.mark.parametrize(
    ("typed", "request_", "drawn", "rest"),
    [
        (("CiAIS Requests", 2, "Notes", ""), "C-0001", "No round decided this: nothing is drawn.", ""),
        (("CiAIS Requests", 3, "Roll", 37), "C-0002", "No round decided this: people typed roll 37.", ""),
    ],
)
def test_luck_12_a_receipt_names_values_typed_in_place_of_luck(
    typed: tuple[str, int, str, object] | None, request_: str, drawn: str, rest: str
) -> None:
    a_receipt_says_what_people_typed("ciais", typed, request_, drawn, rest)


@pytest.mark.parametrize(
    ("cell", "request_", "says"),
    [
        (("CiAIS Players", 3, "Unrest", 7), "C-0002", "unrest of Bola: 6 → 7"),
        (("CiAIS Requests", 7, "Domestic funding ¤", 100), "C-0006", "funding: 250 → 100"),
        (("CiAIS Unit Types", 2, "multi-l", 9), "C-0002", "multi l of Army: 5 → 9"),
    ],
)
def test_luck_09_a_cell_edited_after_rulings_is_reported(
    monkeypatch: pytest.MonkeyPatch, cell: tuple[str, int, str, object], request_: str, says: str
) -> None:
    an_edit_behind_a_ruling_is_told(monkeypatch, "ciais", cell, request_, says)
