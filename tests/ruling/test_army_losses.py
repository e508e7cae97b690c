"""Armies that shrink by their losses in seasons that want it (R-94): written, seen by later wars, undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scripts.support.workbooks import (
    NOW,
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
    undo,
    workbook,
)
from sheets_algo.database.problems import Severity
from sheets_algo.forms.databases import open_database
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.corrections import CannotUndo
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Change, StoredReceipt
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.values import Value

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


def receipt_of(book: MemoryWorkbook, request: str) -> StoredReceipt:
    ruling = read_receipts(read(book)).ruling_of(request)
    assert ruling is not None
    return ruling


def armies(receipt: StoredReceipt) -> list[Change]:
    return [change for change in receipt.changes if change.tab == "Militaries"]


def sizes_after(receipt: StoredReceipt, name: str) -> int:
    [after] = [change.after for change in armies(receipt) if change.row.startswith(f"{name} (")]
    assert isinstance(after, int)
    return after


def take_back(book: MemoryWorkbook, request: str) -> None:
    snapshot = read(book)
    _, changes = undo(snapshot, forms(), request, NOW)
    book.commit(snapshot, changes)


def row_of(rows: Rows, name: str) -> dict[str, Any]:
    return next(row for row in rows["Militaries"] if row["Name"] == name)


def test_r_94_later_wars_of_a_pass_use_the_remaining_men() -> None:
    book = season("W-0001", "W-0002")
    run(book)
    first, second = (receipt_of(book, request) for request in ("W-0001", "W-0002"))
    assert armies(first)[0] == Change("Militaries", "Harold's Host (England)", "Size", 7_000, sizes_after(first, HOST))
    assert f'"name":"{HOST}","size":{sizes_after(first, HOST)}' in second.inputs.replace(": ", ":")
    assert sizes_after(second, HOST) < sizes_after(first, HOST) < 7_000
    assert sizes(book)[HOST] == sizes_after(second, HOST)


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


def test_r_94_other_seasons_leave_the_armies_as_they_are() -> None:
    book = season("W-0001", "W-0002", inputs=TELL)
    before = sizes(book)
    run(book)
    assert sizes(book) == before
    assert [armies(receipt_of(book, request)) for request in ("W-0001", "W-0002")] == [[], []]
    assert f'"name":"{HOST}","size":7000' in receipt_of(book, "W-0002").inputs


def test_r_94_undo_restores_the_men_of_the_last_war_first() -> None:
    book = season("W-0001", "W-0002")
    run(book)
    with pytest.raises(CannotUndo, match=r"Size\): the ruling wrote .*; undo W-0002 first"):
        take_back(book, "W-0001")
    take_back(book, "W-0002")
    take_back(book, "W-0001")
    assert (sizes(book)[HOST], sizes(book)[ARMY]) == (7_000, 7_500)


def typed(book: MemoryWorkbook, header: str, value: Value) -> list[str]:
    """Type into the row of the host, and return what check says of it; a pass says of it no more than warnings."""
    number = column(book, "Militaries", "Name").index(HOST) + 2
    book.type_in("Militaries", number, book.rows("Militaries")[0].index(header) + 1, value)
    found = [problem for problem in check(read(book), forms()) if problem.id == "RCP-30"]
    passed = [problem for problem in run(book).problems if problem.id == "RCP-30"]
    assert passed == [problem for problem in found if problem.severity is not Severity.NOTE]
    return [str(problem) for problem in found]


def test_r_94_recruits_typed_by_a_moderator_are_noted_and_accepted() -> None:
    """RCP-30."""
    book = season("W-0001", "W-0002")
    book.type_in("War Requests", 3, book.rows("War Requests")[0].index("Ready") + 1, None)
    run(book)
    left = sizes(book)[HOST]

    assert typed(book, "Size", 9_000) == [
        f'Militaries!C2 ({HOST}, Size): note: shows "9000", and the last receipt left it at "{left}":'
        f" {9_000 - left:,} recruits. The next ruling accepts it. [RCP-30]"
    ]
    book.type_in("War Requests", 3, book.rows("War Requests")[0].index("Ready") + 1, True)
    run(book)
    assert [kind for kind in column(book, "Receipts", "Kind") if kind] == ["Season", "Ruling", "Edits", "Ruling"]
    assert "RCP-30" not in [problem.id for problem in check(read(book), forms())]


def test_r_94_new_ships_for_a_sunk_fleet_are_noted_too() -> None:
    def weaken(rows: Rows) -> None:
        row_of(rows, "Channel Fleet").update({"Size": 4_000, "Ship Number": 40})
        row_of(rows, ARMY).update({"Ship Number": 188, "Transport": "Galley"})
        rows["War Requests"][0]["Seed"] = 0

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


@pytest.mark.parametrize("value", [10, None, "many"])
def test_r_94_a_smaller_or_wrong_size_is_warned_about(value: Value) -> None:
    """Losses that a moderator subtracts again count twice."""
    book = season("W-0001")
    run(book)

    (says,) = typed(book, "Size", value)

    assert "warning: shows" in says
    assert says.endswith("Put that back if it is a mistake; the next ruling accepts it. [RCP-30]")


def test_r_94_armies_of_two_nations_may_share_a_name() -> None:
    def rename(rows: Rows) -> None:
        for name in (HOST, ARMY):
            row_of(rows, name)["Name"] = "Royal Army"
        for request in rows["War Requests"]:
            request["Attacker Military"] = request["Defender Military"] = "Royal Army"

    book = season("W-0002", change=rename)
    assert run(book).rulings
    [attackers, defenders] = armies(receipt_of(book, "W-0002"))
    assert (attackers.row, attackers.before) == ("Royal Army (Normandy)", 7_500)
    assert (defenders.row, defenders.before) == ("Royal Army (England)", 7_000)
    assert royal(book) == {"Normandy": attackers.after, "England": defenders.after}
    take_back(book, "W-0002")
    assert royal(book) == {"Normandy": 7_500, "England": 7_000}


def royal(book: MemoryWorkbook) -> dict[Any, Any]:
    """The sizes of the armies called Royal Army, by nation."""
    nations, names, sizes_ = (column(book, "Militaries", header) for header in ("Nation", "Name", "Size"))
    return {nation: size for nation, name, size in zip(nations, names, sizes_, strict=True) if name == "Royal Army"}


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


def test_r_94_an_army_without_men_fights_no_war_but_is_valid() -> None:
    """MIL-03: a ruling may have written the 0."""
    book = season("W-0001", "W-0002", change=lambda rows: row_of(rows, ARMY).update(Size=0))
    plan = run(book)
    found = {request: (status, says) for request, status, says in messages(plan)}
    assert found["W-0001"][0] == "Done"
    status, says = found["W-0002"]
    assert status == "Invalid"
    assert says.splitlines()[0] == (
        "Militaries!C4 (William's Army, Size): 0 people, so nobody can fight."
        " Enter a whole number from 1 to 15,000,000. [MIL-03]"
    )
    (form,) = (form for form in forms() if form.key == "autoalgo")
    assert not [problem for problem in form.check(open_database(read(book), [form])) if problem.is_error]
