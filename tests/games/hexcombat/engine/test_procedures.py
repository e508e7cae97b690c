"""The steps before, during and after a combat, each with the dice it needs and no other."""

import dataclasses

import pytest

from engine.hexcombat.setup.inputs import CombatInputs
from engine.hexcombat.setup.records import Facility, HexSide
from tests.games.hexcombat.engine.battles import (
    AD,
    ART,
    AT,
    BB,
    DD,
    FIGHTER,
    FLAK,
    FORT,
    INF,
    LB,
    SUB,
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
    rolled,
    setting,
    strictly,
    supporter,
)  # fmt: skip

MISS, KILL = 1, 20
BARRAGE = {"kind": "Barrage", "settings": (setting("constants/options/allow_barrage_fire", "yes"),)}
G2A = {"kind": "Ground-to-air interception", "settings": (setting("constants/options/air_units_intercepted", "yes"),)}
NAVAL = {"settings": (setting("constants/options/extended_naval_rules", "yes"),)}
MISSIONS = {"settings": (setting("constants/options/air_missions", "yes"),)}
CITY = {"facility": "City", "facility_owner": HexSide(name="Blue", prestige=100)}


def told(found, label):
    return [line.text for _, lines in found.account.blocks for line in lines if line.label == label]


def ids(found):
    return [event.id for event in found.account.events]


# HX-OVR


def test_hx_ovr_01_only_some_units_overrun():
    weak = defender(INF, strength=3)
    engineers = dataclasses.replace(INF, attributes=("Overrun",), soft_attack=20, ground_defence=30)
    halted = dataclasses.replace(TANK, attributes=("Overrun",))

    assert expected(combat(attacker(TANK), weak)).ending == "overrun"
    assert expected(combat(attacker(engineers), weak)).ending == "overrun"
    assert expected(combat(attacker(halted), weak)).ending == ""
    assert expected(combat(attacker(TANK, ammo=0), weak)).ending == "no exchange"
    assert expected(combat(attacker(TANK), weak, kind="Surprise contact")).ending == ""


def test_hx_ovr_02_there_is_no_overrun_at_a_loss():
    armed = dataclasses.replace(INF, hard_attack=12)  # 12 against 14: four faces of five shots, one kill

    assert expected(combat(attacker(TANK), defender(INF, strength=5))).ending == "overrun"
    assert expected(combat(attacker(TANK), defender(armed, strength=5))).ending == ""


def test_hx_ovr_03_hx_op_30_an_overrun_costs_a_shot_without_experience():
    found = strictly(combat(attacker(TANK), defender(INF, strength=3)))

    assert (found.attacker.ammo, found.attacker.experience) == (9, 0)
    assert (found.defender.hits, found.defender.status) == (0, "Destroyed")


# HX-SUP: HX-INT, HX-AD, HX-FS, HX-NS


def test_hx_int_a_fighter_fires_before_the_plane():
    asked = combat(attacker(TB), defender(INF), interceptors=(supporter(FIGHTER),))

    found = strictly(asked, *[KILL] * 3, *[MISS] * 7, 1, 1, *[MISS] * 6)

    assert (found.attacker.kills_taken, found.attacker.suppression_taken) == (3, 1)
    helper = found.units["Helper"]
    assert (helper.ammo, helper.has_intercepted) == (9, True)


def test_hx_int_only_a_skilled_interceptor_fires_twice_a_turn():
    asked = combat(attacker(TB), defender(INF))
    tired = supporter(FIGHTER, intercepted=True)
    skilled = supporter(FIGHTER, intercepted=True, leaders=("Skilled Interceptor",))

    assert expected(dataclasses.replace(asked, interceptors=(tired,))).attacker.kills_taken == 0
    assert expected(dataclasses.replace(asked, interceptors=(skilled,))).attacker.kills_taken > 0


def test_hx_nc_04_hx_nc_05_hx_op_33_wild_weasel_avoids_fighters_and_guns():
    asked = combat(
        attacker(TB), defender(INF), mission="WildWeasel", interceptors=(supporter(FIGHTER),),
        air_defence=(supporter(AD, "Gun"),), **MISSIONS,
    )  # fmt: skip

    assert expected(asked).attacker.kills_taken == 0
    assert expected(dataclasses.replace(asked, settings=())).attacker.kills_taken > 0


