"""The unmodified gspread and google-auth against the server: a round of what gspread can do."""

from __future__ import annotations

import gspread
import pytest
from gspread.utils import (
    DateTimeOption,
    Dimension,
    ExportFormat,
    InsertDataOption,
    MergeType,
    PasteType,
    ValidationConditionType,
    ValueInputOption,
    ValueRenderOption,
)

from scripts.support.sheets_server import AsGoogle

TYPED = ValueInputOption.user_entered


@pytest.fixture
def account(server):
    """A client of its own for each account; only its way to the network is changed."""
    made = []

    def client(email="robot@project.iam.gserviceaccount.com"):
        made.append(gspread.service_account_from_dict(server.key(email)))
        made[-1].http_client.session.mount("https://", AsGoogle(server.url))
        return made[-1]

    yield client
    for opened in made:
        opened.http_client.session.close()


@pytest.fixture
def gc(account):
    return account()


@pytest.fixture
def wars(gc):
    return gc.create("Wars")


@pytest.fixture
def tab(wars):
    """Three columns and three rows, text, numbers and a formula."""
    wars.sheet1.update([["Name", "Men", "Half"], ["Harold", 7000, "=B2/2"], ["William", 8000, "=B3/2"]], raw=False)
    return wars.sheet1


# Files.


def test_a_spreadsheet_is_created_found_opened_and_deleted(gc):
    made = gc.create("Wars")

    assert gc.open("Wars").id == gc.open_by_key(made.id).id == gc.open_by_url(made.url).id == made.id
    assert [file["name"] for file in gc.list_spreadsheet_files()] == ["Wars"]
    assert [book.title for book in gc.openall()] == ["Wars"]
    assert (made.title, made.locale, [sheet.title for sheet in made.worksheets()]) == ("Wars", "en_US", ["Sheet1"])
    gc.del_spreadsheet(made.id)
    with pytest.raises(gspread.SpreadsheetNotFound):
        gc.open_by_key(made.id)
    with pytest.raises(gspread.SpreadsheetNotFound):
        gc.open("Wars")


def test_an_unshared_spreadsheet_cannot_be_opened(server, gc):
    with pytest.raises(PermissionError):
        gc.open_by_key(server.make("Theirs", shares=[]))


def test_a_spreadsheet_is_created_in_a_folder(gc):
    made = gc.create("Wars", folder_id="folder")
    gc.create("Elsewhere")
    assert [file["id"] for file in gc.list_spreadsheet_files(folder_id="folder")] == [made.id]


def test_a_copy_takes_cells_permissions_and_comments_along(server, gc, tab, wars):
    wars.share("otto@example.com", perm_type="user", role="reader", notify=False)
    twin = gc.copy(wars.id, title="Twin", copy_permissions=True, copy_comments=True)

    assert twin.sheet1.get_all_values() == tab.get_all_values()
    assert {right["emailAddress"]: right["role"] for right in twin.list_permissions()} == {
        "robot@project.iam.gserviceaccount.com": "owner",
        "otto@example.com": "reader",
    }


def test_permissions_are_granted_revoked_and_transferred(account, wars):
    otto = account("otto@example.com")
    wars.share("otto@example.com", perm_type="user", role="writer", notify=True, email_message="look")
    assert otto.open_by_key(wars.id).sheet1.title == "Sheet1"

    (permission,) = (right["id"] for right in wars.list_permissions() if right["emailAddress"] == "otto@example.com")
    wars.transfer_ownership(permission)
    otto.open_by_key(wars.id).accept_ownership(permission)
    assert {right["role"] for right in wars.list_permissions() if right["id"] == permission} == {"owner"}

    wars.share(None, perm_type="anyone", role="reader", with_link=True)
    wars.share("example.org", perm_type="domain", role="reader")
    assert [right["type"] for right in wars.list_permissions()] == ["user", "user", "anyone", "domain"]
    assert len(wars.remove_permissions("example.org", role="reader")) == 1


