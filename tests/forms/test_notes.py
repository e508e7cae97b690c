"""Notes of `check`: leaders and armies that no war uses, and the ships that a land power hires at sea."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.workbooks import Rows, check, example, forms, messages, read, run, workbook
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.database.problems import Problem, Severity
from sheets_algo.forms.rulesets import open_forms

IDS = ("MIL-02", "MIL-04", "MD-05", "MD-06")
WAR = "War Requests"


def notes(rows: Rows) -> list[str]:
    """Return the notes of these rules, and check that they are no more than notes."""
    return _texts(check(read(workbook(rows)), forms()[:1]))


def _texts(problems: tuple[Problem, ...]) -> list[str]:
    found = [problem for problem in problems if problem.id in IDS]
    assert {problem.severity for problem in found} <= {Severity.NOTE}
    return list(map(str, found))


def season() -> Rows:
    """Return the season of 1066, in which every leader is named and every army has its war."""
    return example("1066")


def row_of(rows: Rows, tab: str, name: str) -> dict[str, Any]:
    return next(row for row in rows[tab] if row["Name"] == name)


def land_power(ships: int | None = None, transport: str | None = "Galley", location: str = "English Channel") -> Rows:
    """Return a war of William's Army, which has soldiers, on a place with Water."""
    rows = season()
    rows[WAR] = [rows[WAR][1] | {"Location": location}, *(war | {"Ready": None} for war in rows[WAR][2:])]
    rows["Flanks"] = []
    row_of(rows, "Militaries", "William's Army").update({"Ship Number": ships, "Transport": transport})
    row_of(rows, "Militaries", "Harold's Host")["Ship Number"] = 200
    return rows


def test_a_season_without_unused_rows_has_no_notes() -> None:
    assert notes(season()) == []


def test_a_fresh_season_has_no_notes() -> None:
    book = workbook({tab: list(rows) for tab, rows in ConfigLoader().example("1066").items()})

    assert check(read(book), open_forms(ConfigLoader())[:1]) == ()


def test_mil_04_an_unused_leader_is_noted_with_the_cells_to_fill() -> None:
    rows = season()
    rows["Leaders"].append({"Name": "Guynemer", "Nation": "Fatimid Caliphate"})
    row = len(rows["Leaders"]) + 1

    assert notes(rows) == [
        f"Leaders!A{row} (Guynemer, Name): note: no army and no nation names this leader. Name this leader in"
        " Militaries!D9 (Jerusalem Garrison, Leader). [MIL-04]"
    ]
    row_of(rows, "Militaries", "Jerusalem Garrison")["Leader"] = "guynemer"
    assert notes(rows) == []


def test_mil_04_unused_leaders_of_one_nation_share_a_note() -> None:
    rows = season()
    rows["Leaders"] += [{"Name": "Tostig", "Nation": "Norway; England"}, {"Name": "Olaf", "Nation": "Norway"}]
    row = len(rows["Leaders"])

    assert notes(rows) == [
        f"Leaders!A{row} (Tostig, Name): note: no army and no nation names this leader, nor 1 other of Norway (Olaf)."
        " Name one of them in Militaries!D5 (Hardrada's Army, Leader) or Nations!G4 (Norway, Leader), instead of the"
        " one there; nothing, if that is meant. [MIL-04]"
    ]


@pytest.mark.parametrize("cells", [{"Status": "killed in Hastings, 1066"}, {"Nation": "Nowhere"}])
def test_mil_04_dead_and_unreadable_leaders_are_not_noted(cells: dict[str, str]) -> None:
    rows = season()
    rows["Leaders"].append({"Name": "Olaf", "Nation": "Norway"} | cells)

    assert notes(rows) == []