@pytest.mark.parametrize(
    ("id", "gun", "may"),
    [
        ("HX-AD-1", supporter(AD, distance=3), True),
        ("HX-AD-1", supporter(AD, distance=3, attributes=("No Air Defence",)), False),
        ("HX-AD-1", supporter(AD, distance=4), False),
        ("HX-AD-2", supporter(FLAK), True),
        ("HX-AD-2", supporter(FLAK, distance=2), False),
        ("HX-AD-3", supporter(dataclasses.replace(TANK, air_attack=4, attributes=("AD Support",))), True),
        ("HX-AD-4", supporter(dataclasses.replace(TANK, air_attack=4, attributes=("Can Air Attack",))), True),
        ("HX-AD-5", supporter(DD), False),
    ],
)
def test_only_air_defence_guns_give_air_defence(id, gun, may):
    found = expected(combat(attacker(TB), defender(INF), air_defence=(gun,)))

    assert found.units["Helper"].has_fired == may


def test_hx_ad_2_flak_reaches_over_the_defender_where_flak_ex2_is_set():
    further = (setting("constants/HX-AD-2/flak_ex2", 1),)
    asked = combat(attacker(TB), defender(INF), air_defence=(supporter(FLAK, distance=2),), settings=further)

    assert expected(asked).units["Helper"].has_fired


def test_hx_ad_5_ships_fire_as_flak_by_option():
    option = (setting("constants/options/ships_as_flak", "yes"),)
    asked = combat(attacker(TB), defender(INF), air_defence=(supporter(DD), supporter(BB, "Big")), settings=option)

    found = expected(asked)

    assert (found.units["Helper"].has_fired, found.units["Big"].has_fired) == (True, False)


@pytest.mark.parametrize(
    ("id", "gun", "may"),
    [
        ("HX-FS-1", supporter(ART, distance=3), True),
        ("HX-FS-1", supporter(ART, attributes=("FireSupport",)), False),
        ("HX-FS-2", supporter(TANK, attributes=("FireSupport",)), True),
        ("HX-FS-2", supporter(TANK), False),
        ("HX-FS-3", supporter(FLAK, leaders=("Support Fire",)), True),
        ("HX-FS-3", supporter(FLAK, leaders=("Support Fire",), attributes=("FireSupport",)), True),  # by HX-FS-2
        ("HX-FS-3", supporter(FLAK), False),
        ("HX-DEF-23", supporter(ART, attributes=("SingleSupportFire",), supported=True), False),
        ("HX-DEF-23", supporter(ART, supported=True), True),
        ("HX-OP-42", supporter(ART, distance=4), False),
    ],
)
def test_only_able_guns_give_fire_support(id, gun, may):
    found = expected(combat(attacker(TANK), defender(INF), fire_support=(gun,)))

    assert found.units["Helper"].has_fired == may


def test_hx_sup_hx_op_01_fire_support_may_end_a_combat():
    asked = combat(attacker(INF, strength=4), defender(INF), fire_support=(supporter(ART),))

    found = strictly(asked, *[7] * 8, *[MISS] * 2)  # 7 + 4 = 11 suppresses

    assert found.ending == "broken by support fire"
    assert (found.attacker.suppressed, found.attacker.lasting, found.sequence) == (4, 0, "")
    assert not found.defender.has_fired


def test_hx_sup_a_unit_killed_by_support_does_not_fight():
    found = strictly(combat(attacker(INF, strength=2), defender(INF), fire_support=(supporter(ART),)), *[KILL] * 10)

    assert (found.attacker.status, found.sequence) == ("Destroyed", "")
    assert found.units["Helper"].has_supported


def test_hx_op_04_hx_op_47_support_is_never_rugged_and_counts_as_unmoved():
    dug_in = supporter(ART, entrenchment=4)
    asked = combat(attacker(INF), defender(INF, on=ground("City")), fire_support=(dug_in,))

    assert numbers(expected(asked), "Fire support") == [10, 7, 6, 6]


