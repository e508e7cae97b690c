"""HX-LOS, HX-EXP, HX-UPD: what one fire does and what it leaves."""

import dataclasses

import pytest

from engine.hexcombat.combat.losses import Aim, HexLosses, aim, hit, suffered
from engine.hexcombat.combat.losses import expected as expected_losses
from engine.hexcombat.combat.odds import CombatOdds
from engine.hexcombat.setup.fighter import ATTACKER, DEFENDER, fighter
from tests.games.hexcombat.engine.battles import (
    AD,
    ART,
    BB,
    FORT,
    INF,
    LB,
    TABLES,
    TANK,
    TB,
    attacker,
    combat,
    defender,
    expected,
    setting,
    strictly,
)  # fmt: skip

FACTS = TABLES.facts
PLAIN = Aim(shots=10, difference=0, suppress=11, kill=15)


def aimed(own, enemy, difference=0, **more):
    asked = combat(own, enemy, **more)
    found = expected(asked)
    own_fighter = fighter(asked.attacker, ATTACKER, FACTS)
    enemy_fighter = fighter(asked.defender, DEFENDER, FACTS, mission=asked.defender_mission)
    return aim(own_fighter, enemy_fighter, CombatOdds(difference, 0, 0, 0), found.scene(), TABLES)


def test_hx_los_1_hx_op_48_reconnaissance_and_weather_halve_shots():
    night_eyes = attacker(TB, leaders=("All Weather Combat",))

    assert aimed(attacker(AD, strength=9), defender(TB)).shots == 9
    assert aimed(attacker(AD, strength=9), defender(TB), weather="Rain").shots == 4
    assert aimed(attacker(AD, strength=9), defender(TB), defender_mission="Recon").shots == 4
    assert aimed(attacker(AD, strength=9), defender(TB), weather="Rain", defender_mission="Recon").shots == 2
    assert aimed(night_eyes, defender(INF), weather="Snow").shots == 10
    assert aimed(attacker(TB, attributes=("AllWeather",)), defender(INF), weather="Snow").shots == 10
    assert aimed(attacker(TANK), defender(INF), weather="Snow").shots == 10


def test_hx_los_1_suppressed_points_do_not_fire():
    assert aimed(attacker(TANK, suppressed=4), defender(INF)).shots == 6


def test_hx_los_2_leaders_change_the_flattened_difference():
    assert aimed(attacker(TANK), defender(INF), 14).difference == 8
    assert aimed(attacker(TANK, leaders=("Overwhelming Attack",)), defender(INF), 14).difference == 10
    assert aimed(attacker(TANK), defender(INF, leaders=("Resilience",)), 14).difference == 6


@pytest.mark.parametrize(
    ("own", "thresholds"),
    [
        (attacker(TANK), (11, 15)),
        (attacker(ART), (11, 19)),
        (attacker(FORT), (11, 19)),
        (attacker(LB), (11, 19)),
        (attacker(BB), (11, 19)),
        (attacker(TB), (11, 15)),
        (attacker(TANK, attachments=("Special Ammo",)), (10, 14)),
        (attacker(TB, attributes=("Kamikaze",)), (10, 13)),
    ],
)
def test_hx_los_3_thresholds_suppress_and_kill(own, thresholds):
    found = aimed(own, defender(INF))

    assert (found.suppress, found.kill) == thresholds


def test_hx_los_4_a_natural_1_misses_and_a_natural_20_kills():
    certain, hopeless = dataclasses.replace(PLAIN, difference=30), dataclasses.replace(PLAIN, difference=-30)

    assert hit(1, certain) == (0, 0)
    assert hit(20, hopeless) == (1, 1)
    assert [hit(die, PLAIN) for die in (10, 11, 14, 15)] == [(0, 0), (0, 2), (0, 2), (1, 1)]


def test_hx_los_5_losses_stay_within_strength():
    enemy = fighter(defender(INF, strength=4), DEFENDER, FACTS)

    assert suffered([20] * 10, PLAIN, enemy) == HexLosses(4, 0)
    assert suffered([20, 20, 20, *[12] * 7], PLAIN, enemy) == HexLosses(3, 1)


@pytest.mark.parametrize(
    ("shots", "enemy", "says", "losses"),
    [
        ([8] * 10, {}, "suppression 20 ÷ 2 = 10", (0, 10)),
        ([20] * 4 + [2] * 6, {}, "suppression 4 ÷ 2 = 2", (4, 2)),
        ([20] * 3 + [8] * 7, {"strength": 6}, "suppression 17 ÷ 2 = 8, at most 3 (strength left)", (3, 3)),
    ],
)
def test_hx_los_5_the_log_halves_the_suppression_of_all_shots(shots, enemy, says, losses):
    asked = combat(attacker(TANK, bars=1), defender(INF, entrenchment=2, **enemy))

    found = strictly(asked, 3, 3, *shots, *[1] * enemy.get("strength", 10))

    lines = [event.text for event in found.account.events if event.id == "HX-LOS-5"]
    assert lines == [f"Tank A at Inf D: {says}"]
    assert (found.defender.kills_taken, found.defender.suppression_taken) == losses


