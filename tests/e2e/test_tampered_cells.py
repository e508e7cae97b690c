"""Cells that players read, tampered with after the ruling: `verify` and its page name each (RCP-34)."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl import Workbook
from openpyxl.cell import Cell

from scripts.support.moderator import BOOK, Moderator, season, write

WARS = "War Requests"
DECISION = {
    "Request": "W-0002",
    "Kind": "Result",
    "What": "Winner",
    "Value": "Defender",
    "Reason": "agreed",
    "By": "Ann",
}


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory, swift_home: Path) -> Path:
    """A folder with five wars that are ruled by the release's numbers, four of them one war, one decided."""
    folder = tmp_path_factory.mktemp("ruled")
    rows = season()
    for row in rows[WARS][:4]:
        row["Part of"] = "The Year of Kings"
    write(folder / BOOK, rows | {"Overrides": [DECISION]})
    moderator = Moderator(folder, swift_home, None)
    assert moderator.types("init", BOOK).code == 0
    assert moderator.types("run", BOOK, SHEETS_ALGO_HOW_LUCKY="true").code == 0
    assert "place" not in moderator.types("verify", BOOK).out
    return folder


def at(book: Workbook, tab: str, header: str, row: int | tuple[str, Any]) -> Cell:
    """Return a cell by header, in the row of a number or in the first one that shows a value."""
    heads, *rows = book[tab].iter_rows()
    places = {cell.value: cell.column - 1 for cell in heads}
    if isinstance(row, int):
        return rows[row - 2][places[header]]
    return next(cells[places[header]] for cells in rows if cells[places[row[0]]].value == row[1])


def typed(tab: str, row: int | tuple[str, Any], header: str, value: Any) -> Callable[[Workbook], None]:
    """Return the deed of typing into a cell; a function gets what it has."""

    def do(book: Workbook) -> None:
        cell = at(book, tab, header, row)
        before = cell.value
        cell.value = value(before) if callable(value) else value
        assert cell.value != before

    return do


def without_log(book: Workbook) -> None:
    """Delete the lines of the second war."""
    sheet = book["Log"]
    numbers = [cells[0].row for cells in sheet.iter_rows() if cells[1].value == "W-0002"]
    sheet.delete_rows(numbers[0], len(numbers))


def without_line(book: Workbook) -> None:
    """Delete a line."""
    book["Log"].delete_rows(8)


def replaced(old: str, new: str) -> Callable[[str], str]:
    """Return a function that rewrites a part of a text."""
    return lambda text: text.replace(old, new)


FIRST, LAST = ("Request", "W-0001"), ("Request", "W-0005")
TAMPERED = {
    "message": (typed(WARS, 2, "Message", "England has won"), "Message"),
    "winner": (typed(WARS, 2, "Winner", "Seljuk Sultanate"), "Winner"),
    "occupation": (typed(WARS, 2, "Occupation", "all of it"), "Occupation"),
    "losses of the attacker": (typed(WARS, 2, "Attacker Losses", 1), "Attacker Losses"),
    "losses of the defender": (typed(WARS, 3, "Defender Losses", None), "Defender Losses"),
    "duration": (typed(WARS, 2, "Duration", 99), "Duration"),
    "time of the ruling": (typed(WARS, 2, "Ruled At", "2026-01-01T00:00:00Z"), "Ruled At"),
    "status": (typed(WARS, 2, "Status", "Invalid"), "Status"),
    "name of the battle": (typed(WARS, 2, "War", "Hastings"), "War"),
    "year of the battle": (typed(WARS, 2, "Year", 1070), "Winner"),
    "Part of": (typed(WARS, 2, "Part of", None), "Part of"),
    "Ends War": (typed(WARS, 3, "Ends War", True), "Ends War"),
    "end of a flank": (typed("Flanks", 2, "End Status", "Glorious"), "End Status"),
    "place of a flank": (typed("Flanks", 2, "End X", 1), "End X"),
    "stability": (typed("Nations", ("Name", "England"), "Stability", 190), "Stability"),
    "size of an army": (typed("Militaries", 2, "Size", 5), "Size"),
    "decision": (typed("Overrides", 2, "Value", "Attacker"), "Overrides"),
    "reason of a decision": (typed("Overrides", 2, "Reason", "luck"), "Overrides"),
    "line of the log": (typed("Log", 5, "Text", "Everybody fled"), "Log!I5"),
    "number of the log": (typed("Log", 6, "Amount", 77), "Log!I6"),
    "hour of the log": (typed("Log", 7, "Hour", 9), "Log!I7"),
    "luck of the log": (typed("Log", ("Rule", "FC-06"), "Text", "Defender won, as in 1 of 100 others"), "Log!I"),
    "deleted line": (without_line, "lines"),
    "deleted log": (without_log, "0 lines"),
    "receipt": (typed("Receipts", FIRST, "Receipt", replaced("alive", "killed at table")), "killed at table"),
    "winner of a receipt": (typed("Receipts", LAST, "Winner", "Nobody"), "winner"),
    "title of a receipt": (typed("Receipts", LAST, "War", "A walk"), "war"),
    "figures of a receipt": (typed("Receipts", LAST, "Figures", replaced("Seljuk", "Norman")), "message"),
    "changes of a receipt": (
        typed("Receipts", LAST, "Changes", replaced('"Size","before":', '"Size","before":1')),
        "Militaries",
    ),
    "time of a receipt": (typed("Receipts", LAST, "Time", "2020-01-01T00:00:00Z"), "Ruled At"),
    "seed": (typed("Receipts", FIRST, "Seed", "1"), "the seed is not"),
    "Season row": (typed("Receipts", 2, "Receipt", "Trust me"), "receipt 1 is not as it was written"),
}


@pytest.fixture(scope="module")
def before(ruled: Path, tmp_path_factory: pytest.TempPathFactory, home: Path) -> set[str]:
    """The lines about a copy in which nothing was tampered with."""
    return {*copied(ruled, tmp_path_factory.mktemp("sound"), home).types("verify", BOOK).out.splitlines()}


def copied(ruled: Path, folder: Path, home: Path) -> Moderator:
    """Return a moderator with a copy of the ruled workbook and what is beside it."""
    shutil.copytree(ruled, folder / "game")
    return Moderator(folder / "game", home, None)


@pytest.mark.parametrize("what", TAMPERED)
def test_rcp_34_a_tampered_cell_is_named_by_command_and_page(
    ruled: Path, before: set[str], tmp_path: Path, home: Path, what: str
) -> None:
    tamper, place = TAMPERED[what]
    moderator = copied(ruled, tmp_path, home)
    book = openpyxl.load_workbook(moderator.book)
    tamper(book)
    book.save(moderator.book)

    said = moderator.types("verify", BOOK, "--html", "page.html")

    new = [line for line in said.out.splitlines() if line not in before]
    assert [line for line in new if place in line]
    page = (moderator.folder / "page.html").read_text("utf-8")
    assert escape(place) in page
    assert "afterwards: " in page or "<h2>What differs</h2>" in page or '<p class="note">' in page
