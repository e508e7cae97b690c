"""The Action `Switch sides` exchanges attacker and defender with their flanks, once, and rules nothing (REQ-14)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path

import pytest
from openpyxl.utils import get_column_letter

from scripts.support.workbooks import NOW, changed, example, forms, messages, pass_context, read, run, workbook
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.repair.intents import Intent
from sheets_algo.ruling.repair.reconcile import reconcile
from sheets_algo.workbook.changes import SetCell
from sheets_algo.workbook.errors import StaleWorkbook
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.values import Value
from tests.helpers.tabs import key
from tests.ruling.test_obstacles import book as book
from tests.ruling.test_obstacles import edit, requests
from tests.ruling.test_obstacles import run as run_file

TYPES = [type(form) for form in forms()]
HASTINGS = "W-0002"
BELLIGERENTS = ("Attacker", "Attacker Military", "Defender", "Defender Military")


def asked(**cells: object) -> MemoryWorkbook:
    rows = example("1066")
    rows["War Requests"] = [row for row in rows["War Requests"] if row["Request"] == HASTINGS]
    rows["War Requests"][0] |= {"Action": "Switch sides"} | cells
    flanks = (("Attacker", "van", 150), ("attacker", "rear", 100), ("Defender", "hill", 240))
    rows["Flanks"] = [
        {"Request": HASTINGS, "Side": side, "Flank": label, "X": 200, "Y": y} for side, label, y in flanks
    ]
    return workbook(rows)


def cells(book: MemoryWorkbook, tab: str) -> list[dict[str, object]]:
    """The rows of a tab by header; a cell without content is None."""
    sheet = read(book).sheet(key(tab))
    assert sheet is not None
    header = sheet.rows[1]
    rows = ([*sheet.rows[row], *[None] * len(header)] for row in sorted(sheet.rows) if row > 1)
    return [dict(zip(map(str, header), row, strict=False)) for row in rows]


def belligerents(book: MemoryWorkbook) -> list[object]:
    [war] = cells(book, "War Requests")
    return [war[header] for header in BELLIGERENTS]


def type_in(book: MemoryWorkbook, tab: str, header: str, value: Value) -> None:
    """Type into the first row of a tab."""
    sheet = read(book).sheet(key(tab))
    assert sheet is not None
    book.type_in(tab, 2, list(sheet.rows[1]).index(header) + 1, value)


def test_the_report_disappears_when_the_sides_change_again() -> None:
    book = asked()
    run(book)
    type_in(book, "War Requests", "Defender", "Norway")

    run(book)

    assert cells(book, "War Requests")[0]["Message"] is None


@pytest.mark.parametrize("person", ["nothing", "asks again"])
def test_a_repeated_or_late_commit_does_not_switch_back(person: str) -> None:
    """The store compares cells alone, as Google Sheets does."""
    book = asked()
    snapshot = read(book)
    plan = plan_pass(snapshot, pass_context(), NOW)
    run(book)
    switched = belligerents(book)
    if person == "asks again":
        type_in(book, "War Requests", "Action", "Switch sides")
        type_in(book, "War Requests", "Ready", True)

    with pytest.raises(StaleWorkbook):
        book.commit(dataclasses.replace(snapshot, revision=read(book).revision), plan.writes.changes)

    assert belligerents(book) == switched


@pytest.mark.parametrize("tab", ["War Requests", "Flanks"])
def test_rows_moved_under_the_write_are_repaired(tab: str) -> None:
    """Google Sheets writes by coordinates: what lands on another war's row comes back (RCP-33)."""
    rows = example("1066")
    for war in rows["War Requests"]:
        war |= {"Ready": war["Request"] == HASTINGS, "Action": "Switch sides"}
    flanks = [(HASTINGS, "Attacker", 150), ("W-0003", "Attacker", 160), (HASTINGS, "Defender", 240)]
    rows["Flanks"] = [{"Request": id, "Side": side, "X": 200, "Y": y} for id, side, y in flanks]
    snapshot = dataclasses.replace(read(workbook(rows)), revision="")
    changes = plan_pass(snapshot, pass_context(), NOW).writes.changes
    switched = workbook(rows)
    _write(switched, changes.cells)

    book = workbook({name: content[::-1] if name == tab else content for name, content in rows.items()})
    covered = {(cell.tab, cell.row, cell.column): _cell(book, cell) for cell in changes.cells}
    _write(book, changes.cells)
    intent = Intent.of(snapshot, changes, NOW, TYPES)
    assert intent is not None
    _write(book, reconcile(intent.before, intent.changes, read(book), TYPES, covered).changes.cells)

    for name in ("War Requests", "Flanks"):
        own = {"Status": None, "Message": None}  # computed anew at each look
        moved = [row | own for row in cells(book, name)]
        wanted = [row | own for row in cells(switched, name)]
        assert moved == (wanted[::-1] if name == tab else wanted)


def _write(book: MemoryWorkbook, cells: Iterable[SetCell]) -> None:
    for cell in cells:
        book.type_in(cell.tab.name, cell.row, cell.column, cell.value)


def _cell(book: MemoryWorkbook, cell: SetCell) -> Value:
    row = read(book).sheet(cell.tab).rows.get(cell.row, ())  # type: ignore[union-attr]
    return row[cell.column - 1] if cell.column <= len(row) else None


def test_a_watched_row_waits_while_a_person_is_typing() -> None:
    book = asked()
    before = belligerents(book)
    first = plan_pass(read(book), changed(pass_context(), known={}), NOW)
    book.commit(read(book), first.writes.changes)
    assert belligerents(book) == before
    assert first.findings.answers[0].cells.status == "Waiting"

    second = plan_pass(read(book), changed(pass_context(), known=first.findings.known), NOW)
    book.commit(read(book), second.writes.changes)
    assert belligerents(book) == [*before[2:], *before[:2]]


def test_a_side_with_its_own_formula_blocks_the_switch(book: Path) -> None:
    """Half a switch would be a war of a nation against itself."""
    place = {head: get_column_letter(column) for column, head in enumerate(requests(book)[0], start=1)}
    others = {f"{place['Ready']}{row}": False for row in (2, 4, 5, 6)}  # a pass beside formulas rules one war
    mine = {f"{place['Action']}3": "Switch sides", f"{place['Defender']}3": '="Eng"&"land"'}
    edit(book, "War Requests", others | mine)

    run_file(book)

    heads, _, hastings, *_ = requests(book)
    row = dict(zip(heads, hastings, strict=True))
    found = (row["Status"], row["Attacker"], row["Action"], row["Ready"])
    assert found == ("Invalid", "Normandy", "Switch sides", True)


@pytest.mark.parametrize("tab", ["Leader Requests", "Joust Requests"])
def test_a_tab_without_sides_refuses_the_action_in_one_sentence(tab: str) -> None:
    form = next(form for form in forms() if form.request.tab.name == tab)  # type: ignore[attr-defined]
    book = workbook({tab: [{"Request": f"{form.prefix}1", "Action": "Switch sides", "Ready": True}]})

    [(_, status, message)] = messages(run(book))

    assert status == "Invalid"
    assert '"Switch sides" is not allowed. Use Rule, Forecast or Rule again. [REQ-02]' in message
