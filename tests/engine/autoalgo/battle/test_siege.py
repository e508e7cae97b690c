"""The siege (SIEGE)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.autoalgo.battle.events import SIEGE
from engine.autoalgo.battle.siege import besiege
from engine.autoalgo.battle.state import INACTIVE, MANEUVERS, RETREATING, ROUTED, Tunables
from tests.helpers.pinned_tables import tables
from tests.helpers.small_battles import FEATURES, Field, army, field_of, line, terrain, war

WALLED = replace(tables().defaults.location, fortifications="Castle")


def stronghold(feature: str = "High ground", fortifications: str = "Castle") -> Field:
    """Return a field of two flanks of the defender on Position."""
    it = field_of(
        war(
            army("A", 6_000, flanks=line("Normal", y=100)),
            army("B", 6_000, flanks=line("Position", "Position", y=200)),
            ground=terrain(feature),
            location=replace(WALLED, fortifications=fortifications),
        )
    )
    it.tunables = with_siege_rate(it.tunables, 0.3)
    it.battle.capacity[:] = 0.1
    return it


def with_siege_rate(tunables: Tunables, rate: float) -> Tunables:
    return tunables._replace(country=tunables.country._replace(siege_rate=rate))


def run_siege(it: Field, hour: int = 1) -> bool:
    besiege(it.battle, it.tunables, it.events, hour)
    return it.battle.siege_begun == hour


@pytest.mark.parametrize(
    ("feature", "begins"),
    [("High ground", True), ("Cliffs", True), ("Plain", False), ("Forest", False), ("Water", False)],
)
def test_siege_01_on_high_ground_or_cliffs(feature: str, begins: bool) -> None:
    assert run_siege(stronghold(feature)) == begins


def test_siege_01_only_behind_fortifications() -> None:
    """Invariant 13."""
    assert not run_siege(stronghold(fortifications="none"))
    assert run_siege(stronghold(fortifications="Hillfort"))


def test_siege_02_without_a_siege_the_capacity_stays() -> None:
    it = stronghold(fortifications="none")

    for hour in (1, 2, 3):
        assert not run_siege(it, hour)

    assert it.battle.capacity.tolist() == [0.1, 0.1]


def test_r_57_a_defender_without_a_flank_in_the_battle_is_not_besieged() -> None:
    it = stronghold()
    it.battle.status[it.battle.side == 1] = ROUTED

    assert not run_siege(it)


def test_siege_01_only_when_all_flanks_hold_their_position() -> None:
    it = stronghold()
    it.battle.maneuver[2] = MANEUVERS.index("Normal")

    assert not run_siege(it)


def test_siege_01_r_20_all_flanks_of_the_defender_not_of_the_attacker() -> None:
    codes = np.full((400, 400), FEATURES["High ground"], np.uint8)
    codes[:, 205:] = FEATURES["Plain"]
    it = stronghold()
    it.tunables = it.tunables._replace(ground=it.tunables.ground._replace(codes=codes))

    assert run_siege(it)
    it = stronghold()
    codes[:, 195:] = FEATURES["Plain"]
    it.tunables = it.tunables._replace(ground=it.tunables.ground._replace(codes=codes))
    assert not run_siege(it)


def test_r_57_a_retreating_flank_is_not_on_position_and_one_that_is_out_does_not_count() -> None:
    it = stronghold()
    it.battle.status[2] = RETREATING

    assert not run_siege(it)
    for status in (ROUTED, INACTIVE):
        it = stronghold()
        it.battle.maneuver[2] = MANEUVERS.index("Normal")
        it.battle.status[2] = status
        assert run_siege(it)


def test_siege_02_the_siege_lasts_for_the_rest_of_the_battle() -> None:
    it = stronghold()

    assert run_siege(it)
    it.battle.maneuver[:] = MANEUVERS.index("Normal")
    besiege(it.battle, it.tunables, it.events, 2)
    besiege(it.battle, it.tunables, it.events, 3)

    assert it.battle.capacity.tolist() == pytest.approx([0.1, 0.1 * 0.97 * 0.97 * 0.97])
    assert [(event.hour, event.kind, event.side) for event in it.drain()] == [(1, SIEGE, 1)]
    assert it.battle.siege_begun == 1


def test_r_33_the_siege_begins_before_anybody_moves() -> None:
    it = stronghold()

    happened = it.hour()

    assert happened[0].kind == SIEGE


def test_siege_begins_without_pressure_when_the_attacker_has_no_artillery() -> None:
    """R-04: the rate is zero then."""
    it = field_of(
        war(defender=army("B", flanks=line("Position", y=218)), ground=terrain("High ground"), location=WALLED)
    )
    before = it.battle.capacity[1]

    assert run_siege(it)
    assert it.battle.capacity[1] == before
