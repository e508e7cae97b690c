"""Whatever goes wrong on the way, a ruling stands in the spreadsheet once."""

from collections.abc import Iterator
from itertools import product

import pytest

from scripts.support.shared_sheets import sheets
from sheets_algo.workbook.changes import AppendRow, ChangeSet, SetCell
from sheets_algo.workbook.errors import StaleWorkbook, UnknownOutcome, WorkbookUnavailable
from sheets_algo.workbook.store import Workbook
from tests.helpers.example_budget import spread
from tests.helpers.tabs import key, keys
from tests.workbook.google.season import TABS, Season

AS_RULED = {
    "War Requests": [
        ["Request", "War", "Ready", "Status"],
        ["W-0001", "Hastings", True, "Done"],
        ["W-0002", "Manzikert", True],
        ["W-0003", "Stamford Bridge", False],
    ],
    "Nations": [["Nation", "Stability"], ["England", 95], ["Normandy", 80], ["Norway", 60]],
    "Receipts": [["Seq", "Request"], [1, "W-0000"], [2, "W-0001"]],
}

SHAPES = ("list", "other", "400-other")
"""JSON that is no answer to the request."""


@pytest.fixture
def season() -> Iterator[Season]:
    yield Season.begun()
    sheets().clear_faults()
    sheets().control("late", {})


def pass_over(workbook: Workbook) -> bool:
    """Rule W-0001 if it has no receipt; whether there was nothing to do."""
    snapshot = workbook.read(keys(*TABS))
    receipts = snapshot.sheets[key("receipts")].rows
    if any(row[1] == "W-0001" for row in receipts.values()):
        return True
    number = len(receipts)
    cells = (SetCell(key("War Requests"), 2, 4, "Done"), SetCell(key("Nations"), 2, 2, 95, 100))
    changes = ChangeSet(cells=cells, rows=(AppendRow(key("Receipts"), (number, "W-0001")),), guard=number)
    workbook.commit(snapshot, changes)
    return False


def watch(workbook: Workbook, passes: int = 10) -> None:
    """Until a pass finds nothing to do."""
    for _ in range(passes):
        try:
            if pass_over(workbook):
                return
        except (StaleWorkbook, WorkbookUnavailable):
            continue
    raise AssertionError(f"not done after {passes} passes")


KINDS = ("429", "500", "502", "503", "504", "reset", "close", "half", "401", "403", "404", *SHAPES)
TITLES, POLL, LOOK, WRITE = range(1, 5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "when", "at"), spread(product(KINDS, ("before", "after"), (TITLES, POLL, LOOK, WRITE)), 2)
)
def test_one_fault_at_any_request_rules_once(season: Season, kind: str, when: str, at: int) -> None:
    sheets().fault(kind, match=r"/v4/spreadsheets", at=at, when=when)

    watch(season.workbook())

    assert season.everything() == AS_RULED


@pytest.mark.parametrize("after", [1, 2, 3, 4, 5, 6])
def test_a_late_write_rules_once(season: Season, after: int) -> None:
    """After the next poll, after the next look, after the write of the same ruling ..."""
    sheets().fault("503", match="write", when="late", after_requests=after)

    workbook = season.workbook()
    for _ in range(4):
        watch(workbook)

    assert season.everything() == AS_RULED


def test_a_write_without_an_answer_is_withdrawn_and_never_arrives(season: Season) -> None:
    one = season.workbook()
    sheets().fault("reset", match="write", when="late", after_requests=50)
    with pytest.raises(StaleWorkbook, match="withdrawn before it was carried out") as raised:
        pass_over(one)
    assert not isinstance(raised.value, UnknownOutcome)

    assert sheets().control("late", {})["applied"] == 1
    assert season.tab("Receipts") == TABS["Receipts"]
    watch(one)

    assert season.everything() == AS_RULED


def test_a_write_that_cannot_be_withdrawn_follows_another_program_s(season: Season) -> None:
    one, other = season.workbook(), season.workbook()
    for at in (1, 2, 3, 4):
        sheets().fault("reset", match="write", at=at, when="late" if at == 1 else "before", after_requests=50)
    with pytest.raises(UnknownOutcome):
        pass_over(one)

    watch(other)
    sheets().control("late", {})
    watch(one)

    assert season.everything() == AS_RULED