def test_hx_ns_a_destroyer_fires_at_a_submarine():
    asked = combat(attacker(SUB), defender(BB), naval_support=(supporter(DD),), **NAVAL)
    used = combat(attacker(SUB), defender(BB), naval_support=(supporter(DD, supported=True),), **NAVAL)
    idle = combat(attacker(SUB), defender(BB), naval_support=(supporter(DD, attributes=("NoIntercept",)),), **NAVAL)

    assert expected(asked).attacker.kills_taken > 0
    assert expected(asked).units["Helper"].has_supported
    for other in (used, idle, dataclasses.replace(asked, settings=())):
        assert not expected(other).units["Helper"].has_fired


def test_hx_nc_07_only_one_destroyer_fires():
    two = (supporter(DD, "First"), supporter(DD, "Second"))

    found = expected(combat(attacker(SUB), defender(BB), naval_support=two, **NAVAL))

    assert (found.units["First"].has_fired, found.units["Second"].has_fired) == (True, False)


# HX-CBF


def test_hx_cbf_1_hx_op_38_artillery_answers_artillery():
    battery = supporter(ART, distance=3, attributes=("CBF",))
    asked = combat(attacker(ART), defender(INF), range=3, counter_battery=(battery,))

    found = strictly(asked, *[MISS] * 10, *[KILL] * 2, *[MISS] * 8)

    assert found.attacker.kills_taken == 2
    assert found.units["Helper"].has_supported
    assert not expected(dataclasses.replace(asked, attacker=attacker(TANK), range=1)).units["Helper"].has_fired


def test_hx_cbf_2_destroyers_answer_ships():
    asked = combat(attacker(BB), defender(INF), range=4, counter_battery=(supporter(DD, attributes=("CBF",)),))

    assert expected(asked).units["Helper"].has_fired


def test_hx_cbf_3_only_the_first_able_battery_fires():
    used = supporter(ART, "Used", attributes=("CBF", "SingleSupportFire"), supported=True)
    first, second = supporter(ART, "First", attributes=("CBF",)), supporter(ART, "Second", attributes=("CBF",))

    found = expected(combat(attacker(ART), defender(INF), range=2, counter_battery=(used, first, second)))

    assert [found.units[name].has_fired for name in ("Used", "First", "Second")] == [False, True, False]


def test_hx_cbf_3_a_battery_that_gave_fire_support_does_not_answer():
    single = supporter(ART, attributes=("CBF", "SingleSupportFire"))
    asked = combat(attacker(ART), defender(INF), fire_support=(single,), counter_battery=(single,))

    assert expected(asked).units["Helper"].ammo == 9


def test_hx_nc_16_only_an_attacker_that_fired_is_answered():
    asked = combat(attacker(ART, ammo=0), defender(INF), counter_battery=(supporter(ART, attributes=("CBF",)),))

    assert not expected(asked).units["Helper"].has_fired


# HX-SAB

SAPPERS = dataclasses.replace(INF, attributes=("Saboteur",))  # 10 + 2 + 3 × 6 = 30 %


def test_hx_sab_1_hx_sab_5_hx_op_12_successful_sabotage_ends_the_combat():
    found = strictly(combat(attacker(SAPPERS), defender(INF)), 30)

    assert found.defender.is_sabotaged
    assert (found.attacker.ammo, found.sequence, found.ending) == (9, "", "sabotaged")


def test_hx_sab_5_failed_sabotage_suppresses_two_points():
    found = strictly(combat(attacker(SAPPERS), defender(INF)), 31, 1, 1, *[MISS] * 8, *[MISS] * 10)

    assert not found.defender.is_sabotaged
    assert (found.attacker.suppressed, found.attacker.lasting, found.attacker.ammo) == (2, 0, 8)


def test_hx_sab_1_hx_op_44_a_sabotaged_unit_is_not_sabotaged_again():
    assert "Sabotage" not in expected(combat(attacker(SAPPERS), defender(INF, sabotaged=True))).account.chances


def test_hx_sab_2_hx_sab_3_hx_sab_4_hx_op_13_strength_scales_sabotage():
    def chance(own, enemy, **more):
        return next(
            text for text in expected(combat(own, enemy, **more)).account.chances if text.startswith("sabotage")
        )

    assert chance(attacker(SAPPERS), defender(INF)) == "sabotage 30 %"
    assert chance(attacker(SAPPERS, strength=5), defender(INF)) == "sabotage 15 %"
    assert chance(attacker(SAPPERS), defender(INF, strength=2)) == "sabotage 75 %"


