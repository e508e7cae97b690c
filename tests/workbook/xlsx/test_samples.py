"""Workbooks that nobody of this project wrote: after an edit exactly the planned parts differ and nothing is lost."""

import io
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import openpyxl
import pytest

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.changes import AppendRow, ChangeSet, SetCell
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.values import Uncalculated, Value
from sheets_algo.workbook.xlsx.edit.book import XlsxBook
from sheets_algo.workbook.xlsx.edit.patch import Patch
from sheets_algo.workbook.xlsx.file import areas
from sheets_algo.workbook.xlsx.file.package import Package, SheetEntry
from sheets_algo.workbook.xlsx.formulas.dependents import result_area
from sheets_algo.workbook.xlsx.read.reader import read_sheet
from tests.helpers.tabs import key
from tests.workbook.xlsx.door import edit
from tests.workbook.xlsx.small import office_versions, part, patched, planned, uncalculated, values

SAMPLES = Path(__file__).parent / "samples"
FILES = sorted(SAMPLES.glob("*.xls?"))
TEXT = "== Battle of Hastings == <1066> & more"

# Tabs whose first text is the header of a table that formulas call by name: that cell is refused, the rest is done.
CALLED_HEADERS = {("dynamic-arrays-external-link.xlsx", "Sheet2")}


def tabs() -> Iterator[tuple[Path, str]]:
    for file in FILES:
        for entry in Package.open(file).sheets:
            if entry.is_worksheet:
                yield file, entry.name


TABS = list(tabs())
EVERY_TAB = pytest.mark.parametrize(("file", "tab"), TABS, ids=[f"{file.name}-{tab}" for file, tab in TABS])


def edits(package: Package, file: Path, entry: SheetEntry) -> ChangeSet:
    """A text below the data, the first text overwritten, a row appended."""
    sheet = read_sheet(package, entry)
    formulas = XlsxBook(package).tab(key(entry.name)).formula_cells
    texts = [
        SetCell(key(entry.name), row, column, f"{TEXT} again", before=value)
        for row, line in sorted(sheet.rows.items())
        for column, value in enumerate(line, start=1)
        if isinstance(value, str) and value and (row, column) not in formulas
    ]
    below = max([sheet.last_row, *(bottom for _, _, bottom, _ in sheet.merged)]) + 2
    first = texts[:1] if (file.name, entry.name) not in CALLED_HEADERS else []
    rows = (AppendRow(key(entry.name), ("R-1", 12.5, True, None, -3)),)
    return ChangeSet(cells=(SetCell(key(entry.name), below, 1, TEXT), *first), rows=rows, forced=True)


@cache
def edited(file: Path, tab: str) -> tuple[Package, Patch, Package]:
    package = Package.open(file)
    entry = next(entry for entry in package.sheets if entry.name == tab)
    return (package, *patched(package, edits(package, file, entry)))


def placed(package: Package, file: Path, tab: str) -> dict[str, Value]:
    entry = next(entry for entry in package.sheets if entry.name == tab)
    return planned(package, edits(package, file, entry), tab)


def stored(package: Package, patch: Patch) -> bytes:
    file = io.BytesIO()
    package.write(file, patch.changed, patch.removed, patch.added)
    return file.getvalue()


@EVERY_TAB
def test_only_the_planned_cells_are_different(file: Path, tab: str) -> None:
    before, _, after = edited(file, tab)

    for entry in before.sheets:
        if not entry.is_worksheet:
            continue
        expected = values(before, entry.name)
        expected |= placed(before, file, tab) if entry.name == tab else {}
        found = values(after, entry.name)
        gone = {address for address, value in found.items() if isinstance(value, Uncalculated)}
        assert {address: value for address, value in found.items() if address not in gone} == {
            address: value for address, value in expected.items() if address not in gone
        }
        shown_by_formulas = (result_area(formula).cells() for formula in XlsxBook(after).tab(key(entry.name)).formulas)
        assert gone <= {a1(*place) for places in shown_by_formulas for place in places}


@EVERY_TAB
def test_only_the_touched_tab_and_its_dependents_change(file: Path, tab: str) -> None:
    before, patch, after = edited(file, tab)

    own = next(entry.part for entry in before.sheets if entry.name == tab)
    stale = {name.partition("!")[0] for name in uncalculated(after) - uncalculated(before)}
    parts = {entry.part for entry in before.sheets if entry.name in stale} | (
        {before.workbook_part} if stale else set()
    )
    headers = {found.target for found in before.relationships(own) if found.kind == "table"}
    assert {own} | parts <= set(patch.changed) <= {own} | parts | headers
    assert not patch.added
    assert not patch.removed


