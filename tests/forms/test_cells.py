"""Each line of the pages of cells and of mistakes: what is typed, and what the program says of it."""

from __future__ import annotations

import pytest

from scripts.support.bad_input_cases import CASES, Case
from scripts.support.cell_pages import PAGES, TESTS, CellCase, cases
from scripts.support.moderator import BOOK
from scripts.support.workbooks import check, forms, read, workbook


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{page.relative_to(TESTS).with_suffix('')}: {case.season[0][3:-3]}: {case.typed}")
        for page in PAGES
        for case in cases(page)
    ],
)
def test_a_typed_cell_gets_its_answer(case: CellCase) -> None:
    assert case.answer() == case.said


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case.rows and case.words == ("check", BOOK) and not case.environment],
    ids=lambda case: f"{case.about}: {case.did}",
)
def test_each_error_in_a_cell_gets_its_line(case: Case) -> None:
    """Few of these are typed at a terminal in each run of the suite (`tests/e2e/test_bad_input.py`)."""
    assert case.rows
    problems = check(read(workbook(case.rows())), forms())

    assert [line for line in map(str, problems) if line.startswith(case.line)] != [], problems
    assert any(problem.is_error for problem in problems) == (case.code == 1)
