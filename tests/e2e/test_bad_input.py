"""The mistakes of the list, made on real files with the installed command: some in cells, all with a budget of 4."""

from __future__ import annotations

from collections import Counter

import pytest

from scripts.support.bad_input_cases import CASES, Case
from scripts.support.moderator import season, write
from tests.helpers.example_budget import spread


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [*spread([case for case in CASES if case.rows], 4), *spread([case for case in CASES if not case.rows], 1)],
    ids=lambda case: f"{case.about}: {case.did}",
)
def test_each_error_gets_its_line(case: Case, moderator):
    case.arrange(moderator.folder)

    said = moderator.types(*case.words, **(case.environment or {}))

    assert case.line in said.out + said.err
    assert said.code == case.code
    assert "Traceback" not in said.err


def test_the_list_names_each_error_once():
    assert [twice for twice, times in Counter((case.about, case.did) for case in CASES).items() if times > 1] == []


def test_a_workbook_full_of_errors_reports_all_of_them_together(moderator):
    """Nobody has to mend one cell to learn of the next."""
    rows = season()
    rows["Nations"][0] |= {"Population": "many", "State Government": "Economic"}
    rows["Locations"][2]["Climate"] = "Damp"
    rows["War Requests"][1] |= {"Year": None, "Motive": "Glory"}
    write(moderator.book, rows)

    said = moderator.types("check", "--json", moderator.book)

    assert sorted((problem["cell"], problem["rule"]) for problem in said.data["problems"]) == [
        ("'War Requests'!C3", "WAR-02"),
        ("'War Requests'!I3", "WAR-08"),
        ("Locations!C4", "LOC-03"),
        ("Nations!C2", "NAT-03"),
        ("Nations!I2", "NAT-09"),
    ]
