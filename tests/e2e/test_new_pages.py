"""Channels, stores and subscribers that somebody adds, as their pages in docs/ show it."""

from __future__ import annotations

import csv
import fcntl
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from scripts.support.moderator import BOOK, Moderator, Said, only, season, shown, write
from sheets_algo.commands.verification import SECRET_PROVES
from tests.e2e.test_google_page import pattern
from tests.helpers.pages import installed, program_with, text_of

BOOKS = "season.csvs"


@pytest.fixture(scope="module")
def with_csv(tmp_path_factory) -> str:
    return str(installed("new-store.md", tmp_path_factory.mktemp("csv-folder")))


@pytest.fixture(scope="module")
def with_board(tmp_path_factory) -> str:
    return str(installed("new-channel.md", tmp_path_factory.mktemp("notice-board")))


@pytest.fixture(scope="module")
def with_wiki(tmp_path_factory) -> str:
    return str(program_with("new-subscriber.md", tmp_path_factory.mktemp("program")))


@pytest.fixture
def begun(moderator, with_csv) -> Moderator:
    """With a folder of CSV files in which the wars of 1066 are ready."""
    assert moderator.types("init", BOOKS, PYTHONPATH=with_csv).code == 0
    return moderator


def receipts(folder: Path) -> list[str]:
    with (folder / BOOKS / "now" / "Receipts.csv").open(encoding="utf-8", newline="") as file:
        return [row["Request"] for row in csv.DictReader(file) if row["Kind"] == "Ruling"]


def steps(page: str) -> list[tuple[str, str]]:
    """Words typed after `sheets-algo`, and the lines of the answer that the page shows."""
    (console,) = re.findall(r"^```console\n(.*?)^```$", text_of(page), re.M | re.S)
    return re.findall(r"^\$ sheets-algo (.*)\n((?:(?!\$ ).*\n)*)", console, re.M)


def test_a_channel_posts_each_ruling_once_as_documented(moderator, with_board):
    shipped = replace(moderator, config=None)
    (settings,) = re.findall(r"^```toml\n(\[\[post.*?)^```$", text_of("new-channel.md"), re.M | re.S)
    (moderator.folder / "sheets-algo.toml").write_text(settings, encoding="utf-8")

    for words, expected in [*steps("new-channel.md"), ("run season.xlsx", "...")]:
        said = shipped.types(*shlex.split(words), PYTHONPATH=with_board)
        assert said.code == 0, said.err
        assert re.fullmatch(pattern(expected), said.out, re.S), said.out
    posts = (moderator.folder / "board.txt").read_text(encoding="utf-8").splitlines()
    assert [line.partition(": ")[0] for line in posts] == [
        "Fulford, 1066",
        "Hastings, 1066",
        "Relief of Bari, 1071",
        "Manzikert, 1071",
        "Siege of Jerusalem, 1073",
    ]


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("", "file: a channel to board needs it."),
        ("file = 1", 'file: enter the path of a text file: "board.txt".'),
        ('file = "a"\nfiles = "b"', 'a channel to board has no "files". Did you mean "file"?'),
        ('file = "a"\nthread = "1"', 'a channel to board has no "thread". There are file, name, to, '),
    ],
)
def test_an_error_in_its_own_option_is_reported_like_any_other(moderator, with_board, option, says):
    settings = f'[[post]]\nname = "square"\nto = "board"\n{option}\n'
    (moderator.folder / "sheets-algo.toml").write_text(settings, encoding="utf-8")

    said = moderator.types("check", "season.xlsx", PYTHONPATH=with_board)

    assert (said.code, said.out) == (2, "")
    assert f'sheets-algo.toml: post: channel "square": {says}' in said.err


def test_a_season_in_a_folder_of_csv_files_is_as_documented(moderator, with_csv):
    shipped = replace(moderator, config=None)
    typed = steps("new-store.md")
    assert [words.split()[0] for words, _ in typed] == ["init", "check", "run", "run", "verify", "undo", "run"]

    for words, expected in typed:
        said = shipped.types(*shlex.split(words), PYTHONPATH=with_csv)
        proves = f"{SECRET_PROVES}\n" if words.startswith("verify") else ""
        assert (said.code, said.err) == (0, proves)
        assert re.fullmatch(pattern(expected), said.out, re.S), said.out
    assert receipts(moderator.folder) == [f"W-000{number}" for number in range(1, 6)]


def test_without_the_package_the_store_is_unknown(moderator):
    said = moderator.types("run", BOOKS)

    assert (said.code, said.err) == (3, f"sheets-algo: {BOOKS}: there is no such file.\n")


def test_two_simultaneous_runs_rule_each_war_once(begun, with_csv):
    runs = [begun.begins("run", BOOKS, PYTHONPATH=with_csv) for _ in range(3)]
    ends = [(process.communicate(timeout=300), process.returncode) for process in runs]

    assert {code for _, code in ends} <= {0, 3, 4}, ends
    assert 0 in {code for _, code in ends}
    assert begun.types("run", BOOKS, PYTHONPATH=with_csv).code == 0
    assert receipts(begun.folder) == [f"W-000{number}" for number in range(1, 6)]


def test_a_run_beside_a_writing_one_is_refused(begun, with_csv):
    with (begun.folder / BOOKS / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        said = begun.types("run", BOOKS, PYTHONPATH=with_csv)

    assert (said.code, said.err) == (4, f"sheets-algo: {BOOKS}: another run is writing to it; try again later.\n")
    assert receipts(begun.folder) == []


def test_an_interrupted_commit_leaves_the_season_unchanged(begun, with_csv):
    left = begun.folder / BOOKS / "2"
    left.mkdir()
    (left / "Receipts.csv").write_text("half a fi", encoding="utf-8")
    (begun.folder / BOOKS / "next").symlink_to("2")

    assert begun.types("run", BOOKS, PYTHONPATH=with_csv).code == 0
    assert receipts(begun.folder) == [f"W-000{number}" for number in range(1, 6)]


def rules_a_workbook(moderator: Moderator, program: str) -> tuple[Said, str]:
    """Rule two wars in two runs; what the second said, and the wiki markup of both receipts."""
    write(moderator.book, only(season(), "W-0004"))
    assert moderator.types("run", BOOK, PYTHONPATH=program).code == 0
    write(moderator.folder / "other.xlsx", only(season(), "W-0001"))
    said = moderator.types("run", "other.xlsx", PYTHONPATH=program)
    books = (moderator.book, moderator.folder / "other.xlsx")
    return said, "".join(f"{shown(book, 'Receipts')[-1]['Receipt']}\n\n" for book in books)


def test_the_subscriber_of_the_page_appends_each_receipt(moderator, with_wiki):
    said, receipts = rules_a_workbook(moderator, with_wiki)

    assert (said.code, said.err) == (0, "")
    assert "== Manzikert, 1071 ==" in receipts
    assert (moderator.folder / "receipts.wiki").read_text(encoding="utf-8") == receipts
    assert moderator.types("run", BOOK, PYTHONPATH=with_wiki).code == 0
    assert (moderator.folder / "receipts.wiki").read_text(encoding="utf-8") == receipts


def test_a_failing_subscriber_is_reported_and_harmless(moderator, with_wiki):
    (moderator.folder / "receipts.wiki").mkdir()

    said, receipts = rules_a_workbook(moderator, with_wiki)

    assert said.code == 0
    assert said.err == (
        "What append_receipts does after a commit failed (IsADirectoryError: [Errno 21] Is a directory:"
        " 'receipts.wiki'); the workbook is written.\n"
    )
    assert "== Manzikert, 1071 ==" in receipts
