"""The site of the command `season`, and of the setting, which `run`, `undo` and `watch` keep current."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from engine.ruleset import no_op
from sheets_algo.commands.watch import _workbook_refs
from sheets_algo.runtime.watcher import Watcher
from sheets_algo.workbook.registry import find
from tests.e2e.moderator import BOOK, Moderator, only, season, write

SITE = {"SHEETS_ALGO_SITE": "public"}


@pytest.fixture
def moderator(tmp_path: Path) -> Moderator:
    found = Moderator(tmp_path / "game", tmp_path / "home")
    found.folder.mkdir()
    write(found.book, only(season("scorecard"), "S-0001"))
    return found


def test_the_command_writes_a_site_and_what_changed(moderator: Moderator) -> None:
    assert moderator.types("run", BOOK).code == 0

    said = moderator.types("season", BOOK, "--site", "public", "--with-workbook", "--replays", "--json")

    assert (said.code, said.err) == (0, "site     public/index.html (23 files, 23 written, 0 removed)\n")
    assert said.data["site"]["files"] == len(said.data["site"]["written"])
    assert sorted(file.name for file in (moderator.folder / "public/replays").iterdir()) == ["s-0001.html"]
    again = moderator.types("season", BOOK, "--site", "public")
    assert again.err.endswith("site     public/index.html (22 files, 1 written, 1 removed)\n"), again.err
    refused = moderator.types("season", BOOK, "--replays")
    assert refused.code == 2
    assert "--replays needs --site DIR." in refused.err


def test_the_setting_keeps_a_site_current_after_run_and_undo(moderator: Moderator) -> None:
    (moderator.folder / "sheets-algo.toml").write_text('site = "public"\nsite_no_log = ["scorecard"]')
    assert moderator.types("run", BOOK).err == ""
    page = moderator.folder / "public/wars/s-0001.html"
    assert "undone" not in page.read_text()
    assert not (moderator.folder / "public/logs").exists()

    assert moderator.types("undo", BOOK, "S-0001").err == ""

    assert "This ruling was undone" in page.read_text()
    said = moderator.types("check", BOOK, SHEETS_ALGO_SITE_NO_ODDS="scorecards")
    assert said.code == 2
    assert said.err == ('sheets-algo: site_no_odds: there is no ruleset "scorecards". Did you mean "scorecard"?\n')


def test_a_site_that_cannot_be_written_keeps_nothing_from_being_ruled_or_undone(moderator: Moderator) -> None:
    (moderator.folder / "public").mkdir()
    (moderator.folder / "public/index.html").write_text("mine")

    ruled = moderator.types("run", BOOK, **SITE)

    assert ruled.code == 0
    assert "What update_site does after a commit failed (WorkbookUnavailable: public/index.html is not of" in ruled.err
    undone = moderator.types("undo", BOOK, "S-0001", **SITE)
    assert undone.code == 0
    assert undone.err.startswith("The site in public is not current (public/index.html is not of this site")
    assert (moderator.folder / "public/index.html").read_text() == "mine"


def test_a_watcher_keeps_a_site_current(moderator: Moderator, monkeypatch) -> None:
    for name, value in (moderator.environment(SITE) | {"SHEETS_ALGO_SITE": str(moderator.folder / "web")}).items():
        monkeypatch.setenv(name, value)
    address = find(str(moderator.book))
    stop = threading.Event()
    (ref,) = _workbook_refs([address], {}, no_op, stop)
    watcher = Watcher(ref, 2.0, stop)

    for _ in range(3):  # a row is ruled when it looks the same twice
        watcher.look()

    assert watcher.tally.rulings == 1
    assert (moderator.folder / "web/wars/s-0001.html").exists()
