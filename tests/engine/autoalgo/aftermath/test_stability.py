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


def test_r_74_both_penalties_multiply() -> None:
    """DB-12: 0.8 · 0.6 · 0.55."""
    assert stability.shaken_innate(0.8, True, True, True, *INNATE_LOST) == pytest.approx(0.264)


def test_stab_04_stability_follows_the_formula() -> None:
    """100·0.9 - (0.5 / (2·0.5))·0.3·3 + 0.5·5 = 90 - 0.45 + 2.5."""
    assert changed(casualty_share=0.5, occupation=0.3, draw=0.5) == pytest.approx(92.05)


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
