"""What check says under different secrets of a season, in any game (FC-01)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from scripts.support.workbooks import NOW, Rows, example, forms, grids, pass_context, read, rehearse, season_grid
from sheets_algo.forms.databases import by_ruleset
from sheets_algo.ruling.luck.draw import Secret
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.workbook.memory import MemoryWorkbook

SECRETS = [Secret(f"secret {number}".encode()) for number in range(6)]
REFUSE = '{"losses":"apply","dead_leaders":"refuse"}'


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
    played = [form for group in by_ruleset(forms()) for form in group if snapshot.sheet(form.tabs[0])]
    rulings, rehearsal = plan_pass(snapshot, context, NOW).rulings, rehearse(snapshot, played, context)
    refused = {
        answer.cells.request
        for answer in rehearsal.findings.answers
        if any(problem.is_error for problem in answer.problems)
    }
    assert refused.isdisjoint(ruling.receipt.request for ruling in rulings), "an error is no matter of luck (FC-31)"
    return [*map(str, rehearsal.all_problems)], [(each.receipt.request, each.receipt.changes) for each in rulings]


def check_says_the_same_under_every_secret(rows: Rows) -> None:
    """Check that the secret decides rulings of a workbook, and nothing that check says of it before."""
    seasons = [said(rows, secret) for secret in SECRETS]
    assert len({repr(ruled) for _, ruled in seasons}) > 1
    assert all(says == seasons[0][0] for says, _ in seasons)
