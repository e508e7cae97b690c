"""Formulas without a value: computed by a real LibreOffice on a copy, named where they cannot be."""

import os
import shutil
from datetime import date
from pathlib import Path

import openpyxl
import pytest

from sheets_algo.workbook.changes import ChangeSet, SetCell
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.staleness import cell_of
from sheets_algo.workbook.values import CellError, Uncalculated
from sheets_algo.workbook.xlsx import XlsxWorkbook
from tests.helpers.tabs import key, keys
from tests.workbook.xlsx.inside import limit


@pytest.fixture
def libreoffice() -> None:
    if shutil.which("soffice") is None:
        pytest.skip("LibreOffice is not installed")


@pytest.fixture
def war(tmp_path: Path) -> Path:
    """A workbook as openpyxl leaves it: formulas, no values."""
    path = tmp_path / "war.xlsx"
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Nations"
    for row in (
        ["Nation", "Stability", "Text", "Mark", "Error", "Date"],
        ["England", "=Economy!A1*2", '="Harold "&"Godwinson"', "=1=1", "=1/0", "=DATE(1966,10,14)"],
        ["Normandy", 70, "typed", True, None, None],
    ):
        sheet.append(row)
    sheet["F2"].number_format = "yyyy-mm-dd"
    book.create_sheet("Economy")["A1"] = "=20+25"
    book.create_sheet("Plain")["A1"] = "no formula"
    book.save(path)
    return path


def test_without_recalculation_a_formula_is_reported_instead_of_ignored(war: Path) -> None:
    row = XlsxWorkbook(war).read(keys("Nations")).sheets[key("nations")].rows[2]

    assert (row[0], len(row)) == ("England", 6)
    assert all(isinstance(value, Uncalculated) for value in row[1:])


@pytest.mark.usefixtures("libreoffice")
@pytest.mark.slow
def test_libreoffice_computes_missing_values_without_changing_the_file(war: Path) -> None:
    before = war.read_bytes()

    sheets = XlsxWorkbook(war, recalc=True).read(keys("Nations"), headers_only=keys("Economy")).sheets

    assert tuple(sheets[key("nations")].rows[2]) == (
        "England",
        90,
        "Harold Godwinson",
        True,
        CellError("#DIV/0!"),
        date(1966, 10, 14),
    )
    assert tuple(sheets[key("nations")].rows[3]) == ("Normandy", 70, "typed", True)
    assert cell_of(sheets[key("economy")], 1, 1) == 45
    assert war.read_bytes() == before
    assert os.listdir(war.parent) == ["war.xlsx"]


@pytest.mark.usefixtures("libreoffice")
@pytest.mark.slow
def test_a_commit_on_computed_values_succeeds(war: Path) -> None:
    """A value that stands in no file is still the `before` of the cell beside it, and formulas stay formulas."""
    book = XlsxWorkbook(war, recalc=True)
    snapshot = book.read(keys("Nations"))

    book.commit(snapshot, ChangeSet(cells=(SetCell(key("Nations"), 3, 2, 65, 70),)))

    sheet = openpyxl.load_workbook(war)["Nations"]
    assert (sheet["B2"].value, sheet["B3"].value) == ("=Economy!A1*2", 65)


def test_without_libreoffice_one_sentence_reports_it(war: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    with pytest.raises(WorkbookUnavailable, match=r"^war\.xlsx: .*LibreOffice .* is not installed"):
        XlsxWorkbook(war, recalc=True).read(keys("Nations"))


def test_libreoffice_is_not_started_if_every_cell_has_its_value(war: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    assert XlsxWorkbook(war, recalc=True).read(keys("Plain")).sheets[key("plain")].last_row == 1


@pytest.mark.parametrize(
    ("script", "said"), [("exit 1", "LibreOffice could not open it"), ("sleep 60 & wait", "longer than 1 seconds")]
)
def test_a_failing_libreoffice_is_reported_and_ended(
    war: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    program = tmp_path / "bin" / "soffice"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    limit(monkeypatch, "seconds of LibreOffice", 1)

    with pytest.raises(WorkbookUnavailable, match=said):
        XlsxWorkbook(war, recalc=True).read(keys("Nations"))
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_libreoffice_gets_none_of_the_program_s_secrets(
    war: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "soffice"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nenv > {tmp_path}/environment\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SHEETS_ALGO_SECRET", "a secret of sixteen bytes")

    with pytest.raises(WorkbookUnavailable):
        XlsxWorkbook(war, recalc=True).read(keys("Nations"))

    environment = (tmp_path / "environment").read_text()
    assert "PATH=" in environment
    assert "SHEETS_ALGO_SECRET" not in environment
