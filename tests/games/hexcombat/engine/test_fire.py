"""HX-LOS, HX-OP-22: what the log says of a fire; `stories.txt` has what fires do."""

import pytest

from engine.hexcombat.setup.fighter import DEFENDER, fighter
from tests.games.hexcombat.engine.battles import (
    INF,
    TABLES,
    TANK,
    attacker,
    combat,
    defender,
    strictly,
)  # fmt: skip

FACTS = TABLES.facts


@pytest.mark.parametrize(
    ("shots", "enemy", "says", "losses"),
    [
        ([8] * 10, {}, "suppression 20 ÷ 2 = 10", (0, 10)),
        ([20] * 4 + [2] * 6, {}, "suppression 4 ÷ 2 = 2", (4, 2)),
        ([20] * 3 + [8] * 7, {"strength": 6}, "suppression 17 ÷ 2 = 8, at most 3 (strength left)", (3, 3)),
    ],
)
def test_hx_los_5_the_log_halves_the_suppression_of_all_shots(shots, enemy, says, losses):
    asked = combat(attacker(TANK, bars=1), defender(INF, entrenchment=2, **enemy))

    found = strictly(asked, 3, 3, *shots, *[1] * enemy.get("strength", 10))

    lines = [event.text for event in found.account.events if event.id == "HX-LOS-5"]
    assert lines == [f"Tank A at Inf D: {says}"]
    assert (found.defender.kills_taken, found.defender.suppression_taken) == losses


def test_hx_los_6_the_result_names_no_more_points_as_suppressed_than_are_left():
    """Eight of ten are suppressed; then seven of the ten are killed."""
    unit = fighter(defender(INF), DEFENDER, FACTS)

    unit.take_losses(0, 8)
    unit.take_losses(7, 1)

    assert (unit.strength, unit.suppressed, unit.suppression_taken) == (3, 3, 3)


def test_hx_op_22_a_new_bar_mentions_a_possible_leader_without_a_roll():
    found = strictly(combat(attacker(INF, experience=95), defender(TANK)), 1, 1, 20, *[2] * 9, *[1] * 10)

    assert found.attacker.bars == 1
    assert ("HX-OP-22", "Inf A: 1 bar now; leader possible") in [
        (event.id, event.text) for event in found.account.events
    ]
