"""What a hex combat may be: every mistake names its cell, what was found and what is allowed, all of them at once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from engine.hexcombat.setup.inputs import CombatInputs
from engine.rng import Rng
from scripts.support.workbooks import Rows, example, forms, read, workbook
from sheets_algo.database.problems import Rejected
from sheets_algo.database.records import Database

OPTIONS = ("allow_barrage_fire", "air_units_intercepted", "extended_naval_rules", "ships_as_flak", "air_missions")
FORM = next(form for form in forms() if form.key == "hexcombat")


def asked(request: str, units: dict[str, dict[str, Any]] | None = None, **cells: Any) -> Rows:
    """One request of the example alone, with some of its cells and some cells of units changed."""
    rows = example("hexcombat")
    headers = {header.replace("_", " ").replace("Counter ", "Counter-"): value for header, value in cells.items()}
    rows["Combat Requests"] = [row | headers for row in rows["Combat Requests"] if row["Request"] == request]
    for row in rows["Hex Units"]:
        row.update((units or {}).get(row["Unit"], {}))
    return rows


def setting(rows: Rows, name: str, value: Any) -> Rows:
    """With one more or another row of Hex Settings."""
    others = [row for row in rows["Hex Settings"] if row["Setting"] != name]
    return rows | {"Hex Settings": [*others, {"Setting": name, "Value": value}]}


def read_one(rows: Rows) -> CombatInputs:
    """The combat that its only request asks for.

    Raises:
        Rejected: There is something wrong with it.
    """
    book = Database(read(workbook(rows)), FORM.records(), FORM.vocabulary)
    [row] = book.table(FORM.request)
    combat = FORM.read(row, book).inputs
    assert isinstance(combat, CombatInputs)
    return combat


def said(rows: Rows) -> list[str]:
    """Every problem of the only request, without the request's id."""
    try:
        read_one(rows)
    except Rejected as rejection:
        return [str(problem).replace("H-00", "H-") for problem in rejection.problems]
    return []


@pytest.mark.parametrize("request_row", example("hexcombat")["Combat Requests"], ids=lambda row: row["Request"])
def test_every_example_is_valid_and_freezes(request_row: dict[str, Any]) -> None:
    combat = read_one(asked(request_row["Request"]))

    assert FORM.deserialize(FORM.serialize(combat)) == combat


def test_a_blank_request_takes_its_defaults_from_the_units() -> None:
    combat = read_one(asked("H-0001", Combat=None, Range=None))

    assert combat.name == "2nd Armoured – 716th Rifles"
    assert (combat.range, combat.weather, combat.kind) == (1, "Fair", "Attack")
    assert (combat.attacker.ground.terrain.name, combat.target) == ("Clear", combat.attacker.ground)
    assert (combat.attacker_moved, combat.retreat_free, combat.facility) == (True, True, "None")
    assert combat.facility_owner is not None
    assert combat.facility_owner.name == "Axis"


def test_hx_def_03_the_range_is_counted_from_the_hexes() -> None:
    """From 14,26 to 17,27: three columns to the right."""
    assert read_one(asked("H-0011", Range=None)).range == 3
    assert read_one(asked("H-0011", Range=None, Target_hex="16,26")).range == 2
    assert read_one(asked("H-0011", {"30th Rifles": {"Hex": None}}, Range=None)).range == 1


def test_hx_def_03_a_supporter_s_distance_is_typed_or_counted() -> None:
    """84th Battery stands on 6,6 and the attacker on 4,5."""
    typed, counted = (
        read_one(asked("H-0001", Fire_support=cell)).fire_support[0].distance
        for cell in ("84TH battery @ 3", "84th Battery")
    )

    assert (typed, counted) == (3, 2)


def test_terrain_of_the_request_overrides_the_units_own() -> None:
    rows = asked("H-0001", Attacker_terrain="river", Attacker_hex="bridge; Mined", Defender_terrain="Forest")
    combat = read_one(rows)

    ground = combat.attacker.ground
    assert (ground.terrain.name, ground.bridge, ground.mined, ground.blown_city) == ("River", True, True, False)
    assert combat.target.terrain.name == "Forest"


def test_a_workbook_s_terrain_overrides_the_rules() -> None:
    rows = asked("H-0001", Defender_terrain="Jungle", Attacker_terrain="Clear")
    rows["Hex Terrain"] = [{"Terrain": "Jungle", "Initiative cap": 2}, {"Terrain": "Clear", "Initiative cap": 50}]
    combat = read_one(rows)

    assert (combat.target.terrain.cap, combat.attacker.ground.terrain.cap) == (2, 50)


def on_jungle(request: str, traits: str | None, **cells: Any) -> CombatInputs:
    """A combat whose defender stands in a terrain that only the workbook has."""
    rows = asked(request, **({"Defender_terrain": "Jungle"} | cells))
    rows["Hex Terrain"] = [{"Terrain": "Jungle", "Initiative cap": 2, "Base entrenchment": 1, "Traits": traits}]
    return read_one(rows)


def numbers(combat: CombatInputs) -> dict[str, float]:
    """What the rules make of a combat before any die, by name."""
    return {line.name: line.value for line in FORM.ruleset.explain(combat)}


