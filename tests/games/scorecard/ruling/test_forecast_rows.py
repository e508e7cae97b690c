"""Exact odds of wars by score, and a row of drawn ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.support.workbooks import example
from tests.ruling.test_forecast_rows import place, run, shows


def test_score_wars_show_exact_and_drawn_odds(tmp_path: Path) -> None:
    at = place(tmp_path, example("scorecard"))

    run(at, 400)

    said = shows(at, "Message", "Score Requests")[3]
    assert said.startswith("Attacker wins 69.6 %, defender wins 22.4 %, stalemate (defender holds) 8 %")
    (wins,) = shows(at, "Attacker Wins", "Forecasts")
    assert wins == pytest.approx(69.6, abs=7)  # three standard errors of 400 draws
