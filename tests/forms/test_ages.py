"""NAT-29: what the Age of a nation fills, and what it leaves alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.autoalgo.setup.ages import NATION_ENTRIES
from engine.autoalgo.setup.tables import Tables
from engine.columns import loosely
from engine.config_value import TableError
from scripts.support.pinned_tables import SHIPPED, raw_tables, shipped_tables
from scripts.support.workbooks import check, example, forms, messages, read, run, workbook
from sheets_algo.database.problems import Severity
from sheets_algo.workbook.memory import MemoryWorkbook

AGE_COLUMNS = (
    *("Federal Government", "State Government", "Religion", "Ethnicity", "Civilization Type", "Diet"),
    *("Domesticated Animals", "Medicine", "Writing", "Urban Population", "Steel Production"),
)
SLOTS = ("infantry", "cavalry", "artillery")
Rows = dict[str, list[dict[str, Any]]]


def one_war(**ages: str) -> Rows:
    """Norway attacks England, with blank cells where an Age fills them."""
    rows: Rows = example("1066")
    war = {"Attacker": "Norway", "Defender": "England", "Attacker Military": None, "Defender Military": "Harold's Host"}
    rows["War Requests"], rows["Flanks"] = [rows["War Requests"][0] | war], []
    for nation in rows["Nations"]:
        for header in AGE_COLUMNS:
            nation.pop(header, None)
        nation["Age"] = ages.get(nation["Name"])
    for force in rows["Militaries"]:
        for header in [
            header for header in force if header.endswith((" Type", " Proportion")) or header == "Transport"
        ]:
            del force[header]
    for place in rows["Locations"]:
        place.pop("Road System", None)
    return rows


def force(rows: Rows, name: str) -> dict[str, Any]:
    return next(row for row in rows["Militaries"] if row["Name"] == name)


def inputs_of(rows: Rows) -> dict[str, Any]:
    book = run(workbook(rows))
    (ruling,) = book.rulings
    frozen: dict[str, Any] = json.loads(ruling.receipt.inputs)
    return frozen


def side(rows: Rows, nation: str) -> dict[str, Any]:
    inputs = inputs_of(rows)
    return next(inputs[side] for side in ("attacker", "defender") if inputs[side]["nation"]["name"] == nation)


def shares(own: dict[str, Any]) -> list[tuple[str, float]]:
    return [(own["military"][f"{slot}_type"], own["military"][f"{slot}_proportion"]) for slot in SLOTS]


def test_an_age_fills_blank_cells_of_nation_force_and_place() -> None:
    inputs = inputs_of(one_war(England="High medieval Europe"))
    own, enemy = inputs["defender"], inputs["attacker"]

    assert own["nation"]["name"] == "England"
    assert [own["nation"][loosely(header).replace(" ", "_")] for header in AGE_COLUMNS] == [
        *("Monarchy", "Feudal", "Christianity", "Caucasian", "Medieval", "Wheat", "Herd animals"),
        *("Classical Medicine", "Paper", 0.1, 0.8 * own["nation"]["population"] / 1000),
    ]
    assert shares(own) == [("Levy Spearman", 0.75), ("Norman Knight", 0.2), ("Trebuchet", 0.05)]
    assert (own["military"]["transport"], inputs["location"]["road_system"]) == ("Longship", "Basic roads")
    assert [unit["name"] for unit in own["units"]] == ["Levy Spearman", "Norman Knight", "Trebuchet", "Longship"]
    assert shares(enemy) == [("Soldier", 1.0), ("", 0.0), ("", 0.0)]
    assert enemy["nation"]["civilization_type"] == "Hunter-Gatherer"
    assert (enemy["nation"]["state_government"], enemy["nation"]["diet"]) == ("Nomadic", "none")


def test_the_defender_s_age_fills_roads_unless_typed() -> None:
    rows = one_war(Norway="Napoleonic")
    assert inputs_of(rows)["location"]["road_system"] == "none"

    rows = one_war(England="Napoleonic")
    assert inputs_of(rows)["location"]["road_system"] == "Modern roads"
    for place in rows["Locations"]:
        place["Road System"] = "Waterways"
    assert inputs_of(rows)["location"]["road_system"] == "Waterways"


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ({"Infantry Type": "Huscarl"}, [("Huscarl", 0.75), ("Norman Knight", 0.2), ("Trebuchet", 0.05)]),
        ({"Artillery Type": "0"}, [("Levy Spearman", 0.75 / 0.95), ("Norman Knight", 0.2 / 0.95), ("0", 0.0)]),
        ({"Infantry Proportion": 1}, [("Levy Spearman", 1.0), ("", 0.0), ("", 0.0)]),
        ({"Infantry Proportion": 0.5, "Cavalry Proportion": 0.5},
         [("Levy Spearman", 0.5), ("Norman Knight", 0.5), ("", 0.0)]),
        ({"Infantry Type": "Huscarl", "Infantry Proportion": 0.6, "Cavalry Type": "Mamluk", "Cavalry Proportion": 0.4},
         [("Huscarl", 0.6), ("Mamluk", 0.4), ("", 0.0)]),
        ({"Infantry Type": "0", "Cavalry Type": "0", "Artillery Type": "0"}, [("0", 0.0)] * 3),
    ],
)  # fmt: skip
def test_a_typed_cell_overrides_the_age(typed: dict[str, Any], expected: list[tuple[str, float]]) -> None:
    rows = one_war(England="High medieval Europe")
    force(rows, "Harold's Host").update(typed)

    found = shares(side(rows, "England"))

    assert [unit for unit, _ in found] == [unit for unit, _ in expected]
    assert [share for _, share in found] == pytest.approx([share for _, share in expected])


def test_a_typed_column_of_the_nation_overrides_the_age() -> None:
    rows = one_war(England="Napoleonic")
    england = next(row for row in rows["Nations"] if row["Name"] == "England")
    england |= {"Writing": "Telegraph", "Steel Production": 0, "Diet": "none", "State Government": "Republic"}

    nation = side(rows, "England")["nation"]

    assert (nation["writing"], nation["steel_production"], nation["medicine"]) == ("Telegraph", 0.0, "Modern Medicine")
    assert (nation["diet"], nation["state_government"], nation["federal_government"]) == (
        "none",
        "Republic",
        "Monarchy",
    )


@pytest.mark.parametrize(("nations", "unit"), [("England; Norway", "Zulu Impi"), ("Norway; England", "Musketeer Line")])
def test_a_force_of_two_nations_has_the_age_of_the_first(nations: str, unit: str) -> None:
    rows = one_war(England="Zulu kingdom", Norway="Napoleonic")
    rows["Militaries"] = [row for row in rows["Militaries"] if row["Nation"] not in ("England", "Norway")]
    rows["Militaries"].append({"Nation": nations, "Name": "Allies", "Size": 5000})
    rows["Militaries"].append({"Nation": "Norway", "Name": "Own", "Size": 5000})
    rows["War Requests"][0] |= {"Attacker Military": "Own", "Defender Military": "Allies"}

    assert side(rows, "England")["units"][0]["name"] == unit
    assert side(rows, "Norway")["units"][0]["name"] == "Musketeer Line"


def test_an_unknown_age_gets_a_suggestion() -> None:
    made = run(workbook(one_war(England="Napoleon")))

    assert not made.rulings
    assert 'England, Age): "Napoleon" is not allowed' in messages(made)[0][2]
    assert 'Did you mean "Napoleonic"?' in messages(made)[0][2]


def test_a_blank_age_does_not_change_the_inputs() -> None:
    """A season's luck is drawn from the inputs, so the column alone changes nothing of it."""
    with_column, without = one_war(), one_war()
    for nation in without["Nations"]:
        del nation["Age"]

    (blank,), (none,) = run(workbook(with_column)).rulings, run(workbook(without)).rulings

    assert blank.receipt.inputs == none.receipt.inputs
    assert "presets" not in none.receipt.inputs


