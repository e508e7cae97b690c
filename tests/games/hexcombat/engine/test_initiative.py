"""HX-INI: who fires first, and what the initiative is worth."""

import dataclasses

import pytest

from tests.games.hexcombat.engine.battles import (
    AD,
    ART,
    AT,
    FLAK,
    FORT,
    INF,
    SUB,
    TANK,
    TB,
    after_initiative,
    attacker,
    combat,
    defender,
    expected,
    ground,
    kind,
    rolled,
    stats,
)  # fmt: skip

FIRST = ("First Strike",)


def sequence(own, enemy, **more):
    return expected(combat(own, enemy, **more)).sequence


def initiatives(found):
    return [variable.value for variable in found.account.explained if variable.name.startswith("Initiative")]


@pytest.mark.parametrize(
    ("id", "first"),
    [
        ("HX-INI-1", sequence(attacker(FORT), defender(INF), range=2)),
        ("HX-INI-2", sequence(attacker(ART), defender(INF, leaders=FIRST))),
    ],
)
def test_quick_answers_decide_at_once(id, first):
    assert first == "SIMULTANEOUS"


def test_hx_ini_3_the_defender_fires_first_in_rugged_combat():
    assert sequence(attacker(INF), defender(INF, on=ground("City"))) == "DEFENDER FIRST"
    assert sequence(attacker(ART), defender(INF), kind="Surprise contact") == "DEFENDER FIRST"


def test_hx_ini_4_flak_fires_first_at_planes():
    assert sequence(attacker(TB), defender(FLAK)) == "DEFENDER FIRST"


def test_hx_ini_5_the_attacker_fires_first_in_submarine_combat():
    assert sequence(attacker(SUB), defender(kind("BC", "Battle Cruiser", "Naval"))) == "ATTACKER FIRST"
    assert sequence(attacker(kind("DD", "Destroyer", "Naval", **stats(naval=8))), defender(SUB)) == "ATTACKER FIRST"


def test_hx_ini_6_planes_and_air_defence_guns_have_5():
    assert initiatives(expected(combat(attacker(TB, bars=4), defender(AD, bars=2)))) == [5, 5]


def test_hx_ini_7_half_the_bars_count_rounded_up():
    assert initiatives(expected(combat(attacker(TANK, bars=3), defender(INF, bars=2)))) == [8, 3]


def test_hx_ini_7_an_unmoved_attacker_matches_the_defender():
    slow = dataclasses.replace(INF, initiative=1)

    assert initiatives(expected(combat(attacker(slow), defender(TANK), attacker_moved=False))) == [6, 6]
    assert initiatives(expected(combat(attacker(slow), defender(TANK)))) == [1, 6]


def test_hx_ter_distant_fire_on_open_ground_is_unlimited():
    quick = dataclasses.replace(ART, unit_class="Tank", initiative=20)

    assert initiatives(expected(combat(attacker(quick), defender(TANK), range=2))) == [20, 6]
    assert initiatives(expected(combat(attacker(quick), defender(TANK), range=1))) == [8, 6]


def test_hx_ter_the_defender_s_hex_decides_on_close_terrain():
    in_city = {"on": ground("City")}

    assert initiatives(expected(combat(attacker(TANK), defender(TANK, **in_city), attacker_moved=False))) == [1, 1]
    assert initiatives(expected(combat(attacker(TANK, **in_city), defender(TANK)))) == [6, 6]


def test_hx_op_46_a_fortification_counts_as_close_terrain():
    fought = expected(combat(attacker(TANK), defender(TANK, on=ground("Fortification")), attacker_moved=False))

    assert initiatives(fought) == [3, 3]


def test_hx_ini_8_hits_on_the_defender_help_the_attacker():
    assert initiatives(expected(combat(attacker(TANK), defender(INF, hits=3)))) == [9, 2]


def test_hx_ini_9_a_moved_gun_needs_a_lead_of_3():
    assert initiatives(expected(combat(attacker(AT), defender(TANK)))) == [0, 99]
    assert initiatives(expected(combat(attacker(AT), defender(INF)))) == [6, 2]
    assert initiatives(expected(combat(attacker(AT, leaders=("Tank Killer",)), defender(TANK)))) == [6, 6]


def test_hx_ini_10_dice_are_rolled_in_a_real_combat_only():
    asked = combat(attacker(TANK), defender(INF))

    assert initiatives(expected(asked)) == [6, 2]
    assert initiatives(rolled(asked, 3, 1)) == [9, 3]


def test_hx_ini_11_hx_ini_12_without_fuel_or_ammo_it_is_halved():
    motor = dataclasses.replace(TANK, max_fuel=40)

    assert initiatives(expected(combat(attacker(motor, fuel=0), defender(motor, ammo=0)))) == [3, 3]
    assert initiatives(expected(combat(attacker(motor), defender(motor, fuel=0, ammo=0)))) == [6, 1]


