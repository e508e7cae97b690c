"""Each cause for which an order of CiAIS lapses, though it fitted before the rulings of its turn (REQ-18)."""

from __future__ import annotations

import pytest

from scripts.support.workbooks import messages, run, workbook
from tests.games.ciais.ruling.games import OVERTHROW, game
from tests.helpers.lapses import spoilt

END = {"Order": "End round"}
TAX = {"Player": "Anna", "Order": "Set tax", "Tax %": 15}
CHOICES = tuple({"Player": "Farid", "Order": "Overthrow choice", "Choice": choice} for choice in ("2b", "2c"))
SCOUTS = {"Player": "Chen", "Order": "Battle", "Attacker unit": "Sydney Scouts", "Defender unit": "Siberian Scouts"}
WING = {"Player": "Bola", "Order": "Battle", "Attacker unit": "Lagos Guard", "Defender unit": "Moscow Wing"}
CASES = {
    "a choice is made": (*CHOICES, ("Farid has already chosen 2b",)),
    "the tax is set": (TAX, TAX | {"Tax %": 16}, ("Anna has already set the tax in round 3",)),
    "the player is out": (OVERTHROW, {"Player": "Dmitri", "Order": "Set tax", "Tax %": 12}, ("Dmitri has lost",)),
    "the enemy is out": (OVERTHROW, WING, ("Moscow Wing is Dmitri's, who has lost",)),
    "the unit is lost": (
        OVERTHROW,
        SCOUTS,
        ("Siberian Scouts is Dmitri's, who has lost", "Siberian Scouts is lost"),
    ),
    "the city is taken": (
        {"Player": "Chen", "Order": "City captured", "City": "Sydney"},
        {"Player": "Anna", "Order": "City captured", "City": "Sydney"},
        ("Sydney is Chen's, an ally of Anna",),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_req_18_an_order_lapses_if_an_earlier_one_makes_it_impossible(case: str) -> None:
    first, second, causes = CASES[case]

    found = messages(run(workbook(game(first, second, END))))

    assert [status for _, status, _ in found] == ["Done", "Lapsed", "Done"]
    assert f": {'; '.join(f'{cause} (C-1)' for cause in causes)}. Type a new order" in found[1][2]


def test_req_18_a_defeated_player_s_round_end_lapses() -> None:
    found = messages(run(workbook(game(OVERTHROW, {"Player": "Dmitri", "Order": "End round"}, END))))

    assert [status for _, status, _ in found] == ["Done", "Lapsed", "Done"]
    assert "Dmitri has lost (C-1)" in found[1][2]


@pytest.mark.parametrize("case", ["the player is out", "the enemy is out", "the unit is lost"])
def test_req_18_an_order_on_a_missing_object_lapses_despite_other_mistakes(case: str) -> None:
    first, second, _ = CASES[case]
    for header, rows in spoilt(game(first, second, END), "CiAIS Requests", 1):
        found = messages(run(workbook(rows)))

        assert [status for _, status, _ in found] == ["Done", "Lapsed", "Done"], (header, found)
