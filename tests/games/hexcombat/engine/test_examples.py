"""The worked examples of the rules (HX-EX-01 ... HX-EX-28), numbers as printed there."""

import dataclasses

import pytest

from engine.hexcombat.combat.account import Account
from engine.hexcombat.combat.aftermath import critical_percent
from engine.hexcombat.combat.bombing import blow_percent, effect, lost_ammo, lost_fuel, prestige_effect, suppression
from engine.hexcombat.combat.combat import deploy
from engine.hexcombat.combat.fate import ExpectedFate
from engine.hexcombat.combat.fire import gained, per_kill
from engine.hexcombat.combat.losses import Aim, flattened
from engine.hexcombat.combat.losses import expected as expected_losses
from engine.hexcombat.combat.odds import CombatOdds
from engine.hexcombat.combat.ruses import evade_percent, sabotage_percent
from engine.hexcombat.setup.fighter import ATTACKER, DEFENDER, fighter
from tests.games.hexcombat.engine.battles import (
    AD,
    ART,
    AT,
    INF,
    LB,
    SUB,
    TABLES,
    TANK,
    TB,
    TRUCK,
    after_initiative,
    attacker,
    combat,
    defender,
    expected,
    ground,
    kind,
    numbers,
    rolled,
    stats,
    strictly,
    supporter,
)  # fmt: skip

CONSTANTS = TABLES.facts.constants
SIMULTANEOUS, DEFENDER_FIRST, ATTACKER_FIRST = "SIMULTANEOUS", "DEFENDER FIRST", "ATTACKER FIRST"


CASES = {
    "HX-EX-01": (
        combat(attacker(TANK, bars=1), defender(INF, entrenchment=2)),
        ([9, 11, 3, 8], [13, 15, 3, 8], SIMULTANEOUS, 5, 1),
    ),
    "HX-EX-02": (
        combat(attacker(INF, bars=1), defender(INF, bars=1, entrenchment=5, on=ground("City"))),
        ([7, 5, 11, 14], [7, 5, 11, 14], DEFENDER_FIRST, 0, 5),
    ),
    "HX-EX-03": (
        combat(attacker(ART), defender(INF, entrenchment=3), range=3, attacker_moved=False),
        ([10, 3, 0, 9], [10, 3, 0, 9], SIMULTANEOUS, 2, 0),
    ),
    "HX-EX-04": (
        combat(attacker(TANK), defender(INF, on=ground("River"))),
        ([12, 14, 3, 6], [16, 18, 3, 6], SIMULTANEOUS, 6, 1),
    ),
    "HX-EX-05": (
        combat(attacker(TANK, on=ground("River")), defender(INF)),
        ([8, 10, 7, 10], [12, 14, 7, 10], SIMULTANEOUS, 4, 1),
    ),
    "HX-EX-06": (combat(attacker(TB), defender(AD)), ([9, 8, 15, 10], [9, 8, 15, 10], SIMULTANEOUS, 3, 6)),
    "HX-EX-07": (
        combat(attacker(TB), defender(TANK, entrenchment=1)),
        ([10, 8, 0, 6], [10, 8, 0, 6], SIMULTANEOUS, 5, 0),
    ),
    "HX-EX-07 in rain": (
        combat(attacker(TB), defender(TANK, entrenchment=1), weather="Rain"),
        ([10, 11, 0, 9], [10, 11, 0, 9], SIMULTANEOUS, 2, 0),
    ),
    "HX-EX-08": (
        combat(attacker(INF), defender(TANK, entrenchment=3, on=ground("City"))),
        ([7, 6, 12, 9], [7, 6, 12, 9], DEFENDER_FIRST, 1, 5),
    ),
    "HX-EX-09": (
        combat(
            attacker(TANK, leaders=("Aggressive Attack",)),
            defender(INF, entrenchment=2, leaders=("Determined Defense",)),
        ),
        ([12, 12, 5, 12], [16, 16, 5, 12], SIMULTANEOUS, 5, 1),
    ),
    "HX-EX-11": (combat(attacker(AT), defender(TANK)), ([12, 7, 9, 10], [12, 7, 13, 14], SIMULTANEOUS, 2, 5)),
    "HX-EX-12": (
        combat(attacker(AT), defender(TANK), attacker_moved=False),
        ([12, 8, 9, 10], [12, 8, 9, 10], SIMULTANEOUS, 4, 4),
    ),
    "HX-EX-13": (
        combat(attacker(TANK, leaders=("First Strike",)), defender(INF)),
        ([8, 10, 3, 6], [12, 14, 3, 6], ATTACKER_FIRST, 5, 0),
    ),
}
"""Case to odds, odds after initiative, sequence, what the Defender and the Attacker lose."""


