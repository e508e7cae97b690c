"""Stability after the war against numbers worked out by hand (STAB-01 … STAB-04)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.autoalgo.aftermath import stability
from scripts.support.pinned_tables import tables

CONSTANTS = tables().constants
INNATE_LOST = (CONSTANTS.stab_02, CONSTANTS.stab_03)


def changed(**given_: float) -> float:
    """Return the new Stability of a nation: old 100, innate 0.9, no casualties, no luck, except as given."""
    calm = {"old": 100.0, "innate": 0.9, "casualty_share": 0.0, "economy": 0.5, "occupation": 1.0, "draw": 0.0} | given_
    casualties = stability.casualty_share(calm["casualty_share"] * 1_000.0, 1_000.0, CONSTANTS.stab_04)
    toll = stability.hardship(casualties, calm["economy"], calm["occupation"], CONSTANTS.stab_04)
    luck = calm["draw"] * CONSTANTS.stab_04.luck_most
    return stability.changed_stability(calm["old"], calm["innate"], toll, luck, CONSTANTS.stab_01)


def test_stab_02_losing_the_capital_costs_40_percent_of_innate_stability() -> None:
    assert stability.shaken_innate(0.8, True, False, False, *INNATE_LOST) == pytest.approx(0.48)


def test_stab_03_a_leader_s_death_weighs_more_in_a_totalitarian_state() -> None:
    assert stability.shaken_innate(0.8, False, True, False, *INNATE_LOST) == pytest.approx(0.56)
    assert stability.shaken_innate(0.8, False, True, True, *INNATE_LOST) == pytest.approx(0.44)


def test_r_74_both_penalties_multiply() -> None:
    """DB-12: 0.8 · 0.6 · 0.55."""
    assert stability.shaken_innate(0.8, True, True, True, *INNATE_LOST) == pytest.approx(0.264)


def test_a_government_alone_changes_nothing() -> None:
    assert stability.shaken_innate(0.8, False, False, True, *INNATE_LOST) == 0.8


def test_stab_04_stability_follows_the_formula() -> None:
    """100·0.9 - (0.5 / (2·0.5))·0.3·3 + 0.5·5 = 90 - 0.45 + 2.5."""
    assert changed(casualty_share=0.5, occupation=0.3, draw=0.5) == pytest.approx(92.05)


def test_stab_04_casualties_count_up_to_twice_the_maximum_military() -> None:
    assert changed(casualty_share=7.0) == changed(casualty_share=2.0) == pytest.approx(84.0)


def test_stab_04_a_ruined_economy_counts_at_least_a_tenth() -> None:
    """90 - (1 / (2·0.1))·1·3 = 75."""
    assert changed(casualty_share=1.0, economy=0.0) == pytest.approx(75.0)


def test_stab_04_without_occupation_the_loser_suffers_no_hardship() -> None:
    assert changed(casualty_share=1.0, occupation=0.0) == pytest.approx(90.0)


def test_stab_01_stability_stays_between_anarchy_and_fully_stable() -> None:
    assert changed(old=0.0, casualty_share=2.0, economy=0.0) == 0.0
    assert changed(old=200.0, innate=1.0, draw=0.999) == 200.0


@given(
    old=st.floats(0, 200),
    innate=st.floats(0, 1),
    share=st.floats(0, 100),
    economy=st.floats(0, 1),
    occupation=st.floats(0, 10),
    draw=st.floats(0, 1, exclude_max=True),
)
def test_invariant_15_stability_stays_in_its_range(
    old: float, innate: float, share: float, economy: float, occupation: float, draw: float
) -> None:
    """Stability stays from 0 to 200 (STAB-01)."""
    given_ = {"casualty_share": share, "economy": economy, "occupation": occupation}
    assert 0 <= changed(old=old, innate=innate, draw=draw, **given_) <= 200
