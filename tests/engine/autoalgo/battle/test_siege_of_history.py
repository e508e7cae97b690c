"""Sieges under `history`: lines, stores, breach, terms, storm and sally (R-83, R-100, R-101)."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from engine.autoalgo.battle import events as kinds
from engine.autoalgo.battle.siege import besiege, take_works
from engine.autoalgo.battle.state import (
    ATTACKER,
    DEFENDER,
    FOUGHT_OUT,
    INACTIVE,
    LINES_CLOSED,
    MANEUVERS,
    POSITION,
    ROUTED,
    WINNER,
    Country,
)
from engine.autoalgo.inputs import FlankOrder, WarInputs
from engine.autoalgo.records import Unit
from engine.autoalgo.series.replicates import Battlefield
from engine.autoalgo.setup.deploy import breach_rate_of, deploy
from engine.autoalgo.setup.source import RULES, SOURCE
from engine.autoalgo.setup.strategy import flank_table
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import side_variables
from engine.rng import Rng
from engine.rule import traced_call
from engine.settings import Setting
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
    **place: Any,
) -> Field:
    """Return a castle of 3,000 on a plain before 12,000, one flank each, with 600 of them at the guns."""
    own = army("A", besiegers, types=(SOLDIER, None, GUN), shares=(0.95, 0.0, 0.05), flanks=line(maneuvers[0], y=182))
    other = army("B", garrison, flanks=line(*[maneuvers[1]] * flanks, y=218))
    field = field_of(war(own, other, location=replace(CASTLE, **place), ground=terrain(feature)))
    numbers = {"applies": 1, "odds": 1.5, "storm": 5, "yields": 2.5, "escalade": 50}
    numbers |= {"outside": 0.1, "days": 36, "share": 0.33, "last": 96}
    field = with_numbers(with_numbers(field, "r_100", **numbers), "r_99", hours=12, carried=3, country=1)
    return with_numbers(field, "r_83", share=0.1, works=400)


def sits(field: Field, hour: int = 1) -> bool:
    return besiege(field.battle, field.tunables, field.events, hour)


def told(field: Field) -> list[int]:
    return [event.kind for event in field.drain()]


@pytest.mark.parametrize(
    ("maneuvers", "garrison", "place", "is_besieged"),
    [
        (("Normal", "Position"), 3_000, {}, True),
        (("Position", "Position"), 3_000, {}, True),
        (("Normal", "Normal"), 3_000, {}, True),
        (("Normal", "Normal"), 12_000, {}, False),
        (("Normal", "Position"), 12_000, {}, True),
        (("Normal", "Hit and run"), 3_000, {}, False),
        (("Storm", "Position"), 3_000, {}, False),
        (("Normal", "Position"), 3_000, {"fortifications": "none"}, False),
    ],
)
def test_r_100_who_does_not_come_out_of_his_works_is_besieged_on_a_plain(
    maneuvers: tuple[str, str], garrison: int, place: dict[str, object], is_besieged: bool
) -> None:
    field = besieged(garrison=garrison, maneuvers=maneuvers, **place)

    assert sits(field) == is_besieged
    assert told(field) == [kinds.SIEGE] * is_besieged
    if is_besieged:
        assert field.battle.maneuver[1] == POSITION


@pytest.mark.parametrize(("outside", "is_besieged"), [(1, True), (299, True), (300, False), (2_000, False)])
@pytest.mark.parametrize("order", ["Hit and run", "Pillaging", "Feigned Retreat", "Ambush"])
def test_r_100_less_than_a_tenth_of_a_garrison_outside_forbids_no_siege(
    outside: int, is_besieged: bool, order: str
) -> None:
    field = besieged(flanks=2)
    field.battle.men[1:] = 3_000 - outside, outside
    field.battle.maneuver[2] = MANEUVERS.index(order)

    assert sits(field) == is_besieged


@pytest.mark.parametrize(("besiegers", "storms"), [(9_999, False), (10_000, True)])
def test_r_100_who_has_fifty_times_the_garrison_storms_without_a_breach(besiegers: int, storms: bool) -> None:
    field = besieged(besiegers, garrison=200)

    assert sits(field) != storms
    assert told(field) == [kinds.SIEGE, *([kinds.STORM] if storms else [])]


def test_r_100_no_works_stand_on_the_open_sea() -> None:
    assert not sits(besieged(feature="Water"))
    assert {plan.maneuver for plan in flank_table(siege_war(feature="Water"), 1, shipped_tables())} == {"Normal"}
    assert {plan.maneuver for plan in flank_table(siege_war(), 1, shipped_tables())} == {"Position"}


@pytest.mark.parametrize(("garrison", "comes_out"), [(17_999, False), (18_000, True)])
def test_r_100_a_garrison_that_is_half_as_strong_again_comes_out(garrison: int, comes_out: bool) -> None:
    field = besieged(garrison=garrison)

    assert sits(field) != comes_out
    assert (kinds.SALLY in told(field)) == comes_out
    assert (field.battle.tally[FOUGHT_OUT] > 0) == comes_out
    assert not sits(field, 2) if comes_out else sits(field, 2)


@pytest.mark.parametrize(("besiegers", "closed"), [(3_287, 0), (3_288, 1)])
def test_r_83_the_lines_ask_for_as_many_as_the_garrison_and_more_for_the_works(besiegers: int, closed: int) -> None:
    field = besieged(besiegers)
    field.tunables = field.tunables._replace(country=field.tunables.country._replace(works=0.72))
    sits(field)

    assert field.battle.tally[LINES_CLOSED] == closed


def test_r_83_no_lines_on_land_close_a_harbour() -> None:
    field = besieged()
    field.tunables = field.tunables._replace(country=field.tunables.country._replace(is_fed_by_sea=1))
    sits(field)

    assert field.battle.tally[LINES_CLOSED] == 0


@pytest.mark.parametrize(("garrison", "is_fed"), [(3_000, 1), (3_001, 0)])
def test_r_83_a_fleet_feeds_a_garrison_for_whom_it_has_room_for_food(garrison: int, is_fed: int) -> None:
    """A galley has 150 berths, and each brings food for 20 men (R-18)."""
    assert is_fed_beside(100, garrison) == is_fed


@pytest.mark.parametrize(("columns", "is_fed"), [(10, 0), (39, 0), (40, 1), (300, 1)])
def test_r_83_a_fleet_feeds_no_garrison_on_a_river(columns: int, is_fed: int) -> None:
    """A tenth of the 400 columns is Water at a coast, and a fortieth on the map Normal River."""
    assert is_fed_beside(columns, 3_000) == is_fed


def is_fed_beside(columns: int, garrison: int) -> int:
    codes = terrain().codes.copy()
    codes[:, 400 - columns :] = FEATURES["Water"]
    sides = army("A"), army("B", garrison, ship=GALLEY, ships=1)
    inputs = war(*sides, location=CASTLE, ground=ground_of_codes(codes))
    return Battlefield.of(inputs, shipped_tables(), 1).tunables.country.is_fed_by_sea


@pytest.mark.parametrize("hidden", [1, 299, 300, 600])
def test_r_118_a_garrison_that_hides_is_besieged_once_its_ambush_is_sprung(hidden: int) -> None:
    flanks = (
        FlankOrder(x=200, y=218, infantry=3_000 - hidden, maneuver="Position"),
        FlankOrder(x=200, y=250, infantry=hidden, maneuver="Ambush"),
    )
    inputs = replace(siege_war(guns=0.05, feature="Forest"), defender=army("B", 3_000, flanks=flanks))

    assert outcome(inputs)[0] > 0.8


def test_r_100_the_food_in_the_works_comes_to_what_men_carry() -> None:
    field = besieged()
    field.battle.stores[DEFENDER] = 36.0
    field.battle.capacity[DEFENDER] = 0.1
    field.tunables.country.local_population[:] = 256 * 30_000
    sits(field)

    assert field.battle.stores[DEFENDER] == pytest.approx(36 + 12 * 36 * 2)


def worn(field: Field, dead: int) -> Field:
    """Let hunger have taken so many of the garrison, when the siege has begun and all stores are empty."""
    sits(field)
    field.drain()
    field.battle.stores[:] = 0.0
    field.battle.died[1] = dead
    field.battle.men[1] -= dead
    return field


@pytest.mark.parametrize("is_open", [False, True])
def test_r_83_a_worn_garrison_yields_and_the_log_says_why(is_open: bool) -> None:
    field = worn(besieged(), 300)
    field.battle.breach[0] = 1.0 if is_open else 0.0
    sits(field, 2)

    (event,) = field.drain()
    assert event.kind == (kinds.TERMS_MADE if is_open else kinds.STARVED_OUT)
    assert (event.amount, field.battle.captured[1], field.battle.status[1]) == (2_700, 2_700, INACTIVE)


def test_r_83_it_holds_out_before_a_tenth_is_dead() -> None:
    field = worn(besieged(), 299)

    assert sits(field, 2)
    assert told(field) == []


@pytest.mark.parametrize(("besiegers", "comes_out"), [(6_749, True), (6_750, False)])
def test_r_100_a_worn_garrison_comes_out_before_less_than_twice_and_a_half(besiegers: int, comes_out: bool) -> None:
    field = worn(besieged(), 300)
    field.battle.men[0] = besiegers

    assert sits(field, 2) != comes_out
    assert told(field) == [kinds.SALLY if comes_out else kinds.STARVED_OUT]


def test_r_100_a_sally_calls_besiegers_from_their_camps_a_storm_no_garrison() -> None:
    sally, storm = besieged(garrison=18_000, maneuvers=("Position", "Position")), besieged(10_000, garrison=200)

    for field in (sally, storm):
        sits(field)
    found = [[MANEUVERS[maneuver] for maneuver in field.battle.maneuver] for field in (sally, storm)]
    assert found == [["Normal", "Normal"], ["Normal", "Position"]]


@pytest.mark.parametrize(("besiegers", "storms"), [(14_999, False), (15_000, True)])
def test_r_100_an_open_breach_is_stormed_by_who_is_five_times_as_strong(besiegers: int, storms: bool) -> None:
    field = besieged()
    sits(field)
    field.drain()
    field.battle.men[0] = besiegers
    field.battle.breach[0] = 0.9999
    field.tunables = field.tunables._replace(country=field.tunables.country._replace(breach_rate=1.0))

    assert sits(field, 2) != storms
    assert told(field) == [kinds.BREACH, *([kinds.STORM] if storms else [])]


def test_r_100_besiegers_of_whom_a_third_are_dead_go() -> None:
    field = besieged()
    sits(field)
    field.drain()
    field.battle.died[0], field.battle.men[0] = 3_960, 8_040
    sits(field, 2)

    assert told(field) == [kinds.LIFTED]
    assert field.battle.tally[WINNER] == DEFENDER


@pytest.mark.parametrize(("besiegers", "kind"), [(14_999, kinds.LIFTED), (15_000, kinds.STORM)])
def test_r_100_who_is_five_times_as_strong_does_not_go_without_a_storm(besiegers: int, kind: int) -> None:
    field = besieged(30_000)
    sits(field)
    field.drain()
    field.battle.died[0], field.battle.men[0] = 10_000, besiegers
    sits(field, 2)

    assert told(field) == [kind]
    assert field.battle.tally[WINNER] == (DEFENDER if kind == kinds.LIFTED else -1)


@pytest.mark.parametrize(
    ("besiegers", "hour", "stores", "is_fed", "storms"),
    [
        (15_000, 1_105, 96, 0, True),
        (14_999, 1_105, 96, 0, False),
        (15_000, 1_104, 97, 0, False),
        (15_000, 1_105, 95, 0, False),
        (15_000, 1_105, 96, 1, False),
    ],
)
def test_r_100_who_is_five_times_as_strong_storms_when_hunger_comes_too_late(
    besiegers: int, hour: int, stores: int, is_fed: int, storms: bool
) -> None:
    field = besieged(besiegers)
    field.tunables = field.tunables._replace(country=field.tunables.country._replace(is_fed_by_sea=is_fed))
    sits(field)
    field.drain()
    field.battle.stores[DEFENDER] = stores

    assert sits(field, hour) != storms
    assert told(field) == [kinds.STORM] * storms


@pytest.mark.parametrize(
    ("besiegers", "garrison", "climate"), [(40_000, 1_000, "Tropical"), (900, 20, "Temperate"), (45, 1, "Temperate")]
)
def test_r_100_no_handful_outlasts_a_horde(besiegers: int, garrison: int, climate: str) -> None:
    sides = (army(name, men, types=(HOPLITE, None, None)) for name, men in (("A", besiegers), ("B", garrison)))
    place = replace(PLACE, fortifications="Palisade", climate=climate)

    assert outcome(war(*sides, location=place), 100)[0] > 0.95


@pytest.mark.parametrize(("winner", "captured"), [(ATTACKER, 1_000), (DEFENDER, 0)])
def test_r_100_who_is_beaten_in_his_works_is_captured(winner: int, captured: int) -> None:
    field = besieged()
    field.battle.men[1], field.battle.status[1], field.battle.tally[WINNER] = 1_000, ROUTED, winner
    take_works(field.battle, field.tunables, field.events, 9)

    assert field.battle.captured[1] == captured


PIKE = unit(name="Pike", power=(0.0, 2.2, 2.2), long_range=6.0, medium_range=6.0)


@pytest.mark.parametrize(("artillery", "opens"), [(None, False), (PIKE, False), (GUN, True)])
def test_r_101_only_weapons_that_are_not_of_contact_open_a_breach(artillery: Unit | None, opens: bool) -> None:
    shares = (0.9, 0.0, 0.1) if artillery else (1.0, 0.0, 0.0)
    inputs = war(army("A", types=(SOLDIER, None, artillery), shares=shares), army("B"), location=CASTLE)

    rate = breach_rate_of(inputs, 1.0, shipped_tables())
    assert (rate > 0.0) == opens
    assert float(traced_call(breach_rate_of, inputs, 1.0, shipped_tables())[0]) == rate  # as the log explains it


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


@pytest.mark.parametrize("feature", ["Plain", "Forest", "Cliffs", "High ground"])
def test_r_100_a_fort_is_besieged_on_any_ground(feature: str) -> None:
    odds, hours = outcome(siege_war(works="Star Fort", feature=feature))

    assert odds > 0.8
    assert 24 * 12 < hours < 1_200


@pytest.mark.parametrize("garrison", [1_000, 3_000, 7_000, 20_000])
@pytest.mark.parametrize("works", ["Palisade", "Castle", "Star Fort"])
def test_r_100_a_word_is_worth_25_points_at_most(works: str, garrison: int) -> None:
    odds = [
        outcome(siege_war(garrison=garrison, works=works, order=order, stand=stand), 100)[0]
        for order, stand in (("", ""), ("Position", ""), ("", "Position"), ("Position", "Position"))
    ]

    assert max(odds) - min(odds) <= 0.25


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
MORE = {
    "besiegers": (lambda own: {"besiegers": own["besiegers"] * 2}, 1),
    "guns": (lambda own: {"guns": own["guns"] * 2 + 0.005}, 1),
    "power": (lambda own: {"power": 2.4}, 1),
    "stores": (lambda own: {"residents": 5_000_000}, -1),
    "garrison": (lambda own: {"garrison": own["garrison"] * 2}, -1),
    "works": (lambda own: {"works": "Bunker"}, -1),
}
"""What one side has more of, and the sign of what it does to the attacker's odds."""


