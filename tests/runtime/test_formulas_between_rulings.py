"""Formulas among what rulings read: each war is ruled on what they show after the ruling before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.ruleset import no_op
from scripts.support.workbooks import Rows, column, example, forms, grids, library
from sheets_algo.commands.run import _outcome_line
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.runtime.run.pass_context import WatchState
from sheets_algo.runtime.run.run_pass import run_pass, run_until_done
from sheets_algo.runtime.session.session import Session
from sheets_algo.template import examples_of
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.snapshot import NO_NEEDS
from tests.helpers.tabs import keys

ARMY = "Harold's Host"
ALL: Mapping[str, Any] = {"dry": False, "forced": False, "progress": no_op}


class Calculating(MemoryWorkbook):
    """A workbook in which the Budget of an army is `=Size*500`, calculated anew whenever it is read."""

    def read(self, tabs, headers_only=(), needs=NO_NEEDS):
        head, *armies = self.rows("Militaries")
        names = [army[head.index("Name")] for army in armies]
        row, size = names.index(ARMY) + 2, armies[names.index(ARMY)][head.index("Size")]
        revision = self._revision
        self.type_in("Militaries", row, head.index("Budget") + 1, size * 500)
        self._revision = revision
        return super().read(tabs, headers_only, needs)

    def has_formulas(self, snapshot, columns):
        assert set(keys("Militaries", "Nations", "War Requests", "Flanks")) <= columns.keys()
        return True


class WithConstants(Calculating):
    """The same workbook, with formulas that never show anything else."""

    def read(self, tabs, headers_only=(), needs=NO_NEEDS):
        return MemoryWorkbook.read(self, tabs, headers_only, needs)


def wars(number: int) -> Rows:
    """Wars between the same two armies, without leaders who might die."""
    rows = example("1066")
    hastings = next(row for row in rows["War Requests"] if row["War"] == "Hastings")
    rows["War Requests"] = [{**hastings, "Request": f"W-{at:04}", "War": f"War {at}"} for at in range(1, number + 1)]
    rows["Flanks"] = []
    for row in (*rows["Militaries"], *rows["Nations"]):
        row["Leader"] = ""
    return rows


def session(book: MemoryWorkbook, folder) -> Session:
    return Session(workbook=book, folder=folder, library=library(), draws_pictures=False)


def inputs(book: MemoryWorkbook) -> list[str]:
    return [ruling.inputs for ruling in read_receipts(book.read(keys("Receipts"))).rulings]


def test_wars_of_one_run_are_ruled_as_those_of_several_runs(tmp_path):
    at_once, apart = Calculating(grids(wars(3))), Calculating(grids(wars(3)))
    run_until_done(session(at_once, tmp_path), **ALL)
    ready = apart.rows("War Requests")[0].index("Ready") + 1
    for number in (2, 3, 4):
        for row in (2, 3, 4):
            apart.type_in("War Requests", row, ready, row <= number)
        run_until_done(session(apart, tmp_path / "apart"), **ALL)

    assert column(at_once, "War Requests", "Status") == ["Done"] * 3
    assert len(set(inputs(at_once))) == 3
    assert inputs(at_once) == inputs(apart)


def test_constant_formulas_block_no_ruling(tmp_path):
    book, plain = WithConstants(grids(wars(3))), MemoryWorkbook(grids(wars(3)))
    run_until_done(session(book, tmp_path), **ALL)
    run_until_done(session(plain, tmp_path / "plain"), **ALL)

    assert column(book, "War Requests", "Status") == ["Done"] * 3
    assert inputs(book) == inputs(plain)


def test_formulas_change_no_ruling_of_the_examples_and_no_order(tmp_path):
    """A turn of several orders too is played in several passes, and ends when it would have ended in one."""
    rows = {tab: [dict(row) for row in rows] for tab, rows in examples_of(forms(), library()).items()}
    book, plain = WithConstants(grids(rows)), MemoryWorkbook(grids(rows))
    run_until_done(session(book, tmp_path), **ALL)
    run_until_done(session(plain, tmp_path / "plain"), **ALL)

    assert len(inputs(book)) > 10
    assert inputs(book) == inputs(plain)


def test_a_watcher_rules_a_war_at_each_poll_and_lets_none_wait_twice(tmp_path):
    rows = wars(20)
    for army in rows["Militaries"]:
        army["Size"] = 200_000
    book, state, looks = Calculating(grids(rows)), WatchState(), []
    while not looks or looks[-1].is_partial or len(looks) == 1:
        looks.append(run_pass(session(book, tmp_path), state=state))

    assert column(book, "War Requests", "Status") == ["Done"] * 20
    assert [len(look.plan.rulings) for look in looks] == [0, *[1] * 20]


def test_a_dry_run_counts_wars_with_deciding_formulas(tmp_path):
    book = Calculating(grids(wars(3)))
    place = session(book, tmp_path)
    done = run_until_done(place, dry=True, forced=False, progress=no_op)

    assert _outcome_line(done, place, dry=True) == (
        "1 request would be ruled; 2 more by what formulas show after that. Nothing is written (dry run)."
    )
