"""Phases and ages in the years when they change."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.autoalgo.records import EARLIEST_YEAR, LATEST_YEAR
from engine.autoalgo.setup.dates import Phase, age, phase_of, resistance
from engine.autoalgo.setup.variables import side_variables
from scripts.support.pinned_tables import tables
from tests.helpers.hand_made_war import TABLES, WAR

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


def test_date_02_and_date_03_phases_are_ranked() -> None:
    def by_rank(phases: tuple[Phase, ...]) -> list[str]:
        return [phase.name for phase in sorted(phases, key=lambda phase: phase.rank)]

    assert by_rank(CYCLES) == ["growth", "stagnation", "developing", "depression", "crisis"]
    assert by_rank(GENERATIONS) == ["austerity", "awakening", "unraveling", "crisis"]


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


@pytest.mark.parametrize("year", [-3500, -1, 0, 2020])
def test_date_01_years_bc_are_negative(year: int) -> None:
    """Nothing is special about the year 0 or about years BC: a hundred years are a hundred years."""
    nation = replace(
        WAR.attacker.nation, year_founded=year - 100, year_crisis=year - 40, age_of_civilization=year - 3700
    )
    war = replace(WAR, year=year, attacker=replace(WAR.attacker, nation=nation))

    assert side_variables(war, 0, TABLES) == side_variables(WAR, 0, TABLES)


def test_date_05_resistance_to_disease_is_limited() -> None:
    growth, austerity = CYCLES[1], GENERATIONS[0]

    assert resistance(GENERATIONS[1], growth, 0.5, 2) == pytest.approx(1.5525)
    assert resistance(replace(austerity, disease=3.0), growth, 0.5, 2) == 2
    assert resistance(replace(austerity, disease=0.1), growth, 0.5, 2) == 0.5


def test_date_05_resistance_from_the_tables_needs_no_limit() -> None:
    for generation in tables().generations:
        for cycle in tables().secular_cycles:
            assert 0.5 <= generation.disease * cycle.disease <= 2


def test_lead_08_age_is_counted_in_whole_years() -> None:
    assert age(1066, 1022, 30) == 44
    assert age(-44, -100, 30) == 56
    assert age(1066, None, 30) == 30
    assert age(1066, 1067, 30) == 30
