"""The terms of section 1: what the rules mean by their words."""

import dataclasses

import pytest

from engine.config_value import TableError
from engine.hexcombat.setup.fighter import ATTACKER, fighter
from engine.hexcombat.setup.inputs import Piece
from engine.hexcombat.setup.numbers import div, within
from engine.hexcombat.setup.tables import HexTables
from scripts.support.pinned_tables import SHIPPED, raw_tables
from tests.games.hexcombat.engine.battles import (
    ART,
    BB,
    FORT,
    INF,
    LB,
    SUB,
    TABLES,
    TANK,
    TB,
    TRUCK,
    attacker,
    combat,
    defender,
    expected,
    ground,
    kind,
    numbers,
    piece,
    rolled,
    setting,
    stats,
    strictly,
    supporter,
)  # fmt: skip

FACTS = TABLES.facts


def test_hx_def_02_the_attacker_is_a_in_its_own_fire_and_p_in_its_enemys():
    asked = combat(attacker(TANK, leaders=("Aggressive Attack",)), defender(TANK, leaders=("Aggressive Attack",)))

    assert numbers(expected(asked)) == [13, 12, 11, 10]  # E12 is A's alone


def test_hx_def_04_hx_def_05_hx_op_08_classes_have_groups():
    assert {FACTS.groups[name] for name in ("Infantry", "Air Defence", "Ground Transport")} == {"Land"}
    assert {FACTS.groups[name] for name in ("Fighter", "Helo Transport")} == {"Air"}
    assert {FACTS.groups[name] for name in ("Submarine", "Naval Transport", "Light Cruiser")} == {"Naval"}
    assert len(FACTS.groups) == 22
    ship_in_river = defender(BB, on=ground("River"))  # not Land, so that the river does not matter
    assert numbers(expected(combat(attacker(LB), ship_in_river)))[:2] == [4, 8]


def test_hx_def_06_ships_and_land_units_share_one_space():
    friend = piece(BB, "Friend", "Blue", bars=2, leaders=("Combat Support",))

    assert numbers(expected(combat(attacker(TANK), defender(INF), beside_defender=(friend,)))) == [8, 10, 5, 8]


def test_hx_def_08_five_bars_are_the_most():
    assert fighter(attacker(TANK, bars=9), ATTACKER, FACTS).bars == 5
    assert fighter(attacker(TANK, experience=299), ATTACKER, FACTS).bars == 2


def test_hx_def_09_hx_def_10_hx_def_11_targets_select_attack_and_defence():
    armed = kind("Armed", "Tank", "Hard", **stats(1, 2, 3, 4), ground_defence=5, air_defence=6, close_defence=7)

    assert [numbers(expected(combat(attacker(armed), defender(foe))))[0] for foe in (INF, TANK, TB, BB)] == [1, 2, 3, 4]
    assert numbers(expected(combat(attacker(TANK), defender(armed))))[3] == 5
    assert numbers(expected(combat(attacker(TB), defender(armed))))[3] == 6
    assert numbers(expected(combat(attacker(INF), defender(armed, on=ground("City")))))[3] == 7 + 4


def test_hx_def_12_hx_op_05_rugged_combat_helps_the_defender():
    city, surprise = ground("City"), {"kind": "Surprise contact"}

    assert numbers(expected(combat(attacker(INF), defender(INF, on=city)))) == [6, 4, 10, 8]
    assert numbers(expected(combat(attacker(INF), defender(INF), **surprise))) == [6, 4, 10, 8]
    assert numbers(strictly(combat(attacker(INF), defender(INF, entrenchment=1)), 5, *[1] * 20)) == [6, 4, 10, 9]


def test_hx_def_14_hx_nc_02_adjacent_units_fight_in_close_combat():
    cases = [
        (INF, defender(TANK, on=ground("City")), True),
        (INF, defender(TANK, on=ground("Forest")), True),
        (INF, defender(TANK, on=ground("Mountain")), True),
        (INF, defender(FORT), True),
        (INF, defender(TANK, on=ground("Hill")), False),
        (TANK, defender(INF, on=ground("City")), False),
    ]
    assert [(own, enemy, expected(combat(attacker(own), enemy)).is_close_combat) for own, enemy, _ in cases] == cases


