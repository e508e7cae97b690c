"""A season that `init` begins with the wars of 1066: each of them is ruled, whatever the luck."""

from __future__ import annotations

import itertools
from contextlib import closing
from dataclasses import replace
from typing import Any

import openpyxl
import pytest

from scripts.support.moderator import Moderator, shown
from tests.helpers.example_budget import BUDGET
from tests.helpers.games import facts_by_game

SEASONS = round(5 * BUDGET)
AS_INIT_BEGINS = {"SHEETS_ALGO_DEAD_LEADERS": "refuse", "SHEETS_ALGO_LOSSES": "apply"}
"""The defaults; the other tests' wars are not refused for a dead leader."""


@pytest.fixture
def begun(moderator: Moderator) -> Moderator:
    """With the shipped numbers and no file yet."""
    return replace(moderator, config=None)


def wars(begun: Moderator) -> list[dict[str, Any]]:
    """The rows of the tab that are in use."""
    return [row for row in shown(begun.book, "War Requests") if row["War"]]


def ruled(begun: Moderator, secret: str) -> None:
    """Rule the season; each war is Done."""
    said = begun.types("run", "season.xlsx", SHEETS_ALGO_SECRET=secret, **AS_INIT_BEGINS)

    assert said.code == 0, said.out
    assert [(war["Request"], war["Status"]) for war in wars(begun)] == [
        (f"W-000{number}", "Done") for number in range(1, 6)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(SEASONS))
def test_all_example_wars_are_ruled_with_any_secret(begun: Moderator, number: int) -> None:
    secret = f"the secret of season {number}, which only tests know"

    assert begun.types("init", "season.xlsx", SHEETS_ALGO_SECRET=secret, **AS_INIT_BEGINS).code == 0

    ruled(begun, secret)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["jousts", "rounds", *facts_by_game("PLACES")])
@pytest.mark.parametrize("number", range(max(1, round(BUDGET))))
def test_no_example_request_of_other_rulesets_is_refused(begun: Moderator, ruleset: str, number: int) -> None:
    secret = {"SHEETS_ALGO_SECRET": f"the secret of season {number}, which only tests know"}

    assert begun.types("init", "season.xlsx", "--ruleset", ruleset, **secret, **AS_INIT_BEGINS).code == 0
    said = begun.types("run", "season.xlsx", **secret, **AS_INIT_BEGINS)

    assert said.code == 0, said.out


def test_all_example_wars_are_ruled_even_if_each_destroys_both_armies(begun: Moderator) -> None:
    secret = "a season in which nobody comes home"
    assert begun.types("init", "season.xlsx", "--overrides", SHEETS_ALGO_SECRET=secret, **AS_INIT_BEGINS).code == 0
    armies = shown(begun.book, "Militaries")
    with closing(openpyxl.load_workbook(begun.book)) as book:
        decided = itertools.count(2)
        for war in wars(begun):
            for side in ("Attacker", "Defender"):
                army = next(row for row in armies if row["Name"] == war[f"{side} Military"])
                results = {"Killed": army["Size"], "Died": 0, "Captured": 0}
                results |= {"Leader": "killed"} if army["Leader"] else {}
                for result, value in results.items():
                    row = next(decided)
                    cells = (war["Request"], "Result", f"{side} {result}", value, "so it is feared", "Anna")
                    for column, cell in enumerate(cells, start=1):
                        book["Overrides"].cell(row, column, cell)
        book.save(begun.book)

    ruled(begun, secret)

    assert {row["Size"] for row in shown(begun.book, "Militaries")} == {0}
    fell = [row["Name"] for row in shown(begun.book, "Leaders") if str(row["Status"]).startswith("killed in ")]
    assert len(fell) == 9
