"""Sieges under `history`: food, breach, terms, storm, sally, relief and their luck (R-100, R-101)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from siege_grid import (
    CERTAIN_MOST,
    DAYS,
    LOSSES,
    ODDS,
    WORKS,
    Course,
    Fort,
    changes,
    course_of,
    is_certain,
    random_forts,
    steps_of,
)

from engine.autoalgo.battle import events as kinds
from engine.autoalgo.battle.draw_ids import SIEGE_FIGHT, SIEGE_MIND
from engine.autoalgo.battle.siege import besiege, take_works
from engine.autoalgo.battle.state import (
    ATTACKER,
    DEFENDER,
    INACTIVE,
    MANEUVERS,
    POSITION,
    ROUTED,
    WINNER,
    Country,
)
from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.inputs import FlankOrder, Relief, WarInputs
from engine.autoalgo.records import Leader, Unit
from engine.autoalgo.setup.deploy import breach_rate_of, deploy
from engine.autoalgo.setup.strategy import flank_table
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import side_variables
from engine.rule import traced_call
from scripts.support.pinned_tables import shipped_tables, tables
from scripts.support.small_battles import (
    FEATURES,
    GALLEY,
    SOLDIER,
    Field,
    army,
    field_of,
    ground_of_codes,
    line,
    terrain,
    unit,
    war,
    with_numbers,
)
from tests.helpers import machine_code

GUN = unit(name="Gun", power=(1.2, 1.2, 0.0), long_range=1_000.0)
HOPLITE = shipped_tables().units["Hoplite"]
PLACE = tables().defaults.location
CASTLE = replace(PLACE, fortifications="Castle")


def besieged(
    besiegers: int = 12_000,
    garrison: int = 3_000,
    maneuvers: tuple[str, str] = ("Normal", "Position"),
    feature: str = "Plain",
    flanks: int = 1,
    relief: Relief | None = None,
    **place: Any,
) -> Field:
    """Return a castle of 3,000 on a plain before 12,000, one flank each, with 600 of them at the guns."""
    own = army("A", besiegers, types=(SOLDIER, None, GUN), shares=(0.95, 0.0, 0.05), flanks=line(maneuvers[0], y=182))
    other = army("B", garrison, flanks=line(*[maneuvers[1]] * flanks, y=218))
    inputs = war(own, other, location=replace(CASTLE, **place), ground=terrain(feature))
    field = field_of(replace(inputs, relief=relief))
    field = with_numbers(field, "r_100", **NUMBERS.r_100._asdict())
    field.draws[:] = 0.5
    return with_numbers(field, "r_99", hours=12, carried=3, country=1)


NUMBERS = shipped_tables().constants


def sits(field: Field, hour: int = 1) -> bool:
    return besiege(field.battle, field.tunables, field.draws, field.events, hour)


def day(field: Field, **draws: float) -> list[int]:
    """Return what happens on the second day of a siege, with some draws as asked; the others decide nothing."""
    sits(field)
    field.drain()
    for name, value in draws.items():
        purpose = SIEGE_FIGHT if name.endswith("fight") else SIEGE_MIND
        field.draws[purpose, ATTACKER if name.startswith("besieger") else DEFENDER] = value
    assert sits(field, 24)
    return told(field)


def told(field: Field) -> list[int]:
    return [event.kind for event in field.drain()]


@pytest.mark.parametrize(
    ("maneuvers", "garrison", "place", "is_besieged"),
    [
        (("Normal", "Position"), 3_000, {}, True),
        (("Position", "Position"), 3_000, {}, True),
        (("Normal", "Normal"), 3_000, {}, True),
        (("Normal", "Normal"), 18_000, {}, True),
        (("Normal", "Hit and run"), 3_000, {}, False),
        (("Storm", "Position"), 3_000, {}, False),
        (("Normal", "Position"), 3_000, {"fortifications": "none"}, False),
    ],
)
def test_r_100_a_garrison_on_a_plain_is_besieged(
    maneuvers: tuple[str, str], garrison: int, place: dict[str, object], is_besieged: bool
) -> None:
    field = besieged(garrison=garrison, maneuvers=maneuvers, **place)

    assert sits(field) == is_besieged
    assert told(field) == [kinds.SIEGE] * is_besieged
    if is_besieged:
        assert field.battle.maneuver[1] == POSITION


@pytest.mark.parametrize("order", ["Hit and run", "Pillaging", "Feigned Retreat", "Ambush"])
@pytest.mark.parametrize("outside", [1, 299, 300, 1_500, 2_999])
def test_r_100_a_garrison_is_besieged_by_the_share_of_it_inside(order: str, outside: int) -> None:
    def sits_by(draw: float) -> bool:
        field = besieged(flanks=2)
        field.battle.men[1:] = 3_000 - outside, outside
        field.battle.maneuver[2] = MANEUVERS.index(order)
        field.draws[SIEGE_MIND, ATTACKER] = draw
        return sits(field)

    chance = 1.0 - outside / 3_000
    assert sits_by(chance - 1e-9)
    assert not sits_by(chance + 1e-9)


def test_r_100_a_siege_begins_later_once_nobody_is_outside() -> None:
    field = besieged(flanks=2)
    field.battle.maneuver[2] = MANEUVERS.index("Hit and run")
    field.battle.men[1:] = 2_999, 1
    field.draws[SIEGE_MIND, ATTACKER] = 0.99999

    assert not sits(field)
    field.draws[SIEGE_MIND, ATTACKER] = 0.0
    assert not sits(field, 2)
    field.battle.status[2] = ROUTED
    assert sits(field, 3)


@pytest.mark.parametrize("stormers", [0, 1, 3_000, 11_999, 12_000])
def test_r_100_works_are_attacked_at_once_by_the_share_on_storm(stormers: int) -> None:
    def sits_by(draw: float, hour: int = 1) -> bool:
        rows = [FlankOrder(x=200, y=182, maneuver="Position", infantry=12_000 - stormers)] * (stormers < 12_000)
        rows += [FlankOrder(x=210, y=182, maneuver="Storm", infantry=stormers)] * (stormers > 0)
        field = field_of(war(army("A", 12_000, flanks=rows), army("B", 3_000), location=CASTLE))
        field = with_numbers(field, "r_100", **NUMBERS.r_100._asdict())
        field.draws[SIEGE_MIND, ATTACKER] = draw
        first = sits(field)
        return sits(field, 2) if hour == 2 else first

    chance = 1.0 - stormers / 12_000
    if chance > 0.0:
        assert sits_by(chance - 1e-9)
        assert sits_by(chance - 1e-9, 2)
    if chance < 1.0:
        assert not sits_by(chance + 1e-9)
        assert not sits_by(chance + 1e-9, 2)


@pytest.mark.parametrize("rest", ["Normal", "Position"])
def test_r_100_one_man_on_storm_does_not_decide_a_siege(rest: str) -> None:
    """His order made an army on Position attack with one man, which won 0 of 100 sieges."""
    rows = [FlankOrder(x=200, y=182, maneuver=rest, infantry=9_999)]
    rows += [FlankOrder(x=210, y=182, maneuver="Storm", infantry=1)]
    one, none = (
        outcome(war(army("A", 10_000, flanks=flanks), army("B", 4_000), location=CASTLE), 400)
        for flanks in (rows, line(rest, y=182))
    )
    assert one[0] == pytest.approx(none[0], abs=0.03)
    assert one[1] == pytest.approx(none[1], rel=0.05)


def test_r_100_a_hundredth_more_of_a_garrison_outside_moves_the_odds_by_little() -> None:
    """30,000 before 4,000 won .54 of the sieges with 9.9 % outside, and .72 with 12 %."""

    def wins(outside: int) -> float:
        orders = (("Position", 4_000 - outside), ("Hit and run", outside))
        rows = [
            FlankOrder(x=200 + 10 * i, y=218, maneuver=order, infantry=men) for i, (order, men) in enumerate(orders)
        ]
        return outcome(war(army("A", 30_000), army("B", 4_000, flanks=rows), location=CASTLE), 1_000)[0]

    odds = [wins(outside) for outside in (1, 360, 396, 404, 480, 800)]
    assert max(abs(more - less) for less, more in pairwise(odds)) <= 0.04


def test_r_100_there_are_no_sieges_on_the_open_sea() -> None:
    assert not sits(besieged(feature="Water"))
    assert {plan.maneuver for plan in flank_table(siege_war(feature="Water"), 1, shipped_tables())} == {"Normal"}
    assert {plan.maneuver for plan in flank_table(siege_war(), 1, shipped_tables())} == {"Position"}


def test_r_100_a_siege_is_decided_at_the_end_of_a_day() -> None:
    field = besieged()
    sits(field)
    field.drain()
    field.draws[SIEGE_MIND] = 0.0

    assert [told(field) for hour in range(2, 12) if sits(field, hour)] == [[]] * 10
    assert sits(field, 12)
    assert told(field) != []


@pytest.mark.parametrize(
    ("draws", "happens", "winner"),
    [
        ({"besieger": 0.0, "besieger_fight": 0.0}, [kinds.STORM, kinds.FELL, kinds.FELL, kinds.TAKEN], -1),
        ({"besieger": 0.0, "besieger_fight": 0.9999}, [kinds.STORM, kinds.FELL, kinds.FELL, kinds.REPULSED], -1),
        ({"garrison": 0.0}, [kinds.TERMS_MADE], -1),
        (
            {"garrison": 0.9999999, "garrison_fight": 0.9999999},
            [kinds.SALLY, kinds.FELL_IN_SALLY, kinds.FELL_IN_SALLY],
            DEFENDER,
        ),
        ({"garrison": 0.9999999, "garrison_fight": 0.0}, [kinds.SALLY, *[kinds.FELL_IN_SALLY] * 2, kinds.REPULSED], -1),
        ({"besieger": 0.9999999}, [kinds.RELIEVED], DEFENDER),
        ({"besieger": 0.99985}, [kinds.LIFTED], DEFENDER),
        ({}, [], -1),
    ],
)
def test_r_100_the_day_s_luck_decides_the_event(draws: dict[str, float], happens: list[int], winner: int) -> None:
    field = besieged()
    field.battle.breach[0] = 1.5

    assert day(field, **draws) == happens
    assert field.battle.tally[WINNER] == winner


RELIEF_FIGHT = (kinds.RELIEF, kinds.FELL_TO_RELIEF, kinds.RELIEF_FELL)


@pytest.mark.parametrize(
    ("men", "mind", "happens", "winner"),
    [
        (6_000, 0.99, [*RELIEF_FIGHT, kinds.RELIEVED], DEFENDER),
        (6_000, 0.5, [*RELIEF_FIGHT, kinds.REPULSED], -1),
        (1_000_000, 0.5, [*RELIEF_FIGHT, kinds.RELIEVED], DEFENDER),
        (0, 0.5, [], -1),
    ],
)
def test_war_19_a_relief_comes_on_its_day_and_lifts_the_siege_or_is_beaten(
    men: int, mind: float, happens: list[int], winner: int
) -> None:
    field = besieged(relief=Relief(men=men, day=2))

    assert day(field, besieger=mind) == happens
    assert field.battle.tally[WINNER] == winner
    assert sits(field, 36)
    assert kinds.RELIEF not in told(field)


def test_war_19_both_armies_lose_men_when_a_relief_comes() -> None:
    field = besieged(relief=Relief(men=6_000, day=2))
    sits(field)
    field.drain()
    sits(field, 24)
    _, besiegers, relief, _ = field.drain()

    assert besiegers.amount == round(12_000 * 0.8 * 1 / 3 / (1 + 0.8 * 1 / 3))
    assert relief.amount == round(6_000 * 0.8 * 2 / 3 / (1 + 0.8 * 2 / 3))
    assert field.battle.men.tolist() == [12_000 - besiegers.amount, 3_000]


@pytest.mark.parametrize("siege", [0, 10])
@pytest.mark.parametrize("garrison", [100, 3_000, 12_000])
def test_war_19_an_equal_relief_has_even_chances_before_any_commander(siege: int, garrison: int) -> None:
    inputs = siege_war(12_000, garrison, feature="High ground")
    led = replace(inputs.attacker, military_leader=Leader(name="L", nation=("A",), siege=siege))
    inputs = replace(inputs, attacker=led, relief=Relief(men=12_000, day=1))
    ends = Battlefield.of(inputs, shipped_tables(), 7).fight(0, 1_000, machine_code.kernel()).ends

    assert ((ends.winner == DEFENDER) & (ends.hours == 12)).mean() == pytest.approx(0.5, abs=0.05)


def test_war_19_more_relief_holds_better_and_none_is_less_than_chance() -> None:
    def odds(relief: Relief | None) -> float:
        return outcome(replace(siege_war(9_000), relief=relief), 1_000)[0]

    by_size = [odds(Relief(men=men, day=20)) for men in (0, 10, 1_000, 9_000, 100_000)]

    assert odds(None) < by_size[0]
    assert sorted(by_size, reverse=True) == by_size
    assert by_size[0] - by_size[1] < 0.02
    assert by_size[-1] < 0.1 < by_size[0]


def test_r_100_a_storm_costs_both_sides_and_captures_the_garrison() -> None:
    field = besieged()
    day(field, besieger=0.0, besieger_fight=0.0)
    killed, captured = field.battle.killed.tolist(), field.battle.captured.tolist()

    assert killed[0] == round(12_000 * 0.16 / 1.16, 0)  # 0.8 · 3,000 ÷ 15,000
    assert 0 < killed[1] < 3_000 * 0.64 / 1.64  # walls
    assert captured == [0, 3_000 - killed[1]]


@pytest.mark.parametrize(("food", "captured"), [(12.0 * 1_000, 1_501), (0.0, 2_940)])
def test_r_100_a_garrison_with_food_marches_out_a_starving_one_is_captured(food: float, captured: int) -> None:
    field = besieged()
    sits(field)
    field.battle.stores[DEFENDER] = food
    field.battle.breach[0] = 3.0
    day(field, garrison=0.0)

    assert field.battle.captured[1] == captured  # (1 + 0.96) ÷ 2 of them in full want: a 25th comes in
    assert field.battle.men[1] == 3_000 - captured
    assert field.battle.status[1] == INACTIVE


def test_r_100_a_side_eats_its_stores_if_supplies_fail() -> None:
    field = besieged()
    sits(field)
    field.battle.stores[DEFENDER] = 24.0
    sits(field, 12)

    assert field.battle.stores[DEFENDER] == pytest.approx(24 - 12 * (1 - 0.2**2))
    sits(field, 24)
    sits(field, 36)
    assert field.battle.stores[DEFENDER] == 0.0
    assert [kind for kind in told(field) if kind == kinds.STORES_OUT] == [kinds.STORES_OUT]


@pytest.mark.parametrize(
    ("columns", "own_ships", "share"), [(0, 0, 0.0), (100, 0, 0.5), (400, 0, 0.0), (100, 20, 0.25)]
)
def test_r_100_food_by_ship_depends_on_water_and_both_fleets(columns: int, own_ships: int, share: float) -> None:
    """20 galleys of 150 berths: by the root of the share of Water, and half as much before as many others."""
    codes = terrain().codes.copy()
    codes[:, 400 - columns :] = FEATURES["Water"]
    own, other = army("A", ship=GALLEY, ships=own_ships), army("B", 3_000, ship=GALLEY, ships=20)
    country = country_of(war(own, other, location=CASTLE, ground=ground_of_codes(codes)))

    if columns < 400:
        assert country.berths == pytest.approx(share * 3_000)
    else:
        assert country.is_fortified == 0


@pytest.mark.parametrize("besiegers", [3_000, 200_000, 15_000_000])
def test_r_100_besiegers_whom_nothing_feeds_storm_or_leave_within_days(besiegers: int) -> None:
    inputs = siege_war(besiegers, besiegers // 10, works="Palisade", climate="Arctic")
    starving = replace(inputs, location=replace(inputs.location, attrition="Radiation"))

    assert outcome(starving, 200)[1] / 12 < 8


@pytest.mark.parametrize(("besiegers", "garrison"), [(1, 10_000), (20, 100_000), (1, 15_000_000)])
def test_r_100_a_garrison_soon_drives_a_handful_away(besiegers: int, garrison: int) -> None:
    odds, hours = outcome(siege_war(besiegers, garrison, guns=0), 200)

    assert odds == 0.0
    assert hours / 12 < 2


@pytest.mark.parametrize("hidden", [1, 299, 300, 600])
def test_r_118_a_hidden_garrison_is_besieged_after_its_ambush(hidden: int) -> None:
    flanks = (
        FlankOrder(x=200, y=218, infantry=3_000 - hidden, maneuver="Position"),
        FlankOrder(x=200, y=250, infantry=hidden, maneuver="Ambush"),
    )
    inputs = replace(siege_war(guns=0.05, feature="Forest"), defender=army("B", 3_000, flanks=flanks))
    ends = Battlefield.of(inputs, shipped_tables(), 7).fight(0, 40, machine_code.kernel()).ends

    assert (ends.siege_begun > 0).all()


@pytest.mark.parametrize(
    ("besiegers", "garrison", "climate"), [(40_000, 1_000, "Temperate"), (900, 20, "Temperate"), (45, 1, "Temperate")]
)
def test_r_100_a_horde_usually_captures_a_handful(besiegers: int, garrison: int, climate: str) -> None:
    sides = (army(name, men, types=(HOPLITE, None, None)) for name, men in (("A", besiegers), ("B", garrison)))
    place = replace(PLACE, fortifications="Palisade", climate=climate)

    assert outcome(war(*sides, location=place), 200)[0] > 0.75


@pytest.mark.parametrize(("winner", "captured"), [(ATTACKER, 1_000), (DEFENDER, 0)])
def test_r_100_a_garrison_beaten_in_its_works_is_captured(winner: int, captured: int) -> None:
    field = besieged()
    field.battle.men[1], field.battle.status[1], field.battle.tally[WINNER] = 1_000, ROUTED, winner
    take_works(field.battle, field.tunables, field.events, 9)

    assert field.battle.captured[1] == captured


def test_r_100_camps_suffer_more_than_towns() -> None:
    ends = Battlefield.of(siege_war(guns=0.0), shipped_tables(), 7).fight(0, 400, machine_code.kernel()).ends
    short = ends.hours <= 24 * 12
    died = ends.died[short].sum(axis=0) / np.array([12_000, 3_000])

    assert short.sum() >= 20
    assert died[0] > 1.5 * died[1]


PIKE = unit(name="Pike", power=(0.0, 2.2, 2.2), long_range=6.0, medium_range=6.0)


@pytest.mark.parametrize(("artillery", "opens"), [(None, False), (PIKE, False), (GUN, True)])
def test_r_101_only_ranged_weapons_open_a_breach(artillery: Unit | None, opens: bool) -> None:
    shares = (0.9, 0.0, 0.1) if artillery else (1.0, 0.0, 0.0)
    inputs = war(army("A", types=(SOLDIER, None, artillery), shares=shares), army("B"), location=CASTLE)

    variables = [side_variables(inputs, side, shipped_tables()) for side in (0, 1)]
    rate = breach_rate_of(inputs, variables, shipped_tables())
    assert (rate > 0.0) == opens
    assert float(traced_call(breach_rate_of, inputs, variables, shipped_tables())[0]) == rate  # as the log explains it


def siege_war(
    besiegers: int = 12_000,
    garrison: int = 3_000,
    *,
    guns: float = 0.02,
    power: float = 1.2,
    works: str = "Castle",
    residents: int = 0,
    order: str = "",
    stand: str = "",
    climate: str = "Temperate",
    feature: str = "Plain",
) -> WarInputs:
    """Return a siege with default flanks on both sides, or an order for all of the attacker's."""
    gun = replace(GUN, power=(power, power, 0.0))
    types, shares = (SOLDIER, None, gun if guns else None), (1 - guns, 0.0, guns)
    own = army("A", besiegers, types=types, shares=shares, flanks=line(*[order] * 3, y=182) if order else ())
    other = army("B", garrison, flanks=line(*[stand] * 3, y=218) if stand else ())
    place = replace(PLACE, fortifications=works, local_population=residents, climate=climate)
    return war(own, other, location=place, ground=terrain(feature))


