#!/usr/bin/env python3
"""Measure the site of a season: CPU seconds from nothing and for one more ruling, bytes, the largest page.

The command reads the workbook with its Log and writes the site. A watcher whose settings name a site pays for one more
ruling what its subscriber takes after the commit, which reads the workbook too: the first time with its Log, then
without.

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
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sheets_algo.config.settings import settings
from sheets_algo.ruling.receipts.receipt_rows import LogRow
from sheets_algo.runtime.locate import open_workbooks
from sheets_algo.runtime.run.run_pass import run_pass
from sheets_algo.runtime.run.watch_state import WatchState
from sheets_algo.runtime.session.session import OpenWorkbook, Session, opened
from sheets_algo.site import build
from sheets_algo.site.build import site_options, site_writer, write_site
from sheets_algo.site.folder import SiteResult
from sheets_algo.workbook.stores import find

COMMAND = Path(sys.executable).with_name("sheets-algo")
SECRETS = ".sheets-algo"
"""The folder of season secrets beside a workbook."""
NATIONS = 20
MORE = ("a watcher's first ruling", "one more ruling", "another ruling")


def make(path: Path, wars: int) -> None:
    """Make a workbook with wars between nations that are copies of those of Manzikert."""
    from scripts.support.moderator import write_grids
    from scripts.support.workbooks import example, grids

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
    write_grids(path, grids(tables), write_only=True)


def make_ready(book: Path, last: int) -> None:
    """Make the wars up to a number ready; the others wait."""
    import openpyxl

    opened = openpyxl.load_workbook(book)
    sheet = opened["War Requests"]
    heads = {cell.value: cell.column for cell in sheet[1]}
    for row in range(2, sheet.max_row + 1):
        sheet.cell(row, heads["Ready"]).value = row <= last + 1
    opened.save(book)


def figures(what: str, site: Path, read: float, wrote: float, result: SiteResult) -> None:
    """Print what reading the workbook and writing the site cost, and what was written."""
    sizes = [(file.stat().st_size, file) for file in site.rglob("*.html") if file.parent.name != "replays"]
    largest, page = max(sizes)
    print(
        f"{what:<28}{read:>8.2f}{wrote:>8.2f}{result.files:>8,}{len(result.written):>9,}"
        f"{largest:>9,}  {page.relative_to(site)}"
    )


@dataclass
class Meter:
    """The CPU seconds that a site cost: of reading the workbook for it, and of writing it."""

    session: Session
    site: Path
    read: float = 0.0
    result: SiteResult = field(default_factory=lambda: SiteResult(0))

    def command(self, what: str) -> None:
        """Measure the command."""
        options = site_options(settings(self.session.folder, {}), self.site)
        begun = time.process_time()
        seen = opened(self.session, whole=(LogRow,))
        read = time.process_time()
        result = write_site(self.session, seen, options)
        figures(what, self.site, read - begun, time.process_time() - read, result)

    def watched(self, what: str, update: Callable[[Any], None], state: WatchState) -> None:
        """Measure what a watcher does for the site after the commit of a pass."""

        def measured(result: Any) -> None:
            if not result.plan.rulings:
                return
            self.read = 0.0
            begun = time.process_time()
            with patch.object(build, "opened", self._opened), patch.object(build, "write_site", self._write_site):
                update(result)
            took = time.process_time() - begun
            figures(what, self.site, self.read, took - self.read, self.result)

        session = replace(self.session, on_committed=(measured,))
        while not (passed := run_pass(session, state=state)).plan.rulings:
            assert not passed.failures
        assert not passed.failures, passed.failures

    def _opened(self, *args: Any, **options: Any) -> OpenWorkbook:
        begun = time.process_time()
        seen = opened(*args, **options)
        self.read += time.process_time() - begun
        return seen

    def _write_site(self, *args: Any, **options: Any) -> SiteResult:
        self.result = write_site(*args, **options)
        return self.result


def main() -> None:
    """Print a row for each step."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--wars", type=int, default=1_000, help="how many wars; default: 1000")
    parser.add_argument("--folder", type=Path, default=Path("build/season-site"), help="where the workbook is kept")
    asked = parser.parse_args()
    book = asked.folder.resolve() / f"season-{asked.wars}.xlsx"
    book.parent.mkdir(parents=True, exist_ok=True)
    if not book.exists():
        make(book, asked.wars + len(MORE))
        make_ready(book, asked.wars)
        subprocess.run([COMMAND, "run", book.name], cwd=book.parent, check=True, stdout=subprocess.DEVNULL)
    with TemporaryDirectory() as name:
        folder, site = Path(name), Path(name, "site")
        copied = Path(shutil.copy(book, folder))
        shutil.copytree(book.parent / SECRETS, folder / SECRETS)
        session = open_workbooks([find(str(copied))], settings(folder, {}))[0].session
        meter, state = Meter(session, site), WatchState()
        print(f"{'CPU seconds':<28}{'read':>8}{'site':>8}{'files':>8}{'written':>9}{'largest':>9}")
        meter.command("from nothing")
        meter.command("nothing new")
        update = site_writer(session, site_options(settings(folder, {}), site))
        for number, what in enumerate(MORE, start=1):
            make_ready(copied, asked.wars + number)
            meter.watched(what, update, state)


if __name__ == "__main__":
    main()