def test_times_and_exports_come_from_drive(server, gc, wars, tab):
    assert wars.creationTime <= wars.get_lastUpdateTime()
    assert wars.export(ExportFormat.CSV) == b"Name,Men,Half\r\nHarold,7000,3500\r\nWilliam,8000,4000"
    assert gc.export(wars.id, ExportFormat.EXCEL)[:2] == b"PK"
    gc.import_csv(wars.id, "a,b\n1,2\n")
    assert [sheet.get_all_values() for sheet in wars.worksheets()] == [[["a", "b"], ["1", "2"]]]


def test_properties_of_the_spreadsheet_are_updated(wars):
    wars.update_title("Peace")
    wars.update_locale("de_DE")
    wars.update_timezone("Europe/Berlin")
    found = wars.fetch_sheet_metadata()["properties"]
    assert (found["title"], found["locale"], found["timeZone"]) == ("Peace", "de_DE", "Europe/Berlin")


# Tabs.


def test_tabs_are_added_found_copied_ordered_and_deleted(wars):
    first, second = wars.sheet1, wars.add_worksheet("Second", rows=5, cols=3)
    third = wars.duplicate_sheet(second.id, insert_sheet_index=0, new_sheet_name="Third")
    assert [sheet.title for sheet in wars.worksheets()] == ["Third", "Sheet1", "Second"]
    assert (second.row_count, second.col_count) == (5, 3)
    assert wars.get_worksheet(0).id == wars.get_worksheet_by_id(third.id).id == wars.worksheet("Third").id == third.id

    wars.reorder_worksheets([first, second, third])
    assert [sheet.title for sheet in wars.worksheets()] == ["Sheet1", "Second", "Third"]
    second.duplicate(new_sheet_name="Fourth")
    wars.del_worksheet(second)
    wars.del_worksheet_by_id(third.id)
    assert {sheet.title for sheet in wars.worksheets()} == {"Sheet1", "Fourth"}
    with pytest.raises(gspread.WorksheetNotFound):
        wars.worksheet("Second")
    with pytest.raises(gspread.exceptions.APIError, match="already exists"):
        wars.add_worksheet("Fourth", 1, 1)


def test_a_tab_is_copied_to_another_spreadsheet(gc, tab):
    other = gc.create("Other")
    tab.copy_to(other.id)
    assert other.worksheet("Copy of Sheet1").acell("A2").value == "Harold"


def test_a_tab_s_format_is_updated(wars, tab):
    tab.update_title("Leaders")
    tab.update_tab_color("#FF8000")
    tab.freeze(rows=1, cols=1)
    tab.hide_gridlines()
    tab.resize(rows=20, cols=10)
    tab.hide_columns(0, 1)
    tab.hide_rows(1, 2)
    tab.columns_auto_resize(0, 2)
    wars.add_worksheet("Other", 1, 1)
    tab.hide()
    seen = wars.worksheet("Leaders")

    assert (seen.row_count, seen.col_count, seen.frozen_row_count, seen.frozen_col_count) == (20, 10, 1, 1)
    assert (seen.isSheetHidden, seen.is_gridlines_hidden) == (True, True)
    assert seen.get_tab_color() == "#FF8000"
    for undo in (tab.show, tab.show_gridlines, tab.clear_tab_color):
        undo()
    tab.unhide_columns(0, 1)
    tab.unhide_rows(1, 2)
    assert wars.worksheet("Leaders").get_tab_color() is None
    tab.update_index(2)  # counted before the move
    assert [sheet.title for sheet in wars.worksheets()] == ["Other", "Leaders"]


# Values.


