#!/usr/bin/env python3
"""Measure the site of a season: CPU seconds from nothing and for one more ruling, bytes, the largest page.

The season has as many wars as asked, between twenty nations; `run` rules them first, which takes far longer than the
site and is done once: the workbook is kept in the folder that is named.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sheets_algo.config.settings import settings
from sheets_algo.runtime.locate import open_workbooks
from sheets_algo.runtime.session import opened
from sheets_algo.site.build import site_options, write_site
from sheets_algo.workbook.registry import find

COMMAND = Path(sys.executable).with_name("sheets-algo")
SECRETS = ".sheets-algo"
"""The folder of season secrets beside a workbook."""
NATIONS = 20


def make(path: Path, wars: int) -> None:
    """Make a workbook with wars between nations that are copies of those of Manzikert."""
    import openpyxl

    from tests.helpers.workbooks import example, grids

    season = example("1066")
    (war,) = (row for row in season["War Requests"] if row["Request"] == "W-0004")
    (nation,) = (row for row in season["Nations"] if row["Name"] == war["Attacker"])
    (army,) = (row for row in season["Militaries"] if row["Name"] == war["Attacker Military"])
    names = [f"Kingdom {number}" for number in range(1, NATIONS + 1)]
    dice = random.Random(1)
    plain = {"Leader": None, "Capital": None, "Stability": 120}
    tables = {
        "War Requests": [
            war
            | dict(zip(("Attacker", "Defender"), dice.sample(names, 2), strict=True))
            | {"Request": f"W-{number:04}", "War": f"War {number}", "Year": 1071 + number // 10}
            | {"Attacker Military": "Host", "Defender Military": "Host"}
            for number in range(1, wars + 1)
        ],
        "Nations": [nation | plain | {"Name": name} for name in names],
        "Militaries": [
            army | {"Nation": name, "Name": "Host", "Leader": None, "Size": 20_000 + 1_000 * place}
            for place, name in enumerate(names)
        ],
        "Locations": [row for row in season["Locations"] if row["Name"] == war["Location"]],
        "Leaders": [],
    }
    book = openpyxl.Workbook(write_only=True)
    for name, grid in grids(tables).items():
        sheet = book.create_sheet(name)
        for cells in grid:
            sheet.append(cells)
    book.save(path)


def rule(book: Path, last: int) -> None:
    """Rule the wars up to a number; the others wait."""
    import openpyxl

    opened = openpyxl.load_workbook(book)
    sheet = opened["War Requests"]
    heads = {cell.value: cell.column for cell in sheet[1]}
    for row in range(2, sheet.max_row + 1):
        sheet.cell(row, heads["Ready"]).value = row <= last + 1
    opened.save(book)
    subprocess.run([COMMAND, "run", book.name], cwd=book.parent, check=True, stdout=subprocess.DEVNULL)


def figures(book: Path, site: Path, what: str) -> None:
    """Write the site, and print what reading the workbook and writing the site cost."""
    address = find(str(book))
    chosen = settings(book.parent, {})
    session = open_workbooks([address], chosen)[0].session
    begun = time.process_time()
    seen = opened(session, with_log=True)
    read = time.process_time()
    result = write_site(session, seen, site_options(chosen, site))
    wrote = time.process_time()
    sizes = [(file.stat().st_size, file) for file in site.rglob("*.html") if file.parent.name != "replays"]
    largest, page = max(sizes)
    print(
        f"{what:<22}{read - begun:>8.2f}{wrote - read:>8.2f}{result.files:>8,}{len(result.written):>9,}"
        f"{largest:>9,}  {page.relative_to(site)}"
    )


def main() -> None:
    """Print a row for each step."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--wars", type=int, default=1_000, help="how many wars; default: 1000")
    parser.add_argument("--folder", type=Path, default=Path("build/season-site"), help="where the workbook is kept")
    asked = parser.parse_args()
    book = asked.folder.resolve() / f"season-{asked.wars}.xlsx"
    book.parent.mkdir(parents=True, exist_ok=True)
    if not book.exists():
        make(book, asked.wars + 1)
        rule(book, asked.wars)
    with TemporaryDirectory() as name:
        folder, site = Path(name), Path(name, "site")
        copied = Path(shutil.copy(book, folder))
        shutil.copytree(book.parent / SECRETS, folder / SECRETS)
        print(f"{'CPU seconds':<22}{'read':>8}{'site':>8}{'files':>8}{'written':>9}{'largest':>9}")
        figures(copied, site, "from nothing")
        figures(copied, site, "nothing new")
        rule(copied, asked.wars + 1)
        figures(copied, site, "one more ruling")


if __name__ == "__main__":
    main()
