"""What a look, and the same cells after the write, say: on answers as Google gives them, without any server."""

from dataclasses import replace
from typing import Any

import pytest

from sheets_algo.workbook.changes import ChangeSet, ComparedCells, SetCell
from sheets_algo.workbook.errors import RefusedChange, StaleWorkbook
from sheets_algo.workbook.google.commit.draft import Draft, make_draft
from sheets_algo.workbook.google.commit.precheck import Precheck, is_displaced, refuse_obstacles, refuse_stale
from sheets_algo.workbook.google.read.live_cells import cells_by_tab
from sheets_algo.workbook.google.read.titles import GoogleTab, KnownTabs, Titles
from sheets_algo.workbook.snapshot import Sheet, Snapshot
from sheets_algo.workbook.values import Plain
from tests.helpers.rows import each
from tests.helpers.tabs import key

TITLES = Titles("Our season", (GoogleTab(8, "Nations", 0, rows=50, columns=5),))
SEEN = Snapshot(
    {key("nations"): Sheet("Nations", {1: ("Nation", "Stability"), 2: ("England", 100, 1.5), 3: ("Norway", 80)})}
)
CHANGES = ChangeSet(cells=(SetCell(key("Nations"), 2, 2, 95, 100),))

Cell = dict[str, Any]


def typed(value: Plain) -> Cell:
    """A cell into which somebody put a value."""
    if value is None:
        return {}
    kind = "boolValue" if isinstance(value, bool) else "stringValue" if isinstance(value, str) else "numberValue"
    return {"userEnteredValue": {kind: value}, "effectiveValue": {kind: value}}


def formula(text: str, **shows: Any) -> Cell:
    return {"userEnteredValue": {"formulaValue": text}, "effectiveValue": shows}


def sheets(*rows: list[Cell]) -> list[dict[str, Any]]:
    """The tab's rows from row 1, in two ranges as two ranges were asked for."""
    head = {"rowData": [{"values": rows[0]}]}
    rest = {"startRow": 1, "rowData": [{"values": row} if row else {} for row in rows[1:]]}
    return [{"properties": {"sheetId": 8, "title": "Nations"}, "data": [head, rest]}]


def draft(changes: ChangeSet = CHANGES) -> Draft:
    return make_draft(changes, SEEN, TITLES, KnownTabs())


HEAD = [typed("Nation"), typed("Stability")]
HALF = formula("=3/2", numberValue=1.5)


def check(*rows: list[Cell], changes: ChangeSet = CHANGES) -> None:
    look = Precheck.of({"sheets": sheets(*rows)})
    refuse_stale(draft(changes), look, SEEN, changes)
    refuse_obstacles(draft().edits, look, forced=False)


@each(
    "england",
    [
        [typed("England"), typed(100), HALF],
        [typed("England"), typed(100.0), typed(1.5), {}, typed("")],
        [typed("England"), typed(100), formula("=NOW()", numberValue=46000.25)],
        [typed("England"), typed(100), formula("=FEED()", errorValue={"type": "N_A"})],
        [typed("England"), typed(100), {"effectiveValue": {"numberValue": 7}}],
    ],
    ids=["as it was", "spelled otherwise", "a clock", "a feed that fails", "a part of a formula's result"],
)
def test_a_row_in_its_place_may_be_written(england: list[Cell]) -> None:
    check(HEAD, england)


@each(
    ("head", "england", "says"),
    [
        (HEAD, [typed("Norway"), typed(100), HALF], 'Nations!A2: shows "Norway", but showed "England"'),
        (HEAD, [typed("England"), typed(90), HALF], "Nations!B2: shows 90, but showed 100"),
        (HEAD, [typed("England"), typed("100"), HALF], 'Nations!B2: shows "100", but showed 100'),
        (HEAD, [typed("England"), typed(100), typed(1.6)], r"Nations!C2: shows 1\.6, but showed 1\.5"),
        (HEAD, [typed("England"), typed(100), HALF, typed("new")], 'Nations!D2: shows "new", but showed nothing'),
        (HEAD, [], "Nations!B2: shows nothing, but showed 100"),
        ([typed("Nation"), typed("Rank"), typed("Stability")], [typed("England"), typed(100), HALF], "Nations!B1"),
    ],
    ids=["another", "edited", "text now", "beside it", "more", "gone", "a column inserted"],
)
def test_a_changed_row_is_stale(head: list[Cell], england: list[Cell], says: str) -> None:
    with pytest.raises(StaleWorkbook, match=says):
        check(head, england)


COMPARED = replace(CHANGES, compared={key("nations"): ComparedCells(header=1, columns=frozenset({1, 2}))})


