"""The flanks before the battle (STRAT, MD, R-34, R-38)."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.autoalgo.battle.state import IDLE, INACTIVE, MANEUVERS, STATUSES, STORM
from engine.autoalgo.inputs import SIDES, Belligerent, FlankOrder, WarInputs
from engine.autoalgo.setup.army import apportion, men_in_slots, ship_number, ships_present, slot_counts, split_evenly
from engine.autoalgo.setup.deploy import pixels_of
from engine.autoalgo.setup.formations import FORMATIONS
from engine.autoalgo.setup.source import RULES
from engine.autoalgo.setup.strategy import flank_table, strategy_message
from engine.autoalgo.setup.variables import side_variables
from engine.settings import Setting
from scripts.support.pinned_tables import shipped_tables, tables
from scripts.support.small_battles import (
    ARCHER,
    BARGES,
    FEATURES,
    GALLEY,
    SOLDIER,
    army,
    deploy_war,
    fleet,
    ground_of_codes,
    terrain,
    war,
)
from sheets_algo.forms.autoalgo.flank_rows import flank_orders
from tests.helpers.random_wars import wars


def mixed(ships: int = 0, flanks: tuple[FlankOrder, ...] = ()) -> Belligerent:
    """Return a side of a thousand men: 500, 300 and 200."""
    return army(size=1_000, types=(SOLDIER, SOLDIER, ARCHER), shares=(0.5, 0.3, 0.2), ships=ships, flanks=flanks)


def ordered(*counts: tuple[int | None, int | None, int | None, int | None]) -> tuple[FlankOrder, ...]:
    return tuple(FlankOrder(infantry=row[0], cavalry=row[1], artillery=row[2], ships=row[3]) for row in counts)


def message(own: Belligerent, ground: str = "Plain") -> str:
    return strategy_message(war(own, ground=terrain(ground)), 0, tables()).text


def problems(inputs: WarInputs, side: int = 0) -> list[tuple[str, str, str, float, str]]:
    found = strategy_message(inputs, side, tables()).problems
    return [(problem.id, problem.kind, problem.excess, problem.value, problem.allowed) for problem in found]


def fronts(inputs: WarInputs) -> list[list[float]]:
    """Return Y of each flank of both sides."""
    return [[plan.y for plan in flank_table(inputs, side, tables())] for side in (0, 1)]


@pytest.mark.parametrize(
    ("own", "other"), [(182, 218), (150, 218), (199, 218), (201, 182), (218, 182), (390, 182)], ids=str
)
def test_r_111_default_flanks_take_the_line_left_by_typed_places(own: int, other: int) -> None:
    """Whoever attacks: places belong to north and south."""
    typed = [FlankOrder(x=x, y=own) for x in (190, 200, 210)]
    assert fronts(war(army("A", flanks=typed), army("B")))[1] == [other] * 3
    assert fronts(war(army("A"), army("B", flanks=typed)))[0] == [other] * 3


def test_r_111_flanks_without_places_join_their_side_s_typed_line() -> None:
    around = [FlankOrder(x=200, y=260), FlankOrder(), FlankOrder()]
    assert fronts(war(army("A", flanks=around), army("B"))) == [[260, 218, 218], [182, 182, 182]]
    assert fronts(war(army("A", flanks=[FlankOrder(infantry=9_000)]), army("B"))) == [[182], [218] * 3]


@pytest.mark.parametrize(("apart", "is_warned"), [(0, True), (1, True), (1.5, False)])
def test_r_111_flanks_on_an_enemy_s_place_give_a_warning(apart: float, is_warned: bool) -> None:
    own, enemy = FlankOrder(label="van", x=200, y=150), FlankOrder(label="hill", x=200, y=150 + apart)
    says = "Flank van starts where the enemy's flank hill does. [R-111]"
    found = strategy_message(war(army("A", flanks=[own]), army("B", flanks=[enemy])), 0, tables())
    assert (says in found.warnings) is is_warned
    assert not found.problems


HALVES: list[tuple[list[float], list[float], list[float]]] = [
    ([], [], []),
    ([198], [202], []),
    ([198.5], [201.5], [198.5, 201.5]),
    ([0], [399], []),
    ([-1], [400], [-1, 400]),
    ([200], [200], [200, 200]),
    ([182, 182, 218], [], [218]),
    ([182, 182, 399], [218], [399]),
    ([218, 202, 399], [], []),
    ([218], [182, 198], []),
    ([], [182, 182, 202], [202]),
    ([190], [190], [190]),
    ([260], [218], [260]),
]
"""Places of the attacker's and of the defender's flanks, and those that are refused."""


def test_r_116_each_side_starts_in_its_half_two_pixels_from_the_middle() -> None:
    """North and south are free to choose; if both choose one half, it is the attacker who belongs to the north."""
    refused = []
    for own, other, _ in HALVES:
        sides = [
            army(name, flanks=[FlankOrder(x=9, y=y) for y in places]) for name, places in (("A", own), ("B", other))
        ]
        found = [each for side in (0, 1) for each in strategy_message(war(*sides), side, shipped_tables()).problems]
        refused.append((own, other, [problem.value for problem in found]))
        assert {(problem.id, problem.kind) for problem in found} <= {("R-116", "Y")}
    assert refused == HALVES


def test_r_116_every_formation_fits_its_side_s_half() -> None:
    """Without places, with a typed middle, and where the enemy's places leave the other half."""
    known = shipped_tables()
    for name, count, side in product(FORMATIONS, (1, 5, 12, 30, 99), (0, 1)):
        for typed in ({}, {"x": 150.0, "y": (190.0, 210.0)[side]}, {"x": 0.0, "y": (0.0, 399.0)[side]}):
            orders = flank_orders({"flanks": count, "formation": name} | typed, SIDES[side], known.strategy)
            opposite = [FlankOrder(x=200, y=(182, 218)[side])] if not typed else []
            for enemies in ([], opposite):
                own, other = army("A", flanks=orders), army("B", flanks=enemies)
                inputs = war(own, other) if side == 0 else war(other, own)
                assert not strategy_message(inputs, side, known).problems, (name, count, side, typed)


