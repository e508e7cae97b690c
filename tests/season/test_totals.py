"""Totals of random seasons of all rulesets: they are those of the receipts, and nothing of what was undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from scripts.support.workbooks import NOW, Rows, forms, grids, library, pass_context, read, season_grid, undo
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import SecretForm
from sheets_algo.forms.databases import by_ruleset
from sheets_algo.replays.replay import replay
from sheets_algo.ruling.luck.draw import Secret
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.runtime.session.session import OpenWorkbook
from sheets_algo.season.records import SIDES
from sheets_algo.season.season import Season
from sheets_algo.site.public import PublicSeason
from sheets_algo.template import examples_of
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.example_budget import BUDGET

GROUPS = by_ruleset(forms())
SOME = settings(
    deadline=None,
    max_examples=max(3, round(3 * BUDGET)),
    phases=[Phase.explicit, Phase.generate],  # to shrink a season takes minutes
    suppress_health_check=[HealthCheck.too_slow],
)
RANDOM = ("Size", "Population", "Stability", "Edits", "Strength", "Troops")
"""Columns whose numbers differ from season to season, in any tab that has them."""


class RandomSeason:
    """The example of a ruleset with other luck, other numbers and only some of its requests."""

    def __init__(self, group: Sequence[Form[Any]], data: st.DataObject) -> None:
        self.rows: Rows = {tab: [dict(row) for row in rows] for tab, rows in examples_of(group, library()).items()}
        self.requests = [
            (tab, number, row)
            for tab in dict.fromkeys(form.request.tab.name for form in group)
            for number, row in enumerate(self.rows.get(tab, ()), start=2)
        ]
        for _, _, row in self.requests:
            row["Ready"] = data.draw(st.integers(0, 3)) > 0
        for rows in self.rows.values():
            for row in rows:
                for head in RANDOM:
                    if isinstance(row.get(head), int) and row[head] > 1:
                        row[head] = data.draw(st.integers(max(1, row[head] // 2), row[head]))
        self.secret = Secret(data.draw(st.binary(min_size=16, max_size=16)))
        self.last = data.draw(st.sampled_from(self.requests))
        self.last[2]["Ready"] = False
        self.book = MemoryWorkbook(grids(self.rows) | {"Receipts": season_grid(secret=self.secret)})
        self.forms = tuple(form for form in forms() if form.request.tab.name in self.book.tabs)

    def run(self) -> Plan:
        """Make one pass and commit it."""
        snapshot = read(self.book)
        plan = plan_pass(snapshot, replace(pass_context(), forms=self.forms, secret=self.secret), NOW)
        self.book.commit(snapshot, plan.writes.changes)
        return plan

    def rule_last(self) -> Plan:
        """Make the request ready that waited, and make a pass."""
        tab, number, _ = self.last
        self.book.type_in(tab, number, self.book.rows(tab)[0].index("Ready") + 1, True)
        return self.run()

    def opened(self) -> PublicSeason:
        """The season as it is now."""
        snapshot = read(self.book)
        return PublicSeason(OpenWorkbook(snapshot, self.forms, read_receipts(snapshot)))


@pytest.mark.parametrize("group", GROUPS, ids=[group[0].ruleset_key for group in GROUPS])
@SOME
@given(data=st.data())
def test_totals_equal_the_receipts_without_undone_rulings(group: Sequence[Form[Any]], data: st.DataObject) -> None:
    """STRAT-08, RCPT-01: battles end as their receipts say."""
    season = RandomSeason(group, data)
    season.run()
    before = season.opened()
    check_totals(before)
    check_battles(before)
    cells = database_cells(season)

    ruled = season.rule_last().rulings
    check_totals(season.opened())
    if len(ruled) != 1:
        return  # a mistake, or an order that others waited for
    _, changes = undo(read(season.book), season.forms, ruled[0].receipt.request, NOW)
    season.book.commit(read(season.book), changes)

    after = season.opened()
    assert after.standings == before.standings
    assert [row for row in after.nations if row.seq < ruled[0].receipt.seq] == list(before.nations)
    assert len(after.nations) == len(before.nations)
    assert database_cells(season) == cells
    check_totals(after)


def database_cells(season: RandomSeason) -> dict[str, Any]:
    """Return the cells of the database, without those of the requests and the program's own tabs."""
    requests = {form.request.tab.name for form in season.forms}
    return {tab: season.book.rows(tab) for tab in season.rows if tab not in requests}


def check_totals(season: PublicSeason) -> None:
    """The sums of the standings are those of the stored receipts that stand."""
    receipts = season.book.receipts
    standing = [receipt for receipt in receipts.rulings if not receipts.is_undone(receipt)]
    for form in season.book.forms:
        rows = [row for row in season.standings if row.ruleset == form.key]
        own = [receipt for receipt in standing if receipt.ruleset == form.key and not isinstance(form, SecretForm)]
        sided = [receipt for receipt in own if all(form.ruleset.sides(form.deserialize(receipt.inputs)))]
        lost = [form.ruleset.men_lost(receipt.figures.values) or (0, 0) for receipt in sided]
        assert sum(row.wars for row in rows) == 2 * len(sided)
        assert sum(row.as_attacker for row in rows) == sum(row.as_defender for row in rows) == len(sided)
        assert sum(row.won for row in rows) == sum(receipt.winner in SIDES for receipt in sided)
        assert sum(row.men_lost or 0 for row in rows) == sum(map(sum, lost))
        assert sum(row.men_inflicted or 0 for row in rows) == sum(map(sum, lost))


def check_battles(season: PublicSeason) -> None:
    """The hours of a battle end as its receipt says: in the columns of its flanks, and in the men each side lost."""
    for receipt in season.book.receipts.rulings:
        form = season.book.form_of(receipt)
        recording = replay(receipt, form).recording
        if recording is None:
            continue
        assert (np.diff(recording.men, axis=0) <= 0).all()
        gone = recording.men[0] - recording.men[-1]
        by_side = tuple(
            sum(int(men) for actor, men in zip(recording.actors, gone, strict=True) if actor.side == side)
            for side in SIDES
        )
        assert form.ruleset.men_lost(receipt.figures.values) == by_side
        for flank in Season(season.book).flanks.where(lambda flank, seq=receipt.seq: flank.seq == seq):
            own = [place for place, actor in enumerate(recording.actors) if actor.side == flank.side]
            row, end = own[flank.number - 1], flank.results
            men = sum(int(end[f"End {arm}"]) for arm in ("Infantry", "Cavalry", "Artillery"))
            assert men == recording.men[-1, row]
            assert recording.ships[-1, row] in (-1, end["End Ships"])  # -1: on land, its ships lie elsewhere
            assert end["End Status"] == recording.statuses[recording.status[-1, row]]
            middle = np.array((recording.x[-1, row], recording.y[-1, row])) - 0.5  # of a pixel
            assert np.allclose((end["End X"], end["End Y"]), middle, atol=0.56)  # half a pixel at an edge (MAP-01)
