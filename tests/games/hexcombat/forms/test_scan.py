"""Supporters that nobody typed: found by the Hex cells, named when a cell leaves them out (HX-OP-53, HX-OP-54)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.hexcombat.setup.inputs import CombatInputs, TargetsInputs
from scripts.support.workbooks import Rows, read, run, workbook
from sheets_algo.database.problems import Rejected
from sheets_algo.database.records import Database
from sheets_algo.forms.base import FormResult
from tests.games.hexcombat.forms.test_form import FORM, asked, setting


def result(rows: Rows) -> FormResult[Any]:
    book = Database(read(workbook(rows)), FORM.records(), FORM.vocabulary)
    [row] = book.table(FORM.request)
    return FORM.read(row, book)


def combat(rows: Rows) -> CombatInputs:
    inputs = result(rows).inputs
    assert isinstance(inputs, CombatInputs)
    return inputs


def moved(hexes: dict[str, str | None], units: dict[str, dict[str, Any]] | None = None, **cells: Any) -> Rows:
    """The tanks' attack on the 716th Rifles without typed supporters, with units in other hexes."""
    places: dict[str, dict[str, Any]] = {name: {"Hex": hex} for name, hex in hexes.items()}
    for name, more in (units or {}).items():
        places[name] = places.get(name, {}) | more
    return asked("H-0001", places, **({"Fire_support": None} | cells))


def listed(inputs: CombatInputs, attribute: str) -> list[tuple[str, int]]:
    return [(unit.piece.unit.name, unit.distance) for unit in getattr(inputs, attribute)]


def names(pieces: Any) -> list[str]:
    return [piece.unit.name for piece in pieces]


def test_hx_op_53_batteries_in_range_are_listed_nearest_first() -> None:
    """Long Toms reach 4 hexes, the 84th Battery 3; the 155th Battery is the attacker's own."""
    rows = moved({"Long Toms": "7,5", "155th Battery": "5,6"})

    found = result(rows)

    assert listed(found.inputs, "fire_support") == [("84th Battery", 2), ("Long Toms", 3)]
    assert found.remarks == ("Fire support, from the map: 84th Battery@2; Long Toms@3",)
    assert FORM.deserialize(FORM.serialize(found.inputs)) == found.inputs


def test_hx_op_53_equally_near_batteries_fire_from_left_to_right() -> None:
    one, other = moved({"Long Toms": "4,7"}), moved({"84th Battery": "4,7", "Long Toms": "6,6"})

    assert [name for name, _ in listed(combat(one), "fire_support")] == ["Long Toms", "84th Battery"]
    assert [name for name, _ in listed(combat(other), "fire_support")] == ["84th Battery", "Long Toms"]


@pytest.mark.parametrize(
    "unit",
    [
        {"Hex": None},
        {"Hex": "9,9"},
        {"Side": "Allies"},
        {"Ammo": 0},
        {"Status": "Destroyed"},
        {"Strength": 0},
        {"Suppressed": 10},
        {"Extra attributes": "SingleSupportFire", "Supported this turn": True},
        {"Type": "Rifle Infantry"},
    ],
)
def test_hx_op_53_ineligible_units_are_not_listed(unit: dict[str, Any]) -> None:
    found = result(moved({}, {"84th Battery": unit}))

    assert (listed(found.inputs, "fire_support"), found.remarks) == ([], ())


def test_hx_op_53_a_typed_list_stays_and_omissions_are_named() -> None:
    found = result(moved({"Long Toms": "7,5"}, Fire_support="84th Battery@1"))

    assert listed(found.inputs, "fire_support") == [("84th Battery", 1)]
    assert [(warning.says, warning.id) for warning in found.warnings] == [
        ("by the Hex cells, Long Toms@3 could be listed too", "HX-OP-53")
    ]


@pytest.mark.parametrize("cell", ["none", " None "])
def test_hx_op_53_none_means_no_supporters(cell: str) -> None:
    found = result(moved({"Royal Flak": "4,4"}, Fire_support=cell, Beside_attacker=cell))

    assert (listed(found.inputs, "fire_support"), found.inputs.beside_attacker, found.warnings) == ([], (), ())


def test_hx_op_53_none_beside_names_is_a_mistake() -> None:
    with pytest.raises(Rejected) as raised:
        result(moved({}, Beside_attacker="none; 8th Foot"))

    assert [problem.says for problem in raised.value.problems] == ['"none" stands beside names']


def test_hx_op_53_without_hexes_no_supporters_are_listed() -> None:
    assert listed(combat(moved({"2nd Armoured": None}, Range=1)), "fire_support") == []
    assert listed(combat(moved({"716th Rifles": None})), "fire_support") == []


