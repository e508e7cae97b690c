from fractions import Fraction
from typing import Any

import pytest

from engine.scorecard.factors import Factor
from engine.scorecard.general import CommanderRolls
from engine.scorecard.inputs import Override, ScoreBelligerent, ScoreInputs
from engine.scorecard.score import Score, scores
from tests.games.scorecard.engine.wars import TABLES, attacker, defender, leader, nation, war


def scored(inputs: ScoreInputs, fate: int | None = 0, exp: int | None = 4) -> tuple[Score, Score]:
    return scores(inputs, CommanderRolls(fate, exp), CommanderRolls(fate, exp), TABLES)


def both(id: str, inputs: ScoreInputs, **rolls: Any) -> tuple[object, object]:
    """A factor's points, attacker and defender; None where it is left out."""
    ours, theirs = (
        next((factor.points for factor in score.factors if factor.id == id), None) for score in scored(inputs, **rolls)
    )
    return ours, theirs


def of_defender(id: str, inputs: ScoreInputs, **rolls: Any) -> Factor:
    return next(factor for factor in scored(inputs, **rolls)[1].factors if factor.id == id)


def test_factors_are_in_the_order_of_the_rules() -> None:
    inputs = war(attacker=attacker(soldiers=1), defender=defender(soldiers=1))

    assert [factor.id for factor in scored(inputs)[0].factors] == [f"SC-{number:02}" for number in range(1, 14)]


def test_sc_01_location_is_scored_by_label() -> None:
    cases = [
        ("At the location of the war", 5),
        ("Next to it", 4),
        ("Close to it", 3),
        ("Far from it", 2),
        ("Other side of the world", 1),
        ("Antarctica", 0),
    ]
    assert [(label, both("SC-01", war(attacker=attacker(location=label)))[0]) for label, _ in cases] == cases


def test_sc_op_12_location_may_be_a_number() -> None:
    assert both("SC-01", war(defender=defender(location=4)))[1] == 4
    assert of_defender("SC-01", war(defender=defender(location=4))).input_text == "typed as a number"


@pytest.mark.parametrize(
    ("label", "points"),
    [
        ("No defences, open field and the like", 1),
        ("High ground / ambush", 2),
        ("Basic earthworks, makeshift defences, ruins", 3),
        ("Fortifications, dug-in defences", 4),
        ("High-security fortress", 5),
    ],
)
def test_sc_02_sc_op_04_a_defender_has_five_levels(label: str, points: int) -> None:
    assert both("SC-02", war(defender=defender(tactical=label)))[1] == points
    assert of_defender("SC-02", war(defender=defender(tactical=points))).input_text == label


def test_sc_02_sc_op_04_an_attacker_has_two_levels() -> None:
    assert TABLES.tactics_for("Attacker") == ("No defences, open field and the like", "High ground / ambush")


def test_sc_02a_a_landing_met_at_the_beach_is_high_ground_at_least() -> None:
    assert both("SC-02", war(beach_landing=True)) == (1, 2)
    assert both("SC-02", war(beach_landing=True, defender=defender(tactical=5))) == (1, 5)
    assert both("SC-02", war(beach_landing=False)) == (1, 1)


def test_sc_03_a_general_scores_his_bonus_unless_killed() -> None:
    commanded = war(defender=defender(general=leader()))

    assert both("SC-03", commanded, fate=0) == (0, 5)
    assert both("SC-03", commanded, fate=9) == (0, 0)


def test_sc_op_17_wounds_do_not_lower_this_war_s_bonus() -> None:
    commanded = war(defender=defender(general=leader()))

    assert [both("SC-03", commanded, fate=rolled)[1] for rolled in (6, 7)] == [5, 5]


def test_sc_ex_04_sc_04_sc_op_02_the_sample_list_is_worth_13() -> None:
    sample = (
        ScoreBelligerent("China", "L"),
        ScoreBelligerent("Zhuang Warlords", "MVW"),
        ScoreBelligerent("Japan", "M"),
        ScoreBelligerent("Korea", "MW"),
        ScoreBelligerent("Hawaiian rebels", "MV"),
        ScoreBelligerent("Mali", "SW"),
    )
    found = of_defender("SC-04", war(defender=defender(belligerents=sample)))

    assert found.points == 13
    assert [*found.explained.numbers] == [4, 1, 3, 2, 2, 1]


def test_sc_op_03_only_listed_letters_count_and_a_blank_list_is_the_nation_with_l() -> None:
    italy, portugal = ScoreBelligerent("Italy", "MS"), ScoreBelligerent("Portugal", "V")

    assert both("SC-04", war(defender=defender(belligerents=(italy,))))[1] == 5
    assert both("SC-04", war(attacker=attacker(belligerents=(ScoreBelligerent("Spain", "L"), portugal))))[0] == 3
    assert both("SC-04", war(defender=defender(belligerents=(ScoreBelligerent("France", ""),))))[1] == 0
    assert of_defender("SC-04", war()).input_text == "France (L) 4"


