"""The record beside a workbook of its last receipt: what is written into it, and what of it is believed (RCP-19)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scripts.support.workbooks import SECRET, library, read
from sheets_algo.ruling.receipts.chain import NotedHead
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.runtime.session.head_record import FOLDER, PLACE, note_seen, note_written, noted_heads
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.spoilt_workbooks import example_grids

SEASON = SECRET.digest
LAST = 6
"""The number of the last receipt of the ruled workbook."""


def session(folder: Path, name: str = "season.xlsx") -> Session:
    return Session(workbook=MemoryWorkbook({}, name), folder=folder, library=library())


def receipts(without: tuple[int, ...] = ()) -> Receipts:
    """The receipts of the example, without some rows."""
    grids = example_grids("1066", is_ruled=True)
    kept = [row for number, row in enumerate(grids["Receipts"]) if number not in without]
    return read_receipts(read(MemoryWorkbook({**grids, "Receipts": kept})))


def noted(place: Session, season: str = SEASON) -> list[str]:
    heads = noted_heads(place, season, asks=True)
    assert {head.place for head in heads} <= {PLACE}
    return [str(head.head) for head in heads]


def files(place: Session) -> list[Path]:
    return sorted((place.folder / FOLDER).iterdir())


def test_the_last_receipt_that_was_seen_is_noted_by_workbook_and_season(tmp_path: Path) -> None:
    place, head = session(tmp_path), receipts().head
    assert noted(place) == []

    note_seen(place, receipts())

    assert noted_heads(place, SEASON, asks=False) == (NotedHead(head, PLACE),)
    assert json.loads(files(place)[0].read_text()) == {
        "workbook": "season.xlsx",
        "season": SEASON,
        "head": f"{LAST}-{head.digest}",
    }
    assert noted(place, "f" * 64) == []
    assert noted(session(tmp_path, "other.xlsx")) == []
    # without a Season row nobody knows which season it is
    assert noted(place, "") == [str(head)]
    assert noted(session(tmp_path, "other.xlsx"), "") == []


def test_the_record_never_goes_back(tmp_path: Path) -> None:
    place = session(tmp_path)
    note_written(place, SEASON, Head(9, "9" * 32))

    note_written(place, SEASON, Head(8, "8" * 32))
    note_written(place, SEASON, Head(9, "a" * 32))
    assert noted(place) == [f"9-{'9' * 32}"]

    note_written(place, SEASON, Head(10, "b" * 32))
    assert noted(place) == [f"10-{'b' * 32}"]


@pytest.mark.parametrize("gone", [(3,), (1,), (2, 4, 5), (1, 2, 3, 4, 5, 6)])
def test_a_workbook_that_lacks_receipts_is_not_noted(tmp_path: Path, gone: tuple[int, ...]) -> None:
    """Else what is gone would be forgotten as soon as somebody had looked."""
    note_seen(session(tmp_path), receipts(without=gone))

    assert noted(session(tmp_path), "") == []


def test_a_workbook_that_has_gone_back_changes_no_record(tmp_path: Path) -> None:
    place = session(tmp_path)
    note_seen(place, receipts())
    before = files(place)[0].read_bytes()

    note_seen(place, receipts(without=(5, 6)))

    assert files(place)[0].read_bytes() == before


HOSTILE = [
    "",
    "{",
    "null",
    "[]",
    "7",
    '"season.xlsx"',
    "[" * 100_000,
    '{"workbook": "season.xlsx"}',
    *(
        json.dumps({"workbook": "season.xlsx", "head": head})
        for head in ("", "x", "-1", "1e9", "0x10", "6-xyz", "1000000", "9" * 15, "9" * 5000, 7.5, None, [], {"6": "a"})
    ),
    json.dumps({"workbook": "other.xlsx", "head": "6"}),
    '{"workbook": "season.xlsx", "head": ' + "9" * 5000 + "}",
]


@pytest.mark.parametrize("content", [text.encode() for text in HOSTILE] + [b"\xff\xfe\x00", b"\0" * 1000])
def test_a_record_that_cannot_be_right_is_not_believed_and_is_written_anew(tmp_path: Path, content: bytes) -> None:
    place = session(tmp_path)
    note_seen(place, receipts())
    files(place)[0].write_bytes(content)

    assert noted(place) == []
    assert noted(place, "") == []

    note_seen(place, receipts())
    assert noted(place) == [str(receipts().head)]


def test_a_folder_that_takes_no_record_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / ".sheets-algo").write_text("a file where the folder should be")

    note_seen(session(tmp_path), receipts())

    assert noted(session(tmp_path)) == []
    assert noted(session(tmp_path), "") == []


def test_a_workbook_with_an_odd_name_has_a_record_too(tmp_path: Path) -> None:
    for name in ("a/b\\c:\ud800.xlsx", "x" * 5000):
        place = session(tmp_path, name)
        note_seen(place, receipts())
        assert noted(place) == [str(receipts().head)]
