"""What is said of a mistake: where, what was found, what is allowed, in sentences a moderator can read."""

from __future__ import annotations

import re

import pytest

from sheets_algo.database.problems import CellRef, Problem, Rejected, Severity, one_of, quoted, rows_named, shortened


def test_an_address_is_in_spreadsheet_notation() -> None:
    cases = [
        (CellRef("Nations", 14, 3), "Nations!C14"),
        (CellRef("Nations", 2, 28), "Nations!AB2"),
        (CellRef("War Requests", 2, 1), "'War Requests'!A2"),
        (CellRef("It's 1066", 2, 1), "'It''s 1066'!A2"),
        (CellRef("Naciones_", 2, 1), "'Naciones_'!A2"),
        (CellRef("1066", 2, 1), "'1066'!A2"),
        (CellRef("AB12", 2, 1), "'AB12'!A2"),
        (CellRef("Nations", 14), "Nations!14:14"),
        (CellRef("Nations"), "Nations"),
        (CellRef("War Requests"), "'War Requests'"),
    ]
    assert [(cell, str(cell)) for cell, _ in cases] == cases


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({}, 'Locations!C14: "Damp" is not allowed. [LOC-03]'),
        ({"row": "Manzikert"}, 'Locations!C14 (Manzikert): "Damp" is not allowed. [LOC-03]'),
        ({"column": "Climate"}, 'Locations!C14 (Climate): "Damp" is not allowed. [LOC-03]'),
        (
            {"row": "Manzikert", "column": "Climate", "allowed": "Use Ocean or Arid"},
            'Locations!C14 (Manzikert, Climate): "Damp" is not allowed. Use Ocean or Arid. [LOC-03]',
        ),
        ({"nearest": "Arid"}, 'Locations!C14: "Damp" is not allowed. Did you mean "Arid"? [LOC-03]'),
        (
            {"nearest": "Arid", "allowed": "Names match capitals"},
            'Locations!C14: "Damp" is not allowed. Did you mean "Arid"? Names match capitals. [LOC-03]',
        ),
        ({"severity": Severity.WARNING}, 'Locations!C14: warning: "Damp" is not allowed. [LOC-03]'),
    ],
)
def test_a_problem_fits_one_line(more: dict[str, str], line: str) -> None:
    problem = Problem(cell=CellRef("Locations", 14, 3), says='"Damp" is not allowed', id="LOC-03", **more)  # type: ignore[arg-type]

    assert str(problem) == line


@pytest.mark.parametrize("ending", ["", ".", " ..."])
def test_a_sentence_has_one_full_stop(ending: str) -> None:
    said = Problem(cell=CellRef("Nations"), says=f"so it is{ending}", allowed=f"Do it{ending}", id="X-1")
    stop = ending or "."

    assert str(said) == f"Nations: so it is{stop} Do it{stop} [X-1]"


def test_a_rejection_carries_every_problem_in_order() -> None:
    problems = [Problem(cell=CellRef("Nations", row), says="wrong", id="X-1") for row in (3, 2)]

    assert Rejected(iter(problems)).problems == tuple(problems)
    assert str(Rejected(problems)) == "Nations!3:3: wrong. [X-1]\nNations!2:2: wrong. [X-1]"


def test_allowed_values_are_listed_or_counted() -> None:
    cases = [
        (0, ""),
        (1, "Use v1"),
        (2, "Use v1 or v2"),
        (3, "Use v1, v2 or v3"),
        (17, "Use one of 17 values: v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16 ..."),
    ]
    assert [(count, one_of([f"v{number}" for number in range(1, count + 1)])) for count, _ in cases] == cases


def test_rows_are_named_or_counted() -> None:
    cases = [
        ([3], "row 3"),
        ([3, 7], "rows 3 and 7"),
        ([3, 7, 8, 9, 12], "rows 3, 7, 8, 9 and 12"),
        (range(2, 1002), "rows 2, 3, 4, 5, 6 and 995 more"),
        (range(2, 50_002), "rows 2, 3, 4, 5, 6 and 49,995 more"),
    ]
    assert [(rows, rows_named(rows, len(rows))) for rows, _ in cases] == cases


def test_a_long_cell_is_quoted_in_part_and_on_one_line() -> None:
    assert shortened("a\n  b") == "a b"
    assert quoted("x" * 30_000) == '"' + "x" * 77 + '..."'
    assert re.fullmatch(r'"[^"\n]{80}"', quoted("word\n" * 500))
