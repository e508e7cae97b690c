"""Rows that a ruling adds to people's tabs, in files and in spreadsheets: where they land, whatever waits there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table

from scripts.support.workbooks import NOW, undo
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.repair.reconcile import reconcile
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.store import Workbook
from sheets_algo.workbook.xlsx import XlsxWorkbook
from tests.helpers.tabs import key
from tests.helpers.village_ruleset import BARNS, Grid, barns, building, forms, grids, harvest, pass_context, read, run
from tests.workbook.google.season import Season

OLD = [["Old Barn", 35, True, "oak"], ["Mill", 1]]
BUILT = building("B-1", "Old Barn", "Long Barn", "Hut")
TYPES = [type(form) for form in forms()]


def saved(path: Path, cells: dict[str, Grid], dress: Callable[[Any], None] = lambda sheet: None) -> XlsxWorkbook:
    """A file with these cells, whose tab Barns somebody has dressed."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in cells.items():
        sheet = book.create_sheet(name)
        for number, row in enumerate(rows, start=1):
            for column, value in enumerate(row, start=1):
                sheet.cell(number, column).value = value  # type: ignore[assignment]
    dress(book["Barns"])
    book.save(path)
    return XlsxWorkbook(path)


def shared(cells: dict[str, Grid], dress: Callable[[Season], Sequence[dict[str, Any]]] | None = None) -> Season:
    season = Season.begun(cells)
    if dress:
        season.person(*dress(season))
    return season


def block(season: Season, first: int, last: int) -> dict[str, Any]:
    """Rows of the tab Barns, from 1, ends included, over its four columns."""
    sheet = season.sheet_id("Barns")
    return {
        "sheetId": sheet,
        "startRowIndex": first - 1,
        "endRowIndex": last,
        "startColumnIndex": 0,
        "endColumnIndex": 4,
    }


def formatted_below(sheet: Any) -> None:
    """Colours, a bold font, a drop-down and a width, down to row 200, and no value."""
    for row in range(2, 201):
        for column in range(1, 5):
            sheet.cell(row, column).fill = PatternFill("solid", fgColor="FFEEDD")
            sheet.cell(row, column).font = Font(bold=True)
    check = DataValidation(type="list", formula1='"TRUE,FALSE"')
    check.add("C2:C200")
    sheet.add_data_validation(check)


def online_formatted_below(season: Season) -> list[dict[str, Any]]:
    rows = block(season, 2, 200)
    boxes = rows | {"startColumnIndex": 2, "endColumnIndex": 3}
    bold = {"userEnteredFormat": {"textFormat": {"bold": True}}}
    return [
        {"repeatCell": {"range": rows, "cell": bold, "fields": "userEnteredFormat"}},
        {"setDataValidation": {"range": boxes, "rule": {"condition": {"type": "BOOLEAN"}}}},
    ]


@pytest.mark.parametrize("where", ["file", "spreadsheet"])
def test_formats_and_drop_downs_below_the_last_row_are_not_content(tmp_path: Path, where: str) -> None:
    cells = grids(OLD, (), [BUILT])
    book: Workbook
    if where == "file":
        book = saved(tmp_path / "game.xlsx", cells, formatted_below)
    else:
        book = shared(cells, online_formatted_below).workbook()

    run(book)

    assert barns(book) == {"Old Barn": [15, True, "oak"], "Mill": [1], "Long Barn": [5], "Hut": [5]}
    sheet = read(book).sheet(key("Barns"))
    assert sheet is not None
    assert sheet.last_row == 5
    if where == "file":
        new = openpyxl.load_workbook(tmp_path / "game.xlsx")["Barns"]["A4"]
        assert (new.value, new.font.bold, new.fill.fgColor.rgb) == ("Long Barn", True, "00FFEEDD")
    run(book)  # of a new Pending tab only a second look can tell that all is well
    assert not run(book).writes.changes


@pytest.mark.parametrize("where", ["file", "spreadsheet"])
def test_unticked_boxes_wait_for_rows(tmp_path: Path, where: str) -> None:
    """As after Insert, Checkbox over a whole column: each of its cells holds FALSE."""
    cells = grids([*OLD, *[[None, None, False]] * 20], (), [BUILT])
    book = saved(tmp_path / "game.xlsx", cells) if where == "file" else shared(cells).workbook()

    run(book)

    assert list(barns(book)) == ["Old Barn", "Mill", "Long Barn", "Hut", None]
    assert barns(book)["Hut"] == [5, False]
    sheet = read(book).sheet(key("Barns"))
    assert sheet is not None
    assert sheet.last_row == 23
    run(book)  # of a new Pending tab only a second look can tell that all is well
    assert not run(book).writes.changes