def test_hx_ini_13_battlefield_intelligence_helps_the_attacker():
    leader = ("Battlefield Intelligence",)

    assert initiatives(expected(combat(attacker(TANK, leaders=leader), defender(TANK, leaders=leader)))) == [7, 6]


def test_hx_ini_14_attachments_lower_initiative_to_at_least_0():
    heavy = ("Air Defence", "Fast Entrench")

    assert initiatives(expected(combat(attacker(TANK, attachments=heavy), defender(INF, attachments=heavy)))) == [4, 0]
    assert initiatives(expected(combat(attacker(TANK, attachments=("Anti-Tank",)), defender(INF)))) == [6, 2]


def test_hx_ini_15_plane_and_ground_unit_never_get_the_bonus():
    quick = dataclasses.replace(TB, initiative=20)

    found = expected(combat(attacker(quick), defender(INF)))

    assert found.sequence == "SIMULTANEOUS"
    assert after_initiative(found) == "TB A 9 / 8, Inf D 0 / 5"


def test_hx_ini_16_hx_op_40_equal_initiatives_change_nothing():
    found = expected(combat(attacker(TANK), defender(TANK)))

    assert found.sequence == "SIMULTANEOUS"
    assert after_initiative(found) == "Tank A 9 / 10, Tank D 9 / 10"


def test_hx_ini_17_the_defender_leads_by_up_to_4():
    found = expected(combat(attacker(INF), defender(TANK)))

    assert after_initiative(found) == "Inf A 3 / 6, Tank D 12 / 14"  # leads by 4; HX-OP-16 adds
    assert found.sequence == "SIMULTANEOUS"


def test_hx_ini_17_first_strike_or_a_street_fighter_in_a_city_fires_first():
    in_city = {"on": ground("City")}
    slow, quick = dataclasses.replace(TANK, initiative=0), dataclasses.replace(INF, initiative=3, hard_attack=9)

    def who(*leaders, **more):
        return sequence(attacker(slow), defender(quick, leaders=leaders, **more))

    assert who("First Strike") == "DEFENDER FIRST"
    assert who("Street Fighter", **in_city) == "DEFENDER FIRST"
    assert who("Street Fighter") == "SIMULTANEOUS"


def test_hx_ini_17_a_defender_too_weak_to_use_its_lead_gets_nothing():
    weak = dataclasses.replace(INF, initiative=8, hard_attack=2)

    found = expected(combat(attacker(TANK, leaders=FIRST), defender(weak, leaders=FIRST)))

    assert found.sequence == "SIMULTANEOUS"
    assert after_initiative(found) == "Tank A 8 / 10, Inf D 2 / 6"


def test_hx_ini_18_infiltration_needs_a_lead_of_2_and_more_attack_than_defence():
    leaders = ("Infiltration Tactics",)
    near = dataclasses.replace(INF, initiative=5)

    assert sequence(attacker(TANK, leaders=leaders), defender(INF)) == "ATTACKER FIRST"
    assert sequence(attacker(TANK, leaders=leaders), defender(near)) == "SIMULTANEOUS"  # leads by 1
    assert sequence(attacker(TANK, leaders=leaders), defender(INF, leaders=("Tenacious Defense",))) == "SIMULTANEOUS"


def test_hx_ini_18_first_strike_fires_first():
    assert sequence(attacker(TANK, leaders=FIRST), defender(INF)) == "ATTACKER FIRST"
    assert sequence(attacker(TANK, leaders=FIRST), defender(TANK)) == "SIMULTANEOUS"


def test_hx_op_43_close_combat_lets_a_tank_in_a_city_fire_first():
    assert sequence(attacker(INF), defender(TANK, on=ground("City"))) == "DEFENDER FIRST"


def test_hx_ini_17_hx_ini_18_log_and_explain_name_the_leader_s_gain():
    ours = expected(combat(attacker(TANK, bars=1), defender(INF)))
    theirs = expected(combat(attacker(INF), defender(TANK, bars=1)))
    for found, name, id in ((ours, ours.attacker.name, "HX-INI-18"), (theirs, theirs.defender.name, "HX-INI-17")):
        lines = [event.text for event in found.account.events if event.id == id and event.kind == "line"]
        assert [text.partition(",")[2].partition(", makes")[0] for text in lines] == [
            f" {name}: +4 (leads in initiative)",
            f" {name}: +4 (leads in initiative)",
        ]
        ends = [number.line() for number in found.account.explained if number.id == id]
        assert [line.partition(",")[0] for line in ends] == ["Attack", "Defence"]
        assert all(f" + leads in initiative 4 [{id}] (Exchange)" in line for line in ends)