def test_r_116_a_refused_row_names_the_limit() -> None:
    inputs = war(army("A", flanks=[FlankOrder(x=9, y=182), FlankOrder(x=9, y=182), FlankOrder(x=9, y=230)]), army("B"))
    (problem,) = strategy_message(inputs, 0, shipped_tables()).problems
    assert (problem.flank, problem.allowed) == (
        2,
        "pixels from 0 to 198, the northern half where the army starts",
    )


@pytest.mark.parametrize(
    ("water", "places"),
    [
        (slice(0, 210), (182, 209)),
        (slice(0, 150), (149, 149)),
        (slice(205, 400), (205, 218)),
        (slice(0, 400), (182, 218)),
    ],
)
def test_r_116_crews_start_on_the_water_of_their_half_or_of_any_if_it_has_none(
    water: slice, places: tuple[int, int]
) -> None:
    codes = np.full((400, 400), FEATURES["Plain"], np.uint8)
    codes[water] = FEATURES["Water"]
    inputs = war(fleet("A"), fleet("B"), ground=ground_of_codes(codes))
    plans = [flank_table(inputs, side, shipped_tables()) for side in (0, 1)]
    assert tuple(own[1].y for own in plans) == places
    assert not any(strategy_message(inputs, side, shipped_tables()).problems for side in (0, 1))


def test_strat_01_three_default_flanks_take_the_tables_places() -> None:
    attackers, defenders = (flank_table(war(), side, tables()) for side in (0, 1))

    assert [(plan.label, plan.x, plan.y) for plan in attackers] == [
        ("left", 190, 182),
        ("centre", 200, 182),
        ("right", 210, 182),
    ]
    assert [plan.y for plan in defenders] == [218, 218, 218]


def test_strat_01_at_most_99_flanks() -> None:
    hundred = army(size=10_000, flanks=[FlankOrder()] * 100)

    assert problems(war(hundred)) == [("STRAT-01", "Flanks", "", 100, "at most 99 flanks a side")]
    assert problems(war(replace(hundred, flanks=hundred.flanks[:99]))) == []


