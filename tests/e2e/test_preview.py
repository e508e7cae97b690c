"""A war is drawn before it is ruled: by `Action` = `Preview`, and by `check --png` (REQ-15)."""

from __future__ import annotations

import hashlib
import re

import openpyxl
import pytest
from PIL import Image

from scripts.support.moderator import BOOK, row_of, season, write
from scripts.support.workbooks import library
from sheets_algo.pictures.strokes import WRONG
from sheets_algo.runtime.run.pass_context import WatchState
from sheets_algo.runtime.run.run_pass import run_pass
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.xlsx import XlsxWorkbook

NAME = "pictures/season W-0002 preview.png"
HEADERS = ("Request", "Side", "Flank", "X", "Y", "Infantry", "Cavalry", "Artillery", "Ships", "Maneuver")


@pytest.fixture
def book(moderator):
    rows = season()
    rows["War Requests"] = [row | {"Action": "Preview"} for row in rows["War Requests"] if row["Request"] == "W-0002"]
    rows["Flanks"] = []
    return write(moderator.folder / BOOK, rows, {"Flanks": HEADERS})


def add_flank(book, *cells: object) -> None:
    changed = openpyxl.load_workbook(book)
    changed["Flanks"].append(["W-0002", *cells])
    changed.save(book)


def is_marked(file) -> bool:
    with Image.open(file) as picture:
        return WRONG in {colour for _, colour in picture.convert("RGB").getcolors(1 << 20)}


def test_a_row_with_preview_is_drawn_and_not_ruled(moderator, book):
    said = moderator.types("run", BOOK, SHEETS_ALGO_PICTURES="true")

    assert said.code == 0, said
    assert f"picture  {NAME}" in said.out
    row = row_of(book, "War Requests", "Request", "W-0002")
    first, *rest = str(row["Message"]).splitlines()
    assert (row["Status"], row["Ready"]) == (None, True)
    assert first == f"Preview, nothing is ruled: {NAME}"
    assert rest[:2] == ["Attacker: Good (7500/7500), 3 flanks, 20% artillery.", "Defender: Good (7000/7000), 3 flanks."]
    assert re.match(r"Forecast: attacker wins \d+ %, .* 400 battles\)\. Attacker loses ", rest[2])
    assert "Forecasts" not in openpyxl.load_workbook(book).sheetnames  # nothing announces what is only tried
    assert not is_marked(moderator.folder / NAME)


def test_errors_are_marked_in_the_picture_and_reported(moderator, book):
    add_flank(book, "Attacker", "lost", 190, 182, "many")
    add_flank(book, "Attacker", "right", 210, 182)

    said = moderator.types("run", BOOK, SHEETS_ALGO_PICTURES="true")

    assert said.code == 1
    row = row_of(book, "War Requests", "Request", "W-0002")
    assert row["Status"] == "Invalid"
    assert str(row["Message"]).startswith(f"Preview, nothing is ruled: {NAME}\nFlanks!")
    assert '"many" is not a number' in str(row["Message"])
    assert is_marked(moderator.folder / NAME)


def test_check_draws_every_unruled_war_with_its_errors(moderator, book):
    add_flank(book, "Attacker", "off the map", 500, 182)

    said = moderator.types("check", BOOK, "--png", "maps/before")

    assert said.code == 1
    assert said.out.strip().splitlines()[-1] == "picture  maps/before/season W-0002 preview.png"
    assert is_marked(moderator.folder / "maps" / "before" / "season W-0002 preview.png")


def test_a_ruled_war_is_not_drawn_as_planned(moderator, book):
    changed = openpyxl.load_workbook(book)
    place = [cell.value for cell in changed["War Requests"][1]].index("Action") + 1
    changed["War Requests"].cell(2, place).value = "Rule"
    changed.save(book)
    assert moderator.types("run", BOOK).code == 0

    assert moderator.types("check", BOOK, "--png", "maps").code == 0
    assert not (moderator.folder / "maps").exists()


def test_a_watched_row_is_drawn_again_after_a_visible_change(moderator, book):
    session = Session(workbook=XlsxWorkbook(book), folder=moderator.folder, library=library())
    state = WatchState()
    drawn = [run_pass(session, state=state).pictures for _ in range(2)]
    assert [[path.relative_to(moderator.folder).as_posix() for path in paths] for paths in drawn] == [[NAME], []]
    before = hashlib.sha256((moderator.folder / NAME).read_bytes()).digest()

    add_flank(book, "Attacker", "left", 170, 182)
    [path] = run_pass(session, state=state).pictures
    assert hashlib.sha256(path.read_bytes()).digest() != before


def test_without_picture_files_the_messages_are_answered(moderator, book):
    assert moderator.types("run", BOOK, SHEETS_ALGO_PICTURES="false").code == 0

    row = row_of(book, "War Requests", "Request", "W-0002")
    assert "the setting pictures = false leaves out the picture\nAttacker: Good" in str(row["Message"])
    assert not (moderator.folder / "pictures").exists()
