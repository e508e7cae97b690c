"""The Action `Rule again` gives a row whose ruling is not shown, and its strategy, the next id (REQ-22)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from scripts.support.workbooks import (
    NOW,
    changed,
    column,
    example,
    forms,
    grids,
    pass_context,
    read,
    run,
    undo,
    workbook,
)
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.tab_key import TabKey
from tests.helpers.example_budget import BUDGET
from tests.ruling.test_intents import HOW, Loose, everything, moved, passes
from tests.ruling.test_part_rows import FLANKS, ORDERS, WARS, inputs, season, statuses, take_back
from tests.ruling.test_row_states import cells, type_in

AGAIN = {"Action": "Rule again"}
"""The next id of a season with W-0001 and W-0003, and a row of Flanks of W-0004."""


def names(book: MemoryWorkbook) -> list[Any]:
    """Return what the rows of Flanks name."""
    return column(book, FLANKS, "Request")


def undone(*flanks: dict[str, Any]) -> MemoryWorkbook:
    """Return a season of Stamford Bridge, ruled with its flanks and undone."""
    book = season(*(flanks or ({"Request": "W-0001"} | ORDERS,)), wars=("W-0001",))
    run(book)
    take_back(book, "W-0001")
    return book


def test_req_22_an_id_ruled_by_another_game_is_left_to_it() -> None:
    rows = example("1066")
    rows[WARS], rows[FLANKS] = rows[WARS][:1], []
    rows["Leader Requests"] = [
        {"Request": "W-0001", "Leader": "Leofric", "Nation": "England", "Year": 1066, "Age": 40}
        | {"Strongest Trait": "Zeal", "Ready": True}
    ]
    rows[WARS][0]["Request"] = "W-0009"
    book = workbook(rows)
    run(book)
    type_in(book, 2, Request="W-0001")
    run(book)
    assert 'ruling of another ruleset (autoalgo-leader). Choose Action "Rule again".' in cells(book, 2)["Message"]
    type_in(book, 2, Year=1067, **AGAIN)

    run(book)

    assert statuses(book) == {"W-0010": "Done"}


def test_req_22_an_id_merged_over_its_flanks_is_written_in_place() -> None:
    book = undone({"Request": "W-0001"} | ORDERS, {"Request": "W-0001"} | ORDERS | {"Side": "Defender"})
    type_in(book, 2, **AGAIN)
    type_in(book, 3, FLANKS, Request=None)
    snapshot = read(book)
    sheet = snapshot.sheet(TabKey.named(FLANKS))
    assert sheet is not None
    sheets = {
        key: type(sheet)(it.title, it.rows, [(2, 1, 3, 1)]) if it is sheet else it
        for key, it in snapshot.sheets.items()
    }
    merged = type(snapshot)(sheets, snapshot.revision)

    plan = plan_pass(merged, pass_context(), NOW)

    written = [
        (cell.row, cell.value)
        for cell in plan.writes.changes.cells
        if (cell.tab, cell.column) == (TabKey.named(FLANKS), 1)
    ]
    assert written == [(2, "W-0002")]
    [ruling] = plan.rulings
    assert ruling.receipt.inputs.count('"label":"column"') == 2


def test_req_01_an_unticked_row_whose_id_is_merged_with_a_ruled_one_is_not_invalid() -> None:
    rows = example("1066")
    rows["War Requests"] = [rows["War Requests"][0], rows["War Requests"][1] | {"Request": None, "Ready": False}]
    book = workbook(rows)
    run(book)
    type_in(book, 3, Request=None)
    snapshot = read(book)
    wars = snapshot.sheet(TabKey.named(WARS))
    assert wars is not None
    merged = type(wars)(wars.title, wars.rows, [(2, 1, 3, 1)])
    sheets = {key: merged if sheet is wars else sheet for key, sheet in snapshot.sheets.items()}
    blocked = {(TabKey.named(WARS), 3, 1): "the cell is inside merged cells"}

    plan = plan_pass(type(snapshot)(sheets, snapshot.revision), changed(pass_context(), blocked=blocked), NOW)

    assert [answer.cells.status for answer in plan.findings.answers] == ["Done", ""]


@pytest.mark.parametrize(("tab", "header"), [(WARS, "Request"), (WARS, "Action"), (FLANKS, "Request")])
def test_req_22_a_blocked_cell_prevents_all_changes(tab: str, header: str) -> None:
    book = undone()
    type_in(book, 2, **AGAIN)
    blocked = {(TabKey.named(tab), 2, [*cells(book, 2, tab)].index(header) + 1): "it is protected"}

    for revision in ("", read(book).revision):
        snapshot = type(read(book))(read(book).sheets, revision)
        plan = plan_pass(snapshot, changed(pass_context(), blocked=blocked), NOW)
        [answer] = plan.findings.answers
        assert (answer.cells.status, plan.rulings) == ("Invalid", ())
        assert "the program cannot write here: it is protected. [RCP-31]" in answer.cells.message
        assert {cell.value for cell in plan.writes.changes.cells} & {"W-0002"} == set()


def online(*flanks: dict[str, Any]) -> Loose:
    """Return a spreadsheet, which takes writes by coordinates, with an undone war that is to be ruled again."""
    rows = example("1066")
    for row in rows[WARS]:
        row["Ready"] = row["Request"] in ("W-0001", "W-0004")
    rows[FLANKS] = [
        *rows[FLANKS],
        *(flanks or ({"Request": id, "Side": side} | ORDERS for id in ("W-0001", "W-0004") for side in SIDES)),
    ]
    book = Loose(grids(rows))
    passes(book)
    book.land(undo(everything(book), forms(), "W-0001", NOW)[1])
    type_in(book, 2, **AGAIN)
    return book


SIDES = ("Attacker", "Defender")


def test_req_22_a_spreadsheet_gets_the_ids_in_a_separate_batch() -> None:
    book = online()
    first = plan_pass(everything(book), pass_context(), NOW)
    assert (first.rulings, {cell.value for cell in first.writes.changes.cells}) == ((), {"W-0006"})
    assert len(first.writes.changes.cells) == 3
    book.land(first.writes.changes)

    second = plan_pass(everything(book), pass_context(), NOW)

    assert [ruling.receipt.request for ruling in second.rulings] == ["W-0006"]
    book.land(second.writes.changes)
    passes(book)
    assert cells(book, 2)["Action"] == "Rule"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(round(12 * BUDGET)))
def test_req_22_rows_moved_under_the_write_are_repaired(seed: int) -> None:
    """Two wars have equal strategies, so that only their ids tell them apart."""
    luck = random.Random(seed)
    book, at = online(), luck.randrange(2)
    for number in range(at + 1):
        changes = plan_pass(everything(book), pass_context(), NOW).writes.changes
        for tab in (WARS, FLANKS) if number == at else ():
            book.rearrange(tab, moved(book.rows(tab), luck.choice(HOW), luck))
        book.land(changes)
    for tab in (WARS, FLANKS):
        book.rearrange(tab, moved(book.rows(tab), luck.choice(HOW), luck))
    passes(book)

    quiet = online()
    passes(quiet)
    assert inputs(book) == inputs(quiet)
    assert sorted(filter(None, names(book))) == sorted(filter(None, names(quiet)))
    assert {
        *zip(column(book, WARS, "War"), column(book, WARS, "Request"), column(book, WARS, "Action"), strict=True)
    } == {*zip(column(quiet, WARS, "War"), column(quiet, WARS, "Request"), column(quiet, WARS, "Action"), strict=True)}
    assert not [problem for problem in plan_pass(everything(book), pass_context(), NOW).problems if problem.is_error]
