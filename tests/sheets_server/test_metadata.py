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


def looked_up(book: Spreadsheet, **lookup: Any) -> list[dict[str, Any]]:
    found = book.search_developer_metadata({"dataFilters": [{"developerMetadataLookup": lookup}]})
    return [matched["developerMetadata"] for matched in found.get("matchedDeveloperMetadata", [])]


def structure(kind: str, start: int, end: int, **extra: Any) -> dict[str, Any]:
    return {kind: {"range": {"sheetId": 0, "dimension": "ROWS", "startIndex": start, "endIndex": end}, **extra}}


def test_the_reply_and_the_reading_contain_the_whole_entry(book: Spreadsheet) -> None:
    reply = book.batch_update({"requests": [creating("sheets-algo", EVERYWHERE, 1_066_000_007, "1790000000")]})[
        "replies"
    ][0]

    expected = {
        "metadataId": 1_066_000_007,
        "metadataKey": "sheets-algo",
        "metadataValue": "1790000000",
        "location": {"locationType": "SPREADSHEET", "spreadsheet": True},
        "visibility": "DOCUMENT",
    }
    assert reply == {"createDeveloperMetadata": {"developerMetadata": expected}}
    assert book.developer_metadata(1_066_000_007) == expected
    assert book.get(fields="developerMetadata") == {"developerMetadata": [expected]}


def test_an_id_in_use_refuses_the_whole_batch(book: Spreadsheet) -> None:
    book.batch_update({"requests": [creating("guard", EVERYWHERE, 7)]})
    cell = {"rows": [{"values": [{"userEnteredValue": {"stringValue": "x"}}]}], "fields": "userEnteredValue"}
    writing = {"updateCells": {**cell, "start": {"sheetId": 0, "rowIndex": 0, "columnIndex": 0}}}

    with pytest.raises(ApiError) as caught:
        book.batch_update({"requests": [writing, creating("guard", EVERYWHERE, 7)]})

    assert caught.value.code == 400
    assert caught.value.message.startswith("Invalid requests[1].createDeveloperMetadata: ")
    assert "values" not in book.values_get("A1")


def test_an_unknown_id_is_not_found(book: Spreadsheet) -> None:
    with pytest.raises(ApiError) as caught:
        book.developer_metadata(5)

    assert (caught.value.code, caught.value.message[:30]) == (404, "No developer metadata with ID ")


def test_a_row_s_metadata_moves_and_is_deleted_with_it(book: Spreadsheet) -> None:
    book.batch_update({"requests": [creating("war", row(4), 1), creating("war", row(6), 2)]})

    book.batch_update({"requests": [structure("insertDimension", 2, 4)]})
    assert [entry["location"]["dimensionRange"]["startIndex"] for entry in looked_up(book, metadataKey="war")] == [6, 8]

    book.batch_update({"requests": [structure("deleteDimension", 6, 7)]})
    assert [(entry["metadataId"], entry["location"]) for entry in looked_up(book, metadataKey="war")] == [
        (2, {"locationType": "ROW", "dimensionRange": {"dimension": "ROWS", "startIndex": 7, "endIndex": 8}})
    ]


def test_a_tab_s_metadata_is_deleted_with_the_tab(book: Spreadsheet) -> None:
    book.batch_update(
        {"requests": [{"addSheet": {"properties": {"sheetId": 9, "title": "Wars"}}}, creating("tab", {"sheetId": 9})]}
    )
    assert [entry["location"] for entry in looked_up(book, metadataKey="tab")] == [
        {"locationType": "SHEET", "sheetId": 9}
    ]

    book.batch_update({"requests": [{"deleteSheet": {"sheetId": 9}}]})

    assert looked_up(book, metadataKey="tab") == []


def test_lookups_match_all_their_conditions(book: Spreadsheet) -> None:
    book.batch_update(
        {"requests": [creating("a", EVERYWHERE, 1, "x"), creating("a", row(3), 2, "x"), creating("b", row(3), 3)]}
    )

    assert [entry["metadataId"] for entry in looked_up(book, metadataKey="a")] == [1, 2]
    assert [entry["metadataId"] for entry in looked_up(book, metadataKey="a", locationType="ROW")] == [2]
    assert [entry["metadataId"] for entry in looked_up(book, metadataLocation=row(3))] == [2, 3]
    assert [entry["metadataId"] for entry in looked_up(book, metadataId=3)] == [3]
    assert looked_up(book, metadataKey="a", metadataValue="y") == []


def test_metadata_is_changed_and_deleted_by_a_filter(book: Spreadsheet) -> None:
    book.batch_update({"requests": [creating("a", EVERYWHERE, 1, "x"), creating("b", EVERYWHERE, 2, "x")]})
    filter = {"developerMetadataLookup": {"metadataKey": "a"}}
    changing = {"dataFilters": [filter], "developerMetadata": {"metadataValue": "y"}, "fields": "metadataValue"}

    replies = book.batch_update(
        {"requests": [{"updateDeveloperMetadata": changing}, {"deleteDeveloperMetadata": {"dataFilter": filter}}]}
    )["replies"]

    assert replies[0]["updateDeveloperMetadata"]["developerMetadata"][0]["metadataValue"] == "y"
    assert [entry["metadataId"] for entry in replies[1]["deleteDeveloperMetadata"]["deletedDeveloperMetadata"]] == [1]
    assert [entry["metadataId"] for entry in looked_up(book, visibility="DOCUMENT")] == [2]


def test_keys_and_values_have_a_size_limit(book: Spreadsheet) -> None:
    with pytest.raises(ApiError):
        book.batch_update({"requests": [creating("k", EVERYWHERE, value="x" * 30_000)]})
    book.batch_update({"requests": [creating("k", EVERYWHERE, value="x" * 29_999)]})
    book.batch_update({"requests": [creating("k", {"sheetId": 0}, value="x" * 29_999)]})
