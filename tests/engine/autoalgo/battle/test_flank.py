"""Properties of one flank (FLK), and its losses of men and morale."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.autoalgo.battle.events import RETREATS, ROUTED, WIPED_OUT
from engine.autoalgo.battle.flank import (
    check_morale,
    ground_at,
    maximum_range_m,
    resilience,
    strength,
    waste,
)
from engine.autoalgo.battle.state import INACTIVE, MANEUVERS, READY, RETREATING
from engine.autoalgo.battle.state import ROUTED as ROUTED_STATUS
from engine.autoalgo.battle.targets import list_targets, sought_enemy
from engine.autoalgo.constants import R29
from engine.rng import whole_by_chance
from scripts.support.small_battles import (
    ARCHER,
    FEATURES,
    GALLEY,
    Field,
    army,
    duel,
    field_of,
    ground_of_codes,
    line,
    unit,
    war,
    with_numbers,
)

ON_LAND, ON_WATER = 0, 1
RIDER = unit(name="Rider", speed=16.0, shock=0.7, long_range=40.0, logistics="Foraging")
GUN = unit(name="Gun", speed=2.0, shock=0.0, long_range=400.0, logistics="Advanced caches")
COMBINED = army("A", 1_000, types=(ARCHER, RIDER, GUN), shares=(0.6, 0.3, 0.1), ship=GALLEY, ships=4)
RIDERS = army("A", 1_000, types=(None, RIDER, None), shares=(0.0, 1.0, 0.0), ship=GALLEY, ships=4)


def speed_and_shock(field: Field, on_water: int = ON_LAND) -> tuple[float, float]:
    field.update_traits()
    traits = field.tunables.traits
    return float(traits.speed_kmh[0, on_water]), float(traits.shock[0, on_water])


def test_r_123_a_flank_has_the_mean_speed_and_shock_of_its_men() -> None:
    """The Archer has 3 km/h and no Shock; without the rule the slowest and weakest count (FLK-01)."""
    assert (ARCHER.speed, ARCHER.shock) == (3.0, 0.0)
    assert speed_and_shock(duel(COMBINED)) == pytest.approx((0.6 * 3.0 + 0.3 * 16.0 + 0.1 * 2.0, 0.3 * 0.7))
    assert speed_and_shock(with_numbers(duel(COMBINED), "r_123", applies=0)) == (2.0, 0.0)
    for applies in (0, 1):
        assert speed_and_shock(with_numbers(duel(RIDERS), "r_123", applies=applies)) == (16.0, 0.7)


@given(st.integers(0, 9_999), st.floats(1.0, 20.0), st.floats(1.0, 20.0))
def test_r_123_slow_men_move_the_speed_of_a_flank_by_their_share(slow: int, speed: float, slowest: float) -> None:
    """Flanks whose men all have one speed have exactly that, however they are typed: equals escape nobody (R-89)."""
    types = unit(speed=slowest), unit(speed=speed), None
    field = duel(army("A", 10_000, types=types, shares=(slow / 10_000, 1 - slow / 10_000, 0.0)))

    assert speed_and_shock(field)[0] == pytest.approx(speed + (slowest - speed) * slow / 10_000)
    if speed == slowest:
        assert speed_and_shock(field)[0] == speed


def defense_of(field: Field, flank: int, on_water: int) -> float:
    """Return the Defense of a flank by the units and maneuvers of a field."""
    field.update_traits()
    return float(field.tunables.traits.defense[flank, on_water])


def test_flk_02_a_flank_has_its_best_defense_range_and_logistics() -> None:
    field = with_numbers(duel(COMBINED), "r_123", applies=0)
    field.tunables.units.open_defense[0] = 0.1, 0.45, 0.3, 0.8

    assert defense_of(field, 0, ON_LAND) == 0.45
    assert maximum_range_m(field.battle, field.tunables.units, 0, ON_LAND) == 400.0
    assert resilience(field.battle, field.tunables.units, 0, ON_LAND) == 3  # Foraging


def test_r_123_the_defense_of_a_flank_on_land_is_the_average_of_its_men() -> None:
    """COMBINED has six tenths of foot, three of horse, one of guns; on Water the highest counts, with the ships."""
    field = duel(COMBINED)
    field.tunables.units.open_defense[0] = 0.1, 0.45, 0.3, 0.8

    found = [defense_of(field, 0, water) for water in (ON_LAND, ON_WATER)]

    assert found == pytest.approx([0.06 + 0.135 + 0.03, 0.8])


@pytest.mark.parametrize("maneuver", MANEUVERS)
def test_r_121_field_works_do_not_protect_marching_attackers_or_ships(maneuver: str) -> None:
    """A defender on land keeps them wherever he fights."""
    field = duel()
    field.tunables.units.defense[:] = 0.4
    field.tunables.units.open_defense[:] = 0.1
    field.battle.maneuver[:] = MANEUVERS.index(maneuver)

    found = [[defense_of(field, flank, water) for water in (0, 1)] for flank in (0, 1)]

    assert found == [[0.4 if maneuver == "Position" else 0.1, 0.1], [0.4, 0.1]]


def test_flk_02_flk_04_on_water_the_ships_logistics_count() -> None:
    field = duel(army("A", ship=replace(GALLEY, logistics="Foraging"), ships=60))

    assert resilience(field.battle, field.tunables.units, 0, ON_LAND) == 1  # Basic
    assert resilience(field.battle, field.tunables.units, 0, ON_WATER) == 3


def test_flk_02_r_51_a_blank_long_range_does_not_hide_a_longer_weapon() -> None:
    field = duel(army(types=(unit(medium_range=20.0), None, None)))

    assert maximum_range_m(field.battle, field.tunables.units, 0, ON_LAND) == 20.0


def test_flk_04_md_07_on_water_the_ship_sets_the_speed_and_fights() -> None:
    """Invariant 22."""
    field = duel(COMBINED)
    field.tunables.units.open_defense[0] = 0.1, 0.2, 0.3, 0.8

    assert speed_and_shock(field, ON_WATER) == (9.0, 0.0)
    assert defense_of(field, 0, ON_WATER) == 0.8
    assert strength(field.battle, field.tunables.units, 0, 3, ON_WATER) == 600.0


def test_r_50_without_ships_a_flank_crosses_at_the_ships_speed_unprotected() -> None:
    field = duel(COMBINED)
    field.battle.ships[0] = 0
    field.tunables.units.open_defense[0] = 0.1, 0.2, 0.3, 0.8

    assert speed_and_shock(field, ON_WATER)[0] == 9.0
    assert defense_of(field, 0, ON_WATER) == pytest.approx(0.06 + 0.06 + 0.03)
    assert strength(field.battle, field.tunables.units, 0, 3, ON_WATER) == 0.0


def nearest_to_first(field: Field, applies: int = 1) -> int:
    """Return the enemy nearest to the first flank, with the lists as at the beginning of an hour."""
    for side in (0, 1):
        list_targets(field.battle, field.orders, side, R29(applies))
    tunables = with_numbers(field, "r_29", applies=applies).tunables
    return sought_enemy(field.battle, field.orders, tunables, 0)


def test_flk_05_r_29_the_nearest_enemy_is_one_that_does_not_retreat() -> None:
    field = field_of(
        war(army("A", flanks=line("Normal", y=200)), army("B", flanks=line("Normal", "Normal", "Normal", y=210)))
    )
    for flank, y_m in enumerate((50_000.0, 50_100.0, 50_200.0, 50_300.0)):
        field.put(flank, 50_000.0, y_m)

    assert nearest_to_first(field) == 1
    field.battle.status[1] = RETREATING
    assert nearest_to_first(field) == 2
    assert nearest_to_first(field, applies=0) == 1, "as printed"
    field.battle.status[2] = ROUTED_STATUS
    field.battle.status[3] = INACTIVE
    assert nearest_to_first(field) == 1
    field.battle.status[1] = ROUTED_STATUS
    assert nearest_to_first(field) == -1


def uneven(*away_m: float) -> Field:
    """A third of an army at 50 km, and a sixth, a third and a half of its enemies so far east of it."""
    enemies = (
        replace(flank, infantry=men)
        for flank, men in zip(line("Normal", "Normal", "Normal", y=210), (1_000, 2_000, 3_000), strict=True)
    )
    own = army("A", 6_000, flanks=line("Normal", "Normal", "Normal", y=200))
    field = field_of(war(own, army("B", 6_000, flanks=tuple(enemies))))
    for flank, metres in zip((0, 3, 4, 5), (0.0, *away_m), strict=True):
        field.put(flank, 50_000.0 + metres, 50_000.0)
    return field


@pytest.mark.parametrize(("metres", "sought"), [(793.0, 3), (794.0, 5)])
def test_r_29_an_enemy_with_half_of_the_share_counts_as_farther(metres: float, sought: int) -> None:
    """One of twice its share stands at 1,000 m: as far as 793.7 m times the cube root of two."""
    field = uneven(metres, 1_500.0, 1_000.0)

    assert nearest_to_first(field) == sought
    assert nearest_to_first(field, applies=0) == 3, "as printed"


def test_r_29_enemies_in_reach_come_before_larger_ones_out_of_reach() -> None:
    """The reach is that of the weapons and the larger depth of two bodies, here the root of 2,000."""
    field = uneven(0.0, 1_500.0, 55.5)
    reach_m = field.tunables.traits.reach_m[0, ON_LAND] + math.sqrt(2_000)
    assert reach_m < 55.5 < reach_m * math.cbrt(2.0)

    for metres, sought in ((reach_m - 0.1, 3), (reach_m + 0.1, 5)):
        field.put(3, 50_000.0 + metres, 50_000.0)
        assert nearest_to_first(field) == sought


def test_r_64_the_earlier_of_two_equally_near_enemies_is_chosen() -> None:
    field = field_of(war(army("A", flanks=line("Normal", y=200)), army("B", flanks=line("Normal", "Normal", y=210))))
    field.put(0, 50_000.0, 50_000.0)
    field.put(1, 50_300.0, 50_400.0)
    field.put(2, 49_700.0, 50_400.0)

    assert nearest_to_first(field) == 1


def test_r_33_the_pixel_under_the_centre_decides_the_ground() -> None:
    codes = np.full((400, 400), FEATURES["Plain"], np.uint8)
    codes[10, 20] = FEATURES["Forest"]
    codes[399, 399] = FEATURES["Cliffs"]
    field = duel(ground=ground_of_codes(codes))
    ground = field.tunables.ground

    assert ground_at(ground, 20 * 250.0, 10 * 250.0) == FEATURES["Forest"]
    assert ground_at(ground, 21 * 250.0 - 0.01, 11 * 250.0 - 0.01) == FEATURES["Forest"]
    assert ground_at(ground, 21 * 250.0, 10 * 250.0) == FEATURES["Plain"]
    assert ground_at(ground, 100_000.0, 100_000.0) == FEATURES["Cliffs"]


@given(amount=st.floats(0, 1e6))
def test_r_26_rounding_has_no_bias(amount: float) -> None:
    draws = [(step + 0.5) / 1_000 for step in range(1_000)]

    mean = math.fsum(whole_by_chance(amount, draw) for draw in draws) / 1_000

    assert mean == pytest.approx(amount, abs=1e-3)


@pytest.mark.parametrize(
    ("share", "status", "kinds"),
    [
        (0.31, READY, []),
        (0.3, READY, []),
        (0.29, RETREATING, [RETREATS]),
        (0.1, RETREATING, [RETREATS]),
        (0.09, ROUTED_STATUS, [ROUTED]),
    ],
)
def test_atk_07_morale_below_30_percent_retreats_below_10_routs(share: float, status: int, kinds: list[int]) -> None:
    field = duel()
    field.battle.morale[0] = field.battle.morale_start[0] * share

    check_morale(field.battle, field.tunables.constants.atk_07, 0, 1, field.events, 1)

    assert field.battle.status[0] == status
    assert [(event.kind, event.flank, event.target) for event in field.drain()] == [(kind, 0, 1) for kind in kinds]


def test_r_52_a_flank_that_starts_without_morale_is_routed() -> None:
    field = duel()
    field.battle.morale[0] = field.battle.morale_start[0] = 0.0

    check_morale(field.battle, field.tunables.constants.atk_07, 0, -1, field.events, 1)

    assert field.battle.status[0] == ROUTED_STATUS


def test_att_06_the_last_man_dead_of_attrition_is_an_event() -> None:
    field = duel()
    field.battle.morale[0] = field.battle.morale_start[0] = 9_000 * 30.0

    waste(field.battle, field.tunables.constants.strat_04, 0, 9_000, field.events, 7)

    assert (field.battle.status[0], field.battle.morale[0]) == (INACTIVE, 0.0)
    assert [(event.hour, event.kind, event.flank) for event in field.drain()] == [(7, WIPED_OUT, 0)]
