"""Receipts that are too many for one request are read in pieces, which fit together."""

from __future__ import annotations

import pytest

from sheets_algo.workbook.errors import StaleWorkbook
from sheets_algo.workbook.google import spreadsheet
from tests.helpers.tabs import key, keys
from tests.workbook.google.season import TABS, Season, Spent

RECEIPTS = [["Seq", "Request"], *[[number, f"W-{number:04}"] for number in range(1, 61)]]
PIECES = 5
"""Requests of one reading: three of 20 rows, one beyond the end, and the last one with the other tabs."""


@pytest.fixture
def season(monkeypatch: pytest.MonkeyPatch) -> Season:
    monkeypatch.setattr(spreadsheet, "PIECE", 20)
    return Season.begun({**TABS, "Receipts": RECEIPTS})


def receipts(season: Season) -> dict[int, list[object]]:
    return {number: [*row] for number, row in season.workbook().read(keys(*TABS)).sheets[key("Receipts")].rows.items()}


def move(season: Season, kind: str, row: int, request: int) -> None:
    """Insert or delete a row of Receipts, from 1, before one of the program's readings of values."""
    area = {"sheetId": season.sheet_id("Receipts"), "dimension": "ROWS", "startIndex": row - 1, "endIndex": row}
    season.person({kind: {"range": area}}, before_request=request, match="batchGet")


def test_all_rows_are_read_once(season):
    spent = Spent()

    assert receipts(season) == dict(enumerate(RECEIPTS, start=1))
    assert spent.reads == 1 + PIECES


@pytest.mark.parametrize("request_number", [1, 2, 3, PIECES])
def test_a_receipt_deleted_meanwhile_is_missing_alone(season, request_number):
    move(season, "deleteDimension", 31, request_number)

    assert [*receipts(season).values()] == [row for row in RECEIPTS if row[0] != 30]


@pytest.mark.parametrize("request_number", [2, 3])
def test_a_row_inserted_meanwhile_repeats_no_receipt(season, request_number):
    move(season, "insertDimension", 10, request_number)

    assert [*receipts(season).values()] == RECEIPTS


def test_rows_that_move_during_each_reading_are_reported(season):
    for attempt in range(3):
        move(season, "insertDimension", 10, attempt * PIECES + 2)

    with pytest.raises(StaleWorkbook, match="edited it while it was read"):
        receipts(season)
