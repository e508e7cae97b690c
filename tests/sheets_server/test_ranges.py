"""A1 notation as requests write it and as answers show it."""

from __future__ import annotations

import pytest
from localsheets.a1 import letters
from localsheets.errors import ApiError
from localsheets.spreadsheet import Spreadsheet

from tests.helpers.rows import each


@pytest.fixture
def book() -> Spreadsheet:
    book = Spreadsheet.new("an-id", "Season 3")
    titles = ["War Requests", "It's", "D3", "Карта", "a!b"]
    sizes = {"rowCount": 20, "columnCount": 4}
    adding = [{"addSheet": {"properties": {"title": title, "gridProperties": sizes}}} for title in titles]
    named = {
        "name": "Armies",
        "range": {"sheetId": 0, "startRowIndex": 1, "endRowIndex": 3, "startColumnIndex": 1, "endColumnIndex": 2},
    }
    book.batch_update({"requests": [*adding, {"addNamedRange": {"namedRange": named}}]})
    return book


def test_answers_normalise_the_range(book: Spreadsheet) -> None:
    cases = {
        "A1:C": "Sheet1!A1:C1000",
        "D4:A1": "Sheet1!A1:D4",
        "A2:2": "Sheet1!A2:Z2",
        "B:C": "Sheet1!B1:C1000",
        "3:4": "Sheet1!A3:Z4",
        "Sheet1": "Sheet1!A1:Z1000",
        "'Sheet1'": "Sheet1!A1:Z1000",
        "$B$2": "Sheet1!B2",
        "A1:AZ2000": "Sheet1!A1:Z1000",
        "Sheet1!R2C3:R4C5": "Sheet1!C2:E4",
        "'War Requests'!A1:K": "'War Requests'!A1:D20",
        "War Requests!A1": "'War Requests'!A1",
        "'It''s'!B2": "'It''s'!B2",
        "'D3'": "'D3'!A1:D20",
        "D3": "Sheet1!D3",
        "Карта!A1": "Карта!A1",
        "'a!b'!A1": "'a!b'!A1",
        "Armies": "Sheet1!B2:B3",
        "'Sheet1'!Armies": "Sheet1!B2:B3",
    }
    assert {asked: book.values_get(asked)["range"] for asked in cases} == cases


@each("text", ["NOPE!A5:F15", "Sheet1!A1:B2:C3", "Nobody", "Sheet1!A0", "Sheet1!", "'Gone'", "Sheet1!AAAA1"])
def test_an_invalid_range_is_quoted_in_the_error(book: Spreadsheet, text: str) -> None:
    with pytest.raises(ApiError) as caught:
        book.values_get(text)

    assert caught.value.message == f"Unable to parse range: {text}"


def test_a_range_that_starts_outside_the_grid_is_refused(book: Spreadsheet) -> None:
    with pytest.raises(ApiError) as caught:
        book.values_get("AA1")

    assert caught.value.message == "Range (Sheet1!AA1) exceeds grid limits. Max rows: 1000, max columns: 26"


def test_columns_are_counted_in_letters() -> None:
    cases = {
        0: "A",
        25: "Z",
        26: "AA",
        701: "ZZ",
        702: "AAA",
        18277: "ZZZ",
    }
    assert {column: letters(column) for column in cases} == cases
