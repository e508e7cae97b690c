"""Optional tabs and columns that a season had and that are gone: named until somebody accepts that (REQ-11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.columns import columns
from scripts.support.workbooks import (
    NOW,
    OPTIONS,
    SECRET,
    changed,
    check,
    column,
    example,
    forms,
    grids,
    messages,
    pass_context,
    read,
    run,
)
from sheets_algo.database.problems import Problem
from sheets_algo.forms.databases import lacking, optional_columns
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import ReceiptDamaged
from sheets_algo.ruling.receipts.season_receipts import season_receipt
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.snapshot import Snapshot

FORMS = [form for form in forms() if form.key == "autoalgo"]
LEADERS = [form for form in forms() if form.key == "autoalgo-leader"]
MOTIVE_GONE = (
    '\'War Requests\'!1:1: warning: the column "Motive" is gone, so every row counts as "Conquest".'
    " Bring it back, or accept that with run --accept-columns. [REQ-11]"
)
FLANKS_GONE = (
    "Flanks: warning: the tab is gone, so nothing of it counts."
    " Bring it back, or accept that with run --accept-columns. [REQ-11]"
)


TAB_GONE = (
    "'War Requests': the tab is missing, so none of its requests is ruled."
    ' Bring it back (rename "{}" if that is it), or accept that with run --accept-columns. [REQ-11]'
)


def season(*, drops: Sequence[tuple[str, str]] = (), tabs: Sequence[str] = (), lists: bool = True) -> MemoryWorkbook:
    """The season of 1066 as `init` begins it, without some columns and tabs that somebody has deleted since."""
    had = optional_columns(FORMS, Snapshot({}), is_completed=True) if lists else None
    row = dict(next(season_receipt(1, SECRET, NOW, OPTIONS, columns=had).rows()))
    rows = example("1066")
    made = grids({tab.name: rows.get(tab.name, []) for tab in FORMS[0].tabs})
    made |= {"Receipts": [[column.header for _, column in columns(ReceiptRow)]]}
    made["Receipts"].append([row.get(attribute) for attribute, _ in columns(ReceiptRow)])
    for tab, header in drops:
        place = made[tab][0].index(header)
        made[tab] = [[*cells[:place], *cells[place + 1 :]] for cells in made[tab]]
    for tab in tabs:
        del made[tab]
    return MemoryWorkbook(made)


def renamed(title: str, *, is_ruled: bool = False, lists: bool = True) -> MemoryWorkbook:
    """Return a season with new leaders whose tab of wars was renamed, or deleted if the title is blank."""
    book = season(lists=lists)
    if is_ruled:
        run(book)
    tabs = {tab: book.rows(tab) for tab in (*(tab.name for tab in FORMS[0].tabs), "Receipts")}
    wars = tabs.pop("War Requests")
    tabs["Leader Requests"] = grids({"Leader Requests": []})["Leader Requests"]
    return MemoryWorkbook(tabs | ({title: wars} if title else {}))


def missed(problems: Sequence[Problem]) -> list[str]:
    return [str(problem) for problem in problems if problem.id == "REQ-11"]


def accept(book: MemoryWorkbook) -> Plan:
    snapshot = read(book)
    plan = plan_pass(snapshot, changed(pass_context(), accepts_columns=True), NOW)
    book.commit(snapshot, plan.writes.changes)
    return plan


def test_req_11_a_complete_season_misses_nothing() -> None:
    book = season()
    assert missed(run(book).problems) == []
    assert missed(check(read(book), FORMS)) == []


def test_req_11_missing_columns_are_reported_by_check_run_and_rulings() -> None:
    book = season(drops=[("War Requests", "Motive")], tabs=["Flanks"])
    assert missed(check(read(book), FORMS)) == [MOTIVE_GONE, FLANKS_GONE]
    plan = run(book)
    assert missed(plan.findings.of_tabs) == [MOTIVE_GONE, FLANKS_GONE]
    assert len(plan.rulings) == 5
    for _, status, says in messages(plan):
        assert (status, MOTIVE_GONE in says, FLANKS_GONE in says) == ("Done", True, True)
    assert MOTIVE_GONE in str(column(book, "War Requests", "Message")[0])
    assert missed(run(book).problems) == [MOTIVE_GONE, FLANKS_GONE], "until it is accepted"


def test_req_11_an_accepted_loss_is_not_reported_again() -> None:
    book = season(drops=[("War Requests", "Motive")], tabs=["Flanks"])
    assert missed(accept(book).problems) == []
    assert [str(cell) for cell in column(book, "Receipts", "Kind")].count("Columns") == 1
    assert column(book, "Receipts", "Receipt")[1] == (
        "From here on the workbook does without the tab Flanks; Motive in War Requests."
    )
    assert missed(run(book).problems) == []
    assert missed(check(read(book), FORMS)) == []
    receipts = column(book, "Receipts", "Seq")
    assert not accept(book).writes.changes, "there is nothing more to accept"
    assert column(book, "Receipts", "Seq") == receipts


def test_req_11_a_later_loss_is_reported_again() -> None:
    book = season(drops=[("War Requests", "Motive")])
    accept(book)
    book.type_in("Nations", 1, book.rows("Nations")[0].index("Religion") + 1, "Creed")
    [said] = missed(run(book).problems)
    assert said.startswith(
        'Nations!1:1: warning: the column "Religion" is gone, so every row counts as "Christianity".'
    )


def test_req_11_a_renamed_column_is_reported_with_the_likely_new_name() -> None:
    book = season()
    book.type_in("Locations", 1, book.rows("Locations")[0].index("Road System") + 1, "Roads")
    [said] = missed(run(book).problems)
    assert 'the column "Road System" is gone, so every row counts as "none". Bring it back, rename "Roads", or' in said


def test_req_11_a_nearly_equal_header_is_a_mistake() -> None:
    """DB-04 names both."""
    book = season()
    book.type_in("War Requests", 1, book.rows("War Requests")[0].index("Motive") + 1, "Motif")
    plan = run(book)
    assert missed(plan.problems) == []
    assert not plan.rulings
    assert "DB-04" in {problem.id for problem in plan.problems}


@pytest.mark.parametrize("accepted", [False, True])
def test_req_11_a_season_without_a_list_misses_nothing(accepted: bool) -> None:
    """As those that were begun by version 0.1."""
    book = season(drops=[("War Requests", "Motive")], lists=False)
    if accepted:
        accept(book)
    book.type_in("Nations", 1, book.rows("Nations")[0].index("Religion") + 1, "Creed")
    assert len(missed(run(book).problems)) == (1 if accepted else 0)


def test_req_11_a_list_that_was_edited_by_hand_is_reported() -> None:
    book = season()
    place = book.rows("Receipts")[0].index("Inputs") + 1
    book.type_in("Receipts", 2, place, '{"columns":["Motive"]}')
    with pytest.raises(ReceiptDamaged, match="Inputs cannot be read"):
        read_receipts(read(book))


def test_req_11_own_columns_are_never_missed() -> None:
    book = season()
    heads: list[Any] = list(book.rows("Nations")[0])
    book.type_in("Nations", 1, len(heads) + 1, "Player")
    run(book)
    book.type_in("Nations", 1, len(heads) + 1, None)
    assert missed(run(book).problems) == []


@pytest.mark.parametrize("title", ["War Rows", "Requests", ""])
@pytest.mark.parametrize("is_ruled", [False, True])
def test_req_11_a_missing_request_tab_is_an_error(title: str, is_ruled: bool) -> None:
    book = renamed(title, is_ruled=is_ruled)
    says = TAB_GONE.format(title).replace(' (rename "" if that is it)', "")
    assert missed(check(read(book), LEADERS)) == [says]
    plan = run(book)
    assert missed(plan.findings.of_tabs) == [says]
    assert all(problem.is_error for problem in plan.findings.of_tabs)
    assert missed(accept(book).problems) == []
    assert missed(check(read(book), LEADERS)) == missed(run(book).problems) == []


@pytest.mark.parametrize("is_ruled", [False, True])
def test_req_11_without_a_list_ruled_request_tabs_are_expected(is_ruled: bool) -> None:
    book = renamed("War Rows", is_ruled=is_ruled, lists=False)
    assert missed(run(book).problems) == [TAB_GONE.format("War Rows")] * is_ruled


def test_req_11_request_tabs_of_other_rulesets_are_not_missed() -> None:
    jousts = [form for form in forms() if form.key == "jousts"]
    had = optional_columns(jousts, Snapshot({}), is_completed=True)
    row = dict(next(season_receipt(1, SECRET, NOW, OPTIONS, columns=had).rows()))
    made = grids(example("jousts") | {"Joust Settings": []})
    made["Receipts"][1] = [row.get(attribute) for attribute, _ in columns(ReceiptRow)]
    book = MemoryWorkbook(made)
    assert missed(run(book).problems) == missed(check(read(book), jousts)) == []


def test_init_names_the_optional_columns_that_a_workbook_lacks() -> None:
    drops = ("War Requests", "Month"), ("War Requests", "Relief"), ("War Requests", "Winner"), ("Nations", "Age")
    workbook = season(drops=drops, tabs=["Flanks"])

    assert [*lacking(FORMS, read(season()))] == []
    assert [*lacking(FORMS, read(workbook))] == [
        "War Requests may have more columns: Month, Relief. To use one, type its header behind the last one.",
        "Nations may have more columns: Age. To use one, type its header behind the last one.",
    ]


@pytest.mark.parametrize(("header", "rename"), [("Winners", ', or rename "Winners"'), (None, "")])
def test_db_03_check_notes_missing_columns_of_the_program(header: str | None, rename: str) -> None:
    book = season()
    assert not [problem for problem in check(read(book), FORMS) if problem.id == "DB-03"]
    book.type_in("War Requests", 1, book.rows("War Requests")[0].index("Winner") + 1, header)
    (note,) = (problem for problem in check(read(book), FORMS) if problem.id == "DB-03")
    assert str(note) == (
        "'War Requests'!1:1: note: there is no column \"Winner\", so rows do not show what the program writes there."
        f" Nothing, if that is meant; else add it{rename}. [DB-03]"
    )
    assert len(run(book).rulings) == 5
