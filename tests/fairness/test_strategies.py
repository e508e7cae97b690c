"""No strategy of a dishonest moderator turns a war of a season with beacon luck unless players can see it (LUCK-09).

Each is played until it turns a war, with the program as it is: a season's luck comes from the inputs of its war, so
another column or rule makes another season the first one. More seasons with SHEETS_ALGO_BUDGET; `scripts/fairness.py`
prints the table of docs/fair-play.md.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scripts.support.fairness.further import ALL
from scripts.support.fairness.measure import measure

pytestmark = pytest.mark.slow

BUDGET = round(float(os.environ.get("SHEETS_ALGO_BUDGET", "0")))
ENOUGH = 100
"""Seasons in one of which a strategy turns a war, if it ever does: the rarest does in 6 of 100."""
FEW = 3
"""Seasons of a strategy that turns none."""
BY_NAME = {strategy.name: strategy for strategy in ALL}
PAGE = Path(__file__).parents[2] / "docs" / "fair-play.md"


@pytest.mark.parametrize("name", BY_NAME)
def test_luck_09_a_turned_war_leaves_a_trace(name: str) -> None:
    strategy = BY_NAME[name]
    found = measure(strategy, range(max(BUDGET, ENOUGH if strategy.turns else FEW)), enough=BUDGET)
    assert found.silent == []
    if not strategy.game:  # there he tries changes at random
        assert bool(found.flipped) == strategy.turns
        assert found.traces[strategy.trace] == len(found.flipped)


def test_the_page_for_players_has_each_strategy() -> None:
    page = PAGE.read_text("utf-8")
    names = {strategy.name.partition(": ")[2] if strategy.game else strategy.name for strategy in ALL}
    assert sorted(name for name in names if f"| {name} |" not in page) == []