@pytest.mark.parametrize(
    ("own", "enemy", "ignores"),
    [
        ({"attributes": ("Ignore Entrench",)}, {}, True),
        ({"leaders": ("Infiltration Tactics",)}, {}, True),
        ({"leaders": ("Street Fighter",)}, {"on": ground("Port")}, True),
        ({"leaders": ("Street Fighter",)}, {"on": ground("Hill")}, False),
        ({"leaders": ("Infiltration Tactics",)}, {"leaders": ("Ferocious Defense",)}, False),
    ],
)
def test_hx_def_15_some_attackers_ignore_entrenchment(own, enemy, ignores):
    found = expected(combat(attacker(TANK, **own), defender(INF, entrenchment=4, **enemy)))

    assert numbers(found)[3] == (6 if ignores else 10)


def test_hx_def_16_all_weather_but_fair_is_bad():
    cases = ["Overcast", "Rain", "Snow"]
    assert [
        (weather, numbers(expected(combat(attacker(TANK), defender(INF), weather=weather))))
        for weather in cases
        if numbers(expected(combat(attacker(TANK), defender(INF), weather=weather))) != [8, 13, 3, 9]
    ] == []


def test_hx_def_17_hx_def_18_hx_op_29_subtractions_stop_at_1_or_0():
    weak = kind("Weak", "Infantry", "Soft", ground_defence=1)

    assert numbers(expected(combat(attacker(TANK), defender(weak, on=ground(mined=True)))))[3] == 1
    assert numbers(expected(combat(attacker(TANK), defender(weak, hits=4))))[3] == 0
    bare = dataclasses.replace(weak, ground_defence=0)
    assert numbers(expected(combat(attacker(TANK), defender(bare))))[3] == 0  # nothing was taken


def test_hx_def_19_every_face_of_a_die_occurs():
    asked = combat(attacker(TANK), defender(INF))

    dice = [event.amount for seed in range(30) for event in rolled(asked, seed=seed).account.events
            if event.id == "HX-LOS-4"]  # fmt: skip

    assert set(dice) == set(range(1, 21))


def test_hx_def_20_division_is_truncated_towards_zero():
    assert [div(number, 5) for number in (9, 10, -9, -10, 4, -4)] == [1, 2, -1, -2, 0, 0]
    assert [within(number, 1, 19) for number in (-3, 7, 30)] == [1, 7, 19]


def test_hx_def_22_hx_nc_03_combat_changes_only_working_copies():
    asked = combat(attacker(TANK), defender(INF))

    rolled(asked)

    assert (asked.attacker.unit.ammo, asked.defender.unit.strength) == (None, 10)


def test_hx_nc_06_hx_nc_08_hx_nc_13_hx_nc_15_steps_run_in_order():
    sappers = dataclasses.replace(INF, attributes=("Saboteur",))
    asked = combat(attacker(sappers), defender(INF, entrenchment=2), fire_support=(supporter(ART),))

    found = strictly(asked, *[1] * 10, 100, 100, 1, 1, *[1] * 18)

    order = [event.id for event in found.account.events if event.kind in ("fire", "chance", "sequence")]
    assert order == ["HX-FS-1", "HX-SAB-5", "HX-RUG-6", "HX-INI-16", "HX-RES", "HX-RES"]


@pytest.mark.parametrize("rate", [0, 3, 7])
def test_hx_rug_2_hx_rug_3_hx_rug_4_hx_rug_5_the_rate_cancels_but_weights_do_not(rate):
    enemy = defender(INF, leaders=("Tenacious Defense",), entrenchment=3)
    asked = combat(attacker(INF), enemy, settings=(setting("constants/HX-RUG-4/infantry_entrench_rate", rate),))

    assert expected(asked).account.chances == ["rugged defence 30 %"]


def test_hx_bom_2_weather_changes_the_effect_of_bars():
    depot = kind("Depot", "Tank", "Hard", max_fuel=100, movement=0)

    fair = strictly(combat(attacker(LB, bars=1), defender(depot)), 1, 1, 3, *[1] * 10)
    rain = strictly(combat(attacker(LB, bars=1), defender(depot), weather="Rain"), 1, 1, 3, *[1] * 5)

    assert (fair.defender.fuel, rain.defender.fuel) == (100 - 22, 100 - 11)


def test_hx_exp_2_armour_gives_more_experience():
    armour = kind("Armour", "Tank", "Hard", ground_defence=10)

    found = strictly(combat(attacker(ART), defender(armour), range=3), 20, *[1] * 9)

    assert found.attacker.experience == 10 + 6 - 6


def test_hx_cri_3_a_submarine_hits_critically_more_often():
    settings = (setting("constants/HX-CRI/critical_hit", 1),)
    target = dataclasses.replace(BB, ground_defence=12)  # (12 × 10 − 12 × 10) / 30 = 0, and 10

    found = expected(combat(attacker(SUB), defender(target), settings=settings))

    assert found.account.chances[-1:] == ["critical hit on BB D 10 %"]


