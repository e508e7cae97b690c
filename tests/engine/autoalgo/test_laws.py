"""The invariants of a battle, for any war a workbook can hold (section 15 of the rules)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings

from engine.autoalgo.battle.events import (
    ATTACK,
    ATTRITION,
    CAPTURED,
    CHARGE,
    DISEASE,
    RETREATS,
    ROUTED,
    SHIPS_LOST,
    SIDE_CUT,
    SIEGE,
    SUNK,
    SUPPLY_CUT,
    Happening,
)
from engine.autoalgo.battle.state import FEIGNED_RETREAT, HIT_AND_RUN, INACTIVE, POSITION, Battle, Tunables
from engine.autoalgo.battle.state import ROUTED as ROUTED_STATUS
from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.inputs import FlankOrder, WarInputs
from engine.autoalgo.setup.variables import side_variables
from scripts.support.pinned_tables import tables
from scripts.support.small_battles import ARCHER, FEATURES, army, fight_war, ground_of_codes, terrain, unit, war
from tests.helpers import machine_code
from tests.helpers.example_budget import BUDGET
from tests.helpers.random_wars import seeds, wars

SHORT = settings(max_examples=max(1, round(15 * BUDGET)), deadline=None)
BATTLES = max(50, round(80 * BUDGET))
SIGMAS = 4.0
"""Allowed deviation of a count from its expectation: one test in 16,000 fails by chance."""


class BattleEnd(NamedTuple):
    """A battle after its last hour."""

    inputs: WarInputs
    battle: Battle
    tunables: Tunables
    events: list[Happening]


def hours_of(inputs: WarInputs, seed: int) -> tuple[list[tuple[Battle, list[Happening]]], Battle]:
    """Return copies of the battle after every hour with events, and the battle at its end."""
    hours: list[tuple[Battle, list[Happening]]] = []
    battle, _, _ = fight_war(
        inputs, seed, lambda now, events: hours.append((Battle._make(array.copy() for array in now), events))
    )
    return hours, battle


@SHORT
@given(inputs=wars(), seed=seeds())
def test_invariants_1_2_3_5_6_hold_every_hour(inputs: WarInputs, seed: int) -> None:
    """Men, ships, morale, the routed and the map: FLK-03, ATK-07, ATK-08, MOVE-07, R-16, R-17."""
    hours, end = hours_of(inputs, seed)
    at_rout: dict[int, int] = {}
    edge_m = tables().strategy.map_pixels * tables().strategy.km_per_pixel * 1_000
    for battle in [*(battle for battle, _ in hours), end]:
        gone = battle.killed + battle.died + battle.diseased + battle.captured
        assert (battle.men + gone == battle.men_start).all()
        assert (battle.men >= 0).all()
        assert (battle.ships + battle.sunk == battle.ships_start).all()
        assert ((battle.morale >= 0) & (battle.morale <= battle.morale_start)).all()
        assert ((battle.x_m >= 0) & (battle.x_m <= edge_m) & (battle.y_m >= 0) & (battle.y_m <= edge_m)).all()
        for flank in np.nonzero(battle.status == ROUTED_STATUS)[0]:
            assert at_rout.setdefault(int(flank), int(battle.men[flank])) == battle.men[flank]
        assert (battle.men[battle.status == INACTIVE] == 0).all()


def invariant_4_a_retreating_or_routed_flank_never_attacks(end: BattleEnd) -> None:
    """ATK-07, DEC-01."""
    fleeing = set()
    for event in end.events:
        if event.kind in (RETREATS, ROUTED):
            fleeing.add(event.flank)
        elif event.kind in (ATTACK, CHARGE, SUPPLY_CUT):
            assert event.flank not in fleeing


def invariants_12_13_supply_and_siege(end: BattleEnd) -> None:
    """SUP-03, SIEGE-01."""
    inputs, battle, tunables, events = end
    variables = side_variables(inputs, 1, tables())

    assert len([event for event in events if event.kind == SIDE_CUT and event.side == 0]) <= 1
    assert len([event for event in events if event.kind == SIDE_CUT and event.side == 1]) <= 1
    sieges = [event for event in events if event.kind == SIEGE]
    assert len(sieges) <= 1
    if sieges:
        assert tables().is_fortified(inputs.location)
        assert (battle.maneuver[(battle.side == 1) & (battle.men_start > 0)] == POSITION).any()
    expected = variables.capacity.value * (1.0 - tunables.constants.sup_03.capacity_lost if battle.side_cut[1] else 1.0)
    pressed = battle.hours - battle.siege_begun + 1 if battle.siege_begun else 0
    hourly = 1.0 - tunables.country.siege_rate / tunables.constants.siege_02.divisor
    if inputs.location.climate != tables().climate.ocean:
        assert battle.capacity[1] == pytest.approx(expected * math.exp(pressed * math.log(hourly)))


def invariants_19_20_charges_and_hit_and_run(end: BattleEnd) -> None:
    """DEC-06, MOVE-02."""
    _, battle, _, events = end
    attacks = defaultdict(list)
    for event in events:
        if event.kind == CHARGE:
            assert battle.maneuver[event.flank] not in (POSITION, FEIGNED_RETREAT)
        if event.kind == ATTACK and battle.maneuver[event.flank] == HIT_AND_RUN:
            attacks[event.flank].append(event.hour)
    for hours in attacks.values():
        for first, third in zip(hours, hours[2:], strict=False):
            assert third - first >= 5


def invariant_24_the_events_sum_up_to_the_state(end: BattleEnd) -> None:
    """LOG-03, DIS-04."""
    _, battle, _, events = end
    for side in (0, 1):
        own = battle.side == side
        assert total(events, ATTACK, 1 - side) == battle.killed[own].sum()
        assert total(events, CAPTURED, side) == battle.captured[own].sum()
        assert total(events, ATTRITION, side) == battle.died[own].sum()
        assert total(events, DISEASE, side) == battle.diseased[own].sum()
        assert total(events, SUNK, side) + total(events, SHIPS_LOST, side) == battle.sunk[own].sum()


def total(events: list[Happening], kind: int, side: int) -> float:
    return math.fsum(event.amount for event in events if event.kind == kind and event.side == side)


OF_ONE_BATTLE = (
    invariant_4_a_retreating_or_routed_flank_never_attacks,
    invariants_12_13_supply_and_siege,
    invariants_19_20_charges_and_hit_and_run,
    invariant_24_the_events_sum_up_to_the_state,
)


@settings(SHORT, max_examples=max(10, round(30 * BUDGET)))
@given(inputs=wars(), seed=seeds())
def test_each_battle_obeys_its_invariants(inputs: WarInputs, seed: int) -> None:
    """Each battle is examined under all of them, which costs little beside the battle."""
    end = BattleEnd(inputs, *fight_war(inputs, seed))
    for law in OF_ONE_BATTLE:
        law(end)


@SHORT
@given(inputs=wars(naval=True), seed=seeds())
def test_strat_12_ships_alone_never_leave_the_water(inputs: WarInputs, seed: int) -> None:
    """The crews never leave the half of the sea that is left."""
    codes = inputs.terrain.codes.copy()
    codes[:, 260:] = FEATURES["Plain"]
    hours, end = hours_of(replace(inputs, terrain=ground_of_codes(codes)), seed)

    for battle in [*(battle for battle, _ in hours), end]:
        column = np.minimum((battle.x_m / 250.0).astype(int), 399)
        assert (column < 260).all()


def attacker_wins(inputs: WarInputs, battles: int = BATTLES, first_seed: int = 0) -> list[bool]:
    """Return for each seed from `first_seed` on whether the attacker wins, by machine code where there is some."""
    field, kernel = Battlefield.of(inputs, tables(), first_seed), machine_code.kernel()
    seeds = range(first_seed, first_seed + battles)
    return [bool(replace(field, seed=seed).fight(0, 1, kernel).ends.winner[0] == 0) for seed in seeds]


def rows(y: float, order: tuple[int, ...] = (0, 1, 2)) -> tuple[FlankOrder, ...]:
    """Return the default three flanks in a given order of rows."""
    return tuple(FlankOrder(x=190 + 10 * place, y=y) for place in order)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("attackers", "defenders"),
    [((0, 1, 2), (0, 1, 2)), ((2, 1, 0), (0, 1, 2)), ((0, 1, 2), (2, 0, 1)), ((1, 2, 0), (2, 1, 0))],
)
def test_equal_sides_win_half_of_the_battles_whichever_rows_come_first(
    attackers: tuple[int, ...], defenders: tuple[int, ...]
) -> None:
    """Invariant 8, R-12."""
    inputs = war(
        army("A", 20_000, types=(ARCHER, None, None), flanks=rows(182, attackers)),
        army("B", 20_000, types=(ARCHER, None, None), flanks=rows(218, defenders)),
    )

    won = sum(attacker_wins(inputs))

    assert abs(won - BATTLES / 2) < SIGMAS * math.sqrt(BATTLES) / 2


@pytest.mark.slow
def test_invariant_23_swapping_the_sides_and_mirroring_the_map_mirrors_the_odds() -> None:
    codes = np.full((400, 400), FEATURES["Plain"], np.uint8)
    codes[195:206, :198] = FEATURES["Forest"]
    codes[170:190] = FEATURES["High ground"]
    archers = army("A", 8_000, types=(ARCHER, None, None), flanks=rows(182))
    riders = army("B", 7_000, types=(unit(speed=12.0, shock=0.6, psychology=2.0), None, None), flanks=rows(218))

    north = attacker_wins(war(archers, riders, ground=ground_of_codes(codes)))
    mirrored = war(
        replace(riders, flanks=rows(399 - 218)),
        replace(archers, flanks=rows(399 - 182)),
        ground=ground_of_codes(codes[::-1].copy()),
    )
    south = attacker_wins(mirrored, first_seed=100_000)

    share = (sum(north) + BATTLES - sum(south)) / (2 * BATTLES)
    error = math.sqrt(max(share * (1 - share), 0.01) * 2 / BATTLES)
    assert abs(sum(north) / BATTLES - (1 - sum(south) / BATTLES)) < SIGMAS * error


def improving_wars(what: str) -> Iterator[WarInputs]:
    """Yield wars that get better and better for the attacker or, with fortifications, for the defender."""
    if what == "men":
        for men in (7_000, 9_000, 12_000):
            yield war(army("A", men), army("B", 9_000))
    elif what == "training":
        for training in (3.0, 5.0, 7.0):
            yield war(army("A", types=(unit(tactical_training=training), None, None)), army("B"))
    elif what == "defense":
        for defense in (0.0, 0.3, 0.6):
            yield war(army("A", types=(unit(defense=defense), None, None)), army("B"))
    else:
        for fort in ("none", "Castle", "Bunker"):
            yield war(army("A", 12_000), location=replace(tables().defaults.location, fortifications=fort))


@pytest.mark.slow
@pytest.mark.parametrize("what", ["men", "training", "defense", "fortifications"])
def test_invariant_9_more_strength_never_lowers_the_odds(what: str) -> None:
    """Pairs of battles with equal seeds: changes for the worse must be within chance."""
    results = [np.array(attacker_wins(inputs)) for inputs in improving_wars(what)]
    if what == "fortifications":
        results = [~won for won in results]

    for less, more in pairwise(results):
        better, worse = int((more & ~less).sum()), int((less & ~more).sum())
        assert worse - better <= SIGMAS * math.sqrt(better + worse)
    assert results[-1].mean() > results[0].mean()


@pytest.mark.slow
def test_r_34_more_flanks_than_the_enemy_raise_the_odds() -> None:
    """The reason for the warning: the root favours the split."""
    split = army("A", 9_000, flanks=tuple(FlankOrder(x=180 + 8 * place, y=182) for place in range(6)))

    assert np.mean(attacker_wins(war(split, army("B", 9_000)))) > 0.6


def test_r_32_a_tiny_flank_does_not_hit_like_an_army() -> None:
    """99 men against 4,400: without the bound both would hit equally hard."""
    assert not any(attacker_wins(war(army("A", 99), army("B", 4_400), ground=terrain()), battles=20))