def outcome(inputs: WarInputs, runs: int = 40) -> tuple[float, float]:
    """Return the share of sieges that the attacker wins, and the mean of their hours."""
    ends = Battlefield.of(inputs, shipped_tables(), 7).fight(0, runs, machine_code.kernel()).ends
    return float((ends.winner == 0).mean()), float(ends.hours.mean())


@pytest.mark.parametrize("order", ["", "Position"])
@pytest.mark.parametrize("works", ["Castle", "Star Fort"])
def test_r_100_twenty_men_take_no_fortress_from_a_hundred_thousand(works: str, order: str) -> None:
    assert outcome(siege_war(20, 100_000, guns=0.1, works=works, order=order, feature="High ground"))[0] == 0.0


@pytest.mark.parametrize("works", ["Castle", "Star Fort"])
def test_r_100_twenty_men_keep_no_fortress_from_a_hundred_thousand_without_guns(works: str) -> None:
    assert outcome(siege_war(100_000, 20, guns=0, works=works))[0] > 0.95


def test_r_100_a_commander_counts_where_he_is_better_than_a_captain() -> None:
    """One without a typed Siege is as good as none; the best multiplies the odds by five."""
    inputs = siege_war(9_000, 3_000, guns=0)  # whose breach rate his Siege raises besides (LEAD-B3)

    def odds(siege: float | None) -> float:
        leader = None if siege is None else Leader(name="L", nation=("A",), siege=siege)
        return outcome(replace(inputs, attacker=replace(inputs.attacker, military_leader=leader)), runs=1_000)[0]

    assert odds(None) == odds(0) == odds(5)
    assert odds(5) < odds(7) < odds(10)


