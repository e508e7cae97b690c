#!/usr/bin/env python3
"""Photograph each state of a request row in LibreOffice, for docs/exactly-once.md; needs LibreOffice and Poppler.

The season is one that `init` begins: its wars are ruled, one row is typed over, one is undone, two are copied.
"""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import openpyxl
from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties
from PIL import Image, ImageOps

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "pictures" / "row-states.png"
COMMAND = Path(sys.executable).with_name("sheets-algo")
QUIET = {"SHEETS_ALGO_PICTURES": "false", "SHEETS_ALGO_SECRET": "the season of the row states"}
SHOWN = {"Request": 9, "War": 18, "Year": 7, "Attacker": 17, "Defender": 17, "Ready": 8, "Status": 11, "Message": 85}
"""Columns in the picture, with their widths in characters; Winner comes last."""
BOOK = "season.xlsx"
TAB = "War Requests"


def main() -> None:
    """Rule the example season, change rows as people do, and photograph what the next run makes of them."""
    ArgumentParser(description=__doc__).parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        program(folder, "init", BOOK)
        program(folder, "run", BOOK)
        last = change_rows(folder / BOOK)
        program(folder, "undo", BOOK, "W-0005")
        program(folder, "run", BOOK)  # exit 1: rows are refused
        keep_what_is_shown(folder / BOOK, last)
        for command in (
            ("soffice", "--headless", "--convert-to", "pdf", BOOK),
            ("pdftoppm", "-r", "100", "-png", "-singlefile", "season.pdf", "page"),
        ):
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        page = Image.open(folder / "page.png").convert("RGB")
    ink = ImageOps.invert(page.crop((0, 0, page.width, page.height * 9 // 10))).getbbox()
    page.crop(ink).quantize(64).save(PICTURE, optimize=True)
    print(f"{PICTURE.relative_to(ROOT)}  {PICTURE.stat().st_size / 1000:.0f} KB")


def program(folder: Path, *words: str) -> None:
    """Run a command of the program in a folder."""
    subprocess.run([COMMAND, *words], cwd=folder, env=os.environ | QUIET, check=False, stdout=subprocess.DEVNULL)


def change_rows(file: Path) -> int:
    """Type a war over the second row and paste two copies of the first; return the last row."""
    book = openpyxl.load_workbook(file)
    sheet = book[TAB]
    column: dict[Any, Any] = {cell.value: cell.column for cell in sheet[1]}
    last = max(row for row in range(2, sheet.max_row + 1) if sheet.cell(row, column["War"]).value)
    for copy in (last + 1, last + 2):
        for place in column.values():
            sheet.cell(copy, place).value = sheet.cell(2, place).value
    typed: dict[tuple[int, str], Any] = {
        (3, "War"): "The next war",
        (3, "Year"): 1090,
        (last + 2, "War"): "A later war",
        (last + 2, "Year"): 1075,
    }
    for (row, header), value in typed.items():
        sheet.cell(row, column[header]).value = value
    book.save(file)
    return last + 2


def keep_what_is_shown(file: Path, last: int) -> None:
    """Leave the rows and columns of the picture, on one page."""
    book = openpyxl.load_workbook(file)
    for title in book.sheetnames:
        if title != TAB:
            del book[title]
    sheet = book[TAB]
    for place, cell in enumerate(sheet[1], start=1):
        dimension = sheet.column_dimensions[get_column_letter(place)]
        dimension.hidden = cell.value not in {*SHOWN, "Winner"}
        dimension.width = SHOWN.get(str(cell.value), 18)
        if cell.value == "Message":
            for row in range(2, last + 1):
                sheet.cell(row, place).alignment = Alignment(wrap_text=True, vertical="top")
                sheet.row_dimensions[row].height = 42
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.print_area = f"A1:{get_column_letter(sheet.max_column)}{last}"
    sheet.print_options.gridLines = sheet.print_options.headings = True
    book.save(file)


if __name__ == "__main__":
    main()
