"""What a search pays for: orderings that fail, odds above what historians give; and who reckons the prices."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from plausibility.cases import Scenario
from plausibility.evaluation import Bench, Evaluation
from plausibility.orderings import Check
from plausibility.search import (
    ORDERING_MOST,
    ORDERING_ROOM,
    ORDERING_WEIGHT,
    TOO_SURE,
    Logs,
    cost,
    disorder,
    parallel_costs,
)

from tests.history.rows import arena, fought


def test_an_ordering_costs_nothing_with_room_to_spare() -> None:
    assert disorder([Check("holds", -ORDERING_ROOM, ""), Check("holds well", -3.0, "")]) == 0


def test_orderings_cost_what_they_are_short_of_up_to_a_most() -> None:
    """Days count no more than chances: one ordering cannot drown the others."""
    little, days = Check("fails", 0.04, ""), Check("fails by days", 5.0, "")

    assert disorder([little]) == pytest.approx(ORDERING_WEIGHT * (0.04 + ORDERING_ROOM))
    assert disorder([little, days]) == pytest.approx(disorder([little]) + ORDERING_WEIGHT * ORDERING_MOST)


@pytest.mark.parametrize(("chance", "too_sure"), [(0.6, 0.0), (0.85, 0.0), (0.95, 0.1)])
def test_odds_above_what_historians_give_cost(chance: float, too_sure: float) -> None:
    """The defender won, as should be between 0.4 and 0.85."""
    battle, prediction = fought(winner="defender", p=1 - chance)
    scenario = Scenario(
        case=battle.case, winner="defender", losses=(None, None), ships_lost=(None, None), hours=None, days=None,
        odds=(0.4, 0.85),
    )  # fmt: skip
    bench = Bench(arena=arena())
    bench.scenarios = [scenario]
    found = Evaluation({}, {}, [prediction], {})

    assert cost(bench, found) == pytest.approx(TOO_SURE * too_sure)
    bench.scenarios = [replace(scenario, odds=None)]
    assert cost(bench, found) == 0


def test_prices_are_the_same_side_by_side() -> None:
    """What is priced with stays here: a closure could not be sent to another process."""
    here = os.getpid()

    def price(logs: Logs, luck: int) -> float:
        return sum(logs) * luck + (1000 if os.getpid() == here else 0)

    with parallel_costs(price) as prices_of:
        found = prices_of([[1.0, 2.0], [3.0], []], 2)

    assert [value % 1000 for value in found] == [6.0, 6.0, 0.0]