def test_values_are_read_in_every_format(tab):
    assert tab.get_all_values() == [["Name", "Men", "Half"], ["Harold", "7000", "3500"], ["William", "8000", "4000"]]
    assert tab.get("B2:C3", value_render_option=ValueRenderOption.formula) == [[7000, "=B2/2"], [8000, "=B3/2"]]
    assert tab.get("A2:B3", major_dimension=Dimension.cols) == [["Harold", "William"], ["7000", "8000"]]
    assert tab.get_all_records() == [
        {"Name": "Harold", "Men": 7000, "Half": 3500},
        {"Name": "William", "Men": 8000, "Half": 4000},
    ]
    assert (tab.row_values(2), tab.col_values(1)) == (["Harold", "7000", "3500"], ["Name", "Harold", "William"])
    assert tab.cell(2, 2).numeric_value == 7000
    assert [cell.value for cell in tab.range("A1:B2")] == ["Name", "Men", "Harold", "7000"]
    assert tab.batch_get(["A1", "A2:B3"])[1] == [["Harold", "7000"], ["William", "8000"]]
    assert tab.get_values("A4:B9", pad_values=True) == [[]]
    assert (tab.find("William").row, len(tab.findall("7000"))) == (3, 1)


def test_dates_are_read_as_numbers_or_text(tab):
    tab.update([["2020-01-01"]], "A1", value_input_option=TYPED)
    number = {"value_render_option": ValueRenderOption.unformatted}
    assert tab.get("A1", **number) == [[43831]]
    text = tab.get("A1", **number, date_time_render_option=DateTimeOption.formatted_string)
    assert text == [["2020-01-01"]]


def test_values_are_written_in_every_format(tab):
    tab.update_acell("A1", "Leader")
    tab.update_cell(2, 2, 7001)
    cells = tab.range("B3:C3")
    for cell in cells:
        cell.value = "x"
    tab.update_cells(cells)
    tab.batch_update([{"range": "A5", "values": [["5"]]}, {"range": "B5:C5", "values": [[None, 6]]}])
    answer = tab.update([["=1+2"]], "D1", include_values_in_response=True, raw=True)

    assert answer["updatedData"]["values"] == [["=1+2"]]
    assert tab.get(value_render_option=ValueRenderOption.unformatted) == [
        ["Leader", "Men", "Half", "=1+2"],
        ["Harold", 7001, 3500.5],
        ["William", "x", "x"],
        [],
        ["5", "", 6],
    ]
    tab.batch_clear(["A1:D1", "A5"])
    assert tab.get("A1:D5")[0] == []
    tab.clear()
    assert tab.get_all_values() == [[]]


def test_rows_are_appended_and_inserted(tab):
    first = tab.append_row(["Edgar", 10], table_range="A1")
    tab.append_rows([["Tostig", 1], ["Hardrada", 2]], insert_data_option=InsertDataOption.insert_rows, table_range="A1")
    tab.insert_row(["Leaders"], 1)
    tab.insert_rows([["a"], ["b"]], 2)
    tab.insert_cols([["new 1", "new 2"]], 1)

    assert first["updates"]["updatedRange"] == "Sheet1!A4:B4"
    assert [row[:2] for row in tab.get_all_values()] == [
        ["new 1", "Leaders"],
        ["new 2", "a"],
        ["", "b"],
        ["", "Name"],
        ["", "Harold"],
        ["", "William"],
        ["", "Edgar"],
        ["", "Tostig"],
        ["", "Hardrada"],
    ]
    tab.delete_rows(1, 3)
    tab.delete_columns(1)
    assert tab.col_values(1) == ["Name", "Harold", "William", "Edgar", "Tostig", "Hardrada"]


def test_rows_are_sorted_and_the_grid_grows(tab):
    tab.sort((2, "des"), range="A2:C3")
    assert tab.col_values(1) == ["Name", "William", "Harold"]
    tab.add_rows(5)
    tab.add_cols(2)
    assert (tab.row_count, tab.col_count) == (1005, 28)


