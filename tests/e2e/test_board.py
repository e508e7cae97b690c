"""From an empty tab Flanks over the strategy board to a ruling, as a moderator goes (STRAT)."""

from __future__ import annotations

import json
import re
from typing import Any

import openpyxl
import pytest
from PIL import Image

from scripts.support.bad_input_cases import edit
from scripts.support.browser import browser
from scripts.support.moderator import BOOK, only, row_of, season, shown, write

HEADERS = ("Request", "Side", "Flank", "X", "Y", "Infantry", "Cavalry", "Artillery", "Ships", "Maneuver")


@pytest.fixture
def book(moderator):
    rows = only(season(), "W-0002")
    rows["Flanks"] = []
    return write(moderator.folder / BOOK, rows, {"Flanks": HEADERS})


def data_of(page) -> Any:
    found = re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)
    return json.loads(found[1])


def rows_of(tab, page, side: int) -> str:
    """Draw up twelve flanks of a side in the browser, and copy their rows."""
    tab.goto(page.as_uri())
    tab.wait_for_selector("body[data-ready]")
    tab.click(f"#side{side}")
    for part in ("Draw up anew", "Rows for the sheet"):
        tab.click(f"summary:has-text('{part}')")
    tab.fill("#number", "12")
    tab.select_option("#formation", "two lines and a reserve")
    tab.click("#make button")
    tab.click("#copy")
    return tab.input_value("#text")


@pytest.mark.browser
def test_rows_of_the_board_are_pasted_checked_and_ruled(moderator, book):
    page = moderator.folder / "board.html"
    assert moderator.types("board", BOOK, "W-0002", "--html", page.name).code == 0
    with browser() as chromium:
        tab = chromium.new_page()
        pasted = [line.split("\t") for side in (0, 1) for line in rows_of(tab, page, side).split("\n")]
    changed = openpyxl.load_workbook(book)
    for row in pasted:
        changed["Flanks"].append([float(cell) if re.fullmatch(r"[\d.]+", cell) else cell or None for cell in row])
    changed.save(book)

    assert moderator.types("check", BOOK).out.endswith("No problems.\n")
    assert moderator.types("board", BOOK, "W-0002", "--html", page.name).code == 0
    board = data_of(page)
    flanks = [flank for side in board["sides"] for flank in side["flanks"]]
    again = [[flank["label"], flank["x"], flank["y"], *flank["typed"], flank["maneuver"]] for flank in flanks]
    assert {cell for row in pasted for cell in row[5:9]} == {""}, "the division is even"
    assert [flank["infantry"] for flank in flanks[:12]] == [313] * 6 + [312] * 6
    assert [[str(cell).removesuffix(".0") for cell in row] for row in again] == [row[2:] for row in pasted]

    assert moderator.types("run", BOOK).code == 0
    assert row_of(book, "War Requests", "Request", "W-0002")["Status"] == "Done"
    assert moderator.types("board", BOOK, "W-0002", "--html", page.name).code == 0
    ruled = data_of(page)
    assert [side["flanks"] for side in ruled["sides"]] == [side["flanks"] for side in board["sides"]]
    ends = [flank["status"] for side in ruled["sides"] for flank in side["after"]]
    assert ends == [row["End Status"] for row in shown(book, "Flanks")]


def test_a_request_without_a_board_is_reported(moderator, book):
    said = moderator.types("board", BOOK, "W-0022", "--html", "board.html")
    assert (said.code, said.err.strip()) == (
        1,
        'sheets-algo: No request "W-0022" found. Did you mean "W-0002"?',
    )
    spoilt = openpyxl.load_workbook(book)
    spoilt["War Requests"]["D3"] = "Normandie"
    spoilt.save(book)
    for options in (["--html", "board.html"], ["--png", "board.png"], ["--no-browser"]):
        said = moderator.types("board", BOOK, "W-0002", *options)
        assert (said.code, said.err) == (1, "")
        assert said.out.startswith("'War Requests'!D3 (W-0002, Attacker): nation not found: \"Normandie\".")
        assert not {*moderator.folder.glob("board.*")}


def test_the_site_offers_boards_of_future_wars_without_plans(moderator, book):
    changed = openpyxl.load_workbook(book)
    changed["Flanks"].append(["W-0002", "Defender", "secret wood", 123, 321])
    changed.save(book)
    boards = {"SHEETS_ALGO_BOARDS": "true"}
    assert moderator.types("season", BOOK, "--site", "public", **boards).code == 0
    site = moderator.folder / "public"
    page = (site / "index.html").read_text(encoding="utf-8")
    assert 'strategy board of <a href="boards/w-0002-attacker.html">' in page
    own = (site / "boards" / "w-0002-attacker.html").read_text(encoding="utf-8")
    other = (site / "boards" / "w-0002-defender.html").read_text(encoding="utf-8")
    assert [flank["label"] for flank in data_of(site / "boards" / "w-0002-defender.html")["sides"][1]["flanks"]] == [
        "left",
        "centre",
        "right",
    ]
    for planned in ("secret wood", "321"):
        assert planned not in own + other
    assert "Harold's Host" in other
    assert "Harold's Host" not in own

    assert moderator.types("run", BOOK).code == 0
    assert moderator.types("season", BOOK, "--site", "public", **boards).code == 0
    assert not (site / "boards" / "w-0002-attacker.html").exists()
    assert moderator.types("undo", BOOK, "W-0002").code == 0
    assert moderator.types("season", BOOK, "--site", "public", **boards).code == 0
    assert not (site / "boards" / "w-0002-attacker.html").exists(), "it is ruled again under a new id only"
    edit(book, "War Requests", "Request", 2, "W-0201")
    edit(book, "Flanks", "Request", 2, "W-0201")
    assert moderator.types("season", BOOK, "--site", "public", **boards).code == 0
    assert (site / "boards" / "w-0201-attacker.html").exists()
    assert moderator.types("season", BOOK, "--site", "public").code == 0
    assert not (site / "boards").exists()


def test_a_war_is_drawn_before_its_battle_despite_errors_in_its_flanks(moderator, book):
    def drawn(*flanks: tuple[Any, ...]) -> bytes:
        changed = openpyxl.load_workbook(book)
        changed["Flanks"].delete_rows(2, 9)
        for flank in flanks:
            changed["Flanks"].append(["W-0002", *flank])
        changed.save(book)
        said = moderator.types("board", BOOK, "W-0002", "--png", "map.png")
        assert (said.code, said.out.strip()) == (0, "picture  map.png"), said
        with Image.open(moderator.folder / "map.png") as picture:
            return bytes(picture.convert("RGB").tobytes())

    default = drawn()
    moved = drawn(("Attacker", "left", 170, 170), ("Attacker", "right", 210, 182))
    assert moved != default
    off_the_map = ("Attacker", "lost", 1000, -5, 10**6)
    assert drawn(("Attacker", "left", 170, 170, 9), ("Attacker", "right", 210, 182, 9), off_the_map) != moved
    assert moderator.types("board", BOOK, "--png", "map.png").code == 2
    assert moderator.types("board", BOOK, "W-0002", "--png", "map.png", "--side", "attacker").code == 2
