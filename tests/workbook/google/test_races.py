"""A person who works in the spreadsheet while the program does: between its read and its look, and before its write."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from sheets_algo.workbook.changes import AppendRow, ChangeSet, CommitResult, SetCell
from sheets_algo.workbook.errors import RefusedChange, StaleWorkbook
from tests.helpers.rows import each
from tests.helpers.tabs import key, keys
from tests.workbook.google.season import TABS, Season, cell

RULING = ChangeSet(
    cells=(SetCell(key("War Requests"), 2, 4, "Done"), SetCell(key("Nations"), 2, 2, 95, 100)),
    rows=(AppendRow(key("Receipts"), (2, "W-0001")),),
    guard=2,
)
RULING_RENAMED = replace(RULING, cells=(SetCell(key("Wars of 1066"), 2, 4, "Done"), RULING.cells[1]))

Requests = Sequence[dict[str, Any]]
Act = Callable[[Season], Requests]


def rows(sheet: int, first: int, last: int) -> dict[str, Any]:
    """Rows from 1, ends included."""
    return {"sheetId": sheet, "dimension": "ROWS", "startIndex": first - 1, "endIndex": last}


def block(sheet: int, first: int, last: int) -> dict[str, Any]:
    return {"sheetId": sheet, "startRowIndex": first - 1, "endRowIndex": last}


def titled(sheet: int, title: str) -> dict[str, Any]:
    return {"updateSheetProperties": {"properties": {"sheetId": sheet, "title": title}, "fields": "title"}}


def insert_row_above(season: Season) -> Requests:
    return [{"insertDimension": {"range": rows(season.sheet_id("War Requests"), 2, 2), "inheritFromBefore": False}}]


def delete_row(season: Season) -> Requests:
    return [{"deleteDimension": {"range": rows(season.sheet_id("War Requests"), 2, 2)}}]


def sort(season: Season) -> Requests:
    order = {"dimensionIndex": 0, "sortOrder": "DESCENDING"}
    return [{"sortRange": {"range": block(season.sheet_id("Nations"), 2, 4), "sortSpecs": [order]}}]


def move_row(season: Season) -> Requests:
    source = rows(season.sheet_id("War Requests"), 2, 2)
    return [{"moveDimension": {"source": source, "destinationIndex": 4}}]


def edit_inputs(season: Season) -> Requests:
    return [cell(season.sheet_id("War Requests"), 2, 2, "Fulford")]


def insert_column(season: Season) -> Requests:
    columns = {"sheetId": season.sheet_id("Nations"), "dimension": "COLUMNS", "startIndex": 1, "endIndex": 2}
    return [{"insertDimension": {"range": columns, "inheritFromBefore": False}}]


def copy_row_over(season: Season) -> Requests:
    sheet = season.sheet_id("War Requests")
    return [{"copyPaste": {"source": block(sheet, 3, 3), "destination": block(sheet, 2, 2)}}]


def copy_row_below(season: Season) -> Requests:
    sheet = season.sheet_id("War Requests")
    return [{"copyPaste": {"source": block(sheet, 2, 2), "destination": block(sheet, 20, 20)}}]


def edit_another_row(season: Season) -> Requests:
    return [cell(season.sheet_id("War Requests"), 20, 2, "Fulford")]


def rename_tab(season: Season) -> Requests:
    return [titled(season.sheet_id("War Requests"), "Wars of 1066")]


def swap_tab_names(season: Season) -> Requests:
    one, other = season.sheet_id("War Requests"), season.sheet_id("Nations")
    return [titled(one, "for a moment"), titled(other, "War Requests"), titled(one, "Nations")]


def replace_tab(season: Season) -> Requests:
    """By a copy that takes its name."""
    old = season.sheet_id("Nations")
    return [
        {"duplicateSheet": {"sourceSheetId": old, "newSheetId": 4711, "newSheetName": "Copy of Nations"}},
        titled(old, "Old nations"),
        titled(4711, "Nations"),
    ]


def protect(season: Season) -> Requests:
    area = {"range": {"sheetId": season.sheet_id("Nations")}, "editors": {"users": []}}
    return [{"addProtectedRange": {"protectedRange": area}}]


def delete_tab(season: Season) -> Requests:
    return [{"deleteSheet": {"sheetId": season.sheet_id("Nations")}}]


def delete_rows_to_the_end(season: Season) -> Requests:
    return [{"deleteDimension": {"range": rows(season.sheet_id("Nations"), 2, 1000)}}]


MOVES = [insert_row_above, delete_row, sort, move_row, edit_inputs, insert_column, copy_row_over]
HARMLESS = [copy_row_below, edit_another_row]


@pytest.fixture
def season() -> Season:
    return Season.begun()


def commit_after(season: Season, act: Act) -> CommitResult:
    """The person acts between the read and the look."""
    workbook = season.workbook()
    snapshot = workbook.read(keys(*TABS))
    season.person(*act(season))
    return workbook.commit(snapshot, RULING)


def commit_under(season: Season, act: Act) -> CommitResult:
    """The person acts between the look and the write."""
    workbook = season.workbook()
    snapshot = workbook.read(keys(*TABS))
    season.person(*act(season), before_request=1, match="write")
    return workbook.commit(snapshot, RULING)


def is_ruled(season: Season, requests: str = "War Requests", nations: str = "Nations") -> bool:
    """Whether the ruling stands where it belongs, and once."""
    status = [row[0] for row in season.tab(requests) if row and row[-1] == "Done"]
    stability = {row[0]: row[1] for row in season.tab(nations)[1:]}
    receipts = [row[1] for row in season.tab("Receipts")[1:]]
    return (status, stability["England"], receipts) == (["W-0001"], 95, ["W-0000", "W-0001"])


@each("act", [*MOVES, swap_tab_names, replace_tab, delete_tab, delete_rows_to_the_end])
def test_rows_moved_before_the_check_make_the_plan_stale(act: Act) -> None:
    season = Season.begun()
    workbook = season.workbook()
    snapshot = workbook.read(keys(*TABS))
    season.person(*act(season))
    before = season.everything()

    with pytest.raises(StaleWorkbook):
        workbook.commit(snapshot, RULING)

    assert season.everything() == before


@each("act", HARMLESS)
def test_unrelated_edits_before_the_check_do_not_matter(act: Act) -> None:
    season = Season.begun()
    assert not commit_after(season, act).is_displaced
    assert is_ruled(season)


def test_a_tab_renamed_before_the_check_is_written(season: Season) -> None:
    assert not commit_after(season, rename_tab).is_displaced
    assert is_ruled(season, "Wars of 1066")


def test_a_tab_protected_before_the_check_is_refused(season: Season) -> None:
    with pytest.raises(RefusedChange, match="Nations!B2: the tab is protected"):
        commit_after(season, protect)
    assert season.everything() == TABS_AS_THEY_WERE


@each("act", MOVES)
def test_rows_moved_under_the_write_are_reported(act: Act) -> None:
    season = Season.begun()
    assert commit_under(season, act).is_displaced


@each("act", HARMLESS)
def test_unrelated_edits_under_the_write_do_not_matter(act: Act) -> None:
    season = Season.begun()
    assert not commit_under(season, act).is_displaced
    assert is_ruled(season)


@each(("act", "requests", "nations"), [(swap_tab_names, "Nations", "War Requests"), (replace_tab, "War Requests", "")])
def test_a_write_reaches_the_checked_tabs(act: Act, requests: str, nations: str) -> None:
    season = Season.begun()
    commit_under(season, act)

    assert is_ruled(season, requests, nations or "Old nations")


def test_a_tab_renamed_under_the_write_is_read_again(season: Season) -> None:
    """Whether the write is done then is Google's own affair; the next pass sees the receipt, or rules."""
    with suppress(StaleWorkbook):
        commit_under(season, rename_tab)

    if len(season.tab("Receipts")) == 2:
        workbook = season.workbook()
        workbook.commit(workbook.read(keys("Wars of 1066", "Nations", "Receipts")), RULING_RENAMED)
    assert is_ruled(season, "Wars of 1066")


