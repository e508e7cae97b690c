"""A Google spreadsheet as a workbook, over real HTTP, beyond the contract that every backend keeps."""

from datetime import UTC, datetime, timedelta

import pytest

from scripts.support.shared_sheets import sheets
from sheets_algo.template.posts_tab import posts_tab
from sheets_algo.workbook.addresses import letters
from sheets_algo.workbook.changes import AppendRow, ChangeSet, NewTab, Picture, SetCell
from sheets_algo.workbook.errors import RefusedChange, StaleWorkbook, WorkbookUnavailable
from sheets_algo.workbook.staleness import cell_of
from sheets_algo.workbook.store import RemoteLook, RequestCounts
from tests.helpers.tabs import key, keys
from tests.workbook.google.season import TABS, Season, Spent, cell, commit

RULING = ChangeSet(
    cells=(SetCell(key("War Requests"), 2, 4, "Done"), SetCell(key("Nations"), 2, 2, 95, 100)),
    rows=(AppendRow(key("Receipts"), (2, "W-0001")),),
    guard=2,
)


@pytest.fixture
def season() -> Season:
    return Season.begun()


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def test_an_idle_pass_is_one_read(season: Season) -> None:
    workbook = season.workbook()
    workbook.read(keys(*TABS), keys("Log"))
    spent = Spent()

    for _ in range(5):
        workbook.read(keys(*TABS), keys("Log"))

    assert (spent.reads, spent.writes) == (5, 0)


def test_a_commit_is_one_check_and_one_write(season: Season) -> None:
    workbook = season.workbook()
    snapshot = workbook.read(keys(*TABS))
    spent = Spent()

    assert not workbook.commit(snapshot, RULING).is_displaced

    assert (spent.reads, spent.writes) == (1, 1)
    assert season.tab("War Requests")[1] == ["W-0001", "Hastings", True, "Done"]
    assert season.tab("Nations")[1] == ["England", 95]
    assert season.tab("Receipts") == [["Seq", "Request"], [1, "W-0000"], [2, "W-0001"]]


def test_the_name_is_the_spreadsheet_s_title_after_the_first_read(season: Season) -> None:
    workbook = season.workbook()
    assert workbook.name == season.id

    workbook.read(keys("Nations"))

    assert workbook.name == "Our season"
    assert workbook.url == f"https://docs.google.com/spreadsheets/d/{season.id}"


def test_another_process_s_poll_supplies_the_name_and_remaining_reads(season: Season) -> None:
    workbook = season.workbook()

    workbook.note_remote(RemoteLook("Our season", RequestCounts(reads=3), 57), 2.0)

    assert (workbook.name, workbook.reads_left) == ("Our season", 57)
    assert workbook.requests is not None
    assert workbook.requests.reads == 3


def test_values_keep_their_types(season: Season) -> None:
    season.person(
        {
            "updateCells": {
                "start": {"sheetId": season.sheet_id("Nations"), "rowIndex": 4, "columnIndex": 0},
                "rows": [
                    {
                        "values": [
                            {"userEnteredValue": {"stringValue": "007"}},
                            {"userEnteredValue": {"numberValue": 7}},
                            {"userEnteredValue": {"boolValue": False}},
                            {"userEnteredValue": {"formulaValue": "=6/4"}},
                            {"userEnteredValue": {"formulaValue": "=1/0"}},
                            {"userEnteredValue": {"stringValue": ""}},
                        ]
                    }
                ],
                "fields": "userEnteredValue",
            }
        }
    )

    row = season.workbook().read(keys("Nations")).sheets[key("nations")].rows[5]

    assert list(row) == ["007", 7, False, 1.5, "#DIV/0!"]
    assert [type(value) for value in row[:4]] == [str, int, bool, float]


def test_merged_cells_are_read(season: Season) -> None:
    """B2:C3 of Nations."""
    area = {"startRowIndex": 1, "endRowIndex": 3, "startColumnIndex": 1, "endColumnIndex": 3}
    season.person({"mergeCells": {"range": {"sheetId": season.sheet_id("Nations"), **area}, "mergeType": "MERGE_ALL"}})

    assert season.workbook().read(keys("Nations")).sheets[key("nations")].merged == ((2, 2, 3, 3),)


