"""Standing ground, open fire, riders who get round, and feints under `tactics` = history (R-81, R-86 to R-89)."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists, sampled_from

from engine.autoalgo.battle.attack import attack
from engine.autoalgo.battle.decision import ATTACK, MOVE, decide
from engine.autoalgo.battle.events import ATTACK as ATTACKS
from engine.autoalgo.battle.flank import distance_m
from engine.autoalgo.battle.movement import feigns, move, optimal_distance_m
from engine.autoalgo.battle.state import FIRST_CONTACT, HOURS, MANEUVERS, RETREATING, ROUTED
from engine.autoalgo.battle.tactics import (
    feint_factor,
    fire_factor,
    got_round,
    ground_factor,
    held_back_m,
    outflanking,
    pace,
    pace_ratio,
)
from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.inputs import FlankOrder, WarInputs
from engine.autoalgo.records import Unit
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.setup.strategy import flank_table
from engine.autoalgo.setup.tables import Tables
from engine.rng import Rng
from engine.terrain import TerrainMap
from scripts.support.pinned_tables import tables, tables_with
from scripts.support.small_battles import (
    FEATURES,
    Field,
    army,
    duel,
    field_of,
    ground_of_codes,
    line,
    terrain,
    unit,
    war,
    with_numbers,
)

HISTORY = tables_with({}, without=["R-85"])
RIFLE = unit(name="Rifle", speed=3.0, long_range=400.0, medium_range=300.0, short_range=2.0, power=(1.0, 1.0, 1.0))
TRENCHES = HISTORY.scores.single("Defense", "Mobile Defenses", "Trenches")
FOOT = unit(name="Foot", speed=4.0)
SPEAR = unit(name="Spear", speed=8.0, long_range=20.0, medium_range=4.0, short_range=2.0, power=(0.5, 0.5, 0.5))
RIDER = replace(SPEAR, name="Rider", speed=14.0)


def standing(ground: TerrainMap, works: str = "none", numbers: Tables = HISTORY, y: int = 202) -> list[float]:
    """Return the factor of each flank, one of either side; the defender's in a row of the map."""
    defender = army("B", flanks=(FlankOrder(x=200, y=y),))
    defender = replace(defender, military=replace(defender.military, mobile_defenses=works))
    inputs = war(army("A", flanks=(FlankOrder(x=200, y=198),)), defender, ground=ground)
    factors: list[float] = Battlefield.of(inputs, numbers, 1).tunables.traits.ground[:, 0].tolist()
    return factors


@pytest.mark.parametrize(
    ("feature", "works", "divisor"),
    [
        ("Plain", "none", 1.0),
        ("Forest", "none", 1.3),
        ("High ground", "none", 1.6),
        ("Cliffs", "none", 2.0),
        ("Plain", "Trenches", 1.0 + 0.8 * TRENCHES),
        ("Cliffs", "Trenches", min(2.0 + 0.8 * TRENCHES, 2.5)),
    ],
)
def test_r_86_hits_on_a_defender_on_position_are_divided(feature: str, works: str, divisor: float) -> None:
    """Country and works add up to at most 1.5 in the open; an attacker has nothing of it."""
    assert standing(terrain(feature), works) == [1.0, pytest.approx(1 / divisor)]
    assert standing(terrain(feature), works, tables()) == [1.0, 1.0]


@pytest.mark.parametrize("y", [202, 240, 399])
@pytest.mark.parametrize(("edge", "share"), [(240, 1.0), (200, 0.5), (161, 1 / 80), (160, 0.0)])
def test_r_86_the_country_is_the_ground_within_40_pixels_of_the_map_s_middle(edge: int, share: float, y: int) -> None:
    """Hills from the north to the edge count wherever the defender stands."""
    codes = np.full((400, 400), FEATURES["Plain"], np.uint8)
    codes[:edge] = FEATURES["High ground"]

    assert standing(ground_of_codes(codes), y=y)[1] == pytest.approx(1 / (1 + 0.6 * share))


