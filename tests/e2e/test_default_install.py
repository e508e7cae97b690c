"""The commands of every day where nothing but `pip install .` was typed: no extra, nothing that developers have."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from scripts.support.moderator import BOOK, Moderator
from tests.helpers.installs import default, packages_in
from tests.helpers.live_board import rows_of, served

KEEP = f"""
[[post]]
name = "archive"
to = "command"
command = [{json.dumps(sys.executable)}, "keep.py"]
"""


@pytest.fixture
def anybody(tmp_path: Path, swift_home: Path) -> Moderator:
    """Somebody with the shipped numbers, who asks for everything that a season does by itself."""
    return Moderator(tmp_path, swift_home, config=None, command=default().command)


def test_the_default_installation_has_no_package_of_an_extra() -> None:
    """Else the tests below would show nothing."""
    found = packages_in(default())

    assert {"numba", "starlette", "uvicorn"} <= found
    assert not found & {"apprise", "distributed", "matplotlib", "mwclient", "mwparserfromhell", "pytest"}


def test_the_default_installation_plays_a_season_from_init_to_verify(anybody: Moderator) -> None:
    """What `scripts/demo` does, and what comes after it."""
    made = anybody.types("init", BOOK)
    assert made.code == 0, made.err
    (anybody.folder / "sheets-algo.toml").write_text(f"replays = true\n{KEEP}", encoding="utf-8")
    (anybody.folder / "keep.py").write_text("open('kept', 'a').write('x'); print('post-1')\n", encoding="utf-8")
    checked = anybody.types("check", BOOK)
    assert (checked.code, checked.err) == (0, "")
    assert len(re.findall(r"Good .*?, \d flanks, [\d,]+ points[^.]*\.", checked.out)) == 10

    asks = {"SHEETS_ALGO_HOW_LUCKY": "true", "SHEETS_ALGO_PICTURES": "true"}
    ruled = anybody.types("run", "--json", BOOK, **asks)
    assert ruled.code == 0, ruled.out + ruled.err
    wars = [request for request in ruled.data["requests"] if request["status"] == "Done"]
    assert len(wars) == len(ruled.data["logs"]) == len(ruled.data["pictures"]) == len(ruled.data["pages"]) > 0

    forecast = anybody.types("forecast", BOOK, wars[0]["request"], "--runs", "100", "--json")
    assert forecast.code == 0, forecast.err
    assert forecast.data["forecasts"][0]["runs"] == 100
    posted = anybody.types("post", BOOK)
    assert posted.code == 0, posted.out + posted.err
    assert (anybody.folder / "kept").read_text() == "x" * len(wars)
    verified = anybody.types("verify", BOOK, "--json")
    assert verified.code == 0, verified.out + verified.err
    assert len(verified.data["receipts"]) >= len(wars)


def test_the_default_installation_serves_the_live_board(anybody: Moderator) -> None:
    assert anybody.types("init", BOOK).code == 0
    with served(anybody, BOOK) as board:
        assert board.opens().status == 200
        data = board.board("W-0002")
        sides = {"Attacker": rows_of(data, 0), "Defender": rows_of(data, 1)}
        checked = board.asks("POST", "/check", {"request": "W-0002", "sides": sides})
        assert [problem for problem in checked.data["problems"] if problem["is_error"]] == []
        odds = board.asks("POST", "/odds", {"request": "W-0002", "sides": sides}).lines[-1]
        assert odds["error"] <= 0.01, "machine code fights, for numba came with the program"
        saved = board.saves("W-0002", "Attacker", sides["Attacker"], data["versions"]["Attacker"])
        assert saved.status == 200, saved.text
