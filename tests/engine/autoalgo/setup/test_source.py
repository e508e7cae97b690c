"""The rules and numbers of the source, by name (R-98)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from engine.autoalgo.setup.source import RULES, under_rules, without_source
from engine.config_value import TableError
from engine.settings import Setting, merged
from scripts.support.pinned_tables import SHIPPED, raw_tables, shipped_tables

SOURCE = Setting(name=RULES, value="source")
RAW = raw_tables(config=SHIPPED)


def leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each value of nested mappings with the names that lead to it."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from leaves(part, (*path, name))
    else:
        yield path, value


def test_r_98_the_source_s_file_repeats_nothing_of_the_tables() -> None:
    for rule, changes in RAW["source"]["rules"].items():
        for path, value in leaves(changes):
            part = value
            for name in reversed(path):
                part = {name: part}
            assert merged(RAW, part) != RAW, (rule, path)


def test_r_98_the_name_of_the_rules_replaces_numbers_units_and_switches() -> None:
    ours, theirs = shipped_tables(), shipped_tables().having((SOURCE,))

    assert (ours.strategy.rules, theirs.strategy.rules) == ("history", "source")
    assert theirs.units["Longbowman"].power == (1, 1.5, 1) != ours.units["Longbowman"].power
    assert theirs.scores.single("Effectiveness", "Soldier Type", "Elite") == 3.9
    assert (theirs.strategy.fortune_side, theirs.strategy.fortune_flank, theirs.strategy.fortune_panic) == (0, 0, 0)
    numbers = theirs.constants
    switches = (numbers.r_54, numbers.r_66, numbers.unit_16)
    assert [switch.applies for switch in switches] == [0] * 3
    assert numbers.dis_03.men_divisor == ours.constants.dis_03.men_divisor


def test_r_98_a_workbook_s_setting_overrides_the_rule_set_in_any_order() -> None:
    own = Setting(name="weights/minor", value=0.5)

    for settings in ((SOURCE, own), (own, SOURCE)):
        weights = under_rules(RAW, settings)["weights"]
        assert (weights["moderate"], weights["minor"]) == (2, 0.5)
    assert under_rules(RAW)["weights"] == RAW["weights"]


def test_r_98_tables_may_name_the_rules_themselves() -> None:
    raw = raw_tables(config=SHIPPED)
    raw["strategy"]["rules"] = "source"

    assert under_rules(raw)["weights"]["moderate"] == 2
    assert under_rules(raw, [Setting(name=RULES, value="history")])["weights"] == RAW["weights"]


def test_r_98_a_path_missing_from_the_tables_is_reported() -> None:
    raw = raw_tables(config=SHIPPED)
    raw["source"]["rules"]["R-01"] = {"weights": {"mild": 1}}

    with pytest.raises(TableError) as caught:
        under_rules(raw, [SOURCE])
    assert caught.value.line.startswith("source.json#/rules/R-01/weights/mild: the tables have no 'mild' there. ")


def test_r_98_units_missing_from_an_own_catalogue_are_skipped() -> None:
    raw = raw_tables(config=SHIPPED)
    raw["units"]["units"] = [unit for unit in raw["units"]["units"] if unit["Name"] != "Longbowman"]

    assert len(under_rules(raw, [SOURCE])["units"]["units"]) == len(RAW["units"]["units"]) - 1


def test_r_98_no_setting_replaces_a_number_of_the_source_s_file_or_of_an_age() -> None:
    assert without_source(RAW).keys() == RAW.keys() - {"source", "ages"}


def test_nat_09_in_the_source_unitary_is_the_least_stable_state() -> None:
    """Beside any government, civilization, religion and people; Feudal lords, say, were less stable."""
    theirs, state = shipped_tables().having((SOURCE,)), "State Government"
    lists = {name: values.values for name, values in theirs.lists.items()}
    others = [name for name in lists[state] if name != "Unitary"]

    def number(headers: tuple[str, str], *values: str) -> float:
        return theirs.scores.pair("Innate Stability", headers, (values[0], values[1]))

    federal = ("Federal Government", state)
    for value in lists[federal[0]]:
        assert number(federal, value, "Unitary") < min(number(federal, value, name) for name in others), value
    for partner in ("Civilization Type", "Religion", "Ethnicity"):
        for value in lists[partner]:
            beside = (number((state, partner), name, value) for name in others)
            assert number((state, partner), "Unitary", value) < min(beside), value
