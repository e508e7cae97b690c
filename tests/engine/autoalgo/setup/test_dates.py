"""Phases and ages in the years when they change."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.autoalgo.records import EARLIEST_YEAR, LATEST_YEAR
from engine.autoalgo.setup.dates import age, phase_of, resistance
from tests.helpers.hand_made_war import TABLES

CYCLES, GENERATIONS = TABLES.secular_cycles, TABLES.generations


def test_date_02_a_state_s_age_decides_its_secular_cycle() -> None:
    """DATE-04, R-09: the year in which a phase ends belongs to the next."""
    cases = [
        (0, "developing"),
        (39, "developing"),
        (40, "growth"),
        (149, "growth"),
        (150, "stagnation"),
        (219, "stagnation"),
        (220, "crisis"),
        (249, "crisis"),
        (250, "depression"),
        (5000, "depression"),
    ]
    assert [(years, phase_of(CYCLES, 1000, 1000 - years).name) for years, _ in cases] == cases


def test_date_03_years_since_the_crisis_decide_the_generation() -> None:
    cases = [
        (0, "austerity"),
        (29, "austerity"),
        (30, "awakening"),
        (59, "awakening"),
        (60, "unraveling"),
        (79, "unraveling"),
        (80, "crisis"),
        (4000, "crisis"),
    ]
    assert [(years, phase_of(GENERATIONS, 1000, 1000 - years).name) for years, _ in cases] == cases


def test_date_04_a_founding_after_the_war_is_refused() -> None:
    with pytest.raises(ValueError, match=r"in 1000 for what began in 1001.*DATE-04"):
        phase_of(CYCLES, 1000, 1001)


@given(year=st.integers(EARLIEST_YEAR, LATEST_YEAR), data=st.data())
def test_r_09_every_year_has_exactly_one_phase(year: int, data: st.DataObject) -> None:
    since = data.draw(st.integers(EARLIEST_YEAR, year))

    for phases in (CYCLES, GENERATIONS):
        fitting = [
            phase for phase in phases if phase.first <= year - since and (phase.end is None or year - since < phase.end)
        ]
        assert fitting == [phase_of(phases, year, since)]


def test_date_05_resistance_to_disease_is_limited() -> None:
    growth, austerity = CYCLES[1], GENERATIONS[0]

    assert resistance(GENERATIONS[1], growth, 0.5, 2) == pytest.approx(1.5525)
    assert resistance(replace(austerity, disease=3.0), growth, 0.5, 2) == 2
    assert resistance(replace(austerity, disease=0.1), growth, 0.5, 2) == 0.5


def test_lead_08_age_is_counted_in_whole_years() -> None:
    assert age(1066, 1022, 30) == 44
    assert age(-44, -100, 30) == 56
    assert age(1066, None, 30) == 30
    assert age(1066, 1067, 30) == 30
