"""HX-ODD line by line: what each adds to A's attack and defence and to P's, alone against a combat without it."""

import dataclasses
from typing import Any

from engine.hexcombat.combat.account import Account
from engine.hexcombat.combat.fate import ExpectedFate
from engine.hexcombat.combat.procedures import fight
from tests.games.hexcombat.engine.battles import (
    AD,
    ART,
    AT,
    BB,
    FLAK,
    FORT,
    INF,
    SUB,
    TABLES,
    TANK,
    TB,
    attacker,
    combat,
    defender,
    expected,
    ground,
    numbers,
    piece,
    setting,
    supporter,
)  # fmt: skip


def found(own: Any, enemy: Any, **more: Any) -> list[int]:
    return numbers(expected(combat(own, enemy, **more)))


STANDS = {"attacker_moved": False}
MINES, RIVER, CITY = ground(mined=True), ground("River"), ground("City")
RDM = dataclasses.replace(INF, rdm=5)
SLOW = dataclasses.replace(INF, ground_defence=2)
ORGANIC = dataclasses.replace(INF, organic_transport=True)
WEATHERPROOF = dataclasses.replace(INF, attributes=("AllWeather",))
SHIP_GUN = dataclasses.replace(TANK, naval_attack=5)
CASES: list[tuple[str, list[int], list[int]]] = [
    # id, attack and defence of A and of P with it, and how they differ from those without it
    ("HX-ODD-A1", found(attacker(TANK), defender(INF)), [8, 10, 3, 6]),  # 9 + half of RDM 2
    ("HX-ODD-A1", found(attacker(TANK), defender(AT)), [9, 10, 12, 8]),  # the hard target has RDM 2 as well
    ("HX-ODD-A2", found(attacker(TANK, bars=3), defender(INF)), [11, 13, 3, 6]),
    ("HX-ODD-A3", found(attacker(INF, attachments=("Anti-Tank",)), defender(TANK)), [5, 6, 8, 10]),
    ("HX-ODD-A3 soft target", found(attacker(INF, attachments=("Anti-Tank",)), defender(INF)), [6, 6, 6, 6]),
    ("HX-ODD-A4", found(attacker(FLAK, attachments=("Air Defence",)), defender(TB)), [11, 9, 9, 8]),
    ("HX-ODD-A5", found(attacker(TANK, leaders=("Aggressive Attack",)), defender(INF)), [12, 12, 3, 6]),  # with E12
    ("HX-ODD-A6", found(attacker(INF), defender(TANK, on=CITY)), [7, 6, 12, 6]),  # with E6 and close defence
    ("HX-ODD-B1", found(attacker(INF), defender(TANK)), [3, 6, 8, 10]),
    ("HX-ODD-B2", found(attacker(TANK), defender(INF, bars=2)), [8, 10, 5, 8]),
    ("HX-ODD-B3", found(attacker(TANK), defender(INF, attachments=("Anti-Tank",))), [8, 10, 5, 6]),
    ("HX-ODD-B4", found(attacker(TB), defender(FLAK, attachments=("Air Defence",))), [9, 8, 11, 11]),  # with D3
    ("HX-ODD-B5", found(attacker(TANK), defender(INF, leaders=("Aggressive Attack",))), [8, 10, 5, 6]),
    ("HX-ODD-B6", found(attacker(TANK), defender(INF), kind="Surprise contact"), [8, 2, 11, 10]),  # with E6 and C1
    ("HX-ODD-B7", found(attacker(TANK), defender(INF, sabotaged=True)), [8, 10, 1, 4]),  # with D7
    ("HX-ODD-C1 close", found(attacker(INF), defender(INF, on=CITY)), [6, 4, 10, 8]),
    ("HX-ODD-C1 submarine", found(attacker(SUB), defender(SUB)), [12, 5, 12, 5]),
    ("HX-ODD-C1 plane", found(attacker(FLAK), defender(TB)), [9, 9, 9, 8]),
    ("HX-ODD-C2", found(attacker(ART, bars=2), defender(INF), range=3), [12, 5, 0, 6]),
    ("HX-ODD-C4", found(attacker(BB), defender(INF)), [14, 26, 0, 6]),
    ("HX-ODD-C4 fort", found(attacker(BB), defender(FORT)), [12, 18, 0, 12]),
    ("HX-ODD-C5", found(attacker(INF), defender(AT)), [3, 8, 4, 8]),
    ("HX-ODD-C5 killer", found(attacker(INF), defender(AT, leaders=("Tank Killer",))), [3, 6, 4, 8]),
    ("HX-ODD-C6", found(attacker(ART), defender(INF), kind="Surprise contact"), [10, 4, 14, 10]),  # CD 1, +3
    ("HX-ODD-C7", found(attacker(INF, entrenchment=3), defender(INF), **STANDS), [6, 9, 6, 6]),
    ("HX-ODD-C7 moved", found(attacker(INF, entrenchment=3), defender(INF)), [6, 6, 6, 6]),
    ("HX-ODD-D1 fort", found(attacker(INF), defender(FORT)), [7, 6, 12, 10]),  # CD 6, +4 rugged
    ("HX-ODD-D1 plane", found(attacker(TB), defender(INF)), [9, 8, 0, 5]),
    ("HX-ODD-D1 submarine", found(attacker(SUB), defender(BB)), [12, 4, 16, 0]),
    ("HX-ODD-D2", found(attacker(ART), defender(INF, bars=4), range=3), [10, 3, 0, 10]),
    ("HX-ODD-D3", found(attacker(TB), defender(INF, attachments=("Air Defence",))), [9, 8, 0, 7]),
    ("HX-ODD-D4", found(attacker(TANK), defender(ORGANIC, on=ground("Fortification"))), [8, 10, 3, 8]),
    ("HX-ODD-D5", found(attacker(TANK), defender(INF, ammo=0)), [8, 10, 0, 3]),
    ("HX-ODD-D5 kept", found(attacker(TANK), defender(INF, ammo=0, attributes=("No Ammo Penalty",))), [8, 10, 0, 6]),
    ("HX-ODD-D6", found(attacker(TANK), defender(INF, leaders=("Determined Defense",))), [8, 10, 5, 10]),  # with E13
    ("HX-ODD-D7", found(attacker(TANK), defender(SLOW, sabotaged=True)), [8, 10, 1, 1]),  # never below 1
    ("HX-ODD-D8", found(attacker(TANK), defender(INF, leaders=("Tenacious Defense",))), [8, 10, 3, 10]),
    ("HX-ODD-D9", found(attacker(SHIP_GUN), defender(BB)), [5, 9, 12, 26]),
    ("HX-ODD-D10", found(attacker(AT), defender(INF)), [4, 7, 3, 8]),
    ("HX-ODD-D11", found(attacker(TANK), defender(ART)), [8, 10, 6, 6]),
    ("HX-ODD-D12", found(attacker(TANK), defender(INF, entrenchment=5)), [8, 10, 3, 11]),
    ("HX-ODD-D12 ignored", found(attacker(TANK, leaders=("Infiltration Tactics",)), defender(INF, entrenchment=5)),
     [8, 10, 3, 6]),
    ("HX-ODD-E2", found(attacker(TB), defender(AD)), [9, 8, 15, 10]),
    ("HX-ODD-E3", found(attacker(TANK), defender(INF, on=ground("City", blown_city=True))), [8, 9, 3, 7]),
    ("HX-ODD-E4", found(attacker(TANK), defender(INF, on=RIVER)), [12, 14, 3, 6]),
    ("HX-ODD-E4 bridge", found(attacker(TANK), defender(INF, on=ground("River", bridge=True))), [8, 10, 3, 6]),
    ("HX-ODD-E5", found(attacker(TANK, on=ground("Stream")), defender(INF)), [8, 10, 7, 10]),
    ("HX-ODD-E6", found(attacker(INF), defender(INF), kind="Surprise contact"), [6, 4, 10, 8]),
    ("HX-ODD-E7", found(attacker(TANK), defender(INF), weather="Snow"), [8, 13, 3, 9]),  # with E8
    ("HX-ODD-E8", found(attacker(WEATHERPROOF), defender(WEATHERPROOF), weather="Overcast"), [6, 6, 6, 6]),
    ("HX-ODD-E9", found(attacker(INF), defender(RDM)), [6, 6, 6, 8]),  # half of 5
    ("HX-ODD-E9 far", found(attacker(FORT), defender(dataclasses.replace(RDM, range=2)), range=2), [8, 12, 3, 11]),
    ("HX-ODD-E9 artillery", found(attacker(ART), defender(RDM)), [10, 3, 6, 6]),
    ("HX-ODD-E10", found(attacker(AT), defender(TANK)), [12, 7, 9, 10]),  # a gun that moved has none
    ("HX-ODD-E10 stood", found(attacker(AT), defender(TANK), **STANDS), [12, 8, 9, 10]),
    ("HX-ODD-E10 killer", found(attacker(AT, leaders=("Tank Killer",)), defender(TANK)), [12, 8, 9, 10]),
    ("HX-ODD-E10 so far", found(attacker(TANK), defender(dataclasses.replace(INF, range=1))), [8, 11, 3, 6]),
    ("HX-ODD-E11", found(attacker(TB, leaders=("Skilled Ground Attack",)), defender(INF)), [13, 8, 0, 5]),
    ("HX-ODD-E12", found(attacker(ART, leaders=("Aggressive Attack",)), defender(INF), range=2), [14, 5, 0, 6]),
    ("HX-ODD-E13", found(attacker(INF), defender(INF, leaders=("Determined Defense",))), [6, 6, 8, 10]),
    ("HX-ODD-E14", found(attacker(TANK, on=MINES), defender(INF)), [8, 7, 3, 6]),
    ("HX-ODD-E15", found(attacker(TANK), defender(SLOW, on=MINES)), [8, 10, 3, 1]),
    ("HX-ODD-E16", found(attacker(TANK), defender(INF, hits=9)), [8, 10, 3, 0]),
    ("HX-ODD-E16 artillery", found(attacker(ART), defender(INF, hits=9), range=2), [10, 3, 0, 6]),
]  # fmt: skip


