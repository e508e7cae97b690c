"""The files of config/tables/scorecard fit together; what does not is named with file and place."""

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from engine.config_value import TableError
from engine.scorecard.tables import ScoreTables
from engine.settings import Setting
from scripts.support.pinned_tables import SHIPPED, raw_tables
from tests.games.scorecard.engine.wars import CONSTANTS, TABLES


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (
            lambda raw: raw["tactical"]["SC-02a"].update(beach_landing="High grund / ambush"),
            'tactical.json#/SC-02a/beach_landing: "High grund / ambush" is not a level of SC-02.'
            ' Did you mean "High ground / ambush"?',
        ),
        (
            lambda raw: raw["belligerents"]["SC-OP-10"].update(attacks_with=["L", "X"]),
            'belligerents.json#/SC-OP-10/attacks_with/1: "X" is not a letter of SC-04.',
        ),
        (
            lambda raw: raw["motive"]["SC-05"].append(raw["motive"]["SC-05"][0]),
            'motive.json#/SC-05/5/motive: "Life or death" is there twice.',
        ),
        (
            lambda raw: raw["fate"]["SC-03a"].pop(),
            "fate.json#/SC-03a: no band begins at 0, so a low f has no fate.",
        ),
        (
            lambda raw: raw["factors"].update({"SC-13": "Army"}),
            'factors.json#/SC-13: "Army" is there twice.',
        ),
        (
            lambda raw: raw["belligerents"]["SC-04"].pop(0),
            'belligerents.json#/SC-04: "L" is missing, which a blank list stands for.',
        ),
        (lambda raw: raw["factors"].pop("SC-04"), 'factors.json: "SC-04" is missing.'),
        (lambda raw: raw["constants"]["SC-07"].clear(), 'constants.json#/SC-07: "army_factor" is missing.'),
        (
            lambda raw: raw["constants"]["SC-07"].update(army_facter=10),
            'constants.json#/SC-07/army_facter: "army_facter" is not allowed here. Did you mean "army_factor"?',
        ),
        (
            lambda raw: raw["constants"]["SC-OP-01"].update(chance_digit="tenths"),
            'constants.json#/SC-OP-01/chance_digit: "tenths" is not allowed. Use "hundredths" or "thousandths".',
        ),
        (
            lambda raw: raw["location"]["SC-01"][2].update(points="3"),
            'location.json#/SC-01/2/points: "3" is not allowed. Use a number.',
        ),
    ],
)
def test_a_mistake_in_the_score_tables_is_reported_with_its_place(
    spoil: Callable[[dict[str, Any]], object], message: str
) -> None:
    raw = raw_tables("scorecard", SHIPPED)
    spoil(raw)

    with pytest.raises(TableError) as slip:
        ScoreTables.of(raw)

    assert str(slip.value).startswith(message)


def test_bands_of_fate_may_be_in_any_order() -> None:
    raw = raw_tables("scorecard", SHIPPED)
    raw["fate"]["SC-03a"].reverse()

    assert ScoreTables.of(raw).fates == TABLES.fates


def test_numbers_of_the_tables_are_exact() -> None:
    assert CONSTANTS.undefeated_factor == Fraction(13, 10)
    assert [band.at_least for band in TABLES.fates] == [8, Fraction(69, 10), Fraction(59, 10), 0]


@pytest.mark.parametrize(
    ("found", "meant"),
    [("open field", "No defences, open field and the like"), ("HIGH  GROUND", "High ground / ambush")],
)
def test_sc_02_short_names_of_levels_are_understood(found: str, meant: str) -> None:
    assert TABLES.lists["Tactical advantage"].canonical(found) == meant


def test_value_lists_show_the_points_of_each_value() -> None:
    assert TABLES.lists["Tactical advantage"].meanings["High-security fortress"] == "5 points, defender only"
    assert TABLES.lists["Location"].meanings["Other side of the world"] == "1 point"
    assert TABLES.lists["Motive"].meanings["Economic"].endswith(" 3 points.")


@pytest.mark.parametrize(
    ("name", "value", "attribute", "meant"),
    [
        ("constants/SC-OP-01/chance_digit", "thousandths", "chance_digit", "thousandths"),
        ("constants/SC-20/disarray_factor", 1.2, "disarray_factor", Fraction(6, 5)),
    ],
)
def test_sc_op_01_a_setting_replaces_one_number(name: str, value: float | str, attribute: str, meant: object) -> None:
    changed = TABLES.having((Setting(name=name, value=value),))

    assert changed == replace(TABLES, raw=changed.raw, constants=replace(CONSTANTS, **{attribute: meant}))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("constants/SC-OP-01/chance_digits", "hundredths", 'Did you mean "chance_digit"'),
        ("constants/SC-OP-01/chance_digit", "tenths", '"tenths" is not allowed. Use "hundredths" or "thousandths".'),
        ("location/SC-01/Next to it/points", 7, 'the tables have no "location" there'),
    ],
)
def test_sc_op_01_an_unknown_setting_is_refused(name: str, value: float | str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        TABLES.having((Setting(name=name, value=value),))


def test_every_ruling_of_the_rulebook_has_a_reason() -> None:
    rulebook = json.loads((SHIPPED / "rulebook" / "scorecard.json").read_text("utf-8"))
    rulings = {id: rule for id, rule in rulebook.items() if id.startswith("SC-OP-")}

    assert list(rulings) == [f"SC-OP-{number:02}" for number in range(1, len(rulings) + 1)]
    assert all(rule["ruling"] and rule["why"] for rule in rulings.values())