def test_p_fires_with_unsuppressed_points():
    cases = [
        ("HX-OP-07", numbers(expected(combat(attacker(INF), defender(TANK, attachments=("Anti-Tank",))))), 8),
        ("HX-OP-10", numbers(expected(combat(attacker(INF), defender(INF, on=ground("River"))))), 6),
        (
            "HX-OP-11",
            numbers(expected(combat(attacker(LB), defender(kind("G", "Air Defence", "Soft", air_attack=5))))),
            8,
        ),
    ]
    assert [(id, odds, odds[2]) for id, odds, _ in cases] == cases


def test_hx_op_15_a_gun_that_moved_has_no_range_defence():
    gun = kind("Gun", "Anti-Tank", "Hard", **stats(4, 12), ground_defence=7, rdm=6)

    assert [
        numbers(expected(combat(attacker(gun), defender(TANK), attacker_moved=moved)))[1] for moved in (True, False)
    ] == [
        7,
        10,
    ]


def test_hx_op_20_the_enemy_s_whole_strength_counts_for_experience():
    found = strictly(combat(attacker(INF), defender(INF)), 1, 1, 20, *[1] * 9, *[1] * 10)

    assert found.attacker.experience == 15  # (6 + 6 − 6) × 10 and 6, at most 15


def test_hx_op_28_halving_precedes_leaders_and_entrenchment():
    enemy = defender(INF, ammo=0, entrenchment=3, leaders=("Tenacious Defense",))

    assert numbers(expected(combat(attacker(TANK), enemy)))[3] == 3 + 4 + 3


def test_hx_op_35_artillery_has_its_protection_against_any_fire():
    assert numbers(expected(combat(attacker(TANK), defender(ART))))[3] == 6
    assert numbers(expected(combat(attacker(ART), defender(TANK))))[1] == 3


def test_the_engine_refuses_a_mounted_unit_without_transport():
    lost = Piece(unit=dataclasses.replace(attacker(INF).unit, mounted=True), type=INF, ground=ground())

    with pytest.raises(ValueError, match="mounted, but has no transport type"):
        fighter(lost, ATTACKER, FACTS)
    assert fighter(attacker(INF, transport_type=TRUCK), ATTACKER, FACTS).values is TRUCK


@pytest.mark.parametrize(
    ("file", "path", "value", "says"),
    [
        ("lines", ("odds", 0, "to"), "A atack", '"A atack" is not a number of these lines. Did you mean "A attack"?'),
        ("lines", ("odds", 0, "set"), "A attak", '"A attak" is not an amount. Did you mean "A attack"?'),
        ("lines", ("odds", 4, "when", 0), "A has Agressive Attack", '"Agressive Attack" is not what a unit has.'),
        ("lines", ("odds", 5, "when", 0), "Ruged", '"Ruged" is not a situation. Did you mean "Rugged"?'),
        ("lines", ("odds", 5, "when", 1), "P was here", '"P was here" is not a condition.'),
        ("lines", ("losses", 1, "add"), 3, "a line has one of set, add, subtract, halve, limit, raise, not 2 of them."),
        ("initiative", ("first", 0, "sequence"), "NOBODY", '"NOBODY" is not allowed. Use "ATTACKER FIRST", '),
        ("switches", ("may fly",), [], '"may fly" is not allowed here.'),
        ("classes", ("HX-DEF-04", 1, "class"), "Infantry", '"Infantry" is there twice.'),
        ("classes", ("HX-DEF-04", 1, "group"), "Water", '"Water" is not allowed. Use "Land", "Air" or "Naval".'),
        ("constants", ("HX-EVA-2", "evde"), 3, '"evde" is not allowed here. Did you mean "evade"?'),
        ("constants", ("options", "air_missions"), "maybe", '"maybe" is not allowed. Use "yes" or "no".'),
        ("evade", ("class_evade", "Zeppelin"), 3, '"Zeppelin" is not a class.'),
    ],
)
def test_a_hex_table_error_names_its_place(file, path, value, says):
    raw = raw_tables("hexcombat", SHIPPED)
    place = raw[file]
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value

    with pytest.raises(TableError) as slip:
        HexTables.of(raw)

    assert str(slip.value).startswith(f"{file}.json")
    assert says in str(slip.value)


def test_a_missing_number_is_reported():
    raw = raw_tables("hexcombat", SHIPPED)
    del raw["constants"]["HX-EVA-2"]["evade"]

    with pytest.raises(TableError, match='"evade" is missing'):
        HexTables.of(raw)
