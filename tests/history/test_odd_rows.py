"""Rows of other files: units, words and blanks that the public rows do not have stop nothing."""

from __future__ import annotations

import dataclasses
import functools
import json
from pathlib import Path

from plausibility.adapter import adapter_numbers
from plausibility.archetypes import USUAL, Archetype, catalogue, likest
from plausibility.cases import Scenario, read_battles, read_scenarios
from plausibility.evaluation import Bench, Evaluation
from plausibility.spelling import OF_ARMY, OF_CASE, SPELLING, Spelling

from tests.history.rows import DATA, arena, battles

ODD_BATTLES, ODD_SCENARIOS = DATA / "odd_battles.csv", DATA / "odd_scenarios.csv"


@functools.cache
def bench() -> Bench:
    return Bench(read_battles(ODD_BATTLES), read_scenarios(ODD_SCENARIOS), arena())


@functools.cache
def fought() -> Evaluation:
    raw = bench().arena.library.raw("autoalgo")
    return bench().evaluate(raw, adapter_numbers(), runs=2, tracks="B", with_curve=False)


@functools.cache
def known() -> tuple[Archetype, ...]:
    return catalogue(arena().library.raw("autoalgo")["units"])


def test_every_odd_row_gives_shares_and_odds() -> None:
    them = [*fought().tracks["B"], *fought().scenarios]

    assert len(them) == 42 + 25
    for prediction in them:
        shares = (
            prediction.p_attacker,
            *prediction.losses,
            *prediction.low,
            *prediction.high,
            prediction.winner_loss,
            prediction.loser_loss,
            prediction.loser_more,
        )
        assert all(0 <= share <= 1 for share in shares), prediction.id
        assert prediction.hours > 0, prediction.id


def test_no_side_loses_more_ships_than_it_has() -> None:
    for scenario, prediction in zip(bench().scenarios, fought().scenarios, strict=True):
        for army, lost in zip(scenario.case.armies, prediction.ships_lost, strict=True):
            assert 0 <= lost <= army.ships, prediction.id


def test_rows_without_outcomes_have_no_outcome_metrics() -> None:
    assert set(fought().metrics) == {"structure.loser_loses_more"}


def scenario(id: str) -> Scenario:
    return next(row for row in bench().scenarios if row.case.id == id)


def test_a_range_without_a_best_estimate_is_its_geometric_middle() -> None:
    assert scenario("range-only").case.attacker.size == 6000
    assert scenario("range-only").case.defender.size == 5000


def test_foot_of_unknown_number_are_the_rest_of_the_men(tmp_path: Path) -> None:
    file = tmp_path / "rest.csv"
    header = "battle_id,year,att_size,def_size,att_inf_type,att_cav_type,att_cav_prop,def_inf_type,def_inf_prop"
    file.write_text(f"{header}\nrest,1700,1000,1000,Foot,Horse,0.25,Foot,1\n", encoding="utf-8")
    (rest,) = read_battles(file)

    assert rest.case.attacker.shares == (0.75, 0.25, 0.0)


def test_public_rows_need_no_translation() -> None:
    public = Bench(battles(), arena=arena())

    assert public.notes == []
    assert list(public.battles) == list(battles())


def spelled(name: str, word: str, year: int = 1600) -> str:
    return Spelling(arena().lists()).word(name, word, year)


def test_words_become_those_of_the_engine() -> None:
    cases = [
        ("Terrain", "hillCOUNTRY", "Hillcountry"),
        ("Terrain", "tidal strait", "Channel"),
        ("Climate", "Temprate", "Temperate"),
        ("Attrition", "at sea", "At Sea"),
        ("Fortifications", "City walls", "Curtain Walls"),
        ("Fortifications", "Star-Fort", "Star Fort"),
        ("Mobile Defenses", "Barricades and wagons", "Earthenworks"),
        ("Civilization Type", "Early-modern", "Early Modern"),
        ("Civilization Type", "hunter gatherers", "Hunter-Gatherer"),
        ("Soldier Type", "veterans", "Elite"),
        ("Soldier Type", "", ""),
        ("Urbanization", "", "Rural"),
        ("Mobile Defenses", "-", "none"),
    ]
    assert [(name, found, spelled(name, found)) for name, found, _ in cases] == cases


def test_a_missing_civilization_is_the_most_common_one() -> None:
    years = (-2000, -480, 1066, 1600, 1870)

    assert [spelled("Civilization Type", "", year) for year in years] == [
        "Bronze Age", "Iron Age", "Medieval", "Early Modern", "Industrial",
    ]  # fmt: skip


def test_every_word_of_the_spelling_file_is_one_of_the_engine() -> None:
    lists = arena().lists()
    rules = json.loads(SPELLING.read_text(encoding="utf-8"))

    assert set(rules) - {"about"} == {*OF_CASE.values(), *OF_ARMY.values()}
    for name in set(rules) - {"about"}:
        ends = rules[name].get("otherwise_until", {"": rules[name].get("otherwise")}).values()
        assert {*rules[name]["also"].values(), *ends} - {"", *lists[name]} == set(), name


def test_the_usual_units_are_in_the_catalogue_and_in_order() -> None:
    slots = {unit.name: unit.slot for unit in known()}

    for slot, units in USUAL.items():
        assert {slots[unit] for unit in units} == {slot}
        assert sorted(units.values()) == list(units.values())


def test_unknown_units_become_the_most_similar_of_their_arm() -> None:
    cases = [
        ("Ship of the line (74)", "ship", 1805, "Ship of the Line"),
        ("Macedonian phalanx", "inf", -331, "Pike phalanx"),
        ("Martini-Henry infantry", "inf", 1879, "Breech-loader infantry"),
        ("Legionary (comitatenses)", "inf", 357, "Late Roman foot (comitatenses)"),
        ("English longbowman", "inf", 1346, "Longbowman"),
        ("Mongol heavy cavalry", "cav", 1241, "Mongol lancer"),
        ("Turtle ship and board ship", "ship", 1592, "Turtle ship"),
        ("redif INFANTRY", "inf", 1877, "Redif infantry"),
        ("Polish winged hussars", "cav", 1683, "Winged hussar"),
        ("Gallic warriors", "inf", -52, "Tribal spearmen"),
        ("Swedish brigade", "inf", 1631, "Pike and shot"),
        ("unknown", "cav", 1760, "Sabre cavalry"),
        ("Mangonels", "art", 1250, "Siege tower and mangonel"),
    ]
    assert [(name, slot, year, likest(name, slot, year, known())) for name, slot, year, _ in cases] == cases


def test_late_peoples_of_simple_ways_are_tribes() -> None:
    assert likest("Local men", "inf", 1880, known()) == "Breech-loader infantry"
    tribe = likest("Local men", "inf", 1880, known(), "Iron Age")

    assert next(unit for unit in known() if unit.name == tribe).is_tribal


def test_cases_are_copies() -> None:
    """The file's own words stay with who read them."""
    read = read_battles(ODD_BATTLES)[:1]
    before = dataclasses.replace(read[0])
    Bench(read, arena=arena())

    assert read[0] == before
