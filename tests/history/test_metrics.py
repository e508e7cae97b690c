"""The metrics on cases small enough to be reckoned by hand."""

from __future__ import annotations

import math

import pytest
from plausibility import metrics
from plausibility.cases import Scenario
from plausibility.targets import TARGETS

from tests.history.rows import battles, fought, scenario_case


def test_the_brier_score_is_the_mean_squared_error() -> None:
    assert metrics.brier([0.8, 0.4], [1, 0]) == pytest.approx((0.04 + 0.16) / 2)


def test_odds_of_one_half_predict_half_a_winner() -> None:
    assert metrics.accuracy([0.9, 0.9, 0.5, 0.2], [1, 0, 1, 0]) == pytest.approx(2.5 / 4)


def test_auc_counts_pairs_in_order_and_ties_half() -> None:
    """Wins at 0.9 and 0.5, defeats at 0.5 and 0.1: of four pairs three are in order and one is a tie."""
    assert metrics.auc([0.9, 0.5, 0.5, 0.1], [1, 1, 0, 0]) == pytest.approx(3.5 / 4)


def test_the_calibration_error_weighs_bins_by_their_battles() -> None:
    """Bin 0 to 0.2: three at 0.1, one won, 0.2333 apart; bin 0.8 to 1: one at 1, won."""
    assert metrics.calibration_error([0.1, 0.1, 0.1, 1.0], [1, 0, 0, 1]) == pytest.approx(0.75 * (1 / 3 - 0.1))


@pytest.mark.parametrize(("shown", "slope"), [(0.8, 1.0), (16 / 17, 0.5), (2 / 3, 2.0)])
def test_overconfident_odds_have_a_slope_below_one(shown: float, slope: float) -> None:
    """Of ten battles at odds p eight are won, of ten at 1 - p two: true odds 4 to 1, shown 4, 16 or 2 to 1."""
    odds = [shown] * 10 + [1 - shown] * 10
    won = [1] * 8 + [0] * 2 + [1] * 2 + [0] * 8

    assert metrics.calibration_slope(odds, won) == pytest.approx(slope, abs=1e-4)


def test_losses_are_measured_on_both_sides() -> None:
    """Ratios 2, 1/4, 1 and 1: half are off by up to the mean of ln 1 and ln 2."""
    found = metrics.losses([fought(lost=(0.1, 0.4), predicted=(0.2, 0.1)), fought(lost=(0.1, 0.2))])

    assert found["loss.factor"] == pytest.approx(math.sqrt(2))
    assert found["loss.within_2x"] == 3 / 4
    assert found["loss.within_3x"] == 3 / 4
    assert found["loss.bias"] == 1.0


def test_unknown_losses_are_not_measured() -> None:
    assert metrics.losses([fought(lost=(None, 0.1), predicted=(0.5, 0.1))])["loss.factor"] == 1.0
    assert metrics.losses([fought(lost=(None, None))]) == {}


def test_winners_and_losers_are_measured_on_either_side() -> None:
    """The attacker won losing 10 %, the defender won losing 30 %: winners' median 20 %, losers' 60 %."""
    pairs = [
        fought("attacker", lost=(0.1, 0.5), by_outcome=(0.1, 0.3), more=0.8),
        fought("defender", lost=(0.7, 0.3), by_outcome=(0.1, 0.3), more=0.6),
    ]

    found = metrics.structure(pairs)

    assert found["structure.winner_factor"] == pytest.approx(2.0)
    assert found["structure.loser_factor"] == pytest.approx(2.0)
    assert found["structure.loser_loses_more"] == pytest.approx(0.7)


def test_close_battles_are_measured_apart_from_clear_cut_ones() -> None:
    """Of 100 men clear-cut winners lost 10 (engine 5), close ones 20 (15), their losers 10 (30); four are too few."""
    clear = [fought("attacker", lost=(0.10, 0.40), by_outcome=(0.05, 0.40), more=0.9)] * 5
    close = [fought("defender", lost=(0.10, 0.20), by_outcome=(0.15, 0.30), more=0.6, clear_cut=False)] * 5

    found = metrics.structure(clear + close)

    assert found["structure.clear_winner"] == pytest.approx(0.5)
    assert found["structure.clear_loser"] == pytest.approx(1.0)
    assert found["structure.clear_winner_more"] == pytest.approx(0.1)
    assert found["structure.close_winner"] == pytest.approx(0.75)
    assert found["structure.close_loser"] == pytest.approx(3.0)
    assert found["structure.close_winner_more"] == pytest.approx(0.4)
    assert "structure.close_winner" not in metrics.structure(clear + close[:4])


