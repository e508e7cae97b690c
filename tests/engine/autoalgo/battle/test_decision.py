"""The decision between move, charge and attack (DEC)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.autoalgo.battle.decision import ATTACK, CHARGE, MOVE, decide, weapon_at
from engine.autoalgo.battle.draw_ids import CHARGE as CHARGE_DRAW
from engine.autoalgo.battle.state import HOURS, MANEUVERS, RETREATING, ROUTED
from scripts.support.pinned_tables import tables
from scripts.support.small_battles import (
    ARCHER,
    BARGES,
    FEATURES,
    GALLEY,
    Field,
    army,
    duel,
    terrain,
    unit,
    with_numbers,
)

LONG, MEDIUM, SHORT, NONE = 0, 1, 2, -1
HALF_ARCHERS = army("A", 9_000, types=(unit(shock=0.1), None, ARCHER), shares=(0.5, 0.0, 0.5))
BARE_M = 94.86832980505137
"""The square root of 9,000: the depth of the enemy."""


def run_decision(field: Field, draw: float = 0.5, hour: int = 1) -> int:
    """Return the decision of flank 0."""
    field.draws[CHARGE_DRAW] = draw
    decide(field.battle, field.orders, field.tunables, field.draws, hour)
    return int(field.orders.action[0])


def at_effective(field: Field, metres: float) -> Field:
    """Place flank 1 so that the effective distance is `metres`."""
    field.put(1, field.battle.x_m[0], field.battle.y_m[0] + metres + BARE_M)
    return field


WEAPONS = [
    ("Longbowman", 0.0, SHORT),
    ("Longbowman", 1.5, SHORT),
    ("Longbowman", 1.6, MEDIUM),
    ("Longbowman", 100.0, MEDIUM),
    ("Longbowman", 230.0, LONG),
    ("Longbowman", 230.1, NONE),
    ("Trebuchet", 300.0, LONG),
    ("Trebuchet", 100.0, LONG),
    ("Trebuchet", 99.9, NONE),
    ("Falconet", 50.0, MEDIUM),
    ("Falconet", 49.9, NONE),
    ("Zulu Impi", 1.5, SHORT),
    ("Zulu Impi", 3.9, NONE),
    ("Zulu Impi", 4.0, LONG),
    ("Norman Knight", 4.0, MEDIUM),
    ("Barges", 0.0, NONE),
]
"""Unit, distance in metres, and the weapon that it uses."""


def test_dec_03_ud_02_ud_03_the_shortest_weapon_that_reaches_and_minimum_ranges() -> None:
    fields = {name: duel(army(types=(tables().units[name], None, None))) for name, _, _ in WEAPONS}
    found = [(name, away_m, weapon_at(fields[name].tunables.units, 0, 0, away_m)) for name, away_m, _ in WEAPONS]
    assert found == WEAPONS


def test_dec_01_a_retreating_flank_moves_and_never_attacks() -> None:
    field = at_effective(duel(), 0.0)
    field.battle.status[0] = RETREATING

    assert run_decision(field) == MOVE
    assert field.orders.weapon[0].tolist() == [NONE] * 4


def test_dec_01_a_flank_without_enemies_moves() -> None:
    field = at_effective(duel(), 0.0)
    field.battle.status[1] = ROUTED

    assert run_decision(field) == MOVE


def test_dec_02_the_enemys_depth_shortens_the_distance() -> None:
    assert run_decision(at_effective(duel(), 0.1)) == ATTACK
    assert run_decision(at_effective(duel(), 0.2)) == MOVE


def attack_hours(field: Field, hours: range) -> list[int]:
    """Return the hours in which flank 0 attacks, while nobody loses heart."""
    attacks = []
    for hour in hours:
        field.battle.status[:] = 1
        field.battle.morale[:] = field.battle.morale_start
        field.hour()
        if field.orders.action[0] == ATTACK:
            attacks.append(hour)
    return attacks


@pytest.mark.parametrize(
    ("rebound", "hours"),
    [(0.0, [1, 2, 3, 4, 5, 6, 7, 8]), (2.0, [1, 4, 7]), (0.5, [1, 2, 4, 5, 7, 8]), (1.5, [1, 3, 6, 8])],
)
def test_dec_04_r_65_a_type_rests_its_rebound_rounds_after_an_attack(rebound: float, hours: list[int]) -> None:
    """A fraction of a round is carried over to the next attack: with 0.5 every second attack is followed by a rest."""
    field = at_effective(duel(army(types=(unit(rebound=rebound), None, None))), 0.0)

    assert attack_hours(field, range(1, 9)) == hours


def test_r_65_a_type_ready_for_hours_carries_nothing_over() -> None:
    field = at_effective(duel(army(types=(unit(rebound=0.5), None, None))), 0.0)
    field.battle.rests_until[0] = 1.5
    field.battle.tally[HOURS] = 5

    assert attack_hours(field, range(6, 11)) == [6, 7, 9, 10]


def test_dec_05_all_types_ready_attack_none_ready_move() -> None:
    assert run_decision(at_effective(duel(HALF_ARCHERS), 0.05), draw=0.0) == ATTACK
    assert run_decision(at_effective(duel(HALF_ARCHERS), 151.0), draw=0.0) == MOVE


def test_dec_06_partly_ready_attacks_by_its_ready_share_and_seldom_charges() -> None:
    """Half of the men have a Shock of .1, .05 on average: a charge has the chance .5 × .5 × (.25 + .05)."""
    field = at_effective(duel(HALF_ARCHERS), 100.0)

    assert run_decision(field, draw=0.0749) == CHARGE
    assert run_decision(field, draw=0.0751) == MOVE
    assert run_decision(field, draw=0.4999) == MOVE
    assert run_decision(field, draw=0.5001) == ATTACK
    assert field.orders.weapon[0].tolist() == [NONE, NONE, LONG, NONE]


def test_dec_06_in_the_source_half_the_unready_share_and_the_shock_charge() -> None:
    """A share of 0.5 and the least shock of 0 give 0.25."""
    field = at_effective(with_numbers(duel(HALF_ARCHERS), "r_123", applies=0), 100.0)
    field.update_traits()

    assert run_decision(field, draw=0.2499) == CHARGE
    assert run_decision(field, draw=0.2501) == ATTACK
    assert field.orders.weapon[0].tolist() == [NONE, NONE, LONG, NONE]


def test_dec_04_flk_04_a_ship_that_fired_does_not_fire_again_on_land() -> None:
    """A galley shoots on water; an hour later the men stand ashore and fight without it."""
    field = at_effective(duel(army("A", 9_000, ship=GALLEY, ships=60), ground=terrain("Water")), 0.0)
    assert run_decision(field) == ATTACK
    assert field.orders.weapon[0].tolist() == [SHORT, NONE, NONE, SHORT]

    field.tunables.ground.codes[:] = FEATURES["Plain"]

    assert run_decision(field, hour=2) == ATTACK
    assert field.orders.weapon[0].tolist() == [SHORT, NONE, NONE, NONE]


@pytest.mark.parametrize(("maneuver", "goes_on"), [("Position", ATTACK), ("Feigned Retreat", MOVE)])
def test_dec_06_position_and_feigned_retreat_prevent_charges(maneuver: str, goes_on: int) -> None:
    """Invariant 19. On Position those who are ready attack: the others have no other use for the hour."""
    for applies, action in ((0, ATTACK), (1, goes_on)):
        field = at_effective(with_numbers(duel(HALF_ARCHERS), "r_123", applies=applies), 100.0)
        field.battle.maneuver[0] = MANEUVERS.index(maneuver)

        assert run_decision(field, draw=0.0) == action


def test_dec_05_on_water_the_ship_counts_by_the_people_it_can_carry() -> None:
    """1,000 men of whom half shoot, and unarmed ships for 3,000: r = 500 / 4,000."""
    own = army(
        "A", 1_000, types=(unit(), None, ARCHER), shares=(0.5, 0.0, 0.5), ship=replace(BARGES, capacity=300), ships=10
    )
    field = duel(own, ground=terrain("Water"))
    field.put(1, field.battle.x_m[0], field.battle.y_m[0] + 100.0 + BARE_M)

    assert run_decision(field, draw=0.8749) == MOVE
    assert run_decision(field, draw=0.8751) == ATTACK


def test_r_12_all_flanks_decide_on_the_state_at_the_start_of_the_hour() -> None:
    """Both stand in reach and both attack, whoever strikes first."""
    field = at_effective(duel(), 0.0)

    happened = field.hour()

    assert sorted((event.flank, event.target) for event in happened if event.kind == 0) == [(0, 1), (1, 0)]


def test_r_33_flanking_counts_flanks_that_decided_to_attack() -> None:
    field = at_effective(duel(), 0.0)

    run_decision(field)

    assert field.orders.attackers.tolist() == [1, 1]