def test_hx_sab_6_a_sabotaged_unit_does_not_evade():
    assert expected(combat(attacker(INF), defender(SUB, sabotaged=True))).account.chances == []


# HX-EVA, HX-FLE, HX-RUG


def test_hx_eva_4_hx_nc_09_hx_op_39_an_evading_unit_is_not_fired_at():
    found = strictly(combat(attacker(DD), defender(SUB)), 30)

    assert (found.defender.displaced, found.attacker.ammo, found.ending) == ("Evaded", 10, "evaded")


def test_hx_nc_11_hx_op_02_one_roll_decides_on_evasion():
    found = strictly(combat(attacker(DD), defender(SUB)), 31, *[MISS] * 10, *[MISS] * 10)

    assert found.sequence == "ATTACKER FIRST"


def test_hx_eva_1_evasion_needs_a_free_hex():
    assert expected(combat(attacker(DD), defender(SUB), retreat_free=False)).account.chances == []


def test_hx_eva_2_a_setting_lets_adjacent_enemies_hinder_evasion():
    fewer = (setting("constants/HX-EVA-2/zoc_evade", 7),)
    asked = combat(attacker(DD), defender(SUB), enemies_beside_defender=3, settings=fewer)

    assert expected(asked).account.chances[0] == "evading of Sub D 16 %"


def test_hx_eva_2_a_setting_lets_other_classes_evade():
    scouts = (setting("evade/class_evade/Infantry", 45),)

    assert expected(combat(attacker(TANK), defender(INF), settings=scouts)).account.chances[0].endswith("45 %")
    assert expected(combat(attacker(TANK), defender(INF))).account.chances == []


def test_hx_eva_3_units_with_evade_always_may_evade():
    partisans = dataclasses.replace(INF, attributes=("Evade",))
    special = (setting("constants/HX-EVA-3/evade_special", 50),)
    asked = combat(attacker(TB, bars=5), defender(partisans, bars=2))

    assert expected(asked).account.chances[0] == "evading of Inf D 40 %"
    assert expected(dataclasses.replace(asked, settings=special)).account.chances[0] == "evading of Inf D 60 %"


def test_hx_eva_5_a_submarine_mounted_on_a_worse_transport_is_surfaced():
    surfaced = kind("Surfaced", "Ground Transport", "Naval", ground_defence=1, movement=6)

    found = expected(combat(attacker(DD), defender(SUB, transport_type=surfaced)))

    assert found.account.chances[0] == "evading of Sub D 15 %"
    assert numbers(found)[3] == 1


def test_hx_fle_1_hx_op_03_flak_and_others_drive_ships_out_of_port():
    in_port = defender(BB, on=ground("Port"))

    fled = strictly(combat(attacker(dataclasses.replace(FLAK, naval_attack=3)), in_port))
    caught = strictly(combat(attacker(dataclasses.replace(INF, naval_attack=3)), in_port, retreat_free=False))

    assert (fled.defender.displaced, fled.defender.status, fled.attacker.ammo) == ("Fled", "Active", 10)
    assert caught.defender.status == "Sunk"


def test_hx_nc_10_a_setting_lets_a_ship_under_a_bridge_flee():
    under = defender(BB, on=ground("River", bridge=True))
    unblocked = (setting("constants/HX-FLE-1/naval_noblock_bridge", 1),)
    own = attacker(dataclasses.replace(INF, naval_attack=3))

    assert expected(combat(own, under, settings=unblocked)).defender.displaced == "Fled"
    assert expected(combat(own, under)).defender.displaced == ""


def test_hx_rug_6_hx_nc_12_rugged_defence_fires_first_and_better():
    asked = combat(attacker(INF), defender(INF, entrenchment=4))

    rugged = strictly(asked, 20, *[MISS] * 20)
    plain = strictly(asked, 21, 1, 1, *[MISS] * 20)

    assert (rugged.sequence, plain.sequence) == ("DEFENDER FIRST", "SIMULTANEOUS")
    assert numbers(rugged) == [6, 4, 10, 12]
    assert numbers(plain) == [6, 6, 6, 10]


