"""Occupation, round by round, against numbers worked out by hand (OCC-01 … OCC-08)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.autoalgo.aftermath import occupation
from engine.autoalgo.aftermath.occupation import OccupationState, Occupier
from engine.autoalgo.constants import Constants
from scripts.support.pinned_tables import tables

CONSTANTS = tables().constants
NO_OUTBREAK = 1.0


def occupier(**changed: float) -> Occupier:
    """Return an occupier of 5,000 of 6,000 men and 60,000 of 120,000 points of morale, fed and without disease."""
    calm = Occupier(
        efficiency=0.5,
        morale=60_000.0,
        morale_full=120_000.0,
        men=5_000.0,
        overload=0.8,
        attrition=0.01,
        outbreak_chance=0.0,
        sickness=0.0,
    )
    return calm._replace(**changed)


def test_occ_02_the_most_efficient_type_occupies_at_sea_the_ship() -> None:
    cases = [
        ((0.3, 0.6, 0.5, 0.9), (True, True, True, False), False, 1),
        ((0.3, 0.6, 0.5, 0.9), (True, False, True, False), False, 2),
        ((0.5, 0.5, 0.5, 0.5), (True, True, True, True), False, 0),
        ((0.3, 0.6, 0.5, 0.1), (True, True, True, True), True, 3),
        ((0.0, 0.0, 0.0, 0.4), (False, False, False, True), False, 3),
    ]
    assert [
        (efficiency, present, at_sea, occupation.best_type(efficiency, present, at_sea))
        for efficiency, present, at_sea, _ in cases
    ] == cases


def test_occ_04_morale_is_squared_and_efficiency_falls_with_it() -> None:
    """R-22: 60,000² / 120,000 = 30,000, half of the morale at battle end, so Efficiency halves; then it cumulates."""
    first = occupation.advance(occupation.begin(2.0, occupier()), occupier(), CONSTANTS, 0.0, NO_OUTBREAK, 0.0)
    assert first == OccupationState(score=3.0, efficiency=0.25, morale=30_000.0, exhausted=0.0, sickened=0.0)
    second = occupation.advance(first, occupier(), CONSTANTS, 0.0, NO_OUTBREAK, 0.0)
    assert second == OccupationState(score=3.75, efficiency=0.03125, morale=7_500.0, exhausted=0.0, sickened=0.0)


def test_r_22_more_morale_left_means_a_stronger_occupation() -> None:
    scores = [occupied(occupier(morale=float(points))) for points in range(0, 114_001, 6_000)]

    assert scores == sorted(scores)
    assert scores[-1] > 2 * scores[0]


def occupied(winner: Occupier, constants: Constants = CONSTANTS) -> float:
    """Return the score at which an occupation without disease and attrition ends."""
    held = occupation.begin(1.0, winner)
    while True:
        after = occupation.advance(held, winner, constants, 0.0, NO_OUTBREAK, 0.0)
        if occupation.is_over(held, after, 1, constants.occ_07):
            return after.score
        held = after


PRINTED = CONSTANTS._replace(r_22=CONSTANTS.r_22._replace(applies=0))
"""The numbers of `source` (R-22)."""


def test_occ_04_as_printed_morale_falls_by_its_square_over_full_morale() -> None:
    """60,000 − 60,000²/120,000 = 30,000, then 30,000 − 7,500 = 22,500, three eighths of the morale at battle end."""
    winner = occupier(morale=occupation.end_morale(60_000.0, 120_000.0, PRINTED.r_22))
    first = occupation.advance(occupation.begin(2.0, winner), winner, PRINTED, 0.0, NO_OUTBREAK, 0.0)
    assert first == OccupationState(score=3.0, efficiency=0.25, morale=30_000.0, exhausted=0.0, sickened=0.0)
    second = occupation.advance(first, winner, PRINTED, 0.0, NO_OUTBREAK, 0.0)
    assert second == OccupationState(score=3.75, efficiency=0.09375, morale=22_500.0, exhausted=0.0, sickened=0.0)


@given(efficiency=st.floats(0, 1), left=st.floats(0, 1), score=st.floats(0.001, 1e30))
def test_invariant_14_the_printed_occupation_ends(efficiency: float, left: float, score: float) -> None:
    """A winner with next to no morale keeps it for thousands of rounds; the score stays a number."""
    winner = occupier(efficiency=efficiency, morale=left * 120_000.0)
    held, rounds, is_over = occupation.begin(score, winner), 0, False
    while not is_over:
        after, rounds = occupation.advance(held, winner, PRINTED, 0.0, NO_OUTBREAK, 0.0), rounds + 1
        is_over = occupation.is_over(held, after, rounds, PRINTED.occ_07)
        held = after
    assert rounds <= PRINTED.occ_07.rounds_most
    assert math.isfinite(held.score)


def test_occ_05_attrition_costs_morale_but_no_men() -> None:
    """(0.01 + 0.5·0.05) · 5,000 · (1.4 - 1) = 70 men's worth, 1,400 points off the 30,000."""
    hungry = occupier(overload=1.4)
    after = occupation.advance(occupation.begin(2.0, hungry), hungry, CONSTANTS, 0.5, NO_OUTBREAK, 0.0)
    assert after.exhausted == pytest.approx(1_400.0)
    assert after.morale == pytest.approx(28_600.0)
    assert after.efficiency == 0.25, "this round's Efficiency is reckoned before the attrition (R-71)"


