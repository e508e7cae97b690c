"""Live boards in one process: what they keep between readings of the workbook."""

from __future__ import annotations

import openpyxl
import pytest

from scripts.support.moderator import BOOK, SECRET, Moderator, only, season, shown, write
from sheets_algo.board_server.live_boards import LiveBoards
from sheets_algo.commands.opening import new_session
from sheets_algo.forecasts.compiled import prepare
from sheets_algo.workbook.stores import find
from tests.helpers.live_board import rows_of
from tests.helpers.machine_code import CACHES, kernel

WAR = "W-0002"


def test_machine_code_fights_after_each_reading_of_the_workbook(tmp_path, monkeypatch):
    if not kernel().is_compiled:
        pytest.skip("there is no compiler")
    monkeypatch.setenv("XDG_CACHE_HOME", str(CACHES))
    monkeypatch.setattr("sheets_algo.forecasts.process_code._codes", {})
    monkeypatch.setattr("sheets_algo.forecasts.process_code._tried", set())
    boards = LiveBoards(new_session(workbook=find(str(write(tmp_path / "season.xlsx", only(season(), WAR))))))
    for _ in range(2):
        data = boards.read(WAR)
        boards.requests()  # as a page that looks again: new rulesets
        boards.odds(WAR, {"Attacker": rows_of(data, 0), "Defender": rows_of(data, 1)})
        assert prepare(boards._war(boards._book.forms, boards._book.snapshot, WAR)).is_compiled


def test_fc_01_the_odds_of_a_board_are_those_of_the_command(tmp_path, home):
    moderator = Moderator(tmp_path / "game", home)
    moderator.folder.mkdir()
    write(moderator.book, only(season(), WAR))
    boards = LiveBoards(new_session(workbook=find(str(moderator.book)), config=moderator.config))
    data = boards.read(WAR)
    told = next(
        told
        for told in boards.odds(WAR, {"Attacker": rows_of(data, 0), "Defender": rows_of(data, 1)})
        if "attacker" in told
    )
    said = moderator.types("forecast", BOOK, WAR, "--runs", str(told["runs"]), "--json").data
    (found,) = said["forecasts"]
    assert told["attacker"] == pytest.approx(found["odds"]["attacker"]["share"])
    assert told["change"]["change"] == 0


def test_r_124_save_writes_shares_as_they_are_shown_and_keeps_the_strategy_s_name(tmp_path):
    rows = only(season(), WAR)
    cells = [("40 %", 0.5, 150), ("60 %", 0.5, 150)]
    rows["Flanks"] = [
        {"Request": WAR, "Side": "Attacker", "X": x, "Infantry": foot, "Cavalry": horse, "Strategy": "wings"}
        for foot, horse, x in cells
    ]
    path = write(tmp_path / "season.xlsx", rows)
    book = openpyxl.load_workbook(path)
    heads = {cell.value: cell.column for cell in book["Flanks"][1]}
    for number in (2, 3):
        book["Flanks"].cell(number, heads["Cavalry"]).number_format = "0%"
    book.save(path)
    boards = LiveBoards(new_session(workbook=find(str(path))))
    data = boards.read(WAR)
    side = data["sides"][0]
    assert [flank["typed"] for flank in side["flanks"]] == [["40 %", "50 %", "", ""], ["60 %", "50 %", "", ""]]
    assert [flank["infantry"] for flank in side["flanks"]] == [1_500, 2_250]

    typed = [("40 %", "50 %"), ("35 %", "25 %"), ("25 %", "25 %")]
    rows_ = [[WAR, "Attacker", "", 180 + 10 * place, 182, *cell, "", "", "Normal"] for place, cell in enumerate(typed)]
    text = boards.save(WAR, "Attacker", rows_, data["versions"]["Attacker"])

    assert text.startswith("Saved: 3 flanks")
    sheet = openpyxl.load_workbook(path)["Flanks"]
    saved = [[sheet.cell(row, heads[name]).value for name in ("Infantry", "Cavalry", "Strategy")] for row in (2, 3, 4)]
    assert saved == [["40 %", 0.5, "wings"], ["35 %", 0.25, "wings"], ["25 %", "25 %", "wings"]]
    assert [flank["typed"][:2] for flank in boards.read(WAR)["sides"][0]["flanks"]] == [list(pair) for pair in typed]


def test_flr_01_rows_that_name_the_war_by_its_name_are_shown_and_go_on_to_do_so(tmp_path, monkeypatch):
    monkeypatch.setenv("SHEETS_ALGO_SECRET", SECRET)
    rows = only(season(), WAR)
    rows["Flanks"] = [{"Request": "hastings", "Side": "Attacker", "Flank": "column", "X": 150, "Y": 190}]
    path = write(tmp_path / "season.xlsx", rows)
    boards = LiveBoards(new_session(workbook=find(str(path))))
    data = boards.read(WAR)
    assert [flank["label"] for flank in data["sides"][0]["flanks"]] == ["column"]
    (cells,) = rows_of(data, 0)

    boards.save(WAR, "Attacker", [cells, [*cells[:3], 160, *cells[4:]]], data["versions"]["Attacker"])

    assert [(row["Request"], row["X"]) for row in shown(path, "Flanks")] == [("hastings", 150), (WAR, 160)]


def test_r_130_each_army_of_a_coalition_has_its_flanks_on_the_board(tmp_path, monkeypatch):
    monkeypatch.setenv("SHEETS_ALGO_SECRET", SECRET)
    rows = only(season(), WAR)
    (war,) = (row for row in rows["War Requests"] if row["Request"] == WAR)
    war |= {"Attacker": "Normandy + Norway", "Defender": "England + Byzantium"}
    rows["Flanks"] = [{"Request": WAR, "Side": "Attacker", "Flank": "van", "X": 150, "Military": "Hardrada's Army"}]
    path = write(tmp_path / "season.xlsx", rows)
    boards = LiveBoards(new_session(workbook=find(str(path))))
    data = boards.read(WAR)
    assert [(army["nation"], len(army["flanks"]), army["men"]) for army in data["sides"]] == [
        ("Normandy", 3, 7_500),
        ("Norway", 1, 6_000),
        ("England", 3, 7_000),
        ("Byzantium", 3, 30_000),
    ]
    attackers = [row for army in (0, 1) for row in rows_of(data, army, maneuver="Position")]
    drafted = {"Attacker": attackers, "Defender": [*rows_of(data, 2), *rows_of(data, 3)]}
    assert boards.check(WAR, drafted)["problems"] == []
    attackers[3][3] = 500
    (problem,) = boards.check(WAR, drafted)["problems"]
    assert (problem["side"], problem["flank"], problem["column"]) == ("Attacker", 3, "X")
    attackers[3][3] = 160

    text = boards.save(WAR, "Attacker", attackers, data["versions"]["Attacker"])

    assert text.startswith("Saved: 4 flanks of the attacker")
    saved = [(row["Military"], row["X"], row["Maneuver"]) for row in shown(path, "Flanks")]
    assert saved[0] == ("William's Army", attackers[0][3], "Position")
    assert saved[3] == ("Hardrada's Army", 160, "Position")
    again = boards.read(WAR)["sides"]
    assert [[flank["x"] for flank in army["flanks"]] for army in again[:2]] == [
        [row[3] for row in saved_rows] for saved_rows in (attackers[:3], attackers[3:])
    ]
