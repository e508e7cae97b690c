"""Natural attrition (ATT)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.autoalgo.battle.attrition import natural_attrition, overcrowding
from engine.autoalgo.battle.draw_ids import ATTRITION as DICE
from engine.autoalgo.battle.draw_ids import ATTRITION_WHOLE
from engine.autoalgo.battle.events import ATTRITION, WIPED_OUT
from engine.autoalgo.battle.state import INACTIVE, ROUTED
from engine.autoalgo.setup.deploy import deploy
from engine.autoalgo.setup.variables import side_variables
from scripts.support.pinned_tables import TACTICS, tables, tables_with
from scripts.support.small_battles import Field, army, deploy_war, duel, field_of, fleet, line, terrain, war

OCEAN = replace(tables().defaults.location, climate="Ocean", attrition="At Sea")


def overcrowded(men: int = 9_000, load: float = 1.5) -> Field:
    """Return a field of two flanks of `men`, each `load` times the men that the land feeds."""
    field = duel(army("A", men), army("B", men))
    field.tunables.country.local_population[:] = 1_000_000.0
    field.battle.capacity[:] = men / load / 1_000_000.0
    return field


def run_attrition(field: Field) -> list[tuple[int, int, float]]:
    natural_attrition(field.battle, field.tunables, field.draws, field.events, 1)
    return [(event.kind, event.flank, event.amount) for event in field.drain()]


@pytest.mark.parametrize(
    ("climate", "people"),
    [("Temperate", 1_300_000), ("Tropical", 600_000), ("Continental", 400_000), ("Arid", 300_000), ("Arctic", 11_000)],
)
def test_att_02_the_climate_replaces_a_small_local_population(climate: str, people: int) -> None:
    few = replace(tables().defaults.location, climate=climate, local_population=9_999)
    many = replace(few, local_population=10_000)

    assert deploy_war(war(location=few))[1].country.local_population.tolist() == [people, people]
    assert deploy_war(war(location=many))[1].country.local_population.tolist() == [10_000, 10_000]


def test_att_03_r_18_at_sea_the_larger_fleet_sets_the_population() -> None:
    inputs = war(fleet("A", ships=30), fleet("B", ships=40), ground=terrain("Water"), location=OCEAN)
    variables = [side_variables(inputs, side, tables()).capacity.value for side in (0, 1)]

    battle, tunables = deploy_war(inputs)

    assert tunables.country.local_population.tolist() == [20 * 6_000, 20 * 6_000]
    assert battle.capacity.tolist() == pytest.approx([variables[0] * 0.75, variables[1]])


def test_att_03_as_printed_the_larger_fleet_is_the_local_population() -> None:
    """R-18 of `source`: a full fleet starves at once."""
    inputs = war(fleet("A", ships=30), fleet("B", ships=40), ground=terrain("Water"), location=OCEAN)
    printed = tables_with({}, without=(*TACTICS, "R-18"))
    variables = side_variables(inputs, 0, printed), side_variables(inputs, 1, printed)

    _, tunables = deploy(inputs, variables, printed)

    assert tunables.country.local_population.tolist() == [6_000, 6_000]


def test_att_03_the_locations_own_number_is_not_used_at_sea() -> None:
    crowded_sea = replace(OCEAN, local_population=5_000_000)
    inputs = war(fleet("A"), fleet("B"), ground=terrain("Water"), location=crowded_sea)

    assert deploy_war(inputs)[1].country.local_population[0] == 20 * 4_500


def test_att_04_r_56_without_any_supplies_the_load_is_the_maximum() -> None:
    assert overcrowding(1, 0.0, 0.1, 2.0) == overcrowding(1, 100_000.0, 0.0, 2.0) == 2.0


@given(men=st.integers(1, 10_000), capacity=st.floats(1e-6, 1))
def test_att_04_land_that_feeds_all_prevents_attrition(men: int, capacity: float) -> None:
    """Invariant 11."""
    field = duel(army("A", men), army("B", men))
    field.tunables.country.local_population[:] = men / capacity * 1.000001
    field.battle.capacity[:] = capacity
    field.draws[DICE] = field.draws[ATTRITION_WHOLE] = 0.0

    assert run_attrition(field) == []


def test_att_01_att_05_r_19_deaths_follow_the_formula() -> None:
    """(0.01 + 0.5·0.05)·9,000·0.5 = 157.5: 157 or 158 by the rounding draw."""
    field = overcrowded()
    field.draws[ATTRITION_WHOLE] = 0.49, 0.51

    assert run_attrition(field) == [(ATTRITION, 0, 158.0), (ATTRITION, 1, 157.0)]
    assert field.battle.died.tolist() == [158, 157]
    assert field.battle.men.tolist() == [8_842, 8_843]
    assert field.battle.morale.tolist() == [8_842 * 20.0, 8_843 * 20.0]


def test_att_01_r_33_routed_men_eat_but_do_not_die() -> None:
    field = field_of(war(army("A", 9_000, flanks=line("Normal", "Normal", y=182)), army("B", 10)))
    field.tunables.country.local_population[:] = 1_000_000.0
    field.battle.capacity[:] = 0.006
    field.battle.status[0] = ROUTED

    assert run_attrition(field) == [(ATTRITION, 1, 79.0)]  # (0.035)·4,500·0.5 = 78.75


def test_att_06_attrition_can_wipe_out_a_flank() -> None:
    field = overcrowded(men=1, load=2.0)
    field.draws[ATTRITION_WHOLE] = 0.0

    assert run_attrition(field)[:2] == [(ATTRITION, 0, 1.0), (WIPED_OUT, 0, 0.0)]
    assert field.battle.status.tolist() == [INACTIVE, INACTIVE]
