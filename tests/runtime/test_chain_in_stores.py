"""Receipts with texts that cells do not hold, or show otherwise, keep their chain in a file and in Google (RCP-19)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from scripts.support.workbooks import NOW, SECRET
from sheets_algo.database.changes import Changes
from sheets_algo.ruling.receipts.chain import NotedHead, losses
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
from sheets_algo.ruling.receipts.receipt_tab import ReceiptLog, read_receipts
from sheets_algo.ruling.receipts.receipts import Change, Figures, Receipts, StoredReceipt
from sheets_algo.ruling.receipts.season_receipts import season_receipt
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.store import Workbook
from sheets_algo.workbook.xlsx import XlsxWorkbook
from tests.helpers.tabs import keys
from tests.workbook.google.season import Season

TEXTS = [
    "a\x00b\x0bc\x1f",
    "\ufffe\uffff",
    "\ufeffbegins with a mark",
    "zero\u200bwidth\u2060",
    "\r\n\r x \t\n",
    " lead and trail ",
    "\xa0\u2028\u2029\x85",
    "_x000D_ and _x005F_x0041_",
    "=1+1",
    "'quoted",
    "+1",
    "TRUE",
    "1e5",
    "00012",
    "2026-03-01",
    "10%",
    "#N/A",
    "&amp;<b>",
    "e\u0301 \xe9 \ufb01",
    "😀" * 20_000,  # three parts, each as long as a cell takes
]
TAB = ReceiptRow.tab.name


def in_a_file(folder: Path) -> Workbook:
    book = openpyxl.Workbook()
    book.active.title = "Nations"
    book.save(folder / "season.xlsx")
    return XlsxWorkbook(folder / "season.xlsx")


def in_google(_: Path) -> Workbook:
    return Season.begun({"Nations": [["Nation"]]}).workbook()


def receipt(seq: int, text: str) -> StoredReceipt:
    """A receipt with a text in every cell that may take one."""
    short = text[:100]
    change = Change("Nations", short, "Stability", text, 1.5e-7)
    figures = Figures(text, {"Winner": text, "Share": 0.1, "Men": 12})
    return StoredReceipt(
        seq=seq,
        kind="Ruling",
        request=f"W{short}",
        war=text,
        winner=short,
        wiki=text,
        seed=short,
        seed_source="season",
        inputs=text,
        overrides=text,
        figures=figures,
        changes=(change,),
        rules_version=2,
        time=NOW,
    )


def write(workbook: Workbook) -> Head:
    """Write a Season row and a receipt for each text; return the head."""
    snapshot = workbook.read(keys(TAB))
    changes = Changes()
    log = ReceiptLog(snapshot, changes, read_receipts(snapshot))
    log.append(season_receipt(log.next_seq, SECRET, NOW))
    for text in TEXTS:
        log.append(receipt(log.next_seq, text))
    workbook.commit(snapshot, changes.finish(log.guard, SECRET.digest, log.head))
    return log.head


def read(workbook: Workbook) -> Receipts:
    return read_receipts(workbook.read(keys(TAB)))


@pytest.mark.parametrize("store", [in_a_file, in_google])
def test_texts_that_cells_normalise_keep_the_chain(tmp_path: Path, store: Callable[[Path], Workbook]) -> None:
    workbook = store(tmp_path)
    head = write(workbook)

    found = read(workbook)

    assert not losses(found, [NotedHead(head, "the plan")])
    assert (len(found.by_seq), found.head) == (len(TEXTS) + 1, head)


def test_a_file_saved_by_openpyxl_keeps_the_chain(tmp_path: Path) -> None:
    head = write(in_a_file(tmp_path))
    book = openpyxl.load_workbook(tmp_path / "season.xlsx")
    book.save(tmp_path / "season.xlsx")

    found = read(XlsxWorkbook(tmp_path / "season.xlsx"))

    assert not losses(found, [NotedHead(head, "the plan")])