def test_cells_are_copied_cut_and_expanded(tab):
    tab.copy_range("A1:B2", "E1:F2", paste_type=PasteType.values)
    tab.cut_range("A3:B3", "A9")
    assert tab.get("E1:F2") == [["Name", "Men"], ["Harold", "7000"]]
    assert tab.get("A9:B9") == [["William", "8000"]]
    assert tab.expand("E1") == [["Name", "Men"], ["Harold", "7000"]]


def test_errors_equal_google_s(tab, wars):
    with pytest.raises(gspread.exceptions.APIError, match="Unable to parse range: NOPE!A1"):
        wars.values_get("NOPE!A1")
    with pytest.raises(gspread.exceptions.APIError, match="exceeds grid limits"):
        tab.update([["x"]], "ZZ1")


# What is not in cells.


def test_formats_merges_notes_and_validations_are_written(wars, tab):
    tab.format("A1:C1", {"textFormat": {"bold": True}, "backgroundColor": {"red": 1}})
    tab.batch_format([{"range": "B2:B3", "format": {"numberFormat": {"type": "NUMBER", "pattern": "#,##0"}}}])
    assert tab.acell("B2").value == "7,000"

    tab.merge_cells("A2:A3", MergeType.merge_all)
    assert tab.get("A2:B3") == [["Harold", "7,000"], ["", "8,000"]]
    assert tab.get("A2:B3", combine_merged_cells=True) == [["Harold", "7,000"], ["Harold", "8,000"]]
    tab.batch_merge([{"range": "G1:H1", "mergeType": MergeType.merge_all}])
    tab.unmerge_cells("A2:A3")
    assert len(wars.fetch_sheet_metadata()["sheets"][0]["merges"]) == 1

    tab.insert_note("A1", "who leads")
    tab.update_notes({"B1": "how many", "C1": "half of them"})
    assert tab.get_note("A1") == "who leads"
    assert tab.get_notes(grid_range="A1:C1") == [["who leads", "how many", "half of them"]]
    tab.clear_notes(["A1", "B1", "C1"])
    assert tab.get_note("A1") == ""

    tab.add_validation("B2:B3", ValidationConditionType.number_greater, ["0"], strict=True, inputMessage="men")
    shown = wars.fetch_sheet_metadata({"ranges": "Sheet1!B2", "fields": "sheets.data.rowData.values.dataValidation"})
    rule = shown["sheets"][0]["data"][0]["rowData"][0]["values"][0]["dataValidation"]
    assert rule == {
        "condition": {"type": "NUMBER_GREATER", "values": [{"userEnteredValue": "0"}]},
        "inputMessage": "men",
        "strict": True,
    }


def test_named_and_protected_ranges_groups_and_filters_are_written(wars, tab):
    named = tab.define_named_range("A2:A3", "Leaders")["replies"][0]["addNamedRange"]["namedRange"]
    assert [cell.value for cell in wars.named_range("Leaders")] == ["Harold", "William"]
    assert [listed["name"] for listed in wars.list_named_ranges()] == ["Leaders"]
    tab.delete_named_range(named["namedRangeId"])
    assert wars.list_named_ranges() == []

    tab.add_protected_range("A1:C1", description="header", warning_only=False)
    (protected,) = wars.list_protected_ranges(tab.id)
    assert protected["description"] == "header"
    tab.delete_protected_range(protected["protectedRangeId"])
    assert wars.list_protected_ranges(tab.id) == []

    tab.add_dimension_group_rows(1, 3)
    tab.add_dimension_group_columns(0, 2)
    assert [group["range"]["startIndex"] for group in tab.list_dimension_group_rows()] == [1]
    tab.delete_dimension_group_rows(1, 3)
    tab.delete_dimension_group_columns(0, 2)
    assert tab.list_dimension_group_rows() == tab.list_dimension_group_columns() == []

    tab.set_basic_filter("A1:C3")
    assert "basicFilter" in wars.fetch_sheet_metadata()["sheets"][0]
    tab.clear_basic_filter()
    assert "basicFilter" not in wars.fetch_sheet_metadata()["sheets"][0]
