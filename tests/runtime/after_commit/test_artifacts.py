"""What a pass leaves in its folder, whatever requests, wars and spreadsheets are called."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.ruleset import no_op
from scripts.support.pinned_tables import SHIPPED
from scripts.support.workbooks import example, grids, library
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.runtime.after_commit.artifacts import file_name
from sheets_algo.runtime.run.pass_result import PassResult
from sheets_algo.runtime.run.run_pass import run_until_done as run
from sheets_algo.runtime.session.record import COMPLETE, RecordEntry, records_beside
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.memory import MemoryWorkbook

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LONGEST = 255
"""Bytes of a name on the file systems that people have."""


def test_a_file_name_resembles_its_words() -> None:
    cases = [
        ("W-0001", "W-0001"),
        ("Битва при Манцикерте", "Битва при Манцикерте"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("a\0b\nc\\d:e", "a_b_c_d_e"),
        (" .. ", "_"),
        ("", "_"),
        ("戦" * 100, "戦" * 26),
        ("\udcff", "_"),
    ]
    assert [(words, file_name(words)) for words, _ in cases] == cases


@pytest.mark.parametrize(
    ("title", "begins"),
    [
        ("Season 1066.xlsx", "Season 1066 W-0001 "),
        ("Season 1066.XLSX", "Season 1066 W-0001 "),
        ("Rules 2.5: wars/peace", "Rules 2.5_ wars_peace W-0001 "),
        ("戦" * 200, "戦" * 26 + " W-0001 "),
    ],
)
def test_a_picture_is_named_after_the_spreadsheet_despite_its_title(tmp_path, title, begins):
    rows = example("1066")
    rows["War Requests"] = [dict(rows["War Requests"][0], War="Ö" * 200)]
    book = MemoryWorkbook(grids(rows), name=title)

    done = run(Session(workbook=book, folder=tmp_path, library=library()), dry=False, forced=False, progress=no_op)

    (picture,) = done.pictures
    assert done.failures == ()
    assert picture.parent == tmp_path / "pictures"
    assert picture.name.startswith(begins)
    assert len(picture.name.encode()) <= LONGEST


def one_war(name: str = "season", **cells: object) -> MemoryWorkbook:
    rows = example("1066")
    rows["War Requests"] = [rows["War Requests"][0] | cells]
    return MemoryWorkbook(grids(rows), name=name)


def ruled(folder: Path, book: MemoryWorkbook, tables: ConfigLoader | None = None) -> PassResult:
    session = Session(workbook=book, folder=folder, library=tables or library(), clock=lambda: NOW)
    return run(session, dry=False, forced=False, progress=no_op)


def contents(folder: Path) -> dict[str, bytes]:
    files = (file for part in ("logs", "pictures") for file in (folder / part).iterdir())
    return {file.name: file.read_bytes() for file in files}


def test_workbooks_in_one_folder_have_separate_logs_in_one_second(tmp_path):
    books = [one_war("season"), one_war("another season", Seed=12)]

    logs = [ruled(tmp_path, book).logs for book in books]

    assert [[log.name for log in each] for each in logs] == [
        ["Autoalgo log 2026-03-01T12-00-00Z W-0001.txt"],
        ["Autoalgo log 2026-03-01T12-00-00Z W-0001 (2).txt"],
    ]
    assert len({log.read_text() for each in logs for log in each}) == 2


def without_files(folder: Path) -> None:
    """Leave the folder as a process does that is killed between a commit and its files."""
    for part in ("logs", "pictures"):
        shutil.rmtree(folder / part)
    (record,) = records_beside(folder)
    record.append(RecordEntry(COMPLETE, what=1))


def test_log_01_files_of_a_killed_process_are_made_from_the_receipt(tmp_path):
    book = one_war()
    ruled(tmp_path, book)
    before = contents(tmp_path)
    without_files(tmp_path)

    again = ruled(tmp_path, book)

    assert contents(tmp_path) == before
    assert not again.is_written
    assert again.remarks[0].startswith("Files that were missing are made from receipts: ")
    assert ruled(tmp_path, book).remarks == ()


def test_log_01_a_file_that_cannot_be_rebuilt_is_reported_once(tmp_path):
    book = one_war()
    ruled(tmp_path, book)
    without_files(tmp_path)
    shipped = ConfigLoader(SHIPPED)  # whose numbers are others than those of the tests

    (said,) = ruled(tmp_path, book, shipped).failures

    assert said.startswith("The log of W-0001 cannot be made: Receipt 2 (W-0001) cannot be played again: ")
    assert "name its tables with --config DIR, or if they have another format, use the program that ruled it" in said
    assert ruled(tmp_path, book, shipped).failures == ()


def test_log_01_a_blocked_log_folder_delays_no_ruling(tmp_path):
    (tmp_path / "logs").write_text("in the way")
    book = one_war()

    done = ruled(tmp_path, book)

    assert (len(done.plan.rulings), done.logs, len(done.failures)) == (1, (), 1)
    assert "W-0001.txt cannot be written" in done.failures[0]
    assert ruled(tmp_path, book).failures == done.failures
    (tmp_path / "logs").unlink()
    assert len(ruled(tmp_path, book).logs) == 1


def test_only_the_last_of_too_many_maps_are_drawn(tmp_path, monkeypatch):
    """The five wars of 1066 that are ready are ruled; a second run draws nothing more."""
    monkeypatch.setenv("SHEETS_ALGO_SECRET", "a season secret that only tests know")
    monkeypatch.setattr("sheets_algo.runtime.after_commit.ruling_files.DRAWN_MOST", 2)
    book = MemoryWorkbook(grids(example("1066")))
    session = Session(workbook=book, folder=tmp_path, library=library())

    done = run(session, dry=False, forced=False, progress=no_op)

    requests = [ruling.receipt.request for ruling in done.plan.rulings]
    assert len(requests) == 5
    assert [path.name.split()[1] for path in done.pictures] == requests[3:]
    assert sorted(tmp_path.rglob("*.png")) == sorted(done.pictures)
    assert done.failures == ("Only the last 2 maps are drawn; replay with --png draws any other.",)
    assert run(session, dry=False, forced=False, progress=no_op).pictures == ()