def test_r_100_some_sieges_last_longer_than_a_battle_may() -> None:
    """No battle lasts longer than 1,200 hours (R-13)."""
    ends = Battlefield.of(siege_war(6_000), shipped_tables(), 7).fight(0, 200, machine_code.kernel()).ends

    assert 0.05 < (ends.hours > 1_200).mean() < 0.6


@pytest.mark.parametrize("garrison", [1_000, 3_000, 7_000, 20_000])
@pytest.mark.parametrize("works", ["Palisade", "Castle", "Star Fort"])
def test_r_100_synonymous_maneuvers_give_equal_sieges(works: str, garrison: int) -> None:
    """The attacker's maneuvers, and a defender who stands or waits: rows with them are three flanks as without."""
    odds = [
        outcome(siege_war(garrison=garrison, works=works, order=order, stand=stand), 200)[0]
        for order, stand in (("Normal", "Position"), ("Position", "Position"), ("Normal", "Normal"))
    ]

    assert max(odds) - min(odds) <= 0.05


# Laws


FEW = [Fort(besiegers=men * 1.0, garrison=4_000, works=works, guns=guns) for men, works, guns in (
    (3_000, "Palisade", 0.02), (5_000, "Castle", 0.0), (9_000, "Star Fort", 0.05), (16_000, "Curtain Walls", 0.02),
    (40_000, "Castle", 0.01), (120_000, "Bastion Fort", 0.02))]  # fmt: skip