def test_the_file_says_which_battles_were_close() -> None:
    close = [battle for battle in battles() if not battle.is_clear_cut]

    assert len(close) == 18
    assert sum(battle.winner == "draw" for battle in close) == 3


def test_the_growth_of_durations_is_measured() -> None:
    pairs = [
        fought(sizes=(size, size), hours=(6.0, hours)) for size, hours in ((100, 3.0), (1000, 6.0), (10_000, 12.0))
    ]

    found = metrics.durations(pairs)

    assert found["duration.factor"] == pytest.approx(2.0)
    assert found["duration.bias"] == pytest.approx(1.0)
    assert found["duration.size_corr"] == pytest.approx(1.0)


def test_draws_and_missing_outcomes_are_not_scored() -> None:
    assert metrics.battle_metrics({"A": [fought("draw", 0.0), fought("attacker", 1.0)]})["A.brier"] == 0.0
    assert "B.brier" not in metrics.battle_metrics({"B": [fought("", lost=(None, None), hours=(None, 6.0))]})


def test_equal_battles_are_compared_with_the_ratio() -> None:
    """The ratio calls one of two right way round, the odds both."""
    pairs = [
        fought("attacker", 0.9, sizes=(1000, 2000)),
        fought("defender", 0.1, sizes=(2000, 1000)),
        fought("defender", 0.1, sizes=(500, 1000)),
        fought("defender", 0.99, equal=False),
    ]

    assert metrics.battle_metrics({"A": pairs})["A.equal_auc_gap"] == pytest.approx(1.0 - 0.25)


def test_scenarios_are_scored_by_the_chance_of_the_outcome() -> None:
    """Three results of chance 0.8, 0.05 and 0.5; of the losses one is in its band, one near it, one far."""
    case = scenario_case("hastings-1066")

    def scenario(winner: str, *losses: tuple[float, float] | None) -> Scenario:
        both = (losses[0], losses[1]) if losses else (None, None)
        return Scenario(
            case=case, winner=winner, losses=both, ships_lost=(None, None), hours=None, days=None, odds=None
        )

    def prediction(p: float, lost: tuple[float, float] = (0.0, 0.0)) -> object:
        return fought(p=p, predicted=lost)[1]

    pairs = [
        (scenario("attacker", (0.1, 0.2), (0.1, 0.2)), prediction(0.8, (0.24, 0.39))),
        (scenario("defender", None, (0.1, 0.2)), prediction(0.95, (0.0, 0.5))),
        (scenario("attacker"), prediction(0.5)),
    ]

    found = metrics.scenario_metrics(pairs)  # type: ignore[arg-type]  # made above

    assert found["scenario.accuracy"] == pytest.approx(1.5 / 3)
    assert found["scenario.mean_p"] == pytest.approx((0.8 + 0.05 + 0.5) / 3)
    assert found["scenario.absurd"] == pytest.approx(1 / 3)
    assert found["scenario.band"] == pytest.approx(1 / 3)
    assert found["scenario.band_2x"] == pytest.approx(2 / 3)


def test_the_curve_of_the_books_is_inside_its_bands_and_in_order() -> None:
    """The chance at equal quality that the battles themselves give: 1 / (1 + exp(0.36 - 1.69 ln ratio))."""
    books = {ratio: 1 / (1 + math.exp(0.36 - 1.69 * math.log(ratio))) for ratio in metrics.CURVE}
    harder = {ratio: chance - 0.05 for ratio, chance in books.items()}

    assert metrics.curve_metrics({"HD": books, "PD": harder}) == {"curve.inside": 1.0, "curve.in_order": 1.0}
    assert metrics.curve_metrics({"HD": harder, "PD": books})["curve.in_order"] == 0.0


def test_every_bar_is_at_least_as_high_for_excellent() -> None:
    for target in TARGETS:
        for good, excellent, sign in zip(target.good, target.excellent, (1, -1), strict=True):
            assert (good is None) == (excellent is None)
            if good is not None and excellent is not None:
                assert sign * excellent >= sign * good, target.key
