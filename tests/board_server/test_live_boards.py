"""Live boards in one process: what they keep between readings of the workbook."""

from __future__ import annotations

import pytest

from sheets_algo.board_server.live_boards import LiveBoards
from sheets_algo.commands.opening import new_session
from sheets_algo.forecasts.compiled import prepare
from sheets_algo.workbook.registry import find
from tests.e2e.moderator import only, season, write
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
        assert prepare(boards._war(boards._seen.forms, boards._seen.snapshot, WAR)).is_compiled
