"""Supply cuts (SUP)."""

from __future__ import annotations

import pytest

from engine.autoalgo.battle.draw_ids import SUPPLY_CUT as DRAW
from engine.autoalgo.battle.events import ATTACK, SIDE_CUT, SUPPLY_CUT
from engine.autoalgo.battle.state import INACTIVE, MANEUVERS, ROUTED
from engine.autoalgo.battle.supply import cut_sides, cuts_supply
from scripts.support.small_battles import Field, army, field_of, line, unit, war


def raid(logistics: str = "Basic", rounds: int = 1, enemies: int = 1) -> Field:
    """Return a field of a Pillaging and a Normal flank about to attack flank 2, attacked for some rounds before."""
    own = army("A", 6_000, flanks=line("Pillaging", "Normal", y=200))
    enemy = army("B", 6_000, types=(unit(logistics=logistics), None, None), flanks=line(*["Normal"] * enemies, y=200))
    field = field_of(war(own, enemy))
    field.orders.target[:2] = 2
    field.orders.attackers[2] = 2
    field.battle.rounds_on[0, 2] = rounds
    return field


def cuts(field: Field, draw: float = 0.5) -> bool:
    return cuts_supply(field.battle, field.orders, field.tunables, 0, draw)


def test_sup_01_the_chance_of_a_cut_is_at_most_one_half() -> None:
    assert cuts(raid(), draw=0.5)
    assert not cuts(raid(), draw=0.5001)


def test_sup_01_only_pillagers_cut_supplies() -> None:
    field = raid()
    field.battle.maneuver[0] = MANEUVERS.index("Normal")

    assert not cuts(field)


def test_sup_01_a_supply_is_cut_only_once() -> None:
    field = raid()
    field.battle.supply_cut[2] = 4

    assert not cuts(field)


def test_sup_01_r_37_another_flank_of_any_maneuver_must_attack_the_same_target() -> None:
    field = raid()
    field.orders.attackers[2] = 1

    assert not cuts(field)


@pytest.mark.parametrize(
    ("logistics", "rounds"),
    [("Personally supplied", 3), ("Foraging", 3), ("Advanced caches", 2), ("Uses roads", 1), ("Basic", 1)],
)
def test_sup_02_a_target_withstands_cuts_for_its_resilience(logistics: str, rounds: int) -> None:
    assert cuts(raid(logistics, rounds))
    assert not cuts(raid(logistics, rounds - 1))


def test_sup_01_a_pillager_cuts_or_attacks() -> None:
    """In the first hour of contact both attack; in the second the pillager cuts instead."""
    field = raid(rounds=0)
    for flank in range(3):
        field.put(flank, 50_000.0, 50_000.0)
    field.tunables.units.power[1] = 0.0
    field.draws[DRAW] = 0.4

    first, second = field.hour(), field.hour()

    assert [(event.kind, event.flank) for event in first if event.flank < 2] == [(ATTACK, 0), (ATTACK, 1)]
    assert [(event.kind, event.flank, event.target) for event in second if event.flank in (0, 1)] == [
        (SUPPLY_CUT, 0, 2),
        (ATTACK, 1, 2),
    ]
    assert field.battle.supply_cut.tolist() == [0, 0, 2]


def test_sup_03_a_side_loses_nine_tenths_of_its_capacity_once_all_its_flanks_are_cut() -> None:
    """Invariant 12."""
    field = raid(enemies=2)
    field.battle.capacity[:] = 0.1
    field.battle.supply_cut[2] = 3

    cut_sides(field.battle, field.tunables.constants.sup_03, field.events, 3)
    assert field.battle.capacity.tolist() == [0.1, 0.1]
    field.battle.supply_cut[3] = 4
    for hour in (4, 5, 6):
        cut_sides(field.battle, field.tunables.constants.sup_03, field.events, hour)

    assert field.battle.capacity.tolist() == pytest.approx([0.1, 0.01])
    assert [(event.hour, event.kind, event.side) for event in field.drain()] == [(4, SIDE_CUT, 1)]
    assert field.battle.side_cut.tolist() == [0, 4]


@pytest.mark.parametrize("status", [ROUTED, INACTIVE])
def test_sup_03_flanks_out_of_the_battle_do_not_count(status: int) -> None:
    field = raid(enemies=2)
    field.battle.supply_cut[2] = 3
    field.battle.status[3] = status

    cut_sides(field.battle, field.tunables.constants.sup_03, field.events, 3)

    assert field.battle.side_cut[1] == 3
