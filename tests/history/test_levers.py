"""Levers of strategy: those that no ground or enemy can turn around help the side that pulls them."""

from __future__ import annotations

from plausibility.adapter import adapter_numbers
from plausibility.levers import LEVERS, worth
from plausibility_pages import levers_table

from tests.history.rows import arena, library

ALWAYS_HELP = {"Numbers", "Training", "Leader", "Surprise", "Works"}


def test_the_page_shows_each_lever_s_effect() -> None:
    found = list(worth(arena(), library().raw("autoalgo"), adapter_numbers(), 400, 0))

    assert {lever.kind for lever in LEVERS} > ALWAYS_HELP
    assert [one.lever.says for one in found if one.lever.kind in ALWAYS_HELP and one.odds[1] < one.odds[0] + 0.02] == []
    assert len(levers_table(found).splitlines()) == len(LEVERS) + 2


def test_a_lever_without_effect_is_detected() -> None:
    """A step of surprise that puts nobody in column."""
    still = {**adapter_numbers(), "surprise": {"column_km": 0, "a_step_of_intelligence": 2, "closer_km": 0}}
    found = worth(arena(), library().raw("autoalgo"), still, 400, 0)

    assert all(abs(one.odds[1] - one.odds[0]) < 0.02 for one in found if one.lever.kind == "Surprise")