def test_sc_op_25_a_letter_twice_counts_twice() -> None:
    assert both("SC-04", war(defender=defender(belligerents=(ScoreBelligerent("Italy", "MM"),))))[1] == 6


def test_sc_05_the_motive_scores_its_points() -> None:
    cases = [("Life or death", 10), ("Religious", 7), ("Social or moral", 6), ("Political", 5), ("Economic", 3)]
    assert [(motive, both("SC-05", war(attacker=attacker(motive=motive)))[0]) for motive, _ in cases] == cases


def test_sc_06_stability_scores_half() -> None:
    inputs = war(attacker=attacker(nation=nation(stability=-7)), defender=defender(nation=nation(stability=76.5)))

    assert both("SC-06", inputs) == (Fraction("-3.5"), Fraction("38.25"))


def test_sc_07_sc_op_13_the_army_score_is_always_multiplied() -> None:
    inputs = war(attacker=attacker(nation=nation(army_score=0.2)), defender=defender(nation=nation(army_score=15)))

    assert both("SC-07", inputs) == (2, 150)


def test_sc_08_invariant_3_only_the_defender_scores_industry() -> None:
    rich = nation(industry_score=1.5)

    assert both("SC-08", war(attacker=attacker(nation=rich), defender=defender(nation=rich))) == (0, 6)


@pytest.mark.parametrize(
    ("near_water", "nearby", "points"), [(True, True, 3), (True, False, 0), (False, True, 0), (False, False, 0)]
)
def test_sc_09_invariant_3_a_navy_must_be_near_at_a_battle_near_water(
    near_water: bool, nearby: bool, points: int
) -> None:
    side = defender(nation=nation(navy_score=1), navy_nearby=nearby)

    assert both("SC-09", war(near_water=near_water, defender=side))[1] == points


def test_sc_10_sc_op_19_each_turn_of_expansion_costs_a_point() -> None:
    inputs = war(attacker=attacker(nation=nation(expansion_turns=2)))

    assert both("SC-10", inputs) == (-2, 0)
    assert of_defender("SC-10", inputs).text == "0"


def test_sc_11_sc_op_21_chance_uses_own_time_and_the_opponents_edits() -> None:
    inputs = war(
        attacker=attacker(nation=nation("Spain", edits=1200), chance=None, declared_at="19:59"),
        defender=defender(nation=nation("France", edits=100), chance=None, declared_at="09:05"),
    )

    assert both("SC-11", inputs) == (2, 7)
    assert of_defender("SC-11", inputs).input_text == "09:05, 1,200 edits, X = 83.7758"


def test_sc_11_a_moderator_s_edits_and_chance_take_precedence() -> None:
    edits = war(defender=defender(chance=None, declared_at="10:00", opponent_edits=314))
    digit = war(defender=defender(chance=8, declared_at="10:00", opponent_edits=314))

    assert (both("SC-11", edits)[1], both("SC-11", digit)[1]) == (6, 8)


def test_sc_11_without_time_or_chance_nothing_can_be_scored() -> None:
    with pytest.raises(ValueError, match=r"France \(Defender\) has neither Declared at nor Chance"):
        scored(war(defender=defender(chance=None)))


def test_sc_12_every_side_scores_participation() -> None:
    assert both("SC-12", war()) == (10, 10)


def test_sc_13_sc_op_11_troops_score_the_exact_ratio() -> None:
    inputs = war(attacker=attacker(soldiers=20_000), defender=defender(soldiers=30_000))

    assert both("SC-13", inputs) == (Fraction(2, 3), Fraction(3, 2))
    assert of_defender("SC-13", inputs).text == "1.50"


def test_sc_op_11_a_missing_number_leaves_the_factor_out_for_both() -> None:
    assert both("SC-13", war(attacker=attacker(soldiers=20_000))) == (None, None)


def test_sc_op_27_a_moderators_points_replace_any_factors() -> None:
    ruled = attacker(overrides=(Override("SC-08", 2.5), Override("SC-13", 1), Override("SC-12", 0)))
    inputs = war(attacker=ruled)

    assert [both(id, inputs)[0] for id in ("SC-08", "SC-13", "SC-12")] == [Fraction(5, 2), 1, 0]
    assert both("SC-13", inputs)[1] is None
    texts = {factor.id: factor.input_text for factor in scored(inputs)[0].factors if factor.ruled}
    assert texts == {
        "SC-08": "mod ruling; the rules give 0: defender only",
        "SC-12": "mod ruling; the rules give 10: every side",
        "SC-13": "mod ruling; the rules leave it out",
    }


def test_each_factor_is_explained_by_its_terms() -> None:
    inputs = war(attacker=attacker(soldiers=5, general=leader()), defender=defender(soldiers=2, general=leader()))
    for score in scored(inputs):
        for factor in score.factors:
            line = factor.explained.line()
            assert line.startswith(f"{factor.name}, {score.side.side} ")
            assert f"[{factor.id}]" in line
