"""Every column of War Requests and Flanks does what its note says."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from engine.autoalgo.battle.state import STATUSES
from engine.columns import columns
from engine.receipt import ReceiptText as Printed
from engine.receipt import SeasonOptions
from scripts.support.smallest_war import receipt_line, receipt_losses, ruling, war, war_form, war_rows
from scripts.support.workbooks import check, column, messages, read, run, workbook
from sheets_algo.database.problems import Rejected
from sheets_algo.forms.autoalgo.columns import FlankRow
from sheets_algo.forms.databases import open_database
from sheets_algo.ruling.plan import Ruling
from sheets_algo.workbook.memory import MemoryWorkbook

MARKED = "''The [[Heath]]'' — ヒース = 1"


def printed(made: Ruling) -> Printed:
    return made.outcome.receipt


def test_war_01_any_text_is_the_name_on_the_receipt() -> None:
    """RCPT-02: Unicode and wiki markup are shown as they were typed."""
    made = ruling(war_rows(War=MARKED))

    assert html.unescape(printed(made).wiki().splitlines()[0]) == f"== {MARKED}, 1000 =="
    assert made.receipt.war == f"{MARKED}, 1000"


@pytest.mark.parametrize(("year", "shown"), [(-3000, "3000 BC"), (0, "0"), (2100, "2100")])
def test_war_02_the_year_of_the_war_is_read(year: int, shown: str) -> None:
    rows = war_rows(Year=year)
    for nation in rows["Nations"]:
        nation |= {"Year Founded": year, "Year Crisis": year}

    assert war(rows).year == year
    assert printed(ruling(rows)).title == f"Quarrel, {shown}"


def test_war_02_the_source_has_the_printed_range_of_years() -> None:
    form = war_form().in_season(SeasonOptions(rules_name="source"))
    for year, expected in ((2020, []), (2021, ["2021 is out of range of the printed rules"])):
        database = open_database(read(workbook(war_rows(Year=year))), [form])
        try:
            refused = []
            form.read(next(iter(database.table(form.request))), database)
        except Rejected as rejected:
            refused = [problem.says for problem in rejected.problems if problem.id == "WAR-02"]
        assert refused == expected


def test_a_refused_unit_names_the_gap_in_the_rules() -> None:
    rows = war_rows()
    rows["Militaries"][0]["Infantry Type"] = "Panzerkampfwagen"
    rows["Units"] = [{"Name": "Tank", "Long Range": 4000}]
    texts = [str(problem) for problem in check(read(workbook(rows)), [war_form()])]

    assert sum("the rules have no arms of the 20th century" in text for text in texts) == 2, texts


@pytest.mark.parametrize("cells", [{"Power": "1; -1; 2"}, {"Long Range": -1}])
def test_a_number_of_a_unit_that_is_too_small_names_the_range_alone(cells: dict[str, str | int]) -> None:
    rows = war_rows()
    rows["Units"] = [{"Name": "Lost Guard"} | cells]
    [text] = [str(problem) for problem in check(read(workbook(rows)), [war_form()]) if "-1" in str(problem)]

    assert "-1 is out of range. Enter a " in text
    assert " from 0 to " in text


def test_war_03_war_05_attacker_and_defender_are_read() -> None:
    made = printed(ruling(war_rows(Attacker="Right", Defender="Left")))

    assert [block.heading for block in made.blocks] == ["", "Right, attacker", "Left, defender", "Result"]


def test_strat_09_swapping_two_cells_switches_the_sides() -> None:
    """Each side's military goes along, and so do flank rows whose counts are blank: they fit whoever comes."""
    flanks = ({"Side": "Attacker", "Flank": "van"}, {"Side": "Attacker", "Flank": "rear"})
    rows = war_rows(*flanks)
    rows["Militaries"][1]["Size"] = 5_000
    assert ruling(rows).outcome.scenes[0].before[0].size == 4_500

    rows["War Requests"][0] |= {"Attacker": "Right", "Defender": "Left"}
    made = ruling(rows)

    assert [(mark.label, mark.size) for mark in made.outcome.scenes[0].before[:2]] == [("van", 2_500), ("rear", 2_500)]
    assert "Attacker: Good (5000/5000), 2 flanks." in made.receipt.figures.message
    assert "Defender: Good (9000/9000), 3 flanks." in made.receipt.figures.message


@pytest.mark.parametrize("side", ["Attacker", "Defender"])
def test_war_04_war_06_db_15_a_military_is_named_or_the_only_one(side: str) -> None:
    """Choosing another overwrites the default flanks, for they are divided anew."""
    rows = war_rows()
    name = {"Attacker": "Left", "Defender": "Right"}[side]
    chosen = war(rows)
    assert {chosen.attacker.military.name, chosen.defender.military.name} == {"Host of Left", "Host of Right"}

    rows["Militaries"].append({"Nation": name, "Name": "Guard", "Size": 600})
    rows["War Requests"][0][f"{side} Military"] = "guard"
    made = ruling(rows)

    assert [mark.size for mark in made.outcome.scenes[0].before if mark.side == side] == [200, 200, 200]


