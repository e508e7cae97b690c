"""Each line of the pages of cells and of mistakes: what is typed, and what the program says of it."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest

from scripts.support.bad_input_cases import CASES
from scripts.support.cell_pages import PAGES, TESTS, CellCase, cases
from scripts.support.moderator import BOOK
from scripts.support.workbooks import check, forms, read, workbook

TYPED = [case for case in CASES if case.rows and case.words == ("check", BOOK) and not case.environment]


def seasons() -> list[tuple[Path, list[CellCase]]]:
    """Return the cases of each season of each page."""
    return [(page, [*found]) for page in PAGES for _, found in groupby(cases(page), lambda case: case.season)]


@pytest.mark.parametrize(
    "found",
    [
        pytest.param(found, id=f"{page.relative_to(TESTS).with_suffix('')}: {found[0].season[0][3:-3]}")
        for page, found in seasons()
    ],
)
def test_typed_cells_get_their_answers(found: list[CellCase]) -> None:
    """A line that differs is shown as the page would have it."""
    answers = [(case, case.answer()) for case in found]
    assert [f"{case.typed} | {answer}" for case, answer in answers if answer != case.said] == []


@pytest.mark.parametrize("about", sorted({case.about for case in TYPED}))
def test_each_error_in_a_cell_gets_its_line(about: str) -> None:
    """Few of these are typed at a terminal in each run of the suite (`tests/e2e/test_bad_input.py`)."""
    wrong = []
    for case in (case for case in TYPED if case.about == about):
        problems = check(read(workbook(case.rows())), forms())
        has_line = any(str(problem).startswith(case.line) for problem in problems)
        if not has_line or any(problem.is_error for problem in problems) != (case.code == 1):
            wrong.append((case.did, case.line, problems))
    assert wrong == []