@pytest.mark.parametrize("case", CASES)
def test_a_forecast_matches_the_rules_worked_example(case):
    asked, (before, after, sequence, defender_loses, attacker_loses) = CASES[case]

    found = expected(asked)

    own, enemy = found.attacker, found.defender
    assert numbers(found) == before
    assert after_initiative(found) == f"{own.name} {after[0]} / {after[1]}, {enemy.name} {after[2]} / {after[3]}"
    assert found.sequence == sequence
    assert (enemy.kills_taken, own.kills_taken) == (defender_loses, attacker_loses)


def test_hx_ex_01_initiative_is_7_against_2():
    found = expected(CASES["HX-EX-01"][0])

    assert [variable.value for variable in found.account.explained if variable.name.startswith("Initiative")] == [7, 2]


def test_hx_ex_11_an_at_gun_that_moved_has_initiative_0_against_99():
    found = expected(CASES["HX-EX-11"][0])

    assert [variable.value for variable in found.account.explained if variable.name.startswith("Initiative")] == [0, 99]


def test_hx_ex_10_air_defence_fires_at_range_2():
    found = expected(combat(attacker(TB), defender(INF), air_defence=(supporter(AD, distance=2),)))

    assert numbers(found, "Air defence") == [15, 10, 0, 8]
    assert found.attacker.kills_taken == 6


def test_hx_ex_14_typed_dice_give_the_same_losses():
    asked = combat(attacker(TANK, bars=1), defender(INF, entrenchment=2))
    answer = [1] * 10  # the infantry misses throughout

    found = strictly(asked, 3, 3, 20, 1, 10, 11, 12, 7, 6, 15, 3, 9, *answer)

    assert (found.defender.kills_taken, found.defender.suppression_taken) == (4, 5)
    assert found.attacker.kills_taken == 0


def test_hx_ex_15_kills_give_experience():
    odds = CombatOdds(own_attack=13, own_defence=15, enemy_attack=3, enemy_defence=8)

    assert per_kill(odds, 10, CONSTANTS) * 5 == 55
    assert CONSTANTS.experience_target * 5 == 10
    assert gained(55, 1, dataclasses.replace(CONSTANTS, exp_bar_factor=10)) == 50
    assert gained(55, 1, CONSTANTS) == 55
    assert gained(55, 0, dataclasses.replace(CONSTANTS, exp_bar_factor=10)) == 55


def test_hx_ex_16_large_differences_are_flattened():
    assert [flattened(number) for number in range(4, 15)] == [4, 4, 4, 5, 5, 6, 6, 6, 7, 7, 8]


@pytest.mark.parametrize(
    ("threshold", "kills"),
    [(15, [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]), (19, [1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4])],
    ids=["HX-EX-17", "HX-EX-18"],
)
def test_ten_shots_have_their_expected_kills(threshold, kills):
    enemy = fighter(defender(INF), DEFENDER, TABLES.facts)

    found = [
        expected_losses(Aim(10, flattened, 11, threshold), enemy).killed
        for flattened in (-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5)
    ]

    assert found == kills


@pytest.mark.parametrize(
    ("own", "enemy", "chances"),
    [
        ((), (), [5, 10, 15, 20, 25, 30]),
        ((), ("Tenacious Defense",), [10, 20, 30, 40, 50, 60]),
        (("Tenacious Defense",), (), [2, 5, 7, 10, 12, 15]),
    ],
)
def test_hx_ex_19_entrenchment_raises_the_chance_of_rugged_defence(own, enemy, chances):
    found = [
        expected(combat(attacker(INF, leaders=own), defender(INF, leaders=enemy, entrenchment=deep))).account.chances
        for deep in range(1, 7)
    ]

    assert found == [[f"rugged defence {chance} %"] for chance in chances]


