"""From planned changes to the requests of one batch, without any server."""

from datetime import UTC, datetime
from typing import Any

import pytest

from sheets_algo.workbook.changes import AppendRow, ChangeSet, NewTab, SetCell
from sheets_algo.workbook.errors import RefusedChange, StaleWorkbook
from sheets_algo.workbook.google.commit.draft import TabEdits, make_draft
from sheets_algo.workbook.google.commit.precheck import ranges
from sheets_algo.workbook.google.commit.requests import extended_value
from sheets_algo.workbook.google.commit.writing import body, requests
from sheets_algo.workbook.google.read.titles import GoogleTab, KnownTabs, Titles
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.snapshot import Sheet, Snapshot
from sheets_algo.workbook.values import Value
from tests.helpers.rows import each
from tests.helpers.tabs import key, keys

NOON = datetime(1970, 1, 1, 12, tzinfo=UTC)
TITLES = Titles(
    "Our season",
    (
        GoogleTab(7, "War Requests", 0, rows=1000, columns=20, mark="War Requests"),
        GoogleTab(8, "Nations", 1, rows=50, columns=3, mark="Nations"),
        GoogleTab(9, "Log", 2, rows=10, columns=5),
    ),
)
SEEN = Snapshot({})


def batch(changes: ChangeSet) -> list[dict[str, Any]]:
    return requests(make_draft(changes, SEEN, TITLES, KnownTabs()).edits, changes, NOON)


def kinds(made: list[dict[str, Any]]) -> list[str]:
    return [kind for request in made for kind in request]


def test_values_are_sent_with_types() -> None:
    cases = [
        ("=France", {"stringValue": "=France"}),
        ("007", {"stringValue": "007"}),
        ("TRUE", {"stringValue": "TRUE"}),
        (True, {"boolValue": True}),
        (False, {"boolValue": False}),
        (0, {"numberValue": 0}),
        (87.5, {"numberValue": 87.5}),
        (None, {}),
    ]
    assert [(value, extended_value(value)) for value, _ in cases] == cases


def test_neighbours_in_a_row_share_a_request() -> None:
    cells = (
        SetCell(key("Nations"), 3, 3, 8),
        SetCell(key("Nations"), 3, 2, None),
        SetCell(key("Nations"), 5, 1, "Wales"),
    )

    assert batch(ChangeSet(cells=cells)) == [
        {
            "updateCells": {
                "start": {"sheetId": 8, "rowIndex": 2, "columnIndex": 1},
                "rows": [{"values": [{}, {"userEnteredValue": {"numberValue": 8}}]}],
                "fields": "userEnteredValue",
            }
        },
        {
            "updateCells": {
                "start": {"sheetId": 8, "rowIndex": 4, "columnIndex": 0},
                "rows": [{"values": [{"userEnteredValue": {"stringValue": "Wales"}}]}],
                "fields": "userEnteredValue",
            }
        },
    ]


def test_a_column_of_cells_is_one_request() -> None:
    made = batch(ChangeSet(cells=tuple(SetCell(key("War Requests"), row, 4, f"{row}") for row in range(2, 202))))

    assert kinds(made) == ["updateCells"]
    assert len(made[0]["updateCells"]["rows"]) == 200


def test_blocks_end_where_width_or_row_changes() -> None:
    places = [(2, 1), (2, 2), (3, 1), (5, 1), (6, 1), (6, 4)]

    made = batch(ChangeSet(cells=tuple(SetCell(key("Nations"), row, column, 1) for row, column in places)))

    starts = [request["updateCells"]["start"] for request in made if "updateCells" in request]
    assert [(at["rowIndex"] + 1, at["columnIndex"] + 1) for at in starts] == [(2, 1), (3, 1), (5, 1), (6, 4)]


def test_the_guard_precedes_tabs_room_cells_rows_and_marks() -> None:
    changes = ChangeSet(
        tabs=(NewTab(key("Receipts"), ("Seq", "Request")),),
        cells=(SetCell(key("Nations"), 52, 4, 1), SetCell(key("Log"), 1, 1, "Seq")),
        rows=(AppendRow(key("Receipts"), (1, "W-0001")),),
        guard=17,
        head=Head(18, "ab" * 16),
    )

    made = batch(changes)

    assert kinds(made) == [
        "createDeveloperMetadata",
        "addSheet",
        "appendDimension",
        "appendDimension",
        "updateCells",
        "updateCells",
        "updateCells",
        "appendCells",
        "createDeveloperMetadata",
        "createDeveloperMetadata",
    ]
    assert made[0]["createDeveloperMetadata"]["developerMetadata"] == {
        "metadataId": 1_066_000_017,
        "metadataKey": "sheets-algo",
        "metadataValue": f"43200  18-{'ab' * 16}",
        "location": {"spreadsheet": True},
        "visibility": "DOCUMENT",
    }
    assert [request["appendDimension"] for request in made[2:4]] == [
        {"sheetId": 8, "dimension": "ROWS", "length": 2},
        {"sheetId": 8, "dimension": "COLUMNS", "length": 1},
    ]
    marks = [request["createDeveloperMetadata"]["developerMetadata"] for request in made[-2:]]
    assert [(mark["metadataKey"], mark["metadataValue"]) for mark in marks] == [
        ("sheets-algo-tab", "Receipts"),
        ("sheets-algo-tab", "Log"),
    ]


def test_wide_rows_make_room_for_themselves() -> None:
    made = batch(ChangeSet(rows=(AppendRow(key("Nations"), (1, 2, 3, 4, 5)),)))

    assert made[0] == {"appendDimension": {"sheetId": 8, "dimension": "COLUMNS", "length": 2}}