def test_war_07_db_15_the_location_provides_the_map() -> None:
    rows = war_rows(Location="hills")
    rows["Locations"].append({"Name": "Hills", "Terrain": "Hillcountry", "Climate": "Arid"})

    inputs = war(rows)

    assert (inputs.location.name, inputs.location.climate, inputs.terrain.name) == ("Hills", "Arid", "Hillcountry")
    assert receipt_line(printed(ruling(rows)), "Motive and location", 0).endswith(", Hills")


def test_war_08_both_sides_share_one_motive() -> None:
    made = ruling(war_rows(Motive="Existential"))
    explained = [variable for variable in made.outcome.explained if variable.id == "VAR-MOR"]

    assert receipt_line(printed(made), "Motive and location", 0).startswith("Existential, ")
    assert len(explained) == 2
    for variable in explained:
        assert any(term.found.startswith("Existential, ") for term in variable.terms)


def test_war_09_a_request_may_name_another_map() -> None:
    inputs = war(war_rows(Terrain_Map="Mountain Pass"))

    assert (inputs.terrain.name, inputs.location.terrain) == ("Mountain Pass", "Plain")


@pytest.mark.parametrize(("typed", "changes"), [(None, True), ("yes", True), (True, True), ("no", False), (0, False)])
def test_war_10_stab_05_db_13_commit_stability_updates_the_nations(typed: Any, changes: bool) -> None:
    """No: only the receipt knows the new value."""
    book = workbook(war_rows(Commit_Stability=typed))
    (made,) = run(book).rulings
    new = [float(re.findall(r"→ ([\d.]+)", receipt_line(printed(made), "Stability", block))[0]) for block in (1, 2)]

    assert column(book, "Nations", "Stability") == (new if changes else [None, None])
    assert ("stay as they were" in printed(made).wiki()) is not changes


def test_war_11_to_war_15_result_columns_agree_with_the_receipt() -> None:
    """WAR-11, WAR-12, WAR-13, WAR-14, WAR-15."""
    book = workbook(war_rows())
    (made,) = run(book).rulings
    cells = {header: column(book, "War Requests", header)[0] for header in ("Winner", "Occupation", "Duration")}

    occupied = receipt_line(printed(made), "Occupation")
    assert cells == {
        "Winner": printed(made).headline.split()[0],
        "Occupation": occupied if made.receipt.winner == "Attacker" else cells["Occupation"],
        "Duration": re.split(r"; | \(", receipt_line(printed(made), "Battle"))[0],
    }
    assert str(cells["Occupation"]).rpartition("(")[2] == occupied.rpartition("(")[2]
    for block, header in ((1, "Attacker Losses"), (2, "Defender Losses")):
        lost, items = receipt_losses(printed(made), block).total(), receipt_line(printed(made), "Losses", block)
        assert column(book, "War Requests", header) == [f"{lost:,} of 9,000 ({items})"]


def ends(book: MemoryWorkbook) -> dict[str, list[Any]]:
    """What the end columns show, by their headers without `End`."""
    headers = [field.header for _, field in columns(FlankRow) if field.place.is_programs]
    return {header.removeprefix("End "): column(book, "Flanks", header) for header in headers}


STANDING = {"X": 150, "Y": 100.5, "Maneuver": "Position"}
FACING = {"Side": "Defender", "X": 250, "Y": 300, "Maneuver": "Position"}


def test_flr_01_flr_02_flanks_belong_to_a_request_and_side() -> None:
    """Of another request's rows nothing is taken."""
    rows = war_rows(
        {"Side": "Attacker", "Flank": "one"},
        {"Side": "defender", "Flank": "two"},
        {"Side": "Attacker", "Flank": "three"},
        {"Request": "W-2", "Side": "Attacker", "Flank": "strange"},
    )
    rows["War Requests"].append(rows["War Requests"][0] | {"Request": "W-2", "Ready": False})
    inputs = war(rows)

    assert [flank.label for flank in inputs.attacker.flanks] == ["one", "three"]
    assert [flank.label for flank in inputs.defender.flanks] == ["two"]


def test_flr_03_a_flank_has_a_label_or_a_number() -> None:
    made = ruling(
        war_rows({"Side": "Attacker", "Flank": "Vanguard of Ada"}, {"Side": "Attacker", "Maneuver": "Normal"})
    )
    labels = [mark.label for mark in made.outcome.scenes[0].before if mark.side == "Attacker"]

    assert labels == ["Vanguard of Ada", "2"]
    assert any("Left, Vanguard of Ada" in event.text for event in made.outcome.events)
    assert any("Left, flank 2 " in event.text for event in made.outcome.events)


