"""A season of all five rulesets that an earlier version ruled: verified, and ruled again byte for byte.

`tests/data/season` holds the workbook before (`before.xlsx`), after `run`, `undo W-0007` and `run` (`ruled.xlsx`), and
the logs. It was made by version 0.1.0, before the layers became folders, with the tables of `tests/data`.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import openpyxl

from tests.e2e.moderator import BOOK, Moderator

SEASON = Path(__file__).resolve().parents[1] / "data" / "season"
SECRET = {"SHEETS_ALGO_SECRET": "a season that was ruled before the house was rebuilt"}
CLOCK = ("Time", "Ruled At")
"""Columns that hold the time of the ruling."""
RECEIPTS = 37


def cells(path: Path) -> dict[str, list[list[Any]]]:
    """Return the rows of every tab, without the columns of times."""
    book = openpyxl.load_workbook(path)
    found = {}
    for sheet in book:
        rows = [list(row) for row in sheet.iter_rows(values_only=True)]
        times = {place for place, header in enumerate(rows[0] if rows else ()) if header in CLOCK}
        found[sheet.title] = [[cell for place, cell in enumerate(row) if place not in times] for row in rows]
    return found


def without_times(tabs: dict[str, list[list[Any]]]) -> dict[str, list[list[str]]]:
    """Cells as text, with the formulas' objects compared by what they hold."""
    return {tab: [[str(getattr(cell, "text", cell)) for cell in row] for row in rows] for tab, rows in tabs.items()}


def test_every_receipt_of_an_earlier_version_is_verified(moderator: Moderator) -> None:
    shutil.copy(SEASON / "ruled.xlsx", moderator.folder / BOOK)

    said = moderator.types("verify", BOOK, **SECRET)

    assert said.code == 0, said.out
    assert said.out.splitlines()[-1] == f"{RECEIPTS} of {RECEIPTS} receipts equal."


def test_a_season_is_ruled_as_an_earlier_version_ruled_it(moderator: Moderator) -> None:
    shutil.copy(SEASON / "before.xlsx", moderator.folder / BOOK)

    said = [moderator.types(*words, **SECRET) for words in (("run", BOOK), ("undo", BOOK, "W-0007"), ("run", BOOK))]

    assert [run.code for run in said] == [1, 0, 1], [run.err for run in said]  # one war is refused, on purpose
    assert without_times(cells(moderator.folder / BOOK)) == without_times(cells(SEASON / "ruled.xlsx"))
    logs = {file.name.rpartition(" ")[2]: file.read_bytes() for file in (moderator.folder / "logs").iterdir()}
    assert logs == {file.name: file.read_bytes() for file in (SEASON / "logs").iterdir()}