def test_strat_02_db_15_every_type_and_the_ships_are_split_evenly() -> None:
    plans = flank_table(war(mixed(ships=100)), 0, tables())

    assert [plan.counts for plan in plans] == [(167, 100, 67), (167, 100, 67), (166, 100, 66)]
    assert [plan.ships for plan in plans] == [34, 33, 33]


@given(total=st.integers(0, 15_000_000), parts=st.integers(1, 99))
def test_r_38_an_even_split_is_exact_and_even(total: int, parts: int) -> None:
    """Invariant 18."""
    split = split_evenly(total, parts)

    assert sum(split) == total
    assert max(split) - min(split) <= 1


@given(total=st.integers(0, 15_000_000), weights=st.lists(st.floats(0, 1), min_size=1, max_size=99))
def test_r_38_largest_remainder_adds_up_and_stays_within_one(total: int, weights: list[float]) -> None:
    if sum(weights) < 1e-3:
        return
    parts = apportion(total, weights)

    assert sum(parts) == total
    for part, weight in zip(parts, weights, strict=True):
        assert abs(part - total * weight / sum(weights)) < 1 + 1e-6


def test_strat_03_a_type_missing_from_the_military_gets_no_men() -> None:
    own = army(size=1_000, flanks=ordered((995, 5, 0, None)))

    assert problems(war(own)) == [
        ("STRAT-03", "Cavalry", "", 5, "0 or blank, for the military has no type in its cavalry slot")
    ]


def test_strat_04_size_is_the_sum_of_the_slots_and_morale_follows_it() -> None:
    inputs = war(mixed())
    battle, _ = deploy_war(inputs)
    bonus = side_variables(inputs, 0, tables()).morale_bonus.value
    assert battle.men[:3].tolist() == [334, 334, 332]
    assert battle.morale[:3].tolist() == pytest.approx([334 * 20 * bonus, 334 * 20 * bonus, 332 * 20 * bonus])


def test_strat_04_crews_are_shared_in_proportion_to_the_ships() -> None:
    own = fleet(ships=10, flanks=ordered((None, None, None, 7), (None, None, None, 3)))

    plans = flank_table(war(own, ground=terrain("Water")), 0, tables())

    assert [(plan.men, plan.counts, plan.crew) for plan in plans] == [(1_050, (0, 0, 0), 1_050), (450, (0, 0, 0), 450)]


def test_strat_05_a_flank_without_men_is_inactive_and_the_rest_idle() -> None:
    own = army(size=1_000, flanks=ordered((1_000, None, None, 10), (0, None, None, 10)))

    battle, _ = deploy_war(war(own))

    assert battle.status.tolist() == [IDLE, INACTIVE, IDLE, IDLE, IDLE]
    by_the_sea = war(own, ground=terrain("Water"))
    assert strategy_message(by_the_sea, 0, tables()).warnings[1:] == (
        "Flanks without men, which are Inactive: 2 (ships: 10). [STRAT-05]",
    )


def test_strat_06_strat_07_r_61_messages_name_wrong_totals() -> None:
    cases = [
        ((None, None, None, None), "Good (1000/1000)"),
        ((500, 300, 200, 100), "Good (1000/1000)"),
        ((510, 300, 200, 100), "Good (1010/1000)"),
        ((490, 300, 200, 101), "Good (990/1000)"),
        ((511, 300, 200, 100), "Invalid Inf (511/500)"),
        ((489, 300, 200, 100), "Invalid Inf (489/500)"),
        ((500, 280, 211, 100), "Invalid Cav (280/300); Invalid Art (211/200)"),
        ((500, 300, 200, 98), "Invalid Navy (98/100)"),
        ((506, 306, 200, 100), "Invalid Size (1012/1000)"),
    ]
    assert [(counts, message(mixed(ships=100, flanks=ordered(counts)))) for counts, _ in cases] == cases