@pytest.mark.parametrize(
    ("maneuver", "status", "feature", "factor"),
    [
        ("Position", None, "Plain", 0.5),
        ("Normal", None, "Plain", 0.8),
        ("Hit and run", None, "Plain", 0.8),
        ("Position", RETREATING, "Plain", 1.0),
        ("Normal", RETREATING, "Plain", 1.0),
        ("Position", None, "Water", 1.0),
        ("Normal", None, "Water", 1.0),
    ],
)
def test_r_86_a_defender_keeps_his_ground_until_he_flees(
    maneuver: str, status: int | None, feature: str, factor: float
) -> None:
    """He has more of it where he stands, and nothing at sea; an attacker has none."""
    field = decided(duel(ground=terrain(feature), apart_m=50.0), on_standing=0.5, moving=0.8)
    field.battle.maneuver[:] = MANEUVERS.index(maneuver)
    field.battle.status[1] = field.battle.status[1] if status is None else status

    assert ground_factor(field.battle, field.orders, field.tunables, 1) == factor
    assert ground_factor(field.battle, field.orders, field.tunables, 0) == 1.0


@pytest.mark.parametrize(
    ("works", "walls", "numbers", "maneuvers"),
    [
        ("none", "none", HISTORY, ("Normal", "Normal")),
        ("Trenches", "none", HISTORY, ("Normal", "Position")),
        ("none", "Castle", HISTORY, ("Normal", "Position")),
        ("Trenches", "Castle", tables(), ("Normal", "Normal")),
    ],
)
def test_r_86_default_flanks_of_a_defender_stay_in_their_works(
    works: str, walls: str, numbers: Tables, maneuvers: tuple[str, str]
) -> None:
    sides = [replace(own, military=replace(own.military, mobile_defenses=works)) for own in (army("A"), army("B"))]
    inputs = war(*sides, location=replace(numbers.defaults.location, fortifications=walls))
    ordered = replace(inputs, defender=replace(inputs.defender, flanks=line(*["Normal"] * 3, y=218)))

    assert tuple(flank_table(inputs, side, numbers)[0].maneuver for side in (0, 1)) == maneuvers
    assert {plan.maneuver for plan in flank_table(ordered, 1, numbers)} == {"Normal"}


def decided(field: Field, on_standing: float = 1.0, moving: float = 1.0, rule: str = "r_87", **numbers: float) -> Field:
    """Decide the first hour under some numbers of a rule."""
    traits = field.tunables.traits._replace(ground=np.array([[1.0, 1.0], [on_standing, moving]]))
    field.tunables = with_numbers(field, rule, **numbers).tunables._replace(traits=traits)
    decide(field.battle, field.orders, field.tunables, field.draws, 1)
    return field


def spears_on_rifles(apart_m: float, maneuver: str = "Position") -> Field:
    """Return 100 spearmen who come to as many riflemen; a flank is 10 m deep."""
    field = duel(army("A", 100, types=(SPEAR, None, None)), army("B", 100, types=(RIFLE, None, None)), apart_m=apart_m)
    field.battle.maneuver[1] = MANEUVERS.index(maneuver)
    return decided(field, fire=3.0)


@pytest.mark.parametrize(
    ("apart_m", "maneuver", "open_fire", "left_m"),
    [
        (5_000.0, "Position", 3.0, 410.0 - 15.0),
        (5_000.0, "Normal", 3.0, 69.0),
        (5_000.0, "Position", 1.0, 69.0),
        (20_000.0, "Position", 3.0, 12_000.0),
    ],
)
def test_r_87_an_advancing_flank_halts_at_the_edge_of_a_defender_s_reach(
    apart_m: float, maneuver: str, open_fire: float, left_m: float
) -> None:
    """The rest of the hour is spent 15 m inside (R-14) the 410 m; else at a tenth of 8 km/h (R-67) it is 341 m."""
    field = decided(spears_on_rifles(apart_m, maneuver), fire=open_fire)
    field.orders.action[1] = 0
    move(field.battle, field.orders, field.tunables, field.draws, field.events, 1)

    assert field.battle.y_m[1] - field.battle.y_m[0] == pytest.approx(left_m, abs=1.0)


