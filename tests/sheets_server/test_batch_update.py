"""`batchUpdate`: each kind of request, and all of them or none."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest
from localsheets.errors import ApiError
from localsheets.messages import SCHEMA
from localsheets.spreadsheet import Spreadsheet
from localsheets.updates import HANDLERS

from tests.helpers.rows import each

A1 = {"sheetId": 0, "rowIndex": 0, "columnIndex": 0}


def begun() -> Spreadsheet:
    book = Spreadsheet.new("an-id", "Season 3", owner="owner@example.com")
    rows = [["Name", "Men", "Half"], ["William", 8000, "=B2/2"], ["Harold", 7000, "=B3/2"], ["Harald", 9000, "=B4/2"]]
    book.values_update("A1", {"values": rows}, value_input="USER_ENTERED")
    return book


@pytest.fixture
def book() -> Spreadsheet:
    return begun()


def do(book: Spreadsheet, *requests: Mapping[str, Any], caller: str = "") -> list[Any]:
    replies: list[Any] = book.batch_update({"requests": list(requests)}, caller=caller)["replies"]
    return replies


def refused(book: Spreadsheet, *requests: Mapping[str, Any], caller: str = "") -> str:
    before = book.to_json()
    with pytest.raises(ApiError) as caught:
        do(book, *requests, caller=caller)
    assert caught.value.code == 400
    assert book.to_json() == before, "a refused batch changed something"
    return caught.value.message


def box(top: int, left: int, bottom: int, right: int, sheet: int = 0) -> dict[str, int]:
    ends = {"startRowIndex": top, "endRowIndex": bottom, "startColumnIndex": left, "endColumnIndex": right}
    return {"sheetId": sheet, **ends}


def span(start: int, end: int, dimension: str = "ROWS") -> dict[str, Any]:
    return {"sheetId": 0, "dimension": dimension, "startIndex": start, "endIndex": end}


def values(book: Spreadsheet, range: str = "Sheet1", render: str = "UNFORMATTED_VALUE") -> list[list[Any]]:
    found: list[list[Any]] = book.values_get(range, value_render=render).get("values", [])
    return found


def cell(book: Spreadsheet, range: str, *fields: str) -> dict[str, Any]:
    mask = f"sheets.data.rowData.values({','.join(fields)})"
    data = book.get(ranges=[range], fields=mask)["sheets"][0]["data"][0]
    found: dict[str, Any] = data.get("rowData", [{}])[0].get("values", [{}])[0]
    return found


def sheet(book: Spreadsheet, place: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = book.get()["sheets"][place]
    return found


def texts(*rows: list[Any]) -> list[dict[str, Any]]:
    kinds = {bool: "boolValue", int: "numberValue", float: "numberValue", str: "stringValue"}
    return [{"values": [{"userEnteredValue": {kinds[type(value)]: value}} for value in row]} for row in rows]


# All or nothing


def test_the_first_bad_request_is_reported_and_nothing_is_done(book: Spreadsheet) -> None:
    said = refused(book, {"addSheet": {"properties": {"title": "Wars"}}}, {"deleteSheet": {"sheetId": 404}})

    assert said == "Invalid requests[1].deleteSheet: No sheet with id: 404"


def test_requests_are_done_in_order_with_a_reply_each(book: Spreadsheet) -> None:
    grid = {"rowCount": 2, "columnCount": 3}
    replies = do(
        book,
        {"addSheet": {"properties": {"sheetId": 9, "title": "Wars", "gridProperties": grid}}},
        {"updateCells": {"start": {"sheetId": 9}, "rows": texts(["x"]), "fields": "userEnteredValue"}},
    )  # fmt: skip

    properties = {
        "sheetId": 9,
        "title": "Wars",
        "index": 1,
        "sheetType": "GRID",
        "gridProperties": grid,
    }
    assert replies == [{"addSheet": {"properties": properties}}, {}]
    assert values(book, "Wars") == [["x"]]


def test_an_empty_batch_is_refused(book: Spreadsheet) -> None:
    with pytest.raises(ApiError) as caught:
        book.batch_update({"requests": []})

    assert caught.value.message == "Must specify at least one request."


# Cells


def test_typed_cells_are_never_parsed(book: Spreadsheet) -> None:
    do(book, {"updateCells": {"start": A1, "rows": texts(["=1+2", "0042", 5, True]), "fields": "userEnteredValue"}})

    assert values(book, "A1:D1") == [["=1+2", "0042", 5, True]]
    assert cell(book, "A1", "userEnteredValue") == {"userEnteredValue": {"stringValue": "=1+2"}}


def test_omitted_cells_of_a_range_are_cleared(book: Spreadsheet) -> None:
    do(book, {"updateCells": {"range": box(0, 0, 2, 2), "rows": texts(["x"]), "fields": "userEnteredValue"}})

    assert values(book, "A1:B2") == [["x"]]


def test_cells_are_appended_below_the_last_row_with_data(book: Spreadsheet) -> None:
    book.values_update("F1000", {"values": [["far"]]}, value_input="RAW")

    do(book, {"appendCells": {"sheetId": 0, "rows": texts(["new", 1]), "fields": "userEnteredValue"}})

    assert values(book, "A1001:B1001") == [["new", 1]]
    assert sheet(book)["properties"]["gridProperties"]["rowCount"] == 1001


def test_a_cell_outside_the_grid_is_refused(book: Spreadsheet) -> None:
    start = {"sheetId": 0, "rowIndex": 1000, "columnIndex": 0}

    said = refused(book, {"updateCells": {"start": start, "rows": texts(["x"]), "fields": "*"}})

    assert said == "Invalid requests[0].updateCells: GridCoordinate.rowIndex[1000] is after last row in grid[999]"


def test_only_masked_fields_change(book: Spreadsheet) -> None:
    bold = {"userEnteredFormat": {"textFormat": {"bold": True}, "horizontalAlignment": "CENTER"}, "note": "see"}
    do(book, {"repeatCell": {"range": box(0, 0, 1, 1), "cell": bold, "fields": "userEnteredFormat.textFormat.bold"}})

    assert cell(book, "A1", "userEnteredFormat", "note", "formattedValue") == {
        "userEnteredFormat": {"textFormat": {"bold": True}},
        "formattedValue": "Name",
    }


def test_an_update_must_name_its_fields(book: Spreadsheet) -> None:
    said = refused(book, {"updateSheetProperties": {"properties": {"title": "x"}}})

    assert said == (
        "Invalid requests[0].updateSheetProperties: At least one field must be listed in 'fields'. "
        "(Use '*' to indicate all fields.)"
    )


def test_a_repeated_formula_moves_along(book: Spreadsheet) -> None:
    formula = {"userEnteredValue": {"formulaValue": "=B2*$B$2"}}
    do(book, {"repeatCell": {"range": box(1, 3, 4, 4), "cell": formula, "fields": "userEnteredValue"}})

    assert values(book, "D2:D4", "FORMULA") == [["=B2*$B$2"], ["=B3*$B$2"], ["=B4*$B$2"]]


# Rows and columns


def test_inserted_rows_move_the_rows_below(book: Spreadsheet) -> None:
    named = {"name": "Men", "range": box(1, 1, 4, 2)}
    do(
        book,
        {"mergeCells": {"range": box(5, 0, 7, 2)}},
        {"addNamedRange": {"namedRange": named}},
        {"addProtectedRange": {"protectedRange": {"range": box(2, 0, 3, 1)}}},
        {"insertDimension": {"range": span(2, 4)}},
    )

    assert values(book, "A1:A6") == [["Name"], ["William"], [], [], ["Harold"], ["Harald"]]
    assert values(book, "C2:C6", "FORMULA") == [["=B2/2"], [], [], ["=B5/2"], ["=B6/2"]]
    whole = book.get()
    assert whole["namedRanges"][0]["range"]["endRowIndex"] == 6
    assert whole["sheets"][0]["merges"][0]["startRowIndex"] == 7
    assert whole["sheets"][0]["protectedRanges"][0]["range"]["startRowIndex"] == 4
    assert whole["sheets"][0]["properties"]["gridProperties"]["rowCount"] == 1002


def test_deleted_rows_remove_their_metadata(book: Spreadsheet) -> None:
    do(book, {"addNamedRange": {"namedRange": {"name": "Harolds", "range": box(2, 0, 3, 2)}}})

    do(book, {"deleteDimension": {"range": span(2, 3)}})

    assert values(book) == [["Name", "Men", "Half"], ["William", 8000, 4000], ["Harald", 9000, 4500]]
    assert "namedRanges" not in book.get()
    assert values(book, "C3", "FORMULA") == [["=B3/2"]]


def test_a_reference_to_a_deleted_row_is_lost(book: Spreadsheet) -> None:
    book.values_update("E1", {"values": [["=B3"]]}, value_input="USER_ENTERED")

    do(book, {"deleteDimension": {"range": span(2, 3)}})

    assert (values(book, "E1", "FORMULA"), values(book, "E1")) == ([["=#REF!"]], [["#REF!"]])


def test_formulas_of_other_tabs_follow_moved_rows(book: Spreadsheet) -> None:
    do(book, {"addSheet": {"properties": {"title": "War Requests"}}})
    formulas = [["=Sheet1!B2", "=SUM(Sheet1!B2:B4)", "=B2", '="Sheet1!B2"']]
    book.values_update("'War Requests'!A1", {"values": formulas}, value_input="USER_ENTERED")

    do(book, {"insertDimension": {"range": span(1, 2)}})

    expected = [["=Sheet1!B3", "=SUM(Sheet1!B3:B5)", "=B2", '="Sheet1!B2"']]
    assert values(book, "'War Requests'!A1:D1", "FORMULA") == expected


def test_rows_are_moved_before_the_named_place(book: Spreadsheet) -> None:
    do(book, {"moveDimension": {"source": span(1, 2), "destinationIndex": 4}})
    assert values(book, "A1:A4") == [["Name"], ["Harold"], ["Harald"], ["William"]]

    do(book, {"moveDimension": {"source": span(2, 4), "destinationIndex": 1}})
    assert values(book, "A1:A4") == [["Name"], ["Harald"], ["William"], ["Harold"]]


# Tabs


# Merged, named, protected


def test_merging_keeps_the_first_value_and_cannot_cut_a_merge(book: Spreadsheet) -> None:
    do(book, {"mergeCells": {"range": box(1, 0, 3, 2)}})

    assert values(book, "A2:B3") == [["William"]]
    assert refused(book, {"mergeCells": {"range": box(2, 0, 4, 1)}}) == (
        "Invalid requests[0].mergeCells: You must select all cells in a merged range to merge or unmerge them."
    )
    do(book, {"unmergeCells": {"range": box(0, 0, 5, 5)}})
    assert "merges" not in sheet(book)


def protection(*editors: str, **more: Any) -> dict[str, Any]:
    record = {"range": box(0, 0, 1, 3), "editors": {"users": list(editors)}, **more}
    return {"addProtectedRange": {"protectedRange": record}}


def test_protected_cells_accept_only_their_editors_and_the_owner(book: Spreadsheet) -> None:
    do(book, protection("friend@example.com"), caller="owner@example.com")
    writing = {"updateCells": {"start": A1, "rows": texts(["x"]), "fields": "userEnteredValue"}}

    said = refused(book, writing, caller="stranger@example.com")

    assert said == (
        "Invalid requests[0].updateCells: You are trying to edit a protected cell or object. "
        "Please contact the spreadsheet owner to remove protection if you need to edit."
    )
    with pytest.raises(ApiError):
        book.values_update("A1", {"values": [["x"]]}, value_input="RAW", caller="stranger@example.com")
    with pytest.raises(ApiError):
        book.values_clear("Sheet1", caller="stranger@example.com")
    book.values_update("A2", {"values": [["x"]]}, value_input="RAW", caller="stranger@example.com")
    for caller in ("friend@example.com", "owner@example.com"):
        do(book, writing, caller=caller)


def test_the_protecting_account_stays_an_editor_and_others_are_not_told_the_editors(book: Spreadsheet) -> None:
    do(book, protection(description="header"), caller="robot@example.com")

    mine = book.get(caller="robot@example.com")["sheets"][0]["protectedRanges"][0]
    theirs = book.get(caller="stranger@example.com")["sheets"][0]["protectedRanges"][0]
    assert mine["requestingUserCanEdit"] is True
    assert set(mine["editors"]["users"]) == {"owner@example.com", "robot@example.com"}
    assert "editors" not in theirs
    assert "requestingUserCanEdit" not in theirs


def test_a_mere_warning_stops_no_write(book: Spreadsheet) -> None:
    do(book, protection(warningOnly=True))

    book.values_update("A1", {"values": [["x"]]}, value_input="RAW", caller="stranger@example.com")


# Rules, filters, banding


# Sorting, replacing, pasting


def test_sorting_puts_numbers_before_text_and_empties_last(book: Spreadsheet) -> None:
    column = [["b"], [2], [""], ["a"], [True], [1]]
    book.values_update("F1", {"values": column}, value_input="RAW")

    for order, expected in (("ASCENDING", [1, 2, "a", "b", True]), ("DESCENDING", [True, "b", "a", 2, 1])):
        specs = [{"dimensionIndex": 5, "sortOrder": order}]
        do(book, {"sortRange": {"range": box(0, 5, 6, 6), "sortSpecs": specs}})
        assert values(book, "F1:F6") == [[value] for value in expected]


def test_sorted_rows_keep_together_with_their_formulas(book: Spreadsheet) -> None:
    specs = [{"dimensionIndex": 1, "sortOrder": "DESCENDING"}]
    do(book, {"sortRange": {"range": box(1, 0, 4, 3), "sortSpecs": specs}})

    assert values(book, "A2:C4") == [["Harald", 9000, 4500], ["William", 8000, 4000], ["Harold", 7000, 3500]]


def test_cut_cells_leave_their_place(book: Spreadsheet) -> None:
    destination = {"sheetId": 0, "rowIndex": 1, "columnIndex": 0}
    do(book, {"cutPaste": {"source": box(0, 0, 1, 2), "destination": destination}})

    assert values(book, "A1:B2") == [[], ["Name", "Men"]]


# Whatever is sent


def test_titles_and_ids_are_unique(book: Spreadsheet) -> None:
    assert refused(book, {"addSheet": {"properties": {"title": "sheet1"}}}) == (
        'Invalid requests[0].addSheet: A sheet with the name "sheet1" already exists. Please enter another name.'
    )
    assert refused(book, {"addSheet": {"properties": {"sheetId": 0, "title": "x"}}}).startswith(
        "Invalid requests[0].addSheet: "
    )


def test_the_last_visible_tab_cannot_be_removed(book: Spreadsheet) -> None:
    assert refused(book, {"deleteSheet": {"sheetId": 0}}) == (
        "Invalid requests[0].deleteSheet: You can't remove all the sheets in a document."
    )
    hiding = {"updateSheetProperties": {"properties": {"sheetId": 0, "hidden": True}, "fields": "hidden"}}
    assert refused(book, hiding) == (
        "Invalid requests[0].updateSheetProperties: You can't hide all the sheets in a document."
    )


def test_a_tab_is_copied_completely(book: Spreadsheet) -> None:
    do(book, {"mergeCells": {"range": box(5, 0, 7, 2)}})

    copied = {"duplicateSheet": {"sourceSheetId": 0, "insertSheetIndex": 1, "newSheetName": "Twin"}}
    properties = do(book, copied)[0]["duplicateSheet"]["properties"]

    assert (properties["title"], properties["index"]) == ("Twin", 1)
    assert values(book, "Twin") == values(book, "Sheet1")
    assert sheet(book, 1)["merges"][0]["sheetId"] == properties["sheetId"]


def test_columns_are_inserted_with_the_format_of_a_neighbour(book: Spreadsheet) -> None:
    bold = {"userEnteredFormat": {"textFormat": {"bold": True}}}
    do(
        book,
        {"repeatCell": {"range": box(0, 0, 1, 1), "cell": bold, "fields": "userEnteredFormat"}},
        {"insertDimension": {"range": span(1, 2, "COLUMNS"), "inheritFromBefore": True}},
    )

    assert cell(book, "B1", "userEnteredFormat") == bold
    assert values(book, "A1:C1") == [["Name", "", "Men"]]


@each(
    ("request_", "message"),
    [
        ({"deleteDimension": {"range": span(0, 1000)}}, "You can't delete all the rows on the sheet."),
        (
            {"deleteDimension": {"range": span(1000, 1001)}},
            "Cannot delete a row that doesn't exist. Tried to delete row index 1000 but there are only 1000 rows.",
        ),
        (
            {"insertDimension": {"range": span(0, 1), "inheritFromBefore": True}},
            "inheritFromBefore cannot be true when inserting at index 0.",
        ),
        (
            {"appendDimension": {"sheetId": 0, "dimension": "ROWS", "length": 400_000}},
            "This action would increase the number of cells in the workbook above the limit of 10000000 cells.",
        ),
    ],
)
def test_impossible_changes_of_rows_are_refused(book: Spreadsheet, request_: dict[str, Any], message: str) -> None:
    assert refused(book, request_) == f"Invalid requests[0].{next(iter(request_))}: {message}"


def test_a_row_stays_below_the_frozen_ones(book: Spreadsheet) -> None:
    frozen = {"properties": {"gridProperties": {"frozenRowCount": 1}}, "fields": "gridProperties.frozenRowCount"}
    do(book, {"updateSheetProperties": frozen})

    message = refused(book, {"deleteDimension": {"range": span(1, 1000)}})

    assert message == "Invalid requests[0].deleteDimension: Sorry, it is not possible to delete all non-frozen rows."


def test_sizes_and_hidden_rows_are_set(book: Spreadsheet) -> None:
    properties = {"pixelSize": 40, "hiddenByUser": True}
    wide = {"range": span(1, 2), "properties": properties, "fields": "pixelSize,hiddenByUser"}
    do(book, {"updateDimensionProperties": wide})

    found = book.get(ranges=["A1:A3"], fields="sheets.data.rowMetadata")["sheets"][0]["data"][0]["rowMetadata"]
    assert found == [{"pixelSize": 21}, {"hiddenByUser": True, "pixelSize": 40}, {"pixelSize": 21}]


def test_groups_nest(book: Spreadsheet) -> None:
    do(book, {"addDimensionGroup": {"range": span(1, 6)}})
    reply = do(book, {"addDimensionGroup": {"range": span(2, 4)}})[0]

    outer = {"range": {"dimension": "ROWS", "startIndex": 1, "endIndex": 6}, "depth": 1}
    inner = {"range": {"dimension": "ROWS", "startIndex": 2, "endIndex": 4}, "depth": 2}
    assert reply == {"addDimensionGroup": {"dimensionGroups": [outer, inner]}}
    assert sheet(book)["rowGroups"] == [outer, inner]


def test_conditional_formats_have_an_order(book: Spreadsheet) -> None:
    def rule(text: str) -> dict[str, Any]:
        condition = {"type": "TEXT_EQ", "values": [{"userEnteredValue": text}]}
        return {"ranges": [box(0, 0, 5, 1)], "booleanRule": {"condition": condition, "format": {}}}

    do(book, *({"addConditionalFormatRule": {"rule": rule(text), "index": 0}} for text in ("a", "b")))
    do(book, {"deleteConditionalFormatRule": {"sheetId": 0, "index": 1}})

    kept = sheet(book)["conditionalFormats"]
    assert [kept_rule["booleanRule"]["condition"]["values"][0]["userEnteredValue"] for kept_rule in kept] == ["b"]
    said = refused(book, {"deleteConditionalFormatRule": {"sheetId": 0, "index": 5}})
    assert said == "Invalid requests[0].deleteConditionalFormatRule: No conditional format on sheet: 0 at index: 5"


def test_a_rule_of_a_cell_is_set_and_removed(book: Spreadsheet) -> None:
    rule = {"condition": {"type": "ONE_OF_LIST", "values": [{"userEnteredValue": "Ready"}]}, "strict": True}
    do(book, {"setDataValidation": {"range": box(8, 0, 9, 1), "rule": rule}})
    assert cell(book, "A9", "dataValidation") == {"dataValidation": rule}

    do(book, {"setDataValidation": {"range": box(8, 0, 9, 1)}})
    assert cell(book, "A9", "dataValidation") == {}


def test_copies_fill_a_larger_destination(book: Spreadsheet) -> None:
    do(book, {"copyPaste": {"source": box(1, 1, 2, 3), "destination": box(10, 1, 12, 5)}})

    assert values(book, "B11:E12", "FORMULA") == [[8000, "=B11/2", 8000, "=D11/2"], [8000, "=B12/2", 8000, "=D12/2"]]


def test_a_filter_hides_rows(book: Spreadsheet) -> None:
    criteria = {"1": {"condition": {"type": "NUMBER_GREATER", "values": [{"userEnteredValue": "7500"}]}}}
    do(book, {"setBasicFilter": {"filter": {"range": box(0, 0, 4, 3), "criteria": criteria}}})

    rows = book.get(ranges=["A1:A4"], fields="sheets.data.rowMetadata")["sheets"][0]["data"][0]["rowMetadata"]
    assert [row.get("hiddenByFilter", False) for row in rows] == [False, False, True, False]


def made_up(luck: random.Random, kind: str, name: str = "", depth: int = 0) -> Any:
    """A message of that kind with anything in it."""
    if kind in SCHEMA.enums:
        return luck.choice(sorted(SCHEMA.enums[kind]))
    if kind in SCHEMA.messages:
        found: dict[str, Any] = {}
        for field, spec in SCHEMA.messages[kind].items():
            if depth < 6 and luck.random() < 0.6:
                count = luck.randint(0, 2)
                many = [made_up(luck, spec.kind, field, depth + 1) for _ in range(count)] if spec.is_list else None
                found[field] = made_up(luck, spec.kind, field, depth + 1) if many is None else many
        return found
    choices: dict[str, list[Any]] = {
        "int": [0, 1, 2, 5, 26, -1, 1000],
        "float": [0, 0.5, -3.25, 1e10],
        "bool": [True, False],
        "str": ["", "a", "=A1+B2", "=SUM(A:A)", "x y", "5", "[", "Sheet1!A1"],
        "any": [{}],
    }
    return luck.choice(["*", "note", "title", "name", ""] if name == "fields" else choices[kind])


@each("kind", sorted(HANDLERS))
def test_any_request_is_done_or_refused(kind: str) -> None:
    book, luck = begun(), random.Random(kind)
    before = book.to_json()
    for _ in range(12):
        request = {kind: made_up(luck, SCHEMA.messages["Request"][kind].kind)}
        refusal = None
        try:
            do(book, request)
        except ApiError as error:
            refusal = error
        if refusal:
            assert (refusal.code, book.to_json()) == (400, before)
        else:
            book.get(include_grid_data=True, ranges=["A1:C5"])
            before = book.to_json()
            assert Spreadsheet.from_json(before).to_json() == before