def test_occ_06_the_loser_s_disease_costs_morale() -> None:
    """log2(10·2·0.75 + 1) = 4; · Medicine 3 = 12; · 0.5·3 · 200 = 3,600 points; the vaccinated do not fall ill."""
    sickness = occupation.sickness(10.0, 2.0, 0.75, 3.0)
    assert sickness == pytest.approx(12.0)
    ill = occupier(outbreak_chance=0.2, sickness=sickness)
    start = occupation.begin(2.0, ill)
    assert occupation.advance(start, ill, CONSTANTS, 0.0, 0.19, 0.5).sickened == pytest.approx(3_600.0)
    assert occupation.advance(start, ill, CONSTANTS, 0.0, 0.21, 0.5).sickened == 0.0


def test_occ_07_an_occupation_ends_when_a_round_hardly_changes_the_score() -> None:
    held = OccupationState(2.0, 0.1, 1.0, 0.0, 0.0)
    assert occupation.is_over(held, held._replace(score=2.009), 1, CONSTANTS.occ_07)
    assert not occupation.is_over(held, held._replace(score=2.011), 1, CONSTANTS.occ_07)
    assert occupation.is_over(held, held._replace(score=2.011), 900, CONSTANTS.occ_07)


@given(
    score=st.floats(0.001, 1e6),
    efficiency=st.floats(0, 1),
    worn=st.floats(0, 1),
    men=st.integers(0, 15_000_000),
    overload=st.floats(0, 2),
    draws=st.tuples(st.floats(0, 0.999), st.floats(0, 0.999), st.floats(0, 0.999)),
)
def test_invariant_14_the_occupation_ends(
    score: float, efficiency: float, worn: float, men: int, overload: float, draws: tuple[float, float, float]
) -> None:
    """Any occupation ends within a day of rounds, and the score never falls."""
    full = men * 20.0
    victor = occupier(
        efficiency=efficiency,
        morale=occupation.end_morale(worn * full, full, CONSTANTS.r_22),
        morale_full=full,
        men=float(men),
        overload=overload,
        outbreak_chance=0.3,
        sickness=5.0,
    )
    held = occupation.begin(score, victor)
    for _ in range(12):
        after = occupation.advance(held, victor, CONSTANTS, *draws)
        assert after.score >= held.score
        assert 0 <= after.morale <= held.morale
        if occupation.is_over(held, after, 1, CONSTANTS.occ_07):
            return
        held = after
    pytest.fail("the occupation did not end")