def test_strat_07_an_invalid_strategy_cannot_run() -> None:
    own = army(size=1_000, flanks=ordered((500, None, None, None)))

    with pytest.raises(ValueError, match=r"Attacker: Inf 500, allowed 1000 \[STRAT-07\]"):
        deploy_war(war(own))


def test_strat_10_strat_11_statuses_and_maneuvers_have_their_words() -> None:
    assert STATUSES == ("Idle", "Ready", "Retreating", "Routed", "Inactive")
    assert set(tables().lists["Maneuver"].values) == {*MANEUVERS, STORM}


def test_strat_12_a_flank_of_ships_alone_must_start_on_water() -> None:
    shore = np.full((400, 400), FEATURES["Plain"], np.uint8)
    shore[:, :100] = FEATURES["Water"]
    own = fleet(flanks=(FlankOrder(x=50, y=200), FlankOrder(x=100, y=200)))

    found = problems(war(own, ground=ground_of_codes(shore)))

    assert found == [("STRAT-12", "X", "", 100, "a place on Water, for the flank has ships alone")]


def test_strat_12_r_60_crews_without_a_place_begin_on_the_nearest_water() -> None:
    shore = np.full((400, 400), FEATURES["Plain"], np.uint8)
    shore[:, :150] = FEATURES["Water"]

    plans = flank_table(war(fleet(), ground=ground_of_codes(shore)), 0, tables())

    assert [(plan.x, plan.y) for plan in plans] == [(149, 182), (149, 182), (149, 182)]


def test_md_05_ships_are_derived_from_size_and_capacity() -> None:
    cases = [(7_000, 0, 140), (4_000, 100, 100), (26, 0, 1), (30_000, 0, 500), (7_500, 0, 150)]
    assert [(size, typed, ship_number(army(size=size, ships=typed, ship=BARGES))) for size, typed, _ in cases] == cases


def test_md_02_slots_are_size_times_proportion() -> None:
    assert slot_counts(army(size=7_000, types=(SOLDIER, SOLDIER, None), shares=(0.65, 0.35, 0.0))) == [4_550, 2_450, 0]
    assert slot_counts(army(size=100, types=(SOLDIER, SOLDIER, SOLDIER), shares=(0.333, 0.333, 0.334))) == [33, 33, 34]


def test_md_04_r_63_men_in_no_slot_take_no_part() -> None:
    own = army(size=1_000, types=(SOLDIER, ARCHER, None), shares=(0.5, 0.2, 0.0))

    assert men_in_slots(own) == 700
    assert message(own) == "Good (700/700)"


def test_md_08_r_59_a_military_with_empty_slots_fights_as_crews() -> None:
    own = army(size=600, types=(SOLDIER, None, None), shares=(0.0, 0.0, 0.0), ship=GALLEY)

    plans = flank_table(war(own, ground=terrain("Water")), 0, tables())

    assert [(plan.crew, plan.ships) for plan in plans] == [(300, 2), (150, 1), (150, 1)]


@pytest.mark.parametrize(("rules", "ships"), [("history", [6, 3]), ("source", [5, 4])])
def test_r_58_blank_ships_are_divided_as_the_men_and_evenly_by_the_source(rules: str, ships: list[int]) -> None:
    own = army(size=1_000, ships=9, flanks=ordered((700, None, None, None), (300, None, None, None)))
    numbers = tables().having((Setting(name=RULES, value=rules),))

    assert [plan.ships for plan in flank_table(war(own), 0, numbers)] == ships


def test_r_58_blank_ships_are_those_that_typed_ones_leave() -> None:
    own = army(
        size=1_000, ships=9, flanks=ordered((600, None, None, 2), (300, None, None, None), (100, None, None, None))
    )

    assert [plan.ships for plan in flank_table(war(own), 0, tables())] == [2, 5, 2]
    assert message(own) == "Good (1000/1000)"


def test_md_06_r_91_the_row_of_barges_may_be_typed_and_is_checked() -> None:
    """1,000 men need 20 Barges of 50."""
    own = army(size=1_000, flanks=ordered((500, None, None, 15), (500, None, None, 5)))

    assert [plan.ships for plan in flank_table(war(own), 0, tables())] == [15, 5]
    assert message(own) == "Good (1000/1000)"
    assert message(replace(own, flanks=ordered((1_000, None, None, 22)))) == "Invalid Navy (22/20)"


