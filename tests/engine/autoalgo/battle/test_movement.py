"""Moves of flanks (MOVE, R-14, R-15)."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.autoalgo.battle.decision import CHARGE, MOVE, decide
from engine.autoalgo.battle.draw_ids import JITTER_X, JITTER_Y, MOVE_ORDER
from engine.autoalgo.battle.events import CHARGE as CHARGES
from engine.autoalgo.battle.movement import approach_m, move, optimal_distance_m
from engine.autoalgo.battle.state import FIRST_CONTACT, MANEUVERS, RETREATING
from engine.autoalgo.battle.state import ROUTED as ROUTED_STATUS
from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.inputs import FlankOrder
from engine.autoalgo.records import Unit
from scripts.support.pinned_tables import shipped_tables, tables, tables_with
from scripts.support.small_battles import (
    ARCHER,
    FEATURES,
    GALLEY,
    SOLDIER,
    Field,
    army,
    duel,
    field_of,
    fleet,
    ground_of_codes,
    terrain,
    unit,
    war,
    with_numbers,
)

DEPTH_M = math.sqrt(9_000)


def moved(field: Field, action: int = MOVE, flank: int = 0) -> tuple[float, float]:
    """Return how far one flank moves east and south in an hour, while the others stay."""
    decide(field.battle, field.orders, field.tunables, field.draws, 1)
    field.orders.action[:] = 0
    field.orders.action[flank] = action
    x_m, y_m = field.battle.x_m[flank], field.battle.y_m[flank]
    move(field.battle, field.orders, field.tunables, field.draws, field.events, 1)
    return field.battle.x_m[flank] - x_m, field.battle.y_m[flank] - y_m


def test_move_01_map_08_a_flank_moves_by_speed_and_terrain() -> None:
    """Soldiers walk 3 km/h; on Water barges decide, 4 km/h."""
    cases = [("Plain", 3_000.0), ("Forest", 1_800.0), ("Cliffs", 900.0), ("High ground", 3_300.0), ("Water", 4_000.0)]
    assert [
        (feature, metres, moved(duel(ground=terrain(feature), apart_m=9_000.0)))
        for feature, metres in cases
        if moved(duel(ground=terrain(feature), apart_m=9_000.0)) != pytest.approx((0.0, metres))
    ] == []


def test_move_01_a_flank_moves_towards_the_enemy() -> None:
    field = duel()
    field.put(1, field.battle.x_m[0] - 3_000.0, field.battle.y_m[0] + 4_000.0)

    assert moved(field) == pytest.approx((-1_800.0, 2_400.0))


def test_move_02_a_flank_on_position_does_not_move() -> None:
    field = duel(apart_m=9_000.0)
    field.battle.maneuver[0] = MANEUVERS.index("Position")
    field.draws[JITTER_X] = 0.9

    assert moved(field) == (0.0, 0.0)


def test_move_02_feigned_retreat_moves_straight_away_at_normal_speed() -> None:
    field = duel(apart_m=9_000.0)
    field.battle.maneuver[0] = MANEUVERS.index("Feigned Retreat")

    assert moved(field) == pytest.approx((0.0, -3_000.0))


def test_move_02_hit_and_run_attacks_twice_then_flees_for_three_hours() -> None:
    """Invariant 20. The unarmed enemy follows, so contact is kept."""
    field = duel(army(types=(unit(long_range=500.0, speed=1.0), None, None)), army("B"), apart_m=400.0)
    field.battle.maneuver[:] = MANEUVERS.index("Hit and run"), MANEUVERS.index("Position")
    field.tunables.units.power[1] = 0.0
    did = []
    for _ in range(11):
        happened = field.hour()
        did.append("hit" if any(event.kind == 0 and event.flank == 0 for event in happened) else "run")
        field.battle.morale[:] = field.battle.morale_start
        field.battle.status[:] = 1
        if did[-1] == "run":
            field.put(1, field.battle.x_m[0], field.battle.y_m[0] + 400.0)

    assert did == ["hit", "hit", "run", "run", "run"] * 2 + ["hit"]


def test_move_03_charging_doubles_the_speed() -> None:
    field = duel(apart_m=9_000.0)

    assert moved(field, CHARGE) == pytest.approx((0.0, 6_000.0))
    assert [(event.kind, event.flank, event.target, event.distance_m) for event in field.drain()] == [
        (CHARGES, 0, 1, 9_000.0)
    ]


def test_move_04_r_14_the_step_ends_at_the_optimal_range() -> None:
    """Archers are strongest at 60 m (0.5): + sqrt(9,000) − 15."""
    field = duel(army(types=(ARCHER, None, None)), apart_m=1_000.0)

    assert moved(field) == pytest.approx((0.0, 1_000.0 - (60.0 + DEPTH_M - 15.0)))


def test_r_54_in_the_source_only_an_enemy_within_the_step_stops_it() -> None:
    for apart_m, metres in ((3_050.0, 3_000.0), (2_950.0, 2_950.0 - (60.0 + DEPTH_M - 15.0))):
        field = with_numbers(duel(army(types=(ARCHER, None, None)), apart_m=apart_m), "r_54", applies=0)

        assert moved(field) == pytest.approx((0.0, metres))


@pytest.mark.parametrize(
    ("types", "shares", "best_m"),
    [
        ((SOLDIER, None, None), (1.0, 0.0, 0.0), 0.1),
        ((ARCHER, None, None), (1.0, 0.0, 0.0), 60.0),
        # At 0.1 m all 9,000 strike with 0.5 or 0.2: 0.35 a man; at 60 m and 150 m only the archers.
        ((SOLDIER, None, ARCHER), (0.5, 0.0, 0.5), 0.1),
        # 0.8 of the men with 0.5 at 60 m outweigh 0.1 + 0.16 in the melee.
        ((SOLDIER, None, ARCHER), (0.2, 0.0, 0.8), 60.0),
    ],
)
def test_r_14_firepower_sums_men_times_power(
    types: tuple[Unit | None, ...], shares: tuple[float, ...], best_m: float
) -> None:
    field = duel(army(types=types, shares=shares))

    metres = optimal_distance_m(field.battle, field.tunables, 0, 1, 0)

    assert metres == pytest.approx(best_m + DEPTH_M - 15.0)


def test_r_14_ties_go_to_the_larger_range_and_small_flanks_to_0() -> None:
    even = duel(army(types=(unit(long_range=90.0, medium_range=30.0, short_range=2.0), None, None)))
    few = duel(army("A", 100), army("B", 100))

    assert optimal_distance_m(even.battle, even.tunables, 0, 1, 0) == 75.0 + DEPTH_M
    assert optimal_distance_m(few.battle, few.tunables, 0, 1, 0) == 0.0


def test_r_33_inside_its_optimal_range_a_flank_stays_if_it_can_fire() -> None:
    """A flank that does not move is not scattered (R-53)."""
    field = duel(army(types=(ARCHER, None, None)), apart_m=100.0)
    field.draws[JITTER_X] = 0.9

    assert moved(field) == (0.0, 0.0)


@pytest.mark.parametrize(("applies", "share"), [(1, 0.9), (0, 0.0)])
def test_r_123_a_flank_backs_off_by_the_share_of_its_men_inside_their_minimum_ranges(
    applies: int, share: float
) -> None:
    """A tenth of it are archers, who shoot nearer than a trebuchet; in the source it stays with any of them."""
    types = ARCHER, None, tables().units["Trebuchet"]
    field = with_numbers(duel(army(types=types, shares=(0.1, 0.0, 0.9)), apart_m=150.0), "r_123", applies=applies)

    assert approach_m(field.battle, field.tunables, 0, 1, 0, 20.0, 150.0) == pytest.approx(-20.0 * share)


def test_r_33_a_flank_inside_all_minimum_ranges_backs_off() -> None:
    """A trebuchet cannot shoot under 100 m; it goes for its 300 m at 1 km/h."""
    field = duel(army(types=(tables().units["Trebuchet"], None, None)), apart_m=150.0)

    assert approach_m(field.battle, field.tunables, 0, 1, 0, 1_000.0, 150.0) == pytest.approx(150.0 - (285.0 + DEPTH_M))
    assert approach_m(field.battle, field.tunables, 0, 1, 0, 20.0, 150.0) == -20.0


def test_move_05_a_retreating_flank_moves_away_at_half_speed() -> None:
    field = duel(apart_m=9_000.0)
    field.battle.status[0] = RETREATING
    field.battle.maneuver[0] = MANEUVERS.index("Position")

    assert moved(field) == pytest.approx((0.0, -1_500.0))
    assert field.battle.status[0] == RETREATING, "routed only at the edge (MOVE-07)"


@pytest.mark.parametrize(("flees", "metres"), [(False, 3_000.0), (True, 1_500.0)])
def test_r_29_a_flank_flees_from_the_nearest_and_goes_for_a_larger_one(flees: bool, metres: float) -> None:
    """One man stands 5 km west of the flank, 8,999 men 6 km east of it; it goes east either way."""
    enemies = FlankOrder(x=200, y=210, infantry=1), FlankOrder(x=200, y=210, infantry=8_999)
    field = field_of(war(army("A"), army("B", flanks=enemies)))
    field = with_numbers(field, "r_29", applies=1)
    flanks = field.battle.side.shape[0]
    for flank in range(flanks - 2):
        field.put(flank, 50_000.0, 50_000.0)
    field.put(flanks - 2, 45_000.0, 50_000.0)
    field.put(flanks - 1, 56_000.0, 50_000.0)
    if flees:
        field.battle.status[0] = RETREATING

    assert moved(field) == pytest.approx((metres, 0.0))


def test_move_06_each_coordinate_is_scattered_by_up_to_10_metres() -> None:
    field = duel(apart_m=9_000.0)
    field.draws[JITTER_X], field.draws[JITTER_Y] = 0.0, 0.75

    assert moved(field) == pytest.approx((-10.0, 3_005.0))


PIKE = unit(name="Pike", long_range=5.0, medium_range=5.0, short_range=1.5, power=(0.0, 0.9, 0.4))


def test_r_14_the_best_range_of_pikes_lies_halfway_between_both_weapons() -> None:
    field = duel(army(types=(PIKE, None, None)))

    metres = optimal_distance_m(field.battle, field.tunables, 0, 1, 0)

    assert metres == pytest.approx(DEPTH_M + (1.5 + 5.0) / 2)


def test_r_66_losses_do_not_take_an_enemy_out_of_reach() -> None:
    """A third of the enemy would be 17 m of his depth."""
    field = duel(army(types=(PIKE, None, None)), apart_m=1_000.0)
    moved(field)
    field.battle.men[1] = 6_000

    decide(field.battle, field.orders, field.tunables, field.draws, 2)

    assert field.orders.weapon[0, 0] == 1

    with_numbers(field, "r_66", applies=0)
    assert optimal_distance_m(field.battle, field.tunables, 0, 1, 0) == pytest.approx(math.sqrt(6_000) + 3.25)
    decide(field.battle, field.orders, field.tunables, field.draws, 3)
    assert field.orders.weapon[0, 0] == -1, "in the source they do"


RIFLE = unit(name="Rifle", long_range=500.0)


def approach_of(speed: float, enemy: Unit = RIFLE, apart_m: float = 600.0) -> float:
    """Return how far a flank with swords comes toward an enemy in an hour."""
    field = duel(army(types=(unit(speed=speed), None, None)), army("B", types=(enemy, None, None)), apart_m=apart_m)
    return moved(field)[1]


def test_r_67_fire_from_beyond_its_range_slows_a_flank_to_a_tenth() -> None:
    outside_m = 600.0 - DEPTH_M - 500.0

    assert approach_of(3.0) == pytest.approx(outside_m + (3_000.0 - outside_m) / 10)
    assert approach_of(1.0) == pytest.approx(outside_m + (1_000.0 - outside_m) / 10)


def test_r_67_a_fast_flank_crosses_the_fire_within_the_hour() -> None:
    assert approach_of(6.0) == approach_of(500.0) == pytest.approx(600.0 - (0.1 + DEPTH_M - 15.0))


def test_r_67_fleeing_enemies_and_equal_ranges_do_not_slow_a_flank() -> None:
    assert approach_of(3.0, SOLDIER) == pytest.approx(600.0 - (0.1 + DEPTH_M - 15.0))

    field = duel(army(), army("B", types=(RIFLE, None, None)), apart_m=600.0)
    field.battle.status[1] = RETREATING
    assert moved(field)[1] == pytest.approx(600.0 - (0.1 + DEPTH_M - 15.0))


def test_r_89_a_feigned_retreat_ends_with_the_first_blow() -> None:
    field = duel(apart_m=9_000.0)
    field.battle.maneuver[0] = MANEUVERS.index("Feigned Retreat")
    field.battle.tally[FIRST_CONTACT] = 4
    with_numbers(field, "r_89", rounds=2)

    assert moved(field) == pytest.approx((0.0, 3_000.0))

    with_numbers(field, "r_89", rounds=0)
    assert moved(field) == pytest.approx((0.0, -3_000.0)), "in the source it never ends"


@pytest.mark.parametrize(
    ("place", "enemy", "end"),
    [
        ((50_000.0, 1_000.0), (50_000.0, 2_000.0), (50_000.0, 0.0)),
        ((50_000.0, 99_000.0), (50_000.0, 98_000.0), (50_000.0, 100_000.0)),
        ((1_000.0, 50_000.0), (2_000.0, 50_000.0), (0.0, 50_000.0)),
        ((99_000.0, 50_000.0), (98_000.0, 50_000.0), (100_000.0, 50_000.0)),
    ],
)
def test_move_07_every_edge_routs_a_retreating_flank(
    place: tuple[float, float], enemy: tuple[float, float], end: tuple[float, float]
) -> None:
    """Invariant 6: the flank ends on the edge, not beyond."""
    field = duel()
    field.put(0, *place)
    field.put(1, *enemy)
    field.battle.status[0] = RETREATING

    moved(field)

    assert (field.battle.x_m[0], field.battle.y_m[0]) == end
    assert field.battle.status[0] == ROUTED_STATUS


def test_move_07_other_flanks_stop_at_the_edge() -> None:
    field = duel()
    field.put(0, 99_000.0, 50_000.0)
    field.put(1, 97_000.0, 50_000.0)
    field.battle.maneuver[0] = MANEUVERS.index("Feigned Retreat")

    assert moved(field) == (1_000.0, 0.0)
    assert field.battle.status[0] == 1


def test_r_12_flanks_move_one_by_one_against_current_places() -> None:
    """The first flank closes the gap; the second, which would have met it half way, stays."""
    field = duel(apart_m=1_000.0)
    field.draws[MOVE_ORDER] = 0.9, 0.1

    decide(field.battle, field.orders, field.tunables, field.draws, 1)
    move(field.battle, field.orders, field.tunables, field.draws, field.events, 1)

    assert field.battle.y_m[0] == 200.5 * 250.0
    assert field.battle.y_m[1] - field.battle.y_m[0] == pytest.approx(0.1 + DEPTH_M - 15.0)


def test_r_55_scatter_separates_two_flanks_on_one_spot() -> None:
    field = duel(apart_m=0.0)
    field.battle.status[0] = RETREATING
    field.draws[JITTER_X], field.draws[JITTER_Y] = 0.65, 0.7

    assert moved(field) == pytest.approx((3.0 - 1_500.0 * 0.6, 4.0 - 1_500.0 * 0.8))


def test_strat_12_ships_stop_at_the_shore() -> None:
    """Water ends at 45 km; the last quarter of a pixel before it is the farthest place."""
    shore = np.full((400, 400), FEATURES["Plain"], np.uint8)
    shore[:, :180] = FEATURES["Water"]
    at_sea = replace(fleet("A"), flanks=(FlankOrder(x=160, y=200),))
    field = duel(at_sea, army("B"), ground=ground_of_codes(shore))
    field.put(0, 40_000.0, 50_000.0)
    field.put(1, 60_000.0, 50_000.0)

    east_m, south_m = moved(field)

    assert 4_900.0 < east_m < 5_000.0
    assert south_m == 0.0
    assert GALLEY.speed == 9.0


@pytest.mark.parametrize("across", [True, False])
def test_strat_12_ships_do_not_cross_a_spit_of_one_pixel(across: bool) -> None:
    """9 km a step; the land from 45 to 45.25 km is never crossed, and a way beside it is free."""
    spit = np.full((400, 400), FEATURES["Water"], np.uint8)
    spit[:, 180] = FEATURES["Plain"]
    field = duel(fleet("A"), fleet("B"), ground=ground_of_codes(spit))
    field.put(0, 44_000.0, 50_000.0)
    field.put(1, 60_000.0 if across else 44_000.0, 66_000.0)

    east_m, south_m = moved(field)

    if across:
        assert 900.0 < east_m < 1_000.0
        assert south_m == pytest.approx(east_m)
    else:
        assert (east_m, south_m) == pytest.approx((0.0, 9_000.0))


@pytest.mark.parametrize(
    ("ships", "from_m", "west_m"), [(60, 40_000.0, 0), (0, 40_000.0, 4_500), (60, 25_000.0, 1_500)]
)
def test_r_122_fleets_flee_on_water_and_boats_land_an_army(ships: int, from_m: float, west_m: float) -> None:
    """Water begins at 40 km: a fleet of galleys at the shore stays there, men on land run on."""
    shore = np.full((400, 400), FEATURES["Plain"], np.uint8)
    shore[:, 160:] = FEATURES["Water"]
    field = duel(army("A", ship=GALLEY, ships=ships), army("B"), ground=ground_of_codes(shore))
    field.put(0, from_m, 50_000.0)
    field.put(1, 60_000.0, 50_000.0)
    field.battle.status[0] = RETREATING
    field.tunables.traits.speed_kmh[0] = 3.0, 9.0

    assert moved(field) == pytest.approx((-west_m, 0.0))


@pytest.mark.parametrize(("ships", "with_land", "fights"), [(0, True, False), (60, True, True), (0, False, True)])
def test_r_122_hired_boats_do_not_fight_on_maps_with_land(ships: int, with_land: bool, fights: bool) -> None:
    codes = np.full((400, 400), FEATURES["Water"], np.uint8)
    codes[:, :40] = FEATURES["Plain" if with_land else "Water"]
    fought = war(army("A", ship=GALLEY, ships=ships), army("B"), ground=ground_of_codes(codes))
    by_source = tables_with({"constants/R-122/applies": 0})
    units = [Battlefield.of(fought, numbers, 1).tunables.units for numbers in (shipped_tables(), by_source)]

    assert [found.ship_capacity[0] > 0 for found in units] == [fights, True]


def test_md_07_an_army_lands_and_walks_on() -> None:
    shore = np.full((400, 400), FEATURES["Plain"], np.uint8)
    shore[:, :180] = FEATURES["Water"]
    field = duel(army("A", ship=GALLEY, ships=60), army("B"), ground=ground_of_codes(shore))
    field.put(0, 40_000.0, 50_000.0)
    field.put(1, 60_000.0, 50_000.0)

    assert moved(field) == pytest.approx((9_000.0, 0.0))
    assert moved(field) == pytest.approx((3_000.0, 0.0))
