"""Requests of hexcombat in a season with luck from a beacon (LUCK-09, LUCK-12)."""

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
    orders_keep_their_promises("hexcombat", rulings=12, remarks=0)


@pytest.mark.parametrize(
    ("typed", "request_", "drawn", "rest"),
    [
        (("Combat Requests", 2, "Dice", "5"), "H-0001", "Decided by round 123", "dice 5"),
    ],
)
def test_luck_12_a_receipt_names_values_typed_in_place_of_luck(
    typed: tuple[str, int, str, object] | None, request_: str, drawn: str, rest: str
) -> None:
    a_receipt_says_what_people_typed("hexcombat", typed, request_, drawn, rest)


@pytest.mark.parametrize(
    ("cell", "request_", "says"),
    [
        (("Hex Units", 5, "Strength", 1), "H-0002", "strength of 8th Foot: 10 → 1"),
        (("Combat Requests", 9, "Naval support", ""), "H-0008", "distance of HMS Vigil: 1 → 2"),
        (("Combat Requests", 12, "Range", 2), "H-0011", "range of Battery against battery: 3 → 2"),
    ],
)
def test_luck_09_a_cell_edited_after_rulings_is_reported(
    monkeypatch: pytest.MonkeyPatch, cell: tuple[str, int, str, object], request_: str, says: str
) -> None:
    an_edit_behind_a_ruling_is_told(monkeypatch, "hexcombat", cell, request_, says)


def test_luck_09_a_request_of_another_kind_gets_a_new_promise() -> None:
    """Its inputs have other fields, and the pass that compared them ended in an error."""
    combats = BeaconSeason(example("hexcombat"))
    combats.run(before_round(123))
    combats.edit("Combat Requests", 4, "Kind", "New turn")
    for header in ("Attacker", "Defender", "Interceptors", "Air defence"):
        combats.edit("Combat Requests", 4, header, "")
    combats.run(after_round(123))
    promise = combats.receipts.promises[-1]
    assert promise.request == "H-0003"
    assert promise.wiki.endswith("one after. Changed by people: the kind of request.")