def test_a_renamed_tab_stays_that_tab(season: Season) -> None:
    workbook = season.workbook()
    workbook.read(keys(*TABS))
    rename(season, "War Requests", "Wars of 1066")
    spent = Spent()

    snapshot = workbook.read(keys(*TABS))

    assert spent.reads == 3  # refused, titles, values
    assert snapshot.sheets[key("war requests")].title == "Wars of 1066"
    workbook.commit(snapshot, ChangeSet(cells=(SetCell(key("Wars of 1066"), 2, 4, "Done"),)))
    assert season.tab("Wars of 1066")[1][3] == "Done"


def test_a_written_tab_is_found_under_a_new_name_after_a_restart(season: Season) -> None:
    commit(season.workbook(), RULING)
    rename(season, "War Requests", "Wars of 1066")
    rename(season, "Nations", "Peoples")

    snapshot = season.workbook().read(keys(*TABS))

    assert {tab.folded: sheet.title for tab, sheet in snapshot.sheets.items()} == {
        "war requests": "Wars of 1066",
        "nations": "Peoples",
        "receipts": "Receipts",
    }


def test_tabs_are_marked_once(season: Season) -> None:
    workbook = season.workbook()
    commit(workbook, RULING)
    commit(workbook, ChangeSet(cells=(SetCell(key("Nations"), 3, 2, 70, 80),)))
    commit(season.workbook(), ChangeSet(cells=(SetCell(key("Nations"), 3, 2, 75, 70),)))

    shown = sheets().show(season.id, fields="sheets(properties.title,developerMetadata(metadataKey,metadataValue))")

    marks = {sheet["properties"]["title"]: sheet["developerMetadata"] for sheet in shown["sheets"]}
    assert marks == {tab: [{"metadataKey": "sheets-algo-tab", "metadataValue": tab}] for tab in TABS}


def test_a_tab_added_by_a_person_is_found_within_ten_minutes(season: Season) -> None:
    clock = Clock()
    workbook = season.workbook(clock)
    workbook.read(keys("Nations", "Locations"))
    season.person({"addSheet": {"properties": {"title": "Locations"}}})

    clock.now += timedelta(minutes=10)

    assert set(workbook.read(keys("Nations", "Locations")).sheets) == set(keys("nations", "locations"))


def test_a_spreadsheet_without_any_of_the_tabs_is_looked_up_each_time() -> None:
    season = Season.begun({"Sheet1": []})
    workbook = season.workbook()
    assert workbook.read(keys(*TABS)).sheets == {}

    season.person({"addSheet": {"properties": {"title": "Nations"}}})

    assert set(workbook.read(keys(*TABS)).sheets) == set(keys("nations"))


def test_two_tabs_of_one_name_are_reported_until_one_is_renamed(season: Season) -> None:
    workbook = season.workbook()
    season.person({"addSheet": {"properties": {"title": "nations "}}})

    with pytest.raises(WorkbookUnavailable, match=r'"Nations" and "nations ?" differ in capitals or spaces only'):
        workbook.read(keys("Nations"))

    rename(season, "nations ", "Old")
    assert workbook.read(keys("Nations")).sheets[key("nations")].title == "Nations"


def test_a_deleted_tab_is_absent(season: Season) -> None:
    workbook = season.workbook()
    workbook.read(keys(*TABS))
    season.person({"deleteSheet": {"sheetId": season.sheet_id("Nations")}})

    assert set(workbook.read(keys(*TABS)).sheets) == set(keys("war requests", "receipts"))


def test_two_programs_cannot_write_the_same_receipt(season: Season) -> None:
    one, other = season.workbook(), season.workbook()
    of_one, of_other = one.read(keys(*TABS)), other.read(keys(*TABS))
    rival = ChangeSet(
        cells=(SetCell(key("War Requests"), 3, 4, "Done"),), rows=(AppendRow(key("Receipts"), (2, "W-2")),), guard=2
    )

    one.commit(of_one, RULING)
    with pytest.raises(StaleWorkbook, match="Receipt 2 has been written meanwhile"):
        other.commit(of_other, rival)

    assert len(season.tab("Receipts")) == 3
    assert season.tab("War Requests")[2] == ["W-0002", "Manzikert", True]


