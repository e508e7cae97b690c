"""Which tab is meant by a name."""

from typing import Any

import pytest

from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.google.read.titles import GoogleTab, KnownTabs, Titles
from sheets_algo.workbook.tab_key import TabKey
from tests.helpers.rows import each
from tests.helpers.tabs import key, keys


def sheet(id: int, title: str, index: int, mark: str = "") -> dict[str, Any]:
    """As the API describes a tab."""
    grid = {"rowCount": 1000, "columnCount": 26}
    found: dict[str, Any] = {"properties": {"sheetId": id, "title": title, "index": index, "gridProperties": grid}}
    if mark:
        found["developerMetadata"] = [{"metadataKey": "sheets-algo-tab", "metadataValue": mark}]
    return found


def titles(*sheets: dict[str, Any]) -> Titles:
    return Titles.of("Our season", {"sheets": list(sheets)})


def ids(found: dict[TabKey, GoogleTab]) -> dict[str, int]:
    return {key.folded: tab.id for key, tab in found.items()}


def test_a_tab_is_found_by_its_title_despite_capitals_and_spaces() -> None:
    found = KnownTabs().find(titles(sheet(7, "War  requests", 0)), keys("War Requests", "Nations"))

    assert ids(found) == {"war requests": 7}
    assert found[key("war requests")].title == "War  requests"


def test_a_known_tab_is_followed_through_a_renaming() -> None:
    known = KnownTabs()
    known.find(titles(sheet(7, "War Requests", 0), sheet(8, "Nations", 1)), keys("War Requests", "Nations"))

    found = known.find(titles(sheet(7, "Wars of 1066", 0), sheet(8, "Nations", 1)), keys("War Requests", "Nations"))

    assert ids(found) == {"war requests": 7, "nations": 8}


def test_a_tab_with_the_name_takes_precedence_over_the_former_one() -> None:
    known = KnownTabs()
    known.find(titles(sheet(7, "Nations", 0)), keys("Nations"))

    assert ids(known.find(titles(sheet(7, "Nations of old", 0), sheet(9, "Nations", 1)), keys("Nations"))) == {
        "nations": 9
    }


def test_swapped_names_are_followed() -> None:
    known, names = KnownTabs(), keys("Nations", "Locations")
    known.find(titles(sheet(7, "Nations", 0), sheet(8, "Locations", 1)), names)

    found = known.find(titles(sheet(7, "Locations", 0), sheet(8, "Nations", 1)), names)

    assert ids(found) == {"locations": 7, "nations": 8}


def test_no_tab_counts_as_two() -> None:
    """Nations was renamed to Locations, which was deleted: there are no nations any more."""
    known, names = KnownTabs(), keys("Nations", "Locations")
    known.find(titles(sheet(7, "Nations", 0), sheet(8, "Locations", 1)), names)

    assert ids(known.find(titles(sheet(7, "Locations", 0)), names)) == {"locations": 7}


def test_a_mark_finds_a_renamed_tab_after_a_restart() -> None:
    assert ids(KnownTabs().find(titles(sheet(7, "Wars of 1066", 0, "War Requests")), keys("War Requests"))) == {
        "war requests": 7
    }


def test_a_title_precedes_a_mark_and_the_first_of_two_marks_counts() -> None:
    marked = (sheet(7, "Copy of Nations", 2, "Nations"), sheet(8, "Old nations", 1, "Nations"))

    assert ids(KnownTabs().find(titles(*marked), keys("Nations"))) == {"nations": 8}
    assert ids(KnownTabs().find(titles(*marked, sheet(9, "Nations", 3)), keys("Nations"))) == {"nations": 9}


def test_two_titles_with_one_name_are_reported() -> None:
    with pytest.raises(WorkbookUnavailable, match='Our season: the tabs "Nations" and "nations " differ'):
        KnownTabs().find(titles(sheet(1, "Nations", 0), sheet(2, "nations ", 1)), keys("Nations"))


def test_a_chart_sheet_is_not_a_tab() -> None:
    chart = {"properties": {"sheetId": 5, "title": "Nations", "index": 0, "sheetType": "OBJECT"}}

    assert KnownTabs().find(titles(chart), keys("Nations")) == {}


@each(
    ("title", "range"),
    [("Nations", "'Nations'!1:10"), ("D3", "'D3'!1:10"), ("William's wars", "'William''s wars'!1:10")],
)
def test_a_title_is_always_quoted(title: str, range: str) -> None:
    tab = GoogleTab.of(sheet(1, title, 0))

    assert tab
    assert tab.range(1, 10) == range


def test_merged_cells_count_from_1_to_their_last_cell() -> None:
    """A2:C4; on row 1 the first index is left out."""
    merges = [
        {"startRowIndex": 1, "endRowIndex": 4, "startColumnIndex": 0, "endColumnIndex": 3},
        {"endRowIndex": 1, "startColumnIndex": 3, "endColumnIndex": 5},
    ]

    tab = GoogleTab.of({**sheet(1, "Nations", 0), "merges": merges})

    assert tab
    assert tab.merged == ((2, 1, 4, 3), (1, 4, 1, 5))