def test_check_and_receipt_list_cells_filled_by_an_age() -> None:
    rows = one_war(England="High medieval Europe", Byzantium="Napoleonic")  # Byzantium is not at war
    book: MemoryWorkbook = workbook(rows)

    notes = [problem for problem in check(read(book), forms()) if problem.id == "NAT-29"]

    assert {problem.severity for problem in notes} == {Severity.NOTE}
    assert notes[0].says == (
        "blank cells are by the Age High medieval Europe: Religion Christianity; Ethnicity Caucasian; Federal"
        " Government Monarchy; State Government Feudal; Civilization Type Medieval; Diet Wheat; Domesticated Animals"
        " Herd animals; Medicine Classical Medicine; Writing Paper; Urban Population 0.1; Steel Production 1600"
    )
    assert [problem.cell.tab for problem in notes] == ["Nations", "Militaries", "Militaries"]
    (ruling,) = run(book).rulings
    form = forms()[0]
    assert form.presets(form.deserialize(ruling.receipt.inputs)) == (
        "Defender, Nations, blank and by the Age High medieval Europe: Religion Christianity; Ethnicity Caucasian;"
        " Federal Government Monarchy; State Government Feudal; Civilization Type Medieval; Diet Wheat; Domesticated"
        " Animals Herd animals; Medicine Classical Medicine; Writing Paper; Urban Population 0.1; Steel Production"
        " 1,600.",
        "Defender, Militaries, blank and by the Age High medieval Europe: Infantry Type Levy Spearman; Infantry"
        " Proportion 0.75; Cavalry Type Norman Knight; Cavalry Proportion 0.2; Artillery Type Trebuchet; Artillery"
        " Proportion 0.05; Transport Longship.",
        "Defender, Locations, blank and by the Age High medieval Europe: Road System Basic roads.",
    )


