"""The site of the command `season`, and of the setting, which `run`, `undo` and `watch` keep current."""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from engine.ruleset import no_op
from scripts.support.moderator import BOOK, Moderator, only, season, write
from sheets_algo.commands.watch import _workbook_refs
from sheets_algo.runtime.session.session import Session, opened
from sheets_algo.runtime.watch.watcher import Watcher
from sheets_algo.site import build
from sheets_algo.site.folder import MANIFEST
from sheets_algo.workbook.stores import find
from tests.helpers.sites import content_of, hostile_jousts

SITE = {"SHEETS_ALGO_SITE": "public"}


@pytest.fixture
def moderator(tmp_path: Path) -> Moderator:
    found = Moderator(tmp_path / "game", tmp_path / "home")
    found.folder.mkdir()
    write(found.book, only(season("jousts"), "J-0001"))
    return found


def test_the_command_writes_a_site_and_reports_changes(moderator: Moderator) -> None:
    assert moderator.types("run", BOOK).code == 0

    said = moderator.types("season", BOOK, "--site", "public", "--with-workbook", "--replays", "--json")

    assert (said.code, said.err) == (0, "site     public/index.html (19 files, 19 written, 0 removed)\n")
    assert said.data["site"]["files"] == len(said.data["site"]["written"])
    assert not (moderator.folder / "public/replays").exists()  # jousts have no hours
    again = moderator.types("season", BOOK, "--site", "public")
    assert again.err.endswith("site     public/index.html (18 files, 1 written, 1 removed)\n"), again.err
    assert moderator.types("season", BOOK, "--site", "plain", "--verify").code == 0
    assert "Equal: the same inputs" in (moderator.folder / "plain/wars/j-0001.html").read_text()
    for option in ("--replays", "--verify", "--with-workbook"):
        refused = moderator.types("season", BOOK, option)
        assert refused.code == 2
        assert f"{option} needs --site DIR." in refused.err


def test_the_setting_keeps_a_site_current_after_run_and_undo(moderator: Moderator) -> None:
    (moderator.folder / "sheets-algo.toml").write_text('site = "public"\nsite_hides = ["jousts"]')
    ruled = moderator.types("run", BOOK, SHEETS_ALGO_REPLAYS="true")
    assert ruled.err == ""
    (replay,) = (moderator.folder / "replays").iterdir()
    pages = [line for line in ruled.out.splitlines() if line.startswith("page")]
    assert pages == [f"page     replays/{replay.name}", "page     public/index.html"]
    assert "page" not in moderator.types("run", BOOK).out
    page = moderator.folder / "public/wars/j-0001.html"
    assert "undone" not in page.read_text()
    assert not (moderator.folder / "public/logs").exists()

    assert moderator.types("undo", BOOK, "J-0001").err == ""

    assert "This ruling was undone" in page.read_text()
    said = moderator.types("check", BOOK, SHEETS_ALGO_SITE_HIDES="joust")
    assert said.code == 2
    assert said.err == ('sheets-algo: site_hides: there is no ruleset "joust". Did you mean "jousts"?\n')


def test_an_unwritable_site_blocks_neither_rulings_nor_undos(moderator: Moderator) -> None:
    (moderator.folder / "public").mkdir()
    (moderator.folder / "public/index.html").write_text("mine")

    ruled = moderator.types("run", BOOK, **SITE)

    assert ruled.code == 0
    assert "What update_site does after a commit failed (WorkbookUnavailable: public/index.html is not of" in ruled.err
    undone = moderator.types("undo", BOOK, "J-0001", **SITE)
    assert undone.code == 0
    assert "What update_site does after a commit failed (WorkbookUnavailable: public/index.html is not of" in undone.err
    assert (moderator.folder / "public/index.html").read_text() == "mine"


@pytest.fixture
def watched(moderator: Moderator, monkeypatch) -> Watcher:
    """A watcher that keeps a site current, in the folder `web`."""
    chosen = {"SHEETS_ALGO_SITE": str(moderator.folder / "web"), "SHEETS_ALGO_HOW_LUCKY": "true"}
    for name, value in moderator.environment(chosen).items():
        monkeypatch.setenv(name, value)
    stop = threading.Event()
    (ref,), _ = _workbook_refs([find(str(moderator.book))], {}, no_op, stop, None)
    return Watcher(ref, 2.0, stop)


def make_ready(moderator: Moderator, request: str) -> None:
    """Make a joust ready, as people do: the office program writes the whole file anew."""
    book = openpyxl.load_workbook(moderator.book)
    heads, *rows = book["Joust Requests"].iter_rows()
    columns = {head.value: head.column - 1 for head in heads}
    (row,) = (row for row in rows if row[columns["Request"]].value == request)
    row[columns["Ready"]].value = True
    book.save(moderator.book)


def test_a_watcher_keeps_a_site_current(moderator: Moderator, watched: Watcher, caplog) -> None:
    caplog.set_level(logging.INFO)
    for _ in range(3):  # a row is ruled when it looks the same twice
        watched.look()

    assert watched.tally.rulings == 1
    assert (moderator.folder / "web/wars/j-0001.html").exists()
    told = [record.getMessage() for record in caplog.records if "Written" in record.getMessage()]
    assert set(told) == {f"Written: {moderator.folder / 'web/index.html'}."}


def test_a_watcher_writes_the_same_site_as_the_command(moderator: Moderator, watched: Watcher, monkeypatch) -> None:
    """Names of all kinds; a ruling is undone, and another process rules, between those of the watcher."""
    write(moderator.book, only(hostile_jousts()))
    read_log: list[bool] = []

    def spy(session: Session, **options: Any) -> Any:
        read_log.append(bool(options["whole"]))
        return opened(session, **options)

    def rule(request: str) -> None:
        make_ready(moderator, request)
        before = watched.tally.rulings
        for _ in range(4):
            watched.look()
        assert watched.tally.rulings == before + 1
        assert moderator.types("season", BOOK, "--site", request).code == 0
        made, kept = moderator.folder / request, moderator.folder / "web"
        assert content_of(kept) == content_of(made)
        assert (kept / MANIFEST).read_text() == (made / MANIFEST).read_text()

    monkeypatch.setattr(build, "opened", spy)
    for number in range(1, 4):
        rule(f"J-{number:04}")
    assert moderator.types("undo", BOOK, "J-0003").code == 0
    rule("J-0004")
    assert read_log.count(True) == 1  # by far the longest tab is read once
    make_ready(moderator, "J-0005")
    assert moderator.types("run", BOOK).code == 0
    rule("J-0007")
    assert read_log.count(True) == 2  # another process wrote to it