def test_the_grid_grows_for_new_content(season: Season) -> None:
    """1000 rows and 26 columns as they begin; row 1002, column AB and a row of 30 cells."""
    cells = (SetCell(key("Nations"), 1002, 1, "Far"), SetCell(key("Nations"), 2, 28, "Wide"))
    rows = (AppendRow(key("Receipts"), tuple(range(30))),)

    done = commit(season.workbook(), ChangeSet(cells=cells, rows=rows))

    assert not done.is_displaced
    assert season.tab("Nations")[1001] == ["Far"]
    assert season.tab("Nations")[1][27] == "Wide"
    assert season.tab("Receipts")[2] == list(range(30))


def test_a_request_below_the_read_grid_is_written(season: Season) -> None:
    """A person made the tab longer since the titles were read."""
    workbook = season.workbook()
    workbook.read(keys(*TABS))
    nations = season.sheet_id("Nations")
    season.person({"appendDimension": {"sheetId": nations, "dimension": "ROWS", "length": 500}})
    season.person(cell(nations, 1400, 1, "Denmark"))

    commit(workbook, ChangeSet(cells=(SetCell(key("Nations"), 1400, 2, 55),)))

    assert season.tab("Nations")[1399] == ["Denmark", 55]


def test_many_scattered_rows_take_one_check(season: Season) -> None:
    workbook = season.workbook()
    snapshot = workbook.read(keys(*TABS))
    spent = Spent()

    workbook.commit(
        snapshot, ChangeSet(cells=tuple(SetCell(key("Nations"), row, 2, row) for row in range(20, 1000, 3)))
    )

    assert (spent.reads, spent.writes) == (1, 1)


def test_a_cell_with_a_formula_is_not_written(season: Season) -> None:
    formula = {"userEnteredValue": {"formulaValue": "=50+50"}}
    start = {"sheetId": season.sheet_id("Nations"), "rowIndex": 1, "columnIndex": 1}
    season.person({"updateCells": {"start": start, "rows": [{"values": [formula]}], "fields": "userEnteredValue"}})
    before = season.everything()

    with pytest.raises(RefusedChange, match="Nations!B2: the cell holds a formula"):
        commit(season.workbook(), RULING)
    assert season.everything() == before


def test_a_clock_in_the_row_does_not_delay_its_ruling(season: Season) -> None:
    """A number that a formula makes may differ at every look."""
    workbook = season.workbook()
    requests = season.sheet_id("War Requests")
    start = {"sheetId": requests, "rowIndex": 1, "columnIndex": 5}
    formula = {"userEnteredValue": {"formulaValue": "=H1*2"}}
    season.person({"updateCells": {"start": start, "rows": [{"values": [formula]}], "fields": "userEnteredValue"}})
    season.type_in("War Requests", 11, 8, 1)
    season.person(
        {
            "updateCells": {
                "start": start,
                "rows": [{"values": [{"userEnteredValue": {"formulaValue": "=H11*2"}}]}],
                "fields": "userEnteredValue",
            }
        }
    )
    snapshot = workbook.read(keys(*TABS))
    assert cell_of(snapshot.sheet(key("War Requests")), 2, 6) == 2
    season.type_in("War Requests", 11, 8, 21)

    workbook.commit(snapshot, RULING)

    assert season.tab("War Requests")[1] == ["W-0001", "Hastings", True, "Done", "", 42]


def test_a_cell_inside_merged_cells_is_not_written(season: Season) -> None:
    area = {"startRowIndex": 1, "endRowIndex": 2, "startColumnIndex": 2, "endColumnIndex": 4}
    season.person(
        {"mergeCells": {"range": {"sheetId": season.sheet_id("War Requests"), **area}, "mergeType": "MERGE_ALL"}}
    )

    with pytest.raises(RefusedChange, match="merged cells C2:D2; nothing was written: unmerge them"):
        commit(season.workbook(), RULING)


def protect(season: Season, **what: object) -> dict[str, object]:
    """Only the person may edit."""
    sheet = {"sheetId": season.sheet_id("Nations")}
    area = what.pop("range", {})
    assert isinstance(area, dict)
    return {"addProtectedRange": {"protectedRange": {"range": {**sheet, **area}, "editors": {"users": []}, **what}}}


