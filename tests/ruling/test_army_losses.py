"""Armies that shrink by their losses in seasons that want it (R-94): written, seen by later wars, undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from scripts.support.workbooks import (
    SECRET,
    Rows,
    check,
    column,
    example,
    forms,
    messages,
    pass_context,
    read,
    run,
    workbook,
)
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.workbook.memory import MemoryWorkbook

APPLY, TELL = '{"losses":"apply","dead_leaders":"warn"}', '{"losses":"tell","dead_leaders":"warn"}'
HOST, ARMY = "Harold's Host", "William's Army"


def season(*requests: str, inputs: str = APPLY, change: Callable[[Rows], object] = lambda rows: None) -> MemoryWorkbook:
    """The season of 1066 with these wars only."""
    rows = example("1066")
    rows["War Requests"] = [row for row in rows["War Requests"] if row["Request"] in requests]
    rows["Flanks"] = [row for row in rows["Flanks"] if row["Request"] in requests]
    change(rows)
    return workbook(rows, inputs=inputs)


def sizes(book: MemoryWorkbook) -> dict[str, Any]:
    return dict(zip(column(book, "Militaries", "Name"), column(book, "Militaries", "Size"), strict=True))


def row_of(rows: Rows, name: str) -> dict[str, Any]:
    return next(row for row in rows["Militaries"] if row["Name"] == name)


def test_r_94_receipts_of_a_season_with_losses_verify_unless_edited() -> None:
    book = season("W-0001", "W-0002")
    run(book)
    known = read_receipts(read(book))
    (form,) = (form for form in forms() if form.key == "autoalgo")
    fingerprint = pass_context().fingerprints["autoalgo"]
    for receipt in known.rulings:
        assert verify(receipt, form, fingerprint, SECRET, known.options).is_equal
        told = replace(known.options, losses="tell")
        differences = verify(receipt, form, fingerprint, SECRET, told).differences
        assert any(line.startswith("Militaries, ") for line in differences)


def test_r_94_new_ships_for_a_sunk_fleet_are_noted_too() -> None:
    def weaken(rows: Rows) -> None:
        row_of(rows, "Channel Fleet").update({"Size": 200, "Ship Number": 1})
        row_of(rows, ARMY).update({"Ship Number": 500, "Transport": "Galley"})

    book = season("W-0003", change=weaken)
    run(book)
    number = column(book, "Militaries", "Name").index("Channel Fleet") + 2
    men = column(book, "Militaries", "Size")[number - 2]
    assert 0 < men < 1_000
    for header, left, value in (("Size", men, 2_000), ("Transport", None, "Longship"), ("Ship Number", 0, 20)):
        assert column(book, "Militaries", header)[number - 2] == left
        book.type_in("Militaries", number, book.rows("Militaries")[0].index(header) + 1, value)

    found = [str(problem) for problem in check(read(book), forms()) if problem.id == "RCP-30"]

    assert [says.partition(": note: ")[2] for says in found] == [
        f'shows "2000", and the last receipt left it at "{men}": {2_000 - men:,} recruits. The next ruling accepts it.'
        " [RCP-30]",
        'shows "20", and the last receipt left it at "0": 20 new ships. The next ruling accepts it. [RCP-30]',
        'shows "Longship", and the last receipt left it at nothing: new ships. The next ruling accepts it. [RCP-30]',
    ]


def test_r_94_an_ambiguous_name_is_refused_before_anything_is_written() -> None:
    def second_host(rows: Rows) -> None:
        row_of(rows, HOST)["Nation"] = "England; Norway"
        rows["Militaries"].append({**row_of(rows, HOST), "Nation": "England"})
        for request in rows["War Requests"]:
            request |= {"Attacker": "Norway", "Attacker Military": HOST, "Defender": "Normandy"}
            request["Defender Military"] = ARMY

    book = season("W-0002", change=second_host)
    before = sizes(book)
    plan = run(book)
    [(_, status, says)] = messages(plan)
    assert status == "Invalid"
    assert (
        "Militaries!B2 (Harold's Host, Name): Size of Harold's Host (England) is to be changed, and Militaries!B10"
        in says
    )
    assert "Give each a name of its own. [R-94]" in says
    assert sizes(book) == before
    assert run(season("W-0002", inputs=TELL, change=second_host)).rulings, "nothing to change, so nothing is unclear"