def test_hx_rug_1_attackers_that_ignore_entrenchment_avoid_rugged_defence():
    asked = combat(attacker(INF, attributes=("Ignore Entrench",)), defender(INF, entrenchment=6))

    assert expected(asked).account.chances == []
    ferocious = dataclasses.replace(asked, defender=defender(INF, entrenchment=6, leaders=("Ferocious Defense",)))
    assert expected(ferocious).account.chances == ["rugged defence 30 %"]


def test_hx_rug_rugged_defence_needs_ammo_and_adjacency():
    assert expected(combat(attacker(INF), defender(INF, entrenchment=6, ammo=0))).account.chances == []
    far = dataclasses.replace(INF, range=2)
    assert expected(combat(attacker(far), defender(INF, entrenchment=6), range=2)).account.chances == []


def test_hx_def_13_a_surprising_unit_neither_evades_nor_is_bombed():
    found = strictly(combat(attacker(DD), defender(SUB), kind="Surprise contact"), *[MISS] * 20)

    assert found.sequence == "DEFENDER FIRST"
    assert told(found, "Surprised") == ["DD A runs into Sub D"]


def test_hx_odd_a7_hx_odd_b8_hx_op_14_a_unit_unable_to_fire_cannot_attack():
    city = ground("City")

    assert expected(combat(attacker(ART), defender(TB))).ending == "no exchange"
    assert expected(combat(attacker(INF), defender(ART, on=city, ammo=0))).sequence == "DEFENDER FIRST"
    assert expected(combat(attacker(INF), defender(ART, ammo=0), kind="Surprise contact")).ending == "no exchange"
    assert expected(combat(attacker(INF, ammo=0), defender(INF), kind="Surprise contact")).attacker.kills_taken > 0


# HX-BOM, HX-STR, HX-BAR

STOCKED = kind("Depot", "Tank", "Hard", max_fuel=60, max_ammo=8, movement=5, ground_defence=6)


def test_hx_bom_1_hx_nc_14_a_level_bomber_bombs_stores_before_the_exchange():
    found = strictly(combat(attacker(LB, bars=2), defender(STOCKED)), 1, 1, 4, *[MISS] * 10)

    enemy = found.defender
    assert (enemy.fuel, enemy.ammo, enemy.lasting) == (41, 7, 4)


def test_hx_bom_3_hx_bom_4_one_move_and_one_shot_remain():
    found = strictly(combat(attacker(LB, bars=5), defender(STOCKED, fuel=6, ammo=1)), 1, 1, 3, *[MISS] * 10)

    assert (found.defender.fuel, found.defender.ammo) == (5, 1)


def test_hx_bom_5_hx_op_31_bombs_suppress_lastingly_within_strength():
    found = strictly(combat(attacker(LB), defender(STOCKED, strength=2, suppressed=1)), 1, 1, 2, *[MISS] * 10)

    assert (found.defender.lasting, found.defender.suppressed) == (2, 2)


def test_hx_op_27_suppression_by_fire_ends_with_the_combat():
    found = strictly(combat(attacker(TANK), defender(INF)), 1, 1, *[8] * 5, *[2] * 5, *[MISS] * 10)

    assert (found.defender.suppressed, found.defender.lasting) == (5, 0)


def test_hx_str_1_hx_op_36_an_option_decides_on_prestige():
    option = {"settings": (setting("constants/options/allow_barrage_fire", "yes"),)}
    asked = combat(attacker(LB, bars=5, strength=10), defender(INF, on=ground("City")), **CITY)

    with_option = strictly(dataclasses.replace(asked, **option), 1, 1, 5, 31, *[MISS] * 10)  # 12 + 50 = 62: 15 to 31
    without = strictly(asked, 1, 1, 5, *[MISS] * 10)

    assert (with_option.prestige_lost, without.prestige_lost) == (31, 0)


def test_hx_op_31_a_forecast_gives_the_least_loss_of_prestige():
    option = {"settings": (setting("constants/options/allow_barrage_fire", "yes"),)}

    def chances(bars):
        own = attacker(LB, bars=bars, strength=10)
        asked = combat(own, defender(INF, on=ground("City")), **CITY, **option)
        return [text for text in expected(asked).account.chances if text.startswith("prestige")]

    assert chances(bars=0) == ["prestige of Blue 24"]  # 12: 3 to 6
    assert chances(bars=5) == ["prestige of Blue 24 to 31"]  # 62: 15 to 31


