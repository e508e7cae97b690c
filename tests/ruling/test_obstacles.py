"""A cell that takes no value keeps the wars waiting that must write it, and no others (RCP-31)."""

import re
from collections.abc import Mapping
from pathlib import Path

import openpyxl
import pytest
from openpyxl.packaging.custom import BoolProperty
from openpyxl.utils import get_column_letter

from engine.receipt import SeasonOptions
from scripts.support.moderator import BOOK, Moderator, only, season, write
from scripts.support.workbooks import NOW, SECRET, library, read, ruled_example, undo
from scripts.support.workbooks import forms as library_forms
from sheets_algo.commands.init import chosen_rulesets
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.ruling.receipts.season_receipts import season_receipt
from sheets_algo.runtime.run import run_pass
from sheets_algo.runtime.run.pass_result import PassResult
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.session import Session
from sheets_algo.template import examples_of, template
from sheets_algo.workbook.xlsx import XlsxWorkbook
from sheets_algo.workbook.xlsx.edit.new import write_new

OPTIONS = SeasonOptions(losses="tell", dead_leaders="warn")
"""Those with which no war of the example waits for another one."""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """The wars of 1066, all ready."""
    forms = open_forms(library(), chosen_rulesets(["autoalgo"]))
    path = tmp_path / "season.xlsx"
    write_new(path, template(forms, examples_of(forms, library()), season=season_receipt(1, SECRET, NOW, OPTIONS)))
    season_secret.keep(tmp_path, SECRET)
    return path


def edit(path: Path, tab: str, cells: Mapping[str, object]) -> None:
    made = openpyxl.load_workbook(path)
    for cell, value in cells.items():
        made[tab][cell] = value
    made.save(path)


def merge(path: Path, tab: str, cells: str) -> None:
    made = openpyxl.load_workbook(path)
    made[tab].merge_cells(cells)
    made.save(path)


def seed_cell(path: Path, row: int) -> str:
    """Return the address of a war's seed."""
    heads = [cell.value for cell in openpyxl.load_workbook(path)["War Requests"][1]]
    return f"{get_column_letter(heads.index('Seed') + 1)}{row}"


def protect(path: Path, tab: str) -> None:
    made = openpyxl.load_workbook(path)
    made[tab].protection.sheet = True
    made.save(path)


def unmerge(path: Path, tab: str, cells: str, value: object) -> None:
    """Part cells and type into the last one."""
    made = openpyxl.load_workbook(path)
    made[tab].unmerge_cells(cells)
    made[tab][cells.partition(":")[2]] = value
    made.save(path)


def run(path: Path) -> PassResult:
    return run_pass.run_pass(
        Session(workbook=XlsxWorkbook(path), folder=path.parent, library=library(), draws_pictures=False)
    )


def requests(path: Path) -> list[tuple[object, ...]]:
    """Return the header row and those of the five wars; no other tab is read."""
    made = openpyxl.load_workbook(path, read_only=True)
    rows = list(made["War Requests"].iter_rows(max_row=6, values_only=True))
    made.close()
    return rows


def statuses(path: Path) -> list[object]:
    heads, *rows = requests(path)
    return [row[heads.index("Status")] for row in rows]


def test_merged_cells_in_a_nation_block_only_its_wars(book: Path) -> None:
    """Hastings and the Channel, which change Normandy, wait; the others are ruled in the same run."""
    merge(book, "Nations", "B2:B3")

    passed = run(book)

    assert statuses(book) == ["Done", "Invalid", "Invalid", "Done", "Done"]
    assert passed.plan.findings.answers[1].cells.message.startswith(
        "Nations!B3 (Normandy, Stability): the program cannot write here: the cell is inside the merged cells B2:B3:"
        " unmerge them. [RCP-31]"
    )
    logs = sorted(file.stem[-6:] for file in (book.parent / "logs").iterdir())
    assert logs == ["W-0001", "W-0004", "W-0005"]
    assert not run(book).is_written

    unmerge(book, "Nations", "B2:B3", 140)
    run(book)
    assert statuses(book) == ["Done"] * 5


def test_a_merged_status_is_skipped_and_everything_is_ruled(book: Path) -> None:
    letter = get_column_letter(requests(book)[0].index("Status") + 1)
    merge(book, "War Requests", f"{letter}3:{letter}4")

    passed = run(book)

    assert [answer.cells.status for answer in passed.plan.findings.answers] == ["Done"] * 5
    assert [str(problem) for problem in passed.plan.findings.of_tabs] == [
        f"'War Requests'!{letter}4: warning: the program cannot write here: the cell is inside the merged cells"
        f" {letter}3:{letter}4: unmerge them. [RCP-31]"
    ]
    assert statuses(book)[0] == "Done"
    assert not run(book).is_written


def test_a_protected_tab_blocks_only_the_wars_that_must_write_there(book: Path) -> None:
    """Some wars kill or shame a leader, as Hastings by this seed, and the others do not change the tab."""
    edit(book, "War Requests", {seed_cell(book, 3): 2})
    protect(book, "Leaders")

    passed = run(book)

    assert set(statuses(book)) == {"Done", "Invalid"}
    messages = [answer.cells.message for answer in passed.plan.findings.answers if answer.cells.status == "Invalid"]
    assert all("the program cannot write here: the tab is protected: unprotect it. [RCP-31]" in m for m in messages)