@pytest.mark.parametrize(
    ("apart_m", "maneuver", "factor"),
    [(300.0, "Position", 3.0), (300.0, "Normal", 1.0), (29.0, "Position", 1.0), (31.0, "Position", 3.0)],
)
def test_r_87_a_flank_on_position_hits_outranged_enemies_harder(apart_m: float, maneuver: str, factor: float) -> None:
    """A spear reaches 20 m beyond the flank's depth of 10 m."""
    field = spears_on_rifles(apart_m, maneuver)

    assert fire_factor(field.battle, field.orders, field.tunables, 1, 0) == factor
    assert fire_factor(field.battle, field.orders, field.tunables, 0, 1) == 1.0


@pytest.mark.parametrize(("men", "guns", "counts"), [(10_000, 3, 0), (10_000, 99, 0), (10_000, 100, 1), (9_999, 99, 1)])
def test_r_87_a_handful_of_gunners_does_not_count(men: int, guns: int, counts: int) -> None:
    """A hundredth of the flank does, rounded down to a man."""
    gun = unit(name="Gun", speed=4.0, long_range=900.0)
    foot = (FlankOrder(x=200, y=200, infantry=men - guns, artillery=guns),)
    attacker = army("A", men, types=(SPEAR, None, gun), shares=(1 - guns / men, 0.0, guns / men), flanks=foot)
    fought = war(attacker, army("B", 100, types=(RIFLE, None, None), flanks=(FlankOrder(x=200, y=202),)))
    traits, of_source = (Battlefield.of(fought, numbers, 1).tunables.traits for numbers in (HISTORY, tables()))
    field = spears_on_rifles(500.0)
    field.tunables = field.tunables._replace(traits=field.tunables.traits._replace(reach_m=traits.reach_m))

    assert of_source.reach_m[0, 0] == 900.0
    assert traits.reach_m[0, 0] == (900.0 if counts else 20.0)
    assert fire_factor(field.battle, field.orders, field.tunables, 1, 0) == (1.0 if counts else 3.0)


def foot_and_riders(foot_y: float, riders_y: float, enemy: Unit = FOOT, foot: str = "Normal") -> Field:
    """Return foot (flank 0) and riders (flank 1) in the north of an enemy who stands at 240 pixels, 10 km from 200."""
    flanks = (
        FlankOrder(x=200, y=foot_y, infantry=500, maneuver=foot),
        FlankOrder(x=210, y=riders_y, cavalry=500),
    )
    attacker = army("A", 1_000, types=(FOOT, RIDER, None), shares=(0.5, 0.5, 0.0), flanks=flanks)
    stands = (FlankOrder(x=205, y=240, maneuver="Position"),)
    return with_numbers(
        field_of(war(attacker, army("B", 1_000, types=(enemy, None, None), flanks=stands))), "r_81", hours=6
    )


@pytest.mark.parametrize("riders_y", [190.0, 200.0, 208.0])
def test_r_81_riders_keep_level_with_their_foot(riders_y: float) -> None:
    field = foot_and_riders(200, riders_y)
    decide(field.battle, field.orders, field.tunables, field.draws, 1)
    before_m = field.orders.distance_m[0]
    move(field.battle, field.orders, field.tunables, field.draws, field.events, 1)

    assert distance_m(field.battle, 1, 2) == pytest.approx(before_m, abs=1.0)
    assert distance_m(field.battle, 0, 2) < before_m - 3_000.0


