"""Replay pages on disk: the command, and the setting that makes one for each ruling."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.support.moderator import DRAWING, Moderator, only, season, write

PYTHON = {"SHEETS_ALGO_HOW_LUCKY": "true", "SHEETS_ALGO_FAST": "0"}
"""For `types`: ask how lucky a ruling was, and let Python find out."""


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory) -> Moderator:
    """A moderator who ruled a battle with the setting, and asks how lucky it was."""
    moderator = Moderator(tmp_path_factory.mktemp("season"), tmp_path_factory.mktemp("home"))
    write(moderator.book, only(season(), "W-0003"))
    said = moderator.types("run", "season.xlsx", SHEETS_ALGO_REPLAYS="true", **PYTHON, **DRAWING)
    assert (said.code, said.err) == (0, "")
    return moderator


def test_with_the_setting_each_ruling_has_a_page_beside_the_pictures(ruled: Moderator) -> None:
    (page,) = (ruled.folder / "replays").iterdir()

    text = page.read_text(encoding="utf-8")
    assert "How lucky it was" in text
    assert "Chance of winning, hour by hour" in text
    (picture,) = (ruled.folder / "pictures").iterdir()
    assert page.stem == picture.stem


def test_replay_writes_the_same_page_byte_for_byte(ruled: Moderator) -> None:
    (page,) = (ruled.folder / "replays").iterdir()

    said = ruled.types("replay", "season.xlsx", "W-0003", "--html", "again.html", **PYTHON)

    assert (said.code, said.out, said.err) == (0, "page     again.html\n", "")
    assert (ruled.folder / "again.html").read_bytes() == page.read_bytes()


def test_a_page_and_a_picture_can_be_written_together_without_luck(ruled: Moderator) -> None:
    said = ruled.types("replay", "season.xlsx", "W-0003", "--html", "b.html", "--png", "b.png", "--json")

    assert said.data == {"request": "W-0003", "picture": "b.png", "page": "b.html", "exit_code": 0}
    text = (ruled.folder / "b.html").read_text(encoding="utf-8")
    assert "How lucky it was" not in text
    assert "Chance of winning" not in text


def test_without_the_setting_there_is_no_page(tmp_path: Path) -> None:
    moderator = Moderator(tmp_path, tmp_path / "home")
    write(moderator.book, only(season(), "W-0003"))

    assert moderator.types("run", "season.xlsx").code == 0
    assert (tmp_path / "logs").exists()
    assert not (tmp_path / "replays").exists()


def test_an_unwritable_page_is_reported_in_a_sentence(ruled: Moderator) -> None:
    said = ruled.types("replay", "season.xlsx", "W-0003", "--html", "no/such/page.html")

    assert said.code == 3
    assert said.err == ("sheets-algo: The page cannot be written to no/such/page.html (No such file or directory).\n")
    assert ruled.types("replay", "season.xlsx", "W-0003", "--html", "page.xlsx").code == 2


def test_unwritable_pages_block_no_ruling(tmp_path: Path) -> None:
    moderator = Moderator(tmp_path, tmp_path / "home")
    write(moderator.book, only(season(), "W-0003"))
    (tmp_path / "replays").write_text("a file where the folder should be")

    said = moderator.types("run", "season.xlsx", SHEETS_ALGO_REPLAYS="true")

    assert said.code == 0
    assert "replays/season W-0003 Channel interception, 1066.html cannot be written (File exists)" in said.err
    assert "1 request ruled; season.xlsx is written." in said.out