def test_hx_str_2_some_units_blow_up_some_facilities():
    def chances(own, facility="City", **more):
        found = expected(combat(own, defender(INF, on=ground("City")), facility=facility, **more))
        return [text for text in found.account.chances if text.startswith("blowing")]

    bombs = {"bomb_code": 30, "attributes": ("Can Blow",)}
    guns = dataclasses.replace(ART, **bombs)
    assert chances(attacker(guns), attacker_moved=False) == ["blowing up the city 2 %"]
    assert chances(attacker(guns)) == []
    assert chances(attacker(guns, attributes=("Mechanized",))) == ["blowing up the city 2 %"]
    assert chances(attacker(dataclasses.replace(AT, **bombs))) == ["blowing up the city 2 %"]
    assert chances(attacker(dataclasses.replace(FORT, **bombs)), range=2) == []
    assert chances(attacker(dataclasses.replace(BB, **bombs)), range=4) == ["blowing up the city 2 %"]
    assert chances(attacker(dataclasses.replace(TANK, **bombs))) == []
    assert chances(attacker(dataclasses.replace(TB, bomb_code=30))) == []
    assert chances(attacker(dataclasses.replace(TB, **bombs)), "Bridge") == []


def test_hx_str_3_bad_weather_halves_before_mines_add():
    bomber = dataclasses.replace(LB, attributes=("Can Blow",))
    asked = combat(
        attacker(bomber, bars=2, leaders=("Resilience",)), defender(INF, on=ground("City", mined=True)),
        facility="City", weather="Rain",
    )  # fmt: skip

    assert expected(asked).account.chances[-1] == "blowing up the city 14 %"


def test_hx_str_4_a_blown_up_hex_is_written():
    bomber = dataclasses.replace(LB, bomb_code=150, attributes=("Can Blow",))  # 50 %
    row = Facility(hex="3,4", facility="Bridge", owner="Blue")
    asked = combat(attacker(bomber), None, facility="Bridge", facility_row=row, **BARRAGE)

    assert strictly(asked, 50).is_blown
    assert not strictly(asked, 51).is_blown
    ruined = dataclasses.replace(asked, facility_row=dataclasses.replace(row, blown=True))
    assert not strictly(ruined).is_blown


def test_hx_bar_2_hx_bar_5_a_barrage_suppresses_a_hidden_unit_for_a_shot():
    howitzers = dataclasses.replace(ART, bomb_code=10)
    asked = combat(attacker(howitzers), defender(INF, entrenchment=2), range=3, **BARRAGE)

    found = strictly(asked, 6)

    assert (found.attacker.ammo, found.defender.lasting, found.defender.strength) == (9, 6, 10)
    assert (found.defender.entrenchment, found.defender.hits) == (1, 1)
    assert found.sequence == ""


def test_hx_bar_3_hx_op_37_a_barrage_costs_prestige_and_destroys_roads():
    heavy = dataclasses.replace(TB, bomb_code=90, attributes=("Can Blow",))

    city = strictly(combat(attacker(heavy), None, **CITY, **BARRAGE), 40, 31)  # 22 to 45; 30 %
    road = strictly(combat(attacker(heavy), None, facility="Road", **BARRAGE), 30)

    assert (city.prestige_lost, city.is_blown) == (40, False)
    assert (road.prestige_lost, road.is_blown) == (0, True)


def test_hx_bar_4_air_defence_precedes_and_counter_battery_follows():
    plane = combat(attacker(LB), None, air_defence=(supporter(AD),), **BARRAGE)
    howitzers = dataclasses.replace(ART, bomb_code=10)
    battery = supporter(ART, attributes=("CBF",))
    gun = combat(attacker(howitzers), None, range=2, fire_support=(battery,), counter_battery=(battery,), **BARRAGE)

    shot_down = strictly(plane, *[KILL] * 10)
    assert (shot_down.attacker.status, shot_down.attacker.ammo) == ("Destroyed", 10)
    answered = strictly(gun, *[KILL] * 3, *[MISS] * 7)
    assert (answered.attacker.kills_taken, answered.units["Helper"].ammo) == (3, 9)