def test_a_protected_picture_tab_blocks_no_ruling(book: Path) -> None:
    run(book)
    protect(book, "Battle Map")
    made = openpyxl.load_workbook(book)
    headers = [cell.value for cell in made["War Requests"][1]]
    made["War Requests"].cell(2, headers.index("Request") + 1).value = "W-0009"
    made["War Requests"].cell(2, headers.index("Month") + 1).value = "May"
    made.save(book)

    passed = run(book)

    assert [ruling.receipt.request for ruling in passed.plan.rulings] == ["W-0009"]
    remark = "Battle Map: the tab is protected, so its picture stays as it is: unprotect it."
    assert remark in passed.remarks


def test_many_blocked_cells_of_a_tab_give_one_warning(book: Path) -> None:
    protect(book, "War Requests")

    passed = run(book)

    warned = [str(problem) for problem in passed.plan.findings.of_tabs if problem.id == "RCP-31"]
    assert len(warned) == 1
    assert re.fullmatch(
        r"'War Requests'!\w+: warning: the program cannot write here and in \d+ more cells: the tab is protected: "
        r"unprotect it\. \[RCP-31\]",
        warned[0],
    )


def test_check_reports_that_a_final_workbook_accepts_no_ruling(book: Path, tmp_path: Path, home: Path) -> None:
    made = openpyxl.load_workbook(book)
    made.custom_doc_props.append(BoolProperty(name="_MarkAsFinal", value=True))
    made.save(book)

    said = Moderator(tmp_path, home, config=None).types("check", BOOK)

    assert said.code == 1
    assert f"'{BOOK}': the workbook is marked as final: lift that mark" in said.out


def test_a_protected_tab_of_the_program_stops_a_pass_unless_forced(book: Path, tmp_path: Path, home: Path) -> None:
    protect(book, "Receipts")
    typed = Moderator(tmp_path, home, config=None)

    checked = typed.types("check", BOOK)
    assert checked.code == 1
    assert "\nReceipts: the tab is protected; nothing was written: unprotect it. [RCP-31]\n" in f"\n{checked.out}"
    warned = typed.types("doctor", BOOK).out
    assert '"Receipts": the tab is protected: unprotect it, if the program writes there.' in warned
    said = typed.types("run", BOOK)
    assert (said.code, said.err) == (
        1,
        "sheets-algo: Receipts: the tab is protected; nothing was written: unprotect it.\n",
    )
    assert typed.types("run", BOOK, "--force").code == 0
    assert statuses(book) == ["Done"] * 5


def test_fc_31_check_refuses_wars_with_blocked_cells(book: Path, tmp_path: Path, home: Path) -> None:
    """England and Normandy share a Stability, and two wars share a Status."""
    letter = get_column_letter(requests(book)[0].index("Status") + 1)
    merge(book, "Nations", "B2:B3")
    merge(book, "War Requests", f"{letter}5:{letter}6")

    said = Moderator(tmp_path, home, config=None).types("check", BOOK)

    assert said.code == 1
    assert [line for line in said.out.splitlines() if "[RCP-31]" in line] == [
        "Nations!B3: warning: the program cannot write here: the cell is inside the merged cells B2:B3: unmerge them."
        " [RCP-31]",
        f"'War Requests'!{letter}6: warning: the program cannot write here: the cell is inside the merged cells"
        f" {letter}5:{letter}6: unmerge them. [RCP-31]",
        "Nations!B3 (Normandy, Stability): the program cannot write here: the cell is inside the merged cells B2:B3:"
        " unmerge them. [RCP-31]",
    ]
    refused = {answer.cells.request for answer in run(book).plan.findings.answers if answer.is_refused}
    assert refused == {"W-0002", "W-0003"}


def moderator(tmp_path: Path) -> Moderator:
    """Stamford Bridge, ruled by the command `run`."""
    made = Moderator(tmp_path / "game", tmp_path / "home")
    made.folder.mkdir()
    write(made.book, only(season(), "W-0001"))
    assert made.types("run", BOOK).code == 0
    return made


def test_undo_skips_a_display_cell_with_a_formula(tmp_path: Path) -> None:
    made = moderator(tmp_path)
    cell = get_column_letter(requests(made.book)[0].index("Message") + 1) + "2"
    edit(made.book, "War Requests", {cell: '="mine"'})

    undone = made.types("undo", BOOK, "W-0001")

    assert (undone.code, undone.err) == (
        0,
        f"'War Requests'!{cell}: warning: the program cannot write here: the cell holds a formula: put a value there,"
        " for the program writes this cell. [RCP-31]\n",
    )
    assert statuses(made.book)[0] == "Undone"


def test_undo_never_skips_a_database_cell() -> None:
    """The receipt says that it is put back."""
    made, _ = ruled_example("1066")
    snapshot = read(made)
    _, changes = undo(snapshot, library_forms(), "W-0005", NOW)
    places = {(cell.tab, cell.row, cell.column) for cell in changes.cells}

    _, left = undo(snapshot, library_forms(), "W-0005", NOW, blocked=places)

    tabs = {cell.tab.name for cell in changes.cells}
    assert {cell.tab.name for cell in left.cells} == tabs - {"War Requests", "Flanks"} != tabs
