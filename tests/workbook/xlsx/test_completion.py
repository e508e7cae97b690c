"""Files that people made, completed by `init`: the new tabs look as in a new workbook, and what was there stays."""

import re
import shutil
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from scripts.support.moderator import Moderator
from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.changes import AppendRow, ChangeSet, SetCell
from sheets_algo.workbook.xlsx import XlsxWorkbook
from tests.helpers.tabs import key, keys
from tests.workbook.xlsx.apart import opened
from tests.workbook.xlsx.door import values
from tests.workbook.xlsx.small import STYLES, rows, workbook
from tests.workbook.xlsx.small import sheet as worksheet

DATA = Path(__file__).parents[2] / "data" / "xlsx"
SAMPLES = Path(__file__).parent / "samples"
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # openpyxl says what it cannot keep


@pytest.fixture(scope="module")
def moderator(tmp_path_factory: pytest.TempPathFactory) -> Moderator:
    """A moderator with a new workbook to compare with."""
    folder = tmp_path_factory.mktemp("completed")
    found = Moderator(folder, folder)
    assert found.types("init", "new.xlsx").code == 0
    return found


def completed(moderator: Moderator, file: Path, *words: str) -> Path:
    """A copy of a file after `init`."""
    copy = Path(shutil.copy(file, moderator.folder / file.name))
    said = moderator.types("init", copy.name, *words)
    assert said.code == 0, said.err
    return copy


def looks(sheet: Worksheet) -> dict[str, Any]:
    """What a tab looks like, row by row and column by column; numbers of styles are resolved."""
    return {
        "columns": {
            key: (found.width, found.outlineLevel, found.hidden, found.collapsed)
            + ((repr(found.font), repr(found.fill)) if found.has_style else ())
            for key, found in sheet.column_dimensions.items()
        },
        "heights": {row: found.height for row, found in sheet.row_dimensions.items() if found.height},
        "headers": [
            (cell.value, *map(repr, (cell.font, cell.fill, cell.border, cell.alignment)))
            for cell in sheet[1]
            if cell.value is not None
        ],
        "formats": [(cell.number_format, repr(cell.font)) for cell in sheet[2] if cell.value is not None],
        "notes": {cell.coordinate: cell.comment.text for row in sheet.iter_rows() for cell in row if cell.comment},
        "rules": sorted(
            (str(rule.sqref), rule.type, rule.formula1, rule.formula2, rule.error, rule.prompt)
            for rule in sheet.data_validations.dataValidation
        ),
        "colours": [
            (str(area.sqref), rule.type, rule.formula, repr(rule.dxf))
            for area in sheet.conditional_formatting
            for rule in area.rules
        ],
        "page": (sheet.freeze_panes, sheet.sheet_properties.tabColor, sheet.sheet_state, sheet.page_setup.orientation),
        "printed": (sheet.print_area, sheet.print_title_rows, sheet.print_title_cols),
    }


@pytest.mark.parametrize("file", [SAMPLES / "tracker-x14-formatting.xlsx", DATA / "libreoffice-5.1.xlsx"])
def test_new_tabs_look_as_in_a_new_workbook_and_old_ones_are_unchanged(moderator: Moderator, file: Path) -> None:
    before = openpyxl.load_workbook(file)

    after = openpyxl.load_workbook(completed(moderator, file))

    new = openpyxl.load_workbook(moderator.folder / "new.xlsx")
    assert after.sheetnames == [*before.sheetnames, *(name for name in new.sheetnames if name != "Guide")]
    for sheet in new.worksheets[1:]:
        found, expected = looks(after[sheet.title]), looks(sheet)
        for what, expectation in expected.items():
            assert found[what] == expectation, (sheet.title, what)
        assert [cell.value for cell in after[sheet.title]["A"][1:]] == [cell.value for cell in sheet["A"][1:]] or (
            sheet.title == "Receipts"
        )
    for sheet in before.worksheets:
        found, expected = looks(after[sheet.title]), looks(sheet)
        assert found == expected


