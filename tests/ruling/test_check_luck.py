"""Check says nothing from which the luck of the season could be learnt (FC-01)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scripts.support.workbooks import Rows, example
from tests.helpers.check_luck import SECRETS, check_says_the_same_under_every_secret, said, twice

ARMIES = [("England", "Harold's Host"), ("Normandy", "William's Army"), ("Norway", "Hardrada's Army")]


def of_one() -> Rows:
    """Three armies of one man, each of which fights each other."""
    rows = example("1066")
    for row in rows["Militaries"]:
        row["Size"] = 1
    war = rows["War Requests"][0] | {"Location": "Southeast England"}
    pairs = [(ARMIES[0], ARMIES[1]), (ARMIES[0], ARMIES[2]), (ARMIES[1], ARMIES[2])]
    rows["War Requests"] = [
        war
        | dict(zip(("Request", "Attacker", "Attacker Military", "Defender", "Defender Military"), cells, strict=True))
        for cells in ((f"W-000{number}", *first, *second) for number, (first, second) in enumerate(pairs, 1))
    ]
    return rows | {"Flanks": []}


def again() -> Rows:
    """Each war of the season is fought three times by the same leaders."""
    rows = example("1066")
    wars = rows["War Requests"]
    rows["War Requests"] = [war | {"Request": f"{war['Request']}{time}"} for time in range(3) for war in wars]
    return rows | {"Flanks": []}


@pytest.mark.parametrize(
    "rows",
    [of_one, again, twice("rounds", "Round Requests"), twice("plots", "Plot Requests")],
    ids=["armies of one", "leaders", "rounds", "plots"],
)
def test_fc_01_check_prints_the_same_under_every_secret(rows: Callable[[], Rows]) -> None:
    check_says_the_same_under_every_secret(rows())


def test_fc_31_check_warns_of_an_army_that_will_probably_be_destroyed() -> None:
    warned = [line for line in said(of_one(), SECRETS[0])[0] if "nobody can fight" in line]
    assert warned == [
        "Militaries!C4 (William's Army, Size): warning: after W-0001, in which William's Army probably loses 1 of 1,"
        " W-0003 is probably refused: 0 people, so nobody can fight. Enter a whole number from 1 to 15,000,000."
        " [MIL-03]"
    ]