def test_hx_op_53_adjacent_fighters_and_guns_in_range_are_listed() -> None:
    """The squadron at 14,3 is beside the column at 12,3 no more, and the flak at 12,5 not beside the plane."""
    units = {"3rd Stukas": {"Hex": "12,3"}}
    near = asked("H-0003", units, Interceptors=None, Air_defence=None)
    far = asked(
        "H-0003", units | {"401 Squadron": {"Hex": "14,3"}, "Royal Flak": {"Hex": "12,5"}},
        Interceptors=None, Air_defence=None,
    )  # fmt: skip

    assert listed(combat(near), "interceptors") == [("401 Squadron", 1)]
    assert listed(combat(near), "air_defence") == [("Royal Flak", 1)]
    assert (listed(combat(far), "interceptors"), listed(combat(far), "air_defence")) == ([], [])


def test_hx_op_53_flak_reaches_over_the_defender_only_beside_it() -> None:
    """With flak_ex2 a gun two hexes from the plane fires if the defender is between them."""
    plane = {"3rd Stukas": {"Hex": "12,2"}}
    between, aside = (
        setting(asked("H-0003", plane | {"Royal Flak": {"Hex": hex}}, Air_defence=None), "flak_ex2", 1)
        for hex in ("12,4", "12,0")
    )

    assert listed(combat(between), "air_defence") == [("Royal Flak", 2)]
    assert listed(combat(aside), "air_defence") == []


def test_hx_op_53_only_the_nearest_adjacent_destroyer_is_listed() -> None:
    rows = asked("H-0008", {"HMS Ardent": {"Hex": "3,13"}}, Naval_support=None)

    assert listed(combat(rows), "naval_support") == [("HMS Ardent", 1)]


def test_hx_op_53_a_battery_in_a_typed_list_is_not_listed_elsewhere() -> None:
    """Long Toms have SingleSupportFire: typed as Counter-battery they give no fire support before."""
    typed, blank = combat(asked("H-0011")), combat(asked("H-0011", Counter_battery=None))

    assert (listed(typed, "fire_support"), listed(typed, "counter_battery")) == ([], [("Long Toms", 4)])
    assert listed(blank, "fire_support") == listed(blank, "counter_battery") == [("Long Toms", 4)]


def test_hx_op_53_adjacent_units_are_listed() -> None:
    """A friend with Combat Support and an enemy with a Forward Observer; others change nothing."""
    rows = moved(
        {"8th Foot": "4,4", "Commando Troop": "3,5", "44th Rifles": "4,6", "21st Rifles": "5,4"},
        {
            "8th Foot": {"Extra attributes": "Combat Support"},
            "44th Rifles": {"Attachments": "Forward Observer"},
            "21st Rifles": {"Leaders": "Combat Support"},
        },
        Range=1,
    )

    found = combat(rows)

    assert (names(found.beside_attacker), names(found.beside_defender)) == (
        ["8th Foot", "44th Rifles"],
        ["21st Rifles"],
    )


def test_hx_op_54_a_surrounded_unit_cannot_retreat() -> None:
    """Around 5,5 lie 5,4, 6,5, 6,6, 5,6, 4,6 and 4,5; a plane takes no room on the ground."""
    around = ("8th Foot", "5th Armoured", "44th Rifles", "11th Hussars")
    closed = dict(zip(around, ("5,4", "6,5", "5,6", "4,6"), strict=True))
    rows = moved(dict(closed), Fire_support="none")
    opened = moved(closed | {"11th Hussars": "9,9", "401 Squadron": "4,6"}, Fire_support="none")

    assert [combat(each).retreat_free for each in (rows, opened)] == [False, True]
    assert result(rows).remarks == ("Retreat hex free, from the map: no",)
    rows["Combat Requests"][0]["Retreat hex free"] = True
    assert combat(rows).retreat_free
    assert [warning.id for warning in result(rows).warnings] == ["HX-OP-54"]


def test_hx_op_54_enemies_beside_the_defender_are_counted() -> None:
    rows = moved({"8th Foot": "5,4", "11th Hussars": "5,6", "44th Rifles": "6,5", "401 Squadron": "4,6"})

    assert combat(rows).enemies_beside_defender == 3
    rows["Combat Requests"][0]["Enemies beside defender"] = 1
    assert combat(rows).enemies_beside_defender == 1


