"""Turns of hex combats that end at their deadline (TRN-03, TRN-05)."""

from __future__ import annotations

from scripts.support.workbooks import example, run, workbook
from tests.helpers.deadlines import AFTER, DEADLINE, TURNS, an_example_ends_at_its_deadline, turn

COMBATS = "Combat Requests"


def test_trn_03_a_turn_ends_at_its_deadline() -> None:
    rows = example("hexcombat")
    rows[COMBATS] = [{"Request": "X-1", "Ready": False, "Attacker": "5th Armoured", "Defender": "44th Rifles"}]
    for side in rows["Hex Sides"]:
        side["Turn"] = 4

    an_example_ends_at_its_deadline(rows, COMBATS, 4, "New turn", "Kind")


def test_trn_05_a_game_that_is_in_no_turn_yet_says_so() -> None:
    """Hex combats need no turns; a deadline of theirs was passed over in silence."""
    rows = example("hexcombat")
    rows[COMBATS] = [{"Request": "H-1", "Ready": False}]
    rows[TURNS] = [{"Turn": 1, "Deadline": DEADLINE}]
    book = workbook(rows)

    assert not run(book, AFTER).rulings
    assert turn(book)[0] == "The game is in no turn, so nothing ends"