def test_an_excel_table_grows_with_the_rows(tmp_path: Path) -> None:
    book = saved(
        tmp_path / "game.xlsx",
        grids(OLD, (), [BUILT]),
        lambda sheet: sheet.add_table(Table(displayName="Barns1", ref="A1:D3")),
    )

    run(book)

    assert openpyxl.load_workbook(tmp_path / "game.xlsx")["Barns"].tables["Barns1"].ref == "A1:D5"


@pytest.mark.parametrize("where", ["file", "spreadsheet"])
def test_a_new_row_is_written_with_the_last_ruling_s_values_and_undone_stepwise(tmp_path: Path, where: str) -> None:
    """The harvest fills the barn that the pass before has built; its rulings are taken back in reverse order."""
    cells = grids(OLD, [harvest("H-1", "Hut", 20)], [BUILT])
    book = saved(tmp_path / "game.xlsx", cells) if where == "file" else shared(cells).workbook()

    assert run(book).findings.answers[0].cells.status == "Waiting"
    made = run(book)

    filled = made.findings.answers[0].cells.figures
    assert filled is not None
    assert barns(book)["Hut"] == [filled.values["Grain Now"]]
    for request in ("H-1", "B-1"):
        snapshot = read(book)
        book.commit(snapshot, undo(snapshot, forms(), request, NOW)[1])
    assert barns(book) == {"Old Barn": [35, True, "oak"], "Mill": [1]}


def test_a_protected_tab_blocks_only_the_row_s_request(tmp_path: Path) -> None:
    season = shared(grids([["Old Barn", 35]], [harvest("H-1", "Old Barn", 1)], [BUILT]))
    area = block(season, 3, 1000)
    del area["endRowIndex"], area["endColumnIndex"]  # everything below the first barn
    season.person({"addProtectedRange": {"protectedRange": {"range": area, "editors": {"users": []}}}})
    book = season.workbook()

    with pytest.raises(RefusedChange) as refusal:
        run(book)
    made = run(book, blocked=refusal.value.obstacles)

    assert list(refusal.value.obstacles) == [(key("Barns"), 0, 0)]
    assert [answer.cells.status for answer in made.findings.answers] == ["Done", "Invalid"]
    assert list(barns(book)) == ["Old Barn"]


def insert_row(season: Season) -> dict[str, Any]:
    rows = {"sheetId": season.sheet_id("Barns"), "dimension": "ROWS", "startIndex": 1, "endIndex": 2}
    return {"insertDimension": {"range": rows, "inheritFromBefore": False}}


def insert_column(season: Season) -> dict[str, Any]:
    columns = {"sheetId": season.sheet_id("Barns"), "dimension": "COLUMNS", "startIndex": 1, "endIndex": 2}
    return {"insertDimension": {"range": columns, "inheritFromBefore": False}}


def sort(season: Season) -> dict[str, Any]:
    order = {"dimensionIndex": 0, "sortOrder": "ASCENDING"}
    return {"sortRange": {"range": block(season, 2, 3), "sortSpecs": [order]}}


def add_a_barn(season: Season) -> dict[str, Any]:
    """Somebody types into the very row that the program is about to add."""
    rows = [{"values": [{"userEnteredValue": {"stringValue": "My Barn"}}]}]
    start = {"sheetId": season.sheet_id("Barns"), "rowIndex": 3, "columnIndex": 0}
    return {"updateCells": {"start": start, "rows": rows, "fields": "userEnteredValue"}}


@pytest.mark.parametrize("act", [insert_row, insert_column, sort, add_a_barn], ids=lambda act: act.__name__)
def test_rows_are_placed_right_while_people_edit_the_tab(
    act: Callable[[Season], dict[str, Any]],
) -> None:
    season = shared(grids(OLD, (), [BUILT]))
    book = season.workbook()
    before = read(book)
    changes = plan_pass(before, pass_context(), NOW).writes.changes
    season.person(act(season), before_request=1, match="write")

    done = book.commit(before, changes)
    found = read(book)
    mended = reconcile(before, changes, found, TYPES).changes
    assert done.is_displaced or not mended
    book.commit(found, mended)

    heads, *rows = [row for row in season.tab("Barns") if row]
    stand = {row[heads.index("Barn")]: row[heads.index("Grain")] for row in rows if len(row) > heads.index("Grain")}
    assert stand == {"Old Barn": 15, "Mill": 1, "Long Barn": 5, "Hut": 5}
    assert sorted(filter(None, heads)) == sorted(BARNS)
    assert not reconcile(before, changes, read(book), TYPES).changes
    assert not run(book).rulings