def test_each_line_agrees_with_the_rules():
    for id, odds, right in CASES:
        assert odds == right, id


def test_hx_op_06_a_setting_counts_leader_bonuses_once():
    once = (setting("constants/HX-OP-06/leader_bonus_stacking", "once"),)
    own, enemy = attacker(TANK, leaders=("Aggressive Attack",)), defender(INF, leaders=("Determined Defense",))

    assert found(own, enemy) == [12, 12, 5, 10]
    assert found(own, enemy, settings=once) == [10, 12, 5, 8]


def test_hx_odd_e1_air_defence_guns_fire_better_in_support_than_flak():
    gun, flak = supporter(AD, "Gun", 2), supporter(FLAK, "FlaK", 1)

    fought = expected(combat(attacker(TB), defender(INF), air_defence=(gun, flak)))

    by_gun, by_flak = (
        [variable.value for variable in fought.account.explained if variable.name == f"Attack, {name}"]
        for name in ("Gun", "FlaK")
    )
    assert (by_gun, by_flak) == ([15], [9])


def test_hx_odd_e17_hx_odd_e18_combat_support_lends_its_bars_to_friends_in_its_space():
    scouts = piece(INF, "Scouts", "Red", bars=2, leaders=("Combat Support",))
    foreign = piece(INF, "Foreign", "Blue", bars=3, attributes=("Combat Support",))
    plane = piece(TB, "Plane", "Red", bars=5, leaders=("Combat Support",))
    beside = {"beside_attacker": (scouts, foreign, plane), "beside_defender": (foreign, scouts)}

    assert found(attacker(TANK), defender(INF), **beside) == [10, 12, 6, 9]


