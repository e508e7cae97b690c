"""What a ruling writes: updates, results, figures, receipt, log."""

from dataclasses import replace
from typing import Any

import pytest

from engine.config_value import TableError
from engine.rng import Rng
from engine.ruleset import Outcome, RowResult
from engine.scorecard.inputs import Override, ScoreInputs
from engine.settings import Setting
from tests.games.scorecard.engine.wars import SCORECARD, attacker, defender, leader, nation, war


def changed(inputs: ScoreInputs) -> list[tuple[str, str, Any, Any]]:
    updates = SCORECARD.resolve(inputs, Rng(1)).updates
    assert {update.tab for update in updates} <= {"Score Leaders"}
    return [(update.row, update.field, update.before, update.after) for update in updates]


def commanded(fate: int, **more: Any) -> ScoreInputs:
    """The defender wins by 5 with a living general."""
    return war(defender=defender(general=leader(wins=3, battles=5, **more), general_roll=fate, location=5))


def lines_of(outcome: Outcome, heading: str) -> list[str]:
    block = next(block for block in outcome.receipt.blocks if block.heading == heading)
    return [f"{line.label}: {line.text}" if line.label else line.text for line in block.lines]


def test_sc_03b_a_winner_gets_a_battle_and_a_win() -> None:
    assert changed(commanded(0)) == [("Condé", "Battles", 5, 6), ("Condé", "Wins", 3, 4)]


def test_sc_03b_a_loser_gets_a_battle() -> None:
    inputs = war(attacker=attacker(location=5), defender=defender(general=leader(exp=0), general_roll=0))

    assert changed(inputs) == [("Condé", "Battles", 0, 1)]


def test_sc_op_23_a_stalemate_counts_as_no_win() -> None:
    inputs = war(defender=defender(general=leader(exp=0), general_roll=8))

    assert changed(inputs) == [("Condé", "Battles", 0, 1), ("Condé", "Status", "Active", "Dead")]


def test_sc_03a_the_fate_is_written_to_the_leader() -> None:
    cases = [
        (5, []),
        (6, [("Condé", "Status", "Active", "Wounded"), ("Condé", "Unavailable turns", 0, 3)]),
        (7, [("Condé", "Status", "Active", "Retired")]),
        (8, [("Condé", "Status", "Active", "Dead")]),
    ]
    assert [
        (roll, written, changed(commanded(roll)), [("Condé", "Battles", 5, 6), ("Condé", "Wins", 3, 4), *written])
        for roll, written in cases
        if changed(commanded(roll)) != [("Condé", "Battles", 5, 6), ("Condé", "Wins", 3, 4), *written]
    ] == []


def test_sc_03a_the_year_of_a_wound_is_stored_until_service() -> None:
    wounded = replace(commanded(6), date="1305")
    assert changed(wounded)[-1] == ("Condé", "Wounded in", None, 1305)

    again = replace(commanded(5, unavailable_turns=3, wounded_in=1305), date="1308")
    assert changed(again)[2:] == [("Condé", "Unavailable turns", 3, 0), ("Condé", "Wounded in", 1305, None)]


def test_sc_op_08_only_a_drawn_exp_is_written_back() -> None:
    exps = {SCORECARD.resolve(commanded(0, exp=None), Rng(seed)).updates[-1].after for seed in range(200)}

    assert exps == set(range(10))
    assert [field for _, field, _, _ in changed(commanded(0, exp=0))] == ["Battles", "Wins"]


def test_sc_op_24_a_ruler_killed_by_the_moderator_dies_after_the_battle() -> None:
    inputs = war(defender=defender(general=leader(role="Ruler"), general_roll=6, leader_killed=True))
    outcome = SCORECARD.resolve(inputs, Rng(1))

    assert outcome.results[1] == RowResult("Score Sides", 1, {"Total": 13, "Fate": "killed (mod ruling)"})
    assert [(update.field, update.after) for update in outcome.updates] == [("Battles", 1), ("Status", "Dead")]


def test_sc_op_07_a_general_survives_the_death_of_his_ruler() -> None:
    inputs = war(defender=defender(general=leader(), general_roll=0, leader_killed=True))

    assert [update.field for update in SCORECARD.resolve(inputs, Rng(1)).updates] == ["Battles"]


def test_a_ruling_has_results_and_figures() -> None:
    outcome = SCORECARD.resolve(commanded(6), Rng(1))

    assert outcome.winner == "Defender"
    assert outcome.figures == {"Winner": "France", "Attacker Total": 18, "Defender Total": 28}
    assert outcome.results == (
        RowResult("Score Sides", 0, {"Total": 18, "Fate": ""}),
        RowResult("Score Sides", 1, {"Total": 28, "Fate": "wounded (3 turns)"}),
    )
    assert outcome.summary == "France (Defender) wins by 10; attacker 18, defender 28"


