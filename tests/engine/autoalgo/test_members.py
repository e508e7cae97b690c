"""Laws of sides of several armies: dividing men over armies is worth nothing by itself (R-130, R-131)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.autoalgo.inputs import Belligerent, WarInputs
from engine.autoalgo.records import Leader
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.setup.source import RULES as RULES_OF
from engine.rng import Rng
from engine.ruleset import Outcome
from engine.settings import Setting
from scripts.support.pinned_tables import shipped_tables
from scripts.support.small_battles import army, war

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
