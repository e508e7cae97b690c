"""Tabs whose titles people have changed: a plan knows tabs by what the program declares, never by their titles."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scripts.support.workbooks import NOW, check, example, forms, pass_context, read, workbook
from sheets_algo.database.headers import columns_read, columns_to_format, compared_cells
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import Ruling
from sheets_algo.ruling.repair.intents import Intent
from sheets_algo.workbook.changes import ChangeSet, SetCell
from sheets_algo.workbook.snapshot import Sheet, Snapshot
from tests.helpers.games import EXAMPLES
from tests.helpers.tabs import key
from tests.ruling.test_dead_leaders import DEAD, HAROLD, KILLED, REFUSE, played, season


def renamed(snapshot: Snapshot) -> Snapshot:
    """The workbook after people have put a sign before each title."""
    return replace(
        snapshot, sheets={tab: replace(sheet, title=f"⚔ {sheet.title}") for tab, sheet in snapshot.sheets.items()}
    )


@pytest.mark.parametrize("name", EXAMPLES)
def test_db_04_a_pass_plans_the_same_under_any_tab_titles(name: str) -> None:
    snapshot = read(workbook(example(name)))

    plain, other = (plan_pass(seen, pass_context(), NOW) for seen in (snapshot, renamed(snapshot)))

    assert plain.rulings
    assert [_content(ruling) for ruling in plain.rulings] == [_content(ruling) for ruling in other.rulings]
    assert plain.writes.changes.tabs_written == other.writes.changes.tabs_written
    assert _without_titles(plain.writes.changes) == _without_titles(other.writes.changes)


def _content(ruling: Ruling) -> tuple[object, ...]:
    receipt = ruling.receipt
    return receipt.request, receipt.winner, receipt.wiki, receipt.inputs, receipt.changes


def _without_titles(changes: ChangeSet) -> list[tuple[object, ...]]:
    """The cells written; a message names cells by the titles that people see."""
    return [
        (cell.tab, cell.row, cell.column, str(cell.value).replace("⚔ ", "").replace("'", "")) for cell in changes.cells
    ]


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_store_reads_the_keys_of_the_snapshot(name: str) -> None:
    snapshot = renamed(read(workbook(example(name))))
    records = dict.fromkeys(record for form in forms() for record in form.records())

    asked = (columns_read(snapshot, records), columns_to_format(snapshot, records, with_years=True))

    found = (*asked, compared_cells(snapshot, records))
    assert all(tabs.keys() <= snapshot.sheets.keys() for tabs in found)
    assert found[0]
    assert name != "1066" or all(found)


def test_a_problem_names_the_tab_by_its_visible_title() -> None:
    rows = example("1066")
    rows["Nations"][0]["Stability"] = "high"

    told = [str(problem) for problem in check(renamed(read(workbook(rows))), forms()[:1]) if problem.is_error]

    assert told == [
        "'⚔ Nations'!B2 (England, Stability): \"high\" is not a number. Enter a number from 0 to 200. [NAT-02]"
    ]


def test_ldr_11_the_ruling_that_killed_a_leader_is_named_under_any_title() -> None:
    book = played(season(KILLED), REFUSE)

    for snapshot in (read(book), renamed(read(book))):
        answers = plan_pass(snapshot, pass_context(), NOW).findings.answers
        (message,) = (answer.cells.message for answer in answers if answer.cells.request == "W-0002")
        assert f"{HAROLD} cannot lead: {DEAD}, receipt 2 (W-0001)." in message


def test_a_write_noted_under_titles_by_an_earlier_version_is_read() -> None:
    """RCP-44: it named the tabs of cells by their titles."""
    sheet = Sheet("🌍 Nations", {1: ("Name",), 2: ("England",)})
    intent = Intent(
        Snapshot({key("Nations"): sheet}), ChangeSet(cells=(SetCell(key("🌍 Nations"), 2, 1, "Wales"),)), NOW
    )

    (_, _, _, _, details), *_ = intent.rows()

    assert Intent.unpacked(str(details), NOW).changes.cells == (SetCell(key("Nations"), 2, 1, "Wales"),)
