"""Turns of hex combats that end at their deadline (TRN-03, TRN-05)."""

from __future__ import annotations

from scripts.support.workbooks import column, example, messages, run, workbook
from tests.helpers.deadlines import AFTER, BEFORE, DEADLINE, TURNS, an_example_ends_at_its_deadline, turn

COMBATS = "Combat Requests"


def test_trn_03_a_turn_ends_at_its_deadline() -> None:
    rows = example("hexcombat")
    rows[COMBATS] = [{"Request": "X-1", "Ready": False, "Attacker": "5th Armoured", "Defender": "44th Rifles"}]
    for side in rows["Hex Sides"]:
        side["Turn"] = 4

    an_example_ends_at_its_deadline(rows, COMBATS, 4, "New turn", "Kind")


def test_hx_op_49_a_deadline_starts_the_first_turn() -> None:
    """Hex combats need no turns; a deadline of theirs was passed over."""
    rows = example("hexcombat")
    rows[COMBATS] = [{"Request": "H-1", "Ready": True, "Attacker": "5th Armoured", "Defender": "44th Rifles"}]
    rows[TURNS] = [{"Turn": number, "Deadline": DEADLINE} for number in (2, 3)]
    book = workbook(rows)

    assert messages(run(book, BEFORE))[0][1] == "Done"
    assert turn(book)[0] == "Open: 1 order fits"
    assert len(run(book, AFTER).rulings) == 1
    assert turn(book)[0].startswith("Ended at ")
    assert not run(book, AFTER).rulings
    assert turn(book, 1)[0].startswith("Its deadline was over when the turn began")
    assert column(book, "Hex Sides", "Turn") == [3, 3]
