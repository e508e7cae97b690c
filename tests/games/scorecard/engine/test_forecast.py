from collections import Counter
from dataclasses import replace
from itertools import product

from hypothesis import given

from engine.rng import Rng
from engine.scorecard.forecast import forecast
from engine.scorecard.inputs import ScoredSide, ScoreInputs
from tests.games.scorecard.engine.wars import SCORECARD, TABLES, attacker, defender, leader, nation, war, wars
from tests.helpers.example_budget import LAW


def commanded(**sides: bool) -> ScoreInputs:
    """A side with a general of Exp 4 has 18 + 5, or 18 when he is killed (2 of 10 rolls)."""
    general = leader()
    return war(
        attacker=attacker(general=general if sides.get("attacker") else None),
        defender=defender(general=general if sides.get("defender") else None),
    )


def test_a_forecast_without_open_rolls_has_one_case() -> None:
    found = forecast(war(attacker=attacker(location=1)), TABLES)

    assert (found.cases, found.attacker_wins, found.defender_wins, found.stalemates) == (1, 1, 0, 0)
    assert found.line() == (
        "Attacker wins 100 %, defender wins 0 %, stalemate (defender holds) 0 %;"
        " totals: attacker 19, defender 18; nothing left to chance"
    )


def test_one_open_fate_makes_ten_cases() -> None:
    found = forecast(commanded(attacker=True), TABLES)

    assert (found.cases, found.attacker_wins, found.defender_wins, found.stalemates) == (10, 8, 0, 2)
    assert str(found.attacker) == "18 to 23"


def test_two_open_fates_make_a_hundred_cases() -> None:
    found = forecast(commanded(attacker=True, defender=True), TABLES)

    assert (found.cases, found.attacker_wins, found.defender_wins, found.stalemates) == (100, 16, 16, 68)


def test_a_given_roll_adds_no_cases() -> None:
    inputs = war(attacker=attacker(general=leader(), general_roll=9))

    assert (forecast(inputs, TABLES).cases, forecast(inputs, TABLES).stalemates) == (1, 1)


def test_sc_op_26_an_open_exp_multiplies_the_cases_by_ten() -> None:
    found = forecast(war(attacker=attacker(general=leader(exp=None))), TABLES)

    assert found.cases == 100
    assert str(found.attacker) == "18 to 28"


@LAW
@given(inputs=wars(ruled=True))
def test_a_forecast_agrees_with_rulings_over_all_rolls(inputs: ScoreInputs) -> None:
    ours, theirs = (with_every_roll(side) for side in (inputs.attacker, inputs.defender))
    inputs = replace(inputs, attacker=with_exp(inputs.attacker), defender=with_exp(inputs.defender))
    found = Counter(
        SCORECARD.resolve(replace(inputs, attacker=own, defender=enemy), Rng(0))
        .summary.split(";")[0]
        .split(" wins by ")[0]
        for own, enemy in product(ours, theirs)
    )
    counted = forecast(inputs, TABLES)

    assert counted.cases == len(ours) * len(theirs)
    assert found == +Counter(
        {
            "Spain (Attacker)": counted.attacker_wins,
            "France (Defender)": counted.defender_wins,
            "stalemate – defender holds": counted.stalemates,
        }
    )


@LAW
@given(inputs=wars())
def test_a_ruling_falls_inside_its_forecast(inputs: ScoreInputs) -> None:
    found = forecast(inputs, TABLES)
    for seed in range(5):
        figures = SCORECARD.resolve(inputs, Rng(seed)).figures
        for total, span in ((figures["Attacker Total"], found.attacker), (figures["Defender Total"], found.defender)):
            assert isinstance(total, int | float)
            assert float(span.lowest) - 0.01 <= total <= float(span.highest) + 0.01


def test_a_forecast_counts_civil_disarray() -> None:
    found = forecast(war(defender=defender(nation=nation(civil_disarray=True), general=leader(role="Ruler"))), TABLES)

    assert (str(found.defender), found.attacker_wins, found.defender_wins) == ("17 to 34.5", 2, 8)


def with_exp(side: ScoredSide) -> ScoredSide:
    return replace(side, general=replace(side.general, exp=side.general.exp or 0)) if side.general else side


def with_every_roll(side: ScoredSide) -> list[ScoredSide]:
    side = with_exp(side)
    if side.general is None or side.general_roll is not None:
        return [side]
    return [replace(side, general_roll=face) for face in range(10)]
