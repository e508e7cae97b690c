"""Rehearsals of changes to large tabs, of which only an outline is read: they say what a commit would say."""

from pathlib import Path

import pytest

from sheets_algo.workbook.changes import AppendRow, ChangeSet, SetCell
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.xlsx.edit.patch import plan_changes
from sheets_algo.workbook.xlsx.file.package import Package, SheetEntry
from sheets_algo.workbook.xlsx.read import sheetxml
from sheets_algo.workbook.xlsx.read.reader import read_sheet
from tests.workbook.xlsx.door import opened
from tests.workbook.xlsx.small import S, rows, sheet, table, workbook

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.xls[xm]"))


def planned(package: Package, changes: ChangeSet, *, is_rehearsal: bool) -> tuple[object, list[str]]:
    """The cells that would be written, and what would be said."""
    try:
        book = plan_changes(package, changes, is_rehearsal=is_rehearsal)
    except WorkbookError as error:
        return type(error), [str(error)]
    return [(tab.name, sorted(tab.writings), sorted(tab.dropped)) for tab in book.loaded_tabs()], book.remarks


def changes_of(package: Package, entry: SheetEntry) -> list[ChangeSet]:
    """A new row, and each of the first cells of a tab with another value, alone and all together."""
    tab = TabKey.named(entry.name)
    held = read_sheet(package, entry).rows
    cells = [SetCell(tab, row, column, "x") for row in [*held][:12] for column in range(1, 4)]
    row = AppendRow(tab, ("last", 5))
    return [ChangeSet(rows=(row,)), ChangeSet(cells=tuple(cells), rows=(row,)), *(ChangeSet(cells=(c,)) for c in cells)]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_rehearsal_on_an_outline_says_what_one_on_the_whole_says(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheetxml, "_LARGE", 0)
    package = Package.open(path)
    for entry in [entry for entry in package.sheets if entry.is_worksheet][:3]:
        for changes in changes_of(package, entry):
            whole = planned(package, changes, is_rehearsal=False)

            assert planned(package, changes, is_rehearsal=True) == whole, changes


def test_an_outline_keeps_what_a_rehearsal_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [{"A": f"n{number}", "B": str(number)} for number in range(2, 300)]
    lines[100]["C"] = "=B2*2|4"
    tail = '<mergeCells count="1"><mergeCell ref="A7:B7"/></mergeCells>'
    content = sheet(rows({"A": "Name", "B": "Men"}, *lines), tail=tail)
    package = opened(workbook({"S": content}, tables={"S": table("List", "A1:B299", "Name", "Men")}))
    part, is_whole = package.sheets[0].part, len(package.part(package.sheets[0].part))
    assert sheetxml.outline(package, part, {9}) == package.part(part)  # small

    monkeypatch.setattr(sheetxml, "_LARGE", 0)

    made = sheetxml.outline(package, part, {9})
    assert len(made) < is_whole * 0.7
    assert b"n9<" in made
    assert b"n10<" not in made
    assert b"B2*2" in made
    assert b"A7:B7" in made
    for changes in (
        ChangeSet(rows=(AppendRow(S, ("n", 1)),)),
        ChangeSet(cells=(SetCell(S, 102, 3, 1),)),
        ChangeSet(cells=(SetCell(S, 7, 2, 1),)),
        ChangeSet(cells=(SetCell(S, 1, 1, "Men"),)),
        ChangeSet(cells=(SetCell(S, 2, 2, 7),)),
    ):
        assert planned(package, changes, is_rehearsal=True) == planned(package, changes, is_rehearsal=False)