@pytest.mark.parametrize(("traits", "initiatives"), [(None, (7, 2)), ("cover", (7, 2)), ("close", (3, 2))])
def test_hx_op_56_close_ground_limits_initiative(traits: str | None, initiatives: tuple[int, int]) -> None:
    """Tanks of initiative 6 with a bar, which have not moved: on close ground both have at most 2, and the bar."""
    found = numbers(on_jungle("H-0013", traits, Attacker_moved=False))

    assert (found["Initiative, 5th Armoured"], found["Initiative, 44th Rifles"]) == initiatives


def test_hx_op_56_units_in_water_are_hit_harder() -> None:
    """HX-ODD-E4: 4 more attack and defence for the attacker, unless there is a bridge."""
    dry, wet = (numbers(on_jungle("H-0013", traits)) for traits in (None, "water"))
    bridged = numbers(on_jungle("H-0013", "water", Defender_hex="Bridge"))

    assert wet["Attack, 5th Armoured"] - dry["Attack, 5th Armoured"] == 4
    assert bridged["Attack, 5th Armoured"] == dry["Attack, 5th Armoured"]


def test_hx_op_56_a_terrain_may_be_a_port_or_a_city() -> None:
    port = on_jungle("H-0010", "Port")

    assert [on_jungle("H-0002", traits).facility for traits in (None, "City", "close; Airfield")] == [
        "None", "City", "Airfield",
    ]  # fmt: skip
    assert "leaves the port" in FORM.ruleset.resolve(port, Rng(7)).receipt.wiki()


@pytest.mark.parametrize(("traits", "is_close"), [(None, True), ("none", False), ("water", False)])
def test_hx_op_56_a_terrain_of_the_rules_keeps_its_traits_unless_others_are_typed(
    traits: str | None, is_close: bool
) -> None:
    rows = asked("H-0002")
    rows["Hex Terrain"] = [{"Terrain": "City", "Initiative cap": 4, "Traits": traits}]
    combat = read_one(rows)

    assert combat.target.terrain.cap == 4
    assert ("Close Combat" in FORM.ruleset.resolve(combat, Rng(7)).receipt.wiki()) is is_close


def test_hx_op_56_traits_are_words_of_the_rules() -> None:
    tables = FORM.tables
    grounds = {trait for traits in tables.facts.traits.values() for trait in traits}

    assert set(tables.lists["Terrain trait"].values) - grounds == {"none"}


def test_hx_str_2_the_facility_comes_from_hex_or_terrain() -> None:
    by_row = read_one(asked("H-0006", Defender_terrain=None))
    by_terrain = read_one(asked("H-0002"))

    assert (by_row.facility, by_row.facility_owner and by_row.facility_owner.name) == ("Port", "Axis")
    assert by_row.facility_row is not None
    assert (by_terrain.facility, by_terrain.facility_row) == ("City", None)


def test_hx_odd_e3_a_city_that_was_blown_up_lies_in_ruins() -> None:
    rows = asked("H-0005")
    rows["Hex Facilities"][0]["Blown"] = True
    combat = read_one(rows)

    assert combat.defender is not None
    assert (combat.target.blown_city, combat.defender.ground.blown_city) == (True, True)


def test_hx_def_24_dice_are_read_in_any_notation() -> None:
    assert read_one(asked("H-0001", Dice="20, 7;13 4")).dice == (20, 7, 13, 4)
    assert read_one(asked("H-0001", Dice=20)).dice == (20,)


def test_check_reports_mistakes_in_unused_rows() -> None:
    rows = asked("H-0001")
    rows["Hex Units"][-1]["Hex"] = "somewhere"
    rows["Hex Facilities"].append({"Hex": "18, 6", "Facility": "Citty"})
    rows["Hex Settings"].append({"Setting": "evade", "Value": "thirty"})
    book = Database(read(workbook(rows)), FORM.records(), FORM.vocabulary)

    assert [(str(problem.cell), problem.id) for problem in FORM.check(book)] == [
        ("'Hex Units'!N33", "HX-DEF-03"),
        ("'Hex Facilities'!B4", "HX-STR-2"),
        ("'Hex Settings'!B6", "SET-02"),
    ]


def test_hx_str_2_a_hex_has_one_facility_in_any_notation() -> None:
    rows = asked("H-0001")
    rows["Hex Facilities"].append({"Hex": "(18 ; 6)", "Facility": "Airfield"})
    book = Database(read(workbook(rows)), FORM.records(), FORM.vocabulary)

    [problem] = FORM.check(book)

    assert str(problem) == (
        "'Hex Facilities'!A4 ((18 ; 6), Hex): hex 18,6 has its facility in row 2 already."
        " Keep one row for each hex. [HX-STR-2]"
    )


def test_every_setting_on_the_page_exists() -> None:
    page = (Path(__file__).parents[4] / "docs" / "games" / "hexcombat-settings.md").read_text(encoding="utf-8")
    table = page.partition("| Setting | Value |")[2]
    names = [name for line in re.findall(r"^\| (`.*?) \|", table, re.M) for name in re.findall(r"`([^`]+)`", line)]
    words = {"leader_bonus_stacking": "once"} | dict.fromkeys(OPTIONS, "yes")
    rows = asked("H-0001")
    rows["Hex Settings"] = [{"Setting": name, "Value": words.get(name, 1)} for name in names]
    book = Database(read(workbook(rows)), FORM.records(), FORM.vocabulary)

    assert len(names) > 15
    assert [str(problem) for problem in FORM.settings.read(book).problems] == []
