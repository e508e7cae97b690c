"""A wrong cell of the database keeps a year, all of it, until it is mended, whatever else is wrong (YRS-16, RCP-31)."""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from scripts.support.workbooks import NOW, SECRET, library
from sheets_algo.commands.init import chosen_rulesets
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.ruling.receipts.season_receipts import season_receipt
from sheets_algo.runtime.session import season_secret
from sheets_algo.template import examples_of, template
from sheets_algo.workbook.xlsx.edit.new import write_new
from tests.ruling.test_obstacles import OPTIONS, merge, protect, run, unmerge

DATABASE = ("Nations", "Militaries", "Locations", "Leaders")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """The season of 1066 in which nobody fights and the year is ticked."""
    forms = open_forms(library(), chosen_rulesets(["autoalgo"]))
    path = tmp_path / "season.xlsx"
    write_new(path, template(forms, examples_of(forms, library()), season=season_receipt(1, SECRET, NOW, OPTIONS)))
    season_secret.keep(tmp_path, SECRET)
    change(path, lambda made: [put(made["War Requests"], "Ready", row, None) for row in range(2, 7)])
    change(path, lambda made: [put(made["Years"], head, 2, value) for head, value in (("Year", 1066), ("Ready", True))])
    return path


def change(path: Path, how: Callable[[Any], object]) -> None:
    made = openpyxl.load_workbook(path)
    how(made)
    made.save(path)


def put(sheet: Worksheet, header: str, row: int, value: object) -> object:
    """Type into a cell; return what was there."""
    cell = sheet.cell(row, [head.value for head in sheet[1]].index(header) + 1)
    before, cell.value = cell.value, value
    return before


def cells(path: Path, tab: str) -> list[tuple[Any, ...]]:
    return list(openpyxl.load_workbook(path)[tab].iter_rows(values_only=True))


def shown(path: Path, header: str) -> Any:
    heads, row, *_ = cells(path, "Years")
    return row[heads.index(header)]


WRONG: dict[str, tuple[str, str, int, object, str]] = {
    "a size": ("Militaries", "Size", 3, "many", '"many" is not a number'),
    "an owner": ("Locations", "Owner", 2, "Normandie", 'nation not found: "Normandie"'),
}
BESIDE: dict[str, tuple[Callable[[Path], object], Callable[[Path], object]]] = {
    "merged cells": (lambda at: merge(at, "Nations", "B2:B3"), lambda at: unmerge(at, "Nations", "B2:B3", 140)),
    "a renamed tab": (
        lambda at: change(at, lambda made: setattr(made["Militaries"], "title", "Hosts")),
        lambda at: change(at, lambda made: setattr(made["Hosts"], "title", "Militaries")),
    ),
    "a formula without a value": (
        lambda at: change(at, lambda made: put(made["Nations"], "Population", 2, "=CLUSTER()")),
        lambda at: change(at, lambda made: put(made["Nations"], "Population", 2, 1_500_000)),
    ),
    "a protected tab": (
        lambda at: protect(at, "Nations"),
        lambda at: change(at, lambda made: setattr(made["Nations"].protection, "sheet", False)),
    ),
    "a mistake that no year reads": (
        lambda at: change(at, lambda made: put(made["Locations"], "Climate", 3, "Moon")),
        lambda at: None,
    ),
}


@pytest.mark.parametrize(("wrong", "beside"), [*product(WRONG, BESIDE)])
def test_yrs_16_a_year_changes_nothing_until_all_errors_are_corrected(book: Path, wrong: str, beside: str) -> None:
    tab, header, row, value, says = WRONG[wrong]
    former: list[object] = []
    change(book, lambda made: former.append(put(made[tab], header, row, value)))
    BESIDE[beside][0](book)
    tabs = [name for name in openpyxl.load_workbook(book).sheetnames if name in (*DATABASE, "Hosts")]
    before = [cells(book, name) for name in tabs]

    for _ in range(2):
        run(book)

    assert shown(book, "Status") == "Invalid"
    assert [cells(book, name) for name in tabs] == before
    if beside != "a renamed tab":
        assert says in shown(book, "Message")
    BESIDE[beside][1](book)
    run(book)
    assert shown(book, "Status") == "Invalid"
    assert shown(book, "Message").startswith("The year waits, with all that it does, and ends by itself once")
    assert says in shown(book, "Message")
    change(book, lambda made: put(made[tab], header, row, former[0]))
    for _ in range(2):
        run(book)
    assert shown(book, "Status") == "Done"
    heads, *receipts = cells(book, "Receipts")
    assert [receipt[heads.index("Kind")] for receipt in receipts] == ["Season", "Ruling"]