def test_hx_odd_e17_a_unit_unable_to_fire_borrows_no_bars():
    scouts = piece(INF, "Scouts", "Blue", bars=2, leaders=("Combat Support",))

    assert found(attacker(ART), defender(INF), range=3, beside_defender=(scouts,)) == [10, 3, 0, 8]


def test_hx_odd_e19_forward_observers_beside_the_target_help_guns():
    observers = (
        piece(INF, "First", "Red", attachments=("Forward Observer",)),
        piece(INF, "Second", "Red", attachments=("Forward Observer",)),
        piece(INF, "Theirs", "Blue", attachments=("Forward Observer",)),
    )

    assert found(attacker(ART), defender(INF), range=3, beside_defender=observers) == [14, 3, 0, 6]
    assert found(attacker(TANK), defender(INF), beside_defender=observers) == [8, 10, 3, 6]


def test_hx_op_25_a_unit_unable_to_fire_still_has_a_defence():
    assert found(attacker(TANK), defender(INF, suppressed=10)) == [8, 10, 0, 6]


def test_hx_op_26_a_defender_answers_within_its_range():
    far = dataclasses.replace(INF, range=2)

    assert found(attacker(ART), defender(far), range=2)[2] == 6
    assert found(attacker(ART), defender(far), range=3)[2] == 0


def test_hx_odd_c3_protects_a_defender_firing_at_a_plane():
    """Only a gun that intercepts is both the Defender and the one that fires (HX-OP-09)."""
    plain, guarded = defender(FLAK), defender(FLAK, attachments=("Air Defence",))
    request = {"kind": "Ground-to-air interception"}

    assert numbers(expected(combat(attacker(TB), plain, **request)), "Ground-to-air") == [13, 9, 13, 8]
    assert numbers(expected(combat(attacker(TB), guarded, **request)), "Ground-to-air") == [15, 11, 13, 8]


def test_var_05_terms_agree_with_the_lines():
    """A line that comes to one more is explained by one more, and each number is the sum of its terms."""
    inputs = combat(
        attacker(TANK, leaders=("Aggressive Attack",), bars=2), defender(INF, on=MINES, entrenchment=3, hits=1)
    )
    before = expected(inputs).account
    changed = set()
    for place, line in enumerate(TABLES.odds):
        more = dataclasses.replace(line, does=lambda number, amount, does=line.does: does(number, amount) + 1)
        tables = dataclasses.replace(TABLES, odds=(*TABLES.odds[:place], more, *TABLES.odds[place + 1 :]))
        account = Account()
        fight(inputs, tables, ExpectedFate(account), account)
        assert all(sum(number.numbers) == number.value for number in account.explained[:4])
        if account.explained != before.explained:
            changed.add(line.id)
    told = {event.id for event in before.events if event.kind == "line" and event.id.startswith("HX-ODD")}
    assert len(told) > 5
    assert told <= changed
