"""Workbooks that nobody of this project wrote: other programs open them after an edit, and show what is planned."""

import io
from functools import cache
from pathlib import Path
from string import ascii_uppercase

import openpyxl
import pytest

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.changes import AppendRow, ChangeSet, SetCell
from sheets_algo.workbook.values import Plain
from tests.helpers.rows import each
from tests.helpers.tabs import key
from tests.workbook.xlsx.apart import Opened, opened
from tests.workbook.xlsx.door import edit, patched, refused, uncalculated, values
from tests.workbook.xlsx.small import office_versions

SAMPLES = Path(__file__).parent / "samples"
FILES = sorted(SAMPLES.glob("*.xls?"))
EVERY_FILE = each("file", FILES)
TEXT, ROW = "== Battle of Hastings == <1066> & more", ("R-1", 12.5, True, None, -3)


@cache
def edited(file: Path) -> tuple[str, dict[tuple[int, int], Plain], bytes]:
    """Return the first tab of a file, its written cells, and the file: a text and a row below its data."""
    tab = next(entry.name for entry in opened(file).sheets if entry.is_worksheet)
    row = max(int(address.lstrip(ascii_uppercase)) for address in ["A9", *values(file.read_bytes(), tab)]) + 99
    changes = ChangeSet(cells=(SetCell(key(tab), row, 1, TEXT),), rows=(AppendRow(key(tab), ROW),), forced=True)
    written: dict[tuple[int, int], Plain] = {(row, 1): TEXT}
    written |= {(row + 1, column): value for column, value in enumerate(ROW, 1) if value is not None}
    return tab, written, edit(file.read_bytes(), changes).data


@EVERY_FILE
@pytest.mark.filterwarnings("ignore::UserWarning")  # what openpyxl cannot keep, it says; here it only reads
def test_openpyxl_reads_the_edited_copy_as_it_read_the_original(file: Path) -> None:
    tab, written, data = edited(file)

    old, new = openpyxl.load_workbook(file), openpyxl.load_workbook(io.BytesIO(data))

    if file.name == "strict-ooxml.xlsx":
        assert new.worksheets == [], "openpyxl sees no tab in a strict workbook"
        return
    for mine, theirs in zip(new.worksheets, old.worksheets, strict=True):
        assert mine.merged_cells.ranges == theirs.merged_cells.ranges
        assert mine.data_validations.count == theirs.data_validations.count
        assert list(mine.tables) == list(theirs.tables)
        for cell in (cell for line in theirs.iter_rows() for cell in line):
            other = mine.cell(cell.row or 0, cell.column or 0)
            assert getattr(other, "_style", None) == getattr(cell, "_style", None)
            # Array formulas are objects that compare by what they are, not by what they say.
            assert getattr(other.value, "text", other.value) == getattr(cell.value, "text", cell.value)
    assert {place: new[tab].cell(*place).value for place in written} == written


def test_dependents_of_the_tracker_lose_their_results_and_others_keep_theirs() -> None:
    """`expense_type` and `expense_amount` are names over the log; the overview sums by them."""
    package = opened(SAMPLES / "tracker-x14-formatting.xlsx")
    log = values(package, "Expenses log")
    amount = next(
        address for address, value in log.items() if address.startswith("F") and isinstance(value, float | int)
    )

    _, after = patched(
        package, ChangeSet(cells=(SetCell(key("Expenses log"), int(amount[1:]), 6, 1234.5),)), "Overview"
    )

    gone = uncalculated(after)
    assert {f"Overview!E{row}" for row in range(8, 14)} <= gone
    assert "Overview!B39" not in gone, "the list of cities reads another column"
    assert not any(name.startswith("Expenses log!") for name in gone)


def test_protected_tabs_and_headers_in_formulas_are_refused() -> None:
    protected, called = (SAMPLES / name for name in ("protected-ranges.xlsx", "dynamic-arrays-external-link.xlsx"))
    row = ChangeSet(rows=(AppendRow(key("Sheet1"), ("x",)),))

    assert "Sheet1: the tab is protected" in refused(protected.read_bytes(), row)
    header = ChangeSet(cells=(SetCell(key("Sheet2"), 1, 1, "x"),))
    assert "Sheet2!A1: a formula calls this column of the table Table1" in refused(called.read_bytes(), header)


def test_a_row_below_a_table_with_a_slicer_extends_the_table() -> None:
    package = opened(SAMPLES / "table-slicer.xlsx")

    patch, after = patched(package, ChangeSet(rows=(AppendRow(key("Sheet 1"), (21.0, 6, 160)),)))

    content = after.part("xl/tables/table1.xml").decode()
    assert content == package.part("xl/tables/table1.xml").decode().replace("A1:K33", "A1:K34")
    assert set(patch.changed) == {"xl/worksheets/sheet1.xml", "xl/tables/table1.xml"}


@pytest.fixture(scope="module")
def in_libreoffice(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Opened]:
    """Every edited copy as LibreOffice shows it, by name."""
    folder = tmp_path_factory.mktemp("office")
    for file in FILES:
        (folder / file.name).write_bytes(edited(file)[2])
    made = office_versions(sorted(folder.iterdir()), "xlsx:Calc MS Excel 2007 XML", folder / "made")
    return {file.name: opened(copy) for file, copy in zip(FILES, made, strict=True) if copy.exists()}


@EVERY_FILE
def test_libreoffice_shows_the_edited_copy(file: Path, in_libreoffice: dict[str, Opened]) -> None:
    tab, written, _ = edited(file)

    shown = in_libreoffice[file.name]

    assert [entry.name for entry in shown.sheets] == [entry.name for entry in opened(file).sheets]
    found = values(shown, tab)
    assert {place: found.get(a1(*place)) for place in written} == written