@cache
def ends_of(number: int, what: str = "") -> tuple[float, float]:
    """Return the attacker's odds in a setting, with more of something, and the mean days if he always wins or nan."""
    own = SETTINGS[number]
    inputs = siege_war(**{**own, **(MORE[what][0](own) if what else {})})  # type: ignore[arg-type]
    ends = Battlefield.of(inputs, shipped_tables(), 7).fight(0, 30, machine_code.kernel()).ends
    won = ends.winner == 0
    return float(won.mean()), float(ends.hours.mean() / 12) if won.all() else math.nan


@pytest.mark.parametrize("what", MORE)
def test_r_100_more_of_everything_helps_whom_it_should(what: str) -> None:
    """More men, guns or power never lower the attacker's odds; more food, men or thicker works never raise them.

    More guns and power shorten the sieges that are won, more food and thicker works lengthen them.
    """
    sign = MORE[what][1]
    pairs = [(ends_of(number), ends_of(number, what)) for number in range(len(SETTINGS))]
    gains = [sign * (after - before) for (before, _), (after, _) in pairs]
    assert {number: gain for number, gain in enumerate(gains) if gain < -0.1} == {}

    if what in ("guns", "power", "stores", "works"):
        longer = [more - less for (_, less), (_, more) in pairs if not math.isnan(more - less)]
        assert len(longer) >= 5
        assert all(-sign * change >= -1 for change in longer)
        assert sum(-sign * change for change in longer) > 0


