"""The tab Years: a row ends a year, once and in order (YRS-01, YRS-02), at its deadline too (YRS-03)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import NOW, changed, column, forms, pass_context, read, run, undo, workbook
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.promises.promises import Promises
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.runtime.session.session import OpenWorkbook
from sheets_algo.season.season import Season
from sheets_algo.workbook.memory import MemoryWorkbook

WARS = ["War", "Side A", "Side B", "From", "Until", "Winner", "Terms"]
LEADERS = ("Old Lear", "Young Lear")


def book_of(*years: Mapping[str, Any], wars: int = 1, **nation: Any) -> MemoryWorkbook:
    """Return a workbook with a war of Left against Right, whose Heath it is, and rows of Years."""
    rows = war_rows()
    rows["War Requests"] = [
        rows["War Requests"][0]
        | {"Request": f"W-{number}", "War": f"Quarrel {number}", "Attacker Military": "Host of Left"}
        for number in range(1, wars + 1)
    ]
    rows["Locations"][0] |= {"Owner": "Right", "Local Population": 40_000}
    rows["Nations"][1] |= {"Leader": LEADERS[0], "Age": "High medieval Europe", **nation}
    rows["Militaries"][1] |= {"Leader": LEADERS[1]}
    rows["Leaders"] = [
        {"Name": LEADERS[0], "Nation": "Right", "Birth Year": 901},
        {"Name": LEADERS[1], "Nation": "Right", "Birth Year": 975},
    ]
    rows["Years"] = [{"Request": f"Y-{number}", **row} for number, row in enumerate(years, start=1)]
    return workbook(rows)


def year(number: int, **cells: Any) -> dict[str, Any]:
    """Return a row of Years that is ticked."""
    return {"Year": number, "Ready": True, **cells}


def cell(book: MemoryWorkbook, tab: str, header: str, place: int = 0) -> Any:
    return column(book, tab, header)[place]


def type_in(book: MemoryWorkbook, tab: str, row: int, **cells: Any) -> None:
    heads = list(book.rows(tab)[0])
    for header, value in cells.items():
        book.type_in(tab, row, heads.index(header.replace("_", " ")) + 1, value)


def verdicts(book: MemoryWorkbook) -> list[tuple[str, ...]]:
    """Return why each ruling is not equal; empty if all are."""
    receipts = read_receipts(read(book))
    by_key = {form.key: form for form in forms()}
    fingerprints = pass_context().fingerprints
    found = (
        verify(
            ruling,
            form := by_key[ruling.ruleset],
            fingerprints[form.ruleset_key],
            None,
            receipts.options,
            Promises(receipts),
        )
        for ruling in receipts.rulings
    )
    return [verdict.reasons for verdict in found if not verdict.is_equal]


def test_yrs_04_the_wounded_are_missing_from_size_until_the_year_returns_them() -> None:
    book = book_of({"Year": 1000})
    run(book)
    war = read_receipts(read(book)).ruling_of("W-1")
    assert war is not None
    left, right = war.figures.casualties
    assert column(book, "Militaries", "Size")[:2] == [9_000 - left.absent, 9_000 - right.absent]
    assert left.returned == right.returned == 0
    assert '"wounded_return":false' in war.inputs

    type_in(book, "Years", 2, Ready=True)
    run(book)

    returned = int(str(cell(book, "Years", "Returned")))
    wounded, captured = left.wounded + right.wounded, left.captured + right.captured
    assert round(0.7 * wounded) - 1 <= returned <= round(0.7 * wounded + 0.3 * captured) + 2
    assert verdicts(book) == []


def test_yrs_04_prisoners_of_earlier_years_return_after_an_undo_too() -> None:
    book = book_of(*(year(number) for number in range(1000, 1004)))
    run(book)
    war = read_receipts(read(book)).ruling_of("W-1")
    assert war is not None
    left = sum(each.captured for each in war.figures.casualties)
    expected = [round(left * 0.3 * 0.7**n) for n in range(4)]

    returned = column(book, "Years", "Returned")[1:4]

    assert left > 100
    assert all(abs(int(str(men)) - due) <= 2 for men, due in zip(returned, expected[1:], strict=True))
    assert verdicts(book) == []
    _, changes = undo(read(book), forms(), "Y-4", NOW)
    book.commit(read(book), changes)
    type_in(book, "Years", 5, Action="Rule again")
    run(book)
    assert column(book, "Years", "Returned")[1:4] == returned


def test_yrs_06_the_standing_has_the_stability_of_the_last_year() -> None:
    book = book_of(year(1000), year(1001))
    run(book)

    rows = Season(OpenWorkbook(read(book), forms(), read_receipts(read(book)))).standings
    assert {row.nation: row.stability_now for row in rows} == {
        "Left": cell(book, "Nations", "Stability"),
        "Right": cell(book, "Nations", "Stability", 1),
    }


def test_yrs_02_two_watchers_rule_a_year_once() -> None:
    book = book_of(year(1000))
    snapshot = read(book)
    first, second = (plan_pass(snapshot, pass_context(), NOW) for _ in range(2))

    book.commit(snapshot, first.writes.changes)

    assert first.writes.changes == second.writes.changes
    with pytest.raises(Exception, match="somebody changed it"):
        book.commit(snapshot, second.writes.changes)
    assert run(book).rulings == ()


def test_yrs_02_a_year_waits_for_a_war_that_is_being_typed() -> None:
    book = book_of(year(1000))
    context = changed(pass_context(), known={"y-1": "", "w-1": "other"})
    plan = plan_pass(read(book), context, NOW)
    settled = changed(pass_context(), known={**plan.findings.known, "w-1": "typed since"})

    plan = plan_pass(read(book), settled, NOW)

    assert [each.cells.message for each in plan.findings.answers if each.cells.request == "Y-1"] == [
        "The year ends once W-1 is ruled"
    ]


def test_yrs_08_leaders_die_and_heirs_follow_them() -> None:
    book = book_of(*(year(number) for number in range(1000, 1030)))

    run(book)

    names, status = column(book, "Leaders", "Name"), column(book, "Leaders", "Status")
    assert str(status[0]).startswith("died in 10")
    assert cell(book, "Nations", "Leader", 1) in names[2:]
    assert cell(book, "Militaries", "Leader", 1) not in [name for name, end in zip(names, status, strict=True) if end]
    assert verdicts(book) == []


def test_yrs_11_a_revolt_is_proposed_as_a_war_and_removed_with_its_year() -> None:
    """YRS-06, YRS-10: a state at 0 is left by its men until they revolt; then it recovers."""
    book = book_of(year(1000), Stability=0)
    type_in(book, "War Requests", 2, Ready=None)
    run(book)
    while "Rebels of Right" not in column(book, "Nations", "Name"):
        number = len(book.rows("Years"))
        type_in(book, "Years", number + 1, Year=1_000 + number - 1, Ready=True)
        type_in(book, "Nations", 3, Stability=0)
        run(book)
    last = column(book, "Years", "Request")[-1]

    assert column(book, "War Requests", "War")[1] == "Revolt in Right"
    assert cell(book, "War Requests", "Attacker Military", 1) == "Rebels of Right"
    assert cell(book, "War Requests", "Ready", 1) is None
    assert max(int(value or 0) for value in column(book, "Years", "Deserted")) > 0
    assert 5 < cell(book, "Nations", "Stability", 1) < 20
    assert verdicts(book) == []
    _, changes = undo(read(book), forms(), str(last), NOW)
    book.commit(read(book), changes)
    assert "Rebels of Right" not in column(book, "Nations", "Name")
    assert len(column(book, "War Requests", "War")) == 1


def test_yrs_11_the_war_of_rebels_is_ruled_after_its_tick() -> None:
    book = book_of(year(1000), Stability=0)
    type_in(book, "War Requests", 2, Ready=None)
    while "Rebels of Right" not in column(book, "Nations", "Name"):
        run(book)
        number = len(book.rows("Years"))
        type_in(book, "Years", number + 1, Year=1_000 + number - 1, Ready=True)
        type_in(book, "Nations", 3, Stability=0)
    type_in(book, "War Requests", 3, Location="Heath", Ready=True)

    assert [each.form.key for each in run(book).rulings] == ["autoalgo", "autoalgo-year"]
    assert str(cell(book, "War Requests", "Status", 1)) == "Done"
    assert verdicts(book) == []


def test_yrs_13_a_peace_transfers_occupied_land_loc_09_loc_10() -> None:
    """YRS-12, YRS-14: who holds Heath, and whose it is, follow from receipts."""
    rows = [WARS, ["Kings", "Left", "Right", None, None, None, None]]
    book = book_of(year(1000))
    type_in(book, "Militaries", 2, Size=30_000)
    type_in(book, "Militaries", 3, Size=1_500)
    tabs = {name: book.rows(name) for name in book.tabs}
    book = MemoryWorkbook(tabs | {"Wars": rows})
    type_in(book, "Years", 2, Ready=None)
    run(book)
    run(book)
    assert cell(book, "War Requests", "Winner") == "Left"
    assert cell(book, "Locations", "Occupied By") == "Left"
    assert cell(book, "Locations", "Owner") == "Right"

    book.type_in("Wars", 2, 6, "Side A")
    type_in(book, "Years", 2, Ready=True)
    run(book)
    run(book)

    assert cell(book, "Locations", "Owner") == "Left"
    assert cell(book, "Locations", "Occupied By") is None
    assert cell(book, "Years", "Peace") == "Heath of Right is Left's by the peace of Kings"
    holders = Season(OpenWorkbook(read(book), forms(), read_receipts(read(book)))).holders
    assert [holders(when)["Heath"] for when in (999, 1000, None)] == [("Right", ""), ("Left", ""), ("Left", "")]
    assert cell(book, "Nations", "Population") > 1_040_000 > cell(book, "Nations", "Population", 1)
    assert verdicts(book) == []


def test_a_workbook_without_the_columns_of_owners_is_ruled_as_before() -> None:
    book = book_of(year(1000))
    place = list(book.rows("Locations")[0]).index("Occupied By") + 1
    for row in (1, 2):
        book.type_in("Locations", row, place, None)

    assert len(run(book).rulings) == 2
    assert verdicts(book) == []


def test_yrs_07_a_hundred_years_of_peace_are_ruled() -> None:
    """YRS-04, YRS-09: nobody returns, and Revenue stays."""
    book = book_of(*(year(number) for number in range(1000, 1100)))
    type_in(book, "War Requests", 2, Ready=None)

    run(book)

    people = column(book, "Nations", "Population")[:2]
    assert all(1_000_000 < each < 1_000_000 * 1.004**100 for each in people)
    assert column(book, "Militaries", "Size")[:2] == [9_000, 9_000]
    assert {str(value or "") for value in column(book, "Nations", "Revenue")} == {""}
    assert all(each > 60 for each in column(book, "Nations", "Stability")[:2])
    assert set(column(book, "Years", "Returned")[:100]) == {0}
