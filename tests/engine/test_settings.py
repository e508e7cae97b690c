"""Names of places in the tables: what a typed name may mean, and what stands there afterwards."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from engine.config_value import TableError
from engine.settings import ConfigPaths, Setting, name_of, overridden, path_of, setting_events

RAW: dict[str, Any] = {
    "battle": {
        "$schema": "battle.schema.json",
        "about": "Remarks are no places.",
        "hours": 12,
        "ends_when": "routed",
        "fortune": {"side": 0.5, "flank": 0.7},
        "ground": [{"name": "Water", "speed": None}, {"name": "High ground / ridge", "rgb": [139, 69, 19]}],
    },
    "prices": {
        "lists": {"Bread–Wine": {"Feudal": 2, "default": 1}, "Feudal": {"Feudal": 3}},
        "rounds": [{"first": 1, "name": "twin"}, {"first": 2, "name": "twin"}],
        "pairs": [[1, 2], [3, 4]],
    },
}
WORDS = {"battle/ends_when": ("routed", "retreating")}
SPOTS = ConfigPaths(RAW, WORDS)


def test_set_03_every_number_and_listed_word_has_a_path() -> None:
    assert {name: spot.value for name, spot in SPOTS.by_name.items()} == {
        "battle/hours": 12,
        "battle/ends_when": "routed",
        "battle/fortune/side": 0.5,
        "battle/fortune/flank": 0.7,
        "battle/ground/High ground / ridge/rgb/0": 139,
        "battle/ground/High ground / ridge/rgb/1": 69,
        "battle/ground/High ground / ridge/rgb/2": 19,
        "prices/lists/Bread–Wine/Feudal": 2,
        "prices/lists/Bread–Wine/default": 1,
        "prices/lists/Feudal/Feudal": 3,
        "prices/rounds/0/first": 1,
        "prices/rounds/1/first": 2,
        "prices/pairs/0/0": 1,
        "prices/pairs/0/1": 2,
        "prices/pairs/1/0": 3,
        "prices/pairs/1/1": 4,
    }
    assert SPOTS.by_name["battle/ends_when"].words == ("routed", "retreating")
    assert SPOTS.by_name["battle/hours"].words == ()


def test_set_01_steps_may_be_omitted_if_the_rest_is_unambiguous() -> None:
    for typed, meant in [
        ("battle/fortune/side", ["battle/fortune/side"]),
        ("fortune/side", ["battle/fortune/side"]),
        ("side", ["battle/fortune/side"]),
        (" Battle / FORTUNE/ side ", ["battle/fortune/side"]),
        ("ridge/rgb/2", ["battle/ground/High ground / ridge/rgb/2"]),
        ("ground/High ground / ridge/rgb/2", ["battle/ground/High ground / ridge/rgb/2"]),
        ("bread-wine/default", ["prices/lists/Bread–Wine/default"]),
        ("prices/Feudal", ["prices/lists/Bread–Wine/Feudal", "prices/lists/Feudal/Feudal"]),
        ("prices/lists/Feudal/Feudal", ["prices/lists/Feudal/Feudal"]),
        ("side/fortune", []),
        ("battle/fortune", []),
        ("battle//side", []),
        ("ends", []),
        ("Water/speed", []),
        ("about", []),
        ("", []),
        ("/", []),
    ]:
        assert [spot.name for spot in SPOTS.find(typed)] == meant


@pytest.mark.parametrize(
    ("full", "short"),
    [
        ("battle/fortune/side", "side"),
        ("prices/lists/Bread–Wine/Feudal", "Bread–Wine/Feudal"),
        ("prices/lists/Feudal/Feudal", "Feudal/Feudal"),
        ("prices/pairs/1/0", "1/0"),
        ("prices/pairs/1/1", "1/1"),
    ],
)
def test_set_01_the_shortest_name_is_minimal(full: str, short: str) -> None:
    assert SPOTS.shortest(SPOTS.by_name[full]) == short
    assert [spot.name for spot in SPOTS.find(short)] == [full]


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("sied", "side"),
        ("fortun/side", "fortune/side"),
        ("battle/fortune/sides", "battle/fortune/side"),
        ("prices/rounds/1/frist", "prices/rounds/1/first"),
        ("lists/Bread-Wine/defaults", "lists/Bread–Wine/default"),
        ("Feudl", "prices/lists/Feudal/Feudal"),
        ("xyzzy", ""),
        ("fuel", ""),
        ("", ""),
    ],
)
def test_set_01_the_nearest_name_is_unambiguous(typed: str, near: str) -> None:
    assert SPOTS.nearest(typed) == near
    assert not near or len(SPOTS.find(near)) == 1


def test_set_01_an_entry_of_a_list_goes_by_its_name_or_else_its_first_text() -> None:
    cases = [
        ({"name": "Steady", "meaning": "sound", "from": 1}, "Steady"),
        ({"meaning": "sound", "from": 1, "Name": "Steady"}, "Steady"),
        ({"letter": "M", "meaning": "military aid", "from": 1}, "M"),
        ({"from": 1}, "0"),
        ({"name": "", "from": 1}, "0"),
    ]
    assert [
        (entry, called, [*ConfigPaths({"file": [entry]}, {}).by_name], [f"file/{called}/from"])
        for entry, called in cases
        if [*ConfigPaths({"file": [entry]}, {}).by_name] != [f"file/{called}/from"]
    ] == []


def test_a_full_name_and_its_path_convert_both_ways() -> None:
    for spot in SPOTS.by_name.values():
        assert SPOTS.find(spot.name) == (spot,)
        assert path_of(RAW, spot.name) == spot.path
        assert name_of(RAW, spot.path) == spot.name


def test_set_03_settings_override_the_tables_without_changing_them() -> None:
    before = copy.deepcopy(RAW)
    settings = [
        Setting(name="battle/fortune/side", value=0.1),
        Setting(name="battle/ends_when", value="retreating"),
        Setting(name="battle/ground/High ground / ridge/rgb/2", value=7),
    ]
    changed = overridden(RAW, settings)

    expected = copy.deepcopy(before)
    expected["battle"]["fortune"]["side"] = 0.1
    expected["battle"]["ends_when"] = "retreating"
    expected["battle"]["ground"][1]["rgb"][2] = 7
    assert changed == expected
    assert before == RAW


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "battle/fortune/luck",
            'settings#/battle/fortune/luck: the tables have no "luck" there. Use "side" or "flank".',
        ),
        ("batle/hours", 'the tables have no "batle" there. Did you mean "battle"?'),
        ("battle/hours/first", 'the tables have no "first" there. Nothing is allowed here.'),
        ("prices/rounds/2/first", 'the tables have no "2" there. Use "0" or "1".'),
    ],
)
def test_set_04_a_setting_missing_from_the_tables_is_reported(name: str, says: str) -> None:
    with pytest.raises(TableError) as caught:
        overridden(RAW, [Setting(name=name, value=1)])
    assert says in str(caught.value)


def test_set_06_each_setting_is_logged_beside_the_tables_number() -> None:
    settings = [Setting(name="battle/hours", value=9), Setting(name="battle/ends_when", value="retreating")]

    assert [
        (event.hour, event.kind, event.amount, event.id, event.text) for event in setting_events(RAW, settings)
    ] == [
        (None, "setting", 9, "SET-06", "battle/hours is 9 in this workbook, not 12 as in the tables"),
        (
            None,
            "setting",
            None,
            "SET-06",
            "battle/ends_when is retreating in this workbook, not routed as in the tables",
        ),
    ]