@pytest.mark.parametrize(
    ("hours", "hour", "contact", "enemy", "is_fled"),
    [
        (0, 1, 0, FOOT, False),
        (6, 7, 0, FOOT, False),
        (6, 2, 1, FOOT, False),
        (6, 1, 0, RIDER, False),
        (6, 1, 0, FOOT, True),
    ],
)
def test_r_81_riders_wait_for_fighting_foot_before_the_first_blow(
    hours: int, hour: int, contact: int, enemy: Unit, is_fled: bool
) -> None:
    field = with_numbers(foot_and_riders(200, 200, enemy), "r_81", hours=hours)
    field.battle.tally[[HOURS, FIRST_CONTACT]] = hour, contact
    field.battle.status[0] = RETREATING if is_fled else field.battle.status[0]
    decide(field.battle, field.orders, field.tunables, field.draws, hour)
    move(field.battle, field.orders, field.tunables, field.draws, field.events, hour)

    assert distance_m(field.battle, 1, 2) < 1_000.0


@pytest.mark.parametrize(
    ("friend", "hour", "contact", "share"),
    [
        (FlankOrder(x=230, y=200), 1, 0, 40 / 48),
        (FlankOrder(x=230, y=198), 1, 0, 40 / (math.hypot(30, 42) - 2)),
        (FlankOrder(x=230, y=197), 1, 0, 1.0),
        (FlankOrder(x=230, y=200, maneuver="Position"), 1, 0, 1.0),
        (FlankOrder(x=212, y=200), 1, 0, 1.0),
        (FlankOrder(x=230, y=200), 7, 0, 1.0),
        (FlankOrder(x=230, y=200), 2, 1, 1.0),
    ],
    ids=["line", "two pixels behind", "reserve", "stands", "beside", "hours are over", "after the first blow"],
)
def test_r_81_a_flank_stays_within_two_pixels_of_its_line_s_last(
    friend: FlankOrder, hour: int, contact: int, share: float
) -> None:
    attacker = army("A", 1_000, types=(FOOT, None, None), flanks=(FlankOrder(x=200, y=200), friend))
    stands = (FlankOrder(x=200, y=240, maneuver="Position"),)
    field = field_of(war(attacker, army("B", 1_000, types=(FOOT, None, None), flanks=stands)))
    field = with_numbers(field, "r_81", hours=6, metres=500.0)
    field.battle.tally[[HOURS, FIRST_CONTACT]] = hour, contact
    decide(field.battle, field.orders, field.tunables, field.draws, hour)

    step_m = pace(field.orders, field.tunables, 0) * 1_000.0

    held_m = held_back_m(field.battle, field.orders, field.tunables, 0, 2, step_m, field.orders.distance_m[0])

    assert min(held_m, step_m) == pytest.approx(step_m * share)


@pytest.mark.parametrize(
    ("metres", "apart_m", "flees", "left_m"),
    [
        (500.0, 520.0, False, 23.0),
        (500.0, 521.0, False, 521.0),
        (500.0, 500.0, True, 500.0),
        (0.0, 100.0, False, 100.0),
    ],
)
def test_r_81_a_flank_on_position_meets_an_approaching_enemy(
    metres: float, apart_m: float, flees: bool, left_m: float
) -> None:
    """The enemy stays; a spear reaches 20 m, and is best 8 m inside that (R-14), beyond the flank's depth of 11 m."""
    field = meeting(SPEAR, apart_m, metres)
    field.battle.status[0] = RETREATING if flees else field.battle.status[0]
    decide(field.battle, field.orders, field.tunables, field.draws, 1)
    field.orders.action[:] = 0, MOVE
    move(field.battle, field.orders, field.tunables, field.draws, field.events, 1)

    assert distance_m(field.battle, 0, 1) == pytest.approx(left_m, abs=1.0)