def test_hx_los_4_the_log_names_the_suppression_of_each_shot():
    asked = combat(attacker(TANK, bars=1), defender(INF, entrenchment=2))

    found = strictly(asked, 3, 3, 20, 8, *[2] * 8, *[1] * 10)

    lines = [event.text.partition(": ")[2] for event in found.account.events if event.id == "HX-LOS-4"]
    assert lines[:3] == [
        "20 (given), kills: suppression +1",
        "8 (given) + 4 = 12, suppresses: suppression +2",
        "2 (given) + 4 = 6, nothing",
    ]


def test_hx_los_5_hx_op_17_hx_op_41_overwhelming_attack_kills_a_suppressed_point():
    enemy = fighter(defender(INF, strength=4), DEFENDER, FACTS)
    fierce = dataclasses.replace(PLAIN, converted=1)

    assert aimed(attacker(TANK, leaders=("Overwhelming Attack",)), defender(INF)).converted == 1
    assert suffered([20, 12, 12, 12], fierce, enemy) == HexLosses(2, 2)
    assert suffered([20], fierce, enemy) == HexLosses(1, 0)
    assert suffered([20] * 6, fierce, enemy) == HexLosses(4, 0)


def test_hx_for_1_overwhelming_attack_kills_one_more():
    fierce = dataclasses.replace(PLAIN, converted=1)

    assert expected_losses(PLAIN, fighter(defender(INF), DEFENDER, FACTS)).killed == 3
    assert expected_losses(fierce, fighter(defender(INF), DEFENDER, FACTS)).killed == 4
    assert expected_losses(fierce, fighter(defender(INF, strength=3), DEFENDER, FACTS)).killed == 3
    assert expected_losses(dataclasses.replace(fierce, shots=0), fighter(defender(INF), DEFENDER, FACTS)).killed == 0


def test_hx_los_6_suppression_keeps_points_from_firing_back():
    """First Strike: five of ten suppressed, so five answer."""
    asked = combat(attacker(TANK, leaders=("First Strike",)), defender(INF))

    found = strictly(asked, 3, 1, *[8] * 5, *[2] * 5, *[20] * 5)

    assert found.sequence == "ATTACKER FIRST"
    assert (found.defender.kills_taken, found.defender.suppression_taken) == (0, 5)
    assert found.attacker.kills_taken == 5


def test_hx_los_6_the_result_names_no_more_points_as_suppressed_than_are_left():
    """Eight of ten are suppressed; then seven of the ten are killed."""
    unit = fighter(defender(INF), DEFENDER, FACTS)

    unit.take_losses(0, 8)
    unit.take_losses(7, 1)

    assert (unit.strength, unit.suppressed, unit.suppression_taken) == (3, 3, 3)


def test_hx_exp_1_a_harmless_enemy_gives_little_experience():
    found = strictly(combat(attacker(ART), defender(INF), range=3), *[20] * 10)

    assert found.attacker.experience == 10 * 2  # B1 0; B2 6 + 6 − 10
    assert found.defender.experience == 2 * 10


def test_hx_exp_3_a_kill_gives_at_most_15():
    found = strictly(combat(attacker(INF), defender(TANK)), 1, 1, 20, *[2] * 9, *[1] * 10)

    assert found.attacker.experience == 15
    assert found.defender.experience == 2


def test_hx_exp_4_there_is_no_experience_without_a_kill():
    found = strictly(combat(attacker(INF), defender(TANK)), 1, 1, *[2] * 10, *[1] * 10)

    assert (found.attacker.experience, found.defender.experience) == (0, 0)


def test_hx_exp_5_a_setting_reduces_gains_by_bars():
    slower = (setting("constants/HX-EXP-5/exp_bar_factor", 20),)
    asked = combat(attacker(INF, bars=3), defender(TANK), settings=slower)

    found = strictly(asked, 1, 1, 20, *[2] * 9, *[1] * 10)

    assert found.attacker.experience == 300 + 6  # (15 × 40 + 50) / 100


def test_hx_upd_hx_op_21_a_hit_reduces_entrenchment_and_is_counted():
    asked = combat(attacker(TANK), defender(INF, entrenchment=2))

    hurt = strictly(asked, 1, 1, 20, *[2] * 9, *[1] * 10)
    spared = strictly(asked, 1, 1, *[1] * 10, *[1] * 10)

    assert (hurt.defender.entrenchment, hurt.defender.hits) == (1, 1)
    assert (spared.defender.entrenchment, spared.defender.hits) == (2, 0)
    assert (hurt.attacker.ammo, hurt.defender.ammo) == (9, 9)


def test_hx_op_22_a_new_bar_mentions_a_possible_leader_without_a_roll():
    found = strictly(combat(attacker(INF, experience=95), defender(TANK)), 1, 1, 20, *[2] * 9, *[1] * 10)

    assert found.attacker.bars == 1
    assert ("HX-OP-22", "Inf A: 1 bar now; leader possible") in [
        (event.id, event.text) for event in found.account.events
    ]


def test_hx_def_21_a_type_without_ammo_never_runs_out():
    tireless = dataclasses.replace(TANK, max_ammo=0)

    found = strictly(combat(attacker(tireless, ammo=0), defender(INF)), 1, 1, *[1] * 20)

    assert found.attacker.has_fired
    assert found.attacker.ammo == 0
