"""Odds move smoothly with men: in the battles that `init` types, at equal sizes as at any others (R-66, R-123)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.inputs import Belligerent
from scripts.support.pinned_tables import shipped_tables
from scripts.support.small_battles import army, war
from scripts.support.workbooks import example, forms, read, workbook
from sheets_algo.database.records import Database
from tests.history.rows import arena

FORM = forms()[0]
PERCENT = range(86, 116, 2)
BATTLES = 4000
"""By common luck a step of 2 % is then known to .01."""
LEAST, MOST = -0.01, 0.04


def inputs(request: str, name: str, percent: int) -> Any:
    """Return the war of a request of `init`, an army of which has so many percent of its men."""
    rows = example("1066")
    armies = [
        {**row, "Size": row["Size"] * percent // 100} if row["Name"] == name else row for row in rows["Militaries"]
    ]
    book = Database(read(workbook(rows | {"Militaries": armies})), FORM.records(), FORM.vocabulary)
    (row,) = book.find(FORM.request, request)
    return FORM.read(row, book).inputs


@pytest.mark.parametrize(
    ("request_id", "army", "side"),
    [
        ("W-0001", "Hardrada's Army", 1),
        ("W-0002", "William's Army", 0),
        ("W-0002", "Harold's Host", 1),
        ("W-0004", "Sultan's Host", 0),
        ("W-0004", "Field Army", 1),
    ],
)
def test_two_percent_more_men_help_a_little(request_id: str, army: str, side: int) -> None:
    if not arena().kernel.is_compiled:
        pytest.skip("without machine code so many battles take minutes")
    fields = [Battlefield.of(inputs(request_id, army, percent), FORM.tables, seed=7) for percent in PERCENT]
    odds = [float((field.fight(0, BATTLES, arena().kernel).ends.winner == side).mean()) for field in fields]

    assert [
        (percent, before, after)
        for percent, (before, after) in zip(PERCENT, pairwise(odds), strict=False)
        if not LEAST <= after - before <= MOST
    ] == []
    assert odds[-1] - odds[0] > 0.05


SLOW = (0, 10, 100, 1_000)
"""Men of a slower type among 10,000 riders."""


@pytest.mark.parametrize(
    ("riders", "others", "column"),
    [
        ("Horse Archer", "Legionary", 0),
        ("Companion cavalry", "Pike phalanx", 0),
        ("Norman Knight", "Huscarl", 0),
        ("Cuirassier", "12-pdr Cannon", 2),
    ],
)
def test_few_slow_men_among_riders_cost_no_more_than_their_share(riders: str, others: str, column: int) -> None:
    """Ten legionaries among 10,000 horse archers used to cost 13 points: a flank had the speed of its slowest type."""
    if not arena().kernel.is_compiled:
        pytest.skip("without machine code so many battles take minutes")
    tables = shipped_tables()

    def mixed(name: str, slow: int) -> Belligerent:
        men = [(tables.units[others], slow / 10_000) if slow else (None, 0.0), (None, 0.0)]
        (first, foot), (last, guns) = men if column == 0 else men[::-1]
        types = first, tables.units[riders], last
        return army(name, 10_000, types=types, shares=(foot, 1 - foot - guns, guns))

    fields = [Battlefield.of(war(mixed("A", slow), mixed("B", 0)), tables, seed=7) for slow in SLOW]
    odds = [float((field.fight(0, BATTLES, arena().kernel).ends.winner == 0).mean()) for field in fields]

    assert all(abs(own - odds[0]) <= 0.01 + slow / 10_000 for slow, own in zip(SLOW, odds, strict=True)), odds
    assert all(after <= before + 0.02 for before, after in pairwise(odds)), odds
