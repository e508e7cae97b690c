"""Live boards in one process: what they keep between readings of the workbook."""

from __future__ import annotations

import pytest

from scripts.support.moderator import BOOK, Moderator, only, season, write
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
    monkeypatch.setattr("sheets_algo.forecasts.compiled._codes", {})
    boards = LiveBoards(new_session(workbook=find(str(write(tmp_path / "season.xlsx", only(season(), WAR))))))
    for _ in range(2):
        data = boards.read(WAR)
        boards.requests()  # as a page that looks again: new rulesets
        boards.odds(WAR, {"Attacker": rows_of(data, 0), "Defender": rows_of(data, 1)})
        assert prepare(boards._war(boards._book.forms, boards._book.snapshot, WAR)).is_compiled


def test_fc_01_the_odds_of_a_board_are_those_of_the_command(tmp_path):
    moderator = Moderator(tmp_path / "game", tmp_path / "home")
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