@EVERY_TAB
def test_every_formula_stays_as_it_was_written(file: Path, tab: str) -> None:
    before, _, after = edited(file, tab)

    formula = re.compile(r"<(?:\w+:)?f[ >/][^<]*")
    for entry in before.sheets:
        if entry.is_worksheet:
            assert formula.findall(part(after, entry.name)) == formula.findall(part(before, entry.name))


@pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])
@pytest.mark.filterwarnings("ignore::UserWarning")  # what openpyxl cannot keep, it says; here it only reads
def test_openpyxl_reads_the_edited_copy_as_it_read_the_original(file: Path) -> None:
    tab = first_tab(file)
    before, patch, _ = edited(file, tab)

    old = openpyxl.load_workbook(file)
    new = openpyxl.load_workbook(io.BytesIO(stored(before, patch)))

    if file.name == "strict-ooxml.xlsx":
        assert new.worksheets == [], "openpyxl sees no tab in a strict workbook"
        return
    written = {areas.cell(address) for address in placed(before, file, tab)}
    for mine, theirs in zip(new.worksheets, old.worksheets, strict=True):
        assert mine.merged_cells.ranges == theirs.merged_cells.ranges
        assert mine.data_validations.count == theirs.data_validations.count
        assert list(mine.tables) == list(theirs.tables)
        for line in theirs.iter_rows():
            for cell in line:
                if mine.title != tab or (cell.row, cell.column) not in written:
                    other = mine.cell(cell.row or 0, cell.column or 0)
                    assert getattr(other, "_style", None) == getattr(cell, "_style", None)
                    # Array formulas are objects that compare by what they are, not by what they say.
                    assert getattr(other.value, "text", other.value) == getattr(cell.value, "text", cell.value)
    for address, value in placed(before, file, tab).items():
        assert new[tab][address].value == value


def test_dependents_of_the_tracker_lose_their_results_and_others_keep_theirs() -> None:
    """`expense_type` and `expense_amount` are names over the log; the overview sums by them."""
    package = Package.open(SAMPLES / "tracker-x14-formatting.xlsx")
    log = values(package, "Expenses log")
    amount = next(
        address for address, value in log.items() if address.startswith("F") and isinstance(value, float | int)
    )

    _, after = patched(package, ChangeSet(cells=(SetCell(key("Expenses log"), int(amount[1:]), 6, 1234.5),)))

    gone = uncalculated(after)
    assert {f"Overview!E{row}" for row in range(8, 14)} <= gone
    assert "Overview!B39" not in gone, "the list of cities reads another column"
    assert not any(name.startswith("Expenses log!") for name in gone)


def test_a_protected_sample_is_refused_unless_forced() -> None:
    package = Package.open(SAMPLES / "protected-ranges.xlsx")

    with pytest.raises(RefusedChange, match="Sheet1: the tab is protected"):
        edit(package.data, ChangeSet(rows=(AppendRow(key("Sheet1"), ("x",)),)))


def test_a_header_used_in_formulas_is_refused() -> None:
    package = Package.open(SAMPLES / "dynamic-arrays-external-link.xlsx")

    with pytest.raises(RefusedChange, match="Sheet2!A1: a formula calls this column of the table Table1"):
        edit(package.data, ChangeSet(cells=(SetCell(key("Sheet2"), 1, 1, "x"),)))


def test_a_row_below_a_table_with_a_slicer_extends_the_table() -> None:
    package = Package.open(SAMPLES / "table-slicer.xlsx")

    patch, after = patched(package, ChangeSet(rows=(AppendRow(key("Sheet 1"), (21.0, 6, 160)),)))

    content = after.part("xl/tables/table1.xml").decode()
    assert content == package.part("xl/tables/table1.xml").decode().replace("A1:K33", "A1:K34")
    assert set(patch.changed) == {"xl/worksheets/sheet1.xml", "xl/tables/table1.xml"}


@pytest.fixture(scope="module")
def in_libreoffice(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Package]:
    """Every edited copy as LibreOffice shows it, by name."""
    folder = tmp_path_factory.mktemp("office")
    for file in FILES:
        before, patch, _ = edited(file, first_tab(file))
        (folder / file.name).write_bytes(stored(before, patch))
    made = office_versions(sorted(folder.iterdir()), "xlsx:Calc MS Excel 2007 XML", folder / "made")
    return {file.name: Package.open(copy) for file, copy in zip(FILES, made, strict=True) if copy.exists()}


@pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])
def test_libreoffice_shows_the_edited_copy(file: Path, in_libreoffice: dict[str, Package]) -> None:
    before, _, _ = edited(file, first_tab(file))

    shown = in_libreoffice[file.name]

    assert [entry.name for entry in shown.sheets] == [entry.name for entry in before.sheets]
    found = values(shown, first_tab(file))
    expected = placed(before, file, first_tab(file))
    assert {address: found.get(address) for address in expected} == expected


def first_tab(file: Path) -> str:
    return next(tab for path, tab in TABS if path == file)