@pytest.mark.parametrize("ahead_m", [0.0, 400.0, 3_000.0, 20_000.0])
@pytest.mark.parametrize(("apart_m", "comes"), [(100.0, True), (410.0, True), (910.0, True), (912.0, False)])
@pytest.mark.parametrize("flees", [False, True])
def test_r_81_a_flank_on_position_goes_for_who_reaches_it(
    ahead_m: float, apart_m: float, comes: bool, flees: bool
) -> None:
    """A gun reaches 900 m beyond the flank's depth of 11 m, and the flank may be anywhere ahead of its place."""
    field = meeting(SPEAR, apart_m, 500.0)
    field.battle.start_y_m[1] += ahead_m
    field.tunables.traits.reach_m[0] = 900.0
    field.battle.status[0] = RETREATING if flees else field.battle.status[0]
    decide(field.battle, field.orders, field.tunables, field.draws, 1)
    field.orders.action[:] = 0, MOVE
    move(field.battle, field.orders, field.tunables, field.draws, field.events, 1)

    assert (distance_m(field.battle, 0, 1) < apart_m) == (comes and not flees)


def test_r_81_a_flank_on_position_does_not_back_off() -> None:
    """A bow that shoots no nearer than 100 m backs off under Normal (R-33)."""
    bow = unit(name="Bow", long_range=300.0, medium_range=100.0, short_range=100.0, power=(1.0, 0.0, 0.0))
    places = []
    for maneuver in ("Position", "Normal"):
        field = meeting(bow, 50.0, 500.0)
        field.battle.maneuver[1] = MANEUVERS.index(maneuver)
        decide(field.battle, field.orders, field.tunables, field.draws, 1)
        field.orders.action[:] = 0, MOVE
        move(field.battle, field.orders, field.tunables, field.draws, field.events, 1)
        places.append(distance_m(field.battle, 0, 1))

    assert places[0] == 50.0
    assert places[1] > 100.0


def attacked_line(arm: Unit, aside_m: float, order: str = "Position") -> Field:
    """Return an enemy near the reach of a defender's flank under an order, and another on Position aside of it."""
    defender = army("B", 200, types=(arm, None, None), flanks=line(order, "Position", y=201))
    field = field_of(war(army("A", 100, types=(arm, None, None), flanks=line("Normal", y=199)), defender))
    field = with_numbers(field, "r_81", metres=500.0)
    ahead_m = field.tunables.traits.reach_m[1, 0] + 400
    for flank, (x_m, y_m) in enumerate([(50_000, 50_000 - ahead_m), (50_000, 50_000), (50_000 + aside_m, 50_000)]):
        field.put(flank, x_m, y_m)
        field.battle.start_x_m[flank], field.battle.start_y_m[flank] = x_m, y_m
    return field


@pytest.mark.parametrize("aside_m", [1_000.0, 2_500.0, 9_000.0])
@pytest.mark.parametrize("arm", [SPEAR, RIFLE])
def test_r_81_a_flank_on_position_helps_a_friend_within_an_enemy_s_reach(arm: Unit, aside_m: float) -> None:
    """The farther he stands, the later he comes; he closes on the enemy even if the friend is lost."""
    field = attacked_line(arm, aside_m)
    gaps = [distance_m(field.battle, 0, 2)]
    for hour in (1, 2):
        decide(field.battle, field.orders, field.tunables, field.draws, hour)
        field.orders.action[:] = 0, 0, MOVE
        move(field.battle, field.orders, field.tunables, field.draws, field.events, hour)
        gaps.append(distance_m(field.battle, 0, 2))
        field.battle.status[1] = ROUTED

    step_m = pace(field.orders, field.tunables, 2) * 1_000.0
    best_m = optimal_distance_m(field.battle, field.tunables, 2, 0, 0)
    assert gaps[1] == pytest.approx(max(gaps[0] - step_m, best_m), abs=1.0)
    assert gaps[2] == pytest.approx(max(gaps[1] - step_m, best_m), abs=1.0)


