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
    BB,
    INF,
    LB,
    TABLES,
    TANK,
    TRUCK,
    attacker,
    combat,
    defender,
    expected,
    ground,
    numbers,
    rolled,
)  # fmt: skip

FACTS = TABLES.facts


def test_hx_def_04_hx_def_05_hx_op_08_classes_have_groups():
    assert {FACTS.groups[name] for name in ("Infantry", "Air Defence", "Ground Transport")} == {"Land"}
    assert {FACTS.groups[name] for name in ("Fighter", "Helo Transport")} == {"Air"}
    assert {FACTS.groups[name] for name in ("Submarine", "Naval Transport", "Light Cruiser")} == {"Naval"}
    assert len(FACTS.groups) == 22
    ship_in_river = defender(BB, on=ground("River"))  # not Land, so that the river does not matter
    assert numbers(expected(combat(attacker(LB), ship_in_river)))[:2] == [4, 8]


def test_hx_def_19_every_face_of_a_die_occurs():
    asked = combat(attacker(TANK), defender(INF))

    dice = [event.amount for seed in range(30) for event in rolled(asked, seed=seed).account.events
            if event.id == "HX-LOS-4"]  # fmt: skip

    assert set(dice) == set(range(1, 21))


def test_hx_def_20_division_is_truncated_towards_zero():
    assert [div(number, 5) for number in (9, 10, -9, -10, 4, -4)] == [1, 2, -1, -2, 0, 0]
    assert [within(number, 1, 19) for number in (-3, 7, 30)] == [1, 7, 19]


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
