"""CI-BAT: two units, one roll, and what follows for their owners."""

from typing import Any

import pytest

from engine.ciais.inputs import CiaisInputs
from tests.games.ciais.engine.games import CIAIS, battle, lines, ruled, site, unit, unit_type


def fought(roll: int, **attacker: Any) -> CiaisInputs:
    """CI-EX-01: multipliers 2 against 4."""
    types = (unit_type("Foot", multi_l=2, **attacker), unit_type("Horse", multi_l=4))
    return battle(roll, types=types, units=(unit(type="Foot"), unit("Guard", "Bola", type="Horse")))


def test_ci_ex_01_b_wins_at_a_roll_of_91() -> None:
    outcome = ruled(fought(91))

    assert (outcome.winner, outcome.figures) == ("Defender", {"Winner": "Bola", "Chance": 33})
    assert lines(outcome, "Battle") == [
        "Chance: 33 % for 1st Army",
        "Roll: 91 (moderator's), at most 33 is a win",
        "Winner: Guard (Bola)",
        "Lost: 1st Army (Anna)",
    ]


def test_the_roll_is_drawn_from_1_to_100_and_logged() -> None:
    rolls = set()
    for seed in range(1500):
        events = [event for event in ruled(battle(None), seed).events if event.kind == "roll"]
        assert [(event.id, event.amount is not None) for event in events] == [("CI-BASE-02", True)]
        rolls.add(events[0].amount)

    assert rolls == set(range(1, 101))


def test_the_engine_refuses_a_unit_without_supply() -> None:
    with pytest.raises(ValueError, match="1st Army has no supply"):
        ruled(battle(sites=(site("Camp", "Bola"),)))


def test_explain_derives_the_odds() -> None:
    inputs = battle(None, sites=(site(latitude=10), site("Camp", "Bola")))
    assert [variable.line() for variable in CIAIS.explain(inputs)] == [
        "Attrition, 1st Army 10 = distance 10, without its fraction [CI-LOG-03] (full degrees to Home)",
        "Multiplier, 1st Army 4 = multiplier 5 − attrition 10 × 0.1, at least 0 [CI-LOG-04]",
        "Attrition, Guard 0 = distance 0, without its fraction [CI-LOG-03] (full degrees to Camp)",
        "Multiplier, Guard 5 = multiplier 5 − attrition 0 × 0.1, at least 0 [CI-LOG-04]",
        'Chance of 1st Army 44 = (100 × multiplier "1st Army" 4 + 0 × multiplier "Guard" 5)'
        ' ÷ (multiplier "1st Army" 4 + multiplier "Guard" 5) [CI-EQ-01] (per cent, rounded)',
    ]