@pytest.mark.parametrize(("order", "comes"), [("Position", True), ("Normal", False)])
def test_r_81_only_flanks_on_position_form_a_line(order: str, comes: bool) -> None:
    field = attacked_line(SPEAR, 2_500.0, order)
    decide(field.battle, field.orders, field.tunables, field.draws, 1)
    field.orders.action[:] = 0, 0, MOVE
    move(field.battle, field.orders, field.tunables, field.draws, field.events, 1)

    assert (distance_m(field.battle, 1, 2) < 2_500.0) == comes


def meeting(arm: Unit, apart_m: float, metres: float) -> Field:
    """Return two flanks of 121 men, of which the second is on Position."""
    sides = [army(name, 121, types=(arm, None, None)) for name in "AB"]
    field = with_numbers(duel(*sides), "r_81", metres=metres)
    field.put(1, field.battle.x_m[0], field.battle.y_m[0] + apart_m)
    field.battle.start_x_m[1], field.battle.start_y_m[1] = field.battle.x_m[1], field.battle.y_m[1]
    field.battle.maneuver[1] = MANEUVERS.index("Position")
    return field


@pytest.mark.parametrize(
    ("enemys", "attackers", "holders", "factor"),
    [
        (10.0, 2, 500, 1.5),
        (12.5, 2, 500, 1.12**3),
        (14.0, 2, 500, 1.0),
        (28.0, 2, 500, 1.0),
        (10.0, 1, 500, 1.0),
        (10.0, 2, 250, 1.25),
        (10.0, 2, 1, 1.001),
        (10.0, 2, 5_000, 1.5),
    ],
)
def test_r_88_a_faster_flank_outflanks_an_enemy_held_by_others(
    enemys: float, attackers: int, holders: int, factor: float
) -> None:
    """Riders of 14 km/h: the cube of their pace over that of 500 men counts, by the share of these who are held."""
    field = with_numbers(foot_and_riders(239.9, 239.9, unit(speed=enemys)), "r_88", factor=1.5)
    decide(field.battle, field.orders, field.tunables, field.draws, 1)
    field.orders.action[0], field.battle.men[0], field.battle.men[2] = ATTACK, holders, 500
    field.orders.attackers[2] = attackers

    assert got_round(outflanking(field.battle, field.orders, field.tunables, 1, 2)) == pytest.approx(factor)


@pytest.mark.parametrize("under", ["Plain", "Forest", "Cliffs", "High ground"])
@pytest.mark.parametrize("flank", [1, 2])
def test_r_88_r_89_ground_gives_no_pace_over_an_enemy(under: str, flank: int) -> None:
    field = with_numbers(foot_and_riders(239.9, 239.9, unit(speed=12.5)), "r_88", factor=1.5)
    decide(field.battle, field.orders, field.tunables, field.draws, 1)
    field.orders.action[0], field.orders.attackers[2], field.battle.men[2] = ATTACK, 2, 500
    field.orders.ground[flank] = FEATURES[under]

    assert got_round(outflanking(field.battle, field.orders, field.tunables, 1, 2)) == pytest.approx(1.12**3)
    assert pace_ratio(field.orders, field.tunables, 1, 2, 2.5) == pytest.approx(1.12)


@pytest.mark.parametrize(("horse", "factor"), [(0.0, 1.0), (0.1, 1.05), (1.0, 1.5)])
def test_r_88_horse_among_foot_gets_round_by_its_share(horse: float, factor: float) -> None:
    """The enemy walks as fast as the foot, and riders are more than 1.15 times as fast."""
    field = with_numbers(foot_and_riders(239.9, 239.9, unit(speed=3.0)), "r_88", factor=1.5)
    decide(field.battle, field.orders, field.tunables, field.draws, 1)
    field.battle.share[1] = 1.0 - horse, horse, 0.0
    field.tunables.units.speed_kmh[field.battle.army[1]][:2] = 3.0, 14.0
    field.orders.action[0], field.orders.attackers[2], field.battle.men[2] = ATTACK, 2, 500

    assert got_round(outflanking(field.battle, field.orders, field.tunables, 1, 2)) == pytest.approx(factor)


