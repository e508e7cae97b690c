#!/usr/bin/env python3
"""Photograph each state of a request row in LibreOffice, for docs/exactly-once.md; needs LibreOffice and Poppler.

The seasons are those that `init` begins. Wars are ruled, one row is typed over, one is undone, two are copied; in a
round two orders lapse, and one of them is typed over.
"""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Collection, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import openpyxl
from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties
from PIL import Image, ImageOps

from engine.columns import tab_of
from sheets_algo.forms.capabilities import TurnForm
from sheets_algo.forms.rulesets import load_all

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "pictures" / "row-states.png"
COMMAND = Path(sys.executable).with_name("sheets-algo")
QUIET = {"SHEETS_ALGO_PICTURES": "false", "SHEETS_ALGO_SECRET": "the season of the row states"}
STATES = {"Ready": 8, "Status": 11, "Message": 85, "Winner": 18}
WARS = {"Request": 9, "War": 18, "Year": 7, "Attacker": 17, "Defender": 17} | STATES
ORDERS = {"Request": 9, "Player": 18, "Order": 17, "Tax %": 7, "Amount ¤": 17} | STATES
"""Columns in the pictures, with their widths in characters."""
BOOK = "season.xlsx"

Cells = Mapping[tuple[int, str], Any]
"""Values of cells, by row and header."""


def main() -> None:
    """Photograph the rows of a season of wars and of a round with orders that lapse."""
    ArgumentParser(description=__doc__).parse_args()
    pages = wars(), orders()
    width, height = max(page.width for page in pages), sum(page.height for page in pages)
    picture = Image.new("RGB", (width, height + 20), "white")
    picture.paste(pages[0], (0, 0))
    picture.paste(pages[1], (0, pages[0].height + 20))
    picture.quantize(64).save(PICTURE, optimize=True)
    print(f"{PICTURE.relative_to(ROOT)}  {PICTURE.stat().st_size / 1000:.0f} KB")


def wars() -> Image.Image:
    """Type a war over the second row of the example, paste two copies of the first, and undo the last."""
    with TemporaryDirectory() as name:
        folder, tab = Path(name), "War Requests"
        program(folder, "init", BOOK)
        program(folder, "run", BOOK)
        book = openpyxl.load_workbook(folder / BOOK)
        last = max(row for row, war in enumerate(book[tab].iter_rows(max_col=2), 1) if war[1].value)
        first = {
            (row, cell.value): book[tab].cell(2, cell.column).value
            for cell in book[tab][1]
            for row in (last + 1, last + 2)
        }
        typed = {(3, "War"): "The next war", (3, "Year"): 1090}
        later = {(last + 2, "War"): "A later war", (last + 2, "Year"): 1075}
        type_in(folder, tab, first | typed | later)
        program(folder, "undo", BOOK, "W-0005")
        program(folder, "run", BOOK)  # exit 1: rows are refused
        return photograph(folder, tab, WARS, range(2, last + 3))


def orders() -> Image.Image:
    """Let two orders set a tax that an order above has set, and type another order over one of them."""
    with TemporaryDirectory() as name:
        game = next(form for form in load_all() if issubclass(form, TurnForm))
        folder, tab = Path(name), tab_of(game.request).name
        program(folder, "init", BOOK, "--ruleset", game.ruleset_key)
        again: dict[str, Any] = {"Player": "Anna", "Order": "Set tax", "City": None, "Amount ¤": None}
        type_in(
            folder, tab, {(row, head): value for row in (5, 6) for head, value in (again | {"Tax %": row + 10}).items()}
        )
        program(folder, "run", BOOK)
        type_in(folder, tab, {(6, "Order"): "Adjust bank", (6, "Tax %"): None, (6, "Amount ¤"): 50})
        program(folder, "run", BOOK)  # exit 1: a row is refused
        return photograph(folder, tab, ORDERS, (2, 5, 6, 8))


def program(folder: Path, *words: str) -> None:
    """Run a command of the program in a folder."""
    subprocess.run([COMMAND, *words], cwd=folder, env=os.environ | QUIET, check=False, stdout=subprocess.DEVNULL)


def type_in(folder: Path, tab: str, cells: Cells) -> None:
    """Type values into a tab."""
    book = openpyxl.load_workbook(folder / BOOK)
    places: dict[Any, Any] = {cell.value: cell.column for cell in book[tab][1]}
    for (row, header), value in cells.items():
        book[tab].cell(row, places[header]).value = value
    book.save(folder / BOOK)


def photograph(folder: Path, tab: str, shown: Mapping[str, int], rows: Collection[int]) -> Image.Image:
    """Return a picture of some columns and rows of a tab."""
    book = openpyxl.load_workbook(folder / BOOK)
    for title in book.sheetnames:
        if title != tab:
            del book[title]
    sheet = book[tab]
    for place, cell in enumerate(sheet[1], start=1):
        dimension = sheet.column_dimensions[get_column_letter(place)]
        dimension.hidden = cell.value not in shown
        dimension.width = shown.get(str(cell.value), 18)
        if cell.value == "Message":
            for row in rows:
                sheet.cell(row, place).alignment = Alignment(wrap_text=True, vertical="top")
    for row in range(2, max(rows) + 1):
        sheet.row_dimensions[row].hidden = row not in rows
        sheet.row_dimensions[row].height = 42
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.print_area = f"A1:{get_column_letter(sheet.max_column)}{max(rows)}"
    sheet.print_options.gridLines = sheet.print_options.headings = True
    book.save(folder / BOOK)
    for command in (
        ("soffice", "--headless", "--convert-to", "pdf", BOOK),
        ("pdftoppm", "-r", "100", "-png", "-singlefile", "season.pdf", "page"),
    ):
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    page = Image.open(folder / "page.png").convert("RGB")
    return page.crop(ImageOps.invert(page.crop((0, 0, page.width, page.height * 9 // 10))).getbbox())


if __name__ == "__main__":
    main()
