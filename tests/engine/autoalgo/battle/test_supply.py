"""Supply cuts (SUP)."""

from __future__ import annotations

import pytest

from engine.autoalgo.battle.draw_ids import SUPPLY_CUT as DRAW
from engine.autoalgo.battle.events import ATTACK, SIDE_CUT, SUPPLY_CUT
from engine.autoalgo.battle.state import INACTIVE, MANEUVERS, ROUTED
from engine.autoalgo.battle.supply import cut_sides, cuts_supply
from tests.helpers.small_battles import Field, army, field_of, line, unit, war


def raid(logistics: str = "Basic", rounds: int = 1, enemies: int = 1) -> Field:
    """Return a field of a Pillaging and a Normal flank about to attack flank 2, attacked for some rounds before."""
    own = army("A", 6_000, flanks=line("Pillaging", "Normal", y=200))
    enemy = army("B", 6_000, types=(unit(logistics=logistics), None, None), flanks=line(*["Normal"] * enemies, y=200))
    it = field_of(war(own, enemy))
    it.orders.target[:2] = 2
    it.orders.attackers[2] = 2
    it.battle.rounds_on[0, 2] = rounds
    return it


def cuts(it: Field, draw: float = 0.5) -> bool:
    return cuts_supply(it.battle, it.orders, it.tunables, 0, draw)


def test_sup_01_all_conditions_together_cut_a_supply() -> None:
    assert cuts(raid())


def test_sup_01_at_most_one_half() -> None:
    assert cuts(raid(), draw=0.5)
    assert not cuts(raid(), draw=0.5001)


def test_sup_01_only_pillagers_cut() -> None:
    it = raid()
    it.battle.maneuver[0] = MANEUVERS.index("Normal")

    assert not cuts(it)


def test_sup_01_not_twice() -> None:
    it = raid()
    it.battle.supply_cut[2] = 4

    assert not cuts(it)


def test_sup_01_r_37_another_flank_of_any_maneuver_must_attack_the_same_target() -> None:
    it = raid()
    it.orders.attackers[2] = 1

    assert not cuts(it)


@pytest.mark.parametrize(
    ("logistics", "rounds"),
    [("Personally supplied", 3), ("Foraging", 3), ("Advanced caches", 2), ("Uses roads", 1), ("Basic", 1)],
)
def test_sup_02_the_target_holds_out_its_resilience_rounds(logistics: str, rounds: int) -> None:
    assert cuts(raid(logistics, rounds))
    assert not cuts(raid(logistics, rounds - 1))


def test_sup_01_the_cut_forfeits_the_attack_and_otherwise_the_pillager_attacks() -> None:
    """In the first hour of contact both attack; in the second the pillager cuts instead."""
    it = raid(rounds=0)
    for flank in range(3):
        it.put(flank, 50_000.0, 50_000.0)
    it.tunables.units.power[1] = 0.0
    it.draws[DRAW] = 0.4

    first, second = it.hour(), it.hour()

    assert [(event.kind, event.flank) for event in first if event.flank < 2] == [(ATTACK, 0), (ATTACK, 1)]
    assert [(event.kind, event.flank, event.target) for event in second if event.flank in (0, 1)] == [
        (SUPPLY_CUT, 0, 2),
        (ATTACK, 1, 2),
    ]
    assert it.battle.supply_cut.tolist() == [0, 0, 2]


def test_sup_03_a_side_loses_nine_tenths_of_its_capacity_once_all_its_flanks_are_cut() -> None:
    """Invariant 12."""
    it = raid(enemies=2)
    it.battle.capacity[:] = 0.1
    it.battle.supply_cut[2] = 3

    cut_sides(it.battle, it.tunables.numbers, it.events, 3)
    assert it.battle.capacity.tolist() == [0.1, 0.1]
    it.battle.supply_cut[3] = 4
    for hour in (4, 5, 6):
        cut_sides(it.battle, it.tunables.numbers, it.events, hour)

    assert it.battle.capacity.tolist() == pytest.approx([0.1, 0.01])
    assert [(event.hour, event.kind, event.side) for event in it.drain()] == [(4, SIDE_CUT, 1)]
    assert it.battle.side_cut.tolist() == [0, 4]


@pytest.mark.parametrize("status", [ROUTED, INACTIVE])
def test_sup_03_flanks_out_of_the_battle_do_not_count(status: int) -> None:
    it = raid(enemies=2)
    it.battle.supply_cut[2] = 3
    it.battle.status[3] = status

    cut_sides(it.battle, it.tunables.numbers, it.events, 3)

    assert it.battle.side_cut[1] == 3


def test_sup_03_a_side_without_flanks_in_the_battle_is_not_cut_off() -> None:
    it = raid()
    it.battle.status[2] = ROUTED

    cut_sides(it.battle, it.tunables.numbers, it.events, 3)

    assert it.battle.side_cut[1] == 0