@pytest.mark.parametrize(
    ("foot", "riders", "attacks", "factor"),
    [
        ("Position", "Normal", True, 1.5),
        ("Position", "Position", True, 1.0),
        ("Normal", "Normal", True, 1.5),
        ("Position", "Normal", False, 1.0),
    ],
)
def test_r_88_flanks_on_position_hold_like_others(foot: str, riders: str, attacks: bool, factor: float) -> None:
    field = with_numbers(foot_and_riders(239.9, 239.9, foot=foot), "r_88", factor=1.5)
    decide(field.battle, field.orders, field.tunables, field.draws, 1)
    field.battle.maneuver[1] = MANEUVERS.index(riders)
    field.orders.action[0] = ATTACK if attacks else MOVE
    field.orders.attackers[2], field.battle.men[2] = 2, 500

    assert got_round(outflanking(field.battle, field.orders, field.tunables, 1, 2)) == factor


@given(
    parts=lists(integers(1, 300), min_size=1, max_size=9),
    riders=integers(1, 2_000),
    enemies=integers(1, 3_000),
    maneuver=sampled_from(["Normal", "Position"]),
)
def test_r_88_holders_count_man_for_man(parts: list[int], riders: int, enemies: int, maneuver: str) -> None:
    """No number of flanks of the holders changes what riders win, nor how many riders there are."""
    factors = []
    for holders in (parts, [sum(parts)]):
        foot = [FlankOrder(x=200, y=200, infantry=men, maneuver=maneuver) for men in holders]
        men = sum(parts) + riders
        shares = (sum(parts) / men, riders / men, 0.0)
        flanks = (*foot, FlankOrder(x=200, y=200, cavalry=riders))
        attacker = army("A", men, types=(FOOT, RIDER, None), shares=shares, flanks=flanks)
        enemy = army("B", enemies, types=(FOOT, None, None), flanks=line("Normal", y=200))
        field = with_numbers(field_of(war(attacker, enemy)), "r_88", factor=1.5)
        decide(field.battle, field.orders, field.tunables, field.draws, 1)
        field.orders.action[: len(holders)] = ATTACK
        last = len(holders)
        field.orders.target[:last] = last + 1
        field.orders.attackers[last + 1] = last + 1
        factors.append(got_round(outflanking(field.battle, field.orders, field.tunables, last, last + 1)))

    assert factors == pytest.approx([1.0 + 0.5 * min(sum(parts) / enemies, 1.0)] * 2)


@pytest.mark.parametrize(
    ("own", "enemy", "attacks", "factor"),
    [
        (14.0, "Normal", 0, 1.75),
        (14.0, "Normal", 1, 1.75),
        (40.0, "Normal", 1, 2.0),
        (14.0, "Normal", 2, 1.0),
        (14.0, "Position", 0, 1.0),
        (8.0, "Normal", 0, 1.0),
        (6.0, "Normal", 0, 0.75),
        (6.0, "Position", 0, 0.75),
        (1.0, "Normal", 0, 0.5),
    ],
)
def test_r_89_the_first_blows_after_a_feigned_retreat_hit_by_the_ratio_of_paces(
    own: float, enemy: str, attacks: int, factor: float
) -> None:
    """A tenth of a km/h more or less once made hits 2.5 times as hard, or divided them by as much."""
    feigner = army("A", types=(replace(RIDER, speed=own), None, None))
    field = duel(feigner, army("B", types=(SPEAR, None, None)), apart_m=50.0)
    field = decided(field, rule="r_89", factor=2.0, rounds=2)
    field.battle.maneuver[:] = MANEUVERS.index("Feigned Retreat"), MANEUVERS.index(enemy)
    field.battle.hit_rounds[0] = attacks

    assert feint_factor(field.battle, field.orders, field.tunables, 0, 1) == factor
    assert feint_factor(field.battle, field.orders, field.tunables, 1, 0) == 1.0


