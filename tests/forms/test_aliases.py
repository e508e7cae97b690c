"""DB-07, DB-09: words of a community's own for religions, peoples, governments and units."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scripts.support.workbooks import example, run, workbook

Rows = dict[str, list[dict[str, Any]]]


def war_of(**nation: str) -> Rows:
    """Norway attacks England with some cells of Norway's row."""
    rows: Rows = example("1066")
    war = {"Attacker": "Norway", "Defender": "England", "Attacker Military": None, "Defender Military": "Harold's Host"}
    rows["War Requests"], rows["Flanks"] = [rows["War Requests"][0] | war], []
    row_of(rows, "Nations", "Norway").update(nation)
    return rows


def row_of(rows: Rows, tab: str, name: str) -> dict[str, Any]:
    return next(row for row in rows[tab] if row["Name"] == name)


def attacker_of(rows: Rows) -> tuple[dict[str, Any], list[str]]:
    """The attacker as the receipt has it, and the problems of the war."""
    made = run(workbook(rows))
    (ruling,) = made.rulings
    attacker: dict[str, Any] = json.loads(ruling.receipt.inputs)["attacker"]
    return attacker, [str(problem) for answer in made.findings.answers for problem in answer.problems]


@pytest.mark.parametrize(
    ("column", "typed", "value"),
    [
        ("Religion", "Roman Catholic", "Christianity"),
        ("Religion", "sunni", "Islam"),
        ("Religion", "Norse", "Ethnic Traditional"),
        ("Religion", "Shinto", "Ethnic Traditional"),
        ("Religion", "Tengri", "Animist"),
        ("Ethnicity", "norwegian", "Caucasian"),
        ("Ethnicity", "Berber", "Hamito-Semetic"),
        ("Ethnicity", "Cuman", "Turko-Mongolic"),
        ("Federal Government", "Sultanate", "Monarchy"),
        ("State Government", "Hereditary", "Feudal"),
    ],
)
def test_db_07_a_community_s_word_means_its_value(column: str, typed: str, value: str) -> None:
    attacker, problems = attacker_of(war_of(**{column: typed}))

    assert attacker["nation"][column.lower().replace(" ", "_")] == value
    assert problems == []


def test_db_09_an_unknown_religion_is_noted_and_takes_the_default() -> None:
    attacker, problems = attacker_of(war_of(Religion="Cult of Vorn"))

    assert attacker["nation"]["religion"] == "Christianity"
    [noted] = problems
    assert 'warning: "Cult of Vorn" is not allowed; the cell counts as blank. Use' in noted


def test_db_09_only_a_near_miss_gets_a_suggestion() -> None:
    _, [misspelt] = attacker_of(war_of(Religion="Catholc"))
    _, [unknown] = attacker_of(war_of(Ethnicity="Vornegian"))

    assert 'Did you mean "Christianity"?' in misspelt
    assert "Did you mean" not in unknown


def test_db_09_an_unknown_government_is_an_error() -> None:
    made = run(workbook(war_of(**{"Federal Government": "Rule of Vorn"})))

    assert not made.rulings


def test_an_own_unit_overrides_an_alias() -> None:
    rows = war_of()
    row_of(rows, "Militaries", "Hardrada's Army")["Transport"] = "BARGE"
    shipped, _ = attacker_of(rows)
    assert shipped["military"]["transport"] == "Barges"

    rows["Units"] = [{"Name": "Barge", "Capacity": 9}]
    own, _ = attacker_of(rows)
    assert own["military"]["transport"] == "Barge"
