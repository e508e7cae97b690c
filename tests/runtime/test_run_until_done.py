"""`run` where one pass cannot write everything: as many passes as it takes, told as one."""

from __future__ import annotations

import itertools

from engine.ruleset import no_op
from scripts.support.workbooks import SECRET, column, example, library, workbook
from sheets_algo.runtime.run.run_pass import run_until_done as run
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.session import Session, opened

WARS = ["W-0001", "W-0002", "W-0003", "W-0004", "W-0005"]


def test_the_next_pass_rules_the_rest_and_both_are_reported_together(tmp_path):
    book = workbook(example("1066"))
    place = Session(workbook=book, folder=tmp_path, library=library(), most=1)

    done = run(place, dry=False, forced=False, progress=no_op)

    assert column(book, "War Requests", "Status") == ["Done"] * 5
    assert [answer.cells.request for answer in done.plan.findings.answers] == WARS
    assert [ruling.receipt.seq for ruling in done.plan.rulings] == [2, 3, 4, 5, 6]
    assert len(done.logs) == len(done.pictures) == 5
    assert (done.is_written, done.is_partial) == (True, False)


def test_several_passes_rule_what_one_does_and_keep_no_course_of_a_battle(tmp_path):
    """A thousand wars in a file took 905 MB, most of it the courses of battles whose files were written."""
    results, receipts = [], []
    for most in (1, None):
        book = workbook(example("1066"))
        folder = tmp_path / str(most)
        folder.mkdir()
        season_secret.keep(folder, SECRET)
        session = Session(workbook=book, folder=folder, library=library(), most=most)
        results.append(run(session, dry=False, forced=False, progress=no_op))
        receipts.append(opened(session).receipts.rulings)
    rulings = [list(result.plan.rulings) for result in results]

    assert [each.figures for each in receipts[0]] == [each.figures for each in receipts[1]]
    assert len({each.figures.cells["Attacker"] for each in receipts[0]}) > 1
    assert [each.outcome.numbers for each in rulings[0]] == [each.outcome.numbers for each in rulings[1]]
    for ruling in itertools.chain(*rulings):
        assert (ruling.outcome.events, ruling.outcome.scenes, ruling.outcome.explained) == ((), (), ())
    assert [path.read_text() for path in results[0].logs] == [path.read_text() for path in results[1].logs]


def test_a_dry_run_looks_at_all_of_it(tmp_path):
    book = workbook(example("1066"))
    place = Session(workbook=book, folder=tmp_path, library=library(), most=1)

    done = run(place, dry=True, forced=False, progress=no_op)

    assert [ruling.receipt.request for ruling in done.plan.rulings] == WARS
    assert not any(column(book, "War Requests", "Status"))
    assert list(tmp_path.iterdir()) == []


def test_an_idle_workbook_takes_one_pass(tmp_path):
    book = workbook(example("1066"))
    place = Session(workbook=book, folder=tmp_path, library=library(), most=1)
    run(place, dry=False, forced=False, progress=no_op)

    again = run(place, dry=False, forced=False, progress=no_op)

    assert (again.is_written, again.plan.rulings, again.logs) == (False, (), ())


def test_a_subscriber_gets_the_result_of_each_commit_and_may_fail(tmp_path):
    book, results = workbook(example("1066")), []

    def fail(result):
        raise OSError("the disk is full")

    session = Session(workbook=book, folder=tmp_path, library=library(), on_committed=(fail, results.append))
    done = run(session, dry=False, forced=False, progress=no_op)
    again = run(session, dry=False, forced=False, progress=no_op)

    assert [len(result.plan.rulings) for result in results] == [len(done.plan.rulings)] != [0]
    assert done.failures == (
        "What fail does after a commit failed (OSError: the disk is full); the workbook is written.",
    )
    assert not again.is_written
