"""Developer metadata: ids are taken once, places move with their rows."""

from __future__ import annotations

from typing import Any

import pytest
from localsheets.errors import ApiError
from localsheets.spreadsheet import Spreadsheet

EVERYWHERE = {"spreadsheet": True}


@pytest.fixture
def book() -> Spreadsheet:
    return Spreadsheet.new("an-id", "Season 3")


def creating(key: str, location: dict[str, Any], id: int | None = None, value: str = "") -> dict[str, Any]:
    record = {"metadataKey": key, "metadataValue": value, "location": location, "visibility": "DOCUMENT"}
    return {"createDeveloperMetadata": {"developerMetadata": record if id is None else {**record, "metadataId": id}}}


def row(index: int) -> dict[str, Any]:
    return {"dimensionRange": {"sheetId": 0, "dimension": "ROWS", "startIndex": index, "endIndex": index + 1}}


def entries(book: Spreadsheet) -> list[dict[str, Any]]:
    """Return the whole metadata of the spreadsheet, in order."""
    found: list[dict[str, Any]] = book.to_json()["developer_metadata"]
    return found


def rows(book: Spreadsheet) -> dict[int, int]:
    """Return the row of each entry by its id."""
    mask = "sheets.data.rowMetadata.developerMetadata"
    entries = [
        entry
        for sheet in book.get(fields=mask)["sheets"]
        for data in sheet["data"]
        for row in data["rowMetadata"]
        for entry in row.get("developerMetadata", [])
    ]
    return {entry["metadataId"]: entry["location"]["dimensionRange"]["startIndex"] for entry in entries}


def structure(kind: str, start: int, end: int, **extra: Any) -> dict[str, Any]:
    return {kind: {"range": {"sheetId": 0, "dimension": "ROWS", "startIndex": start, "endIndex": end}, **extra}}


def test_an_id_in_use_refuses_the_whole_batch(book: Spreadsheet) -> None:
    book.batch_update({"requests": [creating("guard", EVERYWHERE, 7)]})
    cell = {"rows": [{"values": [{"userEnteredValue": {"stringValue": "x"}}]}], "fields": "userEnteredValue"}
    writing = {"updateCells": {**cell, "start": {"sheetId": 0, "rowIndex": 0, "columnIndex": 0}}}

    with pytest.raises(ApiError) as caught:
        book.batch_update({"requests": [writing, creating("guard", EVERYWHERE, 7)]})

    assert caught.value.code == 400
    assert caught.value.message.startswith("Invalid requests[1].createDeveloperMetadata: ")
    assert "values" not in book.values_get("A1")


def test_a_row_s_metadata_moves_and_is_deleted_with_it(book: Spreadsheet) -> None:
    book.batch_update({"requests": [creating("war", row(4), 1), creating("war", row(6), 2)]})

    book.batch_update({"requests": [structure("insertDimension", 2, 4)]})
    assert rows(book) == {1: 6, 2: 8}

    book.batch_update({"requests": [structure("deleteDimension", 6, 7)]})
    assert rows(book) == {2: 7}


def test_a_tab_s_metadata_is_deleted_with_the_tab(book: Spreadsheet) -> None:
    adding = {"addSheet": {"properties": {"sheetId": 9, "title": "Wars"}}}
    book.batch_update({"requests": [adding, creating("tab", {"sheetId": 9})]})
    assert [entry["metadataKey"] for entry in entries(book)] == ["tab"]

    book.batch_update({"requests": [{"deleteSheet": {"sheetId": 9}}]})

    assert entries(book) == []


def test_metadata_is_changed_and_deleted_by_a_filter(book: Spreadsheet) -> None:
    book.batch_update({"requests": [creating("a", EVERYWHERE, 1, "x"), creating("b", EVERYWHERE, 2, "x")]})
    filter = {"developerMetadataLookup": {"metadataKey": "a"}}
    changing = {"dataFilters": [filter], "developerMetadata": {"metadataValue": "y"}, "fields": "metadataValue"}

    reply = book.batch_update({"requests": [{"updateDeveloperMetadata": changing}]})["replies"][0]
    changed = [entry["metadataValue"] for entry in entries(book)]
    deleted = book.batch_update({"requests": [{"deleteDeveloperMetadata": {"dataFilter": filter}}]})["replies"][0]

    assert [entry["metadataId"] for entry in reply["updateDeveloperMetadata"]["developerMetadata"]] == [1]
    assert changed == ["y", "x"]
    assert [entry["metadataId"] for entry in deleted["deleteDeveloperMetadata"]["deletedDeveloperMetadata"]] == [1]
    assert [entry["metadataId"] for entry in entries(book)] == [2]