@each("act", [delete_tab, delete_rows_to_the_end])
def test_a_write_to_a_deleted_tab_changes_nothing(act: Act) -> None:
    season = Season.begun()
    with pytest.raises(StaleWorkbook, match="Our season: somebody moved, renamed or deleted"):
        commit_under(season, act)

    assert season.tab("Receipts") == TABS["Receipts"]


def test_a_tab_protected_under_the_write_is_refused_and_nothing_is_written(season: Season) -> None:
    with pytest.raises(RefusedChange, match="Nations!B2: the tab is protected"):
        commit_under(season, protect)
    assert season.everything() == TABS_AS_THEY_WERE


def test_a_competing_write_goes_first(season: Season) -> None:
    """Two programs look at the same time; the guard decides."""
    workbook = season.workbook()
    snapshot = workbook.read(keys(*TABS))
    slot = {"metadataId": 1_066_000_002, "metadataKey": "sheets-algo", "metadataValue": "1", "visibility": "DOCUMENT"}
    season.person(
        {"createDeveloperMetadata": {"developerMetadata": {**slot, "location": {"spreadsheet": True}}}},
        before_request=1,
        match="write",
    )

    with pytest.raises(StaleWorkbook, match="Receipt 2 has been written meanwhile"):
        workbook.commit(snapshot, RULING)
    assert season.everything() == TABS_AS_THEY_WERE


@each("act", [*MOVES, swap_tab_names, replace_tab, rename_tab, delete_rows_to_the_end, *HARMLESS])
def test_the_next_pass_reads_the_current_state(act: Act) -> None:
    season = Season.begun()
    workbook = season.workbook()
    workbook.read(keys(*TABS))
    season.person(*act(season))

    seen = workbook.read(keys(*TABS))
    fresh = season.workbook().read(keys(*TABS))

    if act is not rename_tab:  # only who knew the tab before knows it under its new name
        assert seen.sheets == fresh.sheets  # titles of other tabs may be ten minutes old
    assert set(seen.sheets) == set(keys("war requests", "nations", "receipts"))


TABS_AS_THEY_WERE = {title: [list(row) for row in rows] for title, rows in TABS.items()}
