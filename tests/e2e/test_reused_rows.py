"""Rows that people use again: another war typed over a ruled one, copies, formulas; in files and in a spreadsheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from scripts.support.moderator import Moderator, only, row_of, season, shown, write

WARS = "War Requests"
ASKED = ("War", "Year", "Attacker", "Attacker Military", "Defender", "Defender Military", "Location", "Motive")
RESULTS = ("Winner", "Occupation", "Attacker Losses", "Defender Losses", "Duration", "Ruled At")


@pytest.fixture
def ruled(moderator: Moderator) -> Moderator:
    write(moderator.book, only(season(), "W-0001"))
    assert moderator.types("run", moderator.book).code == 0
    return moderator


def edit(path: Path, change: Callable[[Worksheet, Mapping[str, int]], object]) -> None:
    """Let a person change the requests of a file, with the number of each column by header."""
    book = openpyxl.load_workbook(path)
    sheet = book[WARS]
    change(sheet, {str(cell.value): cell.column for cell in sheet[1]})
    book.save(path)


def retype(sheet: Worksheet, columns: Mapping[str, int], row: int, other: int) -> None:
    for header in ASKED:
        sheet.cell(row, columns[header]).value = sheet.cell(other, columns[header]).value


def paste(sheet: Worksheet, row: int, onto: int) -> None:
    for cell in list(sheet[row]):
        sheet.cell(onto, cell.column).value = cell.value


def test_a_reused_row_of_a_file_shows_no_result_and_is_reported(ruled):
    before = row_of(ruled.book, WARS, "Request", "W-0001")
    edit(ruled.book, lambda sheet, columns: retype(sheet, columns, 2, 3))

    checked, verified, told = (ruled.types(word, ruled.book, "--json") for word in ("check", "verify", "season"))
    said = ruled.types("run", ruled.book)

    assert "REQ-16" in [problem["rule"] for problem in checked.data["problems"]]
    assert (verified.code, verified.data["result"]) == (1, "equal")
    assert {problem["rule"] for problem in (*verified.data["sheet"], *told.data["sheet"])} == {"RCP-34"}
    assert 'A new war? Choose Action "Rule again". A slip? Type England' in said.out
    row = row_of(ruled.book, WARS, "Request", "W-0001")
    assert (row["War"], row["Status"]) == ("Hastings", "Changed")
    assert [row[header] for header in RESULTS] == [None] * len(RESULTS)
    assert ruled.types("verify", ruled.book).code == 0

    def type_back(sheet: Worksheet, columns: Mapping[str, int]) -> None:
        for header in ASKED:
            sheet.cell(2, columns[header]).value = before[header]

    edit(ruled.book, type_back)
    assert ruled.types("run", ruled.book).code == 0
    assert row_of(ruled.book, WARS, "Request", "W-0001") == before


def test_a_copy_in_a_file_gets_an_id_and_waits_for_its_own_tick(ruled):
    before = row_of(ruled.book, WARS, "Request", "W-0001")

    def copy(sheet: Worksheet, columns: Mapping[str, int]) -> None:
        paste(sheet, 2, 9)
        retype(sheet, columns, 9, 4)

    edit(ruled.book, copy)
    ruled.types("run", ruled.book)
    ruled.types("run", ruled.book)

    row = shown(ruled.book, WARS)[-1]
    assert (row["Request"], row["Status"], row["Winner"]) == ("W-0006", None, None)
    assert row["Message"].startswith("Copied from W-0001; its own id is W-0006.")
    for is_ready in (False, True):
        edit(ruled.book, lambda sheet, columns, is_ready=is_ready: sheet.cell(9, columns["Ready"], is_ready))
        said = ruled.types("run", ruled.book)
    assert "1 request ruled" in said.out
    assert row_of(ruled.book, WARS, "Request", "W-0001") == before
    assert shown(ruled.book, WARS)[-1]["Status"] == "Done"


def test_an_overwritten_winner_is_reported_though_all_receipts_are_equal(ruled):
    edit(ruled.book, lambda sheet, columns: sheet.cell(2, columns["Winner"], "Wessex"))

    said = ruled.types("verify", ruled.book)

    assert said.code == 1
    assert "1 of 1 receipt equal." in said.out
    assert "The sheet shows something else than the receipts, in 1 place:" in said.out
    assert 'Winner): shows "Wessex", and the receipt of W-0001 says' in said.out
    site = ruled.folder / "site"
    assert ruled.types("season", ruled.book, "--site", site).code == 0
    assert "shows &#34;Wessex&#34;" in (site / "index.html").read_text("utf-8")


def cell(value: Any) -> dict[str, Any]:
    kind = "boolValue" if isinstance(value, bool) else "stringValue" if isinstance(value, str) else "numberValue"
    return {} if value in (None, "") else {"userEnteredValue": {kind: value}}


def test_a_copy_in_a_spreadsheet_gets_an_id_and_the_original_stays(online):
    id = online.make(only(season(), "W-0001"))
    online.types("run", id)
    tab = online.server.tabs(id)[WARS]
    header, original, _, other = online.server.tab(id, WARS)[:4]
    source, target = ({"sheetId": tab, "startRowIndex": at, "endRowIndex": at + 1} for at in (1, 6))
    typed = [
        {
            "updateCells": {
                "start": {"sheetId": tab, "rowIndex": 6, "columnIndex": header.index(name)},
                "rows": [{"values": [cell(other[header.index(name)])]}],
                "fields": "userEnteredValue",
            }
        }
        for name in ASKED
    ]
    online.server.user(id, [{"copyPaste": {"source": source, "destination": target}}, *typed])

    for _ in range(3):
        assert online.types("run", id).code == 0

    rows = online.server.tab(id, WARS)
    assert rows[1] == original
    copy = dict(zip(header, rows[6], strict=False))
    assert (copy["Request"], copy.get("Status", ""), copy["Ready"]) == ("W-0006", "", True)
    assert copy["Message"].startswith("Copied from W-0001; its own id is W-0006.")
    assert online.rulings(id) == ["W-0001"]
    online.tick(id, "W-0006", False)
    online.types("run", id)
    online.tick(id, "W-0006")
    online.types("run", id)
    assert online.rulings(id) == ["W-0001", "W-0006"]


def test_formula_rows_that_move_beside_typed_ids_show_no_result(online):
    rows = only(season(), "W-0001", "W-0004")
    id = online.make(rows)
    header, *wars = online.server.tab(id, WARS)
    added = online.server.user(id, [{"addSheet": {"properties": {"title": "Plans"}}}])
    plans = online.server.tabs(id)["Plans"]
    assert added is not None
    lines = [{"values": [cell(row[header.index(name)]) for name in ASKED]} for row in wars]
    online.server.user(
        id,
        [{"updateCells": {"start": {"sheetId": plans}, "rows": lines, "fields": "userEnteredValue"}}],
    )
    tab = online.server.tabs(id)[WARS]
    formulas = [
        {
            "updateCells": {
                "start": {"sheetId": tab, "rowIndex": number, "columnIndex": header.index(name)},
                "rows": [
                    {
                        "values": [
                            {"userEnteredValue": {"formulaValue": f"=INDEX(Plans!{letter}$1:{letter}$9,{number})"}}
                        ]
                    }
                ],
                "fields": "userEnteredValue",
            }
        }
        for number in range(1, len(wars) + 1)
        for letter, name in zip("ABCDEFGH", ASKED, strict=True)
    ]
    online.server.user(id, formulas)
    online.types("run", id)
    assert online.rulings(id) == ["W-0001", "W-0004"]

    end = {"sheetId": plans, "dimension": "ROWS", "startIndex": 0, "endIndex": 1}
    online.server.user(id, [{"moveDimension": {"source": end, "destinationIndex": len(wars)}}])
    online.types("run", id)

    shown_now = dict(zip(online.column(id, "Request"), online.column(id, "Status"), strict=False))
    assert [shown_now[request] for request in ("W-0001", "W-0004")] == ["Changed", "Changed"]
    assert not any(online.column(id, "Winner"))
    assert online.rulings(id) == ["W-0001", "W-0004"]


def test_a_second_war_reads_the_formula_s_value_after_the_first(online):
    rows = only(season(), "W-0002")
    first = next(row for row in rows[WARS] if row["Request"] == "W-0002")
    rows[WARS].append({**first, "Request": "W-0006", "War": "Hastings again"})
    for row in (*rows["Militaries"], *rows["Nations"]):
        row["Leader"] = ""
    id = online.make(rows)
    heads, *armies = online.server.tab(id, "Militaries")
    at = [army[heads.index("Name")] for army in armies].index("William's Army") + 2
    size = chr(ord("A") + heads.index("Size"))
    place = {"sheetId": online.server.tabs(id)["Militaries"], "rowIndex": at - 1, "columnIndex": heads.index("Budget")}
    formula = {"values": [{"userEnteredValue": {"formulaValue": f"={size}{at}*500"}}]}
    online.server.user(id, [{"updateCells": {"start": place, "rows": [formula], "fields": "userEnteredValue"}}])

    ruled = online.types("run", id)
    assert ruled.code == 0
    assert online.rulings(id) == ["W-0002", "W-0006"]

    told = [
        re.search(r"Budget/\(Size.*?\"([\d,]+) USD, ([\d,]+) men\"", online.types("explain", id, war).out)
        for war in ("W-0002", "W-0006")
    ]
    budgets = [tuple(int(number.replace(",", "")) for number in found.groups()) for found in told if found]
    assert budgets == [(men * 500, men) for _, men in budgets]
    assert len({men for _, men in budgets}) == 2


@pytest.fixture
def planned(moderator: Moderator) -> Moderator:
    """A war with a strategy of one row, which is ruled and undone."""
    rows = only(season(), "W-0001")
    rows["Flanks"] = [{"Request": "W-0001", "Side": "Attacker", "Flank": "column", "X": 150, "Y": 200}]
    write(moderator.book, rows)
    assert moderator.types("run", moderator.book).code == 0
    assert moderator.types("undo", moderator.book, "W-0001").code == 0
    return moderator


def ruled_inputs(path: Path) -> dict[str, str]:
    return {row["Request"]: row["Inputs"] for row in shown(path, "Receipts") if row["Kind"] == "Ruling"}


def test_req_22_an_undone_war_in_a_file_is_ruled_again_without_a_typed_id(planned):
    book = planned.book
    told = planned.types("check", book)
    assert row_of(book, WARS, "Request", "W-0001")["Message"].endswith('choose Action "Rule again"')
    edit(book, lambda sheet, columns: sheet.cell(2, columns["Action"], "Rule again"))

    checked, said = planned.types("check", book), planned.types("run", book)

    assert told.code == checked.code == said.code == 0
    row = row_of(book, WARS, "War", "Stamford Bridge")
    assert (row["Request"], row["Status"], row["Action"]) == ("W-0006", "Done", "Rule")
    assert [flank["Request"] for flank in shown(book, "Flanks")] == ["W-0006"]
    assert all('"label":"column"' in text for text in ruled_inputs(book).values())
    assert planned.types("verify", book).code == 0
    assert planned.types("run", book).out.startswith("Nothing to do")


def test_flr_01_req_21_a_spreadsheet_accepts_names_and_holds_misspelt_ones(online):
    rows = only(season(), "W-0001", "W-0004")
    flank = {"Side": "Attacker", "Flank": "column", "X": 150, "Y": 190}
    rows["Flanks"] = [{"Request": "stamford bridge"} | flank, {"Request": "Manzikrt"} | flank]
    id = online.make(rows)

    said = online.types("run", id)

    assert said.code == 1
    assert 'Flanks!A3 may be of this war: no war is called "Manzikrt".' in said.out
    assert online.rulings(id) == ["W-0001"]
    assert online.column(id, "Request", "Flanks") == ["stamford bridge", "Manzikrt"]
    assert online.column(id, "Message", "Flanks")[1].startswith("Holds W-0004: ")
    online.set(id, "Flanks", 3, "Request", "W-0004")
    assert online.types("run", id).code == 0
    assert online.rulings(id) == ["W-0001", "W-0004"]
    assert not any(online.column(id, "Message", "Flanks"))


def test_req_22_an_undone_war_in_a_spreadsheet_gets_its_id_first(online):
    rows = only(season(), "W-0001")
    rows["Flanks"] = [{"Request": "W-0001", "Side": side, "Flank": "column"} for side in ("Attacker", "Defender")]
    id = online.make(rows)
    online.types("run", id)
    assert online.types("undo", id, "W-0001").code == 0
    online.set(id, WARS, 2, "Action", "Rule again")
    online.server.reset_counters()

    assert online.types("run", id).code == 0

    assert online.rulings(id) == ["W-0001", "W-0006"]
    assert online.column(id, "Request", "Flanks") == ["W-0006", "W-0006"]
    assert online.column(id, "Action")[0] == "Rule"
    assert online.server.count("write") >= 2
    assert online.types("verify", id).code == 0
    assert online.types("run", id).out.startswith("Nothing to do")


@pytest.mark.parametrize("tab", ["Flanks", WARS])
def test_req_22_rows_sorted_during_the_write_of_ids_are_repaired(online, tab):
    rows = only(season(), "W-0001")
    labels = {"W-0001": "pqr", "W-0003": "abc", "W-0004": "xyz"}
    flanks = [(request, label) for request, own in labels.items() for label in own]
    rows["Flanks"] = [{"Request": request, "Side": "Attacker", "Flank": label} for request, label in flanks]
    id = online.make(rows)
    online.types("run", id)
    assert online.types("undo", id, "W-0001").code == 0
    online.set(id, WARS, 2, "Action", "Rule again")
    header = {"Flanks": "Flank", WARS: "War"}[tab]
    place = online.server.tab(id, tab)[0].index(header)
    area = {"sheetId": online.server.tabs(id)[tab], "startRowIndex": 1, "endRowIndex": 20}
    order = {"dimensionIndex": place, "sortOrder": "ASCENDING"}
    sort = {"sortRange": {"range": area, "sortSpecs": [order]}}
    online.server.user(id, [sort], before_request=1, match="batchUpdate")

    assert online.types("run", id).code == 0

    assert online.rulings(id) == ["W-0001", "W-0006"]
    sorted_ = [*filter(None, online.column(id, header, tab))]
    assert sorted_ == sorted(sorted_)
    named = zip(online.column(id, "Flank", "Flanks"), online.column(id, "Request", "Flanks"), strict=True)
    new = {"W-0001": "W-0006"}
    assert {label: request for label, request in named if label} == {
        label: new.get(request, request) for request, label in flanks
    }
    wars = zip(online.column(id, "War"), online.column(id, "Request"), strict=True)
    assert {war: request for war, request in wars if war}["Stamford Bridge"] == "W-0006"
    assert len({*filter(None, online.column(id, "Request"))}) == 5
