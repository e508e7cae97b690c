"""CI-BAT: two units, one roll, and what follows for their owners."""

from typing import Any

import pytest

from engine.ciais.inputs import CiaisInputs
from tests.games.ciais.engine.games import CIAIS, battle, changed, lines, player, reading, ruled, site, unit, unit_type


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


def test_ci_base_02_a_roll_of_at_most_the_chance_wins() -> None:
    cases = [(1, "Anna"), (33, "Anna"), (34, "Bola"), (100, "Bola")]
    assert [(roll, ruled(fought(roll)).figures["Winner"]) for roll, _ in cases] == cases


def test_ci_op_20_ci_unr_02_ci_unr_05_a_battle_removes_the_loser_and_changes_unrest() -> None:
    anna, bola = player(unrest=3), player("Bola", unrest=4.5)

    assert changed(battle(50, players=(anna, bola))) == {
        ("1st Army", "Attrition"): 0,
        ("Guard", "Attrition"): 0,
        ("Guard", "Status"): "Lost",
        ("Bola", "Unrest"): 5.5,
        ("Anna", "Unrest"): 2,
    }


def test_ci_ex_09_unrest_stops_at_0() -> None:
    outcome = ruled(battle(50, players=(player(unrest=0.3), player("Bola"))))

    assert lines(outcome, "Anna") == ["Unrest: 0.3 → 0 (battle won −1)"]
    assert ("Anna", "Unrest", 0.3, 0) in [
        (update.row, update.field, update.before, update.after) for update in outcome.updates
    ]


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [("land", "land", 25), ("land", "sea", 75), ("land", "air", 50), ("sea", "land", 20), ("air", "sea", 46)],
)
def test_ci_base_01_ci_op_04_the_enemy_s_type_selects_the_multiplier(ours: str, theirs: str, expected: int) -> None:
    """2 ÷ (2 + 6), 6 ÷ (6 + 2), 4 ÷ (4 + 4), 2 ÷ (2 + 8), 6 ÷ (6 + 7): each looks up the other's type."""
    foot = unit_type("Foot", type=ours, multi_l=2, multi_s=6, multi_a=4)
    horse = unit_type("Horse", type=theirs, multi_l=6, multi_s=8, multi_a=7)
    if ours == "land":
        horse = unit_type("Horse", type=theirs, multi_l={"land": 6, "sea": 2, "air": 4}[theirs])
    units = (unit(type="Foot"), unit("Guard", "Bola", type="Horse"))

    assert ruled(battle(types=(foot, horse), units=units)).figures["Chance"] == expected


def test_ci_log_04_attrition_lowers_the_multipliers() -> None:
    """CI-EX-03: 5 against 5 less 30 points."""
    inputs = battle(sites=(site(), site("Camp", "Bola", latitude=30)))
    outcome = ruled(inputs)

    assert outcome.figures["Chance"] == 71
    assert lines(outcome, "Guard (Bola)") == [
        "Unit: Army (land) at 0, 0, Central",
        "Supply: Camp (base), 30° away",
        "Attrition: 30 points",
        "Multiplier: 5 → 2 (−3)",
    ]


def test_ci_op_07_attrition_does_not_accumulate() -> None:
    units = (unit(attrition=12), unit("Guard", "Bola", attrition=0))

    assert changed(battle(units=units))["1st Army", "Attrition"] == 0


def test_ci_op_19_a_unit_killed_by_attrition_fights_no_battle() -> None:
    outcome = ruled(battle(1, sites=(site(latitude=60), site("Camp", "Bola"))))

    assert (outcome.winner, outcome.figures) == ("", {"Winner": None, "Chance": None})
    assert outcome.summary == "no battle: 1st Army died of attrition"
    assert {(update.row, update.field): update.after for update in outcome.updates} == {
        ("1st Army", "Attrition"): 60,
        ("1st Army", "Status"): "Lost",
        ("Guard", "Attrition"): 0,
    }
    assert lines(outcome, "1st Army (Anna)")[3] == "Lost: dies of attrition: multi-l 5 → −1, below 0"


def test_ci_op_19_attrition_may_kill_both_units() -> None:
    inputs = battle(sites=(site(latitude=60), site("Camp", "Bola", latitude=-60)))

    assert ruled(inputs).summary == "no battle: 1st Army and Guard died of attrition"


def test_ci_op_11_a_multiplier_below_0_of_a_living_unit_counts_as_0() -> None:
    """Lives by multi-l 5 at 20 points, and has 1 − 2 against ships."""
    types = (unit_type("Army"), unit_type("Ship", type="sea", multi_l=4))
    inputs = battle(
        types=types,
        units=(unit(), unit("Guard", "Bola", type="Ship")),
        sites=(site(latitude=20), site("Camp", "Bola")),
    )

    assert ruled(inputs).figures["Chance"] == 0
    assert "Multiplier: 1 → 0 (−2)" in lines(ruled(inputs), "1st Army (Anna)")


def test_ci_unr_08_a_defeat_may_cause_overthrow() -> None:
    outcome = ruled(battle(50, players=(player(), player("Bola", unrest=9), player("Chen"))))

    assert outcome.summary.endswith("; Bola lost, overthrown [CI-LOSE-2]")
    assert lines(outcome, "Bola") == [
        "Unrest: 9 → 10 (unit lost in battle +1)",
        "Lost: CI-LOSE-2 overthrown: unrest reached 10; choose 2a, 2b or 2c",
    ]
    assert outcome.figures["Winner"] == "Anna"


def test_ci_win_1_the_overthrow_of_the_last_enemy_wins_the_game() -> None:
    outcome = ruled(battle(50, players=(player(), player("Bola", unrest=9.5))))

    assert ("Anna", "Status", "Won") in [(update.row, update.field, update.after) for update in outcome.updates]
    assert lines(outcome, "Anna")[-1] == "Won: CI-WIN-1 last man standing"
    assert outcome.summary.endswith("; Bola lost, overthrown [CI-LOSE-2]; Anna has won")


def test_the_roll_is_drawn_from_1_to_100_and_logged() -> None:
    rolls = set()
    for seed in range(1500):
        events = [event for event in ruled(battle(None), seed).events if event.kind == "roll"]
        assert [(event.id, event.amount is not None) for event in events] == [("CI-BASE-02", True)]
        rolls.add(events[0].amount)

    assert rolls == set(range(1, 101))


def test_ci_op_10_allies_supply_by_a_setting() -> None:
    players = (player(alliance="East"), player("Bola"), player("Chen", alliance=" east "))
    sites = (site(latitude=9), site("Camp", "Bola"), site("Depot", "Chen", latitude=2))
    own = battle(players=players, sites=sites)
    shared = battle(players=players, sites=sites, settings=reading("allied_supply", "yes"))

    assert lines(ruled(own), "1st Army (Anna)")[1] == "Supply: Home (base), 9° away"
    assert lines(ruled(shared), "1st Army (Anna)")[1] == "Supply: Depot (base), 2° away"


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