def test_added_rows_lose_their_trailing_blanks_and_blank_rows_are_left_out() -> None:
    rows = (
        AppendRow(key("Nations"), ("Wales", None, "")),
        AppendRow(key("Nations"), (None, "")),
        AppendRow(key("Nations"), (None, 5)),
    )

    made = batch(ChangeSet(rows=rows))

    assert made == [
        {
            "appendCells": {
                "sheetId": 8,
                "rows": [
                    {"values": [{"userEnteredValue": {"stringValue": "Wales"}}]},
                    {"values": [{}, {"userEnteredValue": {"numberValue": 5}}]},
                ],
                "fields": "userEnteredValue",
            }
        }
    ]


def test_a_new_tab_gets_the_same_unused_id_from_every_computer() -> None:
    first = make_draft(ChangeSet(tabs=(NewTab(key("Receipts"), ()),)), SEEN, TITLES, KnownTabs()).edits[0].tab
    again = make_draft(ChangeSet(tabs=(NewTab(key("Receipts"), ()),)), SEEN, TITLES, KnownTabs()).edits[0].tab
    taken = Titles("", (GoogleTab(first.id, "Something else", 0, 1, 1),))

    other = make_draft(ChangeSet(tabs=(NewTab(key("Receipts"), ()),)), SEEN, taken, KnownTabs()).edits[0].tab

    assert first.id == again.id
    assert 0 <= first.id < 2**31
    assert other.id == first.id + 1


@each(
    ("changes", "says"),
    [
        (ChangeSet(rows=(AppendRow(key("Flanks"), ("x",)),)), "Flanks: there is no tab of this name"),
        (ChangeSet(tabs=(NewTab(key("nations "), ()),)), "nations: there is a tab of this name already"),
        (ChangeSet(tabs=(NewTab(key("x" * 101), ()),)), "1 to 100 characters"),
        (
            ChangeSet(cells=(SetCell(key("Nations"), 2, 1, 1), SetCell(key("NATIONS"), 2, 1, 2))),
            "Nations!A2: two values",
        ),
        (
            ChangeSet(rows=(AppendRow(key("Log"), (1, "x" * 40_000)),)),
            "Log, the row to be added, column B: the text has",
        ),
    ],
)
def test_a_refusal_gives_place_and_reason(changes: ChangeSet, says: str) -> None:
    with pytest.raises(RefusedChange, match=says):
        batch(changes)


def test_a_vanished_tab_makes_the_plan_stale() -> None:
    seen = Snapshot({key("flanks"): Sheet("Flanks", {})})

    with pytest.raises(StaleWorkbook, match="Flanks: the tab is gone"):
        make_draft(ChangeSet(rows=(AppendRow(key("Flanks"), ("x",)),)), seen, TITLES, KnownTabs())


def test_a_plan_names_a_renamed_tab_by_its_key() -> None:
    known = KnownTabs()
    known.find(TITLES, keys("Nations"))
    renamed = Titles("", (GoogleTab(8, "Peoples", 0, 50, 3),))
    seen = Snapshot({key("Nations"): Sheet("Peoples", {})})

    draft = make_draft(ChangeSet(cells=(SetCell(key("Nations"), 2, 1, "x"),)), seen, renamed, known)
    assert (draft.edits[0].tab.id, draft.edits[0].key.name) == (8, "Nations")


def test_a_batch_of_more_than_nine_megabytes_is_refused_in_a_sentence() -> None:
    rows = tuple(AppendRow(key("Log"), ("x" * 32_767,)) for _ in range(280))

    with pytest.raises(RefusedChange, match=r"would write is 9\.\d MB, more than the 9 MB"):
        body(batch(ChangeSet(rows=rows)), [])


def edits(tab: GoogleTab, *rows: int, heads: int = 1) -> TabEdits:
    return TabEdits(tab, key(tab.title), heads, cells={(row, 1): "x" for row in rows})


def test_the_check_reads_edited_rows_and_headers_within_the_grid() -> None:
    requests, nations, log = TITLES.tabs

    assert ranges([edits(requests, 5, 12, 13, 40, 2000, heads=3), edits(log, 2, 11)]) == [
        "'War Requests'!1:3",
        "'War Requests'!5:5",
        "'War Requests'!12:13",
        "'War Requests'!40:40",
        "'Log'!1:2",
    ]
    assert ranges([TabEdits(nations, "Nations", rows=[(1,)])]) == ["'Nations'!1:1"]


def test_headers_end_with_the_last_of_the_first_ten_rows_that_is_all_text() -> None:
    def heads(*rows: tuple[Value, ...]) -> int:
        seen = Snapshot({key("nations"): Sheet("Nations", dict(enumerate(rows, start=1)))})
        return make_draft(ChangeSet(rows=(AppendRow(key("Nations"), (1,)),)), seen, TITLES, KnownTabs()).edits[0].heads

    assert heads(("Nation", "Stability"), ("England", 100), ("Norway", 80)) == 1
    assert heads(("Our season",), (None, "in 1066"), ("Nation", "Stability"), ("England", 100)) == 3
    assert heads(*[("all", "text")] * 12) == 10
    assert heads() == 1


def test_distant_rows_are_read_in_fewer_ranges_if_the_address_is_too_long() -> None:
    tab = GoogleTab(1, "戦争" * 20, 0, rows=1_000_000, columns=5)

    asked = ranges([edits(tab, *range(20, 20_000, 20))])

    assert asked == [tab.range(1, 19_980)]
