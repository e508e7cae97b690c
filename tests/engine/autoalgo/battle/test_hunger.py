"""Hunger by the day (R-99): what men carry, how often it kills, and who feeds an army."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.autoalgo.battle.attrition import natural_attrition
from engine.autoalgo.battle.events import ATTRITION, STORES_OUT
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.setup.deploy import carried_days, deploy
from engine.autoalgo.setup.variables import side_variables
from engine.rng import Rng
from scripts.support.pinned_tables import history_tables, shipped_tables, tables
from scripts.support.small_battles import Field, army, duel, terrain, unit, war, with_numbers

PLACE = tables().defaults.location


def hungry(stores: float, load: float = 1.5) -> Field:
    """Return two flanks of 9,000, each `load` times the men that the land feeds, at most 2, with days of food."""
    field = with_numbers(duel(army("A"), army("B")), "r_99", hours=12, carried=3, country=1)
    field.tunables.country.local_population[:] = 1_000_000.0
    field.battle.capacity[:] = 9_000 / load / 1_000_000.0
    field.battle.stores[:] = 12 * stores
    return field


def starve(field: Field, hours: int) -> list[tuple[int, int]]:
    """Return the hour and kind of what happens to the attacker."""
    for hour in range(1, hours + 1):
        natural_attrition(field.battle, field.tunables, field.draws, field.events, hour)
    return [(event.hour, event.kind) for event in field.drain() if event.side == 0]


def test_r_99_hunger_kills_once_a_day_when_nothing_is_carried() -> None:
    field = hungry(0.0)

    assert starve(field, 36) == [(12, ATTRITION), (24, ATTRITION), (36, ATTRITION)]


def test_r_99_men_eat_their_stores_first() -> None:
    """Half of the greatest overcrowding eats half a day's food in a day."""
    field = hungry(1.0)

    assert starve(field, 36) == [(24, STORES_OUT), (36, ATTRITION)]
    assert field.battle.stores.tolist() == [0.0, 0.0]


def test_r_99_an_army_fed_by_the_country_keeps_its_stores() -> None:
    field = hungry(3.0, load=1.0)

    assert starve(field, 48) == []
    assert field.battle.stores.tolist() == [36.0, 36.0]


@pytest.mark.parametrize(("logistics", "days"), [("Basic", 3), ("Advanced caches", 6), ("Personally supplied", 9)])
def test_r_99_logistics_decide_the_carried_food(logistics: str, days: float) -> None:
    inputs = war(army("A", types=(unit(logistics=logistics), None, None)))

    assert carried_days(inputs, 0, history_tables()) == days
    assert carried_days(inputs, 0, tables()) == 0


def people(residents: int, climate: str = "Temperate", ships: int | None = None, feature: str = "Plain") -> float:
    """Return the people who feed the attacker."""
    own = army("A")
    own = replace(own, military=replace(own.military, ship_number=ships)) if ships else own
    place = replace(PLACE, climate=climate, local_population=residents)
    inputs, numbers = war(own, ground=terrain(feature), location=place), shipped_tables()
    variables = side_variables(inputs, 0, numbers), side_variables(inputs, 1, numbers)
    return float(deploy(inputs, variables, numbers)[1].country.local_population[0])


@pytest.mark.parametrize("climate", ["Temperate", "Tropical", "Continental", "Arid", "Arctic"])
def test_r_99_one_resident_more_or_less_changes_little(climate: str) -> None:
    of_climate = people(0, climate)

    for residents in (1, 9_999, 10_000, 10_001, 2_000_000):
        assert people(residents, climate) == of_climate + residents


def test_r_99_ships_feed_an_army_where_there_is_water() -> None:
    assert people(0, ships=10) == people(0)
    assert people(0, ships=10, feature="Water") > people(0)


@pytest.mark.parametrize("residents", [0, 9_999, 10_000, 10_001])
def test_r_99_no_army_starves_in_an_afternoon(residents: int) -> None:
    """14,000 men lost 17.5 % in six hours where 10,000 people lived, and nobody where 9,999 did."""
    place = replace(PLACE, climate="Temperate", local_population=residents)
    outcome = Autoalgo(shipped_tables()).resolve(war(army("A", 14_000), army("B", 14_000), location=place), Rng(3))

    assert not [event for event in outcome.events if event.kind == "natural attrition"]


def test_r_99_a_host_in_the_desert_starves_slowly() -> None:
    """A hundred thousand of them lost 57 % in 76 hours."""
    place = replace(PLACE, climate="Arid", attrition="Desert")
    field = duel(army("A", 100_000), army("B", 1_000), location=place)
    field.tunables = field.tunables._replace(constants=shipped_tables().constants)
    field.tunables.country.local_population[:] = 300_000
    field.battle.stores[:] = 36.0
    for hour in range(1, 77):
        natural_attrition(field.battle, field.tunables, field.draws, field.events, hour)

    lost = 1 - field.battle.men[0] / 100_000
    assert 0 < lost < 0.1
