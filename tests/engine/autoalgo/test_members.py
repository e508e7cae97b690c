"""Laws of sides of several armies: dividing men over armies is worth nothing by itself (R-130, R-131)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.inputs import Belligerent, WarInputs
from engine.autoalgo.records import Leader
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.setup.source import RULES as RULES_OF
from engine.rng import Rng
from engine.ruleset import Outcome
from engine.settings import Setting
from scripts.support.pinned_tables import shipped_tables
from scripts.support.small_battles import army, unit, war

BATTLES = 120
RULES = Autoalgo(shipped_tables())


def side(name: str, *sizes: int) -> Belligerent:
    """Return a side of armies that differ in nothing but their nations' names and their sizes."""
    armies = [
        replace(
            army(f"{name} {place}" if place else name, size=size),
            military=replace(army(name, size=size).military, name=f"Army {place} of {name}", size=size),
        )
        for place, size in enumerate(sizes)
    ]
    return replace(armies[0], allies=tuple(armies[1:]))


def wins(attacker: Belligerent, defender: Belligerent, *settings: Setting) -> float:
    """Return the share of the battles that the attacker wins."""
    winners = RULES.replicates(replace(war(attacker, defender), settings=settings), 7, 0, BATTLES).winner
    assert winners is not None
    return float((winners == 0).mean())


@pytest.mark.parametrize("sizes", [(4_500, 4_500), (6_000, 3_000), (3_000, 6_000), (8_999, 1), (3_000,) * 3])
def test_r_130_dividing_a_side_into_armies_does_not_change_its_odds(sizes: tuple[int, ...]) -> None:
    whole, enemy = wins(side("A", 9_000), side("B", 9_000)), side("B", 9_000)

    assert wins(side("A", *sizes), enemy) == pytest.approx(whole, abs=0.17)  # 2.6 standard errors of the difference


def test_r_130_by_the_rules_of_source_a_second_army_does_not_double_the_force() -> None:
    source = Setting(name=RULES_OF, value="source")
    whole, enemy = wins(side("A", 9_000), side("B", 9_000), source), side("B", 9_000)

    assert wins(side("A", 6_000, 3_000), enemy, source) == pytest.approx(
        whole, abs=0.25
    )  # .98 if more flanks hit harder


Battery = tuple[int, float]
"""Gunners of an army, and the Power of their guns."""
POWER = st.floats(0.05, 1.5)
BATTERY = st.tuples(st.integers(1, 900), POWER)
BATTERIES = st.lists(BATTERY, max_size=3)


def siege(*batteries: Battery) -> NDArray[np.float64]:
    """Return Siege Rate and breach rate of a siege by armies of gunners alone."""
    armies = []
    for place, (men, power) in enumerate(batteries):
        gun = unit(name="Gun", power=(power, power, 0.0), long_range=1_000.0)
        armies.append(army(f"A{place}", men, types=(None, None, gun), shares=(0.0, 0.0, 1.0)))
    location = replace(RULES.tables.defaults.location, fortifications="Star Fort")
    inputs = war(replace(armies[0], allies=tuple(armies[1:])), army("B"), location=location)
    country = Battlefield.of(inputs, RULES.tables, 1).tunables.country
    return np.array([country.siege_rate, country.breach_rate])


@given(batteries=BATTERIES, other=BATTERY)
def test_r_130_guns_of_several_armies_breach_as_much_as_each_alone(batteries: list[Battery], other: Battery) -> None:
    """So a gunner more counts as one, and never slows the breach by the others."""
    batteries = [*batteries, other]
    gunners = sum(men for men, _ in batteries)

    assert siege(*batteries) * gunners == pytest.approx(sum(men * siege((men, power)) for men, power in batteries))


@given(batteries=BATTERIES, men=st.integers(1, 900), power=POWER)
def test_r_130_splitting_or_reordering_armies_with_guns_changes_nothing(
    batteries: list[Battery], men: int, power: float
) -> None:
    whole = pytest.approx(siege(*batteries, (men + 1, power)))

    assert siege((men + 1, power), *batteries[::-1]) == whole
    assert siege((men, power), *batteries, (1, power)) == whole


def ruled(inputs: WarInputs, seed: int = 1) -> Outcome:
    return RULES.resolve(inputs, Rng(seed))


def test_r_131_losses_of_the_armies_sum_to_those_of_their_side() -> None:
    outcome = ruled(war(side("A", 5_000, 2_000, 1), side("B", 3_000, 3_000)))
    for name in ("attacker", "defender"):
        whole = outcome.numbers[name]
        assert isinstance(whole, dict)
        parts = whole["armies"].values()
        for cause in ("men", "left", "killed", "wounded", "captured", "missing", "died", "returned"):
            assert sum(part[cause] for part in parts) == whole[cause], cause
        assert all(
            part["men"]
            == part["left"] + part["killed"] + part["wounded"] + part["captured"] + part["missing"] + part["died"]
            for part in parts
        )


def test_r_131_the_leader_of_an_ally_may_die_with_his_own_army() -> None:
    marshal = Leader(name="Marshal", nation=("A 1",))
    own = side("A", 5_000, 4_000)
    own = replace(own, allies=(replace(own.allies[0], military_leader=marshal),))
    for seed in range(400):
        outcome = ruled(war(own, side("B", 30_000)), seed)
        if any(update.row == "Marshal" for update in outcome.updates):
            assert "Military leader of A 1" in str(outcome.receipt)
            return
    raise AssertionError("he never died")