@pytest.mark.parametrize(
    ("range", "says"),
    [
        ({}, "Nations!B2: the tab is protected"),
        ({"startColumnIndex": 1, "endColumnIndex": 2}, r"Nations!B2: the range B:B is protected"),
        (
            {"startRowIndex": 0, "endRowIndex": 5, "startColumnIndex": 1, "endColumnIndex": 3},
            r"Nations!B2: the range B1:C5 is protected",
        ),
    ],
)
def test_protected_cells_are_reported_and_nothing_is_written(season: Season, range: dict[str, int], says: str) -> None:
    season.person(protect(season, range=range, description="hands off"))
    before = season.everything()

    with pytest.raises(RefusedChange, match=says) as refusal:
        commit(season.workbook(), RULING)
    assert '("hands off")' in str(refusal.value)
    assert season.everything() == before


def test_protections_of_other_cells_and_mere_warnings_do_not_matter(season: Season) -> None:
    season.person(
        protect(season, range={"startColumnIndex": 0, "endColumnIndex": 1}),
        protect(season, warningOnly=True),
        protect(season, unprotectedRanges=[{"sheetId": season.sheet_id("Nations"), "startColumnIndex": 1}]),
    )

    commit(season.workbook(), RULING)

    assert season.tab("Nations")[1] == ["England", 95]


def test_rows_are_not_added_to_protected_columns(season: Season) -> None:
    season.person(protect(season, range={"startColumnIndex": 1, "endColumnIndex": 2}))

    with pytest.raises(RefusedChange, match="Nations!B: the range B:B is protected"):
        commit(season.workbook(), ChangeSet(rows=(AppendRow(key("Nations"), ("Wales", 5)),)))
    assert season.tab("Nations") == TABS["Nations"]


def test_a_write_without_an_answer_is_checked_and_not_repeated(season: Season) -> None:
    """An empty write takes its turn; it is taken, and by the write itself."""
    workbook = season.workbook()
    snapshot = workbook.read(keys(*TABS))
    spent = Spent()
    sheets().fault("503", match="write", when="after")

    done = workbook.commit(snapshot, RULING)

    assert done.remarks == ("No answer came to the write, but it was carried out.",)
    assert done.is_displaced  # as nobody has seen where it landed
    assert (spent.reads, spent.writes) == (2, 2)
    assert len(season.tab("Receipts")) == 3
    with pytest.raises(StaleWorkbook):
        commit(workbook, RULING)
    assert len(season.tab("Receipts")) == 3


def test_a_new_tab_is_found_again_and_has_a_frozen_header(season: Season) -> None:
    workbook = season.workbook()
    commit(
        workbook,
        ChangeSet(tabs=(NewTab(key("Log"), ("Seq", "Text")),), rows=(AppendRow(key("Log"), (1, "=It begins")),)),
    )

    assert workbook.read(keys("Log")).sheets[key("log")].rows == {1: ("Seq", "Text"), 2: (1, "=It begins")}
    shown = sheets().show(season.id, fields="sheets.properties(title,gridProperties)")
    log = next(sheet["properties"] for sheet in shown["sheets"] if sheet["properties"]["title"] == "Log")
    assert log["gridProperties"] == {"rowCount": 1000, "columnCount": 26, "frozenRowCount": 1}


def test_a_new_tab_has_the_drop_down_lists_of_its_description(season: Season) -> None:
    """PST-09: a person chooses what becomes of a post, or types more."""
    tab = posts_tab()
    header = tuple(str(text) for text in tab.top_row)
    commit(
        season.workbook(), ChangeSet(tabs=(NewTab(key("Posts"), header, tab),), rows=(AppendRow(key("Posts"), (2,)),))
    )

    column = letters(header.index("Action") + 1)
    fields = "sheets.data.rowData.values.dataValidation"
    shown = sheets().show(season.id, ranges=[f"Posts!{column}1:{column}3"], fields=fields)
    rows = shown["sheets"][0]["data"][0]["rowData"]
    rules = [row.get("values", [{}])[0].get("dataValidation") for row in rows]
    assert rules[0] is None
    for rule in rules[1:3]:
        words = [value["userEnteredValue"] for value in rule["condition"]["values"]]
        assert (rule["condition"]["type"], words, rule.get("strict", False)) == (
            "ONE_OF_LIST",
            ["Send again", "Posted"],
            False,
        )


MAP = Picture(key("Battle Map"), b"", text="=Hastings is the file hastings.png.")


