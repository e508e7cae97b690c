"""Wars that players ask for in a Google Form, taken when a year ends at its deadline (YRS-15, NAT-30)."""

from __future__ import annotations

from typing import Any

from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import column, pass_context, problems, workbook
from sheets_algo.forms.rulesets import form_entries
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.steps import HEADERS_TO_READ, tabs_to_read
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.tab_key import TabKey

HEADS = ["Timestamp", "Email Address", "War", "Attacker", "Defender", "Location", "Motive"]
LEFT, RIGHT, STRANGER = "ann@example.org", "bob@example.org", "eve@example.org"
BEFORE, AFTER = "2026-03-01T11:00:00Z", "2026-03-01T12:00:05Z"


def asked(minute: int, sender: str, attacker: str, war: str = "Raid", place: str = "Heath") -> list[Any]:
    """Return a response, sent some minutes after eleven."""
    other = "Right" if attacker == "Left" else "Left"
    return [f"2026-03-01 11:{minute:02}:00" if minute < 60 else AFTER, sender, war, attacker, other, place, "Conquest"]


def book_of(*responses: list[Any], heads: list[str] = HEADS) -> MemoryWorkbook:
    rows = war_rows(Ready=None)
    rows["War Requests"] = []
    rows["Nations"][0] |= {"Contact": LEFT}
    rows["Nations"][1] |= {"Contact": f"carl@example.org; {RIGHT.upper()}"}
    rows["Years"] = [{"Request": "Y-1", "Year": 1000, "Deadline": "2026-03-01 12:00", "Asked In": "Responses"}]
    made = workbook(rows)
    return MemoryWorkbook({name: made.rows(name) for name in made.tabs} | {"Responses": [heads, *responses]})


def snapshot(book: MemoryWorkbook) -> Snapshot:
    return book.read((*tabs_to_read(form_entries()), TabKey.named("Responses")), HEADERS_TO_READ)


def look(book: MemoryWorkbook, now: str) -> Plan:
    before = snapshot(book)
    plan = plan_pass(before, pass_context(), now)
    if plan.writes.changes:
        book.commit(before, plan.writes.changes)
    return plan


def test_yrs_15_wars_are_taken_at_the_deadline_and_wait_for_a_tick() -> None:
    book = book_of(asked(1, LEFT, "Left"), asked(2, RIGHT, "Right", "=1+1"), asked(70, LEFT, "Left", "Late"))

    look(book, BEFORE)
    assert column(book, "War Requests", "War") == []
    look(book, AFTER)
    look(book, AFTER)
    look(book, AFTER)

    assert column(book, "War Requests", "War") == ["Raid", "=1+1"]
    assert column(book, "War Requests", "Year") == [1001, 1001]
    assert not any(column(book, "War Requests", "Ready"))
    kinds = [(receipt.kind, receipt.war) for receipt in read_receipts(snapshot(book)).by_seq.values()]
    assert kinds == [("Season", ""), ("Orders", "The year 1000"), ("Ruling", "The year 1000")]
    assert "SHA-256" in read_receipts(snapshot(book)).by_seq[2].wiki


def test_yrs_15_a_late_request_is_taken_a_year_later_and_none_twice() -> None:
    book = book_of(asked(1, LEFT, "Left"), asked(70, LEFT, "Left", "Late"))
    for _ in range(3):
        look(book, AFTER)
    heads = list(book.rows("Years")[0])
    for header, value in (("Deadline", "2026-03-02 12:00"), ("Asked In", "Responses")):
        book.type_in("Years", 3, heads.index(header) + 1, value)

    for _ in range(3):
        look(book, "2026-03-02T12:00:01Z")

    assert column(book, "War Requests", "War") == ["Raid", "Late"]
    assert column(book, "War Requests", "Year") == [1001, 1002]


def test_yrs_15_of_two_requests_for_one_war_the_last_counts() -> None:
    book = book_of(asked(1, LEFT, "Left", "First"), asked(5, LEFT, "Left", "Second"), asked(3, LEFT, "Left", "Between"))

    look(book, AFTER)

    assert column(book, "War Requests", "War") == ["Second"]


def test_yrs_15_nat_30_a_request_for_another_nation_is_reported() -> None:
    book = book_of(asked(1, STRANGER, "Left"), asked(2, LEFT, "Right"), asked(3, LEFT, "Left"))

    plan = look(book, BEFORE)
    look(book, AFTER)

    assert [problem for problem in problems(plan) if problem[1] == "YRS-15"] == [
        ("Responses!D2", "YRS-15"),
        ("Responses!D3", "YRS-15"),
    ]
    assert column(book, "War Requests", "War") == ["Raid"]


def test_yrs_15_one_player_asks_for_at_most_twenty_wars() -> None:
    book = book_of(*(asked(minute, LEFT, "Left", f"War {minute}", f"Place {minute}") for minute in range(30)))

    look(book, AFTER)

    assert len(column(book, "War Requests", "War")) == 20


def test_yrs_15_a_tab_that_is_no_form_is_named() -> None:
    book = book_of(["x"], heads=["Name"])

    plan = look(book, BEFORE)

    assert problems(plan) == [("Responses!1:1", "YRS-15")]
    look(book, AFTER)
    assert column(book, "Years", "Ready") == [None]
