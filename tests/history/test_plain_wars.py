"""Wars as a moderator types them: what the file promises of its rows, and what a plain row leaves to the defaults."""

from __future__ import annotations

import csv

import pytest
from plausibility.adapter import adapter_numbers
from plausibility.cases import SIDES, read_scenarios
from plausibility.evaluation import Bench, changed
from plausibility.fights import Arena
from plausibility.plain import plain_rows, rated_rows

from engine.autoalgo.records import Leader
from engine.autoalgo.setup.source import HISTORY, RULES, SOURCE
from engine.autoalgo.setup.tables import Tables
from sheets_algo.forms.autoalgo.columns import FlankRow, MilitaryRow, UnitRow, WarRequest
from tests.helpers import machine_code
from tests.history.rows import DATA, SCENARIOS, arena, library

FILE = DATA / "plain_wars.csv"


def rows(file: str = FILE.name) -> list[dict[str, str]]:
    with (DATA / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_every_row_names_two_sources_and_is_no_other_scenario() -> None:
    others = [row for file in (SCENARIOS.name, "asymmetric_wars.csv") for row in rows(file)]
    ages = [
        sum(low <= int(row["year"]) < high for row in rows()) for low, high in ((-400, 500), (500, 1500), (1500, 1900))
    ]

    assert len(rows()) == 30
    assert min(ages) >= 7
    assert not {(row["name"], row["year"]) for row in rows()} & {(row["name"], row["year"]) for row in others}
    for row in rows():
        assert len(row["sources"].split("; ")) == 2, row["name"]
        assert row["winner"] in SIDES, row["name"]


def test_every_row_is_typed_in_words_of_the_engine() -> None:
    assert Bench(scenarios=read_scenarios(FILE), arena=arena()).notes == []


@pytest.mark.parametrize(("id", "maneuvers"), [("granicus-0334bc", []), ("crecy-1346", ["Position"] * 3)])
def test_a_plain_row_leaves_places_units_and_training_to_the_defaults(id: str, maneuvers: list[str]) -> None:
    case = next(scenario.case for scenario in read_scenarios(FILE) if scenario.case.id == id)
    typed = plain_rows(case, {}, library().build("autoalgo", Tables.of))

    assert [row["Maneuver"] for row in typed[FlankRow]] == maneuvers
    assert all(set(row) == {"Request", "Side", "Maneuver"} for row in typed[FlankRow])
    assert typed[UnitRow] == []
    assert typed[MilitaryRow][0]["Infantry Type"] == case.attacker.types[0]
    assert typed[Leader][1]["Defense"] == case.defender.skill
    assert "Terrain Map" not in typed[WarRequest][0]


def test_plain_rows_differ_from_the_adapter_s() -> None:
    """Without the study's places and ratings the same case is fought otherwise, and the form refuses nothing."""
    case = next(scenario.case for scenario in read_scenarios(SCENARIOS) if scenario.case.id == "cannae-0216bc")
    plain = Arena(library(), machine_code.kernel(), threads=1, typed=plain_rows)
    raw, numbers = library().raw("autoalgo"), adapter_numbers()
    fought = [place.predict(raw, numbers, [case], 20, 0)[0].p_attacker for place in (plain, arena())]

    assert fought[0] != fought[1]


def test_r_98_the_rules_of_history_come_nearer_to_it_than_those_of_the_source() -> None:
    bench = Bench(
        scenarios=read_scenarios(FILE), arena=Arena(library(), machine_code.kernel(), threads=1, typed=plain_rows)
    )
    raw = library().raw("autoalgo")
    odds = [
        bench.evaluate(changed(raw, {RULES: name}), {}, runs=40, with_curve=False).metrics["scenario.mean_p"]
        for name in (SOURCE, HISTORY)
    ]

    assert odds[1] > odds[0] + 0.03


def test_armies_that_are_rated_come_nearer_to_history_than_armies_that_are_named() -> None:
    """With training, Soldier Type and skills typed, the winners of the 29 cases have .80 on average instead of .72."""
    raw, chances = library().raw("autoalgo"), []
    for typed in (plain_rows, rated_rows):
        place = Arena(library(), machine_code.kernel(), threads=1, typed=typed)
        bench = Bench(scenarios=read_scenarios(SCENARIOS), arena=place)
        found = bench.evaluate(raw, adapter_numbers(), runs=20, with_curve=False)
        chances.append(found.metrics["scenario.mean_p"])

    assert chances[1] > chances[0] + 0.04