def chance_to_evade(own, enemy):
    found = expected(combat(own, enemy))
    return evade_percent(found.attacker, found.defender, 1, found)


def test_hx_ex_20_submarines_evade_with_the_worked_chances():
    submarine = defender(SUB, bars=2)
    mounted = defender(SUB, bars=2, transport_type=TRUCK)

    assert chance_to_evade(attacker(INF, bars=1), submarine) == 35
    assert chance_to_evade(attacker(TB, bars=1), submarine) == 17
    assert chance_to_evade(attacker(TB, bars=1), mounted) == 8


def test_hx_ex_21_bombs_reduce_stores_as_worked_out():
    bomber = fighter(attacker(LB, bars=2), ATTACKER, TABLES.facts)
    type = kind("Target", "Tank", "Hard", max_fuel=60, max_ammo=8, movement=5)
    target = fighter(defender(type), DEFENDER, TABLES.facts)

    fair, rain = effect(bomber, is_bad_weather=False), effect(bomber, is_bad_weather=True)

    assert (fair, lost_fuel(target, fair), lost_ammo(target, fair)) == (32, 19, 1)
    assert (rain, lost_fuel(target, rain), lost_ammo(target, rain)) == (16, 9, 0)
    assert suppression(10, is_barrage=False) == (3, 10)
    assert suppression(10, is_barrage=True) == (1, 10)


def test_hx_ex_22_bombs_cost_prestige_as_worked_out():
    bomber = fighter(attacker(LB, bars=2), ATTACKER, TABLES.facts)
    heavy = kind("Heavy", "Level Bomber", "Air", bomb_code=30)
    heavies = fighter(attacker(heavy, bars=5, strength=15), ATTACKER, TABLES.facts)

    assert prestige_effect(bomber, is_bad_weather=False) == 32  # Dice(8,16), at least 24
    assert prestige_effect(heavies, is_bad_weather=False) == 95  # Dice(23,47)
    assert CONSTANTS.prestige_least == 24


@pytest.mark.parametrize(("more", "percent"), [({}, 9), ({"mined": True}, 19), ({"barrage": True}, 4)])
def test_hx_ex_23_facilities_blow_up_with_the_worked_chance(more, percent):
    on = ground("City", mined=more.get("mined", False))
    asked = combat(attacker(LB, bars=2, leaders=("Resilience",)), defender(INF, on=on), facility="City")
    found = deploy(asked, TABLES, ExpectedFate(Account()), Account())

    assert blow_percent(found, is_barrage=more.get("barrage", False)) == percent


def test_hx_ex_24_critical_hits_have_the_worked_chance():
    cruiser = kind("CA", "Cruiser", "Naval", **stats(naval=10))
    target = kind("FF", "Destroyer", "Naval", ground_defence=6)
    constants = dataclasses.replace(CONSTANTS, critical_hit=1)
    fired_at = fighter(defender(target, strength=8), DEFENDER, TABLES.facts)

    own = fighter(attacker(cruiser, bars=1), ATTACKER, TABLES.facts)
    assert critical_percent(own, fired_at, constants, is_under_water=False) == 5
    assert critical_percent(own, fired_at, constants, is_under_water=True) == 15


def test_hx_ex_25_sabotage_succeeds_with_the_worked_chance():
    saboteur = kind("Sappers", "Infantry", "Soft", **stats(6), initiative=4)
    own = fighter(attacker(saboteur, bars=1, strength=8), ATTACKER, TABLES.facts)
    even = fighter(attacker(saboteur, bars=1), ATTACKER, TABLES.facts)
    enemy = fighter(defender(INF), DEFENDER, TABLES.facts)

    assert sabotage_percent(own, enemy, CONSTANTS) == 27
    assert sabotage_percent(even, enemy, CONSTANTS) == 34


def test_a_typed_die_out_of_range_is_named():
    with pytest.raises(ValueError, match="die number 2 shows 7, where it can show 1 to 3"):
        rolled(combat(attacker(TANK), defender(TANK)), 1, 7)
