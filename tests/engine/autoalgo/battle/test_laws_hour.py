"""Invariants of every hour of any battle, even without events (section 15 and the chapters FLK, MOVE, ATK)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from hypothesis import given, settings

from engine.autoalgo.battle.draw_ids import BATTLE_PURPOSES
from engine.autoalgo.battle.events import ATTACK, CHARGE, SUPPLY_CUT, Happening, blank_events, happenings
from engine.autoalgo.battle.hour import begin, blank_orders, fight_hour
from engine.autoalgo.battle.state import IDLE, INACTIVE, POSITION, READY, RETREATING, ROUTED, WINNER, Battle
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.setup.army import belligerent, has_land_types
from engine.rng import Rng
from scripts.support.pinned_tables import tables
from scripts.support.small_battles import deploy_war
from tests.helpers.example_budget import BUDGET
from tests.helpers.random_wars import seeds, wars

law = settings(max_examples=max(1, round(15 * BUDGET)), deadline=None)
HOURS_MOST = 150
SCATTER_M = 10.0 * math.sqrt(2.0)
"""Largest scatter of a move, both coordinates together (MOVE-06)."""


class Hour(NamedTuple):
    """One hour: the battle before and after it, and its events."""

    before: Battle
    after: Battle
    events: list[Happening]

    def moved_m(self, flank: int) -> float:
        dx_m = float(self.after.x_m[flank] - self.before.x_m[flank])
        dy_m = float(self.after.y_m[flank] - self.before.y_m[flank])
        return math.sqrt(dx_m * dx_m + dy_m * dy_m)

    def flanks_with(self, *kinds: int) -> set[int]:
        return {event.flank for event in self.events if event.kind in kinds}


def hours(inputs: WarInputs, seed: int) -> Iterator[Hour]:
    """Fight a battle and yield its hours, at most `HOURS_MOST`."""
    battle, tunables = deploy_war(inputs, seed)
    flanks = battle.side.shape[0]
    orders, events = blank_orders(flanks), blank_events(flanks)
    begin(battle, tunables.end_rules, events)
    while battle.winner < 0 and battle.hours < HOURS_MOST:
        before = Battle._make(array.copy() for array in battle)
        events.used[0] = 0
        fight_hour(battle, orders, tunables, Rng(seed).block(battle.hours + 1, flanks, BATTLE_PURPOSES), events)
        yield Hour(before, battle, list(happenings(events)))


def step_m(inputs: WarInputs, battle: Battle, flank: int) -> float:
    """Return the length of a flank's step, computed from the units and the map's legend (MOVE-01, R-123)."""
    own = belligerent(inputs, int(battle.side[flank]))
    x, y = (min(int(at[flank] / 250.0), 399) for at in (battle.x_m, battle.y_m))
    feature = tables().terrain[int(inputs.terrain.codes[y, x])]
    ship = own.units[3]
    assert ship is not None
    land = [(unit.speed, share) for unit, share in zip(own.units, battle.share[flank], strict=False) if unit and share]
    if feature.is_water or not land:
        return ship.speed * 1_000.0 * (1.0 if feature.speed is None else feature.speed)
    assert feature.speed is not None
    return sum(speed * share for speed, share in land) / sum(share for _, share in land) * 1_000.0 * feature.speed


@law
@given(inputs=wars(), seed=seeds())
def test_invariants_6_and_22_steps_are_limited_and_stay_on_the_map(inputs: WarInputs, seed: int) -> None:
    """MOVE-01, MOVE-03, MOVE-05, MOVE-06, MOVE-07, FLK-01, FLK-04: on water the ship's speed, twice it in a charge."""
    for hour in hours(inputs, seed):
        for flank in range(hour.before.side.shape[0]):
            longest_m = step_m(inputs, hour.before, flank)
            if hour.before.status[flank] == RETREATING:
                longest_m *= 0.5
            elif flank in hour.flanks_with(CHARGE):
                longest_m *= 2.0
            assert hour.moved_m(flank) <= longest_m + SCATTER_M + 1e-6
            assert 0.0 <= hour.after.x_m[flank] <= 100_000.0
            assert 0.0 <= hour.after.y_m[flank] <= 100_000.0


@law
@given(inputs=wars(), seed=seeds())
def test_flk_05_flanks_that_attack_hold_position_or_are_out_do_not_move(inputs: WarInputs, seed: int) -> None:
    """MOVE-02, MOVE-05, R-15: a flank moves or attacks; on Position it only leaves when it retreats."""
    for hour in hours(inputs, seed):
        for flank in range(hour.before.side.shape[0]):
            status = hour.before.status[flank]
            holds = hour.before.maneuver[flank] == POSITION and status != RETREATING
            if holds or status in (ROUTED, INACTIVE) or flank in hour.flanks_with(ATTACK, SUPPLY_CUT):
                assert hour.moved_m(flank) == 0.0


@law
@given(inputs=wars(), seed=seeds())
def test_invariants_1_3_and_5_men_and_morale_only_fall(inputs: WarInputs, seed: int) -> None:
    """ATK-06, ATT-01: hour by hour; flanks that are out lose no more men and do not come back."""
    for hour in hours(inputs, seed):
        before, after = hour.before, hour.after
        assert (after.men <= before.men).all()
        assert (after.morale <= before.morale).all()
        assert (after.ships <= before.ships).all()
        assert (after.men + after.killed + after.died + after.diseased + after.captured == after.men_start).all()
        out = np.isin(before.status, (ROUTED, INACTIVE))
        assert (after.men[out] == before.men[out]).all()
        assert (after.status[out] == before.status[out]).all()
        fleeing = before.status == RETREATING
        assert np.isin(after.status[fleeing], (RETREATING, ROUTED, INACTIVE)).all()


@law
@given(inputs=wars(), seed=seeds())
def test_flk_01_flk_02_types_and_ships_of_a_flank_are_lost_together(inputs: WarInputs, seed: int) -> None:
    """So speed and reach, worked out before the first hour, hold as long as the flank does (FLK-04, R-122)."""
    for hour in hours(inputs, seed):
        if hour.after.tally[WINNER] >= 0:
            continue  # ships without crews are gone at the end
        fights = np.isin(hour.after.status, (IDLE, READY, RETREATING))
        assert (hour.after.men[fights] > 0).all()
        assert (hour.after.ships[fights] == hour.after.ships_start[fights]).all()


@law
@given(inputs=wars(), seed=seeds())
def test_dec_02_dec_03_no_flank_attacks_beyond_the_range_of_its_weapons(inputs: WarInputs, seed: int) -> None:
    """ATK-01, FLK-04: an attack over a distance needs an armed type, ships only on water."""
    for hour in hours(inputs, seed):
        for event in hour.events:
            if event.kind != ATTACK:
                continue
            own = belligerent(inputs, event.side)
            x, y = (min(int(at[event.flank] / 250.0), 399) for at in (hour.before.x_m, hour.before.y_m))
            afloat = tables().terrain[int(inputs.terrain.codes[y, x])].is_water and hour.before.ships[event.flank] > 0
            present = [*(hour.before.share[event.flank] > 0), afloat]
            ranges = [
                metres
                for unit, is_here in zip(own.units, present, strict=True)
                if unit is not None and is_here
                for metres, power in zip(
                    (unit.long_range, unit.medium_range, unit.short_range), unit.power, strict=True
                )
                if power > 0
            ]
            depth_m = math.sqrt(max(hour.before.men_start[place] for place in (event.flank, event.target)))
            assert event.distance_m - depth_m <= max(ranges, default=-1.0) + 1e-9
            assert has_land_types(own) or afloat
            assert hour.before.side[event.target] != event.side