# Winter


@pytest.mark.parametrize(
    ("climate", "month", "share", "camp"),
    [
        ("Temperate", None, 1.0, 1.08),
        ("Temperate", "March", 1.0, 1.08),
        ("Temperate", "December", 0.7, 1.0 + 0.08 / 0.7),
        ("Continental", "February", 0.4, 1.2),
        ("Tropical", "January", 1.0, 1.3),
    ],
)
def test_r_114_winter_feeds_fewer_and_makes_camps_worse(
    climate: str, month: str | None, share: float, camp: float
) -> None:
    inputs = siege_war(climate=climate, residents=50_000)
    country, summer = (country_of(replace(inputs, month=own)) for own in (month, None))

    assert country.local_population[0] == pytest.approx(share * summer.local_population[0])
    assert country.camp == pytest.approx(camp)


def test_r_114_the_source_knows_no_month() -> None:
    printed = shipped_tables().having((Setting(name=RULES, value=SOURCE),))
    winter, summer = (country_of(replace(siege_war(), month=month), printed) for month in ("January", None))

    assert winter.local_population.tolist() == summer.local_population.tolist()


def country_of(inputs: WarInputs, numbers: Tables | None = None) -> Country:
    numbers = numbers or shipped_tables()
    sides = side_variables(inputs, 0, numbers), side_variables(inputs, 1, numbers)
    return deploy(inputs, sides, numbers, Rng(1))[1].country


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