def test_hx_bar_1_a_barrage_on_an_empty_hex_has_no_effect():
    found = strictly(combat(attacker(LB), None, **BARRAGE))

    assert (found.attacker.ammo, found.is_blown, found.prestige_lost) == (9, False, 0)


# HX-G2A


def test_hx_g2a_6_hx_op_04_a_surprised_plane_does_not_answer():
    asked = combat(attacker(TB), defender(AD), **G2A)

    found = strictly(asked, *[KILL] * 4, *[MISS] * 6)

    assert numbers(found, "Ground-to-air")[0] == 12 + 3 + 4
    assert (found.attacker.kills_taken, found.attacker.ammo) == (4, 10)
    assert (found.defender.has_intercepted, found.defender.ammo) == (True, 9)


def test_hx_g2a_4_hx_op_34_in_odd_modes_a_gun_that_intercepted_gives_no_air_defence():
    gun = supporter(AD, intercepted=True)
    asked = combat(attacker(TB), defender(INF), air_defence=(gun,))

    def fires(mode: int) -> bool:
        settings = (setting("constants/HX-G2A/g2a_intercept_mode", mode),)
        return expected(dataclasses.replace(asked, settings=settings)).units["Helper"].has_fired

    assert [fires(mode) for mode in (0, 1, 2, 3)] == [True, False, True, False]


# HX-RET, HX-CRI


def driven(own=None, enemy=None, **more) -> CombatInputs:
    """A combat in which ten suppressing shots take the Defender's four points; the Attacker is missed."""
    return combat(own or attacker(INF), enemy or defender(INF, strength=4), **more)


SUPPRESSED = (1, 1, *[13] * 10, *[MISS] * 4)


def test_hx_ret_1_hx_op_18_only_adjacent_land_units_force_a_retreat():
    driving = strictly(driven(), *SUPPRESSED)
    guns = strictly(driven(attacker(ART), range=2), *[8] * 10)

    assert driving.defender.displaced == "Retreated"
    assert (guns.defender.suppressed, guns.defender.displaced) == (4, "")


def test_hx_ret_1_close_combat_but_not_rugged_defence_forces_a_retreat():
    in_city = driven(enemy=defender(INF, strength=4, entrenchment=5, on=ground("City")))

    stood = strictly(in_city, 25, *[MISS] * 4, *[19] * 10)  # rugged defence came, 25 %
    gave_way = strictly(in_city, 26, *[MISS] * 4, *[19] * 10)  # close combat alone

    assert stood.defender.unsuppressed == 0
    assert (stood.defender.displaced, gave_way.defender.displaced) == ("", "Retreated")


def test_hx_ret_2_entrenchment_beyond_the_ground_prevents_a_retreat():
    on_hill = defender(INF, strength=4, entrenchment=2, on=ground("Hill"))
    asked = driven(enemy=on_hill, attacker_moved=False)

    found = strictly(asked, 100, 1, 1, *[13] * 10, *[MISS] * 4)

    assert (found.defender.entrenchment, found.defender.displaced) == (1, "Retreated")


def test_hx_ret_3_an_immobile_unit_surrenders():
    rooted = dataclasses.replace(INF, movement=0)

    assert strictly(driven(enemy=defender(rooted, strength=4)), *SUPPRESSED).defender.status == "Surrendered"


@pytest.mark.parametrize("stands", [{"leaders": ("Ferocious Defense",)}, {"attributes": ("NoSurrender",)}])
def test_hx_ret_4_some_units_hold(stands):
    enemy = defender(INF, strength=4, **stands)

    found = strictly(driven(enemy=enemy, retreat_free=False), *SUPPRESSED)

    assert (found.defender.status, found.defender.displaced) == ("Active", "")
    assert "HX-RET-4" in ids(found)


def test_hx_ret_5_hx_op_45_a_surrounded_unit_surrenders():
    assert strictly(driven(retreat_free=False), *SUPPRESSED).defender.status == "Surrendered"