SHIPPED_AGES = tuple(shipped_tables().ages.values())
"""The ages of the release; the tables are refused if a value is not of its column's list."""


def test_every_age_gives_a_valid_force_and_a_distinct_society() -> None:
    """Its units are of the catalogue and of the slot.

    No column of a nation that an age can fill keeps its default, which is a hunter's, unless that is the age's.
    """
    eras = {unit["Name"]: unit["Slot, era"] for unit in raw_tables(config=SHIPPED)["units"]["units"]}
    assert 40 <= len(SHIPPED_AGES) <= 60
    for age in SHIPPED_AGES:
        assert age.years[0] < age.years[1]
        for slot, word in (("infantry", "inf"), ("cavalry", "cav"), ("artillery", "art")):
            unit = getattr(age, f"{slot}_type")
            assert not unit or eras[unit].startswith(word), age.name
        assert not age.transport or eras[age.transport].startswith("ship")
        shares = [age.military({})[f"{slot}_proportion"] for slot in SLOTS if getattr(age, f"{slot}_type")]
        assert sum(shares) == pytest.approx(1), age.name

        is_nomadic = age.civilization_type == "Nomadic"
        assert {*NATION_ENTRIES} <= age.nation({"population": 1_000_000}).keys(), age.name
        assert (age.state_government == "Nomadic") == (age.diet == "none") == is_nomadic, age.name
        assert age.federal_government != "Tribal" or age.urban_population < 0.05, age.name
        assert age.domesticated_animals != "none", age.name
        assert age.urban_population < 0.5 or age.years[1] > 1900, age.name
        assert "society" in age.source, age.name


def test_an_age_of_own_tables_may_omit_society() -> None:
    """Tables of moderators that are older than these columns are read as before."""
    raw = raw_tables()
    lean = {key: value for key, value in raw["ages"]["ages"][0].items() if key not in AGE_COLUMNS}
    (age,) = Tables.of({**raw, "ages": {"ages": [lean]}}).ages.values()

    assert age.nation({"population": 1_000}) == {"steel_production": 1.0}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"Cavalry Proportion": 0.3}, "the proportions sum to 1.1, not to 1."),
        ({"Writing": "Papyrus"}, '"Papyrus" is not a value of Writing.'),
        ({"Federal Government": "Kingdom"}, '"Kingdom" is not a value of Federal Government.'),
    ],
)
def test_a_mistake_in_the_table_of_ages_is_reported(change: dict[str, Any], says: str) -> None:
    raw = raw_tables()
    ages = [*raw["ages"]["ages"]]
    ages[0] = ages[0] | change

    with pytest.raises(TableError) as refused:
        Tables.of({**raw, "ages": {"ages": ages}})
    assert says in str(refused.value)
