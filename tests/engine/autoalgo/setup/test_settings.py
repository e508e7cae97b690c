"""Settings: a workbook can replace any number of the tables, and its wars are fought with it."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.setup.source import without_source
from engine.autoalgo.setup.tables import SETTABLE_WORDS
from engine.autoalgo.setup.variables import side_variables
from engine.config_value import TableError
from engine.rng import Rng
from engine.settings import ConfigPaths, Setting, differences, own_numbers, setting_events
from scripts.support.pinned_tables import raw_tables, tables, tables_with
from tests.helpers.hand_made_war import TABLES, WAR

AUTOALGO = Autoalgo(tables())
SPOTS = ConfigPaths(without_source(raw_tables()), SETTABLE_WORDS)


def settings_by_last_step(**numbers: float | str) -> tuple[Setting, ...]:
    """Return settings by the last step of their names."""
    return tuple(Setting(name=SPOTS.find(step)[0].name, value=value) for step, value in numbers.items())


def test_set_01_names_may_omit_collections_of_the_files() -> None:
    cases = [
        ("strategy/fortune/side", "strategy/fortune/side"),
        ("constants/ATK-07/routed_below", "constants/ATK-07/routed_below"),
        ("attrition/Jungle/constant", "attrition/values/Jungle/constant"),
        ("ordered/Trade/Economy/Minor", "ordered/lists/Trade/feeds/Economy/values/Minor"),
        ("pairs/climate-religion/Capacity/Arid/Islam", "pairs/pairs/Climate–Religion/Capacity/exceptions/Arid/Islam"),
        ("generations/crisis/Economy", "generations/phases/crisis/Economy"),
        ("occupation_bands/Foothold/from", "occupation_bands/bands/Foothold/from"),
        ("terrain/Forest/speed", "terrain/legend/Forest/speed"),
        ("units/Huscarl/Power/2", "units/units/Huscarl/Power/2"),
        ("modern/totalitarian", "max_military/share/modern/totalitarian"),
        ("ends_when", "strategy/ends_when"),
    ]
    assert [
        (typed, full, [spot.name for spot in SPOTS.find(typed)], [full])
        for typed, full in cases
        if [spot.name for spot in SPOTS.find(typed)] != [full]
    ] == []


def test_set_03_settings_reach_every_number_of_the_tables() -> None:
    """By its full name, which is its alone; and every word among the places is one that the rules know."""
    assert len(SPOTS.by_name) > 1_500
    assert all(SPOTS.find(name) == (spot,) for name, spot in SPOTS.by_name.items())
    assert {spot.name: (spot.value, spot.words) for spot in SPOTS.by_name.values() if spot.words} == {
        "strategy/ends_when": ("routed", ("routed", "retreating")),
    }


def test_set_03_settings_change_only_their_own_numbers() -> None:
    settings = (
        Setting(name="strategy/fortune/side", value=0.25),
        Setting(name="constants/ATK-07/routed_below", value=0.2),
        Setting(name="terrain/legend/Forest/speed", value=0.5),
    )
    same = tables_with(
        {"strategy/fortune/side": 0.25, "constants/ATK-07/routed_below": 0.2, "terrain/legend/2/speed": 0.5}
    )

    assert all(getattr(tables().having(settings), each.name) == getattr(same, each.name) for each in fields(same))
    assert tables().having(()) is tables()


def test_set_03_a_variable_uses_the_workbook_s_number() -> None:
    """Defense has two major and two moderate terms."""
    before = side_variables(WAR, 0, TABLES).defense
    heavier = TABLES.having((Setting(name="weights/moderate", value=4),))
    after = side_variables(WAR, 0, heavier).defense

    assert [term.weight for term in before[0].terms] == [3, 3, 2, 2]
    assert [term.weight for term in after[0].terms] == [3, 3, 4, 4]


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("attrition/values/Jungle/constant", 0.5, "attrition.json#/values/Desert/constant: 0.022 is below 0.5"),
        ("generations/phases/crisis/Economy", 0.9, "generations.json#/phases/3/Economy: 0.9 is not below 0.42"),
        ("ordered/lists/Trade/feeds/Economy/values/Minor", 50, "it rises with rank"),
        ("stability_bands/bands/Unrest/from", 99.5, "#/bands/2/from: 99.5 is not below the next band's 70."),
        ("strategy/ends_when", "never", '"never" is not allowed. Use "routed" or "retreating".'),
    ],
)
def test_set_05_r_40_settings_that_contradict_the_tables_are_refused(name: str, value: float | str, says: str) -> None:
    with pytest.raises(TableError) as caught:
        tables().having((Setting(name=name, value=value),))
    assert says in str(caught.value)


def test_set_04_settings_rule_like_tables_with_the_same_numbers() -> None:
    luck = Rng(7)
    changed = Autoalgo(tables_with({"strategy/fortune/side": 0, "constants/ATK-04/luck_most": 2}))
    settings = (*settings_by_last_step(side=0), Setting(name="constants/ATK-04/luck_most", value=2))

    ours = AUTOALGO.resolve(replace(WAR, settings=settings), luck)
    theirs = changed.resolve(WAR, luck)

    named = [line for line in ours.receipt.text().splitlines() if not line.startswith("  Setting: ")]
    assert named == theirs.receipt.text().splitlines()
    assert ours.events[2:] == theirs.events
    assert ours.receipt != AUTOALGO.resolve(WAR, luck).receipt


def test_set_06_the_log_begins_with_the_settings_and_the_receipt_has_them() -> None:
    heard: list[str] = []
    outcome = AUTOALGO.resolve(
        replace(WAR, settings=settings_by_last_step(side=0.2, ends_when="retreating")), Rng(7), heard.extend
    )

    begin = heard.index("Settings")
    assert begin < heard.index("1. Variables")
    assert heard[begin + 2 : begin + 4] == [
        "strategy/fortune/side is 0.2 in this workbook, not 0.5 as in the tables. [SET-06]",
        "strategy/ends_when is retreating in this workbook, not routed as in the tables. [SET-06]",
    ]
    assert [(event.hour, event.kind) for event in outcome.events[:3]] == [
        (None, "setting"),
        (None, "setting"),
        (0, "battle begins"),
    ]
    assert (
        "  Setting: strategy/fortune/side is 0.2 in this workbook, not 0.5 as in the tables" in outcome.receipt.text()
    )
    assert "Setting" not in AUTOALGO.resolve(WAR, Rng(7)).receipt.text()


def test_set_03_explain_shows_numbers_from_the_settings() -> None:
    explained = AUTOALGO.explain(replace(WAR, settings=settings_by_last_step(side=0.2)))
    fortune = next(entry for entry in explained if entry.name == "Fortune of the day, side")

    assert fortune.note == "drawn once a battle from 0.8706 to 1.149; multiplies killed and demoralised"


def test_set_06_values_of_own_tables_are_logged_beside_the_release_s() -> None:
    """The units of a war are in its inputs; tables with more other values are rules of their own."""
    raw = raw_tables()
    other = {**raw, "weights": {**raw["weights"], "major": 7}}

    assert own_numbers(raw, raw, SETTABLE_WORDS) == ()
    assert own_numbers(other, raw, SETTABLE_WORDS) == (
        Setting(name="weights/major", value=7, released=raw["weights"]["major"]),
    )
    assert own_numbers(other, raw, SETTABLE_WORDS, without=("weights",)) == ()
    rules = {rule: dict.fromkeys(numbers, 1) for rule, numbers in raw["constants"].items() if isinstance(numbers, dict)}
    assert own_numbers({**raw, "constants": rules}, raw, SETTABLE_WORDS) == ()


def test_set_06_changed_added_and_removed_values_are_differences() -> None:
    raw = raw_tables()
    fewer = {name: value for name, value in raw["weights"].items() if name != "minor"}
    other = {**raw, "weights": {**fewer, "major": 7, "tiny": 1, "about": "ours"}}

    assert [*differences(raw, raw)] == []
    assert [*differences(other, raw)] == [
        f"weights/major: 7, in the release {raw['weights']['major']}",
        "weights/tiny: 1, in the release nothing",
        f"weights/minor: nothing, in the release {raw['weights']['minor']}",
    ]


def test_set_06_the_log_marks_values_of_own_tables() -> None:
    setting = Setting(name="weights/major", value=7, released=5)

    (event,) = setting_events(raw_tables(), [setting])
    assert event.text == "weights/major is 7 in own tables, not 5 as in the release"
