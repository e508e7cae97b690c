"""`verify --html`: one page with the differences side by side."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from tests.e2e.moderator import BOOK, Moderator, only, season, write
from tests.helpers.sites import Html


@pytest.fixture
def ruled(tmp_path: Path) -> Moderator:
    found = Moderator(tmp_path / "game", tmp_path / "home")
    found.folder.mkdir()
    rows = only(season("scorecard"), "S-0001")
    rows["Score Requests"][0]["War"] = "<img src=x onerror=alert(1)> & Co"
    write(found.book, rows)
    assert found.types("run", BOOK).code == 0
    return found


def spoil(book: Path, header: str, old: str, new: str) -> None:
    """Change a text in a column of the tab Receipts, once."""
    workbook = openpyxl.load_workbook(book)
    sheet = workbook["Receipts"]
    (column,) = (cell.column for row in sheet.iter_rows(max_row=10) for cell in row if cell.value == header)
    (cell,) = (row[0] for row in sheet.iter_rows(min_col=column, max_col=column) if old in str(row[0].value))
    cell.value = str(cell.value).replace(old, new, 1)
    cell.data_type = "s"  # a receipt that begins with = is no formula
    workbook.save(book)


def test_a_page_shows_what_differs_side_by_side(ruled: Moderator) -> None:
    receipt = ruled.types("verify", BOOK, "--html", "page.html")
    assert (receipt.code, receipt.out.splitlines()[-1]) == (0, "1 of 1 receipt equal.")
    assert receipt.err.splitlines()[-1] == "page     page.html"
    equal = Html((ruled.folder / "page.html").read_text("utf-8"))
    assert equal.rows == []
    assert "1 of 1 receipt equal." in equal.text
    spoil(ruled.book, "Receipt", "'''Winner:'''", "'''Loser:'''")
    spoil(ruled.book, "Winner", "Defender", "Attacker")

    said = ruled.types("verify", BOOK, "--html", "page.html", "--json")

    assert (said.code, said.data["page"]) == (1, "page.html")
    text = (ruled.folder / "page.html").read_text("utf-8")
    page = Html(text)
    heads, winner, line = page.rows
    assert heads == ["Where", "The receipt says", "It comes to"]
    assert winner == ["winner", "Attacker", "Defender"]
    assert line[0].startswith("receipt, line ")
    assert "'''Loser:'''" in line[1]
    assert line[2] == line[1].replace("Loser", "Winner")
    assert said.data["receipts"][0]["differences"] == [
        "winner: the receipt says Attacker, it comes to Defender",
        f"the receipt says: {line[1]}",
        f"it comes to: {line[2]}",
    ]
    assert "0 of 1 receipt equal." in page.text
    assert "&lt;img src=x onerror=alert(1)&gt; &amp; Co" in text
    assert not {"img", "script"} & {*page.tags}
    refused = ruled.types("verify", BOOK, "--html", BOOK)
    assert refused.code == 2
    assert "does not end in .html" in refused.err
