"""A new file: the same bytes each time, never over another, ready to be ruled, and whole in other programs."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import openpyxl
import pytest
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from engine.columns import Kind, columns, tab_of
from engine.ruleset import no_op
from scripts.support.workbooks import NOW, SECRET, check, forms, library
from sheets_algo.forms.rulesets import form_entries
from sheets_algo.ruling.luck.draw import Secret
from sheets_algo.ruling.receipts.season_receipts import season_receipt
from sheets_algo.runtime.run import run_pass
from sheets_algo.runtime.run.run_pass import run_pass as run
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.session import Session
from sheets_algo.steps import HEADERS_TO_READ, tabs_to_read
from sheets_algo.template import examples_of, template
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.template_spec import CellSpec, ColumnSpec, TabSpec, Template
from sheets_algo.workbook.xlsx import XlsxWorkbook
from tests.helpers.tabs import key, keys
from tests.helpers.templates import SEASON_START, slight, whole
from tests.workbook.xlsx.door import made as file_of
from tests.workbook.xlsx.small import office_versions

PLAIN = "00000000"
SAMPLES = Path(__file__).parent / "samples"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "Game of 1066.xlsx"
    XlsxWorkbook(path).create(whole())
    return path


@pytest.fixture(scope="module")
def seen(made: Path) -> openpyxl.Workbook:
    """The new workbook as openpyxl reads it, for tests that only look."""
    return openpyxl.load_workbook(made)


@pytest.fixture(scope="module")
def in_office(made: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """New workbooks by name as LibreOffice saves them, in one start: one of all games, and of 1066 and Guinea."""
    further, chosen = tmp_path_factory.mktemp("new") / "1066.xlsx", forms()[:1]
    rows = {tab: [*rows, *GUINEA.get(tab, ())] for tab, rows in examples_of(chosen, library()).items()}
    XlsxWorkbook(further).create(template(chosen, rows, season=SEASON_START))
    folder = tmp_path_factory.mktemp("office")
    return {file.stem: file for file in office_versions([made, further], "xlsx", folder)}


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The text on paper of the workbooks that `large` and `typed_on` write, as LibreOffice prints them in one start."""
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed, so no page can be read")
    folder = tmp_path_factory.mktemp("printed")
    pages = office_versions([large(folder / "large.xlsx"), typed_on(folder / "1066.xlsx")], "pdf", folder)
    command = ["pdftotext", "-layout"]
    return {
        pdf.stem: subprocess.run([*command, pdf, "-"], check=True, capture_output=True, text=True).stdout
        for pdf in pages
    }


@pytest.fixture
def new(made: Path, tmp_path: Path) -> Path:
    """A copy of the new workbook, to be changed at will."""
    return Path(shutil.copy(made, tmp_path))


def snapshot_of(path: Path) -> Snapshot:
    return XlsxWorkbook(path).read(tabs_to_read(form_entries()), HEADERS_TO_READ)


def test_two_workbooks_of_one_season_and_time_are_the_same_bytes(made: Path) -> None:
    again = template(forms(), examples_of(forms(), library()), season=SEASON_START)
    other = template(forms(), examples_of(forms(), library()), season=season_receipt(1, Secret(b"another"), NOW))

    content = made.read_bytes()
    assert content == file_of(again)
    assert content != file_of(other)


def test_every_date_in_the_file_is_the_season_s(made: Path, seen: openpyxl.Workbook) -> None:
    properties = seen.properties

    assert properties.created == properties.modified == datetime(2026, 3, 1, 12)
    with zipfile.ZipFile(made) as package:
        assert {entry.date_time for entry in package.infolist()} == {(2026, 3, 1, 12, 0, 0)}


def test_tolerant_libraries_read_a_new_file(made: Path) -> None:
    """Exceljs finds notes by the names of Excel, and xlsx-populate needs a text in each cell that states a type."""
    with zipfile.ZipFile(made) as archive:
        names, parts = archive.namelist(), {name: archive.read(name) for name in archive.namelist()}
    links = [parts[name] for name in names if name.startswith("xl/worksheets/_rels/")]

    assert {"xl/comments1.xml", "xl/drawings/vmlDrawing1.vml"} < set(names)
    assert links
    for targets in (re.findall(rb'Target="([^"]*)"', link) for link in links):
        assert [re.sub(rb"\d+", b"", target) for target in targets] == [
            b"../comments.xml",
            b"../drawings/vmlDrawing.vml",
        ]
    sheets = b"".join(parts[name] for name in names if name.startswith("xl/worksheets/sheet"))
    assert re.search(rb"<c [^>]*/>", sheets)
    assert not re.search(rb'<c [^>]* t="[^>]*/>', sheets)


