"""Cells as moderators' files really hold them, in XLSX files that openpyxl made."""

from __future__ import annotations

import re
import shutil
import zipfile
from datetime import date
from pathlib import Path

import pytest

from scripts.support.moderator import BOOK, only, row_of, season, write
from scripts.support.season_records import forget


def ruled(moderator, *options: str) -> dict[str, str]:
    """Request id to receipt of one run with the same luck everywhere."""
    said = moderator.types("run", "--json", *options, BOOK).data
    return {request["request"]: request["receipt"] for request in said["requests"] if "receipt" in request}


@pytest.fixture(scope="module")
def plain_receipt(tmp_path_factory, home):
    """Manzikert from a workbook without anything odd; its seed is given, so that only the numbers count."""
    from scripts.support.moderator import Moderator

    moderator = Moderator(tmp_path_factory.mktemp("plain"), home)
    write(moderator.book, manzikert())
    return ruled(moderator)["W-0004"]


def manzikert():
    rows = only(season(), "W-0004")
    rows["War Requests"][3]["Seed"] = 1071
    return rows


def test_per_cent_and_date_formats_are_read(moderator, plain_receipt):
    """A share shown as 12 % is 0.12, a day of 1950 in a year's column is 1950."""

    def finish(book):
        for row in book["Nations"].iter_rows(min_row=2):
            for cell, head in zip(row, book["Nations"][1], strict=True):
                if head.value == "Urban Population":
                    cell.number_format = "0.0%"
                if head.value == "Population":
                    cell.number_format = '#,##0 "people"'

    write(moderator.book, manzikert(), finish=finish)
    assert ruled(moderator)["W-0004"] == plain_receipt

    rows = manzikert()
    rows["War Requests"][4] |= {"Year": date(1950, 6, 25), "Ready": True}
    forget(moderator.folder)  # the record of the game that had this name before
    write(moderator.book, rows)
    said = moderator.types("run", BOOK)
    assert row_of(moderator.book, "War Requests", "Request", "W-0005")["Status"] == "Done", said.out


def test_a_formula_with_a_value_in_the_file_counts_as_its_value(moderator, plain_receipt):
    write(moderator.book, manzikert())
    byzantium = row_of(moderator.book, "Nations", "Name", "Byzantium")
    as_formula(moderator.book, "Nations", byzantium["Population"], f"{byzantium['Population'] // 2}*2")

    assert ruled(moderator)["W-0004"] == plain_receipt
    with zipfile.ZipFile(moderator.book) as package:
        assert any(b"<f>" in package.read(name) for name in package.namelist() if "worksheets/sheet" in name)


def test_a_formula_that_follows_a_changed_cell_is_recalculated(moderator):
    """What hangs on a stability that the ruling changed loses its old value; other formulas keep theirs."""

    def finish(book):
        sheet = book.create_sheet("Ranking")
        sheet["A1"] = "=Nations!B5*2"
        sheet["A2"] = "=6*7"

    write(moderator.book, manzikert(), finish=finish)
    cached(moderator.book, "Ranking", {"Nations!B5*2": 140, "6*7": 42})
    ruled(moderator)

    ranking = shown_cells(moderator.book, "Ranking")
    assert ranking["A2"] == 42
    assert ranking["A1"] is None


def test_a_formula_without_a_value_is_reported(moderator):
    def finish(book):
        book["Nations"]["C5"] = "=6000000*2"

    write(moderator.book, manzikert(), finish=finish)

    said = moderator.types("run", BOOK)

    assert said.code == 1
    assert "Nations!C5 (Byzantium, Population): is a formula that has not been calculated." in said.out


@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_recalc_uses_libreoffice_for_missing_values(moderator, plain_receipt):
    def finish(book):
        book["Nations"]["C5"] = "=6000000*2"

    write(moderator.book, manzikert(), finish=finish)

    assert ruled(moderator, "--recalc")["W-0004"] == plain_receipt


@pytest.mark.parametrize("code", ["#REF!"])
def test_an_error_cell_is_reported_with_its_code(moderator, code):
    def finish(book):
        book["Nations"]["C5"] = code

    write(moderator.book, manzikert(), finish=finish)

    said = moderator.types("check", BOOK)

    assert f"Nations!C5 (Byzantium, Population): shows the error {code}" in said.out
    assert "Repair the formula or type a value. [NAT-03]" in said.out


def test_text_that_resembles_a_formula_stays_text(moderator):
    """No text from a person is ever written as a formula."""
    rows = manzikert()
    rows["War Requests"][3]["War"] = '\'=HYPERLINK("http://example.org")'
    write(moderator.book, rows)
    assert ruled(moderator)

    with zipfile.ZipFile(moderator.book) as package:
        for name in package.namelist():
            if "worksheets/sheet" in name:
                assert b"<f" not in package.read(name)


def sheet_part(package: zipfile.ZipFile, tab: str) -> str:
    """The part of a tab in a file by openpyxl, which numbers them in order."""
    names = re.findall(r'<sheet [^>]*name="([^"]+)"', package.read("xl/workbook.xml").decode())
    return f"xl/worksheets/sheet{names.index(tab) + 1}.xml"


def rewritten(path: Path, tab: str, pairs: dict[str, str]) -> None:
    """Replace texts, which must be there, in the XML of a tab."""
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
        part = sheet_part(package, tab)
    text = parts[part].decode()
    for old, new in pairs.items():
        assert old in text
        text = text.replace(old, new, 1)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in {**parts, part: text.encode()}.items():
            package.writestr(name, data)


def as_formula(path: Path, tab: str, value: int, formula: str) -> None:
    """Turn the first cell that holds a number into a formula with that value."""
    rewritten(path, tab, {f"<v>{value}</v>": f"<f>{formula}</f><v>{value}</v>"})


def cached(path: Path, tab: str, values: dict[str, int]) -> None:
    """Give formulas a value in the file."""
    rewritten(
        path, tab, {f"<f>{formula}</f><v />": f"<f>{formula}</f><v>{value}</v>" for formula, value in values.items()}
    )


def shown_cells(path: Path, tab: str) -> dict[str, object]:
    """Address to value, as the file has it."""
    import openpyxl

    sheet = openpyxl.load_workbook(path, data_only=True)[tab]
    return {cell.coordinate: cell.value for row in sheet.iter_rows() for cell in row}
