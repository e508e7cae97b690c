"""Stores and subscribers that somebody adds, as docs/new-store.md and docs/new-subscriber.md show it."""

from __future__ import annotations

import csv
import fcntl
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from sheets_algo.commands.verification import SECRET_PROVES
from tests.e2e.moderator import BOOK, Moderator, Said, only, season, shown, write
from tests.e2e.test_google_page import pattern
from tests.helpers.pages import installed, program_with, text_of

BOOKS = "season.csvs"


@pytest.fixture(scope="module")
def with_csv(tmp_path_factory) -> str:
    return str(installed("new-store.md", tmp_path_factory.mktemp("csv-folder")))


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


def test_a_season_in_a_folder_of_csv_files_is_as_the_page_shows(moderator, with_csv):
    shipped = replace(moderator, config=None)
    (console,) = re.findall(r"^```console\n(.*?)^```$", text_of("new-store.md"), re.M | re.S)
    steps = re.findall(r"^\$ sheets-algo (.*)\n((?:(?!\$ ).*\n)*)", console, re.M)
    assert [words.split()[0] for words, _ in steps] == ["init", "check", "run", "run", "verify", "undo", "run"]

    for words, expected in steps:
        said = shipped.types(*shlex.split(words), PYTHONPATH=with_csv)
        proves = f"{SECRET_PROVES}\n" if words.startswith("verify") else ""
        assert (said.code, said.err) == (0, proves)
        assert re.fullmatch(pattern(expected), said.out, re.S), said.out
    assert receipts(moderator.folder) == [f"W-000{number}" for number in range(1, 6)]


def test_without_the_package_there_is_no_such_store(moderator):
    said = moderator.types("run", BOOKS)

    assert (said.code, said.err) == (3, f"sheets-algo: {BOOKS}: there is no such file.\n")


def test_two_runs_at_once_rule_each_war_once(begun, with_csv):
    runs = [begun.begins("run", BOOKS, PYTHONPATH=with_csv) for _ in range(3)]
    ends = [(process.communicate(timeout=300), process.returncode) for process in runs]

    assert {code for _, code in ends} <= {0, 3, 4}, ends
    assert 0 in {code for _, code in ends}
    assert begun.types("run", BOOKS, PYTHONPATH=with_csv).code == 0
    assert receipts(begun.folder) == [f"W-000{number}" for number in range(1, 6)]


def test_a_run_beside_one_that_writes_is_refused_and_rules_nothing(begun, with_csv):
    with (begun.folder / BOOKS / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        said = begun.types("run", BOOKS, PYTHONPATH=with_csv)

    assert (said.code, said.err) == (4, f"sheets-algo: {BOOKS}: another run is writing to it; try again later.\n")
    assert receipts(begun.folder) == []


def test_a_commit_that_broke_off_before_its_last_step_leaves_the_season_as_it_was(begun, with_csv):
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


def test_a_subscriber_that_fails_is_reported_and_harms_nothing(moderator, with_wiki):
    (moderator.folder / "receipts.wiki").mkdir()

    said, receipts = rules_a_workbook(moderator, with_wiki)

    assert said.code == 0
    assert said.err == (
        "What append_receipts does after a commit failed (IsADirectoryError: [Errno 21] Is a directory:"
        " 'receipts.wiki'); the workbook is written.\n"
    )
    assert "== Manzikert, 1071 ==" in receipts