def test_mil_02_an_unused_army_is_noted_with_the_cell_to_change() -> None:
    rows = season()
    rows["Militaries"].append({"Nation": "Norway", "Name": "Reserve", "Size": 2_000})
    row_of_war = {"Attacker": "Norway", "Attacker Military": "Hardrada's Army", "Defender": "England"}
    rows[WAR][0] |= row_of_war | {"Defender Military": "Harold's Host"}
    row = len(rows["Militaries"]) + 1

    assert notes(rows) == [
        f"Militaries!B{row} (Reserve, Name): note: no war uses this army: W-0001 names Hardrada's Army for Norway. Name"
        " it in 'War Requests'!E2 (Attacker Military) instead, or in a war of its own; nothing, if it stays at home."
        " [MIL-02]"
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"war": {"Ready": None}},  # a draft
        {"war": {"Attacker Military": None}},  # an error, which names both
        {"army": {"Size": 0}},  # lost with all men
        {"later": True},  # it has a war that is not ready yet
    ],
)
def test_mil_02_deliberately_unused_armies_are_not_noted(change: dict[str, Any]) -> None:
    rows = season()
    rows["Militaries"].append({"Nation": "Norway", "Name": "Reserve", "Size": 2_000} | change.get("army", {}))
    war = {"Attacker": "Norway", "Attacker Military": "Hardrada's Army", "Defender": "England"}
    rows[WAR][0] |= war | {"Defender Military": "Harold's Host"} | change.get("war", {})
    if "later" in change:
        rows[WAR].append(rows[WAR][0] | {"Request": "W-0099", "Attacker Military": "Reserve", "Ready": None})

    assert notes(rows) == []


def test_mil_02_a_ruled_war_gives_no_note() -> None:
    rows = season()
    rows[WAR], rows["Flanks"] = [rows[WAR][0]], []
    book = workbook(rows)
    assert _texts(check(read(book), forms()[:1])) != []  # the fleet of England has no war here

    assert [status for _, status, _ in messages(run(book))] == ["Done"]

    assert _texts(check(read(book), forms()[:1])) == []


def test_md_05_a_land_power_at_sea_learns_of_its_hired_ships() -> None:
    """An Age names its ships, and nobody has typed any."""
    rows = land_power(transport=None)
    row_of(rows, "Nations", "Normandy")["Age"] = "Napoleonic"

    assert notes(rows) == [
        "Militaries!L4 (William's Army, Ship Number): note: 7,500 men need 13 Ship of the Line at English Channel;"
        " Normandy has typed none for William's Army: hired, and they fight as its own. Enter the number of its ships,"
        " if it has a fleet. [MD-05]"
    ]
    row_of(rows, "Militaries", "William's Army")["Ship Number"] = 13
    assert notes(rows) == []


def test_md_05_a_typed_ship_gives_no_note() -> None:
    assert notes(land_power()) == []


def test_md_06_hired_barges_are_noted_as_unarmed() -> None:
    rows = land_power(transport=None)

    assert notes(rows) == [
        "Militaries!K4 (William's Army, Transport): note: 7,500 men need 150 Barges at English Channel; Normandy has"
        " typed none for William's Army: hired, and unarmed. Name the ships that are to fight, if it has a fleet."
        " [MD-06]"
    ]
    row_of(rows, "Militaries", "William's Army")["Size"] = 30_000
    assert "30,000 men need 600 Barges" in notes(rows)[0]
    assert "500 hired, and unarmed" in notes(rows)[0]
    row_of(rows, "Militaries", "William's Army")["Transport"] = "Galley"
    assert notes(rows) == []


def test_md_05_hired_boats_near_land_are_not_a_fleet() -> None:
    """They do not fight there (R-122), and an army at a river is none at sea."""
    assert notes(land_power(transport=None, location="York and the Derwent")) == []


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (land_power(), "50 Galley hired for 7,500 men [MD-05]"),
        (land_power(ships=60), "60 Galley of its own [MIL-12]"),
        (land_power(location="York and the Derwent"), "50 Galley hired to cross, which do not fight [R-122]"),
    ],
    ids=["hired", "own", "boats"],
)
def test_r_117_message_names_ships_beside_the_army_and_the_rule(rows: Rows, says: str) -> None:
    ((_, _, message),) = [told for told in messages(run(workbook(rows))) if told[1] == "Done"]

    assert says in message
    assert "note:" not in message