def test_flr_04_flr_05_a_flank_starts_at_its_place() -> None:
    """In pixels, a whole number is a pixel's centre; blank is the default place, in the half of the others (R-111)."""
    made = ruling(war_rows({"Side": "Attacker", "X": 120, "Y": 390.5}, {"Side": "Attacker", "Maneuver": "Normal"}))
    places = [(mark.x - 0.5, mark.y - 0.5) for mark in made.outcome.scenes[0].before if mark.side == "Attacker"]

    assert places == [(120, 390.5), (200, 218)]


def test_flr_06_flr_07_flr_08_flr_09_men_and_ships_are_read() -> None:
    """STRAT-03: each type's own count; the totals are the military's, 40 Barges of 50 for 2,000."""
    rows = war_rows(
        {"Side": "Attacker", "Infantry": 900, "Cavalry": 100, "Artillery": 50, "Ships": 30},
        {"Side": "Attacker", "Infantry": 100, "Cavalry": 700, "Artillery": 150, "Ships": 10},
    )
    rows["Militaries"][0] |= {
        "Size": 2_000,
        "Infantry Type": "Levy Spearman",
        "Infantry Proportion": 0.5,
        "Cavalry Type": "Hussar",
        "Cavalry Proportion": 0.4,
        "Artillery Type": "Trebuchet",
        "Artillery Proportion": 0.1,
    }
    inputs = war(rows)

    counts = [(at.infantry, at.cavalry, at.artillery, at.ships) for at in inputs.attacker.flanks]
    assert counts == [(900, 100, 50, 30), (100, 700, 150, 10)]
    assert "Attacker: Good (2000/2000), 2 flanks, 10% artillery." in ruling(rows).receipt.figures.message
    for header, word in (("Infantry", "Inf"), ("Cavalry", "Cav"), ("Artillery", "Art"), ("Ships", "Navy")):
        rows["Flanks"][0][header] += 11
        assert f"Invalid {word} (" in messages(run(workbook(rows)))[0][2]
        rows["Flanks"][0][header] -= 11


def test_flr_10_to_flr_18_two_idle_flanks_end_unchanged() -> None:
    """FLR-10, FLR-11, FLR-12, FLR-13, FLR-14, FLR-15, FLR-16, FLR-17, FLR-18, R-13: on Position nobody ever meets."""
    rows = war_rows(
        {"Side": "Attacker", "Infantry": 700, "Cavalry": 250, "Ships": 15} | STANDING,
        {"Side": "Attacker", "Infantry": 50, "Cavalry": 0, "Ships": 5} | STANDING,
        FACING,
    )
    rows["Militaries"][0] |= {
        "Size": 1_000,
        "Infantry Type": "Soldier",
        "Infantry Proportion": 0.75,
        "Cavalry Type": "Hussar",
        "Cavalry Proportion": 0.25,
    }
    book = workbook(rows)
    (made,) = run(book).rulings
    bonus = next(variable.value for variable in made.outcome.explained if variable.id == "VAR-MOR")

    end = ends(book)
    assert (end["X"], end["Y"]) == ([150, 150, 250], [100.5, 100.5, 300])
    assert (end["Infantry"], end["Cavalry"]) == ([700, 50, 9_000], [250, 0, 0])
    assert (end["Artillery"], end["Ships"]) == ([0, 0, 0], [15, 5, 0])
    assert end["Morale"] == [round(men * 20 * bonus) for men in (950, 50, 9_000)]
    assert end["Status"] == ["Ready"] * 3
    assert receipt_line(printed(made), "Battle") == "1,200 hours (100 days, 12 hours a day)"


def test_flr_11_to_flr_18_end_columns_are_filled_after_a_fight() -> None:
    """STRAT-08, STRAT-10: survivors and losses are the start, places lie on the map, the loser is out."""
    sides = ("Attacker", "Attacker", "Defender", "Defender")
    book = workbook(war_rows(*({"Side": side, "Maneuver": "Normal"} for side in sides)))
    (made,) = run(book).rulings
    end = ends(book)

    for block, flanks in ((1, slice(0, 2)), (2, slice(2, 4))):
        assert sum(end["Infantry"][flanks]) + receipt_losses(printed(made), block).total() == 9_000
    assert all(0 <= place <= 399 for place in (*end["X"], *end["Y"]))
    assert all(points >= 0 for points in end["Morale"])
    loser = slice(2, 4) if made.receipt.winner == "Attacker" else slice(0, 2)
    assert set(end["Status"][loser]) <= {"Routed", "Inactive"}
    assert set(end["Status"]) <= set(STATUSES)


def test_flr_18_the_program_writes_end_columns_and_no_others() -> None:
    headers = [field.header for _, field in columns(FlankRow) if not field.place.is_programs]
    book = workbook(war_rows({"Side": "Attacker", "Flank": "van"}, {"Side": "Defender"}))
    typed = {header: column(book, "Flanks", header) for header in headers}

    run(book)

    assert {header: column(book, "Flanks", header) for header in headers} == typed