def test_fonts_of_a_new_file_have_the_order_that_office_requires(made: Path) -> None:
    """Openpyxl writes the name first, and programs that keep to the schema repair the file."""
    with zipfile.ZipFile(made) as archive:
        fonts = re.findall(rb"<font>(.*?)</font>", archive.read("xl/styles.xml"))

    found = [re.findall(r"<(\w+)", font.decode()) for font in fonts]
    order = ["b", "i", "sz", "color", "name", "family", "scheme"]
    assert {name for names in found for name in names} == {*order}
    assert [names for names in found if names != sorted(names, key=order.index)] == []


def test_an_existing_file_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mine.xlsx"
    path.write_bytes(b"the work of a year")

    with pytest.raises(WorkbookUnavailable, match=r"^mine\.xlsx: there is something of this name already"):
        XlsxWorkbook(path).create(slight())

    assert path.read_bytes() == b"the work of a year"
    assert list(tmp_path.iterdir()) == [path]


def test_a_dangling_link_is_not_followed(tmp_path: Path) -> None:
    path = tmp_path / "link.xlsx"
    path.symlink_to(tmp_path / "gone.xlsx")

    with pytest.raises(WorkbookUnavailable, match="something of this name already"):
        XlsxWorkbook(path).create(slight())

    assert not (tmp_path / "gone.xlsx").exists()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("no/such/folder.xlsx", r"^folder\.xlsx: there is no folder .*; make it first\.$"),
        ("x" * 300 + ".xlsx", r"xxx\.xlsx: cannot be written: File name too long"),
    ],
)
def test_an_unwritable_file_is_reported_in_one_sentence(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(WorkbookUnavailable, match=says):
        XlsxWorkbook(tmp_path / name).create(slight())

    assert list(tmp_path.iterdir()) == []


def test_the_program_reads_the_template_s_content(made: Path) -> None:
    snapshot = snapshot_of(made)
    assert [problem for problem in check(snapshot, forms()) if problem.is_error] == []
    sheets = snapshot.sheets
    assert sheets[key("war requests")].rows[2][:4] == ("W-0001", "Stamford Bridge", 1066, "England")
    assert sheets[key("war requests")].rows[206] == ("W-0205",)
    assert sheets[key("receipts")].rows[2][:3] == (1, 1, "Season")
    assert set(sheets[key("receipts")].rows) == {1, 2}


def test_the_example_wars_are_ruled_and_a_second_pass_is_idle(new: Path) -> None:
    """RCP-03: the receipts follow the season's, under the secret whose digest the file was made with."""
    season_secret.keep(new.parent, SECRET)
    place = Session(workbook=XlsxWorkbook(new), folder=new.parent, library=library(), clock=lambda: datetime.now(UTC))

    first = run_pass.run_until_done(place, dry=False, forced=False, progress=no_op)  # rulings, then a forecast
    ruled = new.read_bytes()
    second = run(place)

    kinds = [cells[2] for number, cells in snapshot_of(new).sheets[key("receipts")].rows.items() if number > 1]
    assert kinds == ["Season", *["Ruling"] * len(first.plan.rulings)]
    assert len(kinds) >= 9
    assert (second.is_written, new.read_bytes()) == (False, ruled)


def test_a_ruled_row_keeps_its_format(new: Path) -> None:
    """The program's cells were blank and get their column's style; the picture has its place."""
    season_secret.keep(new.parent, SECRET)
    run(Session(workbook=XlsxWorkbook(new), folder=new.parent, library=library()))

    book = openpyxl.load_workbook(new)
    sheet = book["War Requests"]
    (head,) = (cell for cell in sheet[1] if cell.value == "Message")
    message = sheet.cell(2, head.column)
    assert message.alignment.wrap_text
    assert message.fill.fgColor.rgb == sheet.column_dimensions[head.column_letter].fill.fgColor.rgb == "00F1F2F4"
    assert book["Receipts"].row_dimensions[3].height == 15
    assert len(book["Battle Map"]._images) == 1  # type: ignore[attr-defined]


def test_texts_stay_texts(tmp_path: Path) -> None:
    """A wiki heading is no formula, #N/A no error and a long number no number."""
    texts = ["== Battle of Sedan ==", "=1+1", "#N/A", "007", "18446744073709551615", "TRUE"]
    page = TabSpec(
        key=key("Page"), columns=[ColumnSpec(header="Text", width=9)], rows=[[CellSpec(text)] for text in texts]
    )
    XlsxWorkbook(tmp_path / "texts.xlsx").create(Template((page,), opens_with=key("Page")))

    rows = XlsxWorkbook(tmp_path / "texts.xlsx").read(keys("Page")).sheets[key("page")].rows
    assert [rows[number][0] for number in range(2, 8)] == texts


def test_openpyxl_sees_headers_frozen_named_and_explained(seen: openpyxl.Workbook) -> None:
    assert seen.active is seen["War Requests"]
    assert [sheet.title for sheet in seen.worksheets if sheet.sheet_state != "visible"] == ["Lists", "Choices"]
    for form in forms():
        for record in form.records():
            sheet = seen[tab_of(record).name]
            assert str(sheet.freeze_panes).endswith("2"), sheet.title
            assert all(cell.comment and cell.fill.fgColor.rgb != PLAIN for cell in sheet[1]), sheet.title
    assert not any(sheet.protection.sheet for sheet in seen.worksheets)


@pytest.mark.parametrize("is_open", [False, True])
def test_rarely_used_columns_are_in_groups_that_a_click_opens(tmp_path: Path, is_open: bool) -> None:
    path, chosen = tmp_path / "1066.xlsx", forms()[:1]
    XlsxWorkbook(path).create(template(chosen, examples_of(chosen, library()), season=SEASON_START, is_open=is_open))

    assert in_view(path) == {name: (heads, not is_open) for name, heads in IN_VIEW.items()}
    sheet = openpyxl.load_workbook(path)["Locations"]
    assert [sheet.column_dimensions[letter].collapsed for letter in "DGM"] == [not is_open] * 3  # right of each group


IN_VIEW = {
    "War Requests": "Request, War, Year, Attacker, Defender, Location, Motive, Ready, Status, Message, Winner",
    "Nations": "Name, Stability, Population, Year Founded, Year Crisis, Player, Age",
    "Militaries": "Nation, Name, Size, Leader, Tactical Training",
    "Locations": "Name, Terrain, Fortifications",
}
"""Columns outside of groups in the tabs that have groups."""


def in_view(path: Path) -> dict[str, tuple[str, bool]]:
    """The columns outside of groups in each tab that has any, and whether all groups are hidden, from the file."""
    found = {}
    book = openpyxl.load_workbook(path)
    for sheet in book.worksheets:
        spans = [dimension for dimension in sheet.column_dimensions.values() if dimension.outlineLevel]
        grouped = {number for span in spans for number in range(span.min or 0, (span.max or 0) + 1)}
        if spans:
            assert sheet.sheet_format.outlineLevelCol == 1
            hidden = {bool(span.hidden) for span in spans}
            assert len(hidden) == 1, sheet.title
            heads = [str(cell.value) for cell in sheet[1] if cell.value and cell.column not in grouped]
            found[sheet.title] = ", ".join(heads), hidden.pop()
    return found


def test_groups_survive_a_ruling_and_libreoffice(in_office: dict[str, Path], tmp_path: Path) -> None:
    saved = Path(shutil.copy(in_office["1066"], tmp_path))
    season_secret.keep(saved.parent, SECRET)
    closed = {name: (heads, True) for name, heads in IN_VIEW.items()}
    assert in_view(saved) == closed

    ruled = run(Session(workbook=XlsxWorkbook(saved), folder=saved.parent, library=library()))

    assert len(ruled.plan.rulings) == 5
    assert in_view(saved) == closed


def test_drop_downs_warn_and_never_refuse(seen: openpyxl.Workbook) -> None:
    """Other spellings, a new map and a nation yet to be added are all allowed by the rules."""
    lists = [rule for sheet in seen.worksheets for rule in sheet.data_validations.dataValidation if rule.type == "list"]

    assert len(lists) > 400
    assert {rule.errorStyle for rule in lists} == {"warning"}
    assert validation(seen["War Requests"], "Ready").formula1 == '"TRUE,FALSE"'
    assert validation(seen["War Requests"], "Year").formula2 == "2100"
    for rule in lists:
        name, _, cells = rule.formula1.partition("!")
        if cells:
            assert seen[name.strip("'")][cells.replace("$", "")]


def validation(sheet: Worksheet, header: str) -> DataValidation:
    """Of the cell below a header."""
    letter = next(cell.column_letter for cell in sheet[1] if cell.value == header)
    found: DataValidation = next(rule for rule in sheet.data_validations.dataValidation if f"{letter}2" in rule.sqref)
    return found


def large(path: Path) -> Path:
    """Write a workbook with the largest numbers that columns allow, else some millions."""
    XlsxWorkbook(path).create(template(forms(), {}, is_open=True))
    book = openpyxl.load_workbook(path)
    for record in (record for form in forms() for record in form.records()):
        sheet = book[tab_of(record).name]
        sheet.print_area = f"A1:{sheet.cell(2, sheet.max_column).coordinate}"
        places = {cell.value: cell.column for cell in sheet[1]}
        for _, column in columns(record):
            if column.kind in (Kind.NUMBER, Kind.WHOLE, Kind.COUNT) and not column.place.is_programs:
                highest = 9_999_999 if column.high is None else column.high
                sheet.cell(2, places[column.header], highest if highest < 1e15 else str(highest))
    book.save(path)
    return path


def typed_on(path: Path) -> Path:
    """Write a workbook of 1066 with a further request and a line of the log."""
    chosen = [form for form in forms() if form.ruleset_key == "autoalgo"]
    XlsxWorkbook(path).create(template(chosen, examples_of(chosen, library()), season=SEASON_START, is_open=True))
    book = openpyxl.load_workbook(path)
    book["War Requests"]["B7"] = "Svolder"
    book["Log"]["I2"] = "England waits."
    book.save(path)
    return path


def test_libreoffice_shows_every_number_completely(printed: dict[str, str]) -> None:
    """A number that does not fit is shown as ###."""
    assert "8,000,000,000" in printed["large"]
    assert "9999999" in printed["large"], "a count, whose cell may show 40 % too"
    assert "##" not in printed["large"]


def test_libreoffice_prints_the_used_rows_on_few_pages(printed: dict[str, str]) -> None:
    """Rows that come later are printed; blank requests, which have an id, lists and the program's tabs are not."""
    text = printed["1066"]
    pages = text.removesuffix("\f").split("\f")
    assert len(pages) <= 19, "two for each request tab"
    assert text.count("Svolder") == 1
    assert text.count("W-0006") == 2, "the id is on both pages of the tab, which is two pages wide"
    assert "W-0007" not in text
    assert "England waits." not in text
    assert sum("Fatimid Caliphate" in page and "Nations, " in page for page in pages) == 2


def test_libreoffice_computes_the_lists_and_loses_nothing(
    made: Path, seen: openpyxl.Workbook, in_office: dict[str, Path]
) -> None:
    """DB-05: each request row is offered the militaries of its nation, and nobody else's."""
    saved = in_office[made.stem]
    after = openpyxl.load_workbook(saved, data_only=True)
    assert after.sheetnames == seen.sheetnames
    assert snapshot_of(saved).sheets == snapshot_of(made).sheets
    assert offered(after, "Attacker Military", 2) == ["Harold's Host", "Channel Fleet"]
    assert offered(after, "Attacker Military", 5) == ["Sultan's Host", "Atsiz's Siege Army"]
    assert offered(after, "Defender Military", 5) == ["Field Army"]
    assert offered(after, "Defender Military", 7) == []
    known = forms()[0].vocabulary
    names, periods = list(known.builtin["Units"]), known.periods["Units"]
    of_1073 = [name for name in names if name not in periods or periods[name][0] <= 1073 <= periods[name][1]]
    assert {"Soldier", "Norman Knight"} <= {*of_1073} < {*names}
    others = [name for name in names if name not in of_1073]
    assert offered(after, "Transport", 2, "Militaries")[: len(names)] == [*of_1073, *others], "the last war is of 1073"
    for sheet in seen.worksheets:
        notes = {cell.coordinate: cell.comment.text for cell in sheet[1] if cell.comment}
        assert {at: after[sheet.title][at].comment.text for at in notes} == notes
    assert len(after["War Requests"].conditional_formatting) == 1


def offered(book: openpyxl.Workbook, header: str, row: int, tab: str = "War Requests") -> list[str]:
    """What the drop-down in a row of a tab shows."""
    sheet = book[tab]
    letter = next(cell.column_letter for cell in sheet[1] if cell.value == header)
    rules = sheet.data_validations.dataValidation
    source = next(rule.formula1 for rule in rules if f"{letter}{row}" in rule.sqref).partition("!")[2]
    return [cell.value for line in book["Choices"][source.replace("$", "")] for cell in line if cell.value]


GUINEA = {
    "War Requests": [
        {"War": "First", "Attacker": "Guinea ", "Defender": "MALI"},
        {"War": "Second", "Attacker": "Papua New Guinea"},
    ],
    "Nations": [{"Name": name} for name in ("Guinea", "Papua New Guinea", "Mali")],
    "Militaries": [
        {"Nation": "Papua New Guinea", "Name": "Islanders"},
        {"Nation": "Mali / guinea", "Name": "Allies"},
        {"Nation": "Mali;Guinea", "Name": "River Fleet"},
        {"Nation": "Mali\nGuinea", "Name": "Riders"},
    ],
}


def test_a_nation_in_a_list_owns_the_military_unlike_one_with_a_longer_name(in_office: dict[str, Path]) -> None:
    """DB-05: Guinea is not found in Papua New Guinea; a list may use any separator but a comma."""
    book = openpyxl.load_workbook(in_office["1066"], data_only=True)
    first, second = (cell.row for cell in book["War Requests"]["B"] if cell.value in ("First", "Second"))

    assert offered(book, "Attacker Military", first) == ["Allies", "River Fleet", "Riders"]
    assert offered(book, "Defender Military", first) == ["Allies", "River Fleet", "Riders"]
    assert offered(book, "Attacker Military", second) == ["Islanders"]
