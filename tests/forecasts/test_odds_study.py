"""The figures of `scripts/studies/odds.py`: of perfect forecasts, of timid ones, and of some that know the rulings."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

WARS, SECRETS, OTHERS = 400, 20, 100


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
    return import_module("scripts.studies.odds")


def figures(study: Any, told: Callable[[float, float], float], luck: float = 1.0) -> dict[str, tuple[float, str]]:
    """The table of wars with random true odds.

    Args:
        study: The study.
        told: What a forecast says by the true chance and by the share of rulings that were won.
        luck: Exponent of the places of rulings among others; 1 is fair.
    """
    dice = np.random.default_rng(1)
    wars = []
    for chance in dice.uniform(0, 1, WARS):
        won = (dice.uniform(size=SECRETS) < chance).astype(float)
        places = dice.uniform(size=SECRETS) ** luck
        wars.append(
            {
                "told": told(chance, won.mean()),
                "won": won,
                "others": dice.binomial(OTHERS, chance, SECRETS) / OTHERS,
                "ranks": 100 * places,
                "below": [[place < bound / 100 for bound in study.QUANTILES] for place in places],
            }
        )
    rows = [line.strip("| ").split(" | ") for line in study.lines(wars) if line.startswith("| ")]
    return {name: (float(found), perfect) for name, found, perfect in (row for row in rows[1:] if len(row) == 3)}


def test_perfect_forecasts_have_perfect_figures(study: Any) -> None:
    for name, (found, perfect) in figures(study, lambda chance, _: chance).items():
        ideal, _, error = perfect.partition(" ± ")
        tolerance = 1.5 * float(error.partition(" ")[0] or 0) or {"*": 2.0}.get(name[0], 0.02)
        assert found == pytest.approx(float(ideal), abs=tolerance), name


def test_timid_forecasts_have_a_worse_brier_score(study: Any) -> None:
    found, perfect = next(iter(figures(study, lambda chance, _: 0.5 + (chance - 0.5) / 2).values()))
    assert found > float(perfect) + 0.01


def test_a_forecast_that_knows_the_rulings_is_detected(study: Any) -> None:
    found, _ = figures(study, lambda chance, won: 0.9 * chance + 0.1 * won)[
        "Correlation of a forecast's error with the rulings"
    ]
    assert found > 0.4


def test_rulings_better_than_others_are_detected(study: Any) -> None:
    found = figures(study, lambda chance, _: chance, luck=1.3)
    assert found["*How lucky*, mean percentile"][0] < 46
    assert found["Rulings below the 50 % of attacker's losses"][0] > 0.55
