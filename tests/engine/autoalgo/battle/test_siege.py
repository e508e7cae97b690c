"""The siege (SIEGE)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.autoalgo.battle.events import SIEGE
from engine.autoalgo.battle.siege import besiege
from engine.autoalgo.battle.state import MANEUVERS, ROUTED, Tunables
from scripts.support.pinned_tables import tables
from scripts.support.small_battles import FEATURES, Field, army, field_of, line, terrain, war

WALLED = replace(tables().defaults.location, fortifications="Castle")


def stronghold(feature: str = "High ground", fortifications: str = "Castle") -> Field:
    """Return a field of two flanks of the defender on Position."""
    field = field_of(
        war(
            army("A", 6_000, flanks=line("Normal", y=100)),
            army("B", 6_000, flanks=line("Position", "Position", y=200)),
            ground=terrain(feature),
            location=replace(WALLED, fortifications=fortifications),
        )
    )
    field.tunables = with_siege_rate(field.tunables, 0.3)
    field.battle.capacity[:] = 0.1
    return field


def with_siege_rate(tunables: Tunables, rate: float) -> Tunables:
    return tunables._replace(country=tunables.country._replace(siege_rate=rate))


def run_siege(field: Field, hour: int = 1) -> bool:
    besiege(field.battle, field.tunables, field.draws, field.events, hour)
    return field.battle.siege_begun == hour


def test_siege_01_a_siege_needs_high_ground_or_cliffs() -> None:
    cases = [("High ground", True), ("Cliffs", True), ("Plain", False), ("Forest", False), ("Water", False)]
    assert [(feature, run_siege(stronghold(feature))) for feature, _ in cases] == cases


def test_siege_01_a_siege_needs_fortifications() -> None:
    """Invariant 13."""
    assert not run_siege(stronghold(fortifications="none"))
    assert run_siege(stronghold(fortifications="Hillfort"))


def test_r_57_a_defender_without_a_flank_in_the_battle_is_not_besieged() -> None:
    field = stronghold()
    field.battle.status[field.battle.side == 1] = ROUTED

    assert not run_siege(field)


def test_siege_01_r_20_only_the_defender_s_flanks_decide_on_a_siege() -> None:
    codes = np.full((400, 400), FEATURES["High ground"], np.uint8)
    codes[:, 205:] = FEATURES["Plain"]
    field = stronghold()
    field.tunables = field.tunables._replace(ground=field.tunables.ground._replace(codes=codes))

    assert run_siege(field)
    field = stronghold()
    codes[:, 195:] = FEATURES["Plain"]
    field.tunables = field.tunables._replace(ground=field.tunables.ground._replace(codes=codes))
    assert not run_siege(field)


def test_siege_02_the_siege_lasts_for_the_rest_of_the_battle() -> None:
    field = stronghold()

    assert run_siege(field)
    field.battle.maneuver[:] = MANEUVERS.index("Normal")
    besiege(field.battle, field.tunables, field.draws, field.events, 2)
    besiege(field.battle, field.tunables, field.draws, field.events, 3)

    assert field.battle.capacity.tolist() == pytest.approx([0.1, 0.1 * 0.97 * 0.97 * 0.97])
    assert [(event.hour, event.kind, event.side) for event in field.drain()] == [(1, SIEGE, 1)]
    assert field.battle.siege_begun == 1


def test_r_33_the_siege_begins_before_any_move() -> None:
    field = stronghold()

    happened = field.hour()

    assert happened[0].kind == SIEGE


def test_siege_02_a_siege_without_artillery_has_no_effect() -> None:
    """R-04: the rate is zero then."""
    field = field_of(
        war(defender=army("B", flanks=line("Position", y=218)), ground=terrain("High ground"), location=WALLED)
    )
    before = field.battle.capacity[1]

    assert run_siege(field)
    assert field.battle.capacity[1] == before
