"""The military leader's survival against numbers worked out by hand (LEAD-10, R-08)."""

from __future__ import annotations

import pytest

from engine.autoalgo.aftermath import survival
from scripts.support.pinned_tables import tables

NUMBERS = tables().constants.lead_10


def test_lead_10_a_leader_s_chance_follows_the_formula() -> None:
    """(0.4·10 - 0.8·10 + 5/2 + 40/10)/100 + 0.9 = (4 - 8 + 2.5 + 4)/100 + 0.9."""
    assert survival.survival_chance(4.0, 0.8, 5.0, 40.0, 900, 1_000, NUMBERS) == pytest.approx(0.925)


def test_lead_10_martial_lowers_the_chance_as_printed() -> None:
    bold = survival.survival_chance(4.0, 1.0, 5.0, 40.0, 500, 1_000, NUMBERS)
    meek = survival.survival_chance(4.0, 0.0, 5.0, 40.0, 500, 1_000, NUMBERS)
    assert meek - bold == pytest.approx(0.1)


def test_lead_10_surviving_men_raise_the_chance() -> None:
    few = survival.survival_chance(5.0, 0.5, 5.0, 30.0, 200, 1_000, NUMBERS)
    many = survival.survival_chance(5.0, 0.5, 5.0, 30.0, 700, 1_000, NUMBERS)
    assert many - few == pytest.approx(0.5)


def test_r_08_the_chance_stays_between_0_and_1() -> None:
    """R-08: P is the chance to survive, clamped."""
    assert survival.survival_chance(0.0, 1.0, 0.0, 0.0, 0, 1_000, NUMBERS) == 0.0
    assert survival.survival_chance(9.0, 0.0, 10.0, 100.0, 1_000, 1_000, NUMBERS) == 1.0


def test_r_08_a_leader_survives_if_the_draw_is_below_the_chance() -> None:
    assert survival.survives(0.9, 0.89)
    assert not survival.survives(0.9, 0.9)
    assert not survival.survives(0.0, 0.0)
    assert survival.survives(1.0, 0.999999)
