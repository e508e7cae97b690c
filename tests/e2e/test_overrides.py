"""Moderators' decisions with the installed command: from the tab to the undone ruling, in a file and at Google."""

from __future__ import annotations

import csv
import re

import openpyxl

from scripts.support.moderator import SECRET, only, row_of, season, shown, write
from tests.e2e.online import URL

LUCK = {"SHEETS_ALGO_SECRET": SECRET}
"""The same battle each time."""
WHAT = "hour 3, Normandy right flank, attack"
DECISIONS = [
    {"Request": "W-0002", "Kind": "Draw", "What": WHAT, "Value": 0.6, "Reason": "a [[bad]] die", "By": "Bob"},
    {"Request": "W-0002", "Kind": "Result", "What": "England Stability", "Value": 66, "Reason": "peace", "By": "Anna"},
]


def test_a_decision_is_reported_verified_listed_and_undone(moderator):
    rows = only(season(), "W-0002")
    rows["Overrides"] = [dict(row) for row in DECISIONS]
    write(moderator.book, rows)
    stability = row_of(moderator.book, "Nations", "Name", "England")["Stability"]

    ruled = moderator.types("run", "season.xlsx", SHEETS_ALGO_HOW_LUCKY="true", **LUCK)
    assert ruled.code == 0
    assert row_of(moderator.book, "Nations", "Name", "England")["Stability"] == 66
    receipt = row_of(moderator.book, "Receipts", "Request", "W-0002")["Receipt"]
    assert "=== Moderator's decisions ===" in receipt
    assert "→ 66 (Unrest); without the decisions 110 → " in receipt
    assert (
        "(decided by Bob and Anna; the receipt says what would be different without the decisions)"
        in row_of(moderator.book, "War Requests", "Request", "W-0002")["Message"]
    )
    events = [line for line in shown(moderator.book, "Log") if line["Event"] == "decision"]
    assert [line["Hour"] for line in events] == [None, None, 3]
    assert "luck" not in {line["Event"] for line in shown(moderator.book, "Log")}
    [log] = (moderator.folder / "logs").glob("*.txt")
    number = int(re.search(r"timeline begins in line (\d+)", text := log.read_text())[1])  # type: ignore[index]
    assert text.splitlines()[number - 1] == "2. Timeline"
    assert "\nModerator's decisions\n" in text
    assert moderator.types("run", "season.xlsx", **LUCK).out.startswith("Nothing to do")

    assert moderator.types("verify", "season.xlsx", **LUCK).out.splitlines()[-1] == "1 of 1 receipt equal."
    replayed = moderator.types("replay", "season.xlsx", "W-0002", "--html", "page.html")
    assert replayed.code == 0
    page = (moderator.folder / "page.html").read_text()
    assert f'<a href="#h=3">hour 3</a>: the moderator sets {WHAT} to 0.6' in page
    assert "How lucky it was" not in page
    assert "as the moderator decided" in moderator.types("explain", "season.xlsx", "W-0002").out

    told = moderator.types("season", "season.xlsx", "--csv", "tables")
    lines = told.out.splitlines()
    first = lines.index("Moderators' decisions") + 1
    assert [line.split(":")[0] for line in lines[first:]] == ["Anna", "Bob"]
    fields = ("by", "kind", "what", "value", "is_undone")
    with (moderator.folder / "tables" / "overrides.csv").open(newline="") as stream:
        listed = [tuple(row[field] for field in fields) for row in csv.DictReader(stream)]
    assert listed == [("Bob", "Draw", WHAT, "0.6", "False"), ("Anna", "Result", "England Stability", "66", "False")]
    wiki = moderator.types("season", "season.xlsx", "--wiki").out
    assert "[[bad]]" not in wiki
    assert [row["by"] for row in moderator.types("season", "season.xlsx", "--json").data["overrides"]] == [
        "Bob",
        "Anna",
    ]

    assert moderator.types("undo", "season.xlsx", "W-0002", **LUCK).code == 0
    assert row_of(moderator.book, "Nations", "Name", "England")["Stability"] == stability
    assert "(undone)" in moderator.types("season", "season.xlsx").out


def test_init_adds_the_tab_on_request_to_new_and_existing_workbooks(moderator):
    moderator.types("init", "season.xlsx", "--empty")
    assert "Overrides" not in openpyxl.load_workbook(moderator.book).sheetnames
    assert "completed: Overrides." in moderator.types("init", "season.xlsx", "--overrides").out
    old = openpyxl.load_workbook(moderator.book)["Overrides"]
    moderator.types("init", "new.xlsx", "--empty", "--overrides")
    new = openpyxl.load_workbook(moderator.folder / "new.xlsx")["Overrides"]

    assert [cell.value for cell in old[1]] == [cell.value for cell in new[1]]
    assert [cell.value for cell in new[1]] == ["Request", "Kind", "What", "Value", "Reason", "By"]
    assert new["C1"].comment is not None
    assert [check.formula1 for check in new.data_validations.dataValidation] == ['"Input,Draw,Result"']
    assert moderator.types("check", "new.xlsx").out.endswith("No problems.\n")


def test_ovr_10_a_forecast_and_a_what_if_include_decided_cells(moderator):
    rows = only(season(), "W-0002")
    size = {"Request": "W-0002", "Kind": "Input", "What": "Militaries!William's Army!Size", "Value": 200}
    rows["Overrides"] = [size | {"Reason": "a slip", "By": "Anna"}, dict(DECISIONS[1])]
    write(moderator.book, rows)
    asked = ("forecast", "season.xlsx", "W-0002", "--runs", "40")

    said = moderator.types(*asked)
    assert said.out.splitlines()[-2:] == [
        "As decided in Overrides: Militaries!William's Army!Size = 200.",
        "Decided in Overrides, and not counted in the odds: England Stability = 66.",
    ]
    odds = moderator.types(*asked, "--json").data["forecasts"][0]
    assert len(odds["decisions"]) == 2
    assert any(
        "defender wins 100 %" in line.lower() for line in moderator.types("check", "season.xlsx").out.splitlines()
    )

    changed = moderator.types(*asked, "--set", "Militaries!William's Army!Size=200").out
    assert "The change does not affect this request." in changed


def test_a_watcher_rules_a_decision_at_google_and_refers_a_later_one_to_undo(online):
    rows = only(season())
    rows["Overrides"] = [dict(DECISIONS[0]), DECISIONS[1] | {"Reason": None}]
    id = online.make(rows)
    with online.watches(URL.format(id), **LUCK) as watcher:
        online.tick(id, "W-0002")
        watcher.until(lambda: online.column(id, "Status")[1] == "Invalid")
        assert "Overrides!E3 (Reason): required, but empty." in online.column(id, "Message")[1]
        online.server.type(id, "Overrides!E3", [["peace"]])
        watcher.until(lambda: online.column(id, "Status")[1] == "Done")
    receipt = online.column(id, "Receipt", "Receipts")[-1]
    assert "Reason: peace. By: Anna" in receipt
    assert online.types("verify", id, **LUCK).out.splitlines()[-1] == "1 of 1 receipt equal."

    online.server.type(id, "Overrides!E3", [["another reason"]])
    said = online.types("run", id, **LUCK)
    assert 'Undo W-0002 first and choose its Action "Rule again", or delete this row. [OVR-14]' in said.out
    assert "[OVR-14]" in online.column(id, "Message")[1]
    assert online.rulings(id) == ["W-0002"]