def test_the_address_of_a_picture_is_written_with_the_ruling(season: Season) -> None:
    changes = ChangeSet(tabs=(NewTab(key("Battle Map"), ()),), rows=RULING.rows, guard=2, pictures=(MAP,))
    workbook = season.workbook()
    snapshot = workbook.read(keys(*TABS))
    spent = Spent()

    assert workbook.commit(snapshot, changes).remarks == ()

    assert (spent.reads, spent.writes) == (1, 1)
    assert season.tab("Battle Map") == [[MAP.text]]


def test_the_address_of_a_picture_replaces_the_coloured_cells_of_old_versions(season: Season) -> None:
    commit(season.workbook(), ChangeSet(tabs=(NewTab(key("Battle Map"), ()),)))
    area = {"range": {"sheetId": season.sheet_id("Battle Map"), "endRowIndex": 60, "endColumnIndex": 20}}
    cyan = {"userEnteredFormat": {"backgroundColor": {"green": 1, "blue": 1}}, "userEnteredValue": {"stringValue": "L"}}
    season.person({"repeatCell": area | {"cell": cyan, "fields": "*"}})

    commit(season.workbook(), ChangeSet(pictures=(MAP,)))

    shown = sheets().show(season.id, include_grid_data=True)
    (sheet,) = (sheet for sheet in shown["sheets"] if sheet["properties"]["title"] == "Battle Map")
    cells = [cell for data in sheet["data"] for row in data.get("rowData", ()) for cell in row.get("values", ())]
    assert [cell["userEnteredValue"] for cell in cells if "userEnteredValue" in cell] == [{"stringValue": MAP.text}]
    assert not [cell for cell in cells if "backgroundColor" in cell.get("userEnteredFormat", {})]


@pytest.mark.parametrize("forced", [False, True])
def test_a_protected_tab_of_the_picture_leaves_the_ruling_and_a_remark(season: Season, forced: bool) -> None:
    commit(season.workbook(), ChangeSet(tabs=(NewTab(key("Battle Map"), ()),)))
    area = {"sheetId": season.sheet_id("Battle Map"), "endRowIndex": 1}
    season.person({"addProtectedRange": {"protectedRange": {"range": area, "editors": {"users": []}}}})

    done = commit(season.workbook(), ChangeSet(rows=RULING.rows, guard=2, pictures=(MAP,), forced=forced))

    assert done.remarks == ("Battle Map: it is protected, so its text stays as it is: unprotect it.",)
    assert len(season.tab("Receipts")) == 3
    assert season.tab("Battle Map") == []


def rename(season: Season, old: str, new: str) -> None:
    properties = {"sheetId": season.sheet_id(old), "title": new}
    season.person({"updateSheetProperties": {"properties": properties, "fields": "title"}})


FORMULAS = {"War Requests": [2, 3], "Nations": [2]}


@pytest.mark.parametrize(
    ("tab", "row", "column", "formula", "is_found"),
    [
        ("Nations", 3, 2, "=B2-20", True),
        ("Nations", 3, 3, "=B2-20", False),
        ("War Requests", 2, 2, '=CONCATENATE("Hast", "ings")', True),
        ("Receipts", 2, 2, "=A2", False),
    ],
)
def test_formulas_are_searched_in_the_columns_that_are_read(season, tab, row, column, formula, is_found) -> None:
    workbook = season.workbook()
    columns = {key(name): places for name, places in FORMULAS.items()}
    assert not workbook.has_formulas(workbook.read(keys(*TABS)), columns)
    edit = cell(season.sheet_id(tab), row, column, formula)
    edit["updateCells"]["rows"] = [{"values": [{"userEnteredValue": {"formulaValue": formula}}]}]
    season.person(edit)
    snapshot, spent = workbook.read(keys(*TABS)), Spent()

    assert workbook.has_formulas(snapshot, columns) is is_found
    assert (spent.reads, spent.writes) == (1, 0)


def test_a_tab_that_was_renamed_may_have_formulas(season: Season) -> None:
    workbook = season.workbook()
    snapshot = workbook.read(keys(*TABS))
    properties = {"sheetId": season.sheet_id("Nations"), "title": "Realms"}
    season.person({"updateSheetProperties": {"properties": properties, "fields": "title"}})

    assert workbook.has_formulas(snapshot, {key("nations"): [2]})