def test_the_season_begins_once_and_a_war_of_the_examples_is_ruled(moderator: Moderator) -> None:
    book = completed(moderator, DATA / "libreoffice-3.5.xlsx")

    assert moderator.types("check", book.name).code == 0
    assert moderator.types("run", book.name).code == 0

    receipts = values(opened(book), "Receipts")
    assert [receipts[f"C{row}"] for row in range(2, 4)] == ["Season", "Ruling"]
    assert moderator.types("init", book.name).out.startswith("Nothing to do")


def test_a_list_stored_elsewhere_is_inlined_or_left_out(moderator: Moderator) -> None:
    """The second rules have other values in the tab Lists than the first."""
    book = moderator.folder / "two.xlsx"
    shutil.copy(moderator.folder / "new.xlsx", book)

    assert moderator.types("init", book.name, "--ruleset", "rounds").code == 0

    after = openpyxl.load_workbook(book)
    assert looks(after["Lists"]) == looks(openpyxl.load_workbook(moderator.folder / "new.xlsx")["Lists"])
    added = [sheet for sheet in after.worksheets if sheet.title not in ("Lists", "Choices")][14:]
    rules = [rule for sheet in added for rule in sheet.data_validations.dataValidation if rule.type == "list"]
    assert any(rule.formula1.startswith('"') and rule.formula1 != '"TRUE,FALSE"' for rule in rules)
    assert not any("Lists!" in rule.formula1 or "Choices!" in rule.formula1 for rule in rules)


def test_a_strict_workbook_gets_plain_tabs(moderator: Moderator) -> None:
    book = completed(moderator, SAMPLES / "strict-ooxml.xlsx")

    assert values(opened(book), "War Requests")["A1"] == "Request"
    assert "A2" not in values(opened(book), "War Requests")


def test_a_value_written_later_has_the_format_of_its_column(moderator: Moderator) -> None:
    path = completed(moderator, DATA / "libreoffice-6.1.xlsx")
    book = XlsxWorkbook(path)
    snapshot = book.read(keys("Log"))

    book.commit(
        snapshot, ChangeSet(cells=(SetCell(key("Log"), 3, 7, 12.5),), rows=(AppendRow(key("Log"), (1, "W-0001")),))
    )

    written = openpyxl.load_workbook(path)["Log"]
    new = openpyxl.load_workbook(moderator.folder / "new.xlsx")["Log"]
    assert repr(written[a1(3, 7)].fill) == repr(new.column_dimensions["G"].fill)


LISTS = {
    "numFmts": '<numFmt numFmtId="170" formatCode="0.0"/>',
    "cellXfs": '<xf numFmtId="0" fontId="0"/><xf numFmtId="0" fontId="1"/>',
    "dxfs": "<dxf><font><b/></font></dxf>",
}
EMPTY = ("", "<{0}/>", '<{0} count="0"/>', '<{0} count="0"></{0}>', '<{0} count="0">\n  <!-- <dxf/> none -->\n</{0}>')
SPACED = ('<{0} count="{1}">{2}</{0}>', "<!-- {0} -->\n<{0}>\n {2} <!-- more -->\n</{0}>\n")


def styles_in(spelling: str) -> str:
    """Return the styles of a small workbook with some lists in a spelling; one of cell formats is never empty."""
    content = STYLES
    for name, items in LISTS.items():
        if spelling in SPACED or name != "cellXfs":
            markup = spelling.format(name, items.count("<xf") or 1, items)
            before = {"numFmts": "<fonts", "cellXfs": "<cellStyles "}.get(name, "</styleSheet>")
            content = re.sub(rf"<{name} .*?</{name}>", "", content).replace(before, markup + before)
    return content


@pytest.mark.parametrize("spelling", [*EMPTY, *SPACED])
def test_styles_are_added_to_lists_in_each_spelling(moderator: Moderator, tmp_path: Path, spelling: str) -> None:
    file = tmp_path / f"spelling{(*EMPTY, *SPACED).index(spelling)}.xlsx"
    file.write_bytes(workbook({"Mine": worksheet(rows({"A": "kept"}))}, more={"xl/styles.xml": styles_in(spelling)}))

    after = openpyxl.load_workbook(completed(moderator, file))

    assert after["Mine"]["A1"].value == "kept"
    new = openpyxl.load_workbook(moderator.folder / "new.xlsx")
    assert looks(after["War Requests"]) == looks(new["War Requests"])