@cache
def course(fort: Fort) -> Course:
    return course_of(fort, BATTLES, machine_code.kernel())


BATTLES = 3_000
NOISE = 3 * math.sqrt(0.25 / BATTLES)
"""Three standard errors of odds of one half by so many sieges, the luck of which is common."""


@pytest.mark.parametrize("fort", [*FEW, Fort(12_000, 4_000, garrison_ships=5), Fort(12_000, 4_000, residents=60_000)])
def test_r_100_a_change_of_5_percent_has_a_small_effect(fort: Fort) -> None:
    for name, stepped in steps_of(fort):
        odds, days, losses = changes(course(fort), course(stepped))
        assert odds <= ODDS + NOISE / 2, name
        assert days <= DAYS, name
        assert losses <= LOSSES, name


@pytest.mark.parametrize(
    ("more", "sign"),
    [
        (lambda fort: replace(fort, besiegers=fort.besiegers * 1.5), 1),
        (lambda fort: replace(fort, guns=fort.guns * 2 + 0.01), 1),
        (lambda fort: replace(fort, besieger_ships=20, garrison_ships=20), -1),
        (lambda fort: replace(fort, garrison=fort.garrison * 1.5), -1),
        (lambda fort: replace(fort, works="Bunker"), -1),
        (lambda fort: replace(fort, ground="High ground"), -1),
    ],
)
def test_r_100_each_advantage_helps_its_own_side(more: Callable[[Fort], Fort], sign: int) -> None:
    """Within what the country feeds: half an army of 120,000 is hungry, and more of them are no help."""
    fed = [fort for fort in FEW if fort.besiegers <= 40_000]
    gains = [sign * (course(more(fort)).odds - course(fort).odds) for fort in fed]

    assert min(gains) >= -NOISE
    assert sum(gains) > 0.05