@each(
    ("head", "england"),
    [
        (HEAD, [typed("England"), typed(100), typed("typed just now")]),
        (HEAD, [typed("England"), typed(100), formula("=TEXT(NOW();)", stringValue="12:01")]),
        ([typed("Nation"), typed("Stability"), typed("12:01")], [typed("England"), typed(100), HALF, typed("more")]),
    ],
    ids=["a column of people's own", "a clock as a text", "a header of their own"],
)
def test_irrelevant_cells_may_change_at_any_time_rcp_35(head: list[Cell], england: list[Cell]) -> None:
    check(head, england, changes=COMPARED)


@each(
    ("head", "england", "says"),
    [
        (HEAD, [typed("Norway"), typed(100), HALF], 'Nations!A2: shows "Norway", but showed "England"'),
        (HEAD, [typed("England"), typed(90), HALF], "Nations!B2: shows 90, but showed 100"),
        ([{}, *HEAD], [{}, typed("England"), typed(100)], 'Nations!B2: shows "England", but showed 100'),
    ],
    ids=["another row", "edited", "a column inserted"],
)
def test_deciding_cells_and_names_of_rows_are_compared_rcp_35(head: list[Cell], england: list[Cell], says: str) -> None:
    with pytest.raises(StaleWorkbook, match=says):
        check(head, england, changes=COMPARED)


@each(
    ("england", "is_moved"),
    [
        ([typed("England"), typed(95), typed("typed just now")], False),
        ([typed("Norway"), typed(95), formula("=B2/2")], True),
    ],
    ids=["a column of people's own", "another row"],
)
def test_only_deciding_cells_and_names_reveal_moved_rows_rcp_35(england: list[Cell], is_moved: bool) -> None:
    look = Precheck.of({"sheets": sheets(*BEFORE)})

    assert is_displaced(draft(COMPARED), look, cells_by_tab(sheets(HEAD, england))) == is_moved


@each(
    ("cell", "says"),
    [
        (
            formula("=50*2", numberValue=100),
            "Nations!B2: the cell holds a formula; nothing was written: put a value there, for the program writes this",
        ),
        ({"effectiveValue": {"numberValue": 100}}, "Nations!B2: the cell shows a part of the result of a formula"),
    ],
)
def test_values_of_formulas_are_not_overwritten(cell: Cell, says: str) -> None:
    with pytest.raises(RefusedChange, match=says):
        check(HEAD, [typed("England"), cell, HALF])


@each(
    ("row", "column", "says"),
    [(0, 1, "row 0, column 1 lies outside"), (2, 18_279, "row 2, column 18279 lies"), (10_000_001, 1, "lies outside")],
)
def test_cells_outside_any_sheet_are_refused(row: int, column: int, says: str) -> None:
    edits = make_draft(ChangeSet(cells=(SetCell(key("Nations"), row, column, 1),)), SEEN, TITLES, KnownTabs()).edits

    with pytest.raises(RefusedChange, match=says):
        refuse_obstacles(edits, Precheck.of({}), forced=False)


BEFORE = [HEAD, [typed("England"), typed(100), formula("=B2/2", numberValue=50)]]


@each(
    "after",
    [
        [HEAD, [typed("England"), typed(95), formula("=B2/2", numberValue=47.5)]],
        [HEAD, [typed("England"), typed(95.0), formula("=B2/2"), {}], [typed("Wales"), typed(1)]],
    ],
    ids=["written", "with an added row"],
)
def test_a_write_at_its_place_is_accepted(after: list[list[Cell]]) -> None:
    look = Precheck.of({"sheets": sheets(*BEFORE)})

    assert not is_displaced(draft(), look, cells_by_tab(sheets(*after)))


@each(
    "after",
    [
        [HEAD, [{}, typed(95)], [typed("England"), typed(100), formula("=B3/2")]],
        [HEAD, [typed("Norway"), typed(95)]],
        [[typed("Nation"), {}, typed("Stability")], [typed("England"), typed(95), typed(100), formula("=C2/2")]],
        [HEAD, [typed("England"), typed(95), formula("=B2/2"), typed("new")]],
        [HEAD],
    ],
    ids=["a row inserted", "deleted or sorted", "a column inserted", "edited beside it", "gone"],
)
def test_rows_moved_under_the_write_are_detected(after: list[list[Cell]]) -> None:
    look = Precheck.of({"sheets": sheets(*BEFORE)})

    assert is_displaced(draft(), look, cells_by_tab(sheets(*after)))


def test_a_tab_missing_from_the_answer_was_renamed_under_the_write() -> None:
    look = Precheck.of({"sheets": sheets(*BEFORE)})

    assert is_displaced(draft(), look, {})