def test_hx_nc_17_a_marine_may_follow():
    found = strictly(driven(attacker(INF, attributes=("Marine",))), *SUPPRESSED)

    assert told(found, "Retreat") == ["Inf D retreats; Inf A may move to any adjacent hex"]


CRITICAL = {"settings": (setting("constants/HX-CRI/critical_hit", 1),)}


def test_hx_cri_1_hx_op_19_a_critical_hit_needs_losses_on_both_sides():
    asked = combat(attacker(BB), defender(DD), **CRITICAL)  # (16 × 10 − 8 × 10) / 30 = 2 %

    both = strictly(asked, 1, 1, KILL, *[MISS] * 9, KILL, *[MISS] * 9, 2)
    one = strictly(asked, 1, 1, KILL, *[MISS] * 9, *[MISS] * 10)

    assert (both.defender.status, one.defender.status) == ("Sunk", "Active")


def test_hx_cri_2_hx_cri_4_air_defence_counts_against_planes_up_to_75():
    monster = dataclasses.replace(TB, naval_attack=500)

    found = expected(combat(attacker(monster, bars=5), defender(DD), **CRITICAL))

    assert found.defender.status == "Destroyed"  # so that no critical hit is asked for
    tough = expected(combat(attacker(monster, bars=5), defender(dataclasses.replace(DD, air_defence=50), strength=90),
                            **CRITICAL))  # fmt: skip
    assert tough.account.chances[-1] == "critical hit on DD D 75 %"


def test_hx_cri_5_hx_res_6_a_variable_of_0_switches_critical_hits_off():
    strictly(combat(attacker(BB), defender(DD)), 1, 1, KILL, *[MISS] * 9, KILL, *[MISS] * 9)


def test_hx_def_24_the_critical_die_comes_after_counter_battery_fire():
    asked = combat(attacker(BB), defender(DD), counter_battery=(supporter(DD, attributes=("CBF",)),), **CRITICAL)

    found = strictly(asked, 1, 1, KILL, *[MISS] * 9, KILL, *[MISS] * 9, *[MISS] * 10, 3)

    assert found.units["Helper"].has_fired
    assert found.defender.is_active


def test_hx_cri_5_a_suppressed_battleship_may_still_hit_critically():
    """Counter-battery fire kills 6 of the 9 left and suppresses 3; the exchange before it keeps its critical hit."""
    asked = combat(attacker(BB), defender(DD), counter_battery=(supporter(DD, attributes=("CBF",)),), **CRITICAL)

    found = strictly(asked, 1, 1, KILL, *[MISS] * 9, KILL, *[MISS] * 9, *[KILL] * 6, *[MISS] * 4, 1)

    assert (found.attacker.strength, found.attacker.unsuppressed) == (3, 0)
    assert found.defender.status == "Sunk"


def test_hx_res_4_hx_res_5_a_unit_unable_to_fire_keeps_its_ammo():
    found = strictly(combat(attacker(ART), defender(INF), range=3), *[KILL] * 10)

    assert (found.defender.status, found.defender.ammo) == ("Destroyed", 10)


def test_hx_nc_01_hx_nc_17_a_combat_ends_with_its_defender_s_death():
    """No counter-battery fire after the Defender is gone."""
    asked = combat(
        attacker(ART), defender(INF, strength=3), range=2, counter_battery=(supporter(ART, attributes=("CBF",)),)
    )

    assert not strictly(asked, *[KILL] * 10).units["Helper"].has_fired


def test_hx_op_32_mounted_units_fight_with_their_transports_values():
    found = expected(combat(attacker(TANK), defender(INF, transport_type=TRUCK)))

    assert numbers(found) == [8, 10, 0, 2]


def test_hx_op_23_a_forecast_only_lists_steps_that_need_a_die():
    found = expected(combat(attacker(SAPPERS), defender(INF, entrenchment=2)))

    assert found.account.chances == ["sabotage 30 %", "rugged defence 10 %"]
    assert found.sequence == "SIMULTANEOUS"


def test_a_combat_and_its_forecast_have_the_same_supports():
    asked = combat(attacker(TB), defender(INF), air_defence=(supporter(AD, distance=2),))

    assert "HX-AD-1" in ids(rolled(asked))
    assert "HX-AD-1" in ids(expected(asked))
