"""Room before an enemy, and flanks that are one body (R-115)."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis.strategies import integers, sampled_from

from engine.autoalgo.battle.attack import apply_losses
from engine.autoalgo.battle.decision import ATTACK, decide
from engine.autoalgo.battle.events import PANIC
from engine.autoalgo.battle.frontage import room, share_fronts
from engine.autoalgo.battle.state import READY, RETREATING
from engine.autoalgo.constants import Strat04
from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.inputs import FlankOrder
from engine.autoalgo.resolve import Autoalgo
from engine.rng import Rng
from scripts.support.pinned_tables import shipped_tables
from scripts.support.small_battles import Field, army, field_of, line, terrain, war, with_numbers
from tests.helpers import machine_code
from tests.helpers.example_budget import spread

FRONT = {"reserve": 0.2, "pixels": 1.0}


@pytest.mark.parametrize(
    ("width", "pressing", "share"), [(0.5, 0.25, 1.0), (0.5, 0.5, 1.0), (0.25, 1.0, 0.4), (1.0, 1.0, 1.0)]
)
def test_r_115_flanks_without_room_strike_with_a_fifth(width: float, pressing: float, share: float) -> None:
    assert room(width, pressing, 0.2) == pytest.approx(share)
    assert room(width, pressing, 1.0) == 1.0


def fronts(attackers: int, defenders: int, apart: float, reach_m: float | None = None, **numbers: float) -> Field:
    """Return the first decisions of flanks on one pixel before others that stand so many pixels apart."""
    own = army("A", 12_000, flanks=line(*["Normal"] * attackers, y=200, apart=0))
    field = field_of(war(own, army("B", 12_000, flanks=line(*["Normal"] * defenders, y=200, apart=apart))))
    field.battle.status[:] = READY
    field = with_numbers(field, "r_115", **(FRONT | numbers))
    if reach_m is not None:
        field.tunables.traits.reach_m[:] = reach_m
    decide(field.battle, field.orders, field.tunables, field.draws, 1)
    return field


@pytest.mark.parametrize("attackers", [4, 12])
def test_r_115_flanks_on_one_spot_share_one_front(attackers: int) -> None:
    """All go for the first of three: a third of the front for a whole army. All three have room before them."""
    front = fronts(attackers, 3, apart=10).orders.front.tolist()

    assert front[:attackers] == pytest.approx([(1 / 3 + 0.2 * 2 / 3)] * attackers)
    assert front[attackers:] == [1.0] * 3


def test_r_115_the_body_of_a_target_is_on_the_front() -> None:
    assert fronts(1, 4, apart=0.5, reach_m=0.0).orders.front[0] == pytest.approx(0.5 + 0.2 * 0.5)
    assert fronts(1, 4, apart=0.0, reach_m=0.0).orders.front[0] == 1.0
    assert fronts(1, 4, apart=1.0, reach_m=0.0).orders.front[0] == pytest.approx(0.25 + 0.2 * 0.75)


def test_r_115_all_whom_an_attacker_reaches_are_on_his_front() -> None:
    """Of four flanks 250 m apart he reaches one, two, three and all."""
    for count, reach_m in enumerate((249.0, 251.0, 501.0, 751.0), start=1):
        front = fronts(1, 4, apart=1.0, reach_m=reach_m).orders.front[0]

        assert front == pytest.approx(0.25 * count + 0.2 * (1 - 0.25 * count))


def test_r_115_enemies_that_reach_an_attacker_are_on_his_front() -> None:
    """He reaches nobody else; of four flanks 250 m apart one, two, three and all reach him."""
    for count, reach_m in enumerate((249.0, 251.0, 501.0, 751.0), start=1):
        field = fronts(1, 4, apart=1.0, reach_m=reach_m)
        field.tunables.traits.reach_m[0] = 0.0
        share_fronts(field.battle, field.orders, ATTACK, field.tunables)

        assert field.orders.front[0] == pytest.approx(0.25 * count + 0.2 * (1 - 0.25 * count))


@given(
    own=integers(1, 30),
    wing=integers(1, 15),
    others=integers(1, 15),
    twentieths=integers(1, 19),
    unit=sampled_from(["Hoplite", "Norman Knight", "Line infantry (flintlock)", "Breech-loader infantry"]),
    ground=sampled_from(["Plain", "High ground", "Forest"]),
)
def test_r_115_splitting_a_body_changes_no_front(
    own: int, wing: int, others: int, twentieths: int, unit: str, ground: str
) -> None:
    """A whole army on one spot strikes a share of the other: no number of flanks of any part changes the room."""
    share, men = twentieths / 20, 1_200_000
    near = [FlankOrder(x=200, y=202, infantry=round(share * men / wing))] * wing
    far = [FlankOrder(x=100, y=202, infantry=round((1 - share) * men / others))] * others
    types = (shipped_tables().units[unit], None, None)
    attacker = army("A", men, types=types, flanks=[FlankOrder(x=200, y=198)] * own)
    defender = army("B", sum(flank.infantry or 0 for flank in (*near, *far)), types=types, flanks=(*near, *far))
    field = field_of(war(attacker, defender, ground=terrain(ground)))
    field.battle.status[:] = READY
    for flank in range(own + wing):
        field.put(flank, 50_000.0, 50_000.0)
    field = with_numbers(field, "r_115", **FRONT)
    decide(field.battle, field.orders, field.tunables, field.draws, 1)

    assert field.orders.front[:own].tolist() == pytest.approx([share + 0.2 * (1 - share)] * own, rel=1e-3)
    assert field.orders.front[own:].tolist() == [1.0] * (wing + others)


def test_r_115_in_a_line_each_finds_room_before_his_own() -> None:
    sides = (army(name, 12_000, flanks=line(*["Normal"] * 3, y=200, apart=10)) for name in "AB")
    field = with_numbers(field_of(war(*sides)), "r_115", **FRONT)
    field.battle.status[:] = READY
    decide(field.battle, field.orders, field.tunables, field.draws, 1)

    assert set(field.orders.front.tolist()) == {1.0}


def test_r_115_the_source_has_no_front() -> None:
    assert set(fronts(12, 3, apart=10, reserve=1.0).orders.front.tolist()) == {1.0}


def body(apart: float, shaken: float) -> Field:
    """Break the first of four flanks of 250 men with 400 points of morale each, who flee below 100."""
    defender = army("B", 1_000, flanks=line(*["Normal"] * 4, y=201, apart=apart))
    field = with_numbers(field_of(war(army("A", flanks=line("Normal", y=200)), defender)), "r_115", **FRONT)
    field = with_numbers(with_numbers(field, "atk_07", retreating_below=0.25), "r_85", flanks=3)
    field.battle.status[:] = READY
    field.battle.morale[1:] = field.battle.morale_start[1:] = 400.0
    field.orders.target[0] = 1
    constants = field.tunables.constants
    field.tunables = field.tunables._replace(constants=constants._replace(strat_04=Strat04(1.0)))
    apply_losses(field.battle, field.orders, field.tunables, 0, 0, shaken, field.events, 1)
    return field


def test_r_115_panic_passes_through_a_body_until_a_flank_holds() -> None:
    """Of 850 points 300 make the first flee, 300 the second, and the third bears the other 250."""
    field = body(apart=0.0, shaken=850.0)

    assert field.battle.morale[1:].tolist() == [0.0, 0.0, 150.0, 400.0]
    assert [(event.flank, event.shaken) for event in field.drain() if event.kind == PANIC] == [(2, 250.0), (3, 250.0)]


def test_r_115_only_excess_panic_reaches_a_flank_farther_off() -> None:
    assert body(apart=10.0, shaken=850.0).battle.morale[1:].tolist() == [0.0, 0.0, 400.0, 400.0]
    assert body(apart=10.0, shaken=390.0).battle.morale[1:].tolist() == [10.0, 400.0, 400.0, 400.0]


def test_r_115_a_flank_that_holds_passes_no_panic_on() -> None:
    field = body(apart=0.0, shaken=299.0)

    assert field.battle.morale[1:].tolist() == [101.0, 400.0, 400.0, 400.0]
    assert RETREATING not in field.battle.status.tolist()


LAYOUTS = {
    "twelve on one pixel": [(0.0, 0.0)] * 12,
    "twelve beside the wing": [(-34.0, -5.0)] * 12,
    "twelve before the enemy": [(0.0, 30.0)] * 12,
    "99 on one pixel": [(0.0, 0.0)] * 99,
    "fifteen in a line": [(10.0 * place - 70.0, 0.0) for place in range(15)],
    "fifteen 500 m apart": [(2.0 * place - 14.0, 0.0) for place in range(15)],
    "fifteen 1 km apart": [(4.0 * place - 28.0, 0.0) for place in range(15)],
    "thirty 1 km apart": [(4.0 * place - 58.0, 0.0) for place in range(30)],
    "thirty in a line": [(10.0 * place - 145.0, 0.0) for place in range(30)],
}
"""Flanks by their places: pixels to the east of the middle, and toward the enemy from the default line."""


@cache
def odds(layout: str, unit: str, maneuver: str, side: int) -> float:
    """Return the share of battles that a layout wins against as many men in three flanks."""
    numbers = shipped_tables()
    toward, y = ((1, 182), (-1, 218))[side]
    places = [FlankOrder(x=200 + aside, y=y + toward * ahead, maneuver=maneuver) for aside, ahead in LAYOUTS[layout]]
    types = (numbers.units[unit], None, None)
    sides = [army("A", 10_000, types=types, flanks=tuple(places)), army("B", 10_000, types=types)]
    inputs = war(*(sides if side == 0 else reversed(sides)))
    ends = Battlefield.of(inputs, numbers, 7).fight(0, 200, machine_code.kernel()).ends
    return float((ends.winner == side).mean())


UNITS = ("Line infantry (flintlock)", "Hoplite", "Breech-loader infantry")


@pytest.mark.parametrize(("layout", "maneuver", "unit"), spread(product(LAYOUTS, ("Normal", "Position"), UNITS), 2))
def test_r_115_no_layout_dominates(layout: str, maneuver: str, unit: str) -> None:
    """The mean of both sides: twelve on one pixel had won .70 with muskets.

    A sample has each layout, and each unit with both maneuvers.
    """
    assert sum(odds(layout, unit, maneuver, side) for side in (0, 1)) / 2 <= 0.6


@pytest.mark.parametrize("unit", UNITS)
def test_r_81_flanks_of_a_line_on_position_are_one_body(unit: str) -> None:
    """Fifteen flanks of rifles, 500 m apart, had won .62, since a blow met a fifteenth of the front."""
    assert sum(odds("fifteen 500 m apart", unit, "Position", side) for side in (0, 1)) / 2 <= 0.56


@pytest.mark.parametrize("layout", ["fifteen 1 km apart", "thirty 1 km apart"])
@pytest.mark.parametrize("unit", UNITS)
def test_r_115_small_flanks_about_a_large_one_find_no_more_room_than_it(unit: str, layout: str) -> None:
    """Rifles in thirty flanks had won .60: all struck a large one, which had room before one of those it reached."""
    assert sum(odds(layout, unit, "Normal", side) for side in (0, 1)) / 2 <= 0.56


@pytest.mark.parametrize("unit", ["Hoplite", "Breech-loader infantry"])
@pytest.mark.parametrize("layout", ["fifteen in a line", "thirty in a line"])
def test_r_115_a_wide_line_costs_nothing(layout: str, unit: str) -> None:
    """Thirty even flanks had won .17 to .26."""
    assert sum(odds(layout, unit, "Normal", side) for side in (0, 1)) / 2 >= 0.42


@pytest.mark.parametrize(
    ("archer", "swords", "most"), [("Longbowman", 24_489, 0.2), ("Mongol horse archer", 18_228, 0.3)]
)
def test_r_115_swords_find_room_before_many_flanks_of_archers(archer: str, swords: int, most: float) -> None:
    """Eighteen flanks of archers had won .23 and .33 more than three, since each blow found an eighteenth (R-88)."""
    numbers = shipped_tables()
    unit = numbers.units[archer]
    is_mounted = archer != "Longbowman"
    own, shares = ((None, unit, None), (0.0, 1.0, 0.0)) if is_mounted else ((unit, None, None), (1.0, 0.0, 0.0))
    enemy = army("B", swords, types=(numbers.units["Huscarl"], None, None))
    won = []
    for count in (3, 18):
        places = [200 + (10 if count == 3 else 5) * (place - (count - 1) / 2) for place in range(count)]
        flanks = [FlankOrder(x=x, y=182, maneuver="Normal") for x in places]
        inputs = war(army("A", 10_000, types=own, shares=shares, flanks=flanks), enemy)
        ends = Battlefield.of(inputs, numbers, 7).fight(0, 1_000, machine_code.kernel()).ends
        won.append(float((ends.winner == 0).mean()))

    assert won[1] - won[0] < most


def test_r_115_the_log_reports_the_front_and_passed_panic() -> None:
    numbers = shipped_tables()
    types = (numbers.units["Hoplite"], None, None)
    heap = army("A", 10_000, types=types, flanks=line(*["Normal"] * 12, y=182, apart=0))
    outcome = Autoalgo(numbers).resolve(war(heap, army("B", 10_000, types=types)), Rng(1))
    lines = [term.line() for event in outcome.events for term in event.calculations()]

    assert any("front 0." in told and "R-115" in told for told in lines)
    assert any(told.startswith("morale taken beyond") and "kept" in told for told in lines)
