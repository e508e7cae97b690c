"""Figures of many battles, against values worked out by hand or printed in the literature."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.forecast import (
    Kinds,
    Measure,
    Odds,
    Replicates,
    difference,
    extremes,
    favourite,
    joined,
    odds,
    percentile,
    rounded,
    shift_of_mean,
    shift_of_share,
    spread,
    summed_up,
    typical,
    wins,
)


def battles(winner, losses=None):
    """Battles that ended so; the losses count up unless they are given."""
    count = len(winner)
    values = range(count) if losses is None else losses
    return Replicates(
        np.array(winner, np.int64),
        {"Attacker losses": Measure(np.array(list(values), np.float64), "men")},
        {
            "Occupation": Kinds(
                np.array([number % 2 for number in range(count)], np.int64), ("Foothold", "Occupation", "None")
            )
        },
    )


thousandths = st.integers(-(10**7), 10**7).map(lambda number: number / 1000)


@given(st.lists(st.floats(-1e7, 1e7) | thousandths), st.integers(0, 3))
def test_an_array_is_rounded_like_single_numbers(numbers, decimals):
    """Thousandths are often halfway between two cents, as people write them, and a little beside it in binary."""
    assert rounded(np.array(numbers, np.float64), decimals).tolist() == [round(value, decimals) for value in numbers]


def test_odds_have_the_wilson_interval():
    """Newcombe (1998), table I: 81 of 263 and 15 of 148, 0 of 20, 1 of 29."""
    for count, runs, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (1, 29, 0.0061, 0.1718)):
        found = odds(count, runs)
        assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    assert (odds(0, 20).low, round(odds(0, 20).high, 4)) == (0.0, 0.1611)


def test_an_event_that_never_happened_has_an_error():
    assert odds(0, 100) == Odds(0.0, 0.0, pytest.approx(0.03699, abs=1e-5))
    assert odds(100, 100).high == 1.0
    assert odds(100, 100).low == pytest.approx(0.96301, abs=1e-5)


def test_odds_of_no_battles_are_refused():
    with pytest.raises(ValueError, match="no battles"):
        odds(0, 0)


def test_quantiles_are_observed_numbers():
    """Of 1 to 100 the fifth is at 5 %; of 1 to 10 the first, third, fifth, eighth and tenth."""
    assert spread(Measure(np.arange(100.0, 0.0, -1.0), "men")).quantiles == (5, 25, 50, 75, 95)
    assert spread(Measure(np.arange(1.0, 11.0), "men")).quantiles == (1, 3, 5, 8, 10)
    assert spread(Measure(np.array([7.0]), "men")).quantiles == (7, 7, 7, 7, 7)


def test_missing_numbers_do_not_count_in_a_distribution():
    found = spread(Measure(np.array([math.nan, 4.0, 2.0, math.nan]), "hours"))

    assert (found.battles, found.mean, found.quantiles) == (2, 3.0, (2, 2, 2, 4, 4))


def test_a_number_missing_from_all_battles_has_no_distribution():
    found = spread(Measure(np.array([math.nan, math.nan]), "hours"))

    assert (found.battles, found.quantiles) == (0, ())
    assert math.isnan(found.mean)


def test_a_forecast_counts_winners_and_words():
    found = summed_up(battles([0, 0, 1, -1]))

    assert (found.runs, [chance.share for chance in found.winners.each]) == (4, [0.5, 0.25, 0.25])
    assert {name: chance.share for name, chance in found.words["Occupation"].items()} == {
        "Foothold": 0.5,
        "Occupation": 0.5,
    }
    assert found.winners.attacker.error == odds(2, 4).error
    assert found.error == found.winners.defender.error == odds(1, 4).error  # the bounds of a quarter are not even


def test_the_favourite_wins_most_often_at_a_tie_the_defender():
    assert [favourite(np.array(winners)) for winners in ([0, 0, 1], [0, 1], [-1, -1, 0], [-1, 0])] == [0, 1, -1, 0]
    assert wins(np.array([0, 1, 1, -1])) == (1, 2, 1)


def headlined(winner, losses, words=()):
    """Battles with one number in their headline."""
    kinds = {"Leader": Kinds(np.array(words, np.int64), ("killed", "survives"))} if len(words) else {}
    measure = Measure(np.array(losses, np.float64), "men")
    return Replicates(np.array(winner, np.int64), {"Attacker losses": measure}, kinds, ("Attacker losses",))


@given(st.lists(st.tuples(st.sampled_from([0, 1, -1]), st.integers(0, 9)), min_size=1, max_size=40))
def test_fc_31_the_typical_battle_is_a_favourite_s_win_with_median_losses(fought):
    whole = headlined(*zip(*fought, strict=True))
    usual = favourite(whole.winner)
    of_favourite = sorted(losses for winner, losses in fought if winner == usual)

    number = typical(whole)

    assert fought[number] == (usual, of_favourite[(len(of_favourite) - 1) // 2])


def test_fc_31_the_typical_battle_has_common_words_extremes_have_rare_ones():
    whole = headlined([0, 0, 0, 0, 1], [3, 1, 2, 4, 9], [1, 1, 0, 1, 1])

    assert typical(whole) == 0  # the leader survives, and 3 men are lost; in number 2, 2 are, but he is killed
    assert extremes(whole) == (4, 2)


@given(st.lists(st.sampled_from([0, 1, -1]), min_size=1, max_size=40), st.data())
def test_chunks_do_not_change_the_results(winner, data):
    whole = battles(winner)
    cut = data.draw(st.integers(0, len(winner)))
    rest = np.arange(len(winner)) >= cut

    parts = [part for part in (whole.first(cut), whole.where(rest)) if len(part)]

    assert summed_up(joined(parts)) == summed_up(whole)


def test_a_difference_is_computed_over_pairs():
    """Of ten pairs the attacker gains two and loses one: + 10 points; men lost rise by one in each pair."""
    before = battles([0] * 5 + [1] * 5, range(10))
    after = battles([0] * 4 + [1] * 4 + [0] * 2, range(1, 11))

    found = difference(before, after)

    assert (found.runs, [shift.change for shift in found.winners.each]) == (10, [0.1, -0.1, 0.0])
    assert (found.numbers["Attacker losses"].change, found.numbers["Attacker losses"].error) == (1.0, 0.0)
    # Bonett and Price: (3 and 2 of 12), 1.96 · √((5/12 − 1/144) / 12)
    assert found.winners.attacker.error == pytest.approx(1.959964 * math.sqrt((5 / 12 - 1 / 144) / 12), rel=1e-6)
    assert not found.winners.attacker.is_sure


def test_without_a_winner_the_error_is_that_of_one_half():
    """96 turns: a share of 48 of them is known to 9.8 points (Wilson), one of fewer better."""
    turns = Replicates(
        None, {"Income": Measure(np.arange(96.0), "pounds")}, {"Revolt": Kinds(np.zeros(96, np.int64), ("none",))}
    )

    found = summed_up(turns)

    assert (len(turns), len(turns.first(10)), len(joined([turns, turns.first(4)]))) == (96, 10, 100)
    assert (found.winners, found.error) == (None, odds(48, 96).error)
    assert found.numbers["Income"].quantiles == (4.0, 23.0, 47.0, 71.0, 91.0)
    assert joined([turns, turns]).winner is None
    assert difference(turns, turns).winners is None


def test_equal_battles_have_a_difference_of_0_with_an_error():
    same = np.array([True] * 98)

    found = shift_of_share(same, same)

    assert found.change == 0.0
    assert found.error == pytest.approx(1.959964 * math.sqrt(2 / 100 / 100), rel=1e-6)


def test_common_luck_reduces_the_error_of_a_difference():
    """Half of 400 battles are won; 20 more after a change. Unpaired, 1.96 · √(0.25/400 + 0.2475/400) = 6.9 points."""
    before = np.array([True, False] * 200)
    after = before.copy()
    after[1:40:2] = True

    found = shift_of_share(before, after)

    assert found.change == 0.05
    assert found.error < 0.025
    assert found.is_sure


def test_means_are_compared_over_complete_pairs():
    found = shift_of_mean(np.array([1.0, math.nan, 3.0]), np.array([2.0, 5.0, 6.0]))

    assert found.change == 2.0
    assert found.error == pytest.approx(1.959964 * math.sqrt(2 / 2), rel=1e-6)
    assert math.isnan(shift_of_mean(np.array([1.0]), np.array([2.0])).change)


@pytest.mark.parametrize(("before", "after"), [([0], [0, 1]), ([], [])])
def test_unequal_numbers_of_battles_are_refused(before, after):
    with pytest.raises(ValueError, match="make no pairs"):
        difference(battles(before), battles(after))


def test_a_percentile_counts_equal_numbers_half():
    values = np.array([1.0, 2.0, 2.0, 3.0, math.nan])

    assert [percentile(values, value) for value in (0, 1, 2, 3, 4)] == [0, 12.5, 50, 87.5, 100]
    assert math.isnan(percentile(np.array([math.nan]), 1.0))


def test_fc_17_share_and_error_hold_the_true_share_in_95_cases_of_100() -> None:
    """Half of the interval, laid around the share, held .83 to .86 near 0 and 1."""
    runs = 400
    for chance in (0.005, 0.01, 0.03, 0.5, 0.97, 0.995):
        likely = [math.comb(runs, count) * chance**count * (1 - chance) ** (runs - count) for count in range(runs + 1)]
        found = [odds(count, runs) for count in range(runs + 1)]
        held = sum(part for part, one in zip(likely, found, strict=True) if abs(one.share - chance) <= one.error)
        assert held >= 0.94
