"""The ordering checks and the loop in which numbers are tried."""

from __future__ import annotations

import pytest
from plausibility.adapter import adapter_numbers
from plausibility.curve import even
from plausibility.evaluation import Bench, changed
from plausibility.orderings import Check, Judge, beyond, fall

from tests.history.rows import arena, battles, library

NUMBERS = adapter_numbers()
RAW = library().raw("autoalgo")


def test_swapped_names_and_equal_seeds_give_equal_battles() -> None:
    judge = Judge(arena(), RAW, NUMBERS, seed=3, runs=10)

    assert judge.fight([even("mirror")]) == judge.fight([even("other"), even("mirror")])[1:]


def test_the_greatest_drop_counts() -> None:
    assert fall([0.5, 0.48, 0.6]) == pytest.approx(0.02)
    assert fall([0.5, 0.46, 0.36]) == pytest.approx(0.10)
    assert fall([0.1, 0.3]) == pytest.approx(-0.2)


def test_distance_outside_a_range_is_measured() -> None:
    assert beyond(0.3, 0.4, 0.6) == pytest.approx(0.1)
    assert beyond(0.8, 0.4, 0.6) == pytest.approx(0.2)
    assert beyond(0.4, 0.4, 0.6) == 0
    assert beyond(0.5, 0.4, 0.6) == pytest.approx(-0.1)


def test_a_check_passes_up_to_its_bound() -> None:
    assert Check("", 0.0, "").holds
    assert Check("", -0.1, "").holds
    assert not Check("", 0.01, "").holds


def test_even_armies_keep_their_geometric_mean() -> None:
    case = even("four", 4.0, middle=10_000)

    assert (case.attacker.size, case.defender.size) == (20_000, 5_000)


def test_a_number_is_changed_in_a_copy_only() -> None:
    content = {"a": {"b": [{"c": 1}, {"c": 2}]}, "d": {}}

    assert changed(content, {"a/b/1/c": 5}) == {"a": {"b": [{"c": 1}, {"c": 5}]}, "d": {}}
    assert content["a"]["b"][1] == {"c": 2}
    with pytest.raises(KeyError, match="a/x"):
        changed(content, {"a/x": 1})


def test_tables_are_changed_in_memory() -> None:
    """Without dice nobody is killed, so nobody wins but by the last hour; they meet in the second."""
    bench = Bench(battles()[:1], arena=arena())
    still = changed(RAW, {"constants/ATK-04/luck_most": 1e-9, "strategy/hours_most": 30})
    (prediction,) = bench.evaluate(still, NUMBERS, runs=3, tracks="A", with_curve=False).tracks["A"]

    assert prediction.hours == 30 - 2