def test_r_100_thicker_works_hold_better_with_and_without_guns() -> None:
    for guns in (0.0, 0.02):
        odds = [course(Fort(16_000, 4_000, works, guns=guns)).odds for works in WORKS]

        assert all(thicker <= thinner + NOISE for thinner, thicker in pairwise(odds))
        assert odds[0] - odds[-1] > 0.2


def test_r_100_random_forts_rarely_have_a_certain_outcome() -> None:
    odds = [course_of(fort, 300, machine_code.kernel()).odds for fort in random_forts(100)]

    assert sum(map(is_certain, odds)) <= CERTAIN_MOST * 100


SETTINGS = [
    {"besiegers": besiegers, "garrison": garrison, "guns": guns, "works": works, "climate": climate}
    for besiegers, garrison, guns, works, climate in (
        (4_000, 1_500, 0.02, "Palisade", "Temperate"), (9_000, 3_000, 0.01, "Castle", "Arid"),
        (12_000, 3_000, 0.02, "Curtain Walls", "Temperate"), (20_000, 9_000, 0.04, "Bastion Fort", "Continental"),
        (30_000, 9_000, 0.02, "Star Fort", "Temperate"), (2_500, 1_000, 0.05, "Motte and Bailey", "Tropical"),
        (60_000, 20_000, 0.03, "Star Fort", "Continental"), (5_000, 400, 0.01, "Castle", "Temperate"),
        (15_000, 7_000, 0.0, "Curtain Walls", "Temperate"), (8_000, 5_000, 0.03, "Great Wall", "Continental"),
        (7_000, 700, 0.02, "Hillfort", "Arid"), (3_000, 2_500, 0.02, "Castle", "Temperate"),
        (40_000, 15_000, 0.01, "Bastion Fort", "Temperate"), (25_000, 5_000, 0.02, "Star Fort", "Arid"),
        (10_000, 4_000, 0.04, "Curtain Walls", "Continental"), (6_000, 2_000, 0.03, "Palisade", "Tropical"),
        (18_000, 6_000, 0.02, "Castle", "Continental"), (90_000, 30_000, 0.02, "Bunker", "Temperate"),
        (1_200, 300, 0.05, "Motte and Bailey", "Temperate"), (50_000, 12_000, 0.03, "Star Fort", "Temperate"),
    )
]  # fmt: skip
# Winter


