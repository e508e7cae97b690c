"""Relief of a siege: what the cell may be, and what it does to the ruling (WAR-19, R-100)."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import Rows, column, messages, problems, run, workbook

BOTH = "Type both, such as 3,000 on day 20, or 0 for no relief."
RANGE = "Type at most 15,000,000 men, and a day of the siege from 1 to 1,000."
NOBODY = "there is no siege, so nobody is relieved."


def siege(relief: Any, fortifications: str | None = "Castle", *flanks: dict[str, Any]) -> Rows:
    """Return the smallest war before a castle, with a relief."""
    rows = war_rows(*flanks, Relief=relief)
    rows["Locations"][0]["Fortifications"] = fortifications
    rows["Militaries"][1]["Size"] = 3_000
    return rows


def typed(relief: Any) -> Any:
    (ruling,) = run(workbook(siege(relief))).rulings
    return json.loads(ruling.receipt.inputs).get("relief")


@pytest.mark.parametrize(
    ("cell", "men", "day"),
    [
        ("3,000 on day 20", 3_000, 20),
        ("3000 day 20", 3_000, 20),
        ("3.000 men, day 20", 3_000, 20),
        ("12k on Day 1", 12_000, 1),
        ("  3 000   soldiers  on day 1,000", 3_000, 1_000),
        ("15000000 on day 1", 15_000_000, 1),
        (0, 0, 0),
        ("0", 0, 0),
        ("0 on day 20", 0, 0),
    ],
)
def test_war_19_a_relief_is_a_number_of_men_and_a_day(cell: Any, men: int, day: int) -> None:
    assert typed(cell) == {"men": men, "day": day}


@pytest.mark.parametrize("cell", [None, "", "   "])
def test_war_19_a_blank_relief_is_no_input(cell: Any) -> None:
    (ruling,), (plain,) = run(workbook(siege(cell))).rulings, run(workbook(siege(None))).rulings

    assert "relief" not in ruling.receipt.inputs
    assert ruling.receipt.wiki == plain.receipt.wiki


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("3,000", f'"3,000" is not a number of men and a day. {BOTH}'),
        (3_000, f'"3000" is not a number of men and a day. {BOTH}'),
        ("day 20", f'"day 20" is not a number of men and a day. {BOTH}'),
        ("many on day 20", f'"many on day 20" is not a number of men and a day. {BOTH}'),
        ("300.5 on day 20", f'"300.5 on day 20" is not a number of men and a day. {BOTH}'),
        ("3,000 on turn 2", f'"3,000 on turn 2" is not a number of men and a day. {BOTH}'),
        ("3,000 on day 20 and 500 on day 30", "is not a number of men and a day"),
        ("A: 3,000 on day 20; B: 500 on day 9", "is not a number of men and a day"),
        ("3,000 infantry, 200 guns", "is not a number of men and a day"),
        ("3,000 on day 0", f'"3,000 on day 0" is out of range. {RANGE}'),
        ("3,000 on day 10,000", f'"3,000 on day 10,000" is out of range. {RANGE}'),
        ("-3,000 on day 20", f'"-3,000 on day 20" is out of range. {RANGE}'),
        ("16M on day 20", f'"16M on day 20" is out of range. {RANGE}'),
        ("nan on day inf", "is not a number of men and a day"),
    ],
)
def test_war_19_any_other_relief_is_refused_in_a_sentence(cell: Any, says: str) -> None:
    plan = run(workbook(siege(cell)))
    [(_, status, message)] = messages(plan)

    assert status == "Invalid"
    assert says in message
    assert [rule for _, rule in problems(plan) if rule == "WAR-19"] == ["WAR-19"]


@pytest.mark.parametrize(
    "rows",
    [
        siege("3,000 on day 20", None),
        siege("3,000 on day 20", "Castle", {"Side": "Attacker", "Maneuver": "Storm"}),
        siege("3,000 on day 20", "Castle", {"Side": "Defender", "Maneuver": "Hit and run"}),
    ],
    ids=["no works", "an assault", "a defender who comes out"],
)
def test_war_19_a_relief_without_a_siege_gives_a_warning(rows: Rows) -> None:
    [(_, status, message)] = messages(run(workbook(rows)))

    assert status == "Done"
    assert NOBODY in message


@pytest.mark.parametrize(
    ("relief", "says", "winner"),
    [
        (
            "2,000,000 on day 1",
            r"A relief of 2,000,000 men, expected on day 1 of the siege, came in time and lost \d,\d\d\d men\.",
            "Right",
        ),
        (
            "1 on day 1",
            r"A relief of 1 man, expected on day 1 of the siege, was beaten and lost (nobody|1 man)\.",
            None,
        ),
        (
            "9,000 on day 1,000",
            r"A relief of 9,000 men, expected on day 1,000 of the siege, (came too late|was not needed)\.",
            None,
        ),
    ],
)
def test_war_19_the_receipt_says_what_became_of_the_relief(relief: str, says: str, winner: str | None) -> None:
    book = workbook(siege(relief))
    (ruling,) = run(book).rulings

    assert re.search(says, ruling.receipt.wiki)
    assert winner in (None, column(book, "War Requests", "Winner")[0])
    assert NOBODY not in messages(run(workbook(siege(relief))))[0][2]
