"""Check says nothing from which the luck of the season could be learnt (FC-01)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scripts.support.workbooks import NOW, Rows, changed, example, forms, grids, pass_context, read, season_grid
from sheets_algo.forms.databases import by_ruleset
from sheets_algo.ruling.luck.seeds import Secret
from sheets_algo.ruling.passes.check import check
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.workbook.memory import MemoryWorkbook

SECRETS = [Secret(f"secret {number}".encode()) for number in range(6)]
REFUSE = '{"losses":"apply","dead_leaders":"refuse"}'
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


def twice(name: str, tab: str) -> Callable[[], Rows]:
    """Return a game in which each order is given twice."""

    def rows() -> Rows:
        game = example(name)
        orders = [order | {"Ready": True} for order in game[tab]]
        return game | {tab: [*orders, *(order | {"Request": None} for order in orders)]}

    return rows


def said(rows: Rows, secret: Secret) -> tuple[list[str], Any]:
    """Return what check says in a season of a secret, and what run rules in it."""
    book = MemoryWorkbook(grids(rows, inputs=REFUSE) | {"Receipts": season_grid(REFUSE, secret)})
    snapshot, context = read(book), replace(pass_context(), secret=secret)
    trial = plan_pass(snapshot, changed(context, is_trial=True, is_check=True), NOW)
    played = [form for group in by_ruleset(forms()) for form in group if snapshot.sheet(form.tabs[0])]
    ruled = [(each.receipt.request, each.receipt.changes) for each in plan_pass(snapshot, context, NOW).rulings]
    return [str(problem) for problem in check(snapshot, played, lambda: trial)], ruled


@pytest.mark.parametrize(
    "rows",
    [
        of_one,
        again,
        twice("realm", "Turn Requests"),
        twice("hexcombat", "Combat Requests"),
        twice("ciais", "CiAIS Requests"),
    ],
    ids=["armies of one", "leaders", "realm", "hexcombat", "ciais"],
)
def test_fc_01_check_says_the_same_under_every_secret(rows: Callable[[], Rows]) -> None:
    seasons = [said(rows(), secret) for secret in SECRETS]
    assert len({repr(ruled) for _, ruled in seasons}) > 1
    assert all(says == seasons[0][0] for says, _ in seasons)


def test_fc_01_check_tells_no_winner_by_an_army_without_people() -> None:
    for secret in SECRETS:
        assert not [line for line in said(of_one(), secret)[0] if "nobody can fight" in line]