def test_sc_op_14_a_stalemate_names_the_holder() -> None:
    outcome = SCORECARD.resolve(war(), Rng(1))

    assert (outcome.winner, outcome.figures["Winner"]) == ("", "stalemate – defender holds")
    assert outcome.receipt.headline == "Stalemate – defender holds."


def test_sc_op_29_a_tiny_margin_is_not_a_stalemate() -> None:
    inputs = war(attacker=attacker(nation=nation("Spain", stability=0.0002)))

    summary = SCORECARD.resolve(inputs, Rng(1)).summary
    assert summary == "Spain (Attacker) wins by less than 0.01; attacker 18, defender 18"


def test_sc_op_20_the_receipt_contains_no_story() -> None:
    outcome = SCORECARD.resolve(commanded(6), Rng(1))

    assert outcome.receipt.account == (
        "France (Defender) wins by 10.",
        "The attacker has 18 points, the defender 28.",
    )
    assert lines_of(outcome, "Result") == [
        "Commander: Condé (France): wounded (3 turns)",
        "Full government transplant: 1 attacking country, at least 33.33 % of the territory",
    ]


def test_the_receipt_names_all_of_the_moderator_s_rulings() -> None:
    inputs = war(
        attacker=attacker(overrides=(Override("SC-05", 4), Override("SC-01", 0.5)), leader_killed=True),
        defender=defender(general=leader(), general_roll=3, chance=None, declared_at="10:00"),
        attacking_countries=2,
        settings=(
            Setting(name="constants/SC-OP-01/chance_digit", value="thousandths"),
            Setting(name="constants/SC-07/army_factor", value=0.5),
        ),
        seed_given=True,
    )

    assert lines_of(SCORECARD.resolve(inputs, Rng(42)), "Moderator's rulings") == [
        "Spain (Attacker), Location: 0.5",
        "Spain (Attacker), Motive: 4",
        "Spain (Attacker), Chance roll: 0",
        "Spain (Attacker), Leader killed: yes",
        "France (Defender), General roll: 3",
        "Attacking countries: 2",
        "Setting chance_digit: thousandths",
        "Setting army_factor: 0.5",
        "Seed: 42",
    ]


def test_the_moderator_s_block_is_omitted_if_empty() -> None:
    plain = {"chance": None, "declared_at": "00:00"}
    outcome = SCORECARD.resolve(war(attacker=attacker(**plain), defender=defender(**plain)), Rng(1))

    assert [block.heading for block in outcome.receipt.blocks] == ["Spain (Attacker)", "France (Defender)", "Result"]


def test_names_with_line_breaks_stay_on_one_line() -> None:
    inputs = war(name="A\nWar", date="May\n1618", attacker=attacker(nation=nation("New\nSpain")))
    outcome = SCORECARD.resolve(inputs, Rng(1))

    assert outcome.receipt.title == "A War"
    assert outcome.receipt.blocks[0].lines[0].text == "May 1618"
    assert all("\n" not in event.text for event in outcome.events)
    assert outcome.receipt.blocks[1].heading == "New Spain (Attacker)"


def test_every_roll_and_factor_is_logged_with_its_rule() -> None:
    heard: list[str] = []
    outcome = SCORECARD.resolve(commanded(6, exp=None), Rng(7), heard.extend)
    exp = outcome.updates[-1].after

    assert f"France (Defender), Exp of Condé: drew {exp} [SC-OP-08]" in heard
    assert "France (Defender), fate of Condé: moderator's 6 [SC-03a]" in heard
    assert "Spain (Attacker), Participation: 10 (every side) [SC-12]" in heard
    assert "France (Defender) wins by " in heard[-2]
    assert heard == [f"{event.text} [{event.id}]" for event in outcome.events]


def test_explain_names_open_rolls_without_drawing() -> None:
    explained = SCORECARD.explain(war(defender=defender(general=leader(exp=None))))
    general = next(variable for variable in explained if variable.name == "General, Defender")

    assert general.note == "nothing if he is killed (SC-03a); Exp is not fixed yet: 0 to 9 more (SC-OP-08)"
    assert general.value == 1


def test_a_nonexistent_setting_is_reported() -> None:
    with pytest.raises(TableError, match=r'the tables have no "army" there\. Use "army_factor"\.'):
        SCORECARD.resolve(war(settings=(Setting(name="constants/SC-07/army", value=7),)), Rng(1))


def test_swapped_sides_are_refused() -> None:
    with pytest.raises(ValueError, match="not Defender and Attacker"):
        ScoreInputs(name="War", attacker=defender(), defender=attacker())
