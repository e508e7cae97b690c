"""What a pass leaves in its folder, whatever requests, wars and spreadsheets are called."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from engine.ruleset import no_op
from scripts.support.workbooks import example, forms, grids, library
from sheets_algo.runtime.after_commit.artifacts import Logs, complete_log, file_name
from sheets_algo.runtime.after_commit.pass_note import PassNote
from sheets_algo.runtime.run.run_pass import run_until_done as run
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.memory import MemoryWorkbook

LONGEST = 255
"""Bytes of a name on the file systems that people have."""


def test_a_name_is_as_like_the_words_as_may_be() -> None:
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
def test_a_picture_is_called_after_the_spreadsheet_whatever_its_title(tmp_path, title, begins):
    rows = example("1066")
    rows["War Requests"] = [dict(rows["War Requests"][0], War="Ö" * 200)]
    book = MemoryWorkbook(grids(rows), name=title)

    done = run(Session(workbook=book, folder=tmp_path, library=library()), dry=False, forced=False, progress=no_op)

    (picture,) = done.pictures
    assert done.unsaved == ""
    assert picture.parent == tmp_path / "pictures"
    assert picture.name.startswith(begins)
    assert len(picture.name.encode()) <= LONGEST


def test_of_two_runs_in_one_second_the_one_that_lands_has_the_log_without_a_number(tmp_path):
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    rows = example("1066")
    rows["War Requests"] = rows["War Requests"][:1]
    book = MemoryWorkbook(grids(rows), name="season")
    other = Logs(tmp_path / "logs", now, PassNote.of_new_pass(tmp_path, "season", guard=1))
    other.start(forms()[0], "W-0001")(["of the run that comes too late"])
    session = Session(workbook=book, folder=tmp_path, library=library(), clock=lambda: now)

    done = run(session, dry=False, forced=False, progress=no_op)
    other.discard()

    (log,) = (tmp_path / "logs").iterdir()
    assert done.logs == (log,)
    assert log.name == "Autoalgo log 2026-03-01T12-00-00Z W-0001.txt"
    assert "too late" not in log.read_text()


@pytest.mark.parametrize("workbook", ["season", "another season in the folder"])
@pytest.mark.parametrize("guard", [1, 2])
def test_a_run_that_was_killed_before_its_log_takes_no_log_of_a_later_run_with_it(tmp_path, workbook, guard):
    """Its note named a file of that second, which the next run made for itself."""
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    rows = example("1066")
    rows["War Requests"] = rows["War Requests"][:1]
    killed = PassNote.of_new_pass(tmp_path, workbook, guard)
    killed.add_log("W-0001", tmp_path / "logs" / "Autoalgo log 2026-03-01T12-00-00Z W-0001.txt")
    session = Session(
        workbook=MemoryWorkbook(grids(rows), name="season"), folder=tmp_path, library=library(), clock=lambda: now
    )

    done = run(session, dry=False, forced=False, progress=no_op)
    killed.discard_logs()

    assert list((tmp_path / "logs").iterdir()) == list(done.logs)
    assert len(done.logs) == 1
    assert killed.path.exists() is False


def test_a_log_that_another_run_made_first_is_not_taken_for_this_run_s(tmp_path, monkeypatch):
    """The name was free when it was looked for, and taken when the file was made."""
    note = PassNote.of_new_pass(tmp_path, "season", guard=1)
    logs = Logs(tmp_path / "logs", datetime(2026, 3, 1, 12, tzinfo=UTC), note)
    theirs = tmp_path / "logs" / "Autoalgo log 2026-03-01T12-00-00Z W-0001.txt"
    theirs.parent.mkdir()
    theirs.write_text("theirs")
    monkeypatch.setattr(type(theirs), "exists", lambda path: path != theirs and path.is_file())

    logs.start(forms()[0], "W-0001")

    assert note.logs() == [("W-0001", theirs.with_stem(f"{theirs.stem} (2)"))]
    logs.discard()
    assert list(theirs.parent.iterdir()) == [theirs]


RULED = ["hour 1", "hour 2"]


def test_of_too_many_maps_the_last_are_drawn(tmp_path, monkeypatch):
    """The five wars of 1066 that are ready are ruled; a second run draws nothing more."""
    monkeypatch.setenv("SHEETS_ALGO_SECRET", "a season secret that only tests know")
    monkeypatch.setattr("sheets_algo.runtime.after_commit.artifacts.DRAWN_MOST", 2)
    book = MemoryWorkbook(grids(example("1066")))
    session = Session(workbook=book, folder=tmp_path, library=library())

    done = run(session, dry=False, forced=False, progress=no_op)

    requests = [ruling.receipt.request for ruling in done.plan.rulings if ruling.outcome.scenes]
    assert len(requests) == 5
    assert [path.name.split()[1] for path in done.pictures] == requests[3:]
    assert sorted(tmp_path.rglob("*.png")) == sorted(done.pictures)
    assert done.unsaved == "Of 5 maps the last 2 are drawn; replay with --png draws any other."
    assert run(session, dry=False, forced=False, progress=no_op).pictures == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {"": "hour 1\nhour 2\nluck\n"}),
        ({"": "hour 1\nhour 2\n"}, {"": "hour 1\nhour 2\nluck\n"}),
        ({"": "hour 1\nhour 2\nluck\n"}, {"": "hour 1\nhour 2\nluck\n"}),
        ({"": "another ruling\n"}, {"": "another ruling\n", " (2)": "hour 1\nhour 2\nluck\n"}),
        ({"": "hour 1\n"}, {"": "hour 1\n", " (2)": "hour 1\nhour 2\nluck\n"}),
        (
            {"": "another\n", " (2)": "hour 1\nhour 2\n"},
            {"": "another\n", " (2)": "hour 1\nhour 2\nluck\n"},
        ),
    ],
)
def test_a_log_is_completed_once_whatever_other_logs_the_request_has(tmp_path, before, after):
    name = "Autoalgo log 2026-03-01T12-00-00Z W-0001{}.txt"
    other = tmp_path / name.format("9")
    other.write_text("hour 1\nhour 2\n")
    for suffix, text in before.items():
        (tmp_path / name.format(suffix)).write_text(text)

    complete_log(tmp_path, datetime(2026, 3, 1, 12, tzinfo=UTC), forms()[0], "W-0001", RULED, ["luck"])

    assert other.read_text() == "hour 1\nhour 2\n"
    found = {file.name: file.read_text() for file in tmp_path.iterdir() if file != other}
    assert found == {name.format(suffix): text for suffix, text in after.items()}
