"""Workbooks that many programs wrote, old ones and new ones: what an edit changes is its plan and nothing else."""

import re
import zipfile
from pathlib import Path
from subprocess import CompletedProcess

import openpyxl
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.worksheet.datavalidation import DataValidation

from scripts.support.warm_start import run_script
from tests.helpers.rows import each
from tests.workbook.xlsx.apart import opened

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "tests" / "data" / "xlsx"
AUDIT = ROOT / ".venv" / "audit" / "bin" / "openxml-audit"
LISTED = re.compile(r"^\| `([^`]+)` \| (.+?) \| .+? \| (.+?) \|$", re.MULTILINE)


def tried(folder: Path, *options: str) -> "CompletedProcess[str]":
    return run_script(ROOT / "scripts" / "xlsx-corpus", folder, "--all-tabs", "--verbose", *options)


def test_every_tab_of_every_program_is_edited_and_nothing_else_differs() -> None:
    tabs = sum(entry.is_worksheet for file in FOLDER.glob("*.xlsx") for entry in opened(file).sheets)

    done = tried(FOLDER, *(["--schema", str(AUDIT)] if AUDIT.exists() else []))

    assert done.returncode == 0, done.stdout
    assert done.stderr == "", "a refusal"
    if AUDIT.exists():  # scripts/test installs it
        assert f"Of {2 * tabs} copies, {2 * tabs} keep to the schemas" in done.stdout
    assert f"{tabs:6,}   50.0%  edited (cells)" in done.stdout
    assert f"{tabs:6,}   50.0%  edited (row, tab and pictures)" in done.stdout


def test_a_workbook_of_openpyxl_is_edited_too(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in (["Nation", "Stability"], ["England", 100], ["Normandy", 95], ["Sum", "=SUM(B2:B3)"]):
        sheet.append(row)
    sheet["A1"].comment = Comment("Of the game", "a moderator")
    sheet.add_data_validation(DataValidation(type="whole", formula1="0", formula2="200", sqref="B2:B9"))
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    sheet.add_chart(chart, "D2")
    sheet.merge_cells("A8:B9")
    book.save(tmp_path / "openpyxl.xlsx")

    done = tried(tmp_path)

    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_every_file_names_its_program_and_licence() -> None:
    listed = {name: (writer, licence) for name, writer, licence in LISTED.findall((FOLDER / "README.md").read_text())}

    assert sorted(listed) == sorted(file.name for file in FOLDER.glob("*.xlsx"))
    for name, (writer, licence) in listed.items():
        assert licence in ("Apache-2.0", "MIT", "BSD-3-Clause", "as this project")
        found = re.search(r"libreoffice-(\d\.\d)", name)
        if found:
            with zipfile.ZipFile(FOLDER / name) as archive:
                application = archive.read("docProps/app.xml").decode()
            assert writer.startswith(f"LibreOffice {found[1]}")
            assert f"LibreOffice/{found[1]}" in application


@each("file", sorted(FOLDER.glob("libreoffice-[345]*.xlsx")))
def test_old_programs_name_the_type_of_each_list_of_relationships(file: Path) -> None:
    """This is why they are here: new lists of theirs had no type."""
    with zipfile.ZipFile(file) as archive:
        assert b'Extension="rels"' not in archive.read("[Content_Types].xml")
