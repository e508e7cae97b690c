"""Tabs that a commit leaves alone are not parsed again, unless anything that their cells are read from has changed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from sheets_algo.workbook.changes import AppendRow, ChangeSet, SetCell
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.staleness import cell_of
from sheets_algo.workbook.values import Value
from sheets_algo.workbook.xlsx import XlsxWorkbook
from tests.helpers.tabs import key, keys

TABS = keys("Nations", "Places", "Receipts")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with a number and a text in a tab that nothing is written to."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for title, rows in {
        "Nations": [["Nation", "Stability"], ["England", 100]],
        "Places": [["Place", "Year"], ["York", 1066]],
        "Receipts": [["Seq", "Request"], [1, ""], [2, "W-1"]],
    }.items():
        for row in [book.create_sheet(title), *rows][1:]:
            book[title].append(row)
    book.save(path := tmp_path / "war.xlsx")
    return path


def committed(path: Path) -> tuple[XlsxWorkbook, Snapshot]:
    """A workbook after a commit to Nations, and the snapshot before it."""
    book = XlsxWorkbook(path)
    snapshot = book.read(TABS)
    book.commit(snapshot, ChangeSet(cells=(SetCell(key("Nations"), 2, 2, 90, 100),)))
    return book, snapshot


def edited(path: Path, edit: Callable[[Any], object]) -> None:
    book = openpyxl.load_workbook(path)
    edit(book)
    book.save(path)


def cell(snapshot: Snapshot, tab: str, row: int, column: int) -> Value:
    return cell_of(snapshot.sheet(key(tab)), row, column)


def test_a_tab_beside_the_commit_is_kept_and_receipts_are_read(path: Path) -> None:
    book, before = committed(path)
    after = book.read(TABS)

    assert after.sheet(key("Places")) is before.sheet(key("Places"))
    assert cell(after, "Nations", 2, 2) == 90
    assert after.sheet(key("Receipts")) == before.sheet(key("Receipts"))
    assert after.sheet(key("Receipts")) is not before.sheet(key("Receipts"))


EDITS: dict[str, tuple[Callable[[Any], object], Value]] = {
    "another number": (lambda book: setattr(book["Places"]["B2"], "value", 1067), 1067),
    "a date, by its style alone": (
        lambda book: setattr(book["Places"]["B2"], "number_format", "yyyy-mm-dd"),
        date(1902, 12, 1),
    ),
    "a blank cell": (lambda book: setattr(book["Places"]["B2"], "value", None), None),
}


@pytest.mark.parametrize("what", EDITS)
def test_a_save_after_the_commit_is_read(path: Path, what: str) -> None:
    book, _ = committed(path)
    edited(path, EDITS[what][0])
    assert cell(book.read(TABS), "Places", 2, 2) == EDITS[what][1]


def test_a_text_that_differs_among_the_shared_texts_alone_is_read(path: Path) -> None:
    book, _ = committed(path)
    edited(path, lambda book: setattr(book["Places"]["A2"], "value", "Yore"))
    assert cell(book.read(TABS), "Places", 2, 1) == "Yore"


def test_a_tab_that_took_the_place_of_another_one_is_read(path: Path) -> None:
    def swap(book: Any) -> None:
        book["Places"].title, book["Nations"].title = "Old places", "Places"
        book["Old places"].title = "Nations"

    book, _ = committed(path)
    edited(path, swap)
    assert cell(book.read(TABS), "Places", 2, 1) == "England"


def test_an_older_file_that_is_put_back_is_read_and_so_is_a_deleted_receipt(path: Path) -> None:
    shutil.copy(path, older := path.with_name("older.xlsx"))
    book, _ = committed(path)
    shutil.copy(older, path)
    edited(path, lambda book: book["Receipts"].delete_rows(3))
    after = book.read(TABS)
    assert (cell(after, "Nations", 2, 2), cell(after, "Receipts", 3, 1)) == (100, None)


def test_each_commit_is_read_by_the_next_one(path: Path) -> None:
    book, _ = committed(path)
    for number in (3, 4, 5):
        book.commit(book.read(TABS), ChangeSet(rows=(AppendRow(key("Receipts"), (number, "W-2")),)))
        assert cell(book.read(TABS), "Receipts", number + 1, 1) == number