def test_r_34_the_source_warns_of_unequal_numbers_of_flanks() -> None:
    own = army(
        size=150, flanks=ordered((60, None, None, None), (60, None, None, None), (30, None, None, None), (0, 0, 0, 0))
    )

    warnings = strategy_message(war(own), 0, tables()).warnings

    assert strategy_message(war(own), 0, tables()).flanks == 4
    assert warnings[0] == "4 flanks against 3: the side with more hits harder with the same men. [R-34]"
    assert warnings[1:] == ("Flanks without men, which are Inactive: 4. [STRAT-05]",)
    alone = strategy_message(war(army(size=150, flanks=ordered((150, None, None, None)))), 0, tables())
    assert alone.warnings == ("1 flank against 3: the side with more hits harder with the same men. [R-34]",)


def test_map_01_a_place_off_the_map_is_a_problem_at_its_cell() -> None:
    own = army(flanks=(FlankOrder(x=400, y=10), FlankOrder(x=3, y=-1)))

    found = strategy_message(war(own), 0, tables()).problems

    assert [(problem.kind, problem.value, problem.flank) for problem in found] == [("X", 400, 0), ("Y", -1, 1)]


def test_a_half_typed_place_takes_the_other_coordinate_from_the_default() -> None:
    """FLR-04, FLR-05."""
    plans = flank_table(war(army(flanks=[FlankOrder(x=7), FlankOrder(y=8)])), 0, tables())

    assert [(plan.x, plan.y) for plan in plans] == [(7, 182), (200, 8)]


def test_blank_places_take_default_places_in_turn() -> None:
    plans = flank_table(war(army(flanks=[FlankOrder()] * 4)), 0, tables())

    assert [(plan.label, plan.x, plan.y) for plan in plans] == [
        ("1", 190, 182),
        ("2", 200, 182),
        ("3", 210, 182),
        ("4", 200, 170),
    ]


def test_r_112_ships_take_part_if_typed_or_near_water() -> None:
    """An army of a plain has none, however many would carry it (MD-05)."""
    own, rows = army(size=300), ordered((300, None, None, 2))
    assert ships_present(war(own), 0, tables()) == 0
    assert [plan.ships for plan in flank_table(war(own), 0, tables())] == [0, 0, 0]
    assert ships_present(war(own, ground=terrain("Water")), 0, tables()) == ship_number(own) > 0
    assert ships_present(war(army(ships=7)), 0, tables()) == 7
    assert ships_present(war(replace(own, flanks=rows)), 0, tables()) == ship_number(own)
    assert ships_present(war(fleet()), 0, tables()) == 30, "crews cannot do without theirs"
    ocean = replace(tables().defaults.location, climate="Ocean")
    assert ships_present(war(own, location=ocean), 0, tables()) == ship_number(own)


def test_map_06_places_are_metres_to_the_centre_of_the_pixel() -> None:
    battle, _ = deploy_war(war(army(flanks=(FlankOrder(x=0, y=399),))))

    assert (battle.x_m[0], battle.y_m[0]) == (125.0, 99_875.0)
    assert (pixels_of(battle.x_m[0], 250.0), pixels_of(battle.y_m[0], 250.0)) == (0, 399)


@given(inputs=wars())
def test_r_38_every_valid_war_deploys_the_whole_military(inputs: WarInputs) -> None:
    """Invariant 18, and a default split is always valid."""
    for side in (0, 1):
        own = inputs.attacker if side == 0 else inputs.defender
        blank = war(replace(own, flanks=()), ground=inputs.terrain)
        for deployed, number in ((inputs, side), (blank, 0)):
            plans = flank_table(deployed, number, tables())
            assert abs(sum(plan.men for plan in plans) - men_in_slots(own)) <= tables().strategy.size_tolerance_men
            assert sum(plan.ships for plan in plans) == ships_present(deployed, number, tables())