@pytest.mark.parametrize(
    ("numbers", "hour", "contact", "away"),
    [(HISTORY, 1, 0, True), (HISTORY, 2, 0, False), (HISTORY, 1, 1, False), (tables(), 2, 0, True)],
)
def test_r_89_a_feigned_retreat_turns_after_an_hour_or_the_first_blow(
    numbers: Tables, hour: int, contact: int, away: bool
) -> None:
    field = Battlefield.of(war(army("A", flanks=line("Feigned Retreat", y=190)), army("B")), numbers, 1)
    field.battle.tally[[HOURS, FIRST_CONTACT]] = hour, contact

    assert feigns(field.battle, field.tunables.constants, 0) == away


def test_r_86_to_r_89_a_blow_multiplies_all_factors() -> None:
    """Riders fall on a flank that stands: half its ground, one and a half times the getting round, 14/8 the feint."""
    kills = []
    for getting_round, feint, rounds in ((1.0, 1.0, 0), (1.5, 2.0, 2)):
        flanks = (
            FlankOrder(x=200, y=200, cavalry=10_000, maneuver="Feigned Retreat"),
            FlankOrder(x=200, y=200, infantry=10_000),
        )
        riders = army("A", 20_000, types=(FOOT, RIDER, None), shares=(0.5, 0.5, 0.0), flanks=flanks)
        spears = army("B", 10_000, types=(SPEAR, None, None), flanks=line("Normal", y=200))
        field = with_numbers(field_of(war(riders, spears)), "r_88", factor=getting_round)
        for flank in range(3):
            field.put(flank, 50_000.0, 50_000.0)
        field = with_numbers(field, "r_89", factor=feint, rounds=rounds)
        decide(field.battle, field.orders, field.tunables, field.draws, 1)
        field.tunables.traits.ground[2] = 0.5 if rounds else 1.0, 1.0
        field.orders.action[2] = MOVE
        attack(field.battle, field.orders, field.tunables, field.draws, field.events, 1)
        kills.append(next(event.amount for event in field.drain() if event.kind == ATTACKS))
    assert kills[0] > 10
    assert kills[1] == pytest.approx(
        1.5 * 14 / 8 * kills[0], abs=2
    )  # getting round and feint, of one who does not stand


def mixed_war() -> WarInputs:
    """Return a war in which every rule of tactics has an effect: riders who feign against rifles who stand."""
    types, shares = (SPEAR, RIDER, None), (0.6, 0.4, 0.0)
    flanks = [
        FlankOrder(x=190 + 10 * place, y=190, infantry=men[0], cavalry=men[1], maneuver=maneuver)
        for place, (men, maneuver) in enumerate(
            [((0, 1_800), "Feigned Retreat"), ((5_400, 0), "Normal"), ((0, 1_800), "Normal")]
        )
    ]
    attacker = army("A", 9_000, types=types, shares=shares, flanks=flanks)
    stays = line("Position", "Position", "Normal", y=199)
    return war(attacker, army("B", 3_000, types=(RIFLE, None, None), flanks=stays), ground=terrain("Forest"))


@pytest.mark.parametrize(("numbers", "told"), [(HISTORY, True), (tables(), False)])
def test_r_86_to_r_89_the_log_names_each_factor(numbers: Tables, told: bool) -> None:
    lines = []
    for seed in range(4):
        outcome = Autoalgo(numbers).resolve(mixed_war(), Rng(seed))
        lines += [term.line() for event in outcome.events for term in event.calculations()]
    text = "\n".join(lines)

    for words in (
        "ground of B's flank 2 0.76923 = 1 ÷ (1 + (stand 0 + country 0.3 + works 0 × a point 0.8, at most 1.5)) [R-86]",
        "× ground 0.76923 [",
        "× open fire 4 [",
        "× getting round 1.5",
        "× feint 2 [",
    ):
        assert (words in text) == told, words
