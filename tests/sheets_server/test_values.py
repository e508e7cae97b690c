"""Reading and writing values, without HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from localsheets.errors import ApiError
from localsheets.spreadsheet import Spreadsheet

from tests.helpers.rows import each


@pytest.fixture
def book() -> Spreadsheet:
    return Spreadsheet.new("an-id", "Season 3")


def write(book: Spreadsheet, range: str, *rows: list[Any], how: str = "RAW", **options: Any) -> dict[str, Any]:
    return book.values_update(range, {"values": list(rows)}, value_input=how, **options)


def typed(book: Spreadsheet, text: str, render: str = "UNFORMATTED_VALUE") -> Any:
    write(book, "Sheet1!H8", [text], how="USER_ENTERED")
    return book.values_get("Sheet1!H8", value_render=render).get("values", [[None]])[0][0]


def refused(act: Any) -> str:
    with pytest.raises(ApiError) as caught:
        act()
    assert (caught.value.code, caught.value.status) == (400, "INVALID_ARGUMENT")
    return caught.value.message


# Reading


def test_trailing_blanks_are_dropped_and_inner_ones_kept(book: Spreadsheet) -> None:
    write(book, "A1", ["a", "", "c", ""], ["", ""], ["", "b"], [""])

    assert book.values_get("Sheet1!A1:E9")["values"] == [["a", "", "c"], [], ["", "b"]]
    columns = book.values_get("Sheet1!A1:E9", major_dimension="COLUMNS")
    assert columns["values"] == [["a"], ["", "", "b"], ["c"]]
    assert columns["range"] == "Sheet1!A1:E9"


def test_an_empty_range_has_no_values(book: Spreadsheet) -> None:
    assert book.values_get("Sheet1!B2") == {"range": "Sheet1!B2", "majorDimension": "ROWS"}


@each(
    ("value", "formatted", "unformatted"),
    [
        (1.5, "1.5", 1.5),
        (3, "3", 3),
        (3.0, "3", 3),
        (True, "TRUE", True),
        ("007", "007", "007"),
        (1 / 3, "0.3333333333", 1 / 3),
    ],
)
def test_raw_values_keep_their_type(book: Spreadsheet, value: Any, formatted: str, unformatted: Any) -> None:
    write(book, "A1", [value])

    assert book.values_get("A1")["values"] == [[formatted]]
    plain = book.values_get("A1", value_render="UNFORMATTED_VALUE")["values"][0][0]
    assert (plain, type(plain)) == (unformatted, type(unformatted))


def test_raw_text_is_never_a_formula(book: Spreadsheet) -> None:
    write(book, "A1", ["=1+2", "'x"])

    assert book.values_get("A1:B1", value_render="FORMULA")["values"] == [["=1+2", "'x"]]


# Typing (facts 4)


def test_typed_text_is_parsed_like_in_the_interface() -> None:
    cases: list[tuple[str, Any, str]] = [
        ("42", 42, "42"),
        ("0042", 42, "42"),
        ("42.01", 42.01, "42.01"),
        ("2,000,000.01", 2000000.01, "2,000,000.01"),
        ("-7", -7, "-7"),
        ("$20.50", 20.5, "$20.50"),
        ("50%", 0.5, "50%"),
        ("1e5", 100000, "1.00E+05"),
        ("TRUE", True, "TRUE"),
        ("false", False, "FALSE"),
        ("2020-01-01", 43831, "2020-01-01"),
        ("3/1/2016", 42430, "3/1/2016"),
        ("Mar 1 2016", 42430, "Mar 1 2016"),
        ("1:30", 0.0625, "1:30"),
        ("1/1/1900 6:00", 2.25, "1/1/1900 6:00"),
        ("'007", "007", "007"),
        ("= 1 / 1024", 0.0009765625, "0.0009765625"),
        ("W-0007", "W-0007", "W-0007"),
        ("13/13/2020", "13/13/2020", "13/13/2020"),
        ("1,00", "1,00", "1,00"),
        ("=", "=", "="),
    ]
    found = []
    for text, _, _ in cases:
        book = Spreadsheet.new("an-id", "Season 3")  # a cell that was used keeps its format
        found.append((text, typed(book, text), typed(book, text, "FORMATTED_VALUE")))

    assert found == cases
    assert [type(value) for _, value, _ in found] == [type(value) for _, value, _ in cases]  # 1 is not True


def test_json_numbers_are_never_parsed(book: Spreadsheet) -> None:
    write(book, "A1", [42.01, False], how="USER_ENTERED")

    assert book.values_get("A1:B1", value_render="UNFORMATTED_VALUE")["values"] == [[42.01, False]]


def test_a_decimal_comma_counts_in_its_locales(book: Spreadsheet) -> None:
    fields = {"properties": {"locale": "de_DE"}, "fields": "locale"}
    book.batch_update({"requests": [{"updateSpreadsheetProperties": fields}]})

    assert typed(book, "1,5") == 1.5
    assert typed(book, "1.234,5", "FORMATTED_VALUE") == "1.234,50"
    assert typed(book, "1.3.2016") == 42430
    assert typed(book, "1.5.2") == "1.5.2"


def test_a_cell_formatted_as_text_stores_everything_as_text(book: Spreadsheet) -> None:
    text = {"userEnteredFormat": {"numberFormat": {"type": "TEXT"}}}
    place = {"sheetId": 0, "startRowIndex": 7, "endRowIndex": 8, "startColumnIndex": 7, "endColumnIndex": 8}
    book.batch_update({"requests": [{"repeatCell": {"range": place, "cell": text, "fields": "userEnteredFormat"}}]})

    assert typed(book, "0042") == "0042"


def test_dates_are_numbers_unless_requested_otherwise(book: Spreadsheet) -> None:
    write(book, "A1", ["2020-01-01", 5], how="USER_ENTERED")

    as_text = book.values_get("A1:B1", value_render="UNFORMATTED_VALUE", date_time_render="FORMATTED_STRING")
    assert as_text["values"] == [["2020-01-01", 5]]
    assert book.values_get("A1:B1", value_render="FORMULA")["values"] == [[43831, 5]]


# Writing


def test_a_write_past_the_grid_is_refused(book: Spreadsheet) -> None:
    said = refused(lambda: write(book, "Z1000", ["a", "b"]))

    assert said == "Range (Sheet1!Z1000:AA1000) exceeds grid limits. Max rows: 1000, max columns: 26"
    assert "values" not in book.values_get("Sheet1")


def test_a_text_may_have_fifty_thousand_characters(book: Spreadsheet) -> None:
    write(book, "A1", ["x" * 50_000])

    said = refused(lambda: write(book, "A1", ["x" * 50_001]))
    assert said == "Your input contains more than the maximum of 50000 characters in a single cell."


# Formulas


def test_formulas_have_google_s_results(book: Spreadsheet) -> None:
    cases = [
        ("=4/2", 2),
        ("=1/0", "#DIV/0!"),
        ("=SUM(A1:B2)", 10),
        ('=A1&"-"&B2', "1-4"),
        ('=IF(A1<B1,"less",1/0)', "less"),
        ('=IFERROR(A9/B9,"none")', "none"),
        ("=AVERAGE(A1:A2)", 2),
        ('=COUNTIF(A1:B2,">1")', 3),
        ("=ROUND(2.5,0)", 3),
        ("=NOSUCH(1)", "#NAME?"),
        ('=1+"x"', "#VALUE!"),
        ("=VLOOKUP(3,A1:B2,2,FALSE)", 4),
        ("=Other!A1", "#REF!"),
        ("=MAX(A:A)", 3),
        ("=-2^2", 4),
        ("=H8", "#REF!"),
        ("=(1+", "#ERROR!"),
    ]
    write(book, "A1", [1, 2], [3, 4])

    assert [(formula, typed(book, formula)) for formula, _ in cases] == cases


def test_a_formula_follows_its_references(book: Spreadsheet) -> None:
    write(book, "A1", [1], ["=A1+1"], ["=A2*10"], how="USER_ENTERED")

    write(book, "A1", [4])

    assert book.values_get("A1:A3")["values"] == [["4"], ["5"], ["50"]]
    assert book.values_get("A3", value_render="FORMULA")["values"] == [["=A2*10"]]
