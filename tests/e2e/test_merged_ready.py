"""One tick in a cell that is merged over several rows, in a file and at Google (REQ-04)."""

from __future__ import annotations

from openpyxl import Workbook
from openpyxl.utils import get_column_letter as letters

from scripts.support.moderator import BOOK, only, season, shown, write

SAYS = "S2:S4 is one merged cell, so its tick is not that of one war. Unmerge it and tick Ready in each row. [REQ-04]"


def ticked():
    """The example, with Ready in column S; the first of three wars is ticked, the fourth war by itself."""
    rows = only(season(), "W-0001", "W-0004")
    heads = ["Request", "War", "Year", "Attacker", "Attacker Military", "Defender", "Defender Military", "Location"]
    heads += ["Motive", "Terrain Map", "Month", "Part of", "Ends War", "Attacker Strategy", "Defender Strategy"]
    heads += ["Commit Stability", "Action", "Seed", "Ready", "Status", "Message", "Winner"]
    assert letters(heads.index("Ready") + 1) == "S"
    return rows, {"War Requests": heads}


def merge(book: Workbook) -> None:
    book["War Requests"].merge_cells("S2:S4")


def test_a_file_refuses_merged_ticks_in_one_sentence_and_rules_the_others(moderator):
    write(moderator.book, *ticked(), finish=merge)

    checked = moderator.types("check", BOOK)
    assert checked.code == 1
    assert checked.out.count(f"'War Requests'!S2: {SAYS}") == 1

    assert moderator.types("run", BOOK).code == 1
    rows = shown(moderator.book, "War Requests")
    assert [row["Status"] for row in rows] == ["Invalid", "Invalid", "Invalid", "Done", None]
    assert {row["Message"] for row in rows[:3]} == {f"'War Requests'!S2: {SAYS}"}
    assert [row["Kind"] for row in shown(moderator.book, "Receipts")] == ["Season", "Ruling"]


def test_a_merged_cell_without_a_tick_is_ignored(moderator):
    rows, heads = ticked()
    write(moderator.book, only(rows, "W-0004"), heads, finish=merge)

    assert moderator.types("run", BOOK).code == 0
    assert [row["Status"] for row in shown(moderator.book, "War Requests")] == [None, None, None, "Done", None]


def test_a_watcher_of_a_spreadsheet_notices_merged_and_unmerged_cells(online):
    """Merging and unmerging change no value, by which a watcher knows that there is something to read."""
    rows = only(season())
    id = online.make(rows)
    heads = online.server.tab(id, "War Requests")[0]
    place = heads.index("Ready")
    sheet = {"sheetId": online.server.tabs(id)["War Requests"]}
    area = {**sheet, "startRowIndex": 1, "endRowIndex": 4, "startColumnIndex": place, "endColumnIndex": place + 1}
    with online.watches(id) as watching:
        watching.hears("Watched every")
        online.server.user(id, [{"mergeCells": {"range": area, "mergeType": "MERGE_ALL"}}])
        online.tick(id, "W-0001")
        watching.until(lambda: online.column(id, "Status")[:3] == ["Invalid"] * 3)
        assert "is one merged cell" in online.column(id, "Message")[0]
        assert online.rulings(id) == []

        online.server.user(id, [{"unmergeCells": {"range": area}}])
        watching.until(lambda: online.rulings(id) == ["W-0001"])
        watching.until(lambda: online.column(id, "Status")[:3] == ["Done", "", ""])