@pytest.mark.parametrize(
    ("typed", "kind", "on_map"), [(2, "Attack", 3), (3, "Attack", None), (2, "Surprise contact", None)]
)
def test_hx_def_03_a_typed_range_unlike_the_map_is_reported(typed: int, kind: str, on_map: int | None) -> None:
    """A tank fired at a gun three hexes away as at a neighbour, without a word; a surprise is met on the way."""
    [answer] = run(workbook(asked("H-0011", Range=typed, Kind=kind, Dice=None))).findings.answers

    told = [problem.says for problem in answer.problems if problem.id == "HX-DEF-03"]
    assert told == ([f"{typed}, but by the Hex cells it is {on_map}"] if on_map else [])
    assert answer.ruling
    assert (f"* Range: {typed}, by the Hex cells {on_map}" in answer.ruling.receipt.wiki) == (on_map is not None)


def test_hx_op_53_an_unreadable_row_blocks_combats_it_may_affect() -> None:
    spoilt = {"Experience": "many"}
    for hex, side in (("6,6", "Axis"), ("?", "Axis"), ("4,4", "Allies")):
        with pytest.raises(Rejected) as raised:
            result(moved({}, {"84th Battery": spoilt | {"Hex": hex, "Side": side}}))
        assert {problem.row for problem in raised.value.problems} == {"84th Battery"}
    for hex, side in (("30,30", "Axis"), ("7,5", "Allies")):
        assert listed(combat(moved({}, {"84th Battery": spoilt | {"Hex": hex, "Side": side}})), "fire_support") == []


def test_hx_op_53_a_displaced_unit_has_no_hex_until_moved() -> None:
    found = result(moved({}, {"84th Battery": {"Displaced": "Retreated"}}))

    assert listed(found.inputs, "fire_support") == []
    assert [str(warning) for warning in found.warnings] == [
        "'Hex Units'!V4 (84th Battery, Displaced): warning: it counts as nowhere while Displaced says Retreated."
        " Move it, enter its Hex and clear Displaced. [HX-OP-53]"
    ]


def targets(**cells: Any) -> Rows:
    """The tanks of H-0013 at 30,5, between infantry at 31,5, tanks out of reach and a battery beside them."""
    units: dict[str, dict[str, Any]] = {"716th Rifles": {"Hex": "30,4", "Strength": 2}, "84th Battery": {"Hex": "29,5"}}
    return asked("H-0013", units, **({"Defender": None} | cells))


def test_hx_op_55_all_targets_in_range_are_compared() -> None:
    """The battery supports the infantry beside it, and is a target itself."""
    inputs = result(targets()).inputs

    assert isinstance(inputs, TargetsInputs)
    assert [names([attack.defender]) for attack in inputs.combats] == [
        ["84th Battery"],
        ["716th Rifles"],
        ["44th Rifles"],
    ]
    assert [listed(attack, "fire_support") for attack in inputs.combats] == [[], *[[("84th Battery", 1)]] * 2]
    assert FORM.deserialize(FORM.serialize(inputs)) == inputs
    assert FORM.forecast(inputs).splitlines() == [
        "By formula, 5th Armoured attacks:",
        "Target | Range | Target loses | Attacker loses | Fire | Chances",
        "84th Battery | 1 | 5 of 10 | 1 of 10 | SIMULTANEOUS | none",
        "44th Rifles | 1 | 5 of 10 | 2 of 10 | SIMULTANEOUS | none",
        "716th Rifles | 1 | 2 of 2 | 0 of 10 | overrun | none",
    ]


def test_hx_op_55_each_target_is_forecast_like_a_typed_one() -> None:
    one = result(targets(Defender="716th Rifles")).inputs
    inputs = result(targets()).inputs

    assert inputs.combats[1] == one
    odds, alone = (FORM.ruleset.replicates(each, 7, 0, 50) for each in (inputs, one))
    assert list(odds.numbers["716th Rifles killed"].values) == list(alone.numbers["Defender killed"].values)
    assert list(odds.words["716th Rifles"].codes) == list(alone.words["Defender"].codes)


def test_hx_op_55_only_attackable_units_are_targets() -> None:
    with pytest.raises(Rejected) as raised:
        result(asked("H-0013", {"5th Armoured": {"Ammo": 0}}, Defender=None))

    assert [problem.says for problem in raised.value.problems] == ["5th Armoured cannot attack: it has no ammo"]
    beside = result(asked("H-0013", {"U-47": {"Hex": "31,4"}, "8th Foot": {"Hex": "30,6"}}, Defender=None)).inputs
    assert [names([attack.defender]) for attack in beside.combats] == [["44th Rifles"]]  # no submarine, no friend


def test_hx_op_55_a_ruling_needs_a_defender() -> None:
    with pytest.raises(Rejected) as raised:
        result(targets(Action="Rule"))

    assert [(problem.column, problem.id) for problem in raised.value.problems] == [("Defender", "HX-DEF-01")]
