"""Reading, writing, appending and clearing values, without HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from localsheets.errors import ApiError
from localsheets.spreadsheet import Spreadsheet


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


@pytest.mark.parametrize(
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


def test_null_leaves_a_cell_alone_and_is_not_counted(book: Spreadsheet) -> None:
    write(book, "A1", ["a", "b"], ["c", "d"])

    answer = write(book, "A1:B2", ["x", None], [None, None])

    assert answer == {
        "spreadsheetId": "an-id",
        "updatedRange": "Sheet1!A1:B2",
        "updatedRows": 1,
        "updatedColumns": 1,
        "updatedCells": 1,
    }
    assert book.values_get("A1:B2")["values"] == [["x", "b"], ["c", "d"]]


def test_an_empty_text_clears_a_cell_and_is_counted(book: Spreadsheet) -> None:
    write(book, "A1", ["a"])

    assert write(book, "A1", [""])["updatedCells"] == 1
    assert "values" not in book.values_get("A1")


def test_values_may_be_written_by_column(book: Spreadsheet) -> None:
    book.values_update("A1", {"majorDimension": "COLUMNS", "values": [["a", "b"], ["c"]]}, value_input="RAW")

    assert book.values_get("A1:B2")["values"] == [["a", "c"], ["b"]]


def test_values_outside_the_named_range_are_refused(book: Spreadsheet) -> None:
    wide = refused(lambda: write(book, "A1:B2", [1, 2, 3]))
    high = refused(lambda: write(book, "A1:B2", [1], [2], [3]))

    assert wide == "Requested writing within range [Sheet1!A1:B2], but tried writing to column [C]"
    assert high == "Requested writing within range [Sheet1!A1:B2], but tried writing to row [3]"


def test_a_write_past_the_grid_is_refused(book: Spreadsheet) -> None:
    said = refused(lambda: write(book, "Z1000", ["a", "b"]))

    assert said == "Range (Sheet1!Z1000:AA1000) exceeds grid limits. Max rows: 1000, max columns: 26"
    assert "values" not in book.values_get("Sheet1")


def test_the_input_option_is_required(book: Spreadsheet) -> None:
    said = refused(lambda: book.values_update("A1", {"values": [[1]]}, value_input=None))

    assert said == "'valueInputOption' is required but not specified"


def test_written_values_are_returned_on_request(book: Spreadsheet) -> None:
    answer = write(book, "A1", ["50%"], how="USER_ENTERED", include_values=True)

    assert answer["updatedData"] == {"range": "Sheet1!A1", "majorDimension": "ROWS", "values": [["50%"]]}


def test_several_ranges_are_written_all_or_none(book: Spreadsheet) -> None:
    data = [{"range": "A1", "values": [["a"]]}, {"range": "NOPE!A5:F15", "values": [["b"]]}]

    said = refused(lambda: book.values_batch_update({"valueInputOption": "RAW", "data": data}))

    assert said == "Invalid data[1]: Unable to parse range: NOPE!A5:F15"
    assert "values" not in book.values_get("A1")


def test_the_totals_of_several_ranges_count_each_row_and_column_once(book: Spreadsheet) -> None:
    data = [{"range": "A1:B1", "values": [[1, 2]]}, {"range": "A3:B3", "values": [[3, 4]]}]

    answer = book.values_batch_update({"valueInputOption": "RAW", "data": data})

    totals = {name: number for name, number in answer.items() if name.startswith("total")}
    assert totals == {"totalUpdatedRows": 2, "totalUpdatedColumns": 2, "totalUpdatedCells": 4, "totalUpdatedSheets": 1}


def test_a_list_in_a_cell_is_refused(book: Spreadsheet) -> None:
    said = refused(lambda: write(book, "A1", ["a"], ["b", ["c"]]))

    assert said == 'Invalid values[1][1]: list_value {\n  values {\n    string_value: "c"\n  }\n}\n'


# Appending (facts 4: tables A1:C2 and B4:D6)


@pytest.fixture
def tables(book: Spreadsheet) -> Spreadsheet:
    write(book, "A1", [1, 2, 3], [4, 5, 6])
    write(book, "B4", [1, 2, 3], [4, 5, 6], [7, 8, 9])
    return book


@pytest.mark.parametrize(
    ("range", "place"),
    [
        ("Sheet1", "B7"),
        ("B4", "B7"),
        ("C5:D5", "B7"),
        ("B2:D4", "B7"),
        ("A3:G10", "B7"),
        ("A1", "A3"),
        ("E4", "E4"),
        ("A4", "A4"),
    ],
)
def test_a_row_is_appended_below_the_table_that_the_range_touches(tables: Spreadsheet, range: str, place: str) -> None:
    answer = tables.values_append(range, {"values": [["new"]]}, value_input="RAW")

    assert answer["updates"]["updatedRange"] == f"Sheet1!{place}"
    assert ("tableRange" in answer) == (place in ("B7", "A3"))


def test_a_gap_in_a_row_separates_two_tables(book: Spreadsheet) -> None:
    for _ in range(2):
        answer = book.values_append("Sheet1", {"values": [["x", "", "z"]]}, value_input="RAW")

    assert (answer["tableRange"], answer["updates"]["updatedRange"]) == ("Sheet1!C1", "Sheet1!C2:E2")


def test_appending_overwrites_or_inserts_rows_as_requested(tables: Spreadsheet) -> None:
    tables.values_append("A1", {"values": [["x"], ["y"], ["z"]]}, value_input="RAW", insert_data="INSERT_ROWS")

    moved = [["", "1", "2", "3"], ["", "4", "5", "6"], ["", "7", "8", "9"]]
    assert tables.values_get("A1:D9")["values"] == [["1", "2", "3"], ["4", "5", "6"], ["x"], ["y"], ["z"], [], *moved]
    tables.values_append("A1:C1", {"values": [["p", "q"], ["r", "s"]]}, value_input="RAW")
    assert tables.values_get("A6:D7")["values"] == [["p", "q"], ["r", "s", "2", "3"]]


def test_appending_extends_the_grid(book: Spreadsheet) -> None:
    write(book, "A1000", ["last"])

    book.values_append("A1000", {"values": [["one"], ["two"]]}, value_input="RAW")

    assert book.values_get("Sheet1")["range"] == "Sheet1!A1:Z1002"


# Clearing, several ranges, filters


def test_clearing_keeps_formats_and_notes(book: Spreadsheet) -> None:
    write(book, "A1", ["50%"], how="USER_ENTERED")

    assert book.values_clear("A1:B2") == {"spreadsheetId": "an-id", "clearedRange": "Sheet1!A1:B2"}
    write(book, "A1", [0.25])
    assert book.values_get("A1")["values"] == [["25%"]]


def test_several_ranges_are_read_in_order(book: Spreadsheet) -> None:
    write(book, "A1", ["a", "b"])

    found = book.values_batch_get(["B1", "A1:A2"])["valueRanges"]

    assert [block.get("values") for block in found] == [[["b"]], [["a"]]]


def test_an_unreadable_range_in_a_batch_is_reported_by_number(book: Spreadsheet) -> None:
    said = refused(lambda: book.values_batch_clear({"ranges": ["A1", "Gone!A1"]}))

    assert said == "Invalid range[1]: Unable to parse range: Gone!A1"


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