@pytest.mark.parametrize(
    ("climate", "month", "share", "camp"),
    [
        ("Temperate", None, 1.0, 0.08),
        ("Temperate", "March", 1.0, 0.08),
        ("Temperate", "December", 0.7, 0.08 / 0.7),
        ("Continental", "February", 0.4, 0.2),
        ("Tropical", "January", 1.0, 0.11),
    ],
)
def test_r_114_winter_reduces_food_and_worsens_camps(
    climate: str, month: str | None, share: float, camp: float
) -> None:
    inputs = siege_war(climate=climate, residents=50_000)
    country, summer = (country_of(replace(inputs, month=own)) for own in (month, None))

    assert country.local_population[0] == pytest.approx(share * summer.local_population[0])
    assert country.camp == pytest.approx(camp)


def country_of(inputs: WarInputs, numbers: Tables | None = None) -> Country:
    numbers = numbers or shipped_tables()
    sides = side_variables(inputs, 0, numbers), side_variables(inputs, 1, numbers)
    return deploy(inputs, sides, numbers)[1].country


def test_r_114_a_siege_in_winter_costs_the_besieger_more() -> None:
    """In 20 settings: where the winter is hard more besiegers die, and where there is none nothing changes."""
    died: dict[str, list[float]] = {"July": [], "January": []}
    for own in SETTINGS:
        for month, found in died.items():
            inputs = replace(siege_war(**own), month=month)  # type: ignore[arg-type]
            ends = Battlefield.of(inputs, shipped_tables(), 7).fight(0, 30, machine_code.kernel()).ends
            found.append(float(ends.died[:, 0].mean()))
    hard = [own["climate"] in ("Temperate", "Continental") for own in SETTINGS]

    changes = [winter - summer for summer, winter in zip(died["July"], died["January"], strict=True)]
    assert [change for change, is_hard in zip(changes, hard, strict=True) if not is_hard and change] == []
    assert sum(change > 0 for change in changes) >= 10
