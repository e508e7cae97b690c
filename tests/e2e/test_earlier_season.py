"""A season of all five rulesets that an earlier version ruled: verified, and ruled again byte for byte.

`tests/data/season` holds the workbook before (`before.xlsx`), after `run`, `undo W-0007` and `run` (`ruled.xlsx`), and
the logs. It was made by version 0.1.0, before the layers became folders, with the tables of `tests/data`.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import openpyxl

from tests.e2e.bad_input_cases import edit
from tests.e2e.moderator import BOOK, Moderator, row_of, shown

SEASON = Path(__file__).resolve().parents[1] / "data" / "season"
SECRET = {"SHEETS_ALGO_SECRET": "a season that was ruled before the house was rebuilt"}
LEFT_OUT = ("Time", "Ruled At", "Rules Version", "Previous")
"""Columns that hold the time of the ruling, and one that the earlier version did not have."""
OTHER_RULES = {
    *("War Requests", "Flanks", "Nations", "Leaders"),
    *("Turn Requests", "Rating Requests", "Realms", "Realm Leaders", "Realm Units", "Realm Cities"),
    *("Combat Requests", "Hex Units", "Hex Sides", "Hex Facilities"),
}
"""Tabs of the rulesets whose rules have changed since."""
OTHER_IDS = ("W-", "T-", "G-", "H-")
"""Prefixes of their requests: wars, orders T-0001 to T-0009, the rating of the realms G-0001, combats."""


NEW_WARNING = re.compile(r"(?:\\n|\n)'CiAIS Requests'![^\n]*?warning: [^\n]*?\[CI-OP-26\]")
"""A line that the earlier version did not add to a message."""
LOST = re.compile(r"lost(?: \(|, [^\[]*\[)(CI-LOSE-\d)[])]")
"""How a message says that a player lost, in words only since then."""


def cells(path: Path) -> dict[str, list[list[Any]]]:
    """Return the rows of every tab, without the columns of times."""
    book = openpyxl.load_workbook(path)
    found = {}
    for sheet in book:
        rows = [list(row) for row in sheet.iter_rows(values_only=True)]
        times = {place for place, header in enumerate(rows[0] if rows else ()) if header in LEFT_OUT}
        found[sheet.title] = [[cell for place, cell in enumerate(row) if place not in times] for row in rows]
    return found


def without_times(tabs: dict[str, list[list[Any]]]) -> dict[str, list[list[str]]]:
    """Cells as text, with the formulas' objects compared by what they hold."""
    return {
        tab: [
            [LOST.sub(r"lost \1", NEW_WARNING.sub("", str(getattr(cell, "text", cell)))) for cell in row]
            for row in rows
        ]
        for tab, rows in tabs.items()
    }


def as_ruled_today(path: Path) -> dict[str, list[list[str]]]:
    """The same without what was ruled by rules that have changed since."""
    found = without_times(cells(path))
    return {
        tab: [row for row in rows if not any(cell.startswith(OTHER_IDS) for cell in row)]
        for tab, rows in found.items()
        if tab not in OTHER_RULES
    }


def test_every_receipt_of_an_earlier_version_is_verified(moderator: Moderator) -> None:
    shutil.copy(SEASON / "ruled.xlsx", moderator.folder / BOOK)

    said = moderator.types("verify", BOOK, **SECRET)

    lines = said.out.splitlines()
    assert lines[-1] == "11 of 37 receipts equal, 26 cannot be computed."
    assert [line for line in lines if "DIFFERENT" in line] == []
    at = lines.index("  18 T-0001   cannot be computed")
    assert lines[at + 1].strip() == "it was ruled by rules version 1, and this program has 2: install sheets-algo 0.1"
    assert said.code == 2


def test_a_season_is_ruled_as_an_earlier_version_ruled_it(moderator: Moderator) -> None:
    shutil.copy(SEASON / "before.xlsx", moderator.folder / BOOK)
    for row in (5, 11):  # as a blank cell meant before HX-OP-53
        edit(moderator.book, "Combat Requests", "Fire support", row, "none")

    said = [moderator.types(*words, **SECRET) for words in (("run", BOOK), ("undo", BOOK, "W-0007"), ("run", BOOK))]

    assert [run.code for run in said] == [1, 0, 1], [run.err for run in said]  # one war is refused, on purpose
    assert as_ruled_today(moderator.folder / BOOK) == as_ruled_today(SEASON / "ruled.xlsx")
    logs = {file.name.rpartition(" ")[2]: file.read_bytes() for file in (moderator.folder / "logs").iterdir()}
    earlier = {file.name: file.read_bytes() for file in (SEASON / "logs").iterdir()}
    assert {name: log for name, log in logs.items() if not name.startswith(OTHER_IDS)} == {
        name: log for name, log in earlier.items() if not name.startswith(OTHER_IDS)
    }


def test_a_season_goes_on_under_other_rules_only_if_a_person_says_so(moderator: Moderator) -> None:
    """RCP-17: one order more of a realm, which the earlier version ruled by other rules."""
    shutil.copy(SEASON / "ruled.xlsx", moderator.folder / BOOK)
    for header, value in (("Realm", "Rome"), ("Order", "Process turn"), ("Action", "Rule"), ("Ready", True)):
        edit(moderator.book, "Turn Requests", header, 11, value)

    refused = moderator.types("run", BOOK, **SECRET)
    assert refused.code == 1
    assert "the season is ruled by version 1 of realm, and this program has 2" in refused.out
    accepted = moderator.types("run", BOOK, "--accept-rules", **SECRET)
    again = moderator.types("run", BOOK, **SECRET)

    assert row_of(moderator.book, "Turn Requests", "Request", "T-0010")["Status"] == "Done", accepted.out
    rows = shown(moderator.book, "Receipts")[-4:]
    assert [(row["Kind"], row["Ruleset"], row["Rules Version"]) for row in rows] == [
        ("Rules", "autoalgo", 2), ("Rules", "realm", 2), ("Rules", "hexcombat", 2), ("Ruling", "realm", 2),
    ]  # fmt: skip
    assert "From here on realm is ruled by version 2 of its rules (sheets-algo 0.2)." in rows[1]["Receipt"]
    assert "RCP-17" not in again.out
    assert "12 of 38 receipts equal, 26 cannot be computed" in moderator.types("verify", BOOK, **SECRET).out
